// SPDX-License-Identifier: MIT
// Readers and releases that read one variable in different ways.
#include <algorithm>

#include "os/fs/memory_fs.h"
#include "support/catch.h"
#include "util/text.h"
#include "variables/inspection.h"
#include "variables/reading.h"

namespace rocenv::forms_test {

namespace {

struct Row {
    const char* name;
    const char* text;  // nullptr: not set
    const char* package;
    const char* version;
    const char* effective;
    const char* faults;
};

constexpr const char* not_a_level =
    "not one of the words that its reader accepts: NONE, VERSION, WARN, INFO, ABORT, TRACE";

constexpr Row rows[] = {
    // NCCL reads switches by words from 2.30.7 on; RCCL reads a number in every release.
    {"NCCL_SET_THREAD_NAME", "true", "nccl", "2.30.4", "0",
     "NCCL reads \"true\" as off; write 1 or 0"},
    {"NCCL_SET_THREAD_NAME", "true", "nccl", "2.30.7", "true", ""},
    {"NCCL_SET_THREAD_NAME", "yes", "nccl", "2.30.7", "false",
     "NCCL ignores \"yes\"; write 1 or 0"},
    {"NCCL_SET_THREAD_NAME", "true", "nccl", "2.30.5", "default", ""},  // between two releases
    {"NCCL_SET_THREAD_NAME", "1", "nccl", "2.30.5", "1", ""},
    {"NCCL_SET_THREAD_NAME", "true", "rocm", "6.2.0", "0",
     "RCCL reads \"true\" as off; write 1 or 0"},
    {"NCCL_WARN_ENABLE_DEBUG_INFO", "T", "nccl", "2.30.7", "true", ""},
    {"NCCL_WARN_ENABLE_DEBUG_INFO", "T", "rocm", "6.2.0", "0",
     "RCCL reads \"T\" as off; write 1 or 0"},
    // Words that one of them has.
    {"NCCL_DEBUG_SUBSYS", "INIT,VERBS", "rocm", "6.2.0", "INIT,VERBS", ""},
    {"NCCL_DEBUG_SUBSYS", "INIT,FOO", "nccl", "2.20.5", "INIT",
     "not one of the words that its reader accepts: INIT, COLL, P2P, SHM, NET, GRAPH, TUNING, ENV, "
     "ALLOC, CALL, PROXY, NVLS, BOOTSTRAP, REG, PROFILE, RAS, DESTROY, ALL"},
    {"NCCL_DEBUG_SUBSYS", "INIT, ALLOC_HOST", "nccl", "2.30.7", "INIT,ALLOC_HOST", ""},
    {"NCCL_DEBUG", "ATTN", "nccl", "2.30.7", "NONE", not_a_level},
    {"NCCL_DEBUG", "ATTN", "nccl", "2.32", "ATTN", ""},
    {"NCCL_DEBUG", "ERROR", "nccl", "2.20.5", "NONE", not_a_level},
    {"NCCL_DEBUG", "ERROR", "rocm", "7.2", "default", ""},
    {"NCCL_DEBUG", "warn", "", "", "WARN", ""},  // all agree
    // Defaults.
    {"NCCL_DEBUG_TIMESTAMP_LEVELS", nullptr, "nccl", "2.30.7", "WARN", ""},
    {"NCCL_DEBUG_TIMESTAMP_LEVELS", nullptr, "nccl", "2.32", "WARN,ATTN", ""},
    {"NCCL_DEBUG_TIMESTAMP_LEVELS", nullptr, "rocm", "10.2~", "WARN", ""},
    // A range that ends.
    {"MORI_ENABLE_SDMA", "0", "mori", "0.1.0", "true",
     "MORI reads \"0\" as on; write 1, or unset it to switch it off"},
    {"MORI_ENABLE_SDMA", "0", "mori", "1.1.0", "false", ""},
    {"MORI_ENABLE_SDMA", "1", "mori", "1.0", "true", ""},
    {"MORI_ENABLE_SDMA", nullptr, "mori", "0.1.0", "false", ""},
    {"TORCHINDUCTOR_NUMERICS", "strict_reduction", "torch", "2.14.1", "strict_reduction",
     "not one of the words that its reader accepts: default, strict"},
    {"TORCHINDUCTOR_NUMERICS", "strict_reduction", "torch", "2.15", "strict_reduction", ""},
};

std::string faults_of(const Variable& variable, const std::string& text, const Readers& readers) {
    return join(inspect_one(variable, text, {{std::string(variable.name), text}}, readers).faults,
                "; ");
}

}  // namespace

TEST_CASE("A text is read as the program and the release here read it", "[variables]") {
    const MemoryFs fs;
    const Machine machine(fs);
    const Process process;
    for (const auto& row : rows) {
        INFO(row.name << "=" << (row.text == nullptr ? "(unset)" : row.text) << " " << row.package
                      << " " << row.version);
        Versions::Assumed assumed;
        if (*row.package != '\0') {
            assumed = {{row.package, row.version}};
        }
        const Versions versions(machine, process, assumed);
        const Readers readers(machine, versions);
        const auto variable = find_variable(row.name);
        REQUIRE(variable);
        const auto text = row.text == nullptr ? std::nullopt : std::optional(std::string(row.text));
        CHECK(readers.read(*variable, text).effective == row.effective);
        if (text) {
            CHECK(faults_of(*variable, *text, readers) == row.faults);
        }
    }
}

TEST_CASE("Where the release is not known, readers that differ are listed", "[variables]") {
    const MemoryFs fs;
    const Machine machine(fs);
    const Process process;
    const Versions versions(machine, process, {});
    const Readers readers(machine, versions);
    const Reading reading = readers.read(*find_variable("NCCL_SET_THREAD_NAME"), "true");
    CHECK_FALSE(reading.certain());
    CHECK(reading.note ==
          "read as 0 or as true, by the release and the program, which were not found");
    CHECK(faults_of(*find_variable("NCCL_DEBUG_SUBSYS"), "VERBS,ALLOC_HOST", readers).empty());
}

TEST_CASE("A form is known for the releases that were searched", "[releases]") {
    const VariableReader reader{"nccl",
                                "nccl",
                                "",
                                "",
                                std::nullopt,
                                {},
                                {{"", "a", {}}, {"2.30.7", "b", {}}, {"2.40", "c", {}}}};
    const auto at = [&](const char* version) {
        const auto* form = form_at(reader, version);
        return form == nullptr ? "not known" : std::string(form->parser);
    };
    CHECK(at("2.8.4") == "a");
    CHECK(at("2.30.4") == "a");
    CHECK(at("2.30.5") == "not known");
    CHECK(at("2.30.7") == "b");
    CHECK(at("2.39") == "b");  // 2.40 comes from a document
    CHECK(at("2.41") == "c");
    CHECK(at("nightly") == "not known");
}

TEST_CASE("Forms stand for all readers of a variable or for none", "[catalogue]") {
    int with_forms = 0;
    for (const auto& name : catalogued_names()) {
        INFO(name);
        const auto variable = find_variable(name);
        const bool has = !variable->read_by.front().forms.empty();
        with_forms += has ? 1 : 0;
        for (const auto& reader : variable->read_by) {
            CHECK(reader.forms.empty() != has);
            for (std::size_t at = 1; at < reader.forms.size(); ++at) {
                CHECK(compare_releases(
                          reader.forms[at - 1].version.empty() ? "0" : reader.forms[at - 1].version,
                          reader.forms[at].version) < 0);
            }
        }
    }
    CHECK(with_forms >= 8);
}

}  // namespace rocenv::forms_test
