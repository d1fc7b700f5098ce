// SPDX-License-Identifier: MIT
// TOML to ProfileText, or to plain values. The only user of toml++.
#define TOML_EXCEPTIONS 0
#define TOML_HEADER_ONLY 1
// It asserts, or has the compiler assume, that a key begins as a key does, which "[[}" breaks; then
// it looks, and refuses. Neither may come before that: an assertion ends the program.
#define TOML_ASSERT(expression) static_assert(true)
#pragma push_macro("NDEBUG")
#undef NDEBUG
#include <toml++/toml.h>
#pragma pop_macro("NDEBUG")

#include <algorithm>

#include "profile/profile_entry.h"
#include "profile/profile_keys.h"
#include "profile/toml_file.h"
#include "util/text.h"

namespace rocenv {

namespace {

Place place_of(const std::string& file, const toml::source_region& region) {
    return {file, region.begin.line, region.begin.column};
}

std::string date_text(const toml::date& date) {
    const auto two = [](unsigned value) { return (value < 10 ? "0" : "") + number(value); };
    return number(date.year) + "-" + two(date.month) + "-" + two(date.day);
}

Value to_value(const std::string& file, const toml::node& node);

ValueTable to_table(const std::string& file, const toml::table& table) {
    ValueTable out;
    for (const auto& [key, node] : table) {
        out.emplace(std::string(key.str()), to_value(file, node));
    }
    return out;
}

// Dates and times become a list that no setting accepts.
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
    } else {
        Value told;
        const auto* date = node.as_date();
        told.data = date == nullptr ? std::string("a time") : date_text(date->get());
        out.data = ValueList{told};
    }
    return out;
}

std::size_t count_of(const toml::node& node) {
    std::size_t count = 1;
    if (const auto* array = node.as_array()) {
        for (const auto& element : *array) {
            count += count_of(element);
        }
    } else if (const auto* table = node.as_table()) {
        for (const auto& [key, inner] : *table) {
            count += count_of(inner);
        }
    }
    return count;
}

// toml++ walks dotted names by recursion and has a limit for values only.
bool too_deep(std::string_view text) {
    constexpr int most_dots = 100;
    constexpr std::string_view breaks = "\n=,{}[]\"'";
    int dots = 0;
    for (const char byte : text) {
        dots = breaks.find(byte) != std::string_view::npos ? 0 : dots + (byte == '.' ? 1 : 0);
        if (dots > most_dots) {
            return true;
        }
    }
    return false;
}

// Why a text is none that is taken, told with its place; nothing: `into` is what it says.
std::optional<Diagnostic> fault_of(const std::string& file, std::string_view text,
                                   toml::table& into) {
    const auto fault = [&](const std::string& what) {
        return Diagnostic{true, {file, 1, 1}, what, false};
    };
    if (text.size() > ProfileLimits::file_bytes) {
        return fault("larger than " + number(ProfileLimits::file_bytes >> 10) + " KiB");
    }
    if (too_deep(text)) {
        return fault("more than 100 names joined by dots");
    }
    toml::parse_result parsed = toml::parse(text, file);
    if (!parsed) {
        const auto& error = parsed.error();
        return Diagnostic{true, place_of(file, error.source()), std::string(error.description()),
                          false};
    }
    into = std::move(parsed).table();
    if (count_of(into) > ProfileLimits::file_values) {
        return fault("more than " + number(ProfileLimits::file_values) + " values");
    }
    return std::nullopt;
}

class ProfileReader {
   public:
    ProfileReader(const std::string& file, TextKind kind) : kind_(kind) { out_.file = file; }

    ProfileText read(std::string_view text) {
        parse(text);
        out_.diagnostics = std::move(entries_.diagnostics);
        sort_by_place(out_.diagnostics);
        return std::move(out_);
    }

   private:
    void parse(std::string_view text) {
        toml::table parsed;
        if (auto fault = fault_of(out_.file, text, parsed)) {
            entries_.diagnostics.push_back(*std::move(fault));
            return;
        }
        out_.values = count_of(parsed);
        for (const auto& [key, node] : parsed) {
            top_level(key, node);
        }
        const bool named = kind_ == TextKind::site || !out_.name.empty();
        if (!named && !has_errors(entries_.diagnostics)) {
            fail({out_.file, 1, 1}, "[profile] name is missing");
        }
    }

    void fail(Place place, std::string text) { entries_.fail(std::move(place), std::move(text)); }

    Place at(const toml::key& key) const { return place_of(out_.file, key.source()); }
    Place at(const toml::node& node) const { return place_of(out_.file, node.source()); }

    void top_level(const toml::key& key, const toml::node& node) {
        const toml::table* table = node.as_table();
        const std::string_view name = key.str();
        const auto known = keys_of(KeyOf::file);
        if (std::find(known.begin(), known.end(), name) == known.end()) {
            fail(at(key),
                 "unknown key " + printable(name, 60) + did_you_mean(nearest(name, known)));
        } else if (table == nullptr) {
            fail(at(key), "[" + std::string(name) + "] must be a table");
        } else if (name == "profile") {
            head(*table);
        } else if (name == "match" && kind_ == TextKind::site) {
            fail(at(key),
                 "a site's file is for every node: when = { … } in an entry says for "
                 "which it is meant");
        } else if (name == "match") {
            out_.states_match = true;
            match(*table);
        } else {
            entries(*table, name == "env");
        }
    }

