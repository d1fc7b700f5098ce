// SPDX-License-Identifier: MIT
// PyTorch TunableOp's result files: their contents, whether PyTorch would accept them on this node,
// and the merge of several. PyTorch reads the files once and without messages. Results that it
// rejects are tuned again or run untuned.
//
// The rules of PyTorch (aten/src/ATen/cuda/tunable/Tunable.cpp, releases 2.3 to 2.10, read
// 2026-11):
//  - a line is split at commas; "Validator,NAME,VALUE" may stand anywhere, and the last of a name
//    counts;
//  - every other line of three or more columns is operator, parameters, solution and the time in
//    milliseconds; of equal operators and parameters the first counts; other lines are skipped;
//  - the file counts only if the names of its validators are exactly those of the running PyTorch
//    and each value is equal as text; a carriage return is part of the value;
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

// Kind of a file.
enum class TunableKind {
    results,    // validators or results are in it
    untuned,    // operators to tune, written by PYTORCH_TUNABLEOP_RECORD_UNTUNED
    empty,      // line ends only
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

// One line of a file. The views refer to the file's text.
struct TunableResult {
    std::string_view op;         // "GemmTunableOp_float_NN"
    std::string_view params;     // "nn_64_64_1536_ld_64_1536_64"
    std::string_view solution;   // "Gemm_Hipblaslt_410392"; empty in an untuned file
    std::string_view rest;       // ",TIME" and further columns as written
    std::optional<double> time;  // milliseconds; may be infinite
    std::size_t line = 0;
};

// A property of the software that a file was tuned with.
struct TunableValidator {
    std::string name;
    std::string value;
};

// The contents of one file.
struct TunableFile {
    std::string path;
    TunableKind kind = TunableKind::foreign;
    std::shared_ptr<const std::string> text;
    std::vector<TunableValidator> validators;  // in the order of their first lines
    std::vector<TunableResult> results;        // in the order of their lines
    std::vector<TunableResult> untuned;        // lines of an untuned file
    std::vector<std::size_t> damaged;          // invalid lines, at most 100 of them
    std::size_t damaged_count = 0;
    std::size_t contradicted = 0;  // validators with two different values
    bool crlf = false;             // a line ends in CR LF
    bool cut = false;              // the last line has no end and is not in `results`
};

// Parses a text. Never fails: `kind` describes the text, and skipped lines are counted.
TunableFile parse_tunable(std::string path, std::string text);

constexpr std::uint64_t most_tunable_bytes = std::uint64_t{8} << 20;

// Reads a file in pieces. `budget` is the number of bytes left for all files of a command and
// decreases; a line costs at least 48 bytes. Fails with garbled if the file is larger, or with the
// kind of a read error.
Result<TunableFile> read_tunable(const Fs& fs, const std::string& path, std::uint64_t& budget);

// Repeated operators and parameters, in one file or in several.
struct TunableRepeats {
    std::size_t equal = 0;      // with the same solution
    std::size_t different = 0;  // with another one, so that only one counts
    std::string example;        // the first different one, in words
};
// Returns how many results repeat an earlier one of the same file.
TunableRepeats repeats_in(const TunableFile& file);
// Returns how many results repeat one of an earlier file. Repeats within a file do not count.
TunableRepeats repeats_across(const std::vector<TunableFile>& files);

// One validator, in the file and on this node.
struct TunableRow {
    std::string name;
    std::optional<std::string> file;  // std::nullopt: not in the file
    std::optional<std::string> here;  // std::nullopt: unknown
    Outcome outcome = Outcome::unknown;
    std::string detail;  // reason if it differs or is unknown; source of the node's value
};

// The judgement of one file on this node.
struct TunableJudgement {
    std::string path;
    TunableKind kind = TunableKind::unreadable;
    Outcome outcome = Outcome::unknown;  // ok, differs or unknown
    std::string sentence;                // the verdict and its reasons, no full stop
    std::vector<TunableRow> rows;
    std::vector<std::string> faults;  // faults of the file itself
    std::size_t results = 0;
    TunableRepeats repeats;
};

struct TunableStack;

// Judge of many files, which reads the node once.
class TunableJudge {
   public:
    // Reads the versions and the GPUs of the node.
    TunableJudge(const Versions& versions, const Machine& machine, const Process& process);
    ~TunableJudge();
    TunableJudge(const TunableJudge&) = delete;
    TunableJudge& operator=(const TunableJudge&) = delete;

