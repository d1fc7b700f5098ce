// SPDX-License-Identifier: MIT
// What a variable's value names on the node: RDMA devices, interfaces, GPUs, files, libraries,
// CPUs. Each kind (the catalogue's refers_to) has one resolver with the reader's own matching.
#pragma once

#include <optional>
#include <string>

#include "rocenv/setting.h"
#include "variables/catalogue.h"

namespace rocenv {

// What of a value is not met.
struct Unmet {
    Level level = Level::info;  // info: some entries are met, or the effect depends on the site
    std::string says;           // one sentence without a full stop
    std::string next;           // the next step; may be empty
    bool unknown = false;       // it could not be found out
    bool none_met = false;      // no entry names anything here
};

// The purpose for which a value is judged.
struct JudgedFor {
    bool multi_node = false;    // a profile of jobs on several nodes
    bool of_recording = false;  // a .tree file, which holds a part of the machine's files
};

// Returns what a value names in vain; std::nullopt if nothing, or if the variable names nothing on
// a node. Files are looked up only by stat(2); nothing that the value names is opened.
std::optional<Unmet> unmet_reference(const Variable& variable, const std::string& text,
                                     const Context& context, const JudgedFor& purpose = {});

}  // namespace rocenv
