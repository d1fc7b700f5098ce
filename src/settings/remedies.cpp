// SPDX-License-Identifier: MIT
#include "settings/remedies.h"

#include <algorithm>

namespace rocenv {

namespace {

constexpr RemedyRow rows[] = {
    {"access.", "", {Action::user, Jobs::will_fail}},
    {"cpu.clocksource", "", {Action::reboot, Jobs::degraded}},
    {"cpu.cores", "", {Action::vendor, Jobs::degraded}},
    {"cpu.machine_checks", "", {Action::vendor, Jobs::degraded}},
    {"cpu.microcode", "", {Action::reboot, Jobs::safe}},
    {"cpu.nodes_per_socket", "", {Action::reboot, Jobs::degraded}},
    {"cpu.smt", "", {Action::reboot, Jobs::degraded}},
    {"cpu.sockets", "", {Action::vendor, Jobs::degraded}},
    {"cpu.", "", {Action::user, Jobs::degraded}},
    {"env.", "", {Action::job_restart, Jobs::degraded}},
    {"gpu.atomics", "", {Action::reboot, Jobs::degraded}},
    {"gpu.bad_pages", "", {Action::vendor, Jobs::degraded}},
    {"gpu.compute_partition", "", {Action::user, Jobs::degraded}},
    {"gpu.compute_units", "", {Action::vendor, Jobs::degraded}},
    {"gpu.count", "fallen", {Action::reboot, Jobs::will_fail}},
    {"gpu.count", "driver-*", {Action::user, Jobs::will_fail}},
    {"gpu.count", "no-driver", {Action::driver_reload, Jobs::will_fail}},
    {"gpu.count", "no-kfd-node", {Action::driver_reload, Jobs::will_fail}},
    {"gpu.count", "no-render-node", {Action::driver_reload, Jobs::will_fail}},
    {"gpu.count", "not-set-up", {Action::driver_reload, Jobs::will_fail}},
    {"gpu.count", "vfio", {Action::user, Jobs::will_fail}},
    {"gpu.count", "", {Action::reseat, Jobs::will_fail}},
    {"gpu.driver", "", {Action::driver_reload, Jobs::will_fail}},
    {"gpu.driver_origin", "", {Action::user, Jobs::safe}},
    {"gpu.drm_devices", "", {Action::reboot, Jobs::degraded}},
    {"gpu.firmware", "", {Action::driver_reload, Jobs::degraded}},
    {"gpu.memory_partition", "", {Action::driver_reload, Jobs::degraded}},
    {"gpu.numa", "", {Action::reboot, Jobs::degraded}},
    {"gpu.parameters", "", {Action::driver_reload, Jobs::degraded}},
    {"gpu.ras", "", {Action::driver_reload, Jobs::degraded}},
    {"gpu.ras_events", "", {Action::gpu_reset, Jobs::degraded}},
    {"gpu.unique_id", "", {Action::vendor, Jobs::degraded}},
    {"gpu.vbios", "", {Action::vendor, Jobs::degraded}},
    {"gpu.visible", "", {Action::job_restart, Jobs::will_fail}},
    {"gpu.vram", "", {Action::vendor, Jobs::degraded}},
    {"gpu.xgmi", "", {Action::gpu_reset, Jobs::degraded}},
    {"gpu.xgmi_links", "", {Action::gpu_reset, Jobs::degraded}},
    {"gpu.", "", {Action::user, Jobs::degraded}},
    {"host.bios", "", {Action::reboot, Jobs::degraded}},
    {"host.nvme", "", {Action::reseat, Jobs::degraded}},
    {"host.product", "", {Action::user, Jobs::safe}},
    {"host.", "", {Action::user, Jobs::degraded}},
    {"kernel.cmdline", "", {Action::reboot, Jobs::degraded}},
    {"kernel.health", "", {Action::reboot, Jobs::degraded}},
    {"kernel.iommu", "", {Action::reboot, Jobs::degraded}},
    {"kernel.lockdown", "", {Action::reboot, Jobs::safe}},
    {"kernel.version", "", {Action::reboot, Jobs::degraded}},
    {"kernel.", "", {Action::user, Jobs::degraded}},
    {"limits.", "", {Action::job_restart, Jobs::degraded}},
    {"memory.corrupted", "", {Action::reboot, Jobs::degraded}},
    {"memory.errors", "", {Action::vendor, Jobs::degraded}},
    {"memory.hugepages", "", {Action::user, Jobs::degraded}},
    {"memory.swap", "", {Action::user, Jobs::degraded}},
    {"memory.ttm_pages", "", {Action::driver_reload, Jobs::degraded}},
    {"memory.", "", {Action::reseat, Jobs::degraded}},
    {"net.flaps", "", {Action::reseat, Jobs::degraded}},
    {"net.link", "", {Action::reseat, Jobs::degraded}},
    {"net.", "", {Action::user, Jobs::degraded}},
    {"os.release", "", {Action::user, Jobs::safe}},
    {"pci.aer", "", {Action::reboot, Jobs::safe}},
    {"pci.acs", "", {Action::user, Jobs::degraded}},
    {"pci.aer_status", "", {Action::reseat, Jobs::degraded}},
    {"pci.device_status", "", {Action::reseat, Jobs::degraded}},
    {"pci.dpc", "", {Action::reboot, Jobs::will_fail}},
    {"pci.function", "", {Action::reboot, Jobs::will_fail}},
    {"pci.lane_errors", "", {Action::reseat, Jobs::degraded}},
    {"pci.link", "", {Action::reseat, Jobs::degraded}},
    {"pci.max_read_request", "", {Action::user, Jobs::degraded}},
    {"pci.slots", "", {Action::reseat, Jobs::degraded}},
    {"pci.symmetry", "", {Action::user, Jobs::safe}},
    {"pci.", "", {Action::reboot, Jobs::degraded}},
    {"profile.", "", {Action::user, Jobs::degraded}},
    {"rdma.count", "fallen", {Action::reboot, Jobs::will_fail}},
    {"rdma.count", "no-rdma-device", {Action::driver_reload, Jobs::will_fail}},
    {"rdma.count", "", {Action::reseat, Jobs::will_fail}},
    {"rdma.errors", "", {Action::reseat, Jobs::degraded}},
    {"rdma.gpu_direct", "", {Action::driver_reload, Jobs::degraded}},
    {"rdma.port", "", {Action::reseat, Jobs::will_fail}},
    {"rdma.rate", "", {Action::reseat, Jobs::degraded}},
    {"rdma.", "", {Action::user, Jobs::degraded}},
    {"rocm.arch", "", {Action::user, Jobs::degraded}},
    {"rocm.", "", {Action::user, Jobs::degraded}},
    {"tunable.", "", {Action::job_restart, Jobs::degraded}},
};

bool is_row_of(const RemedyRow& row, std::string_view id, std::string_view code) {
    const bool fits = row.id.ends_with('.') ? id.starts_with(row.id) : id == row.id;
    const auto star = row.code.find('*');
    return fits && (row.code.empty() || row.code == code ||
                    (star != row.code.npos && code.starts_with(row.code.substr(0, star))));
}

}  // namespace

std::span<const RemedyRow> remedy_rows() {
    return rows;
}

Remedy remedy_of_difference(std::string_view id, std::string_view code) {
    const auto found = std::find_if(std::begin(rows), std::end(rows),
                                    [&](const auto& row) { return is_row_of(row, id, code); });
    return found == std::end(rows) ? Remedy() : found->remedy;
}

Remedy remedy_of_unknown(Reason reason) {
    switch (reason) {
        case Reason::asleep:
            return {Action::none, Jobs::safe};
        case Reason::timeout:
            return {Action::reboot, Jobs::degraded};
        case Reason::permission:
            return {Action::user, Jobs::safe};
        case Reason::garbled:
        case Reason::hidden:
        case Reason::error:
            break;
    }
    return {Action::user, Jobs::degraded};
}

}  // namespace rocenv
