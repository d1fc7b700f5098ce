// SPDX-License-Identifier: MIT
// A link between two modules that is down leaves the hive connected: traffic takes a route of more
// hops, the firmware reports these hops, and KFD computes its weight from them, 15 a hop (linux
// drivers/gpu/drm/amd/amdgpu/amdgpu_xgmi.c amdgpu_xgmi_get_hops_count;
// drivers/gpu/drm/amd/amdkfd/kfd_crat.c kfd_fill_gpu_xgmi_link_to_gpu, 6.12). On an EX235a each die
// has three direct neighbours (Frontier User Guide, docs.olcf.ornl.gov, 2026). A chain of modules
// has two ends by design, whose dies have one direct neighbour and the others two: only a majority
// of three or more is compared with.
#include "settings/gpu/xgmi_neighbours.h"

#include <algorithm>
#include <functional>

#include "settings/gpu/xgmi_bandwidth.h"
#include "settings/shapes/devices.h"
#include "util/text.h"

namespace rocenv {

namespace {

constexpr std::uint64_t weight_of_hop = 15;
constexpr std::size_t fewest_neighbours = 3;

// One die with what KFD and the firmware report about the other dies.
struct HiveDie {
    std::string bdf;
    const GpuModel* model = nullptr;
    HiveNumbers hops;  // in KFD, sorted; 0: the weight is not a number of hops
    const HiveRow* files = nullptr;
};

std::optional<HiveDie> read_die(const Machine& machine, const Gpu& gpu,
                                const std::map<std::uint32_t, std::string>& owners) {
    const auto links = machine.links_of(machine.kfd().nodes[gpu.agents.front()]);
    if (!links) {
        return std::nullopt;  // stated_pairs() reports it
    }
    std::map<std::uint32_t, std::uint32_t> weights;  // the lowest, by node
    for (const auto& link : *links) {
        if (link.type == link_xgmi && owners.contains(link.to)) {
            const auto known = weights.emplace(link.to, link.weight).first;
            known->second = std::min(known->second, link.weight);
        }
    }
    HiveDie out{gpu.bdf, gpu_model(gpu.device), {}, nullptr};
    for (const auto& [node, weight] : weights) {
        out.hops.push_back(weight % weight_of_hop == 0 ? weight / weight_of_hop : 0);
    }
    std::sort(out.hops.begin(), out.hops.end());
    return out;
}

using DiesByHive = std::map<std::uint64_t, std::vector<HiveDie>>;

// Returns the dies of each hive that has as many as a node of its model, and no waived one.
DiesByHive whole_hives(const Context& context, const std::map<std::string, HiveRow>& files) {
    const Machine& machine = context.machine;
    const auto owners = gpus_by_node(machine);
    DiesByHive out;
    for (const auto& gpu : machine.gpus()) {
        if (!is_die(gpu) || gpu.agents.size() != 1 || context.leaves_out(gpu.bdf)) {
            continue;
        }
        auto die = read_die(machine, gpu, owners);
        if (die) {
            const auto row = files.find(gpu.bdf);
            die->files = row == files.end() ? nullptr : &row->second;
            out[machine.kfd().nodes[gpu.agents.front()].get("hive_id")].push_back(*std::move(die));
        }
    }
    std::erase_if(out, [](const auto& hive) {
        return hive.first == 0 || hive.second.size() != hive.second.front().model->gpus_a_hive;
    });
    return out;
}

// Counts the neighbours of a die; std::nullopt if this source does not state them.
using CountNeighbours = std::function<std::optional<std::size_t>(const HiveDie& die)>;

std::size_t one_hop_away(const HiveNumbers& hops) {
    return static_cast<std::size_t>(std::count(hops.begin(), hops.end(), 1U));
}

struct NeighbourSource {
    std::string_view name;
    CountNeighbours count;
};

std::vector<NeighbourSource> neighbour_sources() {
    return {
        {"xgmi_num_hops",
         [](const HiveDie& die) {
             return die.files == nullptr ? std::nullopt
                                         : std::optional(one_hop_away(die.files->hops));
         }},
        {"KFD", [](const HiveDie& die) { return std::optional(one_hop_away(die.hops)); }},
        {"xgmi_num_links",
         [](const HiveDie& die) -> std::optional<std::size_t> {
             if (die.files == nullptr) {
                 return std::nullopt;
             }
             const auto& links = die.files->links;
             const auto none = std::count(links.begin(), links.end(), 0U);
             return links.size() - static_cast<std::size_t>(none);
         }},
    };
}

// Returns the number of neighbours of at least three quarters of the dies; 0 if there is none.
std::size_t usual_neighbours(const std::vector<HiveDie>& dies, const CountNeighbours& count) {
    std::map<std::size_t, std::size_t> dies_with;
    for (const auto& die : dies) {
        const auto neighbours = count(die);
        if (!neighbours) {
            return 0;
        }
        ++dies_with[*neighbours];
    }
    const auto most = std::find_if(dies_with.begin(), dies_with.end(), [&](const auto& each) {
        return each.second * 4 >= dies.size() * 3;
    });
    return most == dies_with.end() || most->first < fewest_neighbours ? 0 : most->first;
}

// Adds a clause to the finding of a die, which the first clause makes.
void add_clause(const std::string& bdf, const std::string& want, const std::string& have,
                const std::string& clause, std::map<std::string, Assessment>& out) {
    const auto [place, is_new] = out.emplace(bdf, Assessment());
    if (is_new) {
        place->second = compared({bdf, std::nullopt, ""}, want, have);
    }
    place->second.detail += (is_new ? "" : "; ") + clause;
}

void compare_neighbours(const std::vector<HiveDie>& dies, std::map<std::string, Assessment>& out) {
    using Numbers = std::pair<std::size_t, std::size_t>;  // of the die, of most dies
    std::map<std::string, std::map<Numbers, std::vector<std::string>>> sources_of;
    for (const auto& source : neighbour_sources()) {
        const std::size_t usual = usual_neighbours(dies, source.count);
        for (const auto& die : dies) {
            const std::size_t mine = source.count(die).value_or(usual);
            if (mine < usual) {
                sources_of[die.bdf][{mine, usual}].emplace_back(source.name);
            }
        }
    }
    for (const auto& [bdf, by_numbers] : sources_of) {
        for (const auto& [numbers, sources] : by_numbers) {
            const auto [mine, usual] = numbers;
            add_clause(bdf, counted(usual, "neighbour"), counted(mine, "neighbour"),
                       "this die has " + counted(mine, "direct neighbour") + " (" +
                           join(sources, ", ") + "), but most dies of its hive have " +
                           number(usual) + "; the traffic of a lost link crosses other dies",
                       out);
        }
    }
}

// A link that changed after the driver was loaded shows in the file, and KFD keeps the old weight.
void compare_sources(const HiveDie& die, std::map<std::string, Assessment>& out) {
    if (die.files == nullptr || die.files->hops.size() != die.hops.size() || die.hops.empty() ||
        die.hops.front() == 0 || die.files->hops == die.hops) {
        return;
    }
    const auto kfd = "hops " + numbers_text(die.hops);
    const auto files = "hops " + numbers_text(die.files->hops);
    add_clause(die.bdf, kfd, files,
               "xgmi_num_hops reports " + files + ", but the weights in KFD are " + kfd, out);
}

}  // namespace

std::string numbers_text(const HiveNumbers& numbers) {
    std::vector<std::string> out;
    out.reserve(numbers.size());
    for (const auto value : numbers) {
        out.push_back(number(value));
    }
    return join(out, " ");
}

std::vector<Assessment> odd_neighbours(const Context& context,
                                       const std::map<std::string, HiveRow>& files) {
    const Machine& machine = context.machine;
    if (machine.kfd_uncertain() || machine.kfd().hidden() > 0) {
        return {};
    }
    std::map<std::string, Assessment> found;
    for (const auto& [hive, dies] : whole_hives(context, files)) {
        compare_neighbours(dies, found);
        for (const auto& die : dies) {
            compare_sources(die, found);
        }
    }
    std::vector<Assessment> out;
    out.reserve(found.size());
    for (auto& [bdf, row] : found) {
        out.push_back(std::move(row));
    }
    return out;
}

}  // namespace rocenv
