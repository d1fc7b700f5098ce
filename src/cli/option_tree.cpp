// SPDX-License-Identifier: MIT
// The only user of CLI11.
#include "cli/option_tree.h"

#include <CLI/CLI.hpp>

#include <algorithm>

#include "help/explain/vocabulary.h"
#include "util/exit_status.h"
#include "util/text.h"

namespace rocenv {

namespace {

constexpr double shortest_wait_seconds = 0.01;
constexpr double longest_wait_seconds = 86400;

// One of a few words, without CLI11's habit of listing them twice in the help.
CLI::Validator one_of(std::vector<std::string> words) {
    return {[words = std::move(words)](std::string& word) {
                return std::find(words.begin(), words.end(), word) != words.end()
                           ? std::string()
                           : word + " is not one of " + join(words, ", ") +
                                 did_you_mean(nearest(word, words));
            },
            ""};
}

CLI::Validator wait() {
    return {[](std::string& text) {
                double value = 0;
                const bool good = CLI::detail::lexical_cast(text, value) &&
                                  value >= shortest_wait_seconds && value <= longest_wait_seconds;
                return good ? std::string() : text + " is no number of seconds (0.01 to 86400)";
            },
            ""};
}

std::vector<const CLI::App*> commands_of(const CLI::App& app) {
    return app.get_subcommands([](const CLI::App*) { return true; });
}

std::vector<const CLI::Option*> options_of(const CLI::App& app) {
    return app.get_options([](const CLI::Option*) { return true; });
}

// CLI11 says "a subcommand is required" for a misspelt one. Of a group it is the second word.
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
    const std::string group = at == 0 ? "" : words[at - 1] + " ";
    return "no command is named " + group + printable(words[at], 40) +
           did_you_mean(nearest(words[at], names), "; there are " + join(names, ", "));
}

// The command that the words name; of a group's alone the group.
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

// What is wrong with words that no option or argument takes.
std::string not_expected(const CLI::App& app, const std::vector<std::string>& words) {
    const CLI::App& command = chosen_in(app);
    const std::string who = command.get_parent() == nullptr ? "rocenv" : name_of(command);
    const auto option = std::find_if(words.begin(), words.end(), [](const std::string& word) {
        return word.size() > 1 && word.starts_with("-");
    });
    if (option == words.end()) {
        return who + " takes no argument " + join(words, ", ");
    }
    const std::string given = option->substr(0, option->find('='));
    std::vector<std::string> names;
    for (const CLI::Option* each : options_of(command)) {
        for (auto& name : names_of(*each)) {
            names.push_back(std::move(name));
        }
    }
    return who + " has no option " + given +
           (given.starts_with("--") ? did_you_mean(nearest(given, names)) : "");
}

OptionText text_of(const CLI::Option& option) {
    OptionText out;
    out.names = names_of(option);
    out.summary = option.get_description();
    out.by_place = option.get_positional();
    out.required = option.get_required();
    out.value_may_miss = !option.get_option_text().empty();
    const bool flag = option.get_items_expected_max() == 0;
    const std::string type = flag ? "" : option.get_type_name();
    const bool choice = type.find('|') != std::string::npos;
    out.value = out.by_place && !choice ? "" : type;  // "TEXT" of a plain argument
    if (out.value_may_miss) {                         // "[=warn]"
        out.value = option.get_option_text().substr(2);
        out.value.pop_back();
    }
    out.repeats = option.get_items_expected_max() > 1 && !out.value_may_miss;
    return out;
}

CommandText text_of(const CLI::App& app) {
    CommandText out;
    out.name = name_of(app);
    out.summary = app.get_description();
    out.footer = app.get_footer();
    out.is_group = !commands_of(app).empty();
    for (const CLI::Option* each : options_of(app)) {
        out.options.push_back(text_of(*each));
    }
    return out;
}

void add_texts(const CLI::App& app, std::vector<CommandText>& out) {
    out.push_back(text_of(app));
    for (const CLI::App* each : commands_of(app)) {
        add_texts(*each, out);
    }
}

Output not_understood(const std::string& text) {
    return {exit_usage, "",
            "rocenv: " + printable(text, uncut) + "\nrocenv: --help says what there is\n"};
}

}  // namespace

std::string not_empty(const std::string& given) {
    return given.empty() ? "must not be empty" : "";
}

void CommandOptions::flag(const char* names, bool& into, const char* summary) {
    app_.add_flag(names, into, summary);
}

void CommandOptions::text(const char* names, std::string& into, const char* type,
                          const char* summary, TextCheck check) {
    auto* option = app_.add_option(names, into, summary)->type_name(type)->take_last();
    if (check) {
        option->check(CLI::Validator(
            [check = std::move(check)](std::string& given) { return check(given); }, ""));
    }
}

