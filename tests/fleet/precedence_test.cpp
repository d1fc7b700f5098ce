// SPDX-License-Identifier: MIT
// Each rule of the table in fleet/read/precedence.cpp, and the pairs of rules that can meet. All
// formats print the same for every order in which the reports are read.
#include "fleet/read/precedence.h"

#include <algorithm>
#include <random>
#include <set>

#include "check/check.h"
#include "fleet/compared_lines.h"
#include "fleet/print/render.h"
#include "help/manual/pages.h"
#include "os/fs/forwarding_fs.h"
#include "os/fs/memory_fs.h"
#include "report/render.h"
#include "support/catch.h"
#include "util/exit_status.h"

namespace precedence_test {

using namespace rocenv;
using namespace fleet_texts;

namespace {

constexpr std::int64_t now = 1795341660;  // 2026-11-22T10:01:00Z

NodeReport at(const std::string& time, NodeReport report = node("n1")) {
    report.time = "2026-11-22T" + time + "Z";
    return report;
}

NodeReport bad(NodeReport report) {
    report.findings = {{.id = "gpu.count", .value = "7", .outcome = "differs"}};
    report.exit = 1;
    return report;
}

NodeReport good(NodeReport report) {
    report.findings.push_back({.id = "gpu.count", .value = "8"});
    return report;
}

NodeReport hot(NodeReport report, const std::string& outcome) {
    report.findings = {{.id = "gpu.power_cap", .value = "7", .outcome = outcome}};
    report.exit = outcome == "ok" ? 0 : 1;
    return report;
}

NodeReport unread(NodeReport report) {
    report.findings = {
        {.id = "gpu.driver", .outcome = "unknown", .more = R"(, "reason": "timeout")"}};
    report.exit = 3;
    return report;
}

NodeReport with(NodeReport report, const std::string& members) {
    report.more += ", " + members;
    return report;
}

NodeReport only(NodeReport report, const std::string& id = "gpu.count") {
    return with(std::move(report), R"("only": [")" + id + "\"]");
}

NodeReport late(NodeReport report) {
    return with(std::move(report), R"("deadline_reached": true)");
}

NodeReport by(const std::string& profile, NodeReport report) {
    report.profile = profile;
    report.digest = profile.substr(0, 1) + "000";
    return report;
}

NodeReport of(const std::string& name, NodeReport report) {
    report.node = name;
    return report;
}

NodeReport machine(const std::string& product, NodeReport report) {
    report.facts.push_back({.id = "host.product", .value = product});
    return report;
}

NodeReport without_facts(NodeReport report) {
    report.has_facts = false;
    report.facts.clear();
    return report;
}

NodeReport in_container(NodeReport report) {
    report.container = true;
    return report;
}

// A finding that differs, which changes no status.
NodeReport with_finding(NodeReport report, const std::string& members, const std::string& level) {
    report.findings = {
        {.id = "cpu.smt", .value = "7", .outcome = "differs", .level = level, .more = members}};
    return report;
}

NodeReport without_finding(NodeReport report) {
    report.judged = false;
    return report;
}

// All that a fleet prints of reports that were read in this order, each from a file of its own.
struct Printed {
    FleetResult fleet;
    std::string all;
};

struct Asked {
    std::optional<std::int64_t> max_age{};
    std::vector<std::string> group_by{};
};

Printed printed(const std::vector<NodeReport>& reports, const std::vector<std::size_t>& order,
                bool strict, const Asked& asked) {
    Gathered all({}, {}, now);
    for (const auto index : order) {
        all.take(text_of(reports[index]), all.sweep, 1 << 20, std::to_string(index) + ".json");
    }
    CompareRequest request;
    request.now_seconds = now;
    request.strict = strict;
    request.max_age_seconds = asked.max_age;
    request.group_by = asked.group_by;
    Printed out{all.compared(request), ""};
    out.all = render_fleet_json(out.fleet) +
              render_fleet_human(out.fleet, Detail::everything, Screen(Colour::no)) +
              render_fleet_prometheus(out.fleet) + render_fleet_html(out.fleet);
    return out;
}

std::vector<std::size_t> in_order(std::size_t count) {
    std::vector<std::size_t> out(count);
    for (std::size_t index = 0; index < count; ++index) {
        out[index] = index;
    }
    return out;
}

// "n1 pass 09:30:00 host outlier: a newer report of ...": one line a node.
std::string node_words(const FleetResult& fleet, const FleetNode& row) {
    const FleetFold& fold = fleet.groups[row.group].folds[row.fold];
    std::string out = std::string(row.name) +
                      (!fold.judged                     ? " unjudged "
                       : fold.exit_code == exit_ok      ? " pass "
                       : fold.exit_code == exit_differs ? " FAIL "
                                                        : " unknown ") +
                      std::string(row.time.substr(11, 5)) + " " +
                      std::string(fleet.reports[row.report].profiles);
    out += fold.because.empty() ? "" : " because " + std::string(fold.because);
    out += fold.beside.empty() ? "" : " beside " + std::string(fold.beside);
    return out + (fold.differences.empty() ? "" : " odd");
}

// The status without and with --strict, then nodes, then the rules that applied.
Lines decided(const std::vector<NodeReport>& reports, const Asked& asked = {}) {
    const auto order = in_order(reports.size());
    const FleetResult fleet = printed(reports, order, false, asked).fleet;
    const FleetResult strictly = printed(reports, order, true, asked).fleet;
    Lines out{number(fleet.exit_code) + " " + number(strictly.exit_code)};
    for (const auto& row : fleet.nodes) {
        out.push_back(node_words(fleet, row));
    }
    if (fleet.stale_count > 0) {
        out.push_back("stale " + fleet.stale);
    }
    for (const auto& each : fleet.precedence) {
        out.push_back(std::string(each.rule) + (each.detail.empty() ? "" : " " + each.detail) +
                      ": " + each.names);
    }
    return out;
}

// Returns the first line of one text that is not in the other; empty if they are equal.
std::string first_difference(const std::string& a, const std::string& b) {
    const auto [here, there] = std::mismatch(a.begin(), a.end(), b.begin(), b.end());
    const auto line = [](const std::string& text, auto position) {
        const auto from = text.rfind('\n', static_cast<std::size_t>(position - text.begin()));
        return text.substr(from == text.npos ? 0 : from, 300);
    };
    return here == a.end() && there == b.end() ? "" : line(a, here) + "\n<>" + line(b, there);
}

void check_all_orders(const std::vector<NodeReport>& reports, const Asked& asked) {
    auto order = in_order(reports.size());
    const std::string expected = printed(reports, order, false, asked).all;
    for (int tried = 0; std::next_permutation(order.begin(), order.end()) && tried < 120; ++tried) {
        REQUIRE(first_difference(printed(reports, order, false, asked).all, expected) == "");
    }
}

struct Case {
    std::string rules;  // that the case is about
    std::vector<NodeReport> reports;
    Lines expected;
    Asked asked{};
};

const NodeReport pass = node("n1");
const Asked within_hour{.max_age = 3600};
const std::string part = "a newer report of check --only gpu.count: required gpu.count differs";
const std::string ahead = "a report ahead of the clock: required gpu.count differs";

const std::vector<Case> cases_of_one_node{
    {"newest", {at("09:00:00"), at("09:30:00", bad(pass))}, {"1 1", "n1 FAIL 09:30 host"}},
    {"newest", {at("09:00:00", bad(pass)), at("09:30:00")}, {"0 0", "n1 pass 09:30 host"}},
    {"newest worse",
     {at("09:00:00", bad(pass)), at("09:30:00"), at("09:30:00", unread(pass))},
     {"3 3", "n1 unknown 09:30 host"}},
    {"worse", {at("09:00:00"), at("09:00:00", bad(pass))}, {"1 1", "n1 FAIL 09:00 host"}},
    {"worse",
     {at("09:00:00", unread(pass)), at("09:00:00", bad(pass))},
     {"1 1", "n1 FAIL 09:00 host"}},
    {"worse content",
     {at("09:00:00", bad(node("n1", "5.15"))), at("09:00:00", bad(pass)),
      at("09:00:00", bad(node("n1", "6.1")))},
     {"1 1", "n1 FAIL 09:00 host"}},
    {"content", {at("09:00:00"), at("09:00:00")}, {"0 0", "n1 pass 09:00 host"}},

    // The clock: 4 minutes ahead and 6 minutes ahead.
    {"clock newest", {at("10:00:00"), at("10:05:00", bad(pass))}, {"1 1", "n1 FAIL 10:05 host"}},
    {"clock newest", {at("10:00:00", bad(pass)), at("10:05:00")}, {"0 0", "n1 pass 10:05 host"}},
    {"clock newest",
     {at("10:00:00", bad(pass)), at("10:07:00")},
     {"1 1", "n1 FAIL 10:00 host", "clock: n1"}},
    {"clock", {at("10:00:00"), at("10:07:00")}, {"0 1", "n1 pass 10:00 host", "clock: n1"}},
    {"clock newer-fault",
     {at("10:00:00"), at("10:07:00", bad(pass))},
     {"1 1", "n1 pass 10:00 host beside " + ahead + " odd", "clock: n1",
      "newer-fault ahead of the clock: n1"}},
    {"clock newer-unknown",
     {at("10:00:00"), at("10:07:00", unread(pass))},
     {"3 1", "n1 pass 10:00 host", "clock: n1", "newer-unknown ahead of the clock: n1"}},
    {"clock", {at("10:07:00")}, {"0 1", "n1 pass 10:07 host", "clock: n1"}},
    {"clock newest",
     {at("10:07:00", bad(pass)), at("10:08:00")},
     {"0 1", "n1 pass 10:08 host", "clock: n1"}},
    {"clock worse",
     {at("10:07:00", bad(pass)), at("10:07:00")},
     {"1 1", "n1 FAIL 10:07 host", "clock: n1"}},
    {"clock complete",
     {at("10:07:00"), at("09:00:00", only(pass))},
     {"0 1", "n1 pass 10:07 host", "clock: n1", "newer-part of check --only gpu.count: n1"}},
    {"clock complete newer-fault",
     {at("10:07:00"), at("09:00:00", only(bad(pass)))},
     {"1 1",
      "n1 pass 10:07 host beside a report of check --only gpu.count: required gpu.count "
      "differs odd",
      "clock: n1", "newer-fault of check --only gpu.count: n1"}},

    // Incomplete reports beside a complete one.
    {"complete newer-part",
     {at("09:00:00"), at("09:30:00", only(pass))},
     {"0 0", "n1 pass 09:00 host", "newer-part of check --only gpu.count: n1"}},
    {"complete newer-part",
     {at("09:00:00", bad(pass)), at("09:30:00", only(pass))},
     {"1 1", "n1 FAIL 09:00 host", "newer-part of check --only gpu.count: n1"}},
    {"complete newest",
     {at("09:30:00"), at("09:00:00", only(bad(pass)))},
     {"0 0", "n1 pass 09:30 host"}},
    {"complete newer-fault",
     {at("09:00:00"), at("09:30:00", only(bad(pass)))},
     {"1 1", "n1 pass 09:00 host beside " + part + " odd",
      "newer-fault of check --only gpu.count: n1"}},
    {"complete worse newer-fault",  // at one time
     {at("09:00:00"), at("09:00:00", only(bad(pass)))},
     {"1 1", "n1 pass 09:00 host beside " + part + " odd",
      "newer-fault of check --only gpu.count: n1"}},
    {"complete newer-fault",
     {at("09:00:00", unread(pass)), at("09:30:00", only(bad(pass)))},
     {"1 1", "n1 unknown 09:00 host beside " + part + " odd",
      "newer-fault of check --only gpu.count: n1"}},
    {"complete newer-part",
     {at("09:00:00", bad(pass)), at("09:30:00", only(bad(pass)))},
     {"1 1", "n1 FAIL 09:00 host", "newer-part of check --only gpu.count: n1"}},
    {"complete newest newer-fault",  // the newer one of the same part replaces the older one
     {at("09:00:00"), at("09:30:00", only(bad(pass))), at("09:40:00", only(good(pass)))},
     {"0 0", "n1 pass 09:00 host", "newer-part of check --only gpu.count: n1"}},
    {"complete newer-part",  // a newer one that checked the same id replaces it, also with more
                             // ids
     {at("09:00:00"), at("09:30:00", late(bad(pass))), at("09:40:00", late(good(pass)))},
     {"0 0", "n1 pass 09:00 host", "newer-part that its deadline cut short: n1"}},
    {"complete newer-fault",  // one that did not come so far does not
     {at("09:00:00"), at("09:30:00", late(bad(pass))), at("09:40:00", late(pass))},
     {"1 1",
      "n1 pass 09:00 host beside a newer report that its deadline cut short: required "
      "gpu.count differs odd",
      "newer-fault that its deadline cut short: n1"}},
    {"complete newer-fault",
     {at("09:00:00"), at("09:30:00", late(bad(pass))), at("09:40:00", late(unread(pass)))},
     {"1 1",
      "n1 pass 09:00 host beside a newer report that its deadline cut short: required "
      "gpu.count differs odd",
      "newer-fault that its deadline cut short: n1"}},
    {"complete newer-unknown",
     {at("09:00:00"), at("09:30:00", late(unread(pass))), at("09:40:00", late(pass))},
     {"3 3", "n1 pass 09:00 host", "newer-unknown that its deadline cut short: n1"}},
    {"complete newer-fault",  // a later fault of another id hides none
     {at("09:00:00"), at("09:10:00", late(bad(pass))), at("09:20:00", late(hot(pass, "differs"))),
      at("09:30:00", late(hot(pass, "ok")))},
     {"1 1",
      "n1 pass 09:00 host beside a newer report that its deadline cut short: required "
      "gpu.count differs odd",
      "newer-fault that its deadline cut short: n1"}},
    {"complete newer-part",  // a later pass of another id brings none back
     {at("09:00:00"), at("09:10:00", late(bad(pass))), at("09:20:00", late(good(pass))),
      at("09:30:00", late(hot(pass, "ok")))},
     {"0 0", "n1 pass 09:00 host", "newer-part that its deadline cut short: n1"}},
    {"complete newer-unknown",  // an older fault of the same sort does not hide it
     {at("08:50:00", in_container(late(bad(pass)))), at("09:00:00"),
      at("09:30:00", in_container(late(unread(pass))))},
     {"3 3", "n1 pass 09:00 host", "newer-unknown that its deadline cut short: n1"}},
    {"complete newer-fault",  // a report of the same time settles nothing
     {at("09:00:00"), at("09:10:00", late(bad(pass))),
      at("09:10:00", late(good(hot(pass, "differs")))), at("09:20:00", late(hot(pass, "ok")))},
     {"1 1",
      "n1 pass 09:00 host beside a newer report that its deadline cut short: required "
      "gpu.count differs odd",
      "newer-fault that its deadline cut short: n1"}},
    {"complete newer-fault newer-part",  // a report of another machine settles nothing
     {at("09:00:00", machine("A", pass)), at("09:10:00", machine("A", late(bad(pass)))),
      at("09:20:00", machine("B", late(good(pass))))},
     {"1 1",
      "n1 pass 09:00 host beside a newer report that its deadline cut short: required "
      "gpu.count differs odd",
      "newer-fault that its deadline cut short: n1"}},
    {"complete newer-fault newer-part",  // a container sees less
     {at("09:00:00"), at("09:30:00", only(bad(pass))),
      at("09:40:00", in_container(only(good(pass))))},
     {"1 1", "n1 pass 09:00 host beside " + part + " odd",
      "newer-fault of check --only gpu.count: n1", "newer-part of check --only gpu.count: n1"}},
    {"complete newer-fault newer-part",  // another part does not
     {at("09:00:00"), at("09:30:00", only(bad(pass))), at("09:40:00", only(pass, "cpu.smt"))},
     {"1 1", "n1 pass 09:00 host beside " + part + " odd",
      "newer-fault of check --only gpu.count: n1", "newer-part of check --only cpu.smt: n1"}},
    {"complete newer-fault",
     {at("09:00:00"), at("09:30:00", with(bad(pass), R"("skip": ["host.rivals"])"))},
     {"1 1",
      "n1 pass 09:00 host beside a newer report of check --skip host.rivals: required "
      "gpu.count differs odd",
      "newer-fault of check --skip host.rivals: n1"}},
    {"complete newer-fault",
     {at("09:00:00"), at("09:30:00", late(bad(pass)))},
     {"1 1",
      "n1 pass 09:00 host beside a newer report that its deadline cut short: required "
      "gpu.count differs odd",
      "newer-fault that its deadline cut short: n1"}},
    {"complete newer-unknown",
     {at("09:00:00"), at("09:30:00", late(unread(pass)))},
     {"3 3", "n1 pass 09:00 host", "newer-unknown that its deadline cut short: n1"}},
    {"complete newer-part",
     {at("09:00:00"), at("09:30:00", late(pass))},
     {"0 0", "n1 pass 09:00 host", "newer-part that its deadline cut short: n1"}},
    {"complete",  // 0.1.0 does not say that a deadline was reached
     {at("09:00:00"), at("09:30:00", unread(pass))},
     {"3 3", "n1 unknown 09:30 host"}},
    {"complete newer-part",
     {at("09:00:00"), at("09:30:00", without_finding(pass))},
     {"0 0", "n1 pass 09:00 host", "newer-part without a finding: n1"}},
    {"complete newest",
     {at("09:00:00", bad(pass)), at("09:30:00", with(pass, R"("scope": "node")"))},
     {"0 0", "n1 pass 09:30 host"}},
    {"complete newest",
     {at("09:00:00", bad(pass)), at("09:30:00", with(pass, R"("scope": "all")"))},
     {"0 0", "n1 pass 09:30 host"}},
    {"complete newer-part",
     {at("09:00:00", bad(pass)), at("09:30:00", with(pass, R"("scope": "process")"))},
     {"1 1", "n1 FAIL 09:00 host", "newer-part of check --scope process: n1"}},
    {"complete newest",
     {at("09:00:00", bad(pass)), at("09:30:00", with(pass, R"("strict": true)"))},
     {"0 0", "n1 pass 09:30 host"}},

    // No complete report.
    {"no-complete-report",
     {at("09:00:00", only(pass))},
     {"3 3", "n1 unknown 09:00 host because no complete report, only one of check --only gpu.count",
      "no-complete-report of check --only gpu.count: n1"}},
    {"no-complete-report",
     {at("09:00:00", late(pass))},
     {"3 3",
      "n1 unknown 09:00 host because no complete report, only one that its deadline cut short",
      "no-complete-report that its deadline cut short: n1"}},
    {"no-complete-report",
     {at("09:00:00", with(pass, R"("scope": "process")"))},
     {"3 3", "n1 unknown 09:00 host because no complete report, only one of check --scope process",
      "no-complete-report of check --scope process: n1"}},
    {"no-complete-report newest newer-fault",
     {at("09:00:00", only(bad(pass))), at("09:30:00", only(pass, "cpu.smt"))},
     {"1 1",
      "n1 unknown 09:30 host because no complete report, only one of check --only cpu.smt "
      "beside a report of check --only gpu.count: required gpu.count differs odd",
      "no-complete-report of check --only cpu.smt: n1",
      "newer-fault of check --only gpu.count: n1"}},
    {"no-complete-report newer-fault",
     {at("09:00:00", only(bad(pass)))},
     {"1 1",
      "n1 unknown 09:00 host because no complete report, only one of check --only gpu.count "
      "beside a report of check --only gpu.count: required gpu.count differs",
      "no-complete-report of check --only gpu.count: n1",
      "newer-fault of check --only gpu.count: n1"}},
    {"no-complete-report newer-fault",  // the newer one did not check the id
     {at("09:00:00", only(bad(pass))), at("09:30:00", only(pass))},
     {"1 1",
      "n1 unknown 09:30 host because no complete report, only one of check --only gpu.count "
      "beside a report of check --only gpu.count: required gpu.count differs odd",
      "no-complete-report of check --only gpu.count: n1",
      "newer-fault of check --only gpu.count: n1"}},
    {"no-complete-report newest",
     {at("09:00:00", only(bad(pass))), at("09:30:00", only(good(pass)))},
     {"3 3", "n1 unknown 09:30 host because no complete report, only one of check --only gpu.count",
      "no-complete-report of check --only gpu.count: n1"}},
    {"no-complete-report clock",
     {at("09:00:00", only(pass)), at("10:07:00", only(pass))},
     {"3 1", "n1 unknown 09:00 host because no complete report, only one of check --only gpu.count",
      "clock: n1", "no-complete-report of check --only gpu.count: n1"}},
    {"no-complete-report",
     {at("09:00:00", without_finding(pass))},
     {"3 1", "n1 unjudged 09:00 host", "no-complete-report without a finding: n1"}},

    // --max-age.
    {"fresh", {at("08:00:00")}, {"3 3", "stale n1"}, within_hour},
    {"fresh newest",
     {at("08:00:00", bad(pass)), at("09:30:00")},
     {"0 0", "n1 pass 09:30 host"},
     within_hour},
    {"fresh complete no-complete-report",
     {at("08:00:00"), at("09:30:00", only(pass))},
     {"3 3", "n1 unknown 09:30 host because no complete report, only one of check --only gpu.count",
      "no-complete-report of check --only gpu.count: n1"},
     within_hour},
    {"fresh complete newer-fault no-complete-report",
     {at("08:00:00"), at("09:30:00", only(bad(pass)))},
     {"1 1",
      "n1 unknown 09:30 host because no complete report, only one of check --only gpu.count "
      "beside a report of check --only gpu.count: required gpu.count differs",
      "no-complete-report of check --only gpu.count: n1",
      "newer-fault of check --only gpu.count: n1"},
     within_hour},
    {"fresh clock",
     {at("08:00:00"), at("10:30:00")},
     {"3 1", "stale n1", "clock: n1"},
     within_hour},
    {"fresh clock", {at("10:30:00")}, {"3 1", "stale n1", "clock: n1"}, within_hour},
    {"fresh clock",
     {at("08:00:00"), at("10:30:00", bad(pass))},
     {"1 1", "n1 FAIL 10:30 host", "clock: n1"},
     within_hour},
    {"fresh older-worse",
     {at("08:00:00", in_container(bad(pass))), at("09:30:00")},
     {"0 0", "n1 pass 09:30 host"},
     within_hour},

    // Containers, digests and machines.
    {"older-worse newest",
     {at("09:00:00", bad(pass)), at("09:30:00", in_container(pass))},
     {"0 1", "n1 pass 09:30 host", "older-worse: n1"}},
    {"older-worse newest",
     {at("09:00:00", bad(pass)), at("09:10:00"), at("09:30:00", in_container(pass))},
     {"0 0", "n1 pass 09:30 host"}},
    {"same-name",
     {at("09:00:00", machine("A", bad(pass))), at("09:30:00", machine("B", pass))},
     {"1 1", "n1 FAIL 09:30 host because another machine of this name: required gpu.count differs",
      "same-name A, MI300X; B, MI300X: n1"}},
    {"same-name newest",
     {at("09:00:00", machine("A", bad(pass))), at("09:10:00", machine("A", pass)),
      at("09:30:00", machine("B", pass))},
     {"0 1", "n1 pass 09:30 host", "same-name A, MI300X; B, MI300X: n1"}},
    {"same-name complete newer-fault",
     {at("09:00:00", machine("A", pass)), at("09:30:00", only(machine("B", bad(pass))))},
     {"1 1", "n1 pass 09:00 host beside " + part + " odd",
      "newer-fault of check --only gpu.count: n1"}},
};

// Nodes n1 to n3 have used the list host at 09:00.
std::vector<NodeReport> three_and(std::vector<NodeReport> more) {
    std::vector<NodeReport> out{at("09:00:00", of("n1", pass)), at("09:00:00", of("n2", pass)),
                                at("09:00:00", of("n3", pass))};
    out.insert(out.end(), more.begin(), more.end());
    return out;
}

Lines three_and(const std::string& exits, const std::string& third, Lines more = {}) {
    Lines out{exits, "n1 pass 09:00 host", "n2 pass 09:00 host", third};
    out.insert(out.end(), more.begin(), more.end());
    return out;
}

const NodeReport n3 = of("n3", pass);
const NodeReport n4 = of("n4", pass);
const std::string full_fault = "a newer report by full: required gpu.count differs";
const std::vector<Case> cases_of_lists{
    {"profile-list", three_and({at("09:30:00", by("full", n3))}),
     three_and("0 0", "n3 pass 09:00 host")},
    {"profile-list newer-fault", three_and({at("09:30:00", by("full", bad(n3)))}),
     three_and("1 1", "n3 pass 09:00 host beside " + full_fault + " odd",
               {"newer-fault by full: n3"})},
    {"profile-list newer-unknown", three_and({at("09:30:00", by("full", unread(n3)))}),
     three_and("3 3", "n3 pass 09:00 host", {"newer-unknown by full: n3"})},
    {"profile-list older-worse", three_and({at("08:00:00", by("full", bad(n3)))}),
     three_and("0 1", "n3 pass 09:00 host", {"older-worse: n3"})},
    {"profile-list newest",  // the newest with the other list passes
     three_and({at("09:30:00", by("full", bad(n3))), at("09:40:00", by("full", n3))}),
     three_and("0 0", "n3 pass 09:00 host")},
    {"profile-list newest", three_and({at("09:10:00", bad(n3)), at("09:30:00", by("full", n3))}),
     three_and("1 1", "n3 FAIL 09:10 host odd")},
    {"other-list", three_and({at("09:30:00", by("full", n4))}),
     three_and("0 1", "n3 pass 09:00 host", {"n4 pass 09:30 full", "other-list by full: n4"})},
    {"other-list newest",
     three_and({at("09:30:00", by("full", n4)), at("09:20:00", by("burn", bad(n4)))}),
     three_and("0 1", "n3 pass 09:00 host",
               {"n4 pass 09:30 full", "other-list by full: n4", "older-worse: n4"})},
    {"profile-list complete other-list newer-part",
     three_and({at("09:30:00", by("full", n4)), at("09:40:00", only(n4))}),
     three_and("0 1", "n3 pass 09:00 host",
               {"n4 pass 09:30 full", "other-list by full: n4",
                "newer-part of check --only gpu.count: n4"})},
    {"profile-list clock",  // equal lists first, then the clock
     three_and({at("10:07:00", n4), at("09:30:00", by("full", n4))}),
     three_and("0 1", "n3 pass 09:00 host", {"n4 pass 10:07 host", "clock: n4"})},
    {"profile-list clock newer-fault",
     three_and({at("10:07:00", n4), at("09:30:00", by("full", bad(n4)))}),
     three_and("1 1", "n3 pass 09:00 host",
               {"n4 pass 10:07 host beside a report by full: required gpu.count differs odd",
                "clock: n4", "newer-fault by full: n4"})},
    {"profile-list no-complete-report",  // an incomplete report uses no list
     {at("09:00:00", only(of("n1", pass))), at("09:00:00", only(of("n2", pass))),
      at("09:00:00", by("full", n3))},
     {"3 1", "n1 unknown 09:00 host because no complete report, only one of check --only gpu.count",
      "n2 unknown 09:00 host because no complete report, only one of check --only gpu.count",
      "n3 pass 09:00 full", "no-complete-report of check --only gpu.count: n[1-2]"}},
    // Ties.
    {"profile-list newest",  // as many nodes have used each; full is the newest on most
     {at("09:00:00", of("n1", bad(pass))), at("09:30:00", by("full", of("n1", pass))),
      at("09:00:00", of("n2", pass)), at("09:30:00", by("full", of("n2", pass))),
      at("09:40:00", n3), at("09:30:00", by("full", n3))},
     {"0 1", "n1 pass 09:30 full", "n2 pass 09:30 full", "n3 pass 09:30 full", "older-worse: n1"}},
    {"profile-list other-list",  // in nothing else: the first by name
     {at("09:00:00", by("b", of("n1", pass))), at("09:30:00", by("a", of("n2", pass)))},
     {"0 0", "n1 pass 09:00 b", "n2 pass 09:30 a", "other-list by b: n1"}},
    {"profile-list fresh",  // an old report uses no list
     {at("08:00:00", of("n1", pass)), at("09:30:00", by("full", of("n1", pass))),
      at("08:00:00", of("n2", pass)), at("09:30:00", by("full", of("n2", pass))),
      at("09:30:00", n3)},
     {"0 1", "n1 pass 09:30 full", "n2 pass 09:30 full", "n3 pass 09:30 host",
      "other-list by host: n3"},
     within_hour},
    {"profile-list same-name newest",  // the group of a node is that of its newest report
     {at("09:00:00", machine("A", of("n1", pass))), at("09:00:00", machine("A", of("n2", pass))),
      at("09:00:00", machine("A", bad(n3))), at("09:30:00", by("full", machine("B", n3)))},
     {"1 1", "n1 pass 09:00 host", "n2 pass 09:00 host",
      "n3 FAIL 09:30 full because another machine of this name: required gpu.count differs",
      "same-name A, MI300X; B, MI300X: n3"}},
};

std::vector<Case> all_cases() {
    auto out = cases_of_one_node;
    out.insert(out.end(), cases_of_lists.begin(), cases_of_lists.end());
    return out;
}

}  // namespace

