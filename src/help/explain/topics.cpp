// SPDX-License-Identifier: MIT
#include "help/explain/topics.h"

#include <algorithm>

#include "help/explain/vocabulary.h"
#include "settings/registry.h"
#include "util/near_names.h"
#include "util/text.h"
#include "variables/catalogue.h"
#include "variables/inspection.h"
#include "variables/parsers/parser_functions.h"

namespace rocenv {

namespace {

constexpr std::string_view family = "env.";

bool is_glob(std::string_view word) {
    return word.find_first_of("*?") != std::string_view::npos;
}

bool is_path(const std::string& word) {
    return word.find('/') != std::string::npos || word.ends_with(".toml");
}

// Returns all topics by kind, each kind in the order of the output.
std::vector<Topic> everything(const ProfileStore& store) {
    std::vector<Topic> out;
    for (const Setting* setting : all_settings()) {
        if (setting->info.id != family) {
            out.push_back({TopicKind::setting, std::string(setting->info.id)});
        }
    }
    for (auto& name : catalogued_names()) {
        out.push_back({TopicKind::variable, std::move(name)});
    }
    for (auto& name : store.names()) {
        out.push_back({TopicKind::profile, std::move(name)});
    }
    for (const auto& word : vocabulary()) {
        const Topic topic{TopicKind::word, std::string(word.word)};
        if (std::find(out.begin(), out.end(), topic) == out.end()) {  // two are called hidden
            out.push_back(topic);
        }
    }
    return out;
}

// Returns HSA_OVERRIDE_GFX_VERSION for HSA_OVERRIDE_GFX_VERSION_0; empty for other names.
std::string stem_of(const std::string& name) {
    return numbered_variable(name) ? name.substr(0, name.rfind('_')) : std::string();
}

// Returns whether the word has the form of a variable. Some program may read an uncatalogued one.
bool may_be_variable(std::string_view word) {
    return word.find_first_of("abcdefghijklmnopqrstuvwxyz.- ") == std::string_view::npos &&
           word.find_first_not_of("0123456789") != std::string_view::npos;
}

bool is_in_vocabulary(const std::string& word) {
    const auto all = vocabulary();
    return std::any_of(all.begin(), all.end(),
                       [&](const WordExplanation& each) { return each.word == word; });
}

// Returns "128+N" for the status of a signal (137, "128+9"), else the word.
std::string status_of(const std::string& word) {
    constexpr std::string_view base = "128+";
    constexpr std::uint64_t signals = 64;
    const bool is_sum = word.starts_with(base);
    const auto value = parse_number(is_sum ? word.substr(base.size()) : word);
    const auto first = is_sum ? 1U : 129U;
    return value && *value >= first && *value < first + signals ? "128+N" : word;
}

bool contains(std::string_view text, const std::string& searched) {
    return lower_case(text).find(searched) != std::string::npos;
}

bool any_contains(std::initializer_list<std::string_view> texts, const std::string& searched) {
    return std::any_of(texts.begin(), texts.end(),
                       [&](std::string_view text) { return contains(text, searched); });
}

bool setting_matches(const Topic& topic, const std::string& searched) {
    const Info& info = find_setting(topic.name)->info;
    return any_contains({info.id, info.summary, info.why, info.read_from}, searched);
}

bool variable_matches(const Topic& topic, const std::string& searched) {
    const auto variable = find_variable(topic.name);
    return variable && any_contains({variable->name, variable->reader, variable->doc,
                                     variable->note, variable->renamed},
                                    searched);
}

bool profile_matches(const Topic& topic, const ProfileStore& store, const std::string& searched) {
    if (contains(topic.name, searched)) {
        return true;
    }
    const auto profile = store.find(topic.name);
    return profile && contains(profile->summary, searched);
}

bool word_matches(const Topic& topic, const std::string& searched) {
    const auto all = vocabulary();
    return std::any_of(all.begin(), all.end(), [&](const WordExplanation& each) {
        return each.word == topic.name && any_contains({each.word, each.means}, searched);
    });
}

class Search {
   public:
    Search(const ExplainRequest& request, const ProfileStore& store, const Process& asked)
        : request_(request),
          store_(store),
          environment_(asked.environment),
          not_evaluated_(asked.not_evaluated),
          searched_(lower_case(request.search)) {}

    FoundTopics run() {
        for (const auto& word : request_.words) {
            add_topic(word);
        }
        if (request_.words.empty()) {
            out_.topics = everything(store_);
            out_.many = true;
        }
        const bool any = !out_.topics.empty();
        std::erase_if(out_.topics, [this](const Topic& topic) { return !is_asked(topic); });
        if (any && out_.topics.empty() && !searched_.empty()) {
            out_.unknown.push_back({request_.search, "no topic contains this text"});
        }
        out_.many = out_.many && out_.topics.size() > 1;
        return std::move(out_);
    }

