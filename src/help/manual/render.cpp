// SPDX-License-Identifier: MIT
#include "help/manual/render.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdint>

#include "print/document.h"
#include "util/text.h"
#include "variables/parsers/parser_functions.h"

namespace rocenv {

namespace {

constexpr std::size_t longest_line = 78;

// Returns a character beyond ASCII in a form that every roff reads.
std::string roff_character(std::string_view utf8) {
    std::string digits = bare_hex(utf8_code_point(utf8), 4);
    for (char& digit : digits) {
        digit = digit >= 'a' ? static_cast<char>(digit - 'a' + 'A') : digit;
    }
    return "\\[u" + digits + "]";
}

std::string_view escaped(char byte, bool typed) {
    switch (byte) {
        case '\\':
            return "\\e";
        case '-':
            return typed ? "\\-" : "-";
        case '\'':
            return typed ? "\\(aq" : "'";
        case '`':
            return "\\(ga";
        case '"':
            return "\\(dq";
        case '~':
            return "\\(ti";
        case '^':
            return "\\(ha";
        default:
            return "";
    }
}

bool ends_sentence(std::string_view word) {
    while (word.ends_with(")") || word.ends_with("\"") || word.ends_with("`")) {
        word.remove_suffix(1);
    }
    return word.size() > 1 && (word.ends_with(".") || word.ends_with("!") || word.ends_with("?"));
}

// ".Xr rocenv-check 1 ," of "rocenv-check(1),"; empty: it names no page.
std::string reference(std::string_view word) {
    const auto open = word.find('(');
    const bool named = word.starts_with("rocenv") && open != word.npos &&
                       word.find_first_not_of("abcdefghijklmnopqrstuvwxyz-") == open &&
                       open + 2 < word.size() && word[open + 2] == ')';
    if (!named) {
        return "";
    }
    const std::string_view rest = word.substr(open + 3);
    return ".Xr " + std::string(word.substr(0, open)) + " " + word[open + 1] +
           (rest.empty() ? "" : " " + std::string(rest));
}

// Puts words into lines.
class Lines {
   public:
    void add(const std::string& word, bool last_of_line) {
        if (!line_.empty() && line_.size() + 1 + word.size() > longest_line) {
            end_line();
        }
        const bool request = line_.empty() && (word.starts_with(".") || word.starts_with("'"));
        line_ += (line_.empty() ? "" : " ") + (request ? "\\&" + word : word);
        if (last_of_line) {
            end_line();
        }
    }

    void add_line(const std::string& line) {
        end_line();
        out_ += line + "\n";
    }

    std::string take() {
        end_line();
        return std::move(out_);
    }

   private:
    void end_line() {
        out_ += line_.empty() ? "" : line_ + "\n";
        line_.clear();
    }

