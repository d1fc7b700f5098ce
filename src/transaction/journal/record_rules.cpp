// SPDX-License-Identifier: MIT
#include "transaction/journal/record_rules.h"

#include <algorithm>

#include "util/place_pattern.h"
#include "util/text.h"

namespace rocenv {

namespace {

using Places = std::span<const WrittenPlace>;

bool may_hold(const WrittenPlace& place, std::string_view bytes) {
    if (!place.offsets && bytes.ends_with('\n')) {
        bytes.remove_suffix(1);
    }
    const auto forms = split(place.bytes, '|');
    return !place.bytes.empty() && std::any_of(forms.begin(), forms.end(), [&](const auto form) {
        return matches_pattern(form, bytes);
    });
}

bool lies_in(const WrittenPlace& place, std::optional<std::uint64_t> offset) {
    if (!place.offsets || !offset) {
        return place.offsets.has_value() == offset.has_value();
    }
    const Offsets& known = *place.offsets;
    return *offset >= known.lowest && *offset <= known.highest &&
           (*offset - known.lowest) % known.step == 0;
}

bool is_read_so(const WrittenPlace& place, const KernelAttribute& attribute) {
    const bool whole = !place.offsets && attribute.offset == 0;
    return place.codec == attribute.codec && (whole || lies_in(place, attribute.offset)) &&
           matches_pattern(place.path, attribute.path);
}

// Returns the fault of a state, to follow "the journal's record of ID"; an empty string if there is
// none.
std::string wrong_state(Places places, const KernelAttribute& attribute) {
    const bool known = std::any_of(places.begin(), places.end(), [&](const WrittenPlace& place) {
        return is_read_so(place, attribute);
    });
    return known ? std::string()
                 : " reads " + printable(attribute.path) + " as " +
                       std::string(word_of(attribute.codec)) +
                       (attribute.offset != 0 ? " at " + hex(attribute.offset, 3) : "") +
                       ", which that setting never does";
}

std::string wrong_write(Places places, const Write& write) {
    bool path = false;
    bool offset = false;
    for (const auto& place : places) {
        const bool here = !place.bytes.empty() && matches_pattern(place.path, write.path);
        const bool there = here && lies_in(place, write.offset);
        if (there && may_hold(place, write.bytes)) {
            return {};
        }
        path = path || here;
        offset = offset || there;
    }
    const std::string shown = printable(write.path);
    if (!path) {
        return " names " + shown + ", which that setting never writes";
    }
    if (!offset) {
        return " writes " + shown +
               (write.offset ? " at " + hex(*write.offset, 3) : " as a whole") +
               ", which that setting never does";
    }
    return " writes \"" + printable(write.bytes, 40) + "\" to " + shown +
           ", which that setting never does";
}

Error refusal(std::string_view id, const std::string& path, const std::string& what) {
    return {ErrorKind::bad_input, 0, printable(path),
            "the journal's record of " + printable(id) + what};
}

std::optional<Places> places_of(std::string_view id, std::span<const Retired> retired) {
    if (const Setting* setting = find_setting(id)) {
        return setting->info.places;
    }
    const auto found = std::find_if(retired.begin(), retired.end(),
                                    [&](const Retired& each) { return each.id == id; });
    return found == retired.end() ? std::nullopt : std::optional(found->places);
}

std::optional<Error> refused_by(Places places, std::string_view id, const Change& back) {
    for (const auto& state : back.states) {
        if (const auto wrong = wrong_state(places, state.attribute); !wrong.empty()) {
            return refusal(id, state.attribute.path, wrong);
        }
    }
    for (const auto& write : back.writes) {
        if (const auto wrong = wrong_write(places, write); !wrong.empty()) {
            return refusal(id, write.path, wrong);
        }
    }
    return std::nullopt;
}

// Returns true if the variable parts of the path match the target's name: policy0, 0000:05:00.0,
// cpu3 of "cpu3/C2". A path without variable parts belongs to the system.
bool belongs_to(const std::string& target, std::string_view pattern, std::string_view path) {
    const auto parts = split(pattern, '/');
    const auto names = split(path, '/');
    std::vector<std::string_view> open;
    for (std::size_t at = 0; at < std::min(parts.size(), names.size()); ++at) {
        if (parts[at].find('<') != std::string_view::npos) {
            open.push_back(names[at]);
        }
    }
    if (open.size() > 1) {
        return target.starts_with(std::string(open.front()) + "/");
    }
    return target == (open.empty() ? Target().text() : open.front());
}

std::optional<Error> refused_target(Places places, const Key& key, const std::string& path) {
    const bool own = std::any_of(places.begin(), places.end(), [&](const WrittenPlace& place) {
        return matches_pattern(place.path, path) && belongs_to(key.target, place.path, path);
    });
    return own ? std::nullopt
               : std::optional(refusal(key.id, path,
                                       " for " + printable(key.target) + " names " +
                                           printable(path) + ", which is not that target's"));
}

}  // namespace

std::optional<Error> refused_record(std::string_view id, const Change& back,
                                    std::span<const Retired> retired) {
    const auto places = places_of(id, retired);
    if (!places) {
        return refusal(id, "", " is of a setting that this program does not know");
    }
    if (places->empty()) {
        return refusal(id, "", " is of a setting that is never written");
    }
    if (back.writes.empty() || back.states.empty()) {
        return refusal(id, "", back.writes.empty() ? " writes nothing" : " proves nothing");
    }
    return refused_by(*places, id, back);
}

std::optional<Error> refused_record(const Key& key, const Change& back,
                                    std::span<const Retired> retired) {
    if (auto error = refused_record(key.id, back, retired)) {
        return error;
    }
    const auto places = *places_of(key.id, retired);
    for (const auto& state : back.states) {
        if (auto error = refused_target(places, key, state.attribute.path)) {
            return error;
        }
    }
    for (const auto& write : back.writes) {
        if (auto error = refused_target(places, key, write.path)) {
            return error;
        }
    }
    return std::nullopt;
}

Baseline recordable(std::string_view id, Baseline found) {
    const Key key{std::string(id), found.target.text()};
    const auto error = found.back ? refused_record(key, *found.back) : std::nullopt;
    if (error) {
        found.back = garbled(error->path, "holds what could not be put back: \"" +
                                              printable(found.shown, 40) + "\"");
    }
    return found;
}

}  // namespace rocenv
