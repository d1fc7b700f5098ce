// SPDX-License-Identifier: MIT
// Commands of rocenv that a report prints as next steps, ready to be pasted.
#pragma once

#include <string>
#include <vector>

#include "profile/request.h"
#include "rocenv/fs.h"
#include "rocenv/process.h"
#include "rocenv/report.h"
#include "rocenv/setting.h"

namespace rocenv {

// Returns the command that sets one setting to the value of this request: "sudo rocenv set -p
// mi300x --only pci.acs". `set` leaves level info alone, so values of that level are given with
// --want.
std::string set_command(const CheckRequest& request, const std::vector<std::string>& names,
                        const Expectation& expectation);

// Returns the command that checks one setting again, as root: "sudo rocenv check -p mi300x --only
// pci.acs".
std::string check_command(const CheckRequest& request, const std::vector<std::string>& names,
                          const Expectation& expectation);

// Values that differ and can be set, for one command that sets all of them.
class SettableExpectations {
   public:
    // Adds a value of any level.
    void add(const Expectation& expectation) { rows_.push_back({expectation, false}); }
    // Returns whether no value was added.
    bool empty() const { return rows_.empty(); }
    // Returns whether a value is at level info.
    bool any_optional() const;
    // Sets the requested profiles, by the names that root uses.
    void take_names(std::vector<std::string> names) { names_ = std::move(names); }
    // Replaces these names with other profiles. Does so if the others expect every value above
    // level info, and some of the rest, with the same values.
    void take_tuned(std::vector<std::string> names, const std::vector<Expectation>& expectations);

    // Returns "sudo rocenv set -p mi300x-benchmark". Settings without a finding in the report that
    // differs and is not waived are left out. Empty if all are, or if the next step of a single
    // finding is that command.
    std::string command(const CheckRequest& request, const Report& report) const;

   private:
    struct Row {
        Expectation expectation;
        bool is_in_profile;  // `set` reads the value from the profile
    };
    std::vector<Row> rows_;
    std::vector<std::string> names_;
};

// Returns the names by which root finds the same profiles through sudo, in order. A profile in the
// caller's own folder becomes its path.
std::vector<std::string> names_for_root(const std::vector<std::string>& names, const Fs& host,
                                        const Process& process);

}  // namespace rocenv
