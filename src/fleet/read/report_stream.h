// SPDX-License-Identifier: MIT
// Reads one report after another from a text that arrives in pieces, with any text between them.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "fleet/fleet.h"
#include "fleet/read/report_reader.h"
#include "rocenv/result.h"

namespace rocenv {

inline constexpr std::size_t most_fleet_report = std::size_t{2} << 20;   // bytes of one report
inline constexpr std::size_t most_fleet_foreign = std::size_t{1} << 30;  // between two reports

// Adds up to `most` bytes to `into` and returns their number. 0: the text ended. An error ends the
// text, too, and is the last problem.
using ReadPiece = std::function<Result<std::size_t>(std::string& into, std::size_t most)>;

// The reports and problems of one text.
class ReportStream {
   public:
    // `reader` holds each report after next() has returned it. Both must outlive the stream.
    ReportStream(const ReadPiece& read, ReportReader& reader) : read_(read), reader_(reader) {}

    enum class What { report, problem, end };
    // One report or problem.
    struct Next {
        What what = What::end;
        std::uint64_t line = 0;  // line of its first byte
        FleetProblem::Kind kind = FleetProblem::Kind::remark;
        std::string text;  // set for a problem
    };
    // Returns the next report or problem, or the end. Text without a report is one problem up to
    // the next report. JSON of another schema or command of this program is one problem each.
    // A report of more than most_fleet_report bytes is a problem. Reading ends with a problem after
    // most_fleet_foreign bytes without a report.
    Next next();

    std::uint64_t line() const { return line_; }    // line of the next part
    std::uint64_t bytes() const { return bytes_; }  // read so far

   private:
    std::string_view rest() const { return std::string_view(text_).substr(at_); }
    void advance(std::size_t size);
    void fill();
    bool skip_separators();
    std::optional<Next> at_brace();
    std::optional<Next> broken(ReadEnd end);
    std::string node_in_front();
    std::optional<Next> foreign_text();
    struct Skipped {
        std::size_t size = 0;    // bytes that were skipped
        bool lines = false;      // it has a line end
        bool to_report = false;  // a report begins where it ends
        char last = '\0';        // its last byte
    };
    Skipped skip_to_start(std::size_t from);
    void abandon();

    const ReadPiece& read_;
    ReportReader& reader_;
    std::string text_;
    std::size_t at_ = 0;
    std::uint64_t line_ = 1;
    std::uint64_t bytes_ = 0;
    bool ended_ = false;
    bool is_large_ = false;        // the last piece was full
    std::int64_t open_lists_ = 0;  // "[" around reports without their "]" so far
    bool in_foreign_ = false;
    std::size_t foreign_ = 0;  // bytes since the last report
    std::optional<Error> error_;
};

}  // namespace rocenv
