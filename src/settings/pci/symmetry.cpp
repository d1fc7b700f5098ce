// SPDX-License-Identifier: MIT
// pci.symmetry: whether like branches of the PCI tree hold as many GPUs, and as many RDMA NICs.
#include <algorithm>

#include "machine/pci/branches.h"
#include "rocenv/setting.h"
#include "settings/safety.h"
#include "util/text.h"

namespace rocenv {

namespace {

void tell(const std::vector<OddBranch>& odd, const std::string& what,
          std::vector<Assessment>& out) {
    for (const auto& each : odd) {
        auto row = compared({each.branch, std::nullopt, ""}, number(each.usual) + " " + what,
                            number(each.have) + " " + what);
        row.detail =
            "each of the other " + number(each.others) + " like it has " + number(each.usual);
        const bool told = std::any_of(out.begin(), out.end(), [&](const Assessment& one) {
            return one.target.base == each.branch;
        });
        if (!told) {
            out.push_back(std::move(row));
        }
    }
}

std::vector<Assessment> assess_symmetry(const Setting&, const Context& context, const Want&) {
    if (is_guest(context.fs())) {
        return {no_target("this is a guest: its tree is not the host's")};
    }
    const auto ends = path_ends(context.machine);
    const auto odd = find_odd_branches(context.machine, ends);
    std::vector<Assessment> out;
    tell(odd.of_gpus, "GPUs", out);
    tell(odd.of_nics, "RDMA NICs", out);
    const auto unread = ends.uncertain ? ends.uncertain : odd.unread;
    if (unread) {
        out.push_back(unreadable({}, *unread, "even"));
    } else if (ends.functions.size() < 2) {
        return {no_target("there are no two GPUs or RDMA NICs on PCI")};
    } else if (out.empty()) {
        out.push_back(compared({}, "even", "even"));
    }
    return out;
}

}  // namespace

const Setting& pci_symmetry() {
    static const Setting setting{
        .info =
            {
                .id = "pci.symmetry",
                .summary = "Whether like branches of the PCI tree hold as many GPUs and NICs",
                .why =
                    "A hole among like branches is where a device was lost before anybody saw it",
                .source = "ROCm/system-acceptance-docs docs/network/topology-mapping.md, 2026-07",
                .target = "PCI branch",
                .read_from = "the links in /sys/bus/pci/devices",
                .set_by = "",
                .next_step = "sudo lspci -tv; then reseat what is missing there",
                .persist = "is persistent: it is the hardware",
                .risk_note = "",
                .over_cluster = OverCluster::own,
                .forms = {{.kind = FormKind::word, .words = {"even"}}},
            },
        .assess = assess_symmetry,
    };
    return setting;
}

}  // namespace rocenv
