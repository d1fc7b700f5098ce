// SPDX-License-Identifier: MIT
#include "cli/commands.h"

#include <algorithm>

#include "check/record.h"
#include "util/exit_status.h"
#include "util/text.h"

namespace rocenv {

namespace {}  // namespace

// https://no-color.org: NO_COLOR, when not empty, wins over a terminal.
Colour colour_for(const Options& options, const Process& process) {
    if (options.color != "auto") {
        return options.color == "always" ? Colour::yes : Colour::no;
    }
    const bool plain = !process.variable("NO_COLOR").value_or("").empty() ||
                       process.variable("TERM").value_or("dumb") == "dumb";
    return process.stdout_is_terminal && !plain ? Colour::yes : Colour::no;
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

Output run_check(const Options& options, const Fs& machine, const Fs& host,
                 const Process& process) {
    const CheckResult result = check(options.request, machine, host, process);
    Output output;
    output.err = error_lines(result.warnings) + error_lines(result.errors);
    if (!result.errors.empty()) {
        output.exit_code = exit_of_unread(result.timed_out);
        return output;
    }
    output.exit_code = result.report.exit_code;
    if (options.format == "json") {
        output.out = render_json(result.report);
    } else if (options.format == "jsonl") {
        output.out = render_jsonl(result.report);
    } else {
        output.out = render_human(result.report, options.detail(), colour_for(options, process));
    }
    return output;
}

Output run_record(const Options& options, const Fs& machine, const Fs& host,
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
