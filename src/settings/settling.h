// SPDX-License-Identifier: MIT
// What may be on its way when it is looked at (a link that trains, a port that comes up) is looked
// at again before it differs. All suspects of a setting share one wait, and settings one after the
// other share it too: what is looked at after the first wait of a check has had its time.
#pragma once

#include <functional>
#include <vector>

#include "machine/rdma/rdma.h"
#include "rocenv/setting.h"

namespace rocenv {

// Waits two seconds on the machine this runs on, once in a process; nothing else moves meanwhile.
void let_settle(const Fs& fs);

// Whether one of them differs.
bool any_differs(const std::vector<Assessment>& rows);

// Returns what `judge` says, and where something differs on the real machine what it says after the
// wait.
std::vector<Assessment> judged_settled(
    const Fs& fs, const std::function<std::vector<Assessment>(ReadAnew)>& judge);

}  // namespace rocenv
