// SPDX-License-Identifier: MIT
// rocenv env: prints a profile's environment for the program that will read it.
#include "cli/commands.h"
#include "cli/requests.h"
#include "launch/env_format.h"
#include "util/exit_status.h"
#include "util/text.h"

namespace rocenv {

namespace {

std::vector<std::string> remarks_of(const EnvPlan& plan, const PrintOptions& print) {
    std::vector<std::string> out = print.verbose ? plan.origins : std::vector<std::string>();
    out.insert(out.end(), plan.warnings.begin(), plan.warnings.end());
    return print.quiet ? std::vector<std::string>() : out;
}

}  // namespace

Output run_env(const EnvOptions& options, const Fs& fs, const Fs& host, const Process& process) {
    const Machine machine(fs, Machine::GpusFrom::kfd);
    const EnvPlan plan = plan_environment(check_request(options), machine, host, process);
    Output output;
    output.err = error_lines(remarks_of(plan, options.print)) + error_lines(plan.errors);
    if (!plan.errors.empty()) {
        output.exit_code = exit_of_unread(plan.timed_out);
        return output;
    }
    const auto text = render_environment(options.print.format, plan.lines);
    if (!text) {
        output.exit_code = exit_usage;
        output.err += error_lines({text.error().text});
        return output;
    }
    for (const auto& name : options.print.quiet ? std::vector<std::string>() : text->not_unset) {
        output.err += error_lines({name + " must not be set, which the format " +
                                   std::string(word_of(options.print.format)) +
                                   " cannot say: it is left out"});
    }
    output.out = text->out;
    return output;
}

}  // namespace rocenv
