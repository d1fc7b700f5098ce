// SPDX-License-Identifier: MIT
// The hardware of a node: PCI functions, KFD's topology, the GPUs in both, CPUs and the kernel
// command line. Each is read through an Fs when it is first needed. This file has no checks.
//
// GPUs are found on PCI and in KFD, never in /dev/dri or /sys/class/drm. A GPU with partition
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

// One function of a PCI device.
struct PciFunction {
    std::string bdf;  // "0000:05:00.0"; a domain may have more than four digits
    std::uint32_t vendor = 0;
    std::uint32_t device = 0;
    std::uint32_t class_code = 0;  // 24 bits: class, subclass, programming interface
    // Vendor << 16 | device. std::nullopt if the file that identified the function does not state
    // it.
    std::optional<std::uint32_t> subsystem{};
    // Set if the function could not be identified. Shared, since a node has thousands of functions.
    std::shared_ptr<const Error> error{};

    // Returns whether this is an AMD function for graphics or compute. A virtual function counts,
    // too; one with an `error` does not.
    bool is_amd_gpu() const;
};

// Returns whether a name is a PCI address, "0000:05:00.0", with a domain of four or more digits.
// Only the form is checked; digits may be of either case.
bool is_pci_address(std::string_view name);

// Returns the path of the folder of a function, /sys/bus/pci/devices/BDF, followed by `file`:
// "/modalias".
std::string pci_path(std::string_view bdf, std::string_view file = {});

// The lines "key number" of a KFD file, in the order of the file. All keys share one block of
// memory, because a node of 64 partitions has thousands of such files.
class KfdProperties {
   public:
    using Line = std::pair<std::string_view, std::uint64_t>;

    KfdProperties() = default;
    KfdProperties(std::initializer_list<Line> lines);

    // Adds a line at the end.
    void put(std::string_view key, std::uint64_t value);
    // Returns the last number of a key, or std::nullopt if the key is absent.
    std::optional<std::uint64_t> find(std::string_view key) const;
    // Reserves the memory for the usual lines of a node at once.
    void reserve_for_node();
    // Returns whether the key has a number.
    bool contains(std::string_view key) const { return find(key).has_value(); }
    // Returns all lines. The keys are valid until put() is called or this object ends.
    std::vector<Line> lines() const;
    bool operator==(const KfdProperties&) const = default;

   private:
    struct Entry {
        std::uint32_t start = 0;  // position of the key in keys_
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
    bool hidden = false;         // denied by the device cgroup, `EPERM` from read(2)
    std::optional<Error> error;  // any other fault; `properties` may be incomplete
    KfdProperties properties;

