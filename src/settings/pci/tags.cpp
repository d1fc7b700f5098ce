// SPDX-License-Identifier: MIT
// pci.tags: how many reads a GPU or RDMA NIC may have under way at once (capability 0x10: device
// control +8 bit 8 eight-bit tags, device control 2 +0x28 bit 12 ten-bit tags; device capabilities
// 2 +0x24 bit 16 completes and bit 17 requests with ten; linux include/uapi/linux/pci_regs.h).
// The BIOS sets it. "equal" compares devices of one id; "on" wants ten bits wherever the device and
// all bridges above it can.
#include <algorithm>

#include "settings/shapes/end_values.h"
#include "util/text.h"

namespace rocenv {

namespace {

constexpr std::uint16_t control = 0x08;
constexpr std::uint16_t abilities_high = 0x26;  // the upper half of device capabilities 2
constexpr std::uint16_t control_2 = 0x28;

Result<std::string> read_tags(const Machine& machine, const std::string& bdf) {
    const auto first = express_register(machine, bdf, control);
    const auto second = express_register(machine, bdf, control_2);
    if (!first || !second) {
        return first ? second.error() : first.error();
    }
    return std::string((*second >> 12 & 1) != 0 ? "ten-bit"
                       : (*first >> 8 & 1) != 0 ? "eight-bit"
                                                : "five-bit");
}

// Whether the device asks with ten bits where that is allowed, and all above it answer to such.
Result<bool> is_able(const Machine& machine, const std::string& bdf) {
    const auto own = express_register(machine, bdf, abilities_high);
    const auto above = machine.bridges_above(bdf);
    if (!own || !above) {
        return own ? above.error() : own.error();
    }
    bool able = (*own >> 1 & 1) != 0;
    for (const auto& bridge : *above) {
        const auto bits = express_register(machine, bridge, abilities_high);
        if (!bits && !bits.is(ErrorKind::not_here)) {
            return bits.error();
        }
        able = able && bits && (*bits & 1) != 0;
    }
    return able;
}

// A device that cannot has nothing to be wanted of it.
void judge_ability(const Machine& machine, Assessment& row) {
    const auto able = row.outcome == Outcome::differs ? is_able(machine, row.target.base) : true;
    if (!able) {
        auto unread = unreadable(row.target, able.error(), row.want);
        row = std::move(unread);
    } else if (!*able) {
        row.outcome = Outcome::na;
        row.detail = "it, or a bridge above it, has no ten-bit tags";
    }
}

Keeping keeping_of_tags(const Setting&, const Want&) {
    return {.firmware = "PCIe Ten Bit Tag Support"};
}

std::vector<Assessment> assess_tags(const Setting&, const Context& context, const Want& want) {
    const bool on = *want.value.text() == "on";
    auto rows = judge_alike(end_values(context, read_tags), on ? "ten-bit" : "equal",
                            {.absent = "it is not PCI Express"});
    for (auto& row : rows) {
        if (on) {
            judge_ability(context.machine, row);
        }
    }
    return rows;
}

// What is off on all of them is nothing to want.
std::optional<std::vector<Value>> learn_tags(const Setting&, const Context&) {
    return {{Value{std::string("equal"), {}}}};
}

}  // namespace

const Setting& pci_tags() {
    static const Setting setting{
        .info =
            {
                .id = "pci.tags",
                .summary = "How many reads each GPU and RDMA NIC may have under way",
                .why = "With few tags a fast link waits for answers instead of asking on",
                .source =
                    "ROCm/system-acceptance-docs docs/common/bios-settings.md, 2026-07; linux "
                    "include/uapi/linux/pci_regs.h, 6.12",
                .target = "PCI function",
                .read_from = "/sys/bus/pci/devices/*/config (capability 0x10)",
                .set_by = "",
                .next_step = "switch on ten-bit tags in the BIOS",
                .persist = "is persistent: decided by the firmware at boot",
                .risk_note = "",
                .after_reboot = true,
                .host_decides = true,
                .over_cluster = OverCluster::equal,
                .forms = {{.kind = FormKind::word, .words = {"equal", "on"}}},
            },
        .assess = assess_tags,
        .keeping = keeping_of_tags,
        .learn = learn_tags,
    };
    return setting;
}

}  // namespace rocenv
