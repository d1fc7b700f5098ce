// SPDX-License-Identifier: MIT
// memory.dimms: what is plugged in, as the EDAC driver sees it: of each memory controller how many
// modules of which size and kind. What the driver calls a module may be a rank of one (linux
// drivers/edac/amd64_edac.c), so that numbers are compared, and never told as those of slots.
#include <map>

#include "machine/host/edac.h"
#include "machine/host/number_files.h"
#include "settings/shapes/like_devices.h"
#include "util/text.h"

namespace rocenv {

namespace {

constexpr std::string_view mixed_mark = " + ";

// "12 of 65536 MB Unbuffered-DDR5", kinds with " + " between.
Result<std::string> read_modules(const Fs& fs, const std::string& controller) {
    const std::string folder = edac_folder() + "/" + controller;
    const auto names = fs.list(folder);
    if (!names) {
        return names.error();
    }
    std::map<std::string, std::size_t> kinds;
    for (const auto& name : *names) {
        constexpr std::string_view start = "dimm";
        if (!name.starts_with(start) ||
            !parse_number(std::string_view(name).substr(start.size()))) {
            continue;
        }
        const auto size = count_of_file(fs, folder + "/" + name + "/size");
        const auto kind = read_line(fs, folder + "/" + name + "/dimm_mem_type");
        if (!size || !kind) {
            return size ? kind.error() : size.error();
        }
        if (*size > 0) {  // an empty slot
            ++kinds[number(*size) + " MB " + *kind];
        }
    }
    std::vector<std::string> parts;
    parts.reserve(kinds.size());
    for (const auto& [kind, count] : kinds) {
        parts.push_back(number(count) + " of " + kind);
    }
    if (parts.empty()) {
        return garbled(folder, "names no module");
    }
    return join(parts, mixed_mark);
}

// Modules of one controller that differ are a difference, whatever the others have.
void add_mixed(const LikeDevices& all, std::vector<Assessment>& rows) {
    for (const auto& each : all.values) {
        if (!each.value || each.value->find(mixed_mark) == std::string::npos) {
            continue;
        }
        std::erase_if(rows, [&](const Assessment& row) { return row.target.base == each.device; });
        auto row = compared({each.device, std::nullopt, ""}, "equal", *each.value);
        row.detail = "its own modules are not alike";
        rows.push_back(std::move(row));
    }
}

std::vector<Assessment> assess_dimms(const Setting&, const Context& context, const Want& want) {
    const auto controllers = memory_controllers(context.fs());
    if (controllers.is(ErrorKind::not_here)) {
        return {no_target(no_edac)};
    }
    if (!controllers) {
        return {unreadable({}, controllers.error(), *want.value.text())};
    }
    LikeDevices all;
    for (const auto& name : *controllers) {
        all.values.push_back(
            {.device = name, .kind = "", .value = read_modules(context.fs(), name)});
    }
    auto rows = judge_alike(all, *want.value.text(), {});
    add_mixed(all, rows);
    return rows;
}

}  // namespace

const Setting& memory_dimms() {
    static const Setting setting{
        .info =
            {
                .id = "memory.dimms",
                .summary = "Whether each memory controller has the same modules",
                .why = "A module of another size, or one that is missing, slows its channels down",
                .source = "amd/node-scraper nodescraper/plugins/inband/dimm, 2026-07; linux "
                          "Documentation/ABI/testing/sysfs-devices-edac, 6.12",
                .target = "memory controller",
                .read_from = "/sys/devices/system/edac/mc/mc*/dimm*/{size,dimm_mem_type}",
                .set_by = "",
                .next_step = "sudo dmidecode -t memory; plug in what is missing, or of one size",
                .persist = "is persistent: what is plugged in",
                .risk_note = "",
                .host_decides = true,
                .over_cluster = OverCluster::equal,
                .forms = {{.kind = FormKind::word, .words = {"equal"}}},
            },
        .assess = assess_dimms,
    };
    return setting;
}

}  // namespace rocenv