TEST_CASE("Each rule of precedence, alone and with others", "[fleet]") {
    for (const auto& each : all_cases()) {
        std::string texts;
        for (const auto& report : each.reports) {
            texts += report.node + " " + report.time + " " + report.profile + report.more + "\n";
        }
        INFO(each.rules << "\n" << texts);
        CHECK(decided(each.reports, each.asked) == each.expected);
    }
}

TEST_CASE("Every rule has a case, and every case names rules", "[fleet]") {
    std::set<std::string> tested;
    for (const auto& each : all_cases()) {
        for (const auto name : split(each.rules, ' ')) {
            tested.insert(std::string(name));
        }
    }
    std::set<std::string> known;
    for (const auto& rule : precedence_rules()) {
        known.insert(std::string(rule.name));
    }
    CHECK(tested == known);
}

TEST_CASE("The order of reading changes nothing that is printed", "[fleet]") {
    for (const auto& each : all_cases()) {
        INFO(each.rules);
        check_all_orders(each.reports, each.asked);
    }
}

TEST_CASE("Of two reports of one time and status each member decides which counts", "[fleet]") {
    const NodeReport one = with_finding(pass, "", "recommended");
    for (const auto& other :
         {with_finding(pass, "", "info"),
          with_finding(pass, R"(, "cause": {"id": "gpu.count", "target": "system"})",
                       "recommended"),
          in_container(one), with(one, R"("strict": true)"),
          with_finding(pass, R"(, "code": "nmi-on")", "recommended")}) {
        INFO(text_of(other));
        check_all_orders({at("09:00:00", one), at("09:00:00", other)}, {});
    }
}

