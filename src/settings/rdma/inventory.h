// SPDX-License-Identifier: MIT
// RDMA NICs on PCI regardless of their driver, and the RDMA devices that carry training traffic. If
// most GPUs have a NIC beside them, training uses these NICs and others of the same models. A
// different model elsewhere serves the host network or storage.
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

constexpr std::uint32_t network_class = 0x02;  // PCI class of network controllers

// Returns true for RDMA NICs by id and for InfiniBand controllers, virtual functions included.
bool is_rdma_nic(const PciFunction& function);

// Returns the reason why a NIC may exist, for nodes without any RDMA device: the first one on PCI,
// or the error of reading PCI. Returns std::nullopt if PCI lists none or does not exist.
std::optional<Error> lost_nic(const Machine& machine);

// Returns network functions whose driver supports RDMA: "0000:06:00.0 (15b3:101d, mlx5_core)". For
// nodes without any RDMA device.
std::vector<std::string> nics_without_rdma(const Machine& machine);

// Returns the common part of the addresses of one card: the address without the function.
std::string card_of(const std::string& bdf);

// Returns vendor and device id: "8086:1572". Functions with one id are of the same kind.
std::string kind_of_nic(const Machine& machine, const std::string& bdf);

// Returns the NICs beside a GPU: under the same root port or, if fewer than half of the GPUs have
// one there, under the same root. Returns none if fewer than half have one, or further GPUs may
// exist.
std::set<std::string> nics_beside_gpus(const Machine& machine, const std::set<std::string>& nics);

// A root port with fewer cards beside its GPUs than comparable ports.
struct NicGap {
    std::vector<std::string> gpus;  // GPUs under the port
    std::size_t cards = 0;
    std::size_t usual = 0;   // count of the majority
    std::size_t groups = 0;  // number of ports with this count
};

// Returns the gaps. Only ports with equal numbers of GPUs are compared; three or more, and more
// than half, must agree. A design with different numbers of NICs per GPU has no gaps.
std::vector<NicGap> gaps_beside_gpus(const Machine& machine, const std::set<std::string>& nics);

// Returns the NICs that do not serve training; none if the locations of NICs and GPUs are
// inconclusive.
std::set<std::string> nics_of_the_host(const Machine& machine, const std::set<std::string>& nics);

// Returns the bonds of the interfaces of a function (linux net/core/dev.c
// netdev_adjacent_sysfs_add, 6.12: the link "master"). Fails if an interface cannot be read.
Result<std::set<std::string>> bonds_of(const Machine& machine, const std::string& bdf);

// Training ports are the ports that jobs use to communicate with other nodes.

// NCCL_IB_HCA of the calling process names them, with the rules of RCCL; with '^' it excludes
// ports. Otherwise these ports are excluded and reported: Disabled or suspended ports (management
// and spare ports), except if their network interface waits for a carrier; NICs of the host, which
// are not beside a GPU and of another model (nics_of_the_host); and virtual functions if other
// functions exist.

// The ports of NCCL_IB_HCA (ROCm/rccl src/misc/utils.cc parseStringList, src/transport/net_ib.cc,
// 2024-10).
class HcaList {
   public:
    // Parses the value: names are prefixes, or whole after "="; at most 32 names count. A list
    // without names selects all ports; after "^", none.
    explicit HcaList(std::string_view text);

    // Returns true if RCCL uses this port.
    bool selects(const RdmaPort& port) const;
    // Returns true if ports are named, so that each is required; "^mlx5_8" names none.
    bool names_ports() const { return !entries_.empty() && !denies_; }

   private:
    struct Entry {
        std::string name;
        std::optional<std::int64_t> port;  // std::nullopt: every port
    };
    bool matches(const RdmaPort& port) const;
    void add(std::string_view entry);

    bool denies_ = false;
    bool exact_ = false;
    std::vector<Entry> entries_;
};

// A NIC that could not be checked.
struct UnreadNic {
    Target target;
    Error error;
};

// The next step for ports whose interfaces have different kinds of addresses.
constexpr const char* give_addresses =
    "rdma link show; ip address show; give all interfaces the same kinds of addresses, with IPv6 "
    "on all or on none";

// The next step if NCCL_IB_HCA excludes ports that a job needs.
constexpr const char* correct_hca_list =
    "unset NCCL_IB_HCA; if jobs should use some NICs only, set NCCL_IB_HCA to all of them";

