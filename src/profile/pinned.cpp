// SPDX-License-Identifier: MIT
#include "profile/pinned.h"

#include <algorithm>

#include "util/fnv.h"
#include "util/text.h"

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
                      ", level = " + text_in_toml(std::string(level_word(want.level)));
    out += want.why.empty() ? "" : ", why = " + text_in_toml(want.why);
    out += want.source.empty() ? "" : ", source = " + text_in_toml(want.source);
    return out + " }";
}

std::string profile_digest(const Resolved& profile) {
    std::vector<std::string> lines;
    for (const auto& want : profile.wants) {
        lines.push_back(text_in_toml(want.id) + " " + value_text(want) +
                        (want.must_exist ? " must_exist " : " ") +
                        std::string(level_word(want.level)));
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

}  // namespace rocenv
