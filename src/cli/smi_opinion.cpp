// SPDX-License-Identifier: MIT
#include "cli/smi_opinion.h"

#include "cli/commands.h"
#include "rocenv/machine.h"
#include "util/text.h"

namespace rocenv {

SmiOpinion::SmiOpinion(const CheckOptions& options) : who_(word_of(options.gpu_backend)) {
    if (options.gpu_backend == GpuOpinion::sysfs || options.print.quiet) {
        return;
    }
    if (options.machine.sysroot) {
        why_none_ = {who_ + ": the library looks at this machine only, it was not asked"};
        return;
    }
    const double seconds = options.machine.patience.probe_seconds;
    auto devices =
        options.gpu_backend == GpuOpinion::amdsmi ? amdsmi_devices(seconds) : smi_devices(seconds);
    if (devices) {
        devices_ = std::move(devices).value();
    } else {
        why_none_ = {who_ + ": " + devices.error().text};
    }
}

std::string SmiOpinion::lines(const Fs& machine) const {
    auto out = why_none_;
    for (const auto& device : devices_) {
        const auto ours = machine.read(pci_path(device.bdf, "/power_dpm_force_performance_level"));
        if (!ours.is(ErrorKind::not_here)) {
            out.push_back(who_ + " " + device.bdf + ": level " + device.level + " (sysfs: " +
                          (ours ? printable(trim(*ours), 40) : ours.error().text) + ")");
        }
    }
    return error_lines(out);
}

}  // namespace rocenv
