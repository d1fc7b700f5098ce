// SPDX-License-Identifier: MIT
// A fleet as fleet/fleet.h defines it, made by hand for tests of its output.
#pragma once

#include <deque>
#include <string>
#include <vector>

#include "fleet/fleet.h"

namespace rocenv {

// Three groups of nodes gpu0001 and on, with 20 distinct reports of some 150 findings, folds,
// splits, waivers, missing nodes, remarks about the input and an earlier sweep. Every 97th node has
// a hostile name, and so have some values.
class ExampleFleet {
   public:
    explicit ExampleFleet(std::size_t nodes);
    FleetResult result;

    // A text that stays as long as the fleet.
    std::string_view keep(std::string text) { return texts_.emplace_back(std::move(text)); }

   private:
    void add_findings();
    void add_facts();
    void add_reports();
    void add_nodes(std::size_t count);
    void add_groups();
    void add_remarks();
    void add_rows();
    void add_earlier();
    FleetIndex variant(std::size_t kind, FleetFinding finding);

    std::deque<std::string> texts_;
    std::deque<std::vector<FleetIndex>> lists_;
    std::vector<FleetIndex> common_;
};

// Names that must stay visible text: one that would be an element, and one that ends the script.
inline constexpr std::string_view hostile_names[] = {
    "<img src=x onerror=alert(1)>",
    "</script><script>alert(2)</script>",
    "<!--<script>",
    "a\xe2\x80\xa8-b\xe2\x80\xae-odd",
    "nul\x01\x1b[31m\xff",
    "&lt;b&gt;\"'`\\",
    "__proto__",
};

}  // namespace rocenv
