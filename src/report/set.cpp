// SPDX-License-Identifier: MIT
// The human report of set and reset.
#include "transaction/set.h"
#include "report/render.h"
#include "report/report_text.h"
#include "util/exit_status.h"
#include "util/text.h"

namespace rocenv {

namespace {

constexpr std::size_t writes_shown = 3;  // of equal ids in a row

bool is_stuck(const Finding& finding) {
    return finding.put_back == PutBack::no;
}

// A command broken at blanks so that it can be pasted as it stands; whole where quotes could be
// cut.
std::string command_lines(std::size_t indent, const std::string& raw) {
    const std::string command = printable(raw, uncut);
    if (indent + command.size() <= terminal_width || command.find_first_of("'\"") != command.npos) {
        return std::string(indent, ' ') + command + "\n";
    }
    std::string out;
    std::string line(indent, ' ');
    bool empty = true;
    for (const auto word : words(command)) {
        if (!empty && line.size() + 1 + word.size() + 2 > terminal_width) {
            out += line + " \\\n";
            line = std::string(indent + 2, ' ');
            empty = true;
        }
        line += (empty ? "" : " ") + std::string(word);
        empty = false;
    }
    return out + line + "\n";
}

std::string bytes_text(std::string_view bytes) {
    std::string out;
    for (const char byte : bytes) {
        out += (out.empty() ? "" : " ") + bare_hex(static_cast<unsigned char>(byte), 2);
    }
    return out;
}

class SetText : ReportText {
   public:
    SetText(const SetResult& result, DryRun dry_run, Detail detail, Colour colour)
        : ReportText(result.report, detail, colour), result_(result), dry_run_(dry_run) {}

    std::string text() {
        const std::string names = join(report_.profiles, " + ");
        head(names.empty() ? report_.command : names, verdict());
        failed();
        untouched();
        section(dry_run_ == DryRun::yes ? "would change" : "changed", Style::heading,
                has(Outcome::changed), [this](const Told& item) { changed(item); });
        if (dry_run_ == DryRun::yes) {
            writes();
        }
        waived();
        if (detail_ == Detail::everything) {
            all_of(Outcome::ok);
            all_of(Outcome::na);
        }
        counts_and_notes();
        return std::move(out_);
    }

   private:
    static Belongs has(Outcome outcome) {
        return [outcome](const Finding& finding) { return finding.outcome == outcome; };
    }

    bool is_reset() const { return report_.command == "reset"; }

    std::string verdict() const {
        if (report_.exit_code == exit_stuck) {
            return is_reset() ? "NOT all was put back" : "NOT all could be put back";
        }
        if (report_.exit_code == exit_rolled_back) {
            return "NOT done, all was put back";
        }
        std::vector<std::string> parts;
        add(parts, "required setting", how_many(Outcome::differs, Level::required), "differs",
            "differ");
        add(parts, "required setting", how_many(Outcome::unsafe, Level::required), "unsafe",
            "unsafe");
        add(parts, "required setting", how_many(Outcome::unknown, Level::required), "unknown",
            "unknown");
        const std::string head = report_.exit_code == exit_ok ? dry_run_ == DryRun::no ? "done" : ""
                                 : report_.exit_code != exit_differs ? "CANNOT TELL"
                                 : parts.empty()                     ? "NOT done"
                                                                     : "NOT all is done";
        const auto what = head + (head.empty() || parts.empty() ? "" : ": ") + join(parts, ", ");
        return what + (what.empty() ? "" : parts.empty() ? ", " : "; ") + done() + failures();
    }

    // What is recommended may fail, and the rest stands.
    std::string failures() const {
        const auto count = how_many(has(Outcome::failed));
        return count == 0 ? "" : ", " + counted(count, "recommended setting") + " failed";
    }

    static void add(std::vector<std::string>& parts, const char* noun, std::size_t count,
                    const char* one, const char* many) {
        if (count > 0) {
            parts.push_back(counted(count, noun) + " " + (count == 1 ? one : many));
        }
    }

    // What was, or would be, changed.
    std::string done() const {
        const auto count = how_many(has(Outcome::changed));
        const std::string what = counted(count, "setting");
        if (dry_run_ == DryRun::yes) {
            return (count == 0
                        ? "would change nothing"
                        : "would " + std::string(is_reset() ? "put back " : "change ") + what) +
                   ", nothing was written";
        }
        if (count == 0) {
            return is_reset() ? "nothing was put back" : "nothing was changed";
        }
        return what + (is_reset() ? " put back" : " changed");
    }

