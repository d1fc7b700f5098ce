// SPDX-License-Identifier: MIT
#include "cli/commands.h"

#include <algorithm>

#include "check/check.h"
#include "check/record.h"
#include "cli/requests.h"
#include "report/render.h"
#include "util/exit_status.h"
#include "util/text.h"

namespace rocenv {

namespace {

// What goes to a file is all of it, whoever is at the terminal.
std::string rendered(const Report& report, const CheckOptions& options, const Process& process) {
    const PrintOptions& print = options.print;
    const bool to_file = !options.output.empty();
    switch (options.print.format) {
        case CheckFormat::human:
            return to_file
                       ? render_human(report, print.verbose ? Detail::everything : Detail::normal,
                                      print.colour == UseColour::always ? Colour::yes : Colour::no)
                       : render_human(report, print.detail(), colour_for(print.colour, process));
        case CheckFormat::json:
            return render_json(report);
        case CheckFormat::jsonl:
            return render_jsonl(report);
        case CheckFormat::brief:
            return print.quiet && !to_file ? "" : render_brief(report);
        case CheckFormat::junit:
            return render_junit(report);
        case CheckFormat::prometheus:
            return render_prometheus(report);
        case CheckFormat::nagios:
            return render_nagios(report);
        case CheckFormat::github:
            return render_github(report);
    }
    return "";
}

}  // namespace

// https://no-color.org: NO_COLOR, when not empty, wins over a terminal.
Colour colour_for(UseColour use, const Process& process) {
    if (use != UseColour::on_terminal) {
        return use == UseColour::always ? Colour::yes : Colour::no;
    }
    const bool plain = !process.variable("NO_COLOR").value_or("").empty() ||
                       process.variable("TERM").value_or("dumb") == "dumb";
    return process.prints_to_terminal && !plain ? Colour::yes : Colour::no;
}

std::string error_lines(const std::vector<std::string>& texts) {
    std::string out;
    for (const auto& text : texts) {
        out += "rocenv: " + printable(text, uncut) + "\n";
    }
    return out;
}

Output failure(int exit_code, const std::string& text) {
    return {exit_code, "", error_lines({text})};
}

Output run_check(const CheckOptions& options, const Fs& machine, const Fs& host,
                 const Process& process) {
    const CheckResult result = check(check_request(options), machine, host, process);
    Output output;
    output.err = error_lines(result.warnings) + error_lines(result.errors);
    if (!result.errors.empty()) {
        output.exit_code = exit_of_unread(result.timed_out);
        if (options.print.format == CheckFormat::nagios) {
            output.exit_code = exit_unknown;
            output.out = nagios_failure(result.errors.front());
        }
        return output;
    }
    output.exit_code = options.print.format == CheckFormat::nagios ? nagios_status(result.report)
                                                                   : result.report.exit_code;
    output.out = rendered(result.report, options, process);
    return output;
}

Output run_record(const RecordOptions& options, const Fs& machine, const Fs& host,
                  const Process& process) {
    constexpr std::size_t most_named = 20;
    auto recording = record(machine, host, process, options.with_env ? WithEnv::yes : WithEnv::no);
    if (!recording) {
        return failure(exit_usage, recording.error().text);
    }
    auto& silent = recording.value().silent;
    const std::size_t count = silent.size();
    silent.resize(std::min(count, most_named));
    for (auto& path : silent) {
        path += ": no answer in time, recorded as ETIMEDOUT";
    }
    if (count > most_named) {
        silent.push_back(number(count - most_named) + " more files were not answered in time");
    }
    return {count == 0 ? exit_ok : exit_unknown, std::move(recording.value().text),
            error_lines(silent)};
}

}  // namespace rocenv
