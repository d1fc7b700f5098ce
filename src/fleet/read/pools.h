// SPDX-License-Identifier: MIT
// All that the reports of a fleet repeat, each kept once.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <unordered_map>

#include "fleet/fleet.h"
#include "fleet/read/text_pool.h"
#include "rocenv/report.h"

namespace rocenv {

// Their texts are all of one pool, so that equal ones have equal places.
struct FindingTraits {
    static std::uint64_t hash(const FleetFinding& row);
    static bool equal(const FleetFinding& a, const FleetFinding& b);
};
struct FactTraits {
    static std::uint64_t hash(const FleetFact& row);
    static bool equal(const FleetFact& a, const FleetFact& b);
};
struct ReportTraits {
    static std::uint64_t hash(const FleetReport& row);
    static bool equal(const FleetReport& a, const FleetReport& b);
};

struct FleetPools {
    std::shared_ptr<TextPool> texts = std::make_shared<TextPool>();
    RowPool<FleetFinding, FindingTraits> findings;
    RowPool<FleetFact, FactTraits> facts;
    RowPool<FleetReport, ReportTraits> reports;
    // By the place of the id; `at` is the time of the report that says so.
    struct Told {
        FleetSetting setting;
        std::string_view at;
    };
    std::unordered_map<const char*, Told> settings;

    std::string_view keep(std::string_view text) { return texts->keep(text); }
    std::size_t bytes() const;
};

// Which ids count; the answer for each is found once.
class IdFilter {
   public:
    // Facts of `grouping` are needed whatever counts.
    IdFilter(std::vector<std::string> only, std::vector<std::string> skip,
             std::vector<std::string> grouping = {})
        : only_(std::move(only)), skip_(std::move(skip)), grouping_(std::move(grouping)) {}
    bool all() const { return only_.empty() && skip_.empty(); }
    // `id` is of the pool.
    bool takes(std::string_view id);
    bool takes_fact(std::string_view id);

   private:
    std::vector<std::string> only_;
    std::vector<std::string> skip_;
    std::vector<std::string> grouping_;
    std::unordered_map<const char*, bool> known_;
    std::unordered_map<const char*, bool> known_facts_;
};

// A report as it was read: what is its own, and its place among those that are equal to it.
struct ReadReport {
    std::string_view node;
    std::string_view time;
    std::string_view boot_id;
    FleetIndex report = 0;
};

// A report that was judged here, as reading its JSON would give it.
// `today` is a date.
ReadReport kept_report(const Report& report, FleetPools& pools, IdFilter& filter,
                       std::string_view today);

// Takes back waivers that ended before one of these dates, and those without a ticket or an end.
// Returns whether there is one.
bool lapse_waivers(std::vector<FleetIndex>& findings, FleetPools& pools, std::string_view reported,
                   std::string_view today);

// Of findings whose waivers lapsed: the worse of what the report says and what they say now.
void judge_lapsed(FleetReport& report, const FleetPools& pools);

// Whether an outcome that counts makes a check end with 1.
bool is_not_as_wanted(Outcome outcome);

// What a check says of findings that are all there is: 1, 3 or 0.
int exit_code_of(std::span<const FleetIndex> findings, const FleetPools& pools, bool strict);

// Of two exit statuses of a check: 1 is worse than 3, 3 than 0.
bool is_worse(int exit_code, int other);

// "ok", "differs", "unknown": the result of a check that ends with this status.
std::string_view result_of(int exit_code);

// Exchanges result and status for what these findings say, where some were taken out.
void judge_again(FleetReport& report, const FleetPools& pools);

// The same where none was: the worse of what it says itself and what its findings do counts.
void hold_against_findings(FleetReport& report, const FleetPools& pools);

}  // namespace rocenv
