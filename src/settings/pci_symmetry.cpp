// SPDX-License-Identifier: MIT
// pci.symmetry: whether like branches of the PCI tree hold as many GPUs, and as many RDMA NICs. A
// branch that lost one shows it by the others, where no port tells what is in its slot. Boards are
// built in many ways, so only one branch that has fewer than all others, which are alike, is odd.
#include <algorithm>
#include <map>

#include "rocenv/setting.h"
#include "settings/path_ends.h"
#include "settings/safety.h"
#include "util/text.h"

namespace rocenv {

namespace {

// How many of one sort hang below each of some branches that are alike.
using Counts = std::map<std::string, std::size_t>;

// By what makes branches alike: all host bridges; bridges of one PCI id at one depth.
using Branches = std::map<std::string, Counts>;

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
    ++branches["host bridges"][place->root];
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
std::optional<Assessment> odd_one(const Counts& counts, const std::string& what) {
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
    auto row = compared({odd->first, std::nullopt, ""}, number(most) + " " + what,
                        number(odd->second) + " " + what);
    row.detail = "each of the other " + number(counts.size() - 1) + " like it has " + number(most);
    return row;
}

void judge(const Branches& branches, const std::string& what, std::vector<Assessment>& out) {
    for (const auto& [kind, counts] : branches) {
        auto row = odd_one(counts, what);
        const bool told = row && std::any_of(out.begin(), out.end(), [&](const Assessment& each) {
                              return each.target.base == row->target.base;
                          });
        if (row && !told) {
            out.push_back(*std::move(row));
        }
    }
}

class Symmetry final : public Setting {
   public:
    const Info& info() const override {
        static const Info data{
            .id = "pci.symmetry",
            .summary = "Whether like branches of the PCI tree hold as many GPUs and NICs",
            .why = "A hole among like branches is where a device was lost before anybody saw it",
            .source = "ROCm/system-acceptance-docs docs/network/topology-mapping.md, 2026-07",
            .target = "PCI branch",
            .read_from = "the links in /sys/bus/pci/devices",
            .set_by = "",
            .next_step = "sudo lspci -tv; then reseat what is missing there",
            .persist = "is persistent: it is the hardware",
            .risk_note = "",
            .over_cluster = OverCluster::own,
            .forms = {{.kind = FormKind::word, .words = {"even"}}},
        };
        return data;
    }

    std::vector<Assessment> assess(const Context& context, const Want&) const override {
        if (is_guest(context.fs())) {
            return {no_target("this is a guest: its tree is not the host's")};
        }
        const auto ends = path_ends(context.machine);
        const Tree tree = read_tree(context.machine, ends);
        std::vector<Assessment> out;
        judge(tree.gpus, "GPUs", out);
        judge(tree.nics, "RDMA NICs", out);
        const bool unsure = ends.uncertain && ends.uncertain->kind != ErrorKind::not_here;
        const auto unread = unsure ? ends.uncertain : tree.unread;
        if (unread) {
            out.push_back(unreadable({}, *unread, "even"));
        } else if (ends.functions.size() < 2) {
            return {no_target("there are no two GPUs or RDMA NICs on PCI")};
        } else if (out.empty()) {
            out.push_back(compared({}, "even", "even"));
        }
        return out;
    }
};

}  // namespace

const Setting& pci_symmetry() {
    static const Symmetry setting;
    return setting;
}

}  // namespace rocenv
