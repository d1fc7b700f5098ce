// SPDX-License-Identifier: MIT
// Numbers of network interfaces: of RDMA NICs alone, and of the network namespace they were set in.
#include <algorithm>

#include "contract/scene.h"
#include "support/catch.h"

using namespace rocenv;
using namespace rocenv::contract;

namespace networks_test {

namespace {

const std::string conf = "/proc/sys/net/ipv4/conf/";
const std::string profile = "rccl-multinode";
const std::string own_namespace = "/proc/self/ns/net";

void add_nic(MemoryFs& fs, const std::string& bdf, const std::string& device,
             const std::string& name, const std::string& strict) {
    const std::string function = "/sys/bus/pci/devices/" + bdf;
    const std::string port = "/sys/class/infiniband/" + device + "/ports/1/";
    fs.add_file(function + "/modalias", "pci:v000014E4d00001760sv000015D9sd00001D42bc02sc00i00\n");
    fs.add_file(function + "/net/" + name + "/mtu", "9000\n");
    fs.add_link("/sys/class/net/" + name + "/device", "../../../" + bdf);
    fs.add_link("/sys/class/infiniband/" + device + "/device", "../../../" + bdf);
    fs.add_file(port + "state", "4: ACTIVE\n");
    fs.add_file(port + "phys_state", "5: LinkUp\n");
    fs.add_file(port + "link_layer", "Ethernet\n");
    fs.add_file(conf + name + "/rp_filter", strict);
}

// Two interfaces of RDMA NICs are strict, a third is not, and one that is of no such NIC is.
MemoryFs strict_node() {
    MemoryFs out(cut_machine("mi300x-spx"));
    add_nic(out, "0000:06:00.0", "bnxt_re0", "ens6np0", "1\n");
    add_nic(out, "0000:0a:00.0", "bnxt_re1", "ens10np0", "1\n");
    add_nic(out, "0000:46:00.0", "bnxt_re2", "ens70np0", "2\n");
    out.add_file(conf + "eno1/rp_filter", "1\n");
    out.add_link(own_namespace, "net:[4026531840]");
    out.add_link("/proc/1/ns/net", "net:[4026531840]");
    out.add_link("/proc/self/ns/pid", "pid:[4026531836]");
    return out;
}

std::string rp_filter(Node& node, const std::string& name) {
    return *node.kernel.read(conf + name + "/rp_filter");
}

bool is_of_interface(const std::string& path) {
    return path.starts_with(conf);
}

}  // namespace

TEST_CASE("networks: interfaces of RDMA NICs are set and put back, no other one", "[contract]") {
    const auto start = strict_node();
    Node node(start);
    const auto set = node.set({profile});
    INFO(printed(set));
    CHECK(rp_filter(node, "ens6np0") == "2\n");
    CHECK(rp_filter(node, "ens10np0") == "2\n");
    CHECK(rp_filter(node, "ens70np0") == "2\n");
    for (const auto& write : node.kernel.writes) {
        CHECK_FALSE(write.path.starts_with(conf + "all"));
        CHECK_FALSE(write.path.starts_with(conf + "eno1"));
        CHECK_FALSE(write.path.starts_with(conf + "ens70np0"));  // had the expected value
    }
    const auto reset = node.reset();
    INFO(printed(reset) << node.differs_from(start));
    CHECK(reset.report.exit_code == 0);
    CHECK(node.differs_from(start).empty());
    count_run("network");
}

TEST_CASE("networks: a reset from another namespace names them and writes none", "[contract]") {
    const auto start = strict_node();
    Node node(start);
    node.set({profile});
    node.kernel.memory().add_link(own_namespace, "net:[4026532999]");
    const auto before = node.kernel.writes.size();
    const auto status = node.status();
    CHECK(status.exit_code == 5);
    const auto reset = node.reset();
    INFO(printed(reset));
    CHECK(reset.report.exit_code == 5);
    CHECK(std::any_of(
        reset.report.findings.begin(), reset.report.findings.end(), [](const Finding& finding) {
            return finding.id == "net.rp_filter" && finding.target == "ens6np0" &&
                   finding.detail.find("another network namespace") != std::string::npos;
        }));
    for (auto at = before; at < node.kernel.writes.size(); ++at) {
        CHECK_FALSE(is_of_interface(node.kernel.writes[at].path));
    }
    CHECK(rp_filter(node, "ens6np0") == "2\n");
    node.kernel.memory().add_link(own_namespace, "net:[4026531840]");
    const auto again = node.reset();
    INFO(printed(again) << node.differs_from(start));
    CHECK(again.report.exit_code == 0);
    CHECK(node.differs_from(start).empty());
    count_run("network");
}

TEST_CASE("networks: outside the node's own namespace nothing is set", "[contract]") {
    auto start = strict_node();
    start.add_link(own_namespace, "net:[4026532999]");
    Node node(start);
    node.set({profile});
    for (const auto& write : node.kernel.writes) {
        CHECK_FALSE(is_of_interface(write.path));
    }
    CHECK(rp_filter(node, "ens6np0") == "1\n");
    count_run("network");
}

}  // namespace networks_test
