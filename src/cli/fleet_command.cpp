// SPDX-License-Identifier: MIT
#include "cli/commands.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "check/check.h"
#include "fleet/compare/compare.h"
#include "fleet/compare/reference.h"
#include "fleet/print/render.h"
#include "fleet/read/gather.h"
#include "fleet/read/groups.h"
#include "fleet/read/hostlist.h"
#include "os/child/given_files.h"
#include "os/fs/input_files.h"
#include "os/fs/posix_fs.h"
#include "os/fs/tree_file.h"
#include "profile/profile.h"
#include "profile/request.h"
#include "settings/registry.h"
#include "util/credentials.h"
#include "util/exit_status.h"
#include "util/near_names.h"
#include "util/text.h"
#include "util/utc_time.h"

namespace rocenv {

namespace {

constexpr FleetFormat fleet_formats[] = {
    {"human", ReadBy::person, render_fleet_human},
    {"json", ReadBy::program, render_fleet_json},
    {"html", ReadBy::program, render_fleet_html},
    {"prometheus", ReadBy::program, render_fleet_prometheus},
};

constexpr std::int64_t kind_ms = 5000;  // limit for detecting the kind of all inputs

// A recording as `check --sysroot FILE --facts` judges it.
class RecordingJudge {
   public:
    RecordingJudge(const FleetOptions& options, const Process& process)
        : options_(options), process_(process), host_(real_fs()) {}

    // Judges a recording. The report has the time of the file, unless SOURCE_DATE_EPOCH is set.
    // Files that are not trusted are added to doubts().
    Result<JudgedRecording> operator()(const std::string& file, const std::string& node) const {
        const auto machine = load_tree(file);
        if (!machine) {
            return machine.error();
        }
        Process then = process_;
        const auto written = written_at(file);
        if (written && !process_.variable("SOURCE_DATE_EPOCH")) {
            then.environment["SOURCE_DATE_EPOCH"] = number(*written);
        }
        CheckResult result = check(request_for(file, node), **machine, *host_, then);
        doubts_->insert(result.doubts.begin(), result.doubts.end());
        if (!result.errors.empty()) {
            return Error{result.timed_out ? ErrorKind::timed_out : ErrorKind::bad_input, 0, file,
                         join(result.errors, "; ")};
        }
        const std::string remark = (*machine)->remark();
        return JudgedRecording{std::move(result.report), remark, remark != cut_off_remark};
    }

    const Fs& host() const { return *host_; }
    const std::set<std::string>& doubts() const { return *doubts_; }

   private:
    CheckRequest request_for(const std::string& file, const std::string& node) const {
        CheckRequest request = options_.request;
        request.root = file;
        request.only.clear();  // the reader leaves settings out: groups need some facts
        request.skip.clear();
        request.scope = Scope::node;  // the caller has another environment than the node's jobs
        request.facts = true;
        request.node_name = node;
        return request;
    }

    const FleetOptions& options_;
    const Process& process_;
    const std::shared_ptr<const Fs> host_;
    const std::shared_ptr<std::set<std::string>> doubts_ =
        std::make_shared<std::set<std::string>>();
};

// Names of files and nodes that were typed may be addresses.
void hide_credentials(FleetResult& result) {
    for (auto& problem : result.problems) {
        problem.text = without_hidden_words(without_credentials(problem.text), problem.file);
        problem.file = value_without_credentials(problem.file);
    }
    for (auto* names : {&result.missing, &result.reference}) {
        *names = value_without_credentials(*names);
    }
    if (result.since) {
        result.since->folder = value_without_credentials(result.since->folder);
    }
}

class FleetCommand {
   public:
    FleetCommand(const FleetOptions& options, const Process& process)
        : options_(options),
          process_(process),
          judge_(options, process),
          filter_(options.request.only, options.request.skip, grouping_ids(options.group_by)),
          now_(utc_seconds(report_time(process)).value_or(0)),
          gatherer_(pools_, filter_, problems_, judge_, now_) {}

