// SPDX-License-Identifier: MIT
// Reads reports of many nodes from files, folders and streams into the pools of a fleet.
// fleet/read/precedence.h selects the report that counts for a node. Other input is reported by
// file and line and never stops the rest.
//
// A file holds any number of reports, one after another or in a list, indented or one per line.
// Text in front of a report on its line ("gpu001: ") is skipped. Input that is cut off, garbled or
// foreign is one problem, and reading continues with the next report. A file that ends in ".tree"
// is a recording, judged by `judge`.
//
// Memory: one piece of the input of at most `most_fleet_report`, one that is read next to it, and
// the kept data. Kept are some 150 bytes for each node, 4 bytes for each finding and fact of each
// distinct report, and each distinct text once.
#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "fleet/fleet.h"
#include "fleet/read/pools.h"
#include "fleet/read/precedence.h"
#include "fleet/read/report_reader.h"
#include "fleet/read/report_stream.h"
#include "rocenv/result.h"
#include "util/utc_time.h"

namespace rocenv {

inline constexpr std::size_t most_fleet_nodes = 500000;
inline constexpr std::size_t most_fleet_kept = std::size_t{1} << 30;  // bytes of kept data
inline constexpr std::size_t most_fleet_problems = 10000;             // problems that are kept

// A recording, judged as a report.
struct JudgedRecording {
    Report report;
    std::string remark;    // about the file; empty: none
    bool is_whole = true;  // false: its end is missing
};
// Judges a recording with the given node name. Fails if the file cannot be read or judged.
using JudgeRecording =
    std::function<Result<JudgedRecording>(const std::string& file, const std::string& node)>;

// Time limit for the first bytes of all named pipes together.
inline constexpr std::chrono::milliseconds most_pipe_wait{20000};

// Input that is not counted, up to most_fleet_problems entries.
class Problems {
   public:
    // Adds a problem, or counts it in `more` if `all` is full. Line 0: the whole file.
    void add(FleetProblem::Kind kind, const std::string& file, std::uint64_t line,
             const std::string& text);
    std::vector<FleetProblem> all;
    std::size_t more = 0;           // problems that were not kept
    std::size_t unread_inputs = 0;  // unreadable, broken and foreign ones
};

// Reads all inputs of one sweep.
class Gatherer {
   public:
    // `now` is in seconds since 1970. std::nullopt: no report counts as ahead of the clock. Keeps
    // references to the first three arguments.
    Gatherer(FleetPools& pools, IdFilter& filter, Problems& problems, JudgeRecording judge,
             std::optional<std::int64_t> now = std::nullopt)
        : pools_(pools),
          today_(now ? date_of_seconds(*now) : ""),
          reader_(pools, filter, today_),
          problems_(problems),
          judge_(std::move(judge)),
          now_(now) {}

    // Reads a file, the reports and recordings below a folder (by the ends of their names), or "-"
    // (standard input) into a sweep. Errors are added to the problems. Reading ends if the sweep
    // has most_fleet_nodes nodes or the pools exceed most_fleet_kept.
    void take(const std::string& path, Sweep& into);
    // Reads the reports of a stream. `file` names the stream in problems. Only the first 20 foreign
    // parts are problems of their own.
    void take_stream(const std::string& file, const ReadPiece& read, Sweep& into);
    std::size_t recordings() const { return recordings_; }  // recordings that were read

   private:
    void take_folder(const std::string& folder, Sweep& into);
    void take_file(const std::string& path, bool of_folder, Sweep& into);
    void take_recording(const std::string& path, Sweep& into);
    void add(const ReadReport& report, const std::string& file, std::uint64_t line, Sweep& into);
    void add_left_out(const std::string& folder, const std::vector<std::string>& paths);
    void name_strange_words(const std::string& file, std::uint64_t line);
    Sweep::Node node_of(const ReadReport& report, const std::string& file, std::uint64_t line);
    bool is_full(const Sweep& sweep, const std::string& file, std::uint64_t line);

    FleetPools& pools_;
    const std::string today_;  // a date; empty: unknown
    ReportReader reader_;
    Problems& problems_;
    JudgeRecording judge_;
    std::optional<std::int64_t> now_;
    std::chrono::milliseconds pipe_wait_ = most_pipe_wait;  // remaining time
    std::size_t recordings_ = 0;
    std::set<std::string> strange_words_;  // words that were reported
};

}  // namespace rocenv
