// SPDX-License-Identifier: MIT
// Which profile fits this machine.
#include <algorithm>
#include <map>

#include "machine/gpu/gpu_models.h"
#include "machine/sources.h"
#include "profile/builtin_profiles.h"
#include "profile/profile.h"
#include "profile/profile_image.h"
#include "util/text.h"
#include "variables/releases/versions.h"

namespace rocenv {

namespace {

std::string device_name(std::uint32_t device) {
    const auto name = gpu_name(device);
    return name.empty() ? "device " + hex(device, 4) : std::string(name);
}

// The GPUs a profile is about: accelerators, or where there are none whatever KFD or PCI shows. A
// display adapter beside accelerators does not count.
std::vector<const Gpu*> relevant_gpus(const Machine& machine) {
    std::vector<const Gpu*> all;
    std::vector<const Gpu*> accelerators;
    for (const auto& gpu : machine.gpus()) {
        all.push_back(&gpu);
        if (gpu.accelerator) {
            accelerators.push_back(&gpu);
        }
    }
    return accelerators.empty() ? all : accelerators;
}

std::map<std::uint32_t, std::size_t> devices_of(const Machine& machine) {
    std::map<std::uint32_t, std::size_t> devices;
    for (const Gpu* gpu : relevant_gpus(machine)) {
        ++devices[gpu->device];
    }
    return devices;
}

std::string told(const std::map<std::uint32_t, std::size_t>& devices) {
    std::string out;
    for (const auto& [device, count] : devices) {
        out += (out.empty() ? "" : ", ") + devices_told(count, device, device_name(device));
    }
    return out;
}

bool covers(const Match& match, const std::map<std::uint32_t, std::size_t>& devices) {
    return !match.devices.empty() &&
           std::all_of(devices.begin(), devices.end(), [&](const auto& entry) {
               return std::find(match.devices.begin(), match.devices.end(), entry.first) !=
                      match.devices.end();
           });
}

// Whether a shipped profile is for one of these. What overrides it is looked at in any case.
bool may_be_chosen(const BuiltinProfile& shipped,
                   const std::map<std::uint32_t, std::size_t>& devices) {
    const auto match = match_in(shipped.image);
    return match.automatic && std::any_of(devices.begin(), devices.end(), [&](const auto& entry) {
               return std::find(match.devices.begin(), match.devices.end(), entry.first) !=
                      match.devices.end();
           });
}

// A shipped name whose own [match] (perhaps in a file that overrides it) covers all GPUs. The forms
// that extend such a profile state no devices of their own.
std::optional<std::string> profile_for(const ProfileStore& store,
                                       const std::map<std::uint32_t, std::size_t>& devices,
                                       std::vector<Diagnostic>& diagnostics) {
    std::optional<std::string> found;
    for (const auto& shipped : builtin_profiles) {
        const std::string name(shipped.name);
        if (!store.overrides(name) && !may_be_chosen(shipped, devices)) {
            continue;
        }
        const auto profile = store.find(name);
        if (!profile) {
            diagnostics.push_back(
                {true, {name, 0, 0}, profile.error().text, profile.is(ErrorKind::timed_out)});
            continue;
        }
        if (has_errors(profile->diagnostics)) {
            diagnostics.insert(diagnostics.end(), profile->diagnostics.begin(),
                               profile->diagnostics.end());
        } else if (!found && profile->match.automatic && covers(profile->match, devices)) {
            found = name;
        }
    }
    return found;
}

// What a node with accelerators gets where no profile is for all of them.
constexpr const char* any_instinct = "mi";

Assessment no_single_kind(const std::map<std::uint32_t, std::size_t>& devices,
                          const std::string& judged) {
    const bool mixed = devices.size() > 1;
    Assessment finding;
    finding.outcome = Outcome::differs;
    finding.want = "one kind of GPU that a profile is for";
    finding.have = told(devices);
    finding.detail =
        (mixed ? "a mixed set of GPUs, so " : "no profile is for this GPU, so ") + judged;
    finding.next_step = "rocenv profile list; if one fits, name it with -p";
    return finding;
}

bool is_known(std::uint32_t device) {
    return gpu_model(device) != nullptr;
}

// Accelerators that nobody has a profile for are judged by what all models share: that one is
// missing or dead must be told of them as well.
void fall_back(const Machine& machine, const std::map<std::uint32_t, std::size_t>& devices,
               AutoChoice& choice) {
    const auto gpus = relevant_gpus(machine);
    const bool accelerators =
        std::any_of(gpus.begin(), gpus.end(), [](const Gpu* gpu) { return gpu->accelerator; });
    if (!accelerators) {
        choice.finding = no_single_kind(devices, "only host settings were checked");
        return;
    }
    choice.name = any_instinct;
    choice.finding =
        no_single_kind(devices, "only the settings that all models share were checked");
    const bool all_known = std::all_of(devices.begin(), devices.end(),
                                       [](const auto& entry) { return is_known(entry.first); });
    // Of a mixed set gpu.model tells, at its own level.
    choice.level = all_known && devices.size() > 1 ? Level::info : Level::recommended;
}

Assessment no_gpu(const Machine& machine, const std::optional<std::string>& evidence) {
    Assessment row;
    row.outcome = Outcome::differs;
    row.want = "an AMD GPU";
    row.have = "none";
    const bool judged = !machine.gpus().empty();
    row.detail = judged ? "no AMD GPU is on PCI, but " + *evidence
                        : std::string(no_gpu_found) + (evidence ? ", but " + *evidence : "");
    row.next_step = evidence ? "sudo dmesg | grep -e amdgpu -e pcieport"
                             : "if this node has no GPU: rocenv check -p host";
    return row;
}

// What the list of PCI functions leaves open: it is missing or unreadable, one function could not
// be identified, or no GPU is in it.
void judge_list(const Machine& machine, bool no_devices, AutoChoice& choice) {
    const auto& gpus = machine.gpus();
    const bool any_on_pci =
        std::any_of(gpus.begin(), gpus.end(), [](const Gpu& gpu) { return gpu.on_pci; });
    if (any_on_pci || !machine.asks_pci()) {
        return;
    }
    const auto list_lost = lost(machine, Source::pci);
    const auto uncertain = list_lost ? list_lost : machine.gpus_uncertain();
    if (uncertain && !list_lost && !no_devices) {
        return;  // gpu.count reports it
    }
    const auto evidence = gpu_evidence(machine);
    choice.level = evidence || (uncertain && !list_lost) ? Level::required : Level::recommended;
    choice.finding = uncertain ? unreadable({}, *uncertain) : no_gpu(machine, evidence);
    if (list_lost && machine.kfd_uncertain()) {  // it would show whether there are GPUs
        choice.finding->detail += "; " + machine.kfd_uncertain()->text;
    }
    if (uncertain && no_devices) {
        choice.finding->detail += "; the list of GPUs could not be read";
    }
    choice.lacks_gpus = true;
}

enum class StatedGpus { nothing, none, some };

// What the profile, the site and the command line state of the number of GPUs.
StatedGpus stated_gpus(const Resolved& profile) {
    const auto count = std::find_if(profile.wants.begin(), profile.wants.end(),
                                    [](const Want& want) { return want.id == "gpu.count"; });
    const bool counts = count != profile.wants.end();
    const bool counts_none =
        counts && count->value.integer() != nullptr && *count->value.integer() == 0;
    const bool names_devices =
        std::any_of(profile.matches.begin(), profile.matches.end(),
                    [](const Match& match) { return !match.devices.empty(); });
    return names_devices || (counts && !counts_none) ? StatedGpus::some
           : counts_none                             ? StatedGpus::none
                                                     : StatedGpus::nothing;
}

}  // namespace

std::vector<std::string> match_words(const Match& match) {
    std::vector<std::string> words;
    for (const auto device : match.devices) {
        const auto name = gpu_name(device);
        words.push_back(hex(device, 4) + (name.empty() ? "" : " " + std::string(name)));
    }
    words.insert(words.end(), match.gfx.begin(), match.gfx.end());
    if (!match.rocm.empty()) {
        words.push_back("ROCm " + match.rocm);
    }
    return words;
}

std::string gpus_told(const Machine& machine) {
    return told(devices_of(machine));
}

std::vector<std::uint32_t> gpu_kinds(const Machine& machine) {
    std::vector<std::uint32_t> kinds;
    for (const auto& [device, count] : devices_of(machine)) {
        kinds.push_back(device);
    }
    return kinds;
}

AutoChoice choose_profile(const Machine& machine, const ProfileStore& store) {
    const auto devices = devices_of(machine);
    AutoChoice choice;
    choice.name = "host";
    if (!devices.empty()) {
        if (const auto name = profile_for(store, devices, choice.diagnostics)) {
            choice.name = *name;
        } else {
            fall_back(machine, devices, choice);
        }
    }
    judge_list(machine, devices.empty(), choice);
    return choice;
}

void AutoChoice::consider(const Resolved& profile) {
    if (!lacks_gpus) {
        return;
    }
    const auto stated = stated_gpus(profile);
    if (stated == StatedGpus::some) {
        level = Level::required;
    } else if (stated == StatedGpus::none && level != Level::required &&
               finding->outcome == Outcome::differs) {
        finding.reset();
    }
}

bool has_unlisted_gpus(const Machine& machine, const Resolved& profile, bool chose) {
    const auto& wants = profile.wants;
    const bool stated = stated_gpus(profile) == StatedGpus::some;
    const bool asked = chose || stated ||
                       std::any_of(wants.begin(), wants.end(),
                                   [](const Want& want) { return want.id.starts_with("gpu."); });
    return asked && machine.asks_pci() && lost(machine, Source::pci) &&
           (stated || gpu_evidence(machine));
}

std::optional<std::string> mismatch(const Match& match, const Machine& machine,
                                    const Process& process) {
    const auto& nodes = machine.kfd().nodes;
    for (const Gpu* relevant : relevant_gpus(machine)) {
        const Gpu& gpu = *relevant;
        const auto listed = [](const auto& list, const auto& value) {
            return list.empty() || std::find(list.begin(), list.end(), value) != list.end();
        };
        if (!listed(match.devices, gpu.device)) {
            return gpu.bdf + " is " + device_name(gpu.device) + " (" + hex(gpu.device, 4) + ")";
        }
        const auto gfx = gpu.agents.empty()
                             ? std::string()
                             : gfx_name(nodes[gpu.agents.front()].get("gfx_target_version"));
        if (!gfx.empty() && !listed(match.gfx, gfx)) {
            return gpu.bdf + " is " + gfx;
        }
    }
    if (!match.rocm.empty()) {
        const auto version = rocm_layouts(machine.fs(), process).version();
        const auto least = trim(std::string_view(match.rocm).substr(2));
        if (version && compare_versions(*version, least).value_or(0) < 0) {
            return "ROCm is " + *version;
        }
    }
    return std::nullopt;
}

}  // namespace rocenv
