// SPDX-License-Identifier: MIT
// What set needs of profiles before there is anything to set.
#include <algorithm>

#include "cli/commands.h"
#include "cli/requests.h"
#include "cli/set_commands.h"
#include "profile/profile.h"
#include "profile/profile_selection.h"
#include "settings/registry.h"
#include "transaction/persist_hints.h"
#include "util/exit_status.h"
#include "util/text.h"
#include "variables/releases/versions.h"

namespace rocenv {

namespace {

// Those made for the GPUs that are here; without any, the host's own.
std::vector<std::string> fitting(const Machine& machine, const ProfileStore& store,
                                 const Process& process) {
    const std::string chosen = choose_profile(machine, store).name;
    if (chosen == "host") {
        return {"host", "host-benchmark"};
    }
    if (chosen == "mi") {  // no profile is for all GPUs there are
        return {"mi", "mi-benchmark", "host", "host-benchmark"};
    }
    std::vector<std::string> out;
    for (const auto& name : store.names()) {
        const Resolved profile = resolve(store, {name}, {});
        const bool here =
            std::all_of(profile.matches.begin(), profile.matches.end(), [&](const Match& match) {
                return match.automatic && !mismatch(match, machine, process);
            });
        const bool of_node = std::any_of(
            profile.wants.begin(), profile.wants.end(),
            [](const Want& want) { return find_setting(want.id)->info.scope == Scope::node; });
        if (here && of_node && !profile.matches.empty() && !has_errors(profile.diagnostics)) {
            out.push_back(name);
        }
    }
    return out;
}

Output bad_usage(const std::vector<std::string>& texts) {
    return {exit_usage, "", error_lines(texts)};
}

}  // namespace

std::optional<Output> wrong_names(std::initializer_list<GivenPatterns> given) {
    std::vector<std::string> errors;
    for (const auto& each : given) {
        check_patterns(each.patterns, each.option, errors);
    }
    return errors.empty() ? std::nullopt : std::optional(bad_usage(errors));
}

std::optional<Output> profile_missing(const ProfileOptions& options, const std::string& command,
                                      const Fs& fs, const Fs& host, const Process& process) {
    if (!options.names.empty()) {
        return std::nullopt;
    }
    const Machine machine(fs);
    const auto names = fitting(machine, ProfileStore(host, process), process);
    return bad_usage(
        {command + " wants a profile with -p; these fit this node: " + join(names, ", ")});
}

Output run_persist_hints(const SetOptions& options, const Fs& fs, const Fs& host,
                         const Process& process) {
    const CheckRequest request = check_request(options);
    const Machine machine(fs);
    const Versions versions(machine, process);
    const SelectedProfile chosen = select_profile(request, machine, host, process, versions);
    Output output;
    output.err = error_lines(chosen.warnings) + error_lines(doubt_lines(chosen.doubts)) +
                 error_lines(chosen.errors);
    if (!chosen.errors.empty()) {
        output.exit_code = exit_of_unread(chosen.timed_out);
        return output;
    }
    std::vector<Want> wants = chosen.profile.wants;
    std::erase_if(wants,
                  [&](const Want& want) { return !selected(want.id, request.only, request.skip); });
    output.out =
        persist_hints(wants, chosen.profile.names, request.no_site ? Site::left_out : Site::merged);
    return output;
}

}  // namespace rocenv
