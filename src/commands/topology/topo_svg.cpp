// SPDX-License-Identifier: MIT
// The picture of a node. Classes have all colours, with those of a dark page in a media query. A
// viewer without media queries shows the light ones on a white background.
#include <algorithm>
#include <set>

#include "commands/topology/topo_kinds.h"
#include "commands/topology/topo_picture.h"
#include "util/text.h"

namespace rocenv {

namespace {

constexpr double page_margin = 32;
constexpr double line_step = 22;
constexpr double bow_base = 30;
constexpr double bow_step = 20;
constexpr double end_step = 9;  // between the ends of bows at one GPU

// Contrast of all text against its ground is 4.5 or more in both (WCAG 2.1, 1.4.3).
constexpr std::string_view css =
    R"(text { font-family: "DejaVu Sans", Verdana, Arial, sans-serif; font-size: 13px; fill: #1b2430; }
text.title { font-size: 22px; font-weight: bold; }
text.facts { font-size: 14px; fill: #46515e; }
text.head { font-size: 14px; font-weight: bold; }
text.small { font-size: 12px; fill: #46515e; }
text.warn { font-size: 12px; font-weight: bold; fill: #a33a00; }
rect { stroke-width: 1.2; }
rect.page { fill: #ffffff; stroke: none; }
rect.package { fill: #f3f5f7; stroke: #aab3bd; }
rect.node { fill: #ffffff; stroke: #8792a0; }
rect.switch { fill: #eceff2; stroke: #6b7785; }
rect.gpu { fill: #e3ecfd; stroke: #2f62c9; }
rect.nic { fill: #e2f3e8; stroke: #2a7a47; }
rect.missing { fill: #ffffff; stroke: #c94a00; stroke-width: 2; stroke-dasharray: 5 4; }
rect.slow { stroke: #c94a00; stroke-width: 2.5; }
path { fill: none; stroke-width: 1.5; }
path.pcie { stroke: #6b7785; }
path.slow { stroke: #c94a00; stroke-width: 2.5; stroke-dasharray: 6 4; }
path.xgmi { stroke: #8a3fd1; }
path.cpu { stroke: #8a3fd1; stroke-width: 2.5; }
@media (prefers-color-scheme: dark) {
text { fill: #e8edf3; }
text.facts, text.small { fill: #b4bfcb; }
text.warn { fill: #ffae70; }
rect.page { fill: #12161b; }
rect.package { fill: #1b2128; stroke: #56616d; }
rect.node { fill: #12161b; stroke: #6f7b88; }
rect.switch { fill: #2a323b; stroke: #8b97a4; }
rect.gpu { fill: #1c2d4d; stroke: #79a4ff; }
rect.nic { fill: #173524; stroke: #62c587; }
rect.missing { fill: #12161b; stroke: #ff9040; }
rect.slow { stroke: #ff9040; }
path.pcie { stroke: #8b97a4; }
path.slow { stroke: #ff9040; }
path.xgmi, path.cpu { stroke: #c08cff; }
}
)";

// "8 x AMD Instinct MI300X (gfx942, SPX, NPS1)", and what each has, for each kind.
std::vector<std::pair<std::string, std::string>> kinds_of(const Topology& topology) {
    std::vector<std::pair<std::string, std::string>> kinds;
    std::vector<std::set<std::uint64_t>> members;
    std::vector<std::size_t> agents;
    std::vector<const Agent*> firsts;
    for (const auto& agent : topology.gpus) {
        const std::string modes = mode_text(topology, agent);
        const std::pair kind(agent_name(agent) + (modes.empty() ? "" : " (" + modes + ")"),
                             agent_facts(agent));
        const auto at =
            static_cast<std::size_t>(std::find(kinds.begin(), kinds.end(), kind) - kinds.begin());
        if (at == kinds.size()) {
            kinds.push_back(kind);
            members.emplace_back();
            agents.push_back(0);
            firsts.push_back(&agent);
        }
        ++agents[at];
        members[at].insert(agent.physical);
    }
    for (std::size_t at = 0; at < kinds.size(); ++at) {
        kinds[at].first =
            physical_text(*firsts[at], agents[at], members[at].size(), kinds[at].first);
    }
    return kinds;
}

class Drawing {
   public:
    explicit Drawing(const Topology& topology) : topology_(topology), kinds_(kinds_of(topology)) {}

    std::string draw() {
        const double top = titles();
        picture_ = arrange(topology_, top);
        page_ = SvgWriter();
        const double links_bottom = picture_.devices_bottom + bows_depth();
        const double height = links_bottom + footer_height();
        titles();
        cpu_topology();
        links();
        devices();
        footer(links_bottom);
        return page_.finish(picture_.width, height, title_, css);
    }

   private:
    std::string no_gpu_title() const {
        return topology_.missing.empty()
                   ? "No AMD GPU"
                   : counted(topology_.missing.size(), "GPU") + " without an agent";
    }

    // Gives where they end.
    double titles() {
        double y = page_margin + 12;
        title_ = kinds_.empty() ? no_gpu_title() : kinds_[0].first;
        page_.text("title", Anchor::start, page_margin, y, title_);
        y += line_step + 4;
        for (std::size_t at = 0; at < kinds_.size(); ++at) {
            const std::string facts =
                at == 0 ? kinds_[at].second : kinds_[at].first + ": " + kinds_[at].second;
            if (!facts.empty()) {
                page_.text("facts", Anchor::start, page_margin, y, facts);
                y += line_step;
            }
        }
        if (topology_.cpu_topology && topology_.cpu_topology->model) {
            page_.text("facts", Anchor::start, page_margin, y,
                       counted(topology_.cpu_topology->packages.size(), "package") + " of " +
                           *topology_.cpu_topology->model);
            y += line_step;
        }
        return y + 8;
    }

    void cpu_topology() {
        for (const auto& package : picture_.packages) {
            page_.box("package", package.box);
            page_.text("head", Anchor::start, package.box.x + 12, package.box.y + 20,
                       package.title);
        }
        for (const auto& column : picture_.columns) {
            numa_node(column);
        }
    }

    void numa_node(const Picture::Column& column) {
        constexpr double character = 7.5;
        const SvgBox& box = column.box;
        page_.box("node", box);
        if (column.node == nullptr) {
            page_.text("head", Anchor::start, box.x + 12, box.y + 22, "NUMA node not known");
            return;
        }
        const NumaNode& node = *column.node;
        const auto fitting = static_cast<std::size_t>((box.width - 24) / character);
        page_.text("head", Anchor::start, box.x + 12, box.y + 22, "NUMA " + number(node.node));
        page_.text("small", Anchor::start, box.x + 12, box.y + 42,
                   node.memory_bytes ? gib_text(*node.memory_bytes) : "memory not known");
        page_.text(
            "small", Anchor::start, box.x + 12, box.y + 60,
            node.cpus.empty() ? "no CPUs" : cut_text("CPUs " + number_list(node.cpus), fitting));
    }

    // The driver lists xGMI from this GPU to a CPU.
    bool xgmi_to_cpu(const Picture::Device& device) const {
        using End = TopologyLink::End;
        return device.gpu &&
               std::any_of(topology_.links.begin(), topology_.links.end(), [&](const auto& link) {
                   return link.from_kind == End::gpu && link.to_kind == End::cpu &&
                          link.type == "xgmi" && topology_.gpus[link.from].physical == *device.gpu;
               });
    }

    std::string_view edge(const Picture::Device& device) const {
        return device.pci->slow() ? "slow" : xgmi_to_cpu(device) ? "cpu" : "pcie";
    }

    // Lines from NUMA nodes down to switches and devices, behind the boxes.
    void links() {
        for (const auto& column : picture_.columns) {
            for (const auto& group : column.groups) {
                group_links(column.box, group);
            }
        }
    }

    void group_links(const SvgBox& node, const Picture::Group& group) {
        const double turn = group.box.y - 16;
        const bool through = !group.switch_name.empty();
        if (through) {
            page_.elbow("pcie", node.middle(), node.bottom(), turn, group.box.middle(),
                        group.box.y);
        }
        for (const auto& device : group.devices) {
            const double x = device.box.middle();
            if (through) {
                page_.line(edge(device), x, group.box.bottom(), x, device.box.y);
            } else {
                page_.elbow(edge(device), node.middle(), node.bottom(), turn, x, device.box.y);
            }
        }
    }

    void devices() {
        for (const auto& column : picture_.columns) {
            for (const auto& group : column.groups) {
                if (!group.switch_name.empty()) {
                    page_.box("switch", group.box);
                    page_.text("small", Anchor::middle, group.box.middle(), group.box.y + 19,
                               group.switch_name);
                }
                for (const auto& device : group.devices) {
                    device_box(device);
                }
            }
        }
        bows();
    }

    void device_box(const Picture::Device& device) {
        const bool slow = device.pci->slow();
        page_.open_group(device.lines[0]);
        page_.box(std::string(device.gpu       ? "gpu"
                              : device.missing ? "missing"
                                               : "nic") +
                      (slow ? " slow" : ""),
                  device.box);
        double y = device.box.y + 20;
        for (std::size_t at = 0; at < device.lines.size(); ++at) {
            const bool warns = (slow && (at == 2 || at == 3)) || (device.missing && at == 2);
            page_.text(at == 0 ? "head"
                       : warns ? "warn"
                               : "small",
                       Anchor::middle, device.box.middle(), y, device.lines[at]);
            y += at == 0 ? 18 : 16;
        }
        page_.close_group();
    }

    // GPUs from left to right.
    std::vector<const Picture::Device*> gpus() const {
        std::vector<const Picture::Device*> found;
        for (const auto* group : picture_.groups()) {
            for (const auto& device : group->devices) {
                if (device.gpu) {
                    found.push_back(&device);
                }
            }
        }
        return found;
    }

    // Returns the pairs of indexes in gpus() that xGMI joins without a hop between.
    std::vector<std::pair<std::size_t, std::size_t>> joined() const {
        std::vector<std::pair<std::size_t, std::size_t>> pairs;
        const auto all = gpus();
        for (std::size_t left = 0; left < all.size(); ++left) {
            for (std::size_t right = left + 1; right < all.size(); ++right) {
                const auto link = link_between(topology_, *all[left]->gpu, *all[right]->gpu);
                if (link && link->type == "xgmi" && link->hops.value_or(1) <= 1) {
                    pairs.emplace_back(left, right);
                }
            }
        }
        return pairs;
    }

    double bows_depth() const {
        std::size_t farthest = 0;
        for (const auto& [left, right] : joined()) {
            farthest = std::max(farthest, right - left);
        }
        return farthest == 0 ? 0 : bow_base + bow_step * static_cast<double>(farthest);
    }

    void bows() {
        const auto all = gpus();
        const double step =
            std::min(end_step, 80.0 / static_cast<double>(std::max<std::size_t>(all.size(), 1)));
        // Shorter bows to one side end further out, so that bows do not cross.
        const auto end = [&](std::size_t at, std::size_t other) {
            const std::size_t slot = other < at ? at - 1 - other : at + all.size() - 1 - other;
            const double middle = static_cast<double>(all.size() - 2) / 2;
            return all[at]->box.middle() + (static_cast<double>(slot) - middle) * step;
        };
        for (const auto& [left, right] : joined()) {
            page_.bow("xgmi", end(left, right), end(right, left), picture_.devices_bottom,
                      bow_base + bow_step * static_cast<double>(right - left));
        }
    }

    std::string xgmi_text() const {
        const std::size_t pairs = joined().size();
        const std::size_t count = topology_.physical.size();
        return pairs == 0                         ? std::string()
               : pairs == count * (count - 1) / 2 ? "xGMI, every GPU with every other"
                                                  : "xGMI, direct links";
    }

    bool any_slow() const {
        return std::any_of(topology_.physical.begin(), topology_.physical.end(),
                           [](const PhysicalGpu& gpu) { return gpu.pci.slow(); }) ||
               std::any_of(topology_.nics.begin(), topology_.nics.end(),
                           [](const Nic& nic) { return nic.pci.slow(); });
    }

    std::vector<std::string> notes() const {
        constexpr std::size_t most = 4;
        std::vector<std::string> lines;
        if (topology_.hidden != 0) {
            lines.push_back(counted(topology_.hidden, "KFD node") + " hidden from this container");
        }
        for (const auto& sentence : missing_sentences(topology_)) {
            lines.push_back(sentence);
        }
        for (const auto& note : topology_.notes) {
            lines.push_back(note);
        }
        if (lines.size() > most) {
            lines.resize(most);
        }
        return lines;
    }

    double footer_height() const { return 62 + 18 * static_cast<double>(notes().size()); }

    void footer(double top) {
        double x = page_margin;
        const double y = top + 34;
        const auto entry = [&](std::string_view style, std::string_view text) {
            page_.line(style, x, y, x + 28, y);
            page_.text("small", Anchor::start, x + 36, y + 4, text);
            x += 36 + 7.6 * static_cast<double>(text.size()) + 24;
        };
        entry("pcie", "PCIe, GT/s and lanes of the path");
        if (const std::string text = xgmi_text(); !text.empty()) {
            entry("xgmi", text);
        }
        if (any_slow()) {
            entry("slow", "below its maximum");
        }
        double line = y + 26;
        for (const auto& note : notes()) {
            const auto fitting = static_cast<std::size_t>((picture_.width - 2 * page_margin) / 7.6);
            page_.text("small", Anchor::start, page_margin, line, cut_text(note, fitting));
            line += 18;
        }
    }

    const Topology& topology_;
    std::vector<std::pair<std::string, std::string>> kinds_;
    std::string title_;
    Picture picture_;
    SvgWriter page_;
};

}  // namespace

std::string render_topology_svg(const Topology& topology) {
    return Drawing(topology).draw();
}

}  // namespace rocenv