    // Returns the number of a key. Returns 0 if the key is absent, as in older kernels, or was not
    // read.
    std::uint64_t get(std::string_view key) const;
    // Returns whether simd_count is over 0; KFD's CPU nodes have no SIMDs. Returns false for a
    // hidden node. May return true for a node with an `error`.
    bool is_gpu() const { return get("simd_count") > 0; }
};

// KFD's highest clock, in MHz, of a GPU without clock management.
constexpr std::uint64_t clock_unknown = 100;

// The topology of KFD, the compute driver.
struct Kfd {
    bool present = false;        // /sys/class/kfd/kfd/topology/nodes is there
    std::optional<Error> error;  // reason for a topology that is unknown as a whole
    std::vector<KfdNode> nodes;  // sorted by index, without gaps for missing nodes
    // Returns the number of nodes whose properties are not visible to this container.
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

// One cache of a KFD GPU node, sizes in bytes. line_bytes 0: unknown to the kernel.
struct KfdCache {
    std::uint64_t level = 0;
    std::uint64_t bytes = 0;
    std::uint64_t line_bytes = 0;
};

// Position of a PCI function in the tree of bridges.
struct PciPlace {
    std::string root;                  // host bridge, "pci0000:00"
    std::vector<std::string> bridges;  // starts at the root, without the function itself
};

// A PCI function with an RDMA or CXI device.
struct RdmaNic {
    std::string bdf;
    std::string name;  // "mlx5_0", "cxi0"
};

// A physical GPU of AMD: a PCI function, KFD nodes, or (normally) both.
struct Gpu {
    std::string bdf;
    std::uint32_t device = 0;
    bool on_pci = false;
    bool accelerator = false;            // compute device that should have a driver and a KFD node
    std::string driver;                  // empty: none is bound, or unreadable
    std::optional<Error> driver_unread;  // error of reading the bound driver
    std::vector<std::size_t> agents;     // positions in Kfd::nodes, by partition
};

// A word of /proc/cmdline that the kernel (not init) reads.
struct KernelArgument {
    std::string name;   // '-' written as '_', as the kernel compares them
    std::string value;  // empty without '='
    bool has_value = false;
};

// Facts of the node in a report.
struct NodeFacts {
    std::string hostname;
    std::string boot_id;
    std::string kernel;      // kernel release
    bool container = false;  // this program runs in a container; always false for another machine
};

class PciReader;

// The hardware of one node. Parts that are returned by reference are read when they are first
// needed, and once. The functions in_guest(), gpus_uncertain() and kfd_uncertain() use parts that
// are read once, and function() may do so. All others read at each call. Errors are those of Fs,
// and `garbled` for invalid content or more entries than any node has.
class Machine {
   public:
    // Sources of the list of GPUs. kfd uses only KFD's list: a few files instead of one for each
    // PCI function, but GPUs without a driver are missing.
    enum class GpusFrom { pci_and_kfd, kfd };
    // Stores `fs`, which must outlive the object. Reads nothing.
    explicit Machine(const Fs& fs, GpusFrom gpus_from = GpusFrom::pci_and_kfd);
    Machine(const Machine&) = delete;
    Machine& operator=(const Machine&) = delete;
    ~Machine();

    // Returns the file system that the machine is read through.
    const Fs& fs() const { return fs_; }

    // Returns whether GPUs come from PCI as well as from KFD.
    bool asks_pci() const { return gpus_from_ == GpusFrom::pci_and_kfd; }

    // Returns all PCI functions, sorted by address. Fails if the list cannot be read (`not_here` if
    // it is missing), or if it has more than 10,000 names or 512 AMD GPUs. A function that could
    // not be identified has an `error`.
    const Result<std::vector<PciFunction>>& pci() const;
    // Returns the function at this address, from pci() if that was read already. Otherwise reads
    // this function alone; without a device there, it has an `error` of kind not_here.
    PciFunction function(const std::string& bdf) const;
    // Returns KFD's topology. Nodes and files that could not be read are marked in it; without KFD
    // `present` is false.
    const Kfd& kfd() const;
    // Returns AMD's GPUs, sorted by address, without virtual functions that this host made for
    // guests. Without a PCI list these are the GPUs in KFD. An empty list may mean that nothing
    // could be read: see gpus_uncertain().
    const std::vector<Gpu>& gpus() const;
    // Returns the reason why gpus() may be incomplete: the PCI list is missing, or the list or a
    // function could not be read. std::nullopt if the list is complete. With GpusFrom::kfd returns
    // kfd_uncertain().
    std::optional<Error> gpus_uncertain() const;
    // Returns the first error of KFD or of one of its nodes: a GPU may then have unknown agents.
    // std::nullopt if there is none, also without KFD. Hidden nodes are not errors: see
    // Kfd::hidden().
    std::optional<Error> kfd_uncertain() const;
    // Returns the numbers in /sys/devices/system/cpu/online, never an empty list.
    Result<std::vector<std::uint32_t>> online_cpus() const;
    // Returns the words of /proc/cmdline that the kernel reads, in their order: those before "--".
    // Fails with `garbled` if the file is empty or has control bytes.
    Result<std::vector<KernelArgument>> kernel_arguments() const;

    // Returns the links that start at a KFD node, sorted by destination. Empty if the kernel lists
    // none. Fails if one cannot be read.
    Result<std::vector<KfdLink>> links_of(const KfdNode& node) const;

    // Returns the bytes of a node's memory banks of these heap types (heap_…). std::nullopt if
    // there are none.
    Result<std::optional<std::uint64_t>> bank_bytes(const KfdNode& node,
                                                    const std::vector<std::uint64_t>& heaps) const;

