// SPDX-License-Identifier: MIT
#include "fleet/read/precedence.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "fleet/read/gather.h"
#include "fleet/read/hostlist.h"
#include "util/exit_status.h"
#include "util/text.h"
#include "util/utc_time.h"

namespace rocenv {

// One report of a node among those that compete.
struct Competing {
    const Sweep::Node* node;
    const FleetReport* report;
    const FleetPools* pools;
    std::string_view machine{};  // empty: one report only, or no facts about the machine
    const std::vector<Sweep::Node>* twins = nullptr;
    std::string_view list{};  // the profile list that counts in the group
    bool fresh = true;
};

namespace {

int severity_of(const Competing& each) {
    const int exit_code = each.report->exit_code;
    return exit_code == exit_ok ? 0 : exit_code == exit_unknown ? 1 : 2;
}

bool is_of_list(const Competing& each) {
    return each.report->profiles.data() == each.list.data();
}

// Returns true if a finding is not ok and not waived.
bool is_listed(const FleetFinding& finding) {
    return !finding.waived && !is_quiet(finding.outcome);
}

// Counts the findings that are not ok.
std::ptrdiff_t listed_findings(const Competing& each) {
    const auto& findings = each.report->findings;
    return std::count_if(findings.begin(), findings.end(), [&](FleetIndex index) {
        const FleetFinding& finding = each.pools->findings.rows()[index];
        return is_listed(finding);
    });
}

// A time that is ahead of the clock is wrong, so it is not known which report is newer.
bool may_be_newer(const Competing& counted, const Competing& other) {
    return other.node->ahead != counted.node->ahead || other.node->time >= counted.node->time;
}

// A GPU that was lost, or came back with a repair, makes no other machine.
bool is_of_other_machine(const Competing& counted, const Competing& other) {
    if (counted.machine == other.machine) {
        return false;
    }
    const auto differ = [](const std::string& one, const std::string& another) {
        return !one.empty() && !another.empty() && one != another;
    };
    const MachineIdentity here = identity_of(*counted.report, *counted.pools);
    const MachineIdentity there = identity_of(*other.report, *other.pools);
    return differ(here.product, there.product) || differ(here.models, there.models);
}

bool has_newer_fault(const Competing& counted, const Competing& other) {
    const bool is_news = counted.report->exit_code != exit_differs || !counted.node->complete;
    return other.report->exit_code == exit_differs && is_news &&
           (!counted.node->complete || may_be_newer(counted, other));
}

bool was_worse(const Competing& counted, const Competing& other) {
    const FleetReport& here = *counted.report;
    const FleetReport& there = *other.report;
    const bool other_kind = here.profiles != there.profiles ||
                            here.profile_digest != there.profile_digest ||
                            here.container != there.container;
    return counted.node->complete && other.node->complete && other_kind &&
           is_worse(there.exit_code, here.exit_code) && !may_be_newer(counted, other) &&
           !is_of_other_machine(counted, other);
}

using Effect = PrecedenceEffect;

constexpr PrecedenceRule rules[] = {
    {.name = "fresh",
     .sentence = "With `--max-age`, only a younger report counts. One that is ahead of the clock "
                 "counts only if it does not pass.",
     .compare = [](const Competing& a, const Competing& b) { return a.fresh <=> b.fresh; }},
    {.name = "complete",
     .sentence = "A complete report counts before an incomplete one. A report is complete if it is "
                 "of `check` without `--only`, `--skip` and `--scope process`, holds a finding, "
                 "has a scope that this version knows, and its deadline was not reached.",
     .compare = [](const Competing& a,
                   const Competing& b) { return a.node->complete <=> b.node->complete; }},
    {.name = "profile-list",
     .sentence = "Reports compete within equal profile lists. In each group (model, product, "
                 "`--group-by`) the list counts that most nodes used. Of several such lists the "
                 "one counts that is the newest on most nodes, then the first by name.",
     .compare = [](const Competing& a,
                   const Competing& b) { return is_of_list(a) <=> is_of_list(b); }},
    {.name = "clock",
     .sentence = "Among reports that are equal by the rules above, one whose time is more than 5 "
                 "minutes ahead of the clock of the host that runs fleet never counts before one "
                 "that is not ahead. The node is listed; with `--strict`, fleet ends with 1.",
     .compare = [](const Competing& a,
                   const Competing& b) { return b.node->ahead <=> a.node->ahead; },
     .of_each = [](const Competing&, const Competing& other) { return other.node->ahead; },
     .effect = Effect::doubtful,
     .found = "with a report that is more than 5 minutes ahead of this host's clock"},
    {.name = "newest",
     .sentence = "The newest report counts.",
     .compare = [](const Competing& a,
                   const Competing& b) { return a.node->time <=> b.node->time; }},
    {.name = "worse",
     .sentence = "Of equal times the worse result counts.",
     .compare = [](const Competing& a,
                   const Competing& b) { return severity_of(a) <=> severity_of(b); }},
    {.name = "content",
     .sentence = "Of equal results the report with more findings that are not ok counts. Then its "
                 "bytes decide, never the order of reading.",
     .compare = [](const Competing& a,
                   const Competing& b) { return listed_findings(a) <=> listed_findings(b); }},
    {.name = "no-complete-report",
     .sentence = "A node without a complete report is unknown and never passes.",
     .of_node = [](const Competing& counted) { return !counted.node->complete; },
     .effect = Effect::unknown},
    {.name = "other-list",
     .sentence = "A node that has only other profile lists is judged by its newest complete "
                 "report and is listed with its list.",
     .of_node =
         [](const Competing& counted) { return counted.node->complete && !is_of_list(counted); },
     .found = "judged by another profile list than most of the group"},
    {.name = "same-name",
     .sentence = "If several machines report under one name, the worst of their newest reports "
                 "decides the status. With `--strict`, fleet ends with 1.",
     .of_newest =
         [](const Competing& counted, const Competing& other) {
             return other.node->complete == counted.node->complete &&
                    other.node->ahead == counted.node->ahead && is_of_other_machine(counted, other);
         },
     .effect = Effect::worse,
     .found = "under whose name several machines report; the worst report counts"},
    {.name = "newer-fault",
     .sentence = "A required fault in a newer report that does not count is listed beside the "
                 "older one and makes the node an outlier. fleet ends with 1. Only a still newer "
                 "report of its kind that is complete, or that checked the same ids without such a "
                 "finding, replaces it.",
     .of_newest = has_newer_fault,
     .effect = Effect::outlier,
     .found = "with a required fault in a report that does not count"},
    {.name = "newer-unknown",
     .sentence = "If a newer report that does not count could not read something required, the "
                 "node is listed and fleet ends with 3.",
     .of_newest =
         [](const Competing& counted, const Competing& other) {
             return counted.node->complete && counted.report->exit_code == exit_ok &&
                    other.report->exit_code == exit_unknown && may_be_newer(counted, other);
         },
     .effect = Effect::open,
     .found = "with a newer report that does not count and could not read something required"},
    {.name = "newer-part",
     .sentence = "A newer incomplete report does not replace a complete one and is listed.",
     .of_newest =
         [](const Competing& counted, const Competing& other) {
             return counted.node->complete && !other.node->complete && !other.node->ahead &&
                    may_be_newer(counted, other);
         },
     .found = "with a newer report that is incomplete and does not count"},
    {.name = "older-worse",
     .sentence = "A node is listed if an older report was worse, and is by another profile, or "
                 "from inside a container or outside of it. With `--strict`, fleet ends with 1.",
     .of_each = was_worse,
     .effect = Effect::doubtful,
     .found = "whose older report, by another profile or in a container or out of it, was worse "
              "than the one that counts"},
};

bool is_less(const Competing& here, const Competing& there) {
    for (const auto& rule : rules) {
        const auto order =
            rule.compare == nullptr ? std::strong_ordering::equal : rule.compare(here, there);
        if (order != std::strong_ordering::equal) {
            return order == std::strong_ordering::less;
        }
    }
    if (here.report != there.report) {
        const std::string bytes = bytes_of(*here.report, *here.pools);
        const std::string others = bytes_of(*there.report, *there.pools);
        if (bytes != others) {
            return bytes < others;
        }
    }
    return std::tie(here.node->boot_id, here.node->file, here.node->line) <
           std::tie(there.node->boot_id, there.node->file, there.node->line);
}

Competing competing(const Sweep::Node& node, const FleetPools& pools) {
    return {&node, &pools.reports.rows()[node.report], &pools};
}

Sweep::Kind kind_of(const Sweep::Node& node, const FleetPools& pools) {
    const FleetReport& report = pools.reports.rows()[node.report];
    const bool may_be_beside = !node.complete || node.ahead;
    return {may_be_beside ? node.report + 1 : 0,
            node.complete,
            node.ahead,
            report.container,
            report.deadline_reached,
            report.profiles,
            report.only,
            report.skip,
            report.scope,
            report.profile_digest,
            machine_words(identity_of(report, pools))};
}

void add_kind(const Sweep::Node& node, const FleetPools& pools,
              std::map<Sweep::Kind, Sweep::Best>& into) {
    const auto [found, is_new] = into.try_emplace(kind_of(node, pools), Sweep::Best{node, {}});
    if (is_new) {
        return;
    }
    Sweep::Best& best = found->second;
    const bool is_better = is_less(competing(best.node, pools), competing(node, pools));
    if (best.node.time == node.time) {
        best.twins.push_back(is_better ? best.node : node);
    } else if (is_better) {
        best.twins.clear();
    }
    best.node = is_better ? node : best.node;
}

void add_to_boot(std::map<std::string_view, Sweep::Boot>& boots, const Sweep::Node& node) {
    Sweep::Boot& boot =
        boots.try_emplace(node.boot_id, Sweep::Boot{node.time, node.time}).first->second;
    boot.first = std::min(boot.first, node.time);
    boot.last = std::max(boot.last, node.time);
}

// Returns the best report of each kind that a node has, sorted by is_less().
std::vector<Competing> reports_of(const Sweep& sweep, std::string_view name,
                                  const Sweep::Node& best, const FleetPools& pools) {
    const auto several = sweep.kinds.find(name);
    if (several == sweep.kinds.end()) {
        return {competing(best, pools)};
    }
    std::vector<Competing> out;
    for (const auto& [kind, each] : several->second) {
        out.push_back(competing(each.node, pools));
        out.back().machine = kind.machine;
        out.back().twins = &each.twins;
    }
    std::sort(out.begin(), out.end(), is_less);
    return out;
}

// "of check --only gpu.*", "by mi300x", "that its deadline cut short": what is special in a report.
std::string words_of(const Competing& each) {
    const FleetReport& report = *each.report;
    const std::string asked = asked_for(report);
    if (each.node->complete) {
        return "by " + (report.profiles.empty() ? "no profile" : printable(report.profiles, 200));
    }
    if (report.deadline_reached) {
        return (asked.empty() ? "" : "of check " + asked + " ") + "that its deadline cut short";
    }
    return asked.empty() ? "without a finding" : "of check " + asked;
}

// Returns the same for a report that does not count.
std::string source_of(const Competing& other) {
    return other.node->ahead ? "ahead of the clock" : words_of(other);
}

std::string place_of(const Sweep::Node& node) {
    return printable(node.file, 120) + (node.line == 0 ? "" : ":" + number(node.line));
}

// The finding that gives a report its status; no_fault: none does.
FleetIndex decisive_finding(const Competing& each) {
    const bool differs = each.report->exit_code == exit_differs;
    FleetIndex out = no_fault;
    for (const auto index : each.report->findings) {
        const auto& rows = each.pools->findings.rows();
        const FleetFinding& finding = rows[index];
        const bool counts =
            differs ? is_not_as_expected(finding.outcome) : finding.outcome == Outcome::unknown;
        if (!finding.waived && counts && (out == no_fault || finding.level > rows[out].level)) {
            out = index;
        }
    }
    return out;
}

// "required gpu.count differs"
std::string status_words_of(const Competing& each) {
    const FleetIndex index = decisive_finding(each);
    if (index == no_fault) {
        return "its status is " + std::string(each.report->result);
    }
    const FleetFinding& finding = each.pools->findings.rows()[index];
    return std::string(word_of(finding.level)) + " " + printable(finding.id, 60) + " " +
           std::string(word_of(finding.outcome));
}

// The profile list that counts in each group.
class Lists {
   public:
    Lists(const FleetPools& pools, Kins& kins) : pools_(pools), kins_(kins) {
        const auto& rows = pools.reports.rows();
        is_one_ = std::all_of(rows.begin(), rows.end(), [&](const FleetReport& row) {
            return row.profiles.data() == rows.front().profiles.data();
        });
        nodes_of_.resize(is_one_ ? 0 : rows.size());
    }

