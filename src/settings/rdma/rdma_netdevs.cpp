// SPDX-License-Identifier: MIT
#include "settings/rdma/rdma_netdevs.h"

#include <algorithm>
#include <map>
#include <set>

#include "machine/rdma/network_namespace.h"
#include "machine/rdma/rdma_gids.h"
#include "util/place_pattern.h"

namespace rocenv {

namespace {

Target function_target(const std::string& bdf) {
    return {bdf, std::nullopt, ""};
}

// Collects the interfaces of functions, then those above them.
class NetdevSearch {
   public:
    NetdevSearch(const Context& context, RdmaNetdevs& out)
        : machine_(context.machine), fs_(context.fs()), out_(out) {}

    void add_function(const std::string& bdf, bool slingshot) {
        const auto names = netdevs_of(machine_, bdf);
        for (const auto& name : names ? *names : std::vector<std::string>()) {
            add_interface({.name = name, .bdf = bdf, .slingshot = slingshot});
        }
        if (!names) {
            out_.unread.push_back({function_target(bdf), names.error()});
        } else if (names->empty()) {
            without_.push_back(bdf);
        }
    }

    // A bond has the addresses of its members; a VLAN has some beside those of its interface.
    void add_above(const RdmaPort& port) {
        const auto names = gid_netdevs(fs_, port);
        if (!names) {
            out_.unread.push_back({function_target(port.bdf), names.error()});
            return;
        }
        for (const auto& name : *names) {
            above_.emplace(name, RdmaNetdev{.name = name, .bdf = port.bdf, .above = true});
        }
    }

    void finish() {
        tell_missing();
        for (const auto& netdev : out_.all) {
            above_.erase(netdev.name);
        }
        for (auto& [name, netdev] : above_) {
            if (exists(fs_, netdev.folder())) {  // else another namespace may have it
                add_members(netdev);
                out_.all.push_back(std::move(netdev));
            }
        }
    }

   private:
    void add_interface(RdmaNetdev netdev) {
        const auto master = master_of(fs_, netdev.folder());
        if (!master) {
            out_.unread.push_back({function_target(netdev.bdf), master.error()});
        } else if (!master->empty()) {
            netdev.enslaved = true;
            above_.emplace(*master, RdmaNetdev{.name = *master,
                                               .bdf = netdev.bdf,
                                               .slingshot = netdev.slingshot,
                                               .above = true});
        }
        out_.all.push_back(std::move(netdev));
    }

    // Both functions of a card that are bonded share one RDMA device, so that one member is of a
    // function without. A VLAN has its interface below it, too.
    void add_members(const RdmaNetdev& above) {
        constexpr std::string_view prefix = "lower_";
        const auto names = fs_.list(above.folder());
        if (!names) {
            out_.unread.push_back({{above.name, std::nullopt, ""}, names.error()});
            return;
        }
        for (const auto& entry : *names) {
            const std::string name = entry.substr(std::min(prefix.size(), entry.size()));
            const bool known = above_.contains(name) ||
                               std::any_of(out_.all.begin(), out_.all.end(),
                                           [&](const auto& each) { return each.name == name; });
            if (entry.starts_with(prefix) && is_interface_name(name) && !known) {
                out_.all.push_back({.name = name,
                                    .bdf = above.bdf,
                                    .slingshot = above.slingshot,
                                    .enslaved = true,
                                    .lower = true});
            }
        }
    }

    // A NIC for Ethernet has an interface, if not in this network namespace then in another one.
    void tell_missing() {
        if (!without_.empty() && out_.all.empty() && is_another_network(fs_)) {
            out_.nobody =
                "this network namespace has no interface of the RDMA NICs: it is not the node's "
                "own";
            return;
        }
        for (const auto& bdf : without_) {
            out_.unread.push_back(
                {function_target(bdf), Error{ErrorKind::not_here, 0, pci_path(bdf, "/net"),
                                             "it has no network interface here: another network "
                                             "namespace may have it"}});
        }
    }

    const Machine& machine_;
    const Fs& fs_;
    RdmaNetdevs& out_;
    std::map<std::string, RdmaNetdev> above_;
    std::vector<std::string> without_;
};

}  // namespace

std::string RdmaNetdev::folder() const {
    return (above || lower ? "/sys/class/net/" : pci_path(bdf) + "/net/") + name;
}

RdmaNetdevs rdma_netdevs(const Context& context, const TrainingPorts& training) {
    RdmaNetdevs out;
    NetdevSearch search(context, out);
    std::map<std::string, bool> functions;  // by address; true: of Slingshot
    std::size_t infiniband = 0;
    for (const auto& device : training.devices) {
        if (!device.verbs) {
            functions.emplace(device.bdf, true);
        }
    }
    for (const auto& port : training.ports) {
        const auto layer = port_link_layer(context.fs(), port);
        if (!layer) {
            out.unread.push_back({function_target(port.bdf), layer.error()});
        } else if (*layer == "Ethernet") {
            functions.emplace(port.bdf, false);
            search.add_above(port);
        } else {
            ++infiniband;
        }
    }
    for (const auto& [bdf, slingshot] : functions) {
        search.add_function(bdf, slingshot);
    }
    search.finish();
    out.unread.insert(out.unread.end(), training.unread.begin(), training.unread.end());
    for (const auto& why : {training.uncertain, training.lost}) {
        if (why) {
            out.unread.push_back({{}, *why});
        }
    }
    if (training.devices.empty() && out.unread.empty()) {
        out.nobody = training.told_none();
    } else if (infiniband > 0 && functions.empty()) {
        out.nobody = "InfiniBand needs no network interface";
    }
    return out;
}

void add_unjudged(const RdmaNetdevs& netdevs, const std::string& want,
                  std::vector<Assessment>& rows) {
    add_unread(netdevs.unread, want, rows);
    if (rows.empty()) {
        rows.push_back(netdevs.nobody.empty()
                           ? nothing_trains(want,
                                            "no training port is there to ask for its "
                                            "network interface")
                           : no_target(netdevs.nobody));
    }
}

std::vector<Assessment> judge_netdevs(const Context& context, const RdmaNetdevs& netdevs,
                                      const std::string& want,
                                      const std::function<Assessment(const RdmaNetdev&)>& judge) {
    std::vector<Assessment> rows;
    for (const auto& netdev : netdevs.all) {
        if (!netdev.above) {
            const auto sleeping = context.machine.asleep(netdev.bdf);
            rows.push_back(sleeping ? unreadable({}, *sleeping, want) : judge(netdev));
            rows.back().target = {netdev.name, std::nullopt, ""};
        }
    }
    add_unjudged(netdevs, want, rows);
    return rows;
}

}  // namespace rocenv
