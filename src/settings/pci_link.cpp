// SPDX-License-Identifier: MIT
// pci.link: speed and width of the path from a GPU or RDMA NIC up to the root. A path is as fast as
// its slowest part, and can be as fast as the slowest part's maximum: a GPU in a slower slot is as
// wanted, a part that trained below what both its ends can do is not. A function without a link
// (an APU's GPU, a virtual function) says "Unknown" or has no such file (linux
// drivers/pci/pci-sysfs.c current_link_speed_show, pcie_dev_attrs_are_visible).
#include <algorithm>

#include "settings/path_ends.h"
#include "settings/settings.h"
#include "util/text.h"

namespace rocenv {

namespace {

struct Link {
    std::uint64_t speed = 0;  // tenths of GT/s; 0: unknown
    std::uint64_t width = 0;  // lanes; 0: unknown
};

constexpr std::uint64_t width_unknown = 255;  // linux include/linux/pci.h PCIE_LNK_WIDTH_UNKNOWN
constexpr std::uint64_t most_lanes = 32;      // a device that is gone answers all ones: 63

// "32.0 GT/s PCIe", "8 GT/s" (older kernels), "Unknown", "Unknown speed".
std::optional<std::uint64_t> speed_of(std::string_view text) {
    if (text.starts_with("Unknown")) {
        return 0;
    }
    const auto parts = words(text);
    if (parts.size() < 2 || parts[1] != "GT/s") {
        return std::nullopt;
    }
    const auto point = parts[0].find('.');
    const auto whole = parse_number(parts[0].substr(0, point));
    const auto tenths =
        point == std::string_view::npos ? 0 : parse_number(parts[0].substr(point + 1));
    if (!whole || !tenths || *whole > 1000 || *tenths > 9) {
        return std::nullopt;
    }
    return *whole * 10 + *tenths;
}

std::optional<std::uint64_t> width_of(std::string_view text) {
    const auto width = parse_number(text);
    if (width == width_unknown) {
        return 0;
    }
    return width && *width > most_lanes ? std::nullopt : width;
}

using Parser = std::optional<std::uint64_t> (*)(std::string_view);

Result<std::uint64_t> read_part(const Fs& fs, const std::string& path, Parser parse) {
    const auto text = fs.read(path);
    if (!text) {
        return text.error();
    }
    const auto value = parse(trim(*text));
    if (!value) {
        const bool all_ones = trim(*text) == "63";
        return garbled(path, "is no link's: \"" + printable(trim(*text), 40) + "\"" +
                                 (all_ones ? " (all ones, the device does not answer)" : ""));
    }
    return *value;
}

// `which` is "current" or "max". Both 0: no link, or nothing known about it.
Result<Link> read_link(const Fs& fs, const std::string& bdf, const std::string& which) {
    const std::string start = pci_path(bdf) + "/" + which;
    const auto speed = read_part(fs, start + "_link_speed", speed_of);
    if (!speed) {
        const bool none = speed.is(ErrorKind::not_here) && exists(fs, pci_path(bdf)) &&
                          !exists(fs, start + "_link_width");
        return none ? Result(Link{}) : speed.error();
    }
    const auto width = read_part(fs, start + "_link_width", width_of);
    if (!width) {
        return width.error();
    }
    return *speed == 0 || *width == 0 ? Link{} : Link{*speed, *width};
}

std::string link_text(const Link& link) {
    return number(link.speed / 10) + "." + number(link.speed % 10) + " GT/s x" + number(link.width);
}

Link slower(const Link& left, const Link& right) {
    return {std::min(left.speed, right.speed), std::min(left.width, right.width)};
}

// The slowest of the parts read so far.
struct Path {
    Link current{UINT64_MAX, UINT64_MAX};
    Link most{UINT64_MAX, UINT64_MAX};
    std::string slow;  // parts below their own maximum
    std::optional<Error> error;
};

// False: the function has no link that is known.
bool take_part(const Machine& machine, const std::string& bdf, Path& path) {
    if (const auto sleeping = machine.asleep(bdf)) {
        path.error = *sleeping;
        return true;
    }
    const auto current = read_link(machine.fs(), bdf, "current");
    const auto most = read_link(machine.fs(), bdf, "max");
    if (!current || !most) {
        path.error = current ? most.error() : current.error();
        return true;
    }
    if (current->speed == 0 || most->speed == 0) {
        return false;
    }
    path.current = slower(path.current, *current);
    path.most = slower(path.most, *most);
    if (current->speed < most->speed || current->width < most->width) {
        path.slow += (path.slow.empty() ? "" : ", ") + bdf + " " + link_text(*current) + " of " +
                     link_text(*most);
    }
    return true;
}

Assessment judge(const Target& target, const Path& path) {
    const bool known = path.most.speed != UINT64_MAX;
    if (path.error && (!known || link_text(path.most) == link_text(path.current))) {
        return unreadable(target, *path.error);
    }
    auto row = compared(target, link_text(path.most), link_text(path.current));
    if (row.outcome == Outcome::differs) {
        row.detail = path.slow;
    }
    return row;
}

Assessment assess_path(const Machine& machine, const std::string& bdf) {
    const Target target{bdf, std::nullopt, ""};
    Path path;
    if (!take_part(machine, bdf, path)) {
        auto row = no_target("it has no PCIe link, or none whose speed is known");
        row.target = target;
        return row;
    }
    const auto above = machine.bridges_above(bdf);
    if (!above) {
        path.error = above.error();
    } else if (!path.error || path.error->kind != ErrorKind::asleep) {
        for (auto bridge = above->rbegin(); bridge != above->rend(); ++bridge) {
            take_part(machine, *bridge, path);
        }
    }
    return judge(target, path);
}

class LinkSpeed final : public Setting {
   public:
    const Info& info() const override {
        static const Info data{
            .id = "pci.link",
            .summary = "Speed and width of the PCIe path from each GPU and RDMA NIC to the root",
            .why = "A link that trained at half its width or speed halves every copy over it",
            .source =
                "ROCm/system-acceptance-docs docs/common/health-checks.md, 2026-07; linux "
                "drivers/pci/pci-sysfs.c, 6.12",
            .target = "PCI function",
            .read_from =
                "/sys/bus/pci/devices/*/{current,max}_link_{speed,width} of the device and the "
                "bridges above it",
            .set_by = "",
            .next_step =
                "ask again while a job runs (idle links may slow down); then reseat the card or "
                "cable, and look at sudo dmesg | grep -i pcie",
            .persist = "",
            .risk_note = "",
            .forms = {{.kind = FormKind::word, .words = {"max"}}},
        };
        return data;
    }

    std::vector<Assessment> assess(const Context& context, const Want&) const override {
        auto ends = path_ends(context.machine);
        std::sort(ends.functions.begin(), ends.functions.end());
        std::vector<Assessment> out;
        for (const auto& bdf : ends.functions) {
            out.push_back(assess_path(context.machine, bdf));
        }
        if (ends.uncertain && ends.uncertain->kind != ErrorKind::not_here) {
            out.push_back(unreadable({}, *ends.uncertain, "max"));
        }
        if (out.empty()) {
            out.push_back(no_target("no GPU and no RDMA NIC on PCI"));
        }
        return out;
    }
};

}  // namespace

const Setting& pci_link() {
    static const LinkSpeed setting;
    return setting;
}

}  // namespace rocenv
