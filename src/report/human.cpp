// SPDX-License-Identifier: MIT
// The report of check for people: the verdict, one entry for each cause with its consequences, one
// line of optional findings, and the command that sets all settable values.
#include <algorithm>

#include "print/document.h"
#include "report/brief.h"
#include "report/entries.h"
#include "report/finding_lines.h"
#include "report/model/consequences.h"
#include "report/render.h"
#include "util/exit_status.h"
#include "util/text.h"

namespace rocenv {

namespace {

// The class of a finding in the text, in the order of severity.
enum class Class { failed, warned, unknown, optional, passed, not_applicable, hidden };

constexpr std::size_t class_count = 7;
constexpr std::size_t most_consequences = 4;  // limit of listed names
constexpr std::size_t longest_value = 40;     // value of an optional setting, in bytes

bool is_bad(Class each) {
    return each == Class::failed || each == Class::warned;
}

class CheckText {
   public:
    CheckText(const Report& report, Detail detail)
        : report_(report), everything_(detail == Detail::everything) {
        for (const auto& finding : report.findings) {
            by_class_[static_cast<std::size_t>(class_of(finding))].push_back(&finding);
        }
        for (std::size_t at = 0; at < class_count; ++at) {
            entries_[at] = entries_of(by_class_[at]);
        }
    }

    std::string text(Screen screen) {
        head();
        for (const auto each : {Class::failed, Class::unknown, Class::warned}) {
            for (const auto& item : of(each)) {
                if (cause_of(report_, *item.first) == nullptr && is_listed(item, each)) {
                    entry(item, each);
                }
            }
        }
        optional();
        waived();
        if (everything_) {
            quiet();
        } else {
            remarks();
        }
        foot();
        return document_.text(screen);
    }

   private:
    using Entries = std::vector<Entry>;

    const Entries& of(Class each) const { return entries_[static_cast<std::size_t>(each)]; }

    Class class_of(const Finding& finding) const {
        switch (finding.outcome) {
            case Outcome::ok:
            case Outcome::changed:
                return Class::passed;
            case Outcome::na:
                return Class::not_applicable;
            case Outcome::hidden:
                return Class::hidden;
            case Outcome::unknown:
                return Class::unknown;
            case Outcome::differs:
            case Outcome::unsafe:
            case Outcome::failed:
                break;
        }
        return is_decisive(report_, finding)         ? Class::failed
               : finding.waived                      ? Class::optional
               : finding.level == Level::recommended ? Class::warned
                                                     : Class::optional;
    }

    // Returns true if the entry is listed. Optional checks that could not be read are one line
    // unless everything is listed.
    bool is_listed(const Entry& item, Class each) const {
        const Finding& finding = *item.first;
        const bool is_optional = each == Class::unknown && finding.level == Level::info;
        return !finding.waived && (everything_ || (!finding.aside && !is_optional));
    }

    // Returns the number of entries of a class that the text lists, or would list with -v.
    std::size_t count(Class each) const {
        return count_if(each, [&](const Finding& finding) {
            const bool is_left_out = each == Class::optional && finding.aside && !everything_;
            return !finding.waived && !is_left_out;
        });
    }

    std::size_t unknown_at(Level level) const {
        return count_if(Class::unknown, [&](const Finding& finding) {
            return finding.level == level && !finding.waived &&
                   cause_of(report_, finding) == nullptr;
        });
    }

    std::size_t causes() const {
        return count_if(Class::failed, [&](const Finding& finding) {
            return cause_of(report_, finding) == nullptr;
        });
    }

    template <class Predicate>
    std::size_t count_if(Class each, Predicate fits) const {
        const auto& all = of(each);
        return static_cast<std::size_t>(std::count_if(
            all.begin(), all.end(), [&](const Entry& item) { return fits(*item.first); }));
    }

    void head() {
        const std::string names = join(report_.profiles, " + ");
        const std::string name = names.empty() ? report_.command : names;
        const auto [tone, word] = report_.findings.empty()            ? Severity{Tone::info, "INFO"}
                                  : report_.exit_code == exit_differs ? severity_of(Class::failed)
                                  : report_.exit_code == exit_unknown ? severity_of(Class::unknown)
                                  : of(Class::warned).empty()         ? Severity{Tone::pass, "PASS"}
                                                                      : severity_of(Class::warned);
        document_.entry(tone, word, "", name + ": " + verdict());
        if (!report_.gpus.empty()) {
            document_.under(gpus_text());
        } else if (finds_no_gpu(report_)) {
            document_.under("No AMD GPU found; only host settings were checked.");
        } else if (counts_no_gpu()) {
            document_.under("No AMD GPU found.");
        }
    }

