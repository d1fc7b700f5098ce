// SPDX-License-Identifier: MIT
// A check as workflow commands of GitHub, escaped as in its toolkit (github.com/actions/toolkit,
// packages/core/src/command.ts). GitHub shows ten annotations of a kind for each step, so equal
// findings are one annotation and the worst come first; the log has all of them.
#include <functional>
#include <map>
#include <set>

#include "report/entries.h"
#include "report/finding_lines.h"
#include "report/model/consequences.h"
#include "report/render.h"
#include "util/text.h"

namespace rocenv {

namespace {

std::string command_data(std::string_view text) {
    std::string out;
    for (const char byte : text) {
        switch (byte) {
            case '%':
                out += "%25";
                break;
            case '\r':
                out += "%0D";
                break;
            case '\n':
                out += "%0A";
                break;
            default:
                out += byte;
        }
    }
    return out;
}

std::string command_property(std::string_view text) {
    std::string out;
    for (const char byte : command_data(text)) {
        out += byte == ':' ? "%3A" : byte == ',' ? "%2C" : std::string(1, byte);
    }
    return out;
}

bool is_trouble(const Finding& finding) {
    return finding.outcome == Outcome::differs || finding.outcome == Outcome::unknown;
}

class GithubText {
   public:
    explicit GithubText(const Report& report) : report_(report) {}

    std::string text() {
        for (const auto outcome : {Outcome::differs, Outcome::unknown}) {
            annotate("error", [&](const Finding& finding) {
                return is_decisive(report_, finding) && finding.outcome == outcome &&
                       !is_explained(finding);
            });
        }
        annotate("warning", [&](const Finding& finding) {
            return finding.level >= Level::recommended && !finding.waived &&
                   !is_decisive(report_, finding) && is_trouble(finding) && !is_explained(finding);
        });
        annotate("notice", [&](const Finding& finding) {
            return is_trouble(finding) && !finding.aside && !is_explained(finding) &&
                   (finding.level == Level::info || finding.waived);
        });
        skip_consequences();
        return std::move(out_) + summary();
    }

   private:
    using Belongs = std::function<bool(const Finding&)>;

    bool is_explained(const Finding& finding) const {
        return cause_of(report_, finding) != nullptr;
    }

    // Adds one notice for each cause.
    void skip_consequences() {
        std::map<std::string, std::set<std::string>> ids;  // ids by the name of the cause
        for (const auto& finding : report_.findings) {
            if (const Finding* cause = cause_of(report_, finding)) {
                ids[finding_name(*cause)].insert(finding.id);
            }
        }
        for (const auto& [name, skipped] : ids) {
            const std::vector<std::string> list(skipped.begin(), skipped.end());
            out_ += "::notice title=" +
                    command_property(printable("rocenv: skipped, consequences of " + name, uncut)) +
                    "::" + command_data(printable(join(list, ", "), uncut)) + "\n";
        }
    }

    void annotate(const std::string& command, const Belongs& belongs) {
        std::vector<const Finding*> mine;
        for (const auto& finding : report_.findings) {
            if (belongs(finding)) {
                mine.push_back(&finding);
            }
        }
        for (const auto& item : entries_of(mine)) {
            const Finding& finding = *item.first;
            const std::string title =
                "rocenv: " + finding.id + " (" + std::string(word_of(finding.level)) + ", " +
                std::string(word_of(finding.outcome)) + (finding.waived ? ", waived)" : ")");
            out_ += "::" + command + " title=" + command_property(printable(title, uncut)) +
                    "::" + command_data(message(item)) + "\n";
        }
    }

    static std::string message(const Entry& item) {
        const Finding& finding = *item.first;
        std::string out = finding_headline(finding);
        if (item.targets.size() > 1 || !is_trivial_target(finding.target)) {
            out += "\non " + printable(some_of(item.targets, Detail::normal), uncut);
        }
        for (const auto& line : finding_lines(finding)) {
            out += "\n" + line;
        }
        return out;
    }

    // Returns the summary, in fixed words only: the runner searches every line for commands.
    std::string summary() const {
        std::vector<std::string> parts;
        for (const auto& [outcome, count] : report_.summary) {
            parts.push_back(number(count) + " " + outcome);
        }
        return "rocenv check: " + report_.result +
               (parts.empty() ? ", nothing was checked" : " (" + join(parts, ", ") + ")") + "\n";
    }

    const Report& report_;
    std::string out_;
};

}  // namespace

std::string render_github(const Report& report) {
    return GithubText(report).text();
}

}  // namespace rocenv
