// SPDX-License-Identifier: MIT
// rocenv env: prints a profile's environment for the program that will read it.
#include "cli/commands.h"
#include "cli/requests.h"
#include "launch/env_format.h"
#include "util/exit_status.h"
#include "util/text.h"

namespace rocenv {

Output run_env(const EnvOptions& options, const Fs& fs, const Fs& host, const Process& process) {
    const Machine machine(fs, Machine::GpusFrom::kfd);
    const EnvPlan plan = plan_environment(check_request(options), machine, host, process);
    Output output;
    output.err = error_lines(options.quiet ? std::vector<std::string>() : plan.warnings) +
                 error_lines(plan.errors);
    if (!plan.errors.empty()) {
        output.exit_code = exit_of_unread(plan.timed_out);
        return output;
    }
    const auto text = render_environment(options.format, plan.lines);
    if (!text) {
        output.exit_code = exit_usage;
        output.err += error_lines({text.error().text});
        return output;
    }
    for (const auto& name : options.quiet ? std::vector<std::string>() : text->not_unset) {
        output.err +=
            error_lines({name + " must not be set, which the format " +
                         std::string(word_of(options.format)) + " cannot say: it is left out"});
    }
    output.out = text->out;
    return output;
}

}  // namespace rocenv
