// SPDX-License-Identifier: MIT
// A function without a link (an APU's GPU, a virtual function) says "Unknown" or has no such file
// (linux drivers/pci/pci-sysfs.c current_link_speed_show, pcie_dev_attrs_are_visible).
#include "machine/pci/pcie_path.h"

#include <algorithm>

#include "machine/pci/pci_reader.h"
#include "os/redact/redact_words.h"
#include "util/text.h"

namespace rocenv {

namespace {

constexpr std::uint64_t width_unknown = 255;  // linux include/linux/pci.h PCIE_LNK_WIDTH_UNKNOWN

std::optional<std::uint64_t> width_of(std::string_view text) {
    const auto width = parse_number(text);
    if (width == width_unknown) {
        return 0;
    }
    // A device that is gone answers all ones: 63.
    return width && *width > most_lanes ? std::nullopt : width;
}

using Parser = std::optional<std::uint64_t> (*)(std::string_view);

Result<std::uint64_t> read_part(const Fs& fs, const std::string& path, Parser parse, LinkRead how) {
    const auto text = how == LinkRead::again ? fs.read_now(path) : fs.read(path);
    if (!text) {
        return text.error();
    }
    const auto value = parse(trim(*text));
    if (!value) {
        const bool gone = trim(*text) == "63";
        return garbled(path, "is not a valid link value: " + quoted_value(trim(*text)) +
                                 (gone ? " (all ones, so the device does not respond)" : ""));
    }
    return *value;
}

// `which` is "current" or "max". Both 0: no link, or nothing known about it.
Result<PcieLink> read_link(const Fs& fs, const std::string& bdf, const std::string& which,
                           LinkRead how) {
    const std::string start = pci_path(bdf) + "/" + which;
    const auto speed = read_part(fs, start + "_link_speed", link_speed_of, how);
    if (!speed) {
        const bool none = speed.is(ErrorKind::not_here) && exists(fs, pci_path(bdf)) &&
                          !exists(fs, start + "_link_width");
        return none ? Result(PcieLink{}) : speed.error();
    }
    const auto width = read_part(fs, start + "_link_width", width_of, how);
    if (!width) {
        return width.error();
    }
    return *speed == 0 || *width == 0 ? PcieLink{} : PcieLink{*speed, *width};
}

PcieLink slower(const PcieLink& left, const PcieLink& right) {
    return {std::min(left.speed, right.speed), std::min(left.width, right.width)};
}

// False: the function has no link that is known.
bool take_part(const Machine& machine, const std::string& bdf, PciePath& path) {
    if (const auto sleeping = machine.asleep(bdf)) {
        path.error = *sleeping;
        return true;
    }
    const auto& link = machine.reader_of(bdf).link();
    if (!link) {
        path.error = link.error();
        return true;
    }
    const auto& [current, most] = *link;
    if (current.speed == 0 || most.speed == 0) {
        return false;
    }
    path.current = slower(path.current, current);
    path.most = slower(path.most, most);
    path.parts.push_back({bdf, *link});
    return true;
}

}  // namespace

// Both are asked for, whatever the first says: a recording holds all that tells of a device.
Result<LinkState> read_link_state(const Fs& fs, const std::string& bdf, LinkRead how) {
    const auto current = read_link(fs, bdf, "current", how);
    const auto most = read_link(fs, bdf, "max", how);
    if (!current) {
        return current.error();
    }
    if (!most) {
        return most.error();
    }
    return LinkState{*current, *most};
}

std::string PciePath::slower_than(const PcieLink& wanted) const {
    std::vector<std::string> out;
    for (const auto& [bdf, link] : parts) {
        if (!reaches(link.current, wanted)) {
            const bool at_most = reaches(link.current, link.most);
            out.push_back(bdf + " " + link_text(link.current) +
                          (at_most ? ", its maximum" : " of " + link_text(link.most)));
        }
    }
    return join(out, ", ");
}

std::optional<PciePath> read_pcie_path(const Machine& machine, const std::string& bdf) {
    PciePath path;
    if (!take_part(machine, bdf, path)) {
        return std::nullopt;
    }
    const auto above = machine.bridges_above(bdf);
    if (!above) {
        path.error = above.error();
    } else if (!path.error || path.error->kind != ErrorKind::asleep) {
        for (auto bridge = above->rbegin(); bridge != above->rend(); ++bridge) {
            take_part(machine, *bridge, path);
        }
    }
    return path;
}

}  // namespace rocenv
