// SPDX-License-Identifier: MIT
// rdma.gid: the address that jobs use on each training port. On Ethernet that is the GID of one
// index: RoCE v2, and mapped from an IPv4 address (::ffff:a.b.c.d). "equal" wants one of that kind
// at the same index on all ports: that of NCCL_IB_GID_INDEX where the asking process has it, else
// the first. On InfiniBand any GID with an interface id will do.
#include <algorithm>

#include "machine/rdma/rdma_gids.h"
#include "settings/rdma/rdma_usable_gid.h"
#include "util/text.h"

namespace rocenv {

namespace {

Result<std::string> told_types(const Fs& fs, const RdmaPort& port) {
    const auto types = gid_types(fs, port);
    if (!types) {
        return types.error();
    }
    return types->empty() ? std::string("none")
                          : join(std::vector<std::string>(types->begin(), types->end()), ", ");
}

// The asking process may say which one its jobs use; -1 finds one.
std::string wanted_index(const Context& context, const std::string& want) {
    const auto named = context.process.variable("NCCL_IB_GID_INDEX");
    const auto index = named ? parse_number(*named) : std::nullopt;
    return want == "equal" && index && *index < most_gids ? number(*index) : want;
}

struct Answer {
    bool roce = false;
    Result<UsableGid> gid;
};

using Answers = std::vector<std::pair<RdmaPort, Answer>>;

Answers answers_of(const Context& context, const TrainingPorts& training, const std::string& want) {
    const UsableGids gids(context, training);
    Answers out;
    for (const auto& port : training.ports) {
        const auto layer = port_link_layer(context.fs(), port);
        const bool roce = layer && *layer == "Ethernet";
        out.push_back({port,
                       {roce, !layer            ? Result<UsableGid>(layer.error())
                              : !roce           ? gids.any(port)
                              : want == "equal" ? gids.first(port)
                                                : gids.at(port, *parse_number(want))}});
    }
    std::vector<std::pair<std::string, UsableGid*>> found;
    for (auto& [port, answer] : out) {
        if (answer.gid) {
            found.emplace_back(port.name(), &answer.gid.value());
        }
    }
    mark_shared(found);
    return out;
}

Assessment of_infiniband(const Answer& answer, const std::string& want) {
    if (!answer.gid) {
        return unreadable({}, answer.gid.error(), want);
    }
    auto row = compared({}, "any", answer.gid->have);
    row.detail = answer.gid->why;
    row.next_step = answer.gid->step;
    return row;
}

// In the order of ports. That all are without an address is no agreement; a single port agrees
// with itself.
std::vector<Assessment> with_unusable(const TrainingPorts& training, const Answers& answers,
                                      const std::string& want, std::vector<Assessment> rows) {
    std::vector<Assessment> out;
    for (const auto& [port, answer] : answers) {
        const auto target = training.target_of(port);
        const auto row = std::find_if(rows.begin(), rows.end(), [&](const Assessment& each) {
            return each.target.text() == target.text();
        });
        if (answer.roce && answer.gid && answer.gid->gid.empty()) {
            out.push_back(compared(target, want, answer.gid->have));
            out.back().detail = answer.gid->why;
            out.back().next_step = answer.gid->step;
        } else if (row != rows.end()) {
            out.push_back(std::move(*row));
        }
    }
    return out;
}

std::vector<Assessment> judge_roce(const Context& context, const TrainingPorts& training,
                                   const Answers& answers, const std::string& want) {
    LikeDevices roce;
    for (const auto& [port, answer] : answers) {
        if (answer.roce) {
            roce.values.push_back(
                {.device = training.target_of(port).text(),
                 .kind = "",
                 .value = answer.gid ? Result(answer.gid->have) : answer.gid.error(),
                 .left_out = context.leaves_out(port.bdf)});
        }
    }
    auto rows = roce.values.empty() ? std::vector<Assessment>() : judge_nics(roce, want, {});
    if (want == "equal" && roce.values.size() == 1 && roce.values.front().value) {
        const std::string& have = *roce.values.front().value;
        rows.front() = compared(rows.front().target, have, have);
    }
    return with_unusable(training, answers, want, std::move(rows));
}

std::vector<Assessment> assess_gid(const Setting&, const Context& context, const Want& want) {
    const auto training = training_ports(context);
    const std::string wanted = wanted_index(context, plain_text(want.value));
    auto answers = answers_of(context, training, wanted);
    std::vector<Assessment> rows = judge_roce(context, training, answers, wanted);
    for (const auto& [port, answer] : answers) {
        if (!answer.roce) {
            rows.push_back(of_infiniband(answer, wanted));
            rows.back().target = training.target_of(port);
        }
    }
    add_unjudged(training, wanted, rows);
    return rows;
}

// The index, and which types of GID each port has.
std::vector<ClusterFact> facts_of_gid(const Setting& setting, const Context& context) {
    auto out = assessed_facts(setting, context);
    const auto training = training_ports(context);
    for (const auto& port : training.ports) {
        const auto layer = port_link_layer(context.fs(), port);
        if (layer && *layer == "Ethernet") {
            auto target = training.target_of(port);
            target.suffix += "/types";
            add_fact(std::move(target), told_types(context.fs(), port), out);
        }
    }
    return out;
}

}  // namespace

const Setting& rdma_gid() {
    static const Setting setting{
        .info =
            {
                .id = "rdma.gid",
                .summary = "The index of the address that jobs use on each RDMA port",
                .why =
                    "Without the address that its peers expect a job hangs at its first collective",
                .source = "AMD-AGI/Primus runner/helpers/envs/base_env.sh, 2026-08; ROCm/cvs "
                          "cvs/lib/preflight, 2026-08",
                .target = "PCI function",
                .read_from = "/sys/class/infiniband/*/ports/*/{link_layer,gids/*,gid_attrs/"
                             "{types,ndevs}/*}, "
                             "net of the NIC's PCI function, lower_* in /sys/class/net/*",
                .set_by = "",
                .next_step =
                    "rdma link show; ip address show; then give the port's network interface "
                    "an IPv4 address and RoCE v2",
                .persist = "",
                .risk_note = "",
                .over_cluster = OverCluster::equal,
                .forms = {{.kind = FormKind::word, .words = {"equal"}},
                          {.kind = FormKind::integer, .lowest = 0, .highest = 255}},
            },
        .assess = assess_gid,
        .facts = facts_of_gid,
    };
    return setting;
}

}  // namespace rocenv
