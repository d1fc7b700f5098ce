// SPDX-License-Identifier: MIT
#include "check/profile_findings.h"

#include "profile/profile_selection.h"
#include "util/quoting.h"

namespace rocenv {

Finding auto_finding(const Assessment& row, Level level) {
    Finding finding;
    finding.id = auto_id;
    finding.target = "system";
    finding.level = level;
    finding.outcome = row.outcome;
    finding.want = row.want;
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
    finding.want = "a file that only root can change";
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

}  // namespace rocenv
