// SPDX-License-Identifier: MIT
// A page of the manual as plain blocks: made by pages.h and prose.h, printed by render.h.
#pragma once

#include <string>
#include <vector>

namespace rocenv {

enum class BlockKind {
    section,     // `text` is its title
    subsection,  // the same below it
    usage,       // a line of the synopsis: "rocenv check [OPTION...]"
    paragraph,
    item,     // `term`, and what it means
    option,   // the same, where the term is as in --help: "-p, --profile PROFILE"
    bullet,   // `term` is its number, or empty
    literal,  // lines as they are
};

// In running text what stands in backticks is to be typed as it is.
struct Block {
    BlockKind kind = BlockKind::paragraph;
    std::string text;
    std::string term{};
};

// A text where nothing can be set apart: without the backticks.
inline std::string without_marks(std::string text) {
    std::erase(text, '`');
    return text;
}

struct PageTitle {
    std::string name;  // "rocenv-check"
    int section = 1;   // of the manual
    std::string summary;
};

struct Page {
    PageTitle title;
    std::vector<Block> blocks;
};

}  // namespace rocenv
