// SPDX-License-Identifier: MIT
// Reports of many nodes, from files, folders and streams, into the pools of a fleet: of each node
// the newest. Input that is none is named by file and line and never stops the rest.
//
// A report of check --only, --skip or --scope process takes the place of a whole one only where all
// that this fleet is asked for is in it. (--scope node is whole: a fleet is about nodes.) One from
// the future does not beat one that is not. Of two of one time the worse counts, whatever the
// order.
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

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "fleet/fleet.h"
#include "fleet/pools.h"
#include "fleet/report_reader.h"
#include "fleet/report_stream.h"
#include "rocenv/result.h"

namespace rocenv {

inline constexpr std::size_t most_fleet_nodes = 500000;
inline constexpr std::size_t most_fleet_kept = std::size_t{1} << 30;  // bytes of what is kept
inline constexpr std::size_t most_fleet_problems = 10000;             // that are kept
inline constexpr std::int64_t most_fleet_ahead = 300;  // seconds that clocks may differ

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
    // Reports that are newer than the whole one that counts.
    struct Partial {
        std::size_t reports = 0;
        std::string first;  // where it stands
    };
    std::map<std::string_view, Node> nodes;
    std::map<std::string_view, std::map<std::string_view, Boot>> boots;  // of nodes with several
    std::map<std::string, Partial> partial;  // by what they were asked for, "--only gpu.*"
    std::size_t reports_read = 0;
    std::size_t superseded = 0;
    std::uint64_t bytes = 0;
};

// "--only gpu.* --scope node": what a report's check was asked for beside its profile.
std::string asked_for(const FleetReport& report);

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
          reader_(pools, filter),
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
    bool is_better(const Sweep::Node& node, const Sweep::Node& known) const;
    bool is_whole(const FleetReport& report);
    bool is_full(const Sweep& sweep, const std::string& file, std::uint64_t line);

    FleetPools& pools_;
    ReportReader reader_;
    IdFilter& filter_;
    Problems& problems_;
    JudgeRecording judge_;
    std::optional<std::int64_t> now_;
    std::size_t recordings_ = 0;
    std::set<std::string> strange_words_;                                      // that were named
    std::map<std::tuple<const char*, const char*, const char*>, bool> whole_;  // by what was asked
};

}  // namespace rocenv
