// SPDX-License-Identifier: MIT
// The scalars of a JSON text (RFC 8259), one after another: for reports of rocenv and the metadata
// that Triton keeps beside a kernel. It is strict, since a cut-off file must not pass for a whole
// one: a key twice in an object, an object of more than 65,536 keys, a number that is none and more
// than 64 levels are refused. It keeps the keys of the objects that are open, and nothing else.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace rocenv {

// `path` is the keys on the way joined by dots, list elements by their index: "target.arch",
// "target.1". `value` is the text of a number, true, false or null, or the content of a string with
// escapes as they are.
enum class JsonScalar { text, number, boolean, null };
using OnScalar =
    std::function<void(std::string_view path, std::string_view value, JsonScalar kind)>;

// False when the text is no JSON; some scalars may have been told by then.
bool for_each_scalar(std::string_view text, const OnScalar& on_scalar);

// The content of a string with its escapes resolved, as UTF-8; nothing where one is none.
std::optional<std::string> json_text(std::string_view content);

}  // namespace rocenv
