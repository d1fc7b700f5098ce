// SPDX-License-Identifier: MIT
#include "commands/topology/topo_picture.h"

#include <algorithm>

#include "commands/topology/topo_kinds.h"
#include "util/text.h"

namespace rocenv {

namespace {

using Device = Picture::Device;
using Group = Picture::Group;
using Column = Picture::Column;

constexpr double picture_margin = 32;
constexpr double device_width = 112;
constexpr double device_height = 100;
constexpr double device_gap = 12;
constexpr double group_gap = 24;
constexpr double column_gap = 40;
constexpr double narrowest_column = 290;
constexpr double narrowest_picture = 860;
constexpr double package_title = 30;
constexpr double package_padding = 12;
constexpr double node_height = 74;
constexpr double to_switch = 46;
constexpr double switch_height = 30;
constexpr double to_device = 34;
constexpr std::size_t widest_name = 13;  // characters

void add_link_lines(Device& device) {
    if (device.pci->slow()) {
        PciEnd most = *device.pci;
        most.link = most.link_max;
        PciEnd now = *device.pci;
        now.link_max = now.link;
        device.lines.push_back("! " + link_short(now));
        device.lines.push_back("of " + link_short(most));
    } else if (device.pci->link) {
        device.lines.push_back(link_short(*device.pci));
    }
}

Device device_of(const Topology& topology, std::size_t at) {
    const PhysicalGpu& gpu = topology.physical[at];
    Device device;
    device.pci = &gpu.pci;
    device.gpu = at;
    device.lines = {"GPU " + agents_text(topology, gpu.agents), gpu.pci.bdf};
    add_link_lines(device);
    if (gpu.agents.size() > 1) {
        device.lines.push_back(counted(gpu.agents.size(), "partition"));
    }
    return device;
}

Device device_of(const MissingGpu& gpu) {
    Device device;
    device.pci = &gpu.pci;
    device.missing = true;
    device.lines = {"GPU -", gpu.pci.bdf, cut_text("! " + gpu.code, widest_name)};
    if (gpu.slot) {
        device.lines.push_back(cut_text("slot " + *gpu.slot, widest_name));
    }
    return device;
}

Device device_of(const Nic& nic) {
    Device device;
    device.pci = &nic.pci;
    device.lines = {cut_text(nic.name, widest_name), nic.pci.bdf};
    add_link_lines(device);
    return device;
}

bool same_root_port(const Device& left, const Device& right) {
    return !left.pci->bridges.empty() && !right.pci->bridges.empty() &&
           left.pci->bridges.front() == right.pci->bridges.front();
}

std::vector<Group> groups_of(std::vector<Device> devices) {
    std::vector<Group> groups;
    for (auto& device : devices) {
        const auto home = std::find_if(groups.begin(), groups.end(), [&](const Group& group) {
            return same_root_port(group.devices[0], device);
        });
        if (home == groups.end()) {
            groups.emplace_back().devices.push_back(std::move(device));
        } else {
            home->devices.push_back(std::move(device));
        }
    }
    for (auto& group : groups) {
        if (group.devices.size() > 1) {
            const auto& bridges = group.devices[0].pci->bridges;
            group.switch_name = "PCIe switch " + (bridges.size() > 1 ? bridges[1] : bridges[0]);
        }
    }
    return groups;
}

double width_of(const std::vector<Device>& devices) {
    const auto count = static_cast<double>(devices.size());
    return std::max(0.0, count * (device_width + device_gap) - device_gap);
}

double width_of(const Column& column) {
    double width = -group_gap;
    for (const auto& group : column.groups) {
        width += width_of(group.devices) + group_gap;
    }
    return std::max(width, narrowest_column);
}

// Devices whose NUMA node is `node`; nothing: those of no node in the list.
std::vector<Device> devices_on(const Topology& topology, const NumaNode* node) {
    const auto belongs = [&](const PciEnd& pci) {
        if (node != nullptr) {
            return pci.numa_node == node->node;
        }
        const auto& numa =
            topology.cpu_topology ? topology.cpu_topology->numa : std::vector<NumaNode>();
        return std::none_of(numa.begin(), numa.end(),
                            [&](const NumaNode& one) { return pci.numa_node == one.node; });
    };
    std::vector<Device> devices;
    for (std::size_t at = 0; at < topology.physical.size(); ++at) {
        if (belongs(topology.physical[at].pci)) {
            devices.push_back(device_of(topology, at));
        }
    }
    for (const auto& gpu : topology.missing) {
        if (belongs(gpu.pci)) {
            devices.push_back(device_of(gpu));
        }
    }
    for (const auto& nic : topology.nics) {
        if (belongs(nic.pci)) {
            devices.push_back(device_of(nic));
        }
    }
    std::sort(devices.begin(), devices.end(),
              [](const Device& a, const Device& b) { return a.pci->bdf < b.pci->bdf; });
    return devices;
}

// By package, then node; last what is on none.
std::vector<Column> columns_of(const Topology& topology) {
    std::vector<const NumaNode*> nodes;
    if (topology.cpu_topology) {
        for (const auto& node : topology.cpu_topology->numa) {
            nodes.push_back(&node);
        }
    }
    std::stable_sort(nodes.begin(), nodes.end(), [](const NumaNode* a, const NumaNode* b) {
        return a->package.value_or(UINT32_MAX) < b->package.value_or(UINT32_MAX);
    });
    nodes.push_back(nullptr);
    std::vector<Column> columns;
    for (const auto* node : nodes) {
        Column column;
        column.node = node;
        column.groups = groups_of(devices_on(topology, node));
        if (node != nullptr || !column.groups.empty()) {
            columns.push_back(std::move(column));
        }
    }
    return columns;
}

void lay_out(Column& column, double x, double width, double top) {
    column.box = {x, top + package_title, width, node_height};
    const double switch_top = column.box.bottom() + package_padding + to_switch;
    const double device_top = switch_top + switch_height + to_device;
    double used = -group_gap;
    for (const auto& group : column.groups) {
        used += width_of(group.devices) + group_gap;
    }
    double at = x + (width - used) / 2;
    for (auto& group : column.groups) {
        group.x = at;
        group.width = width_of(group.devices);
        group.box = {at, switch_top, group.width, switch_height};
        for (auto& device : group.devices) {
            device.box = {at, device_top, device_width, device_height};
            at += device_width + device_gap;
        }
        at += group_gap - device_gap;
    }
}

void frame_packages(const Topology& topology, Picture& picture, double top) {
    if (!topology.cpu_topology) {
        return;
    }
    for (const auto& package : topology.cpu_topology->packages) {
        std::optional<SvgBox> box;
        for (const auto& column : picture.columns) {
            if (column.node != nullptr && column.node->package == package.id) {
                const double left = box ? box->x : column.box.x - package_padding;
                box = SvgBox{left, top, column.box.right() + package_padding - left,
                             package_title + node_height + package_padding};
            }
        }
        if (box) {
            picture.packages.push_back({*box, "Package " + number(package.id) + ": " +
                                                  counted(package.cores, "core") + ", " +
                                                  counted(package.cpus.size(), "thread")});
        }
    }
}

}  // namespace

Picture arrange(const Topology& topology, double top) {
    Picture picture;
    picture.columns = columns_of(topology);
    double needed = 2 * picture_margin - column_gap;
    for (const auto& column : picture.columns) {
        needed += width_of(column) + column_gap;
    }
    picture.width = std::max(needed, narrowest_picture);
    double x = picture_margin + (picture.width - needed) / 2;
    for (auto& column : picture.columns) {
        const double width = width_of(column);
        lay_out(column, x, width, top);
        x += width + column_gap;
    }
    frame_packages(topology, picture, top);
    picture.devices_bottom = top + package_title + node_height + package_padding + to_switch +
                             switch_height + to_device + device_height;
    return picture;
}

}  // namespace rocenv
