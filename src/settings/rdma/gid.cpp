// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "machine/rdma/rdma.h"
#include "settings/rdma/inventory.h"
#include "util/place_pattern.h"
#include "util/text.h"

namespace rocenv {

namespace {

// Usable GIDs of an RDMA port. On Ethernet: RoCE v2, mapped from an IPv4 address other than
// 0.0.0.0, and of an interface of the port's own card or one above it (a bond, a VLAN). On
// InfiniBand: one with an interface id. GIDs are addresses and never reported.

struct UsableGid {
    std::string have;         // index ("any" on InfiniBand), or the fault
    std::string why;          // further explanation; empty: none
    std::string step;         // next step; empty: that of the setting
    std::string gid;          // the GID, if usable
    std::string netdev;       // interface of the GID; empty: unknown
    bool link_local = false;  // 169.254.0.0/16: no router forwards it (RFC 3927, section 2.7)
    bool ipv6 = false;        // its port has no IPv4 address
};

class UsableGids {
   public:
    UsableGids(const Context& context, const TrainingPorts& training);

    // Returns the GID at an index of a RoCE port.
    Result<UsableGid> at(const RdmaPort& port, std::uint64_t index) const;
    // Returns the first usable GID of a RoCE port. An unreadable one may precede it.
    Result<UsableGid> first(const RdmaPort& port) const;
    // Returns a usable GID of an InfiniBand port.
    Result<UsableGid> any(const RdmaPort& port) const;
    // Returns the indices of a RoCE port whose IPv4 addresses other networks can reach.
    std::set<std::uint64_t> routable(const RdmaPort& port) const;

   private:
    // Returns the GID like at(); IPv6 addresses that are not link-local count as usable.
    Result<UsableGid> of_any_family(const RdmaPort& port, std::uint64_t index) const;
    Result<UsableGid> judged_netdev(const RdmaPort& port, UsableGid found,
                                    std::uint64_t index) const;
    Result<std::string> other_owner(const RdmaPort& port, const std::string& netdev) const;
    Result<std::vector<std::string>> owners_below(const std::string& netdev, int depth) const;

