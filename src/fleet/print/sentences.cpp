// SPDX-License-Identifier: MIT
#include "fleet/print/sentences.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "settings/have_codes.h"
#include "util/text.h"

namespace rocenv {

namespace {

constexpr std::size_t longest_row_value = 60;
constexpr std::size_t most_row_ids = 3;

std::string_view reason_text(Reason reason) {
    switch (reason) {
        case Reason::timeout:
            return "no answer in time";
        case Reason::permission:
            return "no permission to read";
        case Reason::asleep:
            return "a GPU is suspended";
        case Reason::garbled:
            return "a value is not valid";
        case Reason::hidden:
            return "hidden from a container";
        case Reason::error:
            break;
    }
    return "a read failed";
}

// The first finding of a row and the targets of its kind.
struct FirstCause {
    const FleetFinding* finding = nullptr;
    std::vector<std::string_view> targets;
};

FirstCause first_cause(const FleetResult& fleet, const FleetRow& row) {
    FirstCause out{&fleet.findings[row.findings.front()], {}};
    for (const auto index : row.findings) {
        const FleetFinding& each = fleet.findings[index];
        if (each.id == out.finding->id && each.have == out.finding->have &&
            each.expected == out.finding->expected && each.outcome == out.finding->outcome) {
            out.targets.push_back(each.target);
        }
    }
    return out;
}

std::string_view kind_of_device(std::string_view id) {
    return id.starts_with("gpu.") ? "GPU" : id.starts_with("rdma.") ? "NIC" : "device";
}

bool is_whole_node(std::string_view target) {
    return target == "system" || target == "process";
}

// "the GPU at 0000:85:00.0", "8 GPUs", "a GPU" where the nodes differ in it; empty: the node.
std::string devices_text(const FirstCause& cause, bool same) {
    const std::string kind(kind_of_device(cause.finding->id));
    if (is_whole_node(cause.targets.front())) {
        return "";
    }
    if (cause.targets.size() > 1) {
        return same ? number(cause.targets.size()) + " " + kind + "s" : kind + "s";
    }
    return same ? "the " + kind + " at " + std::string(cause.targets.front()) : "a " + kind;
}

// "0000:05:00.0 and 7 more".
std::string plain_targets(const FirstCause& cause) {
    if (is_whole_node(cause.targets.front())) {
        return "";
    }
    return std::string(cause.targets.front()) +
           (cause.targets.size() > 1 ? " and " + number(cause.targets.size() - 1) + " more" : "");
}

std::string clause_of(std::string_view detail) {
    return std::string(detail.substr(0, detail.find(';')));
}

std::string shown(std::string_view value) {
    return printable(shown_value(value), longest_row_value);
}

std::string values_of(const FleetFinding& finding) {
    const std::string expected = finding.expected ? ", expected " + shown(*finding.expected) : "";
    if (!finding.have && !finding.detail.empty() && !finding.id.starts_with("env.")) {
        return clause_of(finding.detail);
    }
    return (finding.have ? shown(*finding.have)
                         : std::string(finding.id.starts_with("env.") ? "not set" : "no value")) +
           expected;
}

std::string failed_text(const FirstCause& cause, bool same) {
    const FleetFinding& finding = *cause.finding;
    const std::string code = finding.code.empty() && finding.have
                                 ? have_code(finding.id, *finding.have)
                                 : std::string(finding.code);
    std::string out = code_sentence(code, cause.targets.size() > 1);
    const std::string devices = devices_text(cause, same);
    if (!out.empty() && !devices.empty()) {
        return out.replace(out.find("{}"), 2, devices) + (same ? "" : " (not the same on each)");
    }
    const std::string targets = same ? plain_targets(cause) : "";
    return (targets.empty() ? "" : targets + ": ") + values_of(finding);
}

// Returns the sentence of values that could not be read: "gpu.count: …", or "3 checks: …".
std::string unread_text(const FleetResult& fleet, const FleetRow& row) {
    std::set<Reason> reasons;
    for (const auto index : row.findings) {
        reasons.insert(fleet.findings[index].reason);
    }
    const std::string what =
        row.ids.size() == 1 ? std::string(row.ids.front()) : counted(row.ids.size(), "check");
    if (reasons.size() > 1) {
        return what + ": could not be read";
    }
    const bool is_gpu = std::any_of(row.ids.begin(), row.ids.end(),
                                    [](std::string_view id) { return id.starts_with("gpu."); });
    const bool is_device = *reasons.begin() == Reason::asleep && !is_gpu;
    return what + ": " +
           (is_device ? std::string("a device is suspended")
                      : std::string(reason_text(*reasons.begin())));
}

// Returns "a, b, c and 2 more".
std::string first_row_ids(std::vector<std::string> ids) {
    const std::size_t more = ids.size() - std::min(ids.size(), most_row_ids);
    ids.resize(ids.size() - more);
    return join(ids, ", ") + (more > 0 ? " and " + number(more) + " more" : "");
}

std::string also_text(const FleetRow& row) {
    return row.ids.size() == 1
               ? ""
               : " (also " + first_row_ids({row.ids.begin() + 1, row.ids.end()}) + ")";
}

std::string outlier_text(const FleetResult& fleet, const FleetRow& row) {
    if (!row.beside.empty()) {
        return std::string(row.beside) + " (the report that counts passes)";
    }
    const FleetGroup& group = fleet.groups[row.group];
    const FleetFold& fold = group.folds[row.fold];
    const std::string status = fold.judged ? " (passes)" : " (not judged)";
    const auto& differences = fold.differences;
    std::vector<std::string> ids;
    for (const auto& each : differences) {
        const std::string id(each.id);
        if (std::find(ids.begin(), ids.end(), id) == ids.end()) {
            ids.push_back(id);
        }
    }
    const bool by_majority = fleet.reference.empty();
    if (differences.size() == 1) {
        const FleetDifference& only = differences.front();
        return ids.front() + (is_whole_node(only.target) ? "" : " " + only.target) + ": " +
               shown(only.here) +
               (by_majority || only.by_majority ? ", peers have " : ", reference has ") +
               shown(only.others) + status;
    }
    const std::size_t peers = group.nodes.size() - row.nodes.size();
    const std::string of =
        by_majority ? (row.nodes.size() == 1 ? "its " : "their ") + counted(peers, "peer")
                    : fleet.reference;
    return counted(ids.size(), "setting") + (ids.size() == 1 ? " differs from " : " differ from ") +
           of + ": " + first_row_ids(ids) + status;
}

}  // namespace

std::string because_text(std::string_view because) {
    const bool is_sentence = because.empty() || because.starts_with(no_complete_report);
    return (is_sentence ? "" : "by ") + std::string(because);
}

namespace {

std::string status_text(const FleetResult& fleet, const FleetRow& row) {
    if (!row.because.empty()) {
        return because_text(row.because);
    }
    if (row.findings.empty()) {
        return "the report states this status, and none of its findings does";
    }
    const FirstCause cause = first_cause(fleet, row);
    if (cause.finding->outcome == Outcome::unknown) {
        return unread_text(fleet, row);
    }
    return std::string(cause.finding->id) + ": " + failed_text(cause, row.same_targets) +
           also_text(row);
}

}  // namespace

std::string row_sentence(const FleetResult& fleet, const FleetRow& row) {
    if (row.kind == FleetRowKind::outlier) {
        return outlier_text(fleet, row);
    }
    if (row.kind == FleetRowKind::unjudged) {
        return row.unselected ? "--only and --skip select no finding of the report"
                              : "the report holds no finding";
    }
    return status_text(fleet, row) + (row.beside.empty() ? "" : "; " + std::string(row.beside));
}

namespace {

// The parts that are equal in splits which are printed as one.
std::string split_key(const FleetSplit& split) {
    std::string out(split.id);
    for (const auto& side : split.sides) {
        out += '\0' + side.value + '\0' + side.names;
    }
    return out;
}

}  // namespace

std::vector<PrintedDifference> printed(const std::vector<FleetDifference>& all) {
    std::set<std::tuple<std::string_view, std::string_view>> of_findings;
    for (const auto& each : all) {
        if (each.of == FleetSubject::finding) {
            of_findings.insert({each.id, each.target});
        }
    }
    std::map<std::tuple<std::string_view, std::string_view, std::string_view>, std::size_t> known;
    std::vector<PrintedDifference> out;
    for (const auto& each : all) {
        const bool is_finding = each.of == FleetSubject::finding;
        if (!is_finding && of_findings.contains({each.id, each.target})) {
            continue;  // the finding states the same
        }
        const auto [found, is_new] =
            known.try_emplace({each.id, each.here, each.others}, out.size());
        if (is_new) {
            out.push_back({&each, {}});
        }
        out[found->second].targets.push_back(each.target);
    }
    return out;
}

std::vector<PrintedSplit> printed(const std::vector<FleetSplit>& all) {
    std::map<std::string, std::size_t> known;
    std::vector<PrintedSplit> out;
    for (const auto& each : all) {
        const auto [found, is_new] = known.try_emplace(split_key(each), out.size());
        if (is_new) {
            out.push_back({&each, {}});
        }
        out[found->second].targets.push_back(each.target);
    }
    return out;
}

bool has_versions(const FleetResult& fleet) {
    return std::any_of(fleet.groups.begin(), fleet.groups.end(), [&](const FleetGroup& group) {
        return group.version != fleet.groups.front().version;
    });
}

std::string targets_text(const std::vector<std::string>& targets) {
    if (targets.size() == 1) {
        return targets.front() == "system" ? "" : " " + targets.front();
    }
    return " " + targets.front() + " and " + number(targets.size() - 1) + " more";
}

}  // namespace rocenv
