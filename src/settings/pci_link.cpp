// SPDX-License-Identifier: MIT
// pci.link: speed and width of the path from a GPU or RDMA NIC up to the root. A path is as fast as
// its slowest part, and can be as fast as the slowest part's maximum: a GPU in a slower slot is as
// wanted, a part that trained below what both its ends can do is not. A function without a link
// (an APU's GPU, a virtual function) says "Unknown" or has no such file (linux
// drivers/pci/pci-sysfs.c current_link_speed_show, pcie_dev_attrs_are_visible).
#include <algorithm>
#include <set>

#include "machine/pci_reader.h"
#include "rocenv/setting.h"
#include "settings/path_ends.h"
#include "sys/interruption.h"
#include "util/text.h"

namespace rocenv {

namespace {

Assessment judge(const Target& target, const PciePath& path) {
    if (path.error && (!path.known() || link_text(path.most) == link_text(path.current))) {
        return unreadable(target, *path.error);
    }
    auto row = compared(target, link_text(path.most), link_text(path.current));
    if (row.outcome == Outcome::differs) {
        row.detail = path.slow;
    }
    return row;
}

Assessment assess_path(const Machine& machine, const std::string& bdf) {
    const Target target{bdf, std::nullopt, ""};
    const auto path = read_pcie_path(machine, bdf);
    if (!path) {
        auto row = no_target("it has no PCIe link, or none whose speed is known");
        row.target = target;
        return row;
    }
    return judge(target, *path);
}

// An idle link may be slow for power's sake, and trains up when it is used. All suspects share a
// wait.
constexpr int settling_ms = 2000;

std::vector<Assessment> assess_paths(const Machine& machine,
                                     const std::vector<std::string>& functions) {
    std::vector<Assessment> out;
    out.reserve(functions.size());
    for (const auto& bdf : functions) {
        out.push_back(assess_path(machine, bdf));
    }
    return out;
}

std::vector<std::string> suspects(const std::vector<Assessment>& rows) {
    std::vector<std::string> out;
    for (const auto& row : rows) {
        if (row.outcome == Outcome::differs) {
            out.push_back(row.target.base);
        }
    }
    return out;
}

void look_again(const Machine& machine, const std::vector<std::string>& functions) {
    std::set<std::string> parts(functions.begin(), functions.end());
    for (const auto& bdf : functions) {
        if (const auto above = machine.bridges_above(bdf)) {
            parts.insert(above->begin(), above->end());
        }
    }
    for (const auto& part : parts) {
        machine.reader_of(part).read_link_again();
    }
}

class LinkSpeed final : public Setting {
   public:
    const Info& info() const override {
        static const Info data{
            .id = "pci.link",
            .summary = "Speed and width of the PCIe path from each GPU and RDMA NIC to the root",
            .why = "A link that trained at half its width or speed halves every copy over it",
            .source =
                "ROCm/system-acceptance-docs docs/common/health-checks.md, 2026-07; linux "
                "drivers/pci/pci-sysfs.c, 6.12",
            .target = "PCI function",
            .read_from =
                "/sys/bus/pci/devices/*/{current,max}_link_{speed,width} of the device and the "
                "bridges above it",
            .set_by = "",
            .next_step =
                "ask again while a job runs (idle links may slow down); then reseat the card or "
                "cable, and look at sudo dmesg | grep -i pcie",
            .persist = "",
            .risk_note = "",
            .over_cluster = OverCluster::equal,
            .forms = {{.kind = FormKind::word, .words = {"max"}}},
        };
        return data;
    }

    std::vector<Assessment> assess(const Context& context, const Want&) const override {
        auto ends = path_ends(context.machine);
        std::sort(ends.functions.begin(), ends.functions.end());
        auto out = assess_paths(context.machine, ends.functions);
        const auto slow = suspects(out);
        if (!slow.empty() && context.fs().is_real()) {
            pause_for(settling_ms);
            look_again(context.machine, slow);
            out = assess_paths(context.machine, ends.functions);
        }
        if (ends.uncertain && ends.uncertain->kind != ErrorKind::not_here) {
            out.push_back(unreadable({}, *ends.uncertain, "max"));
        }
        if (out.empty()) {
            out.push_back(no_target("no GPU and no RDMA NIC on PCI"));
        }
        return out;
    }
};

}  // namespace

const Setting& pci_link() {
    static const LinkSpeed setting;
    return setting;
}

}  // namespace rocenv
