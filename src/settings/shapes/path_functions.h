// SPDX-License-Identifier: MIT
// Settings that judge every PCI function on the way from a GPU or RDMA NIC to the root.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "machine/pci/pci_reader.h"
#include "rocenv/setting.h"

namespace rocenv {

// One function on such a way.
struct PathFunction {
    std::string bdf;
    bool end = false;   // a GPU or NIC itself; else a bridge
    std::string above;  // the next function towards the root; empty: there is none
    const PciReader* reader = nullptr;
};

// Returns what there is to say of one function; nothing: it has no such capability, or not the kind
// of part that is asked about. An error: it could not be read.
using JudgeFunction = Result<std::optional<Assessment>> (*)(const Context& context,
                                                            const PathFunction& function,
                                                            const Want& want);

// A setting that judges such functions. Functions that are as wanted are counted in one assessment
// of target "system"; each other has its own. What is refused to all alike (configuration space
// without CAP_SYS_ADMIN) is told once.
struct PathFacts {
    std::string_view none;  // why it is fine that no function has it
    JudgeFunction judge;
};

// Judges the functions of the setting's row: what the settings of this shape do.
std::vector<Assessment> assess_paths(const Setting& setting, const Context& context,
                                     const Want& want);

// Returns a setting of this shape. `facts` must outlive it.
Setting path_setting(Info info, const PathFacts& facts);

// Returns one assessment of target "system" for what was refused to all alike; `what` they are:
// "functions". There is one at least.
Assessment told_once(std::vector<Assessment> refused, const std::string& what);

}  // namespace rocenv
