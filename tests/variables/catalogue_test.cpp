// SPDX-License-Identifier: MIT
// The whole compiled catalogue: what its facts promise each other.
#include "variables/catalogue.h"

#include <regex.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <set>

#include "os/fs/memory_fs.h"
#include "support/catch.h"
#include "util/text.h"
#include "variables/inspection.h"
#include "variables/reading.h"

namespace rocenv::catalogue_test {

namespace {

// Variables in the documents that the project started from.
constexpr std::array<std::string_view, 29> expected = {
    "AMDGCN_ENABLE_DUMP",
    "GPU_MAX_HW_QUEUES",
    "HIP_FORCE_DEV_KERNARG",
    "HSA_DISABLE_FRAGMENT_ALLOCATOR",
    "HSA_ENABLE_DEBUG",
    "HSA_TOOLS_LIB",
    "INDUCTOR_CK_BACKEND_GENERATE_TEST_RUNNER_CODE",
    "MIOPEN_FIND_ENFORCE",
    "MIOPEN_FIND_MODE",
    "MLIR_ENABLE_DUMP",
    "NCCL_MIN_NCHANNELS",
    "OPTIMIZE_EPILOGUE",
    "PYTORCH_MIOPEN_SUGGEST_NHWC",
    "PYTORCH_NO_HIP_MEMORY_CACHING",
    "PYTORCH_TUNABLEOP_ENABLED",
    "PYTORCH_TUNABLEOP_TUNING",
    "PYTORCH_TUNABLEOP_VERBOSE",
    "ROCM_DEBUG_AGENT_OPTIONS",
    "TORCHINDUCTOR_AUTOTUNE_MULTI_DEVICE",
    "TORCHINDUCTOR_COMPILE_THREADS",
    "TORCHINDUCTOR_COORDINATE_DESCENT_TUNING",
    "TORCHINDUCTOR_CPP_WRAPPER",
    "TORCHINDUCTOR_FREEZING",
    "TORCHINDUCTOR_LAYOUT_OPTIMIZATION",
    "TORCHINDUCTOR_MAX_AUTOTUNE",
    "TORCHINDUCTOR_MAX_AUTOTUNE_GEMM_BACKENDS",
    "TORCH_COMPILE_DEBUG",
    "TORCH_NCCL_HIGH_PRIORITY",
    "TRITON_PRINT_AUTOTUNING",
};

template <typename Check>
void for_each_variable(Check check) {
    for (const auto& name : catalogued_names()) {
        const auto variable = find_variable(name);
        INFO(name);
        REQUIRE(variable);
        check(*variable);
    }
}

bool matches(std::string_view pattern, std::string_view text) {
    regex_t compiled{};
    const std::string whole = "^(" + std::string(pattern) + ")$";
    if (::regcomp(&compiled, whole.c_str(), REG_EXTENDED | REG_NOSUB) != 0) {
        return false;
    }
    const bool good = ::regexec(&compiled, std::string(text).c_str(), 0, nullptr, 0) == 0;
    ::regfree(&compiled);
    return good;
}

bool is_among(const Variable& variable, std::string_view text) {
    return std::find(variable.values.begin(), variable.values.end(), text) != variable.values.end();
}

// With the form that its own reader has from a version on.
Variable in_version(const Variable& variable, std::string_view version) {
    Variable out = variable;
    if (const auto* form = form_at(variable.read_by.front(), version)) {
        out.parser = form->parser;
        out.values = form->values;
    }
    return out;
}

void check_default(const Variable& variable, std::string_view text,
                   std::optional<std::string_view> version) {
    INFO("default " << text << " of version " << version.value_or("any"));
    const ParserInput input{text, version, variable.values};
    REQUIRE(find_parser(variable.parser) != nullptr);
    const Parser& parser = *find_parser(variable.parser);
    const Effect effect = parser.read(input);
    CHECK(effect.kind != EffectKind::error);
    CHECK(misreading(variable.type, parser, input).value_or("") == "");
    if (effect.kind == EffectKind::number) {
        const double value = std::strtod(effect.value.c_str(), nullptr);
        CHECK((variable.min.empty() ||
               value >= std::strtod(std::string(variable.min).c_str(), nullptr)));
        CHECK((variable.max.empty() ||
               value <= std::strtod(std::string(variable.max).c_str(), nullptr)));
    }
    if (!variable.values.empty() && variable.type != "list") {
        CHECK((is_among(variable, text) || is_among(variable, effect.shown())));
    }
    for (const auto item : split(text, ',')) {
        CHECK((variable.type != "list" || variable.values.empty() || is_among(variable, item)));
    }
    CHECK((variable.pattern.empty() || matches(variable.pattern, text)));
}

TEST_CASE("Names are sorted, and each is found", "[catalogue]") {
    const auto names = catalogued_names();
    CHECK(names.size() > 1400);
    CHECK(std::is_sorted(names.begin(), names.end()));
    CHECK(std::adjacent_find(names.begin(), names.end()) == names.end());
    const std::set<std::string> all(names.begin(), names.end());
    for (const auto& name : names) {
        INFO(name);
        const auto found = find_variable(name);
        CHECK((found && found->name == name));
        for (const std::string& near :
             {name + "X", name.substr(0, name.size() - 1), name.substr(1), " " + name}) {
            CHECK(find_variable(near).has_value() == (all.count(near) != 0));
        }
    }
    CHECK_FALSE(find_variable(""));
    CHECK_FALSE(find_variable("torch_compile_debug"));
}

TEST_CASE("Names by their first letter are all names", "[catalogue]") {
    std::vector<std::string> joined;
    for (int byte = 0; byte < 128; ++byte) {
        for (const auto name : catalogued_names(static_cast<char>(byte))) {
            joined.emplace_back(name);
        }
    }
    CHECK(joined == catalogued_names());
}

TEST_CASE("The variables that the project started from are catalogued", "[catalogue]") {
    for (const auto name : expected) {
        INFO(name);
        CHECK(find_variable(name).has_value());
    }
}

TEST_CASE("Every variable says what it is, in short", "[catalogue]") {
    for_each_variable([](const Variable& variable) {
        CHECK(variable.doc.size() <= 160);
        CHECK((variable.doc.empty() || variable.doc.ends_with('.')));
        CHECK((variable.note.empty() || variable.note.ends_with('.')));
        CHECK_FALSE(variable.reader.empty());
        CHECK_FALSE(variable.source.empty());
        CHECK(is_plain(variable.name));
        CHECK(variable.name.find_first_of(" =") == std::string_view::npos);
    });
}

TEST_CASE("Every parser that is named exists, and every parser is used", "[catalogue]") {
    std::set<std::string_view> used;
    for_each_variable([&](const Variable& variable) {
        for (const auto& form : in_each_form(variable)) {
            CHECK(find_parser(form.parser) != nullptr);
            used.insert(form.parser);
        }
        CHECK(find_parser(variable.parser) != nullptr);
        used.insert(variable.parser);
    });
    for (const auto& parser : all_parsers()) {
        INFO(parser.name);
        CHECK(used.count(parser.name) == 1);
    }
}

TEST_CASE("A default is what its own reader takes as it is meant", "[catalogue]") {
    for_each_variable([](const Variable& variable) {
        if (variable.fallback) {
            check_default(variable, *variable.fallback, std::nullopt);
        }
        std::string_view before = "0";
        for (const auto& each : variable.defaults) {
            check_default(in_version(variable, each.version), each.value, each.version);
            CHECK(compare_versions(before, each.version).value_or(1) < 0);
            before = each.version;
        }
    });
}

TEST_CASE("Names that variables point to are catalogued", "[catalogue]") {
    for_each_variable([](const Variable& variable) {
        if (!variable.renamed.empty()) {
            INFO("renamed " << variable.renamed);
            CHECK(find_variable(variable.renamed.substr(0, variable.renamed.find('='))));
        }
        if (!variable.needs.empty()) {
            INFO("needs " << variable.needs);
            const auto other = find_variable(variable.needs.substr(0, variable.needs.find('=')));
            REQUIRE(other);
            const auto text = variable.needs.substr(variable.needs.find('=') + 1);
            const Effect effect =
                find_parser(other->parser)->read({text, std::nullopt, other->values});
            CHECK(effect.kind != EffectKind::error);
            CHECK(effect.kind != EffectKind::unset);
        }
    });
}

TEST_CASE("Patterns are POSIX extended regular expressions", "[catalogue]") {
    for_each_variable([](const Variable& variable) {
        regex_t compiled{};
        const int fault = variable.pattern.empty()
                              ? 0
                              : ::regcomp(&compiled, std::string(variable.pattern).c_str(),
                                          REG_EXTENDED | REG_NOSUB);
        CHECK(fault == 0);
        if (fault == 0 && !variable.pattern.empty()) {
            CHECK_FALSE(matches(variable.pattern, "\x01"));
            ::regfree(&compiled);
        }
    });
}

TEST_CASE("A secret has nothing that could show it", "[catalogue]") {
    int secrets = 0;
    for_each_variable([&](const Variable& variable) {
        if (variable.type == "secret") {
            ++secrets;
            CHECK(variable.parser == "string");
            CHECK_FALSE(variable.fallback);
            CHECK(variable.values.empty());
            CHECK(variable.pattern.empty());
        }
    });
    CHECK(secrets >= 7);
}

// A variable whose name starts so, or is the prefix without its underscore.
bool has_members(const VariableFamily& family) {
    const auto names = catalogued_names(family.prefix.front());
    return find_variable(family.prefix.substr(0, family.prefix.size() - 1)).has_value() ||
           std::any_of(names.begin(), names.end(),
                       [&](auto name) { return name.starts_with(family.prefix); });
}

TEST_CASE("Every family has members", "[catalogue]") {
    for (const auto& family : variable_families()) {
        INFO(family.prefix);
        CHECK(family.prefix.ends_with('_'));
        CHECK(has_members(family));
        const auto found = family_of(std::string(family.prefix) + "X");
        CHECK((found && found->prefix == family.prefix));
    }
}

// The text that brings about a condition "NAME=EFFECTIVE", "NAME~PART", "NAME>1" or "NAME".
std::string text_for(const Variable& variable, std::string_view when) {
    const auto end = std::min(when.find_first_of("=!<>~"), when.size());
    std::string_view right = when.substr(std::min(end + 1, when.size()));
    const bool is_bool = variable.type == "bool";
    if (end == when.size() || when[end] == '!') {
        return variable.values.empty() ? "1" : std::string(variable.values.front());
    }
    if (when[end] == '>' || when[end] == '<') {
        const bool other = find_variable(right).has_value();
        return when[end] == '<' ? "0"
               : other          ? "9"
                                : std::to_string(std::stoll(std::string(right)) + 1);
    }
    return is_bool && right == "true"    ? (variable.parser == "py-lower-true" ? "true" : "1")
           : is_bool && right == "false" ? "0"
                                         : std::string(right);
}

Environment environment_for(const VariableRule& rule) {
    Environment environment;
    for (const auto when : rule.when) {
        INFO(when);
        const auto end = std::min(when.find_first_of("=!<>~"), when.size());
        const auto variable = find_variable(when.substr(0, end));
        REQUIRE(variable);
        if (when.substr(end) == "=unset") {
            continue;
        }
        std::string& text = environment[std::string(variable->name)];
        text = (text.empty() ? "" : text + ",") + text_for(*variable, when);
        if (when.substr(end).starts_with("!=$")) {
            environment[std::string(when.substr(end + 3))] = "0";
            continue;
        }
        const auto other = find_variable(when.substr(std::min(end + 1, when.size())));
        if (other && end < when.size() && when[end] == '>') {
            environment[std::string(other->name)] = "2";
        }
    }
    return environment;
}

bool has_fault(const std::vector<Inspection>& rows, std::string_view fault) {
    return std::any_of(rows.begin(), rows.end(), [&](const Inspection& row) {
        return std::find(row.faults.begin(), row.faults.end(), fault) != row.faults.end();
    });
}

// Versions that meet "rocm>=7.0", "rocm<7.1": the lowest that is stated, else one below.
Versions::Assumed versions_for(const VariableRule& rule) {
    Versions::Assumed out{{"torch", "2.8"}, {"rocm", "7.0"}, {"triton", "3.4"}};
    for (const auto condition : rule.versions) {
        const auto end = condition.find_first_of("<>=");
        const auto digits = condition.find_first_of("0123456789", end);
        const std::string package(condition.substr(0, end));
        if (condition[end] != '<') {
            out[package] = std::string(condition.substr(digits));
        } else if (rule.versions.size() == 1) {
            out[package] =
                condition[end + 1] == '=' ? std::string(condition.substr(digits)) : "0.1";
        }
    }
    return out;
}

TEST_CASE("Every rule can come about and is reported", "[catalogue]") {
    const MemoryFs fs;
    const Machine machine(fs);
    const Process process;
    for (const auto& rule : variable_rules()) {
        INFO(rule.says);
        const Versions versions(machine, process, versions_for(rule));
        const Readers readers(machine, versions);
        const auto node = [&] {
            NodeKinds out;
            out.gfx.assign(rule.gfx.begin(), rule.gfx.end());
            out.nics.assign(rule.nics.begin(), rule.nics.end());
            out.modes.assign(rule.modes.begin(), rule.modes.end());
            return out;
        };
        CHECK(has_fault(inspect(environment_for(rule), readers, {}, node), rule.says));
        if (!rule.versions.empty()) {
            const Versions other(machine, process, {{"rocm", "0.0.1"}, {"torch", "99"}});
            const Readers elsewhere(machine, other);
            CHECK(!has_fault(inspect(environment_for(rule), elsewhere, {}, node), rule.says));
        }
    }
}

}  // namespace

}  // namespace rocenv::catalogue_test
