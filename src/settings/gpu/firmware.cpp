// SPDX-License-Identifier: MIT
// gpu.firmware: versions of the firmware that the driver loaded into each GPU, one file each (linux
// drivers/gpu/drm/amd/amdgpu/amdgpu_ucode.c fw_version). The files show data of the driver, so
// reads touch no hardware. 0x00000000 is firmware that is not loaded or that the chip lacks. A zero
// among other values is a failed load. Equal zeros are accepted, except for parts that every such
// GPU needs.
#include <algorithm>
#include <map>
#include <set>

#include "machine/host/cpus.h"
#include "os/redact/redact_words.h"
#include "settings/shapes/devices.h"
#include "util/text.h"

namespace rocenv {

namespace {

constexpr std::string_view ending = "_fw_version";

// Versions by part ("mec"), as in the file.
using FirmwareVersions = std::map<std::string, std::string>;

Result<FirmwareVersions> read_versions(const Fs& fs, const std::string& folder) {
    const auto names = fs.list(folder);
    if (!names) {
        return names.error();
    }
    FirmwareVersions out;
    for (const auto& name : *names) {
        if (!name.ends_with(ending)) {
            continue;
        }
        const std::string path = folder + "/" + name;
        const auto version = read_line(fs, path);
        if (!version) {
            return version.error();
        }
        if (!version->starts_with("0x") ||
            !parse_number(std::string_view(*version).substr(2), 16)) {
            return garbled(path, "is not a valid version: " + quoted_value(*version));
        }
        out[name.substr(0, name.size() - ending.size())] = *version;
    }
    if (out.empty()) {
        return garbled(folder, "the folder holds no version");
    }
    return out;
}

Result<std::string> read_firmware(const Context& context, const Gpu& gpu) {
    const auto versions = read_versions(context.fs(), pci_path(gpu.bdf, "/fw_version"));
    if (!versions) {
        return versions.error();
    }
    std::vector<std::string> parts;
    for (const auto& [part, version] : *versions) {
        parts.push_back(part + " " + version);
    }
    return join(parts, ", ");
}

const std::string no_other = "no other";

// Returns the elements of one list that the other one lacks.
std::string only_in(const std::string& text, const std::string& other) {
    std::set<std::string> there;
    std::vector<std::string> out;
    std::size_t at = 0;
    const auto next = [&](const std::string& from) {
        const auto end = std::min(from.find(", ", at), from.size());
        std::string part = from.substr(at, end - at);
        at = end + 2;
        return part;
    };
    for (at = 0; at < other.size();) {
        there.insert(next(other));
    }
    for (at = 0; at < text.size();) {
        if (const auto part = next(text); !there.contains(part)) {
            out.push_back(part);
        }
    }
    return out.empty() ? no_other : join(out, ", ");
}

// Reports only the parts that differ, not all twenty.
void describe_parts(Assessment& row) {
    if (row.expected == "equal") {
        row.detail = "every GPU of this model has another firmware";
        return;
    }
    const std::string expected = only_in(*row.expected, *row.have);
    const std::string have = only_in(*row.have, *row.expected);
    row.expected = expected;
    row.have = have;
    row.detail = expected == no_other ? "most other GPUs of its model do not report " + have
                                      : "most other GPUs of its model have " + expected;
}

std::string count_of(const std::string& list) {
    return number(std::count(list.begin(), list.end(), ',') + 1) + " versions";
}

constexpr Grade firmware_grades[] = {
    {"trusted", Level::info, "No source confirms that the chip needs this application of its PSP"},
};

// Firmware parts that every GPU for compute needs. APUs and guests may leave some of them to the
// host's firmware (linux drivers/gpu/drm/amd/amdgpu/amdgpu_ucode.c fw_version, 6.12).
struct NeededFirmware {
    std::string_view part;
    bool by_driver = false;  // loaded by the driver on APUs as well
    bool unverified = false;
};
constexpr NeededFirmware needed_firmware[] = {
#include "facts/needed_firmware.inc"
};

bool is_zero(const std::string& list, std::string_view part) {
    const std::string zero = std::string(part) + " 0x00000000";
    return (", " + list + ", ").find(", " + zero + ", ") != std::string::npos;
}

// Returns a finding for required parts that are zero on all GPUs; std::nullopt if there is none, or
// if a GPU did not respond.
std::optional<Assessment> zero_on_all(const Context& context, const LikeDevices& devices) {
    std::vector<std::string> zero;
    bool verified = false;
    for (const auto& needed : needed_firmware) {
        const bool all =
            std::all_of(devices.values.begin(), devices.values.end(), [&](const DeviceValue& each) {
                const bool asked = gpu_model(each.gpu->device) != nullptr &&
                                   (needed.by_driver || !is_apu(each.gpu->device));
                return asked && each.value && is_zero(*each.value, needed.part);
            });
        if (all) {
            zero.push_back(std::string(needed.part) + " 0x00000000");
            verified = verified || !needed.unverified;
        }
    }
    if (zero.empty() || devices.values.empty() || devices.uncertain || is_guest(context.fs())) {
        return std::nullopt;
    }
    auto row = compared({}, "loaded", join(zero, ", "));
    row.grade = verified ? nullptr : &firmware_grades[0];
    row.detail = "all GPUs have the same firmware state, but GPUs of this model need this firmware";
    return row;
}

std::vector<Assessment> assess_firmware(const Setting&, const Context& context,
                                        const Expectation& expectation) {
    const auto devices = gpu_values(context, read_firmware);
    auto rows = judge_alike(devices, *expectation.value.text(),
                            {.absent = "the driver reports no firmware versions of this GPU"});
    for (auto& row : rows) {
        if (row.outcome == Outcome::differs) {
            describe_parts(row);
        } else if (row.outcome == Outcome::ok) {
            row.expected = row.have = count_of(*row.have);
        }
    }
    if (auto row = zero_on_all(context, devices)) {
        rows.push_back(*std::move(row));
    }
    return rows;
}

// Returns each version instead of their number.
std::vector<ClusterFact> facts_of_firmware(const Setting&, const Context& context) {
    return facts_of(gpu_values(context, read_firmware));
}

}  // namespace

const Setting& gpu_firmware() {
    static const Setting setting{
        .info =
            {
                .id = "gpu.firmware",
                .summary = "Versions of the firmware that the driver loaded into each GPU",
                .why = "A GPU with other firmware than its peers runs at other speeds or fails on "
                       "its own",
                .source = "ROCm/cvs cvs/tests/platform/host_configs_cvs.py, 2026-08; linux "
                          "drivers/gpu/drm/amd/amdgpu/amdgpu_ucode.c, 6.12",
                .target = "physical GPU",
                .read_from = "fw_version/*_fw_version of the GPU's PCI function",
                .set_by = "",
                .next_step =
                    "sudo dmesg | grep -i -e firmware -e psp; sudo amd-smi firmware; if the "
                    "versions differ from a healthy node, install the same driver package",
                .persist = "loaded by the driver, or persistent (ROM of the GPU)",
                .risk_note = "",
                .over_cluster = OverCluster::equal,
                .forms = {{.kind = FormKind::word, .words = {"equal"}}},
                .grades = firmware_grades,
            },
        .assess = assess_firmware,
        .facts = facts_of_firmware,
    };
    return setting;
}

}  // namespace rocenv
