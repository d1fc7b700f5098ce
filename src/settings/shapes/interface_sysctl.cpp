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

}  // namespace

InterfaceSysctlTexts::InterfaceSysctlTexts(const InterfaceSysctl& sysctl)
    : path(conf_path("<if>", sysctl.file)),
      bytes("<0-" + number(sysctl.highest) + ">"),
      read_from(conf_path("{all,IF}", sysctl.file) +
                " for the network interfaces of RoCE NICs and their bonds, /proc/{self,1}/ns/net"),
      set_by("writes the number to " + conf_path("IF", sysctl.file) + ", never to all"),
      next_step("sudo rocenv set -p rccl-multinode --only " + std::string(sysctl.id)),
      place{path, Codec::line, bytes} {}

InterfaceSysctlSetting::InterfaceSysctlSetting(const InterfaceSysctl& sysctl)
    : InterfaceSysctlTexts(sysctl),
      sysctl_(sysctl),
      info_{.id = sysctl.id,
            .summary = sysctl.summary,
            .why = sysctl.why,
            .source = sysctl.source,
            .target = "network interface",
            .read_from = read_from,
            .set_by = set_by,
            .next_step = next_step,
            .persist =
                "lost at reboot, and when the interface is made anew; keep it with rocenv "
                "set when the node starts",
            .risk_note = sysctl.risk_note,
            .risk = Risk::low,
            .over_cluster = OverCluster::equal,
            .forms = {{.kind = FormKind::integer, .lowest = 0, .highest = sysctl.highest}},
            .places = {&place, 1}} {}

std::string InterfaceSysctlSetting::path_of(std::string_view name) const {
    return conf_path(name, sysctl_.file);
}

bool InterfaceSysctlSetting::is_met(std::uint64_t want, std::uint64_t have) const {
    return want == have || (sysctl_.does_as_well != nullptr && sysctl_.does_as_well(want, have));
}

Assessment InterfaceSysctlSetting::judge(const Fs& fs, const std::string& name,
                                         std::uint64_t want) const {
    const auto own = count_of_file(fs, path_of(name));
    const auto all = count_of_file(fs, path_of("all"));
    if (own.is(ErrorKind::not_here) && all.is(ErrorKind::not_here)) {
        return no_target("this kernel has no " + path_of("all"));
    }
    if (!own || !all) {
        return unreadable({}, own ? all.error() : own.error(), number(want));
    }
    const auto in_force = std::max(*own, *all);
    auto row = compared({}, number(want), number(in_force));
    row.outcome = is_met(want, in_force) ? Outcome::ok : Outcome::differs;
    if (row.outcome == Outcome::ok) {
        row.change = word_change({path_of(name)}, number(*own));
        return row;
    }
    row.detail = "all has " + number(*all) + ", the interface " + number(*own) +
                 "; the higher one is in force";
    if (is_met(want, std::max(want, *all))) {
        row.change = word_change({path_of(name)}, number(want));
    } else {
        row.detail += ", and all is not written";
        row.next_step =
            "lower what /etc/sysctl.d wants of net.ipv4.conf.all." + std::string(sysctl_.file);
    }
    return row;
}

std::vector<Assessment> InterfaceSysctlSetting::assess(const Context& context,
                                                       const Want& want) const {
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
        rows.push_back(judge(context.fs(), netdev.name, wanted));
        rows.back().target = {netdev.name, std::nullopt, ""};
    }
    add_unjudged(netdevs, number(wanted), rows);
    return rows;
}

std::vector<Baseline> InterfaceSysctlSetting::baseline(const Context& context) const {
    std::vector<Baseline> out;
    if (not_the_nodes_network(context.fs())) {
        return out;
    }
    for (const auto& netdev : roce_netdevs(context).all) {
        const Target target{netdev.name, std::nullopt, ""};
        const std::string file = path_of(netdev.name);
        const auto value = read_number(context.fs(), file);
        if (value.is(ErrorKind::not_here) && !exists(context.fs(), path_of("all"))) {
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

Keeping InterfaceSysctlSetting::keeping(const Want&) const {
    Keeping out;
    out.by_unit = true;
    return out;
}

}  // namespace rocenv
