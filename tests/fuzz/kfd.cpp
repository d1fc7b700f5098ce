// SPDX-License-Identifier: MIT
// A node of KFD's topology with a link, a memory bank and caches: its properties, written down, are
// read as the same.
#include <algorithm>

#include "fuzz/fuzz.h"
#include "os/fs/memory_fs.h"
#include "rocenv/machine.h"
#include "util/text.h"

namespace rocenv::fuzz {

namespace kfd_fuzz {

namespace {

const std::string topology = "/sys/class/kfd/kfd/topology";
const std::string folder = topology + "/nodes/1/";

std::string text_of(const KfdNode& node) {
    std::string text;
    for (const auto& [key, value] : node.properties.lines()) {
        text += std::string(key) + " " + number(value) + "\n";
    }
    return text;
}

void check_node(const KfdNode& node) {
    MemoryFs fs;
    fs.add_file(folder + "properties", text_of(node));
    const Machine machine(fs);
    const auto& again = machine.kfd().nodes;
    demand(again.size() == 1 && !again[0].error && again[0].properties == node.properties,
           "properties are read again", text_of(node));
    const auto address = kfd_address(node);
    demand(is_pci_address(address.exact) && is_pci_address(address.primary),
           "a node has an address", address.exact);
    demand(is_plain(gfx_name(node.get("gfx_target_version"))), "a name of a GPU is plain");
}

void check_members(const Machine& machine, const KfdNode& node) {
    if (const auto links = machine.links_of(node); !links) {
        demand_message(links.error());
    } else {
        demand(std::is_sorted(links->begin(), links->end(),
                              [](const auto& a, const auto& b) { return a.to < b.to; }),
               "links are in order");
    }
    for (const std::uint64_t heap : {heap_system, heap_vram_public, heap_vram_private}) {
        const auto one = machine.bank_bytes(node, {heap});
        const auto all =
            machine.bank_bytes(node, {heap_system, heap_vram_public, heap_vram_private});
        demand(one.ok() == all.ok(), "a bank is read or not");
        demand(!one || !*one || (*all && **all >= **one), "no bank is more than all of them");
    }
    if (const auto caches = machine.cache_ends(node); !caches) {
        demand_message(caches.error());
    } else {
        demand(caches->size() <= 3, "the first cache and the last two");
    }
    (void)machine.memory_clock(node);
}

}  // namespace

}  // namespace kfd_fuzz

void fuzz_kfd(std::string_view bytes) {
    using namespace kfd_fuzz;
    const auto files = files_in(bytes, 6);
    MemoryFs fs;
    fs.add_file(topology + "/generation_id", "1\n");
    fs.add_file(folder + "properties", files[0]);
    fs.add_file(folder + "io_links/0/properties", files[1]);
    fs.add_file(folder + "mem_banks/0/properties", files[2]);
    fs.add_file(folder + "mem_banks/1/properties", files[3]);
    fs.add_file(folder + "caches/0/properties", files[4]);
    fs.add_file(folder + "caches/1/properties", files[5]);
    const Machine machine(fs);
    demand(machine.kfd().nodes.size() == 1, "there is one node");
    const auto& node = machine.kfd().nodes[0];
    if (node.error) {
        return demand_message(*node.error);
    }
    check_node(node);
    check_members(machine, node);
    for (const auto& gpu : machine.gpus()) {
        demand(is_pci_address(gpu.bdf), "a GPU has an address", gpu.bdf);
    }
}

}  // namespace rocenv::fuzz
