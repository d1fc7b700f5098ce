// SPDX-License-Identifier: MIT
// How one target came out of a reset, as reports tell it.
#pragma once

#include <map>
#include <string>

#include "rocenv/report.h"
#include "transaction/undo.h"

namespace rocenv {

// `now`: what the targets hold after the undoing; only of those that are stuck it is looked at.
// `reset`: the command that puts it back and touches nothing that this reset left alone.
Assessment reset_row(const Undone& target, const std::map<Key, std::string>& now,
                     const std::string& reset);

// Of an id that no setting has any more.
Finding reset_finding(const std::string& id, const Assessment& row);

}  // namespace rocenv
