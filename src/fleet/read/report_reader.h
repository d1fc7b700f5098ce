// SPDX-License-Identifier: MIT
// One report of rocenv check (json or jsonl, of any version of this program) from the front of a
// text into the pools of a fleet. Members that it does not know are passed over, those that are not
// there are empty; what is there has to be what a report says there. A finding whose level, outcome
// or reason is a word that only another version knows counts as unknown, and as required where it
// is the level.
#pragma once

#include <set>
#include <string>
#include <string_view>

#include "fleet/read/json_cursor.h"
#include "fleet/read/pools.h"
#include "fleet/read/text_cleaner.h"

namespace rocenv {

enum class ReadEnd {
    whole,
    ran_out,  // the text ended before the report did
    broken,   // it is a report, and garbled
    foreign,  // it is JSON, or looks like it, and no report of rocenv check
};

class ReportReader {
   public:
    // `today` is a date; empty: waivers end by the time of their report alone.
    ReportReader(FleetPools& pools, IdFilter& filter, std::string today = "")
        : pools_(pools), filter_(filter), today_(std::move(today)), cleaner_(pools) {}

    // `text` begins with '{'.
    ReadEnd read(std::string_view text);

    const ReadReport& report() const { return out_; }  // of a whole one
    std::size_t size() const { return size_; }         // how far it read
    const std::string& fault() const { return fault_; }
    // Words in it that only another version knows, as "level vital"; each counts as unknown.
    const std::set<std::string>& strange_words() const { return strange_words_; }
    // Whether what was read said that it is a report, so far as it was read.
    bool is_report() const { return !schema_.empty(); }

    // Whether it is JSON of this program, though no report of check that is known here.
    bool is_of_rocenv() const { return is_of_rocenv_; }

   private:
    void start();
    bool read_members(JsonCursor& json);
    bool member(JsonCursor& json, std::string_view name, JsonMembers& seen);
    bool part(JsonCursor& json, std::string_view name, JsonMembers& seen);
    bool exit_member(JsonCursor& json);
    bool schema(JsonCursor& json);
    bool node(JsonCursor& json);
    bool joined(JsonCursor& json, std::string_view separator, std::string_view& into);
    bool profile_digest(JsonCursor& json);
    bool time(JsonCursor& json);
    bool asked(JsonCursor& json, std::string_view name, JsonMembers& seen);
    bool settings(JsonCursor& json);
    bool setting(JsonCursor& json, std::string_view id);
    bool findings(JsonCursor& json);
    bool finding(JsonCursor& json);
    bool finding_member(JsonCursor& json, std::string_view name, FleetFinding& row,
                        JsonMembers& seen);
    bool counters(JsonCursor& json, FleetFinding& row);
    bool waived(JsonCursor& json, FleetFinding& row);
    bool cause(JsonCursor& json, FleetFinding& row);
    bool level(JsonCursor& json, FleetFinding& row);
    bool outcome(JsonCursor& json, FleetFinding& row);
    bool reason(JsonCursor& json, FleetFinding& row);
    bool text_or_empty(JsonCursor& json, std::string_view& into);
    bool facts(JsonCursor& json);
    bool fact_values(JsonCursor& json);
    bool fact(JsonCursor& json);
    bool kept(JsonCursor& json, std::string_view& into);
    bool kept_clean(JsonCursor& json, std::string_view& into);
    bool kept(JsonCursor& json, std::optional<std::string_view>& into);
    std::string lack() const;
    void finish();
    ReadEnd broken(const JsonCursor& json);

    FleetPools& pools_;
    IdFilter& filter_;
    const std::string today_;
    TextCleaner cleaner_;
    ReadReport out_;
    FleetReport row_;
    std::vector<FleetIndex> findings_;
    std::vector<FleetIndex> facts_;
    std::vector<FleetCount> counts_;
    std::string_view part_;    // the member of the report that is being read
    std::string_view schema_;  // empty: not seen
    std::string_view command_;
    bool is_of_rocenv_ = false;
    bool has_exit_ = false;
    bool has_findings_ = false;
    std::size_t size_ = 0;
    std::string fault_;
    std::set<std::string> strange_words_;
    bool strange_ = false;  // the finding that is being read holds such a word
};

}  // namespace rocenv
