// SPDX-License-Identifier: MIT
// What there is to say of a setting, here: all that are asked for are judged by one check.
#pragma once

#include "check/check.h"
#include "help/explain/profile_uses.h"

namespace rocenv {

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

    // Of an id that was judged, once.
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

}  // namespace rocenv
