// SPDX-License-Identifier: MIT
#include "rocenv/setting.h"

#include <algorithm>

#include "machine/identity.h"
#include "machine/sources.h"
#include "settings/safety.h"
#include "util/text.h"

namespace rocenv {

Reason reason_of(const Error& error) {
    switch (error.kind) {
        case ErrorKind::timed_out:
            return Reason::timeout;
        case ErrorKind::not_permitted:
            return Reason::permission;
        case ErrorKind::asleep:
            return Reason::asleep;
        case ErrorKind::garbled:
            return Reason::garbled;
        case ErrorKind::hidden:
            return Reason::hidden;
        case ErrorKind::not_here:
        case ErrorKind::io:
        case ErrorKind::bad_input:
            return Reason::error;
    }
    return Reason::error;
}

std::string Target::text() const {
    return base + (number ? rocenv::number(*number) : std::string()) + suffix;
}

Growth Context::grown(const std::string& target, const Counters& now) const {
    if (since == nullptr) {
        return {now, ""};
    }
    if (!since->judged) {
        return {now,
                "the earlier report does not contain this setting, so all events since the start "
                "count"};
    }
    const std::string reported = without_named_addresses(machine, target);  // name in reports
    auto found = since->targets.find(target);
    found = found == since->targets.end() ? since->targets.find(reported) : found;
    if (found == since->targets.end()) {
        const bool unread = since->unread.contains(target) || since->unread.contains(reported) ||
                            since->unread.contains("system");
        const bool seen = since->seen.contains(target) || since->seen.contains(reported);
        return {now,
                unread ? "the earlier report could not read this setting, so all events since the "
                         "start count"
                       : "",
                unread || !seen};
    }
    Growth out{now, "", false};
    std::vector<std::string> before;
    for (const auto& [name, then] : found->second) {
        const auto at = out.counts.find(name);
        if (at == out.counts.end()) {
            continue;
        }
        if (at->second < then) {
            return {now, "the counter restarted since the earlier report, which had " + name + " " +
                             number(then)};
        }
        at->second -= then;
        before.push_back(name + " " + number(then));
    }
    out.note =
        before.empty() ? "" : "not counting those of the earlier report: " + join(before, ", ");
    return out;
}

std::vector<Baseline> baseline_of(const Setting& setting, const Context& context) {
    return setting.baseline == nullptr ? std::vector<Baseline>()
                                       : setting.baseline(setting, context);
}

Keeping keeping_of(const Setting& setting, const Expectation& expectation) {
    return setting.keeping == nullptr ? Keeping() : setting.keeping(setting, expectation);
}

std::optional<std::string> unsafe_of(const Setting& setting, const Context& context,
                                     const Target& target) {
    return setting.unsafe == nullptr ? std::nullopt : setting.unsafe(context, target);
}

std::vector<ClusterFact> facts_of(const Setting& setting, const Context& context) {
    return setting.facts == nullptr ? assessed_facts(setting, context)
                                    : setting.facts(setting, context);
}

std::string normalised_of(const Setting& setting, std::string_view have) {
    return setting.normalised == nullptr ? std::string(have) : setting.normalised(have);
}

std::optional<std::vector<Value>> learn_of(const Setting& setting, const Context& context) {
    return setting.learn == nullptr ? std::nullopt : setting.learn(setting, context);
}

std::vector<Assessment> defaults_of(const Setting& setting, const Context& context) {
    return setting.defaults == nullptr ? std::vector<Assessment>()
                                       : setting.defaults(setting, context);
}

std::vector<ClusterFact> assessed_facts(const Setting& setting, const Context& context) {
    Expectation expectation;
    expectation.id = setting.info.id;
    expectation.value = some_value(setting.info);
    return facts_of(setting.assess(setting, context, expectation));
}

void add_fact(Target target, const Result<std::string>& value, std::vector<ClusterFact>& facts) {
    if (value) {
        facts.push_back({std::move(target), *value, Reason::error, ""});
    } else if (!value.is(ErrorKind::not_here)) {
        const Error& error = value.error();
        facts.push_back({std::move(target), std::nullopt, reason_of(error), error.text});
    }
}

std::vector<ClusterFact> facts_of(const std::vector<Assessment>& rows) {
    std::vector<ClusterFact> out;
    for (const auto& row : rows) {
        if (row.outcome == Outcome::unknown || row.outcome == Outcome::hidden) {
            const bool hidden = row.outcome == Outcome::hidden;
            out.push_back(
                {row.target, std::nullopt, hidden ? Reason::hidden : row.reason, row.detail});
        } else if (row.outcome != Outcome::na && row.have) {
            out.push_back({row.target, row.have, Reason::error, ""});
        }
    }
    return out;
}

namespace {

Value some_value_of(const Form& form) {
    switch (form.kind) {
        case FormKind::integer:
            return {form.lowest, {}};
        case FormKind::word:
            return {std::string(form.words.front()), {}};
        case FormKind::boolean:
            return {true, {}};
        case FormKind::at_least:
        case FormKind::size_limit:
            return {std::int64_t{0}, {}};
        case FormKind::text_list:
            return {ValueList(static_cast<std::size_t>(form.lowest), Value{std::string("any"), {}}),
                    {}};
        case FormKind::by_device:
            return {ValueTable{{"others", {std::string(form.words.front()), {}}}}, {}};
        case FormKind::table: {
            ValueTable table;
            for (const auto& field : form.fields) {
                table.emplace(field.name, some_value_of(field.form));
            }
            return {std::move(table), {}};
        }
        case FormKind::any_word:
        case FormKind::any_text:
        case FormKind::link_rate:
            return {std::string("any"), {}};
    }
    return {};
}

}  // namespace

Value some_value(const Info& info) {
    const auto word = std::find_if(info.forms.begin(), info.forms.end(),
                                   [](const Form& form) { return form.kind == FormKind::word; });
    return some_value_of(word == info.forms.end() ? info.forms.front() : *word);
}

namespace {

// Makes "not applicable" unknown if the list that would contain the device is missing or
// unreadable.
void doubt_absence(std::string_view id, const Machine& machine, std::vector<Assessment>& rows) {
    const auto is_absent = [](const Assessment& row) { return row.outcome == Outcome::na; };
    if (std::none_of(rows.begin(), rows.end(), is_absent)) {
        return;
    }
    const auto error = lost_source(machine, id);
    for (auto& row : rows) {
        if (error && is_absent(row)) {
            row = unreadable(std::move(row.target), *error, std::move(row.expected));
        }
    }
}

}  // namespace

std::vector<Assessment> assessed(const Setting& setting, const Context& context,
                                 const Expectation& expectation) {
    auto rows = setting.assess(setting, context, expectation);
    const bool fine = std::all_of(rows.begin(), rows.end(), [](const Assessment& row) {
        return row.outcome == Outcome::ok || row.outcome == Outcome::na;
    });
    const bool unread = std::any_of(rows.begin(), rows.end(), [](const Assessment& row) {
        return row.outcome == Outcome::unknown &&
               (row.reason == Reason::permission || row.reason == Reason::timeout);
    });
    if (!fine && !unread && setting.info.host_decides && is_guest(context.fs())) {
        rows = {no_target("this is a guest, and its host decides this setting")};
    }
    doubt_absence(setting.info.id, context.machine, rows);
    return rows;
}

Assessment no_target(std::string why) {
    Assessment out;
    out.outcome = Outcome::na;
    out.detail = std::move(why);
    return out;
}

// Returns the command that shows an invalid file, or the log if the read failed.
static std::string way_to_see(const Error& error) {
    if (error.kind != ErrorKind::garbled || !error.path.starts_with('/')) {
        return "sudo dmesg | grep -i -e error -e fail";
    }
    const bool is_config = error.path.ends_with("/config");  // bytes, not text
    return (is_config ? "sudo od -A x -t x1 -N 64 " : "cat ") + shell_word(error.path);
}

Assessment unreadable(Target target, const Error& error, std::optional<std::string> expected) {
    Assessment out;
    out.target = std::move(target);
    out.expected = std::move(expected);
    out.outcome = error.kind == ErrorKind::hidden ? Outcome::hidden : Outcome::unknown;
    out.reason = reason_of(error);
    out.detail = error.text;
    out.next_step = way_to_see(error);
    if (error.kind == ErrorKind::not_permitted) {
        out.next_step = ask_as_root;
    } else if (error.kind == ErrorKind::timed_out) {
        out.next_step =
            "sudo dmesg | grep blocked; if the log names a driver, it is stuck: reboot the node";
    } else if (error.kind == ErrorKind::asleep) {
        out.next_step = "start a job on the device to wake it, and check again";
    }
    return out;
}

Assessment compared(Target target, std::string expected, std::string have) {
    Assessment out;
    out.target = std::move(target);
    out.outcome = expected == have ? Outcome::ok : Outcome::differs;
    out.expected = std::move(expected);
    out.have = std::move(have);
    return out;
}

bool Keeping::empty() const {
    return sysctl.empty() && tmpfiles.empty() && !by_unit && boot_words.empty() &&
           unwanted_words.empty() && notes.empty() && firmware.empty();
}

}  // namespace rocenv