    std::string line_;
    std::string out_;
};

}  // namespace

std::string roff_text(std::string_view text, RoffText kind) {
    std::string out;
    bool bold = false;
    while (!text.empty()) {
        const auto size = std::max<std::size_t>(utf8_length(text), 1);
        const bool typed = bold || kind == RoffText::typed;
        if (text.front() == '`' && kind == RoffText::running) {
            out += bold ? "\\fP" : "\\fB";
            bold = !bold;
        } else if (size > 1) {
            out += roff_character(text.substr(0, size));
        } else if (text.starts_with("--")) {
            out += "\\-\\-";
            text.remove_prefix(1);
        } else if (text.starts_with("()")) {  // "wait()" is not a function of this program
            out += "(\\&)";
            text.remove_prefix(1);
        } else if (const auto known = escaped(text.front(), typed); !known.empty()) {
            out += known;
        } else {
            out += text.front();
        }
        text.remove_prefix(size);
    }
    return out;
}

std::string roff_lines(std::string_view text) {
    Lines lines;
    const std::string whole = roff_text(text, RoffText::running);
    for (const auto word : words(whole)) {
        const std::string page = reference(word);
        if (page.empty()) {
            lines.add(std::string(word), ends_sentence(word));
        } else {
            lines.add_line(page);
        }
    }
    return lines.take();
}

std::string roff_words(std::string_view text) {
    std::string out;
    for (const auto word : words(text)) {
        const bool macro = word.size() > 1 && word.size() <= 3 && word[0] >= 'A' &&
                           word[0] <= 'Z' && word[1] >= 'a' && word[1] <= 'z';
        const bool sign = word.size() == 1 && std::ispunct(static_cast<unsigned char>(word[0]));
        out += (out.empty() ? "" : " ") + std::string(macro || sign ? "\\&" : "") +
               roff_text(word, RoffText::typed);
    }
    return out;
}

namespace {

constexpr std::size_t page_margin = 2;
constexpr std::size_t literal_margin = 6;

bool is_list(BlockKind kind) {
    return kind == BlockKind::item || kind == BlockKind::option || kind == BlockKind::bullet ||
           kind == BlockKind::usage;
}

void add_page_literal(const std::string& lines, Document& out) {
    out.margin(literal_margin);
    for (const auto line : split(std::string_view(lines).substr(0, lines.size() - 1), '\n')) {
        out.line(std::string(line));
    }
}

void add_page_block(const Block& block, Document& out) {
    out.margin(block.kind == BlockKind::section ? 0 : page_margin);
    switch (block.kind) {
        case BlockKind::section:
        case BlockKind::subsection:
            out.heading(block.text);
            break;
        case BlockKind::usage:
            out.line(block.text);
            break;
        case BlockKind::paragraph:
            out.paragraph(without_marks(block.text));
            break;
        case BlockKind::item:
        case BlockKind::option:
            out.item(without_marks(block.term), without_marks(block.text));
            break;
        case BlockKind::bullet:
            out.bullet(block.term, without_marks(block.text));
            break;
        case BlockKind::literal:
            add_page_literal(block.text, out);
            break;
    }
}

std::string shown_name(const PageTitle& title) {
    return title.name + "(" + number(title.section) + ")";
}

}  // namespace

std::string render_page_human(const Page& page, Screen screen) {
    Document out;
    if (page.title.section != 0) {
        out.title(shown_name(page.title), ": " + page.title.summary);
    }
    const Block* last = nullptr;
    for (const auto& block : page.blocks) {
        const bool continues =
            last != nullptr &&
            (last->kind == BlockKind::section || (last->kind == block.kind && is_list(last->kind)));
        if (!continues) {
            out.blank();
        }
        add_page_block(block, out);
        last = &block;
    }
    return out.text(screen);
}

std::string render_titles_human(const std::vector<PageTitle>& titles, Screen screen) {
    Document out;
    for (const auto& title : titles) {
        out.item(shown_name(title), title.summary);
    }
    out.blank();
    out.paragraph(
        "rocenv help PAGE prints one: rocenv help set, rocenv help profile.5. A setting, a "
        "variable "
        "and a profile are topics, too: rocenv help pci.acs.");
    return out.text(screen);
}

namespace {

// "November 22, 2026" of "2026-11-22".
std::string date_in_words(std::string_view date) {
    constexpr std::array<std::string_view, 12> months{
        "January", "February", "March",     "April",   "May",      "June",
        "July",    "August",   "September", "October", "November", "December"};
    const auto month = date.size() == 10 ? parse_number(date.substr(5, 2)) : std::nullopt;
    const auto day = month ? parse_number(date.substr(8)) : std::nullopt;
    if (!day || *month < 1 || *month > months.size()) {
        return std::string(date);
    }
    return std::string(months[*month - 1]) + " " + number(*day) + ", " +
           std::string(date.substr(0, 4));
}

// "-p, --profile PROFILE ..." as macros: Fl p , Fl -profile Ar PROFILE ...
std::string option_term(std::string_view term) {
    std::string out;
    for (auto word : words(term)) {
        const bool comma = word.ends_with(",");
        word.remove_suffix(comma ? 1 : 0);
        const auto bracket = word.find("[=");
        std::string each;
        if (word.starts_with("-") && bracket != word.npos) {
            each = "Fl " + roff_words(word.substr(1, bracket - 1)) +
                   " Ns Op =" + roff_words(word.substr(bracket + 2, word.size() - bracket - 3));
        } else if (word.starts_with("-")) {
            each = "Fl " + roff_words(word.substr(1));
        } else {
            each = (word == "..." ? "" : "Ar ") + roff_words(word);
        }
        out += (out.empty() ? "" : " ") + each + (comma ? " ," : "");
    }
    return out;
}

// "rocenv check [OPTION...] profile... -- PROGRAM".
std::string usage_lines(std::string_view usage) {
    std::string name;
    std::string rest;
    for (auto word : words(usage)) {
        const bool optional = word.starts_with("[");
        const bool plain = !optional && !word.starts_with("-") && !word.ends_with("...") &&
                           parsers::ascii_upper(word) != word;
        if (rest.empty() && plain) {
            name += (name.empty() ? "" : " ") + std::string(word);
            continue;
        }
        word = optional ? word.substr(1, word.size() - 2) : word;
        const bool several = word.ends_with("...");
        word.remove_suffix(several ? 3 : 0);
        const std::string each =
            word.starts_with("-") ? "Fl " + std::string(word.substr(1)) : "Ar " + roff_words(word);
        rest += std::string(optional ? ".Op " : ".") + each + (several ? " ..." : "") + "\n";
    }
    return ".Nm " + name + "\n" + rest;
}

class PageSource {
   public:
    PageSource(const PageTitle& title, std::string_view date) {
        const std::string summary = roff_text(title.summary, RoffText::running);
        out_ = ".Dd " + date_in_words(date) + "\n.Dt " + parsers::ascii_upper(title.name) + " " +
               number(title.section) + "\n.Os\n.Sh NAME\n.Nm " + title.name + "\n.Nd " + summary +
               "\n";
    }

