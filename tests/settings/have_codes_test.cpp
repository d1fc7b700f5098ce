// SPDX-License-Identifier: MIT
// Each `have` in words has a code: over all cases of settings and all goldens. This test defines
// values by their form, not by the existence of a code.
#include "settings/have_codes.h"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <regex>
#include <set>

#include "report/render.h"
#include "settings/registry.h"
#include "settings/shape_cases.h"
#include "support/catch.h"
#include "util/text.h"

using namespace rocenv;

namespace have_codes_test {

namespace {

const std::string root = std::string(ROCENV_SOURCE_DIR) + "/";

// Texts of the machine itself or of the person, and lists of words of a command line: any of their
// words is a value.
bool is_verbatim(const std::string& id) {
    static const std::set<std::string> ids = {"host.bios",  "host.product",   "host.rivals",
                                              "os.release", "kernel.cmdline", "memory.dimms"};
    return id.starts_with("env.") || ids.contains(id);
}

// One part of a list that is a value: a word, or numbers with what they count.
bool is_value(const std::string& part) {
    static const std::regex form(
        "[^ ]+"
        "|[0-9][^ ]*( (or more|[A-Za-z/]+( [A-Z][A-Za-z]+)?))?"  // 750 W, 0 RDMA NICs, 255 or more
        "|[0-9]+ (of [0-9]+( GPUs)?|on node [0-9]+)"             // 6 of 8 GPUs
        "|[0-9.]+ GT/s x[0-9]+"                                  // 32.0 GT/s x16
        "|(lanes|[a-z_0-9]+_count|taint bit|missing) [0-9][0-9,-]*[0-9a-fx]*"  // oops_count 1,
                                                                               // missing 4-7
        "|[a-z_0-9]+ 0x[0-9a-f]+"         // lanes 0x0010, mec 0x00000000
        "|(hops|links)( [0-9]+)+"         // hops 1 1 1
        "|[A-Z]+ with [0-9]+ KFD nodes?"  // CPX with 7 KFD nodes
        "|(fatal|nonfatal|correctable) ([A-Za-z_]+ [0-9]+|[0-9]+ reported from below)"
        "|[A-Za-z_]+ [0-9]+"  // RxErr 5120
        "|gfx[0-9a-f]+( gfx[0-9a-f]+)*"
        "|RoCE v[0-9]");
    return std::regex_match(part, form);
}

// Returns whether people read it as words.
bool is_prose(const std::string& id, const std::string& have) {
    if (is_verbatim(id)) {
        return false;
    }
    const auto parts = split(std::string_view(have), ',');
    return !std::all_of(parts.begin(), parts.end(),
                        [](std::string_view part) { return is_value(std::string(trim(part))); });
}

struct Said {
    std::string place;
    std::string id;
    std::string have;
};

void add_answers(const cases::Case& test, std::vector<Said>& out) {
    const auto tree = cases::machine_of(test);
    const Machine machine(*tree);
    for (const auto& row :
         assessed(*find_setting(test.id), {machine, test.process}, cases::expectation_of(test))) {
        if (row.have) {
            out.push_back({test.place, test.id, *row.have});
        }
    }
}

void add_expected(const cases::Case& test, const cases::Expect& expect, std::vector<Said>& out) {
    for (const auto& field : expect.fields) {
        if (field.name == "have" && !field.part && field.text) {
            out.push_back({test.place, test.id, *field.text});
        }
    }
}

// Adds the answers of settings to the cases, and the expectations of cases on a real machine.
void add_cases(std::vector<Said>& out) {
    for (const auto& file : cases::all_cases()) {
        for (const auto& test : file.cases) {
            add_answers(test, out);
            for (const auto& expect : test.expects) {
                add_expected(test, expect, out);
            }
        }
    }
}

// "gpu.count differs: want full have no driver", then what a variable's reader makes of it.
void add_goldens(std::vector<Said>& out) {
    static const std::regex line("([a-z_]+[.][^ ]+) [a-z]+: want .* have (.*)");
    for (const auto& file : std::filesystem::directory_iterator(root + "tests/golden/machines")) {
        std::ifstream in(file.path());
        std::smatch part;
        for (std::string text; std::getline(in, text);) {
            if (std::regex_match(text, part, line) && part[2] != "null") {
                out.push_back({file.path().filename(), part[1], part[2]});
            }
        }
    }
}

const std::vector<Said>& all_said() {
    static const std::vector<Said> all = [] {
        std::vector<Said> out;
        add_cases(out);
        add_goldens(out);
        return out;
    }();
    return all;
}

}  // namespace

TEST_CASE("Each have in words has a code, over all cases and goldens", "[settings]") {
    std::size_t prose = 0;
    for (const auto& each : all_said()) {
        const bool coded = !have_code(each.id, each.have).empty();
        prose += coded ? 1U : 0U;
        if (is_prose(each.id, each.have) && !coded) {
            FAIL_CHECK(each.place + ": " + each.id + " has no code for \"" + each.have +
                       "\" (src/settings/have_codes.cpp), or it is a value of a form that is not "
                       "listed here");
        }
    }
    CHECK(all_said().size() > 1500);
    CHECK(prose > 100);
}

TEST_CASE("Each code is of words that a setting says in a case or a golden", "[settings]") {
    std::set<std::pair<std::string, std::string>> said;
    for (const auto& each : all_said()) {
        const std::string code = have_code(each.id, each.have);
        for (const auto word : split(std::string_view(code), '+')) {
            said.emplace(each.id.starts_with("env.") ? "env." : each.id, word);
        }
    }
    for (const auto& row : have_codes()) {
        const auto end = std::min(row.code.find('*'), row.code.size());
        const bool is_said = std::any_of(said.begin(), said.end(), [&](const auto& each) {
            return each.first == row.id && each.second.starts_with(row.code.substr(0, end));
        });
        // Target of a waiver that is not a function: cases have no waivers
        // (tests/check/waivers_test.cpp).
        const bool is_waived = row.have == "not on PCI" && row.id != "gpu.count";
        if (!is_said && !is_waived) {
            FAIL_CHECK("no case has " + std::string(row.id) + " \"" + std::string(row.have) + "\"");
        }
    }
}

TEST_CASE("Codes are of settings that exist, in one form, and in the schema", "[settings]") {
    const std::string schema = report_schema();
    static const std::regex form("[a-z0-9]+(-([a-z0-9]+|[*]))*");
    for (const auto& row : have_codes()) {
        CHECK((row.id == "env." || find_setting(std::string(row.id)) != nullptr));
        CHECK(std::regex_match(std::string(row.code), form));
        const std::string in_list = " " + std::string(row.code);
        const bool listed =
            schema.find(in_list + ",") != schema.npos || schema.find(in_list + ";") != schema.npos;
        if (!listed) {
            FAIL_CHECK("report.schema.json does not list " + std::string(row.code));
        }
    }
}

TEST_CASE("A code tells the state, a value has none", "[settings]") {
    CHECK(have_code("gpu.count", "fallen off the bus") == "fallen");
    CHECK(have_code("gpu.count", "given away to vfio-pci") == "vfio");
    CHECK(have_code("gpu.count", "driver Nvidia_drm") == "driver-nvidia-drm");
    CHECK(have_code("gpu.count", "7").empty());
    CHECK(have_code("gpu.xgmi", "7 of 8 GPUs").empty());
    CHECK(have_code("host.product", "no driver").empty());
    CHECK(have_code("pci.function", "memory off, in power state D3hot") ==
          "memory-off+power-state-d3hot");
    CHECK(have_code("pci.function", "memory off, and more").empty());
    CHECK(have_code("pci.slots", "the link is up, and no function is there") ==
          "link-without-function");
    CHECK(have_code("env.HF_TOKEN", "a secret, not shown") == "secret");
    CHECK(have_code("gpu.count", "").empty());
}

}  // namespace have_codes_test
