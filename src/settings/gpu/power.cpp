// SPDX-License-Identifier: MIT
// Power of GPUs: gpu.power_cap, gpu.runtime_pm and gpu.soc_pstate.

#include <algorithm>
#include <map>

#include "machine/kernel_attribute.h"
#include "os/redact/redact_words.h"
#include "rocenv/change.h"
#include "settings/safety.h"
#include "settings/shapes/devices.h"
#include "util/text.h"

namespace rocenv {

// gpu.power_cap: the power limit of each GPU (linux drivers/gpu/drm/amd/pm/amdgpu_pm.c power1_cap,
// microwatts). On some chips the driver asks the firmware for it, so it is read only if a profile
// names it. The second die of a module shows 0, or has no such file. "default": each GPU is at its
// own default, the defaults of a model are equal, and they equal the model's value if a source
// states it.

namespace {

constexpr std::uint64_t microwatts = 1000000;

Result<std::string> hwmon_of(const Fs& fs, const std::string& bdf) {
    const std::string folder = pci_path(bdf, "/hwmon");
    const auto names = fs.list(folder);
    if (!names) {
        return names.error();
    }
    if (names->size() != 1) {
        return garbled(
            folder, "the folder holds " + number(names->size()) + " entries, but one is expected");
    }
    return folder + "/" + names->front();
}

Result<std::string> read_watts(const Fs& fs, const std::string& path) {
    const auto text = read_number(fs, path);
    if (!text) {
        return text.error();
    }
    return number(*parse_number(*text) / microwatts) + " W";
}

Result<std::string> read_cap(const Context& context, const Gpu& gpu) {
    const auto folder = hwmon_of(context.fs(), gpu.bdf);
    if (!folder) {
        return folder.error();
    }
    auto watts = read_watts(context.fs(), *folder + "/power1_cap");
    if (watts && *watts == "0 W") {
        return Error{ErrorKind::not_here, 0, *folder, *folder + "/power1_cap: is 0"};
    }
    return watts;
}

constexpr Grade power_cap_grades[] = {
    {"unverified", Level::info, "No source states the power cap of this model"},
};

// The caps of the GPUs, and their defaults by address.
struct Caps {
    LikeDevices devices;
    std::map<std::string, std::string> usual;
};

void add_default(const Fs& fs, DeviceValue& each, Caps& caps) {
    const auto folder = hwmon_of(fs, each.device);
    auto usual = folder && each.value ? read_watts(fs, *folder + "/power1_cap_default")
                                      : Result<std::string>(std::string());
    if (usual && !usual->empty()) {
        caps.usual[each.device] = *usual;
        each.of_model = *usual;
    } else if (!usual) {
        each.value = usual.error();
    }
}

bool has_two_dies(const DeviceValue& each) {
    const GpuModel* model = gpu_model(each.gpu->device);
    return model != nullptr && model->devices == 2;
}

// Notes dies whose module has one cap for both (rocm-smi of eight MI250 dies: "560.0W", "0.0W" in
// turn; huggingface/optimum-amd docs/source/amdgpu/perf_hardware.mdx, 2023).
void note_second_dies(LikeDevices& devices) {
    std::size_t dies = 0;
    std::size_t without = 0;
    for (const auto& each : devices.values) {
        dies += has_two_dies(each) ? 1U : 0U;
        without += has_two_dies(each) && each.value.is(ErrorKind::not_here) ? 1U : 0U;
    }
    for (auto& each : devices.values) {
        if (has_two_dies(each) && each.value.is(ErrorKind::not_here) && without * 2 <= dies &&
            each.note.empty()) {
            each.note = "the other die of the module has the cap of both dies";
        }
    }
}

// Returns the default of more than half of the GPUs of a kind; std::nullopt if there is none.
std::optional<std::string> usual_default(const Caps& caps, const std::string& kind) {
    std::map<std::string, std::size_t> counts;
    std::size_t all = 0;
    for (const auto& each : caps.devices.values) {
        const auto usual = caps.usual.find(each.device);
        if (each.kind == kind && !each.left_out && usual != caps.usual.end()) {
            ++counts[usual->second];
            ++all;
        }
    }
    for (const auto& [watts, count] : counts) {
        if (count * 2 > all) {
            return watts;
        }
    }
    return std::nullopt;
}

// Marks GPUs at a default that differs from the majority's.
void compare_defaults(const Caps& caps, std::vector<Assessment>& rows) {
    for (const auto& each : caps.devices.values) {
        const auto usual = caps.usual.find(each.device);
        const auto most = usual_default(caps, each.kind);
        const auto row = std::find_if(rows.begin(), rows.end(), [&](const Assessment& one) {
            return one.target.base == each.device;
        });
        if (usual != caps.usual.end() && row != rows.end() && row->outcome == Outcome::ok &&
            most.value_or(usual->second) != usual->second) {
            row->outcome = Outcome::differs;
            row->expected = *most;
            row->detail = "the default cap of this GPU is " + usual->second +
                          ", but most other GPUs of its model have " + *most;
            row->next_step = "sudo amd-smi static --gpu BDF --limit --vbios";
        }
    }
}

// Returns a finding for all GPUs of a model whose common default differs from the model's. Other
// ids of a model ("HF") may have another one.
std::optional<Assessment> compare_with_model(const Caps& caps) {
    for (const auto& each : caps.devices.values) {
        const GpuModel* model = gpu_model(each.gpu->device);
        const auto most = usual_default(caps, each.kind);
        if (model == nullptr || model->watts == 0 || !most ||
            model->ids.front().device != each.gpu->device || *most == number(model->watts) + " W") {
            continue;
        }
        auto row = compared({}, number(model->watts) + " W", *most);
        row.grade = model->states("watts") ? nullptr : &power_cap_grades[0];
        row.detail = "the default power cap of the GPUs differs from the published value of the " +
                     std::string(model->name) + "; a node vendor may set its own cap";
        row.next_step = "if the node vendor set this cap: rocenv check --want gpu.power_cap=" +
                        most->substr(0, most->find(' '));
        return row;
    }
    return std::nullopt;
}

std::vector<Assessment> assess_power_cap(const Setting&, const Context& context,
                                         const Expectation& expectation) {
    Caps caps{gpu_values(context, read_cap), {}};
    note_second_dies(caps.devices);
    const std::string expected = plain_text(expectation.value);
    const bool by_default = expected == "default";
    for (auto& each : caps.devices.values) {
        if (by_default) {
            add_default(context.fs(), each, caps);
        }
    }
    auto rows = judge_alike(caps.devices,
                            by_default            ? "model"  // the GPU's own default
                            : expected == "equal" ? expected
                                                  : expected + " W",
                            {.absent = "the driver reports no power cap of this GPU"});
    if (by_default) {
        compare_defaults(caps, rows);
        auto row = caps.devices.uncertain ? std::nullopt : compare_with_model(caps);
        if (row) {
            rows.push_back(*std::move(row));
        }
    }
    for (auto& row : rows) {
        if (row.outcome == Outcome::differs && expectation.value.integer() != nullptr) {
            row.next_step =
                "sudo amd-smi set --gpu BDF --power-cap " + number(*expectation.value.integer());
        }
    }
    return rows;
}

std::vector<ClusterFact> facts_of_power_cap(const Setting&, const Context& context) {
    return facts_of(gpu_values(context, read_cap));
}

}  // namespace

const Setting& gpu_power_cap() {
    static const Setting setting{
        .info =
            {
                .id = "gpu.power_cap",
                .summary = "Power limit of each GPU",
                .why = "A GPU with a lower power cap runs slower and delays every GPU that waits "
                       "for it",
                .source = "amd/node-scraper nodescraper/plugins/inband/amdsmi, 2026-07; linux "
                          "drivers/gpu/drm/amd/pm/amdgpu_pm.c, 6.12",
                .target = "physical GPU",
                .read_from =
                    "hwmon/hwmon*/power1_cap and power1_cap_default of the GPU; /proc/cpuinfo "
                    "where one differs",
                .set_by = "",
                .next_step = "sudo amd-smi reset --gpu BDF --power-cap",
                .persist = "lost at reboot and driver reload",
                .risk_note = "",
                .only_when_named = true,
                .host_decides = true,
                .over_cluster = OverCluster::equal,
                .forms = {{.kind = FormKind::word, .words = {"default", "equal"}},
                          {.kind = FormKind::integer, .lowest = 1, .highest = 10000}},
                .grades = power_cap_grades,
            },
        .assess = assess_power_cap,
        .facts = facts_of_power_cap,
    };
    return setting;
}

// gpu.runtime_pm: each GPU is awake. Reading this file does not wake a GPU (linux
// drivers/base/power/sysfs.c runtime_status_show).

namespace {

Result<std::string> read_state(const Context& context, const Gpu& gpu) {
    const std::string path = pci_path(gpu.bdf, "/power/runtime_status");
    const auto text = context.fs().read(path);
    if (!text) {
        return text.error();
    }
    const auto state = trim(*text);
    for (const char* known :
         {"active", "unsupported", "suspended", "suspending", "resuming", "error"}) {
        if (state == known) {
            return std::string(state);
        }
    }
    return garbled(path, "is not a valid power state: " + quoted_value(state));
}

// Returns true if the device is awake; one without runtime power management always is.
bool is_awake(const std::string&, const std::string& have) {
    return have == "active" || have == "unsupported";
}

}  // namespace

const Setting& gpu_runtime_pm() {
    static const GpuValue value{
        .read = read_state,
        .rules = {.absent = "the kernel keeps no runtime power state of this GPU",
                  .accepts = is_awake},
        .untouched = true};
    static const auto setting = gpu_value_setting(
        {
            .id = "gpu.runtime_pm",
            .summary = "Whether each GPU is awake or suspended by runtime power management",
            .why = "Waking a suspended GPU delays the start of a job by seconds, and some GPUs "
                   "fail to wake",
            .source = "linux drivers/base/power/sysfs.c, drivers/gpu/drm/amd/amdgpu/amdgpu_drv.c "
                      "runpm, 6.12 (2024-11)",
            .target = "physical GPU",
            .read_from = "power/runtime_status of the GPU's PCI function",
            .set_by = "",
            .next_step = "echo on | sudo tee /sys/bus/pci/devices/BDF/power/control; if GPUs "
                         "should never sleep, add amdgpu.runpm=0 to the kernel command line",
            .persist = "",
            .risk_note = "",
            .over_cluster = OverCluster::own,
            .forms = {{.kind = FormKind::word, .words = {"active"}}},
        },
        value);
    return setting;
}

// gpu.soc_pstate: the policy by which the firmware selects the clocks of the chip's fabric. The
// driver has the value in memory. Chips and drivers without policies have no such file.

namespace {

constexpr WrittenPlace soc_pstate_places[] = {
    {"/sys/bus/pci/devices/<bdf>/pm_policy/soc_pstate", Codec::starred, "<0-4>"},
};

constexpr std::int64_t highest_policy = 4;  // linux kgd_pp_interface.h PP_POLICY_MAX_LEVELS is 5

KernelAttribute attribute_of(const std::string& bdf) {
    return {pci_path(bdf, "/pm_policy/soc_pstate"), Codec::starred};
}

Result<Choices> policies_of(const Fs& fs, const std::string& bdf) {
    const auto text = fs.read(attribute_of(bdf).path);
    return text ? parse_starred(attribute_of(bdf).path, *text) : text.error();
}

void add_change(const Choices& policies, Assessment& row) {
    if (!policies.offers(*row.expected)) {
        row.detail = "the driver offers only " + join(policies.offered, ", ");
        row.next_step = "expect one of the policies that the driver offers";
        return;
    }
    row.change = word_change(attribute_of(row.target.text()), *row.expected);
    if (row.outcome == Outcome::differs) {
        row.next_step = "sudo amd-smi set --gpu BDF --soc-pstate " + *row.expected;
    }
}

std::vector<Assessment> assess_soc_pstate(const Setting&, const Context& context,
                                          const Expectation& expectation) {
    std::map<std::string, Choices> found;
    const auto read = [&](const Gpu& gpu) -> Result<std::string> {
        auto policies = policies_of(context.fs(), gpu.bdf);
        if (!policies) {
            return policies.error();
        }
        return found.emplace(gpu.bdf, *std::move(policies)).first->second.value;
    };
    const std::string expected = number(*expectation.value.integer());
    auto out = assess_gpus(
        context, {expected, read, "the driver offers no SoC p-state policy for this GPU"});
    for (auto& row : out) {
        const auto policies = found.find(row.target.text());
        if (policies != found.end()) {
            add_change(policies->second, row);
        }
    }
    return out;
}

Keeping keeping_of_soc_pstate(const Setting&, const Expectation&) {
    return {.by_unit = true};
}

std::vector<Baseline> baseline_of_soc_pstate(const Setting&, const Context& context) {
    return baseline_gpus(context, [&](const Gpu& gpu) -> Result<GpuHeld> {
        const auto policies = policies_of(context.fs(), gpu.bdf);
        if (!policies) {
            return policies.error();
        }
        return GpuHeld{policies->value, word_change(attribute_of(gpu.bdf), policies->value)};
    });
}

std::optional<std::string> unsafe_of_soc_pstate(const Context& context, const Target&) {
    return gpu_in_use(context.machine);
}

}  // namespace

const Setting& gpu_soc_pstate() {
    static const Setting setting{
        .info =
            {
                .id = "gpu.soc_pstate",
                .summary =
                    "SoC p-state policy: how the firmware clocks the internal fabric of the chip",
                .why = "A power-saving policy reduces the bandwidth between dies and to other GPUs",
                .source = "linux drivers/gpu/drm/amd/pm/amdgpu_pm.c, 6.12 (2024-11); amd-smi set "
                          "--soc-pstate (ROCm 6.3, 2024-12)",
                .target = "physical GPU",
                .read_from = "pm_policy/soc_pstate of the GPU's PCI function",
                .set_by = "writes the index to pm_policy/soc_pstate of each GPU",
                .next_step = "sudo amd-smi set --gpu BDF --soc-pstate INDEX",
                .persist = "lost at reboot, driver reload and GPU reset; a unit that runs rocenv "
                           "at boot keeps it",
                .risk_note = "clocks and power draw change until the policy is restored",
                .risk = Risk::low,
                .over_cluster = OverCluster::equal,
                .forms = {{.kind = FormKind::integer, .lowest = 0, .highest = highest_policy}},
                .places = soc_pstate_places,
            },
        .assess = assess_soc_pstate,
        .baseline = baseline_of_soc_pstate,
        .keeping = keeping_of_soc_pstate,
        .unsafe = unsafe_of_soc_pstate,
    };
    return setting;
}

}  // namespace rocenv
