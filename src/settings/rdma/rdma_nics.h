// SPDX-License-Identifier: MIT
// PCI functions that are RDMA NICs whatever their driver says, and which of those with an RDMA
// device carry training. Where most GPUs have a NIC beside them, training goes over the NICs there
// and over those of the same models; another model elsewhere serves the host's own network or its
// storage.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "rocenv/machine.h"

namespace rocenv {

constexpr std::uint32_t network_class = 0x02;  // of PCI

// By its id, or as an InfiniBand controller. Virtual functions are some, too.
bool is_rdma_nic(const PciFunction& function);

// Why the lack of any RDMA device is no proof that there is no NIC; nothing: none is to be seen.
std::optional<Error> lost_nic(const Machine& machine);

// Network functions whose driver could make an RDMA device: "0000:06:00.0 (15b3:101d, mlx5_core)".
std::vector<std::string> nics_without_rdma(const Machine& machine);

// Returns what the functions of one card have in common: the address without its last part.
std::string card_of(const std::string& bdf);

// "8086:1572" of a function: functions of one id are alike.
std::string kind_of_nic(const Machine& machine, const std::string& bdf);

// Returns those of `nics` that stand beside a GPU: under the same port of the root, or where fewer
// than half of the GPUs have one there, at the same root; none where fewer than half have one.
std::set<std::string> nics_beside_gpus(const Machine& machine, const std::set<std::string>& nics);

// A port of the root with fewer cards beside its GPUs than other such ports have.
struct NicGap {
    std::vector<std::string> gpus;  // under it
    std::size_t cards = 0;
    std::size_t usual = 0;   // what most have
    std::size_t groups = 0;  // how many have that
};

// Returns those gaps. Only ports with as many GPUs are compared, three or more that agree and are
// more than half: a design that gives GPUs unlike numbers of NICs has none.
std::vector<NicGap> gaps_beside_gpus(const Machine& machine, const std::set<std::string>& nics);

// Returns those of `nics` that serve something else than training; none where the places of NICs
// and GPUs do not tell.
std::set<std::string> nics_of_the_host(const Machine& machine, const std::set<std::string>& nics);

// Returns the bonds that interfaces of a function belong to (linux net/core/dev.c
// netdev_adjacent_sysfs_add, 6.12: the link "master").
Result<std::set<std::string>> bonds_of(const Machine& machine, const std::string& bdf);

}  // namespace rocenv
