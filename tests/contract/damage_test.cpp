// SPDX-License-Identifier: MIT
// A journal that was changed in any way: a reset restores the values that can be read, reports
// those that cannot, and never reports a node as restored that is not.
#include <algorithm>

#include "contract/scene.h"
#include "support/catch.h"
#include "util/text.h"

using namespace rocenv;
using namespace rocenv::contract;

namespace damage_test {

namespace {

const std::string run = "run/101-aaaa0001";

const MemoryFs& start() {
    return cut_machine("old-kfd");
}

// A node that was set, with its journal.
struct Story {
    const char* name;
    std::string text;
    MemoryFs machine;
};

Story story_of(const char* name, const std::function<void(Node&)>& happen, bool shortened) {
    Node node(start());
    happen(node);
    return {name, shortened ? *node.store.text : node.store.unshortened,
            MemoryFs(node.kernel.memory())};
}

std::vector<Story> stories() {
    const auto two_sets = [](Node& node) {
        node.set({"host"}, "", {"cpu.governor=powersave"});
        node.set({"host-benchmark"});
    };
    const auto two_holders = [](Node& node) {
        node.set({"host-benchmark"}, "a");
        node.set({"host"}, "b", {"kernel.thp=never"});
    };
    const auto a_run = [](Node& node) {
        node.set({"host"}, "", {"cpu.governor=powersave"});
        node.set({"host-benchmark"}, run);
    };
    return {story_of("two sets", two_sets, false),
            story_of("two sets, shortened", two_sets, true),
            story_of("two holders", two_holders, false),
            story_of("two holders, shortened", two_holders, true),
            story_of("a run under a set", a_run, false),
            story_of("a run under a set, shortened", a_run, true)};
}

ResetRequest forced() {
    ResetRequest request;
    request.force = true;  // the names of the holds belong to no job here
    return request;
}

// "policy0-1,3" stands for policy0, policy1 and policy3.
bool covers(const std::string& targets, const std::string& target) {
    const auto digit = target.find_first_of("0123456789");
    const auto end = target.find_first_not_of("0123456789", std::min(digit, target.size()));
    if (targets == target || digit == std::string::npos ||
        !targets.starts_with(target.substr(0, digit))) {
        return targets == target;
    }
    const std::string rest = end == std::string::npos ? "" : target.substr(end);
    const auto ours = *parse_number(std::string_view(target).substr(digit, end - digit));
    if (!targets.ends_with(rest)) {
        return false;
    }
    const auto list = std::string_view(targets).substr(digit, targets.size() - digit - rest.size());
    for (const auto range : split(list, ',')) {
        const auto ends = split(range, '-');
        const auto first = parse_number(ends.front());
        const auto last = parse_number(ends.back());
        if (first && last && *first <= ours && ours <= *last) {
            return true;
        }
    }
    return false;
}

// The paths of what the reset names as not back. A write of the set to one of a key's files names
// the key.
std::vector<std::string> named_paths(const SetResult& reset, const Node& whole) {
    std::vector<std::string> out;
    const auto journal = read_journal(whole.store);
    for (const auto& transaction : journal->transactions) {
        for (const auto& [found, entry] : transaction.entries) {
            const Key& key = found;
            const bool named =
                std::any_of(reset.report.findings.begin(), reset.report.findings.end(),
                            [&](const Finding& finding) {
                                return finding.id == key.id && covers(finding.target, key.target) &&
                                       (finding.outcome == Outcome::failed ||
                                        finding.outcome == Outcome::differs);
                            });
            for (const auto& state : named ? entry.back.states : std::vector<AttributeState>()) {
                out.push_back(state.attribute.path);
            }
        }
    }
    return out;
}

// Returns 0 if every byte is restored. Otherwise the damage is reported, the file is kept for
// --forget, and the result is the number of targets that are neither restored nor named: their
// lines were lost.
std::size_t check_damaged(const Story& story, const std::string& text) {
    Node node(story.machine);
    node.store.text = text;
    const auto set = node.set({"host-benchmark"});
    const bool seen = set.report.exit_code == 3;
    CHECK((!seen ||
           (differences(story.machine, node.kernel.memory()).empty() && node.store.text == text)));

    Node again(story.machine);
    again.store.text = text;
    const auto reset = again.reset(forced());
    INFO(printed(reset));
    const auto left = differences(start(), again.kernel.memory());
    count_run("damaged journal");
    if (reset.report.exit_code == 0) {
        CHECK(left.empty());
        return 0;
    }
    CHECK((reset.report.exit_code == 5 || reset.report.exit_code == 3));
    CHECK_FALSE(reset.errors.empty());
    CHECK(again.store.text == text);
    CHECK(again.status().exit_code == 3);
    Node whole(story.machine);
    whole.store.text = story.text;
    const auto named = named_paths(reset, whole);
    return static_cast<std::size_t>(
        std::count_if(left.begin(), left.end(), [&](const std::string& path) {
            return std::find(named.begin(), named.end(), path) == named.end();
        }));
}

std::vector<std::string> lines_of(const std::string& text) {
    std::vector<std::string> lines;
    for (const auto line : split(std::string_view(text).substr(0, text.size() - 1), '\n')) {
        lines.push_back(std::string(line) + "\n");
    }
    return lines;
}

std::string joined(const std::vector<std::string>& lines) {
    return join(lines, "");
}

}  // namespace

TEST_CASE("damage: bytes flipped all over the journal", "[contract][long]") {
    for (const auto& story : stories()) {
        for (std::size_t at = 0; at < story.text.size(); at += 3 * stride) {
            INFO(story.name << ", byte " << at << " of " << story.text.size());
            std::string text = story.text;
            text[at] = static_cast<char>(text[at] ^ (1 << (at % 7)));
            CHECK(check_damaged(story, text) == 0);
        }
    }
}

TEST_CASE("damage: every line removed, doubled, or swapped with another", "[contract][long]") {
    for (const auto& story : stories()) {
        const auto lines = lines_of(story.text);
        for (std::size_t at = 0; at < lines.size(); ++at) {
            INFO(story.name << ", line " << at + 1 << ": " << lines[at]);
            auto removed = lines;
            removed.erase(removed.begin() + static_cast<std::ptrdiff_t>(at));
            CHECK(check_damaged(story, joined(removed)) == 0);
            auto doubled = lines;
            doubled.insert(doubled.begin() + static_cast<std::ptrdiff_t>(at), lines[at]);
            CHECK(check_damaged(story, joined(doubled)) == 0);
            for (const std::size_t other : {at + 1, at + 2, at + 7, lines.size() - 1}) {
                if (other > at && other < lines.size()) {
                    auto swapped = lines;
                    std::swap(swapped[at], swapped[other]);
                    CHECK(check_damaged(story, joined(swapped)) == 0);
                }
            }
        }
    }
}

TEST_CASE("damage: a journal of which nothing is left can be given up", "[contract]") {
    Node node(start());
    node.set({"host-benchmark"});
    const std::string text(5000, '\1');
    node.store.text = text;
    CHECK(node.set({"host"}).report.exit_code == 3);
    CHECK(node.reset().report.exit_code == 5);
    CHECK(node.store.text == text);
    ResetRequest forget;
    forget.forget = true;
    const auto forgotten = node.reset(forget);
    INFO(printed(forgotten));
    CHECK(forgotten.report.exit_code == 0);
    CHECK(node.store.aside == text);
    CHECK(node.set({"host"}).report.exit_code <= 1);
}

TEST_CASE("damage: a name leaves a damaged journal only when it is the last", "[contract]") {
    ResetRequest leaving;
    leaving.hold = "a";
    Node node(start());
    node.set({"host-benchmark"}, "a");
    node.set({"host"}, "b", {"kernel.thp=never"});
    auto lines = lines_of(*node.store.text);
    lines.erase(lines.begin() + 4);
    node.store.text = joined(lines);
    CHECK(node.reset(leaving).report.exit_code == 5);
    CHECK(node.store.text == joined(lines));

    Node alone(start());
    alone.set({"host-benchmark"}, "a");
    auto left = lines_of(*alone.store.text);
    left.erase(left.begin() + 2);  // the line with the name, so that the name cannot be read
    alone.store.text = joined(left);
    const auto reset = alone.reset(leaving);
    INFO(printed(reset));
    CHECK(reset.report.exit_code == 5);
    CHECK(differences(start(), alone.kernel.memory()).empty());
}

}  // namespace damage_test
