// SPDX-License-Identifier: MIT
// kernel.lockdown: how far the kernel is closed against root (linux security/lockdown/lockdown.c:
// "[none] integrity confidentiality"). A kernel without this security module has no such file; a
// folder without anything is where securityfs is not mounted, as in most containers.
#include <algorithm>

#include "machine/kernel_attribute.h"
#include "os/redact/redact_words.h"
#include "rocenv/setting.h"
#include "util/text.h"

namespace rocenv {

namespace {

const std::string security_folder = "/sys/kernel/security";

Assessment absent(const Fs& fs, const std::string& wanted) {
    const auto names = fs.list(security_folder);
    if (names && names->empty()) {
        auto row = unreadable({}, garbled(security_folder, "nothing is mounted there"), wanted);
        row.next_step = "sudo mount -t securityfs securityfs " + security_folder;
        return row;
    }
    if (!names && !names.is(ErrorKind::not_here)) {
        return unreadable({}, names.error(), wanted);
    }
    if (wanted != "none") {
        auto row = compared({}, wanted, "none");
        row.detail = "this kernel is built without lockdown";
        row.next_step = "boot a kernel that has it";
        return row;
    }
    return no_target("this kernel is built without lockdown");
}

std::vector<Assessment> assess_lockdown(const Setting& setting, const Context& context,
                                        const Want& want) {
    const std::string path = security_folder + "/lockdown";
    const auto text = context.fs().read(path);
    if (text.is(ErrorKind::not_here)) {
        return {absent(context.fs(), *want.value.text())};
    }
    const auto content = text ? parse_choice(path, *text) : text.error();
    if (!content) {
        return {unreadable({}, content.error(), *want.value.text())};
    }
    const auto& levels = setting.info.forms.front().words;
    if (std::find(levels.begin(), levels.end(), content->value) == levels.end()) {
        const auto odd = "names no level of lockdown: " + quoted_value(content->value);
        return {unreadable({}, garbled(path, odd), *want.value.text())};
    }
    return {compared({}, *want.value.text(), content->value)};
}

}  // namespace

const Setting& kernel_lockdown() {
    static const Setting setting{
        .info =
            {
                .id = "kernel.lockdown",
                .summary =
                    "Whether the kernel refuses writes that could change it, by root as well",
                .why = "In lockdown ACS and BIOS settings cannot be written, and modules must be "
                       "signed",
                .source = "linux security/lockdown/lockdown.c, 6.12 (2024-11)",
                .target = "system",
                .read_from = "/sys/kernel/security/lockdown",
                .set_by = "",
                .next_step = "take lockdown= from the kernel line in the boot loader, or switch "
                             "Secure Boot off "
                             "in the BIOS, then reboot",
                .persist = "decided at boot, and only ever raised after that",
                .risk_note = "",
                .after_reboot = true,
                .over_cluster = OverCluster::equal,
                .forms = {{.kind = FormKind::word,
                           .words = {"none", "integrity", "confidentiality"}}},
            },
        .assess = assess_lockdown,
    };
    return setting;
}

}  // namespace rocenv
