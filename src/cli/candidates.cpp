// SPDX-License-Identifier: MIT
#include "cli/candidates.h"

#include <algorithm>
#include <optional>
#include <set>
#include <span>
#include <string_view>

#include "cli/option_tree.h"
#include "help/explain/vocabulary.h"
#include "help/manual/pages.h"
#include "machine/gpu/gpu_models.h"
#include "settings/registry.h"
#include "util/text.h"
#include "variables/catalogue.h"
#include "variables/releases/versions.h"

namespace rocenv {

namespace {

constexpr std::string_view family = "env.";

// The kind of a value, by its type or an argument's name.
enum class ValueKind {
    none,      // unknown values: a number, a name of the site
    profile,   // or a file
    id,        // a setting's, or a glob
    id_value,  // ID=VALUE
    fact,      // an id whose values are compared between nodes
    package,   // NAME=VERSION
    gfx,       // a GPU's architecture
    word,      // a topic of explain
    topic,     // a topic of help
    file,
    folder,
};

struct Type {
    std::string_view name;
    ValueKind kind;
};

constexpr Type types[] = {
    {"PROFILE", ValueKind::profile},
    {"ID[,ID]", ValueKind::id},
    {"ID=VALUE", ValueKind::id_value},
    {"FACT[,FACT]", ValueKind::fact},
    {"NAME=VERSION[,...]", ValueKind::package},
    {"GFX", ValueKind::gfx},
    {"WORD", ValueKind::word},
    {"TOPIC", ValueKind::topic},
    {"FILE", ValueKind::file},
    {"FILE.tree", ValueKind::file},
    {"FILE.toml", ValueKind::file},
    {"REPORT.json", ValueKind::file},
    {"[docker:|systemd:|sh:]FILE", ValueKind::file},
    {"DIR|FILE.tree", ValueKind::file},
    {"INPUT", ValueKind::file},
    {"DIR", ValueKind::folder},
    {"FOLDER", ValueKind::folder},
    {"AGE", ValueKind::none},
    {"BYTES", ValueKind::none},
    {"HOSTLIST", ValueKind::none},
    {"visible|LIST", ValueKind::none},
    {"KEY", ValueKind::none},
    {"LOCAL_RANK", ValueKind::none},
    {"N", ValueKind::none},
    {"NAME", ValueKind::none},
    {"PID", ValueKind::none},
    {"SECONDS", ValueKind::none},
    {"SIGNS", ValueKind::none},
    {"TEXT", ValueKind::none},
    {"USER[:GROUP]", ValueKind::none},
};

std::optional<ValueKind> kind_of(const std::string& type) {
    const auto* found = std::find_if(std::begin(types), std::end(types),
                                     [&](const Type& each) { return each.name == type; });
    return found == std::end(types) ? std::nullopt : std::optional(found->kind);
}

// Returns the words of "human|json". Empty if the type is not a list of choices.
std::vector<std::string> choices_in(const std::string& type) {
    if (type.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-|") != std::string::npos) {
        return {};
    }
    std::vector<std::string> out;
    for (const auto word : split(type, '|')) {
        out.emplace_back(word);
    }
    return out;
}

std::vector<Candidate> setting_ids() {
    std::vector<Candidate> out;
    for (const Setting* setting : all_settings()) {
        const Info& info = setting->info;
        if (info.id != family) {
            out.push_back({std::string(info.id), std::string(info.summary)});
        }
    }
    return out;
}

std::vector<Candidate> variable_names(std::string_view prefix) {
    std::vector<Candidate> out;
    for (const auto& name : catalogued_names()) {
        out.push_back({std::string(prefix) + name, std::string(find_variable(name)->doc)});
    }
    return out;
}

// The words that the forms of a value name: "performance", "off", true.
std::vector<Candidate> values_of(const std::string& id) {
    const Setting* setting = find_setting(id);
    std::vector<Candidate> out;
    for (const auto& form : setting == nullptr ? std::vector<Form>() : setting->info.forms) {
        for (const auto word : form.words) {
            out.push_back({std::string(word), ""});
        }
        if (form.kind == FormKind::boolean) {
            out.push_back({"true", ""});
            out.push_back({"false", ""});
        }
    }
    return out;
}

// The candidates for one word.
class Completer {
   public:
    Completer(const std::vector<CommandText>& commands, const Names& profiles)
        : commands_(commands), profiles_(profiles) {}

