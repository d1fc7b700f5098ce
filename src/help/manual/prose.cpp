// SPDX-License-Identifier: MIT
#include "help/manual/prose.h"

#include <algorithm>
#include <optional>
#include <string>

#include "util/text.h"

namespace rocenv {

namespace {

constexpr std::string_view fence = "```";

// Replaces [TEXT](ADDRESS) by TEXT.
std::string without_links(std::string_view text) {
    std::string out;
    while (true) {
        const auto open = text.find('[');
        const auto middle = open == text.npos ? text.npos : text.find("](", open);
        const auto close = middle == text.npos ? text.npos : text.find(')', middle);
        if (close == text.npos) {
            return out + std::string(text);
        }
        out += text.substr(0, open);
        out += text.substr(open + 1, middle - open - 1);
        text.remove_prefix(close + 1);
    }
}

std::string inline_text(std::string_view text) {
    std::string out = without_links(text);
    for (auto at = out.find("**"); at != out.npos; at = out.find("**", at)) {
        out.erase(at, 2);
    }
    return out;
}

std::vector<std::string> cells_of(std::string_view row) {
    std::vector<std::string> cells{""};
    for (std::size_t at = 1; at < row.size(); ++at) {
        const bool escaped = row[at] == '\\' && at + 1 < row.size() && row[at + 1] == '|';
        at += escaped ? 1 : 0;
        if (row[at] == '|' && !escaped) {
            cells.emplace_back();
        } else {
            cells.back() += row[at];
        }
    }
    cells.pop_back();  // behind the last bar
    for (auto& cell : cells) {
        cell = inline_text(trim(cell));
    }
    return cells;
}

bool is_ruler(std::string_view line) {
    return line.starts_with("|--");
}

// "1. " or "- ": how many bytes begin a point of a list; 0: none.
std::size_t point_size(std::string_view line) {
    if (line.starts_with("- ")) {
        return 2;
    }
    const auto digits = line.find_first_not_of("0123456789");
    return digits != 0 && digits != line.npos && line.substr(digits).starts_with(". ") ? digits + 2
                                                                                       : 0;
}

class Reader {
   public:
    explicit Reader(std::string_view topic) : heading_("# " + std::string(topic)) {}

    void take(std::string_view line) {
        if (!literal_ && line.starts_with("# ")) {
            end_block();
            inside_ = line == heading_;
        } else if (line.starts_with(fence)) {
            end_block();
            literal_ = !literal_;
        } else if (inside_ && literal_) {
            take_literal(line);
        } else if (inside_) {
            take_text(line);
        }
    }

    std::vector<Block> blocks() {
        end_block();
        return std::move(out_);
    }

   private:
    void take_literal(std::string_view line) {
        Block& block = open(BlockKind::literal);
        block.text += std::string(line) + "\n";
    }

    void take_text(std::string_view line) {
        if (trim(line).empty() || line.starts_with("<!--") || line.starts_with("![")) {
            end_block();
        } else if (line.starts_with("## ") || line.starts_with("### ")) {
            const bool below = line.starts_with("### ");
            end_block();
            out_.push_back({below ? BlockKind::subsection : BlockKind::section,
                            std::string(line.substr(below ? 4 : 3))});
        } else if (line.starts_with("|")) {
            take_row(line);
        } else if (const auto size = point_size(line); size != 0) {
            end_block();
            const auto sign = trim(line.substr(0, size));
            open(BlockKind::bullet).term = sign == "-" ? "" : std::string(sign);
            block_->text = inline_text(line.substr(size));
        } else {
            Block& block = open(block_ ? block_->kind : BlockKind::paragraph);
            block.text += (block.text.empty() ? "" : " ") + inline_text(trim(line));
        }
    }

    // The row above the ruler only names the columns.
    void take_row(std::string_view line) {
        end_block();
        if (is_ruler(line)) {
            out_.pop_back();
            return;
        }
        auto cells = cells_of(line);
        Block row{BlockKind::item, "", cells.front()};
        cells.erase(cells.begin());
        std::erase(cells, "");
        row.text = join(cells, "; ");
        out_.push_back(std::move(row));
    }

    Block& open(BlockKind kind) {
        if (!block_) {
            block_ = Block{kind, ""};
        }
        return *block_;
    }

    void end_block() {
        if (block_) {
            out_.push_back(*std::move(block_));
            block_.reset();
        }
    }

    const std::string heading_;
    bool inside_ = false;
    bool literal_ = false;
    std::optional<Block> block_;
    std::vector<Block> out_;
};

}  // namespace

std::vector<Block> prose_in(std::string_view markdown, std::string_view topic) {
    Reader reader(topic);
    for (const auto line : split(markdown, '\n')) {
        reader.take(line);
    }
    return reader.blocks();
}

std::vector<Block> prose_of(std::string_view topic) {
    return prose_in(manual_text, topic);
}

}  // namespace rocenv
