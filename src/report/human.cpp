// SPDX-License-Identifier: MIT
// The human report of check.
#include "report/render.h"
#include "report/report_text.h"
#include "util/exit_status.h"
#include "util/text.h"

namespace rocenv {

namespace {

class CheckText : ReportText {
   public:
    using ReportText::ReportText;

    std::string text() {
        head(join(report_.profiles, " + "), verdict());
        for (const auto level : {Level::required, Level::recommended, Level::info}) {
            section(level == Level::info ? Style::heading : Style::attention, Outcome::differs,
                    level);
            section(Style::unsure, Outcome::unknown, level);
        }
        waived();
        remarks();
        if (detail_ == Detail::everything) {
            for (const auto outcome : {Outcome::ok, Outcome::na, Outcome::hidden}) {
                all_of(outcome);
            }
        }
        counts_and_notes();
        facts();
        identities();
        return std::move(out_);
    }

   private:
    std::string verdict() const {
        if (report_.findings.empty()) {
            return "nothing was judged";
        }
        std::vector<std::string> parts;
        for (const auto level : {Level::required, Level::recommended}) {
            const std::string word(word_of(level));
            if (const auto count = how_many(Outcome::differs, level); count > 0) {
                parts.push_back(counted(count, word + " setting") +
                                (count == 1 ? " differs" : " differ"));
            }
            if (const auto count = how_many(Outcome::unknown, level); count > 0) {
                parts.push_back(counted(count, word + " setting") + " unknown");
            }
            if (const auto count = how_many(Outcome::hidden, level); count > 0) {
                parts.push_back(counted(count, word + " setting") + " hidden from this container");
            }
        }
        if (const auto count =
                how_many([](const Finding& finding) { return finding.waived.has_value(); });
            count > 0) {
            parts.push_back(counted(count, "setting") + " waived");
        }
        const bool ok = report_.exit_code == exit_ok;
        const std::string head = ok ? "all that is required is as wanted"
                                 : report_.exit_code == exit_differs ? "NOT as wanted"
                                                                     : "CANNOT TELL";
        return parts.empty() ? head : head + (ok ? "; " : ": ") + join(parts, ", ");
    }

    void facts() {
        if (report_.facts) {
            const FactSheet& sheet = *report_.facts;
            out_ += "facts: " + number(sheet.facts.size()) +
                    (sheet.unread == 0 ? "" : ", " + number(sheet.unread) + " not read") +
                    ", fingerprint " + sheet.fingerprint + "\n";
        }
    }

    void identities() {
        for (const auto& each : report_.identities.value_or(std::vector<ReportIdentity>())) {
            out_ += wrapped("", 2,
                            each.target + " " + each.name + ": " +
                                (each.value ? *each.value : "unknown, " + each.detail));
        }
    }

    void remarks() {
        section(
            "as wanted, worth knowing", Style::heading,
            [](const Finding& finding) { return finding.outcome == Outcome::ok && finding.remark; },
            [this](const Told& item) {
                out_ += wrapped("  ", 6,
                                item.first->id + ": " + have_text(*item.first) + " on " +
                                    some_of(item.targets, detail_));
                out_ += wrapped("    ", 4, item.first->detail);
            });
    }
};

}  // namespace

std::string render_human(const Report& report, Detail detail, Colour colour) {
    return detail == Detail::quiet ? std::string() : CheckText(report, detail, colour).text();
}

}  // namespace rocenv
