// SPDX-License-Identifier: MIT
// Abilities of each RDMA NIC: rdma.firmware and rdma.gpu_direct.
#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "settings/rdma/inventory.h"
#include "util/text.h"

namespace rocenv {

// rdma.firmware: the firmware version of each RDMA NIC, equal among those of one board. Every verbs
// device has fw_ver (linux drivers/infiniband/core/sysfs.c fw_ver_show). Only some drivers (mlx5)
// have board_id; otherwise NICs of one PCI id count as one board. A training NIC without equals,
// beside several equal ones, is an outlier: a spare of another model.

namespace {

// Returns the version; some drivers add text after it.
Result<std::string> version_of(const Fs& fs, const RdmaDevice& device) {
    const auto line = read_line(fs, rdma_folder(device.name) + "/fw_ver");
    return line ? Result(std::string(words(*line).front())) : line;
}

Result<std::string> board_of(const Fs& fs, const RdmaDevice& device) {
    const auto text = fs.read(rdma_folder(device.name) + "/board_id");
    if (!text) {
        return text.is(ErrorKind::not_here) ? Result<std::string>(std::string()) : text.error();
    }
    const auto board = trim(*text);
    constexpr std::size_t longest = 64;
    return board.size() > longest || !is_plain(board)
               ? garbled(rdma_folder(device.name) + "/board_id", "is not a valid board name")
               : Result(std::string(board));
}

DeviceValue firmware_value(const Context& context, const RdmaDevice& device) {
    const auto board = board_of(context.fs(), device);
    DeviceValue out{.device = device.bdf,
                    .kind = kind_of_nic(context.machine, device.bdf) +
                            (board && !board->empty() ? " " + *board : ""),
                    .value = version_of(context.fs(), device),
                    .left_out = context.leaves_out(device.bdf)};
    const auto identified = context.machine.function(device.bdf).error;
    if (const auto sleeping = context.machine.asleep(device.bdf)) {
        out.value = *sleeping;
    } else if (identified || !board) {
        out.value = identified ? *identified : board.error();
    }
    return out;
}

using Kinds = std::map<std::string, std::size_t>;

// Returns the number of training NICs of each kind; unidentified ones do not count.
Kinds training_kinds(const LikeDevices& all, const TrainingPorts& training) {
    Kinds out;
    for (const auto& each : all.values) {
        if (each.value && training.trains(each.device)) {
            ++out[each.kind];
        }
    }
    return out;
}

// Reports outliers. Rows of judge_nics() are in the order of the devices, with equal number unless
// a device did not respond.
void add_outliers(const LikeDevices& all, const TrainingPorts& training,
                  std::vector<Assessment>& rows) {
    const auto kinds = training_kinds(all, training);
    const auto most = std::max_element(
        kinds.begin(), kinds.end(),
        [](const auto& one, const auto& other) { return one.second < other.second; });
    for (const auto& each : all.values) {
        const auto found = kinds.find(each.kind);
        const auto row = std::find_if(rows.begin(), rows.end(), [&](const Assessment& one) {
            return one.target.base == each.device;
        });
        const bool outlier = training.trains(each.device) && each.value && found != kinds.end() &&
                             found->second == 1 && most->second > 1;
        if (outlier && row != rows.end() && row->outcome == Outcome::na) {
            *row = compared(row->target, "equal", *each.value);
            row->outcome = Outcome::differs;
            row->detail = "this NIC is a " + each.kind + ", but " + number(most->second) +
                          " are a " + most->first;
            row->next_step = "rdma link show; replace the NIC with one of the same model";
        }
    }
}

std::vector<Assessment> assess_firmware(const Setting&, const Context& context,
                                        const Expectation& expectation) {
    const auto training = training_ports(context);
    const std::string& expected = *expectation.value.text();
    if (training.uncertain) {
        return {unreadable({}, *training.uncertain, expected)};
    }
    if (training.devices.empty()) {
        return {no_rdma_nic(training, expected)};
    }
    LikeDevices all{.values = {},
                    .why_none = "the kernel reports no firmware of Slingshot NICs: " +
                                join(training.slingshot(), ", ")};
    std::string last;
    for (const auto& device : training.devices) {
        if (device.verbs && device.bdf != last) {
            all.values.push_back(firmware_value(context, device));
            last = device.bdf;
        }
    }
    auto rows = judge_nics(all, expected, {});
    if (expected == "equal") {
        add_outliers(all, training, rows);
    }
    return rows;
}

// Returns versions, and their boards.
std::vector<ClusterFact> facts_of_firmware(const Setting& setting, const Context& context) {
    auto out = assessed_facts(setting, context);
    std::set<std::string> seen;
    for (const auto& device : training_ports(context).devices) {
        if (!device.verbs || context.machine.asleep(device.bdf) ||
            !seen.insert(device.bdf).second) {
            continue;
        }
        const auto board = board_of(context.fs(), device);
        if (!board || !board->empty()) {
            add_fact({device.bdf, std::nullopt, "/board_id"}, board, out);
        }
    }
    return out;
}

}  // namespace

const Setting& rdma_firmware() {
    static const Setting setting{
        .info =
            {
                .id = "rdma.firmware",
                .summary = "Firmware version of each RDMA NIC",
                .why =
                    "A NIC with other firmware than its peers has other defaults and other faults",
                .source =
                    "ROCm/system-acceptance-docs docs/common/firmware-updates.md, 2026-07; linux "
                    "drivers/infiniband/core/sysfs.c, 6.12",
                .target = "PCI function",
                .read_from = "/sys/class/infiniband/*/{fw_ver,board_id}",
                .set_by = "",
                .next_step =
                    "rdma link show; update the firmware of BDF with the tool of its vendor",
                .persist = "persistent (flash of the NIC)",
                .risk_note = "",
                .over_cluster = OverCluster::equal,
                .forms = {{.kind = FormKind::word, .words = {"equal"}},
                          {.kind = FormKind::any_word}},
            },
        .assess = assess_firmware,
        .facts = facts_of_firmware,
    };
    return setting;
}

// rdma.gpu_direct: a NIC can reach GPU memory without a copy in host memory. RCCL checks for amdkfd
// among the peer memory clients, then for ib_register_peer_memory_client in /proc/kallsyms
// (ROCm/rccl src/misc/rocmwrap.cc and src/transport/net_ib.cc, 2024-10). Otherwise the kernel must
// be built to share GPU memory as dma-buf. AMD names HSA_AMD_P2P for the kernel's own amdgpu; a
// module with its own version includes it. /proc/kallsyms is read last. On most kernels it exceeds
// the read limit, so it cannot prove that the support is missing.

namespace {

// Folders of kernels and drivers, in the order of RCCL.
constexpr std::array<const char*, 3> peer_folders{"/sys/kernel/mm/memory_peers/amdkfd",
                                                  "/sys/kernel/memory_peers/amdkfd",
                                                  "/sys/memory_peers/amdkfd"};

bool has_line(std::string_view config, std::string_view expected) {
    for (const auto line : split(config, '\n')) {
        if (trim(line) == expected) {
            return true;
        }
    }
    return false;
}

// Returns the missing kernel options. Fails if the kernel's configuration is unknown.
Result<std::vector<std::string>> lacking_options(const Context& context) {
    const std::string release = context.machine.facts().kernel;
    if (release.empty() || release.find('/') != std::string::npos) {
        return Error{ErrorKind::not_here, 0, "/proc/sys/kernel/osrelease",
                     "/proc/sys/kernel/osrelease does not state the kernel release"};
    }
    const std::string path = "/boot/config-" + release;
    const auto config = context.fs().read(path);
    if (!config) {
        return config.error();
    }
    if (config->find("CONFIG_") == std::string::npos) {
        return garbled(path, "is not a valid kernel configuration");
    }
    std::vector<std::string> needed{"CONFIG_PCI_P2PDMA", "CONFIG_DMABUF_MOVE_NOTIFY"};
    if (!exists(context.fs(), "/sys/module/amdgpu/version")) {
        needed.emplace_back("CONFIG_HSA_AMD_P2P");
    }
    std::erase_if(needed,
                  [&](const std::string& option) { return has_line(*config, option + "=y"); });
    return needed;
}

// Returns true if modules can register as peer memory clients. Lines are "ADDRESS TYPE NAME
// [MODULE]" (linux kernel/kallsyms.c s_show, 6.12).
Result<bool> accepts_peer_clients(const Fs& fs) {
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
    return any ? Result(false) : garbled(path, "is not a valid list of symbols");
}

Assessment possible(std::string how) {
    auto row = compared({}, "possible", "possible");
    row.detail = std::move(how);
    return row;
}

Assessment not_stated(const Error& error, const char* next_step) {
    auto row = unreadable({}, error, "possible");
    row.detail = "amdkfd is not a client of peer memory; " + row.detail;
    row.next_step = next_step;
    return row;
}

Assessment judge_kernel(const Context& context) {
    const auto lacking = lacking_options(context);
    if (lacking && lacking->empty()) {
        return possible("the kernel shares GPU memory as dma-buf");
    }
    const auto clients = accepts_peer_clients(context.fs());
    if (clients && *clients) {
        return possible("the kernel accepts clients of peer memory (/proc/kallsyms)");
    }
    if (!lacking) {
        return not_stated(lacking.error(),
                          "on the host, not in a container: grep -e P2PDMA -e MOVE_NOTIFY "
                          "/boot/config-*");
    }
    if (!clients) {
        return not_stated(clients.error(), "grep ib_register_peer_memory_client /proc/kallsyms");
    }
    auto row = compared({}, "possible", "not possible");
    row.detail = "amdkfd is not a client of peer memory, and the kernel is built without " +
                 join(*lacking, ", ");
    return row;
}

std::vector<Assessment> assess_gpu_direct(const Setting&, const Context& context,
                                          const Expectation&) {
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
                .summary = "Whether a NIC can access GPU memory without a copy in host memory",
                .why = "Without GPUDirect RDMA, RCCL copies through host memory and only its debug "
                       "log shows it",
                .source = "ROCm/rccl src/misc/rocmwrap.cc, 2024-10; ROCm/amdgpu-docs "
                          "docs/conceptual, 2025-09",
                .target = "system",
                .read_from = "/sys/kernel/mm/memory_peers/amdkfd, /sys/kernel/memory_peers/amdkfd, "
                             "/sys/memory_peers/amdkfd, /boot/config-RELEASE, "
                             "/sys/module/amdgpu/version, /proc/kallsyms",
                .set_by = "",
                .next_step = "modinfo -n amdgpu; install the peer memory module of the NIC's "
                             "driver; if the kernel lacks CONFIG_PCI_P2PDMA and "
                             "CONFIG_DMABUF_MOVE_NOTIFY, install one that has both",
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
