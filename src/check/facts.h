// SPDX-License-Identifier: MIT
// What nodes of a cluster should agree on, as it is on this one: unjudged, by setting and target.
#pragma once

#include <set>
#include <string>

#include "profile/request.h"
#include "rocenv/report.h"

namespace rocenv {

struct Resolved;

// Ids whose facts a request asks for: settings that nodes should agree on, as --only and --skip
// say. What is read only where a profile names it (Info::only_when_named) is among them where this
// profile does.
std::set<std::string> fact_ids(const CheckRequest& request, const Resolved& profile);

// Facts of these ids. What a setting says of CPUs or policies that agree is one fact. A fact that
// could not be read counts for the fingerprint as just that.
FactSheet gather_facts(const std::set<std::string>& ids, const Context& context);

}  // namespace rocenv
