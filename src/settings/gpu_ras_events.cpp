// SPDX-License-Identifier: MIT
// gpu.ras_events: fatal errors and poison that the driver counted since it was loaded (linux
// drivers/gpu/drm/amd/amdgpu/amdgpu_ras.c ras/event_state: "Fatal Error: count:0, last_seqno:0",
// "Poison Creation", "Poison Consumption"). The file is the driver's memory: no hardware is asked,
// nothing is cleared. Only a profile that names it has it read; drivers before 2024 have none.
#include "settings/like_devices.h"
#include "util/text.h"

namespace rocenv {

namespace {

constexpr Grade grades[] = {
    {"poison", Level::recommended, "poison alone ends the job that touched it, and no other"},
};

// The number behind "count:" of a line, with or without a blank before it.
std::optional<std::uint64_t> count_in(std::string_view line) {
    const auto at = line.find("count:");
    if (at == line.npos) {
        return std::nullopt;
    }
    const auto rest = line.substr(at + 6);
    return parse_number(trim(rest.substr(0, rest.find(','))));
}

// "0", or what there was: "1 Fatal Error".
Result<std::string> read_events(const Context& context, const Gpu& gpu) {
    const std::string path = pci_path(gpu.bdf) + "/ras/event_state";
    const auto text = context.fs().read(path);
    if (!text) {
        return text.error();
    }
    std::size_t known = 0;
    std::vector<std::string> out;
    for (const auto line : split(trim(*text), '\n')) {
        if (line.find("seqno") != line.npos && line.find("count:") == line.npos) {
            continue;  // "current seqno: 0"
        }
        const auto count = count_in(line);
        if (!count) {
            return garbled(path, "is no count of events: \"" + printable(line, 40) + "\"");
        }
        ++known;
        if (*count > 0) {
            out.push_back(number(*count) + " " +
                          printable(trim(line.substr(0, line.find(':'))), 40));
        }
    }
    return known == 0 ? garbled(path, "counts no events")
                      : Result(out.empty() ? std::string("0") : join(out, ", "));
}

void grade(Assessment& row) {
    const bool fatal = row.have && row.have->find("Fatal") != std::string::npos;
    row.grade = fatal ? nullptr : &grades[0];
}

}  // namespace

const Setting& gpu_ras_events() {
    static const GpuValueSetting setting(
        {
            .id = "gpu.ras_events",
            .summary = "Fatal errors and poison that each GPU had since its driver was loaded",
            .why = "A GPU that consumed poison or had a fatal error has lost somebody's results",
            .source = "linux drivers/gpu/drm/amd/amdgpu/amdgpu_ras.c, 6.12 (2024-11)",
            .target = "physical GPU",
            .read_from = "ras/event_state of the GPU's PCI function",
            .set_by = "",
            .next_step = "sudo dmesg | grep -i -e poison -e ras; then reset the GPU or reboot",
            .persist = "counted anew when the driver is loaded",
            .risk_note = "",
            .only_when_named = true,
            .over_cluster = OverCluster::own,
            .forms = {{.kind = FormKind::integer, .lowest = 0, .highest = 0}},
            .grades = grades,
        },
        {.read = read_events,
         .rules = {.absent = "this driver does not count such events"},
         .explain = grade});
    return setting;
}

}  // namespace rocenv
