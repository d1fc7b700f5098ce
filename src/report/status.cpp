// SPDX-License-Identifier: MIT
// The settings that rocenv has changed on this node, as text and as JSON.
#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "json/out.h"
#include "json/schema.h"
#include "print/document.h"
#include "report/entries.h"
#include "report/model/consequences.h"
#include "report/render.h"
#include "transaction/set.h"
#include "util/text.h"
#include "util/utc_time.h"

namespace rocenv {

namespace {

// The parts of "policy12" and "cpu3/C2"; targets without a number have none.
struct Counted {
    std::string base;
    std::uint32_t number = 0;
    std::string suffix;
};

std::optional<Counted> parts_of(const std::string& target) {
    for (const std::string base : {"cpu", "policy"}) {
        const auto slash = std::min(target.find('/'), target.size());
        const auto digits = target.starts_with(base)
                                ? parse_number(target.substr(base.size(), slash - base.size()))
                                : std::nullopt;
        if (digits && *digits <= UINT32_MAX) {
            return Counted{base, static_cast<std::uint32_t>(*digits), target.substr(slash)};
        }
    }
    return std::nullopt;
}

// Returns "policy0-383" for 384 targets; targets without a number stay single.
std::vector<std::string> folded(const std::vector<std::string>& targets) {
    std::vector<std::string> out;
    std::map<std::pair<std::string, std::string>, std::vector<std::uint32_t>> numbers;
    for (const auto& target : targets) {
        if (const auto parts = parts_of(target)) {
            numbers[{parts->base, parts->suffix}].push_back(parts->number);
        } else {
            out.push_back(target);
        }
    }
    for (auto& [name, list] : numbers) {
        std::sort(list.begin(), list.end());
        out.push_back(name.first + number_list(list) + name.second);
    }
    return out;
}

struct Group {
    const StatusItem* first;
    std::vector<std::string> targets;
};

// Returns items that differ only in their target as one group.
std::vector<Group> groups_of(const Status& status) {
    std::vector<Group> groups;
    std::map<std::tuple<std::string, std::string, std::string, std::string, std::string,
                        std::string, std::string>,
             std::size_t>
        known;
    for (const auto& item : status.items) {
        const auto [found, is_new] = known.try_emplace(
            {item.key.id, item.baseline, item.set, item.present, item.by, item.since, item.hold},
            groups.size());
        if (is_new) {
            groups.push_back({&item, {}});
        }
        groups[found->second].targets.push_back(item.key.target);
    }
    return groups;
}

// Returns " (2 min)", the time between two readings; empty if one of them is unknown.
std::string age_text(const std::string& since, const std::string& now) {
    constexpr std::int64_t minute = 60;
    constexpr std::int64_t hour = 60 * minute;
    constexpr std::int64_t day = 24 * hour;
    const auto from = utc_seconds(since);
    const auto until = utc_seconds(now);
    if (!from || !until || *until < *from) {
        return "";
    }
    const auto seconds = *until - *from;
    const auto text = [](std::int64_t count, const char* unit) {
        return " (" + number(static_cast<std::uint64_t>(count)) + unit + ")";
    };
    return seconds < minute ? text(seconds, " s")
           : seconds < hour ? text(seconds / minute, " min")
           : seconds < day  ? text(seconds / hour, " h")
                            : text(seconds / day, " d");
}

std::string since_text(const StatusItem& item, const std::string& now) {
    return "since " + item.since + age_text(item.since, now) +
           (item.user.empty() ? "" : ", set by " + item.user) +
           (item.hold.empty() ? "" : ", held by " + item.hold);
}

std::size_t settings_of(const Status& status, const auto& belongs) {
    std::set<std::string> ids;
    for (const auto& item : status.items) {
        if (belongs(item)) {
            ids.insert(item.key.id);
        }
    }
    return ids.size();
}

std::string left_out_text(const Status& status) {
    const auto settings = status.left_out.value_or(0);
    return settings == 0 ? "" : " (" + counted(settings, "setting") + " not shown)";
}

std::string verdict(const Status& status) {
    if (status.unreadable) {
        return "the journal cannot be read: " + status.unreadable->text;
    }
    const auto all = settings_of(status, [](const StatusItem&) { return true; });
    if (!status.open.empty()) {
        return status.open + left_out_text(status);
    }
    if (all == 0 && status.left_out) {
        return "no setting of that kind is active" + left_out_text(status);
    }
    if (all == 0) {
        return status.holders.empty() ? "no setting is active on this node"
                                      : "no setting is active on this node, but it is held";
    }
    const auto strange = settings_of(status, [](const StatusItem& item) {
        return item.by == "someone else" || item.by == "another device";
    });
    return counted(all, "setting") + " active" +
           (strange == 0 ? "" : ", " + number(strange) + " modified outside rocenv") +
           left_out_text(status);
}

std::string now_text(const StatusItem& item) {
    if (item.by == "someone else") {
        return "modified outside rocenv (rocenv set " + item.set + ")";
    }
    if (item.by == "another device") {
        return "another device is at this address now; reset leaves it alone";
    }
    if (item.by == "rocenv" && item.present != item.set) {
        return "reads " + item.present + ", as after a GPU reset; reset restores it";
    }
    return item.by == "baseline"      ? "has its old value again"
           : item.by == "side effect" ? "is a side effect of another setting"
           : item.by == "unknown"
               ? item.present == "unknown" ? "cannot be read now" : "reads " + item.present
               : "";
}

// Returns column NOW: the present value, and a word if it differs from the set value.
std::string now_cell(const StatusItem& item) {
    const bool differs = item.by == "someone else" || item.by == "another device";
    const std::string value =
        item.by == "rocenv" || item.by == "side effect" ? item.set : item.present;
    return item.by == "another device" ? "another device" : value + (differs ? "  CHANGED" : "");
}

std::string targets_cell(const Group& group, Detail detail) {
    constexpr std::size_t most = 2;
    const auto targets = folded(group.targets);
    const bool are_gpus = group.first->key.id.starts_with("gpu.");
    return targets.size() == 1 && is_trivial_target(targets.front()) ? ""
           : targets.size() > most && detail != Detail::everything
               ? number(targets.size()) + (are_gpus ? " GPUs" : several_of(targets))
               : join(targets, ",");
}

void show(Document& document, const Status& status, const std::vector<Group>& groups,
          bool with_since, Detail detail) {
    std::vector<TextRow> rows{{"  SETTING", "WAS", "NOW", "TARGETS"}};
    std::vector<std::string> notes;
    for (const auto& group : groups) {
        const StatusItem& item = *group.first;
        rows.push_back(
            {"  " + item.key.id, item.baseline, now_cell(item), targets_cell(group, detail)});
        if (const auto now = now_text(item); !now.empty()) {
            notes.push_back(item.key.id + ": " + now);
        }
        if (with_since) {
            notes.push_back(item.key.id + ": " + since_text(item, status.time));
        }
    }
    document.table(std::move(rows));
    notes.erase(std::unique(notes.begin(), notes.end()), notes.end());
    for (const auto& note : notes) {
        document.paragraph(note);
    }
}

std::vector<std::string> holders_of(const Status& status) {
    std::vector<std::string> out;
    for (const auto& name : status.holders) {
        const bool dead =
            std::find(status.dead.begin(), status.dead.end(), name) != status.dead.end();
        const auto since = status.held_since.find(name);
        const bool known = since != status.held_since.end() && !since->second.empty();
        out.push_back(name + (dead ? " (dead)" : "") + (known ? " since " + since->second : ""));
    }
    return out;
}

}  // namespace

std::string render_status_human(const Status& status, Detail detail, Screen screen) {
    if (detail == Detail::quiet) {
        return {};
    }
    const auto groups = groups_of(status);
    const bool same = std::all_of(groups.begin(), groups.end(), [&](const Group& group) {
        return since_text(*group.first, "") == since_text(*groups.front().first, "");
    });
    Document document;
    document.paragraph(verdict(status) + (same && !groups.empty()
                                              ? " " + since_text(*groups.front().first, status.time)
                                              : std::string()));
    if (!groups.empty()) {
        show(document, status, groups, !same, detail);
    }
    if (!status.holders.empty()) {
        document.paragraph("Held by: " + join(holders_of(status), ", "));
    }
    for (const auto& note : status.notes) {
        document.paragraph("note: " + printable(note, uncut));
    }
    for (const auto& undo : status.undo) {
        document.line(undo);
    }
    return document.text(screen);
}

// One entry for each changed path.
struct StatusEntry {
    const StatusItem& item;
    const std::string& path;
};

struct StatusHold {
    std::string name;
    std::string since;  // empty: unknown
};

template <>
struct Described<StatusEntry> {
    using Entry = StatusEntry;
    static void members(auto& at) {
        at.member("id", [](const Entry& entry) { return entry.item.key.id; },
                  {.pattern = "^[a-z]+\\.[a-z_]+$"});
        at.member("target", [](const Entry& entry) { return entry.item.key.target; },
                  {.says = "system, a bus address, policy0, cpu0/C2",
                   .pattern = "^(system|[0-9a-f]{4,}:[0-9a-f]{2}:[0-9a-f]{2}\\.[0-9a-f]|"
                              "policy[0-9]+|cpu[0-9]+/.+|[^\\s/:]{1,15})$"});
        at.member("path", [](const Entry& entry) { return entry.path; }, {.pattern = "^/"});
        at.member("baseline", [](const Entry& entry) { return entry.item.baseline; },
                  {.says = "value before the first set"});
        at.member("set", [](const Entry& entry) { return entry.item.set; },
                  {.says = "value that set wrote"});
        at.member("present", [](const Entry& entry) { return entry.item.present; },
                  {.says = "unknown if it cannot be read"});
        at.member("by", [](const Entry& entry) { return entry.item.by; },
                  {.says = "origin of the present value; baseline: the value before the first set",
                   .words = "rocenv|side effect|baseline|someone else|another device|unknown"});
        at.member("since", [](const Entry& entry) { return entry.item.since; },
                  {.says = "time of the first set", .pattern = utc_time_pattern});
        at.or_null("hold", [](const Entry& entry) { return entry.item.hold; },
                   {.says = "names of the holders, separated by commas", .filled = true});
    }
};

template <>
struct Described<StatusHold> {
    static void members(auto& at) {
        at.member("name", &StatusHold::name, {.filled = true});
        at.or_null("since", &StatusHold::since, {.pattern = utc_time_pattern});
    }
};

template <>
struct Described<Status> {
    static void members(auto& at) {
        at.constant("schema", "rocenv.status/1");
        at.member("version", [](const Status&) { return ROCENV_VERSION; }, {.filled = true});
        at.member(
            "exit", &Status::exit_code,
            {.says = "0: nothing is recorded; 1: settings are active, or a set or reset runs; 5: "
                     "a value was changed since; 3: the journal is unreadable or damaged",
             .words = "0|1|3|5"});
        at.member("error",
                  [](const Status& status) {
                      return status.unreadable ? std::optional(status.unreadable->text)
                                               : std::nullopt;
                  },
                  {.says = "why the journal cannot be read", .filled = true});
        at.or_null("open", &Status::open,
                   {.says = "a set or reset that runs, or that did not finish; null: none",
                    .filled = true});
        at.member("entries", entries,
                  {.says = "one entry for each changed path, by id and target"});
        at.member("left_out", [](const Status& status) { return status.left_out.value_or(0); },
                  {.says = "number of settings that --only and --skip left out of entries and of "
                           "exit"});
        at.member("holders", &Status::holders,
                  {.says = "names that hold settings, sorted", .each_filled = true});
        at.member("holds", holds, {.says = "the same names with the time of their first set"});
        at.member("dead", &Status::dead,
                  {.says = "holders whose rocenv run --tune was killed", .each_filled = true});
        at.member("notes", &Status::notes, {.each_filled = true});
    }

   private:
    static std::vector<StatusEntry> entries(const Status& status) {
        std::vector<StatusEntry> out;
        for (const auto& item : status.items) {
            for (const auto& path : item.paths) {
                out.push_back({item, path});
            }
        }
        return out;
    }
    static std::vector<StatusHold> holds(const Status& status) {
        std::vector<StatusHold> out;
        for (const auto& [name, since] : status.held_since) {
            out.push_back({name, since});
        }
        return out;
    }
};

std::string render_status_json(const Status& status) {
    return json_text_of(status);
}

std::string status_schema() {
    return json_schema_of<Status>(
        "What rocenv has set on a node, from rocenv status --format json");
}

}  // namespace rocenv