    // Adds the complete and fresh reports of one node.
    void add(const std::vector<Competing>& reports) {
        if (is_one_) {
            return;
        }
        if (reports.size() == 1) {
            nodes_of_[reports.front().node->report] += is_counted(reports.front()) ? 1U : 0U;
            return;
        }
        std::set<std::string_view> used;
        for (const auto& each : reports) {
            if (is_counted(each)) {
                used.insert(each.report->profiles);
            }
        }
        auto& votes = votes_[kin_of(reports)];
        for (const auto list : used) {
            ++votes[list].used;
        }
        if (!used.empty()) {
            ++votes[std::max_element(reports.begin(), reports.end(), is_less)->report->profiles]
                  .newest;
        }
    }

    void choose() {
        for (FleetIndex report = 0; report < nodes_of_.size(); ++report) {
            if (nodes_of_[report] > 0) {
                Votes& votes = votes_[kins_.of(report)][pools_.reports.rows()[report].profiles];
                votes.used += nodes_of_[report];
                votes.newest += nodes_of_[report];
            }
        }
    }

    // Returns the list that counts in the group of a node; empty if no report there is complete.
    std::string_view of(const std::vector<Competing>& reports) {
        if (is_one_) {
            return reports.front().report->profiles;
        }
        const auto& votes = votes_[kin_of(reports)];
        std::string_view out;
        Votes most;
        for (const auto& [list, each] : votes) {  // by name
            if (std::tie(most.used, most.newest) < std::tie(each.used, each.newest)) {
                out = list;
                most = each;
            }
        }
        return out;
    }

