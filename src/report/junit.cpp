// SPDX-License-Identifier: MIT
// A check as JUnit XML, with the common elements and attributes of Jenkins' schema (junit-4.xsd)
// and the report actions of GitLab and GitHub. Messages of skipped cases are text, since that
// schema has no attribute for them. Times are not measured and are 0.
#include <array>

#include "print/escape.h"
#include "report/finding_lines.h"
#include "report/model/consequences.h"
#include "report/render.h"
#include "util/credentials.h"
#include "util/text.h"

namespace rocenv {

namespace {

enum class CaseVerdict { passed, skipped, failure, error };

CaseVerdict case_verdict(const Report& report, const Finding& finding) {
    if (finding.outcome == Outcome::ok) {
        return CaseVerdict::passed;
    }
    if (is_quiet(finding.outcome) || !is_decisive(report, finding) ||
        cause_of(report, finding) != nullptr) {
        return CaseVerdict::skipped;
    }
    return finding.outcome == Outcome::unknown ? CaseVerdict::error : CaseVerdict::failure;
}

// Returns the text without credentials, escaped. Quotes show where a secret ends, so these are
// hidden before the quotes become entities.
std::string clean_text(std::string_view text) {
    return xml_text(without_credentials(text));
}

// Returns an attribute with its value as one line.
std::string xml_attribute(std::string_view name, std::string_view value) {
    return " " + std::string(name) + "=\"" + clean_text(printable(value, uncut)) + "\"";
}

class JunitText {
   public:
    explicit JunitText(const Report& report) : report_(report) {}

    std::string text() {
        std::string cases;
        for (const auto& finding : report_.findings) {
            cases += test_case(finding);
        }
        return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites" + counts() + ">\n" +
               "  <testsuite" + xml_attribute("name", suite_name()) +
               " package=\"rocenv\" id=\"0\"" + counts() +
               xml_attribute("skipped", number(how_many(CaseVerdict::skipped))) +
               xml_attribute("hostname", host_name()) +
               // The schema of Ant's task accepts no time zone.
               xml_attribute("timestamp", report_.time.substr(0, report_.time.find('Z'))) + ">\n" +
               properties() + cases + "    <system-out>" + clean_text(notes()) +
               "</system-out>\n    <system-err></system-err>\n  </testsuite>\n</testsuites>\n";
    }

   private:
    std::size_t how_many(CaseVerdict verdict) const {
        return verdicts_[static_cast<std::size_t>(verdict)];
    }

    std::string counts() const {
        return xml_attribute("tests", number(report_.findings.size())) +
               xml_attribute("failures", number(how_many(CaseVerdict::failure))) +
               xml_attribute("errors", number(how_many(CaseVerdict::error))) + " time=\"0\"";
    }

    std::string suite_name() const {
        return report_.profiles.empty() ? "no profile" : join(report_.profiles, " ");
    }

    std::string host_name() const {
        return report_.node.hostname.empty() ? "localhost" : report_.node.hostname;
    }

    std::string properties() const {
        const auto property = [](std::string_view name, std::string_view value) {
            return "      <property" + xml_attribute("name", name) + xml_attribute("value", value) +
                   "/>\n";
        };
        return "    <properties>\n" + property("version", ROCENV_VERSION) +
               property("profile_digest", report_.profile_digest) +
               property("result", report_.result) + property("exit", number(report_.exit_code)) +
               property("gpus", report_.gpus) + "    </properties>\n";
    }

    std::string notes() const {
        std::string out;
        for (const auto& note : report_.notes) {
            out += printable(note, uncut) + "\n";
        }
        return out;
    }

    std::string test_case(const Finding& finding) {
        const auto verdict = case_verdict(report_, finding);
        ++verdicts_[static_cast<std::size_t>(verdict)];
        const auto group = finding.id.substr(0, finding.id.find('.'));
        const auto start = "    <testcase" + xml_attribute("classname", "rocenv." + group) +
                           xml_attribute("name", finding.id + " " + finding.target) + " time=\"0\"";
        const auto inside = message(finding, verdict);
        return start + (inside.empty() ? "/>\n" : ">\n" + inside + "    </testcase>\n");
    }

    std::string message(const Finding& finding, CaseVerdict verdict) const {
        const std::string headline = finding_headline(finding);
        const auto lines = finding_lines(finding);
        switch (verdict) {
            case CaseVerdict::passed:
                return "";
            case CaseVerdict::skipped:
                return "      <skipped>" + clean_text(why_skipped(finding)) + "</skipped>\n";
            case CaseVerdict::failure:
                return element("failure", "differs", headline, lines);
            case CaseVerdict::error:
                return element("error", word_of(finding.reason), headline, lines);
        }
        return "";
    }

    static std::string element(const std::string& name, std::string_view type,
                               std::string_view headline, const std::vector<std::string>& lines) {
        return "      <" + name + xml_attribute("type", type) + xml_attribute("message", headline) +
               ">" + clean_text(join(lines, "\n")) + "</" + name + ">\n";
    }

    std::string why_skipped(const Finding& finding) const {
        std::string out(word_of(finding.outcome));
        if (const Finding* cause = cause_of(report_, finding)) {
            return "a consequence of " + printable(finding_name(*cause), uncut) + " (" + out + ")";
        }
        if (!is_quiet(finding.outcome)) {
            out =
                std::string(word_of(finding.level)) + ", " + out + ": " + finding_headline(finding);
        }
        for (const auto& line : finding_lines(finding)) {
            out += "\n" + line;
        }
        return out;
    }

    const Report& report_;
    std::array<std::size_t, 4> verdicts_{};
};

}  // namespace

std::string render_junit(const Report& report) {
    return JunitText(report).text();
}

}  // namespace rocenv
