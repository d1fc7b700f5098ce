// SPDX-License-Identifier: MIT
#include "cli/commands.h"

#include <algorithm>

#include "commands/tunableop/tunable.h"
#include "util/credentials.h"
#include "util/exit_status.h"
#include "util/near_names.h"
#include "util/text.h"

namespace rocenv {

namespace {

std::string merged_file(const TunableMerge& merged) {
    return merged.text;
}

constexpr TunableCheckFormat tunable_check_formats[] = {
    {"human", ReadBy::person, render_tunable_check_human},
    {"json", ReadBy::program, render_tunable_check_json},
};

constexpr TunableShowFormat tunable_show_formats[] = {
    {"human", ReadBy::person, render_tunable_show_human},
    {"json", ReadBy::program, render_tunable_show_json},
};

// A result file, which PyTorch reads.
constexpr MergeFormat merge_formats[] = {{"human", ReadBy::program, merged_file}};

bool is_bad_input(const TunableJudgement& file) {
    return file.kind == TunableKind::unreadable || file.kind == TunableKind::foreign ||
           file.kind == TunableKind::hipblaslt;
}

int exit_code_of(const TunableCheck& check) {
    const auto any = [](const auto& all, const auto& test) {
        return std::any_of(all.begin(), all.end(), test);
    };
    const auto differs = [](const auto& each) { return each.outcome == Outcome::differs; };
    const auto unknown = [](const auto& each) { return each.outcome == Outcome::unknown; };
    if (any(check.files, is_bad_input)) {
        return exit_usage;
    }
    if (any(check.files, differs) || any(check.sets, differs)) {
        return exit_differs;
    }
    return any(check.files, unknown) ? exit_unknown : 0;
}

// A file named twice counts once.
std::vector<std::string> each_once(const std::vector<std::string>& named) {
    std::vector<std::string> files;
    for (const auto& file : named) {
        if (std::find(files.begin(), files.end(), file) == files.end()) {
            files.push_back(file);
        }
    }
    return files;
}

TunableCheck check_files(const std::vector<std::string>& paths, const Fs& host,
                         const TunableJudge& judge) {
    TunableCheck check;
    std::vector<TunableFile> files;
    std::uint64_t budget = most_tunable_bytes;
    for (const auto& path : paths) {
        auto file = read_tunable(host, path, budget);
        check.files.push_back(file ? judge.judge(*file) : unreadable_tunable(path, file.error()));
        if (file) {
            files.push_back(*std::move(file));
        }
    }
    for (auto& file : check.files) {
        file.sentence = without_hidden_words(without_credentials(file.sentence), file.path);
        file.path = value_without_credentials(file.path);
    }
    check.sets = tunable_sets(files);
    check.across = repeats_across(files);
    check.exit_code = exit_code_of(check);
    return check;
}

}  // namespace

template <>
std::span<const TunableCheckFormat> formats() {
    return tunable_check_formats;
}

template <>
std::span<const TunableShowFormat> formats() {
    return tunable_show_formats;
}

template <>
std::span<const MergeFormat> formats() {
    return merge_formats;
}

Output run_tunable_check(const TunableCheckOptions& options, const Fs& machine_fs, const Fs& host,
                         const Process& process) {
    const auto assumed = Versions::parse_assumed(options.assume);
    if (!assumed) {
        return failure(exit_usage, assumed.error().text);
    }
    const Machine machine(machine_fs);
    const Versions versions(machine, process, *assumed);
    const TunableJudge judge(versions, machine, process);
    const TunableCheck check = check_files(each_once(options.files), host, judge);
    Output output;
    output.exit_code = check.exit_code;
    output.out = formatted(options.print, check, process);
    for (const auto& file : check.files) {
        if (options.print.quiet && is_bad_input(file)) {
            const bool named = file.kind == TunableKind::unreadable;
            output.err += error_lines({(named ? "" : printable(file.path) + " ") + file.sentence});
        }
    }
    return output;
}

Output run_tunable_show(const TunableShowOptions& options, const Fs& host, const Process& process) {
    Output output;
    std::vector<TunableFile> files;
    std::uint64_t budget = most_tunable_bytes;
    for (const auto& path : each_once(options.files)) {
        auto file = read_tunable(host, path, budget);
        const bool shown =
            file && (file->kind == TunableKind::results || file->kind == TunableKind::untuned);
        if (shown) {
            files.push_back(*std::move(file));
            continue;
        }
        output.exit_code = exit_of_unread(file.is(ErrorKind::timed_out));
        output.err += error_lines({file ? in_quotes(path, 200) + " is not a TunableOp file (" +
                                              std::string(word_of(file->kind)) + ")"
                                        : file.error().text});
    }
    output.out = formatted(options.print, files, process);
    return output;
}

Output run_tunable_merge(const TunableMergeOptions& options, const Fs& host,
                         const Process& process) {
    std::vector<TunableFile> files;
    std::uint64_t budget = most_tunable_bytes;
    for (const auto& path : each_once(options.files)) {
        auto file = read_tunable(host, path, budget);
        if (!file) {
            return failure(exit_of_unread(file.is(ErrorKind::timed_out)), file.error().text);
        }
        files.push_back(*std::move(file));
    }
    auto merged = merge_tunable(files);
    if (!merged) {
        return failure(exit_usage, merged.error().text);
    }
    Output output{0, formatted(options.print, *merged, process), ""};
    const auto& repeats = merged->repeats;
    if (!options.print.quiet) {
        output.err = error_lines(
            {counted(merged->results, "result") + " from " + counted(files.size(), "file") + ", " +
             counted(repeats.equal + repeats.different, "repeated result") + " left out, " +
             number(repeats.different) + " of them with another solution"});
    }
    if (merged->left_out > 0) {
        output.err += error_lines({counted(merged->left_out, "damaged or cut line") + " left out"});
    }
    return output;
}

}  // namespace rocenv
