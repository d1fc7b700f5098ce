// SPDX-License-Identifier: MIT
// check and record, and the delivery of their output.
#include "cli/commands.h"

#include <algorithm>
#include <optional>
#include <string_view>

#include "check/causes.h"
#include "check/check.h"
#include "check/record.h"
#include "report/render.h"
#include "rocenv/machine.h"
#include "util/exit_status.h"
#include "util/text.h"

namespace rocenv {

namespace {

// Renders the report. A file gets all of it, whatever the terminal gets.
std::string rendered(const Report& report, const CheckOptions& options, const Process& process) {
    const auto& print = options.print;
    const bool to_file = !options.output.empty();
    if (!to_file) {
        return formatted(options.print, report, process);
    }
    return print.format->render(report, print.verbose ? Detail::everything : Detail::normal,
                                print.colour == UseColour::always ? Colour::yes : Colour::no);
}

std::string brief_unless_quiet(const Report& report, Detail detail, Screen /*screen*/) {
    return detail == Detail::quiet ? "" : render_brief(report);
}

std::string recorded_text(const Recording& recording) {
    return recording.text;
}

constexpr CheckFormat check_formats[] = {
    {"human", ReadBy::person, render_human},
    {"json", ReadBy::program, render_json},
    {"jsonl", ReadBy::program, render_jsonl},
    {"brief", ReadBy::program, brief_unless_quiet},
    {"junit", ReadBy::program, render_junit},
    {"prometheus", ReadBy::program, render_prometheus},
    {"nagios", ReadBy::plugin_host, render_nagios},
    {"github", ReadBy::program, render_github},
};

constexpr RecordFormat record_formats[] = {{"tree", ReadBy::program, recorded_text}};

bool is_for_plugin_host(const CheckFormat* format) {
    return format != nullptr && format->reader == ReadBy::plugin_host;
}

}  // namespace

template <>
std::span<const CheckFormat> formats() {
    return check_formats;
}

template <>
std::span<const RecordFormat> formats() {
    return record_formats;
}

namespace {

// Decides by the option, then by NO_COLOR (https://no-color.org), CLICOLOR_FORCE and FORCE_COLOR
// (colour without a terminal), then by CLICOLOR=0 and the terminal (https://bixense.com/clicolors).
Colour colour_for(UseColour use, const Process& process) {
    const auto is_set = [&](const char* name) {
        const auto value = process.variable(name).value_or("");
        return !value.empty() && value != "0" && value != "false";
    };
    if (use != UseColour::on_terminal) {
        return use == UseColour::always ? Colour::yes : Colour::no;
    }
    if (!process.variable("NO_COLOR").value_or("").empty()) {
        return Colour::no;
    }
    if (is_set("CLICOLOR_FORCE") || is_set("FORCE_COLOR")) {
        return Colour::yes;
    }
    const bool plain =
        process.variable("CLICOLOR") == "0" || process.variable("TERM").value_or("dumb") == "dumb";
    return process.prints_to_terminal && !plain ? Colour::yes : Colour::no;
}

}  // namespace

// Returns the screen for stdout. COLUMNS counts only for a terminal without a known width; a pipe
// has 80 columns.
Screen screen_for(UseColour use, const Process& process) {
    Screen screen(colour_for(use, process));
    if (process.prints_to_terminal) {
        const auto stated = parse_number(process.variable("COLUMNS").value_or("")).value_or(0);
        const std::size_t columns =
            process.terminal_columns > 0 ? process.terminal_columns : std::size_t{stated};
        screen.width = columns > 0 ? std::max(columns, Screen::least_width) : screen.width;
    }
    return screen;
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
    const CheckResult result = check(options.request, machine, host, process);
    Output output;
    output.err = error_lines(result.warnings) + error_lines(result.errors);
    if (!result.errors.empty()) {
        output.exit_code = exit_of_unread(result.timed_out);
        output.may_heal = result.timed_out;
        if (is_for_plugin_host(options.print.format)) {
            output.exit_code = exit_unknown;
            output.out = nagios_failure(result.errors.front());
        }
        return output;
    }
    output.exit_code = is_for_plugin_host(options.print.format) ? nagios_status(result.report)
                                                                : result.report.exit_code;
    output.may_heal = may_heal(result.report);
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
        path += ": did not answer in time, recorded as ETIMEDOUT";
    }
    if (count > most_named) {
        silent.push_back(number(count - most_named) + " more files did not answer in time");
    }
    return {count == 0 ? exit_ok : exit_unknown, formatted(options.print, *recording, process),
            error_lines(silent)};
}

