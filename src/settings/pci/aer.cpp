// SPDX-License-Identifier: MIT
// pci.aer: errors that each function of a GPU's or NIC's way to the root has reported since boot
// (linux drivers/pci/pcie/aer.c). An endpoint may count none while its port counts, so both ends of
// every link are looked at. The value is how many correctable link errors are let pass; "fatal"
// looks at fatal errors alone, which is a third of the files. Absent: a kernel before 4.19, no AER
// capability, or firmware that handles it.
#include "settings/shapes/path_functions.h"
#include "util/text.h"

namespace rocenv {

namespace {

constexpr Grade grades[] = {
    {"nonfatal", Level::recommended, "the transaction was lost, and the link went on"},
    {"correctable", Level::recommended, "the link repaired itself, many times"},
    {"few", Level::info, "the link repaired itself, a few times since boot"},
};
constexpr const Grade* nonfatal_grade = &grades[0];
constexpr const Grade* correctable_grade = &grades[1];
constexpr const Grade* few_grade = &grades[2];

struct Sum {
    std::uint64_t count = 0;
    std::string text;  // "RxErr 5120 BadTLP 833"
};

constexpr std::pair<AerSeverity, std::string_view> severities[] = {
    {AerSeverity::fatal, "fatal "},
    {AerSeverity::nonfatal, "nonfatal "},
    {AerSeverity::correctable, "correctable "}};
// What a root port was told of from below, by a device that may be gone by now.
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

// Unsupported requests come of probing, and an advisory error was counted where it happened. Names
// that count nothing are kept only to be compared with.
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

// What is counted, or of that what came since an earlier report.
Errors errors_of(const Growth& growth) {
    Errors out{sum_of(growth.counts, "fatal "), sum_of(growth.counts, "nonfatal "),
               sum_of(growth.counts, "correctable ")};
    const auto found = growth.counts.find(std::string(messages_below));
    if (found != growth.counts.end() && found->second > 0 && out.fatal.count == 0) {
        out.fatal = {found->second, number(found->second) + " reported from below"};
    }
    return out;
}

void tell(std::vector<std::string>& parts, const char* kind, const Sum& sum) {
    if (sum.count > 0) {
        parts.push_back(std::string(kind) + " " + sum.text);
    }
}

Assessment differs(const Errors& errors, const std::string& want, const Grade* grade) {
    std::vector<std::string> parts;
    tell(parts, "fatal", errors.fatal);
    tell(parts, "nonfatal", errors.nonfatal);
    tell(parts, "correctable", errors.correctable);
    auto row = compared({}, want, join(parts, ", "));
    row.grade = grade;
    return row;
}

Result<std::optional<Assessment>> judged(const Read& read, const Errors& errors, const Want& want) {
    const bool only_fatal = want.value.text() != nullptr;
    const auto most = only_fatal ? 0 : static_cast<std::uint64_t>(*want.value.integer());
    const std::string wanted =
        only_fatal ? "no fatal ones" : "at most " + number(most) + " correctable";
    if (errors.fatal.count > 0) {
        return std::optional(differs(errors, wanted, nullptr));
    }
    if (errors.nonfatal.count > 0) {
        return std::optional(differs(errors, wanted, nonfatal_grade));
    }
    if (read.unread) {
        return *read.unread;
    }
    if (errors.correctable.count > 0) {
        const bool many = errors.correctable.count > most;
        return std::optional(differs(errors, wanted, many ? correctable_grade : few_grade));
    }
    return read.counted ? std::optional(compared({}, "0", "0")) : std::nullopt;
}

Result<std::optional<Assessment>> judge(const Context& context, const PathFunction& function,
                                        const Want& want) {
    const bool only_fatal = want.value.text() != nullptr;
    Read read = read_counters(*function.reader, only_fatal, context.since != nullptr);
    add_messages(function, read);
    const Growth growth = context.grown(function.bdf, read.counters);
    auto row = judged(read, errors_of(growth), want);
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
        .none = "no function on the way counts errors (no AER, or the firmware handles it)",
        .judge = judge};
    static const auto setting = path_setting(
        {
            .id = "pci.aer",
            .summary = "Errors on the links of GPUs and RDMA NICs since boot",
            .why = "A bad cable, retimer or contact shows here long before the link goes down",
            .source = "ROCm/cvs cvs/lib/verify_lib.py, 2026-08 (100 link recoveries); linux "
                      "drivers/pci/pcie/aer.c, 6.12",
            .target = "PCI function",
            .read_from = "/sys/bus/pci/devices/*/{aer_dev_{correctable,nonfatal,fatal},"
                         "aer_rootport_total_err_fatal}",
            .set_by = "",
            .next_step = "sudo dmesg | grep -i aer; then reseat the card or cable",
            .persist = "counted since boot",
            .risk_note = "",
            .over_cluster = OverCluster::own,
            .forms = {{.kind = FormKind::word, .words = {"fatal"}},
                      {.kind = FormKind::integer, .lowest = 0, .highest = INT64_MAX}},
            .grades = grades,
        },
        facts);
    return setting;
}

}  // namespace rocenv
