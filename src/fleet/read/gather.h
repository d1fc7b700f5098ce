// SPDX-License-Identifier: MIT
// Reports of many nodes, from files, folders and streams, into the pools of a fleet: of each node
// the newest. Input that is none is named by file and line and never stops the rest.
//
// A report of check --only, --skip or --scope process takes the place of a whole one only where all
// that this fleet is asked for is in it. (--scope node is whole: a fleet is about nodes.) One from
// the future does not beat one that is not. Of two of one time the worse counts, whatever the
// order (fleet/read/report_rank.h). What the others say against the one that counts is found when
// all are read (fleet/compare/settle.h).
//
// A file holds any number of reports, one behind another or in a list, indented or one a line; text
// in front of a report on its line ("gpu001: ") is passed over. What is cut off, garbled or foreign
// is one problem, and reading goes on with the next report. A file that ends in ".tree" is a
// recording, judged by `judge`.
//
// Memory: a piece of the input of at most `most_fleet_report` and one read beside it, and what is
// kept: for each node some 150 bytes, for each distinct report 4 bytes a finding and fact, and each
// distinct text once.
#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "fleet/fleet.h"
#include "fleet/read/pools.h"
#include "fleet/read/report_reader.h"
#include "fleet/read/report_stream.h"
#include "fleet/read/report_time.h"
#include "rocenv/result.h"

namespace rocenv {

inline constexpr std::size_t most_fleet_nodes = 500000;
inline constexpr std::size_t most_fleet_kept = std::size_t{1} << 30;  // bytes of what is kept
inline constexpr std::size_t most_fleet_problems = 10000;             // that are kept
inline constexpr std::int64_t most_fleet_ahead = 60;  // seconds that clocks may differ

// A recording as a report whose node has the given name.
struct JudgedRecording {
    Report report;
    std::string remark;  // about the file; empty: none
};
using JudgeRecording =
    std::function<Result<JudgedRecording>(const std::string& file, const std::string& node)>;

// The reports of one time: of each node the newest.
struct Sweep {
    struct Node {
        std::string_view time;
        std::string_view boot_id;
        std::string_view file;
        std::uint64_t line = 0;
        FleetIndex report = 0;
        bool whole = true;    // all that is asked for is in it
        bool future = false;  // its time is still to come
    };
    // When the first and the last report of one boot were made.
    struct Boot {
        std::string_view first;
        std::string_view last;
    };
    // Of two reports of one kind the better says all that counts.
    struct Kind {
        bool future = false;
        bool container = false;
        std::string_view only;
        std::string_view skip;
        std::string_view scope;
        std::string_view digest;
        std::string machine;

        auto members() const {
            return std::tie(future, container, only, skip, scope, digest, machine);
        }
        bool operator<(const Kind& other) const { return members() < other.members(); }
        bool operator==(const Kind& other) const { return members() == other.members(); }
    };
    std::map<std::string_view, Node> nodes;
    // Of nodes with several reports:
    std::map<std::string_view, std::map<std::string_view, Boot>> boots;
    std::map<std::string_view, std::map<Kind, Node>> kinds;  // the best of each kind
    std::size_t reports_read = 0;
    std::size_t superseded = 0;
    std::uint64_t bytes = 0;
};

// "--only gpu.* --scope node": what a report's check was asked for beside its profile.
std::string asked_for(const FleetReport& report);

// What part of a check a report is that is no whole one: "of check --only gpu.*".
std::string part_words(const FleetReport& report);

// For writers of all named pipes together to bring their first byte.
inline constexpr std::chrono::milliseconds most_pipe_wait{20000};

class Problems {
   public:
    void add(FleetProblem::Kind kind, const std::string& file, std::uint64_t line,
             const std::string& text);
    std::vector<FleetProblem> all;
    std::size_t more = 0;
    std::size_t unread_inputs = 0;
};

class Gatherer {
   public:
    // `now` in seconds since 1970; nothing: no report is from the future.
    Gatherer(FleetPools& pools, IdFilter& filter, Problems& problems, JudgeRecording judge,
             std::optional<std::int64_t> now = std::nullopt)
        : pools_(pools),
          today_(now ? date_of_seconds(*now) : ""),
          reader_(pools, filter, today_),
          filter_(filter),
          problems_(problems),
          judge_(std::move(judge)),
          now_(now) {}

    // A file, a folder, or "-".
    void take(const std::string& path, Sweep& into);
    void take_stream(const std::string& file, const ReadPiece& read, Sweep& into);
    std::size_t recordings() const { return recordings_; }  // that were taken

   private:
    void take_folder(const std::string& folder, Sweep& into);
    void take_file(const std::string& path, bool of_folder, Sweep& into);
    void take_recording(const std::string& path, Sweep& into);
    void add(const ReadReport& report, const std::string& file, std::uint64_t line, Sweep& into);
    void add_left_out(const std::string& folder, const std::vector<std::string>& paths);
    void name_strange_words(const std::string& file, std::uint64_t line);
    Sweep::Node node_of(const ReadReport& report, const std::string& file, std::uint64_t line);
    void name_twin(std::string_view name, const Sweep::Node& known, const Sweep::Node& node);
    void add_kind(std::string_view name, const Sweep::Node& node, Sweep& into);
    bool is_whole(const FleetReport& report);
    bool is_full(const Sweep& sweep, const std::string& file, std::uint64_t line);

    FleetPools& pools_;
    const std::string today_;  // a date; empty: not told
    ReportReader reader_;
    IdFilter& filter_;
    Problems& problems_;
    JudgeRecording judge_;
    std::optional<std::int64_t> now_;
    std::chrono::milliseconds pipe_wait_ = most_pipe_wait;  // what is left of it
    std::size_t recordings_ = 0;
    std::set<std::string> strange_words_;                                      // that were named
    std::map<std::tuple<const char*, const char*, const char*>, bool> whole_;  // by what was asked
};

}  // namespace rocenv
