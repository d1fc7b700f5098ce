// SPDX-License-Identifier: MIT
// What the human reports of check, set and reset have in common: findings folded, sections, counts.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "print/layout.h"
#include "rocenv/report.h"

namespace rocenv {

// Findings that differ only in their target, told as one.
struct Told {
    const Finding* first;
    std::vector<std::string> targets;
    std::size_t things = 0;  // CPUs, policies, GPUs, functions
    bool same_fix = true;
    bool same_detail = true;
};

// "0000:05:00.0, 0000:09:00.0 and 6 more".
std::string some_of(const std::vector<std::string>& targets, Detail detail);

bool is_trivial_target(const std::string& target);

class ReportText {
   public:
    ReportText(const Report& report, Detail detail, Colour colour)
        : report_(report), detail_(detail), colour_(colour) {}

   protected:
    using Belongs = std::function<bool(const Finding&)>;
    using Shows = std::function<void(const Told&)>;

    std::vector<Told> items_of(const Belongs& belongs) const;
    // Settings, not findings: 384 CPUs and 18 bridges are two things to do.
    std::size_t how_many(const Belongs& belongs) const;
    std::size_t how_many(Outcome outcome, Level level) const;

    // "NAME: VERDICT", and the GPUs below it.
    void head(const std::string& name, const std::string& verdict);
    // Nothing when no finding belongs.
    void section(std::string_view title, Style style, const Belongs& belongs, const Shows& shows);
    void section(Style style, Outcome outcome, Level level);
    void all_of(Outcome outcome);
    // What the site lives with, each with its ticket.
    void waived();
    void counts_and_notes();

    void show(const Told& item);  // with detail, reason and next step
    void list(const Told& item);  // in a line or two
    void show_targets(const Told& item);

    const Report& report_;
    const Detail detail_;
    const Colour colour_;
    std::string out_;

   private:
    void reason(const Finding& finding);
    std::string counts() const;
};

std::string have_text(const Finding& finding);

// The line of a next step, with its end; a command in it is one line, however long, so that it can
// be copied.
std::string next_line(const std::string& fix);

}  // namespace rocenv