    const Fs& fs_;
    std::map<std::string, std::string> owners_;  // address of the function of each interface
    std::map<std::string, Error> unread_;        // functions whose interfaces could not be read
};

constexpr std::string_view mapped = "0000:0000:0000:0000:0000:ffff:";
constexpr std::string_view no_interface_id = "0000:0000:0000:0000";
constexpr std::string_view any_address = "0000:0000";                                  // 0.0.0.0
constexpr std::string_view mapped_link_local = "0000:0000:0000:0000:0000:ffff:a9fe:";  // 169.254
constexpr std::string_view ipv6_link_local = "fe80:";
constexpr int most_levels = 4;  // nesting of interfaces

UsableGid unusable(std::string have, std::string why = "", std::string step = "") {
    return {std::move(have), std::move(why), std::move(step)};
}

// Returns the fault in the type of a GID; empty if there is none.
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

Result<UsableGid> UsableGids::of_any_family(const RdmaPort& port, std::uint64_t index) const {
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
    const bool ipv4 = gid->starts_with(mapped);
    if (!ipv4 && gid->starts_with(ipv6_link_local)) {
        return unusable("no IPv4 address");
    }
    if (ipv4 && gid->ends_with(any_address)) {
        return unusable("no IPv4 address", "GID " + number(index) + " is mapped from 0.0.0.0");
    }
    return judged_netdev(port,
                         {.have = number(index),
                          .gid = *gid,
                          .link_local = gid->starts_with(mapped_link_local),
                          .ipv6 = !ipv4},
                         index);
}

// RCCL also uses an IPv6 address with NCCL_IB_ADDR_FAMILY=AF_INET6, or with the index (ROCm/rccl
// src/transport/net_ib.cc, 2024-10).
Result<UsableGid> UsableGids::at(const RdmaPort& port, std::uint64_t index) const {
    auto found = of_any_family(port, index);
    if (!found || !found->ipv6) {
        return found;
    }
    const auto indices = gid_indices(fs_, port);
    for (const auto other : indices ? *indices : std::vector<std::uint64_t>()) {
        const auto each = of_any_family(port, other);
        if (each && !each->gid.empty() && !each->ipv6) {
            return unusable("no IPv4 address");
        }
    }
    return found;
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
        return unusable("interface of another NIC",
                        "GID " + number(index) + " belongs to " + *netdev +
                            ", an interface of the NIC " + *owner,
                        "rdma link show; ip address show; reload the driver of the NIC");
    }
    found.netdev = *std::move(netdev);
    return found;
}

// Returns the function of another card that owns an interface; empty if none is known. A function
// without visible interfaces (in another network namespace, or on the second function of its card)
// is inconclusive.
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

// Returns the first usable GID: IPv4 before IPv6, link-local addresses last.
Result<UsableGid> UsableGids::first(const RdmaPort& port) const {
    const auto indices = gid_indices(fs_, port);
    if (!indices) {
        return indices.error();
    }
    UsableGid best =
        unusable("none", "the port has no RoCE v2 GID that is mapped from an IPv4 address");
    const std::string usual = best.why;
    for (const auto index : *indices) {
        auto found = of_any_family(port, index);
        if (!found || (!found->gid.empty() && !found->link_local && !found->ipv6)) {
            return found;
        }
        if (!found->gid.empty() && (best.gid.empty() || (best.link_local && found->ipv6))) {
            best = *std::move(found);
        } else if (best.gid.empty() && !found->why.empty() && best.why == usual) {
            best.why += "; " + found->why;
            best.step = found->step;
        }
    }
    return best;
}

std::set<std::uint64_t> UsableGids::routable(const RdmaPort& port) const {
    std::set<std::uint64_t> out;
    const auto indices = gid_indices(fs_, port);
    for (const auto index : indices ? *indices : std::vector<std::uint64_t>()) {
        const auto found = of_any_family(port, index);
        if (found && !found->gid.empty() && !found->link_local && !found->ipv6) {
            out.insert(index);
        }
    }
    return out;
}

Result<UsableGid> UsableGids::any(const RdmaPort& port) const {
    const auto indices = gid_indices(fs_, port);
    if (!indices) {
        return indices.error();
    }
    UsableGid none = unusable("none", "",
                              "sudo sminfo; if the subnet manager does not answer, start it, "
                              "because it assigns the address");
    for (const auto index : *indices) {
        const auto gid = gid_at(fs_, port, index);
        if (!gid) {
            return gid.error();
        }
        if (!gid->empty() && !gid->ends_with(no_interface_id)) {
            return UsableGid{.have = "any", .gid = *gid};
        }
        if (!gid->empty()) {
            none.why = "GID " + number(index) +
                       " has no interface id, because the GUID of the port is zero";
            none.step =
                "rdma link show; give the port a GUID (the host does this for a virtual function)";
        }
    }
    return none;
}

// Marks GIDs of several ports, unless they belong to one interface (a bond over several NICs).
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
            *gid = unusable("address of another port",
                            "the GID of the port is also that of " + other->second,
                            "ip address show; give each port its own address");
        }
    }
}

}  // namespace

// rdma.gid: the address that jobs use on each training port. On Ethernet that is the GID at one
// index: RoCE v2, and mapped from an IPv4 address (::ffff:a.b.c.d). "equal" expects such a GID at
// the same index on all ports: that of NCCL_IB_GID_INDEX if the calling process sets it, else the
// first. On InfiniBand any GID with an interface id passes.

