// SPDX-License-Identifier: MIT
// What a node consists of, read once and lazily through an Fs: PCI functions, KFD's topology, the
// GPUs that both make up, CPUs and the kernel command line. Nothing here judges.
//
// GPUs are found on PCI and in KFD, never in /dev/dri or /sys/class/drm: a GPU with partition
// support allocates seven more DRM devices even when it is not partitioned
// (linux drivers/gpu/drm/amd/amdgpu/amdgpu_xcp.c).
#pragma once

#include <cstdint>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "rocenv/fs.h"

namespace rocenv {

constexpr std::uint32_t amd_vendor = 0x1002;

// Types of memory banks in KFD (linux include/uapi/linux/kfd_sysfs.h).
constexpr std::uint64_t heap_system = 0;
constexpr std::uint64_t heap_vram_public = 1;
constexpr std::uint64_t heap_vram_private = 2;

struct PciFunction {
    std::string bdf;  // "0000:05:00.0"; a domain may have more than four digits
    std::uint32_t vendor = 0;
    std::uint32_t device = 0;
    std::uint32_t class_code = 0;  // 24 bits: class, subclass, programming interface
    // Vendor << 16 | device; nothing: not told by the file that identified the function.
    std::optional<std::uint32_t> subsystem{};
    // Set when the function could not be identified. Not in it: a node has thousands.
    std::shared_ptr<const Error> error{};

    // AMD's, for graphics or compute; a virtual function is one, too.
    bool is_amd_gpu() const;
};

// "0000:05:00.0", with a domain of any length.
bool is_pci_address(std::string_view name);

// Folder of a function: /sys/bus/pci/devices/BDF, or a file of it: "/modalias".
std::string pci_path(std::string_view bdf, std::string_view file = {});

// The lines "key number" of a file of KFD's, in its order. One block of memory for all keys: a node
// of 64 partitions has thousands of such files.
class KfdProperties {
   public:
    using Line = std::pair<std::string_view, std::uint64_t>;

    KfdProperties() = default;
    KfdProperties(std::initializer_list<Line> lines);

    void put(std::string_view key, std::uint64_t value);
    // Of a key that stands there twice the last number counts.
    std::optional<std::uint64_t> find(std::string_view key) const;
    // Takes the memory for a node's usual lines at once.
    void reserve_for_node();
    bool contains(std::string_view key) const { return find(key).has_value(); }
    // Good while this lives and nothing is put.
    std::vector<Line> lines() const;
    bool operator==(const KfdProperties&) const = default;

   private:
    struct Entry {
        std::uint32_t start = 0;  // of the key, in keys_
        std::uint32_t size = 0;
        std::uint64_t value = 0;
        bool operator==(const Entry&) const = default;
    };
    std::string_view key_of(const Entry& entry) const {
        return std::string_view(keys_).substr(entry.start, entry.size);
    }
    std::string keys_;
    std::vector<Entry> entries_;
};

// One node of /sys/class/kfd/kfd/topology/nodes.
struct KfdNode {
    std::uint32_t index = 0;
    bool hidden = false;         // the device cgroup denies it: EPERM from read(2)
    std::optional<Error> error;  // any other reason its properties are unknown
    KfdProperties properties;

    std::uint64_t get(std::string_view key) const;  // 0 when absent, as older kernels mean it
    // Returns whether it computes: KFD's nodes of CPUs have no SIMDs.
    bool is_gpu() const { return get("simd_count") > 0; }
};

// KFD's word for "clock management is off" where a node's highest clock stands, in MHz.
constexpr std::uint64_t clock_unknown = 100;

struct Kfd {
    bool present = false;        // /sys/class/kfd/kfd/topology/nodes is there
    std::optional<Error> error;  // why the topology as a whole is unknown
    std::vector<KfdNode> nodes;  // by index, holes left out
    // Returns how many nodes a container may not see.
    std::size_t hidden() const;
};

// One link of a KFD node, from io_links and p2p_links.
struct KfdLink {
    std::uint32_t from = 0;  // node indices
    std::uint32_t to = 0;
    std::uint32_t type = 0;  // 2 PCIe, 11 xGMI (linux include/uapi/linux/kfd_sysfs.h)
    std::uint32_t weight = 0;
    std::uint32_t flags = 0;  // bits 2 and 3: no 32-bit, no 64-bit atomics (CRAT_IOLINK_FLAGS)
    std::uint32_t low = 0;    // MB/s as the driver computes them; 0: not stated
    std::uint32_t high = 0;
};
constexpr std::uint32_t link_hypertransport = 1;
constexpr std::uint32_t link_pcie = 2;
constexpr std::uint32_t link_xgmi = 11;

// One cache of a KFD GPU node: bytes; a line of 0 bytes is one the kernel does not know.
struct KfdCache {
    std::uint64_t level = 0;
    std::uint64_t bytes = 0;
    std::uint64_t line_bytes = 0;
};

// Where a PCI function hangs.
struct PciPlace {
    std::string root;                  // host bridge, "pci0000:00"
    std::vector<std::string> bridges;  // root first, without the function itself
};

struct RdmaNic {
    std::string bdf;
    std::string name;  // "mlx5_0", "cxi0"
};

// A physical GPU of AMD: a PCI function, KFD nodes, or (as it should be) both.
struct Gpu {
    std::string bdf;
    std::uint32_t device = 0;
    bool on_pci = false;
    bool accelerator = false;            // made for compute: it should have a driver and a KFD node
    std::string driver;                  // empty: none is bound
    std::optional<Error> driver_unread;  // whether one is bound could not be read
    std::vector<std::size_t> agents;  // positions in Kfd::nodes, one for each partition, in order
};

// Words of /proc/cmdline that the kernel (not init) reads.
struct KernelArgument {
    std::string name;   // '-' written as '_', as the kernel compares them
    std::string value;  // empty without '='
    bool has_value = false;
};

struct NodeFacts {
    std::string hostname;
    std::string boot_id;
    std::string kernel;      // its release
    bool container = false;  // this program runs in one; false for any machine but the real one
};

class PciReader;

class Machine {
   public:
    // Where GPUs are looked for. kfd: in KFD's list alone, a few files in place of one for each PCI
    // function; a GPU without a driver is then not there.
    enum class GpusFrom { pci_and_kfd, kfd };
    // Reads nothing yet; `fs` must outlive it.
    explicit Machine(const Fs& fs, GpusFrom gpus_from = GpusFrom::pci_and_kfd);
    Machine(const Machine&) = delete;
    Machine& operator=(const Machine&) = delete;
    ~Machine();

