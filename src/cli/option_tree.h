// SPDX-License-Identifier: MIT
// Commands and their options. CLI11 is used in option_tree.cpp only. The variable that an option
// writes to must outlive parse().
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

// Returns what was expected instead of a text; empty if the text is valid.
using TextCheck = std::function<std::string(const std::string&)>;

std::string not_empty(const std::string& given);

// The headings of options in the help, in their order. `own` are those of one command only.
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

// An option that may stand before the command as well.
struct GlobalOption {
    std::string_view name;
    char letter = ' ';  // "-q"; ' ': none
    bool has_value = false;
};
std::span<const GlobalOption> global_options();

// Returns the words with what stands before the command moved behind it: of
// "--color never profile list" "profile list --color never". Without a command all stays.
std::vector<std::string> command_first(std::vector<std::string> words);

// The options of one command. `names` as "-p,--profile"; a name without dashes is an argument by
// place. `type` is what the help shows in place of the value; one with "[," in it, as ID[,ID], says
// that commas separate. A summary is an imperative sentence without a full stop; defaults that are
// known here are added to it.
class CommandOptions {
   public:
    explicit CommandOptions(CLI::App& app, OptionGroup group = OptionGroup::own)
        : app_(app), group_(group) {}

    // The same command; its options get the heading of that group.
    CommandOptions in(OptionGroup group) const { return CommandOptions(app_, group); }

    void flag(const char* names, bool& into, const char* summary);
    // A flag that calls `given`. It excludes the option `other`.
    void flag(const char* names, std::function<void()> given, const char* other,
              const char* summary);
    void text(const char* names, std::string& into, const char* type, const char* summary,
              TextCheck check = {});
    void text(const char* names, std::optional<std::string>& into, const char* type,
              const char* summary);
    void text(const char* names, const std::function<void(const std::string&)>& store,
              const char* type, const char* summary);
    // One of the words of an enum (rocenv/words.h).
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
    // One of the words of some values, in their order.
    template <typename Enum>
    void choice_among(const char* names, std::optional<Enum>& into,
                      std::initializer_list<Enum> values, const char* summary) {
        std::vector<std::string> words;
        for (const auto value : values) {
            words.emplace_back(word_of(value));
        }
        choose(names, storing(into), words, summary);
    }
    // One of the rows of a table (cli/formats.h).
    template <typename Row>
    void choice(const char* names, const Row*& into, const char* summary) {
        choose(
            names, [&into](const std::string& word) { into = format_named<Row>(word); },
            format_words<Row>(), into == nullptr ? summary : with_default(summary, into->word));
    }
    // A flag that may have one of the words of an enum as value: --check, --check=warn. Without "="
    // it is the first.
    template <typename Enum>
    void flag_or_choice(const char* names, std::optional<Enum>& into, const char* summary) {
        flag_or_choose(names, storing(into), words_of<Enum>(), summary);
    }
    void list(const char* names, std::vector<std::string>& into, const char* type,
              const char* summary);
    void whole_number(const char* names, std::optional<std::uint64_t>& into, const char* type,
                      const char* summary);
    void seconds(const char* names, double& into, const char* summary);
    void seconds(const char* names, std::optional<double>& into, const char* summary);
    void arguments(const char* name, std::vector<std::string>& into, const char* summary,
                   bool required);
    // From `fewest` to `most` of them.
    void arguments(const char* name, std::vector<std::string>& into, const char* summary,
                   int fewest, int most);

   private:
    using Store = std::function<void(const std::string&)>;  // of one of the words
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
    void put(CLI::Option& option) const;  // into the group

    CLI::App& app_;
    OptionGroup group_;
};

// Bad usage of a command: the text, and where its help is unless the text suggests something.
Output misused(const std::string& command, const std::string& text);

class OptionTree {
   public:
    explicit OptionTree(std::string version);
    OptionTree(const OptionTree&) = delete;
    OptionTree& operator=(const OptionTree&) = delete;
    ~OptionTree();

    // `name` is that of a row of command_texts.h: one word, or two, where "profile show" belongs to
    // the group "profile". `chosen` is called when the command line names it.
    CommandOptions add(const char* name, std::function<void()> chosen);
    void group(const char* name);

    // Returns std::nullopt if a command was chosen; else what --help, --version or bad usage (2)
    // print. The words begin with the command (command_first()).
    std::optional<Output> parse(const std::vector<std::string>& words);

    // All that was added, as texts, in that order.
    std::vector<CommandText> texts() const;

   private:
    std::unique_ptr<CLI::App> app_;
    std::string version_;
};

}  // namespace rocenv
