// SPDX-License-Identifier: MIT
#include "help/manual/pages.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "fleet/read/precedence.h"
#include "help/explain/parts.h"
#include "help/explain/vocabulary.h"
#include "help/manual/commands.h"
#include "help/manual/oncall.h"
#include "help/manual/page.h"
#include "help/manual/prose.h"
#include "profile/profile_entry.h"
#include "profile/profile_image.h"
#include "settings/registry.h"
#include "util/near_names.h"
#include "util/text.h"
#include "variables/catalogue.h"
#include "variables/parsers/parser_functions.h"
#include "variables/releases/versions.h"

namespace rocenv {

namespace {

// The parts of pages that are made of the program's own facts.

std::vector<Block> option_blocks(const CommandText& command);
std::vector<Block> example_blocks(const CommandText& command);
// Returns the description of a command, with its name above if `titled`.
std::vector<Block> footer_blocks(const CommandText& command, bool titled);
// Returns the exit statuses of a command, also with an option ("check --format nagios").
std::vector<Block> status_blocks(std::string_view command);

std::vector<Block> precedence_blocks();
std::vector<Block> all_setting_blocks();
std::vector<Block> all_variable_blocks();
// The keys of profiles, sites' files and waivers.
std::vector<Block> key_blocks();
// Shipped profiles.
std::vector<Block> profile_blocks();

// Returns the facts about one setting, variable or shipped profile; empty if nothing has that name.
std::vector<Block> entry_blocks(const std::string& name);
// Returns all names for entry_blocks().
std::vector<std::string> entry_names();

constexpr std::string_view family = "env.";

std::string copy(std::string_view text) {
    return std::string(text);
}

void add_lines(const std::vector<LabelledText>& lines, std::vector<Block>& out) {
    for (const auto& line : lines) {
        if (!line.text.empty()) {
            out.push_back({BlockKind::item, line.text, copy(line.label)});
        }
    }
}

std::vector<Block> setting_blocks(const Info& info) {
    std::vector<Block> out{{BlockKind::subsection, copy(info.id)},
                           {BlockKind::paragraph, copy(info.summary) + "."}};
    add_lines(setting_lines(info), out);
    return out;
}

std::string default_note(const Variable& variable) {
    const auto defaults = variable_defaults(variable);
    const std::string text = defaults.empty() ? copy(variable.fallback_note) : join(defaults, "; ");
    return text.empty() ? "" : "; default: " + text;
}

// Returns the packages whose programs read the variable: "torch, rocm".
std::string packages_of(const Variable& variable) {
    std::vector<std::string> out;
    for (const auto& reader : variable.read_by) {
        if (std::find(out.begin(), out.end(), reader.package) == out.end()) {
            out.emplace_back(reader.package);
        }
    }
    return join(out, ", ");
}

Block variable_block(const Variable& variable) {
    const std::string reader = copy(variable.reader);
    std::string out = variable.doc.empty() ? "" : copy(variable.doc) + " ";
    out += variable.note.empty() ? "" : copy(variable.note) + " ";
    out += reader +
           (reader.empty()                        ? "Accepts "
            : is_several_readers(variable.reader) ? " accept "
                                                  : " accepts ") +
           variable_accepts(variable) + default_note(variable) + ".";
    const std::string packages = packages_of(variable);
    out += variable.status.empty() ? "" : " Status: " + copy(variable.status) + ".";
    return {BlockKind::item, out + (packages.empty() ? "" : " (" + packages + ")"),
            copy(variable.name)};
}

std::string summary_of(const BuiltinProfile& profile) {
    return profile_in(profile.image, "", Entries::none).summary;
}

struct Keys {
    KeyOf of;
    std::string_view title;
};
constexpr Keys key_tables[] = {{KeyOf::file, "Tables of a file"},
                               {KeyOf::profile, "The [profile] table"},
                               {KeyOf::match, "The [match] table"},
                               {KeyOf::entry, "An entry of [settings] or [env] as a table"},
                               {KeyOf::when, "Conditions in when"},
                               {KeyOf::waiver, "A [[waiver]] table"}};

std::vector<Block> option_blocks(const CommandText& command) {
    std::vector<Block> out;
    for (const auto& option : command.options) {
        out.push_back({option.is_positional ? BlockKind::item : BlockKind::option,
                       option.summary + ".", term_of(option)});
    }
    return out;
}

std::vector<Block> example_blocks(const CommandText& command) {
    std::vector<Block> out;
    for (const auto& example : command.examples) {
        const char* end = example.does.ends_with("?") ? "" : ".";
        out.push_back({BlockKind::item, example.does + end, example.line});
    }
    return out;
}

std::vector<Block> footer_blocks(const CommandText& command, bool titled) {
    std::vector<Block> out;
    if (titled) {
        out.push_back({BlockKind::subsection, command.name});
    }
    out.push_back({BlockKind::paragraph, command.summary + "."});
    if (!command.footer.empty()) {
        out.push_back({BlockKind::paragraph, command.footer});
    }
    return out;
}

std::vector<Block> status_blocks(std::string_view command) {
    std::vector<Block> out;
    std::string_view last_command = command;
    for (const auto& row : statuses_of(command)) {
        if (row.command != last_command) {
            last_command = row.command;
            out.push_back({BlockKind::subsection, copy(last_command)});
        }
        out.push_back({BlockKind::item, copy(row.means) + ".", copy(row.status)});
    }
    return out;
}

// The rules of fleet in their order.
std::vector<Block> precedence_blocks() {
    std::vector<Block> out{{BlockKind::paragraph,
                            "If there are several reports of a node, these rules decide in their "
                            "order. The names are those in JSON (`precedence`) and in metrics."}};
    for (const auto& rule : precedence_rules()) {
        out.push_back({BlockKind::item, copy(rule.sentence), copy(rule.name)});
    }
    return out;
}

std::vector<Block> all_setting_blocks() {
    std::vector<Block> out;
    for (const Setting* setting : all_settings()) {
        if (setting->info.id != family) {
            for (auto& block : setting_blocks(setting->info)) {
                out.push_back(std::move(block));
            }
        }
    }
    return out;
}

std::vector<Block> all_variable_blocks() {
    std::vector<Block> out;
    for (const auto& name : catalogued_names()) {
        out.push_back(variable_block(*find_variable(name)));
    }
    return out;
}

std::vector<Block> key_blocks() {
    std::vector<Block> out;
    for (const auto& table : key_tables) {
        out.push_back({BlockKind::subsection, copy(table.title)});
        for (const auto& key : profile_keys()) {
            if (key.of == table.of) {
                out.push_back({BlockKind::item, copy(key.means), copy(key.name)});
            }
        }
        if (table.of == KeyOf::when) {
            out.push_back({BlockKind::item,
                           "Bounds of a version, \">=2.6,<2.9\", of one of " +
                               join(Versions::packages(), ", ") +
                               ". Fails where it was found and is another.",
                           "PACKAGE"});
        }
    }
    return out;
}

std::vector<Block> profile_blocks() {
    std::vector<Block> out;
    for (const auto& profile : builtin_profiles) {
        out.push_back({BlockKind::item, summary_of(profile) + ".", copy(profile.name)});
    }
    return out;
}

std::vector<Block> entry_blocks(const std::string& name) {
    const Setting* setting = find_setting(name);
    if (setting != nullptr && setting->info.id == name) {
        return setting_blocks(setting->info);
    }
    const std::string plain = name.starts_with(family) ? name.substr(family.size()) : name;
    if (const auto variable = find_variable(plain)) {
        return {variable_block(*variable)};
    }
    for (const auto& profile : builtin_profiles) {
        if (profile.name == name) {
            return {{BlockKind::item, summary_of(profile) + ".", name}};
        }
    }
    return {};
}

std::vector<std::string> entry_names() {
    std::vector<std::string> out = catalogued_names();
    for (const Setting* setting : all_settings()) {
        out.emplace_back(setting->info.id);
    }
    for (const auto& profile : builtin_profiles) {
        out.emplace_back(profile.name);
    }
    return out;
}

constexpr std::string_view program = "rocenv";

// The order of mdoc(7) for usual sections. Other sections are at the empty title.
constexpr std::array<std::string_view, 9> section_order{
    "NAME",  "SYNOPSIS",    "DESCRIPTION", "",        "ENVIRONMENT",
    "FILES", "EXIT STATUS", "EXAMPLES",    "SEE ALSO"};

std::size_t rank_of_section(const std::string& title) {
    const auto found = std::find(section_order.begin(), section_order.end(), title);
    const auto custom = std::find(section_order.begin(), section_order.end(), "");
    return static_cast<std::size_t>((found == section_order.end() ? custom : found) -
                                    section_order.begin());
}

struct Part {
    std::string title;
    std::vector<Block> blocks;
};

// Sections of one title become one.
class Parts {
   public:
    void add(const std::string& title, std::vector<Block> blocks) {
        if (blocks.empty()) {
            return;
        }
        auto part = std::find_if(parts_.begin(), parts_.end(),
                                 [&](const Part& each) { return each.title == title; });
        if (part == parts_.end()) {
            part = parts_.insert(part, {title, {}});
        }
        part->blocks.insert(part->blocks.end(), std::make_move_iterator(blocks.begin()),
                            std::make_move_iterator(blocks.end()));
    }

