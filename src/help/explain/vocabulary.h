// SPDX-License-Identifier: MIT
// The words of reports and the numbers of exit statuses, each with what it means.
#pragma once

#include <span>

#include "help/explain/explanation.h"

namespace rocenv {

// By kind (outcome, reason, level, status, mark), in the order in which reports and README have
// them.
std::span<const WordExplanation> vocabulary();

}  // namespace rocenv
