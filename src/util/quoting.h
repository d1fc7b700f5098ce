// SPDX-License-Identifier: MIT
// Text as others take it: a POSIX shell, and our own files, which hold any byte as an escape.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace rocenv {

// Between single quotes, whatever it holds.
std::string shell_quoted(std::string_view text);

// As one word of a command line: quoted where it has to be.
std::string shell_word(std::string_view text);

// A byte as \xHH.
std::string escaped_byte(char byte);

// Escapes back to bytes: \xHH, and a backslash before one of `letters`, of which n and t are a line
// end and a tab and any other is itself. Nothing when there is another escape.
std::optional<std::string> unescaped(std::string_view text, std::string_view letters);

// Whether files of UTF-8 hold it without an escape, as TOML and JSON have none for other bytes.
bool is_utf8(std::string_view text);

}  // namespace rocenv
