// SPDX-License-Identifier: MIT
// The positions of all parts in the picture of a node.
#pragma once

#include "commands/topology/topology.h"
#include "print/svg_writer.h"

namespace rocenv {

// The picture from top to bottom: packages with their NUMA nodes, PCIe switches, GPUs and NICs,
// xGMI.
struct Picture {
    // A GPU or NIC.
    struct Device {
        SvgBox box;
        const PciEnd* pci = nullptr;
        std::optional<std::size_t> gpu;  // index into Topology::physical
        bool missing = false;  // a GPU without an agent; neither `gpu` nor `missing`: a NIC
        std::vector<std::string> lines;  // the first is its name
    };
    // Devices below one root port.
    struct Group {
        std::string switch_name;  // empty: one device, or no known switch
        SvgBox box;               // box of the switch
        std::vector<Device> devices;
        double x = 0;
        double width = 0;
    };
    // A NUMA node; without one, the devices on no known node.
    struct Column {
        const NumaNode* node = nullptr;
        SvgBox box;
        std::vector<Group> groups;
    };
    // A CPU package.
    struct Package {
        SvgBox box;
        std::string title;
    };
    std::vector<Column> columns;
    std::vector<Package> packages;
    double width = 0;
    double devices_bottom = 0;

    // Returns all groups from left to right.
    std::vector<const Group*> groups() const {
        std::vector<const Group*> found;
        for (const auto& column : columns) {
            for (const auto& group : column.groups) {
                found.push_back(&group);
            }
        }
        return found;
    }
};

// Returns the picture of a topology. `top` is the upper edge of the packages.
Picture arrange(const Topology& topology, double top);

}  // namespace rocenv
