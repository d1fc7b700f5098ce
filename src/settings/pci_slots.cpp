// SPDX-License-Identifier: MIT
// pci.slots: whether every slot in which something is plugged leads to a function. When firmware
// has dropped a GPU with its whole branch, the port above it is all that is left to tell
// (capability 0x10: +2 bit 8 slot implemented, +0x1a bit 6 presence and bit 1 power fault, +0x12
// bit 13 data link active; linux include/uapi/linux/pci_regs.h). Boards without slot capabilities
// tell nothing here.
#include <algorithm>
#include <map>
#include <set>

#include "rocenv/setting.h"
#include "settings/path_functions.h"
#include "settings/safety.h"
#include "util/text.h"

namespace rocenv {

namespace {

constexpr std::uint32_t class_bridge = 0x0604;

// "0000:41": the bus that a function is on.
std::string bus_of(const std::string& bdf) {
    return bdf.substr(0, bdf.rfind(':'));
}

// What a port says of its slot.
struct Slot {
    bool implemented = false;
    bool present = false;
    bool power_fault = false;
    bool linked = false;
    std::string bus;  // below it
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

// What is wrong with a port; empty: nothing.
std::string fault_of(const Slot& slot, const std::set<std::string>& buses) {
    const bool empty = !buses.contains(slot.bus);
    return !slot.implemented       ? ""
           : slot.power_fault      ? "power fault"
           : empty && slot.present ? "something is plugged in, and no function is there"
           : empty && slot.linked  ? "the link is up, and no function is there"
                                   : "";
}

struct Tally {
    std::size_t slots = 0;
    std::vector<Assessment> odd;
    std::vector<Assessment> refused;
};

void judge(const Machine& machine, const std::string& bdf, const std::set<std::string>& buses,
           Tally& tally) {
    const Target target{bdf, std::nullopt, ""};
    const auto sleeping = machine.asleep(bdf);
    const auto slot =
        sleeping ? Result<Slot>(*sleeping) : read_slot(machine.reader_of(bdf).config(), bdf);
    if (!slot) {
        auto& list = slot.is(ErrorKind::not_permitted) ? tally.refused : tally.odd;
        list.push_back(unreadable(target, slot.error(), "populated"));
        return;
    }
    tally.slots += slot->implemented ? 1U : 0U;
    const auto fault = fault_of(*slot, buses);
    if (!fault.empty()) {
        tally.odd.push_back(compared(target, "populated", fault));
    }
}

class Slots final : public Setting {
   public:
    const Info& info() const override {
        static const Info data{
            .id = "pci.slots",
            .summary = "Whether each slot that holds something leads to a function",
            .why = "A card whose branch was dropped at boot is seen nowhere else",
            .source =
                "ROCm/system-acceptance-docs docs/common/health-checks.md, 2026-07; linux "
                "include/uapi/linux/pci_regs.h, 6.12",
            .target = "PCI function",
            .read_from = "/sys/bus/pci/devices/*/config of bridges (capability 0x10)",
            .set_by = "",
            .next_step = "sudo dmesg | grep -e BDF; then reseat what is plugged in there",
            .persist = "is persistent: it is the hardware",
            .risk_note = "",
            .over_cluster = OverCluster::own,
            .forms = {{.kind = FormKind::word, .words = {"populated"}}},
        };
        return data;
    }

    std::vector<Assessment> assess(const Context& context, const Want&) const override {
        const auto& functions = context.machine.pci();
        if (is_guest(context.fs())) {
            return {no_target("this is a guest: its slots are not the host's")};
        }
        if (!functions) {
            return {functions.is(ErrorKind::not_here)
                        ? no_target("there is no PCI")
                        : unreadable({}, functions.error(), "populated")};
        }
        std::set<std::string> buses;
        for (const auto& function : *functions) {
            buses.insert(bus_of(function.bdf));
        }
        Tally tally;
        for (const auto& function : *functions) {
            if (function.class_code >> 8 == class_bridge) {
                judge(context.machine, function.bdf, buses, tally);
            }
        }
        return answer(std::move(tally));
    }

   private:
    static std::vector<Assessment> answer(Tally tally) {
        std::vector<Assessment> out = std::move(tally.odd);
        if (!tally.refused.empty()) {
            out.push_back(told_once(std::move(tally.refused), "bridges"));
        }
        if (out.empty() && tally.slots == 0) {
            return {no_target("no bridge here has a slot that tells what is in it")};
        }
        if (out.empty()) {
            out.push_back(compared({}, "populated", "populated"));
            out.back().detail = number(tally.slots) + " slots";
        }
        return out;
    }
};

}  // namespace

const Setting& pci_slots() {
    static const Slots setting;
    return setting;
}

}  // namespace rocenv
