// SPDX-License-Identifier: MIT
// limits.shm: how large /dev/shm is. A container engine's default of 64 MiB is always too small.
#include "settings/limits.h"

namespace rocenv {

namespace {

class Shm final : public Setting {
   public:
    const Info& info() const override {
        static const Info data{
            .id = "limits.shm",
            .summary = "Bytes of /dev/shm",
            .why =
                "RCCL and data loaders exchange buffers there; when it is full they die with "
                "SIGBUS",
            .source = "ROCm PyTorch installation guide (rocm.docs.amd.com, 2024-09); statvfs(3)",
            .target = "process",
            .read_from = "statvfs of /dev/shm",
            .set_by = "",
            .next_step = "start the container with --shm-size or --ipc=host",
            .persist = "size= of /dev/shm in /etc/fstab, --shm-size of the container",
            .risk_note = "",
            .scope = Scope::process,
            .over_cluster = OverCluster::own,
            .forms = {{.kind = FormKind::size_limit}},
        };
        return data;
    }

    std::vector<Assessment> assess(const Context& context, const Want& want) const override {
        if (auto other = not_this_process(context)) {
            return {*std::move(other)};
        }
        const auto bytes = context.fs().capacity("/dev/shm");
        if (!bytes && !bytes.is(ErrorKind::not_here)) {
            return {unreadable({"process", std::nullopt, ""}, bytes.error())};
        }
        if (!bytes) {
            auto row = assess_limit(0, want.value, "/dev/shm");
            row.detail = "there is no /dev/shm";
            return {row};
        }
        return {assess_limit(*bytes, want.value, "/dev/shm")};
    }
};

}  // namespace

const Setting& limits_shm() {
    static const Shm setting;
    return setting;
}

}  // namespace rocenv