TEST_CASE("Names that hold an address or a UUID stay apart", "[fleet]") {
    for (const std::string shape : {"vm-5d0f2f4b-1111-4222-8333-44445555666", "aa:bb:cc:dd:ee:0",
                                    "fe80::", "maas-00-25-90-ab-cd-0"}) {
        const auto lines =
            decided({of(shape + "1", at("09:00:00")), of(shape + "2", at("09:00:00", bad(pass)))});
        INFO(shape);
        REQUIRE(lines.size() >= 3);
        CHECK(lines[0].substr(0, 2) == "1 ");
        CHECK(lines[1] == shape + "1 pass 09:00 host");
        CHECK(lines[2] == shape + "2 FAIL 09:00 host");
    }
}

TEST_CASE("The JSON status of a node without a finding is unknown", "[fleet]") {
    for (const auto& report : {without_finding(pass), late(without_finding(pass))}) {
        const std::string all = printed({at("09:00:00", report)}, {0}, false, {}).all;
        const std::string json = all.substr(0, all.find("\n}\n"));
        CHECK(json.find("\"exit\": 3") != json.npos);
        CHECK(json.find("\"exit\": 0") == json.npos);
    }
}

// Returns any report of one of three nodes at a few times, so that all rules meet.
static NodeReport random_report(std::mt19937& chance) {
    const auto one_of = [&](std::size_t count) {
        return std::uniform_int_distribution<std::size_t>(0, count - 1)(chance);
    };
    const std::string times[] = {"08:00:00", "09:00:00", "09:30:00", "10:05:00", "10:07:00"};
    NodeReport out = at(times[one_of(5)], node("n" + number(one_of(3))));
    out = one_of(3) == 0 ? bad(out) : one_of(4) == 0 ? unread(out) : out;
    out = one_of(3) == 0 ? only(out, one_of(3) == 0 ? "cpu.smt" : "gpu.count") : out;
    out = one_of(6) == 0 ? late(out) : out;
    out = one_of(3) == 0 ? by("full", out) : out;
    out = one_of(8) == 0 ? machine("A", out) : out;
    out = one_of(8) == 0 ? in_container(out) : out;
    out = one_of(12) == 0 ? without_finding(out) : out;
    out.version = one_of(8) == 0 ? "0.0.9" : out.version;
    out.has_facts = one_of(8) != 0;
    out.facts.resize(out.has_facts ? out.facts.size() : 0);
    return out;
}

