// SPDX-License-Identifier: MIT
#include "settings/have_codes.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <span>
#include <vector>

#include "util/text.h"

namespace rocenv {

namespace {

// The codes; for one setting the first matching row counts.
constexpr HaveCode codes[] = {
    {"env.", "a secret, not shown", "secret"},
    {"gpu.atomics", "no 32-bit", "no-32-bit"},
    {"gpu.atomics", "no 64-bit", "no-64-bit"},
    {"gpu.count", "fallen off the bus", "fallen"},
    {"gpu.count", "not on PCI", "not-on-pci"},
    {"gpu.count", "no driver", "no-driver"},
    {"gpu.count", "given away to vfio-pci", "vfio"},
    {"gpu.count", "driver *", "driver-*"},
    {"gpu.count", "no KFD node", "no-kfd-node"},
    {"gpu.count", "KFD id 0", "not-set-up"},
    {"gpu.count", "no render node", "no-render-node"},
    {"gpu.unique_id", "the same as *", "same-as-*"},
    {"gpu.xgmi", "not on PCI", "not-on-pci"},
    {"host.nvme", "no disk", "no-disk"},
    {"host.time_sync", "* runs", "runs-*"},
    {"host.time_sync", "nobody", "no-daemon"},
    {"net.link", "no carrier", "no-carrier"},
    {"net.link", "half duplex", "half-duplex"},
    {"pci.aspm", "L0s and L1", "l0s-l1"},
    {"pci.function", "memory off", "memory-off"},
    {"pci.function", "bus master off", "bus-master-off"},
    {"pci.function", "parity error", "parity-error"},
    {"pci.function", "system error", "system-error"},
    {"pci.function", "data parity error", "data-parity-error"},
    {"pci.function", "in power state *", "power-state-*"},
    {"pci.slots", "power fault", "power-fault"},
    {"pci.slots", "something is plugged in, and no function is there", "slot-without-function"},
    {"pci.slots", "the link is up, and no function is there", "link-without-function"},
    {"rdma.count", "fallen off the bus", "fallen"},
    {"rdma.count", "not on PCI", "not-on-pci"},
    {"rdma.count", "no RDMA device", "no-rdma-device"},
    {"rdma.count", "no NIC beside it", "no-nic"},
    {"rdma.count", "a NIC is missing", "nic-missing"},
    {"rdma.count", "a port is missing", "port-missing"},
    {"rdma.count", "a function is missing", "function-missing"},
    {"rdma.gid", "no GID", "no-gid"},
    {"rdma.gid", "no IPv4 address", "no-ipv4"},
    {"rdma.gid", "interface of another NIC", "other-nic"},
    {"rdma.gid", "address of another port", "other-port"},
    {"rdma.gid", "MAC address of another port", "other-mac"},
    {"rdma.gid", "link-local address", "link-local"},
    {"rdma.gpu_direct", "not possible", "not-possible"},
    {"rdma.port", "no port", "no-port"},
    {"rocm.driver_match", "ROCm *", "rocm-*"},
};

struct CodeSentence {
    std::string_view code;  // "*" at its end matches a name
    std::string_view one;
    std::string_view many;
};

constexpr CodeSentence sentences[] = {
    {"fallen", "{} has fallen off the PCIe bus", "{} have fallen off the PCIe bus"},
    {"not-on-pci", "{} is missing on PCI", "{} are missing on PCI"},
    {"driver-*", "{} is bound to the driver *", "{} are bound to the driver *"},
    {"no-driver", "{} has no driver", "{} have no driver"},
    {"no-kfd-node", "KFD has no node of {}", "KFD has no nodes of {}"},
    {"not-set-up", "KFD did not set up {}", "KFD did not set up {}"},
    {"no-render-node", "{} has no render node", "{} have no render nodes"},
    {"vfio", "{} is bound to vfio-pci", "{} are bound to vfio-pci"},
    {"no-rdma-device", "{} has no RDMA device", "{} have no RDMA devices"},
};

static_assert(std::is_sorted(std::begin(codes), std::end(codes),
                             [](const auto& a, const auto& b) { return a.id < b.id; }));

// Returns the rows of a setting. Variables share one row.
std::span<const HaveCode> rows_of(std::string_view id) {
    constexpr std::string_view variables = "env.";
    const std::string_view family = id.starts_with(variables) ? variables : id;
    const auto* const from =
        std::lower_bound(std::begin(codes), std::end(codes), family,
                         [](const HaveCode& row, auto other) { return row.id < other; });
    return {from, std::find_if(from, std::end(codes),
                               [&](const HaveCode& row) { return row.id != family; })};
}

std::string in_kebab_case(std::string_view name) {
    std::string out(name);
    for (char& each : out) {
        const bool upper = each >= 'A' && each <= 'Z';
        const bool plain = (each >= 'a' && each <= 'z') || (each >= '0' && each <= '9');
        each = upper ? static_cast<char>(each - 'A' + 'a') : plain ? each : '-';
    }
    return out;
}

// Returns the code of words that match this row.
std::optional<std::string> code_by(const HaveCode& row, std::string_view words) {
    const auto star = row.have.find('*');
    if (star == row.have.npos) {
        return row.have == words ? std::optional(std::string(row.code)) : std::nullopt;
    }
    const auto before = row.have.substr(0, star);
    const auto after = row.have.substr(star + 1);
    if (words.size() <= before.size() + after.size() || !words.starts_with(before) ||
        !words.ends_with(after)) {
        return std::nullopt;
    }
    words.remove_prefix(before.size());
    words.remove_suffix(after.size());
    std::string out(row.code);
    return out.replace(out.find('*'), 1, in_kebab_case(words));
}

std::string code_of(std::span<const HaveCode> rows, std::string_view words) {
    for (const auto& row : rows) {
        if (auto code = code_by(row, words)) {
            return *std::move(code);
        }
    }
    return "";
}

}  // namespace

std::span<const HaveCode> have_codes() {
    return codes;
}

std::string have_code(std::string_view id, std::string_view have) {
    const auto rows = rows_of(id);
    std::string whole = code_of(rows, have);
    constexpr std::string_view comma = ", ";
    if (rows.empty() || !whole.empty() || have.find(comma) == have.npos) {
        return whole;
    }
    std::string out;
    while (!have.empty()) {
        const auto end = std::min(have.find(comma), have.size());
        const std::string code = code_of(rows, have.substr(0, end));
        if (code.empty()) {
            return "";
        }
        out += (out.empty() ? "" : "+") + code;
        have.remove_prefix(std::min(end + comma.size(), have.size()));
    }
    return out;
}

std::string code_sentence(std::string_view code, bool many) {
    for (const auto& row : sentences) {
        const auto star = row.code.find('*');
        if (star == row.code.npos ? row.code != code
                                  : !code.starts_with(row.code.substr(0, star))) {
            continue;
        }
        std::string out(many ? row.many : row.one);
        if (star != row.code.npos) {
            out.replace(out.find('*'), 1, code.substr(star));
        }
        return out;
    }
    return "";
}

namespace {

constexpr RemedyRow all_remedies[] = {
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
    return all_remedies;
}

Remedy remedy_of_difference(std::string_view id, std::string_view code) {
    const auto found = std::find_if(std::begin(all_remedies), std::end(all_remedies),
                                    [&](const auto& row) { return is_row_of(row, id, code); });
    return found == std::end(all_remedies) ? Remedy() : found->remedy;
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