    bool counts_no_gpu() const {
        return std::any_of(report_.findings.begin(), report_.findings.end(), [](const auto& each) {
            return each.id == "gpu.count" && each.outcome == Outcome::differs && each.have == "0";
        });
    }

    // Returns "7 of 8 AMD Instinct MI300X respond", or the present devices.
    std::string gpus_text() const {
        const auto silent = std::count_if(
            report_.findings.begin(), report_.findings.end(), [&](const Finding& each) {
                return each.id == "gpu.count" && each.outcome == Outcome::differs &&
                       report_.device_names.contains(each.target);
            });
        const auto mark = report_.gpus.find(" x ");
        const auto total = parse_number(std::string_view(report_.gpus).substr(0, mark));
        const bool is_one_model = total && report_.gpus.find(',') == std::string::npos;
        if (!is_one_model || silent == 0 || static_cast<std::uint64_t>(silent) > *total) {
            return report_.gpus;
        }
        return number(*total - static_cast<std::uint64_t>(silent)) + " of " + number(*total) + " " +
               report_.gpus.substr(mark + 3) + " respond";
    }

    std::string verdict() const {
        if (report_.findings.empty()) {
            return "nothing was checked";
        }
        std::vector<std::string> parts;
        const auto failed = of(Class::failed).size();
        const auto unknown = unknown_at(Level::required);
        if (failed > 0) {
            parts.push_back(
                number(failed) + (report_.strict == Strict::yes ? "" : " required") +
                (causes() < failed ? " failed (" + counted(causes(), "cause") + ")" : " failed"));
        }
        add_count(parts, unknown, "required check could not be read",
                  "required checks could not be read");
        const auto advice = of(Class::warned).size();
        const auto hidden = hidden_required();
        if (parts.empty()) {
            parts.push_back(std::string("all ") + (hidden > 0 ? "visible " : "") +
                            (advice + unknown_at(Level::recommended) == 0
                                 ? "required and recommended checks passed"
                                 : "required checks passed") +
                            (how_many_waived() == 0 ? "" : " or are waived"));
        }
        add_count(parts, hidden, "required check is hidden from this container",
                  "required checks are hidden from this container");
        add_count(parts, advice, "recommendation not met", "recommendations not met");
        add_count(parts, unknown_at(Level::recommended), "recommended check could not be read",
                  "recommended checks could not be read");
        add_count(parts, how_many_waived(), "finding waived", "findings waived");
        return join(parts, ", ");
    }

    std::size_t hidden_required() const {
        return count_if(Class::hidden,
                        [](const Finding& finding) { return finding.level == Level::required; });
    }

    std::size_t how_many_waived() const {
        const auto is_waived = [](const Finding& finding) { return finding.waived.has_value(); };
        return count_if(Class::optional, is_waived) + count_if(Class::unknown, is_waived);
    }

    void entry(const Entry& item, Class each) {
        const Finding& finding = *item.first;
        if (!listed_) {
            document_.blank();
            listed_ = true;
        }
        const auto [tone, word] = severity_of(each);
        if (is_as_above(item, each)) {
            document_.entry(tone, word, finding.id,
                            sentence(report_, item, everything_) + " (as above)");
            return;
        }
        above_ = &item;
        document_.entry(tone, word, finding.id, sentence(report_, item, everything_));
        if (!finding.detail.empty() && !is_in_sentence(report_, item)) {
            document_.field("detail", as_sentence(finding.detail));
        }
        reason(finding, each);
        next(item);
        follows(item);
    }

    // Returns the severity of the listed classes.
    static Severity severity_of(Class each) {
        return each == Class::unknown  ? Severity{Tone::unknown, "UNKNOWN"}
               : each == Class::failed ? rocenv::severity_of(Level::required)
               : each == Class::warned ? rocenv::severity_of(Level::recommended)
                                       : rocenv::severity_of(Level::info);
    }

    // Returns true if the entry above has the same targets, detail and next step, as for each check
    // of a suspended GPU.
    bool is_as_above(const Entry& item, Class each) const {
        return above_ != nullptr && each == Class::unknown && !everything_ &&
               item.targets == above_->targets && item.first->reason == above_->first->reason &&
               item.first->detail == above_->first->detail && item.first->fix == above_->first->fix;
    }

