// SPDX-License-Identifier: MIT
// Application of waivers: those valid for this node today, the devices that they leave out, the
// findings that they mark, and notes about useless ones.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "profile/request.h"
#include "profile/waiver_file.h"
#include "rocenv/report.h"

namespace rocenv {

struct Resolved;

// Waivers of all files.
struct LoadedWaivers {
    std::vector<Waiver> all;
    std::vector<std::string> errors;  // bad input: exit status 2
    bool timed_out = false;           // reading a file timed out: exit status 3
    std::vector<Doubt> doubts;        // the node's file, if it was ignored as not trusted
    std::string note;                 // reason why the given waivers are not used; empty: they are
};

// Returns the waivers of the node's file, if there is one, and of --waivers, valid or not today.
// Returns none with --no-waivers or the profile `acceptance`. As root, reads only files that no
// other user can change. Faults are in the result.
LoadedWaivers load_waivers(const CheckRequest& request, const Resolved& profile, const Fs& host,
                           const Process& process);

// The waivers of one node.
class Waivers {
   public:
    Waivers() = default;
    // Selects from `all` the waivers for the node of this name. `today` is "2026-11-22"; a waiver
    // is valid until the end of its last day.
    Waivers(const std::vector<Waiver>& all, const Machine& machine, const std::string& node,
            const std::string& today);

    // Returns the devices, present or not, that a setting leaves out of counts, meshes and
    // comparisons: those in its waivers. For a setting of GPUs, only GPUs.
    std::set<std::string> left_out(const std::string& id) const;

    // Marks findings that differ or are unknown. A waiver is needed if it matches a finding other
    // than ok, na and hidden. Returns a note for each waiver that has ended, and for each that was
    // not needed. With `only_judged`, the latter are limited to waivers for a setting in
    // report.settings.
    std::vector<std::string> apply(Report& report, bool only_judged) const;

   private:
    struct Active {
        Waiver waiver;
        std::string target;  // name in findings; empty: any
        bool is_gpu;         // true also for a GPU that may be gone
    };
    std::vector<Active> active_;
    std::vector<std::string> ended_;  // notes about waivers that ended
};

}  // namespace rocenv
