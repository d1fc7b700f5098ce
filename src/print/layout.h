// SPDX-License-Identifier: MIT
// Text of 80 columns for what has no Document yet: the report of fleet and --help.
#pragma once

#include <string>
#include <string_view>

#include "print/style.h"
#include "print/wrap.h"
#include "util/text.h"

namespace rocenv {

constexpr std::size_t terminal_width = Screen::usual_width;

std::string wrapped(std::string_view first, std::size_t indent, std::string_view text);

enum class Style { heading, attention, unsure };
std::string styled(std::string_view text, Style style, Colour colour);

}  // namespace rocenv
