// SPDX-License-Identifier: MIT
// One report after another from a text that is read piece by piece, whatever stands between them.
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

// Adds up to `most` bytes to `into`; 0: the text ended.
using ReadPiece = std::function<Result<std::size_t>(std::string& into, std::size_t most)>;

class ReportStream {
   public:
    // `reader` has each report when it was told.
    ReportStream(const ReadPiece& read, ReportReader& reader) : read_(read), reader_(reader) {}

    enum class What { report, problem, end };
    struct Next {
        What what = What::end;
        std::uint64_t line = 0;  // where it begins
        FleetProblem::Kind kind = FleetProblem::Kind::remark;
        std::string text;
    };
    // Text that is no report is one problem up to the next report, but for JSON of another schema
    // or command of this program, which is one each. After most_fleet_foreign nothing more is read.
    Next next();

    std::uint64_t line() const { return line_; }    // of what comes next
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
        std::size_t size = 0;    // of what was passed over
        bool lines = false;      // it has a line end
        bool to_report = false;  // a report begins where it ends
        char last = '\0';        // its last byte
    };
    Skipped skip_to_start(std::size_t from);
    void give_up();

    const ReadPiece& read_;
    ReportReader& reader_;
    std::string text_;
    std::size_t at_ = 0;
    std::uint64_t line_ = 1;
    std::uint64_t bytes_ = 0;
    bool ended_ = false;
    bool in_foreign_ = false;
    std::size_t foreign_ = 0;  // bytes since the last report
    std::optional<Error> error_;
};

}  // namespace rocenv