TEST_CASE("The order of reading changes nothing of 300 mixed fleets", "[fleet]") {
    std::mt19937 chance(54);
    const auto one_of = [&](std::size_t count) {
        return std::uniform_int_distribution<std::size_t>(0, count - 1)(chance);
    };
    for (int fleet = 0; fleet < 300; ++fleet) {
        std::vector<NodeReport> reports;
        for (std::size_t count = 2 + one_of(7); reports.size() < count;) {
            reports.push_back(random_report(chance));
        }
        Asked asked;
        asked.max_age = one_of(3) == 0 ? within_hour.max_age : std::nullopt;
        auto order = in_order(reports.size());
        const std::string expected = printed(reports, order, false, asked).all;
        for (int times_shuffled = 0; times_shuffled < 4; ++times_shuffled) {
            std::shuffle(order.begin(), order.end(), chance);
            INFO(all_of(reports));
            REQUIRE(first_difference(printed(reports, order, false, asked).all, expected) == "");
        }
    }
}

TEST_CASE("Each group has a profile list of its own", "[fleet]") {
    const auto of_model = [](const std::string& name, const std::string& model) {
        NodeReport out = at("09:00:00", node(name));
        out.facts.front().value = model;
        return out;
    };
    std::vector<NodeReport> reports{of_model("n1", "0x74a1"), of_model("n2", "0x74a1"),
                                    by("full", of_model("m1", "0x740f"))};
    CHECK(decided(reports) ==
          Lines{"0 0", "m1 pass 09:00 full", "n1 pass 09:00 host", "n2 pass 09:00 host"});
    reports.push_back(by("full", of_model("n3", "0x74a1")));
    reports.back().facts.back().value = "5.15";
    CHECK(decided(reports).back() == "other-list by full: n3");
    CHECK(decided(reports, {.group_by = {"kernel.version"}}) ==
          Lines{"0 3", "m1 pass 09:00 full", "n1 pass 09:00 host", "n2 pass 09:00 host",
                "n3 pass 09:00 full"});
}

