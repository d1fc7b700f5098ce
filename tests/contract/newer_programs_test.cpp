// SPDX-License-Identifier: MIT
// A journal that a newer program wrote: nothing of it is lost, nothing is written by guessing, and
// what is said names that program. Journals of older ones: stories_test, edges_test, and
// tests/cli/test_versions.
#include <algorithm>

#include "contract/scene.h"
#include "support/catch.h"
#include "transaction/journal/journal_grammar.h"
#include "util/text.h"

using namespace rocenv;
using namespace rocenv::contract;

namespace versions_test {

namespace {

const std::string profile = "mi300x-benchmark";
const Key future{"kernel.future_knob", "system"};
const std::string future_path = "/proc/sys/kernel/future_knob";

const MemoryFs& start() {
    static const MemoryFs machine = [] {
        MemoryFs fs(cut_machine("mi300x-spx"));
        fs.add_file(future_path, "7\n");
        return fs;
    }();
    return machine;
}

ResetRequest leaving(const std::string& name) {
    ResetRequest request;
    request.hold = name;
    return request;
}

ResetRequest forgetting() {
    ResetRequest request;
    request.forget = true;
    return request;
}

// The records of a journal, without its first line.
Records records_of(const std::string& text) {
    Records out;
    for (const auto line : split(std::string_view(text).substr(0, text.size() - 1), '\n')) {
        if (const auto read = parse_line(line, second_format)) {
            out.push_back(read->record);
        }
    }
    return out;
}

// A text whose chain is whole, whatever the records are.
std::string chained(const Records& records, const std::string& first = first_line(second_format)) {
    Chain chain;
    chain.sum = first.substr(first.rfind('\t') + 1, first.size() - first.rfind('\t') - 2);
    std::string text = first;
    for (const auto& record : records) {
        text += line_of(record, chain);
    }
    return text;
}

// Two jobs hold a node.
struct HeldNode : Node {
    HeldNode() : Node(start()) {
        REQUIRE(set({profile}, "slurm-1").report.exit_code == 0);
        REQUIRE(set({profile}, "slurm-2").report.exit_code == 0);
    }
};

std::size_t index_of(const Records& records, const std::string& kind) {
    const auto found = std::find_if(records.begin(), records.end(),
                                    [&](const Record& record) { return record[0] == kind; });
    REQUIRE(found != records.end());
    return static_cast<std::size_t>(found - records.begin());
}

bool says_newer(const std::string& text) {
    return text.find("the journal was written by a newer rocenv (") != std::string::npos &&
           text.find("use that version") != std::string::npos;
}

// Every command leaves node and journal as they are and says why.
void check_left_alone(Node& node) {
    const auto text = node.store.text;
    const auto writes = node.kernel.writes.size();
    ResetRequest force;
    force.force = true;
    for (const auto& result : {node.reset(), node.reset(force), node.reset(leaving("slurm-1")),
                               node.set({profile}), node.set({"host"}, "slurm-3")}) {
        INFO(printed(result));
        CHECK(result.report.exit_code == 3);
        CHECK((result.errors.size() == 1 && says_newer(result.errors[0])));
        CHECK(result.writes.empty());
    }
    const auto status = node.status();
    CHECK(status.exit_code == 3);
    CHECK((status.unreadable && says_newer(status.unreadable->text)));
    CHECK(node.store.text == text);
    CHECK(node.kernel.writes.size() == writes);
    count_run("newer program's journal");
}

// Returns possible additions of a newer program to the second format.
std::vector<std::pair<std::string, Records>> novelties(const Records& records) {
    std::vector<std::pair<std::string, Records>> out;
    const auto add = [&](const std::string& what, const auto& change) {
        out.emplace_back(what, records);
        change(out.back().second);
    };
    const auto field = [&](const std::string& kind) {
        add("one field more in " + kind,
            [&](Records& all) { all[index_of(all, kind)].emplace_back("more"); });
    };
    for (const char* kind : {"begin", "wanted", "writing", "end", "entry"}) {
        field(kind);
    }
    add("a kind at the end", [](Records& all) { all.push_back({"lease", "slurm-1", "60"}); });
    add("a kind in front", [](Records& all) { all.insert(all.begin() + 1, {"lease", "60"}); });
    add("a codec", [](Records& all) { all[index_of(all, "entry")][6] = "percent"; });
    add("a word", [](Records& all) { all[index_of(all, "changed")][4] = "partly"; });
    return out;
}

}  // namespace

TEST_CASE("versions: a journal of a newer format is left as it is, and said to be one",
          "[contract]") {
    for (const int format : {3, 4, 12}) {
        INFO("format " << format);
        HeldNode node;
        const auto records = records_of(*node.store.text);
        for (const std::string& text :
             {chained(records, first_line(format)), first_line(format) + "{\"lines\": \"other\"}\n",
              first_line(format)}) {
            node.store.text = text;
            check_left_alone(node);
        }
    }
}

TEST_CASE("versions: a first line that was damaged is no newer format", "[contract]") {
    HeldNode node;
    std::string text = *node.store.text;
    text[text.find('2')] = '3';
    node.store.text = text;
    ResetRequest force;
    force.force = true;
    const auto reset = node.reset(force);
    INFO(printed(reset));
    CHECK(reset.report.exit_code == 5);
    CHECK(differences(start(), node.kernel.memory()).empty());
    CHECK(node.store.text == text);
}

TEST_CASE("versions: what a newer program added to the format is no damage", "[contract]") {
    const HeldNode held;
    const auto records = records_of(*held.store.text);
    REQUIRE(chained(records) == *held.store.text);
    for (const auto& [what, changed] : novelties(records)) {
        INFO(what);
        HeldNode node;
        node.store.text = chained(changed);
        check_left_alone(node);
    }
}

TEST_CASE("versions: damage in front of what is not known is damage", "[contract]") {
    HeldNode node;
    Records records = records_of(*node.store.text);
    records.push_back({"lease", "60"});
    std::string text = chained(records);
    text[text.find("entry")] = 'x';
    node.store.text = text;
    ResetRequest force;
    force.force = true;
    const auto reset = node.reset(force);
    INFO(printed(reset));
    CHECK(reset.report.exit_code == 5);
    CHECK(node.store.text == text);
    CHECK_FALSE(says_newer(join(reset.errors, "\n")));
}

TEST_CASE("versions: a newer program's journal can be given up, and what can be read is printed",
          "[contract]") {
    const HeldNode held;
    Records records = records_of(*held.store.text);
    records.push_back({"lease", "60"});
    for (const auto& text : {chained(records), chained(records, first_line(3))}) {
        HeldNode node;
        node.store.text = text;
        const auto forgotten = node.reset(forgetting());
        INFO(printed(forgotten));
        CHECK(forgotten.report.exit_code == 0);
        CHECK(node.store.aside == text);
        REQUIRE(forgotten.warnings.size() == 1);
        CHECK(says_newer(forgotten.warnings[0]));
        CHECK(std::any_of(forgotten.report.findings.begin(), forgotten.report.findings.end(),
                          [](const Finding& finding) {
                              return finding.id == "kernel.numa_balancing" &&
                                     finding.expected == "1";
                          }));
    }
}

namespace {

// As HeldNode, and the first job's set, by a newer program, has changed what this one does not
// know.
struct NewerNode : HeldNode {
    NewerNode() {
        Records records = records_of(*store.text);
        const Recorded entry{
            "7",
            {{{future_path, std::nullopt, "7\n"}}, {{{future_path, Codec::line, 0}, "7", ""}}}};
        const auto at = [&](const std::string& kind) {
            return records.begin() + static_cast<std::ptrdiff_t>(index_of(records, kind));
        };
        auto& begin = records[index_of(records, "begin")];
        begin[5] = number(*parse_number(begin[5]) + 1);
        records.insert(at("end"), changed_record(future, {"0", {"0"}, true}));
        records.insert(at("writing"), entry_record(future, entry, second_format));
        records.insert(at("writing"), expected_record(future, "0"));
        if (records[1][0] == "whole") {
            records[1][1] = number(records.size() + 1);
        }
        store.text = chained(records);
        kernel.memory().add_file(future_path, "0\n");
    }

