// SPDX-License-Identifier: MIT
// The report of set and reset for people: the changes, the settings that could not be set with the
// reason, and the undo command.
#include "transaction/set.h"

#include <algorithm>
#include <set>

#include "print/document.h"
#include "report/entries.h"
#include "report/finding_lines.h"
#include "report/model/consequences.h"
#include "report/render.h"
#include "settings/registry.h"
#include "util/exit_status.h"
#include "util/text.h"

namespace rocenv {

namespace {

constexpr std::size_t writes_shown = 3;  // limit for adjacent writes of one id

// Returns the lines of a command, broken at blanks so that it can be pasted; one line if it has
// quotes that a break could split.
std::vector<std::string> command_lines(std::size_t room, const std::string& command) {
    if (command.size() <= room || command.find_first_of("'\"") != command.npos) {
        return {command};
    }
    std::vector<std::string> out;
    std::string line;
    for (const auto word : words(command)) {
        if (!line.empty() && line.size() + word.size() + 3 > room) {
            out.push_back(line + " \\");
            line = " ";
        }
        line += (line.empty() ? "" : " ") + std::string(word);
    }
    out.push_back(line);
    return out;
}

bool is_stuck(const Finding& finding) {
    return finding.put_back == PutBack::no;
}

class SetText {
   public:
    SetText(const SetResult& result, DryRun dry_run, Detail detail, Screen screen)
        : result_(result),
          report_(result.report),
          dry_run_(dry_run),
          everything_(detail == Detail::everything),
          screen_(screen) {}

    std::string text() {
        head();
        changed();
        failed();
        left_alone();
        if (dry_run_ == DryRun::yes) {
            writes();
        }
        if (everything_) {
            quiet(Outcome::ok, "PASS");
            quiet(Outcome::na, "");
        }
        foot();
        return document_.text(screen_);
    }

   private:
    template <class Belongs>
    std::vector<Entry> of(const Belongs& belongs) const {
        std::vector<const Finding*> found;
        for (const auto& finding : report_.findings) {
            if (belongs(finding)) {
                found.push_back(&finding);
            }
        }
        return entries_of(found);
    }

    std::vector<Entry> of(Outcome outcome) const {
        return of([&](const Finding& each) { return each.outcome == outcome; });
    }

    // Returns the number of settings; 384 CPUs are one.
    template <class Belongs>
    std::size_t ids(const Belongs& belongs) const {
        std::set<std::string_view> out;
        for (const auto& finding : report_.findings) {
            if (belongs(finding)) {
                out.insert(finding.id);
            }
        }
        return out.size();
    }

    std::size_t ids(Outcome outcome, Level level) const {
        return ids([&](const Finding& each) {
            return each.outcome == outcome && each.level == level && !each.waived;
        });
    }

    bool is_idle_reset() const {
        return is_reset() && report_.exit_code == exit_ok && report_.findings.empty();
    }

    bool is_reset() const { return report_.command == "reset"; }

    void head() {
        const std::string names = join(report_.profiles, " + ");
        const auto [tone, word] = word_of_result();
        document_.entry(tone, word, "",
                        (names.empty() ? report_.command : names) + ": " + verdict());
    }

    Severity word_of_result() const {
        if (report_.exit_code == exit_unknown) {
            return {Tone::unknown, "UNKNOWN"};
        }
        if (report_.exit_code != exit_ok) {
            return {Tone::fail, "FAIL"};
        }
        return dry_run_ == DryRun::yes ? Severity{Tone::info, "DRY RUN"}
                                       : Severity{Tone::pass, "DONE"};
    }

    std::string verdict() const {
        if (report_.exit_code == exit_stuck) {
            return "not everything could be restored";
        }
        if (report_.exit_code == exit_rolled_back) {
            return "failed, everything was restored";
        }
        std::vector<std::string> parts;
        add_count(parts, ids(Outcome::differs, Level::required),
                  "required setting cannot be set here", "required settings cannot be set here");
        add_count(parts, ids(Outcome::unsafe, Level::required), "required setting was refused",
                  "required settings were refused");
        add_count(parts, ids(Outcome::unknown, Level::required),
                  "required setting could not be read", "required settings could not be read");
        if (report_.exit_code == exit_differs && parts.empty()) {
            parts.emplace_back("refused");
        }
        parts.push_back(done());
        add_count(parts, ids([](const Finding& each) { return each.outcome == Outcome::failed; }),
                  "recommended setting failed", "recommended settings failed");
        return join(parts, ", ");
    }

