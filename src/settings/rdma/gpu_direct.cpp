// SPDX-License-Identifier: MIT
// rdma.gpu_direct: whether a NIC can reach GPU memory without a copy in host memory. RCCL looks for
// amdkfd among the peer memory clients, then for ib_register_peer_memory_client in /proc/kallsyms
// (ROCm/rccl src/misc/rocmwrap.cc and src/transport/net_ib.cc, 2024-10); else the kernel must be
// built to share GPU memory as dma-buf. AMD names HSA_AMD_P2P for the kernel's own amdgpu; one that
// has a version of its own brings it along. /proc/kallsyms is asked last. Where it is larger than
// what is read of any file, as it is of most kernels, nothing tells that there is no way.
#include <array>

#include "settings/rdma/rdma_ports.h"
#include "util/text.h"

namespace rocenv {

namespace {

// By kernels and drivers, as RCCL tries them.
constexpr std::array<const char*, 3> peer_folders{"/sys/kernel/mm/memory_peers/amdkfd",
                                                  "/sys/kernel/memory_peers/amdkfd",
                                                  "/sys/memory_peers/amdkfd"};

bool has_line(std::string_view config, std::string_view wanted) {
    for (const auto line : split(config, '\n')) {
        if (trim(line) == wanted) {
            return true;
        }
    }
    return false;
}

// Options that the kernel lacks; an error where its configuration is not known.
Result<std::vector<std::string>> lacking_options(const Context& context) {
    const std::string release = context.machine.facts().kernel;
    if (release.empty() || release.find('/') != std::string::npos) {
        return Error{ErrorKind::not_here, 0, "/proc/sys/kernel/osrelease",
                     "/proc/sys/kernel/osrelease does not tell the kernel's release"};
    }
    const std::string path = "/boot/config-" + release;
    const auto config = context.fs().read(path);
    if (!config) {
        return config.error();
    }
    if (config->find("CONFIG_") == std::string::npos) {
        return garbled(path, "is no configuration of a kernel");
    }
    std::vector<std::string> needed{"CONFIG_PCI_P2PDMA", "CONFIG_DMABUF_MOVE_NOTIFY"};
    if (!exists(context.fs(), "/sys/module/amdgpu/version")) {
        needed.emplace_back("CONFIG_HSA_AMD_P2P");
    }
    std::erase_if(needed,
                  [&](const std::string& option) { return has_line(*config, option + "=y"); });
    return needed;
}

// Whether modules can register as clients of peer memory. Lines are "ADDRESS TYPE NAME [MODULE]"
// (linux kernel/kallsyms.c s_show, 6.12).
Result<bool> takes_peer_clients(const Fs& fs) {
    const std::string path = "/proc/kallsyms";
    const auto symbols = fs.read(path);
    if (!symbols) {
        return symbols.error();
    }
    bool any = false;
    for (const auto line : split(*symbols, '\n')) {
        const auto parts = words(line);
        any = any || parts.size() > 2;
        if (parts.size() > 2 && parts[2] == "ib_register_peer_memory_client") {
            return true;
        }
    }
    return any ? Result(false) : garbled(path, "is no list of symbols");
}

Assessment possible(std::string how) {
    auto row = compared({}, "possible", "possible");
    row.detail = std::move(how);
    return row;
}

Assessment not_told(const Error& error, const char* next_step) {
    auto row = unreadable({}, error, "possible");
    row.detail = "amdkfd is no client of peer memory; " + row.detail;
    row.next_step = next_step;
    return row;
}

Assessment judge_kernel(const Context& context) {
    const auto lacking = lacking_options(context);
    if (lacking && lacking->empty()) {
        return possible("the kernel shares GPU memory as dma-buf");
    }
    const auto clients = takes_peer_clients(context.fs());
    if (clients && *clients) {
        return possible("the kernel takes clients of peer memory (/proc/kallsyms)");
    }
    if (!lacking) {
        return not_told(lacking.error(),
                        "on the host, not in a container: grep -e P2PDMA -e MOVE_NOTIFY "
                        "/boot/config-*");
    }
    if (!clients) {
        return not_told(clients.error(), "grep ib_register_peer_memory_client /proc/kallsyms");
    }
    auto row = compared({}, "possible", "not possible");
    row.detail = "amdkfd is no client of peer memory, and the kernel is built without " +
                 join(*lacking, ", ");
    return row;
}

std::vector<Assessment> assess_gpu_direct(const Setting&, const Context& context, const Want&) {
    const auto training = training_ports(context);
    if (training.uncertain) {
        return {unreadable({}, *training.uncertain, "possible")};
    }
    if (training.devices.empty()) {
        return {no_rdma_nic(training, "possible")};
    }
    for (const char* folder : peer_folders) {
        const auto found = context.fs().size(folder);
        if (found) {
            return {possible("amdkfd is a client of peer memory")};
        }
        if (!found.is(ErrorKind::not_here)) {
            return {unreadable({}, found.error(), "possible")};
        }
    }
    return {judge_kernel(context)};
}

}  // namespace

const Setting& rdma_gpu_direct() {
    static const Setting setting{
        .info =
            {
                .id = "rdma.gpu_direct",
                .summary = "Whether a NIC can reach GPU memory without a copy in host memory",
                .why =
                    "Without it RCCL copies through host memory, and says so only in its debug log",
                .source = "ROCm/rccl src/misc/rocmwrap.cc, 2024-10; ROCm/amdgpu-docs "
                          "docs/conceptual, 2025-09",
                .target = "system",
                .read_from = "/sys/kernel/mm/memory_peers/amdkfd, /sys/kernel/memory_peers/amdkfd, "
                             "/sys/memory_peers/amdkfd, /boot/config-RELEASE, "
                             "/sys/module/amdgpu/version, /proc/kallsyms",
                .set_by = "",
                .next_step =
                    "modinfo -n amdgpu; then install the peer memory module of the NIC's "
                    "driver, or a kernel with CONFIG_PCI_P2PDMA and CONFIG_DMABUF_MOVE_NOTIFY",
                .persist = "",
                .risk_note = "",
                .after_reboot = true,
                .over_cluster = OverCluster::equal,
                .forms = {{.kind = FormKind::word, .words = {"possible"}}},
            },
        .assess = assess_gpu_direct,
    };
    return setting;
}

}  // namespace rocenv
