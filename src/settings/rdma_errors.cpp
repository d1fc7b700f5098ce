// SPDX-License-Identifier: MIT
// rdma.errors: what each training port counted since its NIC was reset, up to the number that is
// wanted. Counters are read and never reset. link_downed counts 1 at the first boot. Those of the
// port's management agent stop at their highest value (linux drivers/infiniband/core/sysfs.c
// PORT_PMA_ATTR, 6.12): 255 is "255 or more". A driver without such a counter has no file, or says
// "N/A (no PMA)". Reading asks the NIC; hw_counters are kept for 10 ms.
#include <array>
#include <optional>

#include "settings/rdma_ports.h"
#include "util/text.h"

namespace rocenv {

namespace {

struct Counter {
    const char* folder;
    const char* name;
    std::uint64_t highest = 0;  // where it stops; 0: it does not
    std::uint64_t usual = 0;    // what it holds where nothing is wrong
    bool critical = false;
};

// The critical ones are of bnxt_re (amd/node-scraper nodescraper/plugins/inband/rdma, 2026-07).
constexpr std::array<Counter, 11> port_counters{{
    {"hw_counters", "unrecoverable_err", 0, 0, true},
    {"hw_counters", "res_tx_pci_err", 0, 0, true},
    {"hw_counters", "res_rx_pci_err", 0, 0, true},
    {"hw_counters", "res_mem_err", 0, 0, true},
    {"counters", "link_downed", 255, 1},
    {"counters", "link_error_recovery", 255},
    {"counters", "symbol_error", 65535},
    {"counters", "port_rcv_errors", 65535},
    {"counters", "local_link_integrity_errors", 15},
    {"counters", "port_xmit_discards", 65535},
    {"counters", "excessive_buffer_overrun_errors", 15},
}};

constexpr Grade port_grades[] = {
    {"counted", Level::info, "counted since the NIC was reset: old, or of a cable; growth tells"}};

// Nothing: the driver has no such counter.
Result<std::optional<std::uint64_t>> read_counter(const Fs& fs, const std::string& path) {
    const auto text = fs.read(path);
    if (!text) {
        return text.is(ErrorKind::not_here) ? Result<std::optional<std::uint64_t>>(std::nullopt)
                                            : text.error();
    }
    const auto value = parse_number(trim(*text));
    if (!value && trim(*text).starts_with("N/A")) {
        return std::optional<std::uint64_t>();
    }
    return value ? Result<std::optional<std::uint64_t>>(value)
                 : garbled(path, "is no number: \"" + printable(trim(*text), 40) + "\"");
}

struct Counted {
    std::size_t known = 0;
    std::uint64_t most = 0;
    bool critical = false;
    std::vector<std::string> told;
    std::optional<Error> unread;
};

void note(const Counter& counter, std::uint64_t value, std::uint64_t limit, Counted& out) {
    ++out.known;
    out.most = std::max(out.most, value - std::min(value, counter.usual));
    if (value > limit + counter.usual) {
        out.critical = out.critical || counter.critical;
        out.told.push_back(std::string(counter.name) + " " + number(value) +
                           (counter.highest != 0 && value >= counter.highest
                                ? " (its highest: there may have been more)"
                                : ""));
    }
}

Counted count_errors(const Fs& fs, const RdmaPort& port, std::uint64_t limit) {
    Counted out;
    for (const auto& counter : port_counters) {
        const auto value =
            read_counter(fs, port.folder + "/" + counter.folder + "/" + counter.name);
        if (!value) {
            out.unread = out.unread ? out.unread : std::optional(value.error());
        } else if (*value) {
            note(counter, **value, limit, out);
        }
    }
    return out;
}

Assessment judge_errors(const Fs& fs, const RdmaPort& port, std::uint64_t limit) {
    const auto found = count_errors(fs, port, limit);
    if (found.told.empty() && found.unread) {
        return unreadable({}, *found.unread, number(limit));
    }
    if (found.known == 0) {
        return no_target("the driver keeps none of these counters");
    }
    auto row = compared({}, number(limit), number(found.most));
    row.outcome = found.told.empty() ? Outcome::ok : Outcome::differs;
    row.detail = join(found.told, ", ") + (found.unread ? "; not all of them could be read" : "");
    const bool harmless = !found.critical && !found.unread && !found.told.empty();
    row.grade = harmless ? &port_grades[0] : nullptr;
    return row;
}

class PortErrors final : public Setting {
   public:
    const Info& info() const override {
        static const Info data{
            .id = "rdma.errors",
            .summary = "Errors that each RDMA port counted since its NIC was reset",
            .why = "A cable or optics that flap cost retries first, and a job in the end",
            .source =
                "amd/node-scraper nodescraper/plugins/inband/rdma, 2026-07; linux "
                "drivers/infiniband/core/sysfs.c, 6.12",
            .target = "PCI function",
            .read_from = "/sys/class/infiniband/*/ports/*/{counters,hw_counters}/*",
            .set_by = "",
            .next_step =
                "rdma statistic show; ask again later: what grows is a cable, optics or "
                "the switch's port",
            .persist = "",
            .risk_note = "",
            .only_when_named = true,
            .over_cluster = OverCluster::own,
            .forms = {{.kind = FormKind::integer, .lowest = 0, .highest = 1000000000}},
            .grades = port_grades,
        };
        return data;
    }

    std::vector<Assessment> assess(const Context& context, const Want& want) const override {
        const auto limit = static_cast<std::uint64_t>(*want.value.integer());
        return judge_ports(training_ports(context), number(limit), [&](const RdmaPort& port) {
            return judge_errors(context.fs(), port, limit);
        });
    }

    // Errors are nothing to want.
    std::optional<std::vector<Value>> learn(const Context&) const override {
        return std::vector{Value{std::int64_t{0}, {}}};
    }
};

}  // namespace

const Setting& rdma_errors() {
    static const PortErrors setting;
    return setting;
}

}  // namespace rocenv