   private:
    struct Votes {
        std::size_t used = 0;    // nodes that have a report by it
        std::size_t newest = 0;  // nodes whose newest report is by it
    };

    static bool is_counted(const Competing& each) { return each.fresh && each.node->complete; }

    // Returns the group of a node, from its best report with facts.
    FleetIndex kin_of(const std::vector<Competing>& reports) {
        const Competing* best = nullptr;
        for (const auto& each : reports) {
            const bool has_more =
                best == nullptr || each.report->has_facts > best->report->has_facts;
            const bool has_less =
                best != nullptr && each.report->has_facts < best->report->has_facts;
            best = has_more || (!has_less && is_less(*best, each)) ? &each : best;
        }
        return kins_.of(best->node->report);
    }

    const FleetPools& pools_;
    Kins& kins_;
    bool is_one_ = true;
    std::vector<FleetIndex> nodes_of_;                               // with one report, by report
    std::map<FleetIndex, std::map<std::string_view, Votes>> votes_;  // by kin and list
};

class ReportSelector {
   public:
    ReportSelector(const Sweep& sweep, FleetPools& pools, Kins& kins, const SelectRequest& request,
                   Problems& problems, FleetResult& out)
        : sweep_(sweep),
          pools_(pools),
          request_(request),
          problems_(problems),
          out_(out),
          lists_(pools, kins) {}

