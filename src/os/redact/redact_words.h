// SPDX-License-Identifier: MIT
// Printable words: the words that kernels, drivers and distributions write, and kernel parameters
// whose values identify nothing. A text outside of these lists may be an identity or a secret.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace rocenv {

// The printable part of a kernel parameter.
enum class BootValue {
    nothing,      // unknown parameter: not even its name
    name,         // name only: the value names disks, hosts, files or addresses
    known_words,  // numbers and words that kernels know
    modules,      // known names of modules and functions
};

// Returns the printable part of a parameter, also of a module ("amdgpu.noretry"). "-" counts as
// "_".
BootValue boot_value(std::string_view parameter);

// Returns true if a module or function is known by name, as in lists of blocked modules. "-" counts
// as "_".
bool is_module_of_a_list(std::string_view name);

// Returns true if all parts of a value are numbers or words that kernels and drivers know.
bool is_known_boot_value(std::string_view value);

// Returns true if all parts of a kernel file are numbers or words that kernels write; also for an
// empty text.
bool is_kernel_text(std::string_view text);

// Returns the text in quotes, cut after 40 bytes, if is_kernel_text() accepts it. Otherwise returns
// "N bytes of another text": for messages about a file with unexpected content.
std::string quoted_value(std::string_view text);

// Returns true if the module amdgpu has a parameter of this name.
bool is_amdgpu_parameter(std::string_view name);

// Returns true if kernels write or read the word, so that it identifies no host.
bool is_kernel_word(std::string_view word);

// The parser of the kernel command line, for checks and for redaction (linux lib/cmdline.c
// next_arg, kernel/params.c parse_args, 6.12).

// One parameter, without the quotes around the word or its value.
struct KernelWord {
    std::string name;   // as written
    std::string value;  // empty without '='
    bool has_value = false;
};

// Returns the words before "--", where the kernel stops; none for a blank line. Returns
// std::nullopt if the line has control bytes other than blanks.
std::optional<std::vector<KernelWord>> kernel_words(std::string_view line);

}  // namespace rocenv
