// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstdint>

#include "variables/parsers/c_numbers.h"
#include "variables/parsers/parser_functions.h"

namespace rocenv::parsers {

namespace {

// What a setting of torch.utils._config_module makes of a text that is neither 0 nor 1.
Effect kept_text(const ParserInput& input) {
    Effect kept = truth(!input.text.empty());
    kept.note = "kept as a text, and any text that is not empty counts as true";
    return kept;
}

}  // namespace

Effect eq_capital_true(const ParserInput& input) {
    return truth(input.text == "TRUE");
}

Effect eq1(const ParserInput& input) {
    return truth(input.text == "1");
}

Effect not_zero(const ParserInput& input) {
    return truth(input.text != "0");
}

Effect zero_one_or_default(const ParserInput& input) {
    if (input.text == "0" || input.text == "1") {
        return truth(input.text == "1");
    }
    return ignored();
}

Effect nonempty(const ParserInput& input) {
    return truth(!input.text.empty());
}

Effect present(const ParserInput& /*input*/) {
    return truth(true);
}

// Of an empty text the first byte is the end of the text, which is not 0 either.
Effect first_not_zero(const ParserInput& input) {
    return truth(!input.text.starts_with('0'));
}

Effect first_one(const ParserInput& input) {
    return truth(input.text.starts_with('1'));
}

// pytorch/pytorch#145980 (January 2025, after the branch of 2.6 was cut) lets texts through.
Effect torch_config(const ParserInput& input) {
    if (input.text == "0" || input.text == "1") {
        return truth(input.text == "1");
    }
    return by_version(input, {"PyTorch", "2.7", "2.7"}, ignored(), kept_text(input));
}

Effect eq1_torch_config(const ParserInput& input) {
    if (input.text == "0" || input.text == "1") {
        return truth(input.text == "1");
    }
    return by_version(input, {"PyTorch", "2.7", "2.7"}, truth(false), kept_text(input));
}

// The word was any text at all until an issue of March 2025 (pytorch/pytorch#149840).
Effect compile_disable(const ParserInput& input) {
    return by_version(input, {"PyTorch", "2.8", "2.8"}, nonempty(input), eq1(input));
}

// By 2.11 int(text) stands beside the comparison, where INDUCTOR_PROVENANCE is not set.
Effect compile_debug(const ParserInput& input) {
    const bool whole = py_int(input).kind == EffectKind::number;
    return by_version(
        input, {"PyTorch", "2.7", "2.11"}, eq1(input),
        whole ? eq1(input) : failure("the import of PyTorch's Inductor ends with it"));
}

// strcmp up to 2.6, c10::utils::check_env later.
Effect tunableop_backend(const ParserInput& input) {
    return by_version(input, {"PyTorch", "2.7", "2.7"}, eq1(input), c10_check(input));
}

// An empty text becomes a single blank before it is read: false like any other that has no number.
Effect clr_bool(const ParserInput& input) {
    return truth(input.text == "true" || c_atoi(input.text) != 0);
}

Effect c10_check(const ParserInput& input) {
    if (input.text == "0" || input.text == "1") {
        return truth(input.text == "1");
    }
    return ignored("PyTorch warns and uses the default");
}

Effect cvar_bool(const ParserInput& input) {
    const std::string lower = ascii_lower(input.text);
    if (is_one_of(lower, {"y", "yes", "1", "t", "true"})) {
        return truth(true);
    }
    if (is_one_of(lower, {"n", "no", "0", "f", "false"})) {
        return truth(false);
    }
    return failure("PyTorch raises when the process group is made");
}

Effect triton_bool(const ParserInput& input) {
    return truth(is_one_of(ascii_lower(input.text), {"on", "true", "1"}));
}

Effect triton_bool_or_name(const ParserInput& input) {
    const std::string lower = ascii_lower(input.text);
    if (is_one_of(lower, {"on", "true", "1"})) {
        return truth(true);
    }
    if (is_one_of(lower, {"off", "false", "0", ""})) {
        return truth(false);
    }
    Effect name = as_text(input.text);
    name.note = "taken for the name of a kernel";
    return name;
}

// Before python/triton/knobs.py each place compared with "1"; the knobs ask getenv_bool.
Effect triton_knob(const ParserInput& input) {
    const std::string lower = ascii_lower(input.text);
    return by_version(input, {"Triton", "3.4", "3.4"}, truth(input.text == "1"),
                      truth(is_one_of(lower, {"1", "y", "on", "yes", "true"})));
}

// Before ROCm/MIOpen#2514 (November 2023) a text that is in neither list was neither on nor off.
Effect miopen_bool(const ParserInput& input) {
    const std::string lower = ascii_lower(input.text);
    if (is_one_of(lower, {"1", "enable", "enabled", "yes", "on", "true"})) {
        return truth(true);
    }
    if (is_one_of(lower, {"0", "disable", "disabled", "no", "off", "false"})) {
        return truth(false);
    }
    return by_version(input, {"ROCm", "6.1", "6.2"}, ignored(), failure("MIOpen throws"));
}

Effect not_off_word(const ParserInput& input) {
    return truth(!is_one_of(ascii_lower(input.text), {"", "off", "false", "f", "no", "n", "0"}));
}

Effect hf_bool(const ParserInput& input) {
    return truth(is_one_of(ascii_lower(input.text), {"1", "on", "yes", "true"}));
}

Effect sglang_bool(const ParserInput& input) {
    const std::string lower = ascii_lower(input.text);
    if (is_one_of(lower, {"true", "1", "yes", "y"})) {
        return truth(true);
    }
    return is_one_of(lower, {"false", "0", "no", "n"}) ? truth(false)
                                                       : ignored("SGLang warns and goes on");
}

// lower() came between 2.6 and 2.14.
Effect py_lower_yes(const ParserInput& input) {
    const auto is_yes = [](std::string_view text) {
        return truth(is_one_of(text, {"1", "y", "yes", "true"}));
    };
    return by_version(input, {"PyTorch", "2.7", "2.14"}, is_yes(input.text),
                      is_yes(ascii_lower(input.text)));
}

Effect py_lower_true(const ParserInput& input) {
    return truth(ascii_lower(input.text) == "true");
}

Effect py_lower_true1(const ParserInput& input) {
    return truth(is_one_of(ascii_lower(input.text), {"true", "1"}));
}

Effect py_lower_true1_yes(const ParserInput& input) {
    return truth(is_one_of(ascii_lower(input.text), {"true", "1", "yes"}));
}

}  // namespace rocenv::parsers
