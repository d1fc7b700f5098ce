// SPDX-License-Identifier: MIT
// Gauges for node_exporter's textfile collector. A node has the same series whatever is found, so
// that an alert on one can clear.
#include <array>
#include <map>

#include "fleet/print/render.h"
#include "fleet/read/precedence.h"
#include "util/text.h"
#include "util/utc_time.h"

namespace rocenv {

namespace {

using Labels = std::vector<std::pair<std::string_view, std::string>>;

// A label's value: printable, with backslashes and quotes escaped. Backslashes of the text itself
// are doubled before it is made printable, so that "a\x01" and what is shown so stay two series.
std::string label_value(std::string_view value) {
    std::string distinct;
    for (const char byte : value) {
        distinct += byte == '\\' ? "\\" : "";
        distinct += byte;
    }
    std::string out;
    for (const char byte : printable(distinct, uncut)) {
        out += byte == '\\' || byte == '"' ? "\\" : "";
        out += byte;
    }
    return out;
}

class Metrics {
   public:
    void family(const std::string& name, std::string_view help) {
        name_ = "rocenv_fleet_" + name;
        out_ += "# HELP " + name_ + " " + std::string(help) + "\n# TYPE " + name_ + " gauge\n";
    }
    void add(const Labels& labels, std::int64_t value) {
        std::string inner;
        for (const auto& [name, text] : labels) {
            inner +=
                (inner.empty() ? "" : ",") + std::string(name) + "=\"" + label_value(text) + "\"";
        }
        out_ += name_ + (inner.empty() ? "" : "{" + inner + "}") + " " + number(value) + "\n";
    }
    std::string take() { return std::move(out_); }

   private:
    std::string name_;
    std::string out_;
};

std::int64_t gauge(std::size_t number) {
    return static_cast<std::int64_t>(number);
}

void add_counts(Metrics& metrics, const FleetResult& fleet) {
    metrics.family("nodes", "Nodes by the result of their newest report, or by its absence");
    const std::pair<const char*, std::size_t> results[] = {
        {"ok", fleet.with_status[0]},      {"differs", fleet.with_status[1]},
        {"unknown", fleet.with_status[3]}, {"unjudged", fleet.unjudged},
        {"missing", fleet.missing_count},  {"stale", fleet.stale_count}};
    for (const auto& [result, nodes] : results) {
        metrics.add({{"result", result}}, gauge(nodes));
    }
    metrics.family("odd_nodes",
                   "Nodes that differ from their group, and of them those that are ok");
    metrics.add({{"result", "any"}}, gauge(fleet.outliers));
    metrics.add({{"result", "ok"}}, gauge(fleet.passing_outliers));
    metrics.family("facts_without_majority", "Facts that the nodes of a group do not agree on");
    metrics.add({}, gauge(fleet.without_majority));
    metrics.family("uncompared_nodes", "Nodes that were compared with no other");
    metrics.add({}, gauge(fleet.uncompared_count));
    metrics.family("future_nodes", "Nodes with a report ahead of the clock of this host");
    metrics.add({}, gauge(fleet.future_count));
    metrics.family("exit_status", "Exit status of rocenv fleet: 0 ok, 1 differs, 3 unknown");
    metrics.add({}, fleet.exit_code);
    metrics.family("oldest_report_seconds", "Time of the oldest report that counts");
    metrics.add({}, utc_seconds(fleet.oldest).value_or(0));
    metrics.family("newest_report_seconds", "Time of the newest report");
    metrics.add({}, utc_seconds(fleet.newest).value_or(0));
}

// A rule without a node has its series, too, so that an alert can clear.
void add_precedence(Metrics& metrics, const FleetResult& fleet) {
    metrics.family("precedence_nodes",
                   "Nodes to which a rule applied that decides between reports of one node");
    for (const auto& rule : precedence_rules()) {
        if (rule.of_node == nullptr && rule.of_newest == nullptr && rule.of_each == nullptr) {
            continue;
        }
        std::size_t nodes = 0;
        for (const auto& each : fleet.precedence) {
            nodes += each.rule == rule.name ? each.count : 0;
        }
        metrics.add({{"rule", std::string(rule.name)}}, gauge(nodes));
    }
}

void add_problems(Metrics& metrics, const FleetResult& fleet) {
    metrics.family("warnings", "Warnings on the page for people");
    metrics.add({}, gauge(fleet.warnings.size()));
    metrics.family("unread_inputs", "Files and parts of files that are not a whole report");
    metrics.add({}, gauge(fleet.unread_inputs));
}

// "kernel.version=6.8,os.release=Debian 12"; commas and equals signs of values are escaped.
std::string by_label(const FleetGroup& group) {
    std::string out;
    for (const auto& [id, value] : group.by) {
        out += (out.empty() ? "" : ",") + id + "=";
        for (const char byte : value) {
            out += byte == ',' || byte == '=' || byte == '\\' ? "\\" : "";
            out += byte;
        }
    }
    return out;
}

void add_groups(Metrics& metrics, const FleetResult& fleet) {
    metrics.family("group_nodes", "Nodes that should be equal, by model, product and profile");
    std::map<std::array<std::string, 4>, std::size_t> nodes_of;  // no series stands twice
    for (const auto& group : fleet.groups) {
        nodes_of[{group.model, group.product, group.profile_digest, by_label(group)}] +=
            group.nodes.size();
    }
    for (const auto& [labels, nodes] : nodes_of) {
        metrics.add({{"model", labels[0]},
                     {"product", labels[1]},
                     {"profile_digest", labels[2]},
                     {"by", labels[3]}},
                    gauge(nodes));
    }
}

void add_findings(Metrics& metrics, const FleetResult& fleet) {
    metrics.family("finding_nodes", "Nodes with a finding that is not ok");
    for (const auto& tally : fleet.tallies) {
        metrics.add({{"id", std::string(tally.id)},
                     {"level", std::string(word_of(tally.level))},
                     {"outcome", std::string(word_of(tally.outcome))},
                     {"waived", tally.waived ? "true" : "false"},
                     {"ticket", std::string(tally.ticket)}},
                    gauge(tally.nodes));
    }
}

void add_nodes(Metrics& metrics, const FleetResult& fleet) {
    const auto each = [&](const auto& value) {
        for (const auto& node : fleet.nodes) {
            metrics.add({{"node", std::string(node.name)}}, value(node));
        }
    };
    const auto fold = [&](const FleetNode& node) -> const FleetFold& {
        return fleet.groups[node.group].folds[node.fold];
    };
    metrics.family(
        "node_exit_status",
        "Exit status of the node's check: 0, 1 or 3; none of a node that was not judged");
    for (const auto& node : fleet.nodes) {
        if (fold(node).judged) {
            metrics.add({{"node", std::string(node.name)}}, std::int64_t{fold(node).exit_code});
        }
    }
    metrics.family("node_differences", "Things in which the node differs from its group");
    each([&](const FleetNode& node) { return gauge(fold(node).differences.size()); });
    metrics.family("node_report_seconds", "Time of the node's newest report");
    each([&](const FleetNode& node) { return utc_seconds(node.time).value_or(0); });
}

}  // namespace

std::string render_fleet_prometheus(const FleetResult& fleet) {
    Metrics metrics;
    add_counts(metrics, fleet);
    add_problems(metrics, fleet);
    add_groups(metrics, fleet);
    add_findings(metrics, fleet);
    add_nodes(metrics, fleet);
    add_precedence(metrics, fleet);
    return metrics.take();
}

}  // namespace rocenv
