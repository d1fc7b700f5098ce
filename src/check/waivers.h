// SPDX-License-Identifier: MIT
// Waivers at work: which of them are for this node today, what they leave out, which findings they
// mark, and what is to be said of those that are of no use.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "profile/request.h"
#include "profile/waiver_file.h"
#include "rocenv/report.h"

namespace rocenv {

struct Resolved;

struct LoadedWaivers {
    std::vector<Waiver> all;
    std::vector<std::string> errors;  // bad input: exit 2
    bool timed_out = false;           // a file did not answer: exit 3
    std::vector<Doubt> doubts;        // the node's file, if it is not trusted and ignored
    std::string note;                 // why none of what was named is taken, empty: it is
};

// The node's file where there is one, and what --waivers names. None with --no-waivers, and none
// where `acceptance` is among the profiles. For root only files that no other user can change.
LoadedWaivers load_waivers(const CheckRequest& request, const Resolved& profile, const Fs& host,
                           const Process& process);

class Waivers {
   public:
    Waivers() = default;
    // Of `all` those for the node of this name; `today` is "2026-11-22".
    Waivers(const std::vector<Waiver>& all, const Machine& machine, const std::string& node,
            const std::string& today);

    // Devices, there or not, that a setting leaves out of counts, meshes and equality: those that a
    // waiver of it names. Of a setting of GPUs no other devices.
    std::set<std::string> left_out(const std::string& id) const;

    // Marks what differs or is unknown. Returns a note for each waiver that has ended, and for each
    // that nothing needed; with `only_judged` of those alone that are for one of report.settings.
    std::vector<std::string> apply(Report& report, bool only_judged) const;

   private:
    struct Active {
        Waiver waiver;
        std::string target;  // as findings name it; empty: any
        bool is_gpu;         // or may be one that is gone
    };
    std::vector<Active> active_;
    std::vector<std::string> ended_;  // notes
};

}  // namespace rocenv
