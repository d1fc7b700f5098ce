// SPDX-License-Identifier: MIT
// Explains a setting, a variable and a profile on this machine, and finds the profiles that name
// it.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "check/check.h"
#include "help/explain/explanation.h"
#include "profile/profile.h"
#include "rocenv/machine.h"
#include "rocenv/process.h"
#include "variables/environment.h"
#include "variables/reading.h"

namespace rocenv {

// Which profiles want a setting or variable, and what: of all that this caller could name with -p.

class ProfileUses {
   public:
    // The store must outlive this. Profiles that cannot be read are left out, and those beyond
    // some thousand. They are read whole and once where more than a few ids will be asked for.
    ProfileUses(const ProfileStore& store, std::size_t ids) : store_(store), whole_(ids > 4) {}

    // Profiles by what they want of an id, inherited or their own, whatever the machine; what is
    // required comes first.
    std::vector<ProfileUse> of(const std::string& id);

    // Returns the want of a profile for an id if every condition holds; std::nullopt if the profile
    // does not name the id.
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

// Explains a profile, and whether it applies to this machine.

class ProfileExplainer {
   public:
    // All must outlive this.
    ProfileExplainer(const Machine& machine, const Process& process, const ProfileStore& store,
                     ProfileUses& uses)
        : machine_(machine), process_(process), store_(store), uses_(uses) {}

    // Explains the profile with a name or a path. Fails as ProfileStore::find() does.
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

// Explains settings on this machine: one check judges all of them.

class SettingExplainer {
   public:
    // All must outlive this. `process` is whose limits and rights are asked.
    SettingExplainer(const CheckRequest& request, const Fs& fs, const Machine& machine,
                     const Fs& host, const Process& process, ProfileUses& uses)
        : request_(request),
          fs_(fs),
          machine_(machine),
          host_(host),
          process_(process),
          uses_(uses) {}

    // Judges these ids by the profile; its errors and warnings go into `out`.
    void judge(const std::vector<std::string>& ids, Explanations& out);

    // Explains an id that was judged; call it once for each.
    SettingExplanation explain(const std::string& id);

   private:
    SettingHere here(const Setting& setting, const std::vector<ProfileUse>& uses);
    std::vector<Finding> unjudged(const Setting& setting) const;

    const CheckRequest& request_;
    const Fs& fs_;
    const Machine& machine_;
    const Fs& host_;
    const Process& process_;
    ProfileUses& uses_;
    Report report_;
};

// Explains a variable on this machine.

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

    // Explains a catalogued name; `as` is the name to find in the environment if that is another.
    VariableExplanation explain(const std::string& name, const std::string& as) const;

    // Explains it and its state here in short, for a list.
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
