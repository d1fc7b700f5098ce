// SPDX-License-Identifier: MIT
#include "settings/shapes/devices.h"

#include <string>
#include <vector>

#include "support/catch.h"

namespace like_devices_test {

namespace {

using namespace rocenv;

const Error missing{ErrorKind::not_here, 2, "/sys/x", "/sys/x: is not there"};
const Error broken{ErrorKind::io, 5, "/sys/x", "/sys/x: EIO"};

DeviceValue device(const std::string& name, Result<std::string> value,
                   const std::string& kind = "a") {
    return {.device = name, .kind = kind, .value = std::move(value)};
}

// "0 ok, 1 differs": every answer's target and outcome.
std::string printed(const std::vector<Assessment>& rows) {
    std::string out;
    for (const auto& row : rows) {
        out +=
            (out.empty() ? "" : ", ") + row.target.text() + " " + std::string(word_of(row.outcome));
    }
    return out;
}

std::string alike(std::vector<DeviceValue> values, const LikeRules& rules = {}) {
    return printed(judge_alike({.values = std::move(values), .why_none = "none"}, "equal", rules));
}

TEST_CASE("like devices: those that agree are ok", "[settings]") {
    CHECK(alike({device("0", {"x"}), device("1", {"x"})}) == "0 ok, 1 ok");
}

TEST_CASE("like devices: the odd one is named with what the others have", "[settings]") {
    const auto rows = judge_alike(
        {.values = {device("0", {"x"}), device("1", {"y"}), device("2", {"x"})}, .why_none = ""},
        "equal", {});
    CHECK(printed(rows) == "0 ok, 1 differs, 2 ok");
    CHECK(rows[1].expected == "x");
    CHECK(rows[1].have == "y");
    CHECK(rows[1].detail == "2 have x, 1 has y");
}

TEST_CASE("like devices: without a majority all differ", "[settings]") {
    CHECK(alike({device("0", {"x"}), device("1", {"y"})}) == "0 differs, 1 differs");
}

TEST_CASE("like devices: one that did not answer leaves nothing ok", "[settings]") {
    CHECK(alike({device("0", {"x"}), device("1", broken), device("2", {"x"})}) == "1 unknown");
    CHECK(alike({device("0", {"x"}), device("1", broken), device("2", {"x"}),
                 device("3", {"y"})}) == "1 unknown, 3 differs");
    CHECK(alike({device("0", {"x"}), device("1", broken)}) == "1 unknown");
    CHECK(alike({device("0", broken), device("1", broken)}) == "0 unknown, 1 unknown");
}

TEST_CASE("like devices: kinds are judged apart, and one alone has nothing to agree with",
          "[settings]") {
    CHECK(alike({device("0", {"x"}), device("1", {"x"}), device("2", {"y"}, "b"),
                 device("3", {"y"}, "b")}) == "0 ok, 1 ok, 2 ok, 3 ok");
    CHECK(alike({device("0", {"x"})}) == "0 na");
    CHECK(alike({}) == "system na");
}

TEST_CASE("like devices: what none has may be fine, what one lacks is not known", "[settings]") {
    const LikeRules rules{.absent = "the driver has no such file"};
    CHECK(alike({device("0", missing), device("1", missing)}, rules) == "0 na, 1 na");
    CHECK(alike({device("0", missing), device("1", {"x"})}, rules) == "0 unknown");
    CHECK(alike({device("0", missing), device("1", missing)}) == "0 unknown, 1 unknown");
}

TEST_CASE("like devices: a model's value counts, where it is known", "[settings]") {
    auto known = device("0", {"7"});
    known.of_model = "8";
    CHECK(printed(judge_alike({.values = {known}, .why_none = ""}, "model", {})) == "0 differs");
    CHECK(printed(judge_alike({.values = {device("0", {"7"}), device("1", {"7"})}, .why_none = ""},
                              "model", {})) == "0 ok, 1 ok");
}

TEST_CASE("like devices: a rule decides what is enough", "[settings]") {
    const LikeRules at_least{.accepts = [](const std::string& expected, const std::string& have) {
        return have.size() >= expected.size();
    }};
    CHECK(printed(judge_alike({.values = {device("0", {"xx"}), device("1", {""})}, .why_none = ""},
                              "x", at_least)) == "0 ok, 1 differs");
}

TEST_CASE("like devices: where there may be more, that is told", "[settings]") {
    CHECK(printed(judge_alike({.values = {device("0", {"x"}), device("1", {"x"})},
                               .uncertain = broken,
                               .why_none = ""},
                              "x", {})) == "0 ok, 1 ok, system unknown");
}

}  // namespace

}  // namespace like_devices_test
