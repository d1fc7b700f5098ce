// SPDX-License-Identifier: MIT
#include "machine/identity.h"

#include <algorithm>
#include <map>

#include "util/text.h"

namespace rocenv {

namespace {

std::string ids(std::uint32_t vendor, std::uint32_t device) {
    return bare_hex(vendor, 4) + ":" + bare_hex(device, 4);
}

// " NAME=WORD", or "" when the file holds no such word. Zeros are a driver's way to say that it
// does not know.
std::string numbered(const Fs& fs, const std::string& path, const char* name) {
    constexpr std::size_t longest = 64;
    const auto text = fs.read(path);
    const auto word = text ? trim(*text) : std::string_view();
    const bool usable = word.size() <= longest && is_plain(word) &&
                        word.find(' ') == std::string_view::npos &&
                        word.find_first_not_of('0') != std::string_view::npos;
    return usable ? std::string(" ") + name + "=" + std::string(word) : std::string();
}

// linux drivers/gpu/drm/amd/pm/amdgpu_pm.c amdgpu_get_unique_id and
// amdgpu/amdgpu_device.c amdgpu_device_get_serial_number; neither asks the hardware.
std::string numbers_of_gpu(const Machine& machine, const std::string& bdf) {
    if (machine.asleep(bdf)) {
        return {};
    }
    const std::string folder = pci_path(bdf);
    return numbered(machine.fs(), folder + "/unique_id", "unique_id") +
           numbered(machine.fs(), folder + "/serial_number", "serial");
}

// Words without a name are told apart by their order.
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

// "net:[4026531840]"; nothing on a machine that is files and has none.
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

std::string told_other(std::string_view recorded, std::string_view present) {
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

}  // namespace rocenv
