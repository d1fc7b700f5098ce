// SPDX-License-Identifier: MIT
// Functions that explain a setting, a variable and a profile on this machine, and find the profiles
// that use it.
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

// The expectations of profiles for a setting or variable, from all profiles that this caller can
// give to -p.
class ProfileUses {
   public:
    // The store must outlive this object. Unreadable profiles and those after the first thousand or
    // so are left out. For more than a few ids, the profiles are read completely and once.
    ProfileUses(const ProfileStore& store, std::size_t ids) : store_(store), whole_(ids > 4) {}

    // Returns the profiles by their value for an id, inherited or their own, on any machine.
    // Required values come first, then those of more profiles.
    std::vector<ProfileUse> of(const std::string& id);

    // Returns the value that a profile expects for an id if every condition holds; std::nullopt if
    // neither the profile nor one that it extends names the id, or if it was left out.
    std::optional<Expectation> expectation_of(const std::string& profile, const std::string& id);

    // Returns the profiles that name this one in `extends`, sorted.
    std::vector<std::string> extending(const std::string& name);

   private:
    // One profile.
    struct Read {
        std::vector<std::string> extends;
        std::map<std::string, ProfileEntry> entries;  // by id
    };
    // Returns a profile; a shipped one without entries of other ids if few ids are used.
    Result<ProfileText> find(const std::string& name, const std::string& id) const;
    // Returns all profiles, with at least the entries of `id`.
    const std::map<std::string, Read>& all(const std::string& id);
    void visit(const std::string& profile, const std::string& id, std::set<std::string>& seen,
               Expectation& expectation);

    const ProfileStore& store_;
    const bool whole_;
    std::optional<std::string> id_;  // id of the last call
    std::map<std::string, Read> read_;
};

// Explainer of profiles on this machine.
class ProfileExplainer {
   public:
    // All arguments must outlive this object.
    ProfileExplainer(const Machine& machine, const Process& process, const ProfileStore& store,
                     ProfileUses& uses)
        : machine_(machine), process_(process), store_(store), uses_(uses) {}

    // Explains the profile with a name or a path. Errors are those of ProfileStore::find().
    Result<ProfileExplanation> explain(const std::string& name);

    // Returns name, summary, file and parents only, for a list. The error of an unreadable profile
    // is in `faults`.
    ProfileExplanation outline(const std::string& name) const;

   private:
    static ProfileExplanation head(const std::string& name, const ProfileText& text);
    std::string here(const std::string& name, const Resolved& resolved);

    const Machine& machine_;
    const Process& process_;
    const ProfileStore& store_;
    ProfileUses& uses_;
    std::string chosen_;  // profile selected by `auto`; empty: not selected yet
};

// Explainer of settings on this machine. One check judges all of them.
class SettingExplainer {
   public:
    // All arguments must outlive this object. `process` is the one whose limits and rights are
    // judged.
    SettingExplainer(const CheckRequest& request, const Fs& fs, const Machine& machine,
                     const Fs& host, const Process& process, ProfileUses& uses)
        : request_(request),
          fs_(fs),
          machine_(machine),
          host_(host),
          process_(process),
          uses_(uses) {}

    // Judges these ids by the profile. Replaces the errors and warnings of `out`, and sets its
    // `timed_out`.
    void judge(const std::vector<std::string>& ids, Explanations& out);

    // Explains an id that was judged. Moves its findings out, so call it once for each id. A
    // setting that no profile of the request names is read here.
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

// Explainer of variables on this machine.
class VariableExplainer {
   public:
    // All arguments must outlive this object.
    VariableExplainer(const Machine& machine, const Versions& versions, const Process& asked,
                      ProfileUses& uses)
        : versions_(versions),
          environment_(asked.environment),
          not_evaluated_(asked.not_evaluated),
          uses_(uses),
          readers_(machine, versions) {}

    // Explains a name, which must be catalogued. `as` is the name in the environment if that is
    // another one (HSA_OVERRIDE_GFX_VERSION_0), else empty.
    VariableExplanation explain(const std::string& name, const std::string& as) const;

    // Explains the variable and its state here in short, for a list.
    VariableExplanation outline(const std::string& name, const std::string& as) const;

   private:
    VariableHere here(const Variable& variable, const std::string& name,
                      const std::vector<Inspection>& rows) const;
    void add_versions(const Variable& variable, VariableHere& here) const;

    const Versions& versions_;
    const Environment& environment_;
    const NotEvaluated& not_evaluated_;
    ProfileUses& uses_;
    const Readers readers_;
};

}  // namespace rocenv
