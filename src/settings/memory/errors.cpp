// SPDX-License-Identifier: MIT
// memory.errors: errors that each memory controller counted since its EDAC driver was loaded or its
// counters were reset (linux drivers/edac/edac_mc_sysfs.c ue_count, ce_count,
// seconds_since_reset). Reading them clears nothing. That 100 corrected ones a day are many is a
// choice, no published figure.
#include "machine/host/edac.h"
#include "machine/host/number_files.h"
#include "machine/host/packages.h"
#include "rocenv/setting.h"
#include "settings/memory/meminfo.h"
#include "util/text.h"

namespace rocenv {

namespace {

constexpr Grade grades[] = {
    {"many", Level::recommended,
     "the hardware corrected them; more than 100 a day are of memory that wears out"},
    {"corrected", Level::info, "the hardware corrected them, and no data was lost"},
};

constexpr const char* ue_name = "ue_count";
constexpr const char* ce_name = "ce_count";

struct ErrorCounts {
    Result<std::uint64_t> uncorrected;
    Result<std::uint64_t> corrected;
    std::uint64_t seconds = 0;  // that they were counted; 0: not known

    // Returns those that could be read.
    Counters told() const {
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

// The memory of an MI300A is the HBM stacks of its APUs: there is no DIMM to replace.
constexpr const char* stacked_step =
    "grep . /sys/devices/system/edac/mc/mc*/mc_name /sys/devices/system/edac/mc/mc*/*e_count; "
    "then have the APU replaced that the HBM stack is part of";

// Why there should be more controllers than these: there is one for each socket at least, and they
// are numbered without a gap (linux drivers/edac/amd64_edac.c, skx_base.c, 6.12).
std::optional<Error> lost_controllers(const Machine& machine,
                                      const std::vector<std::string>& names) {
    const auto highest = *parse_number(names.back().substr(2));
    if (highest + 1 != names.size()) {
        return garbled(edac_folder(), "holds " + names.back() + ", and only " +
                                          number(names.size()) + " controllers");
    }
    const auto packages = read_packages_of(machine);
    return packages && packages->size() > names.size()
               ? std::optional(garbled(edac_folder(),
                                       "holds fewer controllers than there are "
                                       "sockets: " +
                                           number(names.size()) + " of " +
                                           number(packages->size())))
               : std::nullopt;
}

void tell_difference(const Context& context, const ErrorCounts& counts, const Growth& growth,
                     Assessment& row) {
    const auto uncorrected = grown_by(growth, ue_name);
    const auto corrected = grown_by(growth, ce_name);
    if (counts.uncorrected) {
        row.detail = number(uncorrected) + " could not be corrected, " +
                     (counts.corrected ? number(corrected) + " were"
                                       : std::string("how many were could not be read"));
    }
    if (uncorrected == 0) {
        const bool many = are_many(corrected, growth.whole ? counts.seconds : 0);
        row.grade = &grades[many ? 0 : 1];
    }
    if (has_stacked_memory(context.machine)) {
        row.next_step = stacked_step;
    }
}

// `wanted` is how many corrected errors are fine; of uncorrected ones none is. Where one of the
// counts could not be read, the other one is told all the same.
void add_rows(const Context& context, const std::string& name, const std::string& wanted,
              std::vector<Assessment>& out) {
    const auto counts = error_counts(context.fs(), name);
    const auto growth = context.grown(name, counts.told());
    const Target target{name, std::nullopt, ""};
    const auto uncorrected = grown_by(growth, ue_name);
    const auto corrected = grown_by(growth, ce_name);
    const bool too_many = corrected > *parse_number(wanted);
    if (!counts.uncorrected) {
        out.push_back(unreadable(target, counts.uncorrected.error(), wanted));
        if (!too_many) {
            return;
        }
        out.push_back(compared({name, std::nullopt, "/corrected"}, wanted, number(corrected)));
    } else if (!counts.corrected && uncorrected == 0) {
        out.push_back(unreadable(target, counts.corrected.error(), wanted));
        return;
    } else {
        out.push_back(compared(target, wanted, number(uncorrected + corrected)));
        out.back().counters = counts.told();
    }
    auto& row = out.back();
    row.outcome = uncorrected > 0 || too_many ? Outcome::differs : Outcome::ok;
    if (row.outcome == Outcome::differs) {
        tell_difference(context, counts, growth, row);
    }
    row.detail += (row.detail.empty() || growth.note.empty() ? "" : "; ") + growth.note;
    row.remark = !growth.note.empty();
}

std::vector<Assessment> assess_errors(const Setting&, const Context& context, const Want& want) {
    const std::string wanted = number(*want.value.integer());
    const auto controllers = memory_controllers(context.fs());
    if (controllers.is(ErrorKind::not_here)) {
        return {no_target(no_edac)};
    }
    if (!controllers) {
        return {unreadable({}, controllers.error(), wanted)};
    }
    std::vector<Assessment> out;
    for (const auto& name : *controllers) {
        add_rows(context, name, wanted, out);
    }
    if (const auto lost = lost_controllers(context.machine, *controllers)) {
        out.push_back(unreadable({}, *lost, wanted));
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
                .why = "An error that could not be corrected ended a program or the node; it comes "
                       "again",
                .source = "amd/node-scraper nodescraper/plugins/inband/dmesg, 2026-07; linux "
                          "drivers/edac/edac_mc_sysfs.c, 6.12",
                .target = "memory controller",
                .read_from =
                    "/sys/devices/system/edac/mc/mc*/{ue_count,ce_count,seconds_since_reset}",
                .set_by = "",
                .next_step =
                    "grep . /sys/devices/system/edac/mc/mc*/dimm*/dimm_ue_count "
                    "/sys/devices/system/edac/mc/mc*/dimm*/dimm_ce_count; replace that DIMM",
                .persist = "counted since the driver was loaded",
                .risk_note = "",
                .host_decides = true,
                .over_cluster = OverCluster::own,
                .forms = {{.kind = FormKind::integer, .lowest = 0, .highest = INT64_MAX}},
                .grades = grades,
            },
        .assess = assess_errors,
        .learn = learn_errors,
    };
    return setting;
}

}  // namespace rocenv
