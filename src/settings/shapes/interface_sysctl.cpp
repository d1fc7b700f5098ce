// SPDX-License-Identifier: MIT
#include "settings/shapes/interface_sysctl.h"

#include <algorithm>

#include "machine/host/number_files.h"
#include "machine/rdma/network_namespace.h"
#include "settings/shapes/text_change.h"
#include "util/text.h"

namespace rocenv {

namespace {

constexpr std::string_view conf_folder = "/proc/sys/net/ipv4/conf/";

// A dot in an interface's name stays one in the name of its folder (linux net/ipv4/devinet.c
// __devinet_sysctl_register): the file is asked for by its path, never by sysctl's name.
std::string conf_path(std::string_view name, std::string_view file) {
    return std::string(conf_folder) + std::string(name) + "/" + std::string(file);
}

// Interfaces of Slingshot NICs are no RoCE, and AMD's advice is not for them. Of a bond's members
// the kernel routes nothing: the bond is judged.
RdmaNetdevs roce_netdevs(const Context& context) {
    auto out = rdma_netdevs(context, training_ports(context));
    const bool any = !out.all.empty();
    std::erase_if(out.all, [](const RdmaNetdev& each) { return each.slingshot || each.enslaved; });
    if (any && out.all.empty() && out.unread.empty()) {
        out.nobody = "Slingshot NICs need no such setting";
    }
    return out;
}

bool is_met(const InterfaceSysctl& row, std::uint64_t want, std::uint64_t have) {
    return want == have || (row.does_as_well != nullptr && row.does_as_well(want, have));
}

Assessment judge_interface(const InterfaceSysctl& sysctl, const Fs& fs, const std::string& name,
                           std::uint64_t want) {
    const auto own = count_of_file(fs, conf_path(name, sysctl.file));
    const auto all = count_of_file(fs, conf_path("all", sysctl.file));
    if (own.is(ErrorKind::not_here) && all.is(ErrorKind::not_here)) {
        return no_target("this kernel has no " + conf_path("all", sysctl.file));
    }
    if (!own || !all) {
        return unreadable({}, own ? all.error() : own.error(), number(want));
    }
    const auto in_force = std::max(*own, *all);
    auto row = compared({}, number(want), number(in_force));
    row.outcome = is_met(sysctl, want, in_force) ? Outcome::ok : Outcome::differs;
    if (row.outcome == Outcome::ok) {
        row.change = word_change({conf_path(name, sysctl.file)}, number(*own));
        return row;
    }
    row.detail = "all has " + number(*all) + ", the interface " + number(*own) +
                 "; the higher one is in force";
    if (is_met(sysctl, want, std::max(want, *all))) {
        row.change = word_change({conf_path(name, sysctl.file)}, number(want));
    } else {
        row.detail += ", and all is not written";
        row.next_step =
            "lower what /etc/sysctl.d wants of net.ipv4.conf.all." + std::string(sysctl.file);
    }
    return row;
}

std::vector<Assessment> assess_interfaces(const Setting& setting, const Context& context,
                                          const Want& want) {
    const auto wanted = static_cast<std::uint64_t>(*want.value.integer());
    const auto netdevs = roce_netdevs(context);
    const bool nothing = netdevs.all.empty() && !netdevs.nobody.empty();
    const auto elsewhere = nothing ? std::nullopt : not_the_nodes_network(context.fs());
    if (elsewhere && elsewhere->kind == ErrorKind::hidden) {
        return {no_target(elsewhere->text)};
    }
    if (elsewhere) {
        return {unreadable({}, *elsewhere, number(wanted))};
    }
    std::vector<Assessment> rows;
    for (const auto& netdev : netdevs.all) {
        rows.push_back(
            judge_interface(*setting.row.interface_sysctl, context.fs(), netdev.name, wanted));
        rows.back().target = {netdev.name, std::nullopt, ""};
    }
    add_unjudged(netdevs, number(wanted), rows);
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
            continue;  // there is no such sysctl
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

Keeping keeping_of_interfaces(const Setting&, const Want&) {
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
                     .persist =
                         "lost at reboot, and when the interface is made anew; keep it with rocenv "
                         "set when the node starts",
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

}  // namespace

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

}  // namespace rocenv
