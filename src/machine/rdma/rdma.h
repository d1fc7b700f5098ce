// SPDX-License-Identifier: MIT
// RDMA devices, their ports and the network interfaces of their functions. Nothing here judges. A
// read of a port's state or rate asks the NIC's firmware (linux drivers/infiniband/core/sysfs.c
// state_show, ib_query_port), so it may block: whoever asks has asked Machine::asleep() first.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "rocenv/machine.h"

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

}  // namespace rocenv
