// SPDX-License-Identifier: MIT
#include "help/manual/facts.h"

#include <algorithm>
#include <utility>

#include "help/explain/parts.h"
#include "help/explain/statuses.h"
#include "profile/builtin_profiles.h"
#include "profile/profile_entry.h"
#include "profile/profile_image.h"
#include "settings/registry.h"
#include "util/text.h"
#include "variables/catalogue.h"
#include "variables/releases/versions.h"

namespace rocenv {

namespace {

constexpr std::string_view family = "env.";

std::string copy(std::string_view text) {
    return std::string(text);
}

// "-p, --profile PROFILE ...", as --help has it.
std::string term_of(const OptionText& option) {
    const std::string names = join(option.names, ", ");
    if (option.value_may_miss) {
        return names + "[=" + option.value + "]";
    }
    return names + (option.value.empty() ? "" : " " + option.value) +
           (option.repeats ? " ..." : "");
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

std::string default_told(const Variable& variable) {
    const auto defaults = variable_defaults(variable);
    const std::string told = defaults.empty() ? copy(variable.fallback_note) : join(defaults, "; ");
    return told.empty() ? "" : "; default: " + told;
}

// "torch, rocm", whose programs read it.
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
    std::string out = copy(variable.doc) + " ";
    out += variable.note.empty() ? "" : copy(variable.note) + " ";
    out += reader + (reader.empty() ? "Takes " : " takes ") + variable_takes(variable) +
           default_told(variable) + ".";
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
constexpr Keys places_of_keys[] = {{KeyOf::file, "Tables of a file"},
                                   {KeyOf::profile, "The [profile] table"},
                                   {KeyOf::match, "The [match] table"},
                                   {KeyOf::entry, "An entry of [settings] or [env] as a table"},
                                   {KeyOf::when, "Conditions in when"},
                                   {KeyOf::waiver, "A [[waiver]] table"}};

}  // namespace

std::string usage_of(const CommandText& command) {
    std::string out = "rocenv " + command.name + " [OPTION...]";
    for (const auto& option : command.options) {
        if (option.by_place) {
            const std::string each = option.names.front() + (option.repeats ? "..." : "");
            out += option.required ? " " + each : " [" + each + "]";
        }
    }
    return out + (command.programs ? " -- PROGRAM [ARGUMENT...]" : "");
}

std::vector<Block> option_blocks(const CommandText& command) {
    std::vector<Block> out;
    for (const auto& option : command.options) {
        out.push_back({option.by_place ? BlockKind::item : BlockKind::option, option.summary + ".",
                       term_of(option)});
    }
    return out;
}

std::vector<Block> footer_blocks(const CommandText& command, bool titled) {
    std::string text = command.footer;
    std::replace(text.begin(), text.end(), '\n', ' ');
    std::vector<Block> out;
    if (titled) {
        out.push_back({BlockKind::subsection, command.name});
    }
    out.push_back({BlockKind::paragraph, command.summary + "."});
    if (!trim(text).empty()) {
        out.push_back({BlockKind::paragraph, copy(trim(text))});
    }
    return out;
}

std::vector<Block> status_blocks(std::string_view command) {
    std::vector<Block> out;
    std::string_view told = command;
    for (const auto& row : statuses_of(command)) {
        if (row.command != told) {
            told = row.command;
            out.push_back({BlockKind::subsection, copy(told)});
        }
        out.push_back({BlockKind::item, copy(row.means) + ".", copy(row.status)});
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
    for (const auto& place : places_of_keys) {
        out.push_back({BlockKind::subsection, copy(place.title)});
        for (const auto& key : profile_keys()) {
            if (key.of == place.of) {
                out.push_back({BlockKind::item, copy(key.means), copy(key.name)});
            }
        }
        if (place.of == KeyOf::when) {
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

}  // namespace rocenv