// A report without facts is in no group; another report of the node says its model.
TEST_CASE("A report without facts counts in the group of its node", "[fleet]") {
    NodeReport quick = at("09:30:00", by("quick", node("n4")));
    quick.has_facts = false;
    quick.facts.clear();
    auto reports = three_and({at("09:00:00", of("n4", bad(pass))), quick});
    CHECK(decided(reports).at(4) == "n4 FAIL 09:00 host odd");
}

TEST_CASE("A fault beside an older pass is in every format", "[fleet]") {
    const FleetResult fleet =
        printed({at("09:00:00"), at("09:30:00", only(bad(pass)))}, {0, 1}, false, {}).fleet;
    CHECK(fleet.outliers == 1);
    CHECK(fleet.passing_outliers == 1);
    CHECK(fleet.with_status[0] == 1);
    const std::string human = render_fleet_human(fleet, Detail::normal, Screen(Colour::no));
    CHECK(human.starts_with("1 node: 1 pass; 1 outlier"));
    CHECK(human.find("outlier  1 node  n1  a newer report of check --only gpu.count: required\n") !=
          human.npos);
    CHECK(human.find(
              "1 node with a required fault in a report that does not count (of check --only") !=
          human.npos);
    const std::string json = render_fleet_json(fleet);
    CHECK(json.find("\"beside\": \"" + part + "\"") != json.npos);
    CHECK(json.find("\"here\": \"differs: have 7, want 1, in a newer report of check --only "
                    "gpu.count\"") != json.npos);
    CHECK(json.find(R"("rule": "newer-fault")") != json.npos);
    CHECK(render_fleet_html(fleet).find(part) != std::string::npos);
    const std::string metrics = render_fleet_prometheus(fleet);
    CHECK(metrics.find("precedence_nodes{rule=\"newer-fault\"} 1") != metrics.npos);
    CHECK(metrics.find("precedence_nodes{rule=\"other-list\"} 0") != metrics.npos);
    CHECK(metrics.find("node_differences{node=\"n1\"} 1") != metrics.npos);
    CHECK(metrics.find("node_exit_status{node=\"n1\"} 0") != metrics.npos);
}