    // Returns the number of changed settings, or of those that would change; the reason if a reset
    // has no work.
    std::string done() const {
        const auto count =
            ids([](const Finding& each) { return each.outcome == Outcome::changed; });
        if (is_idle_reset()) {
            const std::string notes = join(report_.notes, "; ");
            const std::string first = notes.empty() ? "" : report_.notes.front();
            return notes.empty() ? "nothing to restore"
                   : first == no_record_note || first == no_part_note
                       ? "nothing to restore (" + notes + ")"
                       : notes;
        }
        const std::string what = count == 0 ? "nothing" : counted(count, "setting");
        const std::string verb = is_reset() ? "restored" : "changed";
        return dry_run_ == DryRun::yes ? what + " would be " + verb + "; nothing was written"
               : count == 0            ? what + " was " + verb
                                       : what + " " + verb;
    }

    // Returns "8 GPUs", "384 CPUs", or the name of a single device; empty for the system.
    std::string targets_of(const Entry& item) const {
        const auto& targets = item.targets;
        const std::string& first = targets.front();
        if (item.first->counted) {
            return item.things == 1 ? first
                                    : number(item.things) +
                                          (first.starts_with("policy") ? " policies" : " CPUs");
        }
        const bool are_gpus = item.first->id.starts_with("gpu.") ||
                              std::all_of(targets.begin(), targets.end(), [&](const auto& each) {
                                  return report_.device_names.contains(each);
                              });
        return targets.size() > 1
                   ? number(targets.size()) + (are_gpus ? " GPUs" : several_of(targets))
               : is_trivial_target(first) ? ""
                                          : first;
    }

    void changed() {
        std::vector<TextRow> rows;
        std::vector<std::string> details;
        for (const auto& item : of(Outcome::changed)) {
            const Finding& finding = *item.first;
            const std::string now = finding.have ? *finding.have : finding.expected.value_or("");
            rows.push_back(
                {"  " + finding.id, finding.was.value_or("-"), "->", now, targets_of(item)});
            if (!finding.detail.empty()) {
                details.push_back(finding.id + ": " + finding.detail);
            }
        }
        if (!rows.empty()) {
            document_.table(std::move(rows));
        }
        for (const auto& detail : details) {
            document_.paragraph(detail);
        }
    }

    void failed() {
        for (const auto& item : of([](const Finding& each) { return is_stuck(each); })) {
            const Finding& finding = *item.first;
            entry(item, Tone::fail, "FAIL",
                  have_text(finding) + ", " +
                      (is_reset() ? "expected " + finding.expected.value_or("unknown")
                                  : "was " + finding.was.value_or("unknown")));
        }
        for (const auto& item : of([](const Finding& each) {
                 return each.outcome == Outcome::failed && !is_stuck(each);
             })) {
            const auto [tone, word] = severity_of(std::max(item.first->level, Level::recommended));
            entry(item, tone, word, "");
        }
    }

    // Adds an entry for each refused write and each unreadable value, and one line for values that
    // no set can change, unless they are required.
    void left_alone() {
        for (const auto& item : of(Outcome::unsafe)) {
            if (is_shown(item)) {
                entry(item, Tone::warn, "REFUSED", "");
            }
        }
        std::vector<std::string> not_now;
        for (const auto& item : of(Outcome::differs)) {
            if (item.first->waived || !is_shown(item)) {
                continue;
            }
            if (item.first->level == Level::required || everything_) {
                const auto [tone, word] = severity_of(item.first->level);
                entry(item, tone, word, "");
            } else {
                not_now.push_back(item.first->id + why_not(item.first->id));
            }
        }
        for (const auto& item : of(Outcome::unknown)) {
            if (is_shown(item)) {
                entry(item, Tone::unknown, "UNKNOWN", "");
            }
        }
        list("Not settable now: ", not_now);
        list("Optional, set only with --want: ", named_optional());
        std::vector<std::string> hidden;
        for (const auto& item : of(Outcome::hidden)) {
            hidden.push_back(item.first->id);
        }
        list("Hidden from this container: ", hidden);
    }

