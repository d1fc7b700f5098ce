// SPDX-License-Identifier: MIT
#include "check/check.h"

#include <utility>

#include "check/evaluate.h"
#include "check/hidden_names.h"

namespace rocenv {

CheckResult check(const CheckRequest& request, const Fs& machine, const Fs& host,
                  const Process& process) {
    const Machine inventory(machine);
    Evaluation evaluation = evaluate_profile(request, inventory, host, process, Rows::reported);
    if (evaluation.result.errors.empty()) {
        add_findings(evaluation, request, inventory);
        auto& report = evaluation.result.report;
        report.deadline_reached = machine.deadline_reached();
        request.with_ids ? hide_credentials(process, report)
                         : hide_identities(inventory, process, report);
        judge_check(report, request.strict ? Strict::yes : Strict::no);
    }
    return std::move(evaluation.result);
}

}  // namespace rocenv
