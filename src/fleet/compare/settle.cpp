// SPDX-License-Identifier: MIT
#include "fleet/compare/settle.h"

#include <algorithm>
#include <map>
#include <tuple>

#include "fleet/read/hostlist.h"
#include "fleet/read/report_rank.h"
#include "fleet/read/report_time.h"
#include "util/exit_status.h"
#include "util/text.h"

namespace rocenv {

namespace {

constexpr std::size_t most_kinds = 10;  // of warnings of one sort

// Nodes with the places of some of the reports that are spoken of.
struct NamedReports {
    std::vector<std::string_view> names;
    std::vector<std::string> places;
};

using NamedByKind = std::map<std::string, NamedReports>;

std::string place_of(const Sweep::Node& node) {
    return printable(node.file, 120) + (node.line == 0 ? "" : ":" + number(node.line));
}

void add_named(NamedReports& into, std::string_view name, const std::string& place) {
    constexpr std::size_t most_places = 3;
    into.names.push_back(name);
    if (into.places.size() < most_places) {
        into.places.push_back(place);
    }
}

std::string places_words(const NamedReports& named) {
    const std::size_t more = named.names.size() - named.places.size();
    return join(named.places, ", ") + (more > 0 ? " and " + number(more) + " more" : "");
}

class Settler {
   public:
    Settler(const Sweep& sweep, FleetPools& pools, const CompareRequest& request, FleetResult& out)
        : sweep_(sweep), pools_(pools), request_(request), out_(out) {}

    void settle() {
        for (const auto& [name, best] : sweep_.nodes) {
            std::vector<const Sweep::Node*> reports;
            const auto several = sweep_.kinds.find(name);
            if (several == sweep_.kinds.end()) {
                reports.push_back(&best);
            } else {
                for (const auto& [kind, node] : several->second) {
                    reports.push_back(&node);
                }
            }
            settle_node(name, best, reports);
        }
        std::sort(out_.nodes.begin(), out_.nodes.end(), [](const FleetNode& a, const FleetNode& b) {
            return is_name_before(a.name, b.name);
        });
        out_.stale = folded_names(stale_);
        out_.stale_count = stale_.size();
        warn_of_future();
        warn_of_partial();
        warn_of_machines();
        warn_of_superseded();
    }

   private:
    struct Worst {
        int exit_code = exit_ok;
        std::string because;
    };

    const FleetReport& report(const Sweep::Node& node) const {
        return pools_.reports.rows()[node.report];
    }

    bool is_stale(const Sweep::Node& node) const {
        return request_.max_age_seconds && !node.future &&
               seconds_of_time(node.time).value_or(0) <
                   request_.now_seconds - *request_.max_age_seconds;
    }

    void settle_node(std::string_view name, const Sweep::Node& best,
                     std::vector<const Sweep::Node*>& reports) {
        for (const auto* each : reports) {
            if (each->future) {
                add_named(future_, name, place_of(*each));
                break;
            }
        }
        std::erase_if(reports, [&](const auto* each) { return is_stale(*each); });
        const auto counts = std::max_element(
            reports.begin(), reports.end(),
            [&](const auto* a, const auto* b) { return is_better(*b, *a, pools_); });
        // A fresh report that is only a part, or from the future, does not prove that a node
        // passes.
        const bool is_proof =
            counts != reports.end() && (!is_stale(best) || report(**counts).exit_code != exit_ok);
        if (!is_proof) {
            stale_.push_back(name);
            return;
        }
        const Sweep::Node& node = **counts;
        Worst worst{report(node).exit_code, ""};
        look_at_future(node, reports, worst);
        look_at_partial(name, node, reports, worst);
        look_at_machines(name, node, reports, worst);
        look_at_superseded(name, node, reports);
        take(name, node, worst);
    }

    void take(std::string_view name, const Sweep::Node& node, const Worst& worst) {
        FleetIndex index = node.report;
        if (!worst.because.empty()) {
            FleetReport row = report(node);
            row.exit_code = worst.exit_code;
            row.result = pools_.keep(result_of(worst.exit_code));
            row.because = pools_.keep(worst.because);
            index = pools_.reports.keep(row);
        }
        if (!node.future) {
            out_.oldest = out_.oldest.empty() ? node.time
                                              : std::min<std::string_view>(out_.oldest, node.time);
            out_.newest = std::max<std::string_view>(out_.newest, node.time);
        }
        out_.nodes.push_back({name, node.time, node.boot_id, node.file, node.line, index, 0, 0});
    }

    // Returns the finding that decides the status of a report, "required gpu.count differs".
    std::string finding_of(const FleetReport& row) const {
        const bool differs = row.exit_code == exit_differs;
        const FleetFinding* found = nullptr;
        for (const auto index : row.findings) {
            const FleetFinding& finding = pools_.findings.rows()[index];
            const bool counts =
                differs ? is_not_as_wanted(finding.outcome) : finding.outcome == Outcome::unknown;
            if (!finding.waived && counts && (found == nullptr || finding.level > found->level)) {
                found = &finding;
            }
        }
        return found == nullptr
                   ? "its status is " + std::string(row.result)
                   : std::string(word_of(found->level)) + " " + printable(found->id, 60) + " " +
                         std::string(word_of(found->outcome));
    }

    void hold_against(const Sweep::Node& other, const std::string& what, Worst& worst) const {
        const FleetReport& row = report(other);
        if (is_worse(row.exit_code, worst.exit_code)) {
            worst = {row.exit_code, what + ": " + finding_of(row)};
        }
    }

    void look_at_future(const Sweep::Node& node, const std::vector<const Sweep::Node*>& reports,
                        Worst& worst) const {
        for (const auto* each : reports) {
            if (each->future && each != &node) {
                hold_against(*each, "a report from the future", worst);
            }
        }
    }