TEST_CASE("A fold says which report made its status", "[fleet]") {
    const FleetResult fleet =
        printed({at("09:00:00", machine("A", bad(pass))), at("09:30:00", machine("B", pass))},
                {0, 1}, false, {})
            .fleet;
    const std::string because = "another machine of this name: required gpu.count differs";
    CHECK(render_fleet_json(fleet).find("\"because\": \"" + because) != std::string::npos);
    CHECK(render_fleet_html(fleet).find("by " + because) != std::string::npos);
    CHECK(
        render_fleet_human(fleet, Detail::normal, Screen(Colour::no)).find("by another machine") !=
        std::string::npos);
}

// A GPU that was lost, or came back with a repair, makes no other machine.
TEST_CASE("A complete report settles an incomplete one of the same machine", "[fleet]") {
    const auto others = {of("n2", at("09:00:00")), of("n3", at("09:00:00"))};
    for (const auto& later : {without_facts(late(bad(pass))), late(bad(pass))}) {
        std::vector<NodeReport> reports(others);
        reports.push_back(at("09:00:00"));
        reports.push_back(at("09:10:00", by("full", later)));
        reports.push_back(at("09:20:00", by("full", machine("A", pass))));
        const auto lines = decided(reports);
        INFO(all_of(reports));
        CHECK(lines.front().starts_with("0 "));
    }
}

