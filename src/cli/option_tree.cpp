// SPDX-License-Identifier: MIT
// The only user of CLI11.
#include "cli/option_tree.h"

#include <CLI/CLI.hpp>

#include <algorithm>

#include "cli/command_texts.h"
#include "settings/registry.h"
#include "util/decimal.h"
#include "util/exit_status.h"
#include "util/near_names.h"
#include "util/text.h"

namespace rocenv {

namespace {

constexpr double shortest_wait_seconds = 0.01;
constexpr double longest_wait_seconds = 86400;

// The exception of a check of a value. The text is ours, and CLI11 adds no name to it.
class Misuse : public CLI::ParseError {
   public:
    explicit Misuse(const std::string& text)
        : ParseError("Misuse", text, CLI::ExitCodes::ValidationError) {}
};

// "--profile" of "-p,--profile".
std::string long_name(std::string_view names) {
    return std::string(names.substr(names.rfind(',') + 1));
}

[[noreturn]] void reject(std::string_view names, std::string_view given,
                         const std::string& expected) {
    throw Misuse("invalid value " + in_quotes(given) + " for " + long_name(names) + ": " +
                 expected);
}

// One of a few words. CLI11's own check would list them twice in the help.
CLI::Validator one_of(std::string names, std::vector<std::string> words) {
    return {[names = std::move(names), words = std::move(words)](std::string& word) {
                if (std::find(words.begin(), words.end(), word) == words.end()) {
                    reject(
                        names, word,
                        "expected " + alternatives(words) + did_you_mean(near_names(word, words)));
                }
                return std::string();
            },
            ""};
}

CLI::Validator wait(std::string names) {
    return {[names = std::move(names)](std::string& text) {
                double value = 0;
                const bool good = CLI::detail::lexical_cast(text, value) &&
                                  value >= shortest_wait_seconds && value <= longest_wait_seconds;
                if (!good) {
                    reject(names, text, "expected seconds, 0.01 to 86400");
                }
                return std::string();
            },
            ""};
}

CLI::Validator checked(std::string names, TextCheck check) {
    return {[names = std::move(names), check = std::move(check)](std::string& given) {
                if (const std::string expected = check(given); !expected.empty()) {
                    reject(names, given, expected);
                }
                return std::string();
            },
            ""};
}

std::vector<const CLI::App*> commands_of(const CLI::App& app) {
    return app.get_subcommands([](const CLI::App*) { return true; });
}

std::vector<const CLI::Option*> options_of(const CLI::App& app) {
    return app.get_options([](const CLI::Option*) { return true; });
}

// Returns the message for an unknown command, which CLI11 reports as a missing one. In a group, the
// unknown command is the second word.
std::optional<std::string> unknown_command(const CLI::App& app,
                                           const std::vector<std::string>& words,
                                           std::size_t at = 0) {
    const auto commands = commands_of(app);
    if (at == words.size() || words[at].starts_with("-") || commands.empty()) {
        return std::nullopt;
    }
    std::vector<std::string> names;
    for (const CLI::App* each : commands) {
        names.push_back(each->get_name());
        if (names.back() == words[at]) {
            return unknown_command(*each, words, at + 1);
        }
    }
    const std::string given = at == 0 ? words[at] : words[at - 1] + " " + words[at];
    auto near = near_names(words[at], names);
    for (auto& name : near) {
        name = at == 0 ? name : words[at - 1] + " " + name;
    }
    return "unknown command " + in_quotes(given, 60) + did_you_mean(near);
}

// Returns the command that the words name; the group if no second word follows.
const CLI::App& chosen_in(const CLI::App& app) {
    const auto chosen = app.get_subcommands();
    return chosen.empty() ? app : chosen_in(*chosen.back());
}

// "profile show", empty for the program itself.
std::string name_of(const CLI::App& app) {
    const CLI::App* parent = app.get_parent();
    if (parent == nullptr) {
        return "";
    }
    const std::string before = name_of(*parent);
    return before + (before.empty() ? "" : " ") + app.get_name();
}

std::vector<std::string> names_of(const CLI::Option& option) {
    std::vector<std::string> names;
    if (option.get_positional()) {
        return {option.get_name()};
    }
    for (const auto& name : option.get_snames()) {
        names.push_back("-" + name);
    }
    for (const auto& name : option.get_lnames()) {
        names.push_back("--" + name);
    }
    return names;
}

// Returns the option that a word without one may belong to; empty if the command has none.
std::string option_for(const CLI::App& command, const std::string& word) {
    const bool is_machine = word.ends_with(".tree") || word.find('/') != word.npos;
    const char* const name = word.find('=') != word.npos     ? "--want"
                             : find_setting(word) != nullptr ? "--only"
                             : is_machine                    ? "--sysroot"
                                                             : "--profile";
    if (command.get_option_no_throw(name) == nullptr) {
        return "";
    }
    return name == std::string_view("--profile") ? "-p" : name;
}

// Returns what is wrong with words that no option and no argument accepts.
std::string not_expected(const CLI::App& app, const std::vector<std::string>& words) {
    const CLI::App& command = chosen_in(app);
    std::vector<std::string> names;
    for (const CLI::Option* each : options_of(command)) {
        for (auto& name : names_of(*each)) {
            names.push_back(std::move(name));
        }
    }
    const auto option = std::find_if(words.begin(), words.end(), [](const std::string& word) {
        return word.size() > 1 && word.starts_with("-");
    });
    if (option == words.end()) {
        const std::string& word = words.front();
        const std::string meant = option_for(command, word);
        return "unexpected argument " + in_quotes(word, 60) +
               (meant.empty() ? "" : ". Did you mean " + in_quotes(meant + " " + word, 60) + "?");
    }
    const std::string given = option->substr(0, option->find('='));
    const bool is_letter = given.size() == 2;
    return "unknown option " + in_quotes(given, 60) +
           (is_letter ? "" : did_you_mean(near_names(given, names)));
}

// "--profile" of "--profile: 1 required PROFILE missing", "FILE" of "FILE is required".
std::string name_in(const std::string& message) {
    return message.substr(0, message.find_first_of(": "));
}

// Returns what is wrong in our words, from one of CLI11's errors.
std::string misuse_text(const CLI::App& app, const CLI::ParseError& error) {
    std::string what = error.what();
    const std::string name = name_in(what);
    const bool is_option = name.starts_with("-");
    if (dynamic_cast<const CLI::RequiredError*>(&error) != nullptr) {
        std::vector<std::string> commands;
        for (const CLI::App* each : commands_of(chosen_in(app))) {
            commands.push_back(each->get_name());
        }
        return commands.empty() ? "missing argument " + name
                                : "missing command: expected " + alternatives(commands);
    }
    if (dynamic_cast<const CLI::ExcludesError*>(&error) != nullptr) {
        return name + " and " + what.substr(what.rfind(' ') + 1) + " exclude each other";
    }
    if (dynamic_cast<const CLI::ArgumentMismatch*>(&error) != nullptr) {
        if (what.find("At Most") != std::string::npos) {
            return is_option ? "option " + name + " is given more than once"
                             : "too many arguments " + name;
        }
        if (what.find("flag override") != std::string::npos) {
            return "option " + name + " accepts no value";
        }
        return is_option ? "missing value for " + name : "missing argument " + name;
    }
    return what;
}

OptionText text_of(const CLI::Option& option) {
    OptionText out;
    out.names = names_of(option);
    out.summary = option.get_description();
    out.group = option.get_group();
    out.is_positional = option.get_positional();
    out.required = option.get_required();
    out.value_may_miss = !option.get_option_text().empty();
    const bool flag = option.get_items_expected_max() == 0;
    const std::string type = flag ? "" : option.get_type_name();
    const bool choice = type.find('|') != std::string::npos;
    out.value = out.is_positional && !choice ? "" : type;  // "TEXT" of a plain argument
    if (out.value_may_miss) {                              // "[=warn]"
        out.value = option.get_option_text().substr(2);
        out.value.pop_back();
    }
    out.repeats = option.get_items_expected_max() > 1 && !out.value_may_miss;
    const bool fixed = option.get_items_expected_min() == option.get_items_expected_max();
    out.exactly = out.is_positional && fixed ? option.get_items_expected_min() : 1;
    return out;
}

OptionGroup group_of(const OptionText& option) {
    return value_of<OptionGroup>(option.group).value_or(OptionGroup::general);
}

CommandText text_of(const CLI::App& app) {
    CommandText out;
    out.name = name_of(app);
    const CommandRow& row = command_row(out.name);
    out.summary = row.summary;
    out.group = row.group;
    out.footer = row.notes;
    out.is_group = !commands_of(app).empty();
    out.programs = out.name == "run";
    for (const CLI::Option* each : options_of(app)) {
        out.options.push_back(text_of(*each));
    }
    std::stable_sort(
        out.options.begin(), out.options.end(),
        [](const OptionText& a, const OptionText& b) { return group_of(a) < group_of(b); });
    for (const auto& example : row.examples) {
        out.examples.push_back({std::string(example.line), std::string(example.does)});
    }
    return out;
}

std::string help_of(const CLI::App& app) {
    return app.get_parent() == nullptr ? program_help() : command_help(text_of(app));
}

void add_texts(const CLI::App& app, std::vector<CommandText>& out) {
    out.push_back(text_of(app));
    for (const CLI::App* each : commands_of(app)) {
        add_texts(*each, out);
    }
}

Output not_understood(const CLI::App& app, const std::string& text) {
    return misused(name_of(chosen_in(app)), text);
}

constexpr GlobalOption all_global_options[] = {
    {"--format", ' ', true},  {"--json"},
    {"--color", ' ', true},   {"--quiet", 'q'},
    {"--verbose", 'v'},       {"--sysroot", ' ', true},
    {"--timeout", ' ', true}, {"--deadline", ' ', true},
    {"--help", 'h'},          {"--version", 'V'},
};

const GlobalOption* global_option(std::string_view word) {
    const auto name = word.substr(0, word.find('='));
    const auto* found = std::find_if(
        std::begin(all_global_options), std::end(all_global_options), [&](const auto& option) {
            return option.name == name || (name.size() == 2 && name[0] == '-' &&
                                           option.letter == name[1] && option.letter != ' ');
        });
    return found == std::end(all_global_options) ? nullptr : &*found;
}

// Returns the index of the first word behind the options of all commands.
std::size_t end_of_globals(const std::vector<std::string>& words) {
    std::size_t at = 0;
    while (at < words.size()) {
        const GlobalOption* option = global_option(words[at]);
        if (option == nullptr) {
            break;
        }
        const bool separate = option->has_value && words[at].find('=') == std::string::npos;
        at += separate ? 2 : 1;
    }
    return at;
}

// Returns what is wrong with words that begin with an option.
std::string wrong_start(const std::vector<std::string>& words) {
    const std::size_t at = end_of_globals(words);
    if (at >= words.size()) {
        return "missing command";
    }
    std::vector<std::string> names;
    for (const auto& option : all_global_options) {
        names.emplace_back(option.name);
    }
    const std::string given = words[at].substr(0, words[at].find('='));
    return "unknown option " + in_quotes(given, 60) + " before the command" +
           (given.size() == 2 ? "" : did_you_mean(near_names(given, names)));
}

}  // namespace

std::span<const GlobalOption> global_options() {
    return all_global_options;
}

std::vector<std::string> command_first(std::vector<std::string> words) {
    const std::size_t at = end_of_globals(words);
    if (at >= words.size() || words[at].starts_with("-")) {
        return words;
    }
    const bool two =
        is_command_group(words[at]) && at + 1 < words.size() && !words[at + 1].starts_with("-");
    const auto begin = words.begin();
    std::rotate(begin, begin + static_cast<std::ptrdiff_t>(at),
                begin + static_cast<std::ptrdiff_t>(at + (two ? 2 : 1)));
    return words;
}

Output misused(const std::string& command, const std::string& text) {
    const std::string help = "rocenv " + command + (command.empty() ? "" : " ") + "--help";
    const bool suggests = text.find("Did you mean") != std::string::npos;
    return {exit_usage, "",
            "rocenv: " + printable(text, uncut) + "\n" +
                (suggests ? "" : "Try " + in_quotes(help) + ".\n")};
}

std::string empty_text_error(const std::string& given) {
    return given.empty() ? "expected a text" : "";
}

void CommandOptions::put(CLI::Option& option) const {
    option.group(std::string(word_of(group_)));
}

std::string CommandOptions::with_default(const std::string& summary, std::string_view value) {
    return summary + " [default: " + std::string(value) + "]";
}

void CommandOptions::flag(const char* names, bool& into, const char* summary) {
    put(*app_.add_flag(names, into, summary));
}

void CommandOptions::flag(const char* names, std::function<void()> given, const char* other,
                          const char* summary) {
    auto* option = app_.add_flag_callback(names, std::move(given), summary);
    option->excludes(app_.get_option(other));
    put(*option);
}

void CommandOptions::text(const char* names, std::string& into, const char* type,
                          const char* summary, TextCheck check) {
    auto* option = app_.add_option(names, into, summary)->type_name(type)->take_last();
    if (check) {
        option->check(checked(names, std::move(check)));
    }
    put(*option);
}

void CommandOptions::text(const char* names, std::optional<std::string>& into, const char* type,
                          const char* summary) {
    put(*app_.add_option(names, into, summary)
             ->type_name(type)
             ->check(checked(names, empty_text_error)));
}

void CommandOptions::text(const char* names, const std::function<void(const std::string&)>& store,
                          const char* type, const char* summary) {
    put(*app_.add_option_function<std::string>(names, store, summary)
             ->type_name(type)
             ->check(checked(names, empty_text_error)));
}

void CommandOptions::choose(const char* names, const Store& store,
                            const std::vector<std::string>& words, const std::string& summary) {
    put(*app_.add_option_function<std::string>(names, store, summary)
             ->check(one_of(names, words))
             ->type_name(CLI::detail::join(words, "|")));
}

void CommandOptions::flag_or_choose(const char* names, const Store& store,
                                    const std::vector<std::string>& words, const char* summary) {
    put(*app_.add_option_function<std::string>(names, store, summary)
             ->expected(0, 1)
             ->default_str(words.front())
             ->check(one_of(names, words))
             ->option_text("[=" + words.back() + "]"));
}

void CommandOptions::list(const char* names, std::vector<std::string>& into, const char* type,
                          const char* summary) {
    const bool commas = std::string_view(type).find("[,") != std::string_view::npos;
    const bool says_it = commas || std::string_view(summary).find("repeat") != std::string::npos;
    const std::string text = std::string(summary) + (says_it ? "" : " (repeatable)");
    auto* option = app_.add_option(names, into, text)->type_name(type)->allow_extra_args(false);
    if (commas) {
        option->delimiter(',');
    }
    put(*option);
}

void CommandOptions::whole_number(const char* names, std::optional<std::uint64_t>& into,
                                  const char* type, const char* summary) {
    const auto number_error = [](const std::string& text) {
        return parse_number(text) ? std::string() : std::string("expected a whole number");
    };
    put(*app_.add_option_function<std::string>(
                 names, [&into](const std::string& text) { into = parse_number(text); }, summary)
             ->check(checked(names, number_error))
             ->type_name(type));
}

void CommandOptions::seconds(const char* names, double& into, const char* summary) {
    const std::string shown = number(nearest_integer(into)) + " s";
    put(*app_.add_option(names, into, with_default(summary, shown))
             ->check(wait(names))
             ->type_name("SECONDS"));
}

void CommandOptions::seconds(const char* names, std::optional<double>& into, const char* summary) {
    put(*app_.add_option(names, into, summary)->check(wait(names))->type_name("SECONDS"));
}

void CommandOptions::arguments(const char* name, std::vector<std::string>& into,
                               const char* summary, bool required) {
    put(*app_.add_option(name, into, summary)->required(required));
}

void CommandOptions::arguments(const char* name, std::vector<std::string>& into,
                               const char* summary, int fewest, int most) {
    put(*app_.add_option(name, into, summary)->expected(fewest, most)->required(fewest > 0));
}

namespace {

// Adds --version, and lists it and --help, which each command inherits, below the other options.
void add_general(CLI::App& app, const std::string& version) {
    const std::string group(word_of(OptionGroup::general));
    app.get_help_ptr()->group(group);
    app.set_version_flag("-V,--version", version, "Print the version")->group(group);
}

}  // namespace

OptionTree::OptionTree(std::string version)
    : app_(std::make_unique<CLI::App>("", "rocenv")), version_(std::move(version)) {
    app_->set_help_flag("-h,--help", "Print this help");
    add_general(*app_, version_);
    app_->require_subcommand(1);
    app_->formatter_fn([](const CLI::App* app, const std::string& /*name*/,
                          CLI::AppFormatMode /*mode*/) { return help_of(*app); });
}

OptionTree::~OptionTree() = default;

CommandOptions OptionTree::add(const char* name, std::function<void()> chosen) {
    const std::string_view words = name;
    const auto blank = words.find(' ');
    CLI::App& parent = blank == std::string_view::npos
                           ? *app_
                           : *app_->get_subcommand(std::string(words.substr(0, blank)));
    CLI::App* sub = parent.add_subcommand(std::string(words.substr(words.rfind(' ') + 1)));
    add_general(*sub, version_);
    sub->callback(std::move(chosen));
    return CommandOptions(*sub);
}

void OptionTree::group(const char* name) {
    CLI::App* group = app_->add_subcommand(name);
    group->require_subcommand(1);
    add_general(*group, version_);
}

std::optional<Output> OptionTree::parse(const std::vector<std::string>& words) {
    if (words.empty()) {
        return Output{exit_usage, "", program_help()};
    }
    if (const auto wrong = unknown_command(*app_, words)) {
        return not_understood(*app_, *wrong);
    }
    try {
        app_->parse(std::vector<std::string>(words.rbegin(), words.rend()));
    } catch (const CLI::CallForVersion& version) {
        return Output{0, std::string(version.what()) + "\n", ""};
    } catch (const CLI::Success&) {  // --help
        return Output{0, app_->help(), ""};
    } catch (const CLI::ParseError& error) {
        if (words.front().starts_with("-")) {
            return not_understood(*app_, wrong_start(words));
        }
        const bool extras = dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr;
        return not_understood(
            *app_, extras ? not_expected(*app_, app_->remaining(true)) : misuse_text(*app_, error));
    }
    return std::nullopt;
}

std::vector<CommandText> OptionTree::texts() const {
    std::vector<CommandText> out;
    for (const CLI::App* each : commands_of(*app_)) {
        add_texts(*each, out);
    }
    return out;
}

}  // namespace rocenv