namespace {

Result<std::string> types_text(const Fs& fs, const RdmaPort& port) {
    const auto types = gid_types(fs, port);
    if (!types) {
        return types.error();
    }
    return types->empty() ? std::string("none")
                          : join(std::vector<std::string>(types->begin(), types->end()), ", ");
}

constexpr const char* index_variable = "NCCL_IB_GID_INDEX";

// Returns the index that the calling process sets for its jobs; -1 selects one automatically.
std::string expected_index(const Context& context, const Expectation& expectation) {
    const std::string expected = plain_text(expectation.value);
    const auto named = context.process.variable(index_variable);
    const auto index = named ? parse_number(*named) : std::nullopt;
    return expected == "equal" && index && *index < most_gids ? number(*index) : expected;
}

struct Answer {
    bool roce = false;
    Result<UsableGid> gid;
};

using Answers = std::vector<std::pair<RdmaPort, Answer>>;

// Marks ports that have only an IPv6 address: these cannot reach ports with IPv4.
void require_one_family(const std::string& expected, Answers& answers) {
    const bool ipv4 = std::any_of(answers.begin(), answers.end(), [](const auto& each) {
        const auto& [roce, gid] = each.second;
        return roce && gid && !gid->gid.empty() && !gid->ipv6;
    });
    for (auto& [port, answer] : answers) {
        if (ipv4 && answer.gid && answer.gid->ipv6) {
            answer.gid =
                unusable(expected == "equal" ? "none" : "no IPv4 address",
                         "the port has only IPv6 addresses, but other ports have IPv4 addresses");
        }
    }
}

Answers answers_of(const Context& context, const TrainingPorts& training, const std::string& word) {
    const UsableGids gids(context, training);
    Answers out;
    for (const auto& port : training.ports) {
        const auto layer = port_link_layer(context.fs(), port);
        const bool roce = layer && *layer == "Ethernet";
        out.push_back({port,
                       {roce, !layer            ? Result<UsableGid>(layer.error())
                              : !roce           ? gids.any(port)
                              : word == "equal" ? gids.first(port)
                                                : gids.at(port, *parse_number(word))}});
    }
    require_one_family(word, out);
    std::vector<std::pair<std::string, UsableGid*>> found;
    for (auto& [port, answer] : out) {
        if (answer.gid) {
            found.emplace_back(port.name(), &answer.gid.value());
        }
    }
    mark_shared(found);
    return out;
}

Assessment of_infiniband(const Answer& answer, const std::string& expected) {
    if (!answer.gid) {
        return unreadable({}, answer.gid.error(), expected);
    }
    auto row = compared({}, "any", answer.gid->have);
    row.detail = answer.gid->why;
    row.next_step = answer.gid->step;
    return row;
}

// Merges the rows in the order of ports. All ports without an address do not agree; a single port
// always agrees.
std::vector<Assessment> with_unusable(const TrainingPorts& training, const Answers& answers,
                                      const std::string& expected, std::vector<Assessment> rows) {
    std::vector<Assessment> out;
    for (const auto& [port, answer] : answers) {
        const auto target = training.target_of(port);
        const auto row = std::find_if(rows.begin(), rows.end(), [&](const Assessment& each) {
            return each.target.text() == target.text();
        });
        if (answer.roce && answer.gid && answer.gid->gid.empty()) {
            out.push_back(compared(target, expected, answer.gid->have));
            out.back().detail = answer.gid->why;
            out.back().next_step = answer.gid->step;
        } else if (row != rows.end()) {
            out.push_back(std::move(*row));
        }
    }
    return out;
}

std::vector<Assessment> judge_roce(const Context& context, const TrainingPorts& training,
                                   const Answers& answers, const std::string& expected) {
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
    auto rows = roce.values.empty() ? std::vector<Assessment>() : judge_nics(roce, expected, {});
    if (expected == "equal" && roce.values.size() == 1 && roce.values.front().value) {
        const std::string& have = *roce.values.front().value;
        rows.front() = compared(rows.front().target, have, have);
    }
    return with_unusable(training, answers, expected, std::move(rows));
}

// Returns the lowest index with a usable IPv4 address on all RoCE ports; std::nullopt if there is
// none.
std::optional<std::uint64_t> common_index(const Context& context, const TrainingPorts& training,
                                          const Answers& answers) {
    const UsableGids gids(context, training);
    std::optional<std::set<std::uint64_t>> all;
    for (const auto& [port, answer] : answers) {
        if (!answer.roce) {
            continue;
        }
        const auto here = gids.routable(port);
        if (!all) {
            all = here;
        }
        std::erase_if(*all, [&](std::uint64_t index) { return !here.contains(index); });
    }
    return !all || all->empty() ? std::nullopt : std::optional(*all->begin());
}

std::string export_of(std::uint64_t index) {
    return std::string("export ") + index_variable + "=" + number(index);
}

// Names the index that is usable on all ports, if the one of the jobs is not.
void name_common_index(const Context& context, const TrainingPorts& training,
                       const Answers& answers, const std::string& expected,
                       std::vector<Assessment>& rows) {
    std::optional<std::optional<std::uint64_t>> common;  // computed once
    for (auto& row : rows) {
        const bool by_index = row.outcome == Outcome::differs && row.have &&
                              row.next_step.empty() && *row.have != "none";
        if (!by_index) {
            continue;
        }
        if (!common) {
            common = common_index(context, training, answers);
        }
        if (*common) {
            row.detail += (row.detail.empty() ? "" : "; ") + ("GID " + number(**common)) +
                          " is usable on all ports";
            row.next_step = export_of(**common);
        } else if (expected == "equal") {
            row.detail += std::string(row.detail.empty() ? "" : "; ") +
                          "the ports have no common GID index that is usable";
            row.next_step = give_addresses;
        }
    }
}

// Judges the address of each port, and its index among all.
std::vector<Assessment> judge_addresses(const Context& context, const TrainingPorts& training,
                                        const Answers& answers, const Expectation& expectation) {
    const std::string expected = expected_index(context, expectation);
    std::vector<Assessment> rows = judge_roce(context, training, answers, expected);
    const bool by_variable = expected != plain_text(expectation.value);
    if (!by_variable) {
        name_common_index(context, training, answers, expected, rows);
    }
    for (const auto& [port, answer] : answers) {
        if (!answer.roce) {
            rows.push_back(of_infiniband(answer, expected));
            rows.back().target = training.target_of(port);
        }
    }
    const bool fits_others = std::any_of(
        rows.begin(), rows.end(), [](const Assessment& row) { return row.outcome == Outcome::ok; });
    add_unjudged(training, expected, rows);
    for (auto& row : rows) {
        if (by_variable && row.outcome == Outcome::differs) {
            row.detail = "NCCL_IB_GID_INDEX selects GID " + expected +
                         (row.detail.empty() ? "" : "; " + row.detail);
            row.next_step = fits_others ? give_addresses : "unset NCCL_IB_GID_INDEX";
            row.by_variable = index_variable;
        }
    }
    return rows;
}

std::vector<Assessment> assess_addresses(const Setting&, const Context& context,
                                         const Expectation& expectation) {
    const auto training = training_ports(context);
    const auto answers = answers_of(context, training, expected_index(context, expectation));
    return judge_addresses(context, training, answers, expectation);
}

}  // namespace

