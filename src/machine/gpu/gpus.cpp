// SPDX-License-Identifier: MIT
// Physical GPUs: PCI functions of AMD joined with KFD's nodes by address.
#include <algorithm>

#include "machine/gpu/gpu_models.h"
#include "machine/sources.h"
#include "rocenv/machine.h"
#include "util/text.h"

namespace rocenv {

namespace {

constexpr std::uint32_t class_display = 0x03;
constexpr std::uint32_t class_accelerator = 0x12;

void find_driver(const Fs& fs, Gpu& gpu) {
    const auto target = fs.link(pci_path(gpu.bdf, "/driver"));
    if (target) {
        gpu.driver = target->substr(target->rfind('/') + 1);
    } else if (!target.is(ErrorKind::not_here)) {
        gpu.driver_unread = target.error();
    }
}

// A virtual function that this host split off a GPU for a guest: it is not one more GPU here.
bool is_for_guests(const Fs& fs, const std::string& bdf) {
    return fs.link(pci_path(bdf, "/physfn")).ok();
}

Gpu from_pci(const Fs& fs, const PciFunction& function) {
    Gpu gpu;
    gpu.bdf = function.bdf;
    gpu.device = function.device;
    gpu.on_pci = true;
    gpu.accelerator =
        function.class_code >> 16 == class_accelerator || !gpu_name(function.device).empty();
    find_driver(fs, gpu);
    return gpu;
}

std::vector<Gpu> all_from_pci(const Fs& fs, const std::vector<PciFunction>& functions) {
    std::vector<Gpu> gpus;
    for (const auto& function : functions) {
        if (function.is_amd_gpu() && !is_for_guests(fs, function.bdf)) {
            gpus.push_back(from_pci(fs, function));
        }
    }
    return gpus;
}

Gpu& gpu_of(std::vector<Gpu>& gpus, const KfdNode& node) {
    const auto address = kfd_address(node);
    for (const auto& bdf : {address.exact, address.primary}) {
        for (auto& gpu : gpus) {
            if (gpu.bdf == bdf) {
                return gpu;
            }
        }
    }
    Gpu gpu;
    gpu.bdf = address.primary;
    gpu.device = static_cast<std::uint32_t>(node.get("device_id"));
    gpu.accelerator = true;
    return gpus.emplace_back(std::move(gpu));
}

}  // namespace

bool PciFunction::is_amd_gpu() const {
    const std::uint32_t base = class_code >> 16;
    return !error && vendor == amd_vendor && (base == class_display || base == class_accelerator);
}

std::optional<Error> Machine::kfd_uncertain() const {
    if (kfd().error) {
        return kfd().error;
    }
    for (const auto& node : kfd().nodes) {
        if (node.error) {
            return node.error;
        }
    }
    return std::nullopt;
}

std::optional<Error> Machine::gpus_uncertain() const {
    if (gpus_from_ == GpusFrom::kfd) {
        return kfd_uncertain();
    }
    if (!pci()) {
        return lost(*this, Source::pci);
    }
    for (const auto& function : *pci()) {
        if (function.error) {
            return *function.error;
        }
    }
    return std::nullopt;
}

const std::vector<Gpu>& Machine::gpus() const {
    if (gpus_) {
        return *gpus_;
    }
    std::vector<Gpu> gpus =
        gpus_from_ == GpusFrom::kfd || !pci() ? std::vector<Gpu>() : all_from_pci(fs_, *pci());
    const auto& nodes = kfd().nodes;
    for (std::size_t at = 0; at < nodes.size(); ++at) {
        if (nodes[at].is_gpu()) {
            gpu_of(gpus, nodes[at]).agents.push_back(at);
        }
    }
    for (auto& gpu : gpus) {
        // The graphics of a processor are in KFD's list, too.
        gpu.accelerator =
            gpu.accelerator && (gpus_from_ != GpusFrom::kfd || !gpu_name(gpu.device).empty());
        std::stable_sort(gpu.agents.begin(), gpu.agents.end(), [&](std::size_t a, std::size_t b) {
            return kfd_address(nodes[a]).partition < kfd_address(nodes[b]).partition;
        });
    }
    std::sort(gpus.begin(), gpus.end(), [](const Gpu& a, const Gpu& b) { return a.bdf < b.bdf; });
    return gpus_.emplace(std::move(gpus));
}

}  // namespace rocenv
