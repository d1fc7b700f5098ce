// SPDX-License-Identifier: MIT
// rdma.rate: Gb/s of each training port. A port that is not up shows the lowest rate there is, or
// that of its last link (linux drivers/infiniband/core/verbs.c ib_get_eth_speed, 6.12), so its rate
// is asked for only while it is up. "model" is what AMD's reference nodes of the GPUs have. "equal"
// is over all training ports, whatever their NICs' models: a collective waits for the slowest.
#include <algorithm>

#include "settings/rdma/rdma_ports.h"
#include "settings/settling.h"
#include "settings/shapes/gpu_files.h"
#include "util/text.h"

namespace rocenv {

namespace {

// Whom it should be like is not known of a NIC that cannot be identified.
Result<std::string> rate_of(const Context& context, const RdmaPort& port, ReadAnew anew) {
    const Fs& fs = context.fs();
    if (const auto error = context.machine.function(port.bdf).error) {
        return *error;
    }
    const auto state = port_phys_state(fs, port, anew);
    if (!state) {
        return state.error();
    }
    if (state->number != phys_link_up) {
        return Error{
            ErrorKind::io, 0, port.folder,
            port.name() + " is " + printable(state->word, 20) + ", so its rate says nothing"};
    }
    return port_rate(fs, port, anew);
}

// Nothing: GPUs of several models, or of one that no source gives a rate for.
std::optional<std::string> rate_of_models(const Machine& machine) {
    std::uint32_t rate = 0;
    for (const auto& gpu : machine.gpus()) {
        const GpuModel* model = is_for_compute(gpu) ? gpu_model(gpu.device) : nullptr;
        if (model == nullptr || (rate != 0 && model->nic_gbps != rate)) {
            return std::nullopt;
        }
        rate = model->nic_gbps;
    }
    return rate == 0 ? std::nullopt : std::optional(number(rate));
}

// What to say of a port whose NIC is of another model than most; empty: it is not.
std::string other_model(const Machine& machine, const TrainingPorts& training,
                        const RdmaPort& port) {
    const std::string kind = kind_of_nic(machine, port.bdf);
    const auto same = std::count_if(
        training.ports.begin(), training.ports.end(),
        [&](const RdmaPort& other) { return kind_of_nic(machine, other.bdf) == kind; });
    const bool odd = static_cast<std::size_t>(same) * 2 < training.ports.size();
    return odd ? "its NIC is a " + kind + ", unlike most: NCCL_IB_HCA can leave it out" : "";
}

// That all agree is not told while one was not asked.
void add_unasked(const TrainingPorts& training, LikeDevices& all) {
    for (const auto& [target, error] : training.unread) {
        all.values.push_back({.device = target.text(), .kind = "", .value = error});
    }
}

std::vector<Assessment> judge_all(const Context& context, const TrainingPorts& training,
                                  const std::string& want, ReadAnew anew) {
    const auto of_model = want == "model" ? rate_of_models(context.machine) : std::nullopt;
    LikeDevices all;
    for (const auto& port : training.ports) {
        all.values.push_back({.device = training.target_of(port).text(),
                              .kind = "",
                              .value = rate_of(context, port, anew),
                              .of_model = of_model,
                              .left_out = context.leaves_out(port.bdf)});
        if (all.values.back().value) {
            all.values.back().note = other_model(context.machine, training, port);
        }
    }
    std::vector<Assessment> rows;
    if (!all.values.empty()) {
        add_unasked(training, all);
        rows = judge_nics(all, want, {});
    }
    add_unjudged(training, want, rows);
    return rows;
}

std::vector<Assessment> assess_rate(const Setting&, const Context& context, const Want& want) {
    const auto training = training_ports(context);
    return judged_settled(context.fs(), [&](ReadAnew anew) {
        return judge_all(context, training, plain_text(want.value), anew);
    });
}

}  // namespace

const Setting& rdma_rate() {
    static const Setting setting{
        .info =
            {
                .id = "rdma.rate",
                .summary = "Rate of each RDMA port that jobs use, in Gb/s",
                .why = "One port at a lower rate slows every collective to it",
                .source = "ROCm/system-acceptance-docs docs/network/validation.md, 2026-07; linux "
                          "drivers/infiniband/core/sysfs.c, 6.12",
                .target = "PCI function",
                .read_from = "/sys/class/infiniband/*/ports/*/{rate,phys_state}",
                .set_by = "",
                .next_step =
                    "rdma link show; then compare cable, optics and the switch's port with a "
                    "good one",
                .persist = "",
                .risk_note = "",
                .over_cluster = OverCluster::equal,
                .forms = {{.kind = FormKind::word, .words = {"equal", "model"}},
                          {.kind = FormKind::integer, .lowest = 1, .highest = 10000}},
            },
        .assess = assess_rate,
    };
    return setting;
}

}  // namespace rocenv
