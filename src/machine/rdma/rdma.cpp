// SPDX-License-Identifier: MIT
#include "machine/rdma/rdma.h"

#include <algorithm>
#include <cerrno>
#include <iterator>
#include <tuple>

#include "os/redact/redact_words.h"
#include "util/place_pattern.h"
#include "util/text.h"

namespace rocenv {

namespace {

const std::string verbs_class = "/sys/class/infiniband";
constexpr std::size_t most_ports = 255;  // port_num was 8 bits for a long time, and no NIC has more

Result<std::string> text_of(const Fs& fs, const std::string& path, Reread reread) {
    return reread == Reread::yes ? fs.read_now(path) : fs.read(path);
}

Result<std::vector<RdmaPort>> ports_of(const Fs& fs, const std::string& device,
                                       const std::string& bdf) {
    const std::string folder = rdma_folder(device) + "/ports";
    const auto names = fs.list(folder);
    if (!names) {
        return names.error();
    }
    std::vector<RdmaPort> out;
    for (const auto& name : *names) {
        const auto value = parse_number(name);
        if (!value || *value == 0 || *value > most_ports) {
            return garbled(folder, "holds " + quoted_value(name) + ", which is not a port");
        }
        out.push_back({device, static_cast<std::uint32_t>(*value), bdf, folder + "/" + name});
    }
    if (out.empty()) {
        return garbled(folder, "holds no port");
    }
    std::sort(out.begin(), out.end(),
              [](const RdmaPort& a, const RdmaPort& b) { return a.number < b.number; });
    return out;
}

// Returns the function of a device; empty for a software device (rxe, siw).
Result<std::string> function_of(const Fs& fs, const std::string& entry) {
    const auto target = fs.link(entry + "/device");
    if (!target) {
        return target.is(ErrorKind::not_here) ? Result<std::string>(std::string()) : target.error();
    }
    std::string bdf = target->substr(target->rfind('/') + 1);
    return is_pci_address(bdf) ? std::move(bdf) : std::string();
}

std::optional<Error> add_devices(const Fs& fs, const std::string& folder,
                                 std::vector<RdmaDevice>& out) {
    const auto names = fs.list(folder);
    if (!names) {
        return names.is(ErrorKind::not_here) ? std::nullopt : std::optional(names.error());
    }
    if (names->size() > most_rdma_devices) {
        return garbled(folder, "holds more than " + number(most_rdma_devices) + " devices");
    }
    const bool verbs = folder == verbs_class;
    const std::size_t before = out.size();
    for (const auto& name : *names) {
        const auto bdf = function_of(fs, folder + "/" + name);
        if (!bdf) {
            return bdf.error();
        }
        const auto known = std::any_of(
            out.begin(), out.begin() + static_cast<std::ptrdiff_t>(before),
            [&function = *bdf](const RdmaDevice& each) { return each.bdf == function; });
        if (!bdf->empty() && !known) {
            out.push_back({name, *bdf, verbs,
                           verbs ? ports_of(fs, name, *bdf)
                                 : Result<std::vector<RdmaPort>>(std::vector<RdmaPort>())});
        }
    }
    return std::nullopt;
}

// Returns true for a representor. Switchdev names the port of an interface: "p0" is the NIC's own,
// "pf0vf1" and "c0pf0sf4" belong to its functions (linux net/core/devlink.c, 6.12).
bool stands_for_another(const Fs& fs, const std::string& folder, const std::string& name) {
    const auto text = fs.read(folder + "/" + name + "/phys_port_name");
    return text && (text->find("vf") != std::string::npos || text->find("sf") != std::string::npos);
}

}  // namespace

std::string RdmaPort::name() const {
    return device + ":" + rocenv::number(number);
}

std::string rdma_folder(const std::string& device) {
    return verbs_class + "/" + device;
}

Result<std::vector<RdmaDevice>> rdma_devices(const Machine& machine) {
    std::vector<RdmaDevice> out;
    for (const auto& folder : {verbs_class, std::string("/sys/class/cxi")}) {
        if (auto error = add_devices(machine.fs(), folder, out)) {
            return *std::move(error);
        }
    }
    std::sort(out.begin(), out.end(), [](const RdmaDevice& a, const RdmaDevice& b) {
        return std::tie(a.bdf, a.name) < std::tie(b.bdf, b.name);
    });
    return out;
}

Result<NumberedWord> read_numbered_word(const Fs& fs, const std::string& path, Reread reread) {
    const auto text = text_of(fs, path, reread);
    if (!text) {
        return text.error();
    }
    const auto line = trim(*text);
    const auto colon = line.find(": ");
    const auto value = parse_number(line.substr(0, colon));
    constexpr std::size_t longest = 40;
    if (colon == std::string_view::npos || !value || line.size() > longest || !is_plain(line)) {
        return garbled(path, "is not a number with its word: " + quoted_value(line));
    }
    return NumberedWord{*value, std::string(line.substr(colon + 2))};
}

Result<NumberedWord> port_state(const Fs& fs, const RdmaPort& port, Reread reread) {
    return read_numbered_word(fs, port.folder + "/state", reread);
}

Result<NumberedWord> port_phys_state(const Fs& fs, const RdmaPort& port, Reread reread) {
    return read_numbered_word(fs, port.folder + "/phys_state", reread);
}

// Returns true for the rate that a NIC with Ethernet shows for an unknown speed: 10 Gb/s are 1X
// there, and a driver without a speed counts as 1 Gb/s (linux drivers/infiniband/core/sysfs.c
// rate_show and verbs.c ib_get_eth_speed, 6.12).
bool is_unknown_rate(std::string_view text) {
    return text.starts_with("10 Gb/sec (4X") || text.starts_with("2.5 Gb/sec (1X");
}

// Parses "400 Gb/sec (4X NDR)"; at most one decimal (linux drivers/infiniband/core/sysfs.c
// rate_show).
Result<std::string> port_rate(const Fs& fs, const RdmaPort& port, Reread reread) {
    const std::string path = port.folder + "/rate";
    const auto text = text_of(fs, path, reread);
    if (!text) {
        return text.error();
    }
    const auto layer = port_link_layer(fs, port);
    if (is_unknown_rate(*text) && layer && *layer == "Ethernet") {
        return garbled(path, "shows " + quoted_value(trim(*text)) +
                                 ", as for a speed that the kernel does not support");
    }
    const auto parts = words(*text);
    const auto rate = parts.size() > 1 && parts[1] == "Gb/sec" ? parts[0] : std::string_view();
    const auto point = rate.find('.');
    const auto whole = parse_number(rate.substr(0, point));
    const bool sensible = whole && *whole < 100000 &&
                          (point == std::string_view::npos || parse_number(rate.substr(point + 1)));
    return sensible ? Result(std::string(rate))
                    : garbled(path, "is not a valid rate: " + quoted_value(trim(*text)));
}

Result<std::string> port_link_layer(const Fs& fs, const RdmaPort& port) {
    const std::string path = port.folder + "/link_layer";
    const auto text = fs.read(path);
    if (!text) {
        return text.error();
    }
    const auto word = trim(*text);
    return word == "Ethernet" || word == "InfiniBand"
               ? Result(std::string(word))
               : garbled(path, "is not a valid link layer: " + quoted_value(word));
}

Result<std::vector<std::string>> netdevs_of(const Machine& machine, const std::string& bdf) {
    const std::string folder = pci_path(bdf, "/net");
    auto names = machine.fs().list(folder);
    if (!names) {
        return names.is(ErrorKind::not_here) ? Result(std::vector<std::string>()) : names.error();
    }
    if (names->size() > 1) {
        std::erase_if(names.value(), [&](const std::string& name) {
            return stands_for_another(machine.fs(), folder, name);
        });
    }
    for (const auto& name : *names) {
        if (!is_interface_name(name)) {
            return garbled(folder, "holds " + quoted_value(name) + ", which is not an interface");
        }
    }
    return names;
}

Result<bool> has_carrier(const Fs& fs, const std::string& folder, Reread reread) {
    const std::string path = folder + "/carrier";
    const auto text = text_of(fs, path, reread);
    if (!text) {
        return text.error();
    }
    const auto word = trim(*text);
    return word == "0" || word == "1" ? Result(word == "1")
                                      : garbled(path, "is neither 0 nor 1: " + quoted_value(word));
}

Result<std::string> master_of(const Fs& fs, const std::string& netdev_folder) {
    const auto target = fs.link(netdev_folder + "/master");
    if (!target) {
        return target.is(ErrorKind::not_here) ? Result(std::string()) : target.error();
    }
    std::string name = target->substr(target->rfind('/') + 1);
    return is_interface_name(name)
               ? Result(std::move(name))
               : garbled(netdev_folder + "/master", "leads to no interface: " + quoted_value(name));
}

Result<std::vector<std::uint64_t>> gid_indices(const Fs& fs, const RdmaPort& port) {
    const auto names = fs.list(port.folder + "/gids");
    if (!names) {
        return names.error();
    }
    std::vector<std::uint64_t> out;
    for (const auto& name : *names) {
        const auto index = parse_number(name);
        if (!index) {
            return garbled(port.folder + "/gids", "holds " + quoted_value(name));
        }
        out.push_back(*index);
    }
    if (out.empty()) {
        return garbled(port.folder + "/gids", "holds no GID");
    }
    std::sort(out.begin(), out.end());
    out.resize(std::min<std::size_t>(out.size(), most_gids));
    return out;
}

Result<std::string> gid_at(const Fs& fs, const RdmaPort& port, std::uint64_t index) {
    constexpr std::size_t gid_size = 39;  // eight groups of four digits
    const std::string path = port.folder + "/gids/" + number(index);
    const auto text = fs.read(path);
    if (!text) {
        return text.error();
    }
    const auto gid = trim(*text);
    const bool sensible = gid.size() == gid_size &&
                          gid.find_first_not_of("0123456789abcdef:") == std::string_view::npos;
    if (!sensible) {
        return garbled(path, "is not a valid GID");
    }
    return gid.find_first_not_of("0:") == std::string_view::npos ? std::string() : std::string(gid);
}

Result<std::string> gid_type_at(const Fs& fs, const RdmaPort& port, std::uint64_t index) {
    const std::string path = port.folder + "/gid_attrs/types/" + number(index);
    const auto text = fs.read(path);
    if (!text) {
        return text.error();
    }
    const auto type = trim(*text);
    return type == "IB/RoCE v1" || type == "RoCE v2"
               ? Result(std::string(type))
               : garbled(path, "is not a valid GID type: " + quoted_value(type));
}

// Returns true if the index has no GID; old kernels return an error instead.
static bool is_unused(const Result<std::string>& gid) {
    return gid ? gid->empty() : gid.error().err == EINVAL;
}

Result<std::set<std::string>> gid_types(const Fs& fs, const RdmaPort& port) {
    const auto indices = gid_indices(fs, port);
    if (!indices) {
        return indices.error();
    }
    std::set<std::string> out;
    for (const auto index : *indices) {
        const auto gid = gid_at(fs, port, index);
        if (is_unused(gid) || gid.is(ErrorKind::not_here)) {
            continue;
        }
        const auto type = gid ? gid_type_at(fs, port, index) : Result<std::string>(gid.error());
        if (!type) {
            return type.error();
        }
        out.insert(*type);
    }
    return out;
}

// Returns the interface; empty for an index without one, or whose attributes are gone by now.
Result<std::string> gid_netdev(const Fs& fs, const RdmaPort& port, std::uint64_t index) {
    const std::string path = port.folder + "/gid_attrs/ndevs/" + number(index);
    const auto text = fs.read(path);
    if (!text) {
        const bool none = text.is(ErrorKind::not_here) || text.error().err == EINVAL;
        return none ? Result(std::string()) : text.error();
    }
    const auto name = trim(*text);
    return is_interface_name(name)
               ? Result(std::string(name))
               : garbled(path, "is not a valid interface: " + quoted_value(name));
}

Result<std::set<std::string>> gid_netdevs(const Fs& fs, const RdmaPort& port) {
    const auto indices = gid_indices(fs, port);
    if (!indices) {
        return indices.is(ErrorKind::not_here) ? Result(std::set<std::string>()) : indices.error();
    }
    std::set<std::string> out;
    for (const auto index : *indices) {
        const auto gid = gid_at(fs, port, index);
        if (is_unused(gid)) {
            continue;
        }
        const auto name = gid ? gid_netdev(fs, port, index) : Result<std::string>(gid.error());
        if (!name) {
            return name.error();
        }
        out.insert(*name);
    }
    out.erase("");
    return out;
}

namespace {

constexpr const char* own_network = "/proc/self/ns/net";
constexpr const char* first_network = "/proc/1/ns/net";
constexpr const char* own_pids = "/proc/self/ns/pid";
constexpr const char* initial_pids = "pid:[4026531836]";  // linux include/linux/proc_ns.h

}  // namespace

std::optional<Error> not_the_nodes_network(const Fs& fs) {
    const auto own = fs.link(own_network);
    if (own.is(ErrorKind::not_here) && !fs.is_real()) {
        return std::nullopt;
    }
    const auto first = fs.link(first_network);
    const auto pids = fs.link(own_pids);
    for (const auto* link : {&own, &pids, &first}) {
        if (!*link) {
            return link->error();
        }
    }
    if (*pids != initial_pids) {
        return Error{
            ErrorKind::io, 0, first_network,
            "process 1 is not that of the node, so the owner of this network namespace is unknown"};
    }
    if (*own != *first) {
        return Error{ErrorKind::hidden, 0, own_network,
                     "this network namespace is not that of the node"};
    }
    return std::nullopt;
}

bool is_another_network(const Fs& fs) {
    const auto pids = fs.link(own_pids);
    const auto why = not_the_nodes_network(fs);
    return why && (why->kind == ErrorKind::hidden || (pids && *pids != initial_pids));
}

namespace {

// The modules that create the RDMA devices of a NIC: its driver, and a second module if needed.
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
