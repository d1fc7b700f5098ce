// SPDX-License-Identifier: MIT
#include <algorithm>

#include "commands/topology/rocminfo.h"
#include "machine/gpu/driver.h"
#include "machine/gpu/gpu_models.h"
#include "machine/host/cpus.h"
#include "util/text.h"

namespace rocenv {

namespace {

const Gpu* gpu_of(const Machine& machine, std::size_t node) {
    for (const auto& gpu : machine.gpus()) {
        if (std::find(gpu.agents.begin(), gpu.agents.end(), node) != gpu.agents.end()) {
            return &gpu;
        }
    }
    return nullptr;
}

std::optional<std::string> name_of(const Machine& machine, std::size_t node) {
    const Gpu* gpu = gpu_of(machine, node);
    if (gpu == nullptr) {
        return std::nullopt;
    }
    auto name = marketing_name(gpu->device, pci_revision(machine.fs(), gpu->bdf));
    name = name.empty() ? gpu_name(gpu->device) : name;
    return name.empty() ? std::nullopt : std::optional(std::string(name));
}

template <class T>
T value_or_note(Result<T> result, HsaSystem& system) {
    if (!result) {
        system.notes.push_back(result.error().text);
        return {};
    }
    return std::move(result).value();
}

HsaAgent agent_of(const Machine& machine, std::size_t at, HsaSystem& system) {
    const KfdNode& node = machine.kfd().nodes[at];
    HsaAgent agent;
    agent.node = &node;
    agent.gpu = node.is_gpu();
    if (agent.gpu) {
        agent.name = gfx_name(node.get("gfx_target_version"));
        agent.marketing_name = name_of(machine, at);
        agent.caches = value_or_note(machine.cache_ends(node), system);
        agent.memory_bytes =
            value_or_note(machine.bank_bytes(node, {heap_vram_public, heap_vram_private}), system);
    } else {
        agent.marketing_name = cpu_model(machine.fs());
        agent.name = agent.marketing_name.value_or("");
        agent.memory_bytes = value_or_note(machine.bank_bytes(node, {heap_system}), system);
    }
    return agent;
}

}  // namespace

HsaSystem read_hsa_system(const Machine& machine) {
    HsaSystem system;
    const Kfd& kfd = machine.kfd();
    system.driver_loaded = kfd.present;
    system.driver_version = driver_version(machine.fs());
    if (kfd.error) {
        system.notes.push_back(kfd.error->text);
    }
    for (std::size_t at = 0; at < kfd.nodes.size(); ++at) {
        if (kfd.nodes[at].error) {
            system.notes.push_back(kfd.nodes[at].error->text);
        } else if (!kfd.nodes[at].hidden) {
            system.agents.push_back(agent_of(machine, at, system));
        }
    }
    return system;
}

}  // namespace rocenv
