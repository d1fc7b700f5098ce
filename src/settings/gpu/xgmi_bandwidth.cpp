// SPDX-License-Identifier: MIT
// KFD computes a link's bandwidth: 50000 MB/s for each xGMI link between two GPUs of gfx90a since
// Linux 5.14, of newer ones since 6.8, and 0 before that or where the route is indirect (linux
// drivers/gpu/drm/amd/amdgpu/amdgpu_amdkfd.c amdgpu_amdkfd_get_xgmi_bandwidth_mbytes, 5.14 to 6.14;
// amdgpu_xgmi.c amdgpu_xgmi_get_bandwidth_mbytes, 6.15). Other releases may compute it otherwise:
// an absolute figure is worth a line at most.
#include "settings/gpu/xgmi_bandwidth.h"

#include <algorithm>
#include <map>
#include <set>

#include "settings/shapes/devices.h"
#include "util/text.h"

namespace rocenv {

namespace {

constexpr std::uint64_t mb_a_link = 50000;
constexpr std::uint64_t links_in_module = 4;
constexpr std::uint64_t links_between_modules = 2;
constexpr std::uint32_t one_hop = 15;

constexpr Grade xgmi_bandwidth_grades[] = {
    {"bandwidth", Level::info, "KFD computes the figure, and its releases compute it differently"},
};

// Two GPUs, as one of them sees the other.
struct XgmiPair {
    std::string from;
    std::string to;
    std::uint32_t device = 0;
    std::uint32_t weight = 0;
    std::uint32_t low = 0;  // MB/s
    std::uint32_t high = 0;
};

using Figures = std::pair<std::uint32_t, std::uint32_t>;

// Links between whole GPUs of one model whose bandwidth is stated. Adds a row for each GPU with a
// link that cannot be read.
std::vector<XgmiPair> stated_pairs(const Context& context, std::vector<Assessment>& unread) {
    const Machine& machine = context.machine;
    std::map<std::string, const Gpu*> gpus;
    for (const auto& gpu : machine.gpus()) {
        if (is_for_compute(gpu) && gpu.agents.size() == 1 && !context.leaves_out(gpu.bdf)) {
            gpus[gpu.bdf] = &gpu;
        }
    }
    const auto owners = gpus_by_node(machine);
    std::vector<XgmiPair> out;
    for (const auto& [bdf, gpu] : gpus) {
        const auto links = machine.links_of(machine.kfd().nodes[gpu->agents.front()]);
        if (!links) {
            unread.push_back(unreadable({bdf, std::nullopt, ""}, links.error(), "equal"));
        }
        for (const auto& link : links ? *links : std::vector<KfdLink>()) {
            const auto to = owners.find(link.to);
            const auto other = to == owners.end() ? gpus.end() : gpus.find(to->second);
            if (link.type == link_xgmi && link.high != 0 && other != gpus.end() &&
                other->second->device == gpu->device) {
                out.push_back({bdf, other->first, gpu->device, link.weight, link.low, link.high});
            }
        }
    }
    return out;
}

// The figures of more than half of these pairs; of a full mesh of four, in which one GPU is in half
// of the pairs, the higher ones of two halves. 0 if there are none.
Figures most_of(const std::vector<const XgmiPair*>& pairs, bool full_mesh) {
    std::map<Figures, std::size_t> counts;
    for (const auto* pair : pairs) {
        ++counts[{pair->low, pair->high}];
    }
    for (const auto& [figures, count] : counts) {
        if (count * 2 > pairs.size()) {
            return figures;
        }
    }
    const bool halves =
        full_mesh && counts.size() == 2 && counts.begin()->second == counts.rbegin()->second;
    return halves ? counts.rbegin()->first : Figures();
}

// The GPUs that the odd pairs are reported on: the one that is in all of them, or each end.
std::set<std::string> reported(const std::vector<const XgmiPair*>& odd) {
    std::set<std::string> ends;
    for (const auto* pair : odd) {
        ends.insert({pair->from, pair->to});
    }
    for (const auto& end : ends) {
        if (std::all_of(odd.begin(), odd.end(), [&](const XgmiPair* pair) {
                return pair->from == end || pair->to == end;
            })) {
            return {end};
        }
    }
    return ends;
}

std::string figures_text(const Figures& figures) {
    return (figures.first == figures.second ? "" : number(figures.first) + "-") +
           number(figures.second) + " MB/s";
}

Assessment odd_row(const std::string& end, const std::vector<const XgmiPair*>& odd,
                   const Figures& most) {
    std::set<std::string> others;
    Figures have;
    for (const auto* pair : odd) {
        if (pair->from == end || pair->to == end) {
            others.insert(pair->from == end ? pair->to : pair->from);
            have = {pair->low, pair->high};
        }
    }
    auto row = compared({end, std::nullopt, ""}, figures_text(most), figures_text(have));
    row.detail = "KFD reports " + figures_text(have) + " between this GPU and " +
                 join(std::vector<std::string>(others.begin(), others.end()), ", ") + ", but " +
                 figures_text(most) + " between most pairs with as many hops";
    return row;
}

void compare_pairs(const std::vector<XgmiPair>& pairs, std::vector<Assessment>& out) {
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<const XgmiPair*>> groups;
    for (const auto& pair : pairs) {
        groups[{pair.device, pair.weight}].push_back(&pair);
    }
    for (const auto& [kind, group] : groups) {
        const GpuModel* model = gpu_model(kind.first);
        const Figures most = most_of(group, model != nullptr && model->mesh == Mesh::full);
        if (most == Figures() || (model != nullptr && model->devices == 2)) {
            continue;
        }
        std::vector<const XgmiPair*> odd;
        std::copy_if(group.begin(), group.end(), std::back_inserter(odd),
                     [&](const XgmiPair* pair) { return Figures(pair->low, pair->high) != most; });
        for (const auto& end : reported(odd)) {
            out.push_back(odd_row(end, odd, most));
        }
    }
}

// Links of each die to its neighbours, as KFD's figures count them; dies whose figures are no
// multiples of a link's are left out.
std::map<std::string, std::vector<std::uint64_t>> links_of_dies(
    const std::vector<XgmiPair>& pairs) {
    std::map<std::string, std::vector<std::uint64_t>> out;
    std::set<std::string> strange;
    for (const auto& pair : pairs) {
        const GpuModel* model = gpu_model(pair.device);
        if (model == nullptr || model->devices != 2 || pair.weight != one_hop) {
            continue;
        }
        out[pair.from].push_back(pair.high / mb_a_link);
        if (pair.high % mb_a_link != 0) {
            strange.insert(pair.from);
        }
    }
    std::erase_if(out, [&](const auto& each) { return strange.contains(each.first); });
    return out;
}

// Where no die has a pair of four links the driver may compute them otherwise.
void judge_dies(const std::vector<XgmiPair>& pairs, std::size_t dies,
                std::vector<Assessment>& out) {
    const auto links = links_of_dies(pairs);
    const bool any_whole = std::any_of(links.begin(), links.end(), [&](const auto& die) {
        return module_fault(die.second, dies).empty();
    });
    for (const auto& [bdf, counts] : links) {
        const auto fault = module_fault(counts, dies);
        if (fault.empty()) {
            continue;
        }
        const auto most = *std::max_element(counts.begin(), counts.end()) * mb_a_link;
        auto row = compared({bdf, std::nullopt, ""}, number(links_in_module * mb_a_link) + " MB/s",
                            number(most) + " MB/s");
        row.detail = fault + " (KFD reports 50000 MB/s for each link since Linux 5.14)";
        row.grade = any_whole ? nullptr : &xgmi_bandwidth_grades[0];
        out.push_back(std::move(row));
    }
}

}  // namespace

bool is_die(const Gpu& gpu) {
    const GpuModel* model = gpu_model(gpu.device);
    return model != nullptr && model->devices == 2;
}

std::string module_fault(const std::vector<std::uint64_t>& links, std::size_t dies) {
    const auto most = links.empty() ? 0 : *std::max_element(links.begin(), links.end());
    const bool alone = dies % 2 == 1 && most <= links_between_modules;
    if (most >= links_in_module || alone || dies < 2) {
        return "";
    }
    return "a die has 4 links to the other die of its module, but this die has at most " +
           number(most);
}

std::vector<Assessment> odd_bandwidths(const Context& context) {
    const Machine& machine = context.machine;
    if (machine.kfd_uncertain() || machine.kfd().hidden() > 0) {
        return {};
    }
    const auto& gpus = machine.gpus();
    const auto dies = std::count_if(gpus.begin(), gpus.end(), is_die);
    std::vector<Assessment> out;
    const auto pairs = stated_pairs(context, out);
    compare_pairs(pairs, out);
    judge_dies(pairs, static_cast<std::size_t>(dies), out);
    return out;
}

std::span<const Grade> bandwidth_grades() {
    return xgmi_bandwidth_grades;
}

}  // namespace rocenv
