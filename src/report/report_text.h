// SPDX-License-Identifier: MIT
// Findings that differ only in their target, as one; the words of their values.
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

    std::vector<Told> items_of(const Belongs& belongs) const;
    const Report& report_;
    const Detail detail_;
    const Colour colour_;
    std::string out_;
};

std::string have_text(const Finding& finding);

}  // namespace rocenv
