// SPDX-License-Identifier: MIT
// env and run: a profile's environment, printed or given to a program.
#include "cli/commands.h"

#include <algorithm>
#include <exception>

#include "cli/machines.h"
#include "launch/env_format.h"
#include "launch/env_plan.h"
#include "launch/program_start.h"
#include "os/interruption.h"
#include "settings/shapes/device_access.h"
#include "util/exit_status.h"
#include "util/text.h"

namespace rocenv {

static Process process_with(const std::vector<EnvLine>& lines, Process process) {
    for (const auto& line : lines) {
        process.environment.erase(line.name);
        if (line.value) {
            process.environment.emplace(line.name, *line.value);
        }
    }
    return process;
}

// Returns a warning if the lines select GPUs and leave none. Reads nothing if they select none.
static std::vector<std::string> hides_gpus(const std::vector<EnvLine>& lines,
                                           const Machine& machine, const Process& process) {
    const bool selects = std::any_of(lines.begin(), lines.end(), [](const EnvLine& line) {
        return line.name.ends_with("_VISIBLE_DEVICES");
    });
    const auto agents = selects ? gpu_agents(machine) : std::vector<GpuAgent>();
    if (agents.empty()) {
        return {};
    }
    const Process after = process_with(lines, process);
    const auto selected = selected_devices({machine, after}, agents);
    if (!selected.devices.empty()) {
        return {};
    }
    const auto& last = selected.hip ? selected.hip : selected.rocr;
    return {last->variable + "=" + printable(last->text) + " selects none of " +
            counted(agents.size(), "GPU device")};
}

Output run_env(const EnvOptions& options, const Fs& fs, const Fs& host, const Process& process) {
    const Machine machine(fs, Machine::GpusFrom::kfd);
    const EnvPlan plan = plan_environment(options.request, machine, host, process,
                                          options.print.verbose ? Origins::yes : Origins::no);
    Output output;
    output.err = options.print.quiet ? "" : error_lines(plan.origins) + error_lines(plan.warnings);
    output.err += error_lines(plan.doubts) + error_lines(plan.errors);
    if (!plan.errors.empty()) {
        output.exit_code = exit_of_unread(plan.timed_out);
        return output;
    }
    const auto text = render_environment(*options.print.format, plan.lines);
    if (!text) {
        output.exit_code = exit_usage;
        output.err += error_lines({text.error().text});
        return output;
    }
    for (const auto& name : options.print.quiet ? std::vector<std::string>() : text->not_unset) {
        output.err += error_lines({name + " must not be set. The format " +
                                   std::string(options.print.format->word) +
                                   " cannot express that, and leaves it out"});
    }
    output.err += options.print.quiet ? "" : error_lines(hides_gpus(plan.lines, machine, process));
    output.out = text->out;
    return output;
}

namespace {

Output refused(const std::string& text) {
    return failure(exit_refused, text);
}

Output misused_run(const std::string& text) {
    return {exit_refused, "", misused("run", text).err};
}

// The lines that apply: values that the caller has set stay, unless --override; variables that must
// not be set are removed.
struct Taken {
    std::vector<EnvLine> lines;
    std::vector<std::string> kept;  // names whose other value in the environment won
};

Taken take(const std::vector<EnvLine>& plan, const RunOptions& options, const Process& process) {
    Taken out;
    for (const auto& line : plan) {
        const auto present = process.variable(line.name);
        if (!line.value || !present || options.override_env) {
            out.lines.push_back(line);
        } else if (*present != *line.value) {
            out.kept.push_back(line.name);
        }
    }
    return out;
}

// The helper's answer to its caller: NAME=VALUE or NAME, each closed by a NUL.
std::string packed(const std::vector<EnvLine>& lines) {
    std::string out;
    for (const auto& line : lines) {
        out += line.name + (line.value ? "=" + *line.value : std::string()) + std::string(1, '\0');
    }
    return out;
}

std::vector<EnvLine> unpacked(std::string_view text) {
    std::vector<EnvLine> lines;
    while (!text.empty()) {
        const std::string_view entry = text.substr(0, text.find('\0'));
        const auto equals = entry.find('=');
        const bool set = equals != std::string_view::npos;
        lines.push_back(
            {std::string(entry.substr(0, equals)),
             set ? std::optional(std::string(entry.substr(equals + 1))) : std::nullopt});
        text.remove_prefix(entry.size() + 1);
    }
    return lines;
}

// Returns the lines of `text` that are not in `said`: planning, setting and checking read the same
// profiles.
std::string new_lines(std::string_view text, std::string_view said) {
    const auto known = split(said, '\n');
    std::string out;
    while (!text.empty()) {
        const auto end = std::min(text.find('\n'), text.size() - 1) + 1;
        const auto line = text.substr(0, end);
        if (std::find(known.begin(), known.end(), trim(line)) == known.end()) {
            out += line;
        }
        text.remove_prefix(end);
    }
    return out;
}

// Runs the check of --check, whose report goes to stderr. Returns true if the program must not
// start.
bool check_forbids(const RunOptions& options, const Fs& machine, const Fs& host,
                   const Process& process, Output& output) {
    CheckOptions checking;
    static_cast<PrintOptions&>(checking.print) = options.print;
    checking.print.format = options.format == nullptr ? checking.print.format : options.format;
    checking.machine = options.machine;
    checking.request = options.request.check;
    checking.request.untrusted = Untrusted::ignored;
    const Output report = run_check(checking, machine, host, process);
    const bool all_of_it = options.print.verbose || options.format != nullptr;
    output.err +=
        new_lines(report.err, output.err) + (report.exit_code != 0 || all_of_it ? report.out : "");
    if (report.exit_code == 0 || options.check_first == CheckFirst::warn) {
        return false;
    }
    if (checking.print.format->reader == ReadBy::person) {
        output.err += error_lines({"the program was not started (--check)"});
    }
    return true;
}

// Returns the program's environment as packed() text, or the reason why it must not start. Runs in
// the helper.
Output prepare(const RunOptions& options, const Fs& machine, const Fs& host,
               const Process& process) {
    const Machine inventory(machine, Machine::GpusFrom::kfd);
    const EnvPlan plan = plan_environment(options.request.check, inventory, host, process);
    Output output;
    output.err = error_lines(options.print.quiet ? std::vector<std::string>() : plan.warnings) +
                 error_lines(plan.doubts) + error_lines(plan.errors);
    if (!plan.errors.empty()) {
        output.exit_code = exit_refused;
        return output;
    }
    const Taken taken = take(plan.lines, options, process);
    if (!taken.kept.empty() && !options.print.quiet) {
        output.err += error_lines({"variables of the caller were kept: " + join(taken.kept, ", ") +
                                   " (--override replaces them)"});
    }
    if (options.check_first && !options.tune &&
        check_forbids(options, machine, host, process_with(taken.lines, process), output)) {
        output.exit_code = exit_refused;
        return output;
    }
    output.out = packed(taken.lines);
    return output;
}

// Returns the user that the program runs as. With --tune this is the caller of sudo, unless --user
// names another. std::nullopt: the calling user.
std::optional<std::string> user_for(const RunOptions& options, const Process& process) {
    if (!options.user.empty()) {
        return options.user;
    }
    if (!options.tune || !process.through_sudo) {
        return std::nullopt;
    }
    const auto group = process.variable("SUDO_GID");
    return *process.variable("SUDO_UID") + (group ? ":" + *group : "");
}

// Checks the node as it is now, and prints why it fails.
bool checks_well(const RunOptions& options, const Call& call, const std::vector<EnvLine>& lines,
                 const std::string& said) {
    const Output output =
        supervise(options.machine, call.given, [&](const Fs& machine, const Fs& host) {
            Output checked;
            const bool no =
                check_forbids(options, machine, host, process_with(lines, call.process), checked);
            checked.exit_code = no ? exit_refused : 0;
            return checked;
        });
    say(new_lines(output.err, said));
    return output.exit_code == 0;
}

int launch_tuned(const RunOptions& options, const Call& call, const ProgramStart& start,
                 const std::vector<EnvLine>& lines, const std::string& said, RunHold& hold) {
    Tuned tuned = tune(options, call);
    hold = std::move(tuned.hold);
    const Output& set = tuned.output;
    say(new_lines(set.err, said) + (set.exit_code != 0 || options.print.verbose ? set.out : ""));
    if (set.exit_code > exit_differs) {  // with 1, a setting that cannot be set, the program starts
        const bool no_profile = options.request.check.profiles.empty() && hold.name.empty();
        return no_profile ? exit_usage : exit_refused;
    }
    if (options.check_first && !checks_well(options, call, lines, said + set.err)) {
        return exit_refused;
    }
    return start_and_wait(start, options.as_init ? AsInit::yes : AsInit::no);
}

// Restores the settings of the program after it, even after an exception.
Output tune_and_launch(const RunOptions& options, const Call& call, const ProgramStart& start,
                       const std::vector<EnvLine>& lines, const std::string& said) {
    RunHold hold;
    int status = exit_refused;
    std::string why;
    try {
        status = launch_tuned(options, call, start, lines, said, hold);
    } catch (const std::exception& failure) {
        why = error_lines({failure.what()});
    }
    if (!hold.name.empty()) {
        why += untune(options, call, std::move(hold));
    }
    allow_interruptions();  // only messages are left to print
    return {status, "", why};
}

}  // namespace

Output run_launch(const RunOptions& options, const Call& call) {
    if (options.program.empty()) {
        return misused_run("missing argument PROGRAM behind --");
    }
    ProgramStart start;
    start.command = options.program;
    if (!options.tune &&
        (!options.request.allow.empty() || !options.request.gpus.empty() || options.state)) {
        return misused_run("--allow, --gpu and --state need --tune");
    }
    if (!options.check_first && options.format != nullptr) {
        return misused_run("--format needs --check");
    }
    const bool of_plugin =
        options.format != nullptr && options.format->reader == ReadBy::plugin_host;
    if (of_plugin) {  // its status is a plugin's: 1 is a warning
        return misused_run("--format " + std::string(options.format->word) +
                           " is valid for rocenv check only");
    }
    if (!options.tune && !options.check_first && !options.request.check.waivers.empty()) {
        return misused_run("--waivers needs --check or --tune");
    }
    if (const auto name = user_for(options, call.process)) {
        auto user = find_user(*name);
        if (!user) {
            return refused(user.error().text);
        }
        start.as = *std::move(user);
    }
    Output prepared =
        supervise_if_needed(options.machine, call.given, [&](const Fs& machine, const Fs& host) {
            return prepare(options, machine, host, call.process);
        });
    if (prepared.exit_code != 0) {
        return {exit_refused, "", prepared.err};
    }
    say(prepared.err);
    const auto lines = unpacked(prepared.out);
    start.environment = environment_with(lines);
    if (options.tune) {
        return tune_and_launch(options, call, start, lines, prepared.err);
    }
    if (options.as_init) {
        return {start_and_wait(start, AsInit::yes), "", ""};
    }
    const NotStarted failure = become(start);
    return {failure.exit_code, "", error_lines({failure.text})};
}

}  // namespace rocenv
