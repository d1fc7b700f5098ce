// SPDX-License-Identifier: MIT
// gpu.driver: the amdgpu kernel module, loaded and new enough. AMD's own module (amdgpu-dkms)
// states a version, numbered after the upstream kernel it was taken from; the kernel's own module
// states none, and there the kernel's release stands for it. A vendor kernel older than the wish
// may carry a newer driver, so that is unknown, not wrong.
#include <algorithm>

#include "rocenv/setting.h"
#include "settings/version_wish.h"
#include "util/text.h"

namespace rocenv {

namespace {

const std::string module = "/sys/module/amdgpu";

class Driver final : public Setting {
   public:
    const Info& info() const override {
        static const Info data{
            .id = "gpu.driver",
            .summary = "The amdgpu kernel driver: loaded, and its version",
            .why = "Without a driver that knows the chip no program can use the GPUs",
            .source = "ROCm/system-acceptance-docs docs/common/prerequisites.md, 2026-07",
            .target = "system",
            .read_from = "/sys/module/amdgpu/{initstate,version}, /proc/sys/kernel/osrelease",
            .set_by = "",
            .next_step = "sudo modprobe amdgpu; if that fails: dmesg | grep amdgpu",
            .persist = "is persistent: installed and loaded at boot unless blacklisted",
            .risk_note = "",
            .over_cluster = OverCluster::equal,
            .forms = {{.kind = FormKind::at_least}},
        };
        return data;
    }

    std::vector<Assessment> assess(const Context& context, const Want& want) const override {
        const VersionWish wish = version_wish(want.value);
        if (context.machine.gpus().empty()) {
            const auto uncertain = context.machine.gpus_uncertain();
            return {uncertain ? unreadable({}, *uncertain, wish.text)
                              : no_target("no AMD GPU on PCI")};
        }
        const auto state = context.fs().read(module + "/initstate");
        if (!state && !state.is(ErrorKind::not_here)) {
            return {unreadable({}, state.error(), wish.text)};
        }
        if (!state && !exists(context.fs(), module)) {
            return {not_loaded(context, wish)};
        }
        const auto word =
            state ? trim(*state) : std::string_view("live");  // built in: no initstate
        if (word == "coming" || word == "going") {
            auto row = compared({}, wish.text, std::string(word));
            row.detail = word == "coming" ? "the module is still loading" : "the module is going";
            row.next_step = "wait, then ask again; sudo dmesg | grep amdgpu says why it takes long";
            return {row};
        }
        if (word != "live") {
            const auto why = "is no module state: \"" + printable(word, 40) + "\"";
            return {unreadable({}, garbled(module + "/initstate", why), wish.text)};
        }
        return {by_version(context, wish)};
    }

   private:
    static Assessment not_loaded(const Context& context, const VersionWish& wish) {
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
                row.detail += "; " + argument.name + "=amdgpu keeps it from loading at boot";
            }
        }
        return row;
    }

    static Assessment by_version(const Context& context, const VersionWish& wish) {
        const std::string own_path = module + "/version";
        const std::string kernel_path = "/proc/sys/kernel/osrelease";
        const auto own = context.fs().read(own_path);
        if (!own && !own.is(ErrorKind::not_here)) {
            return unreadable({}, own.error(), wish.text);
        }
        const auto text = own ? own : context.fs().read(kernel_path);
        if (!text) {
            return unreadable({}, text.error(), wish.text);
        }
        const auto version = trim(*text);
        if (!compare_versions(version, "0") || !is_plain(version)) {
            const auto why = "is no version: \"" + printable(version, 40) + "\"";
            return unreadable({}, garbled(own ? own_path : kernel_path, why), wish.text);
        }
        Assessment row;
        row.want = wish.text;
        row.have = std::string(version);
        const bool good = wish.accepts(version);
        row.outcome = good ? Outcome::ok : own ? Outcome::differs : Outcome::unknown;
        if (!own) {
            row.detail =
                "the kernel's own driver states no version; the kernel's release stands "
                "for it";
        }
        if (row.outcome == Outcome::unknown) {
            row.detail += ", and vendor kernels carry newer drivers";
            row.next_step = "install amdgpu-dkms, or state the release you trust with --want";
        } else if (row.outcome == Outcome::differs) {
            row.next_step = "install the amdgpu-dkms of a newer ROCm";
        }
        return row;
    }
};

}  // namespace

const Setting& gpu_driver() {
    static const Driver setting;
    return setting;
}

}  // namespace rocenv
