// SPDX-License-Identifier: MIT
// Memory modules and their errors: memory.dimms, memory.errors and memory.corrupted.
#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "machine/host/cpus.h"
#include "machine/kernel_attribute.h"
#include "rocenv/fs.h"
#include "rocenv/setting.h"
#include "settings/memory/meminfo.h"
#include "settings/shapes/devices.h"
#include "util/text.h"

namespace rocenv {

// The memory controllers of an EDAC driver: /sys/devices/system/edac/mc/mcN (linux
// Documentation/ABI/testing/sysfs-devices-edac, 6.12).

namespace {

// The reason why missing controllers are accepted.
constexpr const char* no_edac = "no EDAC driver is loaded, so no file reports the memory modules";

const std::string& edac_folder() {
    static const std::string folder = "/sys/devices/system/edac/mc";
    return folder;
}

// Returns a loaded driver of memory controllers: "amd64_edac".
static std::optional<std::string> loaded_driver(const Fs& fs) {
    const auto modules = fs.list("/sys/module");
    for (const auto& name : modules ? *modules : std::vector<std::string>()) {
        if (name.ends_with("_edac")) {
            return name;
        }
    }
    return std::nullopt;
}

// Returns the names of the controllers, "mc0", by number. Fails with `not_here` if no EDAC driver
// is loaded.
Result<std::vector<std::string>> memory_controllers(const Fs& fs) {
    auto names = fs.list(edac_folder());
    if (!names) {
        const auto driver =
            names.is(ErrorKind::not_here) ? loaded_driver(fs) : std::optional<std::string>();
        return driver ? Error{ErrorKind::io, 0, edac_folder(),
                              edac_folder() + " does not exist, although the driver " + *driver +
                                  " is loaded"}
                      : names.error();
    }
    auto& list = names.value();
    std::erase_if(list, [](const std::string& name) {
        return !name.starts_with("mc") || !parse_number(name.substr(2));
    });
    std::sort(list.begin(), list.end(), [](const std::string& one, const std::string& other) {
        return *parse_number(one.substr(2)) < *parse_number(other.substr(2));
    });
    constexpr std::size_t most = 1024;
    if (list.size() > most) {
        return garbled(edac_folder(), "holds more than " + number(most) + " controllers");
    }
    if (list.empty()) {
        return Error{ErrorKind::not_here, 0, edac_folder(),
                     edac_folder() + ": the folder is empty"};
    }
    return names;
}

}  // namespace

// memory.dimms: the installed modules, as seen by the EDAC driver: the number, size and kind of the
// modules of each memory controller. A module of the driver may be a rank of one (linux
// drivers/edac/amd64_edac.c), so numbers are compared and never reported as slots.

namespace {

constexpr std::string_view mixed_mark = " + ";

// Returns "12 of 65536 MB Unbuffered-DDR5", several kinds joined by " + ".
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
        if (*size > 0) {  // otherwise an empty slot
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

// Adds a row for each controller with different modules, regardless of other controllers.
void add_mixed(const LikeDevices& all, std::vector<Assessment>& rows) {
    for (const auto& each : all.values) {
        if (!each.value || each.value->find(mixed_mark) == std::string::npos) {
            continue;
        }
        std::erase_if(rows, [&](const Assessment& row) { return row.target.base == each.device; });
        auto row = compared({each.device, std::nullopt, ""}, "equal", *each.value);
        row.detail = "the modules of this memory controller differ";
        rows.push_back(std::move(row));
    }
}

std::vector<Assessment> assess_dimms(const Setting&, const Context& context,
                                     const Expectation& expectation) {
    const auto controllers = memory_controllers(context.fs());
    if (controllers.is(ErrorKind::not_here)) {
        return {no_target(no_edac)};
    }
    if (!controllers) {
        return {unreadable({}, controllers.error(), *expectation.value.text())};
    }
    LikeDevices all;
    for (const auto& name : *controllers) {
        all.values.push_back(
            {.device = name, .kind = "", .value = read_modules(context.fs(), name)});
    }
    auto rows = judge_alike(all, *expectation.value.text(), {});
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
                .why = "A missing module, or one of another size, slows its memory channels and "
                       "the ranks that use them",
                .source = "amd/node-scraper nodescraper/plugins/inband/dimm, 2026-07; linux "
                          "Documentation/ABI/testing/sysfs-devices-edac, 6.12",
                .target = "memory controller",
                .read_from = "/sys/devices/system/edac/mc/mc*/dimm*/{size,dimm_mem_type}",
                .set_by = "",
                .next_step = "sudo dmidecode -t memory; if a module is missing or smaller, insert "
                             "one of the same size",
                .persist = "persistent (hardware)",
                .risk_note = "",
                .host_decides = true,
                .over_cluster = OverCluster::equal,
                .forms = {{.kind = FormKind::word, .words = {"equal"}}},
            },
        .assess = assess_dimms,
    };
    return setting;
}

// memory.errors: errors of each memory controller since its EDAC driver was loaded or its counters
// were reset (linux drivers/edac/edac_mc_sysfs.c ue_count, ce_count, seconds_since_reset). Reads
// clear no counter. The limit of 100 corrected errors a day is a choice, not a published figure.

namespace {

constexpr Grade errors_grades[] = {
    {"many", Level::recommended,
     "The hardware corrected the errors, but more than 100 a day show that the memory wears out"},
    {"corrected", Level::info, "The hardware corrected the errors, and no data was lost"},
};

constexpr const char* ue_name = "ue_count";
constexpr const char* ce_name = "ce_count";

struct ErrorCounts {
    Result<std::uint64_t> uncorrected;
    Result<std::uint64_t> corrected;
    std::uint64_t seconds = 0;  // duration of the count; 0: unknown

