// SPDX-License-Identifier: MIT
// The part of a node that a set may change: the GPUs of --gpu, or those that a job sees.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "check/evaluate.h"

namespace rocenv {

struct PartOfNode {
    bool asked = false;               // by --gpu; else the job's device cgroup hides GPUs
    std::set<std::string> gpus;       // PCI addresses
    std::set<std::string> functions;  // these, and the bridges that lead to no other GPU
    std::size_t gpus_of_node = 0;
};

// Returns the part that `gpus` selects: "visible", a list of runtime indices, ranges and PCI
// addresses, or "" for the default: the visible GPUs if KFD hides GPUs from this process, else
// std::nullopt, the whole node. bad_input: a word that is no GPU of this node, or no GPU is left.
Result<std::optional<PartOfNode>> part_of_node(const std::string& gpus, const Context& context);

// Removes the rows of GPUs and PCI functions outside the part and, if --gpu asked for it, the
// settable rows of the whole node but for the allowed ids. Returns one note for the report.
std::string keep_part(const PartOfNode& part, const std::vector<std::string>& allow,
                      Evaluation& evaluation);

// Returns why a job that sees a part of the node should not set this; std::nullopt if it may.
std::optional<std::string> reason_to_spare_others(const std::optional<PartOfNode>& part,
                                                  const std::string& id);

}  // namespace rocenv
