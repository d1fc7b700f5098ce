// SPDX-License-Identifier: MIT
#include "profile/profile_condition.h"

#include <algorithm>
#include <array>

#include "machine/rdma/rdma.h"
#include "profile/profile.h"
#include "profile/profile_entry.h"
#include "util/near_names.h"
#include "util/text.h"
#include "variables/environment.h"
#include "variables/releases/versions.h"

namespace rocenv {

namespace {

// Longest first: "<" starts "<=", too.
constexpr std::array<std::string_view, 5> operators{">=", "<=", ">", "<", "="};

struct Bound {
    std::string_view sign;
    std::string_view version;
};

std::optional<Bound> bound_of(std::string_view text) {
    for (const auto sign : operators) {
        if (text.starts_with(sign)) {
            const auto version = trim(text.substr(sign.size()));
            const bool good = version.find_first_not_of("0123456789.") == std::string_view::npos &&
                              compare_versions(version, "0");
            return good ? std::optional(Bound{sign, version}) : std::nullopt;
        }
    }
    return std::nullopt;
}

bool satisfies(int order, std::string_view sign) {
    return sign == ">="   ? order >= 0
           : sign == "<=" ? order <= 0
           : sign == ">"  ? order > 0
           : sign == "<"  ? order < 0
                          : order == 0;
}

bool are_bounds(std::string_view text) {
    const auto parts = split(text, ',');
    return std::all_of(parts.begin(), parts.end(),
                       [](std::string_view part) { return bound_of(trim(part)).has_value(); });
}

std::vector<std::string> known_keys() {
    std::vector<std::string> keys = keys_of(KeyOf::when);
    keys.insert(keys.end(), Versions::packages().begin(), Versions::packages().end());
    return keys;
}

// Calls `take` with each text of a list.
template <class Take>
void each_text(const Value& value, std::string_view key, const Complaint& complain, Take take) {
    const ValueList* list = value.list();
    const bool good = list != nullptr && !list->empty() &&
                      std::all_of(list->begin(), list->end(),
                                  [](const Value& each) { return each.text() != nullptr; });
    if (!good) {
        complain(value.place, "when: " + std::string(key) + ": expected a list of texts");
        return;
    }
    for (const auto& each : *list) {
        take(*each.text(), each.place);
    }
}

void take_bounds(std::string& into, const std::string& key, const Value& value,
                 const Complaint& complain) {
    if (value.text() == nullptr || !are_bounds(*value.text())) {
        complain(value.place, "when: " + key + ": found " + printable(toml_text(value), 40) +
                                  ", expected text such as \">=2.6\" or \">=2.6,<2.9\"");
        return;
    }
    into = *value.text();
}

bool is_module_name(std::string_view text) {
    return !text.empty() && text.find_first_not_of(
                                "abcdefghijklmnopqrstuvwxyz"
                                "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") == text.npos;
}

void take_key(When& when, const std::string& key, const Value& value, const Complaint& complain) {
    const auto& packages = Versions::packages();
    if (key == "gfx") {
        each_text(value, key, complain,
                  [&](const std::string& text, const Place&) { when.gfx.push_back(text); });
    } else if (key == "device") {
        each_text(value, key, complain, [&](const std::string& text, const Place& place) {
            const auto id = device_id(text);
            if (id) {
                when.devices.push_back(*id);
            } else {
                complain(place, not_a_device(text));
            }
        });
    } else if (key == "gpus") {
        take_bounds(when.gpus, key, value, complain);
    } else if (key == "module") {
        if (value.text() != nullptr && is_module_name(*value.text())) {
            when.module = *value.text();
        } else {
            complain(value.place, "when: module: expected the name of a kernel module");
        }
    } else if (key == "root") {
        if (value.boolean() != nullptr) {
            when.root = *value.boolean();
        } else {
            complain(value.place, "when: root: expected true or false");
        }
    } else if (std::find(packages.begin(), packages.end(), key) != packages.end()) {
        take_bounds(when.versions[key], key, value, complain);
    } else {
        complain(value.place, "unknown key " + in_quotes(key, 40) + " in when" +
                                  did_you_mean(near_names(key, known_keys())));
    }
}

}  // namespace

When parse_when(const Value& value, const Complaint& complain) {
    When when;
    if (value.table() == nullptr || value.table()->empty()) {
        complain(value.place, "when: expected a table such as { torch = \">=2.6\" }");
        return when;
    }
    for (const auto& [key, inner] : *value.table()) {
        take_key(when, key, inner, complain);
    }
    return when;
}

std::string when_text(const When& when) {
    std::vector<std::string> parts;
    for (const auto device : when.devices) {
        parts.push_back(hex(device, 4));
    }
    parts.insert(parts.end(), when.gfx.begin(), when.gfx.end());
    for (const auto& [package, bounds] : when.versions) {
        parts.push_back(package + " " + bounds);
    }
    if (!when.gpus.empty()) {
        parts.push_back("GPUs " + when.gpus);
    }
    if (!when.module.empty()) {
        parts.push_back("module " + when.module);
    }
    if (when.root) {
        parts.emplace_back(*when.root ? "asked as root" : "not asked as root");
    }
    return join(parts, ", ");
}

std::optional<bool> within(std::string_view version, std::string_view bounds) {
    bool inside = true;
    for (const auto part : split(bounds, ',')) {
        const auto bound = bound_of(trim(part));
        const auto order = bound ? compare_versions(version, bound->version) : std::nullopt;
        if (!order) {
            return std::nullopt;
        }
        inside = inside && satisfies(*order, bound->sign);
    }
    return inside;
}

bool ends(const When& when, std::string_view package) {
    const auto found = when.versions.find(std::string(package));
    return found != when.versions.end() && within("999999999", found->second) == false;
}

namespace {

// Returns true if the list of modules can be read and lacks the module.
bool lacks_module(const Machine& machine, const std::string& name) {
    const auto modules = loaded_modules(machine.fs());
    return modules && std::find(modules->begin(), modules->end(), name) == modules->end();
}

// Returns the first package that was found in another version.
std::optional<std::string> other_version(const When& when, const Versions& versions) {
    for (const auto& [package, bounds] : when.versions) {
        const auto found = versions.find(package);
        if (found && within(found->version, bounds) == false) {
            return package + " is " + found->version + ", not " + bounds;
        }
    }
    return std::nullopt;
}

}  // namespace

Condition condition_here(const Machine& machine, const Process& process, const Versions& versions) {
    return [&](const When& when) -> std::optional<std::string> {
        if (when.root && *when.root != process.is_root) {
            return process.is_root ? "root asks" : "it is not root who asks";
        }
        if (!when.module.empty() && lacks_module(machine, when.module)) {
            return "the kernel module " + when.module + " is not loaded";
        }
        const bool of_gpus = when.of_setting && !(when.devices.empty() && when.gfx.empty());
        if (of_gpus && machine.gpus().empty() && !machine.gpus_uncertain()) {
            return "no AMD GPU is there";
        }
        if (auto why = mismatch({"", when.devices, when.gfx, ""}, machine, process)) {
            return why;
        }
        const auto count = when.gpus.empty() || machine.kfd_uncertain() ? 0 : visible_gpus(machine);
        if (count > 0 && within(number(count), when.gpus) == false) {
            return "GPUs are " + number(count) + ", not " + when.gpus;
        }
        return other_version(when, versions);
    };
}

}  // namespace rocenv
