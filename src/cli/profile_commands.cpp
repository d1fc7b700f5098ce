// SPDX-License-Identifier: MIT
// profile list, show, lint, diff and learn.
#include "cli/commands.h"

#include <algorithm>
#include <set>

#include "check/check.h"
#include "json/out.h"
#include "json/schema.h"
#include "print/document.h"
#include "profile/learn.h"
#include "profile/profile.h"
#include "profile/profile_diff.h"
#include "profile/profile_selection.h"
#include "profile/request.h"
#include "settings/registry.h"
#include "util/exit_status.h"
#include "util/text.h"
#include "variables/releases/versions.h"

namespace rocenv {

struct ShownProfile {
    Resolved profile;
    std::string digest;  // covers everything that check uses
};

struct ListedProfile {
    std::string name;
    std::string summary;
    std::string file;
    std::vector<std::string> extends;
};

struct LintLines {
    std::string text;
};

namespace {

const Info& info_of(const Expectation& expectation) {
    return find_setting(expectation.id)->info;
}

std::string why_of(const Expectation& expectation) {
    return expectation.why.empty() ? std::string(info_of(expectation).why) : expectation.why;
}

std::string source_of(const Expectation& expectation) {
    return expectation.source.empty() ? std::string(info_of(expectation).source)
                                      : expectation.source;
}

// Adds conditions besides the expected values: items that do not apply here, and items that rocenv
// cannot set.
void add_besides(const Resolved& profile, Document& out) {
    if (!profile.left_out.empty()) {
        out.blank();
        out.heading("Does not apply to this node");
        for (const auto& each : profile.left_out) {
            out.bullet("", each.id + ": " + each.why + " (" + place_text(each.place) + ")");
        }
    }
    if (!profile.also.empty()) {
        out.blank();
        out.heading("Also needed, and not set by rocenv");
        for (const auto& line : profile.also) {
            out.bullet("", line);
        }
    }
}

void add_expectation(const Expectation& expectation, bool verbose, Document& out) {
    const Info& info = info_of(expectation);
    out.blank();
    out.title(expectation.id, "= " + expected_text(expectation) + " (" +
                                  std::string(word_of(expectation.level)) + ")");
    out.under(why_of(expectation));
    out.field("source", source_of(expectation));
    if (!expectation.when.empty()) {
        out.field("when", expectation.when);
    }
    if (expectation.must_exist) {
        out.field("file", "must exist");
    }
    if (verbose) {
        out.field("from", place_text(expectation.place));
        out.field("read", std::string(info.read_from));
        out.field("set", info.set_by.empty() ? "check only" : std::string(info.set_by));
        out.field("kept", std::string(info.persist));
        out.field("risk", std::string(word_of(info.risk)) +
                              (info.risk_note.empty() ? "" : "; " + std::string(info.risk_note)));
    }
}

std::string show_human(const ShownProfile& shown, Detail detail, Screen screen) {
    if (detail == Detail::quiet) {
        return "";
    }
    const Resolved& profile = shown.profile;
    const bool verbose = detail == Detail::everything;
    Document out;
    out.title(join(profile.shown_names(), " + "), "");
    if (verbose) {
        out.field("digest", shown.digest);
    }
    for (const auto& match : profile.matches) {
        out.field("for", join(match_words(match), ", "));
    }
    for (const auto& expectation : profile.expectations) {
        add_expectation(expectation, verbose, out);
    }
    add_besides(profile, out);
    return out.text(screen);
}

}  // namespace

template <>
struct Described<Expectation> {
    static void members(auto& at) {
        at.member("id", &Expectation::id, {.filled = true});
        at.member("value", expected_text,
                  {.says = "in TOML; unset; or a note that it is a secret", .filled = true});
        at.member("level", &Expectation::level);
        at.member("why", why_of, {.filled = true});
        at.member("source", source_of, {.filled = true});
        at.member("from",
                  [](const Expectation& expectation) { return place_text(expectation.place); },
                  {.says = "file, line and column", .filled = true});
        at.member("read_from",
                  [](const Expectation& expectation) { return info_of(expectation).read_from; },
                  {.filled = true});
        at.or_null("set_by",
                   [](const Expectation& expectation) { return info_of(expectation).set_by; },
                   {.says = "null: check only", .filled = true});
        at.member("persist",
                  [](const Expectation& expectation) { return info_of(expectation).persist; });
        at.member("risk", [](const Expectation& expectation) { return info_of(expectation).risk; });
        at.member("risk_note",
                  [](const Expectation& expectation) { return info_of(expectation).risk_note; });
        at.or_null("when", &Expectation::when,
                   {.says = "the condition that is true here", .filled = true});
    }
};

template <>
struct Described<LeftOut> {
    static void members(auto& at) {
        at.member("id", &LeftOut::id, {.filled = true});
        at.member("because", &LeftOut::why, {.filled = true});
        at.member("from", [](const LeftOut& each) { return place_text(each.place); },
                  {.filled = true});
    }
};

template <>
struct Described<ShownProfile> {
    using Shown = ShownProfile;
    static void members(auto& at) {
        at.constant("schema", "rocenv.profile/1");
        at.member("profile", [](const Shown& shown) { return shown.profile.shown_names(); },
                  {.says = "the merged profiles; a site file with its name",
                   .filled = true,
                   .each_filled = true});
        at.member("profile_digest", &Shown::digest, {.pattern = "^[0-9a-f]{16}$"});
        at.member("wants", [](const Shown& shown) { return shown.profile.expectations; });
        at.member("left_out", [](const Shown& shown) { return shown.profile.left_out; },
                  {.says = "entries with a condition that is false here"});
        at.member("also", [](const Shown& shown) { return shown.profile.also; },
                  {.says = "further needs that rocenv cannot set", .each_filled = true});
    }
};

template <>
struct Described<ListedProfile> {
    static void members(auto& at) {
        at.member("name", &ListedProfile::name, {.filled = true});
        at.member("summary", &ListedProfile::summary,
                  {.says = "empty: the file is not a valid profile"});
        at.member("from", &ListedProfile::file, {.filled = true});
        at.member("extends", &ListedProfile::extends, {.each_filled = true});
    }
};

struct ListedProfiles {
    const std::vector<ListedProfile>& profiles;
};
template <>
struct Described<ListedProfiles> {
    static void members(auto& at) {
        at.constant("schema", "rocenv.profiles/1");
        at.member("profiles", [](const ListedProfiles& listed) { return listed.profiles; },
                  {.says = "by name"});
    }
};

std::string profile_list_schema() {
    return json_schema_of<ListedProfiles>(
        "The profiles there are, from rocenv profile list --format json");
}

std::string profile_show_schema() {
    return json_schema_of<ShownProfile>(
        "The entries of profiles on a machine, from rocenv profile show --format json");
}

namespace {

std::string show_json(const ShownProfile& shown) {
    return json_text_of(shown);
}

std::string list_json(const std::vector<ListedProfile>& profiles) {
    return json_text_of(ListedProfiles{profiles});
}

// Returns all profiles. Files that root does not trust are left out, with the reasons in `err`.
std::vector<ListedProfile> all_profiles(const ProfileStore& store, std::string& err) {
    std::vector<ListedProfile> out;
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

std::string list_human(const std::vector<ListedProfile>& profiles, Detail detail, Screen screen) {
    if (detail == Detail::quiet) {
        return "";
    }
    Document out;
    for (const auto& profile : profiles) {
        const bool named = detail == Detail::everything || !profile.file.starts_with("built-in:");
        out.item(profile.name, profile.summary + (named ? " (" + profile.file + ")" : ""));
    }
    return out.text(screen);
}

void leave_out_others(Resolved& profile, const CheckRequest& request) {
    const auto other = [&](const auto& each) {
        return !selected(each.id, request.only, request.skip);
    };
    std::erase_if(profile.expectations, other);
    std::erase_if(profile.left_out, other);
}

std::string show_toml(const ShownProfile& shown) {
    return pinned_text(shown.profile);
}

std::string lint_text(const LintLines& lines) {
    return lines.text;
}

std::string learnt_text(const LearnResult& learnt) {
    return learnt.text;
}

constexpr ProfileListFormat list_formats[] = {
    {"human", ReadBy::person, list_human},
    {"json", ReadBy::program, list_json},
};

// toml is a profile of its own.
constexpr ProfileShowFormat show_formats[] = {
    {"human", ReadBy::person, show_human},
    {"json", ReadBy::program, show_json},
    {.word = "toml", .reader = ReadBy::program, .render = show_toml, .keeps_credentials = true},
};

constexpr ProfileDiffFormat diff_formats[] = {
    {"human", ReadBy::person, render_profile_diff_human},
    {"json", ReadBy::program, render_profile_diff_json},
};

constexpr LintFormat lint_formats[] = {{"human", ReadBy::person, lint_text}};

constexpr LearnFormat learn_formats[] = {{"toml", ReadBy::program, learnt_text}};

}  // namespace

template <>
std::span<const ProfileListFormat> formats() {
    return list_formats;
}

template <>
std::span<const ProfileShowFormat> formats() {
    return show_formats;
}

template <>
std::span<const ProfileDiffFormat> formats() {
    return diff_formats;
}

template <>
std::span<const LintFormat> formats() {
    return lint_formats;
}

template <>
std::span<const LearnFormat> formats() {
    return learn_formats;
}

Output run_profile_list(const ProfileListOptions& options, const Fs& host, const Process& process) {
    const ProfileStore store(host, process);
    Output output;
    output.out = formatted(options.print, all_profiles(store, output.err), process);
    return output;
}

Output run_profile_show(const ProfileShowOptions& options, const Fs& fs, const Fs& host,
                        const Process& process) {
    std::vector<std::string> errors;
    check_patterns(options.request.only, "--only", errors);
    check_patterns(options.request.skip, "--skip", errors);
    const auto overrides = parse_overrides(options.request.overrides, errors);
    if (!errors.empty()) {
        return {exit_usage, "", error_lines(errors)};
    }
    const ProfileStore store(host, process);
    const Machine machine(fs);
    const auto names = options.request.profiles.empty() ? std::vector<std::string>{"auto"}
                                                        : options.request.profiles;
    const bool chooses = std::any_of(names.begin(), names.end(), asks_machine);
    const std::string chosen = chooses ? choose_profile(machine, store).name : "";
    const Versions versions(machine, process);
    Resolved profile = resolve(store, expand_names(names, chosen), overrides,
                               condition_here(machine, process, versions),
                               options.request.no_site ? Site::left_out : Site::merged);
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
        std::string digest = profile_digest(profile);
        leave_out_others(profile, options.request);
        output.out =
            formatted(options.print, ShownProfile{std::move(profile), std::move(digest)}, process);
    }
    return output;
}

namespace {

const std::string standard_input = "-";

// Returns true for the site file, and for a file of that name without [profile], which will become
// one.
bool is_site(const ProfileStore& store, const std::string& name) {
    if (name != "site.toml" && !name.ends_with("/site.toml")) {
        return name == site_file;
    }
    const auto text = store.find(name);
    return name == site_file || (text && text->name.empty());
}

// Checks each profile with everything it extends, so that a missing parent or value is found, too.
// Faults of a parent that several profiles extend are printed once.
class Linter {
   public:
    Linter(const ProfileStore& store, const ProfileLintOptions& options)
        : store_(store), options_(options) {}

