// SPDX-License-Identifier: MIT
// Devices near each GPU: gpu.nic and gpu.numa.

#include <algorithm>
#include <functional>
#include <map>
#include <set>

#include "machine/host/cpus.h"
#include "os/redact/redact_words.h"
#include "settings/rdma/inventory.h"
#include "settings/safety.h"
#include "settings/shapes/devices.h"
#include "util/text.h"

namespace rocenv {

// gpu.nic: each GPU has its own RDMA NIC nearby: under the same PCI root (which includes the same
// switch) or, if a GPU's root has none, in the same NUMA node. If a design has fewer cards than
// GPUs, the GPUs share the cards evenly. A card whose ports are all off or lost is still part of
// the design.

namespace {

struct NicEnd {
    std::string bdf;
    std::string root;
    std::string numa;  // empty: unknown
};

Result<NicEnd> end_of(const Machine& machine, const std::string& bdf) {
    const auto place = machine.place_of(bdf);
    if (!place) {
        return place.error();
    }
    const auto numa = read_line(machine.fs(), pci_path(bdf, "/numa_node"));
    if (!numa && !numa.is(ErrorKind::not_here)) {
        return numa.error();
    }
    const bool stated = numa && parse_number(*numa).has_value();
    const auto domain = bdf.substr(0, bdf.find(':'));
    return NicEnd{bdf, place->root.empty() ? "" : domain + place->root, stated ? *numa : ""};
}

Result<std::vector<NicEnd>> ends_of(const Machine& machine, const std::vector<std::string>& all) {
    std::vector<NicEnd> out;
    for (const auto& bdf : all) {
        auto end = end_of(machine, bdf);
        if (!end) {
            return end.error();
        }
        out.push_back(std::move(end).value());
    }
    return out;
}

// Returns the indices of the NICs near a GPU.
std::vector<std::size_t> near_to(const NicEnd& gpu, const std::vector<NicEnd>& nics) {
    std::vector<std::size_t> by_root;
    std::vector<std::size_t> by_numa;
    for (std::size_t at = 0; at < nics.size(); ++at) {
        if (!gpu.root.empty() && nics[at].root == gpu.root) {
            by_root.push_back(at);
        } else if (!gpu.numa.empty() && nics[at].numa == gpu.numa) {
            by_numa.push_back(at);
        }
    }
    return by_root.empty() ? by_numa : by_root;
}

// An assignment of a NIC to each GPU, at most `share` GPUs to one NIC (augmenting paths).
class Pairing {
   public:
    Pairing(const std::vector<NicEnd>& gpus, const std::vector<NicEnd>& nics, std::size_t share)
        : share_(share), owners_(nics.size()) {
        near_.reserve(gpus.size());
        for (const auto& gpu : gpus) {
            near_.push_back(near_to(gpu, nics));
        }
    }

    const std::vector<std::size_t>& near(std::size_t gpu) const { return near_[gpu]; }

    // Assigns a NIC. Returns true if one was found.
    bool assign(std::size_t gpu) {
        std::vector<bool> seen(owners_.size());
        return assign(gpu, seen);
    }

   private:
    bool assign(std::size_t gpu, std::vector<bool>& seen) {
        for (const auto nic : near_[gpu]) {
            if (!seen[nic]) {
                seen[nic] = true;
                if (take(gpu, nic, seen)) {
                    return true;
                }
            }
        }
        return false;
    }

    bool take(std::size_t gpu, std::size_t nic, std::vector<bool>& seen) {
        auto& owners = owners_[nic];
        if (owners.size() < share_) {
            owners.push_back(gpu);
            return true;
        }
        for (std::size_t at = 0; at < owners.size(); ++at) {
            if (assign(owners[at], seen)) {
                owners_[nic][at] = gpu;
                return true;
            }
        }
        return false;
    }

