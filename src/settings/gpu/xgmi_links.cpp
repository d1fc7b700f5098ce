// SPDX-License-Identifier: MIT
// gpu.xgmi_links: hops and links between each two GPUs, as their firmware reported them to the
// driver (linux drivers/gpu/drm/amd/amdgpu/amdgpu_xgmi.c xgmi_num_hops, xgmi_num_links), and the
// bandwidths that KFD computes from the same numbers. Reads touch no hardware. For gpu.xgmi a
// narrower link between two GPUs is still one hop.
//
// Both files have two hexadecimal digits for each member of the hive, in its order, the GPU itself
// included. GPUs of a full mesh are compared with each other, and with one hop. Dies of MI250 and
// MI250X are judged by their module: see ModuleLinks.
#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "machine/kernel_attribute.h"
#include "os/redact/redact_words.h"
#include "rocenv/setting.h"
#include "settings/shapes/devices.h"
#include "util/text.h"

namespace rocenv {

// Checks of xGMI by KFD's bandwidths and by the links of the dies of a module. KFD computes 50000
// MB/s for each xGMI link between two GPUs: of gfx90a since Linux 5.14, of newer ones since 6.8.
// Earlier, and for indirect routes, it states 0 (linux drivers/gpu/drm/amd/amdgpu/amdgpu_amdkfd.c
// amdgpu_amdkfd_get_xgmi_bandwidth_mbytes, 5.14 to 6.14; amdgpu_xgmi.c
// amdgpu_xgmi_get_bandwidth_mbytes, 6.15). Other releases may compute it differently, so an
// absolute figure has at most level info.

namespace {

constexpr std::uint64_t mb_a_link = 50000;
constexpr std::uint64_t links_in_module = 4;
constexpr std::uint64_t links_between_modules = 2;
constexpr std::uint32_t one_hop = 15;

constexpr Grade xgmi_bandwidth_grades[] = {
    {"bandwidth", Level::info, "KFD computes the figure, and its releases compute it differently"},
};

// Returns true if a GPU is one of the two dies of a module (MI250, MI250X).
bool is_die(const Gpu& gpu) {
    const GpuModel* model = gpu_model(gpu.device);
    return model != nullptr && model->devices == 2;
}

// Returns the fault in the links of a die to the other members of its hive; empty if there is none.
// A die has four links to the other die of its module, and one or two to dies of other modules: 50
// GB/s a link (AMD, MI250 microarchitecture, ROCm 7.14), 200 GB/s in a module and 50 to 100 between
// modules (Frontier User Guide, docs.olcf.ornl.gov, 2026). The board determines the neighbours.
// With an odd number of dies one has no partner, which gpu.count reports.
std::string module_fault(const std::vector<std::uint64_t>& links, std::size_t dies) {
    const auto most = links.empty() ? 0 : *std::max_element(links.begin(), links.end());
    const bool alone = dies % 2 == 1 && most <= links_between_modules;
    if (most >= links_in_module || alone || dies < 2) {
        return "";
    }
    return "a die has 4 links to the other die of its module, but this die has at most " +
           number(most);
}

// Two GPUs, as seen by one of them.
struct XgmiPair {
    std::string from;
    std::string to;
    std::uint32_t device = 0;
    std::uint32_t weight = 0;
    std::uint32_t low = 0;  // MB/s
    std::uint32_t high = 0;
};

using Figures = std::pair<std::uint32_t, std::uint32_t>;

// Returns the links between whole GPUs of one model with a stated bandwidth. Adds a row for each
// GPU with an unreadable link.
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

// Returns the figures of more than half of the pairs; 0 if there are none. In a full mesh of four,
// one GPU is in half of the pairs, so the higher figures of two halves count.
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

// Returns the GPUs on which outlier pairs are reported: the one that is in all of them, or both
// ends.
std::set<std::string> reported(const std::vector<const XgmiPair*>& outliers) {
    std::set<std::string> ends;
    for (const auto* pair : outliers) {
        ends.insert({pair->from, pair->to});
    }
    for (const auto& end : ends) {
        if (std::all_of(outliers.begin(), outliers.end(), [&](const XgmiPair* pair) {
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

Assessment outlier_row(const std::string& end, const std::vector<const XgmiPair*>& outliers,
                       const Figures& most) {
    std::set<std::string> others;
    Figures have;
    for (const auto* pair : outliers) {
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
        std::vector<const XgmiPair*> outliers;
        std::copy_if(group.begin(), group.end(), std::back_inserter(outliers),
                     [&](const XgmiPair* pair) { return Figures(pair->low, pair->high) != most; });
        for (const auto& end : reported(outliers)) {
            out.push_back(outlier_row(end, outliers, most));
        }
    }
}

// Returns the number of links of each die to its neighbours by KFD's figures. Dies whose figures
// are not multiples of a link's are skipped.
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

// Judges the dies. If no die has a pair of four links, the driver may compute them differently.
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

// Returns a finding for each GPU of a pair whose bandwidth differs from most pairs of this node
// with equal GPUs, link type and hops; for dies, for those without a pair of four links. 0 means
// not stated. Only xGMI between GPUs is compared; pci.link checks PCIe.
std::vector<Assessment> outlier_bandwidths(const Context& context) {
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

}  // namespace

// Numbers of xGMI hops and links in a hive, and the direct neighbours of the dies of modules. A
// broken link between two modules leaves the hive connected over a route with more hops. The
// firmware reports these hops, and KFD computes its weight from them, 15 a hop (linux
// drivers/gpu/drm/amd/amdgpu/amdgpu_xgmi.c amdgpu_xgmi_get_hops_count;
// drivers/gpu/drm/amd/amdkfd/kfd_crat.c kfd_fill_gpu_xgmi_link_to_gpu, 6.12). On an EX235a each die
// has three direct neighbours (Frontier User Guide, docs.olcf.ornl.gov, 2026). A chain of modules
// has two ends by design, whose dies have one direct neighbour and the others two. So only a
// majority of three or more is used for comparison.

namespace {

// The numbers of one GPU about the other members of its hive, sorted, without its own.
using HiveNumbers = std::vector<std::uint64_t>;

// Returns the numbers as text: "1 1 2".
std::string numbers_text(const HiveNumbers& numbers) {
    std::vector<std::string> out;
    out.reserve(numbers.size());
    for (const auto value : numbers) {
        out.push_back(number(value));
    }
    return join(out, " ");
}

// The files xgmi_num_hops and xgmi_num_links of a GPU.
struct HiveRow {
    HiveNumbers hops;
    HiveNumbers links;
};

constexpr std::uint64_t weight_of_hop = 15;
constexpr std::size_t fewest_neighbours = 3;

// One die with the data of KFD and the firmware about the other dies.
struct HiveDie {
    std::string bdf;
    const GpuModel* model = nullptr;
    HiveNumbers hops;  // from KFD, sorted; 0: the weight is not a number of hops
    const HiveRow* files = nullptr;
};

std::optional<HiveDie> read_die(const Machine& machine, const Gpu& gpu,
                                const std::map<std::uint32_t, std::string>& owners) {
    const auto links = machine.links_of(machine.kfd().nodes[gpu.agents.front()]);
    if (!links) {
        return std::nullopt;  // stated_pairs() reports it
    }
    std::map<std::uint32_t, std::uint32_t> weights;  // lowest weight by node
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

// Returns the dies of each hive that is complete for a node of its model and has no waived die.
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

// Returns the number of neighbours of a die; std::nullopt if this source does not state it.
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

// Adds a clause to the finding of a die; the first clause creates the finding.
void add_clause(const std::string& bdf, const std::string& expected, const std::string& have,
                const std::string& clause, std::map<std::string, Assessment>& out) {
    const auto [found, is_new] = out.emplace(bdf, Assessment());
    if (is_new) {
        found->second = compared({bdf, std::nullopt, ""}, expected, have);
    }
    found->second.detail += (is_new ? "" : "; ") + clause;
}

void compare_neighbours(const std::vector<HiveDie>& dies, std::map<std::string, Assessment>& out) {
    using Numbers = std::pair<std::size_t, std::size_t>;  // numbers of the die and of most dies
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

// Compares the sources. A link that changed after the driver was loaded shows in the file, while
// KFD keeps the old weight.
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

// Returns a finding for each die of a module (MI250, MI250X) with fewer direct neighbours than at
// least three quarters of the dies of its complete hive. Also for each die whose hops in KFD differ
// from those in `files` (by address, only dies with readable files). Hives whose dies differ by
// design, or that lack a die, have no such majority.
std::vector<Assessment> outlier_neighbours(const Context& context,
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

// Returns the numbers of one file, sorted, without the GPU's own: in a full mesh they are equal on
// all GPUs.
Result<HiveNumbers> read_row(const Fs& fs, const std::string& path, std::uint64_t bits) {
    const auto text = fs.read(path);
    if (!text) {
        return text.error();
    }
    HiveNumbers numbers;
    for (const auto word : words(trim(*text))) {
        const auto value = word.size() == 2 ? parse_number(word, 16) : std::nullopt;
        if (!value) {
            return garbled(path, "is not a valid list of numbers: " + quoted_value(trim(*text)));
        }
        numbers.push_back(*value & bits);
    }
    if (numbers.empty()) {
        return garbled(path, "the file is empty");
    }
    std::sort(numbers.begin(), numbers.end());
    numbers.erase(numbers.begin());  // its own entry, which is the lowest
    return numbers;
}

std::string row_text(const HiveRow& row) {
    return "hops " + numbers_text(row.hops) + ", links " + numbers_text(row.links);
}

Result<HiveRow> read_files(const Context& context, const Gpu& gpu) {
    constexpr std::uint64_t hop_bits = 0x07;
    constexpr std::uint64_t all_bits = 0xff;
    const std::string folder = pci_path(gpu.bdf);
    const auto hops = read_row(context.fs(), folder + "/xgmi_num_hops", hop_bits);
    if (!hops) {
        return hops.error();
    }
    const auto links = read_row(context.fs(), folder + "/xgmi_num_links", all_bits);
    if (!links) {
        return links.error();
    }
    return HiveRow{*hops, *links};
}

Result<std::string> read_links(const Context& context, const Gpu& gpu) {
    const auto row = read_files(context, gpu);
    return row ? Result(row_text(*row)) : row.error();
}

// Judges a GPU of a full mesh: one hop and at least one link to each other GPU. Links that are 0 to
// all are not stated: firmware before gfx90a has no such number (linux commit "drm/amdgpu: update
// xgmi num links info post gc9.4.2", 2023-11).
void judge_mesh(const HiveRow& row, Assessment& answer) {
    const bool far =
        std::any_of(row.hops.begin(), row.hops.end(), [](std::uint64_t hops) { return hops > 1; });
    const bool stated = std::any_of(row.links.begin(), row.links.end(),
                                    [](std::uint64_t links) { return links > 0; });
    const bool lacks = std::find(row.links.begin(), row.links.end(), 0U) != row.links.end();
    if (far || (stated && lacks)) {
        answer.outcome = Outcome::differs;
        answer.detail =
            far ? "the hive of this GPU is a full mesh, but another GPU is more than one hop away"
                : "the hive of this GPU is a full mesh, but this GPU has no link to one of the "
                  "others";
        answer.expected = "hops 1, links 1";
    }
}

// Judges a die of a module by its links: four to the other die, one or two to dies of other
// modules, none stated for more distant dies.
void judge_die(const HiveRow& row, std::size_t dies, Assessment& answer) {
    answer.have = row_text(row);
    answer.expected = answer.have;
    answer.outcome = Outcome::ok;
    answer.detail.clear();
    answer.next_step.clear();
    const bool stated = std::any_of(row.links.begin(), row.links.end(),
                                    [](std::uint64_t links) { return links > 0; });
    const std::string fault = stated ? module_fault(row.links, dies) : "";
    if (!fault.empty()) {
        answer.outcome = Outcome::differs;
        answer.expected = "links 4";
        answer.detail = fault;
    }
}

Assessment* row_of(std::vector<Assessment>& rows, const std::string& bdf) {
    const auto row = std::find_if(rows.begin(), rows.end(),
                                  [&](const Assessment& one) { return one.target.base == bdf; });
    return row == rows.end() ? nullptr : &*row;
}

// Judges each GPU's files by its model. Returns the files of dies of modules.
std::map<std::string, HiveRow> judge_by_model(const Context& context,
                                              std::vector<Assessment>& rows) {
    std::map<std::string, HiveRow> files_of_dies;
    const auto gpus = gpu_values(context, read_links).values;
    std::size_t dies = 0;
    for (const auto& each : gpus) {
        dies += is_die(*each.gpu) ? 1U : 0U;
    }
    for (const auto& each : gpus) {
        const GpuModel* model = gpu_model(each.gpu->device);
        const auto files = each.value ? read_files(context, *each.gpu) : Result(HiveRow{});
        if (model == nullptr || !each.value || !files) {
            continue;
        }
        Assessment* row = row_of(rows, each.device);
        if (is_die(*each.gpu) && row == nullptr) {
            rows.emplace_back();
            row = &rows.back();
            row->target = {each.device, std::nullopt, ""};
        }
        if (is_die(*each.gpu)) {
            judge_die(*files, dies, *row);
            files_of_dies.emplace(each.device, *files);
        } else if (row != nullptr && row->outcome == Outcome::ok && model->mesh == Mesh::full) {
            judge_mesh(*files, *row);
        }
    }
    return files_of_dies;
}

// Adds findings of other sources. A GPU has one finding, and the data of its files come first.
void add_findings_of_links(std::vector<Assessment> found, std::vector<Assessment>& rows) {
    for (auto& outlier : found) {
        Assessment* row = row_of(rows, outlier.target.base);
        if (row == nullptr) {
            rows.push_back(std::move(outlier));
        } else if (row->outcome != Outcome::differs) {
            *row = std::move(outlier);
        } else {
            row->detail += (row->detail.empty() ? "" : "; ") + outlier.detail;
        }
    }
    const bool any = std::any_of(rows.begin(), rows.end(), [](const Assessment& row) {
        return row.target.text() != Target().text();
    });
    if (any) {  // the row "there is none" is no longer true
        std::erase_if(rows, [](const Assessment& row) {
            return row.outcome == Outcome::na && row.target.text() == Target().text();
        });
    }
}

std::vector<Assessment> assess_links(const Setting& setting, const Context& context,
                                     const Expectation& expectation) {
    auto rows = assess_gpu_value(setting, context, expectation);
    const auto files = judge_by_model(context, rows);
    add_findings_of_links(outlier_neighbours(context, files), rows);
    add_findings_of_links(outlier_bandwidths(context), rows);
    return rows;
}

}  // namespace

const Setting& gpu_xgmi_links() {
    static const GpuValue value{
        .read = read_links,
        .rules = {.absent = "the driver does not report the links of this GPU"}};
    static const auto setting = [] {
        auto out = gpu_value_setting(
            {
                .id = "gpu.xgmi_links",
                .summary = "Hops and links between each pair of GPUs, as the firmware reports them",
                .why = "A pair of GPUs with fewer links than the other pairs is slower, even at "
                       "one hop",
                .source =
                    "linux drivers/gpu/drm/amd/amdgpu/amdgpu_xgmi.c, 6.12 (2024-11); Frontier "
                    "User Guide, docs.olcf.ornl.gov, 2026",
                .target = "physical GPU",
                .read_from = "xgmi_num_hops and xgmi_num_links of the GPU's PCI function; "
                             "/sys/class/kfd/kfd/topology/nodes/*/io_links/*/properties",
                .set_by = "",
                .next_step = "sudo amd-smi xgmi; sudo dmesg | grep -i xgmi; if no job uses a "
                             "GPU of this node: sudo amd-smi reset --gpu BDF --gpureset; if the "
                             "reset changes "
                             "nothing, reseat the GPU",
                .persist = "persistent (trained at boot)",
                .risk_note = "",
                .over_cluster = OverCluster::equal,
                .forms = {{.kind = FormKind::word, .words = {"equal"}}},
                .grades = xgmi_bandwidth_grades,
            },
            value);
        out.assess = assess_links;
        return out;
    }();
    return setting;
}

}  // namespace rocenv
