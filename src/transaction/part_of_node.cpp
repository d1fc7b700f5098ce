// SPDX-License-Identifier: MIT
#include "transaction/part_of_node.h"

#include <algorithm>

#include "profile/request.h"
#include "settings/shapes/device_access.h"
#include "util/text.h"

namespace rocenv {

namespace {

bool is_of_gpus(std::string_view id) {
    return id.starts_with("gpu.") || id.starts_with("pci.");
}

Error no_gpu(const std::string& word, std::size_t count) {
    return {ErrorKind::bad_input, 0, "",
            "--gpu " + printable(word) + " does not name a GPU of this node, which has " +
                number(count) + (count == 1 ? " GPU device" : " GPU devices")};
}

// Adds the GPUs that one word of the list names: "3", "0-3" or "0000:05:00.0".
std::optional<Error> add_word(const std::string& word, const std::vector<GpuAgent>& agents,
                              const Machine& machine, std::set<std::string>& out) {
    const auto& gpus = machine.gpus();
    const auto by_address =
        std::find_if(gpus.begin(), gpus.end(), [&](const Gpu& gpu) { return gpu.bdf == word; });
    if (by_address != gpus.end()) {
        out.insert(word);
        return std::nullopt;
    }
    const auto dash = word.find('-');
    const auto first = parse_number(word.substr(0, dash));
    const auto last = dash == std::string::npos ? first : parse_number(word.substr(dash + 1));
    if (!first || !last || *first > *last || *last >= agents.size()) {
        return no_gpu(word, agents.size());
    }
    for (auto at = *first; at <= *last; ++at) {
        out.insert(agents[at].gpu->bdf);
    }
    return std::nullopt;
}

Result<std::set<std::string>> listed(const std::string& list, const Machine& machine) {
    const auto agents = gpu_agents(machine);
    std::set<std::string> out;
    for (const auto word : split(list, ',')) {
        if (auto error = add_word(std::string(trim(word)), agents, machine, out)) {
            return *std::move(error);
        }
    }
    return out;
}

std::set<std::string> visible(const Context& context) {
    std::set<std::string> out;
    const auto view = device_view(context);
    for (const auto at : view.seen) {
        out.insert(view.agents[at].gpu->bdf);
    }
    return out;
}

// Returns the GPUs themselves and each bridge above them that leads to no other GPU.
std::set<std::string> own_functions(const std::set<std::string>& gpus, const Machine& machine) {
    std::set<std::string> out = gpus;
    std::set<std::string> shared;
    for (const auto& gpu : machine.gpus()) {
        const auto above = machine.bridges_above(gpu.bdf);
        for (const auto& bridge : above ? *above : std::vector<std::string>()) {
            (gpus.contains(gpu.bdf) ? out : shared).insert(bridge);
        }
    }
    std::erase_if(out, [&](const std::string& bdf) { return shared.contains(bdf); });
    return out;
}

// Returns true if a row belongs to a device outside the part, or to the whole node.
bool is_outside(const PartOfNode& part, const Judged& judged, const Assessment& row,
                const std::vector<std::string>& allow) {
    const std::string& id = judged.expectation.id;
    if (is_of_gpus(id)) {
        const bool of_device = row.target.base.find(':') != std::string::npos;
        return of_device && !part.functions.contains(row.target.base);
    }
    const bool allowed = !allow.empty() && selected(id, allow, {});
    return part.asked && row.change && !allowed;
}

}  // namespace

Result<std::optional<PartOfNode>> part_of_node(const std::string& gpus, const Context& context) {
    const Machine& machine = context.machine;
    if (gpus.empty() && machine.kfd().hidden() == 0) {
        return std::optional<PartOfNode>();
    }
    PartOfNode out;
    out.asked = !gpus.empty();
    out.gpus_of_node = machine.gpus().size();
    auto chosen = gpus.empty() || gpus == "visible"
                      ? Result<std::set<std::string>>(visible(context))
                      : listed(gpus, machine);
    if (!chosen) {
        return chosen.error();
    }
    if (chosen->empty() && out.asked) {
        return Error{ErrorKind::bad_input, 0, "",
                     "--gpu " + printable(gpus) + ": no GPU is visible to this process"};
    }
    out.gpus = std::move(chosen).value();
    out.functions = own_functions(out.gpus, machine);
    return std::optional(std::move(out));
}

std::string keep_part(const PartOfNode& part, const std::vector<std::string>& allow,
                      Evaluation& evaluation) {
    std::vector<std::string> of_node;
    for (auto& judged : evaluation.judged) {
        const auto removed = std::erase_if(judged.rows, [&](const Assessment& row) {
            return is_outside(part, judged, row, allow);
        });
        if (removed > 0 && !is_of_gpus(judged.expectation.id)) {
            of_node.push_back(judged.expectation.id);
        }
    }
    std::erase_if(evaluation.judged, [](const Judged& judged) { return judged.rows.empty(); });
    return "only " + number(part.gpus.size()) + " of " + number(part.gpus_of_node) +
           " GPUs and their own PCI path" +
           (of_node.empty() ? "" : "; not set with --gpu: " + join(of_node, ", "));
}

std::optional<std::string> reason_to_spare_others(const std::optional<PartOfNode>& part,
                                                  const std::string& id) {
    if (!part || part->asked || is_of_gpus(id)) {
        return std::nullopt;
    }
    return "this job sees " + number(part->gpus.size()) + " of " + number(part->gpus_of_node) +
           " GPUs, and this changes the whole node";
}

}  // namespace rocenv
