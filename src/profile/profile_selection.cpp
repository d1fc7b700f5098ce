// SPDX-License-Identifier: MIT
#include "profile/profile_selection.h"

#include <algorithm>

#include "commands/tunableop/tunable.h"
#include "settings/registry.h"
#include "util/text.h"
#include "variables/environment.h"
#include "variables/releases/versions.h"

namespace rocenv {

namespace {

void take_diagnostics(const std::vector<Diagnostic>& diagnostics, SelectedProfile& out) {
    for (const auto& diagnostic : diagnostics) {
        auto& list = diagnostic.is_error ? out.errors : out.warnings;
        const std::string text = diagnostic_text(diagnostic);
        out.timed_out = out.timed_out || diagnostic.timed_out;
        if (std::find(list.begin(), list.end(), text) == list.end()) {
            list.push_back(text);
        }
    }
}

void check_matches(const std::vector<Match>& matches, const Machine& machine,
                   const Process& process, std::vector<std::string>& errors) {
    for (const auto& match : matches) {
        if (const auto why = mismatch(match, machine, process)) {
            errors.push_back("profile " + match.profile + " is not for this node: " + *why +
                             " (--ignore-match takes it all the same)");
        }
    }
}

// A program is given at most a quarter of its stack's limit, 8 MiB where nobody said otherwise
// (linux fs/exec.c bprm_stack_limits). What cannot be told is an error of its own, elsewhere.
void check_size(const std::vector<Want>& wants, const Machine& machine, const Process& process,
                std::vector<std::string>& errors) {
    constexpr std::size_t most_mib = 2;
    const auto lookup = [&](const std::string& name) {
        return lookup_here(name, machine, process);
    };
    std::size_t size = 0;
    for (const auto& want : wants) {
        const auto* text = want.id.starts_with("env.") ? want.value.text() : nullptr;
        const auto value = text != nullptr ? expand(*text, lookup) : Result<std::string>("");
        size += value ? value->size() : 0;
        if (size > most_mib << 20) {
            errors.push_back(place_text(want.place) + ": with " + printable(want.id.substr(4), 60) +
                             " the variables expand to more than " + number(most_mib) +
                             " MiB, which no process can be given");
            return;
        }
    }
}

}  // namespace

std::vector<ProfileEntry> take_wants(const std::vector<std::string>& wants,
                                     std::vector<std::string>& errors) {
    std::vector<ProfileEntry> entries;
    for (const auto& text : wants) {
        auto entry = parse_want(text);
        if (entry) {
            entries.push_back(*std::move(entry));
        } else {
            errors.push_back(entry.error().text);
        }
    }
    return entries;
}

bool selected(const std::string& id, const std::vector<std::string>& only,
              const std::vector<std::string>& skip) {
    const auto any = [&](const std::vector<std::string>& patterns) {
        return std::any_of(patterns.begin(), patterns.end(),
                           [&](const std::string& pattern) { return glob_match(pattern, id); });
    };
    return (only.empty() || any(only)) && !any(skip);
}

bool asks_machine(const std::string& name) {
    return name == "auto" || name == "benchmark" || name == "acceptance";
}

std::vector<std::string> expand_names(const std::vector<std::string>& names,
                                      const std::string& chosen) {
    std::vector<std::string> out;
    out.reserve(names.size());
    for (const auto& name : names) {
        if (name == "acceptance") {
            out.push_back(chosen);
        }
        out.push_back(name == "auto" ? chosen : name == "benchmark" ? chosen + "-benchmark" : name);
    }
    return out;
}

void check_root(const Fs& fs, const std::string& root, std::vector<std::string>& errors) {
    if (!fs.is_real() && !exists(fs, "/sys") && !exists(fs, "/proc")) {
        errors.push_back(root + " holds neither sys nor proc");
    }
}

bool matches_any_id(const std::string& pattern) {
    return matches_any_setting(pattern) || glob_match(pattern, auto_id) ||
           glob_match(pattern, trust_id) || glob_match(pattern, tunable_results_id);
}

void check_patterns(const std::vector<std::string>& patterns, const char* option,
                    std::vector<std::string>& errors) {
    for (const auto& pattern : patterns) {
        if (!matches_any_id(pattern)) {
            errors.push_back(std::string(option) + " " + printable(pattern, 60) +
                             ": no such setting" + did_you_mean(nearest(pattern, known_ids())));
        }
    }
}

SelectedProfile select_profile(const CheckRequest& request, const Machine& machine, const Fs& host,
                               const Process& process, const Versions& versions,
                               ProfileStore::Parts parts) {
    SelectedProfile out;
    check_root(machine.fs(), request.root, out.errors);
    check_patterns(request.only, "--only", out.errors);
    check_patterns(request.skip, "--skip", out.errors);
    const auto overrides = take_wants(request.wants, out.errors);
    if (!out.errors.empty()) {
        return out;
    }
    const auto asked =
        request.profiles.empty() ? std::vector<std::string>{"auto"} : request.profiles;
    out.chose = std::any_of(asked.begin(), asked.end(), asks_machine);
    const ProfileStore store(host, process, parts, request.untrusted);
    if (out.chose) {
        out.choice = choose_profile(machine, store);
        take_diagnostics(out.choice.diagnostics, out);
    }
    out.profile = resolve(store, expand_names(asked, out.choice.name), overrides,
                          condition_here(machine, process, versions),
                          request.no_site ? Site::left_out : Site::merged);
    take_diagnostics(out.profile.diagnostics, out);
    out.choice.consider(out.profile);
    out.doubts = store.doubts();
    if (!request.ignore_match && out.errors.empty()) {
        check_matches(out.profile.matches, machine, process, out.errors);
    }
    if (out.errors.empty()) {
        check_size(out.profile.wants, machine, process, out.errors);
    }
    return out;
}

}  // namespace rocenv
