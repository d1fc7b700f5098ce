// SPDX-License-Identifier: MIT
// Settings that are one number of /proc/sys/net/ipv4/conf/IF for the network interface of each RoCE
// NIC. The higher one of `all` and IF is in effect (linux include/linux/inetdevice.h
// IN_DEV_MAXCONF). `all` is never written, because it would affect the management interface of the
// node. The numbers belong to a network namespace and are judged only in the node's own. Each such
// setting is a row of a table.
#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "machine/kernel_attribute.h"
#include "machine/rdma/rdma.h"
#include "rocenv/change.h"
#include "rocenv/setting.h"
#include "settings/rdma/inventory.h"
#include "util/text.h"

namespace rocenv {

struct InterfaceSysctl {
    std::string_view id;    // "net.rp_filter"
    std::string_view file;  // "rp_filter"
    std::string_view summary;
    std::string_view why;
    std::string_view source;
    std::string_view risk_note;
    std::int64_t highest = 2;  // highest value of the kernel
    // Returns true if `have` is as good as the expected value; equal numbers always are.
    bool (*does_as_well)(std::uint64_t expected, std::uint64_t have) = nullptr;
};

namespace {

// A row and its derived texts, which an Info refers to.
struct InterfaceFacts {
    explicit InterfaceFacts(const InterfaceSysctl& sysctl);
    InterfaceFacts(const InterfaceFacts&) = delete;
    InterfaceFacts& operator=(const InterfaceFacts&) = delete;

    const InterfaceSysctl& row;
    std::string path;  // a pattern
    std::string bytes;
    std::string read_from;
    std::string set_by;
    std::string next_step;
    WrittenPlace place;
};

// The settings of a table of rows, in its order. The rows must outlive it.
class InterfaceTable {
   public:
    explicit InterfaceTable(std::span<const InterfaceSysctl> rows);
    // Returns the settings; they live as long as the table.
    std::span<const Setting> settings() const { return settings_; }

