// SPDX-License-Identifier: MIT
#include "check/check.h"

#include <utility>

#include "check/evaluate.h"

namespace rocenv {

CheckResult check(const CheckRequest& request, const Fs& machine, const Fs& host,
                  const Process& process) {
    const Machine inventory(machine);
    Judging judging = judge_profile(request, inventory, host, process);
    if (judging.result.errors.empty()) {
        add_findings(judging);
        judge_check(judging.result.report, request.strict ? Strict::yes : Strict::no);
    }
    return std::move(judging.result);
}

}  // namespace rocenv
