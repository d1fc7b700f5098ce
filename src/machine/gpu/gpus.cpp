// SPDX-License-Identifier: MIT
// Physical GPUs: PCI functions of AMD joined with KFD's nodes by address.

#include <algorithm>

#include "machine/gpu/gpu_models.h"
#include "machine/sources.h"
#include "rocenv/machine.h"
#include "util/text.h"

namespace rocenv {

namespace {

constexpr std::uint32_t class_display = 0x03;
constexpr std::uint32_t class_accelerator = 0x12;

void find_driver(const Fs& fs, Gpu& gpu) {
    const auto target = fs.link(pci_path(gpu.bdf, "/driver"));
    if (target) {
        gpu.driver = target->substr(target->rfind('/') + 1);
    } else if (!target.is(ErrorKind::not_here)) {
        gpu.driver_unread = target.error();
    }
}

// Returns true for a virtual function that this host created for a guest; it is not a further GPU.
bool is_for_guests(const Fs& fs, const std::string& bdf) {
    return fs.link(pci_path(bdf, "/physfn")).ok();
}

Gpu from_pci(const Fs& fs, const PciFunction& function) {
    Gpu gpu;
    gpu.bdf = function.bdf;
    gpu.device = function.device;
    gpu.on_pci = true;
    gpu.accelerator =
        function.class_code >> 16 == class_accelerator || !gpu_name(function.device).empty();
    find_driver(fs, gpu);
    return gpu;
}

std::vector<Gpu> all_from_pci(const Fs& fs, const std::vector<PciFunction>& functions) {
    std::vector<Gpu> gpus;
    for (const auto& function : functions) {
        if (function.is_amd_gpu() && !is_for_guests(fs, function.bdf)) {
            gpus.push_back(from_pci(fs, function));
        }
    }
    return gpus;
}

Gpu& gpu_of(std::vector<Gpu>& gpus, const KfdNode& node) {
    const auto address = kfd_address(node);
    for (const auto& bdf : {address.exact, address.primary}) {
        for (auto& gpu : gpus) {
            if (gpu.bdf == bdf) {
                return gpu;
            }
        }
    }
    Gpu gpu;
    gpu.bdf = address.primary;
    gpu.device = static_cast<std::uint32_t>(node.get("device_id"));
    gpu.accelerator = true;
    return gpus.emplace_back(std::move(gpu));
}

}  // namespace

bool PciFunction::is_amd_gpu() const {
    const std::uint32_t base = class_code >> 16;
    return !error && vendor == amd_vendor && (base == class_display || base == class_accelerator);
}

std::optional<Error> Machine::kfd_uncertain() const {
    if (kfd().error) {
        return kfd().error;
    }
    for (const auto& node : kfd().nodes) {
        if (node.error) {
            return node.error;
        }
    }
    return std::nullopt;
}

std::optional<Error> Machine::gpus_uncertain() const {
    if (gpus_from_ == GpusFrom::kfd) {
        return kfd_uncertain();
    }
    if (!pci()) {
        return lost(*this, Source::pci);
    }
    for (const auto& function : *pci()) {
        if (function.error) {
            return *function.error;
        }
    }
    return std::nullopt;
}

const std::vector<Gpu>& Machine::gpus() const {
    if (gpus_) {
        return *gpus_;
    }
    std::vector<Gpu> gpus =
        gpus_from_ == GpusFrom::kfd || !pci() ? std::vector<Gpu>() : all_from_pci(fs_, *pci());
    const auto& nodes = kfd().nodes;
    for (std::size_t at = 0; at < nodes.size(); ++at) {
        if (nodes[at].is_gpu()) {
            gpu_of(gpus, nodes[at]).agents.push_back(at);
        }
    }
    for (auto& gpu : gpus) {
        // KFD's list includes integrated graphics of processors.
        gpu.accelerator =
            gpu.accelerator && (gpus_from_ != GpusFrom::kfd || !gpu_name(gpu.device).empty());
        std::stable_sort(gpu.agents.begin(), gpu.agents.end(), [&](std::size_t a, std::size_t b) {
            return kfd_address(nodes[a]).partition < kfd_address(nodes[b]).partition;
        });
    }
    std::sort(gpus.begin(), gpus.end(), [](const Gpu& a, const Gpu& b) { return a.bdf < b.bdf; });
    return gpus_.emplace(std::move(gpus));
}

// KFD's topology. Lines are "key decimal"; keys differ between kernels, so every one is optional
// (linux drivers/gpu/drm/amd/amdkfd/kfd_topology.c node_show).

namespace {

const std::string topology = "/sys/class/kfd/kfd/topology";
constexpr std::size_t most_nodes = 256;  // eight GPUs in 64 partitions have about 70
constexpr const char* not_properties = "is not a list of \"key number\" lines";
// A 32-bit number: linux drivers/gpu/drm/amd/amdkfd/kfd_topology.h.
constexpr std::uint64_t most_location = UINT32_MAX;

// Returns the length of the first word. find_first_of() calls a function for each byte.
std::size_t word_size(std::string_view line) {
    const auto* blank = std::find_if(line.begin(), line.end(),
                                     [](char byte) { return byte == ' ' || byte == '\t'; });
    return static_cast<std::size_t>(blank - line.begin());
}

using Keys = std::initializer_list<std::string_view>;

// Parses "key number" lines. Returns false if a line has another form, or if there are none. Keeps
// the keys in `requested`, or all if it is empty: a node of 64 partitions has 4,000 links of 13
// lines.
bool take_properties(std::string_view text, KfdNode& node, Keys requested = {}) {
    bool any = false;
    if (requested.size() == 0) {
        node.properties.reserve_for_node();
    }
    while (!text.empty()) {
        const auto end = text.find('\n');
        const auto line = trim(text.substr(0, end));
        text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
        if (line.empty()) {
            continue;
        }
        const auto key = line.substr(0, word_size(line));
        const auto value = parse_number(trim(line.substr(key.size())));
        if (!value) {
            return false;
        }
        any = true;
        if (requested.size() == 0 ||
            std::find(requested.begin(), requested.end(), key) != requested.end()) {
            node.properties.put(key, *value);
        }
    }
    return any;
}

// Parses a cache's file without its last list, the units that share the cache.
bool take_cache(std::string_view text, KfdNode& cache) {
    return take_properties(text.substr(0, text.find("sibling_map")), cache);
}

enum class Cached { yes, no };

Result<std::string> read_text(const Fs& fs, const std::string& path, Cached cached) {
    return cached == Cached::yes ? fs.read(path) : fs.read_now(path);
}

// Returns the fault of a node's list; nullptr if there is none.
const char* fault_of(const KfdNode& node) {
    if (!node.properties.contains("simd_count")) {
        return node.properties.contains("cpu_cores_count")
                   ? "does not state simd_count"
                   : "states neither simd_count nor cpu_cores_count";
    }
    return node.get("location_id") > most_location ? "states a location_id of more than 32 bits"
                                                   : nullptr;
}

// Reads a node. read(2) returns `EPERM` if the device cgroup denies the GPU's render node
// (kfd_priv.h kfd_devcgroup_check_permission). File modes are 0444, so `EACCES` has another cause.
KfdNode read_node(const Fs& fs, std::uint32_t index, Cached cached) {
    constexpr int eperm = 1;
    KfdNode node;
    node.index = index;
    const std::string path = topology + "/nodes/" + number(index) + "/properties";
    const auto text = read_text(fs, path, cached);
    if (!text) {
        node.hidden = text.error().err == eperm;
        if (!node.hidden) {
            node.error = text.error();
        }
    } else if (!take_properties(*text, node)) {
        node.error = garbled(path, not_properties);
    } else if (const char* const what = fault_of(node)) {
        node.error = garbled(path, what);
    }
    return node;
}

// Reads the nodes. Returns false if generation_id shows that they changed meanwhile, by hot-plug or
// partitioning.
bool read_nodes(const Fs& fs, const std::vector<std::string>& names, Cached cached, Kfd& kfd) {
    const auto before = fs.read_now(topology + "/generation_id");
    kfd.nodes.clear();
    for (const auto& name : names) {
        if (const auto index = parse_number(name); index && *index < 65536) {
            kfd.nodes.push_back(read_node(fs, static_cast<std::uint32_t>(*index), cached));
        }
    }
    std::sort(kfd.nodes.begin(), kfd.nodes.end(),
              [](const KfdNode& a, const KfdNode& b) { return a.index < b.index; });
    const auto after = fs.read_now(topology + "/generation_id");
    for (const auto* generation : {&before, &after}) {
        if (!generation->ok() && !generation->is(ErrorKind::not_here)) {
            kfd.error = generation->error();
        }
    }
    return !before || !after || *before == *after;
}

Kfd read_topology(const Fs& fs) {
    constexpr int tries = 3;
    Kfd kfd;
    const auto names = fs.list(topology + "/nodes");
    if (!names) {
        kfd.present = !names.is(ErrorKind::not_here);
        if (kfd.present) {
            kfd.error = names.error();
        }
        return kfd;
    }
    kfd.present = true;
    if (names->size() > most_nodes) {
        kfd.error =
            garbled(topology + "/nodes", "holds more than " + number(most_nodes) + " nodes");
        return kfd;
    }
    bool steady = read_nodes(fs, *names, Cached::yes, kfd);
    for (int again = 1; again < tries && !steady; ++again) {
        steady = read_nodes(fs, *names, Cached::no, kfd);
    }
    if (!steady) {
        kfd.error = Error{ErrorKind::io, 0, topology,
                          topology + " keeps changing while it is read; try again"};
    }
    return kfd;
}

// Returns the properties of each member of a node's folder (io_links, mem_banks, …). Kernels
// without that kind of member have no folder.
Result<std::vector<KfdNode>> members(const Fs& fs, const KfdNode& node, const char* kind,
                                     Keys requested) {
    const std::string folder = topology + "/nodes/" + number(node.index) + "/" + kind;
    std::vector<KfdNode> found;
    const auto names = fs.list(folder);
    if (!names) {
        return names.is(ErrorKind::not_here) ? Result(std::move(found)) : names.error();
    }
    for (const auto& name : *names) {
        KfdNode member;
        const std::string path = folder + "/" + name + "/properties";
        const auto text = fs.read(path);
        if (!text) {
            return text.error();
        }
        if (!take_properties(*text, member, requested)) {
            return garbled(path, not_properties);
        }
        found.push_back(std::move(member));
    }
    return found;
}

}  // namespace

KfdProperties::KfdProperties(std::initializer_list<Line> lines) {
    for (const auto& [key, value] : lines) {
        put(key, value);
    }
}

void KfdProperties::put(std::string_view key, std::uint64_t value) {
    entries_.push_back(
        {static_cast<std::uint32_t>(keys_.size()), static_cast<std::uint32_t>(key.size()), value});
    keys_ += key;
}

std::optional<std::uint64_t> KfdProperties::find(std::string_view key) const {
    const auto found = std::find_if(entries_.rbegin(), entries_.rend(),
                                    [&](const Entry& entry) { return key_of(entry) == key; });
    return found == entries_.rend() ? std::nullopt : std::optional(found->value);
}

void KfdProperties::reserve_for_node() {
    constexpr std::size_t lines = 64;  // Linux 6.12 has about 55, with keys of 14 letters
    constexpr std::size_t bytes = 1024;
    entries_.reserve(lines);
    keys_.reserve(bytes);
}

std::vector<KfdProperties::Line> KfdProperties::lines() const {
    std::vector<Line> out;
    for (const auto& entry : entries_) {
        out.emplace_back(key_of(entry), entry.value);
    }
    return out;
}

std::uint64_t KfdNode::get(std::string_view key) const {
    return properties.find(key).value_or(0);
}

std::size_t Kfd::hidden() const {
    return static_cast<std::size_t>(
        std::count_if(nodes.begin(), nodes.end(), [](const KfdNode& node) { return node.hidden; }));
}

const Kfd& Machine::kfd() const {
    return kfd_ ? *kfd_ : kfd_.emplace(read_topology(fs_));
}

Result<std::vector<KfdLink>> Machine::links_of(const KfdNode& node) const {
    std::vector<KfdLink> links;
    for (const char* kind : {"io_links", "p2p_links"}) {
        const auto found =
            members(fs_, node, kind,
                    {"node_to", "type", "weight", "flags", "min_bandwidth", "max_bandwidth"});
        if (!found) {
            return found.error();
        }
        for (const auto& link : *found) {
            const auto get = [&](const char* key) {
                return static_cast<std::uint32_t>(link.get(key));
            };
            links.push_back({node.index, get("node_to"), get("type"), get("weight"), get("flags"),
                             get("min_bandwidth"), get("max_bandwidth")});
        }
    }
    std::stable_sort(links.begin(), links.end(),
                     [](const KfdLink& a, const KfdLink& b) { return a.to < b.to; });
    return links;
}

Result<std::optional<std::uint64_t>> Machine::bank_bytes(
    const KfdNode& node, const std::vector<std::uint64_t>& heaps) const {
    const auto banks = members(fs_, node, "mem_banks", {"heap_type", "size_in_bytes"});
    if (!banks) {
        return banks.error();
    }
    std::optional<std::uint64_t> bytes;
    for (const auto& bank : *banks) {
        if (std::find(heaps.begin(), heaps.end(), bank.get("heap_type")) != heaps.end()) {
            bytes = bytes.value_or(0) + bank.get("size_in_bytes");
        }
    }
    return bytes;
}

std::uint64_t Machine::memory_clock(const KfdNode& node) const {
    std::uint64_t highest = 0;
    if (const auto banks = members(fs_, node, "mem_banks", {"mem_clk_max"})) {
        for (const auto& bank : *banks) {
            highest = std::max(highest, bank.get("mem_clk_max"));
        }
    }
    return highest;
}

Result<std::vector<KfdCache>> Machine::cache_ends(const KfdNode& node) const {
    const std::string folder = topology + "/nodes/" + number(node.index) + "/caches";
    const auto names = fs_.list(folder);
    if (!names) {
        return names.is(ErrorKind::not_here) ? Result(std::vector<KfdCache>()) : names.error();
    }
    std::vector<std::uint64_t> indices;
    for (const auto& name : *names) {
        if (const auto index = parse_number(name)) {
            indices.push_back(*index);
        }
    }
    std::sort(indices.begin(), indices.end());
    std::vector<KfdCache> found;
    for (std::size_t at = 0; at < indices.size();
         at = std::max(at + 1, indices.size() - std::min<std::size_t>(2, indices.size()))) {
        KfdNode cache;
        const std::string path = folder + "/" + number(indices[at]) + "/properties";
        const auto text = fs_.read(path);
        if (!text) {
            return text.error();
        }
        if (!take_cache(*text, cache)) {
            return garbled(path, not_properties);
        }
        found.push_back(
            {cache.get("level"), cache.get("size") * 1024, cache.get("cache_line_size")});
    }
    return found;
}

std::string gfx_name(std::uint64_t target_version) {
    if (target_version == 0) {
        return {};
    }
    return "gfx" + number(target_version / 10000) + bare_hex(target_version / 100 % 100, 1) +
           bare_hex(target_version % 100, 1);
}

KfdAddress kfd_address(const KfdNode& node) {
    const std::uint64_t location = node.get("location_id");
    const std::string device = bare_hex(node.get("domain"), 4) + ":" +
                               bare_hex(location >> 8 & 0xff, 2) + ":" +
                               bare_hex(location >> 3 & 0x1f, 2) + ".";
    const auto high = static_cast<std::uint32_t>(location >> 28 & 0xf);
    const auto low = static_cast<std::uint32_t>(location & 7);
    return {device + number(low), device + "0", high != 0 ? high : low};
}

}  // namespace rocenv