    Output run() {
        if (const auto error = missing_input()) {
            return failure(exit_usage, error->text);
        }
        if (const auto error = read_options()) {
            return failure(exit_of_unread(error->kind == ErrorKind::timed_out), error->text);
        }
        Sweep now;
        take_all(options_.inputs.empty() ? std::vector<std::string>{"-"} : options_.inputs, now);
        Sweep then;
        if (!options_.since.empty()) {
            take_all({options_.since}, then);
            request_.since = &then;
            request_.since_folder = options_.since;
        }
        if (const auto error = judge_nothing()) {
            return failure(exit_of_unread(error->kind == ErrorKind::timed_out), error->text);
        }
        if (const auto unknown = unknown_id()) {
            return failure(exit_usage, *unknown);
        }
        if (const auto error = read_reference()) {
            return failure(exit_of_unread(error->kind == ErrorKind::timed_out), error->text);
        }
        take_grouping();
        FleetResult result = compare_fleet(now, pools_, problems_, request_);
        hide_credentials(result);
        const std::vector<std::string> doubts(judge_.doubts().begin(), judge_.doubts().end());
        result.warnings.insert(result.warnings.end(), warnings_.begin(), warnings_.end());
        result.warnings.insert(result.warnings.end(), doubts.begin(), doubts.end());
        return {result.exit_code, formatted(options_.print, result, process_), error_lines(doubts)};
    }

   private:
    // Returns an error for the first of the named paths that does not exist: a mistake of the
    // caller, not of a node. Keeps what each path is.
    std::optional<Error> missing_input() {
        std::vector<std::string> paths = options_.inputs;
        std::erase(paths, "-");
        const std::size_t inputs = paths.size();
        for (const auto& path : {options_.since, options_.reference}) {
            if (!path.empty()) {
                paths.push_back(path);
            }
        }
        const auto kinds = path_kinds(paths, kind_ms);
        for (std::size_t at = 0; at < paths.size(); ++at) {
            if (at < inputs ||
                kinds[at] != PathKind::silent) {  // an input may have kept the others
                path_kinds_.emplace(paths[at], kinds[at]);
            }
            if (kinds[at] == PathKind::missing &&
                InputStream::open_regular(paths[at]).is(ErrorKind::not_here)) {
                return Error{ErrorKind::bad_input, 0, paths[at],
                             "cannot open " + in_quotes(value_without_credentials(paths[at]), 300) +
                                 ": No such file or directory"};
            }
        }
        return std::nullopt;
    }

    bool is_silent(const std::string& path) const {
        const auto known = path_kinds_.find(path);
        return (known != path_kinds_.end() ? known->second : path_kinds({path}, kind_ms).front()) ==
               PathKind::silent;
    }

    std::optional<Error> read_options() {
        request_.group_by = options_.group_by;
        request_.strict = options_.strict;
        request_.now_seconds = now_;
        if (!options_.max_age.empty()) {
            request_.max_age_seconds = seconds_of_age(options_.max_age);
            if (!request_.max_age_seconds) {
                return Error{ErrorKind::bad_input, 0, "",
                             "invalid value " + in_quotes(options_.max_age, 40) +
                                 " for --max-age: expected an age such as 90s, 15m, 24h or 7d"};
            }
        }
        for (const auto& list : options_.expect) {
            auto names = expanded_names(list, most_hosts - request_.expect.size());
            if (!names) {
                return Error{ErrorKind::bad_input, 0, "", "--expect: " + names.error().text};
            }
            request_.expect.insert(request_.expect.end(), names->begin(), names->end());
        }
        return std::nullopt;
    }

    // Warns of options for recordings if there is no recording. An unknown profile is an error even
    // then.
    std::optional<Error> judge_nothing() {
        const CheckRequest& request = options_.request;
        const bool is_asked = !request.profiles.empty() || !request.overrides.empty() ||
                              !request.waivers.empty() || request.no_waivers;
        if (!is_asked || gatherer_.recordings() > 0) {
            return std::nullopt;
        }
        warnings_.push_back(
            "-p, --want, --waivers and --no-waivers have no effect without a recording (.tree)");
        std::vector<std::string> names;
        std::copy_if(request.profiles.begin(), request.profiles.end(), std::back_inserter(names),
                     [](const std::string& name) { return !asks_machine(name); });
        const auto resolved = resolve(ProfileStore(judge_.host(), process_), names, {});
        for (const auto& each : resolved.diagnostics) {
            if (each.is_error) {
                return Error{each.timed_out ? ErrorKind::timed_out : ErrorKind::bad_input, 0, "",
                             diagnostic_text(each)};
            }
        }
        return std::nullopt;
    }