    // Returns the counts that could be read.
    Counters reported() const {
        Counters out;
        if (uncorrected) {
            out[ue_name] = *uncorrected;
        }
        if (corrected) {
            out[ce_name] = *corrected;
        }
        return out;
    }
};

std::uint64_t grown_by(const Growth& growth, const char* name) {
    const auto found = growth.counts.find(name);
    return found == growth.counts.end() ? 0 : found->second;
}

ErrorCounts error_counts(const Fs& fs, const std::string& controller) {
    const std::string folder = edac_folder() + "/" + controller;
    const auto seconds = count_of_file(fs, folder + "/seconds_since_reset");
    return {count_of_file(fs, folder + "/ue_count"), count_of_file(fs, folder + "/ce_count"),
            seconds ? *seconds : 0};
}

bool are_many(std::uint64_t corrected, std::uint64_t seconds) {
    constexpr std::uint64_t day = 86400;
    constexpr std::uint64_t many = 100;
    return corrected > many * (seconds / day + 1);
}

// The next step for an MI300A: its memory is the HBM of its APUs, without DIMMs.
constexpr const char* stacked_step =
    "grep . /sys/devices/system/edac/mc/mc*/mc_name /sys/devices/system/edac/mc/mc*/*e_count; if a "
    "count grows, replace the APU that contains the HBM stack";

// Returns an error if controllers are missing: each socket has at least one, and they are numbered
// without a gap (linux drivers/edac/amd64_edac.c, skx_base.c, 6.12).
std::optional<Error> lost_controllers(const Machine& machine,
                                      const std::vector<std::string>& names) {
    const auto highest = *parse_number(names.back().substr(2));
    if (highest + 1 != names.size()) {
        return garbled(edac_folder(), "the folder holds " + names.back() + ", but only " +
                                          number(names.size()) + " controllers");
    }
    const auto packages = read_packages_of(machine);
    return packages && packages->size() > names.size()
               ? std::optional(garbled(
                     edac_folder(), "the folder holds fewer controllers than there are sockets: " +
                                        number(names.size()) + " of " + number(packages->size())))
               : std::nullopt;
}

void add_difference(const Context& context, const ErrorCounts& counts, const Growth& growth,
                    Assessment& row) {
    const auto uncorrected = grown_by(growth, ue_name);
    const auto corrected = grown_by(growth, ce_name);
    if (counts.uncorrected) {
        row.detail =
            counted(uncorrected, "error") + " could not be corrected, " +
            (counts.corrected ? number(corrected) + (corrected == 1 ? " was" : " were")
                              : std::string("the number of corrected errors could not be read"));
    }
    if (uncorrected == 0) {
        const bool many = are_many(corrected, growth.whole ? counts.seconds : 0);
        row.grade = &errors_grades[many ? 0 : 1];
    }
    if (has_stacked_memory(context.machine)) {
        row.next_step = stacked_step;
    }
}

// Adds the rows of a controller. `expected` is the limit of corrected errors; uncorrected ones are
// never accepted. If one count is unreadable, the other one is still reported.
void add_rows(const Context& context, const std::string& name, const std::string& expected,
              std::vector<Assessment>& out) {
    const auto counts = error_counts(context.fs(), name);
    const auto growth = context.grown(name, counts.reported());
    const Target target{name, std::nullopt, ""};
    const auto uncorrected = grown_by(growth, ue_name);
    const auto corrected = grown_by(growth, ce_name);
    const bool too_many = corrected > *parse_number(expected);
    if (!counts.uncorrected) {
        out.push_back(unreadable(target, counts.uncorrected.error(), expected));
        if (!too_many) {
            return;
        }
        out.push_back(compared({name, std::nullopt, "/corrected"}, expected, number(corrected)));
    } else if (!counts.corrected && uncorrected == 0) {
        out.push_back(unreadable(target, counts.corrected.error(), expected));
        return;
    } else {
        out.push_back(compared(target, expected, number(uncorrected + corrected)));
        out.back().counters = counts.reported();
    }
    auto& row = out.back();
    row.outcome = uncorrected > 0 || too_many ? Outcome::differs : Outcome::ok;
    if (row.outcome == Outcome::differs) {
        add_difference(context, counts, growth, row);
    }
    row.detail += (row.detail.empty() || growth.note.empty() ? "" : "; ") + growth.note;
    row.remark = !growth.note.empty();
}

std::vector<Assessment> assess_errors(const Setting&, const Context& context,
                                      const Expectation& expectation) {
    const std::string expected = number(*expectation.value.integer());
    const auto controllers = memory_controllers(context.fs());
    if (controllers.is(ErrorKind::not_here)) {
        return {no_target(no_edac)};
    }
    if (!controllers) {
        return {unreadable({}, controllers.error(), expected)};
    }
    std::vector<Assessment> out;
    for (const auto& name : *controllers) {
        add_rows(context, name, expected, out);
    }
    if (const auto lost = lost_controllers(context.machine, *controllers)) {
        out.push_back(unreadable({}, *lost, expected));
        out.back().next_step = "ls /sys/devices/system/edac/mc; sudo dmesg | grep -i edac";
    }
    return out;
}

std::optional<std::vector<Value>> learn_errors(const Setting&, const Context&) {
    return std::vector{Value{std::int64_t{0}, {}}};
}

}  // namespace

const Setting& memory_errors() {
    static const Setting setting{
        .info =
            {
                .id = "memory.errors",
                .summary = "Errors of the node's memory",
                .why = "An uncorrected memory error ends a program or the node, and often recurs",
                .source = "amd/node-scraper nodescraper/plugins/inband/dmesg, 2026-07; linux "
                          "drivers/edac/edac_mc_sysfs.c, 6.12",
                .target = "memory controller",
                .read_from =
                    "/sys/devices/system/edac/mc/mc*/{ue_count,ce_count,seconds_since_reset}",
                .set_by = "",
                .next_step = "grep . /sys/devices/system/edac/mc/mc*/dimm*/dimm_ue_count "
                             "/sys/devices/system/edac/mc/mc*/dimm*/dimm_ce_count; if the count of "
                             "a DIMM grows, replace that DIMM",
                .persist = "counted since the driver was loaded",
                .risk_note = "",
                .host_decides = true,
                .over_cluster = OverCluster::own,
                .forms = {{.kind = FormKind::integer, .lowest = 0, .highest = INT64_MAX}},
                .grades = errors_grades,
            },
        .assess = assess_errors,
        .learn = learn_errors,
    };
    return setting;
}

// memory.corrupted: pages that the kernel retired because their content was lost (linux
// fs/proc/meminfo.c HardwareCorrupted, with CONFIG_MEMORY_FAILURE).

namespace {

std::vector<Assessment> assess_corrupted(const Setting&, const Context& context,
                                         const Expectation& expectation) {
    const std::string expected = number(*expectation.value.integer());
    const auto lost = meminfo_kib(context.fs(), "/proc/meminfo", "HardwareCorrupted");
    if (!lost) {
        return {unreadable({}, lost.error(), expected)};
    }
    if (!*lost) {
        return {no_target("this kernel is built without memory failure handling")};
    }
    auto row = compared({}, expected, number(**lost));
    row.outcome = **lost <= *parse_number(expected) ? Outcome::ok : Outcome::differs;
    std::vector<Assessment> rows{row};
    mind_stacked_memory(context.machine,
                        "sudo dmesg | grep -i -e memory.failure -e mce; if the memory fails again, "
                        "replace the APU that contains the HBM stack",
                        rows);
    return rows;
}

std::optional<std::vector<Value>> learn_corrupted(const Setting&, const Context&) {
    return std::vector{Value{std::int64_t{0}, {}}};
}

}  // namespace

const Setting& memory_corrupted() {
    static const Setting setting{
        .info =
            {
                .id = "memory.corrupted",
                .summary = "Kilobytes of memory that the kernel retired as broken",
                .why =
                    "Programs lost the content of this memory, and the failing part will lose more",
                .source = "linux fs/proc/meminfo.c and mm/memory-failure.c, 6.12 (2024-11)",
                .target = "system",
                .read_from = "/proc/meminfo",
                .set_by = "",
                .next_step = "sudo dmesg | grep -i -e memory.failure -e mce; if the log names a "
                             "DIMM, replace it and reboot",
                .persist = "counted since boot",
                .risk_note = "",
                .over_cluster = OverCluster::own,
                .forms = {{.kind = FormKind::integer, .lowest = 0, .highest = INT64_MAX}},
            },
        .assess = assess_corrupted,
        .learn = learn_corrupted,
    };
    return setting;
}

}  // namespace rocenv
