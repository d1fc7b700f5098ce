// SPDX-License-Identifier: MIT
// RDMA devices, their ports and the network interfaces of their functions. Nothing here judges. A
// read of a port's state or rate asks the NIC's firmware (linux drivers/infiniband/core/sysfs.c
// state_show, ib_query_port), so it may block: whoever asks has asked Machine::asleep() first.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "rocenv/fs.h"
#include "rocenv/machine.h"
#include "rocenv/result.h"

namespace rocenv {

// More of a class are none that a node can have.
constexpr std::size_t most_rdma_devices = 512;

struct RdmaPort {
    std::string device;  // "bnxt_re0"
    std::uint32_t number = 0;
    std::string bdf;     // of the device's function
    std::string folder;  // /sys/class/infiniband/bnxt_re0/ports/1
    // Returns "bnxt_re0:1", as NCCL_IB_HCA names it.
    std::string name() const;
};

struct RdmaDevice {
    std::string name;
    std::string bdf;
    bool verbs = true;  // false: Slingshot (/sys/class/cxi), whose ports the kernel does not tell
    Result<std::vector<RdmaPort>> ports;
};

// Returns the devices that belong to a PCI function, by address and name; none where the kernel has
// no such class.
Result<std::vector<RdmaDevice>> rdma_devices(const Machine& machine);

// Folder of a verbs device: /sys/class/infiniband/NAME.
std::string rdma_folder(const std::string& device);

// Whether a file is read in any case, though it was read before.
enum class ReadAnew { no, yes };

// "4: ACTIVE" (linux drivers/infiniband/core/sysfs.c state_show, phys_state_show).
struct NumberedWord {
    std::uint64_t number = 0;
    std::string word;
};
Result<NumberedWord> read_numbered_word(const Fs& fs, const std::string& path, ReadAnew anew);

// Values of phys_state (linux include/rdma/ib_verbs.h, enum ib_port_phys_state), and of state.
constexpr std::uint64_t phys_sleep = 1;
constexpr std::uint64_t phys_disabled = 3;
constexpr std::uint64_t phys_link_up = 5;
constexpr std::uint64_t state_active = 4;

Result<NumberedWord> port_state(const Fs& fs, const RdmaPort& port, ReadAnew anew = ReadAnew::no);
Result<NumberedWord> port_phys_state(const Fs& fs, const RdmaPort& port,
                                     ReadAnew anew = ReadAnew::no);

// Returns Gb/s as text: "400", "2.5".
Result<std::string> port_rate(const Fs& fs, const RdmaPort& port, ReadAnew anew = ReadAnew::no);

// Returns "Ethernet" or "InfiniBand".
Result<std::string> port_link_layer(const Fs& fs, const RdmaPort& port);

// Returns the interfaces of a function, sorted; none where there is no such folder. Those that
// stand for virtual functions (switchdev mode) are left out.
Result<std::vector<std::string>> netdevs_of(const Machine& machine, const std::string& bdf);

// Returns whether the interface of this folder has a carrier. One that is switched off answers
// EINVAL (linux net/core/net-sysfs.c carrier_show, 6.12).
Result<bool> has_carrier(const Fs& fs, const std::string& folder, ReadAnew anew = ReadAnew::no);

// Returns the interface that one belongs to (a bond, a bridge), by its folder; empty: to none.
Result<std::string> master_of(const Fs& fs, const std::string& netdev_folder);

// GIDs of an RDMA port: the addresses that it has, and the network interfaces they are of.
// Attributes of an index without a GID give EINVAL (linux drivers/infiniband/core/sysfs.c
// _show_port_gid_attr, 6.12), so GIDs are read first.

constexpr std::uint64_t most_gids = 256;

// Returns the indices of a port, ascending.
Result<std::vector<std::uint64_t>> gid_indices(const Fs& fs, const RdmaPort& port);

// Returns the GID at an index; empty: there is none. Where an index is unused the file gives zeros,
// or an error on old kernels (acceptance of 2026-08: unverified which).
Result<std::string> gid_at(const Fs& fs, const RdmaPort& port, std::uint64_t index);

// Returns the interface that the GID at an index is of; empty: the kernel names none.
Result<std::string> gid_netdev(const Fs& fs, const RdmaPort& port, std::uint64_t index);

// Returns the type of an index that has a GID: "RoCE v2", "IB/RoCE v1".
Result<std::string> gid_type_at(const Fs& fs, const RdmaPort& port, std::uint64_t index);

// Returns the types that a port's GIDs are of.
Result<std::set<std::string>> gid_types(const Fs& fs, const RdmaPort& port);

// Returns the interfaces that a port's GIDs are of.
Result<std::set<std::string>> gid_netdevs(const Fs& fs, const RdmaPort& port);

// Whether this process sees the node's own network, or that of a container. In the initial pid
// namespace process 1 is the node's; elsewhere nothing tells (the number of the first network
// namespace is not fixed before Linux 6.18, include/uapi/linux/nsfs.h).

// Nothing: it is the node's own, as it is of any machine that is files and tells no namespace. An
// error of kind hidden: it is another one. Other errors: it could not be found out.
std::optional<Error> not_the_nodes_network(const Fs& fs);

// Whether a process that sees none of the node's interfaces is outside the node's own network
// namespace: it is told to be, or process 1 is not the node's here. False where that could not be
// read.
bool is_another_network(const Fs& fs);

// The kernel modules that make the RDMA devices of NICs.

// Returns what to do about a NIC that has no RDMA device, by the driver bound to it (empty: none).
// A NIC whose modules are loaded already has failed, and the kernel's log says why. Empty: nothing
// is known about NICs of its maker.
std::string step_without_device(const Machine& machine, const std::string& bdf,
                                const std::string& driver);

// Returns the names of the loaded kernel modules.
Result<std::vector<std::string>> loaded_modules(const Fs& fs);

}  // namespace rocenv
