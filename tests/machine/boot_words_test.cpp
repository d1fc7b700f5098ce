// SPDX-License-Identifier: MIT
#include "machine/host/boot_words.h"

#include <algorithm>
#include <set>
#include <string>

#include "settings/registry.h"
#include "support/catch.h"

namespace boot_words_test {

namespace {

using namespace rocenv;

std::string_view name_of(std::string_view word) {
    return word.substr(0, word.find('='));
}

TEST_CASE("boot words: of one parameter all rows say how repeats combine", "[machine]") {
    for (const auto& row : boot_word_facts()) {
        INFO(row.word);
        CHECK(row.repeats == repeats_of(name_of(row.word)));
    }
}

TEST_CASE("boot words: each row has an effect and a source, and no word has two", "[machine]") {
    std::set<std::string_view> words;
    for (const auto& row : boot_word_facts()) {
        INFO(row.word);
        CHECK(words.insert(row.word).second);
        CHECK_FALSE(row.effect.empty());
        CHECK_FALSE(row.source.empty());
        CHECK((row.shows.empty() || !row.judged_by.empty()));
        CHECK((row.judged_by.empty() || find_setting(row.judged_by) != nullptr));
    }
}

TEST_CASE("boot words: a word that is called the same is the same", "[machine]") {
    for (const auto& row : boot_word_facts()) {
        const auto name = name_of(row.same_as);
        const auto value = row.same_as.substr(std::min(name.size() + 1, row.same_as.size()));
        const std::vector<KernelArgument> line{{std::string(name), std::string(value), true}};
        INFO(row.word);
        CHECK((row.same_as.empty() || has_any_boot_word(line, row.word)));
    }
}

TEST_CASE("boot words: a row is found by the word, its name or its module", "[machine]") {
    CHECK(facts_of_boot_word("iommu=pt")->shows == "passthrough");
    CHECK(facts_of_boot_word("transparent-hugepage=never")->judged_by == "kernel.thp");
    CHECK(facts_of_boot_word("amdgpu.noretry=1")->judged_by == "gpu.parameters");
    CHECK(facts_of_boot_word("quiet") == nullptr);
    CHECK(facts_of_boot_word("swiotlb=65536") == nullptr);
}

TEST_CASE("boot words: repeats", "[machine]") {
    const auto in_force = [](const std::vector<KernelArgument>& line, std::string_view word) {
        return has_any_boot_word(line, word);
    };
    CHECK(in_force({{"tsc", "reliable", true}, {"tsc", "unstable", true}}, "tsc=unstable"));
    CHECK(in_force({{"tsc", "unstable", true}, {"tsc", "reliable", true}}, "tsc=unstable"));
    CHECK(in_force({{"hugepages", "8", true}, {"hugepages", "16", true}}, "hugepages=16"));
    CHECK_FALSE(in_force({{"hugepages", "8", true}, {"hugepages", "16", true}}, "hugepages=8"));
    CHECK(in_force({{"isolcpus", "1", true}, {"isolcpus", "2", true}}, "isolcpus=1"));
    CHECK_FALSE(in_force({{"isolcpus", "1", true}, {"isolcpus", "2", true}}, "isolcpus=2"));
    CHECK(in_force({{"modprobe.blacklist", "amdgpu", true}, {"modprobe.blacklist", "ast", true}},
                   "modprobe.blacklist=amdgpu"));
    CHECK_FALSE(in_force({{"module_blacklist", "amdgpu", true}, {"module_blacklist", "ast", true}},
                         "module_blacklist=amdgpu"));
}

}  // namespace

}  // namespace boot_words_test