    // Returns what all of this is read through.
    const Fs& fs() const { return fs_; }

    // Returns whether GPUs come from PCI as well as from KFD.
    bool asks_pci() const { return gpus_from_ == GpusFrom::pci_and_kfd; }

    // Every function, sorted by address.
    const Result<std::vector<PciFunction>>& pci() const;
    // The one at this address, from pci() if that has been read already, else read alone.
    PciFunction function(const std::string& bdf) const;
    // Returns the topology of the compute driver; what could not be read of it is in it.
    const Kfd& kfd() const;
    // AMD's GPUs, sorted by address. Without a PCI list those KFD knows.
    const std::vector<Gpu>& gpus() const;
    // Returns why gpus() may lack one: the list of PCI functions is missing, or it or one of them
    // could not be read. std::nullopt if the list is complete.
    std::optional<Error> gpus_uncertain() const;
    // Why a GPU may have agents that are not known: KFD or one of its nodes could not be read.
    std::optional<Error> kfd_uncertain() const;
    // Returns the numbers in /sys/devices/system/cpu/online.
    Result<std::vector<std::uint32_t>> online_cpus() const;
    // Returns the words of /proc/cmdline, in their order.
    Result<std::vector<KernelArgument>> kernel_arguments() const;

    // Links that start at a KFD node; an error when one of them cannot be read.
    Result<std::vector<KfdLink>> links_of(const KfdNode& node) const;

    // Bytes of a node's memory banks of these heap types (heap_…); nullopt when there are none.
    Result<std::optional<std::uint64_t>> bank_bytes(const KfdNode& node,
                                                    const std::vector<std::uint64_t>& heaps) const;

    // The highest clock of a node's memory banks, MHz; 0: KFD does not tell.
    std::uint64_t memory_clock(const KfdNode& node) const;
    // The first cache of a node and the last two, which is one of each level: KFD lists every
    // instance, level 1 first.
    Result<std::vector<KfdCache>> cache_ends(const KfdNode& node) const;

    // Returns where a function hangs in the tree of bridges; an error where its link cannot be
    // read.
    Result<PciPlace> place_of(const std::string& bdf) const;

    // Returns what reads one function's configuration space, link, error counters and driver, each
    // once for all who ask (machine/pci/pci.h); it lives as long as the machine.
    const PciReader& reader_of(const std::string& bdf) const;

    // PCI functions between the root and `bdf`, root first, without `bdf` itself.
    Result<std::vector<std::string>> bridges_above(const std::string& bdf) const;

    // PCI functions with an entry under /sys/class/infiniband or /sys/class/cxi, sorted.
    Result<std::vector<std::string>> rdma_nics() const;
    // The same with the names of the first device of each, sorted by address.
    Result<std::vector<RdmaNic>> named_rdma_nics() const;

    // An error of kind asleep when the device's runtime_status says it is suspended or on its way:
    // looking further would wake it.
    std::optional<Error> asleep(const std::string& bdf) const;

    // Whether this is a virtual machine, as its first CPU's flags say; read once.
    bool in_guest() const;

    // Returns what a report says of the node; what cannot be read is empty.
    NodeFacts facts() const;

   private:
    const Fs& fs_;
    const GpusFrom gpus_from_;
    mutable std::optional<Result<std::vector<PciFunction>>> pci_;
    mutable std::optional<Kfd> kfd_;
    mutable std::optional<std::vector<Gpu>> gpus_;
    mutable std::optional<bool> in_guest_;
    mutable std::unordered_map<std::string, std::unique_ptr<PciReader>> readers_;
};

// The id of this boot. Kinds of error: those of Fs, and garbled for what cannot be one.
Result<std::string> boot_id_of(const Fs& fs);

// "gfx942" from KFD's gfx_target_version 90402; empty for 0.
std::string gfx_name(std::uint64_t target_version);

// The PCI function of a KFD GPU node, "0000:05:00.0", and the partition it is of that GPU. The
// partition number is in the address' function bits (upstream) or in bits 31:28 (some AMD drivers).
struct KfdAddress {
    std::string exact;    // with the function bits as they are
    std::string primary;  // function 0
    std::uint32_t partition = 0;
};
// Returns the addresses in location_id and domain.
KfdAddress kfd_address(const KfdNode& node);

}  // namespace rocenv
