// SPDX-License-Identifier: MIT
// TOML to ProfileText. The only user of toml++.
#define TOML_EXCEPTIONS 0
#define TOML_HEADER_ONLY 1
#include <toml++/toml.h>

#include <algorithm>
#include <array>

#include "rocenv/profile.h"
#include "rocenv/registry.h"
#include "settings/env_reader.h"
#include "util/text.h"

namespace rocenv {

namespace {

constexpr std::array<std::string_view, 5> entry_keys{"level", "why", "source", "value", "unset"};

Place place_of(const std::string& file, const toml::source_region& region) {
    return {file, region.begin.line, region.begin.column};
}

Value to_value(const std::string& file, const toml::node& node);

ValueTable to_table(const std::string& file, const toml::table& table) {
    ValueTable out;
    for (const auto& [key, node] : table) {
        out.emplace(std::string(key.str()), to_value(file, node));
    }
    return out;
}

// Dates and times become their text: no setting accepts one.
Value to_value(const std::string& file, const toml::node& node) {
    Value out;
    out.place = place_of(file, node.source());
    if (const auto* text = node.as_string()) {
        out.data = text->get();
    } else if (const auto* whole = node.as_integer()) {
        out.data = whole->get();
    } else if (const auto* real = node.as_floating_point()) {
        out.data = real->get();
    } else if (const auto* flag = node.as_boolean()) {
        out.data = flag->get();
    } else if (const auto* array = node.as_array()) {
        ValueList list;
        for (const auto& element : *array) {
            list.push_back(to_value(file, element));
        }
        out.data = std::move(list);
    } else if (const auto* table = node.as_table()) {
        out.data = to_table(file, *table);
    }
    return out;
}

class ProfileReader {
   public:
    explicit ProfileReader(const std::string& file) { out_.file = file; }

    ProfileText read(std::string_view text) {
        const toml::parse_result parsed = toml::parse(text, out_.file);
        if (!parsed) {
            const auto& error = parsed.error();
            fail(place_of(out_.file, error.source()), std::string(error.description()));
            return std::move(out_);
        }
        for (const auto& [key, node] : parsed.table()) {
            top_level(key, node);
        }
        if (out_.name.empty() && !has_errors(out_.diagnostics)) {
            fail({out_.file, 1, 1}, "[profile] name is missing");
        }
        std::sort(out_.diagnostics.begin(), out_.diagnostics.end(),
                  [](const Diagnostic& a, const Diagnostic& b) {
                      return std::pair(a.place.line, a.place.column) <
                             std::pair(b.place.line, b.place.column);
                  });
        return std::move(out_);
    }

    std::optional<Entry> setting_entry(const std::string& id, Value value, Place place) {
        const Setting* setting = find_setting(id);
        if (setting == nullptr || setting->info().id == "env.") {
            const auto near = nearest(id, known_ids());
            fail(place, "unknown setting " + printable(id, 60) + did_you_mean(near));
            return std::nullopt;
        }
        Entry entry = start_entry(id, place);
        if (!take_entry(entry, std::move(value))) {
            return std::nullopt;
        }
        if (entry.value) {
            if (const auto wrong = check_form(*entry.value, setting->info().forms)) {
                fail(wrong->place.line != 0 ? wrong->place : place, id + ": " + wrong->text);
                return std::nullopt;
            }
        }
        return entry;
    }

    std::optional<Entry> variable_entry(const std::string& name, Value value, Place place) {
        if (name.empty() || name.find_first_of("=\0") != std::string::npos || !is_plain(name) ||
            name.find(' ') != std::string::npos) {
            fail(place, "\"" + printable(name, 60) + "\" cannot be a variable's name");
            return std::nullopt;
        }
        Entry entry = start_entry("env." + name, place);
        if (!take_entry(entry, std::move(value)) || !take_text(entry)) {
            return std::nullopt;
        }
        warn_of_variable(name, entry);
        return entry;
    }

    std::vector<Diagnostic> take_diagnostics() { return std::move(out_.diagnostics); }

   private:
    void fail(Place place, std::string text) {
        out_.diagnostics.push_back({true, std::move(place), std::move(text)});
    }
    void warn(Place place, std::string text) {
        out_.diagnostics.push_back({false, std::move(place), std::move(text)});
    }

    static std::string did_you_mean(const std::optional<std::string>& near) {
        return near ? ", did you mean " + *near + "?" : "";
    }

