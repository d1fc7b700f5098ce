// SPDX-License-Identifier: MIT
// rdma.firmware: the firmware version of each RDMA NIC, equal among those of one board. fw_ver is
// of every verbs device (linux drivers/infiniband/core/sysfs.c fw_ver_show); board_id is of some
// drivers (mlx5), where it is missing NICs of one PCI id are one board. A NIC that trains, is like
// no other and stands beside several that are alike is the odd one: a spare of another model.
#include <algorithm>
#include <map>
#include <set>

#include "settings/rdma/rdma_ports.h"
#include "util/text.h"

namespace rocenv {

namespace {

// Some drivers put more behind the version.
Result<std::string> version_of(const Fs& fs, const RdmaDevice& device) {
    const auto line = read_line(fs, rdma_folder(device.name) + "/fw_ver");
    return line ? Result(std::string(words(*line).front())) : line;
}

Result<std::string> board_of(const Fs& fs, const RdmaDevice& device) {
    const auto text = fs.read(rdma_folder(device.name) + "/board_id");
    if (!text) {
        return text.is(ErrorKind::not_here) ? Result<std::string>(std::string()) : text.error();
    }
    const auto board = trim(*text);
    constexpr std::size_t longest = 64;
    return board.size() > longest || !is_plain(board)
               ? garbled(rdma_folder(device.name) + "/board_id", "is no name of a board")
               : Result(std::string(board));
}

DeviceValue firmware_value(const Context& context, const RdmaDevice& device) {
    const auto board = board_of(context.fs(), device);
    DeviceValue out{.device = device.bdf,
                    .kind = kind_of_nic(context.machine, device.bdf) +
                            (board && !board->empty() ? " " + *board : ""),
                    .value = version_of(context.fs(), device),
                    .left_out = context.leaves_out(device.bdf)};
    const auto identified = context.machine.function(device.bdf).error;
    if (const auto sleeping = context.machine.asleep(device.bdf)) {
        out.value = *sleeping;
    } else if (identified || !board) {
        out.value = identified ? *identified : board.error();
    }
    return out;
}

using Kinds = std::map<std::string, std::size_t>;

// How many of the NICs that train are of each kind; those that could not be identified count as
// none.
Kinds training_kinds(const LikeDevices& all, const TrainingPorts& training) {
    Kinds out;
    for (const auto& each : all.values) {
        if (each.value && training.trains(each.device)) {
            ++out[each.kind];
        }
    }
    return out;
}

// Rows of judge_nics() are in the order of the devices, and as many unless some did not answer.
void tell_odd_ones(const LikeDevices& all, const TrainingPorts& training,
                   std::vector<Assessment>& rows) {
    const auto kinds = training_kinds(all, training);
    const auto most = std::max_element(
        kinds.begin(), kinds.end(),
        [](const auto& one, const auto& other) { return one.second < other.second; });
    for (const auto& each : all.values) {
        const auto found = kinds.find(each.kind);
        const auto row = std::find_if(rows.begin(), rows.end(), [&](const Assessment& one) {
            return one.target.base == each.device;
        });
        const bool odd = training.trains(each.device) && each.value && found != kinds.end() &&
                         found->second == 1 && most->second > 1;
        if (odd && row != rows.end() && row->outcome == Outcome::na) {
            *row = compared(row->target, "equal", *each.value);
            row->outcome = Outcome::differs;
            row->detail =
                "it is a " + each.kind + ", and " + number(most->second) + " are a " + most->first;
            row->next_step = "rdma link show; then put in a NIC of the same model";
        }
    }
}

std::vector<Assessment> assess_firmware(const Setting&, const Context& context, const Want& want) {
    const auto training = training_ports(context);
    const std::string& wanted = *want.value.text();
    if (training.uncertain) {
        return {unreadable({}, *training.uncertain, wanted)};
    }
    if (training.devices.empty()) {
        return {no_rdma_nic(training, wanted)};
    }
    LikeDevices all{.values = {},
                    .nobody = "the kernel tells of no firmware of Slingshot NICs: " +
                              join(training.slingshot(), ", ")};
    std::string last;
    for (const auto& device : training.devices) {
        if (device.verbs && device.bdf != last) {
            all.values.push_back(firmware_value(context, device));
            last = device.bdf;
        }
    }
    auto rows = judge_nics(all, wanted, {});
    if (wanted == "equal") {
        tell_odd_ones(all, training, rows);
    }
    return rows;
}

// Versions, and which boards they are of.
std::vector<ClusterFact> facts_of_firmware(const Setting& setting, const Context& context) {
    auto out = assessed_facts(setting, context);
    std::set<std::string> seen;
    for (const auto& device : training_ports(context).devices) {
        if (!device.verbs || context.machine.asleep(device.bdf) ||
            !seen.insert(device.bdf).second) {
            continue;
        }
        const auto board = board_of(context.fs(), device);
        if (!board || !board->empty()) {
            add_fact({device.bdf, std::nullopt, "/board_id"}, board, out);
        }
    }
    return out;
}

}  // namespace

const Setting& rdma_firmware() {
    static const Setting setting{
        .info =
            {
                .id = "rdma.firmware",
                .summary = "Version of the firmware of each RDMA NIC",
                .why = "A NIC flashed apart from its peers has faults and defaults of its own",
                .source =
                    "ROCm/system-acceptance-docs docs/common/firmware-updates.md, 2026-07; linux "
                    "drivers/infiniband/core/sysfs.c, 6.12",
                .target = "PCI function",
                .read_from = "/sys/class/infiniband/*/{fw_ver,board_id}",
                .set_by = "",
                .next_step =
                    "rdma link show; then update the firmware of BDF with its vendor's tool",
                .persist = "is persistent: it lies in the NIC's flash",
                .risk_note = "",
                .over_cluster = OverCluster::equal,
                .forms = {{.kind = FormKind::word, .words = {"equal"}},
                          {.kind = FormKind::any_word}},
            },
        .assess = assess_firmware,
        .facts = facts_of_firmware,
    };
    return setting;
}

}  // namespace rocenv
