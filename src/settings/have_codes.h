// SPDX-License-Identifier: MIT
// Codes of values that are prose. A `have` such as "fallen off the bus" is text for people;
// programs compare its code. The texts of `have` never change, so that reports of versions without
// codes stay comparable.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "rocenv/setting.h"

namespace rocenv {

// One code.
struct HaveCode {
    std::string_view id;    // setting; "env." matches every variable
    std::string_view have;  // text of the value; "*" matches a name of the machine
    std::string_view code;  // "*" becomes that name in lower case, with "-" for other characters
};

// Returns all codes, sorted by id. A published code keeps its meaning.
std::span<const HaveCode> have_codes();

// Returns the code of a `have` that is prose, such as "fallen"; codes of a list ("a, b") are joined
// by "+". Empty if `have`, or one part of the list, is a value.
std::string have_code(std::string_view id, std::string_view have);

// Returns a sentence about the devices that a value in words belongs to: "{} has fallen off the
// PCIe bus". "{}" stands for the device. Empty if the value is clear by itself.
std::string code_sentence(std::string_view code, bool many);

// The required action and the effect on jobs of a difference, one word each, for dashboards and
// schedulers. People read the next step.

// The smallest action that restores the value. If it may not suffice, the finding's next step names
// the next larger one.
enum class Action { none, user, job_restart, driver_reload, gpu_reset, reboot, reseat, vendor };
template <>
struct EnumWords<Action> {
    static constexpr EnumWord<Action> all[] = {
        {Action::none, "none"},
        {Action::user, "user"},
        {Action::job_restart, "job-restart"},
        {Action::driver_reload, "driver-reload"},
        {Action::gpu_reset, "gpu-reset"},
        {Action::reboot, "reboot"},
        {Action::reseat, "reseat"},
        {Action::vendor, "vendor"},
    };
};

// The expected effect on jobs.
enum class Jobs { safe, degraded, will_fail };
template <>
struct EnumWords<Jobs> {
    static constexpr EnumWord<Jobs> all[] = {
        {Jobs::safe, "safe"},
        {Jobs::degraded, "degraded"},
        {Jobs::will_fail, "will-fail"},
    };
};

// An action and an effect on jobs.
struct Remedy {
    Action action = Action::user;
    Jobs jobs = Jobs::degraded;
};

// A row of the table; for one id the first matching row counts.
struct RemedyRow {
    std::string_view id;    // setting; "limits." matches all ids with this prefix
    std::string_view code;  // code of the present value (have_codes.h); "*" at its end matches a
                            // name; empty: any
    Remedy remedy;
};

// Returns the table, ordered by precedence.
std::span<const RemedyRow> remedy_rows();

// Returns the remedy of a difference, by id and code of the present value; Remedy() for an id
// without a row.
Remedy remedy_of_difference(std::string_view id, std::string_view code);

// Returns the remedy of a value that could not be read: a reboot after a timeout, none for a
// suspended device, else `user`. The effect on jobs is unknown, so they count as degraded. A
// suspended device or missing rights do no harm to jobs.
Remedy remedy_of_unknown(Reason reason);

}  // namespace rocenv