// Comparison of a node's ports beyond the index: the link layer, addresses of several ports, and
// link-local addresses.

namespace {

constexpr Grade gid_grades[] = {
    {"mixed", Level::recommended, "RCCL does not connect ports of different link layers"},
    {"link-local", Level::recommended, "No router forwards a link-local address"},
    {"duplicate", Level::recommended, "The port may use another of its addresses"},
    {"same-mac", Level::info, "Two interfaces with one MAC address may belong to one bond"},
    {"index", Level::info, "AMD's scripts use GID 3, but RCCL finds the address itself"},
};
constexpr const Grade* mixed_grade = &gid_grades[0];
constexpr const Grade* link_local_grade = &gid_grades[1];
constexpr const Grade* duplicate_grade = &gid_grades[2];
constexpr const Grade* same_mac_grade = &gid_grades[3];
constexpr const Grade* index_grade = &gid_grades[4];
constexpr std::uint64_t usual_index = 3;  // AMD-AGI/Primus base_env.sh, 2026-08

// Adds a difference to the rows: replaces the target's row if that passed, else extends its detail.
void add_difference(Assessment difference, std::vector<Assessment>& rows) {
    const auto row = std::find_if(rows.begin(), rows.end(), [&](const Assessment& each) {
        return each.target.text() == difference.target.text();
    });
    if (row == rows.end()) {
        rows.push_back(std::move(difference));
    } else if (row->outcome == Outcome::ok || row->outcome == Outcome::na) {
        *row = std::move(difference);
    } else if (row->outcome == Outcome::differs) {
        row->detail += (row->detail.empty() ? "" : "; ") + difference.detail;
    }
}

Assessment graded(Target target, std::string expected, std::string have, const Grade* grade) {
    auto out = compared(std::move(target), std::move(expected), std::move(have));
    out.outcome = Outcome::differs;
    out.grade = grade;
    return out;
}

// Returns equal ports: of one model beside GPUs, and at the same location on their cards. A card
// may have one port for InfiniBand and one for Ethernet by design.
std::map<std::string, std::vector<const RdmaPort*>> like_ports(const Context& context,
                                                               const Answers& answers) {
    std::set<std::string> nics;
    for (const auto& [port, answer] : answers) {
        if (!context.fs().link(pci_path(port.bdf, "/physfn")) && !context.leaves_out(port.bdf)) {
            nics.insert(port.bdf);
        }
    }
    const auto near = nics_beside_gpus(context.machine, nics);
    std::map<std::string, std::vector<const RdmaPort*>> out;
    for (const auto& [port, answer] : answers) {
        if (near.contains(port.bdf)) {
            out[kind_of_nic(context.machine, port.bdf) + place_on_card(port)].push_back(&port);
        }
    }
    return out;
}

void add_mixed_layers(const Context& context, const TrainingPorts& training,
                      const std::vector<const RdmaPort*>& ports, std::vector<Assessment>& rows) {
    std::map<std::string, std::vector<const RdmaPort*>> by_layer;
    for (const auto* port : ports) {
        const auto layer = port_link_layer(context.fs(), *port);
        if (layer) {
            by_layer[*layer].push_back(port);
        }
    }
    if (by_layer.size() < 2) {
        return;
    }
    const auto& ethernet = by_layer["Ethernet"];
    const auto& infiniband = by_layer["InfiniBand"];
    const std::string text = number(infiniband.size()) + " of " + number(ports.size()) +
                             " similar ports are InfiniBand, but " + number(ethernet.size()) +
                             (ethernet.size() == 1 ? " is Ethernet" : " are Ethernet");
    const bool more_ethernet = ethernet.size() > infiniband.size();
    const std::string most = more_ethernet ? "Ethernet" : "InfiniBand";
    const std::string few = more_ethernet ? "InfiniBand" : "Ethernet";
    const bool even = ethernet.size() == infiniband.size();
    const auto& minority = more_ethernet ? infiniband : ethernet;
    for (const auto* port : minority) {
        auto row = graded(even ? Target{} : training.target_of(*port), even ? "equal" : most,
                          even ? "mixed" : few, mixed_grade);
        row.detail = even ? text : port->name() + " is an " + few + " port; " + text;
        row.detail += "; RCCL connects only ports of one link layer";
        row.next_step =
            "set NCCL_IB_HCA to the ports of the job; if a port has the wrong type, set the type "
            "with the NIC vendor's tool";
        add_difference(std::move(row), rows);
        if (even) {
            return;
        }
    }
}

void add_link_local(const TrainingPorts& training, const Answers& answers,
                    std::vector<Assessment>& rows) {
    std::vector<const Answers::value_type*> found;
    std::size_t roce = 0;
    for (const auto& each : answers) {
        roce += each.second.roce ? 1U : 0U;
        if (each.second.gid && each.second.gid->link_local) {
            found.push_back(&each);
        }
    }
    const bool all = found.size() == roce && roce > 1;
    for (const auto* each : found) {
        const auto& [port, answer] = *each;
        auto row = graded(all ? Target{} : training.target_of(port), "routable",
                          "link-local address", link_local_grade);
        row.detail = (all ? "the address of each of the " + number(roce) + " ports"
                          : "GID " + answer.gid->have + " of " + port.name()) +
                     " is link-local (RFC 3927): the network interface received no other address";
        row.next_step = "ip -4 address show";
        add_difference(std::move(row), rows);
        if (all) {
            return;
        }
    }
}

// A GID of a port other than the one its jobs use.
struct OtherGid {
    const RdmaPort* port;
    std::uint64_t index;
    std::string netdev;
};

// Returns true if the GID was derived from a MAC address (RFC 4291, appendix A): a second such GID
// means that two interfaces have one MAC address. A manually assigned one is valid on its link
// only.
bool is_made_of_mac(std::string_view gid) {
    constexpr std::size_t middle = 27;  // "ff:fe" of "…:xxxx:xxff:fexx:xxxx"
    return gid.substr(middle, 5) == "ff:fe";
}

// The GIDs of RoCE ports, and their interfaces.
struct GidTable {
    std::map<std::string, std::vector<OtherGid>> by_gid;
    std::map<std::string, std::set<std::string>> netdevs;  // by port

