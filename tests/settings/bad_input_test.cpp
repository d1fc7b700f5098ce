// SPDX-License-Identifier: MIT
// Every kind of file that check reads, made bad in every way: no crash, and never a report that
// says all is well because a file could not be read. The machine is mi300x-tuned, tuned, so that
// every finding is ok to begin with.
#include <cstdlib>
#include <set>

#include "check/check.h"
#include "os/fs/posix_fs.h"
#include "profile/learn.h"
#include "profile/profile.h"
#include "support/catch.h"
#include "support/faulty_fs.h"
#include "util/text.h"

using namespace rocenv;

namespace bad_input_test {

namespace {

// Settings that the profile leaves out or expects to differ, with that machine's values.
const std::vector<std::string> expected_besides{"kernel.thp=madvise",
                                                "kernel.thp_defrag=madvise",
                                                "kernel.compaction_proactiveness=20",
                                                "kernel.nmi_watchdog=1",
                                                "kernel.iommu=passthrough",
                                                "cpu.smt=on",
                                                "cpu.online=all",
                                                "cpu.boost=true",
                                                "gpu.soc_pstate=0",
                                                "rocm.version=>=6.2"};

CheckResult check_benchmark(const Fs& fs) {
    Process process;
    process.memlock = unlimited;
    process.nofile = unlimited;
    process.environment["SOURCE_DATE_EPOCH"] = "0";
    process.environment["HSA_OVERRIDE_CPU_AFFINITY_DEBUG"] = "0";
    CheckRequest request;
    request.profiles = {"mi300x-benchmark"};
    request.skip = {"limits.*", "rocm.arch"};  // the machine has no libraries
    request.overrides = expected_besides;
    request.strict = true;
    return check(request, fs, *real_fs(), process);
}

std::string story(const CheckResult& result) {
    std::string out = join(result.errors, "\n");
    for (const auto& finding : result.report.findings) {
        out += finding.id + " " + finding.target + " " + std::string(word_of(finding.outcome)) +
               " " + finding.have.value_or("-") + "\n";
    }
    return out;
}

bool all_ok(const CheckResult& result) {
    for (const auto& finding : result.report.findings) {
        if (finding.outcome != Outcome::ok) {
            return false;
        }
    }
    return result.errors.empty() && !result.report.findings.empty();
}

// Files that say something only when they are there and sensible, so that all may stay ok without.
bool may_be_lost(Operation operation, const std::string& path, const std::string& fault) {
    const auto ends = [&](std::string_view end) { return path.ends_with(end); };
    const bool is_there = operation == Operation::size && path == "/sys";
    const bool for_the_head = ends("/hostname") || ends("/boot_id") || ends("/osrelease");
    const bool refused = fault == "EACCES" || fault == "EIO" || fault == "ENODEV";
    const bool only_compared = ends("/generation_id") && !refused;
    const bool named_by_index = ends("/name");  // name of an idle state: stateN instead
    const bool other_source =
        ends("/modalias") && (fault == "missing" || fault == "empty" || fault == "letters" ||
                              fault == "NULs" || fault == "huge" || fault == "line ends");
    const bool awake_without = ends("/runtime_status") && !refused;
    const bool another_driver = path.starts_with("/sys/module/amdgpu/") && fault == "missing";
    const bool smaller_set = operation == Operation::link || operation == Operation::list;
    const bool any_name = ends("/comm") && !(fault == "EACCES" || fault == "EIO");
    const bool explains = ends("/cpu/possible");        // explains missing CPUs
    const bool only_excuses = path == "/proc/cpuinfo";  // a guest; without it all is judged
    const bool not_there_anyway =
        path.find("/cpufreq/policy") != path.npos && ends("/boost") && fault == "missing";
    const bool limits_alone =  // limits of clocks and page sizes, if there are any
        fault == "missing" &&
        (ends("/bios_limit") || ends("_max_freq") || ends("/max_perf_pct") || ends("kB/enabled"));
    const bool need_not_be =
        fault == "missing" && (ends("/aer_dev_fatal") || ends("/gpu_id") || ends("/resource") ||
                               ends("/aer_rootport_total_err_fatal"));
    const bool named_tree =
        path.starts_with("/opt/rocm-") ||  // its name shows the version as well
        (path.starts_with("/opt/rocm/") && (fault == "missing" || operation == Operation::size));
    const bool beside = ends("/libhsa-runtime64.so.1");  // another ROCm than the one that counts
    return limits_alone || need_not_be || named_tree || beside || ends("/physfn") || explains ||
           only_excuses || any_name || not_there_anyway || is_there || for_the_head ||
           only_compared || another_driver || named_by_index || other_source || awake_without ||
           smaller_set;
}

// Learns a profile and checks the same machine against it: nothing may differ or be unknown, but
// for gpu.count, which check requires where the list of PCI functions is lost.
std::string learn_and_check(const Fs& fs) {
    Process process;
    process.environment["SOURCE_DATE_EPOCH"] = "0";
    const auto learnt = learn_profile({}, fs, process);
    MemoryFs host;
    host.add_file("/learned.toml", learnt.text);
    CheckRequest request;
    request.profiles = {"/learned.toml"};
    const auto result = check(request, fs, host, process);
    INFO(story(result));
    CHECK(parse_profile("learned.toml", learnt.text).diagnostics.empty());
    CHECK(result.errors.empty());
    const bool is_listed = static_cast<bool>(fs.list("/sys/bus/pci/devices"));
    for (const auto& finding : result.report.findings) {
        const bool uncounted =
            !is_listed && finding.id == "gpu.count" && finding.outcome == Outcome::unknown;
        CHECK((finding.outcome == Outcome::ok || finding.outcome == Outcome::na || uncounted));
    }
    return learnt.text;
}

}  // namespace

TEST_CASE("a tuned machine is all ok to begin with", "[bad-input]") {
    const FaultyFs fs(remembered_machine("mi300x-tuned"));
    const auto result = check_benchmark(fs);
    INFO(story(result));
    CHECK(all_ok(result));
    CHECK(result.report.exit_code == 0);
    CHECK(fs.questions.size() > 500);
}

TEST_CASE("no bad file makes a finding that could not be read look ok", "[bad-input]") {
    const FaultyFs whole(remembered_machine("mi300x-tuned"));
    check_benchmark(whole);
    std::set<std::pair<Operation, std::string>> seen;
    std::size_t tried = 0;
    for (const auto& [operation, path] : whole.questions) {
        if (!seen.emplace(operation, kind_of(path)).second) {
            continue;
        }
        for (const auto& [name, answer] : faults_of(operation)) {
            const FaultyFs fs(remembered_machine("mi300x-tuned"), Fault{operation, path, answer});
            const auto result = check_benchmark(fs);
            INFO(path << " " << name << " operation " << static_cast<int>(operation));
            INFO(story(result));
            const bool silent = all_ok(result) && !may_be_lost(operation, path, name);
            CHECK_FALSE(silent);
            ++tried;
        }
    }
    CHECK(tried > 150);
}

TEST_CASE("what is learned with a bad file is as wanted with it", "[bad-input][long]") {
    const FaultyFs whole(remembered_machine("mi300x-tuned"));
    const std::string good = learn_and_check(whole);
    std::set<std::pair<Operation, std::string>> seen;
    std::size_t other = 0;
    for (const auto& [operation, path] : whole.questions) {
        if (!seen.emplace(operation, kind_of(path)).second) {
            continue;
        }
        for (const auto& [name, answer] : faults_of(operation)) {
            const FaultyFs fs(remembered_machine("mi300x-tuned"), Fault{operation, path, answer});
            INFO(path << " " << name << " operation " << static_cast<int>(operation));
            other += learn_and_check(fs) == good ? 0U : 1U;
        }
    }
    CHECK(other > 100);
}

TEST_CASE("NUL padding behind a sensible text changes nothing", "[bad-input]") {
    const FaultyFs whole(remembered_machine("mi300x-tuned"));
    const std::string expected = story(check_benchmark(whole));
    std::set<std::string> seen;
    for (const auto& [operation, path] : whole.questions) {
        if (operation != Operation::read || !seen.insert(kind_of(path)).second) {
            continue;
        }
        const auto good = whole.read(path);
        if (good) {
            const FaultyFs fs(remembered_machine("mi300x-tuned"),
                              Fault{operation, path, *good + std::string(4000, '\0')});
            INFO(path);
            CHECK(story(check_benchmark(fs)) == expected);
        }
    }
}

}  // namespace bad_input_test
