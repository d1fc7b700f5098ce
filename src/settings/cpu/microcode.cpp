// SPDX-License-Identifier: MIT
// cpu.microcode: the version that each processor runs, told by one CPU of each (linux
// arch/x86/kernel/cpu/microcode/core.c version). Some kernels let root alone read it; guests and
// other architectures have none.
#include "machine/host/packages.h"
#include "os/redact/redact_words.h"
#include "settings/shapes/like_devices.h"
#include "util/text.h"

namespace rocenv {

namespace {

Result<std::string> microcode_of(const Fs& fs, const Package& package) {
    const std::string path =
        "/sys/devices/system/cpu/cpu" + number(package.cpus.front()) + "/microcode/version";
    const auto line = read_line(fs, path);
    if (!line) {
        return line.error();
    }
    const auto digits = std::string_view(*line).substr(line->starts_with("0x") ? 2 : 0);
    return parse_number(digits, 16) ? line : garbled(path, "is no version: " + quoted_value(*line));
}

std::vector<Assessment> assess_microcode(const Setting&, const Context& context, const Want& want) {
    const auto packages = read_packages_of(context.machine);
    if (!packages) {
        return {unreadable({}, packages.error(), *want.value.text())};
    }
    LikeDevices all;
    all.nobody = "there is no processor";
    for (const auto& package : *packages) {
        all.values.push_back(
            {.device = package.name(), .kind = "", .value = microcode_of(context.fs(), package)});
    }
    return judge_alike(all, *want.value.text(),
                       {.absent = "this kernel tells no version of microcode",
                        .look = "sudo dmesg | grep microcode"});
}

}  // namespace

const Setting& cpu_microcode() {
    static const Setting setting{
        .info =
            {
                .id = "cpu.microcode",
                .summary = "The microcode of each processor",
                .why = "Processors with other microcode have other bugs, and the BIOS loads one "
                       "for all",
                .source =
                    "ROCm/system-acceptance-docs docs/common/firmware-updates.md, 2026-07; linux "
                    "arch/x86/kernel/cpu/microcode/core.c, 6.12",
                .target = "processor",
                .read_from = "/sys/devices/system/cpu/online, cpu*/topology/{physical_package_id,"
                             "core_siblings_list}, cpu*/microcode/version of one CPU each",
                .set_by = "",
                .next_step =
                    "sudo dmesg | grep microcode; update the BIOS, or the microcode package",
                .persist = "loaded at each boot, by the BIOS or the initial RAM disk",
                .risk_note = "",
                .after_reboot = true,
                .host_decides = true,
                .over_cluster = OverCluster::equal,
                .forms = {{.kind = FormKind::word, .words = {"equal"}}},
            },
        .assess = assess_microcode,
    };
    return setting;
}

}  // namespace rocenv
