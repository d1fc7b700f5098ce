// SPDX-License-Identifier: MIT
#include "variables/sh_file.h"

#include <algorithm>
#include <iterator>
#include <utility>
#include <vector>

#include "util/text.h"

namespace rocenv {

namespace {

constexpr std::string_view letters =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_0123456789";

constexpr std::string_view other_statement =
    "rocenv evaluates only NAME=VALUE and export NAME=VALUE, not this statement";
constexpr std::string_view enclosed =
    "rocenv does not evaluate the lines of a condition, a loop or a function";
constexpr std::string_view after_the_end =
    "rocenv does not evaluate the lines after a return, exit or exec";
constexpr std::string_view not_closed = "a quote or a substitution in this statement is not closed";

struct Word {
    std::string name;     // name in NAME=WORD, else empty
    std::string text;     // text without quotes and backslashes; in NAME=WORD the part after "="
    std::string why;      // reason why a shell's text may differ, else empty
    bool quoted = false;  // true: a byte is quoted, so this cannot be a reserved word
    std::size_t line = 0;
};

// The word that closes a compound command, and whether the command is a function's body.
struct Compound {
    std::string_view closer;
    bool function = false;
};

// Reader of a script's bytes, and of quotes and substitutions.
class ShText {
   public:
    explicit ShText(std::string_view text) : text_(text) {}

    bool ended() const { return at_ >= text_.size(); }
    char byte(std::size_t ahead = 0) const {
        return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0';
    }
    bool begins(std::string_view with) const { return text_.substr(at_).starts_with(with); }
    std::size_t line() const { return line_; }
    bool is_closed() const { return closed_; }

    void skip(std::size_t count = 1) {
        for (; count > 0 && !ended(); --count) {
            line_ += text_[at_++] == '\n' ? 1U : 0U;
        }
    }

    // Returns the rest of the line and moves past its end.
    std::string_view rest_of_line() {
        const std::string_view rest = text_.substr(at_, text_.find('\n', at_) - at_);
        skip(rest.size() + 1);
        return rest;
    }

    // Returns the name of NAME= or NAME+= here and moves past it; empty if there is none.
    std::string_view name() {
        const auto end = std::min(text_.find_first_not_of(letters, at_), text_.size());
        const std::string_view name = text_.substr(at_, end - at_);
        const std::string_view behind = text_.substr(end, 2);
        if (!is_identifier(name) || (!behind.starts_with('=') && behind != "+=")) {
            return {};
        }
        skip(name.size());
        return name;
    }

    // Reads a quoted part up to its end.
    void quoted(Word& word) {
        const char quote = byte();
        word.quoted = true;
        for (skip(); !ended() && byte() != quote;) {
            const bool is_plain =
                quote == '\'' || std::string_view("\\$`").find(byte()) == std::string_view::npos;
            if (is_plain) {
                take(word);
            } else if (byte() == '\\') {
                skip();
                if (std::string_view("$`\"\\\n").find(byte()) == std::string_view::npos) {
                    word.text += '\\';
                }
                take_escaped(word);
            } else {
                substitution(word, true);
            }
        }
        close();
    }

    // Skips an expansion that begins with "$" or a backquote.
    void substitution(Word& word, bool in_quotes) {
        const bool back = byte() == '`';
        word.why = word.why.empty() ? back ? "a backquote" : "$" : word.why;
        skip();
        if (back) {
            nested('`', in_quotes);
        } else if (byte() == '(' || byte() == '{') {
            const char closer = byte() == '(' ? ')' : '}';
            skip();
            nested(closer, in_quotes && closer == '}');
        } else if (byte() == '\'' && !in_quotes) {  // $'...'
            for (skip(); !ended() && byte() != '\'';) {
                skip(byte() == '\\' ? 2 : 1);
            }
            close();
        }
    }

    void take(Word& word) {
        word.text += byte();
        skip();
    }

    // Reads the byte after a backslash; a line end there joins the lines.
    void take_escaped(Word& word) {
        if (byte() != '\n' && !ended()) {
            word.text += byte();
        }
        skip();
    }

   private:
    // Skips a closing byte, or marks that it is missing.
    void close() {
        closed_ = closed_ && !ended();
        skip();
    }

    void nested(char closer, bool in_quotes) {
        constexpr std::size_t deepest = 64;
        Word unused;
        if (++depth_ > deepest) {
            skip(text_.size());
        }
        while (!ended() && byte() != closer) {
            if (byte() == '\\') {
                skip(2);
            } else if (byte() == '"' || (byte() == '\'' && !in_quotes)) {
                quoted(unused);
                unused.text.clear();
            } else if (byte() == '$' || byte() == '`') {
                substitution(unused, in_quotes);
            } else if (byte() == '(' && closer == ')') {
                skip();
                nested(')', in_quotes);
            } else {
                skip();
            }
        }
        --depth_;
        close();
    }

