// SPDX-License-Identifier: MIT
// Commands and their options. Only option_tree.cpp uses CLI11. The variable that an option writes
// to must outlive parse().
#pragma once

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/formats.h"
#include "help/manual/commands.h"
#include "os/child/supervise.h"
#include "rocenv/words.h"

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace rocenv {

// Returns the error of an invalid text, an empty text for a valid one.
using TextCheck = std::function<std::string(const std::string&)>;

// Returns an error for an empty text, otherwise an empty text.
std::string empty_text_error(const std::string& given);

// The headings of options in the help, in their order. `own` is for options of one command only.
enum class OptionGroup { own, profile, environment, node, output, general };
template <>
struct EnumWords<OptionGroup> {
    static constexpr EnumWord<OptionGroup> all[] = {
        {OptionGroup::own, "Options"},
        {OptionGroup::profile, "Profile and settings"},
        {OptionGroup::environment, "Environment"},
        {OptionGroup::node, "Node"},
        {OptionGroup::output, "Output"},
        {OptionGroup::general, "General"},
    };
};

// An option that may also stand before the command.
struct GlobalOption {
    std::string_view name;
    char letter = ' ';  // "-q"; ' ': none
    bool has_value = false;
};
// Returns all options that may stand before the command.
std::span<const GlobalOption> global_options();

// Returns the words with everything in front of the command moved behind it: "--color never profile
// list" becomes "profile list --color never". Without a command, or with another option than
// global_options() before it, the words are unchanged.
std::vector<std::string> command_first(std::vector<std::string> words);

// The options of one command. `names` as "-p,--profile"; a name without dashes is a positional
// argument. `type` is the value's name in the help. A type with "[,", as ID[,ID], accepts a list
// with commas. A summary is an imperative sentence without a full stop; known defaults are appended
// to it. A second value of an option is bad usage, unless its function says that it may be
// repeated.
class CommandOptions {
   public:
    explicit CommandOptions(CLI::App& app, OptionGroup group = OptionGroup::own)
        : app_(app), group_(group) {}

    // Returns the same command; its options get the heading of that group.
    CommandOptions in(OptionGroup group) const { return CommandOptions(app_, group); }

    // Adds a flag that sets `into` to true.
    void flag(const char* names, bool& into, const char* summary);
    // Adds a flag that calls `given`. The flag excludes the option `other`, which is added first.
    void flag(const char* names, std::function<void()> given, const char* other,
              const char* summary);
    // Adds an option with a text that `check` accepts. If it is repeated, the last text counts.
    void text(const char* names, std::string& into, const char* type, const char* summary,
              TextCheck check = {});
    // Adds an option with a text that must not be empty.
    void text(const char* names, std::optional<std::string>& into, const char* type,
              const char* summary);
    // Adds the same option, whose text is passed to `store`.
    void text(const char* names, const std::function<void(const std::string&)>& store,
              const char* type, const char* summary);
    // Adds an option with one word of an enum (rocenv/words.h).
    template <typename Enum>
    void choice(const char* names, std::function<void(Enum)> store, const char* summary) {
        choose(
            names,
            [store = std::move(store)](const std::string& word) { store(*value_of<Enum>(word)); },
            words_of<Enum>(), summary);
    }
    template <typename Enum>
    void choice(const char* names, Enum& into, const char* summary) {
        choose(names, storing(into), words_of<Enum>(), with_default(summary, word_of(into)));
    }
    template <typename Enum>
    void choice(const char* names, std::optional<Enum>& into, const char* summary) {
        choose(names, storing(into), words_of<Enum>(), summary);
    }
    // Adds an option with the word of one of `values`, listed in this order.
    template <typename Enum>
    void choice_among(const char* names, std::optional<Enum>& into,
                      std::initializer_list<Enum> values, const char* summary) {
        std::vector<std::string> words;
        for (const auto value : values) {
            words.emplace_back(word_of(value));
        }
        choose(names, storing(into), words, summary);
    }
    // Adds an option with the word of a row of a table (cli/formats.h).
    template <typename Row>
    void choice(const char* names, const Row*& into, const char* summary) {
        choose(
            names, [&into](const std::string& word) { into = format_named<Row>(word); },
            format_words<Row>(), into == nullptr ? summary : with_default(summary, into->word));
    }
    // Adds a flag with an optional word of an enum as value: --check, --check=warn. Without "=" the
    // value is the first word.
    template <typename Enum>
    void flag_or_choice(const char* names, std::optional<Enum>& into, const char* summary) {
        flag_or_choose(names, storing(into), words_of<Enum>(), summary);
    }
    // Adds an option that may be repeated, with one text each. The help says so.
    void list(const char* names, std::vector<std::string>& into, const char* type,
              const char* summary);
    // Adds an option with a whole number of 64 bits, 0 or more.
    void whole_number(const char* names, std::optional<std::uint64_t>& into, const char* type,
                      const char* summary);
    // Adds an option with a number of seconds, 0.01 to 86400; `into` holds the default.
    void seconds(const char* names, double& into, const char* summary);
    // Adds the same without a default.
    void seconds(const char* names, std::optional<double>& into, const char* summary);
    // Adds an argument that may be repeated.
    void arguments(const char* name, std::vector<std::string>& into, const char* summary,
                   bool required);
    // Adds an argument that occurs from `fewest` to `most` times.
    void arguments(const char* name, std::vector<std::string>& into, const char* summary,
                   int fewest, int most);

   private:
    using Store = std::function<void(const std::string&)>;  // stores one of the words
    template <typename Enum>
    static Store storing(std::optional<Enum>& into) {
        return [&into](const std::string& word) { into = value_of<Enum>(word); };
    }
    template <typename Enum>
    static Store storing(Enum& into) {
        return [&into](const std::string& word) { into = value_of<Enum>(word).value_or(into); };
    }
    void choose(const char* names, const Store& store, const std::vector<std::string>& words,
                const std::string& summary);
    void flag_or_choose(const char* names, const Store& store,
                        const std::vector<std::string>& words, const char* summary);
    static std::string with_default(const std::string& summary, std::string_view value);
    void put(CLI::Option& option) const;  // adds the option to the group

    CLI::App& app_;
    OptionGroup group_;
};

// Returns bad usage (status 2) of a command, "" for the program: the text, followed by a reference
// to the help unless the text has a suggestion.
Output misused(const std::string& command, const std::string& text);

// All commands.
class OptionTree {
   public:
    explicit OptionTree(std::string version);
    OptionTree(const OptionTree&) = delete;
    OptionTree& operator=(const OptionTree&) = delete;
    ~OptionTree();

    // Adds a command and returns its options. `name` is a row of command_texts.h: one word, or two
    // if the command belongs to a group ("profile show" to "profile"), which is added first.
    // `chosen` is called by parse() if the command line names the command and is valid.
    CommandOptions add(const char* name, std::function<void()> chosen);
    // Adds a command that requires a second word, such as "profile".
    void group(const char* name);

    // Parses the words, which begin with the command (command_first()). Returns std::nullopt if a
    // command was chosen, otherwise the output of --help, --version or bad usage (status 2).
    std::optional<Output> parse(const std::vector<std::string>& words);

    // Returns the texts of all commands in the order in which they were added.
    std::vector<CommandText> texts() const;

   private:
    std::unique_ptr<CLI::App> app_;
    std::string version_;
};

}  // namespace rocenv