TEST_CASE("A repaired node is the same machine", "[fleet]") {
    NodeReport lost = at("09:00:00", machine("A", bad(pass)));
    NodeReport repaired = at("09:30:00", machine("A", pass));
    lost.facts.push_back({.id = "gpu.count", .value = "7"});
    repaired.facts.push_back({.id = "gpu.count", .value = "8"});
    CHECK(decided({lost, repaired}) == Lines{"0 0", "n1 pass 09:30 host"});
}

TEST_CASE("Reports of one time that do not count are named", "[fleet]") {
    const auto problems = [](const std::vector<NodeReport>& reports) {
        std::string out;
        for (const auto& each :
             printed(reports, in_order(reports.size()), false, {}).fleet.problems) {
            out += each.file + ": " + each.text + "; ";
        }
        return out;
    };
    CHECK(problems({at("09:00:00"), at("09:00:00")}) ==
          "0.json: n1: the same report as 1.json:1; ");
    CHECK(problems({at("09:00:00"), at("09:00:00", bad(pass)), at("08:00:00"), at("08:00:00")}) ==
          "0.json: n1: another report of the time of 1.json:1, which counts; ");
    CHECK(problems({at("09:00:00"), at("09:00:00", only(pass))}).empty());
}

TEST_CASE("An earlier sweep is compared by the same profile list", "[fleet]") {
    Gathered all;
    all.take(all_of({at("09:30:00"), of("n2", pass), of("n3", pass)}));
    Sweep then;
    NodeReport full = at("08:30:00", by("full", node("n1", "5.15")));
    all.take(all_of({at("08:00:00"), full, of("n2", pass), of("n3", pass)}), then);
    CompareRequest request;
    request.since = &then;
    CHECK(all.compared(request).since->unchanged == 3);
}

