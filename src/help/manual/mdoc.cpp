// SPDX-License-Identifier: MIT
#include <array>

#include "help/manual/render.h"
#include "help/manual/roff.h"
#include "util/text.h"
#include "variables/parsers/parser_functions.h"

namespace rocenv {

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