    // Returns what is wrong with the first id or glob that names nothing.
    std::optional<std::string> unknown_id() const {
        std::set<std::string> known;
        for (const Setting* setting : all_settings()) {
            known.insert(std::string(setting->info.id));
        }
        for (const auto& [address, note] : pools_.settings) {
            known.insert(std::string(note.setting.id));
        }
        for (const auto& fact : pools_.facts.rows()) {
            known.insert(std::string(fact.id));
        }
        std::vector<std::string> named = options_.request.only;
        const auto& skip = options_.request.skip;
        named.insert(named.end(), skip.begin(), skip.end());
        for (const auto& each : options_.group_by) {
            named.push_back(each.substr(0, each.find('/')));
        }
        for (const auto& pattern : named) {
            const bool found = pattern.starts_with("env.") ||
                               std::any_of(known.begin(), known.end(), [&](const std::string& id) {
                                   return glob_match(pattern, id);
                               });
            if (!found) {
                const std::vector<std::string> names(known.begin(), known.end());
                return "unknown setting " + in_quotes(pattern, 60) + ", which no report has" +
                       did_you_mean(near_names(pattern, names));
            }
        }
        return std::nullopt;
    }

    void take_grouping() {
        std::vector<std::string> lacking;
        request_.group_by = grouping_facts(options_.group_by, pools_, lacking);
        if (!lacking.empty()) {
            warnings_.push_back("--group-by has no effect, because no report has these facts: " +
                                join(lacking, ","));
        }
    }

    std::optional<Error> read_reference() {
        if (options_.reference.empty()) {
            return std::nullopt;
        }
        if (is_silent(options_.reference)) {
            return not_answering(options_.reference);
        }
        std::vector<std::string> unused;
        const ProfileStore store(judge_.host(), process_);
        auto reference =
            options_.reference.ends_with(".toml")
                ? reference_profile(options_.reference, store, pools_, unused)
                : reference_report(options_.reference, pools_, filter_, judge_, problems_);
        if (!reference) {
            return reference.error();
        }
        for (const auto& line : doubt_lines(store.doubts())) {
            warnings_.push_back(line);
        }
        if (!unused.empty()) {
            warnings_.push_back(
                "compared with the majority, because the reference expects no plain value of: " +
                join(unused, ","));
        }
        request_.reference = std::move(reference).value();
        return std::nullopt;
    }

    // Reads the inputs. A path that does not answer is a problem, and the others are read.
    void take_all(const std::vector<std::string>& inputs, Sweep& into) {
        for (const auto& input : inputs) {
            if (input == "-" && std::exchange(took_stdin_, true)) {
                continue;  // it is there once
            }
            if (input != "-" && is_silent(input)) {
                problems_.add(FleetProblem::Kind::unreadable, input, 0,
                              "no answer in " + number(kind_ms / 1000) + " s");
                continue;
            }
            gatherer_.take(input, into);
        }
    }

    const FleetOptions& options_;
    const Process& process_;
    RecordingJudge judge_;
    FleetPools pools_;
    IdFilter filter_;
    Problems problems_;
    const std::int64_t now_;
    std::map<std::string, PathKind> path_kinds_;
    bool took_stdin_ = false;
    Gatherer gatherer_;
    CompareRequest request_;
    std::vector<std::string> warnings_;
};

}  // namespace

template <>
std::span<const FleetFormat> formats() {
    return fleet_formats;
}

Output run_fleet(const FleetOptions& options, const Process& process) {
    return FleetCommand(options, process).run();
}

}  // namespace rocenv