    void select() {
        for (const auto& [name, best] : sweep_.nodes) {
            lists_.add(judged_by_age(reports_of(sweep_, name, best, pools_)));
        }
        lists_.choose();
        for (const auto& [name, best] : sweep_.nodes) {
            select_report(name, judged_by_age(reports_of(sweep_, name, best, pools_)));
        }
        std::sort(out_.nodes.begin(), out_.nodes.end(), [](const FleetNode& a, const FleetNode& b) {
            return is_name_before(a.name, b.name);
        });
        out_.stale = folded_names(stale_);
        out_.stale_count = stale_.size();
        list_applied();
    }

   private:
    // Nodes that a rule applied to, with the places of some of their reports.
    struct Applied {
        std::vector<std::string_view> names;
        std::vector<std::string> places;
    };

    // The status of a node that follows from all its reports.
    struct Verdict {
        int exit_code = exit_ok;
        std::string because;
        std::string beside;
        FleetIndex fault = no_fault;
    };

    std::vector<Competing> judged_by_age(std::vector<Competing> reports) const {
        if (request_.max_age_seconds) {
            const std::int64_t oldest = request_.now_seconds - *request_.max_age_seconds;
            for (auto& each : reports) {
                each.fresh = each.node->ahead ? each.report->exit_code != exit_ok
                                              : utc_seconds(each.node->time).value_or(0) >= oldest;
            }
        }
        return reports;
    }

