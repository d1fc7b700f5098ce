// SPDX-License-Identifier: MIT
#include "settings/rdma/rdma_usable_gid.h"

#include <algorithm>

#include "machine/rdma/rdma_gids.h"
#include "util/place_pattern.h"
#include "util/text.h"

namespace rocenv {

namespace {

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

}  // namespace

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

}  // namespace rocenv
