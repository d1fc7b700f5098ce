// SPDX-License-Identifier: MIT
#include "fleet/gather.h"

#include <algorithm>

#include "fleet/report_stream.h"
#include "sys/fs/input_files.h"
#include "sys/helper/path_looks.h"
#include "util/text.h"

namespace rocenv {

namespace {

constexpr std::string_view tree_end = ".tree";

bool is_report_file(std::string_view path) {
    return path.ends_with(".json") || path.ends_with(".jsonl") || path.ends_with(".ndjson") ||
           path.ends_with(tree_end);
}

std::string base_name(std::string_view path) {
    path.remove_suffix(path.ends_with(tree_end) ? tree_end.size() : 0);
    return std::string(path.substr(path.rfind('/') + 1));
}

std::string position(std::string_view file, std::uint64_t line) {
    return printable(file, uncut) + (line == 0 ? "" : ":" + number(line));
}

}  // namespace

void Problems::add(FleetProblem::Kind kind, const std::string& file, std::uint64_t line,
                   const std::string& text) {
    unread = unread || kind == FleetProblem::Kind::unreadable ||
             kind == FleetProblem::Kind::broken || kind == FleetProblem::Kind::foreign;
    if (all.size() < most_fleet_problems) {
        all.push_back({kind, file, line, text});
    } else {
        ++more;
    }
}

void Gatherer::take(const std::string& path, Sweep& into) {
    if (path != "-" && look(path) == Looks::folder) {
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
        problems_.add(FleetProblem::Kind::unreadable, path, 0, "is no regular file");
    }
    std::size_t others = 0;
    std::string first_other;
    for (const auto& path : found.files) {
        if (is_report_file(path)) {
            take_file(path, true, into);
        } else if (++others == 1) {
            first_other = path;
        }
    }
    if (others > 0) {
        problems_.add(FleetProblem::Kind::remark, folder, 0,
                      "left out " + number(others) + (others == 1 ? " file" : " files") +
                          " not named .json, .jsonl or .tree (" +
                          printable(base_name(first_other), 60) + ")");
    } else if (found.files.empty() && found.errors.empty()) {
        problems_.add(FleetProblem::Kind::unreadable, folder, 0, "holds no file");
    }
}

void Gatherer::take_file(const std::string& path, bool of_folder, Sweep& into) {
    if (path.ends_with(tree_end)) {
        take_recording(path, into);
        return;
    }
    auto stream = of_folder ? InputStream::open_regular(path) : InputStream::open(path);
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
    bool named = false;
    while (!is_full(into, file, stream.line())) {
        const auto next = stream.next();
        if (next.what == ReportStream::What::end) {
            break;
        }
        if (next.what == ReportStream::What::report) {
            ++found;
            add(reader_.report(), file, next.line, into);
            continue;
        }
        named = true;
        problems_.add(next.kind, file, next.line, next.text);
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
    const auto report = judge_(path, base_name(path));
    if (!report) {
        problems_.add(FleetProblem::Kind::unreadable, path, 0, report.error().text);
        return;
    }
    add(kept_report(*report, pools_, filter_), path, 0, into);
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

void Gatherer::add(const ReadReport& report, const std::string& file, std::uint64_t line,
                   Sweep& into) {
    ++into.reports_read;
    const Sweep::Node node{report.time, report.boot_id, pools_.keep(file), line, report.report};
    const auto [place, is_new] = into.nodes.try_emplace(report.node, node);
    if (is_new) {
        return;
    }
    Sweep::Node& known = place->second;
    ++into.superseded;
    if (known.time == node.time) {
        const bool same = known.report == node.report && known.boot_id == node.boot_id;
        problems_.add(FleetProblem::Kind::duplicate, file, line,
                      printable(report.node, 80) +
                          (same ? ": the same report as " : ": another report of the time of ") +
                          position(known.file, known.line) + (same ? "" : "; this one counts"));
    }
    if (known.time <= node.time) {
        known = node;
    }
}

}  // namespace rocenv