    void select_report(std::string_view name, std::vector<Competing> reports) {
        const std::string_view list = lists_.of(reports);
        for (auto& each : reports) {
            each.list = list;
        }
        const Competing counted = *std::max_element(reports.begin(), reports.end(), is_less);
        Verdict verdict{counted.report->exit_code, {}, {}, no_fault};
        for (const auto& rule : rules) {
            for (const auto& each : reports) {
                const bool is_current = (counted.fresh && each.fresh) || each.node->ahead;
                if (rule.of_each != nullptr && is_current && rule.of_each(counted, each)) {
                    apply(rule, name, counted, each, verdict);
                }
            }
        }
        if (!counted.fresh) {
            stale_.push_back(name);
            return;
        }
        std::erase_if(reports, [](const Competing& each) { return !each.fresh; });
        apply_rules(name, counted, reports, verdict);
        name_twins(name, counted, reports);
        take(name, counted, verdict);
    }

    void apply_rules(std::string_view name, const Competing& counted,
                     const std::vector<Competing>& reports, Verdict& verdict) {
        for (const auto& rule : rules) {
            if (rule.of_node != nullptr && rule.of_node(counted)) {
                apply(rule, name, counted, counted, verdict);
            }
        }
        for (const auto* other : worst_of_each_sort(counted, reports)) {
            apply(*rule_for(counted, *other), name, counted, *other, verdict);
        }
    }

    // Returns the first rule for a report that does not count; nullptr if no rule applies to it.
    static const PrecedenceRule* rule_for(const Competing& counted, const Competing& other) {
        const auto* const found =
            std::find_if(std::begin(rules), std::end(rules), [&](const PrecedenceRule& rule) {
                return rule.of_newest != nullptr && rule.of_newest(counted, other);
            });
        return found == std::end(rules) ? nullptr : found;
    }

    // Returns the report with the worst result among those of each sort that a rule applies to and
    // that no newer report replaces. The report that counts, if it is complete, has replaced all
    // others of its sort.
    static std::vector<const Competing*> worst_of_each_sort(const Competing& counted,
                                                            const std::vector<Competing>& reports) {
        std::map<std::string, std::vector<const Competing*>> sorts;
        for (const auto& each : reports) {
            sorts[sort_of(counted, each)].push_back(&each);
        }
        if (counted.node->complete) {
            sorts.erase(sort_of(counted, counted));
        }
        std::vector<const Competing*> out;
        for (auto& sort : sorts) {
            auto& all = sort.second;
            std::sort(all.begin(), all.end(),
                      [](const Competing* a, const Competing* b) { return is_less(*b, *a); });
            auto worst_first = all;
            std::stable_sort(worst_first.begin(), worst_first.end(),
                             [](const Competing* a, const Competing* b) {
                                 return severity_of(*a) > severity_of(*b);
                             });
            const auto worst =
                std::find_if(worst_first.begin(), worst_first.end(), [&](const Competing* each) {
                    return rule_for(counted, *each) != nullptr &&
                           std::none_of(
                               all.begin(), all.end(),
                               [&](const Competing* other) { return replaces(*other, *each); }) &&
                           std::none_of(
                               reports.begin(), reports.end(),
                               [&](const Competing& other) { return completes(other, *each); });
                });
            if (worst != worst_first.end()) {
                out.push_back(*worst);
            }
        }
        return out;
    }

    // Returns whether a report of the same sort is newer and settles what an older one found: it is
    // complete, or it checked each id that gave the older one its status, without such a finding.
    static bool replaces(const Competing& newer, const Competing& older) {
        if (newer.node->complete) {
            return is_less(older, newer);
        }
        if (newer.node->time <= older.node->time || is_of_other_machine(newer, older)) {
            return false;
        }
        const FleetIndex decisive = decisive_finding(older);
        const auto& rows = older.pools->findings.rows();
        const auto& findings = older.report->findings;
        return decisive != no_fault &&
               std::all_of(findings.begin(), findings.end(), [&](FleetIndex index) {
                   const FleetFinding& row = rows[index];
                   return !is_listed(row) || row.level < rows[decisive].level ||
                          is_quiet_in(newer, row.id);
               });
    }

    // Returns whether a report is the whole check, by the same profile list, that came after an
    // incomplete one.
    static bool completes(const Competing& whole, const Competing& part) {
        return whole.node->complete && !part.node->complete && !whole.node->ahead &&
               !part.node->ahead && whole.report->profiles == part.report->profiles &&
               whole.report->container == part.report->container &&
               whole.node->time > part.node->time && !is_of_other_machine(whole, part);
    }

