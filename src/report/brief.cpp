// SPDX-License-Identifier: MIT
// One line about a check, for a scheduler's reason field or a log. The worst comes first: the level
// and outcome that decide the status, with each setting once and its first target. The counts of
// lesser findings follow. Parts that do not fit are counted.
#include "report/brief.h"
#include "report/model/consequences.h"

#include <algorithm>
#include <map>

#include "machine/sources.h"
#include "profile/profile_selection.h"
#include "report/render.h"
#include "util/exit_status.h"
#include "util/text.h"

namespace rocenv {

namespace {

constexpr std::size_t longest_have = 20;
constexpr std::string_view no_gpu_in_short = no_gpu_found.substr(0, no_gpu_found.find(';'));

// Returns plain ASCII without the field separators of tables.
std::string plain(std::string_view text) {
    std::string out;
    for (const char each : text) {
        const bool good = each >= ' ' && each <= '~' && each != ';' && each != ',' && each != '|';
        out += good ? each : '?';
    }
    return out;
}

// Findings of one setting with equal level and outcome.
struct Trouble {
    const Finding* first;
    std::size_t targets = 0;

    std::string name() const {
        const std::string& target = first->target;
        const std::string more = targets > 1 ? " +" + number(targets - 1) : "";
        return plain(first->id) + (is_trivial_target(target) ? "" : " " + plain(target)) + more;
    }
    // Returns the name with the present value, or with the reason if it is unknown.
    std::string full() const {
        const std::string state = first->outcome == Outcome::unknown
                                      ? std::string(word_of(first->reason))
                                      : plain(first->have.value_or(""));
        return targets > 1 || state.empty() || state.size() > longest_have ? name()
                                                                           : name() + " " + state;
    }
};

class Brief {
   public:
    Brief(const Report& report, std::size_t longest) : report_(report), longest_(longest) {
        for (const auto level : {Level::required, Level::recommended, Level::info}) {
            for (const auto outcome : {Outcome::differs, Outcome::unknown}) {
                gather(level, outcome);
            }
        }
    }

    std::string line(const BriefStart& start) const {
        if (finds_no_gpu(report_)) {
            return line_without_gpus(start);
        }
        const auto tails = counts();
        return troubles_.empty() ? start.none + fitting_tails(start.none.size(), tails)
                                 : trouble_line(start.trouble, tails);
    }

   private:
    // Returns the line without GPUs, whose sentence names profile.auto. Only a failure precedes it.
    std::string line_without_gpus(const BriefStart& start) const {
        auto tails = counts();
        if (report_.exit_code != exit_ok) {
            tails.insert(tails.begin(), {std::string(no_gpu_found), std::string(no_gpu_in_short)});
            return trouble_line(start.trouble, tails);
        }
        const auto others = static_cast<std::size_t>(
            std::count_if(troubles_.begin(), troubles_.end(),
                          [](const Trouble& each) { return each.first->id != auto_id; }));
        if (others > 0) {
            const Finding& worst = *troubles_.front().first;
            tails.insert(tails.begin(),
                         "+" + number(others) + " " + std::string(word_of(worst.level)));
        }
        const std::string head = start.trouble + std::string(no_gpu_found);
        return head + fitting_tails(head.size(), tails);
    }

    // Adds the findings of the worst kind by name; later kinds are counted.
    void gather(Level level, Outcome outcome) {
        std::map<std::string, std::size_t> known;
        std::vector<Trouble> found;
        for (const auto& finding : report_.findings) {
            if (finding.level != level || finding.outcome != outcome || finding.waived ||
                finding.aside) {
                continue;
            }
            const auto [entry, is_new] = known.emplace(finding.id, found.size());
            if (is_new) {
                found.push_back({&finding, 0});
            }
            ++found[entry->second].targets;
        }
        if (found.empty()) {
            return;
        }
        if (troubles_.empty()) {
            troubles_ = std::move(found);
        } else if (level != Level::info) {
            lesser_.push_back(counted_as(found.size(), level, outcome));
        }
    }

