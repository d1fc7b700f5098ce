// SPDX-License-Identifier: MIT
// gpu.power_cap: the power each GPU may draw (linux drivers/gpu/drm/amd/pm/amdgpu_pm.c power1_cap,
// microwatts). The driver asks the firmware for it on some chips: only a profile that names it has
// it read. The second die of a module shows 0, or has no such file. "default": each GPU at its own
// default, all defaults of a model equal, and equal to the model's where a source states that.
#include <algorithm>
#include <map>

#include "machine/kernel_attribute.h"
#include "settings/shapes/devices.h"
#include "util/text.h"

namespace rocenv {

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

// Caps of the GPUs, and the default of each that has one, by address.
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

// Of a module with two dies one may have the cap of both (rocm-smi of eight MI250 dies: "560.0W",
// "0.0W" in turn; huggingface/optimum-amd docs/source/amdgpu/perf_hardware.mdx, 2023).
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

// The default that more than half of the GPUs of a kind have; std::nullopt if none is.
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

// Marks GPUs at a default that is not the default of their neighbours.
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
            row->want = *most;
            row->detail = "the default cap of this GPU is " + usual->second +
                          ", but most other GPUs of its model have " + *most;
            row->next_step = "sudo amd-smi static --gpu BDF --limit --vbios";
        }
    }
}

// Returns a finding for all GPUs of a model whose common default is not the model's. Other ids of a
// model ("HF") may have another.
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

std::vector<Assessment> assess_power_cap(const Setting&, const Context& context, const Want& want) {
    Caps caps{gpu_values(context, read_cap), {}};
    note_second_dies(caps.devices);
    const std::string wanted = plain_text(want.value);
    const bool by_default = wanted == "default";
    for (auto& each : caps.devices.values) {
        if (by_default) {
            add_default(context.fs(), each, caps);
        }
    }
    auto rows = judge_alike(caps.devices,
                            by_default          ? "model"  // what each states of itself
                            : wanted == "equal" ? wanted
                                                : wanted + " W",
                            {.absent = "the driver reports no power cap of this GPU"});
    if (by_default) {
        compare_defaults(caps, rows);
        auto row = caps.devices.uncertain ? std::nullopt : compare_with_model(caps);
        if (row) {
            rows.push_back(*std::move(row));
        }
    }
    for (auto& row : rows) {
        if (row.outcome == Outcome::differs && want.value.integer() != nullptr) {
            row.next_step =
                "sudo amd-smi set --gpu BDF --power-cap " + number(*want.value.integer());
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

}  // namespace rocenv
