// SPDX-License-Identifier: MIT
#include "transaction/reset_rows.h"

#include <algorithm>

#include "transaction/set_plan.h"
#include "util/text.h"

namespace rocenv {

// "policy12" as base, number and suffix, so that equal CPUs are told as one.
static Target target_of(const std::string& text) {
    for (const std::string base : {"cpu", "policy"}) {
        const auto end = text.find_first_not_of("0123456789", base.size());
        const auto value = text.starts_with(base)
                               ? parse_number(std::string_view(text).substr(
                                     base.size(), std::min(end, text.size()) - base.size()))
                               : std::nullopt;
        if (value && *value <= UINT32_MAX) {
            return {base, static_cast<std::uint32_t>(*value),
                    end == std::string::npos ? "" : text.substr(end)};
        }
    }
    return {text, std::nullopt, ""};
}

Assessment reset_row(const Undone& target, const std::map<Key, std::string>& now,
                     const std::string& reset) {
    Assessment row;
    row.target = target_of(target.key.target);
    // What nobody set has no record: it was to stay as it was.
    row.want = target.baseline.empty() ? target.before : target.baseline;
    switch (target.fate) {
        case Undone::Fate::back:
            row.outcome = Outcome::changed;
            row.have = target.baseline;
            row.was = target.before;
            row.put_back = PutBack::yes;
            break;
        case Undone::Fate::was_back:
            row.outcome = Outcome::ok;
            row.have = target.baseline;
            row.put_back = PutBack::yes;
            break;
        case Undone::Fate::foreign:
            row.outcome = Outcome::differs;
            row.have = target.before;
            row.put_back = PutBack::not_tried;
            row.detail = "changed by someone else since, left alone";
            row.next_step = "put it back: " + reset + " --force, or accept it: " + reset +
                            " --keep " + target.key.id;
            break;
        case Undone::Fate::stuck:
            row.outcome = Outcome::failed;
            row.have = now.contains(target.key) ? now.at(target.key) : "unknown";
            row.was = target.before;
            row.put_back = PutBack::no;
            row.detail = target.detail;
            row.next_step = way_out(target.key.id, reset);
            break;
        case Undone::Fate::given_up:
            row.outcome = target.before == target.baseline ? Outcome::ok : Outcome::differs;
            row.have = target.before;
            row.put_back = PutBack::not_tried;
            row.detail = "given up: it does not come back";
            row.next_step = "write by hand what it was, where you want it back";
            break;
    }
    return row;
}

Finding reset_finding(const std::string& id, const Assessment& row) {
    Finding finding;
    finding.id = id;
    finding.target = row.target.text();
    finding.outcome = row.outcome;
    finding.want = row.want;
    finding.have = row.have;
    finding.was = row.was;
    finding.put_back = row.put_back;
    finding.detail = row.detail;
    finding.fix = row.next_step;
    return finding;
}

}  // namespace rocenv
