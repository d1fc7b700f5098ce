// SPDX-License-Identifier: MIT
// rocenv profile lint, diff, learn.
#include <algorithm>
#include <set>

#include "check/check.h"
#include "cli/commands.h"
#include "cli/requests.h"
#include "profile/diff/profile_diff.h"
#include "profile/learn/learn.h"
#include "profile/profile.h"
#include "profile/profile_selection.h"
#include "settings/registry.h"
#include "util/exit_status.h"
#include "util/text.h"
#include "variables/releases/versions.h"

namespace rocenv {

namespace {

const std::string standard_input = "-";

// A file of that name without [profile] cannot be one: it is on its way to the place of the site's.
bool is_site(const ProfileStore& store, const std::string& name) {
    if (name != "site.toml" && !name.ends_with("/site.toml")) {
        return name == site_file;
    }
    const auto text = store.find(name);
    return name == site_file || (text && text->name.empty());
}

// Each profile with all it extends, so that a missing parent or value is seen too. What several of
// them extend is told once.
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
            tell(name, "no findings");
            tell_kept_match(name);
        }
    }

    // Beside these profiles: what it says of ids that one of them lacks is ignored there.
    void lint_site(ProfileStore store, const std::string& file,
                   const std::vector<std::string>& profiles) {
        store.take_site(file);
        const auto before = told_.size();
        for (const auto& name : profiles) {
            const Resolved profile = resolve(store, {name}, {}, {}, Site::merged);
            for (const auto& diagnostic : profile.diagnostics) {
                take(diagnostic, name);
            }
            for (const auto& each : profile.ignored) {
                take({false, each.place,
                      each.id + ": " + each.why + ", and " + name + " does not name it: ignored " +
                          "with that profile",
                      false},
                     name);
            }
        }
        if (told_.size() == before) {
            tell(file, "no findings");
        }
    }

    void take(Diagnostic diagnostic, const std::string& name) {
        diagnostic.is_error = diagnostic.is_error || options_.strict;
        if (diagnostic.place.line == 0) {  // it was named on the command line
            diagnostic.place.file = name;
        }
        const std::string line = printable(diagnostic_text(diagnostic), uncut) + "\n";
        output.out += told_.insert(line).second ? line : "";
        timed_out_ = timed_out_ || diagnostic.timed_out;
        output.exit_code = diagnostic.is_error ? exit_of_unread(timed_out_) : output.exit_code;
    }

    Output output;

   private:
    void tell(const std::string& name, const std::string& what) {
        output.out += options_.print.quiet ? "" : printable(name, uncut) + ": " + what + "\n";
    }

    void tell_kept_match(const std::string& name) {
        const auto text = store_.find(name);
        if (text && text->kept_match) {
            tell(text->file, "note: it takes a shipped profile's name and has no [match]: that " +
                                 std::string("one's stays, for the GPUs it is for"));
        }
    }

    const ProfileStore& store_;
    const ProfileLintOptions& options_;
    std::set<std::string> told_;
    bool timed_out_ = false;  // a file did not answer
};

// A line where a new node with these faults would not be taken: what is learned of it takes them
// for granted. What is read only where a profile names it is not asked to learn.
std::vector<std::string> faults_here(const ProfileLearnOptions& options, const Fs& machine,
                                     const Fs& host, const Process& process) {
    CheckRequest request;
    const bool gpus = !gpus_told(Machine(machine)).empty();
    request.profiles = {gpus ? "acceptance" : "auto"};
    request.scope = Scope::node;
    request.ignore_match = true;
    request.no_waivers = true;
    request.untrusted = Untrusted::ignored;
    request.only = options.filter.only;
    request.skip = options.filter.skip;
    for (const Setting* setting : all_settings()) {
        if (setting->info.only_when_named) {
            request.skip.emplace_back(setting->info.id);
        }
    }
    request.root = root_of(options.machine);
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
    return {"this node has faults, better learn from one without: " + join(ids, ", ") +
            " (rocenv check -p " + request.profiles.front() + ")"};
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
        request.root = root_of(options.machine);
        request.ignore_match = true;
        request.untrusted = Untrusted::ignored;
        request.no_site = true;  // it would be alike on both sides
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
    switch (options.print.format) {
        case ReportFormat::human:
            output.out = options.print.quiet ? "" : render_profile_diff_human(diff);
            break;
        case ReportFormat::json:
            output.out = render_profile_diff_json(diff);
            break;
    }
    return output;
}

Output run_profile_learn(const ProfileLearnOptions& options, const Fs& machine, const Fs& host,
                         const Process& process) {
    LearnRequest request;
    request.name = options.name.empty() ? request.name : options.name.front();
    request.only = options.filter.only;
    request.skip = options.filter.skip;
    request.root = root_of(options.machine);
    if (options.level) {
        request.level = level_of_word(word_of(*options.level));
    }
    auto learnt = learn_profile(request, machine, process);
    if (!learnt.errors.empty()) {
        return {exit_usage, "", error_lines(learnt.errors)};
    }
    const auto faults = options.print.quiet ? std::vector<std::string>()
                                            : faults_here(options, machine, host, process);
    return {0, std::move(learnt.text), error_lines(faults)};
}

}  // namespace rocenv
