// SPDX-License-Identifier: MIT
// Commands of rocenv that a report names as next steps, as a person would type them.
#pragma once

#include <string>
#include <vector>

#include "profile/request.h"
#include "rocenv/fs.h"
#include "rocenv/process.h"
#include "rocenv/report.h"
#include "rocenv/setting.h"

namespace rocenv {

// Returns what sets one setting as it was wanted of this request: "sudo rocenv set -p mi300x --only
// pci.acs". `set` leaves level info alone, so what is wanted at that level is stated by --want.
std::string set_command(const CheckRequest& request, const std::vector<std::string>& names,
                        const Want& want);

// Returns what asks about one setting once more, as root.
std::string check_command(const CheckRequest& request, const std::vector<std::string>& names,
                          const Want& want);

// What differs and can be set, for one command that sets all of it.
class SettableWants {
   public:
    void add(const Want& want) { rows_.push_back({want, false}); }
    bool empty() const { return rows_.empty(); }
    bool any_optional() const;
    // The profiles that were asked for, as root finds them.
    void take_names(std::vector<std::string> names) { names_ = std::move(names); }
    // Names other profiles in their place if these want all that was asked for above level info
    // and some of the rest, with the same values.
    void take_tuned(std::vector<std::string> names, const std::vector<Want>& wants);

    // Returns "sudo rocenv set -p mi300x-benchmark". Settings that are waived are left out. Empty
    // if the next step of a single finding is that command.
    std::string command(const CheckRequest& request, const Report& report) const;

   private:
    struct Row {
        Want want;
        bool is_in_profile;  // and `set` takes it from there
    };
    std::vector<Row> rows_;
    std::vector<std::string> names_;
};

// Returns the names by which root finds the same profiles through sudo: of a file in the caller's
// own folder its path.
std::vector<std::string> names_for_root(const std::vector<std::string>& names, const Fs& host,
                                        const Process& process);

}  // namespace rocenv
