// SPDX-License-Identifier: MIT
// A function without a link (an APU's GPU, a virtual function) reports "Unknown" or has no such
// file (linux drivers/pci/pci-sysfs.c current_link_speed_show, pcie_dev_attrs_are_visible).
#include "machine/pci/pcie_path.h"

#include <algorithm>
#include <map>

#include "machine/pci/pci.h"
#include "os/redact/redact_words.h"
#include "util/text.h"

namespace rocenv {

namespace {

constexpr std::uint64_t width_unknown = 255;  // linux include/linux/pci.h PCIE_LNK_WIDTH_UNKNOWN

std::optional<std::uint64_t> width_of(std::string_view text) {
    const auto width = parse_number(text);
    if (width == width_unknown) {
        return 0;
    }
    // A device that is gone returns all ones: 63.
    return width && *width > most_lanes ? std::nullopt : width;
}

using Parser = std::optional<std::uint64_t> (*)(std::string_view);

Result<std::uint64_t> read_part(const Fs& fs, const std::string& path, Parser parse, LinkRead how) {
    const auto text = how == LinkRead::again ? fs.read_now(path) : fs.read(path);
    if (!text) {
        return text.error();
    }
    const auto value = parse(trim(*text));
    if (!value) {
        const bool gone = trim(*text) == "63";
        return garbled(path, "is not a valid link value: " + quoted_value(trim(*text)) +
                                 (gone ? " (all ones, so the device does not respond)" : ""));
    }
    return *value;
}

// Reads a link; `which` is "current" or "max". Both values are 0 without a known link.
Result<PcieLink> read_link(const Fs& fs, const std::string& bdf, const std::string& which,
                           LinkRead how) {
    const std::string start = pci_path(bdf) + "/" + which;
    const auto speed = read_part(fs, start + "_link_speed", link_speed_of, how);
    if (!speed) {
        const bool none = speed.is(ErrorKind::not_here) && exists(fs, pci_path(bdf)) &&
                          !exists(fs, start + "_link_width");
        return none ? Result(PcieLink{}) : speed.error();
    }
    const auto width = read_part(fs, start + "_link_width", width_of, how);
    if (!width) {
        return width.error();
    }
    return *speed == 0 || *width == 0 ? PcieLink{} : PcieLink{*speed, *width};
}

PcieLink slower(const PcieLink& left, const PcieLink& right) {
    return {std::min(left.speed, right.speed), std::min(left.width, right.width)};
}

// Adds a part. Returns false if the function has no known link.
bool take_part(const Machine& machine, const std::string& bdf, PciePath& path) {
    if (const auto sleeping = machine.asleep(bdf)) {
        path.error = *sleeping;
        return true;
    }
    const auto& link = machine.reader_of(bdf).link();
    if (!link) {
        path.error = link.error();
        return true;
    }
    const auto& [current, most] = *link;
    if (current.speed == 0 || most.speed == 0) {
        return false;
    }
    path.current = slower(path.current, current);
    path.most = slower(path.most, most);
    path.parts.push_back({bdf, *link});
    return true;
}

}  // namespace

// Reads both links, regardless of errors, so that a recording is complete.
Result<LinkState> read_link_state(const Fs& fs, const std::string& bdf, LinkRead how) {
    const auto current = read_link(fs, bdf, "current", how);
    const auto most = read_link(fs, bdf, "max", how);
    if (!current) {
        return current.error();
    }
    if (!most) {
        return most.error();
    }
    return LinkState{*current, *most};
}

std::string PciePath::slower_than(const PcieLink& expected) const {
    std::vector<std::string> out;
    for (const auto& [bdf, link] : parts) {
        if (!reaches(link.current, expected)) {
            const bool at_most = reaches(link.current, link.most);
            out.push_back(bdf + " " + link_text(link.current) +
                          (at_most ? ", its maximum" : " of " + link_text(link.most)));
        }
    }
    return join(out, ", ");
}

std::optional<PciePath> read_pcie_path(const Machine& machine, const std::string& bdf) {
    PciePath path;
    if (!take_part(machine, bdf, path)) {
        return std::nullopt;
    }
    const auto above = machine.bridges_above(bdf);
    if (!above) {
        path.error = above.error();
    } else if (!path.error || path.error->kind != ErrorKind::asleep) {
        for (auto bridge = above->rbegin(); bridge != above->rend(); ++bridge) {
            take_part(machine, *bridge, path);
        }
    }
    return path;
}

PathEnds path_ends(const Machine& machine) {
    PathEnds ends;
    ends.uncertain = machine.gpus_uncertain();
    const auto nics = machine.rdma_nics();
    if (nics) {
        ends.functions = *nics;
    } else {
        ends.uncertain = nics.error();
    }
    for (const auto& gpu : machine.gpus()) {
        if (gpu.on_pci && (gpu.accelerator || !gpu.agents.empty())) {
            ends.functions.push_back(gpu.bdf);
        }
    }
    return ends;
}

namespace {

// Numbers of devices below equal branches.
using Counts = std::map<std::string, std::size_t>;

// Branches by kind: all host bridges; bridges of one PCI id at one depth.
using Branches = std::map<std::string, Counts>;
const std::string host_bridges = "host bridges";

struct Tree {
    Branches gpus;
    Branches nics;
    std::optional<Error> unread;
};

// Counts a device below its host bridge and each bridge on its path.
void count(const Machine& machine, const std::string& bdf, Branches& branches, Tree& tree) {
    const auto place = machine.place_of(bdf);
    if (!place) {
        tree.unread = place.error();
        return;
    }
    ++branches[host_bridges][place->root];
    for (std::size_t depth = 0; depth < place->bridges.size(); ++depth) {
        const auto& bridge = place->bridges[depth];
        const auto function = machine.function(bridge);
        const auto kind = hex(function.vendor << 16 | function.device, 8) + " " + number(depth);
        ++branches["bridges " + kind][bridge];
    }
}

// Adds branches with GPUs and without NICs as branches with zero NICs. A branch without GPUs may
// serve storage or an external network.
void add_empty(Branches& nics, const Branches& gpus) {
    for (const auto& [kind, counts] : gpus) {
        const auto here = nics.find(kind);
        for (const auto& [branch, ends] : counts) {
            if (here != nics.end()) {
                here->second.emplace(branch, 0);
            }
        }
    }
}

Tree read_tree(const Machine& machine, const PathEnds& ends) {
    Tree tree;
    for (const auto& bdf : ends.functions) {
        const auto& gpus = machine.gpus();
        const bool is_gpu =
            std::any_of(gpus.begin(), gpus.end(), [&](const Gpu& gpu) { return gpu.bdf == bdf; });
        count(machine, bdf, is_gpu ? tree.gpus : tree.nics, tree);
    }
    add_empty(tree.nics, tree.gpus);
    return tree;
}

// Returns the only branch that has fewer than all others; std::nullopt if there is none, or more
// than one.
std::optional<OutlierBranch> outlier_of(const Counts& counts) {
    constexpr std::size_t fewest_branches = 3;  // with two branches the outlier is undefined
    std::size_t most = 0;
    for (const auto& [branch, ends] : counts) {
        most = std::max(most, ends);
    }
    const auto full = std::count_if(counts.begin(), counts.end(),
                                    [&](const auto& each) { return each.second == most; });
    if (counts.size() < fewest_branches || static_cast<std::size_t>(full) + 1 != counts.size()) {
        return std::nullopt;
    }
    const auto outlier = std::find_if(counts.begin(), counts.end(),
                                      [&](const auto& each) { return each.second != most; });
    return OutlierBranch{outlier->first, outlier->second, most, counts.size() - 1};
}

std::vector<OutlierBranch> outliers_of(const Branches& branches) {
    std::vector<OutlierBranch> out;
    const auto add_outlier = [&](const Counts& counts) {
        const auto outlier = outlier_of(counts);
        const bool added =
            outlier && std::any_of(out.begin(), out.end(), [&](const OutlierBranch& each) {
                return each.branch == outlier->branch;
            });
        if (outlier && !added) {
            out.push_back(*outlier);
        }
    };
    const auto roots = branches.find(host_bridges);
    if (roots != branches.end()) {
        add_outlier(roots->second);
    }
    for (const auto& [kind, counts] : branches) {
        if (kind != host_bridges && out.empty()) {  // at most one: others may share its cause
            add_outlier(counts);
        }
    }
    return out;
}

}  // namespace

OutlierBranches find_outlier_branches(const Machine& machine, const PathEnds& ends) {
    const Tree tree = read_tree(machine, ends);
    return {outliers_of(tree.gpus), outliers_of(tree.nics), tree.unread};
}

// Registers of the PCI Express capability: linux include/uapi/linux/pci_regs.h, 6.12.

namespace {

constexpr std::uint16_t port_flags = 0x02;        // PCI_EXP_FLAGS, bits 7:4 the port's type
constexpr std::uint16_t abilities = 0x24;         // PCI_EXP_DEVCAP2, bits 6 to 8 AtomicOps
constexpr std::uint16_t controls = 0x28;          // PCI_EXP_DEVCTL2, bit 7 egress block
constexpr std::uint16_t routes = 1U << 6;         // PCI_EXP_DEVCAP2_ATOMIC_ROUTE
constexpr std::uint16_t completes = 3U << 7;      // PCI_EXP_DEVCAP2_ATOMIC_COMP32, _COMP64
constexpr std::uint16_t blocks_egress = 1U << 7;  // PCI_EXP_DEVCTL2_ATOMIC_EGRESS_BLOCK

enum class PortType : std::uint16_t { root = 4, upstream = 5, downstream = 6 };

// Returns the effect of a bridge on AtomicOps; empty if it passes them.
std::string fault_of_port(PortType type, std::uint16_t can, std::uint16_t control) {
    const bool routing = (can & routes) != 0;
    const bool completing = (can & completes) == completes;
    if (type == PortType::root && !completing) {
        return routing ? "does not complete AtomicOps of 32 and 64 bits"
                       : "neither routes nor completes AtomicOps";
    }
    if (type != PortType::root && !routing) {
        return "does not route AtomicOps";
    }
    return type == PortType::upstream && (control & blocks_egress) != 0 ? "blocks AtomicOps" : "";
}

Result<std::string> ask_port(const Machine& machine, const std::string& port) {
    if (const auto sleeping = machine.asleep(port)) {
        return *sleeping;
    }
    const auto& config = machine.reader_of(port).config();
    const auto flags = config.express_register(port_flags);
    const auto can = config.express_register(abilities);
    const auto control = config.express_register(controls);
    for (const auto* each : {&flags, &can, &control}) {
        if (!*each) {
            return each->error();
        }
    }
    if (!*flags || !*can || !*control) {
        return std::string();  // not PCI Express
    }
    const auto type = static_cast<PortType>(**flags >> 4 & 0xf);
    const bool known =
        type == PortType::root || type == PortType::upstream || type == PortType::downstream;
    return known ? fault_of_port(type, **can, **control) : std::string();
}

}  // namespace

Result<std::optional<AtomicsObstacle>> atomics_obstacle(const Machine& machine,
                                                        const std::string& bdf) {
    const auto above = machine.bridges_above(bdf);
    if (!above) {
        return above.error();
    }
    std::optional<Error> unread;
    for (auto port = above->rbegin(); port != above->rend(); ++port) {
        const auto fault = ask_port(machine, *port);
        if (!fault) {
            unread = fault.error();
        } else if (!fault->empty()) {
            return std::optional(AtomicsObstacle{*port, *fault});
        }
    }
    return unread ? Result<std::optional<AtomicsObstacle>>(*unread)
                  : Result(std::optional<AtomicsObstacle>());
}

}  // namespace rocenv
