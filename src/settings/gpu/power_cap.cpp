// SPDX-License-Identifier: MIT
// gpu.power_cap: the power each GPU may draw (linux drivers/gpu/drm/amd/pm/amdgpu_pm.c power1_cap,
// microwatts). The driver asks the firmware for it on some chips: only a profile that names it has
// it read. The second die of a module shows 0, or has no such file.
#include "machine/host/number_files.h"
#include "settings/shapes/devices.h"
#include "util/text.h"

namespace rocenv {

namespace {

constexpr std::uint64_t microwatts = 1000000;

Result<std::string> hwmon_of(const Fs& fs, const std::string& bdf) {
    const std::string folder = pci_path(bdf, "/hwmon");
    const auto names = fs.list(folder);
    if (!names) {
        return names.error();
    }
    if (names->size() != 1) {
        return garbled(folder, "holds " + number(names->size()) + " entries, not one");
    }
    return folder + "/" + names->front();
}

Result<std::string> read_watts(const Fs& fs, const std::string& path) {
    const auto text = read_number(fs, path);
    if (!text) {
        return text.error();
    }
    return number(*parse_number(*text) / microwatts) + " W";
}

Result<std::string> read_cap(const Context& context, const Gpu& gpu) {
    const auto folder = hwmon_of(context.fs(), gpu.bdf);
    if (!folder) {
        return folder.error();
    }
    auto watts = read_watts(context.fs(), *folder + "/power1_cap");
    if (watts && *watts == "0 W") {
        return Error{ErrorKind::not_here, 0, *folder, *folder + "/power1_cap: is 0"};
    }
    return watts;
}

void add_default(const Fs& fs, DeviceValue& each) {
    const auto folder = hwmon_of(fs, each.device);
    auto usual = folder && each.value ? read_watts(fs, *folder + "/power1_cap_default")
                                      : Result<std::string>(std::string());
    if (usual && !usual->empty()) {
        each.of_model = *usual;
    } else if (!usual) {
        each.value = usual.error();
    }
}

std::vector<Assessment> assess_power_cap(const Setting&, const Context& context, const Want& want) {
    auto devices = gpu_values(context, read_cap);
    std::string wanted = plain_text(want.value);
    if (wanted == "default") {
        for (auto& each : devices.values) {
            add_default(context.fs(), each);
        }
        wanted = "model";  // what each says of itself
    } else if (wanted != "equal") {
        wanted += " W";
    }
    auto rows = judge_alike(devices, wanted, {.absent = "the driver tells no power cap of it"});
    for (auto& row : rows) {
        if (row.outcome == Outcome::differs && want.value.integer() != nullptr) {
            row.next_step =
                "sudo amd-smi set --gpu BDF --power-cap " + number(*want.value.integer());
        }
    }
    return rows;
}

std::vector<ClusterFact> facts_of_power_cap(const Setting&, const Context& context) {
    return facts_of(gpu_values(context, read_cap));
}

}  // namespace

const Setting& gpu_power_cap() {
    static const Setting setting{
        .info =
            {
                .id = "gpu.power_cap",
                .summary = "The power each GPU may draw",
                .why = "One capped GPU slows all that wait for it",
                .source = "amd/node-scraper nodescraper/plugins/inband/amdsmi, 2026-07; linux "
                          "drivers/gpu/drm/amd/pm/amdgpu_pm.c, 6.12",
                .target = "physical GPU",
                .read_from =
                    "hwmon/hwmon*/power1_cap and power1_cap_default of the GPU; /proc/cpuinfo "
                    "where one differs",
                .set_by = "",
                .next_step = "sudo amd-smi reset --gpu BDF --power-cap",
                .persist = "lost at reboot and driver reload",
                .risk_note = "",
                .only_when_named = true,
                .host_decides = true,
                .over_cluster = OverCluster::equal,
                .forms = {{.kind = FormKind::word, .words = {"default", "equal"}},
                          {.kind = FormKind::integer, .lowest = 1, .highest = 10000}},
            },
        .assess = assess_power_cap,
        .facts = facts_of_power_cap,
    };
    return setting;
}

}  // namespace rocenv
