// SPDX-License-Identifier: MIT
// Reports of set and reset about old values and rollbacks, compared with the machine before and
// after: with every write failing, not sticking, never returning, or without a rollback.
#include <cerrno>
#include <map>
#include <set>

#include "contract/scene.h"
#include "report/render.h"
#include "support/catch.h"
#include "transaction/journal_session.h"
#include "util/text.h"

using namespace rocenv;
using namespace rocenv::contract;

namespace reported_test {

namespace {

using Shown = std::map<Key, std::string>;

Shown shown_on(const Node& node) {
    const Machine machine(node.kernel.memory());
    const Process process;
    Shown out;
    for (const auto& found : take_baseline({machine, process})) {
        out[found.key] = found.baseline.shown;
    }
    return out;
}

// "policy0-2" is policy0, policy1 and policy2.
std::vector<Key> keys_of(const Finding& finding) {
    if (!finding.counted) {
        return {{finding.id, finding.target}};
    }
    const auto start = finding.target.find_first_of("0123456789");
    const auto end = std::min(finding.target.find('/'), finding.target.size());
    const auto numbers = parse_number_list(finding.target.substr(start, end - start));
    std::vector<Key> keys;
    for (const auto each : numbers.value_or(std::vector<std::uint32_t>())) {
        keys.push_back({finding.id, finding.target.substr(0, start) + number(each) +
                                        finding.target.substr(end)});
    }
    return keys;
}

// Checks the properties that every finding has, after any event.
void check_finding(const Finding& finding, const Shown& before, const Shown& after) {
    INFO(finding.id << " " << finding.target << " " << word_of(finding.outcome));
    for (const auto& key : keys_of(finding)) {
        CHECK((!finding.was || *finding.was == before.at(key)));
        const bool acted = finding.outcome == Outcome::changed ||
                           finding.put_back == PutBack::yes || finding.put_back == PutBack::no;
        CHECK((!acted || finding.have == after.at(key)));
    }
    if (finding.outcome == Outcome::changed) {
        CHECK(finding.was.has_value());
        CHECK(finding.was != finding.have);
        CHECK(finding.fix.empty());
        CHECK(finding.detail.empty());
    }
    CHECK((finding.put_back == PutBack::no) <= (finding.outcome == Outcome::failed));
    CHECK(finding.detail.find("restored") == std::string::npos);
}

// Checks that values that could not be restored are named. All others are restored, or keep the new
// value if only a recommended one failed.
void check_set(const SetResult& set, const Shown& before, const Shown& after) {
    bool stands = false;
    std::set<Key> left;
    for (const auto& finding : set.report.findings) {
        check_finding(finding, before, after);
        stands = stands || finding.outcome == Outcome::changed;
        for (const auto& key : keys_of(finding)) {
            CHECK((finding.put_back != PutBack::yes || after.at(key) == before.at(key)));
            if (finding.put_back == PutBack::no) {
                left.insert(key);
            }
        }
    }
    CHECK((set.report.exit_code == 5) == !left.empty());
    CHECK((set.report.exit_code != 4 || !stands));
    for (const auto& [key, value] : stands ? Shown() : after) {
        INFO(key.id << " " << key.target << " was " << before.at(key) << " is " << value);
        CHECK((value == before.at(key) || left.contains(key)));
    }
}

// Checks that each written target without its expected value states whether it was restored.
void check_written(const SetResult& set) {
    std::set<Key> written;
    for (const auto& [key, write] : set.writes) {
        written.insert(key);
    }
    for (const auto& finding : set.report.findings) {
        for (const auto& key : keys_of(finding)) {
            INFO(finding.id << " " << finding.target);
            CHECK((finding.outcome != Outcome::differs || finding.level == Level::info ||
                   written.contains(key) == (finding.put_back == PutBack::yes)));
        }
    }
}

void check_reset(const SetResult& reset, const Shown& before, const Shown& after,
                 const Shown& start) {
    for (const auto& finding : reset.report.findings) {
        check_finding(finding, before, after);
        CHECK(finding.put_back != PutBack::none);
        for (const auto& key : keys_of(finding)) {
            CHECK(finding.expected == start.at(key));
            CHECK((finding.put_back == PutBack::yes) == (after.at(key) == start.at(key)));
        }
    }
}

// A set with a fault, and the reset after it, once more with no fault.
void check_reports(const MemoryFs& machine, const std::string& profile,
                   const std::function<void(Node&)>& spoil) {
    Node node(machine);
    const Shown start = shown_on(node);
    spoil(node);
    const auto set = node.set({profile});
    const Shown between = shown_on(node);
    {
        INFO(printed(set));
        check_set(set, start, between);
        check_written(set);
    }
    const auto reset = node.reset();
    const Shown after = shown_on(node);
    {
        INFO(printed(reset));
        check_reset(reset, between, after, start);
    }
    node.calm();
    const auto last = node.reset();
    INFO(printed(last));
    check_reset(last, after, shown_on(node), start);
    CHECK(node.differs_from(machine).empty());
    count_run("set and reset that tell of the way back");
}

// From write `at` on, the file of the write before it takes nothing any more.
void hold_on(Node& node, std::size_t at) {
    node.kernel.before = [&node, at](std::size_t now) {
        const auto& writes = node.kernel.writes;
        if (now == at || (now > at && writes[now].path == writes[at - 1].path)) {
            node.kernel.fail(now, EIO);
        }
    };
}

const std::vector<std::pair<std::string, std::string>> pairs{{"mi300x-spx", "mi300x-benchmark"},
                                                             {"mi300x-spx", "env-check"},
                                                             {"mi300x-spx-epp", "env-check"},
                                                             {"mi210", "mi200-benchmark"}};

}  // namespace

TEST_CASE("contract: a set that fails tells in JSON what went back and what did not",
          "[contract]") {
    Node node(cut_machine("mi300x-spx"));
    const auto policy = [](const std::string& number) {
        return "/sys/devices/system/cpu/cpufreq/policy" + number + "/scaling_governor";
    };
    std::size_t times = 0;  // policy2 is written once and then refuses, policy3 refuses
    node.kernel.before = [&](std::size_t now) {
        const auto& path = node.kernel.writes[now].path;
        if (path == policy("3") || (path == policy("2") && times++ > 0)) {
            node.kernel.fail(now, EIO);
        }
    };
    const auto set = node.set({"env-check"});
    CHECK(set.report.exit_code == 5);
    const auto json = render_set_json(set, DryRun::no);
    INFO(json);
    const auto has = [&](const std::string& part) { return json.find(part) != json.npos; };
    CHECK(has(R"("target": "policy0-1",
      "level": "required",
      "outcome": "differs",
      "want": "performance",
      "have": "schedutil",
      "was": "schedutil",
      "put_back": "yes",)"));
    CHECK(has(R"("target": "policy2",
      "level": "required",
      "outcome": "failed",
      "want": "performance",
      "have": "performance",
      "was": "schedutil",
      "put_back": "no",)"));
    CHECK(has(R"("outcome": "failed",
      "want": "performance",
      "have": "schedutil",
      "was": "schedutil",
      "put_back": "yes",
      "action": "user",
      "jobs": "degraded",
      "count": 1,)"));
    CHECK(has(R"("was": null,
      "put_back": null,)"));
    const auto text = render_set_human(set, DryRun::no, Detail::normal, Colour::no);
    CHECK(text.find("FAIL  cpu.governor  policy2: performance, was schedutil") != text.npos);
}

TEST_CASE("contract: what is told of old values and ways back is so", "[contract]") {
    for (const auto& [name, profile] : pairs) {
        INFO(name << " " << profile);
        const auto& machine = cut_machine(name);
        Node whole(machine);
        whole.set({profile});
        check_reports(machine, profile, [](Node&) {});
        for (std::size_t at = 0; at < whole.kernel.writes.size(); at += stride) {
            INFO("write " << at);
            check_reports(machine, profile, [&](Node& node) { node.kernel.fail(at, EIO); });
            check_reports(machine, profile, [&](Node& node) { node.kernel.half_do(at, EIO); });
            check_reports(machine, profile, [&](Node& node) { node.kernel.ignore(at); });
            check_reports(machine, profile, [&](Node& node) { node.kernel.hang(at); });
            if (at > 0) {
                check_reports(machine, profile, [&](Node& node) { hold_on(node, at); });
            }
        }
    }
}

}  // namespace reported_test
