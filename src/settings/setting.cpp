// SPDX-License-Identifier: MIT
#include "rocenv/setting.h"

#include <algorithm>

#include "settings/safety.h"
#include "util/text.h"

namespace rocenv {

std::string_view outcome_word(Outcome outcome) {
    constexpr std::string_view names[] = {"ok",      "changed", "na",     "hidden",
                                          "unknown", "differs", "unsafe", "failed"};
    return names[static_cast<std::size_t>(outcome)];
}

std::optional<std::string_view> put_back_word(PutBack put_back) {
    constexpr std::string_view names[] = {"", "yes", "no", "not tried"};
    return put_back == PutBack::none ? std::nullopt
                                     : std::optional(names[static_cast<std::size_t>(put_back)]);
}

std::string_view level_word(Level level) {
    constexpr std::string_view names[] = {"info", "recommended", "required"};
    return names[static_cast<std::size_t>(level)];
}

std::optional<Level> level_of_word(std::string_view word) {
    for (const auto level : {Level::info, Level::recommended, Level::required}) {
        if (level_word(level) == word) {
            return level;
        }
    }
    return std::nullopt;
}

std::string_view risk_word(Risk risk) {
    constexpr std::string_view names[] = {"none", "low", "high"};
    return names[static_cast<std::size_t>(risk)];
}

std::string Target::text() const {
    return base + (number ? rocenv::number(*number) : std::string()) + suffix;
}

std::vector<Assessment> assessed(const Setting& setting, const Context& context, const Want& want) {
    auto rows = setting.assess(context, want);
    const bool fine = std::all_of(rows.begin(), rows.end(), [](const Assessment& row) {
        return row.outcome == Outcome::ok || row.outcome == Outcome::na;
    });
    if (!fine && setting.info().host_decides && is_guest(context.fs())) {
        return {no_target("this is a guest: its host decides that")};
    }
    return rows;
}

Assessment no_target(std::string why) {
    Assessment out;
    out.outcome = Outcome::na;
    out.detail = std::move(why);
    return out;
}

Assessment unreadable(Target target, const Error& error, std::optional<std::string> want) {
    Assessment out;
    out.target = std::move(target);
    out.want = std::move(want);
    out.outcome = error.kind == ErrorKind::hidden ? Outcome::hidden : Outcome::unknown;
    out.detail = error.text;
    out.next_step = "look at the file by hand, and at dmesg";
    if (error.kind == ErrorKind::not_permitted) {
        out.next_step = ask_as_root;
    } else if (error.kind == ErrorKind::timed_out) {
        out.next_step = "sudo dmesg | grep blocked; look for a stuck driver";
    } else if (error.kind == ErrorKind::asleep) {
        out.next_step = "wake the device (start a job on it) and ask again";
    }
    return out;
}

Assessment compared(Target target, std::string want, std::string have) {
    Assessment out;
    out.target = std::move(target);
    out.outcome = want == have ? Outcome::ok : Outcome::differs;
    out.want = std::move(want);
    out.have = std::move(have);
    return out;
}

bool Keeping::empty() const {
    return sysctl.empty() && tmpfiles.empty() && !by_unit && boot_words.empty() &&
           unwanted_words.empty() && notes.empty() && firmware.empty();
}

}  // namespace rocenv
