// SPDX-License-Identifier: MIT
#include "machine/pci/slots.h"

#include <set>

#include "machine/pci/pci.h"
#include "util/text.h"

namespace rocenv {

namespace {

constexpr std::uint32_t class_bridge = 0x0604;

// Returns the bus of a function: "0000:41".
std::string bus_of(const std::string& bdf) {
    return bdf.substr(0, bdf.rfind(':'));
}

// The slot state that a port reports.
struct Slot {
    bool implemented = false;
    bool present = false;
    bool power_fault = false;
    bool linked = false;
    std::string bus;  // bus below the port
};

Result<Slot> read_slot(const PciConfig& config, const std::string& bdf) {
    constexpr std::uint16_t buses = 0x18;
    Slot out;
    const auto flags = config.express_register(0x02);
    const auto link = config.express_register(0x12);
    const auto slot = config.express_register(0x1a);
    const auto below = config.word(buses);
    for (const auto* each : {&flags, &link, &slot}) {
        if (!*each) {
            return each->error();
        }
    }
    if (!below) {
        return below.error();
    }
    if (!*flags) {
        return out;
    }
    out.implemented = (**flags >> 8 & 1) != 0;
    out.linked = (**link >> 13 & 1) != 0;
    out.present = (**slot >> 6 & 1) != 0;
    out.power_fault = (**slot >> 1 & 1) != 0;
    out.bus = bdf.substr(0, bdf.find(':')) + ":" + bare_hex(*below >> 8 & 0xff, 2);
    return out;
}

// Returns the fault of a port; empty if there is none.
std::string fault_of(const Slot& slot, const std::set<std::string>& buses) {
    const bool empty = !buses.contains(slot.bus);
    return !slot.implemented       ? ""
           : slot.power_fault      ? "power fault"
           : empty && slot.present ? "something is plugged in, and no function is there"
           : empty && slot.linked  ? "the link is up, and no function is there"
                                   : "";
}

void ask(const Machine& machine, const std::string& bdf, const std::set<std::string>& buses,
         SlotSurvey& survey) {
    const auto sleeping = machine.asleep(bdf);
    const auto slot =
        sleeping ? Result<Slot>(*sleeping) : read_slot(machine.reader_of(bdf).config(), bdf);
    if (!slot) {
        auto& list = slot.is(ErrorKind::not_permitted) ? survey.refused : survey.unread;
        list.push_back({bdf, slot.error()});
        return;
    }
    survey.slots += slot->implemented ? 1U : 0U;
    if (const auto fault = fault_of(*slot, buses); !fault.empty()) {
        survey.faults.push_back({bdf, fault});
    }
}

}  // namespace

SlotSurvey survey_slots(const Machine& machine, const std::vector<PciFunction>& functions,
                        const AskPort& asked) {
    std::set<std::string> buses;
    for (const auto& function : functions) {
        buses.insert(bus_of(function.bdf));
    }
    SlotSurvey out;
    for (const auto& function : functions) {
        if (function.class_code >> 8 == class_bridge && (!asked || asked(function))) {
            ask(machine, function.bdf, buses, out);
        }
    }
    return out;
}

namespace {

constexpr std::string_view slots_folder = "/sys/bus/pci/slots";

std::optional<std::string> name_at(const SlotNames& names, const std::string& bdf) {
    for (const char end : {'.', ':'}) {  // first by device, then by bus
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
