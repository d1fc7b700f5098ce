// SPDX-License-Identifier: MIT
// cpu.smt: the kernel's word for simultaneous multithreading (linux kernel/cpu.c, smt_states), or a
// number where only some threads of a core are in use. "off" is wanted for what it brings, so every
// way in which no core runs two threads satisfies it: forceoff, notsupported (the BIOS switched it
// off, or there is none), and notimplemented where smt/active says 0. notimplemented alone says
// that the kernel cannot switch, not that SMT is off, and control may say on while the second
// threads were taken offline one by one. smt/active decides.
#include <algorithm>
#include <array>

#include "os/redact/redact_words.h"
#include "rocenv/setting.h"
#include "util/text.h"

namespace rocenv {

namespace {

const std::string smt_folder = "/sys/devices/system/cpu/smt";

constexpr std::array<std::string_view, 5> states{"on", "off", "forceoff", "notsupported",
                                                 "notimplemented"};

Result<std::string> read_control(const Fs& fs) {
    const std::string path = smt_folder + "/control";
    const auto text = fs.read(path);
    if (!text) {
        return text.error();
    }
    const auto word = trim(*text);
    const bool known = std::find(states.begin(), states.end(), word) != states.end() ||
                       parse_number(word).has_value();
    return known ? Result(std::string(word))
                 : garbled(path, "is no state of SMT: " + quoted_value(word));
}

Result<bool> read_active(const Fs& fs) {
    const std::string path = smt_folder + "/active";
    const auto text = fs.read(path);
    if (!text) {
        return text.error();
    }
    const auto word = trim(*text);
    return word == "0" || word == "1" ? Result(word == "1")
                                      : garbled(path, "is neither 0 nor 1: " + quoted_value(word));
}

bool never_active(std::string_view control) {
    return control == "off" || control == "forceoff" || control == "notsupported";
}

Keeping keeping_of_smt(const Setting&, const Want&) {
    return {.firmware = "SMT Control, or nosmt on the kernel line"};
}

std::string how_to_switch_on(const std::string& control) {
    if (control == "on") {
        return "echo 1 | sudo tee /sys/devices/system/cpu/cpu*/online";
    }
    if (control == "off" || parse_number(control)) {
        return "echo on | sudo tee " + smt_folder + "/control";
    }
    return "switch SMT on in the BIOS, take nosmt from the kernel command line, and reboot";
}

Assessment judge(const std::string& control, bool active, const std::string& wanted) {
    auto row = compared({}, wanted, control);
    if (wanted == "off") {
        row.outcome = active ? Outcome::differs : Outcome::ok;
    } else if (wanted == "on") {
        const bool all = control == "on" || control == "notimplemented";
        row.outcome = active && all ? Outcome::ok : Outcome::differs;
    }
    if (control == "on" && !active) {
        row.detail = "the second threads were taken offline one by one";
    } else if (control == "notimplemented") {
        row.detail =
            std::string("this kernel cannot switch SMT; smt/active says ") + (active ? "1" : "0");
    } else if (parse_number(control)) {
        row.detail = control + " threads of each core are in use, it has more";
    }
    if (row.outcome == Outcome::differs && wanted == "on") {
        row.next_step = how_to_switch_on(control);
    }
    return row;
}

std::vector<Assessment> assess_smt(const Setting&, const Context& context, const Want& want) {
    const std::string& wanted = *want.value.text();
    const auto control = read_control(context.fs());
    if (!control) {
        return {unreadable({}, control.error(), wanted)};
    }
    const auto active = read_active(context.fs());
    if (!active) {
        return {unreadable({}, active.error(), wanted)};
    }
    if (*active && never_active(*control)) {
        const auto why = "is 1, and control says " + *control;
        return {unreadable({}, garbled(smt_folder + "/active", why), wanted)};
    }
    return {judge(*control, *active, wanted)};
}

}  // namespace

const Setting& cpu_smt() {
    static const Setting setting{
        .info =
            {
                .id = "cpu.smt",
                .summary = "Simultaneous multithreading: two threads on one core",
                .why =
                    "Two threads of a core share its units; work bound by the CPU may run slower",
                .source = "ROCm/system-acceptance-docs docs/common/bios-settings.md, 2026-07; "
                          "linux kernel/cpu.c, 6.12",
                .target = "system",
                .read_from =
                    "/sys/devices/system/cpu/smt/{control,active}; /proc/cpuinfo where they "
                    "differ",
                .set_by = "",
                .next_step =
                    "SMT Control in the BIOS, or nosmt on the kernel command line, and reboot",
                .persist = "is persistent when set in the BIOS or on the kernel command line",
                .risk_note = "half of the CPUs go; pinnings and masks made for all of them fail",
                .after_reboot = true,
                .host_decides = true,
                .over_cluster = OverCluster::equal,
                .forms = {{.kind = FormKind::word, .words = {states.begin(), states.end()}}},
            },
        .assess = assess_smt,
        .keeping = keeping_of_smt,
    };
    return setting;
}

}  // namespace rocenv