    bool has_future() const {
        const auto journal = read_journal(store);
        return journal && journal->damage.empty() &&
               std::any_of(journal->transactions.begin(), journal->transactions.end(),
                           [](const Transaction& transaction) {
                               const auto entry = transaction.entries.find(future);
                               return entry != transaction.entries.end() &&
                                      entry->second.shown == "7" &&
                                      transaction.changed.contains(future);
                           });
    }
};

}  // namespace

TEST_CASE(
    "versions: a setting that only a newer program knows stays recorded while jobs come and go",
    "[contract]") {
    NewerNode node;
    REQUIRE(node.has_future());
    CHECK(node.status().exit_code == 1);
    CHECK(node.set({"host"}, "slurm-3", {"kernel.thp=never"}).report.exit_code == 0);
    CHECK(node.has_future());
    CHECK(node.reset(leaving("slurm-2")).report.exit_code == 0);
    CHECK(node.has_future());
    CHECK(node.reset(leaving("slurm-3")).report.exit_code == 0);
    CHECK(node.has_future());
    CHECK(*node.kernel.read(future_path) == "0\n");
}

TEST_CASE("versions: a reset names what only a newer program can put back, and keeps its record",
          "[contract]") {
    for (const bool by_jobs : {true, false}) {
        NewerNode node;
        ResetRequest force;
        force.force = true;
        const auto first = node.reset(by_jobs ? leaving("slurm-2") : force);
        const auto last = by_jobs ? node.reset(leaving("slurm-1")) : first;
        INFO(printed(last));
        CHECK(last.report.exit_code == 5);
        const auto& findings = last.report.findings;
        const auto named =
            std::find_if(findings.begin(), findings.end(),
                         [](const Finding& finding) { return finding.id == future.id; });
        REQUIRE(named != findings.end());
        CHECK(named->outcome == Outcome::failed);
        CHECK(named->expected == "7");
        CHECK(named->fix.find("the rocenv version that set it") != std::string::npos);
        CHECK(differences(start(), node.kernel.memory()) == std::vector<std::string>{future_path});
        CHECK(node.has_future());
    }
}

}  // namespace versions_test
