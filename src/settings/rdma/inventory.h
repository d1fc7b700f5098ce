// SPDX-License-Identifier: MIT
// PCI functions that are RDMA NICs whatever their driver says, and which of those with an RDMA
// device carry training. Where most GPUs have a NIC beside them, training goes over the NICs there
// and over those of the same models; another model elsewhere serves the host's own network or its
// storage.
#pragma once

#include <functional>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "machine/rdma/rdma.h"
#include "rocenv/machine.h"
#include "rocenv/setting.h"
#include "settings/shapes/devices.h"

namespace rocenv {

constexpr std::uint32_t network_class = 0x02;  // of PCI

// By its id, or as an InfiniBand controller. Virtual functions are some, too.
bool is_rdma_nic(const PciFunction& function);

// Why the lack of any RDMA device is no proof that there is no NIC; nothing: none is to be seen.
std::optional<Error> lost_nic(const Machine& machine);

// Network functions whose driver could make an RDMA device: "0000:06:00.0 (15b3:101d, mlx5_core)".
std::vector<std::string> nics_without_rdma(const Machine& machine);

// Returns what the functions of one card have in common: the address without its last part.
std::string card_of(const std::string& bdf);

// "8086:1572" of a function: functions of one id are alike.
std::string kind_of_nic(const Machine& machine, const std::string& bdf);

// Returns those of `nics` that stand beside a GPU: under the same port of the root, or where fewer
// than half of the GPUs have one there, at the same root; none where fewer than half have one.
std::set<std::string> nics_beside_gpus(const Machine& machine, const std::set<std::string>& nics);

// A port of the root with fewer cards beside its GPUs than other such ports have.
struct NicGap {
    std::vector<std::string> gpus;  // under it
    std::size_t cards = 0;
    std::size_t usual = 0;   // what most have
    std::size_t groups = 0;  // how many have that
};

// Returns those gaps. Only ports with as many GPUs are compared, three or more that agree and are
// more than half: a design that gives GPUs unlike numbers of NICs has none.
std::vector<NicGap> gaps_beside_gpus(const Machine& machine, const std::set<std::string>& nics);

// Returns those of `nics` that serve something else than training; none where the places of NICs
// and GPUs do not tell.
std::set<std::string> nics_of_the_host(const Machine& machine, const std::set<std::string>& nics);

// Returns the bonds that interfaces of a function belong to (linux net/core/dev.c
// netdev_adjacent_sysfs_add, 6.12: the link "master").
Result<std::set<std::string>> bonds_of(const Machine& machine, const std::string& bdf);

// The ports that jobs use to talk to other nodes, in short: training ports; and the network
// interfaces that RDMA goes through.

// The ports that jobs use to talk to other nodes, in short: training ports. NCCL_IB_HCA of the
// asking process names them as RCCL reads it; where it names none, ports that are Disabled or
// asleep are left out (management and spare ports), and said, but for those whose network interface
// waits for a carrier; NICs of the host, which stand beside no GPU and are of another model than
// those that do (nics_of_the_host); and virtual functions where there are others. With '^' it
// leaves out some of the others.

// NCCL_IB_HCA (ROCm/rccl src/misc/utils.cc parseStringList, src/transport/net_ib.cc, 2024-10).
class HcaList {
   public:
    explicit HcaList(std::string_view text);

    // Returns whether RCCL would take this port.
    bool takes(const RdmaPort& port) const;
    // Returns whether ports are named, so that each of them is wanted; "^mlx5_8" names none.
    bool names_ports() const { return !entries_.empty() && !denies_; }

   private:
    struct Entry {
        std::string name;
        std::optional<std::int64_t> port;  // nothing: each
    };
    bool matches(const RdmaPort& port) const;
    void add(std::string_view entry);

    bool denies_ = false;
    bool exact_ = false;
    std::vector<Entry> entries_;
};

// What could not be looked at.
struct UnreadNic {
    Target target;
    Error error;
};

// The next step where NCCL_IB_HCA leaves out what a job needs.
constexpr const char* correct_hca_list = "unset NCCL_IB_HCA, or set it to all NICs of the job";

struct TrainingPorts {
    std::vector<RdmaDevice> devices;    // all there are
    std::vector<RdmaPort> ports;        // the training ports among theirs
    std::vector<std::string> left_out;  // "bnxt_re8:1 (Disabled)"
    std::vector<RdmaPort> off;          // those left out that are Disabled or asleep
    std::vector<UnreadNic> unread;
    std::optional<Error> uncertain;   // why there may be more devices
    std::optional<Error> lost;        // there is no device, and a NIC on PCI
    std::vector<std::string> others;  // there is neither: network functions that could make one

