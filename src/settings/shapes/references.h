// SPDX-License-Identifier: MIT
// Resolution of names in a variable's value: RDMA devices, interfaces, GPUs, files, libraries,
// CPUs. Each kind (refers_to in the catalogue) has one resolver with the rules of the program that
// reads it.
#pragma once

#include <optional>
#include <string>

#include "rocenv/setting.h"
#include "variables/catalogue.h"

namespace rocenv {

// A name without a match on the node.
struct Unmet {
    Level level = Level::info;  // info: some entries match, or the effect depends on the site
    std::string says;           // one sentence without a full stop
    std::string next;           // the next step; may be empty
    bool unknown = false;       // true if the match could not be determined
    bool none_met = false;      // true if no entry matches
};

// The context of the check.
struct JudgedFor {
    bool multi_node = false;    // profile for jobs on several nodes
    bool of_recording = false;  // a .tree file, with only a part of the files
};

// Returns the names without a match; std::nullopt if all match, if the text is empty, or if the
// variable refers to no object of the node. `unknown` is set if the objects could not be read.
// Files are checked only by stat(2) and never opened.
std::optional<Unmet> unmet_reference(const Variable& variable, const std::string& text,
                                     const Context& context, const JudgedFor& purpose = {});

}  // namespace rocenv
