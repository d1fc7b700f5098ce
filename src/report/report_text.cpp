// SPDX-License-Identifier: MIT
#include "report/report_text.h"

#include <algorithm>
#include <map>
#include <tuple>

#include "util/text.h"

namespace rocenv {

namespace {

constexpr std::size_t targets_shown = 4;

using Likeness = std::tuple<std::string, Outcome, std::string, std::string, std::string,
                            std::string, std::string>;

Likeness likeness(const Finding& finding) {
    const std::string detail = finding.outcome == Outcome::unknown ? finding.fix : finding.detail;
    const bool tells_was = finding.outcome == Outcome::changed || finding.put_back == PutBack::no;
    return {finding.id,
            finding.outcome,
            finding.want.value_or("\n"),
            finding.have.value_or("\n"),
            detail,
            tells_was ? finding.was.value_or("\n") : "",
            finding.waived ? finding.waived->ticket : ""};
}

}  // namespace

std::string some_of(const std::vector<std::string>& targets, Detail detail) {
    const bool all = detail == Detail::everything || targets.size() <= targets_shown + 1;
    std::string out;
    for (std::size_t at = 0; at < targets.size() && (all || at < targets_shown); ++at) {
        out += (out.empty() ? "" : ", ") + targets[at];
    }
    return all ? out : out + " and " + number(targets.size() - targets_shown) + " more";
}

bool is_trivial_target(const std::string& target) {
    return target == "system" || target == "process";
}

std::string have_text(const Finding& finding) {
    if (finding.have) {
        return finding.have->empty() ? "empty" : *finding.have;
    }
    if (finding.outcome == Outcome::unknown && !finding.effective) {
        return "could not be read";
    }
    return finding.id.starts_with("env.") ? "not set" : "not there";
}

std::vector<Told> ReportText::items_of(const Belongs& belongs) const {
    std::vector<Told> items;
    std::map<Likeness, std::size_t> known;
    for (const auto& finding : report_.findings) {
        if (!belongs(finding)) {
            continue;
        }
        const auto [place, is_new] = known.emplace(likeness(finding), items.size());
        if (is_new) {
            items.push_back({&finding, {}, 0, true, true});
        }
        Told& item = items[place->second];
        item.targets.push_back(finding.target);
        item.things += finding.count;
        item.same_fix = item.same_fix && finding.fix == item.first->fix;
        item.same_detail = item.same_detail && finding.detail == item.first->detail;
    }
    return items;
}

}  // namespace rocenv
