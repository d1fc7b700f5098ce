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
    const EnvPlan plan = plan_environment(check_request(options), machine, host, process,
                                          options.print.verbose ? Origins::yes : Origins::no);
    Output output;
    output.err = options.print.quiet ? "" : error_lines(plan.origins) + error_lines(plan.warnings);
    output.err += error_lines(plan.doubts) + error_lines(plan.errors);
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
