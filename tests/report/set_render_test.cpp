// SPDX-License-Identifier: MIT
#include "transaction/set.h"

#include <string>
#include <vector>

#include "report/render.h"
#include "support/catch.h"
#include "util/text.h"

namespace set_render_test {

namespace {

using namespace rocenv;

Finding finding(std::string id, std::string target, Level level, Outcome outcome) {
    Finding out;
    out.id = std::move(id);
    out.target = std::move(target);
    out.level = level;
    out.outcome = outcome;
    return out;
}

Finding changed(std::string id, std::string target, const std::string& old, std::string now) {
    Finding out = finding(std::move(id), std::move(target), Level::required, Outcome::changed);
    out.expected = now;
    out.have = std::move(now);
    out.was = old;
    return out;
}

Finding governors() {
    Finding out = changed("cpu.governor", "policy0-383", "schedutil", "performance");
    out.count = 384;
    out.counted = true;
    return out;
}

SetResult result_of(std::vector<Finding> findings, Aftermath aftermath = Aftermath::done) {
    SetResult result;
    result.report.command = "set";
    result.report.profiles = {"mi300x-benchmark"};
    result.report.time = "2026-11-20T19:31:00Z";
    result.report.findings = std::move(findings);
    judge_set(result.report, aftermath);
    return result;
}

SetResult rich() {
    Finding unsafe = finding("pci.acs", "0000:00:01.1", Level::recommended, Outcome::unsafe);
    unsafe.expected = "0x0011";
    unsafe.have = "0x001d";
    unsafe.detail = "a guest uses a device behind it";
    unsafe.fix = "if nobody needs it: sudo rocenv set -p mi300x --allow pci.acs";
    Finding words = finding("kernel.cmdline", "system", Level::required, Outcome::differs);
    words.expected = "iommu=pt";
    words.have = "missing iommu=pt";
    words.fix = "add the words to the boot loader's kernel line and reboot";
    Finding unread =
        finding("gpu.determinism", "0000:05:00.0", Level::recommended, Outcome::unknown);
    unread.detail = "it is asleep";
    Finding failed = finding("cpu.boost", "system", Level::recommended, Outcome::failed);
    failed.expected = "true";
    failed.have = "false";
    failed.detail = "write: EBUSY (Device or resource busy)";
    auto result = result_of({failed, words, unsafe, unread, governors(),
                             changed("kernel.numa_balancing", "system", "1", "0")});
    result.report.notes = {"a line about the run"};
    return result;
}

SetResult dry() {
    auto result = rich();
    for (const char* target : {"policy0", "policy1", "policy2", "policy3", "policy4"}) {
        const std::string path = "/sys/devices/system/cpu/cpufreq/" + std::string(target);
        result.writes.push_back({{"cpu.governor", target},
                                 {path + "/scaling_governor", std::nullopt, "performance\n"}});
    }
    result.writes.push_back(
        {{"pci.acs", "0000:00:01.1"},
         {"/sys/bus/pci/devices/0000:00:01.1/config", 0x2a6, std::string("\x11\x00", 2)}});
    return result;
}

std::string human(const SetResult& result, DryRun dry_run = DryRun::no,
                  Detail detail = Detail::normal) {
    return render_set_human(result, dry_run, detail, Colour::no);
}

std::string first_line(const std::string& text) {
    return text.substr(0, text.find('\n'));
}

void check_width(const std::string& text) {
    for (const auto line : split(text, '\n')) {
        std::size_t columns = 0;
        for (const char byte : line) {
            columns += (static_cast<unsigned char>(byte) & 0xc0) != 0x80 ? 1 : 0;
        }
        CAPTURE(line);
        CHECK(columns <= 80);
    }
}

TEST_CASE("A command to be copied is on one line", "[set_render]") {
    auto result = rich();
    const std::string command =
        "sudo rocenv set -p mi300x-benchmark --only pci.acs --want 'pci.acs={ scope = \"all\" }'";
    result.report.findings[2].fix = command;
    CHECK(human(result).find("next     " + command + "\n") != std::string::npos);
}

TEST_CASE("The report of a set tells what it left alone, then what it changed", "[set_render]") {
    CHECK(human(rich()) ==
          R"(FAIL     mi300x-benchmark: 1 required setting cannot be set here, 2 settings
         changed, 1 recommended setting failed
  cpu.governor           schedutil  ->  performance  384 policies
  kernel.numa_balancing  1          ->  0
WARN     cpu.boost  false, expected true
         detail   write: EBUSY (Device or resource busy).
REFUSED  pci.acs  0000:00:01.1: 0x001d, expected 0x0011
         detail   A guest uses a device behind it.
         next     If nobody needs it: sudo rocenv set -p mi300x --allow pci.acs
FAIL     kernel.cmdline  iommu=pt is missing
         next     Add the words to the boot loader's kernel line and reboot.
UNKNOWN  gpu.determinism  0000:05:00.0: could not be read
         detail   It is asleep.
note: a line about the run
)");
}

TEST_CASE("The first line of a set for each way it can end", "[set_render]") {
    const auto failed = finding("cpu.governor", "policy0", Level::required, Outcome::failed);
    const auto verdict = [](const SetResult& result, DryRun dry_run = DryRun::no) {
        return first_line(human(result, dry_run));
    };
    CHECK(verdict(result_of({governors()})) == "DONE  mi300x-benchmark: 1 setting changed");
    CHECK(verdict(result_of({})) == "DONE  mi300x-benchmark: nothing was changed");
    CHECK(verdict(result_of({failed}, Aftermath::rolled_back)) ==
          "FAIL  mi300x-benchmark: failed, everything was restored");
    CHECK(verdict(result_of({failed}, Aftermath::stuck)) ==
          "FAIL  mi300x-benchmark: not everything could be restored");
    CHECK(verdict(result_of({governors()}), DryRun::yes) ==
          "DRY RUN  mi300x-benchmark: 1 setting would be changed; nothing was written");
    CHECK(verdict(result_of({}), DryRun::yes) ==
          "DRY RUN  mi300x-benchmark: nothing would be changed; nothing was written");
    const auto unknown = finding("cpu.governor", "system", Level::required, Outcome::unknown);
    CHECK(verdict(result_of({unknown})) ==
          "UNKNOWN  mi300x-benchmark: 1 required setting could not be read, nothing was");
}

TEST_CASE("The first line of a reset speaks of putting back", "[set_render]") {
    auto result = result_of({governors()});
    result.report.command = "reset";
    result.report.profiles.clear();
    CHECK(first_line(human(result)) == "DONE  reset: 1 setting restored");
    CHECK(first_line(human(result, DryRun::yes)) ==
          "DRY RUN  reset: 1 setting would be restored; nothing was written");
    result.report.exit_code = 5;
    CHECK(first_line(human(result)) == "FAIL  reset: not everything could be restored");
    result.report.findings.clear();
    result.report.exit_code = 0;
    CHECK(first_line(human(result)) == "DONE  reset: nothing to restore");
    result.report.exit_code = 1;  // names are held
    CHECK(first_line(human(result)) == "FAIL  reset: refused, nothing was restored");
}

TEST_CASE("What could not be put back comes first, with its present value", "[set_render]") {
    Finding stuck = finding("cpu.governor", "policy3", Level::recommended, Outcome::failed);
    stuck.expected = "performance";
    stuck.was = "schedutil";
    stuck.have = "ondemand";
    stuck.put_back = PutBack::no;
    stuck.detail = "write: EIO";
    stuck.fix = "rocenv reset tries again";
    Finding failed = finding("cpu.boost", "system", Level::required, Outcome::failed);
    failed.put_back = PutBack::yes;
    const auto text = human(result_of({failed, stuck}, Aftermath::stuck));
    CHECK(text.find("FAIL  cpu.governor  policy3: ondemand, was schedutil\n"
                    "      detail   write: EIO.\n      next     rocenv reset tries again\n"
                    "FAIL  cpu.boost") != std::string::npos);
    auto reset = result_of({stuck}, Aftermath::stuck);
    reset.report.command = "reset";
    reset.report.findings[0].expected = "schedutil";  // the recorded value
    reset.report.findings[0].was = "performance";
    CHECK(human(reset).find("FAIL  cpu.governor  policy3: ondemand, expected schedutil\n") !=
          std::string::npos);
}

TEST_CASE("A detail is shown as it stands, whatever it says", "[set_render]") {
    auto other = changed("cpu.governor", "policy384", "ondemand", "performance");
    other.detail = "was powersave; could not be put back";
    const auto text = human(result_of({governors(), other}));
    CHECK(text.find("\ncpu.governor: was powersave; could not be put back\n") != std::string::npos);
    CHECK(text.find("ondemand   ->  performance  policy384\n") != std::string::npos);
    CHECK(text.find("schedutil  ->  performance  384 policies\n") != std::string::npos);
    CHECK(text.find("failed") == std::string::npos);
}

TEST_CASE("Targets that held other values before have rows of their own", "[set_render]") {
    const auto text = human(
        result_of({governors(), changed("cpu.governor", "policy384", "ondemand", "performance")}));
    CHECK(text.find("schedutil  ->  performance  384 policies\n") != std::string::npos);
    CHECK(text.find("ondemand   ->  performance  policy384\n") != std::string::npos);
}

TEST_CASE("A dry run lists the writes as commands, equal ones folded", "[set_render]") {
    const auto text = human(dry(), DryRun::yes);
    check_width(text);
    CHECK(text.find("Writes, in this order:\n  1  cpu.governor policy0\n") != std::string::npos);
    CHECK(text.find("70 65 72 66") == std::string::npos);
    CHECK(text.find("  3  cpu.governor policy2\n") != std::string::npos);
    CHECK(text.find("policy3") == std::string::npos);
    CHECK(text.find("     and 2 more like it (-v lists all)\n  6  pci.acs 0000:00:01.1\n") !=
          std::string::npos);
    const auto all = human(dry(), DryRun::yes, Detail::everything);
    CHECK(all.find("  5  cpu.governor policy4\n") != std::string::npos);
    CHECK(all.find("more like it") == std::string::npos);
    CHECK(human(dry()).find("Writes, in this order") == std::string::npos);
}

TEST_CASE("A dry run folds the fourth of equal writes, and not the third", "[set_render]") {
    auto result = dry();
    result.writes.resize(3);
    CHECK(human(result, DryRun::yes).find("more like it") == std::string::npos);
    result = dry();
    result.writes.resize(4);
    CHECK(human(result, DryRun::yes).find("and 1 more like it (-v lists all)") !=
          std::string::npos);
}

TEST_CASE("Quiet prints nothing, and no report is wider than a terminal", "[set_render]") {
    CHECK(human(dry(), DryRun::yes, Detail::quiet).empty());
    check_width(human(rich()));
    check_width(human(dry(), DryRun::yes, Detail::everything));
}

SetResult judged(Level level, Outcome outcome, Aftermath aftermath) {
    return result_of({finding("cpu.boost", "system", level, outcome)}, aftermath);
}

TEST_CASE("The exit status of set for every outcome of something required", "[set_render]") {
    struct Case {
        Outcome outcome;
        int exit_code;
        const char* result;
    };
    for (const auto& [outcome, exit_code, result] :
         {Case{Outcome::ok, 0, "ok"}, Case{Outcome::changed, 0, "changed"},
          Case{Outcome::na, 0, "ok"}, Case{Outcome::hidden, 0, "ok"},
          Case{Outcome::unknown, 3, "unknown"}, Case{Outcome::differs, 1, "differs"},
          Case{Outcome::unsafe, 1, "unsafe"}, Case{Outcome::failed, 4, "failed"}}) {
        CAPTURE(word_of(outcome));
        const auto done = judged(Level::required, outcome, Aftermath::done).report;
        CHECK(done.exit_code == exit_code);
        CHECK(done.result == result);
        CHECK(done.summary.at(std::string(word_of(outcome))) == 1);
        const auto back = judged(Level::required, outcome, Aftermath::rolled_back).report;
        CHECK(back.exit_code == 4);
        CHECK(back.result == "failed");
        CHECK(judged(Level::required, outcome, Aftermath::stuck).report.exit_code == 5);
        CHECK(judged(Level::recommended, outcome, Aftermath::done).report.exit_code == 0);
    }
}

TEST_CASE("A refusal outweighs a difference, both an unknown", "[set_render]") {
    const auto of = [](Outcome outcome) {
        return finding("cpu.boost", "system", Level::required, outcome);
    };
    CHECK(result_of({of(Outcome::differs), of(Outcome::unsafe)}).report.result == "unsafe");
    CHECK(result_of({of(Outcome::unknown), of(Outcome::differs)}).report.exit_code == 1);
    CHECK(result_of({of(Outcome::changed), of(Outcome::unknown)}).report.result == "unknown");
    auto advice = finding("cpu.boost", "system", Level::recommended, Outcome::changed);
    CHECK(result_of({advice}).report.result == "changed");
}

}  // namespace

}  // namespace set_render_test