    std::string_view text_;
    std::size_t at_ = 0;
    std::size_t line_ = 1;
    std::size_t depth_ = 0;
    bool closed_ = true;
};

bool is_one_of(std::string_view word, std::string_view words) {
    return !word.empty() && contains_word(words, word);
}

class ShFile {
   public:
    ShFile(const std::string& file, std::string_view text) : file_(printable(file)), text_(text) {}

    GivenEnvironment read() {
        while (!text_.ended()) {
            statement();
        }
        return std::move(out_);
    }

   private:
    // Reads up to the end of a line or a semicolon.
    void statement() {
        words_.clear();
        operators_ = false;
        at_command_ = true;
        declares_function_ = false;
        sets_any_ = false;
        enclosed_ = !open_.empty();
        const bool ended = ended_;
        while (!text_.ended() && text_.byte() != '\n' && text_.byte() != ';') {
            token();
        }
        const bool line_ends = text_.byte() == '\n';
        text_.skip();
        if (line_ends) {
            skip_here_documents();
        }
        if (!words_.empty() || operators_) {
            judge(ended);
        }
    }

    void token() {
        const char byte = text_.byte();
        if (byte == ' ' || byte == '\t') {
            text_.skip();
        } else if (text_.begins("\\\n")) {
            text_.skip(2);
        } else if (byte == '#') {
            while (!text_.ended() && text_.byte() != '\n') {
                text_.skip();
            }
        } else if (is_operator(byte)) {
            read_operator(byte);
        } else {
            words_.push_back(word());
            follow(words_.back());
        }
    }

    static bool is_operator(char byte) {
        return std::string_view("&|<>()").find(byte) != std::string_view::npos;
    }

    void read_operator(char byte) {
        if (words_.empty() && !operators_) {
            operator_line_ = text_.line();
        }
        operators_ = true;
        if (text_.begins("<<") && !text_.begins("<<<")) {
            text_.skip(2);
            here_document();
            return;
        }
        text_.skip(text_.begins("<<<") ? 3 : 1);
        at_command_ = byte != '<' && byte != '>';
        if (byte == '(') {
            open_.push_back({")", false});
            function_next_ = text_.byte() == ')';
        } else if (byte == ')' && closes(")")) {
            open_.pop_back();
        }
    }

    void here_document() {
        const bool tabs = text_.byte() == '-';
        text_.skip(tabs ? 1 : 0);
        while (text_.byte() == ' ' || text_.byte() == '\t') {
            text_.skip();
        }
        here_documents_.emplace_back(word().text, tabs);
    }

    void skip_here_documents() {
        for (const auto& [delimiter, tabs] : std::exchange(here_documents_, {})) {
            while (!text_.ended()) {
                std::string_view line = text_.rest_of_line();
                while (tabs && line.starts_with('\t')) {
                    line.remove_prefix(1);
                }
                if (line == delimiter) {
                    break;
                }
            }
        }
    }

    Word word() {
        Word out;
        out.line = text_.line();
        out.name = std::string(text_.name());
        if (!out.name.empty()) {
            out.why = text_.byte() == '+' ? "+=" : "";
            text_.skip(text_.byte() == '+' ? 2 : 1);
        }
        for (char before = out.name.empty() ? ' ' : ':'; !text_.ended() && !ends_word();) {
            before = part(out, before);
        }
        return out;
    }

    bool ends_word() const {
        const char byte = text_.byte();
        return is_operator(byte) || std::string_view(" \t\n;").find(byte) != std::string_view::npos;
    }

    // Reads one byte, or one quoted part or substitution. Returns the byte if it is plain, else a
    // blank.
    char part(Word& out, char before) {
        const char byte = text_.byte();
        if (byte == '\'' || byte == '"') {
            text_.quoted(out);
        } else if (byte == '\\') {
            out.quoted = true;
            text_.skip();
            text_.take_escaped(out);
        } else if (byte == '$' || byte == '`') {
            text_.substitution(out, false);
        } else {
            const bool expands = std::string_view("*?[{").find(byte) != std::string_view::npos ||
                                 (byte == '~' && before == ':');
            out.why = expands && out.why.empty() ? std::string(1, byte) : out.why;
            text_.take(out);
            return byte;
        }
        return ' ';
    }

    bool closes(std::string_view word) const {
        return !open_.empty() && open_.back().closer == word;
    }

    bool in_function() const {
        return std::any_of(open_.begin(), open_.end(),
                           [](const Compound& each) { return each.function; });
    }

