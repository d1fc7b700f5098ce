// SPDX-License-Identifier: MIT
#include "core/judging.h"

#include <algorithm>
#include <ctime>

#include "rocenv/profile.h"
#include "rocenv/registry.h"
#include "util/text.h"

namespace rocenv {

namespace {

const std::string auto_id = "profile.auto";

void check_matches(const std::vector<Match>& matches, const Machine& machine,
                   const Process& process, std::vector<std::string>& errors) {
    for (const auto& match : matches) {
        if (const auto why = mismatch(match, machine, process)) {
            errors.push_back("profile " + match.profile + " is not for this node: " + *why +
                             " (--ignore-match takes it all the same)");
        }
    }
}

class Judge {
   public:
    Judge(const CheckRequest& request, const Machine& machine, const Fs& host,
          const Process& process)
        : request_(request),
          process_(process),
          machine_(machine),
          store_(host, process),
          only_node_(request.scope ? *request.scope == Scope::node
                                   : process.through_sudo && !request.all_scopes) {}

    Judging run() {
        check_root();
        check_patterns(request_.only, "--only", out_.errors);
        check_patterns(request_.skip, "--skip", out_.errors);
        const auto overrides = take_wants();
        if (!out_.errors.empty()) {
            return std::move(judging_);
        }
        const AutoChoice choice =
            asked_for_auto() ? choose_profile(machine_, store_) : AutoChoice{};
        const Resolved profile = resolve(store_, expand_names(asked(), choice.name), overrides);
        if (asked_for_auto()) {
            take_diagnostics(choice.diagnostics);
        }
        take_diagnostics(profile.diagnostics);
        if (!request_.ignore_match && out_.errors.empty()) {
            check_matches(profile.matches, machine_, process_, out_.errors);
        }
        if (!out_.errors.empty()) {
            return std::move(judging_);
        }
        fill_head(profile);
        judge(profile);
        if (choice.finding && asked_for_auto()) {
            add_auto_finding(*choice.finding, choice.level);
        }
        return std::move(judging_);
    }

   private:
    // A wrong --sysroot must not look like a machine on which all is well.
    void check_root() {
        const Fs& fs = machine_.fs();
        if (!fs.is_real() && !exists(fs, "/sys") && !exists(fs, "/proc")) {
            out_.errors.push_back(request_.root + " holds neither sys nor proc");
        }
    }

    std::vector<std::string> asked() const {
        return request_.profiles.empty() ? std::vector<std::string>{"auto"} : request_.profiles;
    }

    bool asked_for_auto() const {
        const auto names = asked();
        return std::any_of(names.begin(), names.end(), [](const std::string& name) {
            return name == "auto" || name == "benchmark";
        });
    }

    std::vector<ProfileEntry> take_wants() {
        std::vector<ProfileEntry> entries;
        for (const auto& text : request_.wants) {
            auto entry = parse_want(text);
            if (entry) {
                entries.push_back(*std::move(entry));
            } else {
                out_.errors.push_back(entry.error().text);
            }
        }
        return entries;
    }

    void take_diagnostics(const std::vector<Diagnostic>& diagnostics) {
        for (const auto& diagnostic : diagnostics) {
            auto& list = diagnostic.is_error ? out_.errors : out_.warnings;
            const std::string text = diagnostic_text(diagnostic);
            out_.late = out_.late || diagnostic.timed_out;
            if (std::find(list.begin(), list.end(), text) == list.end()) {
                list.push_back(text);
            }
        }
    }

    void fill_head(const Resolved& profile) {
        Report& report = out_.report;
        report.command = "check";
        report.profiles = profile.names;
        if (asked_for_auto() || !profile.matches.empty()) {  // else nobody asked for GPUs
            report.gpus = gpus_told(machine_);
        }
        report.root = request_.root;
        report.time = report_time(process_);
        report.node = machine_.facts();
        if (!request_.node_name.empty()) {
            report.node.hostname = request_.node_name;
        }
    }

