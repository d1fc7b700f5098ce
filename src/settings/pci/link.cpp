// SPDX-License-Identifier: MIT
// pci.link: speed and width of the path from a GPU or RDMA NIC up to the root. A path is as fast as
// its slowest part. "max" wants what the slowest part can be: a GPU in a slower slot is as wanted,
// a part that trained below what both its ends can do is not. "model" wants what the GPU's model
// has, and of a NIC what it can do itself, on every part: firmware that caps a slot lowers the
// maxima of both ends, and only the model tells. "equal" compares like devices. A function without
// a link (an APU's GPU, a virtual function) says "Unknown" or has no such file (linux
// drivers/pci/pci-sysfs.c current_link_speed_show, pcie_dev_attrs_are_visible).
#include <algorithm>
#include <map>
#include <set>

#include "machine/gpu/gpu_models.h"
#include "machine/pci/path_ends.h"
#include "machine/pci/pci_reader.h"
#include "settings/safety.h"
#include "settings/settling.h"
#include "settings/shapes/like_devices.h"
#include "util/text.h"

namespace rocenv {

namespace {

struct End {
    std::string bdf;
    const GpuModel* model = nullptr;  // nullptr: a NIC, or a GPU that is not known
    bool is_gpu = false;
    std::uint32_t device = 0;
    std::optional<PciePath> path{};  // nothing: no link that is known
    bool peers_have = false;         // another one of its kind has a link
};

// What a path should carry; nothing: what its slowest part can.
std::optional<PcieLink> wanted_link(const End& end, const std::string& want) {
    if (want != "model") {
        return parse_link(want);
    }
    if (end.model != nullptr && !end.model->link_speed.empty()) {
        return parse_link(std::string(end.model->link_speed) + " GT/s x" +
                          number(end.model->link_width));
    }
    const bool own = !end.is_gpu && !end.path->parts.empty();
    return own ? std::optional(end.path->parts.front().link.most) : std::nullopt;
}

Assessment judge(const End& end, const std::string& want) {
    const Target target{end.bdf, std::nullopt, ""};
    if (!end.path && end.peers_have) {
        return unreadable(target, {ErrorKind::garbled, 0, pci_path(end.bdf),
                                   "tells of no PCIe link, and others of its kind do"});
    }
    if (!end.path) {
        auto row = no_target("it has no PCIe link, or none whose speed is known");
        row.target = target;
        return row;
    }
    const PciePath& path = *end.path;
    const PcieLink limit = wanted_link(end, want).value_or(path.most);
    const bool reached = reaches(path.current, limit);
    if (path.error && (!path.known() || reached)) {
        return unreadable(target, *path.error);
    }
    auto row = compared(target, link_text(limit), link_text(path.current));
    row.outcome = reached ? Outcome::ok : Outcome::differs;
    row.detail = path.slower_than(limit);
    return row;
}

std::vector<End> find_ends(const Machine& machine, const std::vector<std::string>& functions) {
    std::map<std::string, std::uint32_t> gpus;
    for (const auto& gpu : machine.gpus()) {
        gpus.emplace(gpu.bdf, gpu.device);
    }
    std::set<std::uint32_t> linked;
    std::vector<End> out;
    out.reserve(functions.size());
    for (const auto& bdf : functions) {
        const auto gpu = gpus.find(bdf);
        const bool is_gpu = gpu != gpus.end();
        const auto device = is_gpu ? gpu->second : machine.function(bdf).device;
        out.push_back({bdf, is_gpu ? gpu_model(device) : nullptr, is_gpu, device,
                       read_pcie_path(machine, bdf)});
        if (out.back().path) {
            linked.insert(device);
        }
    }
    for (auto& end : out) {
        end.peers_have = linked.contains(end.device);
    }
    return out;
}

// As long as some are unread, those that are alike are not told.
std::vector<Assessment> judge_equal(const Context& context, const std::vector<End>& ends) {
    LikeDevices all;
    for (const auto& end : ends) {
        DeviceValue value{.device = end.bdf,
                          .kind = hex(end.device, 4),
                          .value = Error{ErrorKind::not_here, 0, "", "it has no PCIe link"},
                          .left_out = context.leaves_out(end.bdf)};
        if (end.path && end.path->error) {
            value.value = *end.path->error;
        } else if (end.path) {
            value.value = link_text(end.path->current);
        }
        all.values.push_back(std::move(value));
    }
    return judge_alike(all, "equal", {.absent = "none of its kind has a PCIe link"});
}

std::vector<Assessment> judge_all(const Context& context, const std::vector<std::string>& functions,
                                  const std::string& want) {
    const auto ends = find_ends(context.machine, functions);
    if (want == "equal") {
        return ends.empty() ? std::vector<Assessment>() : judge_equal(context, ends);
    }
    std::vector<Assessment> out;
    out.reserve(ends.size());
    for (const auto& end : ends) {
        out.push_back(judge(end, want));
    }
    return out;
}

// An idle link may be slow for power's sake, and trains up when it is used.
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

std::vector<Assessment> assess_link(const Setting&, const Context& context, const Want& want) {
    const std::string& wanted = *want.value.text();
    if (wanted == "model" && is_guest(context.fs())) {
        return {no_target("this is a guest: its ports are not the host's")};
    }
    auto ends = path_ends(context.machine);
    std::sort(ends.functions.begin(), ends.functions.end());
    auto out = judge_all(context, ends.functions, wanted);
    const auto slow = suspects(out);
    if (!slow.empty() && context.fs().is_real()) {
        let_settle(context.fs());
        look_again(context.machine, slow);
        out = judge_all(context, ends.functions, wanted);
    }
    if (const auto unsure = ends.uncertain) {
        out.push_back(unreadable({}, *unsure, wanted));
    }
    if (out.empty()) {
        out.push_back(no_target("no GPU and no RDMA NIC on PCI"));
    }
    return out;
}

}  // namespace

const Setting& pci_link() {
    static const Setting setting{
        .info =
            {
                .id = "pci.link",
                .summary =
                    "Speed and width of the PCIe path from each GPU and RDMA NIC to the root",
                .why = "A link that trained at half its width or speed halves every copy over it",
                .source =
                    "ROCm/system-acceptance-docs docs/common/health-checks.md, 2026-07; linux "
                    "drivers/pci/pci-sysfs.c, 6.12",
                .target = "PCI function",
                .read_from =
                    "/sys/bus/pci/devices/*/{current,max}_link_{speed,width} of the device and the "
                    "bridges above it",
                .set_by = "",
                .next_step = "ask again while a job runs (idle links may slow down); then reseat "
                             "the card or "
                             "cable, and look at sudo dmesg | grep -i pcie",
                .persist = "",
                .risk_note = "",
                .over_cluster = OverCluster::equal,
                .forms = {{.kind = FormKind::word, .words = {"model", "max", "equal"}},
                          {.kind = FormKind::link_rate}},
            },
        .assess = assess_link,
    };
    return setting;
}

}  // namespace rocenv
