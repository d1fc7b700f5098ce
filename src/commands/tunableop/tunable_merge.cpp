// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <span>
#include <tuple>

#include "commands/tunableop/tunable.h"
#include "util/text.h"

namespace rocenv {

namespace {

// A result and the file that it is in.
struct ResultInFile {
    const TunableResult* result = nullptr;
    std::size_t file = 0;  // its position
};

using Values = std::map<std::string, std::string>;

Values values_of(const TunableFile& file) {
    Values out;
    for (const auto& validator : file.validators) {
        out[validator.name] = validator.value;
    }
    return out;
}

std::string shown(const Values& values, const std::string& name) {
    const auto found = values.find(name);
    return found == values.end() ? "none" : printable(found->second, 80);
}

// "PT_VERSION 2.7.1 and 2.9.1, …"; empty when they are equal.
std::string difference(const Values& left, const Values& right) {
    std::vector<std::string> parts;
    Values all = left;
    all.insert(right.begin(), right.end());
    for (const auto& [name, value] : all) {
        const std::string a = shown(left, name);
        const std::string b = shown(right, name);
        if (a != b) {
            parts.push_back(printable(name, 40) + " " + a + " and " + b);
        }
    }
    return join(parts, ", ");
}

std::optional<Error> unfit(const std::vector<TunableFile>& files) {
    for (const auto& file : files) {
        const bool usable = file.kind == TunableKind::results && !file.validators.empty();
        if (!usable) {
            return Error{ErrorKind::bad_input, 0, file.path,
                         printable(file.path) + (file.kind == TunableKind::results
                                                     ? ": has no Validator lines"
                                                     : ": not a TunableOp result file (" +
                                                           std::string(word_of(file.kind)) + ")")};
        }
        const std::string differs = difference(values_of(files.front()), values_of(file));
        if (!differs.empty()) {
            return Error{ErrorKind::bad_input, 0, file.path,
                         printable(files.front().path) + " and " + printable(file.path) +
                             " were made by different stacks: " + differs};
        }
    }
    return std::nullopt;
}

const TunableResult& best_of(std::span<const ResultInFile> same) {
    const TunableResult* best = same.front().result;
    for (const auto& each : same.subspan(1)) {
        const auto& time = each.result->time;
        if (time && (!best->time || *time < *best->time)) {
            best = each.result;
        }
    }
    return *best;
}

std::vector<const TunableFile*> pointers_to(const std::vector<TunableFile>& files) {
    std::vector<const TunableFile*> all(files.size());
    std::transform(files.begin(), files.end(), all.begin(),
                   [](const TunableFile& file) { return &file; });
    return all;
}

void count_solution(TunableOperator& op, std::string_view solution) {
    if (solution.starts_with("Gemm_Hipblaslt_")) {
        ++op.hipblaslt;
    } else if (solution.starts_with("Gemm_Rocblas_")) {
        ++op.rocblas;
    } else if (solution == "Default") {
        ++op.fallback;
    } else if (!solution.empty()) {
        ++op.other;
    }
}

void note_time(TunableOperator& op, TunableSummary& summary, const TunableResult& result) {
    const double time = *result.time;
    op.fastest = std::min(op.fastest.value_or(time), time);
    op.slowest = std::max(op.slowest.value_or(time), time);
    if (!summary.fastest || time < *summary.fastest->time) {
        summary.fastest = result;
    }
    if (!summary.slowest || time > *summary.slowest->time) {
        summary.slowest = result;
    }
}

// Calls `visit` for each operator with its parameters, sorted by both. The results keep the order
// of files and lines.
void for_each_gemm(const std::vector<const TunableFile*>& files,
                   const std::function<void(std::span<const ResultInFile>)>& visit) {
    std::vector<ResultInFile> all;
    for (std::size_t file = 0; file < files.size(); ++file) {
        for (const auto& result : files[file]->results) {
            all.push_back({&result, file});
        }
    }
    const auto key = [](const ResultInFile& each) {
        return std::tie(each.result->op, each.result->params);
    };
    std::stable_sort(all.begin(), all.end(),
                     [&](const ResultInFile& a, const ResultInFile& b) { return key(a) < key(b); });
    for (auto at = all.begin(); at != all.end();) {
        const auto end = std::find_if(
            at, all.end(), [&](const ResultInFile& each) { return key(each) != key(*at); });
        visit({at, end});
        at = end;
    }
}

// Counts all results but the first.
void count_repeats(std::span<const ResultInFile> same, TunableRepeats& repeats) {
    const TunableResult& first = *same.front().result;
    for (const auto& each : same.subspan(1)) {
        if (each.result->solution == first.solution) {
            ++repeats.equal;
            continue;
        }
        if (++repeats.different == 1) {
            repeats.example = printable(first.op, 80) + " " + printable(first.params, 80) + ": " +
                              printable(first.solution, 60) + " and " +
                              printable(each.result->solution, 60);
        }
    }
}

}  // namespace

TunableRepeats repeats_in(const TunableFile& file) {
    TunableRepeats repeats;
    for_each_gemm({&file}, [&](auto same) { count_repeats(same, repeats); });
    return repeats;
}

// Counts repeats between files. Repeats within one file are counted with that file.
TunableRepeats repeats_across(const std::vector<TunableFile>& files) {
    TunableRepeats repeats;
    for_each_gemm(pointers_to(files), [&](std::span<const ResultInFile> same) {
        std::vector<ResultInFile> firsts;
        for (const auto& each : same) {
            if (firsts.empty() || firsts.back().file != each.file) {
                firsts.push_back(each);
            }
        }
        count_repeats(firsts, repeats);
    });
    return repeats;
}

Result<TunableMerge> merge_tunable(const std::vector<TunableFile>& files) {
    if (const auto error = unfit(files)) {
        return *error;
    }
    TunableMerge merge;
    for (const auto& file : files) {
        merge.left_out += file.damaged_count + (file.cut ? 1U : 0U);
    }
    for (const auto& [name, value] : values_of(files.front())) {
        // A last comma has no field behind it, so an empty value needs one more.
        merge.text += "Validator," + name + "," + value + (value.empty() ? ",\n" : "\n");
    }
    for_each_gemm(pointers_to(files), [&](std::span<const ResultInFile> same) {
        count_repeats(same, merge.repeats);
        const TunableResult& best = best_of(same);
        for (const auto part : {best.op, std::string_view(","), best.params, std::string_view(","),
                                best.solution, best.rest, std::string_view("\n")}) {
            merge.text += part;
        }
        ++merge.results;
    });
    if (merge.results == 0) {
        return Error{ErrorKind::bad_input, 0, files.front().path, "there are no results to merge"};
    }
    return merge;
}

TunableSummary summary_of(const TunableFile& file) {
    std::map<std::string_view, TunableOperator> by_name;
    TunableSummary summary;
    for (const auto* results : {&file.results, &file.untuned}) {
        for (const auto& result : *results) {
            TunableOperator& op = by_name[result.op];
            ++op.results;
            count_solution(op, result.solution);
            if (result.time) {
                note_time(op, summary, result);
            }
        }
    }
    for (auto& [name, op] : by_name) {
        op.name = name;
        summary.operators.push_back(std::move(op));
    }
    return summary;
}

}  // namespace rocenv
