// SPDX-License-Identifier: MIT
// rdma.errors: the errors of each training port since its NIC was reset, or since an earlier
// report, up to the expected number. Counters are read and never reset. link_downed is 1 after the
// first boot. Counters of the port's management agent stop at their maximum (linux
// drivers/infiniband/core/sysfs.c PORT_PMA_ATTR, 6.12): 255 is "255 or more". A driver without such
// a counter has no file, or reports "N/A (no PMA)". A port that lacks a file of other ports of its
// kind is unknown. Retries are normal in use; they are reported and never judged. Reads query the
// NIC; hw_counters are cached for 10 ms.
#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>

#include "os/redact/redact_words.h"
#include "settings/rdma/inventory.h"
#include "util/text.h"

namespace rocenv {

namespace {

enum class Weight {
    critical,  // fatal for the connection
    error,     // fault of a cable, optics or a job
    retry,     // repaired by a retry
};

struct Counter {
    const char* folder;
    const char* name;
    Weight weight = Weight::error;
    std::uint64_t highest = 0;  // value where it stops; 0: unlimited
    std::uint64_t usual = 0;    // value without a fault
};

constexpr Counter port_counters[] = {
#include "facts/port_counters.inc"
};

constexpr Grade port_grades[] = {{"counted", Level::info,
                                  "The NIC counts since its reset, so the errors may be old or "
                                  "come from the cable; only growth shows a fault"}};

// The counters of one port.
struct PortCounts {
    std::string kind;               // ports of one kind have the same counters
    std::set<std::string> offered;  // names with a file
    Counters counters;
    std::optional<Error> unread;
};

void read_counter(const Fs& fs, const std::string& folder, const Counter& counter,
                  PortCounts& out) {
    const std::string path = folder + "/" + counter.folder + "/" + counter.name;
    const auto text = fs.read(path);
    if (text.is(ErrorKind::not_here)) {
        return;
    }
    out.offered.insert(counter.name);
    const auto value = text ? parse_number(trim(*text)) : std::nullopt;
    if (value) {
        out.counters[counter.name] = *value;
    } else if (!text || !trim(*text).starts_with("N/A")) {
        const auto error =
            text ? garbled(path, "is not a valid number: " + quoted_value(trim(*text)))
                 : text.error();
        out.unread = out.unread ? out.unread : std::optional(error);
    }
}

PortCounts read_port(const Machine& machine, const RdmaPort& port) {
    PortCounts out{
        .kind = kind_of_nic(machine, port.bdf), .offered = {}, .counters = {}, .unread = {}};
    for (const auto& counter : port_counters) {
        read_counter(machine.fs(), port.folder, counter, out);
    }
    return out;
}

// The reportable counters of a port.
struct PortSummary {
    std::uint64_t most = 0;
    bool or_more = false;  // true if the highest counter has stopped
    bool critical = false;
    std::vector<std::string> errors;
    std::vector<std::string> retries;
};

void raise_most(PortSummary& out, std::uint64_t value, bool stopped) {
    if (value >= out.most) {
        out.or_more = stopped || (out.or_more && value == out.most);
        out.most = value;
    }
}

// Adds a counter. One that has stopped has no known growth or usual part. One beyond its maximum is
// wider than the port's management agent defines.
void add_count(const Counter& counter, std::uint64_t now, const Growth& growth, std::uint64_t limit,
               PortSummary& out) {
    const bool stopped = counter.highest != 0 && now == counter.highest;
    const std::uint64_t value = stopped ? now : growth.counts.at(counter.name);
    const std::uint64_t usual = stopped || growth.whole ? counter.usual : 0;
    const std::string text =
        std::string(counter.name) + " " + number(value) + (stopped ? " or more" : "");
    if (counter.weight == Weight::retry) {
        if (value > 0) {
            out.retries.push_back(text);
        }
        return;
    }
    raise_most(out, stopped ? value : value - std::min(value, usual), stopped);
    if (value > limit + usual) {
        out.critical = out.critical || counter.weight == Weight::critical;
        out.errors.push_back(text);
    }
}

PortSummary summary_of(const PortCounts& port, const Growth& growth, std::uint64_t limit) {
    PortSummary out;
    for (const auto& counter : port_counters) {
        if (const auto now = port.counters.find(counter.name); now != port.counters.end()) {
            add_count(counter, now->second, growth, limit, out);
        }
    }
    return out;
}

std::string summary_detail(const PortSummary& summary, const PortCounts& port,
                           const Growth& growth) {
    std::vector<std::string> parts;
    for (const auto& part :
         {join(summary.errors, ", "),
          std::string(!summary.errors.empty() && port.unread
                          ? "some error counters could not be read"
                          : ""),
          summary.retries.empty() ? "" : "retries (normal in use): " + join(summary.retries, ", "),
          growth.note}) {
        if (!part.empty()) {
            parts.push_back(part);
        }
    }
    return join(parts, "; ");
}

// Names of all ports of a kind, by kind.
using Offered = std::map<std::string, std::set<std::string>>;

// Returns the counters that other ports of its kind have and this port lacks.
std::vector<std::string> lacking(const PortCounts& port, const Offered& offered) {
    std::vector<std::string> out;
    const auto& all = offered.at(port.kind);
    std::set_difference(all.begin(), all.end(), port.offered.begin(), port.offered.end(),
                        std::back_inserter(out));
    return out;
}

Assessment without_errors(const PortCounts& port, const Offered& offered,
                          const std::string& expected, Assessment row) {
    if (port.unread) {
        return unreadable({}, *port.unread, expected);
    }
    if (const auto missing = lacking(port, offered); !missing.empty()) {
        Assessment out;
        out.expected = expected;
        out.detail = "this port does not report counters that other ports of its kind report: " +
                     join(missing, ", ");
        out.next_step = "sudo dmesg | grep -e bnxt -e mlx5 -e ionic; rdma statistic show";
        return out;
    }
    return port.counters.empty() ? no_target("the driver provides none of these counters")
                                 : std::move(row);
}

Assessment judge_errors(const PortCounts& port, const Offered& offered, const Growth& growth,
                        std::uint64_t limit) {
    const auto summary = summary_of(port, growth, limit);
    auto row =
        compared({}, number(limit), number(summary.most) + (summary.or_more ? " or more" : ""));
    row.outcome = summary.errors.empty() ? Outcome::ok : Outcome::differs;
    row.detail = summary_detail(summary, port, growth);
    row.remark = !growth.note.empty();
    if (summary.errors.empty()) {
        row = without_errors(port, offered, number(limit), std::move(row));
    } else if (!summary.critical && !port.unread) {
        row.grade = &port_grades[0];
    }
    row.counters = port.counters;
    return row;
}

std::vector<Assessment> assess_errors(const Setting&, const Context& context,
                                      const Expectation& expectation) {
    const auto limit = static_cast<std::uint64_t>(*expectation.value.integer());
    const auto training = training_ports(context);
    std::map<std::string, PortCounts> ports;  // by name
    Offered offered;
    for (const auto& port : training.ports) {
        auto counts = read_port(context.machine, port);
        offered[counts.kind].insert(counts.offered.begin(), counts.offered.end());
        ports.emplace(port.name(), std::move(counts));
    }
    return judge_ports(training, number(limit), [&](const RdmaPort& port) {
        const auto& counts = ports.at(port.name());
        const auto growth = context.grown(training.target_of(port).text(), counts.counters);
        return judge_errors(counts, offered, growth, limit);
    });
}

// Returns 0: errors are not a value to expect.
std::optional<std::vector<Value>> learn_errors(const Setting&, const Context&) {
    return std::vector{Value{std::int64_t{0}, {}}};
}

}  // namespace

const Setting& rdma_errors() {
    static const Setting setting{
        .info =
            {
                .id = "rdma.errors",
                .summary = "Errors that each RDMA port counted since its NIC was reset",
                .why = "A flapping cable or optics causes retries first and ends a job later",
                .source = "amd/node-scraper nodescraper/plugins/inband/rdma, 2026-07; linux "
                          "drivers/infiniband/core/sysfs.c, 6.12",
                .target = "PCI function",
                .read_from = "/sys/class/infiniband/*/ports/*/{counters,hw_counters}/*",
                .set_by = "",
                .next_step = "rdma statistic show; if a count grows, check the cable, the optics "
                             "and the switch port",
                .persist = "",
                .risk_note = "",
                .only_when_named = true,
                .over_cluster = OverCluster::own,
                .forms = {{.kind = FormKind::integer, .lowest = 0, .highest = 1000000000}},
                .grades = port_grades,
            },
        .assess = assess_errors,
        .learn = learn_errors,
    };
    return setting;
}

}  // namespace rocenv