    // The newest of each filter.
    void look_at_partial(std::string_view name, const Sweep::Node& node,
                         const std::vector<const Sweep::Node*>& reports, Worst& worst) {
        std::map<std::string, const Sweep::Node*> newest;
        for (const auto* each : reports) {
            if (each->whole || each->future || each == &node) {
                continue;
            }
            const auto& asked = newest.try_emplace(part_words(report(*each)), each).first;
            asked->second = is_better(*each, *asked->second, pools_) ? each : asked->second;
        }
        const std::string own = node.whole ? "" : part_words(report(node));
        for (const auto& [asked, each] : newest) {
            const bool is_newer = node.whole && !node.future && each->time >= node.time;
            if (is_newer) {
                add_named(partial_[asked], name, place_of(*each));
            }
            if (is_newer || (!node.whole && asked != own)) {
                hold_against(*each, (is_newer ? "a newer report " : "a report ") + asked, worst);
            }
        }
    }

    // A GPU that was lost, or came back with a repair, makes no other machine.
    bool is_of_other_machine(const Sweep::Node& node, const Sweep::Node& other) const {
        const auto differ = [](const std::string& one, const std::string& another) {
            return !one.empty() && !another.empty() && one != another;
        };
        const MachineIdentity here = identity_of(report(node), pools_);
        const MachineIdentity there = identity_of(report(other), pools_);
        return differ(here.product, there.product) || differ(here.models, there.models);
    }

    // Adds the newest report of each other machine with this name.
    void look_at_machines(std::string_view name, const Sweep::Node& node,
                          const std::vector<const Sweep::Node*>& reports, Worst& worst) {
        std::map<std::string, const Sweep::Node*> newest;
        for (const auto* each : reports) {
            if (each->whole == node.whole && each->future == node.future && each != &node &&
                is_of_other_machine(node, *each)) {
                const auto& machine =
                    newest.try_emplace(machine_words(identity_of(report(*each), pools_)), each)
                        .first;
                machine->second =
                    is_better(*each, *machine->second, pools_) ? each : machine->second;
            }
        }
        for (const auto& [machine, each] : newest) {
            const std::string own = machine_words(identity_of(report(node), pools_));
            add_named(machines_[std::min(own, machine) + "; " + std::max(own, machine)], name,
                      place_of(node) + " against " + place_of(*each));
            hold_against(*each, "another machine of this name", worst);
        }
    }

    // Older reports of another profile, or from within a container.
    void look_at_superseded(std::string_view name, const Sweep::Node& node,
                            const std::vector<const Sweep::Node*>& reports) {
        const FleetReport& row = report(node);
        const bool was_worse = std::any_of(reports.begin(), reports.end(), [&](const auto* each) {
            const FleetReport& other = report(*each);
            const bool other_kind =
                other.profile_digest != row.profile_digest || other.container != row.container;
            return each->whole && !each->future && other_kind &&
                   is_worse(other.exit_code, row.exit_code) && !is_of_other_machine(node, *each);
        });
        if (was_worse && node.whole) {
            superseded_.push_back(name);
        }
    }

    void warn_of_future() {
        out_.future = folded_names(future_.names);
        out_.future_count = future_.names.size();
        if (out_.future_count > 0) {
            out_.doubtful = out_.mistrusted = true;
            out_.warnings.push_back(
                counted(out_.future_count, "node") +
                " with a report from the future, of a clock that is wrong (in " +
                places_words(future_) + "): " + out_.future);
        }
    }

    void warn_of_partial() {
        std::size_t kinds = 0;
        for (const auto& [asked, named] : partial_) {
            if (++kinds > most_kinds) {
                out_.warnings.push_back(number(partial_.size() - most_kinds) +
                                        " more kinds of partial reports");
                return;
            }
            const bool one = named.names.size() == 1;
            out_.warnings.push_back(counted(named.names.size(), "report") + " " + asked +
                                    (one ? " is" : " are") + " newer than the full one and " +
                                    (one ? "does" : "do") + " not replace it (in " +
                                    places_words(named) + "): " + folded_names(named.names));
        }
    }

    void warn_of_machines() {
        std::size_t kinds = 0;
        for (const auto& [machines, named] : machines_) {
            out_.doubtful = out_.mistrusted = true;
            if (++kinds > most_kinds) {
                out_.warnings.push_back(number(machines_.size() - most_kinds) +
                                        " more kinds of machines that share names");
                return;
            }
            out_.warnings.push_back("several machines report as one node (" +
                                    printable(machines, 200) + "; " + places_words(named) +
                                    "); the worse report counts: " + folded_names(named.names));
        }
    }

    void warn_of_superseded() {
        if (!superseded_.empty()) {
            out_.doubtful = out_.mistrusted = true;
            out_.warnings.push_back(
                counted(superseded_.size(), "node") +
                " whose older report, by another profile or in a container or out of it, was "
                "worse than the one that counts: " +
                folded_names(superseded_));
        }
    }

    const Sweep& sweep_;
    FleetPools& pools_;
    const CompareRequest& request_;
    FleetResult& out_;
    std::vector<std::string_view> stale_;
    std::vector<std::string_view> superseded_;
    NamedReports future_;
    NamedByKind partial_;   // by what they are, "of check --only gpu.*"
    NamedByKind machines_;  // by what the two machines are
};

}  // namespace

void settle_nodes(const Sweep& sweep, FleetPools& pools, const CompareRequest& request,
                  FleetResult& out) {
    Settler(sweep, pools, request, out).settle();
}

}  // namespace rocenv
