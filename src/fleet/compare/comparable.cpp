// SPDX-License-Identifier: MIT
#include "fleet/compare/comparable.h"

#include <algorithm>

#include "fleet/read/hostlist.h"
#include "settings/have_codes.h"
#include "settings/registry.h"
#include "util/text.h"

namespace rocenv {

namespace {

constexpr std::size_t most_versions = 5;  // that are named
constexpr std::size_t most_ids = 5;       // for each version

bool is_of_process(std::string_view id) {
    const Setting* setting = find_setting(std::string(id));
    return id.starts_with("env.") || (setting != nullptr && setting->info.scope == Scope::process);
}

std::string words_of_version(std::string_view version) {
    return version.empty() ? "of no version" : printable(version, 30);
}

std::string first_ids(const std::set<std::string_view>& ids) {
    std::vector<std::string> parts;
    for (const auto id : ids) {
        if (parts.size() == most_ids) {
            break;
        }
        parts.push_back(printable(id, 60));
    }
    return join(parts, ", ") +
           (ids.size() > parts.size() ? " and " + number(ids.size() - parts.size()) + " more" : "");
}

}  // namespace

ComparableIds::ComparableIds(const FleetPools& pools) {
    for (const auto& report : pools.reports.rows()) {
        ids_of_[report.version.data()];
        covers_all_ = covers_all_ && !report.recording;
        for (const auto index : report.findings) {
            add(report, pools.findings.rows()[index].id);
        }
        for (const auto index : report.facts) {
            add(report, pools.facts.rows()[index].id);
        }
    }
    covers_all_ = covers_all_ && ids_of_.size() < 2;
    for (const auto& [at, id] : ids_) {
        if (is_of_process(id)) {
            of_process_.insert(at);
        }
    }
}

void ComparableIds::add(const FleetReport& report, std::string_view id) {
    ids_of_[report.version.data()].insert(id.data());
    ids_.try_emplace(id.data(), id);
}

bool ComparableIds::covers(const FleetReport& report, std::string_view id) const {
    if (covers_all_) {
        return true;
    }
    const bool lacks_process = report.recording && of_process_.contains(id.data());
    return !lacks_process &&
           (ids_of_.size() < 2 || ids_of_.at(report.version.data()).contains(id.data()));
}

std::set<std::string_view> ComparableIds::unknown_to(std::string_view version) const {
    std::set<std::string_view> out;
    const Ids& known = ids_of_.at(version.data());
    for (const auto& [at, id] : ids_) {
        if (!known.contains(at) && !id.starts_with("env.")) {
            out.insert(id);
        }
    }
    return out;
}

void warn_of_versions(const ComparableIds& coverage, const FleetPools& pools, FleetResult& out) {
    std::map<std::string_view, std::size_t> nodes_of;
    for (const auto& node : out.nodes) {
        ++nodes_of[pools.reports.rows()[node.report].version];
    }
    if (nodes_of.size() < 2) {
        return;
    }
    std::vector<std::string> versions;
    std::vector<std::string> unknown;
    for (const auto& [version, nodes] : nodes_of) {
        if (versions.size() == most_versions) {
            out.doubtful = out.doubtful || !coverage.unknown_to(version).empty();
            continue;
        }
        const auto ids = coverage.unknown_to(version);
        out.doubtful = out.doubtful || !ids.empty();
        versions.push_back(words_of_version(version) + " on " + counted(nodes, "node"));
        if (!ids.empty()) {
            unknown.push_back("not checked by " + words_of_version(version) +
                              " and not compared: " + first_ids(ids));
        }
    }
    const std::size_t more = nodes_of.size() - versions.size();
    out.warnings.push_back("the reports are of several versions of rocenv (" +
                           join(versions, ", ") +
                           (more > 0 ? " and " + number(more) + " more versions" : "") + ")" +
                           (unknown.empty() ? "" : "; " + join(unknown, "; ")));
}

namespace {

// Returns the code of a `have`; empty if it is a value or absent.
std::string code_of(const FleetFinding& finding) {
    return !finding.have          ? ""
           : finding.code.empty() ? have_code(finding.id, *finding.have)
                                  : std::string(finding.code);
}

}  // namespace

CodedHaves::CodedHaves(const std::vector<FleetFinding>& findings) {
    for (const auto& finding : findings) {
        std::string code = is_quiet(finding.outcome) ? "" : code_of(finding);
        if (!code.empty()) {
            const auto [text, is_new] =
                texts_.try_emplace({finding.id.data(), std::move(code)}, *finding.have);
            text->second = is_new ? text->second : std::min(text->second, *finding.have);
        }
    }
}

std::optional<std::string_view> CodedHaves::of(const FleetFinding& finding) const {
    const std::string code = code_of(finding);
    const auto text = code.empty() ? texts_.end() : texts_.find({finding.id.data(), code});
    return text == texts_.end() ? finding.have : text->second;
}

}  // namespace rocenv