   private:
    void add_topic(const std::string& given) {
        const bool only_variables = given.starts_with(family) && given != env_file_id;
        const std::string word = only_variables ? given.substr(family.size()) : given;
        auto found = is_glob(word) ? matching(word) : named(word);
        if (only_variables) {
            std::erase_if(found,
                          [](const Topic& topic) { return topic.kind != TopicKind::variable; });
        }
        if (found.empty()) {
            out_.unknown.push_back({given, unknown(word, only_variables)});
        }
        out_.many = out_.many || (is_glob(word) && found.size() > 1);
        for (auto& topic : found) {
            if (std::find(out_.topics.begin(), out_.topics.end(), topic) == out_.topics.end()) {
                out_.topics.push_back(std::move(topic));
            }
        }
    }

    std::vector<Topic> matching(const std::string& glob) {
        std::vector<Topic> out;
        for (const auto& topic : all()) {
            if (glob_match(glob, topic.name)) {
                out.push_back(topic);
            }
        }
        for (const auto& [name, text] : environment_) {
            if (auto stem = glob_match(glob, name) ? stem_of(name) : std::string(); !stem.empty()) {
                out.push_back({TopicKind::variable, std::move(stem), name});
            }
        }
        return out;
    }

    // Two kinds of things may have one name: the outcome and the reason "hidden".
    std::vector<Topic> named(const std::string& word) {
        std::vector<Topic> out;
        const Setting* setting = find_setting(word);
        if (setting != nullptr && setting->info.id == word) {
            out.push_back({TopicKind::setting, word});
        }
        if (find_variable(word)) {
            out.push_back({TopicKind::variable, word});
        } else if (auto stem = stem_of(word); !stem.empty()) {
            out.push_back({TopicKind::variable, std::move(stem), word});
        }
        const auto profiles = store_.names();
        if (is_path(word) || std::binary_search(profiles.begin(), profiles.end(), word)) {
            out.push_back({TopicKind::profile, word});
        }
        if (auto known = status_of(word); is_in_vocabulary(known)) {
            out.push_back({TopicKind::word, std::move(known)});
        }
        return out;
    }

    bool is_asked(const Topic& topic) const {
        const std::string& name = topic.as.empty() ? topic.name : topic.as;
        const bool set = topic.kind == TopicKind::variable &&
                         (environment_.contains(name) || not_evaluated_.names.contains(name));
        return (set || !request_.only_set) && passes(topic) &&
               (searched_.empty() || matches(topic));
    }

    // --only and --skip are about ids of settings and variables.
    bool passes(const Topic& topic) const {
        const auto& check = request_.check;
        if (topic.kind == TopicKind::setting || topic.kind == TopicKind::variable) {
            const std::string_view prefix = topic.kind == TopicKind::variable ? family : "";
            return selected(std::string(prefix) + topic.name, check.only, check.skip);
        }
        return check.only.empty();
    }

    bool matches(const Topic& topic) const {
        switch (topic.kind) {
            case TopicKind::setting:
                return setting_matches(topic, searched_);
            case TopicKind::variable:
                return variable_matches(topic, searched_);
            case TopicKind::profile:
                return profile_matches(topic, store_, searched_);
            case TopicKind::word:
                return word_matches(topic, searched_);
        }
        return false;
    }

    const std::vector<Topic>& all() {
        if (all_.empty()) {
            all_ = everything(store_);
        }
        return all_;
    }

    std::string unknown(const std::string& word, bool only_variables) {
        if (is_glob(word)) {
            return "matches no setting, variable, profile or word of a report";
        }
        const bool variable = only_variables || may_be_variable(word);
        const std::string says =
            variable ? "not in this catalogue (facts of " + std::string(facts_date()) + ")"
                     : "unknown setting, variable, profile or word of a report";
        if (const auto near = names_near(word); !near.empty()) {
            return says + did_you_mean(near);
        }
        const auto known = variable ? family_of(word) : std::nullopt;
        return says + (known ? "; names that begin so are read by " + std::string(known->reader)
                             : ". To search in all texts: rocenv explain --search TEXT");
    }

    // Compares with all names, which is slow: only for the first words, and for short ones.
    std::vector<std::string> names_near(const std::string& word) {
        constexpr std::size_t most_tried = 20;
        constexpr std::size_t longest_word = 100;
        if (out_.unknown.size() >= most_tried || word.size() > longest_word) {
            return {};
        }
        std::vector<std::string> names;
        for (const auto& topic : all()) {
            names.push_back(topic.name);
        }
        return near_names(word, names);
    }

    const ExplainRequest& request_;
    const ProfileStore& store_;
    const Environment& environment_;
    const NotEvaluated& not_evaluated_;
    const std::string searched_;
    std::vector<Topic> all_;
    FoundTopics out_;
};

}  // namespace

FoundTopics find_topics(const ExplainRequest& request, const ProfileStore& store,
                        const Process& asked) {
    return Search(request, store, asked).run();
}

}  // namespace rocenv
