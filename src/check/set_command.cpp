// SPDX-License-Identifier: MIT
#include "check/set_command.h"

#include <algorithm>
#include <set>

#include "profile/profile.h"
#include "util/text.h"

namespace rocenv {

namespace {

// Returns a value as --want accepts it: a bare word is a text.
std::string expected_text(const Value& value) {
    const auto* text = value.text();
    const bool bare =
        text != nullptr && !text->empty() && std::all_of(text->begin(), text->end(), [](char byte) {
            return (byte >= 'a' && byte <= 'z') || byte == '_' || byte == '-';
        });
    return bare && *text != "true" && *text != "false" ? *text : toml_text(value);
}

std::string override_option(const Expectation& expectation) {
    return " --want " + shell_word(expectation.id + "=" + expected_text(expectation.value));
}

std::string overrides_for(const CheckRequest& request, const Expectation& expectation) {
    std::string out;
    for (const auto& each : request.overrides) {
        out += each.starts_with(expectation.id + "=") ? " --want " + shell_word(each) : "";
    }
    return out;
}

// Returns the options that a command on the same machine needs. A recording cannot be set: its
// commands are for the machine that it shows.
std::string options_of(const CheckRequest& request, const std::vector<std::string>& names) {
    const bool is_folder = request.root != "/" && !request.root.ends_with(".tree");
    std::string out = is_folder ? " --sysroot " + shell_word(request.root) : "";
    std::set<std::string> known;
    for (const auto& name : names) {
        out += known.insert(name).second ? " -p " + shell_word(name) : "";
    }
    return out + (request.ignore_match ? " --ignore-match" : "") +
           (request.no_site ? " --no-site" : "");
}

}  // namespace

std::string set_command(const CheckRequest& request, const std::vector<std::string>& names,
                        const Expectation& expectation) {
    return "sudo rocenv set" + options_of(request, names) + " --only " + expectation.id +
           (expectation.level == Level::info ? override_option(expectation)
                                             : overrides_for(request, expectation));
}

std::string check_command(const CheckRequest& request, const std::vector<std::string>& names,
                          const Expectation& expectation) {
    return "sudo rocenv check" + options_of(request, names) + " --only " + expectation.id +
           overrides_for(request, expectation);
}

bool SettableExpectations::any_optional() const {
    return std::any_of(rows_.begin(), rows_.end(),
                       [](const Row& row) { return row.expectation.level == Level::info; });
}

void SettableExpectations::take_tuned(std::vector<std::string> names,
                                      const std::vector<Expectation>& expectations) {
    std::vector<Row> rows = rows_;
    bool lacks_none = true;
    bool adds_any = false;
    for (auto& [expectation, is_in_profile] : rows) {
        is_in_profile = std::any_of(expectations.begin(), expectations.end(),
                                    [&, &asked = expectation](const Expectation& each) {
                                        return each.id == asked.id && each.level != Level::info &&
                                               toml_text(each.value) == toml_text(asked.value);
                                    });
        lacks_none = lacks_none && (is_in_profile || expectation.level == Level::info);
        adds_any = adds_any || (is_in_profile && expectation.level == Level::info);
    }
    if (lacks_none && adds_any) {
        rows_ = std::move(rows);
        names_ = std::move(names);
    }
}

std::string SettableExpectations::command(const CheckRequest& request, const Report& report) const {
    std::string options;
    std::vector<std::string> set;
    std::vector<std::string> skipped = request.skip;
    for (const auto& [expectation, is_in_profile] : rows_) {
        const bool open = std::any_of(report.findings.begin(), report.findings.end(),
                                      [&, &asked = expectation](const Finding& finding) {
                                          return finding.id == asked.id && !finding.waived &&
                                                 finding.outcome == Outcome::differs;
                                      });
        (open ? set : skipped).push_back(expectation.id);
        if (open && expectation.level == Level::info && !is_in_profile) {
            options += override_option(expectation);
        }
    }
    if (set.empty() || (set.size() == 1 && !any_optional())) {
        return "";
    }
    for (const auto& each : request.overrides) {
        // A variable is set by its job, and its value may be a secret.
        options += each.starts_with("env.") ? "" : " --want " + shell_word(each);
    }
    if (!request.only.empty()) {
        options += " --only " + join(set, ",");
    } else if (!skipped.empty()) {
        options += " --skip " + join(skipped, ",");
    }
    return "sudo rocenv set" + options_of(request, names_) + options;
}

std::vector<std::string> names_for_root(const std::vector<std::string>& names, const Fs& host,
                                        const Process& process) {
    const ProfileStore store(host, process);
    std::vector<std::string> out;
    for (const auto& name : names) {
        const auto profile =
            store.overrides(name) ? store.find(name) : Result<ProfileText>(ProfileText());
        const bool own = profile && profile->file.starts_with('/') &&
                         !profile->file.starts_with("/etc/rocenv/profiles/");
        out.push_back(own ? profile->file : name);
    }
    return out;
}

}  // namespace rocenv
