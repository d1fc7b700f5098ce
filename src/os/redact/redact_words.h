// SPDX-License-Identifier: MIT
// What may be printed of a machine: the words that kernels, drivers and distributions write
// themselves, and the kernel parameters whose values are no identity. A text that is in none
// of these lists may be an identity or a secret.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace rocenv {

// What of a kernel parameter may be printed.
enum class BootValue {
    nothing,      // the parameter is not known: not even its name
    name,         // its name alone: it names disks, hosts, files or addresses
    known_words,  // what of its value is a number or a word that kernels know
    modules,      // known names of modules and of their functions
};

// Returns what may be printed of the parameter, which may be one of a module ("amdgpu.noretry").
BootValue boot_value(std::string_view parameter);

// Returns whether a module or function is known by name, as lists of blocked modules name them.
bool is_module_of_a_list(std::string_view name);

// Returns whether all of a value's parts are numbers or words that kernels and drivers know.
bool is_known_boot_value(std::string_view value);

// Returns whether all parts of a file of the kernel are numbers or words that kernels write.
bool is_kernel_text(std::string_view text);

// Returns the text in quotes if is_kernel_text() holds of it, else how long it is: for what is said
// of a file that holds something else than it should.
std::string quoted_value(std::string_view text);

// Returns whether a parameter of the module amdgpu has this name.
bool is_amdgpu_parameter(std::string_view name);

// Returns whether a word is one that kernels write or read, which names no host.
bool is_kernel_word(std::string_view word);

// The kernel command line as the kernel reads it: the one parser for what judges it and what
// redacts it (linux lib/cmdline.c next_arg, kernel/params.c parse_args, 6.12).

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
