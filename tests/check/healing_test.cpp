// SPDX-License-Identifier: MIT
// may_heal: what check --wait waits for.
#include "check/causes.h"

#include "support/catch.h"

namespace rocenv::healing_test {

namespace {

Finding found(const std::string& id, std::optional<std::string> have,
              Outcome outcome = Outcome::differs, Level level = Level::required) {
    Finding out;
    out.id = id;
    out.target = "system";
    out.level = level;
    out.outcome = outcome;
    out.have = std::move(have);
    return out;
}

bool heals(std::vector<Finding> findings, Strict strict = Strict::no) {
    Report report;
    report.findings = std::move(findings);
    judge_check(report, strict);
    return may_heal(report);
}

}  // namespace

TEST_CASE("healing: what is unknown, a driver that is not there yet, and links that are down") {
    CHECK(heals({found("gpu.xgmi", std::nullopt, Outcome::unknown)}));
    CHECK(heals({found("gpu.driver", std::nullopt)}));
    CHECK(heals({found("gpu.count", "no driver")}));
    CHECK(heals({found("gpu.count", "no KFD node, no render node")}));
    CHECK(heals({found("rdma.count", "no RDMA device")}));
    CHECK(heals({found("rdma.port", "down, polling")}));
    CHECK(heals({found("net.link", "no carrier")}));
    CHECK(heals({found("net.link", "lowerlayerdown")}));
}

TEST_CASE("healing: a device that is lost, a wrong version and a slow link stay") {
    CHECK_FALSE(heals({found("gpu.count", "fallen off the bus")}));
    CHECK_FALSE(heals({found("gpu.count", "no KFD node, fallen off the bus")}));
    CHECK_FALSE(heals({found("gpu.count", "given away to vfio-pci")}));
    CHECK_FALSE(heals({found("gpu.count", "7 of 8")}));
    CHECK_FALSE(heals({found("gpu.driver", "5.2")}));
    CHECK_FALSE(heals({found("net.link", "half duplex")}));
    CHECK_FALSE(heals({found("net.link", "1000")}));
    CHECK_FALSE(heals({found("pci.link", "16.0 GT/s x16")}));
    CHECK_FALSE(heals({found("gpu.driver", std::nullopt), found("kernel.numa_balancing", "1")}));
}

TEST_CASE("healing: only what decides the status counts, and a consequence by its cause") {
    const auto advice = found("cpu.governor", "powersave", Outcome::differs, Level::recommended);
    CHECK(heals({found("gpu.driver", std::nullopt), advice}));
    CHECK_FALSE(heals({found("gpu.driver", std::nullopt), advice}, Strict::yes));
    CHECK_FALSE(heals({advice}));
    CHECK_FALSE(heals({found("gpu.count", "full", Outcome::ok)}));
    CHECK_FALSE(heals({}));
    auto waived = found("kernel.numa_balancing", "1");
    waived.waived = Waived{"OPS-1", "2027-01-31", "known"};
    CHECK(heals({found("gpu.driver", std::nullopt), waived}));
    auto consequence = found("gpu.xgmi", "7 of 8 GPUs");
    consequence.cause = Cause{"gpu.driver", "system"};
    CHECK(heals({found("gpu.driver", std::nullopt), consequence}));
    consequence.cause = Cause{"gpu.count", "0000:85:00.0"};
    CHECK_FALSE(heals({found("gpu.count", "fallen off the bus"), consequence}));
}

}  // namespace rocenv::healing_test