    void reason(const Finding& finding, Class each) {
        const auto note = report_.settings.find(finding.id);
        const bool asked = is_bad(each) || everything_;
        if (!asked || each == Class::unknown || note == report_.settings.end() ||
            note->second.why.empty()) {
            return;
        }
        document_.field("why", as_sentence(note->second.why));
        if (everything_) {
            document_.field("source", note->second.source);
        }
    }

    void next(const Entry& item) {
        const Finding& finding = *item.first;
        add_steps(finding, document_);
        if (!finding.fix.empty() && !item.same_fix) {
            document_.field("", "Repeat this for each device.");
        }
    }

    // Adds the consequences of this finding.
    void follows(const Entry& cause) {
        std::string label = "follows";
        const auto add = [&](const std::string& text) {
            document_.field(label, text);
            label.clear();
        };
        std::size_t more = 0;
        std::size_t listed = 0;
        for (const auto each : {Class::failed, Class::warned, Class::optional}) {
            for (const auto& item : of(each)) {
                if (!is_cause(cause, *item.first) || item.first->waived) {
                    continue;
                }
                if (!everything_ && (listed == most_consequences || each == Class::optional)) {
                    ++more;
                    continue;
                }
                ++listed;
                add(std::string(severity_of(each).word) + " " + item.first->id + ": " +
                    sentence(report_, item, everything_));
            }
        }
        if (more > 0) {
            add(counted(more, listed == 0 ? "difference" : "more difference") + " (-v lists all)");
        }
        unread_by(cause, add);
    }

    // Returns whether one of the findings of an entry is the cause of this one.
    bool is_cause(const Entry& entry, const Finding& finding) const {
        const Finding* cause = cause_of(report_, finding);
        return cause != nullptr && cause->id == entry.first->id &&
               std::find(entry.targets.begin(), entry.targets.end(), cause->target) !=
                   entry.targets.end();
    }

    template <class Add>
    void unread_by(const Entry& cause, Add add) const {
        const auto unread =
            unread_if([&](const Entry& item) { return is_cause(cause, *item.first); });
        if (unread.checks > 0) {
            add(counted(unread.checks, "check") + " could not be read" +
                (everything_ ? ": " + join(unread.ids, ", ") : " (-v lists them)"));
        }
    }

    struct Unread {
        std::size_t checks = 0;
        std::vector<std::string> ids{};  // distinct ids
    };

    template <class Predicate>
    Unread unread_if(Predicate fits) const {
        Unread out;
        for (const auto& item : of(Class::unknown)) {
            if (!item.first->waived && fits(item)) {
                ++out.checks;
                out.ids.push_back(item.first->id);
            }
        }
        out.ids.erase(std::unique(out.ids.begin(), out.ids.end()), out.ids.end());
        return out;
    }

    // Returns "0000:05:00.0: " for an entry with one device, option or file; else an empty text.
    static std::string only_target(const Entry& item) {
        const std::string& target = item.targets.front();
        const bool is_whole =
            is_trivial_target(target) || target.starts_with("cpu") || target.starts_with("policy");
        return item.targets.size() == 1 && !is_whole ? target + ": " : "";
    }

    // Adds one line of optional findings, or an entry for each.
    void optional() {
        std::vector<const Entry*> open;
        for (const auto& item : of(Class::optional)) {
            if (!item.first->waived && (everything_ || !item.first->aside) &&
                cause_of(report_, *item.first) == nullptr) {
                open.push_back(&item);
            }
        }
        if (everything_) {
            for (const auto* item : open) {
                entry(*item, Class::optional);
            }
            return;
        }
        std::vector<std::string> parts;
        for (const auto* item : open) {
            if (!item->first->expected) {  // a variable: the fault is more useful than the value
                remark(*item);
            } else {
                parts.push_back(item->first->id + " " + only_target(*item) +
                                printable(have_text(*item->first), longest_value) + " (" +
                                printable(*item->first->expected, longest_value) + ")");
            }
        }
        document_.blank();
        if (!parts.empty()) {
            document_.paragraph(counted(parts.size(), "optional setting") +
                                (parts.size() == 1 ? " differs: " : " differ: ") +
                                join(parts, ", "));
        }
        unread();
        to_set();
    }

    void unread() {
        const auto optional = unread_if([&](const Entry& item) {
            return !is_listed(item, Class::unknown) && cause_of(report_, *item.first) == nullptr;
        });
        if (optional.checks > 0) {
            document_.paragraph(counted(optional.checks, "optional check") +
                                " could not be read: " + join(optional.ids, ", "));
        }
    }

