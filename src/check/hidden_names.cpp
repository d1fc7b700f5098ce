// SPDX-License-Identifier: MIT
#include "check/hidden_names.h"

#include "machine/told_names.h"

namespace rocenv {

namespace {

void hide_in(const Machine& machine, std::string& text) {
    text = without_named_addresses(machine, text);
}

void hide_in(const Machine& machine, std::optional<std::string>& text) {
    if (text) {
        hide_in(machine, *text);
    }
}

}  // namespace

void hide_named_addresses(const Machine& machine, Report& report) {
    for (auto& finding : report.findings) {
        hide_in(machine, finding.target);
        hide_in(machine, finding.want);
        hide_in(machine, finding.have);
        hide_in(machine, finding.effective);
        hide_in(machine, finding.detail);
        finding.fix = command_without_addresses(machine, finding.fix);
    }
    for (auto& note : report.notes) {
        hide_in(machine, note);
    }
}

}  // namespace rocenv
