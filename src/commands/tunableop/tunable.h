// SPDX-License-Identifier: MIT
// PyTorch TunableOp's result files: what they hold, whether PyTorch would take them on this node,
// and one out of many. PyTorch reads them once and silently; what it refuses, it tunes again or
// runs untuned.
//
// What PyTorch does (aten/src/ATen/cuda/tunable/Tunable.cpp, releases 2.3 to 2.10, read 2026-11):
//  - a line is split at commas; "Validator,NAME,VALUE" comes before anything else in meaning only:
//    it may stand anywhere, the last of a name counts;
//  - every other line of three or more columns is operator, parameters, solution and the time in
//    milliseconds; of equal operators and parameters the first counts; other lines are skipped;
//  - the file counts only when the names of its validators are exactly those of the running
//    PyTorch and each value is equal as text; a carriage return is part of the value;
//  - a solution that does not exist is an error in the program, at its first use.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "print/style.h"
#include "rocenv/process.h"
#include "rocenv/setting.h"
#include "rocenv/words.h"
#include "variables/releases/versions.h"

namespace rocenv {

// The id of findings about result files; the target is the file.
inline const std::string tunable_results_id = "tunableop.results";

enum class TunableKind {
    results,    // validators or results are in it
    untuned,    // written by PYTORCH_TUNABLEOP_RECORD_UNTUNED: what is to be tuned
    empty,      // nothing but line ends
    hipblaslt,  // a tuning file of hipBLASLt itself
    foreign,    // anything else
    unreadable,
};
template <>
struct EnumWords<TunableKind> {
    static constexpr EnumWord<TunableKind> all[] = {
        {TunableKind::results, "results"}, {TunableKind::untuned, "untuned"},
        {TunableKind::empty, "empty"},     {TunableKind::hipblaslt, "hipblaslt"},
        {TunableKind::foreign, "foreign"}, {TunableKind::unreadable, "unreadable"},
    };
};

// One line. The views lead into the file's text.
struct TunableResult {
    std::string_view op;         // "GemmTunableOp_float_NN"
    std::string_view params;     // "nn_64_64_1536_ld_64_1536_64"
    std::string_view solution;   // "Gemm_Hipblaslt_410392"; empty in an untuned file
    std::string_view rest;       // ",TIME" and further columns as they are written
    std::optional<double> time;  // milliseconds; may be infinite
    std::size_t line = 0;
};

struct TunableValidator {
    std::string name;
    std::string value;
};

struct TunableFile {
    std::string path;
    TunableKind kind = TunableKind::foreign;
    std::shared_ptr<const std::string> text;
    std::vector<TunableValidator> validators;  // in the order of their first lines
    std::vector<TunableResult> results;        // in the order of their lines
    std::vector<TunableResult> untuned;        // of an untuned file
    std::vector<std::size_t> damaged;          // lines that are neither, at most 100 of them
    std::size_t damaged_count = 0;
    std::size_t contradicted = 0;  // validators that stand there twice with two values
    bool crlf = false;             // a line ends in CR LF
    bool cut = false;              // the last line has no end; it is not among the results
};

// Never fails: what the text is stands in `kind`, what was skipped is counted.
TunableFile parse_tunable(std::string path, std::string text);

constexpr std::uint64_t most_tunable_bytes = std::uint64_t{8} << 20;

// Reads in pieces. `budget` is what may still be read, for all files of a command; it shrinks.
// Fails with garbled when the file is larger.
Result<TunableFile> read_tunable(const Fs& fs, const std::string& path, std::uint64_t& budget);

// The same operator and parameters again, in one file or in several.
struct TunableRepeats {
    std::size_t equal = 0;      // with the same solution
    std::size_t different = 0;  // with another one: only one of them counts
    std::string example;        // the first of those, in words
};
// Returns how many results repeat an earlier one of the same file, of all files.
TunableRepeats repeats_in(const TunableFile& file);
TunableRepeats repeats_across(const std::vector<TunableFile>& files);

// One validator, in the file and here.
struct TunableRow {
    std::string name;
    std::optional<std::string> file;  // nothing: not in the file
    std::optional<std::string> here;  // nothing: not known
    Outcome outcome = Outcome::unknown;
    std::string detail;  // why it differs or is unknown; where the value here is from
};

struct TunableJudgement {
    std::string path;
    TunableKind kind = TunableKind::unreadable;
    Outcome outcome = Outcome::unknown;  // ok, differs or unknown
    std::string sentence;                // the verdict and its reasons, no full stop
    std::vector<TunableRow> rows;
    std::vector<std::string> faults;  // of the file itself
    std::size_t results = 0;
    TunableRepeats repeats;
};

struct TunableStack;

// Knows the node once and judges many files.
class TunableJudge {
   public:
    TunableJudge(const Versions& versions, const Machine& machine, const Process& process);
    ~TunableJudge();
    TunableJudge(const TunableJudge&) = delete;
    TunableJudge& operator=(const TunableJudge&) = delete;

