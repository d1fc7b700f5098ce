// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstdint>

#include "environment/c_numbers.h"
#include "environment/parser_functions.h"

namespace rocenv::parsers {

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

// pytorch/pytorch#145980 (January 2025, after the branch of 2.6 was cut) lets texts through.
Effect torch_config(const ParserInput& input) {
    if (input.text == "0" || input.text == "1") {
        return truth(input.text == "1");
    }
    Effect newer = truth(!input.text.empty());
    newer.note = "kept as a text, and any text that is not empty counts as true";
    return by_version(input, {"PyTorch", "2.7", "2.7"}, ignored(), std::move(newer));
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

// Before python/triton/knobs.py each place compared with "1". The knobs ask libtriton's
// getenv_bool, whose source was not found: a fork that copies it (read 2026-11) also takes y and
// yes.
Effect triton_knob(const ParserInput& input) {
    const std::string lower = ascii_lower(input.text);
    Effect newer = truth(is_one_of(lower, {"on", "true", "1"}));
    if (is_one_of(lower, {"y", "yes"})) {
        newer = open_question("not every Triton takes y and yes for on");
    }
    return by_version(input, {"Triton", "3.4", "3.4"}, truth(input.text == "1"), std::move(newer));
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

Effect py_lower_true1(const ParserInput& input) {
    return truth(is_one_of(ascii_lower(input.text), {"true", "1"}));
}

}  // namespace rocenv::parsers