    void failed() {
        const Shows shows = [this](const Told& item) { show(item); };
        section("failed, not put back", Style::attention, is_stuck,
                [this](const Told& item) { stuck(item); });
        for (const auto level : {Level::required, Level::recommended, Level::info}) {
            section(
                std::string(word_of(level)) + ", failed", Style::attention,
                [level](const Finding& finding) {
                    return finding.outcome == Outcome::failed && finding.level == level &&
                           !is_stuck(finding);
                },
                shows);
        }
    }

    // What set leaves alone. What is only for information comes when it is asked for.
    void untouched() {
        for (const auto level : {Level::required, Level::recommended, Level::info}) {
            if (level == Level::info && detail_ != Detail::everything) {
                continue;
            }
            section(level == Level::info ? Style::heading : Style::attention, Outcome::differs,
                    level);
            section(
                std::string(word_of(level)) + ", unsafe", Style::attention,
                [level](const Finding& finding) {
                    return finding.outcome == Outcome::unsafe && finding.level == level;
                },
                [this](const Told& item) { unsafe(item); });
            section(Style::unsure, Outcome::unknown, level);
        }
        all_of(Outcome::hidden);
    }

    void line(const Told& item, std::string text) {
        if (item.first->counted || item.targets.size() > 1) {
            text += " (" + number(item.things) + " of them)";
        }
        out_ += wrapped("  ", 6, item.first->id + ": " + text);
        show_targets(item);
    }

    // With what ought to be there: of a set what it found, of a reset what is recorded.
    void stuck(const Told& item) {
        const Finding& finding = *item.first;
        if (is_reset()) {
            show(item);
            return;
        }
        line(item, have_text(finding) + ", was " + finding.was.value_or("unknown"));
        if (!finding.detail.empty()) {
            out_ += wrapped("    ", 4, finding.detail);
        }
        out_ += next_line(finding.fix);
    }

    void unsafe(const Told& item) {
        const Finding& finding = *item.first;
        line(item, have_text(finding) + (finding.want ? ", want " + *finding.want : ""));
        if (!finding.detail.empty()) {
            out_ += wrapped("    ", 4, finding.detail);
        }
        out_ += next_line(finding.fix);
    }

    void changed(const Told& item) {
        const Finding& finding = *item.first;
        const std::string now = finding.have ? *finding.have : finding.want.value_or("");
        line(item, (finding.was ? *finding.was + " -> " : "") + now);
        if (!finding.detail.empty()) {
            out_ += wrapped("    ", 4, finding.detail);
        }
    }

    void writes() {
        const auto& all = result_.writes;
        if (!all.empty()) {
            out_ += "\n" + styled("writes, in order", Style::heading, colour_) + "\n";
        }
        for (std::size_t at = 0; at < all.size();) {
            std::size_t end = at;
            while (end < all.size() && all[end].key.id == all[at].key.id) {
                ++end;
            }
            const bool fold = detail_ != Detail::everything && end - at > writes_shown;
            for (std::size_t one = at; one < (fold ? at + writes_shown : end); ++one) {
                write(one);
            }
            if (fold) {
                out_ += std::string(indent(), ' ') + "… and " + number(end - at - writes_shown) +
                        " more like it (-v lists all)\n";
            }
            at = end;
        }
    }

    // Below a write's number.
    std::size_t indent() const { return number(result_.writes.size()).size() + 4; }

    void write(std::size_t at) {
        const PlannedWrite& planned = result_.writes[at];
        const std::string place = number(at + 1);
        out_ += wrapped(std::string(indent() - 2 - place.size(), ' ') + place + "  ", indent(),
                        planned.key.id + " " + planned.key.target);
        out_ += command_lines(indent(), write_text(planned.write));
        out_ += wrapped(std::string(indent(), ' ') + "bytes: ", indent() + 7,
                        bytes_text(planned.write.bytes));
    }

    const SetResult& result_;
    DryRun dry_run_;
};

}  // namespace

std::string render_set_human(const SetResult& result, DryRun dry_run, Detail detail,
                             Colour colour) {
    return detail == Detail::quiet ? std::string()
                                   : SetText(result, dry_run, detail, colour).text();
}

}  // namespace rocenv
