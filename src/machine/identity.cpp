// SPDX-License-Identifier: MIT
#include "machine/identity.h"

#include <algorithm>
#include <cctype>
#include <initializer_list>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <tuple>

#include "machine/rdma/rdma.h"
#include "util/text.h"

namespace rocenv {

namespace {

std::string ids(std::uint32_t vendor, std::uint32_t device) {
    return bare_hex(vendor, 4) + ":" + bare_hex(device, 4);
}

// Returns " NAME=WORD", or "" if the file has no such word. Drivers write zeros for an unknown
// number.
std::string numbered(const Fs& fs, const std::string& path, const char* name) {
    constexpr std::size_t longest = 64;
    const auto text = fs.read(path);
    const auto word = text ? trim(*text) : std::string_view();
    const bool usable = word.size() <= longest && is_plain(word) &&
                        word.find(' ') == std::string_view::npos &&
                        word.find_first_not_of('0') != std::string_view::npos;
    return usable ? std::string(" ") + name + "=" + std::string(word) : std::string();
}

// Returns the numbers of linux drivers/gpu/drm/amd/pm/amdgpu_pm.c amdgpu_get_unique_id and
// amdgpu/amdgpu_device.c amdgpu_device_get_serial_number; both without hardware access.
std::string numbers_of_gpu(const Machine& machine, const std::string& bdf) {
    if (machine.asleep(bdf)) {
        return {};
    }
    const std::string folder = pci_path(bdf);
    return numbered(machine.fs(), folder + "/unique_id", "unique_id") +
           numbered(machine.fs(), folder + "/serial_number", "serial");
}

// Returns the parts by name; words without a name are distinguished by their order.
std::map<std::string_view, std::string_view> parts_of(std::string_view identity) {
    std::map<std::string_view, std::string_view> out;
    for (const auto word : words(identity)) {
        const auto equals = word.find('=');
        if (equals != std::string_view::npos) {
            out.emplace(word.substr(0, equals), word.substr(equals + 1));
        } else {
            out.emplace(out.contains("device") ? "subsystem" : "device", word);
        }
    }
    return out;
}

// Returns "net:[4026531840]"; empty for a recorded machine without namespaces.
std::string network_namespace(const Fs& fs) {
    const auto link = fs.link("/proc/self/ns/net");
    const auto open = link ? link->find('[') : std::string::npos;
    const auto number =
        open == std::string::npos ? "" : link->substr(open + 1, link->find(']') - open - 1);
    return parse_number(number) ? " netns=" + number : std::string();
}

std::string identity_of_interface(const Machine& machine, const std::string& name) {
    const auto target = machine.fs().link("/sys/class/net/" + name + "/device");
    const std::string bdf = target ? target->substr(target->rfind('/') + 1) : "";
    const std::string device = identity_of(machine, bdf);
    return (device.empty() ? "" : device + " at=" + bdf) + network_namespace(machine.fs());
}

}  // namespace

std::string identity_of(const Machine& machine, const std::string& target) {
    if (!is_pci_address(target)) {
        return {};
    }
    const PciFunction function = machine.function(target);
    if (function.error) {
        return {};
    }
    std::string out = ids(function.vendor, function.device);
    if (function.subsystem) {
        out += " " + ids(*function.subsystem >> 16, *function.subsystem & 0xffff);
    }
    return function.is_amd_gpu() ? out + numbers_of_gpu(machine, target) : out;
}

std::string identity_of(const Machine& machine, std::string_view id, const std::string& target) {
    return id.starts_with("net.") ? identity_of_interface(machine, target)
                                  : identity_of(machine, target);
}

std::string changed_identity(std::string_view recorded, std::string_view present) {
    const auto before = parts_of(recorded);
    const auto now = parts_of(present);
    const auto was = before.find("netns");
    const auto is = now.find("netns");
    const bool elsewhere = was != before.end() && is != now.end() && was->second != is->second;
    const std::string both = " (" + std::string(present) + "), it was " + std::string(recorded);
    return (elsewhere ? "this is another network namespace"
                      : "another device is at this address now") +
           both;
}

bool same_device(std::string_view recorded, std::string_view present) {
    const auto before = parts_of(recorded);
    const auto now = parts_of(present);
    return std::all_of(before.begin(), before.end(), [&](const auto& part) {
        const auto found = now.find(part.first);
        return found == now.end() || found->second == part.second;
    });
}

namespace {

constexpr const char* nvme_class = "/sys/class/nvme";
constexpr const char* dmi_folder = "/sys/class/dmi/id";

class Collector {
   public:
    explicit Collector(const Machine& machine) : machine_(machine) {}

