// SPDX-License-Identifier: MIT
// kernel.version: the release of the running kernel. Its leading numbers are compared: what a
// distribution took over from later kernels does not show in them.
#include "rocenv/setting.h"
#include "settings/version_wish.h"
#include "util/text.h"

namespace rocenv {

namespace {

class KernelVersion final : public Setting {
   public:
    const Info& info() const override {
        static const Info data{
            .id = "kernel.version",
            .summary = "The release of the running kernel",
            .why =
                "Drivers are released for certain kernels, and AMD stops an acceptance at others",
            .source = "ROCm/system-acceptance-docs docs/common/health-checks.md, 2026-07",
            .target = "system",
            .read_from = "/proc/sys/kernel/osrelease",
            .set_by = "",
            .next_step = "install the kernel that is wanted, then reboot into it; uname -r",
            .persist = "is persistent: the boot loader's choice",
            .risk_note = "",
            .after_reboot = true,
            .over_cluster = OverCluster::equal,
            .forms = {{.kind = FormKind::at_least}},
        };
        return data;
    }

    std::vector<Assessment> assess(const Context& context, const Want& want) const override {
        constexpr std::size_t longest = 64;  // linux include/uapi/linux/utsname.h __NEW_UTS_LEN
        const VersionWish wish = version_wish(want.value);
        const auto release =
            version_of_file(context.fs(), "/proc/sys/kernel/osrelease", "release", longest);
        return {release ? judged_version(wish, *release)
                        : unreadable({}, release.error(), wish.text)};
    }
};

}  // namespace

const Setting& kernel_version() {
    static const KernelVersion setting;
    return setting;
}

}  // namespace rocenv
