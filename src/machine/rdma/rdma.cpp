// SPDX-License-Identifier: MIT
#include "machine/rdma/rdma.h"

#include <algorithm>
#include <tuple>

#include "os/redact/redact_words.h"
#include "util/place_pattern.h"
#include "util/text.h"

namespace rocenv {

namespace {

const std::string verbs_class = "/sys/class/infiniband";
constexpr std::size_t most_ports = 255;  // port_num was 8 bits for long, and no NIC has more

Result<std::string> text_of(const Fs& fs, const std::string& path, ReadAnew anew) {
    return anew == ReadAnew::yes ? fs.read_now(path) : fs.read(path);
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

// The function that a device hangs off; empty: a software device (rxe, siw) hangs off none.
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

// Switchdev names the port that an interface stands for: "p0" is the NIC's own, "pf0vf1" and
// "c0pf0sf4" are of functions of it (linux net/core/devlink.c, 6.12).
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

Result<NumberedWord> read_numbered_word(const Fs& fs, const std::string& path, ReadAnew anew) {
    const auto text = text_of(fs, path, anew);
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

Result<NumberedWord> port_state(const Fs& fs, const RdmaPort& port, ReadAnew anew) {
    return read_numbered_word(fs, port.folder + "/state", anew);
}

Result<NumberedWord> port_phys_state(const Fs& fs, const RdmaPort& port, ReadAnew anew) {
    return read_numbered_word(fs, port.folder + "/phys_state", anew);
}

// What a NIC with Ethernet shows for a speed that the kernel does not know: 10 Gb/s are 1X there,
// and a driver that tells no speed is taken as 1 Gb/s (linux drivers/infiniband/core/sysfs.c
// rate_show and verbs.c ib_get_eth_speed, 6.12).
bool is_unknown_rate(std::string_view text) {
    return text.starts_with("10 Gb/sec (4X") || text.starts_with("2.5 Gb/sec (1X");
}

// "400 Gb/sec (4X NDR)"; one decimal at most (linux drivers/infiniband/core/sysfs.c rate_show).
Result<std::string> port_rate(const Fs& fs, const RdmaPort& port, ReadAnew anew) {
    const std::string path = port.folder + "/rate";
    const auto text = text_of(fs, path, anew);
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

Result<bool> has_carrier(const Fs& fs, const std::string& folder, ReadAnew anew) {
    const std::string path = folder + "/carrier";
    const auto text = text_of(fs, path, anew);
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

}  // namespace rocenv
