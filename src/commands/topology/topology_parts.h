// SPDX-License-Identifier: MIT
// The pieces read_topology() puts together.
#pragma once

#include "commands/topology/topology.h"

namespace rocenv {

// Return std::nullopt if it is unknown.
std::optional<std::string> device_id_of(const Gpu& gpu);
std::optional<std::string> model_name_of(const Gpu& gpu);

// Returns where a function is, without its link.
PciEnd read_pci_place(const Machine& machine, const std::string& bdf);

// What could not be read is added to `notes`. A suspended function's link is not looked at.
PciEnd read_pci_end(const Machine& machine, const std::string& bdf,
                    std::vector<std::string>& notes);

// Fills `links` from KFD: between GPUs, between GPUs and CPUs, between CPUs.
void read_links(const Machine& machine, Topology& topology);

// Fills `missing`: no more than the start of a GPU's configuration space is read.
void read_missing(const Machine& machine, Topology& topology);

// Fills `nics`, and of each GPU how near they are.
void read_nics(const Machine& machine, Topology& topology);

}  // namespace rocenv
