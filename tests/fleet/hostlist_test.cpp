// SPDX-License-Identifier: MIT
#include "fleet/read/hostlist.h"

#include <algorithm>

#include "support/catch.h"
#include "util/text.h"

namespace hostlist_test {

using namespace rocenv;

namespace {

std::string folded(const std::string& names) {
    return folded_names(split(names, ','));
}

std::string expanded(std::string_view list) {
    const auto names = expanded_names(list);
    return names ? join(*names, ",") : "error: " + names.error().text;
}

}  // namespace

TEST_CASE("Names fold over their number as Slurm writes them", "[fleet]") {
    const std::pair<const char*, const char*> rows[] = {
        {"gpu1", "gpu1"},
        {"gpu1,gpu2,gpu3", "gpu[1-3]"},
        {"gpu3,gpu1,gpu2", "gpu[1-3]"},
        {"gpu001,gpu002,gpu004", "gpu[001-002,004]"},
        {"gpu099,gpu100,gpu101", "gpu[099-101]"},
        {"gpu9,gpu10,gpu11", "gpu[9-11]"},
        {"gpu1,gpu01", "gpu[1,01]"},
        {"gpu8,gpu08,gpu9", "gpu[8,08,9]"},
        {"login,gpu1,gpu2", "gpu[1-2],login"},
        {"r1n1,r1n2,r2n1", "r1n[1-2],r2n1"},
        {"n1-ib,n2-ib", "n[1-2]-ib"},
        {"n1.c3.example,n2.c3.example", "n[1-2].c3.example"},
        {"10.0.0.7,10.0.0.8", "10.0.0.[7-8]"},
        {"n99999999999999999999,n2", "n2,n99999999999999999999"},
        {"a[1],b 2", R"("a[1]","b 2")"},
    };
    for (const auto& [names, list] : rows) {
        CAPTURE(names);
        CHECK(folded(names) == list);
    }
    CHECK(folded_names({}).empty());
}

TEST_CASE("A list of nodes expands, several brackets in one name too", "[fleet]") {
    CHECK(expanded("gpu[001-003,010]") == "gpu001,gpu002,gpu003,gpu010");
    CHECK(expanded("a,b[1-2]c") == "a,b1c,b2c");
    CHECK(expanded("r[1-2]n[08-10]") == "r1n08,r1n09,r1n10,r2n08,r2n09,r2n10");
    CHECK(expanded("n[9-11]") == "n9,n10,n11");
    CHECK(expanded("a\nb\n") == "a,b");
    for (const char* bad :
         {"", ",", "n[", "n[1", "n[a]", "n[2-1]", "n[1-]", "n[]", "n[1-2]]x[", "n[0-99999999]",
          "n[1-1000]m[1-1001]", "n[1-99999999999999999999]", "n08-11]", "n],m[", "a\"b", "a\tb"}) {
        CAPTURE(bad);
        CHECK(expanded(bad).starts_with("error: "));
    }
}

TEST_CASE("A list of nodes has limits that the error names", "[fleet]") {
    CHECK(expanded_names("n[1-500000]")->size() == most_hosts);
    CHECK(expanded("n[1-500001]").find("more than 500000 nodes") != std::string::npos);
    CHECK(expanded("n[1-499999],a,b").find("more than 500000 nodes") != std::string::npos);
    CHECK(expanded_names("a,b", 2).ok());
    CHECK_FALSE(expanded_names("a,b", 1).ok());
    CHECK_FALSE(expanded_names("a", 0).ok());
    CHECK(expanded_names(std::string(longest_host, 'n')).ok());
    CHECK(expanded(std::string(longest_host - 1, 'n') + "[1-10]").find("more than 300 bytes") !=
          std::string::npos);
}

TEST_CASE("What was folded expands to the same names", "[fleet]") {
    std::vector<std::string> names;
    for (int at = 0; at < 2000; at += at % 7 == 0 ? 3 : 1) {
        names.push_back((at % 2 == 0 ? "gpu" : "cn-") + std::to_string(at));
        names.push_back("r" + std::to_string(at % 5) + "n" +
                        std::string(at < 10    ? "00"
                                    : at < 100 ? "0"
                                               : "") +
                        std::to_string(at));
    }
    const std::vector<std::string_view> views(names.begin(), names.end());
    auto back = expanded_names(folded_names(views));
    REQUIRE(back.ok());
    std::sort(names.begin(), names.end());
    std::sort(back.value().begin(), back.value().end());
    CHECK(back.value() == names);
}

TEST_CASE("Names sort by their numbers", "[fleet]") {
    CHECK(is_name_before("gpu2", "gpu10"));
    CHECK(!is_name_before("gpu10", "gpu2"));
    CHECK(is_name_before("gpu01", "gpu1"));
    CHECK(is_name_before("a1b2", "a1b10"));
    CHECK(is_name_before("a", "a1"));
    CHECK(!is_name_before("a1", "a1"));
}

}  // namespace hostlist_test
