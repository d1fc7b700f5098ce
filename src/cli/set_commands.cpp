// SPDX-License-Identifier: MIT
#include "cli/set_commands.h"

#include "cli/commands.h"
#include "transaction/persist_hints.h"
#include "transaction/set.h"
#include "util/exit_status.h"

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

}  // namespace rocenv
