// SPDX-License-Identifier: MIT
// The amount of output, and the screen for it.
#pragma once

#include <cstddef>

namespace rocenv {

// The amount of output. quiet: failures only. normal: everything worth a line. everything: with -v.
enum class Detail { quiet, normal, everything };
// Use of colour.
enum class Colour { no, yes };

// The severity of a word; each has one colour. Colour never stands alone: the word has the same
// meaning.
enum class Tone { none, heading, pass, info, warn, fail, unknown };

// The word that begins an entry, and its colour.
struct Severity {
    Tone tone;
    const char* word;
};

// The terminal or file that a text is laid out for.
struct Screen {
    static constexpr std::size_t usual_width = 80;  // columns of a pipe and of a file
    static constexpr std::size_t least_width = 40;  // a narrower terminal breaks the lines itself

    constexpr Screen(Colour with, std::size_t columns = usual_width)
        : colour(with), width(columns) {}

    Colour colour;
    std::size_t width;
};

}  // namespace rocenv