// The training ports of a node.
struct TrainingPorts {
    std::vector<RdmaDevice> devices;    // all RDMA devices
    std::vector<RdmaPort> ports;        // training ports of these devices
    std::vector<std::string> left_out;  // "bnxt_re8:1 (Disabled)"
    std::vector<RdmaPort> off;          // excluded ports that are Disabled or suspended
    std::vector<UnreadNic> unread;
    std::optional<Error> uncertain;  // reason why further devices may exist
    std::optional<Error> lost;       // set if PCI has a NIC without a device
    std::vector<std::string>
        others;  // network functions with RDMA support, if there is neither device nor NIC

    // Returns the address, with the port number if the function has several ports.
    Target target_of(const RdmaPort& port) const;
    // Returns the Slingshot devices, whose ports the kernel does not list.
    std::vector<std::string> slingshot() const;
    // Returns the number of devices without ports in the kernel: those of slingshot().
    std::size_t without_ports() const;
    // Returns "this node has no RDMA NIC", with up to eight of the other network functions.
    std::string none_text() const;
    // Returns true if the function has a training port.
    bool trains(const std::string& bdf) const;
    // Returns "excluded: bnxt_re8:1 (Disabled)"; empty if no port is left out.
    std::string left_out_text() const;
    // Returns "NCCL_IB_HCA" if it excludes every existing port; else empty.
    std::string_view left_out_by() const;
    // Returns the number of ports that NCCL_IB_HCA excludes.
    std::size_t left_out_by_variable() const;
};

// Returns the last part of the function's address with the port number: ".0:1".
std::string place_on_card(const RdmaPort& port);

// Returns the training ports; reads the phys_state of ports that are not named. If the devices
// cannot be listed, only `uncertain` is set.
TrainingPorts training_ports(const Context& context);

// Returns the number of waived NICs on PCI that could train but have no training port. Unreadable
// functions count as NICs.
std::size_t count_waived(const Context& context, const TrainingPorts& training,
                         const std::function<bool(const PciFunction&)>& is_nic);

// Returns the number of ports that do not train because they are off or excluded by NCCL_IB_HCA,
// without waived ones.
std::size_t count_left_out(const Context& context, const TrainingPorts& training);

// Returns the rows of `judge` for each training port, and rows for unread devices. Without a
// training port the row is not applicable without RDMA NICs, and unknown with some.
std::vector<Assessment> judge_ports(const TrainingPorts& training, const std::string& expected,
                                    const std::function<Assessment(const RdmaPort&)>& judge);

// Returns the row of a node without devices: not applicable, or unknown if PCI has an RDMA NIC.
Assessment no_rdma_nic(const TrainingPorts& training, const std::string& expected);

// Adds unknown rows for unread devices whose target has no row yet.
void add_unread(const std::vector<UnreadNic>& unread, const std::string& expected,
                std::vector<Assessment>& rows);

// Returns the row of a node whose training ports are all excluded: unknown, with commands for logs.
Assessment nothing_trains(const std::string& expected, std::string detail);

// Adds the rows that judged ports lack: for unread devices, or for a node without ports.
void add_unjudged(const TrainingPorts& training, const std::string& expected,
                  std::vector<Assessment>& rows);

// Judges NICs like judge_alike(), with next steps for NICs.
std::vector<Assessment> judge_nics(const LikeDevices& devices, const std::string& expected,
                                   LikeRules rules);

// Network interfaces of RDMA traffic: those of training ports and Slingshot NICs, their bonds with
// all members, and others that own the addresses of the GIDs (VLANs).

// One such interface.
struct RdmaNetdev {
    std::string name;
    std::string bdf;
    bool slingshot = false;
    bool above = false;     // bond or VLAN over interfaces of such functions
    bool enslaved = false;  // without own addresses, which its bond has
    bool lower = false;     // member of such a bond, on a function without RDMA device
    // Returns the folder of the interface in /sys.
    std::string folder() const;
};

// The interfaces of a node.
struct RdmaNetdevs {
    std::vector<RdmaNetdev> all;    // sorted by address and name, then bonds and VLANs
    std::vector<UnreadNic> unread;  // functions whose interfaces could not be read
    std::string why_none;           // reason why none are expected; empty: some are expected
};

// Returns the interfaces. InfiniBand ports are ignored, because RDMA does not use their interface.
RdmaNetdevs rdma_netdevs(const Context& context, const TrainingPorts& training);

// Adds such rows for interfaces.
void add_unjudged(const RdmaNetdevs& netdevs, const std::string& expected,
                  std::vector<Assessment>& rows);

// Returns the rows of `judge` for each interface with its own link, and rows for unread ones. An
// interface of a suspended function is not touched.
std::vector<Assessment> judge_netdevs(const Context& context, const RdmaNetdevs& netdevs,
                                      const std::string& expected,
                                      const std::function<Assessment(const RdmaNetdev&)>& judge);

}  // namespace rocenv
