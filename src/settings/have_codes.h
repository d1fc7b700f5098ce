// SPDX-License-Identifier: MIT
// Codes for what some settings say in words. A `have` such as "fallen off the bus" is prose for
// people; programs compare its code. The texts of `have` never change, so that reports of versions
// without codes have the same ones.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace rocenv {

struct HaveCode {
    std::string_view id;    // of the setting; "env." stands for every variable
    std::string_view have;  // its words; "*" in them stands for a name of the machine's
    std::string_view code;  // "*" stands for that name in lower case, other characters as "-"
};

// Returns all of them, by id. A code that is published keeps its meaning.
std::span<const HaveCode> have_codes();

// Returns the code of a `have` that is prose, "fallen"; codes of a list of such words are joined by
// "+". Empty: `have` is a value.
std::string have_code(std::string_view id, std::string_view have);

// Returns a sentence about the device, or the devices, that a value in words belongs to: "{} has
// fallen off the PCIe bus". {} stands for the device. Empty if the words of the value say it.
std::string code_sentence(std::string_view code, bool many);

}  // namespace rocenv
