// SPDX-License-Identifier: MIT
// Waivers: what a file may say, which findings they mark, what they leave out, and what is said of
// those that are of no use.
#include "check/waivers.h"

#include <algorithm>

#include "check/check.h"
#include "profile/profile.h"
#include "support/catch.h"
#include "support/machines.h"
#include "util/text.h"

namespace rocenv::waivers_test {

namespace {

const std::string lost = "0000:85:00.0";  // the lost GPU of mi300x-fallen

std::string entry(const std::string& id, const std::string& more = "") {
    return "[[waiver]]\nid = \"" + id +
           "\"\nuntil = 2026-12-31\nticket = \"OPS-1\"\nwhy = \"a spare is ordered\"\n" + more;
}

std::string faults(const std::string& text) {
    std::vector<std::string> out;
    for (const auto& diagnostic : parse_waivers("w.toml", text).diagnostics) {
        out.push_back(diagnostic_text(diagnostic));
    }
    return join(out, "\n");
}

// A node checked on a day, with its expectations and a file of waivers.
struct Node {
    explicit Node(const std::string& name) : machine(machine_fs(name)) {}

    Node& waive(const std::string& text) {
        host.add_file(waivers_file, text);
        return *this;
    }
    Node& expected(const std::string& settings) {
        host.add_file("/etc/rocenv/profiles/p.toml",
                      "[profile]\nname = \"p\"\n[settings]\n" + settings);
        request.profiles = {"p"};
        return *this;
    }
    CheckResult checked(const std::string& day = "1796000000") const {  // 2026-11-30
        Process process;
        process.environment["SOURCE_DATE_EPOCH"] = day;
        auto result = check(request, machine, host, process);
        if (result.errors.empty()) {
            judge_check(result.report, Strict::no);
        }
        return result;
    }

