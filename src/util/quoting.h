// SPDX-License-Identifier: MIT
// Text as a POSIX shell takes it.
#pragma once

#include <string>
#include <string_view>

namespace rocenv {

// Between single quotes, whatever it holds.
std::string shell_quoted(std::string_view text);

// As one word of a command line: quoted where it has to be.
std::string shell_word(std::string_view text);

}  // namespace rocenv
