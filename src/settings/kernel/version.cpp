// SPDX-License-Identifier: MIT
// kernel.version: the release of the running kernel. Its leading numbers are compared: what a
// distribution took over from later kernels does not show in them. Of a list ("6.8.0-45",
// ">=6.11") any will do.
#include <algorithm>

#include "rocenv/setting.h"
#include "settings/shapes/version_wish.h"
#include "util/text.h"

namespace rocenv {

namespace {

// One, or those of a list, of which any will do.
std::vector<VersionWish> wishes_of(const Value& value) {
    std::vector<VersionWish> out;
    if (value.list() == nullptr) {
        out.push_back(version_wish(value));
        return out;
    }
    for (const auto& each : *value.list()) {
        out.push_back(version_wish(each));
    }
    return out;
}

std::string told(const std::vector<VersionWish>& wishes) {
    std::vector<std::string> out;
    out.reserve(wishes.size());
    for (const auto& wish : wishes) {
        out.push_back(wish.text);
    }
    return join(out, ", ");
}

std::vector<Assessment> assess_version(const Setting&, const Context& context, const Want& want) {
    constexpr std::size_t longest = 64;  // linux include/uapi/linux/utsname.h __NEW_UTS_LEN
    const auto wishes = wishes_of(want.value);
    const auto release =
        version_of_file(context.fs(), "/proc/sys/kernel/osrelease", "release", longest);
    if (!release) {
        return {unreadable({}, release.error(), told(wishes))};
    }
    auto row = compared({}, told(wishes), *release);
    const bool any = std::any_of(wishes.begin(), wishes.end(),
                                 [&](const VersionWish& wish) { return wish.accepts(*release); });
    row.outcome = any ? Outcome::ok : Outcome::differs;
    return {row};
}

}  // namespace

const Setting& kernel_version() {
    static const Setting setting{
        .info =
            {
                .id = "kernel.version",
                .summary = "The release of the running kernel",
                .why = "Drivers are released for certain kernels, and AMD stops an acceptance at "
                       "others",
                .source = "ROCm/system-acceptance-docs docs/common/health-checks.md, 2026-07",
                .target = "system",
                .read_from = "/proc/sys/kernel/osrelease",
                .set_by = "",
                .next_step = "install the kernel that is wanted, then reboot into it; uname -r",
                .persist = "is persistent: the boot loader's choice",
                .risk_note = "",
                .after_reboot = true,
                .over_cluster = OverCluster::equal,
                .forms = {{.kind = FormKind::at_least}, {.kind = FormKind::text_list, .lowest = 1}},
            },
        .assess = assess_version,
    };
    return setting;
}

}  // namespace rocenv