    // Returns whether a report has findings of an id, and all of them are quiet.
    static bool is_quiet_in(const Competing& each, std::string_view id) {
        bool is_there = false;
        for (const auto index : each.report->findings) {
            const FleetFinding& row = each.pools->findings.rows()[index];
            if (row.id == id && is_listed(row)) {
                return false;
            }
            is_there = is_there || row.id == id;
        }
        return is_there;
    }

    static std::string sort_of(const Competing& counted, const Competing& each) {
        std::string out;
        if (each.node->complete == counted.node->complete && is_of_other_machine(counted, each)) {
            append_sized(out, each.machine);
            return out;
        }
        append_sized(out, each.report->profiles);
        append_sized(out, each.node->ahead ? "ahead" : "");
        append_sized(out, each.node->complete ? std::string() : words_of(each));
        append_sized(out, each.node->complete || !each.report->container ? "" : "container");
        return out;
    }

    void apply(const PrecedenceRule& rule, std::string_view name, const Competing& counted,
               const Competing& other, Verdict& verdict) {
        const FleetReport& report = *other.report;
        switch (rule.effect) {
            case Effect::none:
                break;
            case Effect::unknown:
                if (report.has_findings) {
                    verdict.exit_code = exit_unknown;
                    verdict.because =
                        std::string(no_complete_report) + ", only one " + words_of(other);
                }
                break;
            case Effect::worse:
                if (is_worse(report.exit_code, verdict.exit_code)) {
                    verdict.exit_code = report.exit_code;
                    verdict.because = "another machine of this name: " + status_words_of(other);
                }
                out_.doubtful = out_.mistrusted = true;
                break;
            case Effect::outlier:
                add_beside(counted, other, verdict);
                out_.beside_exit = exit_differs;
                break;
            case Effect::open:
                out_.beside_exit = out_.beside_exit == exit_ok ? exit_unknown : out_.beside_exit;
                break;
            case Effect::doubtful:
                out_.doubtful = out_.mistrusted = true;
                break;
        }
        Applied& applied = applied_[{&rule, detail_of(rule, counted, other)}];
        constexpr std::size_t most_places = 3;
        if (applied.names.empty() || applied.names.back() != name) {
            applied.names.push_back(name);
            if (applied.places.size() < most_places) {
                applied.places.push_back(place_of(*other.node));
            }
        }
    }

    static void add_beside(const Competing& counted, const Competing& other, Verdict& verdict) {
        if (!verdict.beside.empty()) {
            return;
        }
        const bool is_newer = counted.node->complete && !counted.node->ahead;
        verdict.beside = (is_newer && !other.node->ahead ? "a newer report " : "a report ") +
                         source_of(other) + ": " + status_words_of(other);
        verdict.fault = other.node == counted.node ? no_fault : decisive_finding(other);
    }

    // Returns the key by which nodes of one rule are listed together.
    static std::string detail_of(const PrecedenceRule& rule, const Competing& counted,
                                 const Competing& other) {
        if (rule.effect == Effect::worse) {
            const auto [first, second] = std::minmax(counted.machine, other.machine);
            return printable(std::string(first) + "; " + std::string(second), 200);
        }
        return rule.of_each != nullptr   ? ""
               : rule.of_node != nullptr ? words_of(other)
                                         : source_of(other);
    }

    // Adds a problem for each report of the same time as the one that counts.
    void name_twins(std::string_view name, const Competing& counted,
                    const std::vector<Competing>& reports) {
        std::vector<Sweep::Node> twins;
        for (const auto& each : reports) {
            const bool is_it = each.node == counted.node;
            const bool competes = is_it || (each.node->complete && counted.node->complete &&
                                            each.report->profiles == counted.report->profiles);
            if (!competes || each.node->time != counted.node->time) {
                continue;
            }
            twins.insert(twins.end(), is_it ? 0 : 1, *each.node);
            if (each.twins != nullptr) {
                twins.insert(twins.end(), each.twins->begin(), each.twins->end());
            }
        }
        std::sort(twins.begin(), twins.end(), [](const Sweep::Node& a, const Sweep::Node& b) {
            return std::tie(a.file, a.line) < std::tie(b.file, b.line);
        });
        for (const auto& twin : twins) {
            const bool same =
                twin.report == counted.node->report && twin.boot_id == counted.node->boot_id;
            const std::string what =
                same ? ": the same report as " : ": another report of the time of ";
            problems_.add(FleetProblem::Kind::duplicate, std::string(twin.file), twin.line,
                          printable(name, 80) + what + place_of(*counted.node) +
                              (same ? "" : ", which counts"));
        }
    }