    Candidates complete(std::vector<std::string> line) {
        word_ = line.empty() ? "" : line.back();
        line.resize(line.empty() ? 0 : line.size() - 1);
        line = command_first(std::move(line));
        const std::span<const std::string> before(line);
        const CommandText* command = chosen(before);
        if (command == nullptr && has_value_of_global(before)) {
            complete_in(commands_.front(), before);
        } else if (command == nullptr || command->is_group) {
            offer_commands(command == nullptr ? "" : command->name + " ");
        } else if (command->programs &&
                   std::find(before.begin(), before.end(), "--") != before.end()) {
            out_.besides = Besides::programs;
        } else {
            complete_in(*command, before);
        }
        return std::move(out_);
    }

   private:
    const CommandText* named(const std::string& name) const {
        const auto found = std::find_if(commands_.begin(), commands_.end(),
                                        [&](const CommandText& each) { return each.name == name; });
        return found == commands_.end() ? nullptr : &*found;
    }

    // Returns the command by the first word, of a group by two words; nullptr if there is none.
    const CommandText* chosen(std::span<const std::string> before) const {
        const CommandText* first = before.empty() ? nullptr : named(before.front());
        const CommandText* second = first != nullptr && first->is_group && before.size() > 1
                                        ? named(before[0] + " " + before[1])
                                        : nullptr;
        return second != nullptr ? second : first;
    }

    void offer_commands(const std::string& group) {
        for (const auto& command : commands_) {
            const bool here = command.name.starts_with(group) &&
                              command.name.find(' ', group.size()) == std::string::npos;
            if (here) {
                offer(command.name.substr(group.size()), command.summary);
            }
        }
        for (const auto& option : global_options()) {
            offer_if_begun(std::string(option.name), summary_of(option.name));
        }
    }

    // Returns true if the word is the value of an option before the command.
    bool has_value_of_global(std::span<const std::string> before) const {
        const bool is_next =
            !before.empty() && waiting(commands_.front(), before.back()) != nullptr;
        return is_next || (word_.starts_with("--") && word_.find('=') != std::string::npos);
    }

    // Returns the summary of an option that all commands share; the first command has them all.
    std::string summary_of(std::string_view name) const {
        for (const auto& option : commands_.front().options) {
            if (option.names.back() == name) {
                return option.summary;
            }
        }
        return "";
    }

    // Returns the option with this name if its value is the next word, else nullptr.
    static const OptionText* waiting(const CommandText& command, const std::string& word) {
        for (const auto& option : command.options) {
            const bool same =
                std::find(option.names.begin(), option.names.end(), word) != option.names.end();
            if (same && !option.value.empty() && !option.value_may_miss && !option.is_positional) {
                return &option;
            }
        }
        return nullptr;
    }

    void complete_in(const CommandText& command, std::span<const std::string> before) {
        if (const auto* option = before.empty() ? nullptr : waiting(command, before.back())) {
            offer_values(option->value);
            return;
        }
        const auto equals = word_.find('=');
        if (word_.starts_with("--") && equals != std::string::npos) {
            complete_behind_equals(command, equals);
            return;
        }
        for (const auto& option : command.options) {
            if (option.is_positional) {
                offer_values(option.value.empty() ? option.names.front() : option.value);
            } else {
                offer_if_begun(option.names.back(), option.summary);
            }
        }
    }

    void complete_behind_equals(const CommandText& command, std::size_t equals) {
        const std::string name = word_.substr(0, equals);
        for (const auto& option : command.options) {
            if (option.names.back() == name && !option.value.empty()) {
                fixed_ = name + "=";
                offer_values(option.value);
            }
        }
    }