    void entries(const toml::table& table, bool environment) {
        for (const auto& [key, node] : table) {
            const std::string name(key.str());
            Value value = to_value(out_.file, node);
            auto entry = environment ? entries_.variable_entry(name, std::move(value), at(key))
                                     : entries_.setting_entry(name, std::move(value), at(key));
            if (entry) {
                out_.entries.push_back(*std::move(entry));
            }
        }
        std::sort(out_.entries.begin(), out_.entries.end(),
                  [](const ProfileEntry& a, const ProfileEntry& b) {
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
            } else if (name == "extends" && kind_ == TextKind::site) {
                fail(at(key), "a site's file comes after every profile and extends none");
            } else if (name == "extends") {
                for_each_text(key, node, [&](const std::string& parent, const Place& place) {
                    out_.extends.push_back(parent);
                    out_.extends_places.push_back(place);
                });
            } else if (name == "also") {
                for_each_text(key, node, [&](const std::string& line, const Place&) {
                    out_.also.push_back(line);
                });
            } else if (name == "auto") {
                take_automatic(node);
            } else {
                fail(at(key), "unknown key " + printable(name, 60) + " in [profile]" +
                                  did_you_mean(nearest(name, keys_of(KeyOf::profile))));
            }
        }
    }

    void match(const toml::table& table) {
        for (const auto& [key, node] : table) {
            const std::string_view name = key.str();
            if (name == "device") {
                for_each_text(key, node, [&](const std::string& id, const Place& place) {
                    take_device(id, place);
                });
            } else if (name == "gfx") {
                for_each_text(key, node, [&](const std::string& gfx, const Place& place) {
                    take_gfx(gfx, place);
                });
            } else if (name == "rocm") {
                text(key, node, out_.match.rocm);
                if (!out_.match.rocm.starts_with(">=") ||
                    !compare_versions(trim(std::string_view(out_.match.rocm).substr(2)), "0")) {
                    fail(at(node), "rocm: wanted text such as \">=6.2\"");
                }
            } else {
                fail(at(key), "unknown key " + printable(name, 60) + " in [match]" +
                                  did_you_mean(nearest(name, keys_of(KeyOf::match))));
            }
        }
    }

    void take_gfx(const std::string& gfx, const Place& place) {
        if (gfx.starts_with("gfx") && parse_number(gfx.substr(3), 16)) {
            out_.match.gfx.push_back(gfx);
        } else {
            fail(place, "\"" + printable(gfx, 40) + "\" found, wanted a name such as \"gfx942\"");
        }
    }

    void take_device(const std::string& id, const Place& place) {
        if (const auto value = device_id(id)) {
            out_.match.devices.push_back(*value);
        } else {
            fail(place, not_a_device(id));
        }
    }

    void take_automatic(const toml::node& node) {
        if (const auto* value = node.as_boolean()) {
            out_.match.automatic = value->get();
        } else {
            fail(at(node), "auto: wanted true or false");
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

    const TextKind kind_;
    ProfileText out_;
    EntryReader entries_;
};

// A number of a version keeps its text (6.10 is not 6.1), and so does what follows env.NAME=.
Value want_value(const std::string& id, const std::string& text) {
    Value value;
    value.data = text;
    if (too_deep(text) || text.find('\n') != std::string::npos) {
        return value;
    }
    const toml::parse_result parsed = toml::parse("v = " + text, std::string_view("--want"));
    const toml::node* node =
        parsed && parsed.table().size() == 1 ? parsed.table().get("v") : nullptr;
    const bool number = node != nullptr && !node->is_string() && !node->is_table();
    if (node == nullptr || node->is_floating_point() || (number && id.starts_with("env."))) {
        return value;
    }
    value = to_value("--want", *node);
    return value;
}

}  // namespace

ProfileText parse_profile(const std::string& file, std::string_view text, TextKind kind) {
    ProfileText out = ProfileReader(file, kind).read(text);
    out.bytes = text.size();
    return out;
}

TomlFile read_toml(const std::string& file, std::string_view text) {
    TomlFile out;
    toml::table parsed;
    out.fault = fault_of(file, text, parsed);
    if (!out.fault) {
        out.values = to_table(file, parsed);
    }
    return out;
}

Result<ProfileEntry> parse_want(std::string_view argument) {
    const auto equals = argument.find('=');
    const std::string shown = "--want " + printable(argument, 100);
    if (equals == std::string_view::npos || equals == 0) {
        return Error{ErrorKind::bad_input, 0, "", shown + ": wanted ID=VALUE"};
    }
    const std::string id(argument.substr(0, equals));
    const std::string text(argument.substr(equals + 1));
    Value value = want_value(id, text);
    EntryReader reader;
    const Place place{"--want", 0, 0};
    auto entry = id.starts_with("env.") ? reader.variable_entry(id.substr(4), value, place)
                                        : reader.setting_entry(id, value, place);
    if (!entry) {
        return Error{ErrorKind::bad_input, 0, "", shown + ": " + reader.diagnostics.front().text};
    }
    if (entry->value && !entry->level) {
        entry->level = Level::required;
    }
    return *std::move(entry);
}

std::string diagnostic_text(const Diagnostic& diagnostic) {
    return place_text(diagnostic.place) + (diagnostic.is_error ? ": error: " : ": warning: ") +
           diagnostic.text;
}

void sort_by_place(std::vector<Diagnostic>& diagnostics) {
    std::sort(diagnostics.begin(), diagnostics.end(), [](const Diagnostic& a, const Diagnostic& b) {
        return std::pair(a.place.line, a.place.column) < std::pair(b.place.line, b.place.column);
    });
}

bool has_errors(const std::vector<Diagnostic>& diagnostics) {
    return std::any_of(diagnostics.begin(), diagnostics.end(),
                       [](const Diagnostic& diagnostic) { return diagnostic.is_error; });
}

}  // namespace rocenv
