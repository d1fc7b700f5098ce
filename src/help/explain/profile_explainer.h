// SPDX-License-Identifier: MIT
// What there is to say of a profile, and whether it is for this machine.
#pragma once

#include <string>

#include "help/explain/profile_uses.h"
#include "rocenv/machine.h"
#include "rocenv/process.h"

namespace rocenv {

class ProfileExplainer {
   public:
    // All must outlive this.
    ProfileExplainer(const Machine& machine, const Process& process, const ProfileStore& store,
                     ProfileUses& uses)
        : machine_(machine), process_(process), store_(store), uses_(uses) {}

    // Of a name or a path. Errors as of ProfileStore::find().
    Result<ProfileExplanation> explain(const std::string& name);

    // Name and summary alone, for a list.
    ProfileExplanation outline(const std::string& name) const;

   private:
    static ProfileExplanation head(const std::string& name, const ProfileText& text);
    std::string here(const std::string& name, const Resolved& resolved);

    const Machine& machine_;
    const Process& process_;
    const ProfileStore& store_;
    ProfileUses& uses_;
    std::string chosen_;  // by auto; empty: not asked yet
};

}  // namespace rocenv
