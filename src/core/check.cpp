// SPDX-License-Identifier: MIT
#include "rocenv/check.h"

#include <algorithm>
#include <ctime>

#include "core/judging.h"
#include "util/text.h"

namespace rocenv {

std::string report_time(const Process& process) {
    std::time_t seconds = ::time(nullptr);
    if (const auto fixed = process.variable("SOURCE_DATE_EPOCH")) {
        seconds = parse_signed(*fixed).value_or(seconds);
    }
    std::tm parts{};
    char text[32];
    if (::gmtime_r(&seconds, &parts) == nullptr ||
        std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts) == 0) {
        return "1970-01-01T00:00:00Z";
    }
    return text;
}

bool selected(const std::string& id, const std::vector<std::string>& only,
              const std::vector<std::string>& skip) {
    const auto any = [&](const std::vector<std::string>& patterns) {
        return std::any_of(patterns.begin(), patterns.end(),
                           [&](const std::string& pattern) { return glob_match(pattern, id); });
    };
    return (only.empty() || any(only)) && !any(skip);
}

std::vector<std::string> expand_names(const std::vector<std::string>& names,
                                      const std::string& chosen) {
    std::vector<std::string> out;
    out.reserve(names.size());
    for (const auto& name : names) {
        out.push_back(name == "auto" ? chosen : name == "benchmark" ? chosen + "-benchmark" : name);
    }
    return out;
}

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
