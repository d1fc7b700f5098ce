// SPDX-License-Identifier: MIT
// Which profiles want a setting or variable, and what: of all that this caller could name with -p.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "explain/explanation.h"
#include "profile/profile.h"

namespace rocenv {

class ProfileUses {
   public:
    // The store must outlive this. Profiles that cannot be read are left out, and those beyond
    // some thousand.
    explicit ProfileUses(const ProfileStore& store) : store_(store) {}

    // Profiles by what they want of an id, inherited or their own, whatever the machine; what is
    // required comes first.
    std::vector<ProfileUse> of(const std::string& id);

    // What a profile wants of an id where every condition holds; nothing: it does not name it.
    std::optional<Want> want_of(const std::string& profile, const std::string& id);

    // Profiles that name this one in `extends`.
    std::vector<std::string> extending(const std::string& name);

   private:
    struct Read {
        std::vector<std::string> extends;
        std::map<std::string, ProfileEntry> entries;  // by id
    };
    const std::map<std::string, Read>& all();
    void visit(const std::string& profile, const std::string& id, std::set<std::string>& seen,
               Want& want);

    const ProfileStore& store_;
    std::map<std::string, Read> read_;
};

}  // namespace rocenv
