// SPDX-License-Identifier: MIT
// rdma.port: whether each training port is up: its link, and what a subnet manager or the driver
// makes of it (linux include/rdma/ib_verbs.h enum ib_port_state and ib_port_phys_state, 6.12). A
// list wants just these ports, "mlx5_0:1" or all of "mlx5_0", Disabled or not. A port beside a GPU
// that is off is no training port, but odd where those of like NICs train.
#include <algorithm>
#include <map>

#include "settings/rdma/rdma_odd_ports.h"
#include "settings/rdma/rdma_ports.h"
#include "settings/settling.h"
#include "util/text.h"

namespace rocenv {

namespace {

constexpr std::uint64_t highest_state = 5;  // ACTIVE_DEFER
constexpr std::uint64_t highest_phys_state = 7;

struct PortStates {
    Result<NumberedWord> state;
    Result<NumberedWord> phys;
};

// What a port that is not up waits for.
std::string meaning(const PortStates& now, const std::string& layer) {
    static const std::map<std::uint64_t, const char*> of_link{
        {1, "the port sleeps"},
        {2, "no signal from the other end: cable, optics or the switch's port"},
        {3, "there is no carrier, or somebody has switched the port off"},
        {4, "the link is still training"},
        {6, "the link is recovering from errors"},
        {7, "the port is in a test mode"}};
    if (now.phys) {
        if (const auto found = of_link.find(now.phys->number); found != of_link.end()) {
            return found->second;
        }
    }
    const std::uint64_t state = now.state ? now.state->number : 0;
    if (state == 2 && layer == "InfiniBand") {
        return "the link is up, and no subnet manager has set the port up";
    }
    return state == 2   ? "the link is up, and the driver has not set the port up"
           : state == 3 ? "the subnet manager has not activated the port"
           : state == 1 ? "the link is up and the port is not: its network interface may be down"
                        : "";
}

// Where it is not the cable: what helps a port whose link is up.
std::string step_for_state(const PortStates& now, const std::string& layer) {
    if (!now.phys || now.phys->number != phys_link_up || !now.state) {
        return "";
    }
    const bool managed =
        layer == "InfiniBand" && (now.state->number == 2 || now.state->number == 3);
    return managed ? "sudo sminfo; then start a subnet manager where none answers"
           : now.state->number == 1 && layer == "Ethernet"
               ? "ip link show; then switch its network interface on"
               : "sudo dmesg | grep -e bnxt -e mlx5 -e ionic; rdma link show";
}

bool is_known(const Result<NumberedWord>& state, std::uint64_t highest) {
    return state && state->number > 0 && state->number <= highest;
}

Assessment judge(const Fs& fs, const RdmaPort& port, ReadAnew anew) {
    const PortStates now{port_state(fs, port, anew), port_phys_state(fs, port, anew)};
    const bool bad = (is_known(now.state, highest_state) && now.state->number != state_active) ||
                     (is_known(now.phys, highest_phys_state) && now.phys->number != phys_link_up);
    if (!bad) {
        for (const auto* each : {&now.state, &now.phys}) {
            if (!*each) {
                return unreadable({}, each->error(), "active");
            }
        }
        if (!is_known(now.state, highest_state) || !is_known(now.phys, highest_phys_state)) {
            return unreadable({},
                              garbled(port.folder, "is in a state that is not known: " +
                                                       now.state->word + ", " + now.phys->word),
                              "active");
        }
        return compared({}, "active", "active");
    }
    const auto word = [](const Result<NumberedWord>& state) {
        return state ? state->word : std::string("unknown");
    };
    auto row = compared({}, "active", word(now.state) + ", " + word(now.phys));
    const auto layer = port_link_layer(fs, port);
    const auto what = meaning(now, layer ? *layer : "");
    row.detail = port.name() + (what.empty() ? "" : ": " + what);
    row.next_step = step_for_state(now, layer ? *layer : "");
    return row;
}

bool names_port(const Value& name, const RdmaPort& port) {
    return *name.text() == port.name() || *name.text() == port.device;
}

bool is_listed(const Value& listed, const RdmaPort& port) {
    const auto& names = *listed.list();
    return std::any_of(names.begin(), names.end(),
                       [&](const Value& name) { return names_port(name, port); });
}

// Of a site's list, which says more than what the node itself tells.
TrainingPorts listed_ports(const Context& context, const Value& listed,
                           std::vector<Assessment>& missing) {
    TrainingPorts out = training_ports(context);
    out.ports.clear();
    std::erase_if(out.unread, [](const UnreadNic& each) { return each.target.suffix != ""; });
    for (const auto& device : out.devices) {
        for (const auto& port : device.ports ? *device.ports : std::vector<RdmaPort>()) {
            if (is_listed(listed, port) && !context.machine.asleep(port.bdf)) {
                out.ports.push_back(port);
            }
        }
    }
    for (const auto& name : *listed.list()) {
        const bool found =
            std::any_of(out.ports.begin(), out.ports.end(),
                        [&](const RdmaPort& port) { return names_port(name, port); });
        if (!found && !out.uncertain && out.unread.empty()) {
            missing.push_back(
                compared({printable(*name.text(), 40), std::nullopt, ""}, "active", "missing"));
            missing.back().detail = "there is no such RDMA port; names may have moved";
            missing.back().next_step = "rdma link show";
        }
    }
    return out;
}

void add_odd(const Fs& fs, const TrainingPorts& training, const std::vector<OddPort>& odd,
             ReadAnew anew, std::vector<Assessment>& rows) {
    for (const auto& [port, like] : odd) {
        auto row = judge(fs, port, anew);
        row.target = training.target_of(port);
        if (row.outcome == Outcome::differs) {
            row.detail += "; " + number(like) + (like == 1 ? " port" : " ports") +
                          " of like NICs beside GPUs " + (like == 1 ? "trains" : "train");
            row.next_step =
                "rdma link show; ip link show; then switch it on, or name the ports that jobs "
                "use in NCCL_IB_HCA";
        }
        rows.push_back(std::move(row));
    }
}

// Ports that are all left out are no training ports, and jobs have none.
std::vector<Assessment> judge_all(const Context& context, const TrainingPorts& training,
                                  ReadAnew anew) {
    auto rows = judge_ports(training, "active",
                            [&](const RdmaPort& port) { return judge(context.fs(), port, anew); });
    const bool none = training.ports.empty() && !training.left_out.empty();
    if (none && training.unread.empty()) {
        rows.front() = compared({}, "active", "no port");
        rows.front().detail = training.told_left_out();
        rows.front().by_variable = training.left_out_by();
    }
    return rows;
}

std::vector<Assessment> assess_port(const Setting&, const Context& context, const Want& want) {
    std::vector<Assessment> missing;
    const bool listed = want.value.list() != nullptr;
    const auto training =
        listed ? listed_ports(context, want.value, missing) : training_ports(context);
    const auto odd = listed ? std::vector<OddPort>() : odd_ports(context, training);
    auto rows = judged_settled(context.fs(), [&](ReadAnew anew) {
        auto all = judge_all(context, training, anew);
        add_odd(context.fs(), training, odd, anew, all);
        return all;
    });
    const bool nothing = training.ports.empty() && !missing.empty();
    if (nothing) {
        rows.clear();
    }
    rows.insert(rows.end(), missing.begin(), missing.end());
    return rows;
}

}  // namespace

const Setting& rdma_port() {
    static const Setting setting{
        .info =
            {
                .id = "rdma.port",
                .summary = "Whether each RDMA port that jobs use is up",
                .why = "A collective over a port that is down fails, or goes the long way",
                .source = "ROCm/system-acceptance-docs docs/network/validation.md, 2026-07; linux "
                          "drivers/infiniband/core/sysfs.c, 6.12",
                .target = "PCI function",
                .read_from = "/sys/class/infiniband/*/ports/*/{state,phys_state,link_layer}",
                .set_by = "",
                .next_step = "rdma link show; then look at cable, optics and the switch's port",
                .persist = "",
                .risk_note = "",
                .over_cluster = OverCluster::equal,
                .forms = {{.kind = FormKind::word, .words = {"active"}},
                          {.kind = FormKind::text_list, .lowest = 1}},
            },
        .assess = assess_port,
    };
    return setting;
}

}  // namespace rocenv