    TunableJudgement judge(const TunableFile& file) const;

   private:
    std::unique_ptr<const TunableStack> stack_;
};

// Of a file that could not be read.
TunableJudgement unreadable_tunable(const std::string& path, const Error& error);

// Where PyTorch puts the number of a GPU: in place of the first %d, else before the last dot, else
// at the end. (Of PYTORCH_TUNABLEOP_UNTUNED_FILENAME %d is not replaced.)
std::string tunable_file_name(const std::string& name, std::size_t ordinal);

// Files of one folder that differ in the number of the GPU only.
struct TunableSet {
    std::string name;  // with %d
    std::size_t files = 0;
    std::vector<std::uint32_t> missing;  // numbers between 0 and the highest
    std::vector<std::string> disagree;   // validators that are not equal in all of them
    Outcome outcome = Outcome::ok;       // differs when any is missing or disagrees
    std::string sentence;
};
// Returns the files by name, without the number of a rank: those that one job wrote.
std::vector<TunableSet> tunable_sets(const std::vector<TunableFile>& files);

// What this process' PyTorch would read: PYTORCH_TUNABLEOP_FILENAME, else tunableop_results.csv in
// the working folder, one file for each GPU here. `fs` holds the files, relative names as they are.
// One judgement for each file up to the highest number there is; a missing one differs. Without any
// file one judgement, about the first GPU's; its kind is empty when it is not there. Never asks
// whether TunableOp is switched on.
std::vector<TunableJudgement> judge_tunable_results(const Process& process, const Fs& fs,
                                                    const Versions& versions,
                                                    const Machine& machine);

struct TunableMerge {
    std::string text;
    std::size_t results = 0;
    TunableRepeats repeats;
    std::size_t left_out = 0;  // damaged lines and cut ones
};

// Of equal operators and parameters the fastest, of equally fast ones the first; one without a time
// only where none has a time. Sorted. Fails with bad_input when the validators differ or a file
// holds none or no results.
Result<TunableMerge> merge_tunable(const std::vector<TunableFile>& files);

// Of one operator.
struct TunableOperator {
    std::string name;
    std::size_t results = 0;
    std::size_t hipblaslt = 0, rocblas = 0, fallback = 0, other = 0;  // by solution
    std::optional<double> fastest, slowest;                           // milliseconds
};

struct TunableSummary {
    std::vector<TunableOperator> operators;  // sorted by name
    std::optional<TunableResult> fastest, slowest;
};
// Returns counts and the slowest result of one file.
TunableSummary summary_of(const TunableFile& file);

struct TunableCheck {
    std::vector<TunableJudgement> files;
    std::vector<TunableSet> sets;
    TunableRepeats across;
    int exit_code = 0;
};
// The two reports for people and as JSON (rocenv.tunableop-check/1, rocenv.tunableop-show/1), and
// the JSON Schemas.
std::string render_tunable_check_human(const TunableCheck& check, Detail detail, Screen screen);
std::string render_tunable_check_json(const TunableCheck& check);
std::string render_tunable_show_human(const std::vector<TunableFile>& files, Detail detail,
                                      Screen screen);
std::string render_tunable_show_json(const std::vector<TunableFile>& files);
std::string tunable_check_schema();
std::string tunable_show_schema();

}  // namespace rocenv
