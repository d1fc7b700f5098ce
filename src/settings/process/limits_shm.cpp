// SPDX-License-Identifier: MIT
// limits.shm: how large /dev/shm is. A container engine's default of 64 MiB is always too small.
#include "settings/shapes/limits.h"

namespace rocenv {

namespace {

Limit limit_of_shm(const Context& context) {
    const auto bytes = context.fs().capacity("/dev/shm");
    return bytes ? Limit(*bytes) : bytes.error();
}

}  // namespace

const Setting& limits_shm() {
    static const LimitSetting setting({
        .id = "limits.shm",
        .summary = "Bytes of /dev/shm",
        .why = "RCCL and data loaders exchange buffers there; when it is full they die with "
               "SIGBUS",
        .source = "ROCm PyTorch installation guide (rocm.docs.amd.com, 2024-09); statvfs(3)",
        .read_from = "statvfs of /dev/shm",
        .next_step = "start the container with --shm-size or --ipc=host",
        .persist = "size= of /dev/shm in /etc/fstab, --shm-size of the container",
        .read = limit_of_shm,
        .what = "/dev/shm",
        .without = "there is no /dev/shm",
    });
    return setting;
}

}  // namespace rocenv
