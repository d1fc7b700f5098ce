// SPDX-License-Identifier: MIT
// rocm.version: the installed ROCm, as the .info/version file below ROCM_PATH or /opt/rocm states
// it. A node need not have one: programs in containers bring their own.
#include "rocenv/setting.h"
#include "settings/version_wish.h"

namespace rocenv {

namespace {

class RocmVersion final : public Setting {
   public:
    const Info& info() const override {
        static const Info data{
            .id = "rocm.version",
            .summary = "The version of the installed ROCm",
            .why = "Each GPU needs a ROCm that knows it, and defaults change with the version",
            .source = "ROCm/system-acceptance-docs docs/gpus/mi325x.md, 2026-07",
            .target = "system",
            .read_from = ".info/version below $ROCM_PATH or /opt/rocm",
            .set_by = "",
            .next_step = "ls -d /opt/rocm*; install the release, or point ROCM_PATH at it",
            .persist = "is persistent: installed",
            .risk_note = "programs built for another release may not start",
            .over_cluster = OverCluster::equal,
            .forms = {{.kind = FormKind::at_least}},
        };
        return data;
    }

    std::vector<Assessment> assess(const Context& context, const Want& want) const override {
        const VersionWish wish = version_wish(want.value);
        const auto version = context.machine.rocm_version(context.process.variable("ROCM_PATH"));
        if (version.is(ErrorKind::not_here)) {
            return {no_target(version.error().text)};
        }
        if (!version) {
            return {unreadable({}, version.error(), wish.text)};
        }
        auto row = compared({}, wish.text, *version);
        row.outcome = wish.accepts(*version) ? Outcome::ok : Outcome::differs;
        return {row};
    }
};

}  // namespace

const Setting& rocm_version() {
    static const RocmVersion setting;
    return setting;
}

}  // namespace rocenv
