// SPDX-License-Identifier: MIT
// RDMA devices, their ports and the network interfaces of their functions; without judgement.
// Reading a port's state or rate queries the NIC's firmware (linux drivers/infiniband/core/sysfs.c
// state_show, ib_query_port) and may block, so the caller must check Machine::asleep() first.
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

// Limit of devices of a class; no node has more.
constexpr std::size_t most_rdma_devices = 512;

// A port of an RDMA device.
struct RdmaPort {
    std::string device;  // "bnxt_re0"
    std::uint32_t number = 0;
    std::string bdf;     // function of the device
    std::string folder;  // /sys/class/infiniband/bnxt_re0/ports/1
    // Returns "bnxt_re0:1", the name in NCCL_IB_HCA.
    std::string name() const;
};

// An RDMA device.
struct RdmaDevice {
    std::string name;
    std::string bdf;
    bool verbs = true;  // false: Slingshot (/sys/class/cxi), whose ports the kernel does not list
    Result<std::vector<RdmaPort>> ports;  // by number; empty without verbs
};

// Returns the devices of PCI functions, by address and name; none if the kernel has no such class.
// A function with verbs devices is not listed again for its CXI device. Fails if a class or the
// link of a device cannot be read, and with `garbled` above most_rdma_devices in a class.
Result<std::vector<RdmaDevice>> rdma_devices(const Machine& machine);

// Returns the folder of a verbs device: /sys/class/infiniband/NAME.
std::string rdma_folder(const std::string& device);

// Read a file again although it was read before, by Fs::read_now().
enum class Reread { no, yes };

// A value such as "4: ACTIVE" (linux drivers/infiniband/core/sysfs.c state_show, phys_state_show).
struct NumberedWord {
    std::uint64_t number = 0;
    std::string word;
};
// Reads such a value, of at most 40 bytes. Fails with `garbled` if the text has another form.
Result<NumberedWord> read_numbered_word(const Fs& fs, const std::string& path, Reread reread);

// Values of phys_state (linux include/rdma/ib_verbs.h, enum ib_port_phys_state) and of state.
constexpr std::uint64_t phys_sleep = 1;
constexpr std::uint64_t phys_disabled = 3;
constexpr std::uint64_t phys_link_up = 5;
constexpr std::uint64_t state_active = 4;

// Returns the state of a port: "4: ACTIVE". Fails like read_numbered_word().
Result<NumberedWord> port_state(const Fs& fs, const RdmaPort& port, Reread reread = Reread::no);
// Returns the physical state: "5: LinkUp". Fails like read_numbered_word().
Result<NumberedWord> port_phys_state(const Fs& fs, const RdmaPort& port,
                                     Reread reread = Reread::no);

// Returns Gb/s as text: "400", "2.5". Fails with `garbled` for another form, and on Ethernet for
// the rates that the kernel shows for a speed it does not support.
Result<std::string> port_rate(const Fs& fs, const RdmaPort& port, Reread reread = Reread::no);

// Returns "Ethernet" or "InfiniBand"; fails with `garbled` for another text.
Result<std::string> port_link_layer(const Fs& fs, const RdmaPort& port);

// Returns the interfaces of a function, sorted; none if the folder is missing. If there are
// several, representors of virtual functions (switchdev mode) are left out. Fails with `garbled` if
// a name is not one of an interface.
Result<std::vector<std::string>> netdevs_of(const Machine& machine, const std::string& bdf);

// Returns true if the interface of this folder has a carrier. Fails with io (`EINVAL`) for an
// interface that is down (linux net/core/net-sysfs.c carrier_show, 6.12).
Result<bool> has_carrier(const Fs& fs, const std::string& folder, Reread reread = Reread::no);

// Returns the bond or bridge of an interface, by its folder; empty if there is none.
Result<std::string> master_of(const Fs& fs, const std::string& netdev_folder);

// GIDs of an RDMA port: its addresses, and their network interfaces. Attributes of an index without
// a GID return `EINVAL` (linux drivers/infiniband/core/sysfs.c _show_port_gid_attr, 6.12), so GIDs
// are read first.

constexpr std::uint64_t most_gids = 256;

// Returns the indices of a port in ascending order, at most the first most_gids. Fails with
// `not_here` if the port has no folder of GIDs, and with `garbled` if that is empty.
Result<std::vector<std::uint64_t>> gid_indices(const Fs& fs, const RdmaPort& port);

// Returns the GID at an index; empty if it is unused. The file of an unused index has zeros, or
// gives an error on old kernels (acceptance of 2026-08: unverified which).
Result<std::string> gid_at(const Fs& fs, const RdmaPort& port, std::uint64_t index);

// Returns the interface of the GID at an index; empty if the kernel names none.
Result<std::string> gid_netdev(const Fs& fs, const RdmaPort& port, std::uint64_t index);

// Returns the type of an index that has a GID: "RoCE v2", "IB/RoCE v1". Fails with `garbled` for
// another type.
Result<std::string> gid_type_at(const Fs& fs, const RdmaPort& port, std::uint64_t index);

// Returns the types of a port's used GIDs. Fails with the first error of gid_indices(), gid_at() or
// gid_type_at(), but skips indices that are unused or gone.
Result<std::set<std::string>> gid_types(const Fs& fs, const RdmaPort& port);

// Returns the interfaces of a port's used GIDs; none without a folder of GIDs.
Result<std::set<std::string>> gid_netdevs(const Fs& fs, const RdmaPort& port);

// Detection of the node's own network, in contrast to that of a container. In the initial pid
// namespace process 1 is the node's. Elsewhere the answer is unknown (the number of the first
// network namespace is not fixed before Linux 6.18, include/uapi/linux/nsfs.h).

// Returns std::nullopt in the node's own network, and for a recorded machine without namespaces.
// Returns an error of kind `hidden` in another network, and other errors if it is unknown.
std::optional<Error> not_the_nodes_network(const Fs& fs);

// Returns true if a process without the node's interfaces is outside the node's network namespace:
// it is in another one, or process 1 is not the node's. Returns false if that cannot be read.
bool is_another_network(const Fs& fs);

// The kernel modules that create the RDMA devices of NICs.

// Returns the next step for a NIC without an RDMA device, by its bound driver (empty: none). If the
// modules are loaded, the NIC failed, and the kernel log has the reason. Returns an empty string
// for a vendor without known modules.
std::string step_without_device(const Machine& machine, const std::string& bdf,
                                const std::string& driver);

// Returns the names in /sys/module: loaded modules, and built-in ones that have parameters or a
// version.
Result<std::vector<std::string>> loaded_modules(const Fs& fs);

}  // namespace rocenv
