// SPDX-License-Identifier: MIT
// gpu.bad_pages: pages of a GPU's memory that were taken out of use (linux
// drivers/gpu/drm/amd/amdgpu/amdgpu_ras.c gpu_vram_bad_pages: a line a page, "0x00000001 :
// 0x00001000 : R"; R is out of use, P waits for a reset, F could not be taken out). An empty file
// is a GPU without bad pages. The list is the driver's own, under a lock that a reset of the GPU
// holds; only a profile that names it has it read.
#include <map>

#include "os/redact/redact_words.h"
#include "settings/shapes/devices.h"
#include "util/text.h"

namespace rocenv {

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

// Pending and failed pages are faults whatever number is allowed, and however old.
void judge(const Context& context, const Pages& pages, std::size_t wanted, Assessment& row) {
    row.counters = {{"pages", pages.all()}};
    const Growth growth = context.grown(row.target.base, row.counters);
    const bool grave = pages.pending + pages.failed > 0;
    const bool many = growth.counts.at("pages") > wanted;
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

std::vector<Assessment> assess_bad_pages(const Setting&, const Context& context, const Want& want) {
    const auto wanted = static_cast<std::size_t>(*want.value.integer());
    std::map<std::string, Pages> found;
    const auto count = [&](const Context& here, const Gpu& gpu) -> Result<std::string> {
        const auto pages = read_pages(here.fs(), gpu.bdf);
        if (!pages) {
            return pages.error();
        }
        return number(found.emplace(gpu.bdf, *pages).first->second.all());
    };
    auto rows = judge_alike(gpu_values(context, count), number(wanted),
                            {.absent = "the driver keeps no list of bad pages for this GPU"});
    for (auto& row : rows) {
        if (row.have) {
            judge(context, found.at(row.target.base), wanted, row);
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
                .next_step = "if no job uses the GPU: sudo amd-smi reset --gpu BDF --gpureset; if "
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