    void lint(const std::string& name) {
        const Resolved profile = resolve(store_, {name}, {});
        for (const auto& diagnostic : profile.diagnostics) {
            take(diagnostic, name);
        }
        if (profile.diagnostics.empty()) {
            note(name, "no findings");
            note_kept_match(name);
        }
    }

    // Checks a site's file together with these profiles. Entries for ids that one profile lacks are
    // ignored for that profile.
    void lint_site(ProfileStore store, const std::string& file,
                   const std::vector<std::string>& profiles) {
        store.take_site(file);
        const auto before = printed_.size();
        for (const auto& name : profiles) {
            const Resolved profile = resolve(store, {name}, {}, {}, Site::merged);
            for (const auto& diagnostic : profile.diagnostics) {
                take(diagnostic, name);
            }
            for (const auto& each : profile.ignored) {
                take({false, each.place,
                      each.id + ": " + each.why + ", and profile " + name +
                          " has no entry for it: ignored with that profile",
                      false},
                     name);
            }
        }
        if (printed_.size() == before) {
            note(file, "no findings");
        }
    }

    void take(Diagnostic diagnostic, const std::string& name) {
        diagnostic.is_error = diagnostic.is_error || options_.strict;
        if (diagnostic.place.line == 0) {  // it was named on the command line
            diagnostic.place.file = name;
        }
        const std::string line = printable(diagnostic_text(diagnostic), uncut) + "\n";
        output.out += printed_.insert(line).second ? line : "";
        timed_out_ = timed_out_ || diagnostic.timed_out;
        output.exit_code = diagnostic.is_error ? exit_of_unread(timed_out_) : output.exit_code;
    }