    void judge(const Resolved& profile) {
        const Context context{machine_, process_};
        bool left_out = false;
        std::size_t judged = 0;
        for (const auto& want : profile.wants) {
            const Setting& setting = *find_setting(want.id);
            if (!selected(want.id, request_.only, request_.skip)) {
                continue;
            }
            if (out_of_scope(setting.info().scope)) {
                left_out = true;
                continue;
            }
            ++judged;
            judging_.judged.push_back({want, &setting, setting.assess(context, want)});
            name_the_way(judging_.judged.back(), profile.names);
            out_.report.settings[want.id] = note_of(want, setting.info());
        }
        if (left_out && !request_.scope) {
            out_.report.notes.emplace_back(
                "under sudo only the node is judged, not this process (--scope all asks for both)");
        }
        if (judged == 0) {
            out_.report.notes.emplace_back(
                "nothing was judged: the profile names nothing asked for");
        }
    }

    // What set writes needs no command by hand. It leaves level info alone.
    void name_the_way(Judged& judged, const std::vector<std::string>& names) const {
        std::string command = "sudo rocenv set";
        for (const auto& name : names) {
            command += " -p " + shell_word(name);
        }
        for (const auto& want : request_.wants) {
            const bool about_this = want.starts_with(judged.want.id + "=");
            command += about_this ? " --want " + shell_word(want) : "";
        }
        for (auto& row : judged.rows) {
            if (row.outcome == Outcome::differs && row.change && judged.want.level != Level::info) {
                row.next_step = command + " --only " + judged.want.id;
            }
        }
    }

    bool out_of_scope(Scope scope) const {
        const bool only_process = request_.scope && *request_.scope == Scope::process;
        return (only_node_ && scope == Scope::process) || (only_process && scope == Scope::node);
    }

    static SettingNote note_of(const Want& want, const Info& info) {
        return {want.why.empty() ? std::string(info.why) : want.why,
                want.source.empty() ? std::string(info.source) : want.source,
                std::string(info.persist)};
    }

    void add_auto_finding(const Assessment& row, Level level) {
        if (!selected(auto_id, request_.only, request_.skip)) {
            return;
        }
        Finding finding;
        finding.id = auto_id;
        finding.target = "system";
        finding.level = level;
        finding.outcome = row.outcome;
        finding.want = row.want;
        finding.have = row.have;
        finding.detail = row.detail;
        finding.fix = row.next_step;
        judging_.about_choice = std::move(finding);
        out_.report.settings[auto_id] = {"Which profile is judged goes by the GPUs on PCI",
                                         "rocenv", ""};
    }

    const CheckRequest& request_;
    const Process& process_;
    const Machine& machine_;
    ProfileStore store_;
    bool only_node_;
    Judging judging_;
    CheckResult& out_ = judging_.result;
};

}  // namespace

void check_patterns(const std::vector<std::string>& patterns, const char* option,
                    std::vector<std::string>& errors) {
    for (const auto& pattern : patterns) {
        if (!matches_any_setting(pattern) && pattern != auto_id) {
            const auto near = nearest(pattern, known_ids());
            errors.push_back(std::string(option) + " " + printable(pattern, 60) +
                             ": no such setting" + (near ? ", did you mean " + *near + "?" : ""));
        }
    }
}

Judging judge_profile(const CheckRequest& request, const Machine& machine, const Fs& host,
                      const Process& process) {
    return Judge(request, machine, host, process).run();
}

void add_findings(Judging& judging) {
    auto& out = judging.result.report.findings;
    for (const auto& judged : judging.judged) {
        auto findings = to_findings(judged.want, *judged.setting, judged.rows);
        std::move(findings.begin(), findings.end(), std::back_inserter(out));
    }
    if (judging.about_choice) {
        out.push_back(*judging.about_choice);
    }
}

}  // namespace rocenv
