// SPDX-License-Identifier: MIT
#include "machine/sources.h"

#include "util/text.h"

namespace rocenv {

namespace {

constexpr std::string_view driver_folder = "/sys/bus/pci/drivers/amdgpu";
constexpr std::string_view drm_folder = "/sys/class/drm";
constexpr std::size_t most_cards = 256;  // limit of cards whose driver is read

constexpr auto whole = Trust::whole;
constexpr auto unknown = Trust::unknown;

// One row: a source in a state, without and with evidence. Every kernel with PCI has its list, even
// if empty, so a missing one is hidden. A kernel may be built without the other lists, which is not
// a fault. cpufreq is empty without a driver, and then no CPU has a folder for it.
struct StateRow {
    Source source;
    SourceState state;
    Trust without_evidence;
    Trust with_evidence;
};

constexpr StateRow source_states[] = {
    {Source::pci, SourceState::read, whole, whole},
    {Source::pci, SourceState::empty, whole, whole},
    {Source::pci, SourceState::missing, unknown, unknown},
    {Source::pci, SourceState::unreadable, unknown, unknown},
    {Source::kfd, SourceState::read, whole, whole},
    {Source::kfd, SourceState::empty, whole, whole},
    {Source::kfd, SourceState::missing, whole, unknown},
    {Source::kfd, SourceState::unreadable, unknown, unknown},
    {Source::drm, SourceState::read, whole, whole},
    {Source::drm, SourceState::empty, whole, whole},
    {Source::drm, SourceState::missing, whole, unknown},
    {Source::drm, SourceState::unreadable, unknown, unknown},
    {Source::modules, SourceState::read, whole, whole},
    {Source::modules, SourceState::empty, whole, whole},
    {Source::modules, SourceState::missing, whole, unknown},
    {Source::modules, SourceState::unreadable, unknown, unknown},
    {Source::cpufreq, SourceState::read, whole, whole},
    {Source::cpufreq, SourceState::empty, whole, unknown},
    {Source::cpufreq, SourceState::missing, whole, unknown},
    {Source::cpufreq, SourceState::unreadable, unknown, unknown},
    {Source::infiniband, SourceState::read, whole, whole},
    {Source::infiniband, SourceState::empty, whole, whole},
    {Source::infiniband, SourceState::missing, whole, unknown},
    {Source::infiniband, SourceState::unreadable, unknown, unknown},
    {Source::net, SourceState::read, whole, whole},
    {Source::net, SourceState::empty, whole, whole},
    {Source::net, SourceState::missing, whole, unknown},
    {Source::net, SourceState::unreadable, unknown, unknown},
};

// A source that proves the "does not exist here" of a setting; a setting may have several.
struct Dependency {
    std::string_view settings;
    Source source;
};

constexpr Dependency dependencies[] = {
    {"gpu.*", Source::pci},
    {"pci.*", Source::pci},
    {"net.*", Source::net},
    {"rdma.gid", Source::net},
    {"gpu.atomics", Source::kfd},
    {"gpu.compute_units", Source::kfd},
    {"gpu.users", Source::kfd},
    {"gpu.visible", Source::kfd},
    {"gpu.vram", Source::kfd},
    {"gpu.xgmi*", Source::kfd},
    {"rocm.arch", Source::kfd},
    {"gpu.drm_devices", Source::drm},
    {"gpu.driver*", Source::modules},
    {"gpu.parameters", Source::modules},
    {"rocm.driver_match", Source::modules},
    {"memory.ttm_pages", Source::modules},
    {"cpu.governor", Source::cpufreq},
    {"cpu.energy_preference", Source::cpufreq},
    {"cpu.boost", Source::cpufreq},
    {"rdma.*", Source::infiniband},
    {"net.*", Source::infiniband},
};

struct SourceFolder {
    std::string path;
    std::string_view name;
};

SourceFolder folder_of(Source source) {
    switch (source) {
        case Source::pci:
            return {"/sys/bus/pci/devices", "PCI functions"};
        case Source::kfd:
            return {"/sys/class/kfd/kfd/topology/nodes", "KFD nodes"};
        case Source::drm:
            return {std::string(drm_folder), "graphics devices"};
        case Source::modules:
            return {"/sys/module", "kernel modules"};
        case Source::cpufreq:
            return {"/sys/devices/system/cpu/cpufreq", "cpufreq policies"};
        case Source::infiniband:
            return {"/sys/class/infiniband", "RDMA devices"};
        case Source::net:
            return {"/sys/class/net", "network interfaces"};
    }
    return {};
}

SourceReading reading(Source source, const std::optional<Error>& error, bool empty) {
    SourceReading out{SourceState::read, folder_of(source).path, error};
    if (error) {
        out.state =
            error->kind == ErrorKind::not_here ? SourceState::missing : SourceState::unreadable;
    } else if (empty) {
        out.state = SourceState::empty;
    }
    return out;
}

template <typename Value>
std::optional<Error> error_of(const Result<Value>& result) {
    return result ? std::nullopt : std::optional(result.error());
}

SourceReading read_kfd(const Machine& machine) {
    const Kfd& kfd = machine.kfd();
    const std::string path = folder_of(Source::kfd).path;
    const auto missing = Error{ErrorKind::not_here, 0, path, path + " does not exist"};
    return reading(Source::kfd, kfd.present ? kfd.error : missing, kfd.nodes.empty());
}

bool is_bound_to_amdgpu(const Fs& fs, const std::string& device) {
    const auto driver = fs.link(device + "/driver");
    return driver && driver->substr(driver->rfind('/') + 1) == "amdgpu";
}

// Returns "card0", but not one of its connectors, "card0-DP-1".
std::optional<std::string> amdgpu_card(const Fs& fs) {
    const auto names = fs.list(std::string(drm_folder));
    std::size_t asked = 0;
    for (const auto& name : names ? *names : std::vector<std::string>()) {
        const bool card = name.starts_with("card") && parse_number(name.substr(4));
        if (card && ++asked <= most_cards &&
            is_bound_to_amdgpu(fs, concat({drm_folder, "/", name, "/device"}))) {
            return name;
        }
    }
    return std::nullopt;
}

std::optional<std::string> bound_device(const Machine& machine) {
    const auto names = machine.fs().list(std::string(driver_folder));
    for (const auto& name : names ? *names : std::vector<std::string>()) {
        if (is_pci_address(name)) {
            return name;
        }
    }
    return std::nullopt;
}

std::optional<std::string> node_evidence(const Machine& machine) {
    for (const auto& node : machine.kfd().nodes) {
        if (node.is_gpu()) {
            return "KFD node " + number(node.index) + " is a GPU";
        }
    }
    return std::nullopt;
}

// Returns the evidence of a bond. A NIC's interface has its own files; its bond is in the list of
// interfaces.
std::optional<std::string> bond_evidence(const Machine& machine) {
    const auto nics = machine.rdma_nics();
    for (const auto& bdf : nics ? *nics : std::vector<std::string>()) {
        const auto names = machine.fs().list(pci_path(bdf, "/net"));
        for (const auto& name : names ? *names : std::vector<std::string>()) {
            if (machine.fs().link(concat({pci_path(bdf, "/net/"), name, "/master"}))) {
                return "the interface " + name + " of the NIC at " + bdf + " belongs to another";
            }
        }
    }
    return std::nullopt;
}

// Returns the evidence of a policy: each CPU links to its folder, and the link stays if the folder
// is hidden.
std::optional<std::string> policy_evidence(const Fs& fs) {
    const std::string folder = "/sys/devices/system/cpu/";
    const auto names = fs.list(folder);
    for (const auto& name : names ? *names : std::vector<std::string>()) {
        const bool is_cpu = name.starts_with("cpu") && parse_number(name.substr(3));
        const std::string path = folder + name + "/cpufreq";
        if (is_cpu && (fs.link(path) || exists(fs, path))) {
            return path + " exists";
        }
    }
    return std::nullopt;
}

std::optional<std::string> if_exists(const Fs& fs, const std::string& path) {
    return exists(fs, path) ? std::optional(path + " exists") : std::nullopt;
}

}  // namespace

Trust trust_in(Source source, SourceState state, bool evidence) {
    for (const auto& row : source_states) {
        if (row.source == source && row.state == state) {
            return evidence ? row.with_evidence : row.without_evidence;
        }
    }
    return unknown;
}

SourceReading read_source(const Machine& machine, Source source) {
    if (source == Source::pci) {
        const auto& functions = machine.pci();
        return reading(source, error_of(functions), functions && functions->empty());
    }
    if (source == Source::kfd) {
        return read_kfd(machine);
    }
    const auto names = machine.fs().list(folder_of(source).path);
    return reading(source, error_of(names), names && names->empty());
}

std::optional<std::string> evidence_for(const Machine& machine, Source source) {
    switch (source) {
        case Source::pci:
            return gpu_evidence(machine);
        case Source::kfd:
        case Source::drm:
            return driver_evidence(machine);
        case Source::modules:
            return gpu_evidence(machine);
        case Source::cpufreq:
            return policy_evidence(machine.fs());
        case Source::infiniband:
            return if_exists(machine.fs(), "/sys/module/ib_core");
        case Source::net:
            return bond_evidence(machine);
    }
    return std::nullopt;
}

std::optional<std::string> driver_evidence(const Machine& machine) {
    if (const auto device = bound_device(machine)) {
        return "the driver amdgpu has " + *device;
    }
    if (const auto card = amdgpu_card(machine.fs())) {
        return "the driver amdgpu has the graphics device " + *card;
    }
    for (const auto& gpu : machine.gpus()) {
        if (gpu.on_pci && gpu.driver == "amdgpu") {
            return "the driver amdgpu has " + gpu.bdf;
        }
    }
    return std::nullopt;
}

std::optional<std::string> gpu_evidence(const Machine& machine) {
    if (auto node = node_evidence(machine)) {
        return node;
    }
    if (auto device = driver_evidence(machine)) {
        return device;
    }
    for (const auto& gpu : machine.gpus()) {
        if (gpu.on_pci && gpu.accelerator) {
            return "there is an accelerator at " + gpu.bdf;
        }
    }
    return std::nullopt;
}

std::optional<Error> lost(const Machine& machine, Source source) {
    const auto reading = read_source(machine, source);
    if (trust_in(source, reading.state, true) == whole) {
        return std::nullopt;
    }
    const auto evidence = evidence_for(machine, source);
    if (trust_in(source, reading.state, evidence.has_value()) == whole) {
        return std::nullopt;
    }
    const auto name = std::string(folder_of(source).name);
    Error error = reading.error.value_or(Error{ErrorKind::io, 0, reading.path, ""});
    const bool listed_none = reading.state == SourceState::empty;
    if (reading.state != SourceState::unreadable) {
        error.text = reading.path + (listed_none ? " is empty" : " does not exist");
        error.kind = ErrorKind::io;
    }
    error.text += "; the " + name + " of this node are unknown";
    error.text += evidence ? " (" + *evidence + ")" : "";
    return error;
}

std::optional<Error> lost_source(const Machine& machine, std::string_view setting) {
    for (const auto& each : dependencies) {
        if (glob_match(each.settings, setting)) {
            if (auto error = lost(machine, each.source)) {
                return error;
            }
        }
    }
    return std::nullopt;
}

}  // namespace rocenv
