// SPDX-License-Identifier: MIT
// pci.acs: access control services, the 16-bit control word at +6 of extended capability 0x000d.
// Request redirect, completion redirect and egress control send peer traffic (GPU to NIC) through
// the root complex. Source validation alone does not, but AMD's script checks it. Scope "gpu-path"
// is the bridges between the root and each GPU or RDMA NIC, "all" every function.
#include <algorithm>
#include <set>

#include "machine/pci/pci.h"
#include "machine/pci/pcie_path.h"
#include "rocenv/setting.h"
#include "settings/safety.h"
#include "util/text.h"

namespace rocenv {

namespace {

// The control word of a capability, which is at a multiple of 4 beyond the first 256 bytes.
constexpr WrittenPlace acs_places[] = {
    {"/sys/bus/pci/devices/<bdf>/config", Codec::word16, "<le16>",
     Offsets{.lowest = 0x100 + acs::control_offset, .highest = 0xffe, .step = 4}},
};

// The functions of an expected value, and an error if they are not known completely.
struct Selected {
    std::set<std::string> functions;
    std::optional<Error> uncertain;
};

Selected functions_in(const Machine& machine, const std::string& scope) {
    Selected selected;
    if (!machine.pci()) {
        selected.uncertain = machine.pci().error();
        return selected;
    }
    if (scope == "all") {
        for (const auto& function : *machine.pci()) {
            selected.functions.insert(function.bdf);
        }
        return selected;
    }
    const PathEnds ends = path_ends(machine);
    selected.uncertain = ends.uncertain;
    for (const auto& end : ends.functions) {
        const auto above = machine.bridges_above(end);
        if (above) {
            selected.functions.insert(above->begin(), above->end());
        } else {
            selected.uncertain = above.error();
        }
    }
    return selected;
}

// Returns the capability; std::nullopt if the function has none.
Result<std::optional<Acs>> find(const Machine& machine, const std::string& bdf) {
    const auto& config = machine.reader_of(bdf).config();
    const auto extended = config.is_extended();
    if (extended && !*extended) {
        return std::optional<Acs>();
    }
    if (const auto sleeping = machine.asleep(bdf)) {
        return *sleeping;
    }
    return extended ? read_acs(config) : extended.error();
}

// Returns true if a write can be verified: a device that is gone reads as all ones.
bool can_be_proven(const Acs& found) {
    return found.control != 0xffff;
}

Change change_to(const std::string& bdf, const Acs& found, std::uint16_t control) {
    const std::string path = pci_path(bdf, "/config");
    const std::uint64_t offset = found.offset + acs::control_offset;
    const std::string bytes{static_cast<char>(control & 0xff), static_cast<char>(control >> 8)};
    return {{{path, offset, bytes}}, {{{path, Codec::word16, offset}, hex(control, 4), ""}}};
}

// Returns the row; std::nullopt if the function has no such capability.
std::optional<Assessment> assess_function(const Machine& machine, const std::string& bdf,
                                          bool off) {
    const Target target{bdf, std::nullopt, ""};
    const auto found = find(machine, bdf);
    if (!found) {
        return unreadable(target, found.error());
    }
    if (!found->has_value()) {
        return std::nullopt;
    }
    const std::uint16_t have = (*found)->control;
    const auto expected = static_cast<std::uint16_t>(off ? 0 : have & ~acs::redirect);
    auto row = compared(target, hex(expected, 4), hex(have, 4));
    row.detail = acs_bits(have);
    row.next_step = "sudo setpci -v -s " + bdf + " ECAP_ACS+0x6.w=" + bare_hex(expected, 4);
    if (can_be_proven(**found)) {
        row.change = change_to(bdf, **found, expected);
    }
    if (!off && (have & acs::redirect) == 0 && (have & acs::source_validation) != 0) {
        row.detail +=
            "; only source validation is on: AMD's script would clear it, but it redirects no peer "
            "traffic";
    }
    return row;
}

std::vector<Assessment> assess_acs(const Setting&, const Context& context,
                                   const Expectation& expectation) {
    const Selected selected = functions_in(context.machine, expectation.value.field("scope"));
    const bool off = expectation.value.field("policy") == "off";
    std::vector<Assessment> out;
    for (const auto& bdf : selected.functions) {
        if (auto row = assess_function(context.machine, bdf, off)) {
            out.push_back(*std::move(row));
        }
    }
    if (selected.uncertain && !selected.uncertain->path.empty()) {
        out.push_back(unreadable({}, *selected.uncertain));
    }
    if (out.empty()) {
        return {no_target(expectation.value.field("scope") == "all"
                              ? "no PCI function has the ACS capability"
                              : "no bridge above a GPU or RDMA NIC has the ACS capability")};
    }
    return out;
}

// Returns the accepted values, the most specific first.
std::optional<std::vector<Value>> learn_acs(const Setting&, const Context&) {
    std::vector<Value> out;
    for (const char* scope : {"all", "gpu-path"}) {
        for (const char* policy : {"off", "no-redirect"}) {
            out.push_back({ValueTable{{"scope", {std::string(scope), {}}},
                                      {"policy", {std::string(policy), {}}}},
                           {}});
        }
    }
    return out;
}

// Returns the words as comments: the functions are unknown here, and a wildcard is unsafe. Linux
// 6.12 accepts the bits only together with a function.
Keeping keeping_of_acs(const Setting&, const Expectation& expectation) {
    const std::string bits = expectation.value.field("policy") == "off" ? "0000000" : "x0x00xx";
    return {
        .by_unit = true,
        .notes = {"pci.acs without the unit: on the kernel command line, from Linux 6.11,",
                  "  pci=config_acs=" + bits + "@0000:00:01.1;" + bits + "@0000:00:01.2",
                  "before Linux 6.11 only the redirect bits:",
                  "  pci=disable_acs_redir=0000:00:01.1;0000:00:01.2",
                  "with the bridges that rocenv check --only pci.acs -v lists, separated by ';'",
                  "(in quotes for GRUB), and after a comma if pci= exists already"}};
}

Result<Change> change_back(const std::string& bdf, const Acs& found) {
    if (can_be_proven(found)) {
        return change_to(bdf, found, found.control);
    }
    return Error{
        ErrorKind::io, 0, pci_path(bdf, "/config"),
        pci_path(bdf) + "/config: the file contains only ones, so the device is gone or off"};
}

std::vector<Baseline> baseline_of_acs(const Setting&, const Context& context) {
    const Selected all = functions_in(context.machine, "all");
    std::vector<Baseline> out;
    for (const auto& bdf : all.functions) {
        const Target target{bdf, std::nullopt, ""};
        const auto found = find(context.machine, bdf);
        if (found && found->has_value()) {
            out.push_back({target, hex((*found)->control, 4), change_back(bdf, **found)});
        } else if (!found && !found.is(ErrorKind::not_here)) {
            out.push_back({target, "", found.error()});
        }
    }
    if (all.uncertain && !all.uncertain->path.empty()) {
        out.push_back({{}, "", *all.uncertain});
    }
    return out;
}

std::optional<std::string> unsafe_of_acs(const Context& context, const Target& target) {
    if (auto why = gpu_in_use(context.machine)) {
        return why;
    }
    return isolation_needed(context.machine, target.text());
}

}  // namespace

const Setting& pci_acs() {
    static const Setting setting{
        .info =
            {
                .id = "pci.acs",
                .summary = "PCIe access control services (ACS): whether peer traffic is redirected",
                .why = "ACS redirect sends GPU-to-NIC traffic through the root complex and reduces "
                       "its bandwidth",
                .source =
                    "ROCm/gpu-cluster-networking docs/how-to/single-node-config.rst, 2025-09; "
                    "linux drivers/pci/pci.c pci_enable_acs, 6.12",
                .target = "PCI function",
                .read_from = "/sys/bus/pci/devices/*/config (extended capability 0x000d)",
                .set_by = "writes two bytes at +6 of the capability of each function",
                .next_step = "sudo setpci -v -s BDF ECAP_ACS+0x6.w=WORD",
                .persist = "lost at reboot, resume and port reset; to keep it, add "
                           "pci=config_acs=… (Linux 6.11) or pci=disable_acs_redir=… to the kernel "
                           "command line, or set it in the BIOS",
                .risk_note = "isolation between devices is weaker until reboot; never use it with "
                             "guests or active SR-IOV",
                .risk = Risk::high,
                .over_cluster = OverCluster::equal,
                .forms =
                    {{.kind = FormKind::table,
                      .fields = {{"scope", {.kind = FormKind::word, .words = {"gpu-path", "all"}}},
                                 {"policy",
                                  {.kind = FormKind::word, .words = {"no-redirect", "off"}}}}}},
                .places = acs_places,
            },
        .assess = assess_acs,
        .baseline = baseline_of_acs,
        .keeping = keeping_of_acs,
        .unsafe = unsafe_of_acs,
        .learn = learn_acs,
    };
    return setting;
}

}  // namespace rocenv
