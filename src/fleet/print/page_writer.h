// SPDX-License-Identifier: MIT
// Writes the parts of the data of a fleet's page (fleet.html) that stand in several places of it.
// All texts are escaped as for a terminal: they are read by people.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "fleet/fleet.h"
#include "json/writer.h"

namespace rocenv {

// The status of a report without a finding.
inline constexpr int page_unjudged = 4;

class PageWriter {
   public:
    JsonWriter json{JsonLayout::one_line};

    void text(std::string_view key, std::string_view value);
    void text_if_any(std::string_view key, std::string_view value);
    void text_or_null(std::string_view key, const std::optional<std::string_view>& value);
    // Left out where it is not so.
    void flag(std::string_view key, bool value);
    void status(int exit_code);
    // Names as a list of hosts, whole, and how many they are.
    void nodes(std::string_view key, const std::string& names, std::size_t count);
    void differences(const std::vector<FleetDifference>& differences);
    void finding(const FleetFinding& finding);
};

// Writes what concerns all nodes: counts, problems of the input, groups, changes since a sweep.
void write_comparison(PageWriter& page, const FleetResult& fleet);

// The nodes, and each distinct report, finding and fact that they have, once.
void write_reports(PageWriter& page, const FleetResult& fleet);

}  // namespace rocenv
