// SPDX-License-Identifier: MIT
#include "help/explain/profile_explainer.h"

#include <algorithm>

namespace rocenv {

namespace {

std::vector<ProfileExplanation::Wants> by_level(const std::vector<Want>& wants) {
    std::vector<ProfileExplanation::Wants> out;
    for (const auto level : {Level::required, Level::recommended, Level::info}) {
        ProfileExplanation::Wants group{level, {}};
        for (const auto& want : wants) {
            if (want.level == level) {
                group.ids.push_back(want.id);
            }
        }
        if (!group.ids.empty()) {
            out.push_back(std::move(group));
        }
    }
    return out;
}

void add_once(const std::vector<std::string>& words, std::vector<std::string>& all) {
    for (const auto& word : words) {
        if (std::find(all.begin(), all.end(), word) == all.end()) {
            all.push_back(word);
        }
    }
}

}  // namespace

ProfileExplanation ProfileExplainer::head(const std::string& name, const ProfileText& text) {
    ProfileExplanation out;
    out.name = name;
    out.summary = text.summary;
    out.file = text.file;
    out.extends = text.extends;
    return out;
}

ProfileExplanation ProfileExplainer::outline(const std::string& name) const {
    const auto text = store_.find(name);
    if (text) {
        return head(name, *text);
    }
    ProfileExplanation out;
    out.name = name;
    out.faults.push_back(text.error().text);
    return out;
}

Result<ProfileExplanation> ProfileExplainer::explain(const std::string& name) {
    const auto text = store_.find(name);
    if (!text) {
        return text.error();
    }
    ProfileExplanation out = head(name, *text);
    const Resolved resolved = resolve(store_, {name}, {});
    for (const auto& diagnostic : resolved.diagnostics) {
        out.faults.push_back(diagnostic_text(diagnostic));
    }
    out.is_bad = has_errors(resolved.diagnostics);
    for (const auto& match : resolved.matches) {
        add_once(match_words(match), out.matches);
    }
    out.extended_by = uses_.extending(name);
    out.wants = by_level(resolved.wants);
    out.also = resolved.also;
    out.here = out.is_bad ? "cannot be used" : here(name, resolved);
    return out;
}

std::string ProfileExplainer::here(const std::string& name, const Resolved& resolved) {
    if (chosen_.empty()) {
        chosen_ = choose_profile(machine_, store_).name;
    }
    if (name == chosen_) {
        return "auto chooses it";
    }
    for (const auto& match : resolved.matches) {
        if (const auto why = mismatch(match, machine_, process_)) {
            return "not for this node: " + *why;
        }
    }
    const bool asks = !resolved.matches.empty();
    return std::string(asks && gpu_kinds(machine_).empty() ? "no GPU that it is for is here"
                                                           : "may be used") +
           "; auto chooses " + chosen_;
}

}  // namespace rocenv