    // Adds the numbers of linux drivers/firmware/dmi-id.c, 6.12, which only root can read.
    void take_system() {
        take("system", dmi_folder,
             {"board_serial", "chassis_serial", "product_serial", "product_uuid"});
    }

    // Adds the numbers of linux drivers/gpu/drm/amd/amdgpu/amdgpu_device.c serial_number and
    // pm/amdgpu_pm.c unique_id.
    void take_gpus() {
        for (const auto& gpu : machine_.gpus()) {
            if (gpu.on_pci && !sleeps(gpu.bdf)) {
                take(gpu.bdf, pci_path(gpu.bdf), {"serial_number", "unique_id"});
            }
        }
    }

    // Adds the numbers of linux drivers/infiniband/core/sysfs.c node_guid_show and
    // net/core/net-sysfs.c address.
    void take_nics() {
        const auto devices = rdma_devices(machine_);
        if (!devices) {
            add("system", "node_guid", devices.error());
            return;
        }
        std::set<std::string> functions;
        for (const auto& device : *devices) {
            if (!functions.insert(device.bdf).second || sleeps(device.bdf)) {
                continue;
            }
            if (device.verbs) {
                take(device.bdf, rdma_folder(device.name), {"node_guid", "sys_image_guid"});
            }
            take_interfaces(device.bdf);
        }
    }

    // Adds the numbers of linux drivers/nvme/host/sysfs.c serial.
    void take_disks() {
        constexpr std::size_t most = 1024;
        auto names = machine_.fs().list(nvme_class);
        if (names && names->size() > most) {
            names = garbled(nvme_class, "holds more than " + number(most) + " disks");
        }
        if (!names) {
            if (!names.is(ErrorKind::not_here)) {
                add("system", "serial", names.error());
            }
            return;
        }
        for (const auto& name : *names) {
            if (is_plain(name)) {
                take(name, std::string(nvme_class) + "/" + name, {"serial"});
            }
        }
    }

    std::vector<DeviceIdentity> sorted() && {
        std::sort(found_.begin(), found_.end(),
                  [](const DeviceIdentity& a, const DeviceIdentity& b) {
                      return std::tie(a.target, a.name) < std::tie(b.target, b.name);
                  });
        return std::move(found_);
    }

   private:
    void add(const std::string& target, std::string_view name, Result<std::string> value) {
        found_.push_back({target, std::string(name), std::move(value)});
    }

    void take(const std::string& target, const std::string& folder,
              std::initializer_list<std::string_view> names) {
        for (const auto name : names) {
            const auto text = machine_.fs().read(folder + "/" + std::string(name));
            if (text.is(ErrorKind::not_here)) {
                continue;
            }
            constexpr std::size_t longest = 64;
            add(target, name, text ? printable(trim(*text), longest) : text);
        }
    }

    void take_interfaces(const std::string& bdf) {
        const auto names = netdevs_of(machine_, bdf);
        if (!names) {
            add(bdf, "address", names.error());
            return;
        }
        for (const auto& name : *names) {
            take(name, pci_path(bdf) + "/net/" + name, {"address"});
        }
    }

    bool sleeps(const std::string& bdf) {
        const auto sleeping = machine_.asleep(bdf);
        if (sleeping) {
            add(bdf, "any", *sleeping);
        }
        return sleeping.has_value();
    }

