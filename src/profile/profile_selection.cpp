// SPDX-License-Identifier: MIT
#include "profile/profile_selection.h"

#include <algorithm>
#include <filesystem>
#include <map>

#include "commands/tunableop/tunable.h"
#include "machine/gpu/gpu_models.h"
#include "machine/pci/pci.h"
#include "machine/sources.h"
#include "profile/profile.h"
#include "profile/profile_image.h"
#include "settings/registry.h"
#include "util/near_names.h"
#include "util/text.h"
#include "variables/environment.h"
#include "variables/releases/versions.h"

namespace rocenv {

namespace {

constexpr std::string_view variables_family = "env.";

std::string text_in_toml(const std::string& text) {
    return toml_text(Value{text, {}});
}

std::string list_text(const std::vector<std::string>& texts) {
    std::vector<std::string> parts;
    parts.reserve(texts.size());
    for (const auto& text : texts) {
        parts.push_back(text_in_toml(text));
    }
    return "[" + join(parts, ", ") + "]";
}

// "mi300x-site-pinned", of paths the name of the file.
std::string name_of(const Resolved& profile) {
    std::string out;
    for (std::string name : profile.shown_names()) {
        name = name.substr(name.rfind('/') + 1);
        out += (name.ends_with(".toml") ? name.substr(0, name.size() - 5) : name) + "-";
    }
    return out + "pinned";
}

// Reduces a list to the items of both lists. An empty list matches all items.
template <class Item>
void narrow(std::vector<Item>& to, const std::vector<Item>& by) {
    if (to.empty()) {
        to = by;
    } else if (!by.empty()) {
        std::erase_if(to, [&](const Item& item) {
            return std::find(by.begin(), by.end(), item) == by.end();
        });
    }
}

// Returns the conditions that a node meets if it meets each of these.
Match all_of(const std::vector<Match>& matches) {
    Match out;
    for (const auto& match : matches) {
        narrow(out.devices, match.devices);
        narrow(out.gfx, match.gfx);
        narrow(out.nics, match.nics);
        const auto version = [](std::string_view rocm) { return trim(rocm.substr(2)); };
        if (out.rocm.empty() ||
            (!match.rocm.empty() &&
             compare_versions(version(match.rocm), version(out.rocm)).value_or(0) > 0)) {
            out.rocm = match.rocm;
        }
    }
    return out;
}

std::string match_section(const Match& match) {
    std::string out;
    std::vector<std::string> devices;
    for (const auto device : match.devices) {
        devices.push_back(hex(device, 4));
    }
    out += devices.empty() ? "" : "device = " + list_text(devices) + "\n";
    out += match.gfx.empty() ? "" : "gfx = " + list_text(match.gfx) + "\n";
    out += match.nics.empty() ? "" : "nic = " + list_text(match.nics) + "\n";
    out += match.rocm.empty() ? "" : "rocm = " + text_in_toml(match.rocm) + "\n";
    return out.empty() ? "" : "\n[match]\n" + out;
}

std::string section(const char* name, const std::vector<Expectation>& expectations,
                    bool variables) {
    std::string out;
    for (const auto& expectation : expectations) {
        if (expectation.id.starts_with(variables_family) == variables) {
            const std::string key =
                variables ? expectation.id.substr(variables_family.size()) : expectation.id;
            out += text_in_toml(key) + " = " + entry_text(expectation) + "\n";
        }
    }
    return out.empty() ? "" : "\n[" + std::string(name) + "]\n" + out;
}

std::string value_text(const Expectation& expectation) {
    if (expectation.unset) {
        return "unset = true";
    }
    const std::string text = toml_text(expectation.value);
    return expectation.value.table() != nullptr ? text.substr(2, text.size() - 4)
                                                : "value = " + text;
}

}  // namespace

std::string entry_text(const Expectation& expectation) {
    std::string out = "{ " + value_text(expectation) +
                      (expectation.must_exist ? ", must_exist = true" : "") +
                      ", level = " + text_in_toml(std::string(word_of(expectation.level)));
    out += expectation.why.empty() ? "" : ", why = " + text_in_toml(expectation.why);
    out += expectation.source.empty() ? "" : ", source = " + text_in_toml(expectation.source);
    return out + " }";
}

std::string profile_digest(const Resolved& profile) {
    std::vector<std::string> lines;
    for (const auto& expectation : profile.expectations) {
        lines.push_back(text_in_toml(expectation.id) + " " + value_text(expectation) +
                        (expectation.must_exist ? " must_exist " : " ") +
                        std::string(word_of(expectation.level)));
    }
    std::sort(lines.begin(), lines.end());
    return bare_hex(fnv1a(join(lines, "\n")), 16);
}

std::string pinned_text(const Resolved& profile) {
    const std::string names = join(profile.shown_names(), " + ");
    std::string out = "# What " + printable(names) + " came to on one node, digest " +
                      profile_digest(profile) +
                      ".\n\n[profile]\nname = " + text_in_toml(name_of(profile)) +
                      "\nsummary = " + text_in_toml(names + ", pinned") + "\n";
    out += profile.also.empty() ? "" : "also = " + list_text(profile.also) + "\n";
    return out + match_section(all_of(profile.matches)) +
           section("settings", profile.expectations, false) +
           section("env", profile.expectations, true);
}

namespace {

void take_diagnostics(const std::vector<Diagnostic>& diagnostics, SelectedProfile& out) {
    for (const auto& diagnostic : diagnostics) {
        auto& list = diagnostic.is_error ? out.errors : out.warnings;
        const std::string text = diagnostic_text(diagnostic);
        out.timed_out = out.timed_out || diagnostic.timed_out;
        if (std::find(list.begin(), list.end(), text) == list.end()) {
            list.push_back(text);
        }
    }
}

void check_matches(const std::vector<Match>& matches, const Machine& machine,
                   const Process& process, std::vector<std::string>& errors) {
    for (const auto& match : matches) {
        if (const auto why = mismatch(match, machine, process)) {
            errors.push_back("profile " + match.profile + " is not for this node: " + *why +
                             " (--ignore-match accepts it)");
        }
    }
}

// Adds an error if the variables are too large. The arguments of a program may have at most a
// quarter of its stack limit, which is 8 MiB by default (linux fs/exec.c bprm_stack_limits). Values
// that cannot be expanded are errors elsewhere.
void check_size(const std::vector<Expectation>& expectations, const Machine& machine,
                const Process& process, std::vector<std::string>& errors) {
    constexpr std::size_t most_mib = 2;
    const auto lookup = [&](const std::string& name) {
        return lookup_here(name, machine, process);
    };
    std::size_t size = 0;
    for (const auto& expectation : expectations) {
        const auto* text = expectation.id.starts_with("env.") ? expectation.value.text() : nullptr;
        const auto value = text != nullptr ? expand(*text, lookup) : Result<std::string>("");
        size += value ? value->size() : 0;
        if (size > most_mib << 20) {
            errors.push_back(place_text(expectation.place) + ": with " +
                             printable(expectation.id.substr(4), 60) +
                             " the variables expand to more than " + number(most_mib) +
                             " MiB, which no process can be given");
            return;
        }
    }
}

}  // namespace

std::vector<ProfileEntry> parse_overrides(const std::vector<std::string>& overrides,
                                          std::vector<std::string>& errors) {
    std::vector<ProfileEntry> entries;
    for (const auto& text : overrides) {
        auto entry = parse_override(text);
        if (entry) {
            entries.push_back(*std::move(entry));
        } else {
            errors.push_back(entry.error().text);
        }
    }
    return entries;
}

bool selected(const std::string& id, const std::vector<std::string>& only,
              const std::vector<std::string>& skip) {
    const auto any = [&](const std::vector<std::string>& patterns) {
        return std::any_of(patterns.begin(), patterns.end(),
                           [&](const std::string& pattern) { return glob_match(pattern, id); });
    };
    return (only.empty() || any(only)) && !any(skip);
}

bool asks_machine(const std::string& name) {
    return name == "auto" || name == "benchmark" || name == "acceptance";
}

std::vector<std::string> expand_names(const std::vector<std::string>& names,
                                      const std::string& chosen) {
    std::vector<std::string> out;
    out.reserve(names.size());
    for (const auto& name : names) {
        if (name == "acceptance") {
            out.push_back(chosen);
        }
        out.push_back(name == "auto" ? chosen : name == "benchmark" ? chosen + "-benchmark" : name);
    }
    return out;
}

void check_root(const Fs& fs, const std::string& root, std::vector<std::string>& errors) {
    if (!fs.is_real() && !exists(fs, "/sys") && !exists(fs, "/proc")) {
        errors.push_back(in_quotes(root, 200) + " has neither sys nor proc");
    }
}

bool matches_any_id(const std::string& pattern) {
    return matches_any_setting(pattern) || glob_match(pattern, auto_id) ||
           glob_match(pattern, trust_id) || glob_match(pattern, tunable_results_id);
}

void check_patterns(const std::vector<std::string>& patterns, const char* option,
                    std::vector<std::string>& errors) {
    for (const auto& pattern : patterns) {
        if (!matches_any_id(pattern)) {
            errors.push_back("unknown setting " + in_quotes(pattern, 60) + " for " + option +
                             did_you_mean(near_names(pattern, known_ids())));
        }
    }
}

SelectedProfile select_profile(const CheckRequest& request, const Machine& machine, const Fs& host,
                               const Process& process, const Versions& versions,
                               ProfileStore::Parts parts) {
    SelectedProfile out;
    check_root(machine.fs(), request.root, out.errors);
    check_patterns(request.only, "--only", out.errors);
    check_patterns(request.skip, "--skip", out.errors);
    const auto overrides = parse_overrides(request.overrides, out.errors);
    if (!out.errors.empty()) {
        return out;
    }
    const auto asked =
        request.profiles.empty() ? std::vector<std::string>{"auto"} : request.profiles;
    out.chose = std::any_of(asked.begin(), asked.end(), asks_machine);
    const ProfileStore store(host, process, parts, request.untrusted);
    if (out.chose) {
        out.choice = choose_profile(machine, store);
        take_diagnostics(out.choice.diagnostics, out);
    }
    out.profile = resolve(store, expand_names(asked, out.choice.name), overrides,
                          condition_here(machine, process, versions),
                          request.no_site ? Site::left_out : Site::merged);
    take_diagnostics(out.profile.diagnostics, out);
    out.choice.consider(out.profile);
    out.doubts = store.doubts();
    if (!request.ignore_match && out.errors.empty()) {
        check_matches(out.profile.matches, machine, process, out.errors);
    }
    if (out.errors.empty()) {
        check_size(out.profile.expectations, machine, process, out.errors);
    }
    return out;
}

// The selection of a profile for this machine.

namespace {

std::string device_name(std::uint32_t device) {
    const auto name = gpu_name(device);
    return name.empty() ? "device " + hex(device, 4) : std::string(name);
}

// Returns the GPUs that a profile is compared with: accelerators, or without any all GPUs that KFD
// or PCI lists. A display adapter beside accelerators does not count.
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

std::string counts_text(const std::map<std::uint32_t, std::size_t>& devices) {
    std::string out;
    for (const auto& [device, count] : devices) {
        out += (out.empty() ? "" : ", ") + devices_text(count, device, device_name(device));
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

// Returns whether a shipped profile is for one of these devices. A file that overrides the profile
// is always checked.
bool may_be_chosen(const BuiltinProfile& shipped,
                   const std::map<std::uint32_t, std::size_t>& devices) {
    const auto match = match_in(shipped.image);
    return match.automatic && std::any_of(devices.begin(), devices.end(), [&](const auto& entry) {
               return std::find(match.devices.begin(), match.devices.end(), entry.first) !=
                      match.devices.end();
           });
}

// Returns the first shipped name whose own [match] (perhaps in a file that overrides it) covers all
// GPUs. The forms that extend such a profile state no devices of their own.
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

// The profile for accelerators that no single profile covers.
constexpr const char* any_instinct = "mi";

Assessment no_single_kind(const std::map<std::uint32_t, std::size_t>& devices,
                          const std::string& judged) {
    const bool mixed = devices.size() > 1;
    Assessment finding;
    finding.outcome = Outcome::differs;
    finding.expected = "one kind of GPU that a profile is for";
    finding.have = counts_text(devices);
    finding.detail =
        (mixed ? "the GPUs are of several kinds, so " : "no profile is for this GPU, so ") + judged;
    finding.next_step = "rocenv profile list; if one fits, name it with -p";
    return finding;
}

bool is_known(std::uint32_t device) {
    return gpu_model(device) != nullptr;
}

// Selects the profile for accelerators without one of their own: the settings that all models
// share. A missing or unresponsive GPU is then reported for these models, too.
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
    // For a mixed set, gpu.model reports the difference at its own level.
    choice.level = all_known && devices.size() > 1 ? Level::info : Level::recommended;
}

Assessment no_gpu(const Machine& machine, const std::optional<std::string>& evidence) {
    Assessment row;
    row.outcome = Outcome::differs;
    row.expected = "an AMD GPU";
    row.have = "none";
    const bool judged = !machine.gpus().empty();
    row.detail = judged ? "no AMD GPU is on PCI, but " + *evidence
                        : std::string(no_gpu_found) + (evidence ? ", but " + *evidence : "");
    row.next_step = evidence ? "sudo dmesg | grep -e amdgpu -e pcieport"
                             : "if this node has no GPU: rocenv check -p host";
    return row;
}

// Sets the finding of a node without a GPU on PCI: the list is missing or unreadable, one function
// could not be identified, or the list has no GPU.
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

// Returns the number of GPUs that the profile, the site and the command line state.
StatedGpus stated_gpus(const Resolved& profile) {
    const auto count =
        std::find_if(profile.expectations.begin(), profile.expectations.end(),
                     [](const Expectation& expectation) { return expectation.id == "gpu.count"; });
    const bool counts = count != profile.expectations.end();
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
    for (const auto& driver : match.nics) {
        words.push_back("RDMA NICs with the driver " + driver);
    }
    if (!match.rocm.empty()) {
        words.push_back("ROCm " + match.rocm);
    }
    return words;
}

std::string gpus_text(const Machine& machine) {
    return counts_text(devices_of(machine));
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
    const auto& expectations = profile.expectations;
    const bool stated = stated_gpus(profile) == StatedGpus::some;
    const bool asked =
        chose || stated ||
        std::any_of(expectations.begin(), expectations.end(), [](const Expectation& expectation) {
            return expectation.id.starts_with("gpu.");
        });
    return asked && machine.asks_pci() && lost(machine, Source::pci) &&
           (stated || gpu_evidence(machine));
}

namespace {

// Returns the drivers of the RDMA NICs, each once; empty without such a NIC or if the list
// cannot be read.
std::vector<std::string> nic_drivers(const Machine& machine) {
    std::vector<std::string> out;
    const auto nics = machine.rdma_nics();
    for (const auto& bdf : nics ? *nics : std::vector<std::string>()) {
        const auto& driver = machine.reader_of(bdf).driver();
        const std::string name = driver ? *driver : "";
        if (!name.empty() && std::find(out.begin(), out.end(), name) == out.end()) {
            out.push_back(name);
        }
    }
    return out;
}

// Returns why the RDMA NICs of the node are not those of the profile.
std::optional<std::string> other_nics(const Match& match, const Machine& machine) {
    if (match.nics.empty()) {
        return std::nullopt;
    }
    const auto drivers = nic_drivers(machine);
    const bool fits =
        drivers.empty() || std::any_of(drivers.begin(), drivers.end(), [&](const auto& driver) {
            return std::find(match.nics.begin(), match.nics.end(), driver) != match.nics.end();
        });
    return fits ? std::nullopt
                : std::optional("the driver of the RDMA NICs is " + join(drivers, ", "));
}

}  // namespace

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
    if (auto why = other_nics(match, machine)) {
        return why;
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

std::vector<std::string> doubt_lines(const std::vector<Doubt>& doubts) {
    std::vector<std::string> lines;
    for (const auto& doubt : doubts) {
        const bool used = doubt.use == Doubt::Use::named;
        lines.push_back(doubt.error.text +
                        (used ? "; the file is used as named" : "; the file is ignored"));
    }
    return lines;
}

bool is_site_path(const std::string& path) {
    const auto is_below = [](const std::filesystem::path& whole) {
        return whole.lexically_normal().string().starts_with("/etc/rocenv/");
    };
    std::error_code failed;
    const auto whole = std::filesystem::absolute(path, failed);
    if (!failed && is_below(whole)) {
        return true;
    }
    const auto without_links = std::filesystem::canonical(path, failed);
    return !failed && is_below(without_links);
}

}  // namespace rocenv
