// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "machine/rdma/rdma_gids.h"
#include "settings/rdma/rdma_ports.h"
#include "util/place_pattern.h"
#include "util/text.h"

namespace rocenv {

namespace {

// Which GIDs of an RDMA port jobs can use. On Ethernet: RoCE v2, mapped from an IPv4 address,
// not 0.0.0.0, and of an interface of the port's own card or one above it (a bond, a VLAN). On
// InfiniBand: one with an interface id. A GID itself is never told: it is an address.

struct UsableGid {
    std::string have;    // the index ("any" on InfiniBand), or what is wrong
    std::string why;     // more of what is wrong; empty: `have` says it
    std::string step;    // empty: the setting's own
    std::string gid;     // of one that can be used
    std::string netdev;  // the interface it is of; empty: not told
};

class UsableGids {
   public:
    UsableGids(const Context& context, const TrainingPorts& training);

    // What an index of a RoCE port holds.
    Result<UsableGid> at(const RdmaPort& port, std::uint64_t index) const;
    // The first of a RoCE port that can be used. One that could not be read may be an earlier one.
    Result<UsableGid> first(const RdmaPort& port) const;
    // Any of a port of InfiniBand.
    Result<UsableGid> any(const RdmaPort& port) const;

   private:
    Result<UsableGid> judged_netdev(const RdmaPort& port, UsableGid found,
                                    std::uint64_t index) const;
    Result<std::string> other_owner(const RdmaPort& port, const std::string& netdev) const;
    Result<std::vector<std::string>> owners_below(const std::string& netdev, int depth) const;