    Output output;

   private:
    void note(const std::string& name, const std::string& what) {
        output.out += options_.print.quiet ? "" : printable(name, uncut) + ": " + what + "\n";
    }

    void note_kept_match(const std::string& name) {
        const auto text = store_.find(name);
        if (text && text->kept_match) {
            note(text->file,
                 "note: the file replaces a shipped profile of the same name and has no [match], "
                 "so that the [match] of the shipped profile applies");
        }
    }

    const ProfileStore& store_;
    const ProfileLintOptions& options_;
    std::set<std::string> printed_;
    bool timed_out_ = false;  // a file did not answer
};

// Returns a line for each fault that would make a new node fail acceptance, because a learned
// profile would treat the fault as normal. Settings with Info::only_when_named are not read.
std::vector<std::string> faults_here(const ProfileLearnOptions& options, const Fs& machine,
                                     const Fs& host, const Process& process) {
    CheckRequest request;
    const bool gpus = !gpus_text(Machine(machine)).empty();
    request.profiles = {gpus ? "acceptance" : "auto"};
    request.scope = Scope::node;
    request.ignore_match = true;
    request.no_waivers = true;
    request.untrusted = Untrusted::ignored;
    request.only = options.request.only;
    request.skip = options.request.skip;
    for (const Setting* setting : all_settings()) {
        if (setting->info.only_when_named) {
            request.skip.emplace_back(setting->info.id);
        }
    }
    request.root = options.request.root;
    std::set<std::string> faults;
    for (const auto& finding : check(request, machine, host, process).report.findings) {
        if (finding.level == Level::required && finding.outcome == Outcome::differs) {
            faults.insert(finding.id);
        }
    }
    if (faults.empty()) {
        return {};
    }
    const std::vector<std::string> ids(faults.begin(), faults.end());
    return {"this node has faults, and the profile has their values: " + join(ids, ", ") +
            ". To list the faults: rocenv check -p " + request.profiles.front()};
}

}  // namespace

Output run_profile_lint(const ProfileLintOptions& options, const Fs& machine, const Fs& host,
                        const Process& process, const std::optional<Result<std::string>>& input) {
    ProfileStore store(host, process, ProfileStore::Parts::all, Untrusted::refused);
    auto names = options.profiles;
    Linter linter(store, options);
    if (input && *input) {
        store.hold({standard_input, standard_input, **input});
    } else if (input) {
        linter.take({true, {}, input->error().text, input->is(ErrorKind::timed_out)},
                    standard_input);
        std::erase(names, standard_input);
    }
    const auto sites = std::stable_partition(
        names.begin(), names.end(), [&](const auto& name) { return !is_site(store, name); });
    std::vector<std::string> profiles(names.begin(), sites);
    for (const auto& name : profiles) {
        linter.lint(name);
    }
    if (profiles.empty() && sites != names.end()) {
        profiles = {choose_profile(Machine(machine), store).name};
    }
    for (auto site = sites; site != names.end(); ++site) {
        linter.lint_site(store, *site, profiles);
    }
    linter.output.err = error_lines(doubt_lines(store.doubts()));
    linter.output.out = formatted(options.print, LintLines{linter.output.out}, process);
    return std::move(linter.output);
}

Output run_profile_diff(const ProfileDiffOptions& options, const Fs& machine_fs, const Fs& host,
                        const Process& process) {
    const Machine machine(machine_fs);
    Output output;
    std::vector<Resolved> profiles;
    for (const auto& name : options.profiles) {
        CheckRequest request;
        request.profiles = {name};
        request.root = options.machine.sysroot.value_or("/");
        request.ignore_match = true;
        request.untrusted = Untrusted::ignored;
        request.no_site = true;  // the same on both sides
        SelectedProfile here =
            select_profile(request, machine, host, process, Versions(machine, process));
        output.err += error_lines(here.errors) + error_lines(here.warnings) +
                      error_lines(doubt_lines(here.doubts));
        if (!here.errors.empty()) {
            output.exit_code = exit_of_unread(here.timed_out);
        }
        profiles.push_back(std::move(here.profile));
    }
    if (output.exit_code != 0) {
        return output;
    }
    const ProfileDiff diff = diff_profiles(profiles.front(), profiles.back());
    output.exit_code = diff.equal() ? 0 : exit_differs;
    output.out = formatted(options.print, diff, process);
    return output;
}

Output run_profile_learn(const ProfileLearnOptions& options, const Fs& machine, const Fs& host,
                         const Process& process) {
    LearnRequest request = options.request;
    request.name = options.name.empty() ? request.name : options.name.front();
    auto learnt = learn_profile(request, machine, process);
    if (!learnt.errors.empty()) {
        return {exit_usage, "", error_lines(learnt.errors)};
    }
    const auto faults = options.print.quiet ? std::vector<std::string>()
                                            : faults_here(options, machine, host, process);
    return {0, formatted(options.print, learnt, process), error_lines(faults)};
}

}  // namespace rocenv
