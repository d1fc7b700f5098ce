// SPDX-License-Identifier: MIT
#include "help/explain/explain.h"

#include <algorithm>
#include <iterator>

#include "help/explain/explainers.h"
#include "help/explain/topics.h"
#include "help/explain/vocabulary.h"
#include "profile/profile_selection.h"
#include "settings/registry.h"
#include "util/text.h"
#include "variables/releases/versions.h"

namespace rocenv {

namespace {

constexpr std::size_t most_words = 1000;

class Explainer {
   public:
    Explainer(const ExplainRequest& request, const Fs& fs, const Fs& host, const Process& process,
              const Process& asked, Versions::Assumed assumed, FoundTopics found,
              const ProfileStore& store)
        : topics_(std::move(found.topics)),
          whole_(!found.many || request.many == Many::whole),
          machine_(fs),
          versions_(machine_, asked, std::move(assumed)),
          uses_(store, topics_.size()),
          settings_(request.check, fs, machine_, host, process, uses_),
          variables_(machine_, versions_, asked, uses_),
          profiles_(machine_, process, store, uses_) {
        out_.listed = !whole_;
        out_.unknown = std::move(found.unknown);
    }

    Explanations run() {
        judge_settings();
        if (out_.errors.empty()) {
            for (const auto& topic : topics_) {
                explain(topic);
            }
        }
        return std::move(out_);
    }

   private:
    void judge_settings() {
        std::vector<std::string> ids;
        for (const auto& topic : topics_) {
            if (topic.kind == TopicKind::setting) {
                ids.push_back(topic.name);
            }
        }
        if (whole_ && !ids.empty()) {
            settings_.judge(ids, out_);
        }
    }

    void explain(const Topic& topic) {
        switch (topic.kind) {
            case TopicKind::setting:
                explain_setting(topic.name);
                break;
            case TopicKind::variable:
                out_.all.emplace_back(whole_ ? variables_.explain(topic.name, topic.as)
                                             : variables_.outline(topic.name, topic.as));
                break;
            case TopicKind::profile:
                explain_profile(topic.name);
                break;
            case TopicKind::word:
                explain_word(topic.name);
                break;
        }
    }

    void explain_setting(const std::string& id) {
        if (whole_) {
            out_.all.emplace_back(settings_.explain(id));
            return;
        }
        SettingExplanation outline;
        outline.info = &find_setting(id)->info;
        out_.all.emplace_back(std::move(outline));
    }

    void explain_profile(const std::string& name) {
        if (!whole_) {
            out_.all.emplace_back(profiles_.outline(name));
            return;
        }
        auto found = profiles_.explain(name);
        if (found) {
            out_.all.emplace_back(*std::move(found));
            return;
        }
        out_.unknown.push_back({name, found.error().text});
        out_.timed_out = out_.timed_out || found.is(ErrorKind::timed_out);
    }

    void explain_word(const std::string& name) {
        for (const auto& word : vocabulary()) {
            if (word.word == name) {
                out_.all.emplace_back(word);
            }
        }
    }

    const std::vector<Topic> topics_;
    const bool whole_;
    const Machine machine_;
    const Versions versions_;
    ProfileUses uses_;
    SettingExplainer settings_;
    const VariableExplainer variables_;
    ProfileExplainer profiles_;
    Explanations out_;
};

Explanations refused(const Error& error) {
    Explanations out;
    out.errors.push_back(error.text);
    out.timed_out = error.kind == ErrorKind::not_permitted || error.kind == ErrorKind::timed_out;
    return out;
}

// Returns the process whose environment is explained.
Result<Process> asked_process(const CheckRequest& check, const Fs& machine, const Fs& host,
                              const Process& process) {
    if (check.pid.empty() && check.env_files.empty()) {
        return process;
    }
    auto environment = given_environment(check.pid, check.env_files, machine, host, process);
    if (!environment) {
        return environment.error();
    }
    return process_given(process, *environment, check.pid, machine);
}

std::string note_of(const CheckRequest& check) {
    if (!check.env_files.empty()) {
        return "the values are those of the environment in " + join(check.env_files, ", ");
    }
    return check.pid.empty() ? ""
                             : "the values are those of the environment of process " + check.pid;
}

std::optional<Error> misuse(const ExplainRequest& request, const Fs& machine) {
    std::vector<std::string> errors;
    if (request.words.empty() && request.search.empty() && !request.only_set) {
        errors.emplace_back(
            "missing argument WORD: expected settings, variables, profiles or words of reports, "
            "--search TEXT or --set");
    }
    if (request.words.size() > most_words) {
        errors.push_back("more than " + number(most_words) + " words");
    }
    check_root(machine, request.check.root, errors);
    check_patterns(request.check.only, "--only", errors);
    check_patterns(request.check.skip, "--skip", errors);
    return errors.empty() ? std::nullopt
                          : std::optional(Error{ErrorKind::bad_input, 0, "", errors.front()});
}

}  // namespace

Explanations explain(const ExplainRequest& request, const Fs& machine, const Fs& host,
                     const Process& process) {
    if (const auto wrong = misuse(request, machine)) {
        return refused(*wrong);
    }
    auto assumed = Versions::parse_assumed(request.check.assume);
    if (!assumed) {
        return refused(assumed.error());
    }
    const auto asked = asked_process(request.check, machine, host, process);
    if (!asked) {
        return refused(asked.error());
    }
    const ProfileStore store(host, process);
    auto found = find_topics(request, store, *asked);
    Explanations out = Explainer(request, machine, host, process, *asked, *std::move(assumed),
                                 std::move(found), store)
                           .run();
    for (auto& line : doubt_lines(store.doubts())) {
        if (std::find(out.warnings.begin(), out.warnings.end(), line) == out.warnings.end()) {
            out.warnings.push_back(std::move(line));
        }
    }
    if (const auto note = note_of(request.check); !note.empty()) {
        out.notes.push_back(note);
    }
    return out;
}

}  // namespace rocenv
