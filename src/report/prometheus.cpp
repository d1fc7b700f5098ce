// SPDX-License-Identifier: MIT
// A check as metrics. Labels describe the check, values the result, so that a series outlives its
// state: labels contain neither present values nor numbers of equal CPUs. A waiver and its end have
// their own metrics, because they exist only while a finding is not ok. Only a grade (Setting's
// texts) moves a finding to the series of another level.
#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <tuple>

#include "machine/sources.h"
#include "print/metrics_writer.h"
#include "report/brief.h"
#include "report/model/consequences.h"
#include "report/render.h"
#include "util/text.h"
#include "util/utc_time.h"

namespace rocenv {

namespace {

constexpr Level all_levels[] = {Level::required, Level::recommended, Level::info};
constexpr Outcome all_outcomes[] = {Outcome::ok, Outcome::differs, Outcome::unknown, Outcome::na,
                                    Outcome::hidden};

// Returns the value of an outcome; above 0 it is not ok. The worst is the highest, except unknown,
// which hides no fault.
std::int64_t outcome_value(Outcome outcome) {
    switch (outcome) {
        case Outcome::differs:
            return 2;
        case Outcome::unknown:
            return 1;
        case Outcome::na:
            return -1;
        case Outcome::hidden:
            return -2;
        case Outcome::ok:
        case Outcome::changed:
        case Outcome::unsafe:
        case Outcome::failed:
            break;
    }
    return 0;
}

// Returns "policy*" and "cpu*/C2" for "policy0-6,8-383" and "cpu7/C2", since the set of equal CPUs
// changes.
std::string lasting_target(const Finding& finding) {
    const auto& target = finding.target;
    const auto from = target.find_first_of("0123456789");
    if (!finding.counted || from == std::string::npos) {
        return target;
    }
    const auto to = target.find_first_not_of("0123456789,-", from);
    return target.substr(0, from) + "*" + (to == std::string::npos ? "" : target.substr(to));
}

// Returns the end of a waiver, whose last day is included; std::nullopt for an invalid date.
std::optional<std::int64_t> waiver_end(const Waived& waived) {
    constexpr std::int64_t day = 24 * 60 * 60;
    const auto last_day = utc_seconds(waived.until + "T00:00:00Z");
    return last_day ? std::optional(*last_day + day) : std::nullopt;
}

class PrometheusText {
   public:
    explicit PrometheusText(const Report& report) : report_(report) {
        for (const auto& finding : report.findings) {
            const Key key{finding.id, lasting_target(finding), finding.level};
            const auto value = outcome_value(finding.outcome);
            const auto [found, is_new] = series_.emplace(key, value);
            found->second = std::max(found->second, value);
            if (finding.waived) {
                add_waiver(key, *finding.waived);
            }
            if (cause_of(report, finding) != nullptr) {
                caused_.insert({finding.id, lasting_target(finding)});
            }
            for (const auto& [name, count] : finding.counters) {
                counters_[{finding.id, lasting_target(finding), name}] += count;
            }
        }
    }

    std::string text() {
        if (finds_no_gpu(report_)) {
            out_.comment(no_gpu_found);
        }
        run();
        counts();
        out_.metric("rocenv_finding", MetricType::gauge,
                    "Result of a check: 0 passed, 1 unknown (could not be read), 2 differs, -1 not "
                    "applicable, -2 hidden from this container. Of CPUs and policies the worst.");
        write(series_);
        out_.metric(
            "rocenv_finding_waived", MetricType::gauge,
            "1 for a finding that a waiver of the site accepts, so that it does not count.");
        write(waived_);
        out_.metric("rocenv_finding_caused", MetricType::gauge,
                    "1 for a finding that another finding of the report explains.");
        for (const auto& [id, target] : caused_) {
            out_.sample({{"id", id}, {"target", target}}, 1);
        }
        out_.metric("rocenv_waiver_end_timestamp_seconds", MetricType::gauge,
                    "When the finding counts again, in seconds since 1970: the end of its waiver. "
                    "Of CPUs and policies the first.");
        write(waiver_ends_);
        counters();
        return out_.finish();
    }

   private:
    using Key = std::tuple<std::string, std::string, Level>;
    using Series = std::map<Key, std::int64_t>;

    void add_waiver(const Key& key, const Waived& waived) {
        waived_.emplace(key, 1);
        if (const auto end = waiver_end(waived)) {
            const auto [found, is_new] = waiver_ends_.emplace(key, *end);
            found->second = std::min(found->second, *end);
        }
    }

    void run() {
        const auto& report = report_;
        out_.metric("rocenv_check_info", MetricType::gauge,
                    "1; the version of the program and the profiles.");
        out_.sample({{"version", ROCENV_VERSION},
                     {"profile", join(report.profiles, " ")},
                     {"profile_digest", report.profile_digest}},
                    1);
        out_.metric("rocenv_check_timestamp_seconds", MetricType::gauge,
                    "When the node was checked, in seconds since 1970.");
        out_.sample({}, utc_seconds(report.time).value_or(0));
        out_.metric("rocenv_check_exit_status", MetricType::gauge,
                    "0 passed, 1 a required check failed, 3 a required check could not be "
                    "read.");
        out_.sample({}, report.exit_code);
    }

    // Adds all possible counts, so that no series begins with its first fault.
    void counts() {
        out_.metric("rocenv_findings", MetricType::gauge,
                    "Number of findings without those that are waived.");
        for (const auto level : all_levels) {
            for (const auto outcome : all_outcomes) {
                const auto count = std::count_if(
                    report_.findings.begin(), report_.findings.end(), [&](const Finding& finding) {
                        return finding.level == level && finding.outcome == outcome &&
                               !finding.waived;
                    });
                out_.sample({{"level", word_of(level)}, {"outcome", word_of(outcome)}}, count);
            }
        }
        out_.metric("rocenv_findings_waived", MetricType::gauge,
                    "Number of findings that are waived.");
        out_.sample({}, std::count_if(report_.findings.begin(), report_.findings.end(),
                                      [](const Finding& each) { return each.waived.has_value(); }));
    }

    void write(const Series& series) {
        for (const auto& [key, value] : series) {
            const auto& [id, target, level] = key;
            out_.sample({{"id", id}, {"target", target}, {"level", word_of(level)}}, value);
        }
    }

    // Adds the counters above 0, as in JSON.
    void counters() {
        out_.metric("rocenv_counted_total", MetricType::counter,
                    "Events that a finding has counted since the kernel or the driver started.");
        for (const auto& [key, count] : counters_) {
            const auto& [id, target, name] = key;
            if (count > 0) {
                out_.sample({{"id", id}, {"target", target}, {"counter", name}},
                            static_cast<std::int64_t>(count));
            }
        }
    }

    const Report& report_;
    Series series_;
    Series waived_;
    std::set<std::pair<std::string, std::string>> caused_;  // pairs of id and target
    Series waiver_ends_;
    std::map<std::tuple<std::string, std::string, std::string>, std::uint64_t> counters_;
    MetricsWriter out_;
};

}  // namespace

std::string render_prometheus(const Report& report) {
    return PrometheusText(report).text();
}

}  // namespace rocenv