void CommandOptions::text(const char* names, std::optional<std::string>& into, const char* type,
                          const char* summary) {
    app_.add_option(names, into, summary)
        ->type_name(type)
        ->check(CLI::Validator([](std::string& given) { return not_empty(given); }, ""));
}

void CommandOptions::text(const char* names, const std::function<void(const std::string&)>& store,
                          const char* type, const char* summary) {
    app_.add_option_function<std::string>(names, store, summary)
        ->type_name(type)
        ->check(CLI::Validator([](std::string& given) { return not_empty(given); }, ""));
}

void CommandOptions::choose(const char* names, const Store& store,
                            const std::vector<std::string>& words, const char* summary) {
    app_.add_option_function<std::string>(names, store, summary)
        ->check(one_of(words))
        ->type_name(CLI::detail::join(words, "|"));
}

void CommandOptions::flag_or_choose(const char* names, const Store& store,
                                    const std::vector<std::string>& words, const char* summary) {
    app_.add_option_function<std::string>(names, store, summary)
        ->expected(0, 1)
        ->default_str(words.front())
        ->check(one_of(words))
        ->option_text("[=" + words.back() + "]");
}

void CommandOptions::list(const char* names, std::vector<std::string>& into, const char* type,
                          const char* summary) {
    auto* option = app_.add_option(names, into, summary)->type_name(type)->allow_extra_args(false);
    if (std::string_view(type).find("[,") != std::string_view::npos) {
        option->delimiter(',');
    }
}

void CommandOptions::whole_number(const char* names, std::optional<std::uint64_t>& into,
                                  const char* type, const char* summary) {
    app_.add_option_function<std::string>(
            names, [&into](const std::string& text) { into = parse_number(text); }, summary)
        ->check(CLI::Validator(
            [](std::string& text) {
                return parse_number(text) ? std::string() : text + " is no whole number";
            },
            ""))
        ->type_name(type);
}

void CommandOptions::seconds(const char* names, double& into, const char* summary) {
    app_.add_option(names, into, summary)->check(wait())->type_name("SECONDS");
}

void CommandOptions::seconds(const char* names, std::optional<double>& into, const char* summary) {
    app_.add_option(names, into, summary)->check(wait())->type_name("SECONDS");
}

void CommandOptions::arguments(const char* name, std::vector<std::string>& into,
                               const char* summary, bool required) {
    app_.add_option(name, into, summary)->required(required);
}

void CommandOptions::arguments(const char* name, std::vector<std::string>& into,
                               const char* summary, int fewest, int most) {
    app_.add_option(name, into, summary)->expected(fewest, most)->required(fewest > 0);
}

void CommandOptions::footer(const char* text) {
    app_.footer(text);
}

OptionTree::OptionTree(const char* summary, std::string version)
    : app_(std::make_unique<CLI::App>(summary, "rocenv")), version_(std::move(version)) {
    app_->set_version_flag("--version", version_);
    app_->set_help_flag("-h,--help", "Print this and end");
    app_->require_subcommand(1);
}

OptionTree::~OptionTree() = default;

CommandOptions OptionTree::add(const char* name, const char* summary,
                               std::function<void()> chosen) {
    const std::string_view words = name;
    const auto blank = words.find(' ');
    CLI::App& parent = blank == std::string_view::npos
                           ? *app_
                           : *app_->get_subcommand(std::string(words.substr(0, blank)));
    CLI::App* sub = parent.add_subcommand(std::string(words.substr(words.rfind(' ') + 1)), summary);
    sub->set_version_flag("--version", version_);
    sub->callback(std::move(chosen));
    return CommandOptions(*sub);
}

void OptionTree::group(const char* name, const char* summary) {
    CLI::App* group = app_->add_subcommand(name, summary);
    group->require_subcommand(1);
    group->set_version_flag("--version", version_);
}

void OptionTree::footer(const char* text) {
    app_->footer(text);
}

std::string OptionTree::help() const {
    return app_->help() + status_lines(name_of(chosen_in(*app_)));
}

std::optional<Output> OptionTree::parse(const std::vector<std::string>& words) {
    if (words.empty()) {
        return Output{exit_usage, "", help()};
    }
    if (const auto wrong = unknown_command(*app_, words)) {
        return not_understood(*wrong);
    }
    try {
        app_->parse(std::vector<std::string>(words.rbegin(), words.rend()));
    } catch (const CLI::CallForVersion& version) {
        return Output{0, std::string(version.what()) + "\n", ""};
    } catch (const CLI::Success&) {  // --help
        return Output{0, help(), ""};
    } catch (const CLI::ExtrasError&) {
        return not_understood(not_expected(*app_, app_->remaining(true)));
    } catch (const CLI::ParseError& error) {
        return not_understood(error.what());
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
