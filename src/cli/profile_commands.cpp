// SPDX-License-Identifier: MIT
// rocenv profile list, show.
#include <algorithm>

#include "cli/commands.h"
#include "print/json_writer.h"
#include "print/layout.h"
#include "profile/diff/profile_diff.h"
#include "profile/pinned.h"
#include "profile/profile.h"
#include "profile/profile_selection.h"
#include "profile/request.h"
#include "settings/registry.h"
#include "util/exit_status.h"
#include "util/text.h"
#include "variables/releases/versions.h"

namespace rocenv {

namespace {

const Info& info_of(const Want& want) {
    return find_setting(want.id)->info;
}

std::string why_of(const Want& want) {
    return want.why.empty() ? std::string(info_of(want).why) : want.why;
}

std::string source_of(const Want& want) {
    return want.source.empty() ? std::string(info_of(want).source) : want.source;
}

// What is not among the wants, and what nothing here can set.
std::string besides_human(const Resolved& profile) {
    std::string out;
    for (const auto& each : profile.left_out) {
        out += (out.empty() ? "\nleft out here:\n" : "") +
               wrapped("  ", 6, each.id + ": " + each.why + " (" + place_text(each.place) + ")");
    }
    for (const auto& line : profile.also) {
        out += (&line == &profile.also.front() ? "\nalso needed, and not set by rocenv:\n" : "") +
               wrapped("  ", 6, line);
    }
    return out;
}

std::string show_human(const Resolved& profile, const std::string& digest, bool verbose) {
    std::string out = printable(join(profile.told_names(), " + "), uncut) + "\n";
    out += verbose ? "  digest " + digest + "\n" : "";
    for (const auto& match : profile.matches) {
        out += wrapped("  for ", 6, join(match_words(match), ", "));
    }
    for (const auto& want : profile.wants) {
        out += "\n" + wrapped("", 4,
                              want.id + " = " + want_text(want) + "  (" +
                                  std::string(level_word(want.level)) + ")");
        out += wrapped("    ", 4, why_of(want));
        out += wrapped("    source: ", 12, source_of(want));
        if (!want.when.empty()) {
            out += wrapped("    when: ", 10, want.when);
        }
        if (want.must_exist) {
            out += "    the file must be there\n";
        }
        if (verbose) {
            out += wrapped("    from: ", 10, place_text(want.place));
            out += wrapped("    read: ", 10, info_of(want).read_from);
            out += wrapped("    set: ", 9,
                           info_of(want).set_by.empty() ? "check only" : info_of(want).set_by);
            out += wrapped("    persist: ", 13, info_of(want).persist);
            out += wrapped("    risk: ", 10,
                           std::string(risk_word(info_of(want).risk)) + "; " +
                               std::string(info_of(want).risk_note));
        }
    }
    return out + besides_human(profile);
}

void besides_json(const Resolved& profile, JsonWriter& json) {
    json.open_array("left_out");
    for (const auto& each : profile.left_out) {
        json.open_object();
        json.text("id", each.id);
        json.text("because", each.why);
        json.text("from", place_text(each.place));
        json.close_object();
    }
    json.close_array();
    json.open_array("also");
    for (const auto& line : profile.also) {
        json.text("", line);
    }
    json.close_array();
}

std::string show_json(const Resolved& profile, const std::string& digest) {
    JsonWriter json;
    json.open_object();
    json.text("schema", "rocenv.profile/1");
    json.open_array("profile");
    for (const auto& name : profile.told_names()) {
        json.text("", name);
    }
    json.close_array();
    json.text("profile_digest", digest);
    json.open_array("wants");
    for (const auto& want : profile.wants) {
        const Info& info = info_of(want);
        json.open_object();
        json.text("id", want.id);
        json.text("value", want_text(want));
        json.text("level", level_word(want.level));
        json.text("why", why_of(want));
        json.text("source", source_of(want));
        json.text("from", place_text(want.place));
        json.text("read_from", info.read_from);
        json.text_or_null("set_by", info.set_by.empty() ? std::optional<std::string>()
                                                        : std::string(info.set_by));
        json.text("persist", info.persist);
        json.text("risk", risk_word(info.risk));
        json.text("risk_note", info.risk_note);
        json.text_or_null(
            "when", want.when.empty() ? std::optional<std::string>() : std::optional(want.when));
        json.close_object();
    }
    json.close_array();
    besides_json(profile, json);
    json.close_object();
    return json.finish();
}

struct Listed {
    std::string name;
    std::string summary;
    std::string file;
    std::vector<std::string> extends;
};

// Names of files that root does not trust are left out; `err` says why.
std::vector<Listed> all_profiles(const ProfileStore& store, std::string& err) {
    std::vector<Listed> out;
    for (const auto& name : store.names()) {
        const auto profile = store.find(name);
        if (profile) {
            out.push_back({name, profile->summary, profile->file, profile->extends});
        } else if (is_not_trusted(profile.error())) {
            err += error_lines({profile.error().text});
        } else if (!profile.error().path.empty()) {
            out.push_back({name, "", profile.error().path, {}});
        }
    }
    err += error_lines(doubt_lines(store.doubts()));
    return out;
}

std::string list_json(const std::vector<Listed>& profiles) {
    JsonWriter json;
    json.open_object();
    json.text("schema", "rocenv.profiles/1");
    json.open_array("profiles");
    for (const auto& profile : profiles) {
        json.open_object();
        json.text("name", profile.name);
        json.text("summary", profile.summary);
        json.text("from", profile.file);
        json.open_array("extends");
        for (const auto& parent : profile.extends) {
            json.text("", parent);
        }
        json.close_array();
        json.close_object();
    }
    json.close_array();
    json.close_object();
    return json.finish();
}

// A longer name has a line to itself.
constexpr std::size_t widest_name = 24;

std::string list_human(const std::vector<Listed>& profiles, bool verbose) {
    std::vector<std::string> names;
    std::size_t width = 0;
    for (const auto& profile : profiles) {
        names.push_back(printable(profile.name, uncut));
        width = names.back().size() > widest_name ? width : std::max(width, names.back().size());
    }
    std::string out;
    for (std::size_t at = 0; at < profiles.size(); ++at) {
        const Listed& profile = profiles[at];
        const bool own = !profile.file.starts_with("built-in:");
        const bool apart = names[at].size() > width;
        const std::string left(apart ? width + 2 : width - names[at].size() + 2, ' ');
        out += apart ? names[at] + "\n" : std::string();
        out += wrapped((apart ? "" : names[at]) + left, width + 2,
                       profile.summary + (verbose || own ? " (" + profile.file + ")" : ""));
    }
    return out;
}

void leave_out_others(Resolved& profile, const FilterOptions& filter) {
    const auto other = [&](const auto& each) {
        return !selected(each.id, filter.only, filter.skip);
    };
    std::erase_if(profile.wants, other);
    std::erase_if(profile.left_out, other);
}

std::string shown(Resolved profile, const ProfileShowOptions& options) {
    const std::string digest = profile_digest(profile);  // of all that check goes by
    leave_out_others(profile, options.filter);
    switch (options.print.format) {
        case ShowFormat::human:
            return options.print.quiet ? "" : show_human(profile, digest, options.print.verbose);
        case ShowFormat::json:
            return show_json(profile, digest);
        case ShowFormat::toml:
            return pinned_text(profile);
    }
    return "";
}

}  // namespace

Output run_profile_list(const ProfileListOptions& options, const Fs& host, const Process& process) {
    const ProfileStore store(host, process);
    Output output;
    const auto profiles = all_profiles(store, output.err);
    switch (options.print.format) {
        case ReportFormat::human:
            output.out = options.print.quiet ? "" : list_human(profiles, options.print.verbose);
            break;
        case ReportFormat::json:
            output.out = list_json(profiles);
            break;
    }
    return output;
}

Output run_profile_show(const ProfileShowOptions& options, const Fs& fs, const Fs& host,
                        const Process& process) {
    std::vector<std::string> errors;
    check_patterns(options.filter.only, "--only", errors);
    check_patterns(options.filter.skip, "--skip", errors);
    const auto overrides = take_wants(options.wants, errors);
    if (!errors.empty()) {
        return {exit_usage, "", error_lines(errors)};
    }
    const ProfileStore store(host, process);
    const Machine machine(fs);
    const auto names =
        options.profiles.empty() ? std::vector<std::string>{"auto"} : options.profiles;
    const bool chooses = std::any_of(names.begin(), names.end(), asks_machine);
    const std::string chosen = chooses ? choose_profile(machine, store).name : "";
    const Versions versions(machine, process);
    Resolved profile = resolve(store, expand_names(names, chosen), overrides,
                               condition_here(machine, process, versions),
                               options.no_site ? Site::left_out : Site::merged);
    Output output;
    output.err = error_lines(doubt_lines(store.doubts()));
    bool timed_out = false;
    for (const auto& diagnostic : profile.diagnostics) {
        const bool in_file = diagnostic.place.line > 0;
        output.err += (in_file ? "" : "rocenv: ") +
                      printable(in_file ? diagnostic_text(diagnostic) : diagnostic.text, uncut) +
                      "\n";
        timed_out = timed_out || diagnostic.timed_out;
    }
    if (has_errors(profile.diagnostics)) {
        output.exit_code = exit_of_unread(timed_out);
    } else {
        output.out = shown(std::move(profile), options);
    }
    return output;
}

}  // namespace rocenv
