// SPDX-License-Identifier: MIT
// pci.slots: whether every slot in which something is plugged leads to a function. Boards without
// slot capabilities tell nothing here.
#include "machine/pci/slot_survey.h"
#include "rocenv/setting.h"
#include "settings/safety.h"
#include "settings/shapes/path_functions.h"
#include "util/text.h"

namespace rocenv {

namespace {

Target of(const std::string& port) {
    return {port, std::nullopt, ""};
}

std::vector<Assessment> answer(const SlotSurvey& survey) {
    std::vector<Assessment> out;
    for (const auto& [port, what] : survey.faults) {
        out.push_back(compared(of(port), "populated", what));
    }
    for (const auto& [port, error] : survey.unread) {
        out.push_back(unreadable(of(port), error, "populated"));
    }
    std::vector<Assessment> refused;
    for (const auto& [port, error] : survey.refused) {
        refused.push_back(unreadable(of(port), error, "populated"));
    }
    if (!refused.empty()) {
        out.push_back(told_once(std::move(refused), "bridges"));
    }
    if (out.empty() && survey.slots == 0) {
        return {no_target("no bridge here has a slot that tells what is in it")};
    }
    if (out.empty()) {
        out.push_back(compared({}, "populated", "populated"));
        out.back().detail = number(survey.slots) + " slots";
    }
    return out;
}

std::vector<Assessment> assess_slots(const Setting&, const Context& context, const Want&) {
    const auto& functions = context.machine.pci();
    if (is_guest(context.fs())) {
        return {no_target("this is a guest: its slots are not the host's")};
    }
    if (!functions) {
        return {functions.is(ErrorKind::not_here) ? no_target("there is no PCI")
                                                  : unreadable({}, functions.error(), "populated")};
    }
    return answer(survey_slots(context.machine, *functions));
}

}  // namespace

const Setting& pci_slots() {
    static const Setting setting{
        .info =
            {
                .id = "pci.slots",
                .summary = "Whether each slot that holds something leads to a function",
                .why = "A card whose branch was dropped at boot is seen nowhere else",
                .source =
                    "ROCm/system-acceptance-docs docs/common/health-checks.md, 2026-07; linux "
                    "include/uapi/linux/pci_regs.h, 6.12",
                .target = "PCI function",
                .read_from = "/sys/bus/pci/devices/*/config of bridges (capability 0x10)",
                .set_by = "",
                .next_step = "sudo dmesg | grep -e BDF; then reseat what is plugged in there",
                .persist = "is persistent: it is the hardware",
                .risk_note = "",
                .over_cluster = OverCluster::own,
                .forms = {{.kind = FormKind::word, .words = {"populated"}}},
            },
        .assess = assess_slots,
    };
    return setting;
}

}  // namespace rocenv