    static Entry start_entry(std::string id, Place place) {
        Entry entry;
        entry.id = std::move(id);
        entry.place = std::move(place);
        return entry;
    }

    Place at(const toml::key& key) const { return place_of(out_.file, key.source()); }
    Place at(const toml::node& node) const { return place_of(out_.file, node.source()); }

    void top_level(const toml::key& key, const toml::node& node) {
        const toml::table* table = node.as_table();
        const std::string_view name = key.str();
        static const std::vector<std::string> known{"env", "match", "profile", "settings"};
        if (std::find(known.begin(), known.end(), name) == known.end()) {
            fail(at(key),
                 "unknown key " + printable(name, 60) + did_you_mean(nearest(name, known)));
        } else if (table == nullptr) {
            fail(at(key), "[" + std::string(name) + "] must be a table");
        } else if (name == "profile") {
            head(*table);
        } else if (name == "match") {
            match(*table);
        } else {
            entries(*table, name == "env");
        }
    }

    void entries(const toml::table& table, bool environment) {
        for (const auto& [key, node] : table) {
            const std::string name(key.str());
            Value value = to_value(out_.file, node);
            auto entry = environment ? variable_entry(name, std::move(value), at(key))
                                     : setting_entry(name, std::move(value), at(key));
            if (entry) {
                out_.entries.push_back(*std::move(entry));
            }
        }
        std::sort(out_.entries.begin(), out_.entries.end(), [](const Entry& a, const Entry& b) {
            return std::pair(a.place.line, a.place.column) <
                   std::pair(b.place.line, b.place.column);
        });
    }

    void head(const toml::table& table) {
        for (const auto& [key, node] : table) {
            const std::string_view name = key.str();
            if (name == "name") {
                text(key, node, out_.name);
            } else if (name == "summary") {
                text(key, node, out_.summary);
            } else if (name == "extends") {
                for_each_text(key, node, [&](const std::string& parent, const Place& place) {
                    out_.extends.push_back(parent);
                    out_.extends_places.push_back(place);
                });
            } else {
                static const std::vector<std::string> known{"extends", "name", "summary"};
                fail(at(key), "unknown key " + printable(name, 60) + " in [profile]" +
                                  did_you_mean(nearest(name, known)));
            }
        }
    }

    void match(const toml::table& table) {
        for (const auto& [key, node] : table) {
            const std::string_view name = key.str();
            if (name == "device") {
                for_each_text(key, node, [&](const std::string& id, const Place& place) {
                    const auto value =
                        id.starts_with("0x") ? parse_number(id.substr(2), 16) : std::nullopt;
                    if (!value || *value > 0xffff) {
                        fail(place, "\"" + printable(id, 40) +
                                        "\" found, wanted a PCI id such as \"0x74a1\"");
                    } else {
                        out_.match.devices.push_back(static_cast<std::uint32_t>(*value));
                    }
                });
            } else if (name == "gfx") {
                for_each_text(key, node, [&](const std::string& gfx, const Place&) {
                    out_.match.gfx.push_back(gfx);
                });
            } else if (name == "rocm") {
                text(key, node, out_.match.rocm);
                if (!out_.match.rocm.starts_with(">=") ||
                    !compare_versions(trim(std::string_view(out_.match.rocm).substr(2)), "0")) {
                    fail(at(node), "rocm: wanted text such as \">=6.2\"");
                }
            } else {
                static const std::vector<std::string> known{"device", "gfx", "rocm"};
                fail(at(key), "unknown key " + printable(name, 60) + " in [match]" +
                                  did_you_mean(nearest(name, known)));
            }
        }
    }

    void text(const toml::key& key, const toml::node& node, std::string& out) {
        if (const auto* value = node.as_string()) {
            out = value->get();
        } else {
            fail(at(node), std::string(key.str()) + ": wanted text");
        }
    }

    template <class Take>
    void for_each_text(const toml::key& key, const toml::node& node, Take take) {
        const toml::array* array = node.as_array();
        if (array == nullptr) {
            fail(at(node), std::string(key.str()) + ": wanted a list of texts");
            return;
        }
        for (const auto& element : *array) {
            if (const auto* value = element.as_string()) {
                take(value->get(), at(element));
            } else {
                fail(at(element), std::string(key.str()) + ": wanted a list of texts");
            }
        }
    }

