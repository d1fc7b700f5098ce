// SPDX-License-Identifier: MIT
// rocenv env: prints a profile's environment for the program that will read it.
#include "cli/commands.h"
#include "launch/env_format.h"
#include "util/exit_status.h"
#include "util/text.h"

namespace rocenv {

namespace {}  // namespace

Output run_env(const Options& options, const Fs& fs, const Fs& host, const Process& process) {
    const Machine machine(fs, Machine::GpusFrom::kfd);
    const EnvPlan plan = plan_environment(options.request, machine, host, process);
    Output output;
    output.err = error_lines(options.quiet ? std::vector<std::string>() : plan.warnings) +
                 error_lines(plan.errors);
    if (!plan.errors.empty()) {
        output.exit_code = exit_of_unread(plan.timed_out);
        return output;
    }
    const auto text = render_environment(options.env_format, plan.lines);
    if (!text) {
        output.exit_code = exit_usage;
        output.err += error_lines({text.error().text});
        return output;
    }
    for (const auto& name : options.quiet ? std::vector<std::string>() : text->not_unset) {
        output.err += error_lines({name + " must not be set, which the format " +
                                   options.env_format + " cannot say: it is left out"});
    }
    output.out = text->out;
    return output;
}

}  // namespace rocenv
