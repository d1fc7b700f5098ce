// SPDX-License-Identifier: MIT
#include "profile/waiver_file.h"

#include <algorithm>
#include <utility>

#include "profile/profile_entry.h"
#include "profile/profile_selection.h"
#include "settings/registry.h"
#include "util/near_names.h"
#include "util/text.h"

namespace rocenv {

namespace {

constexpr std::size_t most_id_digits = 16;

// "2027-01-31" of a month that has that day.
bool is_date(const std::string& text) {
    constexpr unsigned days[] = {31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    if (text.size() != 10 || text[4] != '-' || text[7] != '-') {
        return false;
    }
    const auto year = parse_number(text.substr(0, 4));
    const auto month = parse_number(text.substr(5, 2));
    const auto day = parse_number(text.substr(8, 2));
    if (!year || !month || !day || *month < 1 || *month > 12 || *day < 1) {
        return false;
    }
    const bool leap = (*year % 4 == 0 && *year % 100 != 0) || *year % 400 == 0;
    return *day <= days[*month - 1] && (leap || *month != 2 || *day < 29);
}

bool is_target(const std::string& text) {
    return is_pci_address(text) || text == "system" || text == "process" ||
           (text.size() == most_id_digits && parse_number(text, 16));
}

class WaiverReader {
   public:
    explicit WaiverReader(const std::string& file) : file_(file) {}

    WaiverFile read(std::string_view text) {
        const auto parsed = read_toml(file_, text);
        if (parsed.fault) {
            out_.diagnostics.push_back(*parsed.fault);
            return std::move(out_);
        }
        for (const auto& [name, value] : parsed.values) {
            if (name != "waiver" || value.list() == nullptr) {
                fail(value.place, "found " + in_quotes(name, 60) + ", expected [[waiver]]");
                continue;
            }
            for (const auto& each : *value.list()) {
                take(each);
            }
        }
        sort_by_place(out_.diagnostics);
        return std::move(out_);
    }

   private:
    void fail(const Place& place, std::string text) {
        out_.diagnostics.push_back({true, place, std::move(text), false});
    }

    void take(const Value& value) {
        if (value.table() == nullptr) {
            fail(value.place, "expected [[waiver]], one table for each waiver");
            return;
        }
        Waiver waiver;
        waiver.place = value.place;
        for (const auto& [key, inner] : *value.table()) {
            take_key(key, inner, waiver);
        }
        for (const auto& [name, text] :
             {std::pair("id", &waiver.id), std::pair("until", &waiver.until),
              std::pair("ticket", &waiver.ticket), std::pair("why", &waiver.why)}) {
            if (text->empty() && value.table()->count(name) == 0) {
                fail(waiver.place, std::string(name) + " is missing");
            }
        }
        out_.waivers.push_back(std::move(waiver));
    }

    void take_key(const std::string& key, const Value& value, Waiver& into) {
        if (key == "id") {
            take_id(value, into);
        } else if (key == "target") {
            take_text(key, value, into.target);
            if (!into.target.empty() && !is_target(into.target)) {
                fail(value.place,
                     "target: found " + in_quotes(into.target, 40) +
                         ", expected a bus address such as 0000:05:00.0, a GPU's unique id of 16 "
                         "hex digits, system or process");
            }
        } else if (key == "nodes") {
            take_nodes(value, into);
        } else if (key == "until") {
            take_date(value, into);
        } else if (key == "ticket") {
            take_text(key, value, into.ticket);
        } else if (key == "why") {
            take_text(key, value, into.why);
        } else {
            fail(value.place, "unknown key " + in_quotes(key, 60) + " in [[waiver]]" +
                                  did_you_mean(near_names(key, keys_of(KeyOf::waiver))));
        }
    }

    void take_text(const std::string& key, const Value& value, std::string& into) {
        if (value.text() == nullptr || trim(*value.text()).empty()) {
            fail(value.place, key + ": expected text");
        } else {
            into = *value.text();
        }
    }

    void take_id(const Value& value, Waiver& into) {
        take_text("id", value, into.id);
        if (!into.id.empty() && !matches_any_id(into.id)) {
            fail(value.place, "id: unknown setting " + in_quotes(into.id, 60) +
                                  did_you_mean(near_names(into.id, known_ids())));
        }
    }

    void take_nodes(const Value& value, Waiver& into) {
        const auto* list = value.list();
        if (list == nullptr || list->empty()) {
            fail(value.place, "nodes: expected a list of names");
            return;
        }
        for (const auto& node : *list) {
            take_text("nodes", node, into.nodes.emplace_back());
        }
    }

    // Reads the end of a waiver. A TOML date is a list with its text.
    void take_date(const Value& value, Waiver& into) {
        const bool boxed = value.list() != nullptr && value.list()->size() == 1;
        const auto* text = boxed ? value.list()->front().text() : value.text();
        if (text != nullptr && is_date(*text)) {
            into.until = *text;
        } else {
            fail(value.place, "until: expected a date such as 2027-01-31");
        }
    }

    const std::string& file_;
    WaiverFile out_;
};

}  // namespace

WaiverFile parse_waivers(const std::string& file, std::string_view text) {
    return WaiverReader(file).read(text);
}

}  // namespace rocenv
