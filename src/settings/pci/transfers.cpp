// SPDX-License-Identifier: MIT
// Use of the links of GPUs and RDMA NICs: pci.max_payload, pci.max_read_request, pci.tags,
// pci.relaxed_ordering and pci.aspm.
#include <algorithm>
#include <functional>
#include <string>

#include "machine/pci/pci.h"
#include "machine/pci/pcie_path.h"
#include "settings/shapes/devices.h"
#include "util/text.h"

namespace rocenv {

namespace {

// One value of each GPU and RDMA NIC; devices of one PCI id are compared.

// Reads the value of one device; not_here: it has none.
using ReadEnd = std::function<Result<std::string>(const Machine& machine, const std::string& bdf)>;

LikeDevices end_values(const Context& context, const ReadEnd& read) {
    const auto ends = path_ends(context.machine);
    LikeDevices out{
        .values = {}, .uncertain = ends.uncertain, .why_none = "no GPU and no RDMA NIC is on PCI"};
    for (const auto& bdf : ends.functions) {
        const auto function = context.machine.function(bdf);
        out.values.push_back({.device = bdf,
                              .kind = hex(function.vendor << 16 | function.device, 8),
                              .value = read(context.machine, bdf),
                              .left_out = context.leaves_out(bdf)});
    }
    return out;
}

// Reads a register. A missing file does not mean a missing capability.
Result<std::uint16_t> express_register(const Machine& machine, const std::string& bdf,
                                       std::uint16_t offset) {
    if (const auto sleeping = machine.asleep(bdf)) {
        return *sleeping;
    }
    const auto value = machine.reader_of(bdf).config().express_register(offset);
    if (!value) {
        Error error = value.error();
        error.kind = error.kind == ErrorKind::not_here ? ErrorKind::io : error.kind;
        return error;
    }
    return *value ? Result(**value)
                  : Error{ErrorKind::not_here, 0, "", "the device has no PCI Express capability"};
}

// Returns true if the control words are valid: those of a virtual function are reserved, and its
// physical function has them.
bool has_own_controls(const Machine& machine, const std::string& bdf) {
    return !exists(machine.fs(), pci_path(bdf, "/physfn"));
}

}  // namespace

// pci.max_payload: the maximum packet of each part of the path (capability 0x10, device control +8
// bits 7:5: 128 << n; linux include/uapi/linux/pci_regs.h PCI_EXP_DEVCTL_PAYLOAD). If a part sends
// larger packets than the port above accepts, these are rejected as malformed. The BIOS selects the
// size. If all parts use the minimum although they could carry more, the finding has level info.

namespace {

// Returns the payload; std::nullopt if the function is not PCI Express.
Result<std::optional<std::uint64_t>> payload_of(const PciConfig& config) {
    const auto control = config.express_register(8);
    if (!control) {
        return control.error();
    }
    if (!*control) {
        return std::optional<std::uint64_t>();
    }
    return std::optional(std::uint64_t{128} << (**control >> 5 & 7));
}

Result<std::optional<Assessment>> judge_max_payload(const Context& context,
                                                    const PathFunction& function,
                                                    const Expectation& expectation) {
    const auto own = payload_of(function.reader->config());
    if (!own) {
        return own.error();
    }
    if (!*own) {
        return std::optional<Assessment>();
    }
    if (expectation.value.integer() != nullptr && function.end) {
        return std::optional(compared({}, plain_text(expectation.value), number(**own)));
    }
    const auto above = function.above.empty()
                           ? own
                           : payload_of(context.machine.reader_of(function.above).config());
    if (!above) {
        return above.error();
    }
    auto row = compared({}, "at most " + number(above->value_or(**own)), number(**own));
    row.outcome = **own <= above->value_or(**own) ? Outcome::ok : Outcome::differs;
    row.detail =
        function.above + " above the device accepts at most " + number(above->value_or(**own));
    return std::optional(row);
}

constexpr Grade payload_grades[] = {
    {"policy", Level::info,
     "The BIOS chooses the size, and AMD's guide names one only as an example"},
};

constexpr std::uint64_t least_payload = 128;  // value of a function after a reset

// Returns the maximum packet that a device and all bridges above it can carry (device capabilities
// +4 bits 2:0); std::nullopt if one of them does not respond, or is not PCI Express.
std::optional<std::uint64_t> possible_payload(const Machine& machine, const std::string& bdf) {
    const auto above = machine.bridges_above(bdf);
    if (!above) {
        return std::nullopt;
    }
    std::vector<std::string> parts = *above;
    parts.push_back(bdf);
    std::uint64_t least = UINT64_MAX;
    for (const auto& part : parts) {
        const auto can = express_register(machine, part, 4);
        if (!can) {
            return std::nullopt;
        }
        least = std::min(least, least_payload << (*can & 7));
    }
    return least;
}

// Returns one finding for all devices that use the minimum although they and the bridges above can
// carry more; std::nullopt if there is none.
std::optional<Assessment> judge_least_payload(const Context& context) {
    std::uint64_t possible = UINT64_MAX;
    std::vector<std::string> devices;
    for (const auto& bdf : path_ends(context.machine).functions) {
        const auto control = express_register(context.machine, bdf, 8);
        const bool least =
            control && (*control >> 5 & 7) == 0 && has_own_controls(context.machine, bdf);
        const auto most = least && !context.leaves_out(bdf) ? possible_payload(context.machine, bdf)
                                                            : std::nullopt;
        if (most.value_or(0) > least_payload) {
            possible = std::min(possible, *most);
            devices.push_back(bdf);
        }
    }
    if (devices.empty()) {
        return std::nullopt;
    }
    auto row = compared({}, number(possible), number(least_payload));
    row.grade = &payload_grades[0];
    row.detail = join(devices, ", ") + " and the ports above can send " + number(possible) +
                 " bytes in one packet, and smaller packets add overhead to every transfer";
    row.next_step = "set a larger PCIe payload size (Max Payload Size) in the BIOS";
    return row;
}

std::vector<Assessment> assess_max_payload(const Setting& setting, const Context& context,
                                           const Expectation& expectation) {
    auto rows = assess_paths(setting, context, expectation);
    const auto system = std::find_if(rows.begin(), rows.end(), [](const Assessment& row) {
        return row.target.text() == Target().text();
    });
    const bool fine = system == rows.end() || system->outcome == Outcome::ok;
    auto least = expectation.value.integer() == nullptr && fine ? judge_least_payload(context)
                                                                : std::nullopt;
    if (least && system != rows.end()) {
        *system = *std::move(least);
    } else if (least) {
        rows.push_back(*std::move(least));
    }
    return rows;
}

}  // namespace

const Setting& pci_max_payload() {
    static constexpr PathFacts facts{.none = "no function on the path is a PCI Express device",
                                     .judge = judge_max_payload};
    static const auto setting = [] {
        auto out = path_setting(
            {
                .id = "pci.max_payload",
                .summary = "Whether each GPU and RDMA NIC sends packets no larger than the port "
                           "above accepts",
                .why = "A port rejects a packet that is too large as malformed, and the link "
                       "reports a fatal error",
                .source = "amd/node-scraper nodescraper/plugins/inband/pcie, 2026-07; linux "
                          "drivers/pci/probe.c pci_configure_mps, 6.12",
                .target = "PCI function",
                .read_from = "/sys/bus/pci/devices/*/config (capability 0x10); /proc/cpuinfo where "
                             "one differs",
                .set_by = "",
                .next_step = "add pci=pcie_bus_safe to the kernel command line and reboot; if the "
                             "kernel should not decide, set the payload size in the BIOS",
                .persist = "decided by the BIOS and the kernel at boot",
                .risk_note = "",
                .host_decides = true,
                .over_cluster = OverCluster::equal,
                .forms = {{.kind = FormKind::word, .words = {"equal"}},
                          {.kind = FormKind::integer, .lowest = 128, .highest = 4096}},
                .grades = payload_grades,
            },
            facts);
        out.assess = assess_max_payload;
        return out;
    }();
    return setting;
}

// pci.max_read_request: the maximum read request of a GPU or RDMA NIC (capability 0x10, device
// control +8 bits 14:12: 128 << n; linux include/uapi/linux/pci_regs.h PCI_EXP_DEVCTL_READRQ).
// Drivers set it when they are loaded. Devices of one id are compared.

namespace {

Result<std::string> read_request(const Machine& machine, const std::string& bdf) {
    const auto control = express_register(machine, bdf, 8);
    return control ? Result(number(std::uint64_t{128} << (*control >> 12 & 7))) : control.error();
}

std::vector<Assessment> assess_max_read_request(const Setting&, const Context& context,
                                                const Expectation& expectation) {
    return judge_alike(end_values(context, read_request), plain_text(expectation.value),
                       {.absent = "the device is not a PCI Express device"});
}

}  // namespace

const Setting& pci_max_read_request() {
    static const Setting setting{
        .info =
            {
                .id = "pci.max_read_request",
                .summary = "Largest read request of each GPU and RDMA NIC",
                .why = "A NIC that reads GPU memory in small requests does not fill its link",
                .source =
                    "ROCm/gpu-cluster-networking docs/how-to/single-node-config.rst, 2024-10; "
                    "linux include/uapi/linux/pci_regs.h, 6.12",
                .target = "PCI function",
                .read_from = "/sys/bus/pci/devices/*/config (capability 0x10)",
                .set_by = "",
                .next_step = "reload the driver of the NIC; if the value comes back, set it with "
                             "the firmware tool of the NIC",
                .persist = "set by the driver when it is loaded",
                .risk_note = "",
                .over_cluster = OverCluster::equal,
                .forms = {{.kind = FormKind::word, .words = {"equal"}},
                          {.kind = FormKind::integer, .lowest = 128, .highest = 4096}},
            },
        .assess = assess_max_read_request,
    };
    return setting;
}

// pci.tags: the number of parallel reads of a GPU or RDMA NIC (capability 0x10: device control +8
// bit 8 eight-bit tags, device control 2 +0x28 bit 12 ten-bit tags; device capabilities 2 +0x24 bit
// 16 completer and bit 17 requester of ten-bit tags; linux include/uapi/linux/pci_regs.h). The BIOS
// sets it. "equal" compares devices of one id, and reports devices that agree on fewer bits than
// they and all bridges above support. "on" expects ten bits wherever possible.

namespace {

constexpr std::uint16_t tag_control = 0x08;
constexpr std::uint16_t abilities_high = 0x26;  // upper half of device capabilities 2
constexpr std::uint16_t control_2 = 0x28;
constexpr const char* ten_bit = "ten-bit";

Result<std::string> read_tags(const Machine& machine, const std::string& bdf) {
    const auto first = express_register(machine, bdf, tag_control);
    const auto second = express_register(machine, bdf, control_2);
    if (!first || !second) {
        return first ? second.error() : first.error();
    }
    return std::string((*second >> 12 & 1) != 0 ? ten_bit
                       : (*first >> 8 & 1) != 0 ? "eight-bit"
                                                : "five-bit");
}

// Returns true if the device can request with ten bits and all bridges above support it.
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

// Accepts a device without the ability.
void judge_ability(const Machine& machine, Assessment& row) {
    const auto able = row.outcome == Outcome::differs ? is_able(machine, row.target.base) : true;
    if (!able) {
        auto unread = unreadable(row.target, able.error(), row.expected);
        row = std::move(unread);
    } else if (!*able) {
        row.outcome = Outcome::na;
        row.detail = "the device or a bridge above it has no ten-bit tags";
    }
}

Keeping keeping_of_tags(const Setting&, const Expectation&) {
    return {.firmware = "PCIe Ten Bit Tag Support"};
}

// Compares devices that agree with their peers with the abilities of the path: one finding for all
// that could use ten bits and do not.
void judge_unused(const Machine& machine, std::vector<Assessment>& rows) {
    std::vector<std::string> unused;
    std::string have;
    bool has_system = false;
    for (auto& row : rows) {
        has_system = has_system || row.target.text() == Target().text();
        const bool agrees = (row.outcome == Outcome::ok || row.outcome == Outcome::na) &&
                            has_own_controls(machine, row.target.base);
        const auto tags = agrees && is_pci_address(row.target.base)
                              ? read_tags(machine, row.target.base)
                              : Result(std::string(ten_bit));
        const auto able = tags && *tags != ten_bit ? is_able(machine, row.target.base) : false;
        if (!able) {
            row = unreadable(row.target, able.error(), row.expected);
        } else if (*able) {
            unused.push_back(row.target.base);
            have = *tags;
        }
    }
    if (unused.empty() || has_system) {
        return;
    }
    auto row = compared({}, ten_bit, have);
    row.detail = join(unused, ", ") + " and all ports above can use ten-bit tags";
    rows.push_back(std::move(row));
}

std::vector<Assessment> assess_tags(const Setting&, const Context& context,
                                    const Expectation& expectation) {
    const bool on = *expectation.value.text() == "on";
    auto rows = judge_alike(end_values(context, read_tags), on ? ten_bit : "equal",
                            {.absent = "the device is not a PCI Express device"});
    for (auto& row : rows) {
        if (on) {
            judge_ability(context.machine, row);
        }
    }
    if (!on) {
        judge_unused(context.machine, rows);
    }
    return rows;
}

// Returns "equal": an option that is off on all is not a value to expect.
std::optional<std::vector<Value>> learn_tags(const Setting&, const Context&) {
    return {{Value{std::string("equal"), {}}}};
}

}  // namespace

const Setting& pci_tags() {
    static const Setting setting{
        .info =
            {
                .id = "pci.tags",
                .summary = "Number of reads that each GPU and RDMA NIC may have outstanding",
                .why = "With few tags, a fast link waits for answers and transfers slow down",
                .source =
                    "ROCm/system-acceptance-docs docs/common/bios-settings.md, 2026-07; linux "
                    "include/uapi/linux/pci_regs.h, 6.12",
                .target = "PCI function",
                .read_from = "/sys/bus/pci/devices/*/config (capability 0x10)",
                .set_by = "",
                .next_step = "enable ten-bit tags in the BIOS",
                .persist = "persistent (decided by the firmware at boot)",
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

// pci.relaxed_ordering: GPUs and RDMA NICs may send writes out of order (capability 0x10, +8 bit 4;
// linux include/uapi/linux/pci_regs.h PCI_EXP_DEVCTL_RELAX_EN).

namespace {

Result<std::optional<Assessment>> judge_relaxed_ordering(const Context&,
                                                         const PathFunction& function,
                                                         const Expectation&) {
    constexpr std::uint16_t enabled = 0x10;
    if (!function.end) {
        return std::optional<Assessment>();
    }
    const auto control = function.reader->config().express_register(8);
    if (!control) {
        return control.error();
    }
    if (!*control) {
        return std::optional<Assessment>();
    }
    return std::optional(compared({}, "on", (**control & enabled) != 0 ? "on" : "off"));
}

}  // namespace

const Setting& pci_relaxed_ordering() {
    static constexpr PathFacts facts{.none = "no GPU and no NIC is a PCI Express device",
                                     .judge = judge_relaxed_ordering};
    static const auto setting = path_setting(
        {
            .id = "pci.relaxed_ordering",
            .summary = "Whether GPUs and RDMA NICs may send writes out of order",
            .why =
                "Without relaxed ordering, the writes of a NIC into GPU memory wait for each other",
            .source = "ROCm/gpu-cluster-networking docs/how-to/single-node-config.rst, 2024-10; "
                      "linux include/uapi/linux/pci_regs.h, 6.12",
            .target = "PCI function",
            .read_from =
                "/sys/bus/pci/devices/*/config (capability 0x10); /proc/cpuinfo where one differs",
            .set_by = "",
            .next_step = "enable PCIe relaxed ordering in the BIOS and the NIC's firmware "
                         "(mlxconfig PCI_WR_ORDERING)",
            .persist = "decided by the BIOS and drivers at boot",
            .risk_note = "",
            .host_decides = true,
            .over_cluster = OverCluster::equal,
            .forms = {{.kind = FormKind::word, .words = {"on"}}},

        },
        facts);
    return setting;
}

// pci.aspm: power saving of the links of GPUs and RDMA NICs (capability 0x10, link control +0x10
// bits 1:0; linux include/uapi/linux/pci_regs.h PCI_EXP_LNKCTL_ASPMC).

namespace {

Result<std::optional<Assessment>> judge_aspm(const Context&, const PathFunction& function,
                                             const Expectation&) {
    constexpr std::uint16_t states = 3;
    const auto control = function.reader->config().express_register(0x10);
    if (!control) {
        return control.error();
    }
    if (!*control) {
        return std::optional<Assessment>();
    }
    constexpr const char* names[] = {"off", "L0s", "L1", "L0s and L1"};
    return std::optional(compared({}, "off", names[**control & states]));
}

}  // namespace

const Setting& pci_aspm() {
    static constexpr PathFacts facts{.none = "no function on the path is a PCI Express device",
                                     .judge = judge_aspm};
    static const auto setting = path_setting(
        {
            .id = "pci.aspm",
            .summary = "Whether links of GPUs and RDMA NICs may enter low-power states (ASPM)",
            .why =
                "A link in a low-power state delays the next transfer and looks like a slow link",
            .source = "ROCm/system-acceptance-docs docs/common/bios-settings.md, 2026-07; linux "
                      "drivers/pci/pcie/aspm.c, 6.12",
            .target = "PCI function",
            .read_from =
                "/sys/bus/pci/devices/*/config (capability 0x10); /proc/cpuinfo where one differs",
            .set_by = "",
            .next_step = "disable ASPM in the BIOS, or add pcie_aspm.policy=performance to the "
                         "kernel command line",
            .persist = "decided by the BIOS and the kernel at boot",
            .risk_note = "",
            .host_decides = true,
            .over_cluster = OverCluster::equal,
            .forms = {{.kind = FormKind::word, .words = {"off"}}},

        },
        facts);
    return setting;
}

}  // namespace rocenv
