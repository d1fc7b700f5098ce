// SPDX-License-Identifier: MIT
// What may be printed of a machine: the words that kernels, drivers and distributions write
// themselves, and the kernel parameters whose values are no identity. A text that is in none
// of these lists may be an identity or a secret.
#pragma once

#include <string>
#include <string_view>

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

}  // namespace rocenv
