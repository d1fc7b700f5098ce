// SPDX-License-Identifier: MIT
// gpu.ras_events: fatal errors and poison that the driver counted since it was loaded (linux
// drivers/gpu/drm/amd/amdgpu/amdgpu_ras.c ras/event_state: "Fatal Error: count:0, last_seqno:0",
// "Poison Creation", "Poison Consumption"). The file is the driver's memory: no hardware is asked,
// nothing is cleared. Only a profile that names it has it read; drivers before 2024 have none.
#include <map>

#include "os/redact/redact_words.h"
#include "settings/shapes/devices.h"
#include "util/text.h"

namespace rocenv {

namespace {

constexpr Grade ras_events_grades[] = {
    {"poison", Level::recommended, "Poison ends only the job that used the affected memory"},
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

// By kind ("Fatal Error").
Result<Counters> read_events(const Fs& fs, const std::string& bdf) {
    const std::string path = pci_path(bdf, "/ras/event_state");
    const auto text = fs.read(path);
    if (!text) {
        return text.error();
    }
    Counters out;
    for (const auto line : split(trim(*text), '\n')) {
        if (line.find("seqno") != line.npos && line.find("count:") == line.npos) {
            continue;  // "current seqno: 0"
        }
        const auto count = count_in(line);
        if (!count) {
            return garbled(path, "is not a valid count of events: " + quoted_value(line));
        }
        out[printable(trim(line.substr(0, line.find(':'))), 40)] += *count;
    }
    return out.empty() ? garbled(path, "the file counts no events") : Result(std::move(out));
}

// "0", or what there was: "1 Fatal Error".
std::string told_events(const Counters& counters) {
    std::vector<std::string> out;
    for (const auto& [name, count] : counters) {
        if (count > 0) {
            out.push_back(number(count) + " " + name);
        }
    }
    return out.empty() ? "0" : join(out, ", ");
}

std::vector<Assessment> assess_ras_events(const Setting&, const Context& context, const Want&) {
    struct Seen {
        Counters counters;
        std::string note;
    };
    std::map<std::string, Seen> seen;
    const auto read = [&](const Context& here, const Gpu& gpu) -> Result<std::string> {
        auto counters = read_events(here.fs(), gpu.bdf);
        if (!counters) {
            return counters.error();
        }
        const Growth growth = context.grown(gpu.bdf, *counters);
        seen[gpu.bdf] = {*std::move(counters), growth.note};
        return told_events(growth.counts);
    };
    auto rows = judge_alike(gpu_values(context, read), "0",
                            {.absent = "this driver does not count fatal errors and poison"});
    for (auto& row : rows) {
        if (const auto at = seen.find(row.target.base); at != seen.end()) {
            row.counters = at->second.counters;
            row.detail += at->second.note;
            row.remark = !at->second.note.empty();
        }
        const bool fatal = row.have && row.have->find("Fatal") != std::string::npos;
        row.grade = row.outcome == Outcome::differs && !fatal ? &ras_events_grades[0] : nullptr;
    }
    return rows;
}

}  // namespace

const Setting& gpu_ras_events() {
    static const Setting setting{
        .info =
            {
                .id = "gpu.ras_events",
                .summary = "Fatal errors and poison of each GPU since its driver was loaded",
                .why = "A GPU with a fatal error or consumed poison has lost the results of a job",
                .source = "linux drivers/gpu/drm/amd/amdgpu/amdgpu_ras.c, 6.12 (2024-11)",
                .target = "physical GPU",
                .read_from = "ras/event_state of the GPU's PCI function",
                .set_by = "",
                .next_step = "sudo dmesg | grep -i -e poison -e ras; if the log confirms the "
                             "error, reset the GPU or reboot",
                .persist = "counted from zero when the driver is loaded",
                .risk_note = "",
                .only_when_named = true,
                .over_cluster = OverCluster::own,
                .forms = {{.kind = FormKind::integer, .lowest = 0, .highest = 0}},
                .grades = ras_events_grades,
            },
        .assess = assess_ras_events,
    };
    return setting;
}

}  // namespace rocenv