    // Tracks the compound commands that a reserved word opens and closes (POSIX.1 XCU 2.4, 2.9.4).
    void follow(const Word& word) {
        const bool plain = !word.quoted && word.name.empty();
        const std::string_view text = plain ? std::string_view(word.text) : std::string_view();
        const bool body = std::exchange(function_next_, false);
        if (text == "{" && (at_command_ || declares_function_)) {
            open_.push_back({"}", body || declares_function_});
            at_command_ = true;
            return;
        }
        if (!at_command_ || !word.name.empty()) {
            return;  // NAME=WORD may stand before a command
        }
        if (is_one_of(text, "fi done esac }") && closes(text)) {
            open_.pop_back();
        } else if (text == "if") {
            open_.push_back({"fi", false});
        } else if (text == "case") {
            open_.push_back({"esac", false});
        } else if (is_one_of(text, "while until for select")) {
            open_.push_back({"done", false});
        }
        ended_ = ended_ || (is_one_of(text, "return exit exec") && !in_function());
        sets_any_ = sets_any_ || is_one_of(text, ". source eval module ml spack conda");
        declares_function_ = text == "function";
        at_command_ = is_one_of(text, "if then elif else while until do ! time");
    }

    bool is_exported(const Word& word) const {
        return word.name.empty() && !word.quoted && word.why.empty() &&
               (out_.variables.contains(word.text) || out_.not_evaluated.names.contains(word.text));
    }

    bool assigns() const {
        const bool exports = words_.front().name.empty();
        const bool is_export = words_.front().text == "export" && !words_.front().quoted;
        if (operators_ || (exports && (!is_export || words_.size() == 1))) {
            return false;
        }
        return std::all_of(std::next(words_.begin()), words_.end(), [&](const Word& word) {
            return !word.name.empty() || (exports && is_exported(word));
        });
    }

    void judge(bool ended) {
        if (!text_.is_closed()) {
            pass_over(not_closed);
            out_.not_evaluated.others = out_.unread.back().place + ": " + std::string(not_closed);
        } else if (ended) {
            pass_over(after_the_end);
        } else if (enclosed_) {
            pass_over(enclosed);
        } else if (words_.empty() || !assigns()) {
            pass_over(other_statement);
        } else {
            for (auto& word : words_) {
                assign(word);
            }
        }
    }

    void assign(Word& word) {
        if (word.name.empty()) {
            return;  // the name in an export, or one read before
        }
        if (!word.why.empty()) {
            const std::string why =
                "the value uses " + word.why + ", which rocenv does not evaluate";
            note(word.line, why);
            forget(word.name, place(word.line) + ": " + why);
            return;
        }
        out_.not_evaluated.names.erase(word.name);
        out_.variables[word.name] = std::move(word.text);
    }

    // Marks the names in a statement as unknown.
    void pass_over(std::string_view why) {
        const std::size_t line = words_.empty() ? operator_line_ : words_.front().line;
        const std::string sentence = place(line) + ": " + std::string(why);
        note(line, std::string(why));
        bool declares = false;
        for (const auto& word : words_) {
            const bool plain = !word.quoted && word.why.empty();
            if (!word.name.empty()) {
                forget(word.name, sentence);
            } else if (declares && plain && word.text != "in" && is_identifier(word.text)) {
                forget(word.text, sentence);
            }
            declares = (declares && word.text != "in") ||
                       (plain && is_one_of(word.text,
                                           "export unset read readonly declare typeset local for"));
        }
        if (sets_any_) {
            out_.not_evaluated.others = sentence;
        }
    }

    void forget(const std::string& name, const std::string& why) {
        out_.variables.erase(name);
        out_.not_evaluated.names[name] = why;
    }

    std::string place(std::size_t line) const { return file_ + ":" + number(line); }

    void note(std::size_t line, const std::string& why) {
        if (noted_ != line) {
            out_.unread.push_back({place(line), "not evaluated", why,
                                   "write the value itself, or check the running program with "
                                   "--pid"});
        }
        noted_ = line;
    }

    const std::string file_;
    ShText text_;
    GivenEnvironment out_;
    std::vector<Word> words_;  // words of the statement
    std::vector<Compound> open_;
    std::vector<std::pair<std::string, bool>> here_documents_;  // delimiter, "<<-"
    std::size_t operator_line_ = 0;
    std::size_t noted_ = 0;
    bool operators_ = false;          // the statement has an operator
    bool at_command_ = true;          // the next word may be a reserved one
    bool declares_function_ = false;  // the statement begins with "function"
    bool function_next_ = false;      // "()" was just read
    bool sets_any_ = false;           // the statement may set any variable
    bool enclosed_ = false;
    bool ended_ = false;
};

}  // namespace

GivenEnvironment parse_sh_file(const std::string& file, std::string_view text) {
    return ShFile(file, text).read();
}

}  // namespace rocenv
