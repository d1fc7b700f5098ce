// SPDX-License-Identifier: MIT
// The amdgpu driver: gpu.driver, gpu.driver_origin, gpu.drm_devices and gpu.parameters.

#include <algorithm>
#include <map>
#include <set>

#include "machine/gpu/gpu_models.h"
#include "machine/sources.h"
#include "os/redact/redact.h"
#include "os/redact/redact_words.h"
#include "rocenv/setting.h"
#include "settings/shapes/requirements.h"
#include "util/text.h"

namespace rocenv {

// gpu.driver: the amdgpu kernel module, loaded and new enough. AMD's own module (amdgpu-dkms) has a
// version, numbered after its upstream kernel. The kernel's own module has none and is not tainted.
// Then the kernel's release counts: it must be as expected, or support the model of each GPU. A
// vendor's kernel may contain a newer driver than its release suggests. If it drives every GPU, it
// supports them, which lowers the level of the finding.

namespace {

const std::string module = "/sys/module/amdgpu";
const std::string release_path = "/proc/sys/kernel/osrelease";

constexpr Grade driver_grades[] = {
    {"backported", Level::recommended,
     "The kernel is older than expected, but its driver drives every GPU: vendor kernels often "
     "contain a newer driver than the release suggests"},
    {"undated", Level::info,
     "No source states which kernel first supported the model, and this kernel's driver drives "
     "every GPU"},
};

// The judgement of the kernel's own driver by its release.
struct OwnDriver {
    Outcome outcome = Outcome::ok;
    std::string detail;
};

// Judges one model. A request above info level is the user's and is compared by number.
OwnDriver judge_own(const GpuModel* model, const VersionRequirement& requirement,
                    std::string_view release) {
    if (model == nullptr || model->first_driver.empty()) {
        return {Outcome::unknown, "no source states which driver first supported this GPU"};
    }
    const std::string name(model->name);
    const bool is_comparable_request =
        requirement.minimum &&
        compare_versions(requirement.version, model->first_driver).value_or(1) <= 0;
    if (!is_comparable_request) {
        return {Outcome::differs, "the kernel release is older than expected"};
    }
    if (model->first_kernel.empty()) {
        return {Outcome::unknown, "no source states which Linux release first supported " + name};
    }
    const bool supports = compare_versions(release, model->first_kernel).value_or(-1) >= 0;
    return {supports ? Outcome::ok : Outcome::differs,
            name + " is supported since Linux " + std::string(model->first_kernel)};
}

// Judges all models; the worst counts.
OwnDriver judge_own(const Machine& machine, const VersionRequirement& requirement,
                    std::string_view release) {
    OwnDriver worst;
    if (requirement.accepts(release)) {
        return worst;
    }
    const auto& gpus = machine.gpus();
    const auto is_accelerator = [](const Gpu& gpu) { return gpu.accelerator; };
    const bool any = std::any_of(gpus.begin(), gpus.end(), is_accelerator);
    std::set<const GpuModel*> models;
    for (const auto& gpu : gpus) {
        const GpuModel* model = gpu_model(gpu.device);
        if ((any && !gpu.accelerator) || !models.insert(model).second) {
            continue;
        }
        auto found = judge_own(model, requirement, release);
        if (worst.detail.empty() || found.outcome > worst.outcome) {
            worst = std::move(found);
        }
    }
    return worst;
}

// Returns true if every GPU for compute is bound to amdgpu and counted by KFD.
bool drives_all(const Machine& machine) {
    const auto& gpus = machine.gpus();
    return !machine.gpus_uncertain() && std::all_of(gpus.begin(), gpus.end(), [](const Gpu& gpu) {
        return !gpu.accelerator || (gpu.driver == "amdgpu" && !gpu.agents.empty());
    });
}

Assessment not_loaded(const Context& context, const VersionRequirement& requirement) {
    Assessment row;
    row.outcome = Outcome::differs;
    row.expected = requirement.text;
    row.detail = "the amdgpu module is not loaded";
    const auto arguments = context.machine.kernel_arguments();
    for (const auto& argument : arguments ? *arguments : std::vector<KernelArgument>()) {
        const auto names = split(argument.value, ',');
        const bool blacklist =
            argument.name == "modprobe.blacklist" || argument.name == "module_blacklist";
        if (blacklist && std::find(names.begin(), names.end(), "amdgpu") != names.end()) {
            row.detail += "; " + argument.name + "=amdgpu prevents the module from loading at boot";
        }
    }
    return row;
}

// Judges a module without a version: the kernel's own driver, unless it taints the kernel as an
// external one (linux kernel/module/main.c taint).
Assessment by_release(const Context& context, const VersionRequirement& requirement) {
    const auto taint = context.fs().read(module + "/taint");
    if (!taint && !taint.is(ErrorKind::not_here)) {
        return unreadable({}, taint.error(), requirement.text);
    }
    const auto release = version_of_file(context.fs(), release_path, "version");
    if (!release) {
        return unreadable({}, release.error(), requirement.text);
    }
    Assessment row;
    row.expected = requirement.text;
    row.next_step = "install amdgpu-dkms, or boot a newer kernel";
    if (taint && taint->find('O') != std::string::npos) {
        row.detail = "the amdgpu driver comes from outside the kernel tree and states no version";
        return row;
    }
    row.have = *release;
    const auto own = judge_own(context.machine, requirement, *release);
    row.outcome = own.outcome;
    row.detail = "the driver of the kernel states no version, so the kernel release was compared" +
                 (own.detail.empty() ? "" : "; " + own.detail);
    if (own.outcome != Outcome::ok && drives_all(context.machine)) {
        row.grade = &driver_grades[own.outcome == Outcome::differs ? 0 : 1];
    }
    return row;
}

Assessment by_version(const Context& context, const VersionRequirement& requirement) {
    const auto own = version_of_file(context.fs(), module + "/version", "version");
    if (own) {
        auto row = judged_version(requirement, *own);
        row.next_step = "install the amdgpu-dkms package of a newer ROCm release";
        return row;
    }
    return own.is(ErrorKind::not_here) ? by_release(context, requirement)
                                       : unreadable({}, own.error(), requirement.text);
}

std::vector<Assessment> assess_driver(const Setting&, const Context& context,
                                      const Expectation& expectation) {
    const VersionRequirement requirement = version_requirement(expectation.value);
    if (context.machine.gpus().empty()) {
        const auto uncertain = context.machine.gpus_uncertain();
        return {uncertain ? unreadable({}, *uncertain, requirement.text)
                          : no_target("no AMD GPU is on PCI")};
    }
    const auto state = context.fs().read(module + "/initstate");
    if (!state && !state.is(ErrorKind::not_here)) {
        return {unreadable({}, state.error(), requirement.text)};
    }
    if (const auto unknown = state ? std::nullopt : lost(context.machine, Source::modules)) {
        return {unreadable({}, *unknown, requirement.text)};
    }
    if (!state && !exists(context.fs(), module)) {
        return {not_loaded(context, requirement)};
    }
    const auto word = state ? trim(*state) : std::string_view("live");  // built in: no initstate
    if (word == "coming" || word == "going") {
        auto row = compared({}, requirement.text, std::string(word));
        row.detail = word == "coming" ? "the amdgpu module is still loading"
                                      : "the amdgpu module is being unloaded";
        row.next_step =
            "sudo dmesg | grep amdgpu; if the driver is still loading, wait and check again";
        return {row};
    }
    if (word != "live") {
        const auto why = "is not a valid module state: " + quoted_value(word);
        return {unreadable({}, garbled(module + "/initstate", why), requirement.text)};
    }
    return {by_version(context, requirement)};
}

}  // namespace

const Setting& gpu_driver() {
    static const Setting setting{
        .info =
            {
                .id = "gpu.driver",
                .summary = "The amdgpu kernel driver: whether it is loaded, and its version",
                .why = "Without a driver that supports the chip, no program can use the GPUs",
                .source = "ROCm/system-acceptance-docs docs/common/prerequisites.md, 2026-07",
                .target = "system",
                .read_from =
                    "/sys/module/amdgpu/{initstate,version,taint}, /proc/sys/kernel/osrelease",
                .set_by = "",
                .next_step = "sudo modprobe amdgpu; sudo dmesg | grep amdgpu",
                .persist =
                    "persistent once installed; the module loads at boot unless it is blacklisted",
                .risk_note = "",
                .over_cluster = OverCluster::equal,
                .forms = {{.kind = FormKind::at_least}},
                .grades = driver_grades,
            },
        .assess = assess_driver,
    };
    return setting;
}

// gpu.driver_origin: the origin of the loaded amdgpu. AMD's package builds it outside of the kernel
// tree: its module has a version and taints the kernel with O. The kernel's own has neither (linux
// kernel/module/main.c taint, version).

namespace {

std::vector<Assessment> assess_driver_origin(const Setting&, const Context& context,
                                             const Expectation& expectation) {
    const std::string folder = "/sys/module/amdgpu";
    const std::string& expected = *expectation.value.text();
    if (!exists(context.fs(), folder)) {
        return {no_target("the amdgpu module is not loaded")};
    }
    const auto taint = context.fs().read(folder + "/taint");
    if (!taint) {
        return {unreadable({}, taint.error(), expected)};
    }
    const auto letters = trim(*taint);
    const bool are_letters =
        letters.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZ") == letters.npos;
    if (letters.size() > 26 || !are_letters) {
        return {
            unreadable({}, garbled(folder + "/taint", "is not a valid list of letters"), expected)};
    }
    const bool outside = letters.find('O') != letters.npos;
    const bool versioned = exists(context.fs(), folder + "/version");
    auto row = compared({}, expected, outside || versioned ? "dkms" : "kernel");
    row.detail = letters.empty() ? "" : "the kernel reports taint flags " + std::string(letters);
    return {row};
}

}  // namespace

const Setting& gpu_driver_origin() {
    static const Setting setting{
        .info =
            {
                .id = "gpu.driver_origin",
                .summary =
                    "Whether the amdgpu driver comes from AMD's package (dkms) or from the kernel",
                .why = "An incomplete update leaves a node with another driver than its peers, so "
                       "jobs across nodes mix driver versions",
                .source = "amd/node-scraper nodescraper/plugins/inband/dkms, 2026-07; linux "
                          "kernel/module/main.c, 6.12",
                .target = "system",
                .read_from = "/sys/module/amdgpu/taint and version",
                .set_by = "",
                .next_step = "dkms status amdgpu; modinfo -n amdgpu; if the update is incomplete, "
                             "install the package again and reboot",
                .persist = "persistent (installed on the node)",
                .risk_note = "",
                .after_reboot = true,
                .over_cluster = OverCluster::equal,
                .forms = {{.kind = FormKind::word, .words = {"dkms", "kernel"}}},
            },
        .assess = assess_driver_origin,
    };
    return setting;
}

// gpu.drm_devices: the number of graphics devices. Beyond 64 some kernels crash or hide GPUs: eight
// MI300X with the devices of their partitions and the BMC's display are 65 (ROCm issue 4589). The
// kernels with the fix are unverified, so the finding has level info.

namespace {

std::vector<Assessment> assess_drm_devices(const Setting&, const Context& context,
                                           const Expectation& expectation) {
    const std::string expected = number(*expectation.value.integer());
    const auto names = context.fs().list("/sys/class/drm");
    if (names.is(ErrorKind::not_here)) {
        return {no_target("this kernel has no DRM devices")};
    }
    if (!names) {
        return {unreadable({}, names.error(), expected)};
    }
    std::int64_t cards = 0;
    for (const auto& name : *names) {
        const bool card = name.starts_with("card") && parse_number(name.substr(4));
        cards += card ? 1 : 0;
    }
    auto row = compared({}, expected, number(cards));
    row.outcome = cards <= *expectation.value.integer() ? Outcome::ok : Outcome::differs;
    return {row};
}

}  // namespace

const Setting& gpu_drm_devices() {
    static const Setting setting{
        .info =
            {
                .id = "gpu.drm_devices",
                .summary = "Number of graphics (DRM) devices of the node",
                .why = "With more than 64 graphics devices, some kernels crash or hide GPUs",
                .source = "github.com/ROCm/ROCm issue 4589, 2025-04",
                .target = "system",
                .read_from = "/sys/class/drm",
                .set_by = "",
                .next_step = "add modprobe.blacklist=ast,mgag200 to the kernel command line, so "
                             "that the BMC's display driver does not load",
                .persist = "",
                .risk_note = "",
                .over_cluster = OverCluster::equal,
                .forms = {{.kind = FormKind::integer, .lowest = 0, .highest = 4096}},
            },
        .assess = assess_drm_devices,
    };
    return setting;
}

// gpu.parameters: options of amdgpu that differ from their defaults. "default": each option has the
// driver's default (profiles/facts/amdgpu.toml); a profile may allow others by name. Some files are
// readable only by root, and an unset text reads "(null)".

namespace {

const std::string parameters_folder = "/sys/module/amdgpu/parameters";

constexpr Grade parameters_grades[] = {
    {"recommended", Level::recommended,
     "The option slows jobs or hides a fault, but breaks no job"},
    {"report", Level::info, "The option is not at its default, but the site may have chosen it"},
};

struct Parameter {
    std::string_view name;
    std::string_view usual;
    const Grade* level = nullptr;  // level of another value; nullptr: not lowered
    std::string_view means;
};

constexpr Parameter parameters[] = {
#include "facts/driver_parameters.inc"
};

// Returns true for the default, or for the text that the kernel writes for an unset value.
bool is_usual(const Parameter& parameter, std::string_view value) {
    const bool unset = value.empty() || value == "(null)";
    return value == parameter.usual || (parameter.usual.empty() && unset);
}

// Returns the row without the folder. A loaded amdgpu always has it (linux kernel/params.c), so it
// is hidden.
Assessment without_folder(const Context& context, Error error) {
    const bool loaded = exists(context.fs(), "/sys/module/amdgpu");
    const auto evidence = loaded ? std::optional<std::string>("the driver amdgpu is loaded")
                                 : driver_evidence(context.machine);
    if (!evidence) {
        return no_target("the amdgpu module is not loaded");
    }
    error.text += ", although " + *evidence;
    return unreadable({}, error, "default");
}

// Returns true if the kernel can have written the text: one line, possibly followed by NULs in a
// recording.
bool is_one_line(std::string_view text) {
    const auto end = text.find('\n');
    return end != text.npos && text.find_first_not_of('\0', end + 1) == text.npos &&
           text.substr(0, end).find('\0') == text.npos;
}

void judge(const Fs& fs, const Parameter& parameter, std::vector<Assessment>& out) {
    const std::string path = parameters_folder + "/" + std::string(parameter.name);
    const Target target{std::string(parameter.name), std::nullopt, ""};
    const auto text = fs.read(path);
    const auto value = text ? trim(*text) : std::string_view();
    if (!text) {
        out.push_back(unreadable(target, text.error(), "default"));
    } else if ((value.empty() && !parameter.usual.empty()) || !is_one_line(*text) ||
               value.size() > 40 || !is_plain(value)) {
        out.push_back(unreadable(target, garbled(path, "the value is not valid"), "default"));
    } else if (!is_usual(parameter, value)) {
        const bool plain = is_kernel_text(value);  // otherwise a text of the user
        auto row =
            compared(target, std::string(parameter.usual), std::string(plain ? value : redacted));
        row.detail = parameter.means;
        row.grade = parameter.level;
        out.push_back(std::move(row));
    }
}

Assessment all_well(std::size_t checked) {
    if (checked == 0) {
        return no_target("the driver exposes none of the relevant options");
    }
    auto row = compared({}, "default", "default");
    row.detail = counted(checked, "option");
    return row;
}

std::vector<Assessment> assess_parameters(const Setting&, const Context& context,
                                          const Expectation& expectation) {
    const auto names = context.fs().list(parameters_folder);
    if (names.is(ErrorKind::not_here)) {
        return {without_folder(context, names.error())};
    }
    if (!names) {
        return {unreadable({}, names.error(), "default")};
    }
    const auto allowed = field_texts(expectation.value, "allowed");
    std::vector<Assessment> out;
    std::size_t checked = 0;
    for (const auto& parameter : parameters) {
        const bool here = std::find(names->begin(), names->end(), parameter.name) != names->end();
        const bool skip =
            std::find(allowed.begin(), allowed.end(), parameter.name) != allowed.end();
        if (here && !skip) {
            ++checked;
            judge(context.fs(), parameter, out);
        }
    }
    if (out.empty()) {
        out.push_back(all_well(checked));
    }
    return out;
}

}  // namespace

const Setting& gpu_parameters() {
    static const Setting setting{
        .info =
            {
                .id = "gpu.parameters",
                .summary = "Options of the amdgpu driver that are not at their defaults",
                .why = "An option left from a test limits links or memory, or hides errors, on "
                       "every GPU",
                .source = "linux drivers/gpu/drm/amd/amdgpu/amdgpu_drv.c, 2018 to 2024",
                .target = "parameter",
                .read_from = "/sys/module/amdgpu/parameters",
                .set_by = "",
                .next_step = "grep -rw amdgpu /etc/modprobe.d /proc/cmdline; if the option was "
                             "left from a test, remove it and reboot",
                .persist =
                    "read when the driver is loaded: /etc/modprobe.d and the kernel command line",
                .risk_note = "",
                .after_reboot = true,
                .over_cluster = OverCluster::equal,
                .forms = {{.kind = FormKind::word, .words = {"default"}},
                          {.kind = FormKind::table,
                           .fields = {{"allowed", {.kind = FormKind::text_list}}}}},
                .grades = parameters_grades,
            },
        .assess = assess_parameters,
    };
    return setting;
}

}  // namespace rocenv
