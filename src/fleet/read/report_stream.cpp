// SPDX-License-Identifier: MIT
#include "fleet/read/report_stream.h"

#include <algorithm>
#include <utility>

#include "os/redact/redact.h"
#include "util/text.h"

namespace rocenv {

namespace {

// Counts the line ends. find() is memchr(), and several times as fast as std::count() at -O2.
std::uint64_t lines_in(std::string_view text) {
    std::uint64_t out = 0;
    for (auto at = text.find('\n'); at != text.npos; at = text.find('\n', at + 1)) {
        ++out;
    }
    return out;
}

// A file of one report is one small piece. A report that a piece cuts is read twice, so most
// pieces are large.
constexpr std::size_t small_piece = 64 << 10;
constexpr std::size_t large_piece = std::size_t{1} << 20;
constexpr std::size_t longest_prefix = 300;  // "gpu001: " in front of a report

enum class Begins { yes, no, unsure };

bool is_blank(char byte) {
    return byte == ' ' || byte == '\n' || byte == '\t' || byte == '\r';
}

// Returns whether a report begins here, with its schema as the first member, as every rocenv writes
// it. Unsure: the text ends too early to decide.
Begins report_begins(std::string_view text) {
    constexpr std::size_t most_blanks = 256;
    constexpr std::string_view parts[] = {"{", "\"schema\"", ":", "\"rocenv.report/"};
    for (const auto part : parts) {
        std::size_t blanks = 0;
        while (blanks < std::min(text.size(), most_blanks) && is_blank(text[blanks])) {
            ++blanks;
        }
        text.remove_prefix(blanks);
        const auto here = text.substr(0, part.size());
        if (here != part) {
            return part.starts_with(here) && here.size() == text.size() ? Begins::unsure
                                                                        : Begins::no;
        }
        text.remove_prefix(part.size());
    }
    return Begins::yes;
}

// The next brace after `from` where a report may begin: as above, or first in its line.
struct Start {
    std::size_t at = std::string_view::npos;
    Begins begins = Begins::no;
};

Start find_start(std::string_view text, std::size_t from) {
    for (auto at = text.find('{', from); at != text.npos; at = text.find('{', at + 1)) {
        const Begins begins = report_begins(text.substr(at));
        if (begins != Begins::no || (at > 0 && text[at - 1] == '\n')) {
            return {at, begins};
        }
    }
    return {};
}

// Returns the size of a header as clush -b and clubak print it above the output of nodes: names
// between two rules. Zero if there is none.
std::size_t size_of_clush_header(std::string_view text) {
    constexpr std::string_view rule = "---------------\n";
    if (!text.starts_with(rule)) {
        return 0;
    }
    const auto end = text.find('\n', rule.size());
    return end != text.npos && text.substr(end + 1).starts_with(rule) ? end + 1 + rule.size() : 0;
}

// Returns the value of the first "hostname" in the text; empty if there is none.
std::string hostname_in(std::string_view text) {
    constexpr std::string_view key = "\"hostname\"";
    constexpr std::size_t longest_name = 256;
    const auto at = text.find(key);
    if (at == text.npos) {
        return "";
    }
    text.remove_prefix(at + key.size());
    const auto begin = text.find_first_not_of(" \t\r\n:");
    if (begin == text.npos || text[begin] != '"') {
        return "";
    }
    const auto end = text.find_first_of("\"\\", begin + 1);
    const bool is_name = end != text.npos && end - begin <= longest_name && text[end] == '"';
    return is_name ? std::string(text.substr(begin + 1, end - begin - 1)) : "";
}

}  // namespace

// Returns the node that the JSON here names near its start; empty if it names none.
std::string ReportStream::node_in_front() {
    constexpr std::size_t front = std::size_t{64} << 10;
    while (rest().size() < front && !ended_) {
        fill();
    }
    const auto end = std::min(find_start(rest(), 1).at, front);
    return hostname_in(rest().substr(0, end));
}

void ReportStream::advance(std::size_t size) {
    const auto part = rest().substr(0, size);
    line_ += lines_in(part);
    at_ += size;
}

void ReportStream::fill() {
    text_.erase(0, at_);
    at_ = 0;
    // Limits the rest of a cut report and the next piece to one large piece: memory grows once.
    const std::size_t left = text_.size() < large_piece / 2 ? text_.size() : 0;
    const std::size_t most = is_large_ ? large_piece - left : small_piece;
    const auto got = read_(text_, most);
    if (!got) {
        error_ = got.error();
    }
    ended_ = !got || *got == 0;
    is_large_ = got && *got == most;
    bytes_ += got ? *got : 0;
}

// Returns false at the end of the text. Counts the lists around reports; a bracket before other
// text may be a part of it.
bool ReportStream::skip_separators() {
    std::int64_t opened = 0;
    for (;;) {
        const auto size = std::min(rest().find_first_not_of(" \t\r\n,[]"), rest().size());
        const auto part = rest().substr(0, size);
        opened += std::count(part.begin(), part.end(), '[');
        opened -= std::count(part.begin(), part.end(), ']');
        advance(size);
        foreign_ += size;
        if (!rest().empty() || ended_) {
            open_lists_ += rest().empty() || rest().front() == '{' ? opened : 0;
            return !rest().empty();
        }
        if (foreign_ > most_fleet_foreign) {
            return true;
        }
        fill();
    }
}

ReportStream::Skipped ReportStream::skip_to_start(std::size_t from) {
    Skipped out;
    const auto pass = [&](std::size_t size) {
        const auto part = rest().substr(0, size);
        out.size += size;
        foreign_ += size;
        out.lines = out.lines || part.find('\n') != part.npos;
        advance(size);
    };
    for (;;) {
        const Start start = find_start(rest(), from);
        const bool found = start.at != std::string_view::npos;
        if (found && (start.begins != Begins::unsure || ended_)) {
            out.last = rest()[start.at - 1];
            out.to_report = start.begins == Begins::yes;
            pass(start.at);
            return out;
        }
        if (ended_ || foreign_ > most_fleet_foreign) {
            pass(rest().size());
            return out;
        }
        // The last byte before the next part shows whether a line begins there.
        pass((found ? start.at : rest().size()) - 1);
        from = 1;
        fill();
    }
}

std::optional<ReportStream::Next> ReportStream::broken(ReadEnd end) {
    const bool is_ours = end == ReadEnd::foreign && reader_.is_of_rocenv();
    const std::string node = is_ours ? node_in_front() : "";
    Next next{What::problem, line_, FleetProblem::Kind::broken, ""};
    const std::size_t read = reader_.size();
    const auto part = rest().substr(0, read);
    const auto lines = lines_in(part);
    const bool too_large = rest().size() > most_fleet_report && end != ReadEnd::broken;
    const Skipped skipped = skip_to_start(1);
    const bool is_cut = end == ReadEnd::ran_out || (skipped.to_report && skipped.size <= read);
    if (end == ReadEnd::foreign || !reader_.is_report()) {
        next.kind = FleetProblem::Kind::foreign;
        next.text = end == ReadEnd::foreign ? "JSON that " + reader_.fault()
                                            : "text that is not a report of rocenv check";
        next.text += node.empty() ? "" : " (node " + printable(node, 80) + ")";
        return std::exchange(in_foreign_, true) && !is_ours ? std::nullopt : std::optional(next);
    }
    in_foreign_ = true;  // the rest of the report adds no problem
    foreign_ = 0;
    next.text = "a report that " +
                (too_large ? "is larger than " + number(most_fleet_report >> 20) + " MiB"
                 : is_cut  ? std::string("is cut off")
                           : reader_.fault() + " (line " + number(next.line + lines) + ")");
    return next;
}

// Reads the report at a brace. Returns std::nullopt if more text is needed first, or if the text
// belongs to a problem that was reported.
std::optional<ReportStream::Next> ReportStream::at_brace() {
    const ReadEnd end = reader_.read(rest());
    if (end == ReadEnd::ran_out && !ended_ && rest().size() <= most_fleet_report) {
        fill();
        return std::nullopt;
    }
    if (end == ReadEnd::whole && reader_.size() <= most_fleet_report) {
        const Next next{What::report, line_, FleetProblem::Kind::remark, ""};
        advance(reader_.size());
        in_foreign_ = false;
        foreign_ = 0;
        return next;
    }
    return broken(end == ReadEnd::whole ? ReadEnd::ran_out : end);
}

std::optional<ReportStream::Next> ReportStream::foreign_text() {
    constexpr std::size_t shown = 40;
    constexpr std::size_t longest_names = 4096;
    constexpr std::size_t longest_address = 1024;  // so that it is known for one
    const auto needed = [&] {
        return rest().starts_with('-')                       ? longest_names
               : rest().find('\n') == std::string_view::npos ? longest_address
                                                             : shown;
    };
    while (rest().size() < needed() && !ended_) {
        fill();
    }
    if (const auto size = size_of_clush_header(rest().substr(0, longest_names)); size > 0) {
        advance(size);
        return std::nullopt;
    }
    const std::uint64_t line = line_;
    const auto whole = rest();
    const std::string first(whole.substr(0, std::min(whole.find('\n'), longest_address)));
    const Skipped skipped = skip_to_start(0);
    const bool is_prefix = skipped.to_report && !skipped.lines && skipped.size <= longest_prefix &&
                           std::string_view(" :\t\xbf").find(skipped.last) != std::string::npos;
    if (is_prefix || std::exchange(in_foreign_, true)) {
        return std::nullopt;
    }
    return Next{What::problem, line, FleetProblem::Kind::foreign,
                "text that is not a report of rocenv check: " +
                    printable(redact_text(first, HostName::none()), shown)};
}

// Ends the reading of input that never ends or is not reports at all.
void ReportStream::abandon() {
    ended_ = true;
    open_lists_ = 0;
    text_.clear();
    at_ = 0;
}

ReportStream::Next ReportStream::next() {
    while (skip_separators()) {
        if (foreign_ > most_fleet_foreign) {
            abandon();
            return {What::problem, line_, FleetProblem::Kind::unreadable,
                    "is not read on: no report in " + number(most_fleet_foreign >> 20) + " MiB"};
        }
        if (auto found = rest().front() == '{' ? at_brace() : foreign_text()) {
            return *std::move(found);
        }
    }
    if (error_) {
        Next next{What::problem, line_, FleetProblem::Kind::unreadable, error_->text};
        error_.reset();
        return next;
    }
    if (std::exchange(open_lists_, 0) > 0) {
        return {What::problem, line_, FleetProblem::Kind::broken,
                "a list of reports that is cut off"};
    }
    return {};
}

}  // namespace rocenv