namespace {

std::string first_line(std::string_view err) {
    constexpr std::string_view name = "rocenv: ";
    err = err.substr(0, err.find('\n'));
    err.remove_prefix(err.starts_with(name) ? name.size() : 0);
    return std::string(err);
}

Output as_plugin(Output output, const std::string& reason) {
    output.out = nagios_failure(reason);
    output.exit_code = exit_unknown;
    return output;
}

// `words` begin with the command.
bool asks_for_plugin(const std::vector<std::string>& words) {
    constexpr std::string_view format = "--format";
    bool asks = false;
    for (std::size_t at = 1; at < words.size(); ++at) {
        const std::string_view word = words[at];
        if (word == format || word.starts_with("--format=")) {
            const bool joined = word.size() > format.size();
            const std::string_view value = joined                  ? word.substr(format.size() + 1)
                                           : at + 1 < words.size() ? std::string_view(words[at + 1])
                                                                   : std::string_view();
            asks = is_for_plugin_host(format_named<CheckFormat>(value));
        }
    }
    return asks && words.front() == "check";
}

// Error: the file could not be written, and `output` is as it was.
std::optional<Error> moved_to_file(const std::string& path, const PrintOptions& options,
                                   FileReaders readers, Output& output) {
    if (path.empty() || output.out.empty()) {
        return std::nullopt;
    }
    if (auto error = write_file(path, output.out, readers)) {
        return error;
    }
    if (!options.quiet) {
        output.err +=
            "rocenv: wrote " + printable(path) + ", " + number(output.out.size()) + " bytes\n";
    }
    output.out.clear();
    return std::nullopt;
}

}  // namespace

Output to_file(const std::string& path, const PrintOptions& options, FileReaders readers,
               Output output) {
    const auto error = moved_to_file(path, options, readers, output);
    if (!error) {
        return output;
    }
    const bool usage = error->kind == ErrorKind::bad_input;
    return {usage ? exit_usage : exit_unknown, "", output.err + error_lines({error->text})};
}

Output check_delivered(const CheckOptions& options, Output output) {
    const bool plugin = is_for_plugin_host(options.print.format);
    if (plugin && output.out.empty()) {
        output = as_plugin(output, first_line(output.err));
    }
    if (options.print.format->reader == ReadBy::person && !options.output.empty()) {
        output.out = printable_but(Kept::both, output.out);
    }
    const auto error = moved_to_file(options.output, options.print, FileReaders::by_umask, output);
    if (!error) {
        return output;
    }
    const int verdict = output.exit_code == exit_ok ? exit_unknown : output.exit_code;
    output.exit_code = error->kind == ErrorKind::bad_input ? exit_usage : verdict;
    output.out.clear();
    output.err += error_lines({error->text});
    return plugin ? as_plugin(std::move(output), error->text) : output;
}

Output misuse_delivered(const std::vector<std::string>& words, Output output) {
    if (output.exit_code != exit_ok && asks_for_plugin(words)) {
        return as_plugin({}, first_line(output.err));
    }
    return output;
}

SmiOpinion::SmiOpinion(const CheckOptions& options) : library_(word_of(options.gpu_backend)) {
    if (options.gpu_backend == GpuOpinion::sysfs || options.print.quiet) {
        return;
    }
    if (options.machine.sysroot) {
        why_none_ = {library_ + ": the library reads this machine only, and was not asked"};
        return;
    }
    const double seconds = options.machine.patience.probe_seconds;
    auto devices =
        options.gpu_backend == GpuOpinion::amdsmi ? amdsmi_devices(seconds) : smi_devices(seconds);
    if (devices) {
        devices_ = std::move(devices).value();
    } else {
        why_none_ = {library_ + ": " + devices.error().text};
    }
}

std::string SmiOpinion::lines(const Fs& machine) const {
    auto out = why_none_;
    for (const auto& device : devices_) {
        const auto ours = machine.read(pci_path(device.bdf, "/power_dpm_force_performance_level"));
        if (!ours.is(ErrorKind::not_here)) {
            out.push_back(library_ + " " + device.bdf + ": level " + device.level + " (sysfs: " +
                          (ours ? printable(trim(*ours), 40) : ours.error().text) + ")");
        }
    }
    return error_lines(out);
}

}  // namespace rocenv