    // Adds the prose of a topic. Text before its first heading is a description.
    void add_prose(std::string_view topic) {
        std::string title = "DESCRIPTION";
        for (auto& block : prose_of(topic)) {
            if (block.kind == BlockKind::section) {
                title = parsers::ascii_upper(block.text);
            } else {
                add(title, {std::move(block)});
            }
        }
    }

    std::vector<Block> in_order() {
        std::stable_sort(parts_.begin(), parts_.end(), [](const Part& a, const Part& b) {
            return rank_of_section(a.title) < rank_of_section(b.title);
        });
        std::vector<Block> out;
        for (auto& part : parts_) {
            out.push_back({BlockKind::section, part.title});
            out.insert(out.end(), part.blocks.begin(), part.blocks.end());
        }
        return out;
    }

   private:
    std::vector<Part> parts_;
};

Block related(const PageTitle& self, const std::vector<PageTitle>& titles) {
    std::vector<std::string> names;
    for (int section = 1; section < 9; ++section) {
        for (const auto& each : titles) {
            if (each.section == section && !(each.name == self.name && self.section == section)) {
                names.push_back(each.name + "(" + number(section) + ")");
            }
        }
    }
    std::sort(names.begin(), names.end(), [](const std::string& a, const std::string& b) {
        return std::pair(a.substr(a.find('(')), a) < std::pair(b.substr(b.find('(')), b);
    });
    return {BlockKind::paragraph, join(names, ", ")};
}

bool is_command(const PageTitle& title) {
    return title.section == 1 && title.name != program;
}

// "rocenv-check(1)" and "check.1" as a name and a section; 0: any.
std::pair<std::string, int> asked_page(std::string topic) {
    int section = 0;
    const bool bracket = topic.size() > 3 && topic.ends_with(")") && topic[topic.size() - 3] == '(';
    topic.resize(bracket ? topic.size() - 1 : topic.size());
    const auto size = topic.size();
    const bool digit = size > 2 && topic[size - 1] >= '1' && topic[size - 1] <= '8';
    if (digit && (topic[size - 2] == '.' || topic[size - 2] == '(')) {
        section = topic[size - 1] - '0';
        topic.resize(size - 2);
    }
    const std::string prefix = std::string(program) + "-";
    return {topic == program || topic.starts_with(prefix) ? topic : prefix + topic, section};
}

// A word that a person may type for a page.
struct Alias {
    std::string_view word;
    std::string_view topic;
};
constexpr Alias aliases[] = {{"commands", "rocenv"},      {"exit", "exit-status"},
                             {"profiles", "profile.5"},   {"setting", "settings"},
                             {"statuses", "exit-status"}, {"variable", "variables"}};

std::string without_alias(const std::string& topic) {
    for (const auto& alias : aliases) {
        if (alias.word == topic) {
            return std::string(alias.topic);
        }
    }
    return topic;
}

}  // namespace

std::string topic_of(const PageTitle& title) {
    return title.name == program ? title.name : title.name.substr(program.size() + 1);
}

std::vector<PageTitle> Manual::titles() const {
    std::vector<PageTitle> out{{std::string(program), 1, "Check, set and restore AMD GPU nodes"}};
    for (const auto& command : commands_) {
        if (command.name.find(' ') == std::string::npos) {
            out.push_back({std::string(program) + "-" + command.name, 1, command.summary});
        }
    }
    out.push_back({"rocenv-profile", 5, "Profiles, a site's file and waivers"});
    out.push_back({"rocenv-exit-status", 7, "What each command ends with"});
    out.push_back({"rocenv-oncall", 7, "What to do about each required check"});
    out.push_back({"rocenv-settings", 7, "What is judged and set"});
    out.push_back({"rocenv-variables", 7, "Environment variables and their readers"});
    return out;
}

Page Manual::program_page(const PageTitle& title) const {
    Parts parts;
    parts.add("SYNOPSIS", {{BlockKind::usage, "rocenv COMMAND [OPTIONS] [ARGUMENT...]"},
                           {BlockKind::usage, "rocenv --version"},
                           {BlockKind::usage, "rocenv --help"}});
    for (const auto& command : commands_) {
        if (!command.is_group) {
            parts.add("COMMANDS", {{BlockKind::item, command.summary, command.name}});
        }
    }
    parts.add("EXIT STATUS", status_blocks("check"));
    parts.add("EXIT STATUS", {{BlockKind::paragraph, "rocenv-exit-status(7) has all commands."}});
    parts.add_prose("rocenv");
    return {title, parts.in_order()};
}

// A group's page has its commands, one below the other.
Page Manual::command_page(const PageTitle& title) const {
    const std::string name = topic_of(title);
    Parts parts;
    for (const auto& command : commands_) {
        const bool below = command.name.starts_with(name + " ");
        if (command.name != name && !below) {
            continue;
        }
        if (!command.is_group) {
            parts.add("SYNOPSIS", {{BlockKind::usage, usage_of(command)}});
            parts.add(below ? "OPTIONS" : "DESCRIPTION", footer_blocks(command, below));
        }
        if (below) {
            parts.add("EXIT STATUS", {{BlockKind::subsection, command.name}});
        }
        parts.add("OPTIONS", option_blocks(command));
        parts.add("EXIT STATUS", status_blocks(command.name));
        parts.add("EXAMPLES", example_blocks(command));
    }
    parts.add_prose(name);
    if (name == "fleet") {
        parts.add("WHICH REPORT COUNTS", precedence_blocks());
    }
    return {title, parts.in_order()};
}

Page Manual::made(const PageTitle& title) const {
    if (title.name == program) {
        return program_page(title);
    }
    if (is_command(title)) {
        return command_page(title);
    }
    const std::string topic = topic_of(title);
    Parts parts;
    parts.add_prose(topic == "profile" ? "profile.5" : topic);
    if (topic == "profile") {
        parts.add("KEYS", key_blocks());
        parts.add("SHIPPED PROFILES", profile_blocks());
    } else if (topic == "oncall") {
        parts.add("REQUIRED CHECKS", oncall_blocks());
    } else if (topic == "settings") {
        parts.add("SETTINGS", all_setting_blocks());
    } else if (topic == "variables") {
        parts.add("VARIABLES", all_variable_blocks());
    } else if (topic == "exit-status") {
        for (const auto& command : commands_) {
            if (!command.is_group) {
                parts.add("EXIT STATUS", {{BlockKind::subsection, command.name}});
                parts.add("EXIT STATUS", status_blocks(command.name));
            }
        }
    }
    return {title, parts.in_order()};
}

Result<Page> Manual::page(const std::string& topic) const {
    const auto [name, section] = asked_page(without_alias(topic));
    const auto all = titles();
    for (const auto& title : all) {
        if (title.name == name && (section == 0 || section == title.section)) {
            Page page = made(title);
            page.blocks.push_back({BlockKind::section, "SEE ALSO"});
            page.blocks.push_back(related(title, all));
            return page;
        }
    }
    if (auto blocks = entry_blocks(topic); !blocks.empty()) {
        return Page{{topic, 0, ""}, std::move(blocks)};
    }
    return Error{ErrorKind::bad_input, 0, "",
                 "unknown topic " + in_quotes(topic, 60) +
                     did_you_mean(near_names(topic, topics()), ". To list all pages: rocenv help")};
}

std::vector<std::string> Manual::topics() const {
    std::vector<std::string> out;
    for (const auto& title : titles()) {
        out.push_back(topic_of(title));
    }
    for (const auto& alias : aliases) {
        out.emplace_back(alias.word);
    }
    for (auto& name : entry_names()) {
        out.push_back(std::move(name));
    }
    return out;
}

}  // namespace rocenv
