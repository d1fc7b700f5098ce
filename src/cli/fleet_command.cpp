// SPDX-License-Identifier: MIT
#include "cli/fleet_command.h"

#include <algorithm>
#include <set>

#include "check/check.h"
#include "cli/commands.h"
#include "cli/requests.h"
#include "fleet/compare.h"
#include "fleet/gather.h"
#include "fleet/groups.h"
#include "fleet/hostlist.h"
#include "fleet/reference.h"
#include "fleet/render.h"
#include "fleet/report_time.h"
#include "settings/registry.h"
#include "sys/fs/posix_fs.h"
#include "sys/fs/tree_file.h"
#include "sys/helper/path_looks.h"
#include "util/exit_status.h"
#include "util/text.h"

namespace rocenv {

namespace {

constexpr std::int64_t look_ms = 5000;  // for all that is named to say what it is

// A recording as `check --sysroot FILE --facts` judges it.
class RecordingJudge {
   public:
    RecordingJudge(const FleetOptions& options, const Process& process)
        : options_(options), process_(process), host_(real_fs()) {}

    Result<Report> operator()(const std::string& file, const std::string& node) const {
        const auto machine = load_tree(file);
        if (!machine) {
            return machine.error();
        }
        const CheckResult result =
            check(fleet_check_request(options_, file, node), **machine, *host_, process_);
        if (!result.errors.empty()) {
            return Error{result.timed_out ? ErrorKind::timed_out : ErrorKind::bad_input, 0, file,
                         join(result.errors, "; ")};
        }
        return result.report;
    }

    const Fs& host() const { return *host_; }

   private:
    const FleetOptions& options_;
    const Process& process_;
    const std::shared_ptr<const Fs> host_;
};

class FleetCommand {
   public:
    FleetCommand(const FleetOptions& options, const Process& process)
        : options_(options),
          process_(process),
          judge_(options, process),
          filter_(options.profile.filter.only, options.profile.filter.skip,
                  grouping_ids(options.group_by)),
          gatherer_(pools_, filter_, problems_, judge_) {}

    Output run() {
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
        if (const auto unknown = unknown_id()) {
            return failure(exit_usage,
                           printable(*unknown, 60) + " is no setting, and no report knows it");
        }
        if (const auto error = read_reference()) {
            return failure(exit_of_unread(error->kind == ErrorKind::timed_out), error->text);
        }
        FleetResult result = compare_fleet(now, pools_, problems_, request_);
        result.warnings.insert(result.warnings.end(), warnings_.begin(), warnings_.end());
        return {result.exit_code, rendered(result), ""};
    }

   private:
    std::optional<Error> read_options() {
        request_.group_by = options_.group_by;
        request_.strict = options_.strict;
        request_.now_seconds = seconds_of_time(report_time(process_)).value_or(0);
        if (!options_.max_age.empty()) {
            request_.max_age_seconds = seconds_of_age(options_.max_age);
            if (!request_.max_age_seconds) {
                return Error{ErrorKind::bad_input, 0, "",
                             "--max-age: " + printable(options_.max_age, 40) +
                                 " is no age (90s, 15m, 24h, 7d)"};
            }
        }
        for (const auto& list : options_.expect) {
            auto names = expanded_names(list);
            if (!names) {
                return Error{ErrorKind::bad_input, 0, "", "--expect: " + names.error().text};
            }
            request_.expect.insert(request_.expect.end(), names->begin(), names->end());
        }
        return std::nullopt;
    }

    // The first id or glob that names nothing.
    std::optional<std::string> unknown_id() const {
        std::set<std::string> known;
        for (const Setting* setting : all_settings()) {
            known.insert(std::string(setting->info().id));
        }
        for (const auto& [place, told] : pools_.settings) {
            known.insert(std::string(told.setting.id));
        }
        std::vector<std::string> named = options_.profile.filter.only;
        const auto& skip = options_.profile.filter.skip;
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
                return pattern;
            }
        }
        return std::nullopt;
    }

    std::optional<Error> read_reference() {
        if (options_.reference.empty()) {
            return std::nullopt;
        }
        if (auto silent = first_silent({options_.reference}, look_ms)) {
            return silent;
        }
        std::vector<std::string> unused;
        auto reference =
            options_.reference.ends_with(".toml")
                ? reference_profile(options_.reference, judge_.host(), process_, pools_, unused)
                : reference_report(options_.reference, pools_, filter_, judge_);
        if (!reference) {
            return reference.error();
        }
        if (!unused.empty()) {
            warnings_.push_back("no node has what the reference wants of: " + join(unused, ","));
        }
        request_.reference = std::move(reference).value();
        return std::nullopt;
    }

    // What does not say what it is keeps nobody waiting.
    void take_all(const std::vector<std::string>& inputs, Sweep& into) {
        std::vector<std::string> paths;
        std::copy_if(inputs.begin(), inputs.end(), std::back_inserter(paths),
                     [](const std::string& path) { return path != "-"; });
        const auto looks = looks_of(paths, look_ms);
        auto next = looks.begin();
        for (const auto& input : inputs) {
            if (input != "-" && *next++ == Looks::silent) {
                problems_.add(FleetProblem::Kind::unreadable, input, 0,
                              "no answer in " + number(look_ms / 1000) + " s");
                continue;
            }
            gatherer_.take(input, into);
        }
    }

    std::string rendered(const FleetResult& result) const {
        switch (options_.print.format) {
            case FleetFormat::human:
                return render_fleet_human(result, options_.print.detail(),
                                          colour_for(options_.print.colour, process_));
            case FleetFormat::json:
                return render_fleet_json(result);
            case FleetFormat::html:
                return render_fleet_html(result);
            case FleetFormat::prometheus:
                return render_fleet_prometheus(result);
        }
        return "";
    }

    const FleetOptions& options_;
    const Process& process_;
    RecordingJudge judge_;
    FleetPools pools_;
    IdFilter filter_;
    Problems problems_;
    Gatherer gatherer_;
    CompareRequest request_;
    std::vector<std::string> warnings_;
};

}  // namespace

Output run_fleet(const FleetOptions& options, const Process& process) {
    return FleetCommand(options, process).run();
}

}  // namespace rocenv
