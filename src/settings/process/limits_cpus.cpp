// SPDX-License-Identifier: MIT
// limits.cpus: whether the asking process may run near its GPUs: of each GPU that it can see at
// least one local CPU is among those it is allowed (linux fs/proc/array.c Cpus_allowed_list, which
// holds what taskset, cpusets and the batch system left of them).
#include <algorithm>

#include "machine/host/cpus.h"
#include "machine/host/number_files.h"
#include "settings/shapes/gpu_files.h"
#include "settings/shapes/limits.h"
#include "util/text.h"

namespace rocenv {

namespace {

using AllowedCpus = std::vector<std::uint32_t>;

bool share_one(const AllowedCpus& one, const AllowedCpus& other) {
    return std::any_of(one.begin(), one.end(), [&](std::uint32_t cpu) {
        return std::binary_search(other.begin(), other.end(), cpu);
    });
}

// True where it is covered, else there is a row more.
bool judge(const Fs& fs, const Gpu& gpu, const AllowedCpus& allowed,
           std::vector<Assessment>& rows) {
    const Target target{gpu.bdf, std::nullopt, ""};
    const auto local = numbers_of_file(fs, pci_path(gpu.bdf, "/local_cpulist"));
    if (!local) {
        rows.push_back(unreadable(target, local.error(), "covers-gpus"));
        return false;
    }
    if (local->empty() || share_one(*local, allowed)) {
        return true;
    }
    rows.push_back(compared(target, number_list(*local), number_list(allowed)));
    rows.back().detail = "none of the CPUs near it may be used";
    return false;
}

std::vector<Assessment> assess_limits_cpus(const Setting&, const Context& context,
                                           const Want& want) {
    if (auto other = not_this_process(context)) {
        return {*std::move(other)};
    }
    const std::string& wanted = *want.value.text();
    const Target self{"process", std::nullopt, ""};
    const auto allowed = allowed_cpus(context.fs());
    if (!allowed) {
        return {unreadable(self, allowed.error(), wanted)};
    }
    std::vector<Assessment> rows;
    const auto uncertain = context.machine.kfd_uncertain();
    if (uncertain) {
        rows.push_back(unreadable(self, *uncertain, wanted));
    }
    std::size_t covered = 0;
    for (const auto& gpu : context.machine.gpus()) {
        if (!gpu.agents.empty()) {
            covered += judge(context.fs(), gpu, *allowed, rows) ? 1U : 0U;
        }
    }
    if (rows.empty() && covered == 0) {
        rows.push_back(no_target("this process can see no GPU"));
        rows.back().target = self;
    } else if (rows.empty()) {
        rows.push_back(compared(self, wanted, wanted));
        rows.back().detail = "GPUs: " + number(covered);
    }
    return rows;
}

}  // namespace

const Setting& limits_cpus() {
    static const Setting setting{
        .info =
            {
                .id = "limits.cpus",
                .summary = "Whether the process may run on CPUs near each of its GPUs",
                .why = "From the other socket each launch and copy crosses between the processors",
                .source = "ROCm/system-acceptance-docs docs/common/os-tuning.md, 2026-07; linux "
                          "fs/proc/array.c, 6.12",
                .target = "process",
                .read_from = "/proc/self/status, local_cpulist of each GPU that KFD shows",
                .set_by = "",
                .next_step =
                    "grep Cpus_allowed_list /proc/self/status; ask the batch system, docker run "
                    "--cpuset-cpus or taskset for CPUs near the GPU (rocenv topo)",
                .persist = "for the process and what it starts",
                .risk_note = "",
                .scope = Scope::process,
                .over_cluster = OverCluster::own,
                .forms = {{.kind = FormKind::word, .words = {"covers-gpus"}}},
            },
        .assess = assess_limits_cpus,
    };
    return setting;
}

}  // namespace rocenv
