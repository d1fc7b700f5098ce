// SPDX-License-Identifier: MIT
// What there is to say of a variable, here.
#pragma once

#include "help/explain/profile_uses.h"
#include "variables/environment.h"
#include "variables/reading.h"

namespace rocenv {

class VariableExplainer {
   public:
    // All must outlive this.
    VariableExplainer(const Machine& machine, const Versions& versions, const Process& asked,
                      ProfileUses& uses)
        : versions_(versions),
          environment_(asked.environment),
          not_evaluated_(asked.not_evaluated),
          uses_(uses),
          readers_(machine, versions) {}

    // Of a catalogued name; `as` is the name that is looked for in the environment where that is
    // another.
    VariableExplanation explain(const std::string& name, const std::string& as) const;

    // What it is and what it is here, for a list.
    VariableExplanation outline(const std::string& name, const std::string& as) const;

   private:
    VariableHere here(const Variable& variable, const std::string& name,
                      const std::vector<Inspection>& rows) const;
    void tell_versions(const Variable& variable, VariableHere& here) const;

    const Versions& versions_;
    const Environment& environment_;
    const NotEvaluated& not_evaluated_;
    ProfileUses& uses_;
    const Readers readers_;
};

}  // namespace rocenv
