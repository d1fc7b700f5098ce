// SPDX-License-Identifier: MIT
// What findings have, for comparing: where it is prose, its code counts and not its words.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "fleet/fleet.h"

namespace rocenv {

class CodedHaves {
   public:
    // Of all findings of a fleet whose outcome is worth a line.
    explicit CodedHaves(const std::vector<FleetFinding>& findings);

    // Returns the same text for all findings of an id with one code, else `have` itself. Reports
    // without codes (0.1.0) have those of their texts.
    std::optional<std::string_view> of(const FleetFinding& finding) const;

   private:
    // By the id's place in the pool and the code: of the texts with it the first one in
    // alphabetical order.
    std::map<std::pair<const char*, std::string>, std::string_view> texts_;
};

}  // namespace rocenv