    void add(const Fs& fs, const RdmaPort& port) {
        const auto indices = gid_indices(fs, port);
        for (const auto index : indices ? *indices : std::vector<std::uint64_t>()) {
            const auto gid = gid_at(fs, port, index);
            if (!gid || gid->empty() || gid->ends_with(no_interface_id) ||
                (gid->starts_with(mapped) && gid->ends_with(any_address))) {
                continue;
            }
            const auto netdev = gid_netdev(fs, port, index);
            by_gid[*gid].push_back({&port, index, netdev ? *netdev : ""});
            netdevs[port.name()].insert(netdev ? *netdev : "");
        }
    }

    // Returns true if both may be of one interface: of one port, of a bond over both, or of
    // interfaces that the kernel does not name.
    bool may_share(const Fs& fs, const OtherGid& one, const OtherGid& other) const {
        if (one.port->name() == other.port->name() || one.netdev.empty() || other.netdev.empty() ||
            netdevs.at(one.port->name()).contains(other.netdev) ||
            netdevs.at(other.port->name()).contains(one.netdev)) {
            return true;
        }
        const auto master = master_of(fs, "/sys/class/net/" + one.netdev);
        const auto others = master_of(fs, "/sys/class/net/" + other.netdev);
        return !master || !others || (!master->empty() && *master == *others);
    }
};

Assessment duplicate_row(const Target& target, const OtherGid& one, const OtherGid& other,
                         bool of_mac) {
    auto out = graded(target, "distinct",
                      of_mac ? "MAC address of another port" : "address of another port",
                      of_mac ? same_mac_grade : duplicate_grade);
    out.detail = "the same address is in GID " + number(one.index) + " of " + one.port->name() +
                 " and in GID " + number(other.index) + " of " + other.port->name();
    out.next_step = of_mac ? "ip link show" : "ip address show";
    return out;
}

// Adds a row for each port that has a GID of another port, besides the one its jobs use. A port
// that already differs keeps its row.
void add_duplicates(const Context& context, const TrainingPorts& training, const Answers& answers,
                    std::vector<Assessment>& rows) {
    GidTable table;
    for (const auto& [port, answer] : answers) {
        if (answer.roce) {
            table.add(context.fs(), port);
        }
    }
    for (const auto& [gid, all] : table.by_gid) {
        const bool of_mac = gid.starts_with(ipv6_link_local);
        for (const auto& one : of_mac && !is_made_of_mac(gid) ? std::vector<OtherGid>() : all) {
            const auto other = std::find_if(all.begin(), all.end(), [&](const OtherGid& each) {
                return !table.may_share(context.fs(), one, each);
            });
            const auto target = training.target_of(*one.port);
            const auto row = std::find_if(rows.begin(), rows.end(), [&](const Assessment& each) {
                return each.target.text() == target.text() && each.outcome == Outcome::ok;
            });
            if (other != all.end() && row != rows.end()) {
                *row = duplicate_row(target, one, *other, of_mac);
            }
        }
    }
}

// Adds a row if all ports agree on an index other than that of AMD's scripts.
void add_index(const Context& context, const TrainingPorts& training, const Answers& answers,
               const Expectation& expectation, std::vector<Assessment>& rows) {
    const bool fine = std::all_of(rows.begin(), rows.end(),
                                  [](const Assessment& row) { return row.outcome == Outcome::ok; });
    std::string index;
    for (const auto& [port, answer] : answers) {
        if (answer.roce && answer.gid && !answer.gid->ipv6) {
            index = answer.gid->have;
        }
    }
    const auto found = parse_number(index);
    if (!fine || expectation.value.integer() != nullptr ||
        context.process.variable(index_variable) || !found || *found == usual_index) {
        return;
    }
    const UsableGids gids(context, training);
    if (std::all_of(answers.begin(), answers.end(), [&](const auto& each) {
            return !each.second.roce || gids.routable(each.first).contains(usual_index);
        })) {
        return;
    }
    auto row = graded({}, number(usual_index), index, index_grade);
    row.detail = "all ports have their RoCE v2 address at GID " + index +
                 ", but AMD's scripts use GID " + number(usual_index);
    row.next_step = export_of(*found);
    rows.push_back(std::move(row));
}

std::vector<Assessment> assess_gid(const Setting&, const Context& context,
                                   const Expectation& expectation) {
    const auto training = training_ports(context);
    const auto answers = answers_of(context, training, expected_index(context, expectation));
    auto rows = judge_addresses(context, training, answers, expectation);
    add_index(context, training, answers, expectation, rows);
    for (const auto& [kind, ports] : like_ports(context, answers)) {
        add_mixed_layers(context, training, ports, rows);
    }
    add_link_local(training, answers, rows);
    add_duplicates(context, training, answers, rows);
    return rows;
}

// Returns the index, and the GID types of each port.
std::vector<ClusterFact> facts_of_gid(const Setting& setting, const Context& context) {
    auto addresses = setting;
    addresses.assess = assess_addresses;
    auto out = assessed_facts(addresses, context);
    const auto training = training_ports(context);
    for (const auto& port : training.ports) {
        const auto layer = port_link_layer(context.fs(), port);
        if (layer && *layer == "Ethernet") {
            auto target = training.target_of(port);
            target.suffix += "/types";
            add_fact(std::move(target), types_text(context.fs(), port), out);
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
                .summary = "Index of the address (GID) that jobs use on each RDMA port",
                .why = "Without the address that its peers expect, a job hangs at its first "
                       "collective",
                .source = "AMD-AGI/Primus runner/helpers/envs/base_env.sh, 2026-08; ROCm/cvs "
                          "cvs/lib/preflight, 2026-08; ROCm/rccl src/transport/net_ib.cc, 2024-10",
                .target = "PCI function",
                .read_from =
                    "/sys/class/infiniband/*/ports/*/{link_layer,gids/*,gid_attrs/"
                    "{types,ndevs}/*}, "
                    "net of the NIC's PCI function, lower_* and master in /sys/class/net/*",
                .set_by = "",
                .next_step = "rdma link show; ip address show; give the network interface of the "
                             "port an IPv4 address, so that it gets a RoCE v2 GID",
                .persist = "",
                .risk_note = "",
                .over_cluster = OverCluster::equal,
                .forms = {{.kind = FormKind::word, .words = {"equal"}},
                          {.kind = FormKind::integer, .lowest = 0, .highest = 255}},
                .grades = gid_grades,
            },
        .assess = assess_gid,
        .facts = facts_of_gid,
    };
    return setting;
}

}  // namespace rocenv
