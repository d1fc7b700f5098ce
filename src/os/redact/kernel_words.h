// SPDX-License-Identifier: MIT
// The kernel command line as the kernel reads it: the one parser for what judges it and what
// redacts it (linux lib/cmdline.c next_arg, kernel/params.c parse_args, 6.12).
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace rocenv {

// One parameter. Quotes around the word or its value are not part of them; others are.
struct KernelWord {
    std::string name;   // as it is written
    std::string value;  // empty without '='
    bool has_value = false;
};

// Returns the words before "--", which ends what the kernel reads; std::nullopt if the line holds
// bytes that are no text.
std::optional<std::vector<KernelWord>> kernel_words(std::string_view line);

}  // namespace rocenv
