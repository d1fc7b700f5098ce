// SPDX-License-Identifier: MIT
#include "settings/rocm/rocm_trees.h"

namespace rocenv {

Assessment none_counts_for(const RocmLayouts& layouts, std::string want) {
    auto row = unreadable({}, *layouts.why_none, std::move(want));
    row.next_step = layouts.dangling.empty()
                        ? "name one of them in ROCM_PATH, or have /opt/rocm lead to it"
                        : "mend or remove the link, or name a ROCm in ROCM_PATH";
    return row;
}

}  // namespace rocenv