    const Fs& fs_;
    std::map<std::string, std::string> owners_;  // of interfaces: the address of their function
    std::map<std::string, Error> unread_;        // functions whose interfaces could not be read
};

constexpr std::string_view mapped = "0000:0000:0000:0000:0000:ffff:";
constexpr std::string_view no_interface_id = "0000:0000:0000:0000";
constexpr std::string_view any_address = "0000:0000";  // 0.0.0.0
constexpr int most_levels = 4;                         // of interfaces above one another

UsableGid unusable(std::string have, std::string why = "", std::string step = "") {
    return {std::move(have), std::move(why), std::move(step), "", ""};
}

// What is wrong with the type of a GID; empty: nothing.
Result<std::string> wrong_type(const Fs& fs, const RdmaPort& port, std::uint64_t index) {
    auto type = gid_type_at(fs, port, index);
    if (!type) {
        return type;
    }
    return std::string(*type == "RoCE v2" ? "" : "RoCE v1");
}

bool is_shared(const UsableGid& one, const UsableGid& other) {
    return !one.gid.empty() && one.gid == other.gid &&
           (one.netdev.empty() || one.netdev != other.netdev);
}

UsableGids::UsableGids(const Context& context, const TrainingPorts& training) : fs_(context.fs()) {
    for (const auto& device : training.devices) {
        const auto names = netdevs_of(context.machine, device.bdf);
        if (!names) {
            unread_.emplace(device.bdf, names.error());
            continue;
        }
        for (const auto& name : *names) {
            owners_.emplace(name, device.bdf);
        }
    }
}

Result<UsableGid> UsableGids::at(const RdmaPort& port, std::uint64_t index) const {
    const auto gid = gid_at(fs_, port, index);
    if (!gid && !gid.is(ErrorKind::not_here)) {
        return gid.error();
    }
    if (!gid || gid->empty()) {
        return unusable("no GID");
    }
    const auto type = wrong_type(fs_, port, index);
    if (!type || !type->empty()) {
        return type ? Result(unusable(*type)) : type.error();
    }
    if (!gid->starts_with(mapped)) {
        return unusable("no IPv4 address");
    }
    if (gid->ends_with(any_address)) {
        return unusable("no IPv4 address", "GID " + number(index) + " is mapped from 0.0.0.0");
    }
    return judged_netdev(port, {number(index), "", "", *gid, ""}, index);
}

Result<UsableGid> UsableGids::judged_netdev(const RdmaPort& port, UsableGid found,
                                            std::uint64_t index) const {
    auto netdev = gid_netdev(fs_, port, index);
    if (!netdev) {
        return netdev.error();
    }
    const auto owner = netdev->empty() ? netdev : other_owner(port, *netdev);
    if (!owner) {
        return owner.error();
    }
    if (!owner->empty()) {
        return unusable(
            "interface of another NIC",
            "GID " + number(index) + " is of " + *netdev + ", which belongs to " + *owner,
            "rdma link show; ip address show; then load the NIC's driver anew");
    }
    found.netdev = *std::move(netdev);
    return found;
}

// Which other card's function an interface belongs to; empty: none that is known. A function
// without interfaces of its own (another network namespace has them, or a second function of its
// card) tells nothing.
Result<std::string> UsableGids::other_owner(const RdmaPort& port, const std::string& netdev) const {
    if (const auto unread = unread_.find(port.bdf); unread != unread_.end()) {
        return unread->second;
    }
    const bool has_own = std::any_of(owners_.begin(), owners_.end(),
                                     [&](const auto& each) { return each.second == port.bdf; });
    const auto owners =
        has_own ? owners_below(netdev, most_levels) : Result(std::vector<std::string>());
    if (!owners) {
        return owners.error();
    }
    const bool own = std::any_of(owners->begin(), owners->end(), [&](const auto& bdf) {
        return card_of(bdf) == card_of(port.bdf);
    });
    return own || owners->empty() ? std::string() : owners->front();
}

Result<std::vector<std::string>> UsableGids::owners_below(const std::string& netdev,
                                                          int depth) const {
    constexpr std::string_view prefix = "lower_";
    std::vector<std::string> out;
    if (const auto owner = owners_.find(netdev); owner != owners_.end()) {
        out.push_back(owner->second);
        return out;
    }
    const auto entries = fs_.list("/sys/class/net/" + netdev);
    if (!entries) {
        return entries.is(ErrorKind::not_here) ? Result(std::move(out)) : entries.error();
    }
    for (const auto& entry : *entries) {
        const std::string name = entry.substr(std::min(prefix.size(), entry.size()));
        if (!entry.starts_with(prefix) || !is_interface_name(name) || depth == 0) {
            continue;
        }
        auto below = owners_below(name, depth - 1);
        if (!below) {
            return below;
        }
        out.insert(out.end(), below->begin(), below->end());
    }
    return out;
}

Result<UsableGid> UsableGids::first(const RdmaPort& port) const {
    const auto indices = gid_indices(fs_, port);
    if (!indices) {
        return indices.error();
    }
    UsableGid none = unusable("none", "no RoCE v2 GID that is mapped from an IPv4 address");
    const std::string usual = none.why;
    for (const auto index : *indices) {
        auto found = at(port, index);
        if (!found || !found->gid.empty()) {
            return found;
        }
        if (!found->why.empty() && none.why == usual) {
            none.why += "; " + found->why;
            none.step = found->step;
        }
    }
    return none;
}

Result<UsableGid> UsableGids::any(const RdmaPort& port) const {
    const auto indices = gid_indices(fs_, port);
    if (!indices) {
        return indices.error();
    }
    UsableGid none = unusable(
        "none", "", "sudo sminfo; then look at the subnet manager, which gives the address");
    for (const auto index : *indices) {
        const auto gid = gid_at(fs_, port, index);
        if (!gid) {
            return gid.error();
        }
        if (!gid->empty() && !gid->ends_with(no_interface_id)) {
            return UsableGid{"any", "", "", *gid, ""};
        }
        if (!gid->empty()) {
            none.why = "GID " + number(index) + " has no interface id: the port's GUID is zero";
            none.step =
                "rdma link show; then give the port a GUID: of a virtual function the host "
                "does";
        }
    }
    return none;
}

// Marks those that several ports have, unless by one interface (a bond over several NICs).
void mark_shared(std::vector<std::pair<std::string, UsableGid*>>& of_ports) {
    std::map<std::string, std::string> others;  // by port
    for (const auto& [name, gid] : of_ports) {
        for (const auto& [other, its] : of_ports) {
            if (name != other && is_shared(*gid, *its)) {
                others.emplace(name, other);
            }
        }
    }
    for (auto& [name, gid] : of_ports) {
        if (const auto other = others.find(name); other != others.end()) {
            *gid =
                unusable("address of another port", "its GID is that of " + other->second + ", too",
                         "ip address show; then give each port an address of its own");
        }
    }
}

}  // namespace

// rdma.gid: the address that jobs use on each training port. On Ethernet that is the GID of one
// index: RoCE v2, and mapped from an IPv4 address (::ffff:a.b.c.d). "equal" wants one of that kind
// at the same index on all ports: that of NCCL_IB_GID_INDEX where the asking process has it, else
// the first. On InfiniBand any GID with an interface id will do.

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
    const bool by_variable = wanted != plain_text(want.value);
    for (auto& row : rows) {
        if (by_variable && row.outcome == Outcome::differs) {
            row.detail = "NCCL_IB_GID_INDEX asks for GID " + wanted +
                         (row.detail.empty() ? "" : "; " + row.detail);
            row.next_step = "unset NCCL_IB_GID_INDEX";
            row.by_variable = "NCCL_IB_GID_INDEX";
        }
    }
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
