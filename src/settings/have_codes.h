// SPDX-License-Identifier: MIT
// Codes for what some settings say in words. A `have` such as "fallen off the bus" is prose for
// people; programs compare its code. The texts of `have` never change, so that reports of versions
// without codes have the same ones.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "rocenv/setting.h"

namespace rocenv {

struct HaveCode {
    std::string_view id;    // of the setting; "env." stands for every variable
    std::string_view have;  // its words; "*" in them stands for a name of the machine's
    std::string_view code;  // "*" stands for that name in lower case, other characters as "-"
};

// Returns all of them, by id. A code that is published keeps its meaning.
std::span<const HaveCode> have_codes();

// Returns the code of a `have` that is prose, "fallen"; codes of a list of such words are joined by
// "+". Empty: `have` is a value.
std::string have_code(std::string_view id, std::string_view have);

// Returns a sentence about the device, or the devices, that a value in words belongs to: "{} has
// fallen off the PCIe bus". {} stands for the device. Empty if the words of the value say it.
std::string code_sentence(std::string_view code, bool many);

// What a difference calls for, and what it does to jobs, in one word each: for dashboards and
// schedulers. People read the next step.

// The least that brings the value back. A step that may not be enough names the next larger one in
// the finding's next step.
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

// What a job on the node must expect.
enum class Jobs { safe, degraded, will_fail };
template <>
struct EnumWords<Jobs> {
    static constexpr EnumWord<Jobs> all[] = {
        {Jobs::safe, "safe"},
        {Jobs::degraded, "degraded"},
        {Jobs::will_fail, "will-fail"},
    };
};

struct Remedy {
    Action action = Action::user;
    Jobs jobs = Jobs::degraded;
};

// A row of the table. Of one id, the first row that fits counts.
struct RemedyRow {
    std::string_view id;  // of the setting; "limits." stands for all ids that begin so
    std::string_view
        code;  // of the present value (have_codes.h), "*" at its end for a name; empty: any
    Remedy remedy;
};

std::span<const RemedyRow> remedy_rows();

// Returns the remedy of a difference by the id and the code of the present value.
Remedy remedy_of_difference(std::string_view id, std::string_view code);

// Returns the remedy of a value that could not be read. Its effect on jobs is not known, so they
// count as degraded; a suspended device and a reader without rights do no harm to jobs.
Remedy remedy_of_unknown(Reason reason);

}  // namespace rocenv