    void add(const Block& block) {
        change_list(list_of(block));
        switch (block.kind) {
            case BlockKind::section:
                out_ += ".Sh " + roff_words(block.text) + "\n";
                break;
            case BlockKind::subsection:
                out_ += ".Ss " + roff_words(block.text) + "\n";
                break;
            case BlockKind::usage:
                out_ += usage_lines(block.text);
                break;
            case BlockKind::paragraph:
                out_ += (starts_section() ? "" : ".Pp\n") + roff_lines(block.text);
                break;
            case BlockKind::item:
                out_ += ".It Sy " + roff_words(without_marks(block.term)) + "\n" +
                        roff_lines(block.text);
                break;
            case BlockKind::option:
                out_ += ".It " + option_term(block.term) + "\n" + roff_lines(block.text);
                break;
            case BlockKind::bullet:
                out_ += ".It\n" + roff_lines(block.text);
                break;
            case BlockKind::literal:
                add_literal(block.text);
                break;
        }
    }

    std::string take() {
        change_list("");
        return std::move(out_);
    }

   private:
    static std::string_view list_of(const Block& block) {
        return block.kind == BlockKind::item || block.kind == BlockKind::option ? "-tag -width Ds"
               : block.kind != BlockKind::bullet                                ? ""
               : block.term.empty()                                             ? "-bullet"
                                                                                : "-enum";
    }

    void change_list(std::string_view list) {
        if (list == list_) {
            return;
        }
        out_ += list_.empty() ? "" : ".El\n";
        out_ += list.empty() ? "" : ".Bl " + std::string(list) + "\n";
        list_ = list;
    }

    bool starts_section() const {
        const auto line = out_.rfind('\n', out_.size() - 2);
        const auto last = std::string_view(out_).substr(line + 1);
        return last.starts_with(".Sh ") || last.starts_with(".Ss ");
    }

    void add_literal(const std::string& lines) {
        out_ += ".Bd -literal -offset indent\n";
        for (const auto line : split(std::string_view(lines).substr(0, lines.size() - 1), '\n')) {
            const bool request = line.starts_with(".") || line.starts_with("'");
            out_ += (request ? "\\&" : "") + roff_text(line, RoffText::typed) + "\n";
        }
        out_ += ".Ed\n";
    }

    std::string_view list_;
    std::string out_;
};

}  // namespace

std::string render_page_mdoc(const Page& page, std::string_view date) {
    PageSource out(page.title, date);
    for (const auto& block : page.blocks) {
        out.add(block);
    }
    return out.take();
}

}  // namespace rocenv