    static std::string counted_as(std::size_t count, Level level, Outcome outcome) {
        const char* verb = outcome == Outcome::unknown ? "unknown"
                           : count == 1                ? "differs"
                                                       : "differ";
        return number(count) + " " + std::string(word_of(level)) + " " + verb;
    }

    // Returns the parts after the named ones, the most important first.
    std::vector<std::string> counts() const {
        auto out = lesser_;
        const auto add = [&](const auto& belongs, const char* word) {
            const auto count =
                std::count_if(report_.findings.begin(), report_.findings.end(), belongs);
            if (count > 0) {
                out.push_back(number(count) + " " + word);
            }
        };
        add([](const Finding& each) { return each.outcome == Outcome::hidden; }, "hidden");
        add([](const Finding& each) { return each.waived.has_value(); }, "waived");
        return out;
    }

    // Returns the parts that fit after `used` characters.
    std::string fitting_tails(std::size_t used, const std::vector<std::string>& tails) const {
        std::string out;
        for (const auto& tail : tails) {
            if (tail == no_gpu_in_short && out.ends_with(no_gpu_found)) {
                continue;
            }
            if (used + out.size() + 2 + tail.size() <= longest_) {
                out += "; " + tail;
            }
        }
        return out;
    }

    std::string more_after(std::size_t listed) const {
        const auto left = troubles_.size() - listed;
        return left == 0 ? "" : ", +" + number(left) + " more";
    }

    // Returns the line. It always has the first trouble, at the cost of a tail; tails precede
    // further troubles.
    std::string trouble_line(const std::string& start,
                             const std::vector<std::string>& tails) const {
        const Finding& worst = *troubles_.front().first;
        const std::string head =
            start + counted_as(troubles_.size(), worst.level, worst.outcome) + ": ";
        const std::size_t room = longest_ - head.size() - more_after(1).size();
        std::string names = fitting(troubles_.front(), room);
        const std::string rest =
            fitting_tails(head.size() + names.size() + more_after(1).size(), tails);
        std::size_t count = 1;
        for (; count < troubles_.size(); ++count) {
            const auto used =
                head.size() + names.size() + 2 + more_after(count + 1).size() + rest.size();
            if (used >= longest_) {
                break;
            }
            const auto next = shortened(troubles_[count], longest_ - used);
            if (next.empty()) {
                break;
            }
            names += ", " + next;
        }
        return head + names + more_after(count) + rest;
    }

    // Returns the full text, else only the name, else an empty string.
    static std::string shortened(const Trouble& trouble, std::size_t room) {
        const auto full = trouble.full();
        const auto name = trouble.name();
        return full.size() <= room ? full : name.size() <= room ? name : "";
    }

    static std::string fitting(const Trouble& trouble, std::size_t room) {
        auto out = shortened(trouble, room);
        if (out.empty()) {
            out = plain(trouble.first->id);
        }
        return out.size() <= room ? out : out.substr(0, room - 3) + "...";
    }

    const Report& report_;
    const std::size_t longest_;
    std::vector<Trouble> troubles_;    // troubles of the worst level and outcome
    std::vector<std::string> lesser_;  // counts of lesser findings
};

}  // namespace

bool finds_no_gpu(const Report& report) {
    return std::any_of(report.findings.begin(), report.findings.end(), [](const Finding& finding) {
        return finding.id == auto_id && finding.outcome == Outcome::differs && !finding.waived &&
               finding.detail.starts_with(no_gpu_found);
    });
}

std::string brief_line(const Report& report, const BriefStart& start, std::size_t longest) {
    return Brief(report, longest).line(start);
}

std::string render_brief(const Report& report) {
    constexpr std::size_t longest_line = 80;
    const bool ok = report.exit_code == exit_ok;
    const std::string none = report.findings.empty() ? "rocenv: nothing was checked" : "rocenv: ok";
    return brief_line(report, {ok ? "rocenv: ok; " : "rocenv: ", none}, longest_line) + "\n";
}

}  // namespace rocenv
