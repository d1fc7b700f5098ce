// SPDX-License-Identifier: MIT
// Interfaces and RDMA devices named after their MAC: a report shows their locations, and no digit
// of the MAC.
#include "check/check.h"
#include "check/record.h"
#include "os/fs/tree_file.h"
#include "report/render.h"
#include "support/catch.h"
#include "support/machines.h"
#include "util/text.h"

namespace rocenv::hidden_names_test {

namespace {

const std::string mac = "5c2573400006";
const std::string netdev =
    "/sys/devices/pci0000:00/0000:00:01.1/0000:01:00.0/0000:02:01.0/0000:06:00.0/net/enx" + mac;

std::unique_ptr<MemoryFs> named_after(const std::string& address) {
    return renamed_machine("mi300x-tuned",
                           {{"ens6np0", "enx" + address}, {"bnxt_re0", "rocex" + address}});
}

struct Asked {
    CheckResult checked() {
        Process process;
        process.environment["SOURCE_DATE_EPOCH"] = "1796000000";
        auto result = check(request, *machine, host, process);
        REQUIRE(result.errors.empty());
        return result;
    }
    const Finding& of(const CheckResult& result, const std::string& id) const {
        for (const auto& finding : result.report.findings) {
            if (finding.id == id && finding.outcome == Outcome::differs) {
                return finding;
            }
        }
        throw std::runtime_error("nothing of " + id + " differs");
    }

    std::unique_ptr<MemoryFs> machine = named_after(mac);
    MemoryFs host{};
    CheckRequest request{};
};

Asked asked_all() {
    Asked out;
    out.request.profiles = {"mi300x", "rccl-multinode", "acceptance"};
    out.request.facts = true;
    return out;
}

}  // namespace

TEST_CASE("hidden names: words of a password are hidden only where its variable is named") {
    auto node = asked_all();
    Process process;
    process.environment = {{"SOURCE_DATE_EPOCH", "1796000000"},
                           {"NCCL_SOCKET_IFNAME", "a,gpu:interface@node"}};
    const auto result = check(node.request, *node.machine, node.host, process);
    bool is_named = false;
    for (const auto& finding : result.report.findings) {
        INFO(finding.id << ": " << finding.detail << " / " << finding.fix);
        is_named = is_named || finding.detail.find("***") != std::string::npos;
        CHECK((finding.id == "env.NCCL_SOCKET_IFNAME" ||
               finding.detail.find("NCCL_SOCKET_IFNAME") != std::string::npos ||
               (finding.detail + finding.fix).find("***") == std::string::npos));
        CHECK(finding.detail.find("gpu:interface") == std::string::npos);
    }
    CHECK(is_named);
}

TEST_CASE("hidden names: no report holds the MAC of a name, unless ids are asked for") {
    auto node = asked_all();
    const auto sheet = node.checked().report.facts;
    node.machine->add_file(netdev + "/carrier_down_count", "700\n");
    node.machine->add_file(netdev + "/mtu", "1500\n");
    node.machine->add_error(netdev + "/operstate", 5);
    const auto result = node.checked();
    CHECK(render_json(result.report).find(mac) == std::string::npos);
    CHECK(node.of(result, "net.mtu").target == "enx@0000:06:00.0");
    CHECK(node.of(result, "net.flaps").target == "enx@0000:06:00.0");
    node.request.with_ids = true;
    const auto hidden = node.checked();
    CHECK(node.of(hidden, "net.mtu").target == "enx" + mac);
    CHECK(hidden.report.facts->fingerprint == result.report.facts->fingerprint);
    CHECK(sheet->fingerprint != result.report.facts->fingerprint);
}

TEST_CASE("hidden names: nodes with other MACs have equal facts") {
    auto one = asked_all();
    auto other = asked_all();
    other.machine = named_after("5c2573409999");
    CHECK(one.checked().report.facts->fingerprint == other.checked().report.facts->fingerprint);
}

TEST_CASE("hidden names: counters are known again in an earlier report") {
    for (const bool with_ids : {false, true}) {
        Asked node;
        node.request.profiles = {"host"};
        node.request.overrides = {"net.flaps=0"};
        node.request.only = {"net.flaps"};
        node.request.with_ids = with_ids;
        node.machine->add_file(netdev + "/carrier_down_count", "700\n");
        node.host.add_file("/tmp/then.json", render_json(node.checked().report));
        node.request.since = "/tmp/then.json";
        node.machine->add_file(netdev + "/carrier_down_count", "702\n");
        node.request.with_ids = !with_ids;
        CHECK(node.of(node.checked(), "net.flaps").have == "2");
    }
}

TEST_CASE("hidden names: a recording numbers them, and gives the same findings") {
    auto node = asked_all();
    const Process no_process;
    const auto recording = record(*node.machine, node.host, no_process, WithEnv::no);
    REQUIRE(recording);
    CHECK(recording->text.find(mac) == std::string::npos);
    auto again = parse_tree("recording", recording->text);
    REQUIRE(again);
    const auto before = node.checked();
    node.machine = std::move(again).value();
    const auto after = node.checked();
    CHECK(after.report.facts->fingerprint == before.report.facts->fingerprint);
    CHECK(after.report.findings.size() == before.report.findings.size());
}

}  // namespace rocenv::hidden_names_test