    void to_set() {
        if (!report_.set_all.empty()) {
            const bool is_elsewhere = report_.node.container || report_.root.ends_with(".tree");
            document_.line(std::string("To set all that can be set") +
                           (is_elsewhere ? ", on the node: " : ": ") + report_.set_all);
        }
    }

    void waived() {
        for (const auto each : {Class::optional, Class::unknown}) {
            for (const auto& item : of(each)) {
                if (item.first->waived) {
                    const Waived& waiver = *item.first->waived;
                    document_.blank();
                    document_.entry(Tone::info, "INFO", item.first->id,
                                    sentence(report_, item, everything_));
                    document_.field("waived", "until " + waiver.until + " by " + waiver.ticket +
                                                  ": " + waiver.why);
                }
            }
        }
    }

    void remarks() {
        for (const auto& item : of(Class::passed)) {
            if (item.first->remark) {
                remark(item);
            }
        }
    }

    // Adds one line without reason and next step.
    void remark(const Entry& item) {
        const Finding& finding = *item.first;
        const bool is_said = finding.detail.empty() || is_in_sentence(report_, item);
        document_.entry(
            Tone::info, "INFO", finding.id,
            sentence(report_, item, everything_) + (is_said ? "" : ": " + finding.detail));
    }

    void quiet() {
        static constexpr std::pair<Class, const char*> sections[] = {
            {Class::passed, "Passed"},
            {Class::not_applicable, "Not applicable"},
            {Class::hidden, "Hidden from this container"}};
        for (const auto& [each, title] : sections) {
            if (of(each).empty()) {
                continue;
            }
            document_.blank();
            document_.heading(title);
            for (const auto& item : of(each)) {
                const Finding& finding = *item.first;
                const bool has_detail = !finding.detail.empty() && item.same_detail;
                document_.entry(
                    each == Class::passed ? Tone::pass : Tone::none,
                    each == Class::passed ? "PASS" : "", finding.id,
                    quiet_sentence(report_, item) + (has_detail ? ": " + finding.detail : ""));
            }
        }
    }

    void foot() {
        std::vector<std::string> parts;
        static constexpr std::pair<Class, std::pair<const char*, const char*>> names[] = {
            {Class::failed, {"failed", "failed"}},
            {Class::warned, {"warning", "warnings"}},
            {Class::unknown, {"unknown", "unknown"}},
            {Class::optional, {"optional", "optional"}},
            {Class::passed, {"passed", "passed"}},
            {Class::not_applicable, {"not applicable", "not applicable"}},
            {Class::hidden, {"hidden", "hidden"}}};
        for (const auto& [each, words] : names) {
            add_count(parts, count(each), words.first, words.second);
        }
        add_count(parts, how_many_waived(), "waived", "waived");
        document_.blank();
        document_.paragraph((parts.empty() ? "0 checks" : join(parts, ", ")) +
                            (everything_ || parts.empty() ? "" : " (" + more_checks() + ")"));
        for (const auto& note : report_.notes) {
            document_.paragraph("note: " + printable(note, uncut));
        }
        facts();
        for (const auto& each : report_.identities.value_or(std::vector<ReportIdentity>())) {
            document_.paragraph(each.target + " " + each.name + ": " +
                                (each.value ? *each.value : "unknown, " + each.detail));
        }
    }

    // Names the checks listed by -v, and the command for node checks that the profile leaves out.
    std::string more_checks() const {
        const bool asks_node = !report_.gpus.empty() && report_.only.empty() &&
                               report_.skip.empty() && report_.scope != "process";
        const bool has_nics = std::any_of(report_.findings.begin(), report_.findings.end(),
                                          [](const auto& each) { return each.id == "rdma.port"; });
        return std::string("-v lists all") +
               (asks_node && !has_nics ? "; -p acceptance also checks NICs, memory and disks" : "");
    }

    void facts() {
        if (report_.facts) {
            const FactSheet& sheet = *report_.facts;
            document_.paragraph(
                "facts: " + number(sheet.facts.size()) +
                (sheet.unread == 0 ? "" : ", " + number(sheet.unread) + " not read") +
                ", fingerprint " + sheet.fingerprint);
        }
    }

    const Report& report_;
    const bool everything_;
    std::vector<const Finding*> by_class_[class_count];
    Entries entries_[class_count];
    bool listed_ = false;
    const Entry* above_ = nullptr;  // last entry printed in full
    Document document_;
};

}  // namespace

std::string render_human(const Report& report, Detail detail, Screen screen) {
    return detail == Detail::quiet ? std::string() : CheckText(report, detail).text(screen);
}

}  // namespace rocenv
