// SPDX-License-Identifier: MIT
// gpu.xgmi: the GPUs of a node are linked as on their model's board. "mesh": if the hive of the
// model is a full mesh, each GPU has a one-hop link to each other GPU in both directions, and all
// are in one hive. Other models are judged as "symmetric": each link has one back with the same
// weight, and all GPUs of a hive are connected. Equal links on all GPUs prove nothing: four dead
// traces can remove one link from each (linux drivers/gpu/drm/amd/amdkfd/kfd_crat.c: weight 15 a
// hop; between partitions 13 and 41).
#include <algorithm>
#include <map>
#include <set>

#include "machine/gpu/gpu_models.h"
#include "settings/gpu/census.h"
#include "settings/safety.h"
#include "settings/shapes/devices.h"
#include "util/text.h"

namespace rocenv {

namespace {

constexpr std::uint32_t hop = 15;

// One physical GPU with the lowest weight of its links to each other GPU.
struct Member {
    const Gpu* gpu = nullptr;
    std::uint64_t hive = 0;
    std::map<std::string, std::uint32_t> links;
    bool unread = false;  // an unreadable link: no statement about the others
};

struct Hives {
    std::map<std::string, Member> members;
    std::optional<Error> error;
};

void add_links(const Machine& machine, const std::map<std::uint32_t, std::string>& owners,
               Member& member, std::optional<Error>& error) {
    for (const auto agent : member.gpu->agents) {
        const auto links = machine.links_of(machine.kfd().nodes[agent]);
        if (!links) {
            error = links.error();
            member.unread = true;
            return;
        }
        for (const auto& link : *links) {
            const auto to = owners.find(link.to);
            if (link.type == link_xgmi && to != owners.end() && to->second != member.gpu->bdf) {
                const auto known = member.links.emplace(to->second, link.weight).first;
                known->second = std::min(known->second, link.weight);
            }
        }
    }
}

// Drops GPUs that are neither members nor link targets: PCI does not show them, and gpu.count
// reports them.
void drop_strange_links(Hives& hives) {
    for (auto& [bdf, member] : hives.members) {
        std::erase_if(member.links,
                      [&](const auto& link) { return !hives.members.contains(link.first); });
    }
}

Hives read_hives(const Machine& machine) {
    Hives out;
    const auto& nodes = machine.kfd().nodes;
    const auto owners = gpus_by_node(machine);
    for (const auto& gpu : machine.gpus()) {
        if (is_for_compute(gpu) && !gpu.agents.empty()) {
            Member member{&gpu, nodes[gpu.agents.front()].get("hive_id"), {}, false};
            add_links(machine, owners, member, out.error);
            out.members.emplace(gpu.bdf, std::move(member));
        }
    }
    drop_strange_links(out);
    return out;
}

// Returns the mesh of GPUs without waived ones.
Hives without_waived(const Context& context, const Hives& hives) {
    Hives out = hives;
    std::erase_if(out.members,
                  [&](const auto& member) { return context.leaves_out(member.first); });
    drop_strange_links(out);
    const bool read = std::none_of(out.members.begin(), out.members.end(),
                                   [](const auto& member) { return member.second.unread; });
    out.error = read ? std::nullopt : out.error;
    return out;
}

// Returns true for a link of one hop. Links between partitions of one GPU have weights without
// relation to hops.
bool is_one_hop(const Hives& hives, const std::string& from, const std::string& to,
                std::uint32_t weight) {
    const bool whole = hives.members.at(from).gpu->agents.size() == 1 &&
                       hives.members.at(to).gpu->agents.size() == 1;
    return !whole || weight == hop;
}

// Returns the fault in a GPU's links to its expected neighbours; empty if there is none.
std::string mesh_fault(const Hives& hives, const Member& member) {
    std::vector<std::string> missing;
    std::vector<std::string> far;
    for (const auto& [bdf, other] : hives.members) {
        const auto link = member.links.find(bdf);
        if (other.gpu == member.gpu || other.gpu->device != member.gpu->device) {
            continue;
        }
        if (link == member.links.end()) {
            missing.push_back(bdf);
        } else if (!is_one_hop(hives, member.gpu->bdf, bdf, link->second)) {
            far.push_back(bdf + " (weight " + number(link->second) + ")");
        }
    }
    std::string out = missing.empty() ? "" : "no xGMI link leads to " + join(missing, ", ");
    if (!far.empty()) {
        out += (out.empty() ? "" : "; ") +
               ("the GPU is more than one hop away from " + join(far, ", "));
    }
    return out;
}

// Returns the links without one back, or with one of another weight.
std::string symmetry_fault(const Hives& hives, const Member& member) {
    std::vector<std::string> unequal;
    for (const auto& [bdf, other] : hives.members) {
        const auto there = member.links.find(bdf);
        const auto back = other.links.find(member.gpu->bdf);
        const bool none = there == member.links.end() && back == other.links.end();
        const bool both = there != member.links.end() && back != other.links.end();
        if (!other.unread && !none && !(both && there->second == back->second)) {
            unequal.push_back(bdf);
        }
    }
    return unequal.empty()
               ? ""
               : "the xGMI link differs between its two directions: " + join(unequal, ", ");
}

// Returns the GPUs of the hive that no chain of links reaches.
std::string reach_fault(const Hives& hives, const Member& member) {
    std::set<std::string> reached{member.gpu->bdf};
    std::vector<std::string> next{member.gpu->bdf};
    while (!next.empty()) {
        const auto& links = hives.members.at(next.back()).links;
        next.pop_back();
        for (const auto& [bdf, weight] : links) {
            if (reached.insert(bdf).second) {
                next.push_back(bdf);
            }
        }
    }
    std::vector<std::string> lost;
    for (const auto& [bdf, other] : hives.members) {
        if (!hives.error && other.hive == member.hive && member.hive != 0 &&
            !reached.contains(bdf)) {
            lost.push_back(bdf);
        }
    }
    return lost.empty() ? "" : "no xGMI link leads to " + join(lost, ", ");
}

bool is_mesh(const Gpu& gpu, const std::string& expected) {
    const GpuModel* model = gpu_model(gpu.device);
    return expected == "mesh" && model != nullptr && model->mesh == Mesh::full;
}

// Returns the hive of most GPUs of the model.
std::uint64_t main_hive(const Hives& hives, std::uint32_t device) {
    std::map<std::uint64_t, std::size_t> counts;
    for (const auto& [bdf, member] : hives.members) {
        counts[member.hive] += member.gpu->device == device && member.hive != 0 ? 1 : 0;
    }
    const auto most =
        std::max_element(counts.begin(), counts.end(),
                         [](const auto& a, const auto& b) { return a.second < b.second; });
    return most == counts.end() ? 0 : most->first;
}

// Returns true if a GPU is alone outside the hive of the others, on a model whose board is one
// hive. Two boards are two hives.
bool is_alone(const Hives& hives, const Member& member) {
    constexpr std::size_t fewest = 3;  // with two GPUs the outlier is undefined
    const GpuModel* model = gpu_model(member.gpu->device);
    const auto main = main_hive(hives, member.gpu->device);
    std::size_t with_it = 0;
    std::size_t in_main = 0;
    for (const auto& [bdf, other] : hives.members) {
        with_it += other.hive == member.hive ? 1U : 0U;
        in_main += other.hive == main ? 1U : 0U;
    }
    return model != nullptr && model->mesh == Mesh::hops && main != 0 && member.hive != main &&
           with_it == 1 && in_main >= fewest;
}

std::string fault_of(const Hives& hives, const Member& member, const std::string& expected) {
    std::vector<std::string> faults;
    const bool mesh = is_mesh(*member.gpu, expected);
    if (is_alone(hives, member)) {
        faults.emplace_back(member.hive == 0 ? "the GPU is in no hive"
                                             : "the GPU is in another hive than the others");
    }
    if (mesh && member.hive == 0) {
        faults.emplace_back("the GPU is in no hive");
    } else if (mesh && member.hive != main_hive(hives, member.gpu->device)) {
        faults.emplace_back("the GPU is in another hive than most");
    }
    for (auto& fault : {mesh ? mesh_fault(hives, member) : reach_fault(hives, member),
                        symmetry_fault(hives, member)}) {
        if (!fault.empty()) {
            faults.push_back(fault);
        }
    }
    return join(faults, "; ");
}

// The number of waived GPUs of a board: those present, and of those that are nowhere at most as
// many as the board lacks beyond all known ones.
struct WaivedGpus {
    std::size_t here = 0;
    std::size_t gone = 0;
};

WaivedGpus waived_of_board(const Context& context, std::size_t board, std::size_t gone) {
    std::size_t known = 0;
    std::size_t waived = 0;
    for (const auto& gpu : context.machine.gpus()) {
        const bool counts = is_for_compute(gpu) || !gpu.on_pci;
        known += counts ? 1U : 0U;
        waived += counts && context.leaves_out(gpu.bdf) ? 1U : 0U;
    }
    return {waived, std::min(gone, board - std::min(board, known))};
}

// Returns rows for GPUs that the model's hive has and this node lacks, so that all GPUs miss a
// link: one for all of them, or one for each waived GPU.
std::vector<Assessment> short_hive(const Context& context, const Hives& hives,
                                   const std::string& expected) {
    const Gpu& first = *hives.members.begin()->second.gpu;
    const GpuModel* model = gpu_model(first.device);
    if (!is_mesh(first, expected) || model->board_gpus <= hives.members.size() ||
        is_guest(context.fs())) {
        return {};
    }
    const auto gone = waived_and_gone(context);
    const auto waived = waived_of_board(context, model->board_gpus, gone.size());
    if (model->board_gpus <= hives.members.size() + waived.here + waived.gone) {
        std::vector<Assessment> out;
        out.reserve(gone.size());
        for (const auto& bdf : waived.gone == 0 ? std::set<std::string>() : gone) {
            out.push_back(compared({bdf, std::nullopt, ""}, expected, "not on PCI"));
        }
        return out;
    }
    const auto board = number(model->board_gpus);
    auto row = compared({}, expected, number(hives.members.size()) + " of " + board + " GPUs");
    row.detail = "the board of the " + std::string(model->name) + " links " + board +
                 " GPUs, so links to the others are missing";
    return {std::move(row)};
}

constexpr Grade xgmi_grades[] = {
    {"hive", Level::info, "Boards of this model may be built with other hives"},
};

// Returns the sizes of the hives of a model's GPUs. A GPU without a hive counts as a hive of one,
// unless all lack one.
std::vector<std::size_t> hive_sizes(const Hives& hives, std::uint32_t device) {
    std::map<std::uint64_t, std::size_t> counts;
    for (const auto& [bdf, member] : hives.members) {
        counts[member.hive] += member.gpu->device == device ? 1U : 0U;
    }
    std::vector<std::size_t> out(counts.size() > 1 ? counts[0] : 0, 1);
    for (const auto& [hive, count] : counts) {
        if (hive != 0 && count > 0) {
            out.push_back(count);
        }
    }
    std::sort(out.begin(), out.end());
    return out;
}

// Returns a finding for hives smaller than their siblings or than that of AMD's node (MI250,
// MI250X), for models with different boards. gpu.count reports an odd number of dies.
std::optional<Assessment> smaller_hive(const Context& context, const Hives& hives) {
    const Gpu& first = *hives.members.begin()->second.gpu;
    const GpuModel* model = gpu_model(first.device);
    const auto sizes = hive_sizes(hives, first.device);
    if (model == nullptr || sizes.empty() || hives.members.size() < 2) {
        return std::nullopt;
    }
    const bool one_hive = model->mesh == Mesh::hops && model->gpus_a_hive > 0;
    const bool short_one =
        one_hive && sizes.size() == 1 && sizes[0] % 2 == 0 && sizes[0] < model->gpus_a_hive;
    const bool uneven = model->mesh == Mesh::unknown && sizes.front() != sizes.back();
    if ((!short_one && !uneven) || is_guest(context.fs())) {
        return std::nullopt;
    }
    const auto most = short_one ? model->gpus_a_hive : sizes.back();
    auto row = compared({}, number(most) + " GPUs", number(sizes.front()) + " GPUs");
    row.grade = &xgmi_grades[0];
    row.detail = short_one ? "a hive has " + number(sizes[0]) + " dies of the " +
                                 std::string(model->name) + ", but AMD's node has " + number(most)
                           : "a hive has " + number(sizes.front()) +
                                 " GPUs, but the largest hive has " + number(most);
    return row;
}

Assessment hidden(std::size_t nodes) {
    Assessment row;
    row.outcome = Outcome::hidden;
    row.detail = counted_are(nodes, "KFD node") + " hidden from this container";
    return row;
}

std::vector<Assessment> faults(const Hives& hives, const std::string& expected) {
    std::vector<Assessment> out;
    for (const auto& [bdf, member] : hives.members) {
        const auto fault = member.unread ? "" : fault_of(hives, member, expected);
        if (!fault.empty()) {
            auto row =
                compared({bdf, std::nullopt, ""}, expected, number(member.links.size()) + " links");
            row.detail = fault;
            out.push_back(std::move(row));
        }
    }
    return out;
}

Assessment all_well(const Hives& hives, const std::string& expected) {
    std::size_t links = 0;
    for (const auto& [bdf, member] : hives.members) {
        links += member.links.size();
    }
    if (links == 0) {
        return no_target(hives.members.empty() ? "KFD lists no AMD GPU for compute"
                                               : "these GPUs have no xGMI links");
    }
    auto row = compared({}, expected, expected);
    row.detail = number(hives.members.size()) + " GPUs, " + number(links) + " links";
    return row;
}

std::vector<Assessment> assess_xgmi(const Setting&, const Context& context,
                                    const Expectation& expectation) {
    const std::string& expected = *expectation.value.text();
    const Machine& machine = context.machine;
    const Hives all = read_hives(machine);
    const Hives hives = without_waived(context, all);
    auto blocked = machine.kfd_uncertain() ? machine.kfd_uncertain() : hives.error;
    blocked = blocked ? blocked : machine.gpus_uncertain();
    if (machine.kfd().hidden() > 0) {
        return {hidden(machine.kfd().hidden())};
    }
    std::vector<Assessment> out = faults(hives, expected);
    if (hives.members.size() == 1 && is_guest(context.fs())) {
        out.clear();  // a single passed-through GPU has no links
    }
    if (!hives.members.empty() && !blocked) {
        auto rows = short_hive(context, hives, expected);
        std::move(rows.begin(), rows.end(), std::back_inserter(out));
        auto smaller = out.empty() ? smaller_hive(context, hives) : std::nullopt;
        if (smaller) {
            out.push_back(*std::move(smaller));
        }
    }
    const bool well = std::all_of(out.begin(), out.end(), [&](const Assessment& row) {
        return context.leaves_out(row.target.base);
    });
    if (blocked) {
        out.push_back(unreadable({}, *blocked, expected));
    } else if (well) {
        out.push_back(all_well(hives, expected));
    }
    for (auto& row : faults(all, expected)) {
        if (context.leaves_out(row.target.base)) {
            out.push_back(std::move(row));
        }
    }
    return out;
}

}  // namespace

const Setting& gpu_xgmi() {
    static const Setting setting{
        .info =
            {
                .id = "gpu.xgmi",
                .summary = "Whether all GPUs are linked as their board defines",
                .why = "A missing xGMI link forces traffic over PCIe or over two hops and slows "
                       "every collective",
                .source = "AMD-AGI/Primus primus/tools/preflight/node_smoke, 2026-08; linux "
                          "drivers/gpu/drm/amd/amdkfd/kfd_crat.c, 6.12",
                .target = "physical GPU",
                .read_from = "/sys/class/kfd/kfd/topology/nodes/*/{properties,io_links}",
                .set_by = "",
                .next_step = "sudo dmesg | grep -i xgmi; sudo amd-smi xgmi; if the link stays "
                             "down, reset or reseat the GPU",
                .persist = "persistent (hardware, trained at boot)",
                .risk_note = "",
                .over_cluster = OverCluster::equal,
                .forms = {{.kind = FormKind::word, .words = {"mesh", "symmetric"}}},
                .grades = xgmi_grades,
            },
        .assess = assess_xgmi,
    };
    return setting;
}

}  // namespace rocenv
