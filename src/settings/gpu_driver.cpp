// SPDX-License-Identifier: MIT
// gpu.driver: the amdgpu kernel module, loaded and new enough. AMD's own module (amdgpu-dkms)
// states a version, numbered after the upstream kernel it was taken from; the kernel's own module
// states none, and there the kernel's release stands for it. A vendor kernel older than the wish
// may carry a newer driver, so that is unknown, not wrong.
#include "settings/settings.h"
#include "util/text.h"

namespace rocenv {

namespace {

const std::string module = "/sys/module/amdgpu";

std::string least(const Value& value) {
    return value.integer() != nullptr ? number(*value.integer())
                                      : std::string(trim(value.text()->substr(2)));
}

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
            .forms = {{.kind = FormKind::at_least}},
        };
        return data;
    }

    std::vector<Assessment> assess(const Context& context, const Want& want) const override {
        const std::string wanted = ">=" + least(want.value);
        if (context.machine.gpus().empty()) {
            return {no_target("no AMD GPU on PCI")};
        }
        const auto state = context.fs().read(module + "/initstate");
        if (!state && !state.is(ErrorKind::not_here)) {
            return {unreadable({}, state.error())};
        }
        if (!state && !exists(context.fs(), module)) {
            return {not_loaded(context, wanted)};
        }
        const auto word =
            state ? trim(*state) : std::string_view("live");  // built in: no initstate
        if (word != "live") {
            auto row = compared({}, wanted, printable(word, 40));
            row.detail = "the module is not up: " + printable(word, 40);
            return {row};
        }
        return {by_version(context, wanted)};
    }

   private:
    static Assessment not_loaded(const Context& context, const std::string& wanted) {
        Assessment row;
        row.outcome = Outcome::differs;
        row.want = wanted;
        row.detail = "the amdgpu module is not loaded";
        const auto arguments = context.machine.kernel_arguments();
        if (arguments) {
            for (const auto& argument : *arguments) {
                if (argument.name == "modprobe.blacklist" &&
                    argument.value.find("amdgpu") != std::string::npos) {
                    row.detail += "; modprobe.blacklist=amdgpu keeps it from loading at boot";
                }
            }
        }
        return row;
    }

    static Assessment by_version(const Context& context, const std::string& wanted) {
        const auto own = context.fs().read(module + "/version");
        if (!own && !own.is(ErrorKind::not_here)) {
            return unreadable({}, own.error());
        }
        const auto release = own ? own : context.fs().read("/proc/sys/kernel/osrelease");
        if (!release) {
            return unreadable({}, release.error());
        }
        const auto version = trim(*release);
        const auto order = compare_versions(version, wanted.substr(2));
        if (!order || !is_plain(version)) {
            return unreadable({}, garbled(module + "/version",
                                          "is no version: \"" + printable(version, 40) + "\""));
        }
        Assessment row;
        row.want = wanted;
        row.have = std::string(version);
        row.outcome = *order >= 0 ? Outcome::ok : own ? Outcome::differs : Outcome::unknown;
        if (!own) {
            row.detail = "the kernel's own driver; its version is the kernel's release";
        }
        if (row.outcome == Outcome::unknown) {
            row.detail =
                "the kernel's own driver states no version, and vendor kernels backport it";
            row.next_step = "install amdgpu-dkms, or state the release you trust with --want";
        } else if (row.outcome == Outcome::differs) {
            row.next_step = "install a newer amdgpu-dkms (it comes with ROCm)";
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