    const Machine& machine_;
    std::vector<DeviceIdentity> found_;
};

}  // namespace

std::vector<DeviceIdentity> identities_of(const Machine& machine) {
    Collector collector(machine);
    collector.take_system();
    collector.take_gpus();
    collector.take_nics();
    collector.take_disks();
    return std::move(collector).sorted();
}

namespace {

bool is_letter(char byte) {
    return std::isalpha(static_cast<unsigned char>(byte)) != 0;
}

// Returns the address in a name. Its prefix ends with 'x' after a letter: "0x…" is a number.
std::optional<NamedAddress> address_in(std::string_view word) {
    constexpr std::size_t mac = 12;
    constexpr std::size_t guid = 16;
    for (const std::size_t size : {mac, guid}) {
        if (word.size() < size + 2) {
            continue;
        }
        const auto prefix = word.substr(0, word.size() - size);
        const auto digits = word.substr(prefix.size());
        if (prefix.back() == 'x' && std::all_of(prefix.begin(), prefix.end(), is_letter) &&
            std::all_of(digits.begin(), digits.end(), is_hex_digit)) {
            return NamedAddress{prefix, digits};
        }
    }
    return std::nullopt;
}

// Returns true for every text with such a name, and for few others.
bool may_hold_one(std::string_view text) {
    constexpr std::size_t fewest = 12;
    for (auto at = text.find('x'); at != std::string_view::npos; at = text.find('x', at + 1)) {
        const auto digits = text.substr(at + 1, fewest);
        if (digits.size() == fewest && std::all_of(digits.begin(), digits.end(), is_hex_digit)) {
            return true;
        }
    }
    return false;
}

}  // namespace

std::string replace_named_addresses(
    std::string_view text, const std::function<std::string(const NamedAddress&)>& replacement) {
    if (!may_hold_one(text)) {
        return std::string(text);
    }
    std::string out;
    while (!text.empty()) {
        const auto* const end = std::find_if_not(text.begin(), text.end(), is_letter_or_digit);
        const auto word = text.substr(0, static_cast<std::size_t>(end - text.begin()));
        const auto address = address_in(word);
        out += address ? replacement(*address) : std::string(word);
        text.remove_prefix(word.size());
        const auto* const next = std::find_if(text.begin(), text.end(), is_letter_or_digit);
        const auto between = static_cast<std::size_t>(next - text.begin());
        out += text.substr(0, between);
        text.remove_prefix(between);
    }
    return out;
}

namespace {

// The owner of a name: device "0000:06:00.0", class "net" or "infiniband".
struct NameOwner {
    std::string device;
    std::string of_class;
    std::size_t names = 1;  // number of names of the device
    std::size_t at = 0;     // index of this one
};

std::optional<NameOwner> owner_of(const Machine& machine, const std::string& name) {
    for (const std::string of_class : {"net", "infiniband"}) {
        const auto link = machine.fs().link("/sys/class/" + of_class + "/" + name + "/device");
        if (!link) {
            continue;
        }
        NameOwner out{link->substr(link->rfind('/') + 1), of_class};
        auto names = is_pci_address(out.device)
                         ? machine.fs().list(pci_path(out.device) + "/" + of_class)
                         : Result(std::vector<std::string>());
        if (names) {
            auto& all = names.value();
            std::sort(all.begin(), all.end());
            const auto found = std::find(all.begin(), all.end(), name);
            out.names = all.size();
            out.at = found == all.end() ? 0 : static_cast<std::size_t>(found - all.begin());
        }
        return out;
    }
    return std::nullopt;
}

// Returns true for digits that a recording numbered.
bool is_numbered(std::string_view digits) {
    constexpr std::uint64_t most = 0xffff;
    const auto value = parse_number(digits, 16);
    return value && *value <= most;
}

std::string current_name(const NamedAddress& address, const std::optional<NameOwner>& owner) {
    if (!owner) {
        return std::string(address.prefix) + (is_numbered(address.digits)
                                                  ? std::string(address.digits)
                                                  : std::string(address.digits.size(), '0'));
    }
    return std::string(address.prefix) + "@" + printable(owner->device, 40) +
           (owner->at > 0 ? "/" + number(owner->at + 1) : "");
}

std::optional<NameOwner> owner_of(const Machine& machine, const NamedAddress& address) {
    return owner_of(machine, std::string(address.prefix) + std::string(address.digits));
}

}  // namespace

std::string without_named_addresses(const Machine& machine, std::string_view text) {
    return replace_named_addresses(text, [&](const NamedAddress& address) {
        return current_name(address, owner_of(machine, address));
    });
}

std::string command_without_addresses(const Machine& machine, std::string_view text) {
    return replace_named_addresses(text, [&](const NamedAddress& address) {
        const auto owner = owner_of(machine, address);
        return owner && owner->names == 1 && is_pci_address(owner->device)
                   ? "$(ls " + pci_path(owner->device) + "/" + owner->of_class + ")"
                   : current_name(address, owner);
    });
}

}  // namespace rocenv
