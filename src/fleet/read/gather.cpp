// SPDX-License-Identifier: MIT
#include "fleet/read/gather.h"

#include <algorithm>

#include "fleet/read/report_stream.h"
#include "os/child/given_files.h"
#include "os/fs/input_files.h"
#include "util/text.h"
#include "util/utc_time.h"

namespace rocenv {

namespace {

constexpr std::string_view tree_end = ".tree";
constexpr std::size_t most_strange_words = 100;  // that are named
constexpr std::size_t most_foreign_named = 20;   // for one file

constexpr std::string_view report_ends[] = {".json", ".jsonl", ".ndjson", tree_end};
constexpr std::string_view packed_ends[] = {".gz", ".xz", ".zst", ".bz2"};

bool is_report_file(std::string_view path) {
    return std::any_of(std::begin(report_ends), std::end(report_ends),
                       [&](std::string_view end) { return path.ends_with(end); });
}

// Returns why a file is probably a report although its name is not that of one. Empty if it is not.
std::string reason_to_read(std::string_view path) {
    const std::string name = lower_case(path);
    if (is_report_file(name)) {
        return "is not read: its name has to end in .json, .jsonl or .tree";
    }
    for (const auto end : packed_ends) {
        if (name.ends_with(end) &&
            is_report_file(std::string_view(name).substr(0, name.size() - end.size()))) {
            return "is not read: it has to be unpacked first";
        }
    }
    return "";
}

std::string base_name(std::string_view path) {
    path.remove_suffix(path.ends_with(tree_end) ? tree_end.size() : 0);
    return std::string(path.substr(path.rfind('/') + 1));
}

}  // namespace

void Problems::add(FleetProblem::Kind kind, const std::string& file, std::uint64_t line,
                   const std::string& text) {
    const bool hides = kind == FleetProblem::Kind::unreadable ||
                       kind == FleetProblem::Kind::broken || kind == FleetProblem::Kind::foreign;
    unread_inputs += hides ? 1U : 0U;
    if (all.size() < most_fleet_problems) {
        all.push_back({kind, file, line, text});
    } else {
        ++more;
    }
}

void Gatherer::take(const std::string& path, Sweep& into) {
    if (path != "-" && path_kind(path) == PathKind::folder) {
        take_folder(path, into);
    } else {
        take_file(path, false, into);
    }
}

void Gatherer::take_folder(const std::string& folder, Sweep& into) {
    const InputFiles found = files_below(folder);
    for (const auto& error : found.errors) {
        problems_.add(FleetProblem::Kind::unreadable, error.path, 0, error.text);
    }
    for (const auto& path : found.special) {
        problems_.add(FleetProblem::Kind::unreadable, path, 0, "is not a regular file");
    }
    std::vector<std::string> others;
    for (const auto& path : found.files) {
        if (is_report_file(path)) {
            take_file(path, true, into);
        } else if (const std::string reason = reason_to_read(path); !reason.empty()) {
            problems_.add(FleetProblem::Kind::unreadable, path, 0, reason);
        } else {
            others.push_back(path);
        }
    }
    if (!others.empty()) {
        add_left_out(folder, others);
    } else if (found.files.empty() && found.errors.empty()) {
        problems_.add(FleetProblem::Kind::unreadable, folder, 0, "holds no file");
    }
}

void Gatherer::add_left_out(const std::string& folder, const std::vector<std::string>& paths) {
    constexpr std::size_t most_named = 10;
    std::vector<std::string> names;
    for (std::size_t at = 0; at < std::min(most_named, paths.size()); ++at) {
        names.push_back(printable(base_name(paths[at]), 60));
    }
    if (paths.size() > most_named) {
        names.push_back(number(paths.size() - most_named) + " more");
    }
    problems_.add(FleetProblem::Kind::remark, folder, 0,
                  "left out " + counted(paths.size(), "file") +
                      " not named .json, .jsonl or .tree (" + join(names, ", ") + ")");
}

void Gatherer::take_file(const std::string& path, bool of_folder, Sweep& into) {
    if (path.ends_with(tree_end)) {
        take_recording(path, into);
        return;
    }
    auto stream = of_folder ? InputStream::open_regular(path) : InputStream::open(path, pipe_wait_);
    if (!stream) {
        problems_.add(FleetProblem::Kind::unreadable, path, 0, stream.error().text);
        return;
    }
    take_stream(
        path == "-" ? "standard input" : path,
        [&](std::string& text, std::size_t most) { return stream.value().read(text, most); }, into);
}

void Gatherer::take_stream(const std::string& file, const ReadPiece& read, Sweep& into) {
    ReportStream stream(read, reader_);
    std::size_t found = 0;
    std::size_t foreign = 0;
    std::uint64_t last_foreign = 0;
    bool named = false;
    while (!is_full(into, file, stream.line())) {
        const auto next = stream.next();
        if (next.what == ReportStream::What::end) {
            break;
        }
        if (next.what == ReportStream::What::report) {
            ++found;
            name_strange_words(file, next.line);
            add(reader_.report(), file, next.line, into);
            continue;
        }
        named = true;
        if (next.kind == FleetProblem::Kind::foreign && ++foreign > most_foreign_named) {
            ++problems_.unread_inputs;
            last_foreign = next.line;
            continue;
        }
        problems_.add(next.kind, file, next.line, next.text);
    }
    if (foreign > most_foreign_named) {
        problems_.add(FleetProblem::Kind::remark, file, last_foreign,
                      number(foreign - most_foreign_named) +
                          " more places that hold no report of rocenv check, up to here");
    }
    into.bytes += stream.bytes();
    if (found == 0 && !named) {
        problems_.add(FleetProblem::Kind::unreadable, file, 0,
                      stream.bytes() == 0 ? "is empty" : "holds no report");
    }
}

void Gatherer::take_recording(const std::string& path, Sweep& into) {
    if (is_full(into, path, 0)) {
        return;
    }
    ++recordings_;
    const auto judged = judge_(path, base_name(path));
    if (!judged) {
        problems_.add(FleetProblem::Kind::unreadable, path, 0, judged.error().text);
        return;
    }
    if (!judged->remark.empty()) {
        problems_.add(judged->is_whole ? FleetProblem::Kind::remark : FleetProblem::Kind::broken,
                      path, 0, judged->remark);
    }
    add(reader_.take(judged->report), path, 0, into);
}

void Gatherer::name_strange_words(const std::string& file, std::uint64_t line) {
    for (const auto& word : reader_.strange_words()) {
        if (strange_words_.size() < most_strange_words && strange_words_.insert(word).second) {
            const bool is_of_report = word.starts_with("scope ");
            problems_.add(
                FleetProblem::Kind::remark, file, line,
                std::string(is_of_report ? "a report" : "a finding") + " says \"" + word +
                    "\", which this version does not know: such " +
                    (is_of_report ? "reports are incomplete" : "findings count as unknown"));
        }
    }
}

bool Gatherer::is_full(const Sweep& sweep, const std::string& file, std::uint64_t line) {
    const bool full = sweep.nodes.size() >= most_fleet_nodes || pools_.bytes() > most_fleet_kept;
    if (full) {
        problems_.add(FleetProblem::Kind::unreadable, file, line,
                      "is not read from here on: more than " + number(most_fleet_nodes) +
                          " nodes, or " + number(most_fleet_kept >> 20) +
                          " MiB of distinct reports");
    }
    return full;
}

Sweep::Node Gatherer::node_of(const ReadReport& report, const std::string& file,
                              std::uint64_t line) {
    Sweep::Node out{report.time, report.boot_id, pools_.keep(file), line, report.report};
    const FleetReport& row = pools_.reports.rows()[report.report];
    out.complete = is_complete(row);
    out.ahead = now_ && utc_seconds(report.time).value_or(0) > *now_ + most_fleet_ahead;
    return out;
}

void Gatherer::add(const ReadReport& report, const std::string& file, std::uint64_t line,
                   Sweep& into) {
    add_report(report.node, node_of(report, file, line), pools_, into);
}

}  // namespace rocenv
