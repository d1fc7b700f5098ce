// SPDX-License-Identifier: MIT
#include "check/waivers.h"

#include <algorithm>

#include "profile/profile.h"
#include "util/text.h"

namespace rocenv {

namespace {

const std::string no_waivers_profile = "acceptance";

// Switch for a file given with --waivers, which must exist and be trusted.
enum class Named { yes, no };

// Adds the waivers of a file that was read, or its errors. A missing file is an error only if it is
// named. A node's file that is not trusted becomes a doubt if the request ignores such files.
void load(const std::string& file, Named named, const Result<std::string>& text,
          const CheckRequest& request, LoadedWaivers& into) {
    if (text.is(ErrorKind::not_here) && named == Named::no) {
        return;
    }
    if (!text && is_not_trusted(text.error()) && named == Named::no &&
        request.untrusted == Untrusted::ignored) {
        into.doubts.push_back({Doubt::Use::site_ignored, file, text.error()});
        return;
    }
    if (!text) {
        into.errors.push_back(text.error().text);
        into.timed_out = into.timed_out || text.is(ErrorKind::timed_out);
        return;
    }
    auto parsed = parse_waivers(file, *text);
    for (const auto& diagnostic : parsed.diagnostics) {
        into.errors.push_back(diagnostic_text(diagnostic));
    }
    std::move(parsed.waivers.begin(), parsed.waivers.end(), std::back_inserter(into.all));
}

// Returns true if the waiver has no node names, or if one matches. The first part of the node's
// name counts as well: "node17" matches node17.cluster.
bool is_for(const Waiver& waiver, const std::string& node) {
    const std::string first = node.substr(0, node.find('.'));
    return waiver.nodes.empty() ||
           (!node.empty() &&
            std::any_of(waiver.nodes.begin(), waiver.nodes.end(), [&](const std::string& name) {
                return glob_match(name, node) || glob_match(name, first);
            }));
}

// Returns the address that findings use for a GPU's unique id in KFD. Returns the text itself if no
// GPU has this id.
std::string address_of(const std::string& target, const Machine& machine) {
    if (is_pci_address(target)) {
        return lower_case(target);
    }
    const auto id = parse_number(target, 16);
    for (const auto& gpu : id ? machine.gpus() : std::vector<Gpu>()) {
        if (!gpu.agents.empty() &&
            machine.kfd().nodes[gpu.agents.front()].get("unique_id") == *id) {
            return gpu.bdf;
        }
    }
    return target;
}

// Returns true for a PCI address, unless the list of PCI functions has another device there. A GPU
// that fell off the bus is missing from that list, and unreadable functions may be GPUs.
bool may_be_gpu(const std::string& target, const Machine& machine) {
    if (!is_pci_address(target) || !machine.pci()) {
        return is_pci_address(target);
    }
    return std::none_of(machine.pci()->begin(), machine.pci()->end(), [&](const auto& function) {
        return function.bdf == target && !function.error && !function.is_amd_gpu();
    });
}

// Returns the name of a waiver in notes: its ticket, and its place in the file.
std::string name_of(const Waiver& waiver) {
    return "waiver " + printable(waiver.ticket, 60) + " (" + place_text(waiver.place) + ")";
}

}  // namespace

LoadedWaivers load_waivers(const CheckRequest& request, const Resolved& profile, const Fs& host,
                           const Process& process) {
    LoadedWaivers out;
    const auto& involved = profile.involved;
    const bool none =
        std::find(involved.begin(), involved.end(), no_waivers_profile) != involved.end();
    if (none && !request.waivers.empty()) {
        out.note = no_waivers_profile + " ignores waivers: " + printable(request.waivers) +
                   " was not used";
    }
    if (none || request.no_waivers) {
        return out;
    }
    const auto read = [&](const std::string& file) {
        return process.is_root ? host.read_trusted(file) : host.read(file);
    };
    load(waivers_file, Named::no, read(waivers_file), request, out);
    if (!request.waivers.empty()) {
        load(request.waivers, Named::yes, read(request.waivers), request, out);
    }
    return out;
}

Waivers::Waivers(const std::vector<Waiver>& all, const Machine& machine, const std::string& node,
                 const std::string& today) {
    for (const auto& waiver : all) {
        if (!is_for(waiver, node)) {
            continue;
        }
        if (waiver.until < today) {
            ended_.push_back(name_of(waiver) + " ended on " + waiver.until + " and was not used");
        } else {
            const std::string target = address_of(waiver.target, machine);
            active_.push_back({waiver, target, may_be_gpu(target, machine)});
        }
    }
}

std::set<std::string> Waivers::left_out(const std::string& id) const {
    std::set<std::string> out;
    for (const auto& each : active_) {
        const bool counts = each.is_gpu || !id.starts_with("gpu.");
        if (counts && is_pci_address(each.target) && glob_match(each.waiver.id, id)) {
            out.insert(each.target);
        }
    }
    return out;
}

std::vector<std::string> Waivers::apply(Report& report, bool only_judged) const {
    std::vector<std::string> notes = ended_;
    for (const auto& [waiver, target, is_gpu] : active_) {
        std::size_t matched = 0;
        bool needed = false;
        for (auto& finding : report.findings) {
            if (!glob_match(waiver.id, finding.id) ||
                (!target.empty() && target != finding.target)) {
                continue;
            }
            ++matched;
            needed = needed || !is_quiet(finding.outcome);
            if (finding.outcome == Outcome::differs || finding.outcome == Outcome::unknown) {
                finding.waived = Waived{waiver.ticket, waiver.until, waiver.why};
            }
        }
        const bool judged = std::any_of(
            report.settings.begin(), report.settings.end(),
            [&, id = waiver.id](const auto& each) { return glob_match(id, each.first); });
        if (!needed && (judged || !only_judged)) {
            const std::string about =
                waiver.id + (waiver.target.empty() ? "" : " on " + waiver.target);
            notes.push_back(name_of(waiver) + (matched == 0 ? " matches nothing here: " + about
                                                            : " is not needed here: " + about +
                                                                  " passed or does not exist"));
        }
    }
    return notes;
}

}  // namespace rocenv
