// SPDX-License-Identifier: MIT
// check --since and --facts: counters by what they grew, facts that changed, and reports of
// strangers.
#include <algorithm>
#include <map>
#include <utility>

#include "check/check.h"
#include "check/earlier.h"
#include "profile/profile.h"
#include "report/render.h"
#include "settings/registry.h"
#include "support/catch.h"
#include "support/faulty_fs.h"
#include "support/machines.h"
#include "util/exit_status.h"
#include "util/text.h"

namespace rocenv::since_test {

namespace {

const std::string gpu =
    "/sys/devices/pci0000:00/0000:00:01.1/0000:01:00.0/0000:02:00.0/"
    "0000:03:00.0/0000:04:00.0/0000:05:00.0/";
const std::string boot = "/proc/sys/kernel/random/boot_id";
const std::string report_path = "/tmp/then.json";

struct Node {
    CheckResult checked() {
        Process process;
        process.environment["SOURCE_DATE_EPOCH"] = "1796000000";
        return check(request, machine, host, process);
    }
    // Keeps what this node says now as the earlier report.
    Node& then() {
        const auto result = checked();
        REQUIRE(result.errors.empty());
        host.add_file(report_path, render_json(result.report));
        request.since = report_path;
        return *this;
    }
    Node& errors(const std::string& correctable, const std::string& fatal) {
        machine.add_file(
            gpu + "aer_dev_correctable",
            "RxErr " + correctable + "\nBadTLP 0\nTOTAL_ERR_COR " + correctable + "\n");
        machine.add_file(gpu + "aer_dev_fatal",
                         "CmpltTO " + fatal + "\nTOTAL_ERR_FATAL " + fatal + "\n");
        return *this;
    }

