// SPDX-License-Identifier: MIT
// memory.ttm_pages: the number of 4 KiB pages that the driver may give to the GPU of an APU (module
// amdttm of AMD's driver, ttm of the kernel's own; linux drivers/gpu/drm/ttm/ttm_tt.c pages_limit,
// ttm_pool.c page_pool_size). "all": the memory of every APU, 33,554,432 pages for each MI300A. The
// default without an option is unverified (half of the memory). A number far above the node's
// memory was given in bytes, and limits nothing.
#include <algorithm>

#include "machine/gpu/gpu_models.h"
#include "machine/kernel_attribute.h"
#include "settings/memory/meminfo.h"
#include "settings/shapes/devices.h"
#include "util/text.h"

namespace rocenv {

namespace {

constexpr std::uint64_t pages_a_gib = 262144;
constexpr std::uint64_t bytes_a_page = 4096;

constexpr Grade ttm_pages_grades[] = {
    {"no limit", Level::recommended,
     "The GPU may use all memory, and then the CPUs have none left"},
};

// Returns the pages of all present APUs; 0 if there are none.
std::uint64_t pages_of_apus(const Machine& machine) {
    std::uint64_t pages = 0;
    for (const auto& gpu : machine.gpus()) {
        pages += is_apu(gpu.device) ? gpu_model(gpu.device)->memory_gib * pages_a_gib : 0;
    }
    return pages;
}

// Returns "amdttm" or "ttm"; std::nullopt if neither is loaded.
std::optional<std::string> ttm_module(const Fs& fs) {
    for (const char* name : {"amdttm", "ttm"}) {
        if (exists(fs, std::string("/sys/module/") + name + "/parameters")) {
            return name;
        }
    }
    return std::nullopt;
}

Assessment without_module(const Context& context, const std::string& expected) {
    if (!exists(context.fs(), "/sys/module/amdgpu")) {
        return no_target("the driver is not loaded");
    }
    return unreadable({}, garbled("/sys/module", "holds neither amdttm nor ttm"), expected);
}

// Explains a limit above twice the memory, which has no effect.
void mind_the_unit(const Fs& fs, const std::string& name, std::uint64_t pages, Assessment& row) {
    const auto memory = memory_bytes(fs);
    const auto have = parse_number(*row.have);
    const auto most = 2 * std::max(pages, memory ? *memory / bytes_a_page : 0);
    if (row.outcome != Outcome::ok || !memory || !have || *have <= most) {
        return;
    }
    row.outcome = Outcome::differs;
    row.detail = name + " allows " + number(*have / pages_a_gib) +
                 " GiB, more than twice the memory of the node";
    row.grade = &ttm_pages_grades[0];
    if (*have / bytes_a_page <= most) {
        row.detail += "; the driver counts pages of " + number(bytes_a_page) + " bytes";
    }
}

Assessment judge(const Fs& fs, const std::string& folder, const std::string& name,
                 std::uint64_t pages) {
    const Target target{name, std::nullopt, ""};
    const auto have = count_of_file(fs, folder + name);
    if (!have) {
        return unreadable(target, have.error(), number(pages));
    }
    auto row = compared(target, number(pages), number(*have));
    row.outcome = *have >= pages ? Outcome::ok : Outcome::differs;
    const auto limit = count_of_file(fs, folder + "pages_limit");
    // A limit that is too low has its own row.
    if (name == "page_pool_size" && limit && *limit >= pages && *have > *limit) {
        row.outcome = Outcome::differs;
        row.detail = "page_pool_size is more than pages_limit, which is " + number(*limit);
    }
    mind_the_unit(fs, name, pages, row);
    return row;
}

std::vector<Assessment> assess_ttm_pages(const Setting&, const Context& context,
                                         const Expectation& expectation) {
    const auto uncertain = context.machine.gpus_uncertain();
    if (uncertain) {
        return {unreadable({}, *uncertain, plain_text(expectation.value))};
    }
    const auto apus = pages_of_apus(context.machine);
    if (apus == 0) {
        return {no_target("this node has no APU, and its GPUs have their own memory")};
    }
    const auto module = ttm_module(context.fs());
    if (!module) {
        return {without_module(context, plain_text(expectation.value))};
    }
    const auto* given = expectation.value.integer();
    const auto pages = given != nullptr ? static_cast<std::uint64_t>(*given) : apus;
    const std::string folder = "/sys/module/" + *module + "/parameters/";
    std::vector<Assessment> rows;
    for (const char* name : {"pages_limit", "page_pool_size"}) {
        rows.push_back(judge(context.fs(), folder, name, pages));
        rows.back().next_step =
            rows.back().outcome == Outcome::differs
                ? "add " + *module + "." + name + "=" + number(pages) +
                      " to the kernel command line in the boot loader, then reboot"
                : rows.back().next_step;
    }
    return rows;
}

}  // namespace

const Setting& memory_ttm_pages() {
    static const Setting setting{
        .info =
            {
                .id = "memory.ttm_pages",
                .summary = "Memory that the driver may give to the GPU of an APU",
                .why = "By default, the GPU of an MI300A gets only a part of its 128 GiB, and "
                       "large jobs run out of memory",
                .source = "ROCm/system-acceptance-docs docs/gpus/mi300a.md, 2026-07; linux "
                          "drivers/gpu/drm/ttm/ttm_tt.c, 6.12",
                .target = "parameter",
                .read_from = "/sys/module/{amdttm,ttm}/parameters/{pages_limit,page_pool_size}, "
                             "/proc/meminfo",
                .set_by = "",
                .next_step = "set the options pages_limit and page_pool_size of the module in "
                             "/etc/modprobe.d, then reboot",
                .persist =
                    "read when the module is loaded: /etc/modprobe.d and the kernel command line",
                .risk_note = "",
                .after_reboot = true,
                .over_cluster = OverCluster::equal,
                .forms = {{.kind = FormKind::integer, .lowest = 1, .highest = INT64_MAX},
                          {.kind = FormKind::word, .words = {"all"}}},
                .grades = ttm_pages_grades,
            },
        .assess = assess_ttm_pages,
    };
    return setting;
}

}  // namespace rocenv
