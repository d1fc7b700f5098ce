// SPDX-License-Identifier: MIT
// A page of the manual as plain blocks, made by pages.h and prose.h and printed by render.h.
#pragma once

#include <string>
#include <vector>

namespace rocenv {

// Kinds of blocks.
enum class BlockKind {
    section,     // `text` is its title
    subsection,  // a section within a section
    usage,       // a line of the synopsis: "rocenv check [OPTION...]"
    paragraph,
    item,     // `term` with its meaning
    option,   // the same with a term as in --help: "-p, --profile PROFILE"
    bullet,   // `term` is its number, or empty
    literal,  // lines printed unchanged
};

// One block. In running text, backticks enclose text to be typed literally.
struct Block {
    BlockKind kind = BlockKind::paragraph;
    std::string text;
    std::string term{};
};

// Returns a text without its backticks, for output that cannot highlight.
inline std::string without_marks(std::string text) {
    std::erase(text, '`');
    return text;
}

// The title of a page.
struct PageTitle {
    std::string name;  // "rocenv-check"
    int section = 1;   // section of the manual
    std::string summary;
};

// A page of the manual.
struct Page {
    PageTitle title;
    std::vector<Block> blocks;
};

}  // namespace rocenv
