// SPDX-License-Identifier: MIT
// Selection of the GPU agents that a process sees, by its variables: first ROCr's filter, then
// HIP's selection among the rest, and PyTorch's own count. Pure functions. Sources, read on
// 2026-11-28: ROCR-Runtime core/runtime/amd_filter_device.cpp and amd_gpu_agent.cpp; clr
// rocclr/device/rocm/rocdevice.cpp of rocm-5.7.0 to 6.2.2 and rocm-systems; pytorch
// torch/cuda/__init__.py.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace rocenv {

// The selection of one variable from a list of devices.
struct DeviceSelection {
    std::string variable;           // "HIP_VISIBLE_DEVICES"
    std::string text;               // value of the variable
    std::vector<std::size_t> kept;  // positions in the list, in the order of the selection
    std::size_t named = 0;          // entries of the value; 0 for "" and -1
    std::string fault;              // "5 is beyond the last device (0 to 3)"; empty: none
};

// Returns the agents that ROCr keeps, of those with these unique ids (0: no id), in KFD's order. An
// entry is a number (strtol base 0, so 010 is 8) or a prefix of GPU-<16 hex digits>, in any case,
// that fits exactly one agent. The first entry that is neither, is beyond the end or is repeated
// ends the list. At most as many entries are read as there are agents. An empty text keeps no
// agent, and so does an empty entry, with which ROCr aborts.
DeviceSelection rocr_selection(const std::string& text,
                               const std::vector<std::uint64_t>& unique_ids);

// Returns the agents that HIP keeps, of those that ROCr left. An entry is a number in plain digits
// or, with `uuids` (ROCm 6.2 and newer), a part of GPU-<16 lower-case hex digits>, which selects
// the first agent that fits. The first other entry, or one beyond the end, ends the list; a
// repeated one is skipped. `text` is not empty: HIP ignores an empty value.
DeviceSelection hip_selection(const std::string& variable, const std::string& text,
                              const std::vector<std::uint64_t>& unique_ids, bool uuids);

// The devices that HIP sees, and the selections that led to them.
struct VisibleDevices {
    std::vector<std::size_t> devices;     // positions of the agents that HIP sees, in its order
    std::optional<DeviceSelection> rocr;  // std::nullopt: the variable is not set
    std::optional<DeviceSelection> hip;   // std::nullopt: neither variable is set and not empty
};

// Returns the devices that HIP sees. `rocm` is the release of the ROCm libraries; std::nullopt (not
// known) counts as the newest.
VisibleDevices visible_devices(const std::vector<std::uint64_t>& unique_ids,
                               const std::map<std::string, std::string>& environment,
                               const std::optional<std::string>& rocm);

// The result of torch.cuda.device_count() if Python's amdsmi is installed; otherwise PyTorch calls
// HIP.
struct TorchCount {
    std::size_t count = 0;
    std::string error;  // the text of the RuntimeError; empty: none
};

// Returns the count of PyTorch 2.6 and newer, which reads the three variables by itself. Without
// any of them it is at most 64.
TorchCount torch_count(const std::vector<std::uint64_t>& unique_ids,
                       const std::map<std::string, std::string>& environment);

}  // namespace rocenv
