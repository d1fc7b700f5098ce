// SPDX-License-Identifier: MIT
// Which profiles want a setting or variable, and what: of all that this caller could name with -p.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "help/explain/explanation.h"
#include "profile/profile.h"

namespace rocenv {

class ProfileUses {
   public:
    // The store must outlive this. Profiles that cannot be read are left out, and those beyond
    // some thousand. They are read whole and once where more than a few ids will be asked for.
    ProfileUses(const ProfileStore& store, std::size_t ids) : store_(store), whole_(ids > 4) {}

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
    // A shipped one without entries of other ids, where few are asked for.
    Result<ProfileText> find(const std::string& name, const std::string& id) const;
    // All profiles; of their entries those of `id` at least.
    const std::map<std::string, Read>& all(const std::string& id);
    void visit(const std::string& profile, const std::string& id, std::set<std::string>& seen,
               Want& want);

    const ProfileStore& store_;
    const bool whole_;
    std::optional<std::string> id_;  // what was asked for last
    std::map<std::string, Read> read_;
};

}  // namespace rocenv
