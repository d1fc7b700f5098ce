// SPDX-License-Identifier: MIT
// Errors of GPU memory: gpu.ras, gpu.ras_events and gpu.bad_pages.

#include <map>

#include "os/redact/redact_words.h"
#include "settings/safety.h"
#include "settings/shapes/devices.h"
#include "util/text.h"

namespace rocenv {

// gpu.ras: error detection for the memory and links of each GPU (linux
// drivers/gpu/drm/amd/amdgpu/amdgpu_ras.c ras/features: data of the driver; no hardware access,
// nothing is cleared). It is read only if a profile names it.

namespace {

// Reads "feature mask: 0x5fcd"; newer drivers add lines.
Result<std::string> read_mask(const Context& context, const Gpu& gpu) {
    constexpr std::string_view start = "feature mask: 0x";
    const std::string path = pci_path(gpu.bdf, "/ras/features");
    const auto text = context.fs().read(path);
    if (!text) {
        return text.error();
    }
    const auto line = trim(split(*text, '\n').front());
    const auto mask =
        line.starts_with(start) ? parse_number(line.substr(start.size()), 16) : std::nullopt;
    if (!mask) {
        return garbled(path, "is not a valid feature mask: " + quoted_value(line));
    }
    return hex(*mask, 1);
}

Keeping keeping_of_ras(const Setting&, const Expectation&) {
    return {.unwanted_words = {"amdgpu.ras_enable=0"}};
}

std::vector<Assessment> assess_ras(const Setting&, const Context& context,
                                   const Expectation& expectation) {
    if (is_guest(context.fs())) {
        return {no_target("this is a guest, and its host detects the errors")};
    }
    return judge_alike(
        gpu_values(context, read_mask), *expectation.value.text(),
        {.absent = "the driver keeps no error record of this GPU",
         .accepts = [](const std::string&, const std::string& have) { return have != "0x0"; }});
}

}  // namespace

const Setting& gpu_ras() {
    static const Setting setting{
        .info =
            {
                .id = "gpu.ras",
                .summary =
                    "Whether error detection (RAS) of each GPU's memory and links is enabled",
                .why = "Without RAS, memory errors stay silent and results can be wrong",
                .source = "ROCm/gpu-operator docs/metrics/health.md, 2026-08; linux "
                          "drivers/gpu/drm/amd/amdgpu/amdgpu_ras.c, 6.12",
                .target = "physical GPU",
                .read_from = "ras/features of the GPU's PCI function",
                .set_by = "",
                .next_step = "remove amdgpu.ras_enable=0 and amdgpu.ras_mask= from the kernel "
                             "command line and /etc/modprobe.d, then reboot",
                .persist = "decided when the driver is loaded",
                .risk_note = "",
                .after_reboot = true,
                .only_when_named = true,
                .over_cluster = OverCluster::equal,
                .forms = {{.kind = FormKind::word, .words = {"on", "equal"}}},
            },
        .assess = assess_ras,
        .keeping = keeping_of_ras,
    };
    return setting;
}

// gpu.ras_events: fatal errors and poison counted since the driver was loaded (linux
// drivers/gpu/drm/amd/amdgpu/amdgpu_ras.c ras/event_state: "Fatal Error: count:0, last_seqno:0",
// "Poison Creation", "Poison Consumption"). The file shows data of the driver: no hardware access,
// nothing is cleared. It is read only if a profile names it; drivers before 2024 have none.

namespace {

constexpr Grade ras_events_grades[] = {
    {"poison", Level::recommended, "Poison ends only the job that used the affected memory"},
};

// Returns the number behind "count:" in a line, with or without a blank before it.
std::optional<std::uint64_t> count_in(std::string_view line) {
    const auto at = line.find("count:");
    if (at == line.npos) {
        return std::nullopt;
    }
    const auto rest = line.substr(at + 6);
    return parse_number(trim(rest.substr(0, rest.find(','))));
}

// Returns the counts by kind ("Fatal Error").
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

// Returns "0", or the events: "1 Fatal Error".
std::string events_text(const Counters& counters) {
    std::vector<std::string> out;
    for (const auto& [name, count] : counters) {
        if (count > 0) {
            out.push_back(number(count) + " " + name);
        }
    }
    return out.empty() ? "0" : join(out, ", ");
}

std::vector<Assessment> assess_ras_events(const Setting&, const Context& context,
                                          const Expectation&) {
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
        return events_text(growth.counts);
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

// gpu.bad_pages: retired pages of a GPU's memory (linux drivers/gpu/drm/amd/amdgpu/amdgpu_ras.c
// gpu_vram_bad_pages: one line for each page, "0x00000001 : 0x00001000 : R"; R is retired, P waits
// for a reset, F could not be retired). An empty file is a GPU without bad pages. The driver holds
// the list under a lock that a GPU reset also holds, so it is read only if a profile names it.

namespace {

constexpr Grade bad_pages_grades[] = {
    {"reserved", Level::recommended,
     "A retired page does no harm, but a growing number of them shows that the GPU wears out"},
};

struct Pages {
    std::size_t reserved = 0;
    std::size_t pending = 0;
    std::size_t failed = 0;
    std::size_t all() const { return reserved + pending + failed; }
};

bool count_page(std::string_view line, Pages& pages) {
    const auto fields = words(line);
    if (fields.size() != 5 || fields[1] != ":" || fields[3] != ":" ||
        !fields[0].starts_with("0x") || !parse_number(fields[0].substr(2), 16)) {
        return false;
    }
    pages.reserved += fields[4] == "R" ? 1U : 0U;
    pages.pending += fields[4] == "P" ? 1U : 0U;
    pages.failed += fields[4] == "F" ? 1U : 0U;
    return fields[4] == "R" || fields[4] == "P" || fields[4] == "F";
}

Result<Pages> read_pages(const Fs& fs, const std::string& bdf) {
    const std::string path = pci_path(bdf, "/ras/gpu_vram_bad_pages");
    const auto text = fs.read(path);
    if (!text) {
        return text.error();
    }
    if (trim(*text).empty() && text->find('\0') != text->npos) {
        return garbled(path, "the file holds only NUL bytes");
    }
    Pages pages;
    for (const auto line : split(trim(*text), '\n')) {
        if (!trim(line).empty() && !count_page(line, pages)) {
            return garbled(path, "is not a valid list of pages: " + quoted_value(line));
        }
    }
    return pages;
}

// Returns "1 page waits for a reset; 0 pages could not be retired; 2 pages are retired".
std::string pages_text(const Pages& pages) {
    return counted(pages.pending, "page") + (pages.pending == 1 ? " waits" : " wait") +
           " for a reset; " + counted(pages.failed, "page") + " could not be retired; " +
           counted(pages.reserved, "page") + (pages.reserved == 1 ? " is" : " are") + " retired";
}

// Judges the pages. Pending and failed pages are faults, whatever number is allowed and however
// old.
void judge(const Context& context, const Pages& pages, std::size_t expected, Assessment& row) {
    row.counters = {{"pages", pages.all()}};
    const Growth growth = context.grown(row.target.base, row.counters);
    const bool grave = pages.pending + pages.failed > 0;
    const bool many = growth.counts.at("pages") > expected;
    row.outcome = grave || many ? Outcome::differs : Outcome::ok;
    row.grade = grave || !many ? nullptr : &bad_pages_grades[0];
    if (row.outcome == Outcome::differs) {
        row.detail = pages_text(pages);
    }
    if (row.outcome == Outcome::differs && !grave) {
        row.next_step = "sudo amd-smi bad-pages --gpu BDF; if the count grows, replace the GPU";
    }
    if (!growth.note.empty()) {
        row.remark = true;
        row.detail += (row.detail.empty() ? "" : "; ") + growth.note;
    }
}

std::vector<Assessment> assess_bad_pages(const Setting&, const Context& context,
                                         const Expectation& expectation) {
    const auto expected = static_cast<std::size_t>(*expectation.value.integer());
    std::map<std::string, Pages> found;
    const auto count = [&](const Context& here, const Gpu& gpu) -> Result<std::string> {
        const auto pages = read_pages(here.fs(), gpu.bdf);
        if (!pages) {
            return pages.error();
        }
        return number(found.emplace(gpu.bdf, *pages).first->second.all());
    };
    auto rows = judge_alike(gpu_values(context, count), number(expected),
                            {.absent = "the driver keeps no list of bad pages for this GPU"});
    for (auto& row : rows) {
        if (row.have) {
            judge(context, found.at(row.target.base), expected, row);
        }
    }
    return rows;
}

}  // namespace

const Setting& gpu_bad_pages() {
    static const Setting setting{
        .info =
            {
                .id = "gpu.bad_pages",
                .summary = "Number of bad pages found in the memory of each GPU",
                .why = "A bad page that waits for a reset is still in use, and failing memory "
                       "corrupts results or ends jobs",
                .source = "oracle-quickstart/oci-hpc check_gpu_setup.py, 2026-05; linux "
                          "drivers/gpu/drm/amd/amdgpu/amdgpu_ras.c, 6.12",
                .target = "physical GPU",
                .read_from = "ras/gpu_vram_bad_pages of the GPU's PCI function",
                .set_by = "",
                .next_step = "if no job uses a GPU of this node: sudo amd-smi reset --gpu BDF "
                             "--gpureset; if "
                             "the count grows after the reset, replace the GPU",
                .persist = "persistent (the GPU stores the list)",
                .risk_note = "",
                .only_when_named = true,
                .over_cluster = OverCluster::own,
                .forms = {{.kind = FormKind::integer, .lowest = 0, .highest = 1000000}},
                .grades = bad_pages_grades,
            },
        .assess = assess_bad_pages,
    };
    return setting;
}

}  // namespace rocenv
