// SPDX-License-Identifier: MIT
// Reads reports of rocenv check (json or jsonl, of any version of this program) from the start of a
// text into the pools of a fleet. A finding with a level, outcome or reason that only another
// version has counts as unknown. An unknown level counts as required.
#pragma once

#include <set>
#include <string>
#include <string_view>

#include "fleet/read/pools.h"
#include "fleet/read/text_cleaner.h"
#include "rocenv/report.h"

namespace rocenv {

struct JsonReading;  // json/in.h

// Result of reading one report.
enum class ReadEnd {
    whole,
    ran_out,  // the text ended before the report did
    broken,   // garbled report
    foreign,  // JSON or similar text, but not a report of rocenv check
};

// Reader of one report after another.
class ReportReader {
   public:
    // `today` is a date (2026-11-22). If empty, waivers end by the time of their report alone.
    ReportReader(FleetPools& pools, IdFilter& filter, std::string today = "")
        : pools_(pools), filter_(filter), today_(std::move(today)), cleaner_(pools) {}

    // Reads the report at the start of `text`, which begins with '{', and adds it to the pools if
    // it is whole. Its texts are cleaned, and findings and facts that the filter rejects are left
    // out.
    ReadEnd read(std::string_view text);
    // Adds a report that this command judged, without cleaning its texts. Returns the same as
    // report() after reading its JSON.
    ReadReport take(const Report& recording);

    const ReadReport& report() const { return out_; }  // valid after ReadEnd::whole
    std::size_t size() const { return size_; }         // bytes that were read, also after a failure
    // Returns the fault after `broken` or `foreign`, as a sentence without subject: "is garbled".
    const std::string& fault() const { return fault_; }
    // Returns words in the report that only another version has, as "level vital". Each counts as
    // unknown.
    const std::set<std::string>& strange_words() const { return strange_words_; }
    // Returns whether the part that was read identifies itself as a report.
    bool is_report() const { return is_report_; }
    // Returns whether the text is JSON of this program, but not a report of check in a known
    // schema.
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
    Report read_;  // reused, so that its texts keep their memory
    ReadReport out_;
    bool is_report_ = false;
    bool is_of_rocenv_ = false;
    std::size_t size_ = 0;
    std::string fault_;
    std::set<std::string> strange_words_;
};

}  // namespace rocenv