    // Offers the values of a type. In a list with commas, the last part is completed.
    void offer_values(const std::string& type) {
        if (type.find("[,") != std::string::npos) {
            const auto comma = word_.rfind(',');
            fixed_ = comma == std::string::npos ? fixed_ : word_.substr(0, comma + 1);
        }
        const auto kind = kind_of(type);
        for (auto& choice : kind ? std::vector<std::string>() : choices_in(type)) {
            offer(std::move(choice), "");
        }
        switch (kind.value_or(ValueKind::none)) {
            case ValueKind::none:
                break;
            case ValueKind::profile:
                offer_profiles();
                out_.besides = Besides::files;
                break;
            case ValueKind::id:
                offer_ids();
                break;
            case ValueKind::id_value:
                offer_overrides();
                break;
            case ValueKind::fact:
                offer_facts();
                break;
            case ValueKind::package:
                for (const auto& name : Versions::packages()) {
                    offer(name + "=", "");
                }
                break;
            case ValueKind::gfx:
                for (const auto& row : gpu_architectures()) {
                    offer(std::string(row.gfx), "");
                }
                break;
            case ValueKind::word:
                offer_words();
                break;
            case ValueKind::topic:
                offer_topics();
                break;
            case ValueKind::file:
                out_.besides = Besides::files;
                break;
            case ValueKind::folder:
                out_.besides = Besides::folders;
                break;
        }
    }

    // Offers the ids of settings. The many variables follow only after "env.".
    void offer_ids() {
        offer_all(setting_ids());
        if (unfinished().starts_with(family)) {
            offer_all(variable_names(family));
        } else {
            offer(std::string(family), "variables");
        }
    }

    void offer_overrides() {
        const std::string given = unfinished();
        const auto equals = given.find('=');
        if (equals == std::string::npos) {
            for (auto& each : given.starts_with(family) ? variable_names(family) : setting_ids()) {
                offer(each.word + "=", std::move(each.says));
            }
            return;
        }
        fixed_ += given.substr(0, equals + 1);
        offer_all(values_of(given.substr(0, equals)));
    }

    void offer_facts() {
        for (auto& each : setting_ids()) {
            if (find_setting(each.word)->info.over_cluster == OverCluster::equal) {
                offer(std::move(each.word), std::move(each.says));
            }
        }
    }

    void offer_profiles() {
        for (auto& name : profiles_()) {
            offer(std::move(name), "a profile");
        }
    }

    // Offers settings, variables (also with "env." in front) and profiles.
    void offer_known() {
        offer_all(setting_ids());
        offer_all(variable_names(unfinished().starts_with(family) ? family : ""));
        offer_profiles();
    }

    void offer_words() {
        offer_known();
        for (const auto& word : vocabulary()) {
            offer(std::string(word.word), "a word of reports");
        }
    }

    void offer_topics() {
        for (const auto& title : Manual(commands_).titles()) {
            const std::string topic = topic_of(title);
            offer(title.section == 5 ? topic + ".5" : topic, title.summary);
        }
        offer_known();
    }

    void offer_all(std::vector<Candidate> all) {
        for (auto& each : all) {
            offer(std::move(each.word), std::move(each.says));
        }
    }

    // Options only where one was begun: without, an empty word is an argument's or a program's.
    void offer_if_begun(const std::string& name, const std::string& says) {
        if (word_.starts_with("-")) {
            offer(name, says);
        }
    }

    void offer(std::string word, std::string says) {
        const std::string whole = fixed_ + std::move(word);
        if (whole.starts_with(word_) && seen_.insert(whole).second) {
            out_.words.push_back({whole, std::move(says)});
        }
    }

    // The part of the word that is completed.
    std::string unfinished() const { return word_.substr(std::min(fixed_.size(), word_.size())); }

    const std::vector<CommandText>& commands_;
    const Names& profiles_;
    std::string word_;
    std::string fixed_;  // the part of it that stays: "--only=gpu.count,"
    std::set<std::string> seen_;
    Candidates out_;
};

}  // namespace

Candidates candidates_for(const std::vector<CommandText>& commands,
                          const std::vector<std::string>& line, const Names& profiles) {
    return Completer(commands, profiles).complete(line);
}

bool has_values_of(const std::string& type) {
    return kind_of(type).has_value() || !choices_in(type).empty();
}

}  // namespace rocenv
