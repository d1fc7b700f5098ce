// SPDX-License-Identifier: MIT
// Errors that PCI functions counted or stored: pci.aer, pci.aer_status, pci.device_status,
// pci.lane_errors and pci.dpc.
#include "settings/shapes/devices.h"
#include "util/text.h"

namespace rocenv {

// pci.aer: errors that each function between a GPU or NIC and the root has reported since boot
// (linux drivers/pci/pcie/aer.c). An endpoint may count none while its port counts, so both ends of
// every link are checked. The value is the accepted number of correctable link errors. "fatal"
// checks only fatal errors, a third of the files. The files are missing on kernels before 4.19,
// without AER capability, or if the firmware handles AER.

namespace {

constexpr Grade aer_grades[] = {
    {"nonfatal", Level::recommended, "The link lost the transaction but stayed up"},
    {"correctable", Level::recommended, "The link corrected many errors itself"},
    {"few", Level::info, "The link corrected a few errors itself since boot"},
};
constexpr const Grade* nonfatal_grade = &aer_grades[0];
constexpr const Grade* correctable_grade = &aer_grades[1];
constexpr const Grade* few_grade = &aer_grades[2];

struct Sum {
    std::uint64_t count = 0;
    std::string text;  // "RxErr 5120 BadTLP 833"
};

constexpr std::pair<AerSeverity, std::string_view> severities[] = {
    {AerSeverity::fatal, "fatal "},
    {AerSeverity::nonfatal, "nonfatal "},
    {AerSeverity::correctable, "correctable "}};
// Errors reported to a root port by a device below that may be gone by now.
constexpr std::string_view messages_below = "messages from below";

struct Errors {
    Sum fatal;
    Sum nonfatal;
    Sum correctable;
};

struct Read {
    Counters counters;  // "fatal CmpltTO"
    std::optional<Error> unread;
    bool counted = false;
};

// Adds the counters. Unsupported requests are caused by probing, and an advisory error was counted
// at its origin. Names with a zero count are kept only for comparison.
void add_counters(const std::vector<AerCounter>& counters, AerSeverity severity,
                  std::string_view kind, bool with_zeros, Counters& into) {
    for (const auto& counter : counters) {
        const bool harmless =
            (severity == AerSeverity::nonfatal && counter.name == "UnsupReq") ||
            (severity == AerSeverity::correctable && counter.name == "NonFatalErr");
        if (!harmless && (counter.count > 0 || with_zeros)) {
            into[std::string(kind) + printable(counter.name, 40)] += counter.count;
        }
    }
}

Read read_counters(const PciReader& reader, bool only_fatal, bool with_zeros) {
    Read out;
    for (const auto& [severity, kind] : severities) {
        if (only_fatal && severity != AerSeverity::fatal) {
            break;
        }
        const auto& counters = reader.aer(severity);
        if (counters) {
            add_counters(*counters, severity, kind, with_zeros, out.counters);
            out.counted = true;
        } else if (!counters.is(ErrorKind::not_here)) {
            out.unread = counters.error();
        }
    }
    return out;
}

void add_messages(const PathFunction& function, Read& into) {
    if (function.end || !function.above.empty()) {
        return;
    }
    const auto messages = function.reader->fatal_messages();
    if (messages) {
        into.counters[std::string(messages_below)] = *messages;
    } else if (!messages.is(ErrorKind::not_here)) {
        into.unread = messages.error();
    }
}

Sum sum_of(const Counters& counters, std::string_view kind) {
    Sum out;
    for (const auto& [name, count] : counters) {
        if (name.starts_with(kind) && count > 0) {
            out.count += count;
            out.text +=
                (out.text.empty() ? "" : " ") + name.substr(kind.size()) + " " + number(count);
        }
    }
    return out;
}

// Returns the present counts, or their growth since an earlier report.
Errors errors_of(const Growth& growth) {
    Errors out{sum_of(growth.counts, "fatal "), sum_of(growth.counts, "nonfatal "),
               sum_of(growth.counts, "correctable ")};
    const auto found = growth.counts.find(std::string(messages_below));
    if (found != growth.counts.end() && found->second > 0 && out.fatal.count == 0) {
        out.fatal = {found->second, number(found->second) + " reported from below"};
    }
    return out;
}

void add_part(std::vector<std::string>& parts, const char* kind, const Sum& sum) {
    if (sum.count > 0) {
        parts.push_back(std::string(kind) + " " + sum.text);
    }
}

Assessment differs(const Errors& errors, const std::string& expected, const Grade* grade) {
    std::vector<std::string> parts;
    add_part(parts, "fatal", errors.fatal);
    add_part(parts, "nonfatal", errors.nonfatal);
    add_part(parts, "correctable", errors.correctable);
    auto row = compared({}, expected, join(parts, ", "));
    row.grade = grade;
    return row;
}

Result<std::optional<Assessment>> judged(const Read& read, const Errors& errors,
                                         const Expectation& expectation) {
    const bool only_fatal = expectation.value.text() != nullptr;
    const auto most = only_fatal ? 0 : static_cast<std::uint64_t>(*expectation.value.integer());
    const std::string expected =
        only_fatal ? "no fatal ones" : "at most " + number(most) + " correctable";
    if (errors.fatal.count > 0) {
        return std::optional(differs(errors, expected, nullptr));
    }
    if (errors.nonfatal.count > 0) {
        return std::optional(differs(errors, expected, nonfatal_grade));
    }
    if (read.unread) {
        return *read.unread;
    }
    if (errors.correctable.count > 0) {
        const bool many = errors.correctable.count > most;
        return std::optional(differs(errors, expected, many ? correctable_grade : few_grade));
    }
    return read.counted ? std::optional(compared({}, "0", "0")) : std::nullopt;
}

Result<std::optional<Assessment>> judge_aer(const Context& context, const PathFunction& function,
                                            const Expectation& expectation) {
    const bool only_fatal = expectation.value.text() != nullptr;
    Read read = read_counters(*function.reader, only_fatal, context.since != nullptr);
    add_messages(function, read);
    const Growth growth = context.grown(function.bdf, read.counters);
    auto row = judged(read, errors_of(growth), expectation);
    if (row && *row) {
        (*row)->detail = growth.note;
        (*row)->remark = !growth.note.empty();
        (*row)->counters = std::move(read.counters);
    }
    return row;
}

}  // namespace

const Setting& pci_aer() {
    static constexpr PathFacts facts{
        .none = "no function on the path counts errors (it has no AER, or the firmware handles it)",
        .judge = judge_aer};
    static const auto setting = path_setting(
        {
            .id = "pci.aer",
            .summary = "Errors on the links of GPUs and RDMA NICs since boot",
            .why = "A bad cable, retimer or contact causes link errors long before the link fails "
                   "and the job with it",
            .source = "ROCm/cvs cvs/lib/verify_lib.py, 2026-08 (100 link recoveries); linux "
                      "drivers/pci/pcie/aer.c, 6.12",
            .target = "PCI function",
            .read_from = "/sys/bus/pci/devices/*/{aer_dev_{correctable,nonfatal,fatal},"
                         "aer_rootport_total_err_fatal}",
            .set_by = "",
            .next_step = "sudo dmesg | grep -i aer; if the count grows, reseat the card or cable",
            .persist = "counted since boot",
            .risk_note = "",
            .over_cluster = OverCluster::own,
            .forms = {{.kind = FormKind::word, .words = {"fatal"}},
                      {.kind = FormKind::integer, .lowest = 0, .highest = INT64_MAX}},
            .grades = aer_grades,
        },
        facts);
    return setting;
}

// pci.aer_status: errors that a function has stored and that were not cleared (AER, extended
// capability 0x0001: +4 status, +8 mask, +0xc severity; linux include/uapi/linux/pci_regs.h). It
// covers firmware that handles AER, where the kernel counts no errors. Unsupported requests are
// caused by probing.

namespace {

Result<std::optional<Assessment>> judge_aer_status(const Context&, const PathFunction& function,
                                                   const Expectation&) {
    constexpr std::uint32_t unsupported_request = 1U << 20;
    const PciConfig& config = function.reader->config();
    const auto capability = config.extended_capability(0x0001);
    if (!capability) {
        return capability.error();
    }
    if (!*capability) {
        return std::optional<Assessment>();
    }
    const auto at = [&](unsigned offset) {
        return static_cast<std::uint16_t>(**capability + offset);
    };
    const auto status = config.word(at(4));
    const auto mask = status ? config.raw_word(at(8)) : status;
    const auto severity = mask ? config.raw_word(at(12)) : mask;
    if (!severity) {
        return severity.error();
    }
    const std::uint32_t latched = *status & ~*mask & ~unsupported_request;
    auto row = compared({}, "clear", latched == 0 ? "clear" : hex(latched, 8));
    if (latched != 0) {
        row.detail = (latched & *severity) != 0 ? "a fatal error is latched"
                                                : "an uncorrectable error is latched";
    }
    return std::optional(row);
}

}  // namespace

const Setting& pci_aer_status() {
    static constexpr PathFacts facts{.none = "no function on the path has the AER capability",
                                     .judge = judge_aer_status};
    static const auto setting = path_setting(
        {
            .id = "pci.aer_status",
            .summary = "Whether errors are latched in GPUs, RDMA NICs and the bridges above them",
            .why = "A latched fatal error ended a transfer; if the firmware handles errors, no "
                   "other file reports it",
            .source = "amd/node-scraper nodescraper/plugins/inband/pcie, 2026-07; linux "
                      "include/uapi/linux/pci_regs.h, 6.12",
            .target = "PCI function",
            .read_from = "/sys/bus/pci/devices/*/config (extended capability 0x0001)",
            .set_by = "",
            .next_step = "sudo lspci -vvv -s BDF | grep -e UESta -e CESta; if the error comes "
                         "back, reseat the card or cable",
            .persist = "latched until it is cleared or the power is lost",
            .risk_note = "",
            .over_cluster = OverCluster::own,
            .forms = {{.kind = FormKind::word, .words = {"clear"}}},

        },
        facts);
    return setting;
}

// pci.device_status: errors in the PCI Express capability of a function (+0x0a: bit 0 correctable,
// 1 non-fatal, 2 fatal, 3 unsupported request; linux include/uapi/linux/pci_regs.h PCI_EXP_DEVSTA).
// Unsupported requests and correctable errors are common after probing.

namespace {

constexpr Grade device_status_grades[] = {
    {"non-fatal", Level::recommended, "The link lost the transaction but stayed up"},
};

Result<std::optional<Assessment>> judge_device_status(const Context&, const PathFunction& function,
                                                      const Expectation&) {
    constexpr std::uint16_t nonfatal = 2;
    constexpr std::uint16_t fatal = 4;
    const auto status = function.reader->config().express_register(0x0a);
    if (!status) {
        return status.error();
    }
    if (!*status) {
        return std::optional<Assessment>();
    }
    auto row = compared({}, "no-fatal", "no-fatal");
    if ((**status & (fatal | nonfatal)) != 0) {
        row = compared({}, "no-fatal", hex(**status, 4));
        row.detail = (**status & fatal) != 0 ? "the device recorded a fatal error"
                                             : "the device recorded a non-fatal error";
        row.grade = (**status & fatal) != 0 ? nullptr : &device_status_grades[0];
    }
    return std::optional(row);
}

}  // namespace

const Setting& pci_device_status() {
    static constexpr PathFacts facts{.none = "no function on the path is a PCI Express device",
                                     .judge = judge_device_status};
    static const auto setting = path_setting(
        {
            .id = "pci.device_status",
            .summary = "Whether GPUs, RDMA NICs or the bridges above them recorded a fatal error",
            .why =
                "A fatal link error ends transfers of the job, and the node fails AMD's acceptance",
            .source = "ROCm/system-acceptance-docs docs/common/health-checks.md, 2026-07; linux "
                      "include/uapi/linux/pci_regs.h, 6.12",
            .target = "PCI function",
            .read_from = "/sys/bus/pci/devices/*/config (capability 0x10)",
            .set_by = "",
            .next_step = "sudo lspci -vvv -s BDF | grep DevSta; sudo dmesg | grep -i aer; if the "
                         "error comes back, reseat the card or cable",
            .persist = "recorded until it is cleared or the power is lost",
            .risk_note = "",
            .over_cluster = OverCluster::own,
            .forms = {{.kind = FormKind::word, .words = {"no-fatal"}}},
            .grades = device_status_grades,
        },
        facts);
    return setting;
}

// pci.lane_errors: lanes that had an error since they were trained (extended capability 0x0019, +8
// a bit a lane; linux include/uapi/linux/pci_regs.h PCI_EXT_CAP_ID_SECPCI).

namespace {

Result<std::optional<Assessment>> judge_lane_errors(const Context&, const PathFunction& function,
                                                    const Expectation&) {
    const auto lanes = function.reader->config().extended_register(0x0019, 8);
    if (!lanes) {
        return lanes.error();
    }
    if (!*lanes) {
        return std::optional<Assessment>();
    }
    return std::optional(compared({}, "0", **lanes == 0 ? "0" : "lanes " + hex(**lanes, 4)));
}

}  // namespace

const Setting& pci_lane_errors() {
    static constexpr PathFacts facts{.none = "no function on the path reports errors by lane",
                                     .judge = judge_lane_errors};
    static const auto setting = path_setting(
        {
            .id = "pci.lane_errors",
            .summary = "Lanes of the links of GPUs and RDMA NICs that had an error",
            .why = "A bad lane leaves the link up but causes retries and slows transfers",
            .source = "amd/node-scraper nodescraper/plugins/inband/pcie, 2026-07; linux "
                      "include/uapi/linux/pci_regs.h, 6.12",
            .target = "PCI function",
            .read_from = "/sys/bus/pci/devices/*/config (extended capability 0x0019)",
            .set_by = "",
            .next_step = "sudo lspci -vvv -s BDF | grep LaneErrStat; if pci.aer also counts "
                         "errors, reseat the card or cable",
            .persist = "recorded since the link was trained",
            .risk_note = "",
            .over_cluster = OverCluster::own,
            .forms = {{.kind = FormKind::integer, .lowest = 0, .highest = 0}},

        },
        facts);
    return setting;
}

// pci.dpc: downstream port containment has disabled a port (extended capability 0x001d, +8 bit 0;
// linux include/uapi/linux/pci_regs.h PCI_EXP_DPC_STATUS_TRIGGER).

namespace {

Result<std::optional<Assessment>> judge_dpc(const Context&, const PathFunction& function,
                                            const Expectation&) {
    const auto status = function.reader->config().extended_register(0x001d, 8);
    if (!status) {
        return status.error();
    }
    if (!*status) {
        return std::optional<Assessment>();
    }
    const bool triggered = (**status & 1) != 0;
    auto row = compared({}, "clear", triggered ? "triggered" : "clear");
    row.detail = triggered ? "the port reports reason " + number(**status >> 1 & 3) : "";
    return std::optional(row);
}

}  // namespace

const Setting& pci_dpc() {
    static constexpr PathFacts facts{.none = "no port on the path has downstream port containment",
                                     .judge = judge_dpc};
    static const auto setting = path_setting(
        {
            .id = "pci.dpc",
            .summary = "Whether a port above a GPU or RDMA NIC was disabled to contain an error",
            .why = "A disabled port cuts off every device below it until the port is restored",
            .source = "amd/node-scraper nodescraper/plugins/inband/dmesg, 2026-07; linux "
                      "drivers/pci/pcie/dpc.c, 6.12",
            .target = "PCI function",
            .read_from = "/sys/bus/pci/devices/*/config (extended capability 0x001d)",
            .set_by = "",
            .next_step =
                "sudo dmesg | grep -i dpc; if the port stays disabled, reseat the card or reboot",
            .persist = "until the port is enabled again",
            .risk_note = "",
            .over_cluster = OverCluster::own,
            .forms = {{.kind = FormKind::word, .words = {"clear"}}},

        },
        facts);
    return setting;
}

}  // namespace rocenv