    std::size_t share_;
    std::vector<std::vector<std::size_t>> near_;
    std::vector<std::vector<std::size_t>> owners_;
};

// The next step for a GPU whose NIC does not train: the slots may be correct.
constexpr const char* bring_up_ports =
    "rdma link show; if the port beside the GPU is down, bring it up";

Assessment judge_gpu(const NicEnd& gpu, const std::vector<NicEnd>& nics, std::size_t at,
                     Pairing& pairing) {
    const bool found = pairing.assign(at);
    auto row = compared({gpu.bdf, std::nullopt, ""}, "near", found ? "near" : "far");
    if (!found) {
        std::vector<std::string> others;
        for (const auto nic : pairing.near(at)) {
            others.push_back(nics[nic].bdf);
        }
        row.detail = others.empty()
                         ? "no RDMA NIC is under the PCI root of this GPU or in its NUMA node"
                         : "other GPUs need the NICs near this GPU: " + join(others, ", ");
    }
    return row;
}

std::vector<std::string> gpu_functions(const Machine& machine) {
    std::vector<std::string> out;
    for (const auto& gpu : machine.gpus()) {
        if (is_for_compute(gpu)) {
            out.push_back(gpu.bdf);
        }
    }
    return out;
}

std::vector<std::string> nic_functions(const TrainingPorts& training) {
    std::vector<std::string> out;
    for (const auto& device : training.devices) {
        const bool trains =
            std::any_of(training.ports.begin(), training.ports.end(),
                        [&](const RdmaPort& port) { return port.device == device.name; });
        const bool known = !out.empty() && out.back() == device.bdf;
        if ((trains || !device.verbs) && !known) {
            out.push_back(device.bdf);
        }
    }
    return out;
}

// Returns the number of cards that train. Unless the process names its ports, cards with the same
// ids that do not train count as well.
std::size_t cards(const Context& context, const TrainingPorts& training) {
    const Machine& machine = context.machine;
    std::set<std::string> kinds;
    std::set<std::string> out;
    for (const auto& bdf : nic_functions(training)) {
        kinds.insert(kind_of_nic(machine, bdf));
        out.insert(card_of(bdf));
    }
    const bool named = HcaList(context.process.variable("NCCL_IB_HCA").value_or("")).names_ports();
    const auto& functions = machine.pci();
    for (const auto& function : functions && !named ? *functions : std::vector<PciFunction>()) {
        if (!function.error && function.class_code >> 16 == network_class &&
            kinds.contains(kind_of_nic(machine, function.bdf))) {
            out.insert(card_of(function.bdf));
        }
    }
    return out.size();
}

// Judges all GPUs. A NIC that could not be read may be near a GPU; a GPU without one is then
// unknown.
std::vector<Assessment> judge_all(const Machine& machine, const std::vector<std::string>& gpus,
                                  const std::vector<std::string>& nics, std::size_t cards,
                                  const std::optional<Error>& unsure) {
    const auto gpu_ends = ends_of(machine, gpus);
    const auto nic_ends = ends_of(machine, nics);
    if (!gpu_ends || !nic_ends) {
        return {unreadable({}, gpu_ends ? nic_ends.error() : gpu_ends.error(), "near")};
    }
    const std::size_t share =
        std::max<std::size_t>(1, gpus.size() / std::max<std::size_t>(1, cards));
    Pairing pairing(*gpu_ends, *nic_ends, share);
    std::vector<Assessment> rows;
    for (std::size_t at = 0; at < gpus.size(); ++at) {
        auto row = judge_gpu((*gpu_ends)[at], *nic_ends, at, pairing);
        if (row.outcome == Outcome::differs && nics.size() < cards) {
            row.next_step = bring_up_ports;
        }
        if (!unsure || row.outcome == Outcome::ok) {
            rows.push_back(std::move(row));
        }
    }
    if (unsure) {
        rows.push_back(unreadable({}, *unsure, "near"));
    }
    return rows;
}

std::vector<Assessment> assess_nic(const Setting&, const Context& context, const Expectation&) {
    if (is_guest(context.fs())) {
        return {no_target("this is a guest, and its PCI tree is not that of the host")};
    }
    const auto training = training_ports(context);
    const auto gpus = gpu_functions(context.machine);
    if (gpus.empty() && !context.machine.gpus_uncertain()) {
        return {no_target("no AMD GPU for compute is on PCI")};
    }
    if (training.devices.empty() && !training.uncertain) {
        return {no_rdma_nic(training, "near")};
    }
    const auto unsure = training.uncertain        ? training.uncertain
                        : training.unread.empty() ? context.machine.gpus_uncertain()
                                                  : training.unread.front().error;
    auto rows =
        judge_all(context.machine, gpus, nic_functions(training), cards(context, training), unsure);
    const std::size_t hidden = training.left_out_by_variable();
    for (auto& row : rows) {
        if (hidden > 0 && row.outcome == Outcome::differs) {
            row.detail += (row.detail.empty() ? "" : "; ") + std::string("NCCL_IB_HCA excludes ") +
                          number(hidden) + (hidden == 1 ? " port" : " ports");
            row.next_step = correct_hca_list;
            row.by_variable = "NCCL_IB_HCA";
        }
    }
    return rows;
}

}  // namespace

const Setting& gpu_nic() {
    static const Setting setting{
        .info =
            {
                .id = "gpu.nic",
                .summary = "Whether each GPU has its own RDMA NIC nearby",
                .why = "Traffic to a NIC under another PCI root crosses the CPU and loses up to "
                       "half of the bandwidth",
                .source = "ROCm/system-acceptance-docs docs/network/topology-mapping.md, 2026-07; "
                          "ROCm/gpu-cluster-networking docs/how-to/single-node-config.rst, 2024-10",
                .target = "physical GPU",
                .read_from = "the links in /sys/bus/pci/devices, numa_node of GPUs and NICs",
                .set_by = "",
                .next_step = "rocenv topo; if the NIC is in another slot, move it beside the GPU",
                .persist = "persistent (hardware)",
                .risk_note = "",
                .over_cluster = OverCluster::equal,
                .forms = {{.kind = FormKind::word, .words = {"near"}}},
            },
        .assess = assess_nic,
    };
    return setting;
}

// gpu.numa: the BIOS reports the NUMA node of each GPU (linux drivers/pci/pci-sysfs.c
// numa_node_show: -1 if it does not). GPUs of a guest, or of a node with one NUMA node, need none.

namespace {

constexpr std::string_view unknown_node = "-1";

Result<std::string> read_node(const Context& context, const Gpu& gpu) {
    const std::string path = pci_path(gpu.bdf, "/numa_node");
    auto text = read_line(context.fs(), path);
    const auto node = text ? parse_signed(*text) : std::nullopt;
    if (text && !node) {
        return garbled(path, "is not a valid number: " + quoted_value(*text));
    }
    return text;
}

// Returns a finding if GPUs are unevenly distributed although an even distribution is possible: the
// node of one is reported wrong, or it is in a slot of another socket.
std::optional<Assessment> uneven(const std::vector<Assessment>& rows) {
    std::map<std::string, std::size_t> counts;
    for (const auto& row : rows) {
        if (row.outcome != Outcome::ok) {
            return std::nullopt;
        }
        ++counts[row.have.value_or("")];
    }
    const bool even = std::all_of(counts.begin(), counts.end(), [&](const auto& each) {
        return each.second == counts.begin()->second;
    });
    if (counts.empty() || even || rows.size() % counts.size() != 0) {
        return std::nullopt;
    }
    std::vector<std::string> texts;
    texts.reserve(counts.size());
    for (const auto& [node, count] : counts) {
        texts.push_back(number(count) + " on node " + node);
    }
    auto row = compared({}, "as many on each", join(texts, ", "));
    row.detail = "the BIOS reports a wrong NUMA node, or a GPU is in a slot of another socket";
    return row;
}

Keeping keeping_of_numa(const Setting&, const Expectation&) {
    return {.firmware = "NUMA (ACPI SRAT)"};
}

std::vector<Assessment> assess_numa(const Setting&, const Context& context,
                                    const Expectation& expectation) {
    if (is_guest(context.fs())) {
        return {no_target("this is a guest, and its host decides the NUMA node")};
    }
    const std::string online = "/sys/devices/system/node/online";
    const auto nodes = context.fs().read(online);
    const auto lost = nodes.is(ErrorKind::not_here) ? lost_numa(context.machine) : std::nullopt;
    if (lost) {
        return {unreadable({}, *lost, *expectation.value.text())};
    }
    if (nodes.is(ErrorKind::not_here) || (nodes && trim(*nodes) == "0")) {
        return {no_target("the node has one NUMA node")};
    }
    if (!nodes) {
        return {unreadable({}, nodes.error(), *expectation.value.text())};
    }
    auto rows =
        judge_alike(gpu_values(context, read_node, true), *expectation.value.text(),
                    {.absent = "", .accepts = [](const std::string&, const std::string& have) {
                         return have != unknown_node;
                     }});
    if (auto row = uneven(rows)) {
        rows.push_back(*std::move(row));
    }
    return rows;
}

}  // namespace

const Setting& gpu_numa() {
    static const Setting setting{
        .info =
            {
                .id = "gpu.numa",
                .summary = "Whether the NUMA node of each GPU is known",
                .why = "Without the NUMA node, threads and memory are bound to the wrong socket, "
                       "and transfers slow down",
                .source = "ROCm/system-acceptance-docs docs/network/topology-mapping.md, 2026-07; "
                          "linux drivers/pci/pci-sysfs.c, 6.12",
                .target = "physical GPU",
                .read_from = "numa_node of the GPU's PCI function, /sys/devices/system/node/online",
                .set_by = "",
                .next_step = "update the BIOS, or enable ACPI SLIT and NUMA in it",
                .persist = "persistent (reported by the BIOS)",
                .risk_note = "",
                .after_reboot = true,
                .over_cluster = OverCluster::equal,
                .forms = {{.kind = FormKind::word, .words = {"known"}}},
            },
        .assess = assess_numa,
        .keeping = keeping_of_numa,
    };
    return setting;
}

}  // namespace rocenv
