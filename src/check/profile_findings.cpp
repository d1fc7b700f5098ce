// SPDX-License-Identifier: MIT
#include "check/profile_findings.h"

#include <algorithm>

#include "commands/tunableop/tunable.h"
#include "profile/profile_selection.h"
#include "util/text.h"
#include "variables/environment.h"

namespace rocenv {

Finding auto_finding(const Assessment& row, Level level) {
    Finding finding;
    finding.id = auto_id;
    finding.target = "system";
    finding.level = level;
    finding.outcome = row.outcome;
    finding.expected = row.expected;
    finding.have = row.have;
    finding.detail = row.detail;
    finding.fix = row.next_step;
    return finding;
}

SettingNote auto_note() {
    return {"The GPUs on PCI decide which profile is checked", "rocenv", ""};
}

Finding trust_finding(const Doubt& doubt) {
    const std::string at = shell_word(doubt.error.path);  // the part that is at fault
    Finding finding;
    finding.id = trust_id;
    finding.target = doubt.file;
    finding.level = Level::required;
    finding.outcome = Outcome::unknown;
    finding.expected = "a file that only root can change";
    finding.detail = doubt_lines({doubt}).front();
    finding.fix = doubt.error.path.empty()
                      ? "namei -l " + shell_word(doubt.file)
                      : "sudo chown -h root " + at + " && sudo chmod go-w " + at;
    return finding;
}

SettingNote trust_note() {
    return {"Another user could choose what root checks and sets", "SECURITY.md", ""};
}

Finding env_file_finding(const UnreadLine& line) {
    Finding finding;
    finding.id = env_file_id;
    finding.target = line.place;
    finding.level = Level::recommended;
    finding.outcome = Outcome::differs;
    finding.have = line.state;
    finding.detail = line.why;
    finding.fix = line.advice;
    return finding;
}

SettingNote env_file_note() {
    return {
        "A line that the program's reader ignores, or that only a shell can evaluate, leaves the "
        "variable unlike what the file shows",
        "docker/cli pkg/kvfile/kvfile.go, 2026-08; systemd src/basic/env-file.c and env-util.c, "
        "2026-11; POSIX.1-2024 XCU 2",
        ""};
}

namespace {

const Expectation* expectation_of(const Resolved& profile, const std::string& name) {
    const auto found = std::find_if(profile.expectations.begin(), profile.expectations.end(),
                                    [&](const Expectation& expectation) {
                                        return expectation.id == "env." + name &&
                                               expectation.value.text() != nullptr;
                                    });
    return found == profile.expectations.end() ? nullptr : &*found;
}

bool expects(const Resolved& profile, const std::string& name, std::string_view text) {
    const Expectation* expectation = expectation_of(profile, name);
    return expectation != nullptr && *expectation->value.text() == text;
}

// The environment that the profile's program would get.
Process with_profile(const Resolved& profile, const Machine& machine, Process process) {
    const std::string name = "PYTORCH_TUNABLEOP_FILENAME";
    const Expectation* expectation = expectation_of(profile, name);
    if (expectation != nullptr && !process.variable(name)) {
        const auto value = expand(*expectation->value.text(), [&](const std::string& each) {
            return lookup_here(each, machine, process);
        });
        if (value) {
            process.environment[name] = *value;
        }
    }
    return process;
}

Finding finding_of(const TunableJudgement& file, Level level) {
    Finding finding;
    finding.id = tunable_results_id;
    finding.target = printable(file.path.empty() ? "PYTORCH_TUNABLEOP_FILENAME" : file.path);
    finding.level = level;
    finding.outcome = file.outcome;
    finding.expected = "a file that PyTorch takes here";
    finding.have = counted(file.results, "result");
    const bool lacks_subject = file.sentence.starts_with("is ") ||
                               file.sentence.starts_with("does ") ||
                               file.sentence.starts_with("holds ");
    finding.detail = (lacks_subject && !file.path.empty() ? "the file " : "") + file.sentence;
    if (file.outcome != Outcome::ok) {
        finding.fix = "rocenv tunableop check " +
                      (file.path.empty() ? std::string("FILE") : shell_word(file.path));
    }
    return finding;
}

}  // namespace

std::vector<Finding> tunable_findings(const Resolved& profile, const Machine& machine,
                                      const Fs& host, const Process& process,
                                      const Versions& versions) {
    if (!expects(profile, "PYTORCH_TUNABLEOP_ENABLED", "1") ||
        !expects(profile, "PYTORCH_TUNABLEOP_TUNING", "0") ||
        expects(profile, "PYTORCH_TUNABLEOP_RECORD_UNTUNED", "1")) {
        return {};
    }
    const Level level = expectation_of(profile, "PYTORCH_TUNABLEOP_ENABLED")->level;
    if (const auto why = process.why_unknown("PYTORCH_TUNABLEOP_FILENAME")) {
        Finding finding = finding_of({.outcome = Outcome::unknown, .sentence = *why}, level);
        finding.have.reset();
        finding.fix = judge_program;
        return {std::move(finding)};
    }
    std::vector<Finding> findings;
    for (const auto& file :
         judge_tunable_results(with_profile(profile, machine, process), host, versions, machine)) {
        findings.push_back(finding_of(file, level));
    }
    return findings;
}

}  // namespace rocenv