    void take(std::string_view name, const Competing& counted, const Verdict& verdict) {
        const Sweep::Node& node = *counted.node;
        FleetIndex index = node.report;
        if (!verdict.because.empty() || !verdict.beside.empty()) {
            FleetReport row = *counted.report;
            row.exit_code = verdict.exit_code;
            row.result = pools_.keep(result_of(verdict.exit_code));
            row.because = pools_.keep(verdict.because);
            row.beside = pools_.keep(verdict.beside);
            row.fault = verdict.fault;
            index = pools_.reports.keep(row);
        }
        if (!node.ahead) {
            out_.oldest = out_.oldest.empty() ? node.time
                                              : std::min<std::string_view>(out_.oldest, node.time);
            out_.newest = std::max<std::string_view>(out_.newest, node.time);
        }
        out_.nodes.push_back({name, node.time, node.boot_id, node.file, node.line, index, 0, 0});
    }

    void list_applied() {
        std::map<const PrecedenceRule*, std::size_t> kinds;
        for (const auto& [key, applied] : applied_) {
            const auto& [rule, detail] = key;
            out_.precedence.push_back({rule->name, rule->sentence, detail,
                                       folded_names(applied.names), applied.names.size()});
            if (rule->name == "clock") {
                out_.future = out_.precedence.back().names;
                out_.future_count = applied.names.size();
            }
            if (!rule->found.empty() && ++kinds[rule] <= most_kinds) {
                out_.warnings.push_back(warning_of(*rule, detail, applied));
            }
        }
        for (const auto& [rule, count] : kinds) {
            if (count > most_kinds) {
                out_.warnings.push_back(number(count - most_kinds) + " more kinds of nodes " +
                                        std::string(rule->found));
            }
        }
    }

    std::string warning_of(const PrecedenceRule& rule, const std::string& detail,
                           const Applied& applied) const {
        const std::size_t more = applied.names.size() - applied.places.size();
        return counted(applied.names.size(), "node") + " " + std::string(rule.found) + " (" +
               detail + (detail.empty() ? "in " : "; in ") + join(applied.places, ", ") +
               (more > 0 ? " and " + number(more) + " more" : "") +
               "): " + out_.precedence.back().names;
    }

    static constexpr std::size_t most_kinds = 10;  // kinds of warnings by one rule

    const Sweep& sweep_;
    FleetPools& pools_;
    const SelectRequest& request_;
    Problems& problems_;
    FleetResult& out_;
    Lists lists_;
    std::vector<std::string_view> stale_;
    std::map<std::pair<const PrecedenceRule*, std::string>, Applied> applied_;  // by detail
};

}  // namespace

std::span<const PrecedenceRule> precedence_rules() {
    return rules;
}

bool is_complete(const FleetReport& report) {
    return report.has_findings && report.only.empty() && report.skip.empty() &&
           is_known_scope(report.scope) && report.scope != "process" && !report.deadline_reached;
}

void add_report(std::string_view name, const Sweep::Node& node, const FleetPools& pools,
                Sweep& into) {
    ++into.reports_read;
    const auto [found, is_new] = into.nodes.try_emplace(name, node);
    if (is_new) {
        return;
    }
    Sweep::Node& known = found->second;
    ++into.superseded;
    auto& boots = into.boots[name];
    add_to_boot(boots, known);
    add_to_boot(boots, node);
    auto& kinds = into.kinds[name];
    if (kinds.empty()) {
        add_kind(known, pools, kinds);
    }
    add_kind(node, pools, kinds);
    if (is_less(competing(known, pools), competing(node, pools))) {
        known = node;
    }
}

const Sweep::Node& counted_report(const Sweep& sweep, std::string_view name,
                                  std::string_view profiles, const FleetPools& pools) {
    auto reports = reports_of(sweep, name, sweep.nodes.at(name), pools);
    for (auto& each : reports) {
        each.list = profiles;
    }
    return *std::max_element(reports.begin(), reports.end(), is_less)->node;
}

void select_reports(const Sweep& sweep, FleetPools& pools, Kins& kins, const SelectRequest& request,
                    Problems& problems, FleetResult& out) {
    ReportSelector(sweep, pools, kins, request, problems, out).select();
}

}  // namespace rocenv
