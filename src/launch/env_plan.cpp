// SPDX-License-Identifier: MIT
#include "launch/env_plan.h"

#include <algorithm>

#include "profile/profile_selection.h"
#include "util/text.h"
#include "variables/environment.h"
#include "variables/releases/versions.h"

namespace rocenv {

namespace {

constexpr std::string_view prefix = "env.";

Result<std::string> value_here(const Expectation& expectation, const Machine& machine,
                               const Process& process) {
    auto value = expand(*expectation.value.text(), [&](const std::string& name) {
        return lookup_here(name, machine, process);
    });
    if (value && value->find('\0') != std::string::npos) {
        return Error{ErrorKind::bad_input, 0, "", "a value cannot hold a NUL byte"};
    }
    return value;
}

// Warns of a missing file: the program would fail without stating the reason.
void warn_of_missing(const Expectation& expectation, const std::string& name,
                     const std::string& path, const Machine& machine,
                     std::vector<std::string>& warnings) {
    if (expectation.must_exist && !exists(machine.fs(), path)) {
        warnings.push_back(place_text(expectation.place) + ": warning: " + name + ": " +
                           printable(path) + " does not exist");
    }
}

std::string origin_of(const Expectation& expectation, const std::string& name) {
    std::string out = name + ": " + std::string(word_of(expectation.level)) + " by " +
                      place_text(expectation.place);
    out += expectation.when.empty() ? "" : ", when " + expectation.when;
    out += expectation.why.empty() ? "" : ": " + expectation.why;
    return out + (expectation.source.empty() ? "" : " (" + expectation.source + ")");
}

bool is_exported(const Expectation& expectation, const CheckRequest& request) {
    return expectation.id.starts_with(prefix) && expectation.level != Level::info &&
           selected(expectation.id, request.only, request.skip);
}

}  // namespace

EnvPlan plan_environment(const CheckRequest& request, const Machine& machine, const Fs& host,
                         const Process& process, Origins origins) {
    EnvPlan plan;
    auto assumed = Versions::parse_assumed(request.assume);
    if (!assumed) {
        plan.errors.push_back(assumed.error().text);
        return plan;
    }
    const Versions versions(machine, process, *std::move(assumed));
    SelectedProfile here =
        select_profile(request, machine, host, process, versions, ProfileStore::Parts::variables);
    plan.errors = std::move(here.errors);
    plan.warnings = std::move(here.warnings);
    plan.doubts = doubt_lines(here.doubts);
    plan.profiles = here.profile.names;
    plan.timed_out = here.timed_out;
    if (!plan.errors.empty()) {
        return plan;
    }
    for (const auto& expectation : here.profile.expectations) {
        if (!is_exported(expectation, request)) {
            continue;
        }
        const std::string name = expectation.id.substr(prefix.size());
        if (origins == Origins::yes) {
            plan.origins.push_back(origin_of(expectation, name));
        }
        if (expectation.unset) {
            plan.lines.push_back({name, std::nullopt});
            continue;
        }
        auto value = value_here(expectation, machine, process);
        if (value) {
            warn_of_missing(expectation, name, *value, machine, plan.warnings);
            plan.lines.push_back({name, *std::move(value)});
        } else {
            plan.errors.push_back(place_text(expectation.place) + ": " + name + ": " +
                                  value.error().text);
        }
    }
    std::sort(plan.origins.begin(), plan.origins.end());
    std::sort(plan.lines.begin(), plan.lines.end(),
              [](const EnvLine& a, const EnvLine& b) { return a.name < b.name; });
    return plan;
}

}  // namespace rocenv
