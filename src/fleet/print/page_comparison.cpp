// SPDX-License-Identifier: MIT
// Counts, problems of the input, groups and what came since, as the data of a page.
#include "fleet/print/page_writer.h"
#include "fleet/print/row_sentence.h"
#include "fleet/print/told.h"
#include "util/text.h"

namespace rocenv {

namespace {

void page_summary(PageWriter& page, const FleetResult& fleet) {
    page.text("newest", fleet.newest);
    page.text("oldest", fleet.oldest);
    page.text("reference", fleet.reference);
    page.json.integer("reports_read", fleet.reports_read);
    page.json.integer("superseded", fleet.superseded);
    page.json.integer("odd", fleet.odd);
    page.json.integer("odd_but_ok", fleet.odd_but_ok);
    page.json.integer("without_majority", fleet.without_majority);
    page.json.integer("unread_inputs", fleet.unread_inputs);
}

void page_warnings(PageWriter& page, const FleetResult& fleet) {
    page.json.open_array("warnings");
    for (const std::string& warning : fleet.warnings) {
        page.text({}, warning);
    }
    page.json.close_array();
}

void page_uncompared(PageWriter& page, const FleetResult& fleet) {
    page.json.integer("uncompared_count", fleet.uncompared_count);
    page.json.open_array("uncompared");
    for (const FleetUncompared& each : fleet.uncompared) {
        page.json.open_object();
        page.text("why", each.why);
        page.nodes("nodes", each.names, each.count);
        page.json.close_object();
    }
    page.json.close_array();
}

void page_problems(PageWriter& page, const FleetResult& fleet) {
    page.json.open_array("problems");
    for (const FleetProblem& problem : fleet.problems) {
        page.json.open_object();
        page.json.text("kind", word_of(problem.kind));
        page.text("file", problem.file);
        page.json.integer("line", problem.line);
        page.text("text", problem.text);
        page.json.close_object();
    }
    page.json.close_array();
    page.json.integer("more_problems", fleet.more_problems);
}

void page_steps(PageWriter& page, const std::vector<FleetStep>& steps) {
    page.json.open_array("steps");
    for (const FleetStep& step : steps) {
        page.json.open_object();
        page.text_if_any("model", step.model);
        page.text("fix", step.fix);
        page.json.close_object();
    }
    page.json.close_array();
}

// `members` are numbers of nodes.
void page_causes(PageWriter& page, const FleetResult& fleet) {
    page.json.open_array("causes");
    for (const FleetRow& row : fleet.rows) {
        page.json.open_object();
        page.json.text("kind", word_of(row.kind));
        page.text("text", row_sentence(fleet, row));
        page.nodes("nodes", row.names, row.nodes.size());
        page.json.text("members", number_list(row.nodes));
        page_steps(page, row.steps);
        page.json.close_object();
    }
    page.json.close_array();
}

void page_tallies(PageWriter& page, const FleetResult& fleet) {
    page.json.open_array("tallies");
    for (const FleetTally& tally : fleet.tallies) {
        page.json.open_object();
        page.text("id", tally.id);
        page.json.text("level", word_of(tally.level));
        page.json.text("outcome", word_of(tally.outcome));
        page.flag("waived", tally.waived);
        page.text_if_any("ticket", tally.ticket);
        page_steps(page, tally.steps);
        page.json.integer("targets", tally.targets);
        page.nodes("nodes", tally.names, tally.nodes);
        page.json.close_object();
    }
    page.json.close_array();
}

void page_grouped_by(PageWriter& page, const FleetGroup& group, bool with_version) {
    page.json.open_array("by");
    if (with_version) {
        page.text({}, "rocenv " + group.version);
    }
    for (const auto& [what, value] : group.by) {
        page.text({}, what + " " + value);
    }
    page.json.close_array();
}

void page_folds(PageWriter& page, const FleetGroup& group) {
    page.json.open_array("folds");
    for (const FleetFold& fold : group.folds) {
        page.json.open_object();
        page.nodes("nodes", fold.names, fold.nodes.size());
        page.status(fold.judged ? fold.exit_code : page_unjudged);
        page.flag("container", fold.container);
        page.text_if_any("because", because_text(fold.because));
        page.differences(fold.differences);
        page.json.close_object();
    }
    page.json.close_array();
}

void page_splits(PageWriter& page, const FleetGroup& group) {
    page.json.open_array("splits");
    for (const FleetSplit& split : group.splits) {
        page.json.open_object();
        page.text("id", split.id);
        page.text("target", split.target);
        page.json.open_array("sides");
        for (const FleetSplit::Side& side : split.sides) {
            page.json.open_object();
            page.text("value", side.value);
            page.nodes("nodes", side.names, side.count);
            page.json.close_object();
        }
        page.json.close_array();
        page.json.close_object();
    }
    page.json.close_array();
}

void page_common_findings(PageWriter& page, const FleetResult& fleet, const FleetGroup& group) {
    page.json.open_array("findings");
    for (const FleetIndex item : group.findings) {
        page.finding(fleet.items[item]);
    }
    page.json.close_array();
}

void page_groups(PageWriter& page, const FleetResult& fleet) {
    const bool with_version = has_versions(fleet);
    page.json.open_array("groups");
    for (const FleetGroup& group : fleet.groups) {
        page.json.open_object();
        page.text("model", group.model);
        page.text("product", group.product);
        page.text("profiles", group.profiles);
        page.text("digest", group.profile_digest);
        page_grouped_by(page, group, with_version);
        page.nodes("nodes", group.names, group.nodes.size());
        page.json.boolean("baseline", group.has_baseline);
        page.json.integer("without_majority", group.without_majority);
        page.flag("findings_of_all", !group.findings_compared);
        page_folds(page, group);
        page_splits(page, group);
        page_common_findings(page, fleet, group);
        page.json.close_object();
    }
    page.json.close_array();
}

void page_growths(PageWriter& page, const FleetSince& since) {
    page.json.open_array("growths");
    for (const FleetSince::Growth& growth : since.growths) {
        page.json.open_object();
        page.json.integer("node", growth.node);
        page.text("id", growth.id);
        page.text("target", growth.target);
        page.text("counter", growth.counter);
        page.json.text("was", number(growth.was));
        page.json.text("now", number(growth.now));
        page.flag("same_boot", growth.same_boot);
        page.json.close_object();
    }
    page.json.close_array();
}

void page_since(PageWriter& page, const FleetResult& fleet) {
    if (!fleet.since) {
        return;
    }
    const FleetSince& since = *fleet.since;
    page.json.open_object("since");
    page.text("folder", since.folder);
    page.json.integer("nodes", since.nodes);
    page.json.integer("unchanged", since.unchanged);
    page.nodes("added", since.added, since.added_count);
    page.nodes("gone", since.gone, since.gone_count);
    page.json.open_array("changes");
    for (const FleetSince::Change& change : since.changes) {
        page.json.open_object();
        page.nodes("nodes", change.names, change.nodes.size());
        page.differences(change.differences);
        page.json.close_object();
    }
    page.json.close_array();
    page_growths(page, since);
    page.json.close_object();
}

}  // namespace

void write_comparison(PageWriter& page, const FleetResult& fleet) {
    page_summary(page, fleet);
    page.nodes("missing", fleet.missing, fleet.missing_count);
    page.nodes("unexpected", fleet.unexpected, fleet.unexpected_count);
    page.nodes("stale", fleet.stale, fleet.stale_count);
    page.nodes("future", fleet.future, fleet.future_count);
    page_warnings(page, fleet);
    page_uncompared(page, fleet);
    page_problems(page, fleet);
    page_causes(page, fleet);
    page_tallies(page, fleet);
    page_groups(page, fleet);
    page_since(page, fleet);
}

}  // namespace rocenv