TEST_CASE("A check whose deadline was reached says so, and its report is incomplete", "[fleet]") {
    class LateFs final : public ForwardingFs {
       public:
        explicit LateFs(bool late) : late_(late) {
            memory_.add_file("/proc/sys/kernel/numa_balancing", "0\n");
            memory_.add_folder("/sys");
        }
        std::optional<Error> write(const std::string&, std::optional<std::uint64_t>,
                                   std::string_view) override {
            return std::nullopt;
        }
        bool deadline_reached() const override { return late_; }

       private:
        const Fs& inner() const override { return memory_; }
        MemoryFs memory_;
        const bool late_;
    };
    for (const bool is_late : {false, true}) {
        const LateFs machine_then(is_late);
        CheckRequest request;
        request.profiles = {"host"};
        request.node_name = "n1";
        Process process;
        process.environment["SOURCE_DATE_EPOCH"] = "1795340000";
        const CheckResult checked = check(request, machine_then, machine_then, process);
        REQUIRE(checked.errors.empty());
        Gathered all({}, {}, now);
        all.take(render_json(checked.report));
        REQUIRE(all.sweep.nodes.contains("n1"));
        CHECK(all.sweep.nodes.at("n1").complete == !is_late);
    }
}

TEST_CASE("The manual has the sentence of each rule", "[fleet]") {
    const auto page = Manual({{.name = "fleet"}}).page("fleet");
    REQUIRE(page);
    for (const auto& rule : precedence_rules()) {
        CHECK(std::any_of(page->blocks.begin(), page->blocks.end(), [&](const Block& block) {
            return block.term == rule.name && block.text == rule.sentence;
        }));
        CHECK((rule.compare != nullptr || rule.of_node != nullptr || rule.of_newest != nullptr ||
               rule.of_each != nullptr));
    }
}

}  // namespace precedence_test
