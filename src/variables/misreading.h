// SPDX-License-Identifier: MIT
// When a reader takes a text for something else than the person who wrote it.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "variables/parsers/parsers.h"

namespace rocenv {

// One sentence without a full stop, to follow the reader's name: reads "yes" as off; write 1 or 0.
// Texts to write instead are such as the parser itself reads as on and off. Nothing where the
// reader does what was meant, where the text may mean anything, and where the effect is unknown.
// `type` is the catalogue's: "bool", "int", "float", "path", "enum", "list", "string".
//
// bool:    1, true, yes, on, enable(d), y, t mean on, 0, false, no, off, disable(d), n, f, empty
//          mean off (any case, blanks around them); another text means neither and is told too.
// numbers: decimal, 0x, 1_000 and 1e3 mean the number written; a leading 0 means nothing.
// all:     a text at which the reader fails, and a text but an empty one that it ignores.
std::optional<std::string> misreading(std::string_view type, const Parser& parser,
                                      const ParserInput& input);

// The number a person means by a text, as a decimal; nullopt: none, or it has a unit or a fraction.
std::optional<std::string> written_number(std::string_view text);

}  // namespace rocenv
