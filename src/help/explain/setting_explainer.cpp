// SPDX-License-Identifier: MIT
#include "help/explain/setting_explainer.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "check/hidden_names.h"
#include "settings/registry.h"
#include "util/text.h"
#include "variables/releases/versions.h"

namespace rocenv {

namespace {

std::vector<std::string> lines_of(const Keeping& keeping) {
    std::vector<std::string> out;
    const auto add = [&](const std::vector<std::string>& lines, const std::string& where) {
        for (const auto& line : lines) {
            out.push_back(where + ": " + line);
        }
    };
    add(keeping.sysctl, "/etc/sysctl.d");
    add(keeping.tmpfiles, "/etc/tmpfiles.d");
    add(keeping.boot_words, "kernel command line");
    add(keeping.unwanted_words, "kernel command line, without");
    if (keeping.by_unit) {
        out.emplace_back("systemd: a unit that calls rocenv set at boot");
    }
    add(keeping.notes, "or");
    if (!keeping.firmware.empty()) {
        out.push_back("BIOS: " + keeping.firmware);
    }
    return out;
}

Finding finding_of(const std::string& id, const ClusterFact& fact) {
    Finding out;
    out.id = id;
    out.target = fact.target.text();
    out.level = Level::info;
    out.outcome = fact.value ? Outcome::ok : Outcome::unknown;
    out.reason = fact.reason;
    out.have = fact.value;
    out.detail = fact.detail;
    return out;
}

// What is there, without what some value that nobody wants would say of it.
void forget_want(Finding& finding) {
    finding.want = std::nullopt;
    finding.fix.clear();
    if (finding.outcome == Outcome::ok || finding.outcome == Outcome::differs) {
        finding.outcome = Outcome::ok;
        finding.detail.clear();
    }
}

}  // namespace

void SettingExplainer::judge(const std::vector<std::string>& ids, Explanations& out) {
    CheckRequest request = request_;
    request.only = ids;
    request.skip.clear();
    request.pid.clear();
    request.env_files.clear();
    request.scope = std::nullopt;
    request.all_scopes = true;
    CheckResult result = check(request, fs_, host_, process_);
    report_ = std::move(result.report);
    out.errors = std::move(result.errors);
    out.warnings = std::move(result.warnings);
    out.timed_out = result.timed_out;
}

// What it is here where no profile says what is wanted.
std::vector<Finding> SettingExplainer::unjudged(const Setting& setting) const {
    const Info& info = setting.info;
    const Versions versions(machine_, process_);
    const Context context{machine_, process_, &versions};
    Report report;
    if (info.over_cluster == OverCluster::equal) {
        for (const auto& fact : facts_of(setting, context)) {
            report.findings.push_back(finding_of(std::string(info.id), fact));
        }
    }
    if (report.findings.empty()) {
        Want want;
        want.id = info.id;
        want.value = some_value(info);
        want.level = Level::info;
        report.findings = to_findings(want, setting, assessed(setting, context, want));
        std::for_each(report.findings.begin(), report.findings.end(), forget_want);
    }
    hide_identities(machine_, report);
    return std::move(report.findings);
}

SettingHere SettingExplainer::here(const Setting& setting, const std::vector<ProfileUse>& uses) {
    const std::string id(setting.info.id);
    SettingHere out;
    // Taken, not copied: there may be one for each of 10,000 functions.
    auto& findings = report_.findings;
    const auto rest = std::stable_partition(findings.begin(), findings.end(),
                                            [&](const Finding& each) { return each.id != id; });
    out.findings.assign(std::make_move_iterator(rest), std::make_move_iterator(findings.end()));
    findings.erase(rest, findings.end());
    out.profiles = report_.profiles;
    out.judged = !out.findings.empty();
    if (out.judged) {
        return out;
    }
    if (!setting.info.only_when_named) {
        out.findings = unjudged(setting);
        return out;
    }
    out.not_read = "it asks firmware or the driver, so it is read only where a profile names it";
    out.not_read += uses.empty()
                        ? std::string()
                        : ": rocenv explain " + id + " -p " + uses.front().profiles.front();
    return out;
}

SettingExplanation SettingExplainer::explain(const std::string& id) {
    const Setting& setting = *find_setting(id);
    SettingExplanation out;
    out.info = &setting.info;
    out.uses = uses_.of(id);
    if (!out.uses.empty()) {
        const auto want = uses_.want_of(out.uses.front().profiles.front(), id);
        out.kept_by = lines_of(keeping_of(setting, *want));
    }
    out.here = here(setting, out.uses);
    return out;
}

}  // namespace rocenv
