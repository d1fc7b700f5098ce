// SPDX-License-Identifier: MIT
// What a profile may want of one setting so that this machine is as wanted.
#pragma once

#include <optional>
#include <string>

#include "rocenv/setting.h"

namespace rocenv {

struct LearntValue {
    std::optional<Value> value;  // proved with assess(): all targets that are here are ok
    std::string why_not;         // one sentence, when there is no value
};

LearntValue learn_value(const Context& context, const Setting& setting);

}  // namespace rocenv
