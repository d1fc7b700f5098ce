// SPDX-License-Identifier: MIT
// What surrounds a set: what is asked before, and output out of results.
#include "cli/commands.h"
#include "cli/requests.h"

#include <algorithm>

#include "profile/profile.h"
#include "profile/profile_selection.h"
#include "settings/registry.h"
#include "transaction/persist_hints.h"
#include "transaction/set.h"
#include "util/exit_status.h"
#include "util/text.h"
#include "variables/releases/versions.h"

namespace rocenv {

namespace {

// What -q must not swallow: the items behind exit 4 and 5.
std::vector<std::string> failures(const Report& report) {
    std::vector<std::string> out;
    for (const auto& finding : report.findings) {
        const bool not_back =
            finding.put_back == PutBack::no || finding.put_back == PutBack::not_tried;
        if (report.exit_code < exit_rolled_back ||
            (!not_back && finding.outcome != Outcome::failed)) {
            continue;
        }
        out.push_back(finding.id + " on " + finding.target +
                      (not_back ? " was not put back, it is " + finding.have.value_or("unknown")
                                : " failed") +
                      (finding.detail.empty() ? "" : ": " + finding.detail));
    }
    return out;
}

}  // namespace

Output set_output(const PrintOptionsIn<ReportFormat>& options, DryRun dry_run,
                  const SetResult& result, const Process& process) {
    Output output;
    output.err = error_lines(result.warnings) + error_lines(result.errors);
    output.exit_code = result.report.exit_code;
    if (!result.errors.empty()) {
        output.exit_code = output.exit_code == 0 ? exit_usage : output.exit_code;
        if (output.exit_code == exit_usage || result.report.result.empty()) {
            return output;  // it ended before there was anything to report
        }
    }
    SetResult told = result;
    if (const auto note = reboot_note(told.report.findings); !note.empty()) {
        told.report.notes.push_back(note);
    }
    switch (options.format) {
        case ReportFormat::human:
            output.out = render_set_human(told, dry_run, options.detail(),
                                          colour_for(options.colour, process));
            output.err += options.quiet ? error_lines(failures(told.report)) : "";
            break;
        case ReportFormat::json:
            output.out = render_set_json(told, dry_run);
            break;
    }
    return output;
}

Output status_output(const PrintOptionsIn<ReportFormat>& options, const Status& status,
                     const Process& process) {
    Output output;
    output.exit_code = status.unreadable ? exit_unknown : status.exit_code;
    const auto why = status.unreadable ? error_lines({status.unreadable->text}) : "";
    switch (options.format) {
        case ReportFormat::human:
            output.out =
                render_status_human(status, options.detail(), colour_for(options.colour, process));
            output.err = options.quiet ? why : "";
            break;
        case ReportFormat::json:
            output.out = render_status_json(status);
            output.err = why;
            break;
    }
    return output;
}

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
