// SPDX-License-Identifier: MIT
// memory.total: how much memory the node has. MemTotal leaves out what kernel, firmware and a crash
// kernel took at boot: 7 % below what is wanted passes (the tolerance of Azure's health checks).
// Where it is less, the blocks of memory that are online tell what is plugged in (lsmem's sum;
// linux Documentation/admin-guide/mm/memory-hotplug.rst, 6.12). A control group's limit shows here
// in no file: limits.memory tells it.
#include <algorithm>
#include <bit>

#include "machine/gpu/gpu_models.h"
#include "settings/memory/meminfo.h"
#include "settings/safety.h"
#include "settings/shapes/gpu_files.h"
#include "util/text.h"

namespace rocenv {

namespace {

constexpr std::uint64_t whole = 100;
constexpr std::uint64_t passes = 93;
const std::string blocks_folder = "/sys/devices/system/memory";

Result<std::uint64_t> online_blocks(const Fs& fs) {
    const auto size_text = fs.read(blocks_folder + "/block_size_bytes");
    const auto names = fs.list(blocks_folder);
    if (!size_text || !names) {
        return size_text ? names.error() : size_text.error();
    }
    const auto size = parse_number(trim(*size_text), 16);
    if (!size || *size == 0 || *size > INT64_MAX / (names->size() + 1)) {
        return garbled(blocks_folder + "/block_size_bytes", "is no size of a block");
    }
    std::uint64_t sum = 0;
    for (const auto& name : *names) {
        if (name.starts_with("memory") && parse_number(name.substr(6))) {
            const auto state = fs.read(blocks_folder + "/" + name + "/state");
            if (!state) {
                return state.error();
            }
            sum += trim(*state) == "online" ? *size : 0U;
        }
    }
    return sum;
}

// What AMD's pages ask for with the GPUs that are here, the most of them. 0: no figure is known.
std::uint64_t wanted_by_models(const Machine& machine) {
    std::uint64_t most = 0;
    for (const auto& gpu : machine.gpus()) {
        const GpuModel* model = is_for_compute(gpu) ? gpu_model(gpu.device) : nullptr;
        most = std::max(most, model != nullptr ? model->host_memory : 0);
    }
    return most;
}

bool is_enough(std::uint64_t total, std::uint64_t least) {
    return total >= least || total / passes >= least / whole + 1 ||
           total >= least - least / whole * (whole - passes);
}

Assessment judge(const Fs& fs, std::uint64_t total, std::uint64_t least) {
    auto row = compared({}, number(least), number(total));
    row.outcome = is_enough(total, least) ? Outcome::ok : Outcome::differs;
    row.detail = bytes_told(total);
    if (row.outcome == Outcome::ok) {
        return row;
    }
    const auto blocks = online_blocks(fs);
    row.detail += " of at least " + bytes_told(least);
    if (blocks && *blocks >= least) {
        row.outcome = Outcome::ok;
        row.have = number(*blocks);
        row.detail = bytes_told(*blocks) + " are online, " + bytes_told(total) +
                     " of them left by kernel and firmware";
        row.remark = true;
    } else if (!blocks && !blocks.is(ErrorKind::not_here)) {
        row.detail += "; what is plugged in could not be read: " + blocks.error().text;
    }
    return row;
}

std::vector<Assessment> assess_total(const Setting&, const Context& context, const Want& want) {
    std::uint64_t least = 0;
    if (want.value.integer() != nullptr) {
        least = static_cast<std::uint64_t>(*want.value.integer());
    } else if (is_guest(context.fs())) {
        return {no_target("this is a guest: its host decides how much it has")};
    } else {
        least = wanted_by_models(context.machine);
        const auto uncertain = context.machine.gpus_uncertain();
        if (uncertain) {
            return {unreadable({}, *uncertain, "model")};
        }
    }
    if (least == 0) {
        return {no_target("no source states how much memory goes with these GPUs")};
    }
    const auto total = memory_bytes(context.fs());
    std::vector<Assessment> rows{total ? judge(context.fs(), *total, least)
                                       : unreadable({}, total.error(), number(least))};
    mind_stacked_memory(context.machine,
                        "grep MemTotal /sys/devices/system/node/node*/meminfo; "
                        "have the APU looked at whose HBM is missing; "
                        "take mem= from the kernel line",
                        rows);
    return rows;
}

// Nodes with the same DIMMs differ by what firmware and kernel keep. Whole MiB are told by the
// 256th part, so that most of them say the same, and the rest is tolerated.
std::string normalised_total(std::string_view have) {
    constexpr std::uint64_t parts = 256;
    constexpr std::uint64_t mebibyte = std::uint64_t{1} << 20U;
    constexpr std::uint64_t gibibyte = std::uint64_t{1} << 30U;
    const auto bytes = parse_number(have);
    if (!bytes) {
        return std::string(have);
    }
    const std::uint64_t part = std::max(mebibyte, std::bit_floor(*bytes / parts));
    const std::uint64_t told = (*bytes + part / 2) / part * part;
    return told % gibibyte == 0 ? number(told / gibibyte) + " GiB"
                                : number(told / mebibyte) + " MiB";
}

}  // namespace

const Setting& memory_total() {
    static const Setting setting{
        .info =
            {
                .id = "memory.total",
                .summary = "How much memory the node has",
                .why = "A job that fills the GPUs stages through host memory; with too little it "
                       "fails",
                .source = "ROCm/system-acceptance-docs docs/common/health-checks.md, 2026-07; "
                          "Azure/azurehpc-health-checks conf/nd96isr_mi300x_v5.conf, 2026-05",
                .target = "system",
                .read_from = "/proc/meminfo; where it is less than wanted "
                             "/sys/devices/system/memory/{block_size_bytes,memory*/state}",
                .set_by = "",
                .next_step = "sudo dmidecode -t memory | grep -e Size -e Locator; reseat or "
                             "replace the DIMM "
                             "that is missing; take mem= from the kernel line",
                .persist = "is persistent: what is plugged in",
                .risk_note = "",
                .over_cluster = OverCluster::equal,
                .tolerated_percent = 1,
                .forms = {{.kind = FormKind::integer, .lowest = 1, .highest = INT64_MAX},
                          {.kind = FormKind::word, .words = {"model"}}},
            },
        .assess = assess_total,
        .normalised = normalised_total,
    };
    return setting;
}

}  // namespace rocenv
