// SPDX-License-Identifier: MIT
#include <algorithm>

#include "help/manual/render.h"
#include "print/layout.h"
#include "util/text.h"

namespace rocenv {

namespace {

constexpr std::size_t margin = 2;
constexpr std::size_t column = 14;     // of texts behind short terms
constexpr std::size_t below_term = 6;  // of texts below long ones

// A list whose terms all fit stands in two columns.
bool fits(const std::string& term) {
    return margin + term.size() + 2 <= column;
}

class PageText {
   public:
    explicit PageText(Colour colour) : colour_(colour) {}

    void head(const std::string& name, const std::string& summary) {
        out_ += wrapped(styled(name, Style::heading, colour_), margin, summary);
        last_ = BlockKind::paragraph;
    }

    void add(const Block& block) {
        const bool same = !out_.empty() && last_ == block.kind && is_list(block.kind);
        const bool first = out_.empty();
        out_ += first || same || last_ == BlockKind::section ? "" : "\n";
        tell(block);
        last_ = block.kind;
    }

    std::string take() { return std::move(out_); }

   private:
    static bool is_list(BlockKind kind) {
        return kind == BlockKind::item || kind == BlockKind::option || kind == BlockKind::bullet ||
               kind == BlockKind::usage;
    }

    void tell(const Block& block) {
        const std::string blanks(margin, ' ');
        switch (block.kind) {
            case BlockKind::section:
            case BlockKind::subsection:
                out_ += (block.kind == BlockKind::section ? "" : blanks) +
                        styled(block.text, Style::heading, colour_) + "\n";
                break;
            case BlockKind::usage:
                out_ += blanks + printable(block.text, uncut) + "\n";
                break;
            case BlockKind::paragraph:
                out_ += wrapped(blanks, margin, without_marks(block.text));
                break;
            case BlockKind::item:
            case BlockKind::option:
                tell_item(without_marks(block.term), without_marks(block.text));
                break;
            case BlockKind::bullet:
                out_ += wrapped(blanks + (block.term.empty() ? "-" : block.term) + " ",
                                margin + (block.term.empty() ? 2 : block.term.size() + 1),
                                without_marks(block.text));
                break;
            case BlockKind::literal:
                tell_literal(block.text);
                break;
        }
    }

    void tell_item(const std::string& term, const std::string& text) {
        const std::string first = std::string(margin, ' ') + styled(term, Style::heading, colour_);
        if (fits(term)) {
            out_ += wrapped(first + std::string(column - margin - term.size(), ' '), column, text);
        } else {
            out_ += first + "\n" + wrapped(std::string(below_term, ' '), below_term, text);
        }
    }

    void tell_literal(const std::string& lines) {
        for (const auto line : split(std::string_view(lines).substr(0, lines.size() - 1), '\n')) {
            out_ +=
                (line.empty() ? "" : std::string(below_term, ' ') + printable(line, uncut)) + "\n";
        }
    }

    const Colour colour_;
    BlockKind last_ = BlockKind::section;
    std::string out_;
};

std::string shown_name(const PageTitle& title) {
    return title.name + "(" + number(title.section) + ")";
}

}  // namespace

std::string render_page_human(const Page& page, Colour colour) {
    PageText out(colour);
    if (page.title.section != 0) {
        out.head(shown_name(page.title) + ": ", page.title.summary);
    }
    for (const auto& block : page.blocks) {
        out.add(block);
    }
    return out.take();
}

std::string render_titles_human(const std::vector<PageTitle>& titles, Colour colour) {
    std::size_t width = 0;
    for (const auto& title : titles) {
        width = std::max(width, shown_name(title).size());
    }
    std::string out;
    for (const auto& title : titles) {
        const std::string name = shown_name(title);
        out += wrapped(
            styled(name, Style::heading, colour) + std::string(width + 2 - name.size(), ' '),
            width + 2, title.summary);
    }
    return out;
}

}  // namespace rocenv