    // Splits a table form into what all entries share and the value.
    bool take_entry(Entry& entry, Value value) {
        if (value.table() == nullptr) {
            entry.bare = true;
            entry.value = std::move(value);
            return true;
        }
        ValueTable rest = *value.table();
        for (const auto key : entry_keys) {
            const auto found = rest.find(std::string(key));
            if (found != rest.end()) {
                if (!take_key(entry, key, found->second)) {
                    return false;
                }
                rest.erase(found);
            }
        }
        if (!rest.empty() && entry.value) {
            const auto& [name, extra] = *rest.begin();
            fail(extra.place, "unknown key " + printable(name, 40) + " beside value" +
                                  did_you_mean(nearest(name, shared_keys())));
            return false;
        }
        if (!rest.empty()) {
            value.data = std::move(rest);
            entry.value = std::move(value);
        }
        return true;
    }

    static std::vector<std::string> shared_keys() { return {entry_keys.begin(), entry_keys.end()}; }

    bool take_key(Entry& entry, std::string_view key, const Value& value) {
        if (key == "value") {
            entry.value = value;
            return true;
        }
        if (key == "unset") {
            if (value.boolean() == nullptr || !*value.boolean() || !entry.id.starts_with("env.")) {
                fail(value.place, "unset = true is for variables");
                return false;
            }
            entry.unset = true;
            return true;
        }
        if (value.text() == nullptr) {
            fail(value.place, std::string(key) + ": wanted text");
            return false;
        }
        if (key == "why") {
            entry.why = *value.text();
        } else if (key == "source") {
            entry.source = *value.text();
        } else {
            entry.level = level_of_word(*value.text());
            if (!entry.level) {
                fail(value.place, "level: \"" + printable(*value.text(), 40) +
                                      "\" found, wanted \"required\", \"recommended\" or \"info\"");
                return false;
            }
        }
        return true;
    }

    // A variable's value is text; a whole number is taken as its text.
    bool take_text(Entry& entry) {
        if (!entry.value || entry.value->text() != nullptr) {
            return true;
        }
        if (const auto* whole = entry.value->integer()) {
            entry.value->data = number(*whole);
            return true;
        }
        fail(entry.value->place, entry.id.substr(4) + ": " +
                                     printable(toml_text(*entry.value), 40) +
                                     " found, wanted text (the environment holds text only)");
        return false;
    }

    void warn_of_variable(const std::string& name, const Entry& entry) {
        if (const EnvReader* reader = find_env_reader(name); reader != nullptr) {
            const std::string why = entry.value ? reader->misread(*entry.value->text()) : "";
            if (!why.empty()) {
                warn(entry.value->place, name + ": \"" + printable(*entry.value->text(), 40) +
                                             "\" " + why + ", write 1 or 0");
            }
        } else if (const auto near = nearest(name, known_variables())) {
            warn(entry.place, "no reader is known for " + name + did_you_mean(near));
        }
    }

    ProfileText out_;
};

}  // namespace

ProfileText parse_profile(const std::string& file, std::string_view text) {
    return ProfileReader(file).read(text);
}

Result<Entry> parse_want(std::string_view argument) {
    const auto equals = argument.find('=');
    const std::string shown = "--want " + printable(argument, 100);
    if (equals == std::string_view::npos || equals == 0) {
        return Error{ErrorKind::bad_input, 0, "", shown + ": wanted ID=VALUE"};
    }
    const std::string id(argument.substr(0, equals));
    const std::string text(argument.substr(equals + 1));
    const toml::parse_result parsed = toml::parse("v = " + text, std::string_view("--want"));
    const toml::node* node =
        parsed && parsed.table().size() == 1 ? parsed.table().get("v") : nullptr;
    Value value;
    if (node != nullptr) {
        value = to_value("--want", *node);
    } else {
        value.data = text;
    }
    ProfileReader reader("--want");
    const Place place{"--want", 0, 0};
    auto entry = id.starts_with("env.") ? reader.variable_entry(id.substr(4), value, place)
                                        : reader.setting_entry(id, value, place);
    const auto problems = reader.take_diagnostics();
    if (!entry) {
        return Error{ErrorKind::bad_input, 0, "", shown + ": " + problems.front().text};
    }
    return *std::move(entry);
}

std::string diagnostic_text(const Diagnostic& diagnostic) {
    return place_text(diagnostic.place) + (diagnostic.is_error ? ": error: " : ": warning: ") +
           diagnostic.text;
}

bool has_errors(const std::vector<Diagnostic>& diagnostics) {
    return std::any_of(diagnostics.begin(), diagnostics.end(),
                       [](const Diagnostic& diagnostic) { return diagnostic.is_error; });
}

}  // namespace rocenv
