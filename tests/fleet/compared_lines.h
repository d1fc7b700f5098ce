// SPDX-License-Identifier: MIT
// The results of a comparison, as lines that a test can compare.
#pragma once

#include <string>
#include <vector>

#include "fleet/report_texts.h"
#include "util/text.h"

namespace fleet_texts {

using namespace rocenv;

inline NodeReport node(const std::string& name, const std::string& kernel = "6.8") {
    return {.node = name,
            .facts = {{.id = "gpu.model", .value = "0x74a1"},
                      {.id = "kernel.version", .value = kernel}}};
}

// Each fold as "NAMES EXIT: DIFFERENCES".
inline std::vector<std::string> folds(const FleetResult& fleet) {
    std::vector<std::string> out;
    for (const auto& group : fleet.groups) {
        for (const auto& fold : group.folds) {
            std::string line = fold.names + " " + number(fold.exit_code);
            for (const auto& each : fold.differences) {
                line += std::string(each.unread ? " ? " : " ! ") + std::string(each.id) + " " +
                        each.target + " " + each.here + " <> " + each.others;
            }
            out.push_back(line);
        }
    }
    return out;
}

using Lines = std::vector<std::string>;

inline std::string warnings(const FleetResult& fleet) {
    return join(fleet.warnings, "; ");
}

inline Lines uncompared(const FleetResult& fleet) {
    Lines out;
    for (const auto& each : fleet.uncompared) {
        out.push_back(each.why + ": " + each.names);
    }
    return out;
}

inline std::string all_of(const std::vector<NodeReport>& reports) {
    std::string out;
    for (const auto& report : reports) {
        out += text_of(report);
    }
    return out;
}

// The status with --strict.
inline int strictly(const std::vector<NodeReport>& reports) {
    Gathered all;
    all.take(all_of(reports));
    CompareRequest request;
    request.strict = true;
    return all.compared(request).exit_code;
}

}  // namespace fleet_texts
