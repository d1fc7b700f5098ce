// SPDX-License-Identifier: MIT
// Reports of rocenv check (json or jsonl, of any version of this program) from the front of a text
// into the pools of a fleet. A finding whose level, outcome or reason is a word that only another
// version knows counts as unknown, and as required where it is the level.
#pragma once

#include <set>
#include <string>
#include <string_view>

#include "fleet/read/pools.h"
#include "fleet/read/text_cleaner.h"
#include "rocenv/report.h"

namespace rocenv {

struct JsonReading;  // json/in.h

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
    // Takes a report that was judged here, as reading its JSON would.
    ReadReport take(const Report& recording);

    const ReadReport& report() const { return out_; }  // of a whole one
    std::size_t size() const { return size_; }         // how far it read
    const std::string& fault() const { return fault_; }
    // Words in it that only another version knows, as "level vital"; each counts as unknown.
    const std::set<std::string>& strange_words() const { return strange_words_; }
    // Whether what was read said that it is a report, so far as it was read.
    bool is_report() const { return is_report_; }
    // Whether it is JSON of this program, though no report of check that is known here.
    bool is_of_rocenv() const { return is_of_rocenv_; }

   private:
    ReadEnd broken(const JsonReading& reading);
    std::string lack(const JsonReading& reading) const;
    bool is_newest_setting(std::string_view id);
    ReadReport keep(const Report& report, bool recording);
    std::string_view kept_clean(std::string_view text, bool recording);
    void keep_settings(const Report& report, std::string_view time, bool recording);
    std::vector<FleetIndex> keep_findings(const Report& report, bool recording);
    std::vector<FleetIndex> keep_facts(const FactSheet& sheet, bool recording);

    FleetPools& pools_;
    IdFilter& filter_;
    const std::string today_;
    TextCleaner cleaner_;
    Report read_;  // one after another, so that its texts keep their memory
    ReadReport out_;
    bool is_report_ = false;
    bool is_of_rocenv_ = false;
    std::size_t size_ = 0;
    std::string fault_;
    std::set<std::string> strange_words_;
};

}  // namespace rocenv