    // Returns the judgement of a file that was read; a kind other than `results` differs.
    TunableJudgement judge(const TunableFile& file) const;

   private:
    std::unique_ptr<const TunableStack> stack_;
};

// Returns the judgement of a file that could not be read: unknown, with the error as its sentence.
TunableJudgement unreadable_tunable(const std::string& path, const Error& error);

// Returns the name of a GPU's file as PyTorch makes it. The number replaces the first %d, else
// precedes the last dot, else is appended. (%d is not replaced in
// PYTORCH_TUNABLEOP_UNTUNED_FILENAME.)
std::string tunable_file_name(const std::string& name, std::size_t ordinal);

// Files of one folder that differ only in the number of the GPU.
struct TunableSet {
    std::string name;  // with %d
    std::size_t files = 0;
    std::vector<std::uint32_t> missing;  // numbers between 0 and the highest
    std::vector<std::string> disagree;   // validators that are not equal in all files
    Outcome outcome = Outcome::ok;       // differs if any file is missing or disagrees
    std::string sentence;
};
// Returns the result files by name without the number of a GPU: the files of one job. Sorted by
// name; a file without a number, or alone with its name, is left out.
std::vector<TunableSet> tunable_sets(const std::vector<TunableFile>& files);

// Returns judgements of the files that this process' PyTorch would read:
// PYTORCH_TUNABLEOP_FILENAME, otherwise tunableop_results.csv in the working folder, with one file
// for each GPU. `fs` holds the files; relative names stay relative. There is one judgement for each
// file up to the highest number that exists; a missing file differs. Without any file there is one
// judgement, about the first GPU's, with kind `empty` if that file is missing or the variable is
// empty. The switch of TunableOp itself is not checked.
std::vector<TunableJudgement> judge_tunable_results(const Process& process, const Fs& fs,
                                                    const Versions& versions,
                                                    const Machine& machine);

// The merged file.
struct TunableMerge {
    std::string text;
    std::size_t results = 0;
    TunableRepeats repeats;
    std::size_t left_out = 0;  // damaged and cut lines
};

// Merges files. The fastest result of equal operators and parameters is kept, of equally fast ones
// the first; a result without a time only if all have none. The output is sorted. Fails with
// bad_input if a file is not a result file or has no validators, if the validators differ, or if no
// file has a result. `files` must not be empty.
Result<TunableMerge> merge_tunable(const std::vector<TunableFile>& files);

// Counts of one operator.
struct TunableOperator {
    std::string name;
    std::size_t results = 0;
    std::size_t hipblaslt = 0, rocblas = 0, fallback = 0, other = 0;  // by solution
    std::optional<double> fastest, slowest;                           // milliseconds
};

// Summary of one file.
struct TunableSummary {
    std::vector<TunableOperator> operators;  // sorted by name
    std::optional<TunableResult> fastest, slowest;
};
// Returns the counts of results and untuned lines, and the fastest and slowest result of one file;
// std::nullopt if no result has a time.
TunableSummary summary_of(const TunableFile& file);

// The result of tunableop check.
struct TunableCheck {
    std::vector<TunableJudgement> files;
    std::vector<TunableSet> sets;
    TunableRepeats across;
    int exit_code = 0;
};
// Returns the result of tunableop check for people.
std::string render_tunable_check_human(const TunableCheck& check, Detail detail, Screen screen);
// Returns rocenv.tunableop-check/1.
std::string render_tunable_check_json(const TunableCheck& check);
// Returns the results of files for people.
std::string render_tunable_show_human(const std::vector<TunableFile>& files, Detail detail,
                                      Screen screen);
// Returns rocenv.tunableop-show/1.
std::string render_tunable_show_json(const std::vector<TunableFile>& files);
// Returns the JSON Schema of rocenv.tunableop-check/1.
std::string tunable_check_schema();
// Returns the JSON Schema of rocenv.tunableop-show/1.
std::string tunable_show_schema();

}  // namespace rocenv
