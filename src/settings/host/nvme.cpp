// SPDX-License-Identifier: MIT
// host.nvme: the number of NVMe disks, all of them live (linux drivers/nvme/host/sysfs.c state:
// data of the driver). "live" accepts any number, and a site may state one. An NVMe function on PCI
// without a disk is always reported.
#include <algorithm>

#include "machine/pci/pci.h"
#include "rocenv/setting.h"
#include "settings/shapes/devices.h"
#include "util/text.h"

namespace rocenv {

namespace {

const std::string nvme_folder = "/sys/class/nvme";

Result<std::vector<std::string>> nvme_controllers(const Fs& fs) {
    auto names = fs.list(nvme_folder);
    if (names.is(ErrorKind::not_here) && exists(fs, "/sys/class")) {
        return std::vector<std::string>();
    }
    if (names) {
        std::erase_if(names.value(), [](const std::string& name) {
            return !name.starts_with("nvme") || !parse_number(name.substr(4));
        });
    }
    constexpr std::size_t most = 1024;
    if (names && names->size() > most) {
        return garbled(nvme_folder, "the folder holds more than " + number(most) + " disks");
    }
    return names;
}

// Returns PCI functions that are NVMe controllers, not virtual, and have no disk.
Result<std::vector<std::string>> lost_functions(const Machine& machine, std::size_t disks) {
    constexpr std::uint32_t nvme_class = 0x0108;
    const auto& functions = machine.pci();
    if (!functions) {
        return functions.is(ErrorKind::not_here) ? Result(std::vector<std::string>())
                                                 : functions.error();
    }
    std::size_t all = 0;
    std::vector<std::string> lost;
    for (const auto& function : *functions) {
        const std::string folder = pci_path(function.bdf);
        if (function.error || function.class_code >> 8 != nvme_class ||
            machine.fs().link(folder + "/physfn")) {
            continue;
        }
        ++all;
        if (machine.fs().list(folder + "/nvme").is(ErrorKind::not_here)) {
            lost.push_back(function.bdf);
        }
    }
    return all > disks ? Result(lost) : std::vector<std::string>();
}

// Returns the row of a function whose driver failed, or that is bound to another driver.
Assessment without_disk(const Machine& machine, const std::string& bdf) {
    auto row = compared({bdf, std::nullopt, ""}, "live", "no disk");
    const auto& driver = machine.reader_of(bdf).driver();
    const std::string name = driver ? *driver : "";
    if (name == "vfio-pci") {
        row.detail = "the disk is bound to vfio-pci";
        row.next_step =
            "ls /sys/bus/pci/drivers/vfio-pci; if a guest should use the disk, skip this check "
            "with --skip host.nvme";
    } else {
        row.detail = name.empty() ? "the NVMe function has no driver"
                                  : "the driver " + printable(name, 40) + " created no disk for it";
        row.next_step =
            "sudo dmesg | grep nvme; if the log shows an error, reseat or replace the disk";
    }
    return row;
}

// Adds the row of all disks: their number, and that they are live if no other row disagrees.
void add_count(std::size_t all, std::size_t live, const Value& expected,
               std::vector<Assessment>& rows) {
    if (expected.integer() != nullptr && all != static_cast<std::uint64_t>(*expected.integer())) {
        rows.push_back(compared({}, number(*expected.integer()), number(all)));
    } else if (all == 0 && expected.integer() == nullptr && rows.empty()) {
        rows.push_back(no_target("this node has no NVMe disk"));
    } else if (live == all && (all > 0 || expected.integer() != nullptr)) {
        rows.push_back(compared({}, plain_text(expected), plain_text(expected)));
        rows.back().detail = "working disks: " + number(live);
    }
}

std::vector<Assessment> assess_nvme(const Setting&, const Context& context,
                                    const Expectation& expectation) {
    const auto names = nvme_controllers(context.fs());
    if (!names) {
        return {unreadable({}, names.error(), plain_text(expectation.value))};
    }
    std::vector<Assessment> rows;
    const auto lost = lost_functions(context.machine, names->size());
    for (const auto& bdf : lost ? *lost : std::vector<std::string>()) {
        rows.push_back(without_disk(context.machine, bdf));
    }
    if (!lost) {
        rows.push_back(unreadable({"PCI", std::nullopt, ""}, lost.error(), "live"));
    }
    std::size_t live = 0;
    for (const auto& name : *names) {
        const Target target{name, std::nullopt, ""};
        const auto state = read_line(context.fs(), nvme_folder + "/" + name + "/state");
        live += state && *state == "live" ? 1U : 0U;
        if (!state) {
            rows.push_back(unreadable(target, state.error(), "live"));
        } else if (*state != "live") {
            rows.push_back(compared(target, "live", *state));
        }
    }
    add_count(names->size(), live, expectation.value, rows);
    return rows;
}

std::optional<std::vector<Value>> learn_nvme(const Setting&, const Context& context) {
    const auto names = nvme_controllers(context.fs());
    if (!names) {
        return std::vector<Value>();
    }
    return std::vector{Value{static_cast<std::int64_t>(names->size()), {}},
                       Value{std::string("live"), {}}};
}

}  // namespace

const Setting& host_nvme() {
    static const Setting setting{
        .info =
            {
                .id = "host.nvme",
                .summary = "Number of NVMe disks, and whether each works",
                .why = "Without their scratch disk, jobs that stage data there fail",
                .source = "Azure/azurehpc-health-checks customTests, 2026-05; linux "
                          "drivers/nvme/host/sysfs.c, 6.12",
                .target = "NVMe disk",
                .read_from = "/sys/class/nvme/nvme*/state, /sys/bus/pci/devices/*/{modalias,nvme}",
                .set_by = "",
                .next_step = "sudo nvme list; sudo dmesg | grep nvme; if a disk is missing, reseat "
                             "or replace it",
                .persist = "persistent (hardware)",
                .risk_note = "",
                .over_cluster = OverCluster::equal,
                .forms = {{.kind = FormKind::integer, .lowest = 0, .highest = 1024},
                          {.kind = FormKind::word, .words = {"live"}}},
            },
        .assess = assess_nvme,
        .learn = learn_nvme,
    };
    return setting;
}

}  // namespace rocenv
