// SPDX-License-Identifier: MIT
// The values of this node that nodes of a cluster should agree on, by setting and target, not
// judged.
#pragma once

#include <set>
#include <string>

#include "profile/request.h"
#include "rocenv/report.h"

namespace rocenv {

struct Resolved;

// Returns the ids whose facts a request needs: settings that nodes should agree on, filtered by
// --only and --skip. A setting with Info::only_when_named is included if this profile names it.
std::set<std::string> fact_ids(const CheckRequest& request, const Resolved& profile);

// Returns the facts of these ids, which must be known, sorted by id and target. Equal values of
// CPUs or policies are one fact. An unread fact is part of the fingerprint as its reason.
// Identities are redacted.
FactSheet gather_facts(const std::set<std::string>& ids, const Context& context);

}  // namespace rocenv