    // Returns the highest clock of a node's memory banks, in MHz. 0 if KFD does not report one or a
    // bank cannot be read.
    std::uint64_t memory_clock(const KfdNode& node) const;
    // Returns the first cache of a node and the last two, by number, or all if there are fewer. KFD
    // lists every instance, level 1 first. With levels 1 to 3 the result may have one cache of each
    // level; without level 3 it may have two of level 1. Empty if the kernel lists none.
    Result<std::vector<KfdCache>> cache_ends(const KfdNode& node) const;

    // Returns the position of a function in the tree of bridges. Fails if its link cannot be read.
    Result<PciPlace> place_of(const std::string& bdf) const;

    // Returns the reader of one function's configuration space, link, error counters and driver.
    // Each is read once for all callers (machine/pci/pci.h). The reader lives as long as the
    // machine.
    const PciReader& reader_of(const std::string& bdf) const;

    // Returns the PCI functions below a bridge at any depth, sorted by address. Functions whose
    // link cannot be read are left out; without a PCI list there are none.
    const std::vector<std::string>& functions_below(const std::string& bdf) const;

    // Returns the first PCI function that is bound to a driver of guests (its name contains
    // "vfio"); std::nullopt if none is, or without a PCI list. An unreadable driver is skipped.
    const std::optional<std::string>& guest_function() const;

    // Returns the PCI functions between the root and `bdf`, root first, without `bdf` itself. Fails
    // if its link cannot be read.
    Result<std::vector<std::string>> bridges_above(const std::string& bdf) const;

    // Returns the PCI functions of /sys/class/infiniband and /sys/class/cxi, sorted by address;
    // none if the kernel has neither class. Devices without a PCI function (rxe, siw) are left out.
    // Fails if a class or the link of a device cannot be read.
    Result<std::vector<std::string>> rdma_nics() const;
    // Returns the same functions in the same order, each with the name of its first device. Devices
    // in infiniband precede those in cxi; names in a class are sorted by bytes.
    Result<std::vector<RdmaNic>> named_rdma_nics() const;

    // Returns an error of kind asleep if runtime_status reports a device as suspended or
    // suspending. Any further read would wake the device. Also returns the error of reading
    // runtime_status. std::nullopt: the device is awake or has no such file.
    std::optional<Error> asleep(const std::string& bdf) const;

    // Returns whether the flags of the first CPU contain "hypervisor"; false if they cannot be
    // read. They are read once.
    bool in_guest() const;

    // Returns hostname, boot id, kernel release and container. Each text is printable(), and empty
    // if it cannot be read. A text of more than 100 bytes is cut there, and "..." is added.
    NodeFacts facts() const;

   private:
    const Fs& fs_;
    const GpusFrom gpus_from_;
    mutable std::optional<Result<std::vector<PciFunction>>> pci_;
    mutable std::optional<Kfd> kfd_;
    mutable std::optional<std::vector<Gpu>> gpus_;
    mutable std::optional<bool> in_guest_;
    mutable std::unordered_map<std::string, std::unique_ptr<PciReader>> readers_;
    mutable std::optional<std::unordered_map<std::string, std::vector<std::string>>> below_;
    mutable std::optional<std::optional<std::string>> guest_function_;
};

// Returns the id of this boot: 36 lower-case hexadecimal digits and "-". Errors are those of Fs,
// and garbled for another text.
Result<std::string> boot_id_of(const Fs& fs);

// Returns "gfx942" for KFD's gfx_target_version 90402: major in decimal, minor and stepping in
// hexadecimal. Empty for 0.
std::string gfx_name(std::uint64_t target_version);

// The PCI address of a KFD GPU node, "0000:05:00.0", and the number of its partition. The number is
// in the function bits of the address (upstream) or in bits 31:28 (some AMD drivers).
struct KfdAddress {
    std::string exact;    // address with its function bits
    std::string primary;  // address with function 0
    std::uint32_t partition = 0;
};
// Returns the address and partition in a node's location_id and domain.
KfdAddress kfd_address(const KfdNode& node);

}  // namespace rocenv
