// SPDX-License-Identifier: MIT
#include "fleet/print/render.h"
#include "json/out.h"
#include "json/schema.h"

namespace rocenv {

// Nodes by their names.
struct FleetNames {
    std::size_t count = 0;
    std::string names;
};
template <>
struct Described<FleetNames> {
    static void members(auto& at) {
        at.member("count", &FleetNames::count);
        at.member("names", &FleetNames::names);
    }
};

struct FleetSummary {
    const FleetResult& fleet;
};
template <>
struct Described<FleetSummary> {
    using Of = FleetSummary;
    static void members(auto& at) {
        at.member("nodes", [](const Of& of) { return of.fleet.nodes.size(); },
                  {.says = "nodes with a report that counts"});
        at.member("ok", [](const Of& of) { return of.fleet.with_status[0]; },
                  {.says = "nodes with exit status 0 and at least one finding"});
        at.member("differs", [](const Of& of) { return of.fleet.with_status[1]; },
                  {.says = "nodes with exit status 1"});
        at.member("unknown", [](const Of& of) { return of.fleet.with_status[3]; },
                  {.says = "nodes with exit status 3"});
        at.member("unjudged", [](const Of& of) { return of.fleet.unjudged; },
                  {.says = "nodes with a report without findings, or without one that --only and "
                           "--skip select"});
        at.member("odd", [](const Of& of) { return of.fleet.outliers; },
                  {.says = "nodes that differ from the baseline of their group"});
        at.member("odd_but_ok", [](const Of& of) { return of.fleet.passing_outliers; },
                  {.says = "outliers with exit status 0"});
        at.member("without_majority", [](const Of& of) { return of.fleet.without_majority; },
                  {.says = "facts without a majority value"});
        at.member("uncompared", [](const Of& of) { return of.fleet.uncompared_count; },
                  {.says = "nodes that were not compared with others"});
        of_input(at);
    }

   private:
    static void of_input(auto& at) {
        at.member("unread_inputs", [](const Of& of) { return of.fleet.unread_inputs; },
                  {.says = "files and parts of files that are no whole report"});
        at.member("reports_read", [](const Of& of) { return of.fleet.reports_read; });
        at.member("superseded", [](const Of& of) { return of.fleet.superseded; },
                  {.says = "reports of nodes with a newer one"});
        at.member("distinct_reports", [](const Of& of) { return of.fleet.reports.size(); });
        at.or_null("oldest", [](const Of& of) { return of.fleet.oldest; },
                   {.pattern = utc_time_pattern});
        at.or_null("newest", [](const Of& of) { return of.fleet.newest; },
                   {.pattern = utc_time_pattern});
    }
};

template <>
struct Described<FleetPrecedence> {
    using Of = FleetPrecedence;
    static void members(auto& at) {
        at.member("rule", &Of::rule, {.says = "the name of the rule (rocenv help fleet)"});
        at.member("sentence", &Of::sentence);
        at.or_null("detail", &Of::detail,
                   {.says = "the profile list, or the special property of the report"});
        at.member("nodes", &Of::count);
        at.member("names", &Of::names);
    }
};

template <>
struct Described<FleetUncompared> {
    using Of = FleetUncompared;
    static void members(auto& at) {
        at.member("why", &Of::why);
        at.member("nodes", &Of::count);
        at.member("names", &Of::names);
        at.member("counts", &Of::counts,
                  {.says = "counts for --strict; false for the only node of a model"});
    }
};

// A difference from what `others` names: "others", or "was" of an earlier sweep.
template <class Of, auto Get>
void describe_difference(auto& at, const char* others) {
    at.member("of", [](const Of& of) { return Get(of).of; });
    at.member("id", [](const Of& of) { return Get(of).id; });
    at.member(
        "target", [](const Of& of) -> const auto& { return Get(of).target; });
    at.member(
        "here", [](const Of& of) -> const auto& { return Get(of).here; });
    at.member(
        others, [](const Of& of) -> const auto& { return Get(of).others; });
    at.member("unread", [](const Of& of) { return Get(of).unread; });
    at.member("level", [](const Of& of) { return Get(of).level; },
              {.says = "level of a finding that is not ok here"});
    at.member("by_majority", [](const Of& of) { return Get(of).by_majority; },
              {.says = "others is the value of the majority, since the reference has none"});
}
template <>
struct Described<FleetDifference> {
    static const FleetDifference& itself(const FleetDifference& of) { return of; }
    static void members(auto& at) { describe_difference<FleetDifference, itself>(at, "others"); }
};
struct FleetChanged {
    const FleetDifference& difference;
};
template <>
struct Described<FleetChanged> {
    static const FleetDifference& changed(const FleetChanged& of) { return of.difference; }
    static void members(auto& at) { describe_difference<FleetChanged, changed>(at, "was"); }
};

template <>
struct Described<FleetFold> {
    using Of = FleetFold;
    static void members(auto& at) {
        at.member("nodes", [](const Of& of) { return of.nodes.size(); });
        at.member("names", &Of::names);
        at.member("exit", &Of::exit_code, {.words = "0|1|3"});
        at.member("container", &Of::container, {.says = "the reports were made in a container"});
        at.or_null(
            "because", &Of::because,
            {.says = "another report of these nodes that makes the status worse, with its worst "
                     "finding"});
        at.or_null("beside", &Of::beside,
                   {.says = "a report that does not count and can be newer, with its required "
                            "fault, which is a difference"});
        at.member("judged", &Of::judged,
                  {.says = "false: the reports have no findings, or none that --only and --skip "
                           "select"});
        at.member("differences", &Of::differences);
    }
};

template <>
struct Described<FleetSplit::Side> {
    static void members(auto& at) {
        at.member("value", &FleetSplit::Side::value);
        at.member("nodes", &FleetSplit::Side::count);
        at.member("names", &FleetSplit::Side::names);
    }
};

template <>
struct Described<FleetSplit> {
    static void members(auto& at) {
        at.member("id", &FleetSplit::id);
        at.member("target", &FleetSplit::target);
        at.member("unread", &FleetSplit::unread, {.says = "at most one value could be read"});
        at.member("sides", &FleetSplit::sides);
    }
};

template <>
struct Described<FleetFinding> {
    static void members(auto& at) {
        at.member("id", &FleetFinding::id);
        at.member("target", &FleetFinding::target);
        at.member("level", &FleetFinding::level);
        at.member("outcome", &FleetFinding::outcome);
        at.member("want", &FleetFinding::expected);
        at.member("have", &FleetFinding::have);
    }
};

template <>
struct Described<FleetGroup> {
    using Of = FleetGroup;
    static void members(auto& at) {
        at.or_null("model", &Of::model);
        at.or_null("product", &Of::product);
        at.or_null("profile", &Of::profiles);
        at.or_null("profile_digest", &Of::profile_digest);
        at.or_null("version", &Of::version,
                   {.says = "version of the program that made the reports"});
        at.member("by", by);
        at.member("nodes", [](const Of& of) { return of.nodes.size(); });
        at.member("names", &Of::names);
        at.member("has_baseline", &Of::has_baseline,
                  {.says = "at least three nodes, or a reference"});
        at.member("without_majority", &Of::without_majority,
                  {.says = "facts; groups that differ only in the profile share them"});
        at.member("folds", &Of::folds);
        at.member("splits", &Of::splits,
                  {.says = "facts without a majority value, or with two different nodes"});
        at.member("findings_compared", &Of::findings_compared,
                  {.says = "false: too few nodes were checked with this profile"});
        at.member("majority_findings", findings,
                  {.says = "findings that are not ok on most nodes of the group, or on any node if "
                           "findings are not compared"});
    }

