// SPDX-License-Identifier: MIT
// The amdgpu driver: gpu.driver and gpu.driver_origin.

#include <algorithm>
#include <set>

#include "machine/gpu/gpu_models.h"
#include "machine/sources.h"
#include "os/redact/redact_words.h"
#include "rocenv/setting.h"
#include "settings/shapes/wishes.h"
#include "util/text.h"

namespace rocenv {

// gpu.driver: the amdgpu kernel module, loaded and new enough. AMD's own module (amdgpu-dkms)
// states a version, numbered after the upstream kernel it was taken from. The kernel's own module
// states none and is not tainted: the kernel's release stands for it, as wanted or since the model
// of each GPU is known to it. A vendor's kernel may carry a newer driver than its release says: one
// that drives every GPU is at least no stranger to them, which lowers what is said of its age.

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

// What the kernel's release says of its own driver.
struct OwnDriver {
    Outcome outcome = Outcome::ok;
    std::string detail;
};

// Of one model. A wish for more than to know the model is a person's, and goes by the number.
OwnDriver judge_own(const GpuModel* model, const VersionWish& wish, std::string_view release) {
    if (model == nullptr || model->first_driver.empty()) {
        return {Outcome::unknown, "no source states which driver first supported this GPU"};
    }
    const std::string name(model->name);
    const bool to_know_it =
        wish.minimum && compare_versions(wish.version, model->first_driver).value_or(1) <= 0;
    if (!to_know_it) {
        return {Outcome::differs, "the kernel release is older than expected"};
    }
    if (model->first_kernel.empty()) {
        return {Outcome::unknown, "no source states which Linux release first supported " + name};
    }
    const bool knows = compare_versions(release, model->first_kernel).value_or(-1) >= 0;
    return {knows ? Outcome::ok : Outcome::differs,
            name + " is supported since Linux " + std::string(model->first_kernel)};
}

// Of all models; the worst counts.
OwnDriver judge_own(const Machine& machine, const VersionWish& wish, std::string_view release) {
    OwnDriver worst;
    if (wish.accepts(release)) {
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
        auto found = judge_own(model, wish, release);
        if (worst.detail.empty() || found.outcome > worst.outcome) {
            worst = std::move(found);
        }
    }
    return worst;
}

// Every GPU for compute is bound to it, and KFD counts it.
bool drives_all(const Machine& machine) {
    const auto& gpus = machine.gpus();
    return !machine.gpus_uncertain() && std::all_of(gpus.begin(), gpus.end(), [](const Gpu& gpu) {
        return !gpu.accelerator || (gpu.driver == "amdgpu" && !gpu.agents.empty());
    });
}

Assessment not_loaded(const Context& context, const VersionWish& wish) {
    Assessment row;
    row.outcome = Outcome::differs;
    row.want = wish.text;
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

// No version is stated: the kernel's own driver, unless it taints the kernel as one from
// outside (linux kernel/module/main.c taint).
Assessment by_release(const Context& context, const VersionWish& wish) {
    const auto taint = context.fs().read(module + "/taint");
    if (!taint && !taint.is(ErrorKind::not_here)) {
        return unreadable({}, taint.error(), wish.text);
    }
    const auto release = version_of_file(context.fs(), release_path, "version");
    if (!release) {
        return unreadable({}, release.error(), wish.text);
    }
    Assessment row;
    row.want = wish.text;
    row.next_step = "install amdgpu-dkms, or boot a newer kernel";
    if (taint && taint->find('O') != std::string::npos) {
        row.detail = "the amdgpu driver comes from outside the kernel tree and states no version";
        return row;
    }
    row.have = *release;
    const auto own = judge_own(context.machine, wish, *release);
    row.outcome = own.outcome;
    row.detail = "the driver of the kernel states no version, so the kernel release was compared" +
                 (own.detail.empty() ? "" : "; " + own.detail);
    if (own.outcome != Outcome::ok && drives_all(context.machine)) {
        row.grade = &driver_grades[own.outcome == Outcome::differs ? 0 : 1];
    }
    return row;
}

Assessment by_version(const Context& context, const VersionWish& wish) {
    const auto own = version_of_file(context.fs(), module + "/version", "version");
    if (own) {
        auto row = judged_version(wish, *own);
        row.next_step = "install the amdgpu-dkms package of a newer ROCm release";
        return row;
    }
    return own.is(ErrorKind::not_here) ? by_release(context, wish)
                                       : unreadable({}, own.error(), wish.text);
}

std::vector<Assessment> assess_driver(const Setting&, const Context& context, const Want& want) {
    const VersionWish wish = version_wish(want.value);
    if (context.machine.gpus().empty()) {
        const auto uncertain = context.machine.gpus_uncertain();
        return {uncertain ? unreadable({}, *uncertain, wish.text)
                          : no_target("no AMD GPU is on PCI")};
    }
    const auto state = context.fs().read(module + "/initstate");
    if (!state && !state.is(ErrorKind::not_here)) {
        return {unreadable({}, state.error(), wish.text)};
    }
    if (const auto unknown = state ? std::nullopt : lost(context.machine, Source::modules)) {
        return {unreadable({}, *unknown, wish.text)};
    }
    if (!state && !exists(context.fs(), module)) {
        return {not_loaded(context, wish)};
    }
    const auto word = state ? trim(*state) : std::string_view("live");  // built in: no initstate
    if (word == "coming" || word == "going") {
        auto row = compared({}, wish.text, std::string(word));
        row.detail = word == "coming" ? "the amdgpu module is still loading"
                                      : "the amdgpu module is being unloaded";
        row.next_step =
            "sudo dmesg | grep amdgpu; if the driver is still loading, wait and check again";
        return {row};
    }
    if (word != "live") {
        const auto why = "is not a valid module state: " + quoted_value(word);
        return {unreadable({}, garbled(module + "/initstate", why), wish.text)};
    }
    return {by_version(context, wish)};
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

// gpu.driver_origin: whose amdgpu is loaded. AMD's own package builds it outside of the kernel's
// tree: its module has a version and taints the kernel with O; the kernel's own has neither (linux
// kernel/module/main.c taint, version).

namespace {

std::vector<Assessment> assess_driver_origin(const Setting&, const Context& context,
                                             const Want& want) {
    const std::string folder = "/sys/module/amdgpu";
    const std::string& wanted = *want.value.text();
    if (!exists(context.fs(), folder)) {
        return {no_target("the amdgpu module is not loaded")};
    }
    const auto taint = context.fs().read(folder + "/taint");
    if (!taint) {
        return {unreadable({}, taint.error(), wanted)};
    }
    const auto letters = trim(*taint);
    const bool are_letters =
        letters.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZ") == letters.npos;
    if (letters.size() > 26 || !are_letters) {
        return {
            unreadable({}, garbled(folder + "/taint", "is not a valid list of letters"), wanted)};
    }
    const bool outside = letters.find('O') != letters.npos;
    const bool versioned = exists(context.fs(), folder + "/version");
    auto row = compared({}, wanted, outside || versioned ? "dkms" : "kernel");
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

}  // namespace rocenv