    // The address, with the port behind it where the function has more than one: unique.
    Target target_of(const RdmaPort& port) const;
    // Devices of Slingshot, whose ports the kernel does not tell.
    std::vector<std::string> slingshot() const;
    std::size_t without_ports() const;
    // "no RDMA NIC on this node", and those others.
    std::string told_none() const;
    // Whether a function has a training port.
    bool trains(const std::string& bdf) const;
    // "left out: bnxt_re8:1 (Disabled)"; empty: none is.
    std::string told_left_out() const;
    // Returns "NCCL_IB_HCA" if it leaves out each port that is there; else empty.
    std::string_view left_out_by() const;
    // Returns the number of ports that NCCL_IB_HCA leaves out.
    std::size_t left_out_by_variable() const;
};

// Returns the last part of the function's address, and the port's number: ".0:1".
std::string place_on_card(const RdmaPort& port);

// Reads the phys_state of ports that nobody named.
TrainingPorts training_ports(const Context& context);

// Returns how many NICs on PCI the site waives that could train and have no training port.
std::size_t count_waived(const Context& context, const TrainingPorts& training,
                         const std::function<bool(const PciFunction&)>& is_nic);

// Returns how many ports do not train since they are off or NCCL_IB_HCA leaves them out, and are
// not waived.
std::size_t count_left_out(const Context& context, const TrainingPorts& training);

// Returns what `judge` says of each training port, what could not be looked at, and where there is
// no training port why: na without RDMA NICs, unknown with some.
std::vector<Assessment> judge_ports(const TrainingPorts& training, const std::string& want,
                                    const std::function<Assessment(const RdmaPort&)>& judge);

// Where there is no device: na, or unknown where PCI has an RDMA NIC.
Assessment no_rdma_nic(const TrainingPorts& training, const std::string& want);

// Rows of those that no row tells of yet.
void add_unread(const std::vector<UnreadNic>& unread, const std::string& want,
                std::vector<Assessment>& rows);

// The row of a node whose training ports are all left out.
Assessment nothing_trains(const std::string& want, std::string detail);

// What there is to say beside judged ports: of those that are unread, or that there is none.
void add_unjudged(const TrainingPorts& training, const std::string& want,
                  std::vector<Assessment>& rows);

// As judge_alike(), with next steps for NICs.
std::vector<Assessment> judge_nics(const LikeDevices& devices, const std::string& want,
                                   LikeRules rules);

// Network interfaces that RDMA goes through: those of the functions of training ports and of
// Slingshot NICs, the bonds they belong to with all of their members, and others whose addresses
// their GIDs are of (VLANs).

struct RdmaNetdev {
    std::string name;
    std::string bdf;
    bool slingshot = false;
    bool above = false;     // a bond or VLAN over interfaces of such functions
    bool enslaved = false;  // has no addresses of its own: its bond has them
    bool lower = false;  // found as a member of such a bond, of a function without an RDMA device
    // Returns the interface's folder.
    std::string folder() const;
};

struct RdmaNetdevs {
    std::vector<RdmaNetdev> all;    // by address and name, then those above
    std::vector<UnreadNic> unread;  // whether and which there are could not be found out
    std::string nobody;             // why it is fine that there are none; empty: it is not
};

// Ports of InfiniBand have none that matters: RDMA does not go through it.
RdmaNetdevs rdma_netdevs(const Context& context, const TrainingPorts& training);

// As add_unjudged(), of interfaces.
void add_unjudged(const RdmaNetdevs& netdevs, const std::string& want,
                  std::vector<Assessment>& rows);

// Returns what `judge` says of each interface that has a link of its own, and what could not be
// looked at. An interface whose function sleeps is not touched.
std::vector<Assessment> judge_netdevs(const Context& context, const RdmaNetdevs& netdevs,
                                      const std::string& want,
                                      const std::function<Assessment(const RdmaNetdev&)>& judge);

}  // namespace rocenv
