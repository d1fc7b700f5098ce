// SPDX-License-Identifier: MIT
#include "machine/pci/branches.h"

#include <algorithm>
#include <map>

#include "util/text.h"

namespace rocenv {

namespace {

// How many of one sort hang below each of some branches that are alike.
using Counts = std::map<std::string, std::size_t>;

// By what makes branches alike: all host bridges; bridges of one PCI id at one depth.
using Branches = std::map<std::string, Counts>;
const std::string host_bridges = "host bridges";

struct Tree {
    Branches gpus;
    Branches nics;
    std::optional<Error> unread;
};

// Counts an end below its host bridge and each bridge on its way.
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

// Where GPUs are and no NIC, the branch is one with no NIC. The other way round it may just be one
// for storage or the world outside.
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

// The one branch that has fewer than all others have; nothing: there is none, or more than one.
std::optional<OddBranch> odd_one(const Counts& counts) {
    constexpr std::size_t fewest_branches = 3;  // of two nobody can tell which is odd
    std::size_t most = 0;
    for (const auto& [branch, ends] : counts) {
        most = std::max(most, ends);
    }
    const auto full = std::count_if(counts.begin(), counts.end(),
                                    [&](const auto& each) { return each.second == most; });
    if (counts.size() < fewest_branches || static_cast<std::size_t>(full) + 1 != counts.size()) {
        return std::nullopt;
    }
    const auto odd = std::find_if(counts.begin(), counts.end(),
                                  [&](const auto& each) { return each.second != most; });
    return OddBranch{odd->first, odd->second, most, counts.size() - 1};
}

std::vector<OddBranch> odd_ones(const Branches& branches) {
    std::vector<OddBranch> out;
    const auto look = [&](const Counts& counts) {
        const auto odd = odd_one(counts);
        const bool told = odd && std::any_of(out.begin(), out.end(), [&](const OddBranch& each) {
                              return each.branch == odd->branch;
                          });
        if (odd && !told) {
            out.push_back(*odd);
        }
    };
    const auto roots = branches.find(host_bridges);
    if (roots != branches.end()) {
        look(roots->second);
    }
    for (const auto& [kind, counts] : branches) {
        if (kind != host_bridges && out.empty()) {  // else it is told by its root already
            look(counts);
        }
    }
    return out;
}

}  // namespace

OddBranches find_odd_branches(const Machine& machine, const PathEnds& ends) {
    const Tree tree = read_tree(machine, ends);
    return {odd_ones(tree.gpus), odd_ones(tree.nics), tree.unread};
}

}  // namespace rocenv