   private:
    using Ids = std::vector<std::pair<std::string, std::optional<std::string>>>;
    static Ids by(const Of& of) {
        Ids out;
        for (const auto& [id, value] : of.by) {
            out.emplace_back(id, value.empty() ? std::nullopt : std::optional(value));
        }
        return out;
    }
    static std::vector<FleetFinding> findings(const Of& of, const FleetResult& fleet) {
        std::vector<FleetFinding> out;
        for (const auto item : of.findings) {
            out.push_back(fleet.items[item]);
        }
        return out;
    }
};

constexpr JsonNote steps_note{.says =
                                  "the next step for the nodes of each model; model null: for all"};

template <>
struct Described<FleetStep> {
    static void members(auto& at) {
        at.or_null("model", &FleetStep::model);
        at.member("fix", &FleetStep::fix);
    }
};

template <>
struct Described<FleetRow> {
    static void members(auto& at) {
        at.member("kind", &FleetRow::kind,
                  {.says = "warn: a recommendation is not met; outlier: the node passes or is not "
                           "judged, and differs from its group"});
        at.member("nodes", [](const FleetRow& row) { return row.nodes.size(); });
        at.member("names", &FleetRow::names);
        at.member("ids", &FleetRow::ids, {.says = "ids of the findings, the rarest first"});
        at.or_null("because", &FleetRow::because,
                   {.says = "another report that decides the status, or no complete report"});
        at.or_null("beside", &FleetRow::beside,
                   {.says = "a required fault in a report that does not count"});
        at.member("steps", &FleetRow::steps, steps_note);
    }
};

template <>
struct Described<FleetTally> {
    using Of = FleetTally;
    static void members(auto& at) {
        at.member("id", &Of::id);
        at.member("level", &Of::level);
        at.member("outcome", &Of::outcome);
        at.member("waived", &Of::waived);
        at.or_null("ticket", &Of::ticket);
        at.or_null("fix", &Of::fix, {.says = "the next step of the first node"});
        at.member("nodes", &Of::nodes);
        at.member("targets", &Of::targets);
        at.member("names", &Of::names);
        at.member("steps", &Of::steps, steps_note);
    }
};

template <>
struct Described<FleetNode> {
    using Of = FleetNode;
    static void members(auto& at) {
        at.member("name", &Of::name, {.filled = true});
        at.member("time", &Of::time, {.pattern = utc_time_pattern});
        at.member("exit",
                  [](const Of& node, const FleetResult& fleet) {
                      return fleet.groups[node.group].folds[node.fold].exit_code;
                  },
                  {.words = "0|1|3"});
        at.member("group", &Of::group, {.says = "index in groups"});
        at.member("fold", &Of::fold, {.says = "index in folds of the group"});
        at.member("file", &Of::file);
        at.member("line", &Of::line, {.says = "line where the report starts; 0: a recording"});
    }
};

template <>
struct Described<FleetSince::Change> {
    using Of = FleetSince::Change;
    static void members(auto& at) {
        at.member("nodes", [](const Of& of) { return of.nodes.size(); });
        at.member("names", &Of::names);
        at.member("differences", [](const Of& of) {
            std::vector<FleetChanged> out;
            for (const auto& each : of.differences) {
                out.push_back({each});
            }
            return out;
        });
    }
};

template <>
struct Described<FleetSince::Growth> {
    using Of = FleetSince::Growth;
    static void members(auto& at) {
        at.member("node",
                  [](const Of& of, const FleetResult& fleet) { return fleet.nodes[of.node].name; });
        at.member("id", &Of::id);
        at.member("target", &Of::target);
        at.member("counter", &Of::counter);
        at.member("was", &Of::was);
        at.member("now", &Of::now);
        at.member("same_boot", &Of::same_boot);
    }
};

template <>
struct Described<FleetSince> {
    using Of = FleetSince;
    static void members(auto& at) {
        at.member("folder", &Of::folder);
        at.member("nodes", &Of::nodes);
        at.member("unchanged", &Of::unchanged);
        at.member("new", [](const Of& of) { return FleetNames{of.added_count, of.added}; });
        at.member("gone", [](const Of& of) { return FleetNames{of.gone_count, of.gone}; });
        at.member("changed", &Of::changes);
        at.member("counters", &Of::growths);
    }
};

template <>
struct Described<FleetProblem> {
    static void members(auto& at) {
        at.member("kind", &FleetProblem::kind);
        at.member("file", &FleetProblem::file);
        at.member("line", &FleetProblem::line, {.says = "0: the whole file"});
        at.member("text", &FleetProblem::text);
    }
};

template <>
struct Described<FleetResult> {
    using Of = FleetResult;
    static void members(auto& at) {
        at.constant("schema", "rocenv.fleet/1");
        at.member("version", [](const Of&) { return ROCENV_VERSION; });
        at.member("exit", &Of::exit_code, {.words = "0|1|3"});
        at.member("summary", [](const Of& of) { return FleetSummary{of}; });
        at.or_null("reference", &Of::reference, {.says = "null: the majority of each group"});
        at.member("warnings", &Of::warnings);
        at.member("missing",
                  [](const Of& of) {
                      return FleetNames{of.missing_count, of.missing};
                  },
                  {.says = "nodes of --expect without a report"});
        at.member("stale",
                  [](const Of& of) {
                      return FleetNames{of.stale_count, of.stale};
                  },
                  {.says = "nodes with a newest report older than --max-age"});
        at.member("unexpected",
                  [](const Of& of) {
                      return FleetNames{of.unexpected_count, of.unexpected};
                  },
                  {.says = "nodes that are not in --expect"});
        at.member(
            "future",
            [](const Of& of) {
                return FleetNames{of.future_count, of.future};
            },
            {.says = "nodes with a report more than 5 minutes ahead of the clock of this host"});
        of_lists(at);
    }

   private:
    static void of_lists(auto& at) {
        at.member("precedence", &Of::precedence,
                  {.says = "rules that decided between several reports of a node, with the nodes"});
        at.member("uncompared", &Of::uncompared,
                  {.says = "nodes that were not compared with others, by reason"});
        at.member("causes", &Of::rows,
                  {.says = "nodes by cause; findings with a cause are not listed"});
        at.member("groups", &Of::groups);
        at.member("findings", &Of::tallies,
                  {.says = "findings of all nodes that are not ok, or waived"});
        at.maybe("since", &Of::since);
        at.member("nodes", &Of::nodes);
        at.member("problems", &Of::problems);
        at.member("more_problems", &Of::more_problems, {.says = "problems that are not listed"});
    }
};

std::string render_fleet_json(const FleetResult& fleet) {
    return json_text_of(fleet, fleet);
}

std::string fleet_schema() {
    return json_schema_of<FleetResult, FleetResult>(
        "The reports of many nodes, compared (rocenv fleet --format json)");
}

}  // namespace rocenv
