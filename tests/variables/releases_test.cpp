// SPDX-License-Identifier: MIT
// Results for a variable and a version, by the searched releases.
#include "variables/catalogue.h"

#include <algorithm>

#include "support/catch.h"
#include "util/text.h"

namespace rocenv::releases_test {

namespace {

// Rows with lists of profiles/variables/releases.toml.
struct Row {
    const char* searched;
    const char* since;
    const char* until;
    const char* version;
    Reads reads;
    const char* says;
};

constexpr Row rows[] = {
    // Searched: 1.13.1, 2.6.0, 2.11.0, 2.14.1.
    {"torch", "", "", "2.6.0", Reads::yes, ""},
    {"torch", "", "", "2.8.0+rocm6.4", Reads::yes, ""},
    {"torch", "", "", "2.8.0a0+git1", Reads::yes, ""},
    {"torch", "", "", "1.13.0", Reads::not_checked, "torch 1.13.0 was not checked"},
    {"torch", "", "", "2.15", Reads::not_checked, "torch 2.15 was not checked"},
    {"torch", "2.14.1", "", "2.11.0", Reads::not_yet,
     "first read in torch 2.14.1, not yet in 2.11.0"},
    {"torch", "2.14.1", "", "2.7", Reads::not_yet, "first read in torch 2.14.1, not yet in 2.7"},
    {"torch", "2.14.1", "", "2.12", Reads::not_checked, "torch 2.12 was not checked"},
    {"torch", "2.14.1", "", "2.14.1", Reads::yes, ""},
    {"torch", "2.14.1", "", "2.14.2", Reads::not_checked, "torch 2.14.2 was not checked"},
    {"torch", "2.14.1", "", "1.12", Reads::not_checked, "torch 1.12 was not checked"},
    {"torch", "", "2.11.0", "2.6.0", Reads::yes, ""},
    {"torch", "", "2.11.0", "2.7.1", Reads::not_checked, "torch 2.7.1 was not checked"},
    {"torch", "", "2.11.0", "2.11.0", Reads::no_longer,
     "last read in torch 2.6.0, no longer in 2.11.0"},
    {"torch", "", "2.11.0", "2.15", Reads::no_longer,
     "last read in torch 2.6.0, no longer in 2.15"},
    {"torch", "", "2.11.0", "1.0", Reads::not_checked, "torch 1.0 was not checked"},
    // A version that was not searched comes from a document and is exact.
    {"torch", "2.7", "", "2.6.5", Reads::not_yet, "first read in torch 2.7, not yet in 2.6.5"},
    {"torch", "2.7", "", "1.0", Reads::not_yet, "first read in torch 2.7, not yet in 1.0"},
    {"torch", "2.7", "", "2.7", Reads::yes, ""},
    {"torch", "2.7", "2.9", "2.8.9", Reads::yes, ""},
    {"torch", "2.7", "2.9", "2.9", Reads::no_longer, "read before torch 2.9, no longer in 2.9"},
    {"torch", "2.20", "", "2.20", Reads::yes, ""},
    {"torch", "2.20", "", "2.21", Reads::not_checked, "torch 2.21 was not checked"},
    // A branch lies before the version that it is on its way to.
    {"rccl", "6.3~", "", "6.2.2", Reads::not_yet, "first read in rocm 6.3, not yet in 6.2.2"},
    {"rccl", "6.3~", "", "6.2.4", Reads::not_checked, "rocm 6.2.4 was not checked"},
    {"rccl", "6.3~", "", "6.3.0", Reads::yes, ""},
    {"rccl-2024", "6.3~", "", "6.3.0", Reads::not_checked, "rocm 6.3.0 was not checked"},
    {"rccl", "", "", "7.0.2-56", Reads::yes, ""},
    {"rccl", "", "", "10.2", Reads::not_checked, "rocm 10.2 was not checked"},
    {"rccl", "10.2~", "", "6.2.2", Reads::not_yet, "first read in rocm 10.2, not yet in 6.2.2"},
    {"rccl", "10.2~", "", "7.0", Reads::not_checked, "rocm 7.0 was not checked"},
    // Releases behind a version.
    {"aiter", "0.1.5.post3", "", "0.1.5", Reads::not_yet,
     "first read in aiter 0.1.5.post3, not yet in 0.1.5"},
    {"aiter", "0.1.5.post3", "", "0.1.5.post2", Reads::not_checked,
     "aiter 0.1.5.post2 was not checked"},
    // Rows without a searched release.
    {"", "", "", "2.0", Reads::not_checked, "torch 2.0 was not checked"},
    {"", "2.7", "", "2.6", Reads::not_yet, "first read in torch 2.7, not yet in 2.6"},
    {"torch", "", "", "nightly", Reads::not_checked, "torch nightly was not checked"},
};

TEST_CASE("First read, last read and not looked at are different answers", "[releases]") {
    for (const auto& row : rows) {
        INFO(row.searched << " " << row.since << " to " << row.until << ": " << row.version);
        const auto list = searched_releases(row.searched);
        CHECK((list.has_value() || *row.searched == '\0'));
        const VariableReader reader{row.searched,
                                    list ? list->package : "torch",
                                    row.since,
                                    row.until,
                                    std::nullopt,
                                    {},
                                    {}};
        const ReadsAt found = reads_at(reader, row.version);
        CHECK(found.reads == row.reads);
        CHECK(found.says == row.says);
    }
}

TEST_CASE("What one of several programs reads is read", "[releases]") {
    Variable variable;
    variable.read_by = {{"vllm-rocm", "vllm", "", "0.8.2", std::nullopt, {}, {}},
                        {"vllm", "vllm", "0.9.1", "", std::nullopt, {}, {}},
                        {"rccl", "rocm", "", "", std::nullopt, {}, {}}};
    CHECK(reads_at(variable, "vllm", "0.6.4").reads == Reads::yes);
    CHECK(reads_at(variable, "vllm", "0.9.1").reads == Reads::yes);
    CHECK(reads_at(variable, "vllm", "0.9.0.1").reads == Reads::no_longer);
    CHECK(reads_at(variable, "vllm", "0.7.4").reads == Reads::not_checked);
    CHECK(reads_at(variable, "rocm", "6.2.2").reads == Reads::yes);
    CHECK(reads_at(variable, "triton", "3.0").reads == Reads::not_checked);
}

TEST_CASE("A default is known where it was looked at", "[releases]") {
    const VariableReader reader{"nccl", "nccl", "", "", "0", {{"2.21.5", "-1"}, {"2.31", "2"}}, {}};
    const auto at = [&](const char* version) {
        const DefaultAt found = default_at(reader, version);
        return found.known ? std::string(found.text.value_or("unset")) : "not known";
    };
    CHECK(at("2.8.4") == "0");
    CHECK(at("2.20.5") == "0");
    CHECK(at("2.20.6") == "not known");
    CHECK(at("2.21.5") == "-1");
    CHECK(at("2.30.9") == "-1");  // 2.31 comes from a document
    CHECK(at("2.31") == "2");
    CHECK(is_newer_than_searched(reader, "2.31"));
    CHECK_FALSE(is_newer_than_searched(reader, "2.30.7"));
    CHECK_FALSE(is_newer_than_searched({}, "2.30.7"));
}

TEST_CASE("Releases have an order", "[releases]") {
    constexpr const char* in_order[] = {"2.7.9",       "2.8~branch", "2.8.0.dev20260101", "2.8.0a0",
                                        "2.8.0b1",     "2.8.0rc1",   "2.8.0rc2",          "2.8",
                                        "2.8.0.post1", "2.8.0post2", "2.8.0.post10",      "2.8.1~",
                                        "2.10"};
    for (std::size_t at = 1; at < std::size(in_order); ++at) {
        INFO(in_order[at - 1] << " and " << in_order[at]);
        CHECK(compare_releases(in_order[at - 1], in_order[at]) == -1);
        CHECK(compare_releases(in_order[at], in_order[at - 1]) == 1);
    }
    CHECK(compare_releases("2.8.0+rocm6.4", "2.8") == 0);
    CHECK(compare_releases("6.2.0-66", "6.2.0") == 0);
    CHECK_FALSE(compare_releases("main", "2.8"));
}

TEST_CASE("The list of each program's releases goes from old to new", "[releases]") {
    CHECK(facts_date() >= "2026-11-22");
    CHECK_FALSE(searched_releases("no-such-program"));
    CHECK_FALSE(searched_releases(""));
    for (const auto& name : catalogued_names()) {
        const auto variable = find_variable(name);
        REQUIRE(variable);
        for (const auto& reader : variable->read_by) {
            INFO(name << " " << reader.searched);
            const auto list = searched_releases(reader.searched);
            REQUIRE((list || reader.searched.empty()));
            CHECK((!list || list->package == reader.package));
        }
    }
    const auto rccl = searched_releases("rccl");
    REQUIRE(rccl);
    CHECK(rccl->releases.front().version == "4.5.2");
    for (std::size_t at = 1; at < rccl->releases.size(); ++at) {
        CHECK(compare_versions(rccl->releases[at - 1].version, rccl->releases[at].version) < 0);
    }
}

}  // namespace

}  // namespace rocenv::releases_test
