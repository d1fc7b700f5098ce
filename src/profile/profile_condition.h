// SPDX-License-Identifier: MIT
// The condition of one entry of a profile: for which GPUs and versions it is meant, and whether for
// root alone, who may read more. An entry whose condition is known to fail counts as not written.
// What cannot be found out (no PyTorch on this disk) never fails a condition, nor does a machine
// without a GPU where it is about a variable, which a program may use elsewhere; a setting is about
// this machine.
//
//   when = { gfx = ["gfx942"], device = ["0x74a1"], torch = ">=2.6,<2.9", root = true }
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "rocenv/value.h"

namespace rocenv {

class Machine;
class Versions;
struct Process;

struct When {
    std::vector<std::uint32_t> devices;           // PCI ids; empty: any
    std::vector<std::string> gfx;                 // empty: any
    std::map<std::string, std::string> versions;  // package to bounds: "torch" to ">=2.6,<2.9"
    std::string gpus;                             // bounds of their number: ">=2"; empty: any
    std::string module;                           // of the kernel, loaded; empty: any
    std::optional<bool> root{};                   // whether root asks; nothing: anybody
    bool of_setting = false;                      // of a setting, not of a variable
    bool empty() const {
        return devices.empty() && gfx.empty() && versions.empty() && gpus.empty() &&
               module.empty() && !root;
    }
};

// `value` as written behind `when =`. Each fault with its place; what was understood is returned.
using Complaint = std::function<void(const Place& place, std::string text)>;
When parse_when(const Value& value, const Complaint& complain);

// "gfx942, torch >=2.6,<2.9".
std::string when_text(const When& when);

// Whether a version lies within bounds such as ">=2.6,<2.9"; nothing: one of them is no version.
std::optional<bool> within(std::string_view version, std::string_view bounds);

// Whether the bounds for `package` end somewhere: it is not meant for all later versions.
bool ends(const When& when, std::string_view package);

// Why a condition is known to fail, nothing: it holds or cannot be known.
using Condition = std::function<std::optional<std::string>(const When& when)>;
// On this machine. All three must outlive the condition.
Condition condition_here(const Machine& machine, const Process& process, const Versions& versions);

}  // namespace rocenv
