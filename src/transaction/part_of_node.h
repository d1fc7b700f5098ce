// SPDX-License-Identifier: MIT
// The part of a node that `set` may change: the GPUs of --gpu, or those that the job can see.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "check/evaluate.h"

namespace rocenv {

// The selected GPUs of a node.
struct PartOfNode {
    bool asked = false;          // true: by --gpu; false: the job's device cgroup hides GPUs
    std::set<std::string> gpus;  // PCI addresses
    std::set<std::string>
        functions;  // PCI addresses of the GPUs and of bridges that lead to no other GPU
    std::size_t gpus_of_node = 0;
};

// Returns the GPUs that `gpus` selects. `gpus` is "visible", a list of runtime indices, ranges and
// PCI addresses, or "" for the default. The default is the visible GPUs if KFD hides GPUs from this
// process, else std::nullopt (the whole node). Fails with `bad_input` if a word names no GPU of
// this node or if the list selects none.
Result<std::optional<PartOfNode>> part_of_node(const std::string& gpus, const Context& context);

// Removes the rows of GPUs and PCI functions outside the part. If --gpu selected the part, also
// removes the settable rows of the whole node, except for ids that `allow` matches. Settings
// without a row are removed, too. Returns one note for the report.
std::string keep_part(const PartOfNode& part, const std::vector<std::string>& allow,
                      Evaluation& evaluation);

// Returns the reason why a job that sees a part of the node should not set `id`. std::nullopt
// without a part, with --gpu, and for ids of GPUs and PCI.
std::optional<std::string> reason_to_spare_others(const std::optional<PartOfNode>& part,
                                                  const std::string& id);

}  // namespace rocenv