    MemoryFs machine;
    MemoryFs host;
    CheckRequest request;
};

// "gpu.count system ok; gpu.count 0000:85:00.0 differs waived OPS-1"
std::string printed(const CheckResult& result, bool all = true) {
    std::vector<std::string> out = result.errors;
    for (const auto& finding : result.report.findings) {
        if (all || finding.outcome != Outcome::ok) {
            out.push_back(finding.id + " " + finding.target + " " +
                          std::string(word_of(finding.outcome)) +
                          (finding.waived ? " waived " + finding.waived->ticket : ""));
        }
    }
    return join(out, "; ");
}

// A file of a device, not by the link in /sys/bus.
std::string file_of(const Fs& machine, const std::string& bdf, const std::string& file) {
    const auto link = machine.link("/sys/bus/pci/devices/" + bdf).value();
    return "/sys/" + link.substr(link.find("devices/")) + "/" + file;
}

std::string notes(const CheckResult& result) {
    return join(result.report.notes, "\n");
}

}  // namespace

TEST_CASE("waivers: a file's faults have their place", "[waivers]") {
    CHECK(faults(entry("gpu.count")).empty());
    CHECK(faults(entry("gpu.*", "target = \"" + lost + "\"\nnodes = [\"node1*\"]\n")).empty());
    CHECK(faults(entry("*", "target = \"00a1b2c3d4e5f607\"\n")).empty());
    CHECK(faults(entry("profile.auto")).empty());
    CHECK(faults("").empty());
    CHECK(faults(entry("gpu.cuont")) ==
          "w.toml:2:6: error: id: unknown setting 'gpu.cuont'. Did you mean 'gpu.count'?");
    CHECK(faults(entry("gpu.count", "target = \"GPU0\"\n"))
              .starts_with("w.toml:6:10: error: target: found 'GPU0', expected a bus address"));
    CHECK(faults(entry("gpu.count", "nodes = \"a\"\n"))
              .starts_with("w.toml:6:9: error: nodes: expected a list of names"));
    CHECK(faults(entry("gpu.count", "nodes = []\n")).starts_with("w.toml:6:9: error: nodes: "));
    CHECK(faults(entry("gpu.count", "node = [\"a\"]\n")) ==
          "w.toml:6:8: error: unknown key 'node' in [[waiver]]. Did you mean 'nodes'?");
    CHECK(faults("[[waiver]]\nid = \"gpu.count\"\nticket = \"a\"\nuntil = 2026-12-31\n") ==
          "w.toml:1:1: error: why is missing");
    CHECK(faults("[waiver]\nid = \"gpu.count\"\n").find("expected [[waiver]]") !=
          std::string::npos);
    CHECK(faults("[[waivers]]\n").find("expected [[waiver]]") != std::string::npos);
    CHECK(faults("[[waiver]\n").starts_with("w.toml:1:"));
    for (const char* date : {"\"2026-02-29\"", "\"2026-13-01\"", "\"soon\"", "20261231", "12:00:00",
                             "\"2026-00-10\"", "[]"}) {
        CAPTURE(date);
        CHECK(faults(std::string("[[waiver]]\nid=\"gpu.count\"\nticket=\"a\"\nwhy=\"b\"\nuntil=") +
                     date + "\n")
                  .starts_with("w.toml:5:7: error: until: expected a date such as 2027-01-31"));
    }
    for (const char* date : {"\"2028-02-29\"", "2028-02-29", "\"0124-02-28\"", "0124-02-28"}) {
        CAPTURE(date);
        CHECK(faults(std::string("[[waiver]]\nid=\"gpu.count\"\nticket=\"a\"\nwhy=\"b\"\nuntil=") +
                     date + "\n")
                  .empty());
    }
}

TEST_CASE("waivers: a finding stays what it is and does not count", "[waivers]") {
    Node node("mi300x-spx");
    node.expected("\"kernel.numa_balancing\" = 0\n");
    CHECK(node.checked().report.exit_code == 1);
    node.waive(entry("kernel.*"));
    const auto result = node.checked();
    CHECK(printed(result) == "kernel.numa_balancing system differs waived OPS-1");
    CHECK(result.report.exit_code == 0);
    CHECK(result.report.result == "ok");
    CHECK(result.report.summary.at("differs") == 1);
    CHECK(notes(result).empty());
    node.request.strict = true;
    CHECK(node.checked().report.exit_code == 0);
    node.request.no_waivers = true;
    CHECK(node.checked().report.exit_code == 1);
}

TEST_CASE("waivers: an unknown is waived as well", "[waivers]") {
    Node node("mi300x-spx");
    node.expected("\"kernel.numa_balancing\" = 0\n");
    node.machine.add_error("/proc/sys/kernel/numa_balancing", 13);
    CHECK(node.checked().report.exit_code == 3);
    node.waive(entry("kernel.numa_balancing", "target = \"system\"\n"));
    CHECK(node.checked().report.exit_code == 0);
}

TEST_CASE("waivers: those that have ended, are for others or of no use", "[waivers]") {
    Node node("mi300x-spx");
    node.expected("\"kernel.numa_balancing\" = 0\n").waive(entry("kernel.numa_balancing"));
    CHECK(node.checked("1798700000").report.exit_code == 0);  // 2026-12-31
    const auto ended = node.checked("1798800000");            // 2027-01-01
    CHECK(ended.report.exit_code == 1);
    CHECK(notes(ended) ==
          "waiver OPS-1 (" + waivers_file + ":1:1) ended on 2026-12-31 and was not used");
    node.waive(entry("kernel.numa_balancing", "nodes = [\"other\"]\n"));
    CHECK(node.checked().report.exit_code == 1);
    CHECK(notes(node.checked()).empty());
    node.request.node_name = "other";
    CHECK(node.checked().report.exit_code == 0);
    node.request.node_name = "other.cluster";
    CHECK(node.checked().report.exit_code == 0);
    node.request.node_name = "another";
    CHECK(node.checked().report.exit_code == 1);
    node.waive(entry("cpu.smt"));
    CHECK(notes(node.checked()) ==
          "waiver OPS-1 (" + waivers_file + ":1:1) matches nothing here: cpu.smt");
    node.request.only = {"kernel.*"};
    CHECK(notes(node.checked()).empty());
    node.waive(entry("kernel.*", "target = \"0000:05:00.0\"\n"));
    CHECK(notes(node.checked()) ==
          "waiver OPS-1 (" + waivers_file + ":1:1) matches nothing here: kernel.* on 0000:05:00.0");
    node.machine.add_file("/proc/sys/kernel/numa_balancing", "0\n");
    node.waive(entry("kernel.*"));
    CHECK(notes(node.checked()) == "waiver OPS-1 (" + waivers_file +
                                       ":1:1) is not needed here: kernel.* passed or does "
                                       "not exist");
}

TEST_CASE("waivers: acceptance takes none", "[waivers]") {
    Node node("mi300x-fallen");
    node.waive(entry("*"));
    node.request.profiles = {"mi300x"};
    CHECK(node.checked().report.exit_code == 0);
    node.request.profiles = {"acceptance"};
    CHECK(node.checked().report.exit_code == 1);
    node.host.add_file("/etc/rocenv/profiles/mine.toml",
                       "[profile]\nname = \"mine\"\nextends = [\"acceptance\"]\n");
    node.host.add_file("/w.toml", entry("*"));
    node.request.profiles = {"mine"};
    node.request.waivers = "/w.toml";
    CHECK(node.checked().report.exit_code == 1);
    CHECK(notes(node.checked()) == "acceptance ignores waivers: /w.toml was not used");
}

TEST_CASE("waivers: a file that is bad or missing ends the check", "[waivers]") {
    Node node("mi300x-spx");
    node.expected("\"kernel.numa_balancing\" = 0\n").waive("[[waiver]]\n");
    CHECK(printed(node.checked()).starts_with(waivers_file + ":1:1: error: id is missing"));
    node.waive("");
    node.request.waivers = "/nowhere.toml";
    CHECK(node.checked().errors.size() == 1);
    node.host.remove(waivers_file);
    node.request.waivers.clear();
    CHECK(node.checked().errors.empty());
}

TEST_CASE("waivers: a GPU is left out of the count", "[waivers]") {
    Node node("mi300x-fallen");
    node.expected("\"gpu.count\" = 8\n");
    CHECK(node.checked().report.exit_code == 1);
    node.waive(entry("gpu.count", "target = \"" + lost + "\"\n"));
    const auto excused = node.checked();
    CHECK(printed(excused) == "gpu.count " + lost + " differs waived OPS-1; gpu.count system ok");
    CHECK(excused.report.exit_code == 0);
    CHECK(notes(excused).empty());
    node.expected("\"gpu.count\" = \"consistent\"\n");
    CHECK(node.checked().report.exit_code == 0);
    // The waiver does not excuse the loss of another GPU.
    node.machine.remove(file_of(node.machine, "0000:05:00.0", "driver"));
    CHECK(node.checked().report.exit_code == 1);
    node.expected("\"gpu.count\" = 8\n");
    CHECK(node.checked().report.exit_code == 1);
}

TEST_CASE("waivers: of another setting of a GPU excuse nothing in the count", "[waivers]") {
    Node node("mi300x-fallen");
    node.expected("\"gpu.count\" = 8\n").waive(entry("gpu.vram", "target = \"" + lost + "\"\n"));
    CHECK(node.checked().report.exit_code == 1);
}

TEST_CASE("waivers: a GPU is named by its unique id", "[waivers]") {
    Node node("mi300x-spx");
    const auto id = node.machine.read("/sys/bus/pci/devices/0000:05:00.0/unique_id");
    REQUIRE(id);
    node.expected("\"gpu.compute_partition\" = \"equal\"\n");
    node.machine.add_file(file_of(node.machine, "0000:05:00.0", "current_compute_partition"),
                          "CPX\n");
    CHECK(node.checked().report.exit_code == 1);
    node.waive(entry("gpu.*", "target = \"" + std::string(trim(*id)) + "\"\n"));
    const auto excused = node.checked();
    CHECK(excused.report.exit_code == 0);
    CHECK(printed(excused, false) == "gpu.compute_partition 0000:05:00.0 differs waived OPS-1");
}

TEST_CASE("waivers: a GPU is left out of the equality of the others", "[waivers]") {
    Node node("mi300x-spx");
    const auto file = file_of(node.machine, "0000:05:00.0", "current_compute_partition");
    node.expected("\"gpu.compute_partition\" = \"equal\"\n")
        .waive(entry("gpu.compute_partition", "target = \"0000:05:00.0\"\n"));
    node.machine.add_error(file, 5);
    const auto unread = node.checked();
    CHECK(printed(unread, false) == "gpu.compute_partition 0000:05:00.0 unknown waived OPS-1");
    CHECK(std::count_if(unread.report.findings.begin(), unread.report.findings.end(),
                        [](const Finding& each) { return each.outcome == Outcome::ok; }) == 7);
    CHECK(unread.report.exit_code == 0);
    node.request.no_waivers = true;
    CHECK(node.checked().report.exit_code == 3);
}

TEST_CASE("waivers: what is no GPU is none that is missing", "[waivers]") {
    Node node("mi300x-fallen");
    const auto nic = Machine(node.machine).rdma_nics().value().front();
    node.expected("\"gpu.count\" = 8\n").waive(entry("*", "target = \"" + nic + "\"\n"));
    CHECK(printed(node.checked()) == "gpu.count " + lost + " differs; gpu.count system differs");
    node.waive(entry("*", "target = \"00ff:01:00.0\"\n"));  // the former device is unknown
    CHECK(node.checked().report.exit_code == 1);            // and the GPU that is missing is known
}

TEST_CASE("waivers: two GPUs with one unique id are told once where one is waived", "[waivers]") {
    Node node("mi300x-spx");
    const auto file = file_of(node.machine, "0000:05:00.0", "unique_id");
    const auto other = file_of(node.machine, lost, "unique_id");
    node.machine.add_file(file, node.machine.read(other).value());
    node.expected("\"gpu.unique_id\" = \"distinct\"\n");
    CHECK(printed(node.checked(), false) ==
          "gpu.unique_id 0000:05:00.0 differs; gpu.unique_id " + lost + " differs");
    node.waive(entry("gpu.unique_id", "target = \"0000:05:00.0\"\n"));
    CHECK(printed(node.checked(), false) == "gpu.unique_id 0000:05:00.0 differs waived OPS-1");
}

TEST_CASE("waivers: a GPU is left out of the mesh", "[waivers]") {
    Node node("mi300x-spx");
    node.expected("\"gpu.xgmi\" = \"mesh\"\n");
    CHECK(node.checked().report.exit_code == 0);
    const Machine machine(node.machine);
    const auto gpu = std::find_if(machine.gpus().begin(), machine.gpus().end(),
                                  [](const Gpu& each) { return each.bdf == lost; });
    const auto kfd = number(machine.kfd().nodes[gpu->agents.front()].index);
    const std::string nodes = "/sys/devices/virtual/kfd/kfd/topology/nodes/";
    const auto indices = node.machine.list("/sys/devices/virtual/kfd/kfd/topology/nodes").value();
    for (const auto& index : indices) {
        const auto links = node.machine.list(nodes + index + "/io_links");
        for (const auto& link : links ? *links : std::vector<std::string>()) {
            const std::string file = nodes + index + "/io_links/" + link + "/properties";
            const auto text = node.machine.read(file).value();
            const bool leads = text.find("node_to " + kfd + "\n") != std::string::npos;
            if ((index == kfd || leads) && text.find("type 11\n") != std::string::npos) {
                node.machine.remove(nodes + index + "/io_links/" + link);
            }
        }
    }
    CHECK(node.checked().report.findings.size() == 8);
    CHECK(node.checked().report.exit_code == 1);
    node.waive(entry("gpu.xgmi", "target = \"" + lost + "\"\n"));
    const auto excused = node.checked();
    CHECK(printed(excused) == "gpu.xgmi system ok; gpu.xgmi " + lost + " differs waived OPS-1");
    CHECK(excused.report.exit_code == 0);
}

// A device that never existed, as far as rocenv can find out.
const std::string nowhere = "target = \"00ff:01:00.0\"\n";

TEST_CASE("waivers: of what was never there change nothing on a healthy node", "[waivers]") {
    Node node("mi300x-spx");
    const auto nics = Machine(node.machine).rdma_nics().value().size();
    node.waive(entry("*", nowhere));
    for (const std::string& expected :
         {std::string("\"gpu.count\" = 8"), std::string("\"gpu.count\" = \">=8\""),
          std::string("\"gpu.count\" = \"full\""), std::string("\"gpu.count\" = \"consistent\""),
          std::string("\"gpu.xgmi\" = \"mesh\""), "\"rdma.count\" = " + number(nics),
          std::string("\"rdma.count\" = \"per-gpu\""),
          std::string("\"rdma.count\" = \"consistent\"")}) {
        CAPTURE(expected);
        node.expected(expected + "\n");
        const auto result = node.checked();
        CHECK(result.report.exit_code == 0);
        CHECK(printed(result).ends_with(" system ok"));
        CHECK(result.report.findings.size() == 1);
        CHECK(notes(result).find("matches nothing here") != std::string::npos);
    }
}

// Removes a GPU from PCI and from the driver; KFD may still have it.
void take_from_pci(MemoryFs& machine, const std::string& bdf) {
    const auto link = machine.link("/sys/bus/pci/devices/" + bdf).value();
    machine.remove("/sys/bus/pci/devices/" + bdf);
    machine.remove("/sys/" + link.substr(link.find("devices/")));
}

void take_from_kfd(MemoryFs& fs, const std::string& bdf) {
    const Machine machine(fs);
    const auto gpu = std::find_if(machine.gpus().begin(), machine.gpus().end(),
                                  [&](const Gpu& each) { return each.bdf == bdf; });
    REQUIRE(gpu != machine.gpus().end());
    fs.remove("/sys/devices/virtual/kfd/kfd/topology/nodes/" +
              number(machine.kfd().nodes[gpu->agents.front()].index));
}

TEST_CASE("waivers: a GPU that is gone is excused by its address, wherever it is gone from",
          "[waivers]") {
    for (const bool kfd_has_it : {true, false}) {
        Node node("mi300x-spx");
        if (!kfd_has_it) {
            take_from_kfd(node.machine, lost);
        }
        take_from_pci(node.machine, lost);
        for (const char* expected : {"\"gpu.count\" = 8\n", "\"gpu.count\" = \"full\"\n"}) {
            CAPTURE(kfd_has_it, expected);
            node.expected(expected).waive("");
            CHECK(node.checked().report.exit_code == 1);
            node.waive(entry("gpu.count", "target = \"" + lost + "\"\n"));
            const auto excused = node.checked();
            INFO(printed(excused));
            CHECK(excused.report.exit_code == 0);
            CHECK(printed(excused).find("gpu.count " + lost + " differs waived OPS-1") !=
                  std::string::npos);
            CHECK(notes(excused).empty());
        }
        // One more that is lost is not.
        node.machine.remove(file_of(node.machine, "0000:05:00.0", "driver"));
        CHECK(node.checked().report.exit_code == 1);
        node.expected("\"gpu.count\" = 8\n");
        CHECK(node.checked().report.exit_code == 1);
    }
}

TEST_CASE("waivers: a GPU that is gone is left out of the mesh", "[waivers]") {
    Node node("mi300x-spx");
    take_from_kfd(node.machine, lost);
    node.expected("\"gpu.xgmi\" = \"mesh\"\n");
    node.waive(entry("gpu.xgmi", nowhere));
    CHECK(node.checked().report.exit_code == 1);  // PCI has it: KFD lost it
    take_from_pci(node.machine, lost);
    node.waive("");
    CHECK(node.checked().report.exit_code == 1);
    node.waive(entry("gpu.xgmi", "target = \"" + lost + "\"\n"));
    CHECK(printed(node.checked()) ==
          "gpu.xgmi " + lost + " differs waived OPS-1; gpu.xgmi system ok");
    CHECK(node.checked().report.exit_code == 0);
}

TEST_CASE("waivers: a NIC that is lost is not excused by another's address", "[waivers]") {
    Node node("mi300x-spx");
    const auto nics = Machine(node.machine).rdma_nics().value();
    const std::string devices = "/sys/class/infiniband";
    const auto names = node.machine.list(devices).value();
    for (const auto& name : names) {
        const auto link = node.machine.link(devices + "/" + name);
        if (link && link->find(nics.front()) != std::string::npos) {
            node.machine.remove(devices + "/" + name);
        }
    }
    for (const std::string& expected :
         {"\"rdma.count\" = " + number(nics.size()), std::string("\"rdma.count\" = \"per-gpu\"")}) {
        CAPTURE(expected);
        node.expected(expected + "\n").waive("");
        CHECK(node.checked().report.exit_code == 1);
        for (const auto& other : {nowhere, "target = \"" + lost + "\"\n"}) {
            node.waive(entry("*", other));
            CHECK(node.checked().report.exit_code == 1);
        }
        node.waive(entry("rdma.count", "target = \"" + nics.front() + "\"\n"));
        const auto excused = node.checked();
        INFO(printed(excused));
        CHECK(excused.report.exit_code == 0);
    }
}

TEST_CASE("waivers: of what was never there excuse no NIC whose port is off", "[waivers]") {
    Node node("mi300x-spx");
    const auto nics = Machine(node.machine).rdma_nics().value();
    const std::string port =
        file_of(node.machine, nics.front(), "infiniband/bnxt_re0/ports/1/phys_state");
    REQUIRE(node.machine.read(port));
    node.machine.add_file(port, "3: Disabled\n");
    const std::string all = "\"rdma.count\" = " + number(nics.size()) + "\n";
    const std::string less = "\"rdma.count\" = " + number(nics.size() - 1) + "\n";
    for (const std::string& expected : {all, std::string("\"rdma.count\" = \"per-gpu\"\n")}) {
        node.expected(expected).waive("");
        CHECK(node.checked().report.exit_code == 1);
        node.waive(entry("*", nowhere));
        CHECK(node.checked().report.exit_code == 1);
        node.waive(entry("rdma.*", "target = \"" + nics.front() + "\"\n"));
        CHECK(node.checked().report.exit_code == 0);
    }
    node.expected(less);  // true without any waiver
    CHECK(node.checked().report.exit_code == 0);
}

TEST_CASE("waivers: a number that is met stays so", "[waivers]") {
    Node node("mi300x-fallen");
    node.expected("\"gpu.count\" = 7\n").waive("");
    CHECK(node.checked().report.exit_code == 0);
    node.waive(entry("gpu.*", "target = \"" + lost + "\"\n"));
    CHECK(node.checked().report.exit_code == 0);
    Node slingshot("mi250x");
    slingshot.expected("\"rdma.count\" = 4\n");
    CHECK(slingshot.checked().report.exit_code == 0);
    slingshot.waive(entry("rdma.*", "target = \"0000:c5:00.0\"\n"));
    CHECK(slingshot.checked().report.exit_code == 0);
}

TEST_CASE("waivers: a GPU's waiver is not its neighbour's NIC's", "[waivers]") {
    Node node("mi300x-spx");
    const std::string nic = "0000:86:00.0";
    node.machine.remove("/sys/class/infiniband/bnxt_re4");
    take_from_pci(node.machine, nic);
    node.expected("\"rdma.count\" = \"consistent\"\n");
    node.waive(entry("*", "target = \"" + lost + "\"\n"));
    CHECK(node.checked().report.exit_code == 1);
    node.waive(entry("rdma.count", "target = \"" + nic + "\"\n"));
    CHECK(node.checked().report.exit_code == 0);
}

TEST_CASE("waivers: on a board whose size is not known a slot tells of the GPU that is gone",
          "[waivers]") {
    Node node("mi210");
    const std::string gpu = "0000:03:00.0";
    node.expected("\"gpu.count\" = \"full\"\n").waive(entry("*", nowhere));
    CHECK(printed(node.checked()) == "gpu.count system ok");
    take_from_kfd(node.machine, gpu);
    take_from_pci(node.machine, gpu);
    node.waive("");
    CHECK(node.checked().report.exit_code == 1);
    node.waive(entry("gpu.count", "target = \"" + gpu + "\"\n"));
    const auto excused = node.checked();
    INFO(printed(excused));
    CHECK(excused.report.exit_code == 0);
    CHECK(notes(excused).empty());
}

TEST_CASE("waivers: an address may be written in capital letters", "[waivers]") {
    Node node("mi300x-spx");
    const std::string gpu = "0000:c5:00.0";
    node.expected("\"gpu.compute_partition\" = \"equal\"\n")
        .waive(entry("gpu.compute_partition", "target = \"0000:C5:00.0\"\n"));
    node.machine.add_file(file_of(node.machine, gpu, "current_compute_partition"), "CPX\n");
    CHECK(printed(node.checked(), false) ==
          "gpu.compute_partition " + gpu + " differs waived OPS-1");
    CHECK(node.checked().report.exit_code == 0);
}

}  // namespace rocenv::waivers_test
