// SPDX-License-Identifier: MIT
// gpu.vfs: virtual functions that SR-IOV has split off each GPU (linux drivers/pci/iov.c
// sriov_numvfs_show).
#include "machine/host/number_files.h"
#include "settings/shapes/devices.h"
#include "util/text.h"

namespace rocenv {

namespace {

Result<std::string> read_functions(const Context& context, const Gpu& gpu) {
    return read_number(context.fs(), pci_path(gpu.bdf, "/sriov_numvfs"));
}

}  // namespace

const Setting& gpu_vfs() {
    static const GpuValue value{.read = read_functions,
                                .rules = {.absent = "this GPU cannot be split (no SR-IOV)"}};
    static const auto setting = gpu_value_setting(
        {
            .id = "gpu.vfs",
            .summary = "How many virtual functions each GPU is split into",
            .why = "Virtual functions take memory and queues from whoever uses the whole GPU",
            .source = "amd/node-scraper nodescraper/plugins/inband/pcie, 2026-07; linux "
                      "drivers/pci/iov.c, 6.12",
            .target = "physical GPU",
            .read_from = "sriov_numvfs of the GPU's PCI function",
            .set_by = "",
            .next_step =
                "with no guest there: echo 0 | sudo tee /sys/bus/pci/devices/BDF/sriov_numvfs",
            .persist = "lost at reboot and driver reload",
            .risk_note = "",
            .over_cluster = OverCluster::equal,
            .forms = {{.kind = FormKind::integer, .lowest = 0, .highest = 64},
                      {.kind = FormKind::word, .words = {"equal"}}},
        },
        value);
    return setting;
}

}  // namespace rocenv
