// SPDX-License-Identifier: MIT
// Reports of many nodes, from files, folders and streams, into the pools of a fleet: of each node
// the newest. Input that is none is named by file and line and never stops the rest.
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
#include <string>
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

// A recording as a report; its node has the given name.
using JudgeRecording =
    std::function<Result<Report>(const std::string& file, const std::string& node)>;

// The reports of one time: of each node the newest.
struct Sweep {
    struct Node {
        std::string_view time;
        std::string_view boot_id;
        std::string_view file;
        std::uint64_t line = 0;
        FleetIndex report = 0;
    };
    std::map<std::string_view, Node> nodes;
    std::size_t reports_read = 0;
    std::size_t superseded = 0;
    std::uint64_t bytes = 0;
};

class Problems {
   public:
    void add(FleetProblem::Kind kind, const std::string& file, std::uint64_t line,
             const std::string& text);
    std::vector<FleetProblem> all;
    std::size_t more = 0;
    bool unread = false;  // one of them may have hidden a node
};

class Gatherer {
   public:
    Gatherer(FleetPools& pools, IdFilter& filter, Problems& problems, JudgeRecording judge)
        : pools_(pools),
          reader_(pools, filter),
          filter_(filter),
          problems_(problems),
          judge_(std::move(judge)) {}

    // A file, a folder, or "-".
    void take(const std::string& path, Sweep& into);
    void take_stream(const std::string& file, const ReadPiece& read, Sweep& into);

   private:
    void take_folder(const std::string& folder, Sweep& into);
    void take_file(const std::string& path, bool of_folder, Sweep& into);
    void take_recording(const std::string& path, Sweep& into);
    void add(const ReadReport& report, const std::string& file, std::uint64_t line, Sweep& into);
    bool is_full(const Sweep& sweep, const std::string& file, std::uint64_t line);

    FleetPools& pools_;
    ReportReader reader_;
    IdFilter& filter_;
    Problems& problems_;
    JudgeRecording judge_;
};

}  // namespace rocenv
