// SPDX-License-Identifier: MIT
#include "fleet/print/render.h"
#include "json/writer.h"
#include "util/text.h"

namespace rocenv {

namespace {

std::optional<std::string> unless_empty(std::string_view text) {
    return text.empty() ? std::nullopt : std::optional<std::string>(text);
}

std::optional<std::string> text_of(const std::optional<std::string_view>& text) {
    return text ? std::optional<std::string>(*text) : std::nullopt;
}

void write_names(JsonWriter& json, std::string_view key, std::size_t count,
                 const std::string& names) {
    json.open_object(key);
    json.integer("count", std::uint64_t{count});
    json.text("names", names);
    json.close_object();
}

void write_summary(JsonWriter& json, const FleetResult& fleet) {
    json.open_object("summary");
    json.integer("nodes", std::uint64_t{fleet.nodes.size()});
    json.integer("ok", std::uint64_t{fleet.with_status[0]});
    json.integer("differs", std::uint64_t{fleet.with_status[1]});
    json.integer("unknown", std::uint64_t{fleet.with_status[3]});
    json.integer("unjudged", std::uint64_t{fleet.unjudged});
    json.integer("odd", std::uint64_t{fleet.odd});
    json.integer("odd_but_ok", std::uint64_t{fleet.odd_but_ok});
    json.integer("without_majority", std::uint64_t{fleet.without_majority});
    json.integer("uncompared", std::uint64_t{fleet.uncompared_count});
    json.integer("unread_inputs", std::uint64_t{fleet.unread_inputs});
    json.integer("reports_read", std::uint64_t{fleet.reports_read});
    json.integer("superseded", std::uint64_t{fleet.superseded});
    json.integer("distinct_reports", std::uint64_t{fleet.reports.size()});
    json.text_or_null("oldest", unless_empty(fleet.oldest));
    json.text_or_null("newest", unless_empty(fleet.newest));
    json.close_object();
}

void write_uncompared(JsonWriter& json, const FleetUncompared& each) {
    json.open_object();
    json.text("why", each.why);
    json.integer("nodes", std::uint64_t{each.count});
    json.text("names", each.names);
    json.boolean("counts", each.counts);
    json.close_object();
}

void write_difference(JsonWriter& json, const FleetDifference& each, std::string_view others) {
    json.open_object();
    json.text("of", word_of(each.of));
    json.text("id", each.id);
    json.text("target", each.target);
    json.text("here", each.here);
    json.text(others, each.others);
    json.boolean("unread", each.unread);
    json.text_or_null("level", each.level ? unless_empty(word_of(*each.level)) : std::nullopt);
    json.boolean("by_majority", each.by_majority);
    json.close_object();
}

void write_fold(JsonWriter& json, const FleetFold& fold) {
    json.open_object();
    json.integer("nodes", std::uint64_t{fold.nodes.size()});
    json.text("names", fold.names);
    json.integer("exit", static_cast<std::uint64_t>(fold.exit_code));
    json.boolean("container", fold.container);
    json.text_or_null("because", unless_empty(fold.because));
    json.boolean("judged", fold.judged);
    json.open_array("differences");
    for (const auto& each : fold.differences) {
        write_difference(json, each, "others");
    }
    json.close_array();
    json.close_object();
}

void write_split(JsonWriter& json, const FleetSplit& split) {
    json.open_object();
    json.text("id", split.id);
    json.text("target", split.target);
    json.boolean("unread", split.unread);
    json.open_array("sides");
    for (const auto& side : split.sides) {
        json.open_object();
        json.text("value", side.value);
        json.integer("nodes", std::uint64_t{side.count});
        json.text("names", side.names);
        json.close_object();
    }
    json.close_array();
    json.close_object();
}

void write_item(JsonWriter& json, const FleetFinding& item) {
    json.open_object();
    json.text("id", item.id);
    json.text("target", item.target);
    json.text("level", word_of(item.level));
    json.text("outcome", word_of(item.outcome));
    json.text_or_null("want", text_of(item.want));
    json.text_or_null("have", text_of(item.have));
    json.close_object();
}

void write_group(JsonWriter& json, const FleetResult& fleet, const FleetGroup& group) {
    json.open_object();
    json.text_or_null("model", unless_empty(group.model));
    json.text_or_null("product", unless_empty(group.product));
    json.text_or_null("profile", unless_empty(group.profiles));
    json.text_or_null("profile_digest", unless_empty(group.profile_digest));
    json.text_or_null("version", unless_empty(group.version));
    json.open_object("by");
    for (const auto& [id, value] : group.by) {
        json.text_or_null(id, unless_empty(value));
    }
    json.close_object();
    json.integer("nodes", std::uint64_t{group.nodes.size()});
    json.text("names", group.names);
    json.boolean("has_baseline", group.has_baseline);
    json.integer("without_majority", std::uint64_t{group.without_majority});
    json.open_array("folds");
    for (const auto& fold : group.folds) {
        write_fold(json, fold);
    }
    json.close_array();
    json.open_array("splits");
    for (const auto& split : group.splits) {
        write_split(json, split);
    }
    json.close_array();
    json.boolean("findings_compared", group.findings_compared);
    json.open_array("majority_findings");
    for (const auto item : group.findings) {
        write_item(json, fleet.items[item]);
    }
    json.close_array();
    json.close_object();
}

void write_steps(JsonWriter& json, const std::vector<FleetStep>& steps) {
    json.open_array("steps");
    for (const auto& step : steps) {
        json.open_object();
        json.text_or_null("model", unless_empty(step.model));
        json.text("fix", step.fix);
        json.close_object();
    }
    json.close_array();
}

void write_tally(JsonWriter& json, const FleetTally& tally) {
    json.open_object();
    json.text("id", tally.id);
    json.text("level", word_of(tally.level));
    json.text("outcome", word_of(tally.outcome));
    json.boolean("waived", tally.waived);
    json.text_or_null("ticket", unless_empty(tally.ticket));
    json.text_or_null("fix", unless_empty(tally.fix));
    json.integer("nodes", std::uint64_t{tally.nodes});
    json.integer("targets", std::uint64_t{tally.targets});
    json.text("names", tally.names);
    write_steps(json, tally.steps);
    json.close_object();
}

void write_row(JsonWriter& json, const FleetRow& row) {
    json.open_object();
    json.text("kind", word_of(row.kind));
    json.integer("nodes", std::uint64_t{row.nodes.size()});
    json.text("names", row.names);
    json.open_array("ids");
    for (const auto id : row.ids) {
        json.text("", id);
    }
    json.close_array();
    json.text_or_null("because", unless_empty(row.because));
    write_steps(json, row.steps);
    json.close_object();
}

void write_node(JsonWriter& json, const FleetResult& fleet, const FleetNode& node) {
    const FleetFold& fold = fleet.groups[node.group].folds[node.fold];
    json.open_object();
    json.text("name", node.name);
    json.text("time", node.time);
    json.integer("exit", static_cast<std::uint64_t>(fold.exit_code));
    json.integer("group", std::uint64_t{node.group});
    json.integer("fold", std::uint64_t{node.fold});
    json.text("file", node.file);
    json.integer("line", node.line);
    json.close_object();
}

void write_growth(JsonWriter& json, const FleetResult& fleet, const FleetSince::Growth& growth) {
    json.open_object();
    json.text("node", fleet.nodes[growth.node].name);
    json.text("id", growth.id);
    json.text("target", growth.target);
    json.text("counter", growth.counter);
    json.integer("was", growth.was);
    json.integer("now", growth.now);
    json.boolean("same_boot", growth.same_boot);
    json.close_object();
}

void write_since(JsonWriter& json, const FleetResult& fleet, const FleetSince& since) {
    json.open_object("since");
    json.text("folder", since.folder);
    json.integer("nodes", std::uint64_t{since.nodes});
    json.integer("unchanged", std::uint64_t{since.unchanged});
    write_names(json, "new", since.added_count, since.added);
    write_names(json, "gone", since.gone_count, since.gone);
    json.open_array("changed");
    for (const auto& change : since.changes) {
        json.open_object();
        json.integer("nodes", std::uint64_t{change.nodes.size()});
        json.text("names", change.names);
        json.open_array("differences");
        for (const auto& each : change.differences) {
            write_difference(json, each, "was");
        }
        json.close_array();
        json.close_object();
    }
    json.close_array();
    json.open_array("counters");
    for (const auto& growth : since.growths) {
        write_growth(json, fleet, growth);
    }
    json.close_array();
    json.close_object();
}

void write_problems(JsonWriter& json, const FleetResult& fleet) {
    json.open_array("problems");
    for (const auto& problem : fleet.problems) {
        json.open_object();
        json.text("kind", word_of(problem.kind));
        json.text("file", problem.file);
        json.integer("line", problem.line);
        json.text("text", problem.text);
        json.close_object();
    }
    json.close_array();
    json.integer("more_problems", std::uint64_t{fleet.more_problems});
}

}  // namespace

std::string render_fleet_json(const FleetResult& fleet) {
    JsonWriter json;
    json.open_object();
    json.text("schema", "rocenv.fleet/1");
    json.text("version", ROCENV_VERSION);
    json.integer("exit", static_cast<std::uint64_t>(fleet.exit_code));
    write_summary(json, fleet);
    json.text_or_null("reference", unless_empty(fleet.reference));
    json.open_array("warnings");
    for (const auto& warning : fleet.warnings) {
        json.text("", warning);
    }
    json.close_array();
    write_names(json, "missing", fleet.missing_count, fleet.missing);
    write_names(json, "stale", fleet.stale_count, fleet.stale);
    write_names(json, "unexpected", fleet.unexpected_count, fleet.unexpected);
    write_names(json, "future", fleet.future_count, fleet.future);
    json.open_array("uncompared");
    for (const auto& each : fleet.uncompared) {
        write_uncompared(json, each);
    }
    json.close_array();
    json.open_array("causes");
    for (const auto& row : fleet.rows) {
        write_row(json, row);
    }
    json.close_array();
    json.open_array("groups");
    for (const auto& group : fleet.groups) {
        write_group(json, fleet, group);
    }
    json.close_array();
    json.open_array("findings");
    for (const auto& tally : fleet.tallies) {
        write_tally(json, tally);
    }
    json.close_array();
    if (fleet.since) {
        write_since(json, fleet, *fleet.since);
    }
    json.open_array("nodes");
    for (const auto& node : fleet.nodes) {
        write_node(json, fleet, node);
    }
    json.close_array();
    write_problems(json, fleet);
    json.close_object();
    return json.finish();
}

}  // namespace rocenv
