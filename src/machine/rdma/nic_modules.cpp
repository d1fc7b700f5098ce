// SPDX-License-Identifier: MIT
#include "machine/rdma/nic_modules.h"

#include <algorithm>
#include <iterator>

namespace rocenv {

namespace {

// What makes the RDMA devices of a NIC: its driver, and where that is another module, that one.
struct NicModules {
    std::uint32_t vendor;
    const char* driver;
    const char* rdma;
};
constexpr NicModules nic_modules[] = {
#include "facts/nic_modules.inc"
};

}  // namespace

std::string step_without_device(const Machine& machine, const std::string& bdf,
                                const std::string& driver) {
    const auto function = machine.function(bdf);
    const auto* const found =
        std::find_if(std::begin(nic_modules), std::end(nic_modules),
                     [&](const NicModules& each) { return each.vendor == function.vendor; });
    if (found == std::end(nic_modules)) {
        return "";
    }
    const std::string module = driver.empty() ? found->driver : found->rdma;
    if (exists(machine.fs(), "/sys/module/" + module)) {
        return std::string("sudo dmesg | grep -e ") + found->driver + " -e " + bdf +
               "; if the log shows an error, reload the driver or reseat the NIC";
    }
    return "sudo modprobe " + module + "; sudo dmesg | grep -e " + found->driver + " -e " + bdf;
}

Result<std::vector<std::string>> loaded_modules(const Fs& fs) {
    return fs.list("/sys/module");
}

}  // namespace rocenv
