// SPDX-License-Identifier: MIT
// Causes: a device that answers all ones explains what could not be read of it and of what is below
// it, and nothing else.
#include "check/causes.h"

#include <algorithm>
#include <regex>
#include <set>

#include "check/check.h"
#include "profile/profile.h"
#include "report/render.h"
#include "support/catch.h"
#include "support/machines.h"

namespace rocenv::causes_test {

namespace {

const std::string fallen = "0000:85:00.0";  // the lost GPU of mi300x-fallen

Report report_on(const Fs& machine, const std::vector<std::string>& only = {}) {
    const MemoryFs host;
    CheckRequest request;
    request.profiles = {"acceptance"};
    request.only = only;
    return check(request, machine, host, Process{}).report;
}

bool is_open(const Finding& finding) {
    return finding.outcome == Outcome::differs || finding.outcome == Outcome::unknown;
}

// "ID of TARGET" of each cause, once.
std::set<std::string> causes(const Report& report) {
    std::set<std::string> out;
    for (const auto& finding : report.findings) {
        if (finding.cause) {
            out.insert(finding.cause->id + " of " + finding.cause->target);
        }
    }
    return out;
}

// Returns the finding of an id and target, which the report must have.
const Finding& finding_at(const Report& report, const std::string& id, const std::string& target) {
    const auto found =
        std::find_if(report.findings.begin(), report.findings.end(),
                     [&](const Finding& each) { return each.id == id && each.target == target; });
    CAPTURE(id, target);
    REQUIRE(found != report.findings.end());
    return *found;
}

// The configuration space of each function on a path through `part` reads as ones, as of one that
// has left the bus.
void take_away(MemoryFs& machine, const std::string& part) {
    const std::string devices = "/sys/bus/pci/devices/";
    const auto functions = machine.list(devices).value();
    for (const auto& bdf : functions) {
        const auto link = machine.link(devices + bdf).value();  // "../../../devices/pci0000:80/..."
        if (link.find(part) != std::string::npos) {
            machine.add_file("/sys" + link.substr(link.find("/devices/")) + "/config",
                             std::string(256, '\xff'));
        }
    }
}

}  // namespace

TEST_CASE("causes: a GPU off the bus explains what is unknown of it and of its package",
          "[check]") {
    const Report report = report_on(machine_fs("mi300x-fallen"));
    CHECK(causes(report) == std::set<std::string>{"gpu.count of " + fallen});
    for (const auto& finding : report.findings) {
        const bool of_it = finding.target == fallen || finding.target == "0000:84:00.0" ||
                           finding.target == "0000:83:00.0" || finding.id == "gpu.xgmi";
        INFO(finding.id << " " << finding.target);
        CHECK(finding.cause.has_value() ==
              (of_it && is_open(finding) && finding.id != "gpu.count"));
    }
}

TEST_CASE("causes: a GPU without an agent is named by address and slot, others by index",
          "[check]") {
    MemoryFs machine = machine_fs("mi300x-fallen");
    CHECK(report_on(machine).device_names.at(fallen) == "the GPU at {}");
    machine.add_file("/sys/bus/pci/slots/21/address", "0000:83:00\n");
    const auto names = report_on(machine).device_names;
    CHECK(names.at(fallen) == "the GPU at {} (slot 21)");
    CHECK(names.at("0000:89:00.0") == "GPU 4 ({})");
}

TEST_CASE("causes: the consequences of two lost GPUs are all counted", "[check]") {
    MemoryFs machine = machine_fs("mi300x-fallen");
    take_away(machine, "0000:43:00.0");
    const auto report = report_on(machine, {"gpu.count", "pci.link", "pci.large_bar"});
    const auto text = render_human(report, Detail::normal, Colour::no);
    const std::regex follows("([0-9]+) checks could not be read");
    const std::regex footer("([0-9]+) unknown");
    std::smatch consequences;
    std::smatch unknown;
    REQUIRE(std::regex_search(text, consequences, follows));
    REQUIRE(std::regex_search(text, unknown, footer));
    CAPTURE(text);
    CHECK(consequences[1] == unknown[1]);
}

TEST_CASE("causes: a finding keeps none that --only removes", "[check]") {
    CHECK(causes(report_on(machine_fs("mi300x-fallen"), {"gpu.xgmi", "pci.*"})).empty());
}

TEST_CASE("causes: a driver that is not loaded explains all GPUs", "[check]") {
    const Report report = report_on(machine_fs("mi300x-no-driver"));
    CHECK(causes(report) == std::set<std::string>{"gpu.driver of system"});
    CHECK(finding_at(report, "gpu.count", "0000:05:00.0").cause);
    CHECK_FALSE(finding_at(report, "kernel.numa_balancing", "system").cause);
}

TEST_CASE("causes: a silent switch gets a finding, and its GPU and NIC are consequences",
          "[check]") {
    MemoryFs machine = machine_fs("mi300x-tuned");
    take_away(machine, "0000:81:00.0");
    const Report report = report_on(machine);
    const Finding& port = finding_at(report, "gpu.count", "0000:81:00.0");
    CHECK(port.have == "fallen off the bus");
    CHECK_FALSE(port.cause);
    CHECK(port.fix.find("0000:81:00.0") != std::string::npos);
    const Finding& gpu = finding_at(report, "gpu.count", fallen);
    REQUIRE(gpu.cause);
    CHECK(gpu.cause->target == "0000:81:00.0");
    CHECK(gpu.fix == port.fix);
    CHECK(report.exit_code == 1);
}

TEST_CASE("causes: missing KFD nodes of a partitioned GPU explain its missing units", "[check]") {
    const std::string gpu = "0000:05:00.0";
    MemoryFs machine = machine_fs("mi300x-tuned");
    const std::string nodes = "/sys/devices/virtual/kfd/kfd/topology/nodes/";
    const auto names = machine.list(nodes).value();
    for (const auto& node : names) {
        std::string text = machine.read(nodes + node + "/properties").value();
        const auto units = text.find("simd_count 1216");
        if (text.find("location_id 1280\n") != text.npos && units != text.npos) {
            machine.add_file(nodes + node + "/properties",
                             text.replace(units, 15, "simd_count 152"));
        }
    }
    const auto units_of = [&](const std::string& mode) {
        const auto link = machine.link("/sys/bus/pci/devices/" + gpu).value();
        machine.add_file(
            "/sys" + link.substr(link.find("/devices/")) + "/current_compute_partition",
            mode + "\n");
        return Finding(finding_at(report_on(machine, {"gpu.compute_*"}), "gpu.compute_units", gpu));
    };
    CHECK_FALSE(units_of("SPX").cause);
    const Finding units = units_of("CPX");
    CHECK(units.outcome == Outcome::differs);
    REQUIRE(units.cause);
    CHECK(units.cause->id == "gpu.compute_partition");
    CHECK(units.cause->target == gpu);
}

TEST_CASE("causes: a lost NIC explains no fault of a GPU", "[check]") {
    MemoryFs machine = machine_fs("mi300x-fallen");
    take_away(machine, "0000:8a:00.0");
    const Report report = report_on(machine);
    finding_at(report, "rdma.count", "0000:8a:00.0");
    const Finding& mesh = finding_at(report, "gpu.xgmi", "system");
    REQUIRE(mesh.cause);
    CHECK(mesh.cause->id == "gpu.count");
    CHECK(mesh.cause->target == fallen);
    MemoryFs without = machine_fs("mi300x-no-driver");
    take_away(without, "0000:8a:00.0");
    const Report other = report_on(without);
    const Finding& visible = finding_at(other, "gpu.visible", "process");
    REQUIRE(visible.cause);
    CHECK(visible.cause->id == "gpu.driver");
}

TEST_CASE("causes: a GPU off the bus explains no mesh that lacks more", "[check]") {
    MemoryFs machine = machine_fs("mi300x-tuned");
    take_away(machine, "0000:85:00.0");
    Report report = report_on(machine);
    for (auto& finding : report.findings) {
        finding.cause.reset();
    }
    Finding mesh;
    mesh.id = "gpu.xgmi";
    mesh.target = "system";
    mesh.outcome = Outcome::differs;
    for (const auto& [have, is_explained] :
         {std::pair{"7 of 8 GPUs", true}, std::pair{"6 of 8 GPUs", false}}) {
        mesh.have = have;
        auto findings = report.findings;
        findings.push_back(mesh);
        add_causes(Machine(machine), findings);
        CHECK(findings.back().cause.has_value() == is_explained);
    }
}

// Writes a file below the folder of a PCI function, which its link names.
void write_at(MemoryFs& machine, const std::string& bdf, const std::string& name,
              const std::string& text) {
    const auto link = machine.link("/sys/bus/pci/devices/" + bdf).value();
    machine.add_file("/sys" + link.substr(link.find("/devices/")) + "/" + name, text + "\n");
}

std::string cause_at(const Report& report, const std::string& id, const std::string& target) {
    const auto& cause = finding_at(report, id, target).cause;
    return cause ? cause->id + " " + cause->target : "";
}

TEST_CASE("causes: a port that is down explains its interface and its rate", "[check]") {
    const std::string nic = "0000:4a:00.0";
    MemoryFs machine = machine_fs("mi300x-tuned");
    const auto device = machine.list("/sys/bus/pci/devices/" + nic + "/infiniband").value().front();
    write_at(machine, nic, "infiniband/" + device + "/ports/1/state", "1: DOWN");
    write_at(machine, nic, "infiniband/" + device + "/ports/1/phys_state", "3: Disabled");
    write_at(machine, nic, "net/ens74np0/carrier", "0");
    write_at(machine, nic, "net/ens74np0/operstate", "down");
    const Report report = report_on(machine);
    CHECK(cause_at(report, "net.link", "ens74np0") == "rdma.port " + nic);
    CHECK(cause_at(report, "rdma.rate", nic) == "rdma.port " + nic);
    CHECK(cause_at(report, "rdma.port", nic).empty());
    write_at(machine, nic, "infiniband/" + device + "/ports/1/state", "4: ACTIVE");
    write_at(machine, nic, "infiniband/" + device + "/ports/1/phys_state", "5: LinkUp");
    CHECK(cause_at(report_on(machine), "net.link", "ens74np0").empty());
}

TEST_CASE("causes: an option of amdgpu explains what it switches off", "[check]") {
    const std::string options = "/sys/module/amdgpu/parameters/";
    const std::string gpu = "0000:05:00.0";
    MemoryFs machine = machine_fs("mi300x-tuned");
    machine.add_file(options + "vramlimit", "16384\n");
    machine.add_file(options + "ras_enable", "0\n");
    write_at(machine, gpu, "mem_info_vram_total", "17179869184");
    write_at(machine, "0000:85:00.0", "mem_info_vram_total", "17279869184");
    write_at(machine, gpu, "ras/features", "feature mask: 0x0");
    const Report report = report_on(machine);
    CHECK(cause_at(report, "gpu.vram", gpu) == "gpu.parameters vramlimit");
    CHECK(cause_at(report, "gpu.vram", "0000:85:00.0").empty());  // another size
    CHECK(cause_at(report, "gpu.ras", gpu) == "gpu.parameters ras_enable");
}

TEST_CASE("causes: two lost GPUs leave a short mesh without a cause", "[check]") {
    MemoryFs machine = machine_fs("mi300x-fallen");
    take_away(machine, "0000:05:00.0");
    const Report report = report_on(machine);
    finding_at(report, "gpu.count", "0000:05:00.0");
    CHECK_FALSE(finding_at(report, "gpu.xgmi", "system").cause);
}

}  // namespace rocenv::causes_test