    // Returns the differing optional settings that --only names.
    std::vector<std::string> named_optional() const {
        std::vector<std::string> out;
        for (const auto& item : of(Outcome::differs)) {
            const Finding& finding = *item.first;
            const bool is_named = std::find(report_.only.begin(), report_.only.end(), finding.id) !=
                                  report_.only.end();
            if (is_named && !is_shown(item) && !finding.waived) {
                out.push_back(finding.id);
            }
        }
        return out;
    }

    bool is_shown(const Entry& item) const {
        return item.first->level != Level::info || everything_;
    }

    void list(const std::string& start, std::vector<std::string> texts) {
        texts.erase(std::unique(texts.begin(), texts.end()), texts.end());
        if (!texts.empty()) {
            document_.paragraph(start + join(texts, ", "));
        }
    }

    static std::string why_not(const std::string& id) {
        const Setting* setting = find_setting(id);
        return setting == nullptr             ? ""
               : id.starts_with("env.")       ? " (per job; see rocenv run)"
               : setting->info.after_reboot   ? " (needs a reboot; see --persist-hints)"
               : setting->info.places.empty() ? " (check only)"
                                              : "";
    }

    void entry(const Entry& item, Tone tone, const char* word, const std::string& text) {
        const Finding& finding = *item.first;
        const std::string targets = targets_text(report_, item, everything_);
        document_.entry(tone, word, finding.id,
                        text.empty() ? sentence(report_, item, everything_)
                                     : (targets.empty() ? "" : targets + ": ") + text);
        if (!finding.detail.empty() && !is_in_sentence(report_, item)) {
            document_.field("detail", as_sentence(finding.detail));
        }
        add_steps(finding, document_);
    }

    void writes() {
        const auto& all = result_.writes;
        if (!all.empty()) {
            document_.blank();
            document_.paragraph("Writes, in this order:");
        }
        for (std::size_t at = 0; at < all.size();) {
            std::size_t end = at;
            while (end < all.size() && all[end].key.id == all[at].key.id) {
                ++end;
            }
            const bool fold = !everything_ && end - at > writes_shown;
            for (std::size_t one = at; one < (fold ? at + writes_shown : end); ++one) {
                write(one);
            }
            if (fold) {
                document_.line(std::string(indent(), ' ') + "and " +
                               number(end - at - writes_shown) + " more like it (-v lists all)");
            }
            at = end;
        }
    }

    // Returns the indentation below a write's number.
    std::size_t indent() const { return number(result_.writes.size()).size() + 4; }

    void write(std::size_t at) {
        const PlannedWrite& planned = result_.writes[at];
        const std::string position = number(at + 1);
        document_.line(std::string(indent() - 2 - position.size(), ' ') + position + "  " +
                       planned.key.id + " " + planned.key.target);
        for (const auto& line :
             command_lines(screen_.width - indent(), write_text(planned.write))) {
            document_.line(std::string(indent(), ' ') + line);
        }
    }

    void quiet(Outcome outcome, const char* word) {
        for (const auto& item : of(outcome)) {
            document_.entry(outcome == Outcome::ok ? Tone::pass : Tone::none, word, item.first->id,
                            quiet_sentence(report_, item));
        }
    }

    void foot() {
        for (const auto& finding : report_.findings) {
            if (finding.waived) {
                document_.paragraph("waived: " + finding.id + " by " + finding.waived->ticket +
                                    " until " + finding.waived->until + ": " + finding.waived->why);
            }
        }
        for (const auto& note : report_.notes) {
            const bool is_listed = note.starts_with(variables_note) && lists_variables();
            if (!is_listed && !is_idle_reset()) {
                document_.paragraph("note: " + printable(note, uncut));
            }
        }
        if (!result_.undo.empty() && dry_run_ == DryRun::no) {
            document_.line("Undo: " + result_.undo);
        }
    }

    // Returns true if the list of values that are not settable names a variable.
    bool lists_variables() const {
        return std::any_of(
            report_.findings.begin(), report_.findings.end(), [](const Finding& each) {
                return each.id.starts_with("env.") && each.outcome == Outcome::differs &&
                       each.level == Level::recommended && !each.waived;
            });
    }

    const SetResult& result_;
    const Report& report_;
    DryRun dry_run_;
    bool everything_;
    Screen screen_;
    Document document_;
};

}  // namespace

std::string render_set_human(const SetResult& result, DryRun dry_run, Detail detail,
                             Screen screen) {
    return detail == Detail::quiet ? std::string()
                                   : SetText(result, dry_run, detail, screen).text();
}

}  // namespace rocenv
