// SPDX-License-Identifier: MIT
// The scalars of a JSON text (RFC 8259), as many as are asked for: small enough for the metadata
// that Triton keeps beside a kernel, and strict, since a cut-off file must not pass for a whole
// one.
#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace rocenv {

// `path` is the keys on the way joined by dots, list elements by their index: "target.arch",
// "target.1". `value` is the text of a number, true, false or null, or the content of a string with
// escapes as they are.
using OnScalar = std::function<void(std::string_view path, std::string_view value)>;

// False when the text is no JSON; some scalars may have been told by then.
bool for_each_scalar(std::string_view text, const OnScalar& on_scalar);

}  // namespace rocenv