    MemoryFs machine{machine_fs("mi300x-tuned")};
    MemoryFs host{};
    CheckRequest request{};
};

Node asked_of(const std::string& expected) {
    Node node;
    node.host.add_file("/etc/rocenv/profiles/p.toml",
                       "[profile]\nname = \"p\"\n[settings]\n" + expected + "\n");
    node.request.profiles = {"p"};
    return node;
}

const Finding& first(const CheckResult& result) {
    REQUIRE(result.errors.empty());
    REQUIRE(!result.report.findings.empty());
    return result.report.findings.front();
}

std::string notes(const CheckResult& result) {
    return join(result.errors, "\n") + join(result.report.notes, "\n");
}

bool has(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("since: what did not grow is as wanted, and stays counted", "[since]") {
    auto node = asked_of("\"pci.aer\" = 100");
    node.errors("5120", "1").then();
    auto result = node.checked();
    CHECK(first(result).target == "0000:05:00.0");
    CHECK(first(result).outcome == Outcome::ok);
    CHECK(has(first(result).detail, "fatal CmpltTO 1"));
    CHECK(first(result).counters.at("correctable RxErr") == 5120);
    CHECK(result.report.exit_code == exit_ok);
    // A report made so serves as the next one.
    result = node.then().errors("5130", "1").checked();
    CHECK(first(result).outcome == Outcome::differs);
    CHECK(first(result).level == Level::info);
    CHECK(first(result).have == "correctable RxErr 10");
}

TEST_CASE("since: what grew is judged by that", "[since]") {
    auto node = asked_of("\"pci.aer\" = 100");
    node.errors("5", "0").then();
    const auto few = node.errors("105", "0").checked();
    CHECK(first(few).have == "correctable RxErr 100");
    CHECK(first(few).level == Level::info);
    CHECK(first(node.errors("106", "0").checked()).level == Level::recommended);
    const auto fatal = node.errors("5", "2").checked();
    CHECK(first(fatal).have == "fatal CmpltTO 2");
    CHECK(fatal.report.exit_code == exit_differs);
}

TEST_CASE("since: counters that started anew are judged as a whole", "[since]") {
    auto node = asked_of("\"pci.aer\" = 100");
    node.errors("5120", "0").then();
    const auto result = node.errors("300", "0").checked();
    CHECK(first(result).have == "correctable RxErr 300");
    CHECK(has(first(result).detail, "the counter restarted since the earlier report"));
}

TEST_CASE("since: a count that fell to nothing is told, though nothing is wrong", "[since]") {
    auto node = asked_of("\"pci.aer\" = 100");
    node.errors("5120", "0").then();
    const auto result = node.errors("0", "0").checked();
    CHECK(first(result).target == "0000:05:00.0");
    CHECK(first(result).outcome == Outcome::ok);
    CHECK(first(result).remark);
    CHECK(has(first(result).detail, "which had correctable RxErr 5120"));
}

TEST_CASE("since: ports and links by what they counted since", "[since]") {
    const std::string function =
        "/sys/devices/pci0000:00/0000:00:01.1/0000:01:00.0/0000:02:01.0/0000:06:00.0/";
    const std::map<std::string, std::pair<std::string, std::string>> files{
        {"rdma.errors", {"infiniband/bnxt_re0/ports/1/counters/symbol_error", "symbol_error"}},
        {"net.flaps", {"net/ens6np0/carrier_down_count", "carrier_down"}}};
    for (const auto& [id, file] : files) {
        CAPTURE(id);
        auto node = asked_of("\"" + id + "\" = 0");
        const std::string path = function + file.first;
        REQUIRE(node.machine.read(path));
        node.machine.add_file(path, "7\n");
        CHECK(first(node.checked()).counters.at(file.second) == 7);
        CHECK(first(node.then().checked()).outcome == Outcome::ok);
        node.machine.add_file(path, "9\n");
        CHECK(first(node.checked()).have == "2");
        node.machine.add_file(path, "0\n");
        CHECK(first(node.checked()).outcome == Outcome::ok);
        CHECK(has(first(node.checked()).detail, "which had " + file.second + " 7"));
    }
}

TEST_CASE("since: a link that flapped since is recommended, all other flaps are info", "[since]") {
    const std::string path =
        "/sys/devices/pci0000:00/0000:00:01.1/0000:01:00.0/0000:02:01.0/0000:06:00.0/net/ens6np0/"
        "carrier_down_count";
    auto node = asked_of("\"net.flaps\" = { value = \"steady\", level = \"recommended\" }");
    node.machine.add_file(path, "7\n");
    CHECK(first(node.checked()).level == Level::info);
    CHECK(first(node.checked()).outcome == Outcome::differs);
    CHECK(first(node.then().checked()).outcome == Outcome::ok);
    node.machine.add_file(path, "8\n");
    CHECK(first(node.checked()).outcome == Outcome::differs);
    CHECK(first(node.checked()).level == Level::recommended);
    CHECK(first(node.checked()).have == "1");
    node.machine.add_file(path, "2\n");  // the driver was loaded again
    CHECK(first(node.checked()).level == Level::info);
    node.machine.add_file(boot, "0d5c1f52-1111-4222-8333-444455556666\n");
    node.machine.add_file(path, "8\n");
    CHECK(first(node.checked()).level == Level::info);
}

TEST_CASE("since: an interface that the earlier report lacks is counted from the start",
          "[since]") {
    auto node = asked_of("\"net.flaps\" = { value = \"steady\", level = \"recommended\" }");
    const auto whole = node.machine;
    const std::string net =
        "/sys/devices/pci0000:00/0000:00:01.1/0000:01:00.0/0000:02:01.0/0000:06:00.0/net";
    node.machine.remove(net);
    node.then();
    node.machine.add_file(net + "/ens6np0/carrier_down_count", "1\n");
    const auto result = node.checked();
    for (const auto& finding : result.report.findings) {
        CHECK((finding.target != "ens6np0" || finding.outcome == Outcome::ok));
    }
}

TEST_CASE("since: after another boot, or one that is not known, all of it counts", "[since]") {
    for (const auto& [id, expected_note] :
         {std::pair{"0d5c1f52-1111-4222-8333-444455556666\n", "another boot"},
          {"", "is not known"}}) {
        auto node = asked_of("\"pci.aer\" = 100");
        node.errors("5120", "1").then();
        node.machine.add_file(boot, id);
        const auto result = node.checked();
        CHECK(first(result).outcome == Outcome::differs);
        CHECK(first(result).level == Level::required);
        CHECK(has(notes(result), expected_note));
        CHECK(result.report.since->same_boot != SameBoot::yes);
    }
}

TEST_CASE("since: without a boot id on either side the boot is not known", "[since]") {
    EarlierReport earlier;
    NodeFacts node;
    CHECK(same_boot(earlier, node) == SameBoot::not_known);
    earlier.boot_id = "a";
    CHECK(same_boot(earlier, node) == SameBoot::not_known);
    node.boot_id = "b";
    CHECK(same_boot(earlier, node) == SameBoot::no);
    node.boot_id = "a";
    CHECK(same_boot(earlier, node) == SameBoot::yes);
}

TEST_CASE("since: what the earlier report does not know is judged as a whole", "[since]") {
    auto node = asked_of("\"pci.aer\" = 100");
    node.machine.add_error(gpu + "aer_dev_correctable", 5);
    node.then();
    const auto unread = node.errors("300", "0").checked();
    CHECK(first(unread).have == "correctable RxErr 300");
    CHECK(has(first(unread).detail, "could not read this setting"));
    auto other = asked_of("\"kernel.numa_balancing\" = 0");
    other.then();
    other.request.overrides = {"pci.aer=100"};
    const auto missing = other.errors("300", "0").checked();
    const auto& findings = missing.report.findings;
    const auto at = std::find_if(findings.begin(), findings.end(),
                                 [](const Finding& each) { return each.id == "pci.aer"; });
    REQUIRE(at != findings.end());
    CHECK(has(at->detail, "does not contain this setting"));
}

TEST_CASE("since: errors of memory by what came", "[since]") {
    const std::string controller = "/sys/devices/system/edac/mc/mc0/";
    auto node = asked_of("\"memory.errors\" = 0");
    node.machine.add_file(controller + "ue_count", "3\n");
    node.machine.add_file(controller + "ce_count", "40\n");
    CHECK(first(node.checked()).have == "43");
    CHECK(first(node.then().checked()).outcome == Outcome::ok);
    node.machine.add_file(controller + "ce_count", "42\n");
    CHECK(first(node.checked()).have == "2");
    CHECK(first(node.checked()).level == Level::info);
    node.machine.add_file(controller + "ue_count", "4\n");
    CHECK(first(node.checked()).level == Level::required);
    CHECK(has(first(node.checked()).detail, "1 error could not be corrected, 2 were"));
    node.machine.add_file(controller + "ce_count", "0\n");
    CHECK(has(first(node.checked()).detail, "the counter restarted"));
}

TEST_CASE("facts: what a node is made of, and the state of its kernel", "[facts]") {
    auto node = asked_of("\"kernel.numa_balancing\" = 0");
    node.request.facts = true;
    node.machine.add_file(gpu + "product_name", "AMD Instinct MI300X OAM\n");
    node.machine.add_file("/proc/sys/kernel/tainted", "12929\n");  // bits 0, 7, 9, 12, 13
    std::map<std::pair<std::string, std::string>, std::string> values;
    const auto result = node.checked();
    for (const auto& fact : result.report.facts->facts) {
        values[{fact.id, fact.target}] = fact.value.value_or("");
    }
    CHECK(has(values[{"cpu.sockets", "system/model"}], "EPYC"));
    CHECK(values[{"gpu.model", "0000:05:00.0/product_name"}] == "AMD Instinct MI300X OAM");
    CHECK(values[{"kernel.health", "system/taint"}] == "640");
    CHECK(values[{"rdma.count", "0000:06:00.0/name"}] == "bnxt_re0");
    CHECK(values[{"rdma.gid", "0000:06:00.0/types"}] == "IB/RoCE v1, RoCE v2");
}

TEST_CASE("since: a page that waits is a fault however old it is", "[since]") {
    auto node = asked_of("\"gpu.bad_pages\" = 0");
    node.machine.add_file(gpu + "ras/gpu_vram_bad_pages", "0x1a2b3 : 0x1000 : R\n");
    CHECK(first(node.checked()).outcome == Outcome::differs);
    CHECK(first(node.then().checked()).outcome == Outcome::ok);
    node.machine.add_file(gpu + "ras/gpu_vram_bad_pages", "0x1a2b3 : 0x1000 : P\n");
    CHECK(first(node.checked()).outcome == Outcome::differs);
    CHECK(first(node.checked()).level == Level::required);
}

TEST_CASE("since: events of a GPU by what came", "[since]") {
    auto node = asked_of("\"gpu.ras_events\" = 0");
    const auto events = [&](const std::string& fatal, const std::string& poison) {
        node.machine.add_file(gpu + "ras/event_state",
                              "Fatal Error: count:" + fatal +
                                  ", last_seqno:0\nPoison Creation: count:" + poison +
                                  ", last_seqno:0\n");
    };
    events("1", "3");
    CHECK(first(node.then().checked()).outcome == Outcome::ok);
    events("1", "4");
    const auto result = node.checked();
    CHECK(first(result).have == "1 Poison Creation");
    CHECK(first(result).level == Level::recommended);
}

TEST_CASE("since: facts that changed are listed, and no others", "[since]") {
    auto node = asked_of("\"kernel.numa_balancing\" = 0");
    node.request.facts = true;
    node.then();
    node.request.facts = false;
    CHECK(node.checked().report.since->changed->empty());
    node.machine.add_file(gpu + "fw_version/smc_fw_version", "0x00550c02\n");
    node.machine.add_file("/proc/sys/kernel/numa_balancing", "1\n");
    node.machine.add_error(gpu + "vbios_version", 5);
    const auto result = node.checked();
    std::vector<std::string> changed;
    for (const auto& fact : *result.report.since->changed) {
        changed.push_back(fact.id + " " + fact.target);
    }
    CHECK(join(changed, "; ") == "gpu.firmware 0000:05:00.0; kernel.numa_balancing system");
    CHECK(has(notes(result), "kernel.numa_balancing system: was 0, now 1"));
    // Findings that this run leaves out are not reported as gone.
    node.request.skip = {"gpu.*"};
    CHECK(node.checked().report.since->changed->size() == 1);
}

TEST_CASE("since: facts that could not be read are named", "[since]") {
    const std::string clocksource =
        "/sys/devices/system/clocksource/clocksource0/current_clocksource";
    auto node = asked_of("\"kernel.numa_balancing\" = 0");
    node.request.facts = true;
    node.machine.add_error(clocksource, 5);
    node.then();
    CHECK(has(notes(node.checked()),
              "1 fact was not compared, because it could not be read now or "
              "in the earlier report: cpu.clocksource"));
    node.machine.add_file(clocksource, "tsc\n");
    node.machine.add_error(gpu + "vbios_version", 5);
    const std::string both = notes(node.checked());
    CHECK(has(both,
              "2 facts were not compared, because they could not be read now or in the "
              "earlier report: cpu.clocksource, gpu.vbios"));
    CHECK_FALSE(has(both, "changed since"));
    node.request.skip = {"cpu.*"};  // a fact that this run leaves out is not unread
    CHECK(has(notes(node.checked()), "earlier report: gpu.vbios"));
}

TEST_CASE("since: targets that could not be listed are neither new nor gone", "[since]") {
    EarlierReport earlier;
    earlier.facts = EarlierReport::Facts{{{"gpu.vbios", "g1"}, "1"}, {{"gpu.vbios", "g2"}, "1"}};
    const std::set<std::string> ids{"gpu.vbios"};
    FactSheet now;
    now.facts = {{.id = "gpu.vbios", .target = "system", .value = std::nullopt}};
    const auto gone = compared_since(earlier, {}, now, ids);
    CHECK(gone.changed->empty());
    CHECK(has(join(comparison_notes(gone, earlier, now, ids), "\n"), "1 fact was not compared"));
    earlier.facts = EarlierReport::Facts{{{"gpu.vbios", "system"}, std::nullopt}};
    now.facts = {{.id = "gpu.vbios", .target = "g1", .value = "1"}};
    CHECK(compared_since(earlier, {}, now, ids).changed->empty());
    earlier.facts = EarlierReport::Facts{{{"gpu.vbios", "g1"}, "1"}, {{"gpu.vbios", "g2"}, "1"}};
    CHECK(compared_since(earlier, {}, now, ids).changed->size() == 1);
}

TEST_CASE("since: a check of a process says why no facts were compared", "[since]") {
    auto node = asked_of("\"kernel.numa_balancing\" = 0");
    const std::string of_process =
        "facts were not compared: they describe the node, and only a process was checked";
    const std::string of_earlier =
        "facts were not compared: the earlier report has none (add check --facts)";
    node.then();
    CHECK(has(notes(node.checked()), of_earlier));
    node.request.facts = true;
    node.then();
    node.request.facts = false;
    node.request.scope = Scope::process;
    CHECK(has(notes(node.checked()), of_process));
    CHECK_FALSE(has(notes(node.checked()), of_earlier));
}

TEST_CASE("since: reports of strangers judge nothing", "[since]") {
    auto node = asked_of("\"pci.aer\" = 100");
    node.request.facts = true;
    node.errors("5120", "1").then();
    const std::string good = *node.host.read(report_path);
    const auto with = [&](const std::string& from, const std::string& to) {
        std::string out = good;
        const auto at = out.find(from);
        REQUIRE(at != std::string::npos);
        return out.replace(at, from.size(), to);
    };
    const std::map<std::string, std::string> bad{
        {"empty", ""},
        {"none", "{}"},
        {"cut", good.substr(0, good.size() / 2)},
        {"two", good + good},
        {"NULs", good + std::string(4, '\0')},
        {"a NUL within", with("\"target\": \"", std::string("\"target\": \"\0", 12))},
        {"another schema", with("rocenv.report/1", "rocenv.status/1")},
        {"of a set", with("\"check\"", "\"set\"")},
        {"another node", with("\"hostname\": \"", "\"hostname\": \"x")},
        {"a key twice", with("\"time\":", "\"time\": \"1\", \"time\":")},
        {"a number for a name", with("\"id\": \"pci.aer\"", "\"id\": 5")},
        {"a text for a count",
         with("\"correctable RxErr\": 5120", "\"correctable RxErr\": \"5120\"")},
        {"less than none", with("\"correctable RxErr\": 5120", "\"correctable RxErr\": -5120")},
        {"more than there is",
         with("\"correctable RxErr\": 5120", "\"correctable RxErr\": 99999999999999999999")},
        {"no list", with("\"findings\": [", "\"findings\": 5, \"x\": [")},
        {"half a finding", with("\"outcome\": \"differs\"", "\"outcame\": \"differs\"")},
        {"deep", "{\"findings\":" + std::string(100000, '[')},
        {"a bad escape", with("\"target\": \"", "\"target\": \"\\uD800")},
    };
    for (const auto& [name, text] : bad) {
        CAPTURE(name);
        node.host.add_file(report_path, text);
        const auto result = node.checked();
        REQUIRE(result.errors.size() == 1);
        CHECK(has(result.errors.front(), report_path));
        CHECK(result.report.findings.empty());
    }
    node.request.since = "/tmp/none.json";
    CHECK(node.checked().errors.size() == 1);
}

TEST_CASE("facts: equal nodes have equal fingerprints, and what is a node's own is in none",
          "[facts]") {
    auto node = asked_of("\"kernel.numa_balancing\" = 0");
    node.request.facts = true;
    const auto facts = [&] {
        const auto result = node.checked();
        REQUIRE(result.report.facts);
        return *result.report.facts;
    };
    const FactSheet sheet = facts();
    CHECK(sheet.unread == 0);
    node.machine.add_file(boot, "0d5c1f52-1111-4222-8333-444455556666\n");
    node.machine.add_file(gpu + "unique_id", "0123456789abcdef\n");
    node.machine.add_file("/proc/cmdline", trim(*node.machine.read("/proc/cmdline")).data() +
                                               std::string(" root=UUID=1234 crashkernel=1G\n"));
    CHECK(facts().fingerprint == sheet.fingerprint);
    const auto line = *node.machine.read("/proc/cmdline");
    node.machine.add_file(
        "/proc/cmdline",
        trim(line).data() +
            std::string(" ifname=eth0:5c:25:73:40:00:06 systemd.machine_id=aabbccdd s=SERIALXYZ "
                        "5c:25:73:40:00:06\n"));
    for (const auto& fact : facts().facts) {
        const std::string text = fact.value.value_or("");
        CHECK((!has(text, "5c:25") && !has(text, "aabbccdd") && !has(text, "SERIALXYZ")));
    }
    node.machine.add_file("/proc/cmdline", line);
    node.machine.add_error("/proc/sys/kernel/numa_balancing", 13);
    const FactSheet unread = facts();
    CHECK(unread.unread == 1);
    CHECK(unread.fingerprint != sheet.fingerprint);
    for (std::size_t at = 0; at < sheet.facts.size(); ++at) {
        const auto& fact = sheet.facts[at];
        CAPTURE(fact.id, fact.target);
        CHECK(find_setting(fact.id)->info.over_cluster == OverCluster::equal);
        CHECK(fact.value);
        CHECK((at == 0 || std::pair(sheet.facts[at - 1].id, sheet.facts[at - 1].target) <
                              std::pair(fact.id, fact.target)));
    }
    for (const auto& fact : unread.facts) {
        CHECK((fact.value || (fact.id == "kernel.numa_balancing" &&
                              fact.reason == Reason::permission && !fact.detail.empty())));
    }
}

TEST_CASE("facts: they do not depend on the profile, and hold no numbers of one device",
          "[facts]") {
    auto node = asked_of("\"cpu.smt\" = \"off\"");
    node.request.facts = true;
    const auto sheet = *node.checked().report.facts;
    for (const char* name : {"host", "mi300x-benchmark", "ci-preflight"}) {
        node.request.profiles = {name};
        CHECK(node.checked().report.facts->fingerprint == sheet.fingerprint);
    }
    const auto gpus = node.machine.list("/sys/bus/pci/drivers/amdgpu");
    REQUIRE(gpus);
    for (const auto& each : *gpus) {
        const auto id = node.machine.read("/sys/bus/pci/devices/" + each + "/unique_id");
        for (const auto& fact : sheet.facts) {
            CHECK((!id || fact.value.value_or("").find(trim(*id)) == std::string::npos));
        }
    }
    node.request.scope = Scope::process;
    const auto process = node.checked();
    CHECK(!process.report.facts);
    CHECK(has(notes(process), "facts describe the node"));
}

TEST_CASE("facts: of every setting, one for a target, with a value or why there is none",
          "[facts]") {
    for (const char* name : {"mi300x-tuned", "mi300x-cpx", "mi300x-fallen", "mi300a", "mi210",
                             "guest", "suspended", "container", "no-gpu", "old-kfd", "vfio"}) {
        const Machine machine(machine_fs(name));
        const Process process;
        for (const Setting* setting : all_settings()) {
            if (setting->info.over_cluster != OverCluster::equal) {
                continue;
            }
            std::set<std::string> targets;
            for (const auto& fact : facts_of(*setting, {machine, process})) {
                CAPTURE(name, setting->info.id, fact.target.text());
                CHECK(targets.insert(fact.target.text()).second);
                CHECK((fact.value ? !fact.value->empty() : !fact.detail.empty()));
            }
        }
    }
}

TEST_CASE("facts: what no profile names is not read under ras", "[facts]") {
    auto node = asked_of("\"cpu.smt\" = \"on\"");
    node.request.facts = true;
    const auto sheet = *node.checked().report.facts;
    for (const char* file : {"ras/features", "ras/gpu_vram_bad_pages", "ras/event_state"}) {
        node.machine.add_unread(gpu + file);
    }
    CHECK(node.checked().report.facts->fingerprint == sheet.fingerprint);
}

TEST_CASE("facts: no file under ras or hwmon is read that no chosen profile names", "[facts]") {
    const std::set<std::string> readers{"gpu.ras", "gpu.ras_events", "gpu.bad_pages",
                                        "gpu.power_cap"};
    const MemoryFs host;
    std::size_t named = 0;
    for (const auto& profile : ProfileStore(host, Process()).names()) {
        const FaultyFs fs(machine_fs("mi300x-tuned"));
        CheckRequest request;
        request.profiles = {profile};
        request.ignore_match = true;
        request.facts = true;
        Process root;
        root.is_root = true;
        const auto report = check(request, fs, host, root).report;
        const bool names_one =
            std::any_of(readers.begin(), readers.end(),
                        [&](const std::string& id) { return report.settings.contains(id); });
        named += names_one ? 1U : 0U;
        for (const auto& [operation, path] : fs.questions) {
            CAPTURE(profile, path);
            CHECK((names_one ||
                   (path.find("/ras/") == path.npos && path.find("/hwmon/hwmon") == path.npos)));
        }
    }
    CHECK(named > 0);  // acceptance
}

TEST_CASE("facts: what is read only where it is named is there only then", "[facts]") {
    for (const bool named : {false, true}) {
        auto node = asked_of(named ? "\"gpu.power_cap\" = \"default\"" : "\"cpu.smt\" = \"on\"");
        node.request.facts = true;
        const auto result = node.checked();
        const auto& facts = result.report.facts->facts;
        CHECK(named == std::any_of(facts.begin(), facts.end(), [](const ReportFact& fact) {
                  return fact.id == "gpu.power_cap";
              }));
    }
}

}  // namespace rocenv::since_test
