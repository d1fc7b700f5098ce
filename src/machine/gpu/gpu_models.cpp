// SPDX-License-Identifier: MIT
#include "machine/gpu/gpu_models.h"

#include <algorithm>

#include "util/text.h"

namespace rocenv {

namespace {

constexpr GpuId gpu_ids[] = {
#include "facts/gpu_ids.inc"
};
constexpr GpuModel models[] = {
#include "facts/gpu_models.inc"
};
constexpr GpuArchitecture architectures[] = {
#include "facts/gpu_architectures.inc"
};
constexpr GpuId others[] = {
#include "facts/other_cards.inc"
};

}  // namespace

std::span<const GpuModel> gpu_models() {
    return models;
}

std::span<const GpuArchitecture> gpu_architectures() {
    return architectures;
}

const GpuModel* gpu_model(std::uint32_t device) {
    for (const auto& model : models) {
        for (const auto& id : model.ids) {
            if (id.device == device) {
                return &model;
            }
        }
    }
    return nullptr;
}

bool GpuModel::states(std::string_view field) const {
    const auto fields = words(unverified);
    return std::find(fields.begin(), fields.end(), field) == fields.end();
}

bool is_apu(std::uint32_t device) {
    const GpuModel* model = gpu_model(device);
    return model != nullptr && model->name == "MI300A";
}

std::string_view gpu_name(std::uint32_t device) {
    const GpuModel* model = gpu_model(device);
    if (model == nullptr) {
        return {};
    }
    return std::find_if(model->ids.begin(), model->ids.end(),
                        [&](const GpuId& id) { return id.device == device; })
        ->name;
}

std::string devices_told(std::size_t count, std::uint32_t device, const std::string& name) {
    const GpuModel* model = gpu_model(device);
    const std::size_t dies = model == nullptr ? 1 : model->devices;
    if (dies == 1) {
        return number(count) + " x " + name;
    }
    const std::string told = counted(count, "die");
    return count % dies == 0 ? number(count / dies) + " x " + name + ", " + told
                             : told + " of " + name;
}

std::string_view marketing_name(std::uint32_t device, std::optional<std::uint32_t> revision) {
    std::string_view found;
    bool several = false;
    const auto look = [&](const GpuId& id) {
        if (id.device == device && id.revision && (!revision || *id.revision == *revision)) {
            several = several || (!found.empty() && found != id.name);
            found = id.name;
        }
    };
    for (const auto& model : models) {
        std::for_each(model.ids.begin(), model.ids.end(), look);
    }
    std::for_each(std::begin(others), std::end(others), look);
    return several ? std::string_view() : found;
}

}  // namespace rocenv
