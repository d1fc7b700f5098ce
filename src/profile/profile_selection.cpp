// SPDX-License-Identifier: MIT
#include "profile/profile_selection.h"

#include <algorithm>

#include "commands/tunableop/tunable.h"
#include "settings/registry.h"
#include "util/fnv.h"
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
    for (std::string name : profile.told_names()) {
        name = name.substr(name.rfind('/') + 1);
        out += (name.ends_with(".toml") ? name.substr(0, name.size() - 5) : name) + "-";
    }
    return out + "pinned";
}

// What both lists hold; an empty list asks nothing.
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

// A node fits it that fits each one of them.
Match all_of(const std::vector<Match>& matches) {
    Match out;
    for (const auto& match : matches) {
        narrow(out.devices, match.devices);
        narrow(out.gfx, match.gfx);
        const auto version = [](const std::string& rocm) { return trim(rocm.substr(2)); };
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
    out += match.rocm.empty() ? "" : "rocm = " + text_in_toml(match.rocm) + "\n";
    return out.empty() ? "" : "\n[match]\n" + out;
}

std::string section(const char* name, const std::vector<Want>& wants, bool variables) {
    std::string out;
    for (const auto& want : wants) {
        if (want.id.starts_with(variables_family) == variables) {
            const std::string key = variables ? want.id.substr(variables_family.size()) : want.id;
            out += text_in_toml(key) + " = " + entry_text(want) + "\n";
        }
    }
    return out.empty() ? "" : "\n[" + std::string(name) + "]\n" + out;
}

std::string value_text(const Want& want) {
    if (want.unset) {
        return "unset = true";
    }
    const std::string text = toml_text(want.value);
    return want.value.table() != nullptr ? text.substr(2, text.size() - 4) : "value = " + text;
}

}  // namespace

std::string entry_text(const Want& want) {
    std::string out = "{ " + value_text(want) + (want.must_exist ? ", must_exist = true" : "") +
                      ", level = " + text_in_toml(std::string(word_of(want.level)));
    out += want.why.empty() ? "" : ", why = " + text_in_toml(want.why);
    out += want.source.empty() ? "" : ", source = " + text_in_toml(want.source);
    return out + " }";
}

std::string profile_digest(const Resolved& profile) {
    std::vector<std::string> lines;
    for (const auto& want : profile.wants) {
        lines.push_back(text_in_toml(want.id) + " " + value_text(want) +
                        (want.must_exist ? " must_exist " : " ") +
                        std::string(word_of(want.level)));
    }
    std::sort(lines.begin(), lines.end());
    return bare_hex(fnv1a(join(lines, "\n")), 16);
}

std::string pinned_text(const Resolved& profile) {
    const std::string names = join(profile.told_names(), " + ");
    std::string out = "# What " + printable(names) + " came to on one node, digest " +
                      profile_digest(profile) +
                      ".\n\n[profile]\nname = " + text_in_toml(name_of(profile)) +
                      "\nsummary = " + text_in_toml(names + ", pinned") + "\n";
    out += profile.also.empty() ? "" : "also = " + list_text(profile.also) + "\n";
    return out + match_section(all_of(profile.matches)) +
           section("settings", profile.wants, false) + section("env", profile.wants, true);
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

// A program is given at most a quarter of its stack's limit, 8 MiB where nobody said otherwise
// (linux fs/exec.c bprm_stack_limits). What cannot be told is an error of its own, elsewhere.
void check_size(const std::vector<Want>& wants, const Machine& machine, const Process& process,
                std::vector<std::string>& errors) {
    constexpr std::size_t most_mib = 2;
    const auto lookup = [&](const std::string& name) {
        return lookup_here(name, machine, process);
    };
    std::size_t size = 0;
    for (const auto& want : wants) {
        const auto* text = want.id.starts_with("env.") ? want.value.text() : nullptr;
        const auto value = text != nullptr ? expand(*text, lookup) : Result<std::string>("");
        size += value ? value->size() : 0;
        if (size > most_mib << 20) {
            errors.push_back(place_text(want.place) + ": with " + printable(want.id.substr(4), 60) +
                             " the variables expand to more than " + number(most_mib) +
                             " MiB, which no process can be given");
            return;
        }
    }
}

}  // namespace

std::vector<ProfileEntry> take_wants(const std::vector<std::string>& wants,
                                     std::vector<std::string>& errors) {
    std::vector<ProfileEntry> entries;
    for (const auto& text : wants) {
        auto entry = parse_want(text);
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
    const auto overrides = take_wants(request.wants, out.errors);
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
        check_size(out.profile.wants, machine, process, out.errors);
    }
    return out;
}

}  // namespace rocenv
