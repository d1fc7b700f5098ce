// SPDX-License-Identifier: MIT
#include "cli/explain_command.h"

#include <algorithm>

#include "cli/commands.h"
#include "cli/requests.h"
#include "help/explain/explain.h"
#include "help/explain/render.h"
#include "util/exit_status.h"
#include "util/text.h"
#include "variables/releases/releases.h"

namespace rocenv {

namespace {

ExplainRequest explain_request(const ExplainOptions& options) {
    ExplainRequest request;
    request.words = options.words;
    request.search = options.search;
    request.only_set = options.only_set;
    request.many = options.print.verbose || options.print.format == ReportFormat::json
                       ? Many::whole
                       : Many::listed;
    request.check = check_request(options);
    return request;
}

std::vector<std::string> unknown_lines(const std::vector<UnknownWord>& unknown) {
    std::vector<std::string> out;
    out.reserve(unknown.size());
    for (const auto& each : unknown) {
        out.push_back(printable(each.word, 60) + ": " + each.says);
    }
    return out;
}

std::string rendered(const Explanations& found, const ExplainOptions& options,
                     const Process& process) {
    switch (options.print.format) {
        case ReportFormat::human:
            return render_explain_human(found, options.print.detail(),
                                        colour_for(options.print.colour, process));
        case ReportFormat::json:
            return render_explain_json(found, std::string(facts_date()));
    }
    return "";
}

bool all_known(const Explanations& found) {
    return found.unknown.empty() &&
           std::none_of(found.all.begin(), found.all.end(), [](const Explanation& each) {
               const auto* profile = std::get_if<ProfileExplanation>(&each);
               return profile != nullptr && profile->is_bad;
           });
}

// Of variables that --set leaves there may be none, and that is an answer.
bool is_none_set(const Explanations& found, const ExplainOptions& options) {
    return options.only_set && found.all.empty() && found.unknown.empty();
}

}  // namespace

Output run_explain(const ExplainOptions& options, const Fs& machine, const Fs& host,
                   const Process& process) {
    Explanations found = explain(explain_request(options), machine, host, process);
    Output output;
    output.err = error_lines(found.warnings) + error_lines(found.errors);
    if (!found.errors.empty()) {
        output.exit_code = exit_of_unread(found.timed_out);
        return output;
    }
    output.err += error_lines(unknown_lines(found.unknown));
    output.exit_code = all_known(found) ? exit_ok : exit_of_unread(found.timed_out);
    const bool quiet = options.print.quiet;
    if (!quiet && options.print.format == ReportFormat::human) {
        if (is_none_set(found, options)) {
            found.notes.insert(found.notes.begin(), "none of these variables is set");
        }
    }
    if (!quiet) {
        output.out = rendered(found, options, process);
    }
    return output;
}

}  // namespace rocenv
