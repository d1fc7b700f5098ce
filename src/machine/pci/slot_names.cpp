// SPDX-License-Identifier: MIT
#include "machine/pci/slot_names.h"

#include "util/text.h"

namespace rocenv {

namespace {

constexpr std::string_view slots_folder = "/sys/bus/pci/slots";

std::optional<std::string> name_at(const SlotNames& names, const std::string& bdf) {
    for (const char end : {'.', ':'}) {  // of the device, then of the bus
        const auto found = names.find(bdf.substr(0, bdf.rfind(end)));
        if (found != names.end()) {
            return found->second;
        }
    }
    return std::nullopt;
}

}  // namespace

SlotNames read_slot_names(const Fs& fs) {
    SlotNames out;
    const std::string folder(slots_folder);
    const auto names = fs.list(folder);
    for (const auto& name : names ? *names : std::vector<std::string>()) {
        if (const auto address = fs.read(folder + "/" + name + "/address")) {
            out.emplace(trim(*address), name);
        }
    }
    return out;
}

std::optional<std::string> slot_of(const Machine& machine, const SlotNames& names,
                                   const std::string& bdf) {
    if (names.empty()) {
        return std::nullopt;
    }
    const auto above = machine.bridges_above(bdf);
    auto found = name_at(names, bdf);
    const auto bridges = above ? *above : std::vector<std::string>();
    for (auto port = bridges.rbegin(); !found && port != bridges.rend(); ++port) {
        found = name_at(names, *port);
    }
    return found;
}

}  // namespace rocenv
