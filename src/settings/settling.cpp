// SPDX-License-Identifier: MIT
#include "settings/settling.h"

#include <algorithm>

#include "os/interruption.h"

namespace rocenv {

void let_settle(const Fs& fs) {
    constexpr int settling_ms = 2000;
    static bool settled = false;  // of this process: a check has a helper of its own
    if (fs.is_real() && !settled) {
        pause_for(settling_ms);
        settled = true;
    }
}

bool any_differs(const std::vector<Assessment>& rows) {
    return std::any_of(rows.begin(), rows.end(),
                       [](const Assessment& row) { return row.outcome == Outcome::differs; });
}

std::vector<Assessment> judged_settled(
    const Fs& fs, const std::function<std::vector<Assessment>(ReadAnew)>& judge) {
    auto rows = judge(ReadAnew::no);
    if (!fs.is_real() || !any_differs(rows)) {
        return rows;
    }
    let_settle(fs);
    return judge(ReadAnew::yes);
}

}  // namespace rocenv