   private:
    std::vector<InterfaceFacts> facts_;
    std::vector<Setting> settings_;
};

constexpr std::string_view conf_folder = "/proc/sys/net/ipv4/conf/";

// Returns the path of the file. A dot in an interface's name is part of its folder's name (linux
// net/ipv4/devinet.c __devinet_sysctl_register), so the path is used and never the sysctl name.
std::string conf_path(std::string_view name, std::string_view file) {
    return std::string(conf_folder) + std::string(name) + "/" + std::string(file);
}

// Returns the interfaces of RoCE NICs. Slingshot NICs are not RoCE, and AMD's advice does not apply
// to them. The kernel routes nothing over members of a bond, so the bond is judged.
RdmaNetdevs roce_netdevs(const Context& context) {
    auto out = rdma_netdevs(context, training_ports(context));
    const bool any = !out.all.empty();
    std::erase_if(out.all, [](const RdmaNetdev& each) { return each.slingshot || each.enslaved; });
    if (any && out.all.empty() && out.unread.empty()) {
        out.why_none = "Slingshot NICs do not need this setting";
    }
    return out;
}

bool is_met(const InterfaceSysctl& row, std::uint64_t expected, std::uint64_t have) {
    return expected == have || (row.does_as_well != nullptr && row.does_as_well(expected, have));
}

Assessment judge_interface(const InterfaceSysctl& sysctl, const Fs& fs, const std::string& name,
                           std::uint64_t expected) {
    const auto own = count_of_file(fs, conf_path(name, sysctl.file));
    const auto all = count_of_file(fs, conf_path("all", sysctl.file));
    if (own.is(ErrorKind::not_here) && all.is(ErrorKind::not_here)) {
        return no_target("this kernel has no " + conf_path("all", sysctl.file));
    }
    if (!own || !all) {
        return unreadable({}, own ? all.error() : own.error(), number(expected));
    }
    const auto in_force = std::max(*own, *all);
    auto row = compared({}, number(expected), number(in_force));
    row.outcome = is_met(sysctl, expected, in_force) ? Outcome::ok : Outcome::differs;
    if (row.outcome == Outcome::ok) {
        row.change = word_change({conf_path(name, sysctl.file)}, number(*own));
        return row;
    }
    row.detail = "the value of all is " + number(*all) + ", and that of the interface is " +
                 number(*own) + "; the kernel uses the higher one";
    if (is_met(sysctl, expected, std::max(expected, *all))) {
        row.change = word_change({conf_path(name, sysctl.file)}, number(expected));
    } else {
        row.detail += ", and rocenv does not write to all";
        row.next_step =
            "lower the value in /etc/sysctl.d of net.ipv4.conf.all." + std::string(sysctl.file);
    }
    return row;
}

std::vector<Assessment> assess_interfaces(const Setting& setting, const Context& context,
                                          const Expectation& expectation) {
    const auto expected = static_cast<std::uint64_t>(*expectation.value.integer());
    const auto netdevs = roce_netdevs(context);
    const bool nothing = netdevs.all.empty() && !netdevs.why_none.empty();
    const auto elsewhere = nothing ? std::nullopt : not_the_nodes_network(context.fs());
    if (elsewhere && elsewhere->kind == ErrorKind::hidden) {
        return {no_target(elsewhere->text)};
    }
    if (elsewhere) {
        return {unreadable({}, *elsewhere, number(expected))};
    }
    std::vector<Assessment> rows;
    for (const auto& netdev : netdevs.all) {
        rows.push_back(
            judge_interface(*setting.row.interface_sysctl, context.fs(), netdev.name, expected));
        rows.back().target = {netdev.name, std::nullopt, ""};
    }
    add_unjudged(netdevs, number(expected), rows);
    return rows;
}

std::vector<Baseline> baseline_of_interfaces(const Setting& setting, const Context& context) {
    const auto& sysctl = *setting.row.interface_sysctl;
    std::vector<Baseline> out;
    if (not_the_nodes_network(context.fs())) {
        return out;
    }
    for (const auto& netdev : roce_netdevs(context).all) {
        const Target target{netdev.name, std::nullopt, ""};
        const std::string file = conf_path(netdev.name, sysctl.file);
        const auto value = read_number(context.fs(), file);
        if (value.is(ErrorKind::not_here) && !exists(context.fs(), conf_path("all", sysctl.file))) {
            continue;  // the sysctl does not exist
        }
        const auto text = value ? context.fs().read(file) : value;
        if (text) {
            out.push_back({target, *value, text_back({file}, *value, *text)});
        } else {
            out.push_back({target, "", text.error()});
        }
    }
    return out;
}

Keeping keeping_of_interfaces(const Setting&, const Expectation&) {
    Keeping out;
    out.by_unit = true;
    return out;
}

Setting setting_of(const InterfaceFacts& facts) {
    const auto& row = facts.row;
    return {.info = {.id = row.id,
                     .summary = row.summary,
                     .why = row.why,
                     .source = row.source,
                     .target = "network interface",
                     .read_from = facts.read_from,
                     .set_by = facts.set_by,
                     .next_step = facts.next_step,
                     .persist = "lost at reboot and when the interface is recreated; to keep it, "
                                "run rocenv set when the node starts",
                     .risk_note = row.risk_note,
                     .risk = Risk::low,
                     .over_cluster = OverCluster::equal,
                     .forms = {{.kind = FormKind::integer, .lowest = 0, .highest = row.highest}},
                     .places = {&facts.place, 1}},
            .assess = assess_interfaces,
            .baseline = baseline_of_interfaces,
            .keeping = keeping_of_interfaces,
            .row = {.interface_sysctl = &row}};
}

InterfaceFacts::InterfaceFacts(const InterfaceSysctl& sysctl)
    : row(sysctl),
      path(conf_path("<if>", sysctl.file)),
      bytes("<0-" + number(sysctl.highest) + ">"),
      read_from(conf_path("{all,IF}", sysctl.file) +
                " for the network interfaces of RoCE NICs and their bonds, /proc/{self,1}/ns/net"),
      set_by("writes the number to " + conf_path("IF", sysctl.file) + ", never to all"),
      next_step("sudo rocenv set -p rccl-multinode --only " + std::string(sysctl.id)),
      place{path, Codec::line, bytes} {}

InterfaceTable::InterfaceTable(std::span<const InterfaceSysctl> rows)
    : facts_(rows.begin(), rows.end()) {
    for (const auto& facts : facts_) {
        settings_.push_back(setting_of(facts));
    }
}

}  // namespace

namespace {

constexpr InterfaceSysctl sysctls[] = {
    // net.rp_filter: reverse path filter: 0 off, 1 strict (only from the interface of the reply), 2
    // loose (from any interface with a route) (linux Documentation/networking/ip-sysctl.rst, 6.12).
    // With several NICs in one subnet strict fails; off is as good as loose.
    {
        .id = "net.rp_filter",
        .file = "rp_filter",
        .summary =
            "Whether RDMA interfaces drop packets whose answers would leave by another interface",
        .why = "With several NICs in one subnet, strict filtering drops the packets of all but one "
               "NIC",
        .source = "ROCm/system-acceptance-docs docs/network/configuration.md, 2026-07; linux "
                  "Documentation/networking/ip-sysctl.rst, 6.12",
        .risk_note = "packets with a forged sender are dropped later or not at all",
        .does_as_well = [](std::uint64_t expected,
                           std::uint64_t have) { return expected == 2 && have == 0; },
    },
    // net.arp_ignore: the ARP requests that an interface answers: 0 for any address of the node, 1
    // for its own, 2 for its own from the same subnet, up to 8 (linux
    // Documentation/networking/ip-sysctl.rst, 6.12).
    {
        .id = "net.arp_ignore",
        .file = "arp_ignore",
        .summary = "Which ARP requests RDMA interfaces answer",
        .why = "An interface that answers ARP requests for another one attracts its traffic and "
               "overloads one NIC",
        .source = "ROCm/system-acceptance-docs docs/network/configuration.md, 2026-07; linux "
                  "Documentation/networking/ip-sysctl.rst, 6.12",
        .risk_note = "hosts of other subnets get no ARP answer any more",
        .highest = 8,
    },
    // net.arp_announce: the source address of ARP requests: 0 any address of the node, 1 one of the
    // requested subnet if possible, 2 always the best (linux
    // Documentation/networking/ip-sysctl.rst, 6.12). 2 includes the effect of 1.
    {
        .id = "net.arp_announce",
        .file = "arp_announce",
        .summary = "Which address RDMA interfaces send as their own in ARP requests",
        .why = "An interface that sends the address of another one diverts its traffic, and one "
               "NIC carries the load of two",
        .source = "ROCm/system-acceptance-docs docs/network/configuration.md, 2026-07; linux "
                  "Documentation/networking/ip-sysctl.rst, 6.12",
        .risk_note = "peers that know the node by another address may repeat their ARP request",
        .does_as_well = [](std::uint64_t expected,
                           std::uint64_t have) { return expected == 1 && have == 2; },
    },
};

}  // namespace

std::span<const Setting> net_sysctls() {
    static const InterfaceTable table(sysctls);
    return table.settings();
}

}  // namespace rocenv
