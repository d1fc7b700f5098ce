// SPDX-License-Identifier: MIT
#include "machine/told_names.h"

#include <algorithm>

#include "machine/named_address.h"
#include "util/text.h"

namespace rocenv {

namespace {

// Where a name is: device "0000:06:00.0", class "net" or "infiniband".
struct NamedPlace {
    std::string device;
    std::string of_class;
    std::size_t names = 1;  // that the device has
    std::size_t at = 0;     // which of them it is
};

std::optional<NamedPlace> named_place(const Machine& machine, const std::string& name) {
    for (const std::string of_class : {"net", "infiniband"}) {
        const auto link = machine.fs().link("/sys/class/" + of_class + "/" + name + "/device");
        if (!link) {
            continue;
        }
        NamedPlace out{link->substr(link->rfind('/') + 1), of_class};
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

// As recordings number them.
bool is_numbered(std::string_view digits) {
    constexpr std::uint64_t most = 0xffff;
    const auto value = parse_number(digits, 16);
    return value && *value <= most;
}

std::string told_name(const NamedAddress& address, const std::optional<NamedPlace>& place) {
    if (!place) {
        return std::string(address.prefix) + (is_numbered(address.digits)
                                                  ? std::string(address.digits)
                                                  : std::string(address.digits.size(), '0'));
    }
    return std::string(address.prefix) + "@" + printable(place->device, 40) +
           (place->at > 0 ? "/" + number(place->at + 1) : "");
}

std::optional<NamedPlace> named_place(const Machine& machine, const NamedAddress& address) {
    return named_place(machine, std::string(address.prefix) + std::string(address.digits));
}

}  // namespace

std::string without_named_addresses(const Machine& machine, std::string_view text) {
    return replace_named_addresses(text, [&](const NamedAddress& address) {
        return told_name(address, named_place(machine, address));
    });
}

std::string command_without_addresses(const Machine& machine, std::string_view text) {
    return replace_named_addresses(text, [&](const NamedAddress& address) {
        const auto place = named_place(machine, address);
        return place && place->names == 1 && is_pci_address(place->device)
                   ? "$(ls " + pci_path(place->device) + "/" + place->of_class + ")"
                   : told_name(address, place);
    });
}

}  // namespace rocenv
