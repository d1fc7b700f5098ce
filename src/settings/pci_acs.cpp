// SPDX-License-Identifier: MIT
// pci.acs: access control services, the 16-bit control word at +6 of extended capability 0x000d.
// What sends peer traffic (GPU to NIC) through the root complex is request redirect, completion
// redirect and egress control; source validation alone does not, though AMD's script acts on it.
// Scope "gpu-path" is the bridges between the root and each GPU or RDMA NIC, "all" every function.
#include <algorithm>
#include <set>

#include "machine/pci_config.h"
#include "settings/path_ends.h"
#include "settings/settings.h"
#include "util/text.h"

namespace rocenv {

namespace {

// The functions a wish is about, and what could not be found out about which they are.
struct Wanted {
    std::set<std::string> functions;
    std::optional<Error> uncertain;
};

Wanted functions_in(const Machine& machine, const std::string& scope) {
    Wanted wanted;
    if (!machine.pci()) {
        wanted.uncertain = machine.pci().error();
        return wanted;
    }
    if (scope == "all") {
        for (const auto& function : *machine.pci()) {
            wanted.functions.insert(function.bdf);
        }
        return wanted;
    }
    const PathEnds ends = path_ends(machine);
    wanted.uncertain = ends.uncertain;
    for (const auto& end : ends.functions) {
        const auto above = machine.bridges_above(end);
        if (above) {
            wanted.functions.insert(above->begin(), above->end());
        } else {
            wanted.uncertain = above.error();
        }
    }
    return wanted;
}

class AccessControl final : public Setting {
   public:
    const Info& info() const override {
        static const Info data{
            .id = "pci.acs",
            .summary = "PCIe access control services: whether peer traffic takes a detour",
            .why = "With redirect on, GPU to NIC traffic goes up to the root complex and back",
            .source =
                "ROCm/gpu-cluster-networking docs/how-to/single-node-config.rst, 2025-09; "
                "linux drivers/pci/pci.c pci_enable_acs, 6.12",
            .target = "PCI function",
            .read_from = "/sys/bus/pci/devices/*/config (extended capability 0x000d)",
            .set_by = "writes two bytes at +6 of the capability of each function",
            .next_step = "sudo setpci -v -s BDF ECAP_ACS+0x6.w=WORD",
            .persist =
                "lost at reboot, resume and port reset; keep it with pci=config_acs=… (Linux "
                "6.11) or pci=disable_acs_redir=… on the kernel command line, or in the BIOS",
            .risk_note =
                "isolation between devices is weaker until reboot; never with guests or "
                "active SR-IOV",
            .risk = Risk::high,
            .forms = {{.kind = FormKind::table,
                       .fields = {{"scope", {.kind = FormKind::word, .words = {"gpu-path", "all"}}},
                                  {"policy",
                                   {.kind = FormKind::word, .words = {"no-redirect", "off"}}}}}},
        };
        return data;
    }

    std::vector<Assessment> assess(const Context& context, const Want& want) const override {
        const Wanted wanted = functions_in(context.machine, want.value.field("scope"));
        const bool off = want.value.field("policy") == "off";
        std::vector<Assessment> out;
        for (const auto& bdf : wanted.functions) {
            if (auto row = assess_function(context.machine, bdf, off)) {
                out.push_back(*std::move(row));
            }
        }
        if (wanted.uncertain && !wanted.uncertain->path.empty() &&
            wanted.uncertain->kind != ErrorKind::not_here) {
            out.push_back(unreadable({}, *wanted.uncertain));
        }
        if (out.empty()) {
            return {no_target(want.value.field("scope") == "all"
                                  ? "no PCI function has the ACS capability"
                                  : "no bridge above a GPU or RDMA NIC has the ACS capability")};
        }
        return out;
    }

   private:
    // Nothing when the function has no such capability.
    static std::optional<Assessment> assess_function(const Machine& machine, const std::string& bdf,
                                                     bool off) {
        const Target target{bdf, std::nullopt, ""};
        const auto extended = has_extended_config(machine.fs(), bdf);
        if (extended && !*extended) {
            return std::nullopt;
        }
        if (const auto sleeping = machine.asleep(bdf)) {
            return unreadable(target, *sleeping);
        }
        const auto found = extended ? read_acs(machine.fs(), bdf) : extended.error();
        if (!found) {
            return unreadable(target, found.error());
        }
        if (!found->has_value()) {
            return std::nullopt;
        }
        const std::uint16_t have = (*found)->control;
        const auto want = static_cast<std::uint16_t>(off ? 0 : have & ~acs::redirect);
        auto row = compared(target, hex(want, 4), hex(have, 4));
        row.detail = acs_bits(have);
        row.next_step = "sudo setpci -v -s " + bdf + " ECAP_ACS+0x6.w=" + bare_hex(want, 4);
        if (!off && (have & acs::redirect) == 0 && (have & acs::source_validation) != 0) {
            row.detail +=
                "; source validation only: AMD's script would clear it, peer traffic "
                "takes no detour";
            row.remark = true;
        }
        return row;
    }
};

}  // namespace

const Setting& pci_acs() {
    static const AccessControl setting;
    return setting;
}

}  // namespace rocenv
