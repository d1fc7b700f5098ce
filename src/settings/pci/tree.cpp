// SPDX-License-Identifier: MIT
// The PCI tree and its paths: pci.slots, pci.symmetry, pci.function, pci.link and pci.large_bar.
#include <algorithm>
#include <map>
#include <set>

#include "machine/gpu/gpu_models.h"
#include "machine/pci/pci.h"
#include "machine/pci/pcie_path.h"
#include "machine/pci/slots.h"
#include "os/redact/redact_words.h"
#include "rocenv/setting.h"
#include "settings/safety.h"
#include "settings/shapes/devices.h"
#include "util/text.h"

namespace rocenv {

// pci.slots: every occupied slot leads to a function. Boards without slot capabilities have no
// data.

namespace {

Target of(const std::string& port) {
    return {port, std::nullopt, ""};
}

std::vector<Assessment> answer(const SlotSurvey& survey) {
    std::vector<Assessment> out;
    for (const auto& [port, what] : survey.faults) {
        out.push_back(compared(of(port), "populated", what));
    }
    for (const auto& [port, error] : survey.unread) {
        out.push_back(unreadable(of(port), error, "populated"));
    }
    std::vector<Assessment> refused;
    for (const auto& [port, error] : survey.refused) {
        refused.push_back(unreadable(of(port), error, "populated"));
    }
    if (!refused.empty()) {
        out.push_back(reported_once(std::move(refused), "bridges"));
    }
    if (out.empty() && survey.slots == 0) {
        return {no_target("no bridge has a slot that reports whether a card is present")};
    }
    if (out.empty()) {
        out.push_back(compared({}, "populated", "populated"));
        out.back().detail = counted(survey.slots, "slot");
    }
    return out;
}

std::vector<Assessment> assess_slots(const Setting&, const Context& context, const Expectation&) {
    const auto& functions = context.machine.pci();
    if (is_guest(context.fs())) {
        return {no_target("this is a guest, and its slots are not those of the host")};
    }
    if (!functions) {
        return {functions.is(ErrorKind::not_here) ? no_target("this system has no PCI")
                                                  : unreadable({}, functions.error(), "populated")};
    }
    return answer(survey_slots(context.machine, *functions));
}

}  // namespace

const Setting& pci_slots() {
    static const Setting setting{
        .info =
            {
                .id = "pci.slots",
                .summary = "Whether each occupied slot has a PCI function",
                .why = "A card that the boot dropped from PCI is missing for every job, and only "
                       "its slot still shows it",
                .source =
                    "ROCm/system-acceptance-docs docs/common/health-checks.md, 2026-07; linux "
                    "include/uapi/linux/pci_regs.h, 6.12",
                .target = "PCI function",
                .read_from = "/sys/bus/pci/devices/*/config of bridges (capability 0x10)",
                .set_by = "",
                .next_step = "sudo dmesg | grep -e BDF; if the log shows no reason, reseat the "
                             "card in that slot",
                .persist = "persistent (hardware)",
                .risk_note = "",
                .over_cluster = OverCluster::own,
                .forms = {{.kind = FormKind::word, .words = {"populated"}}},
            },
        .assess = assess_slots,
    };
    return setting;
}

// pci.symmetry: similar branches of the PCI tree hold equal numbers of GPUs and of RDMA NICs.

namespace {

void add_outliers(const std::vector<OutlierBranch>& outliers, const std::string& what,
                  std::vector<Assessment>& out) {
    for (const auto& each : outliers) {
        auto row = compared({each.branch, std::nullopt, ""}, number(each.usual) + " " + what,
                            number(each.have) + " " + what);
        row.detail = (each.others == 1
                          ? std::string("the other equal branch has ")
                          : "each of the other " + number(each.others) + " equal branches has ") +
                     number(each.usual);
        const bool reported = std::any_of(out.begin(), out.end(), [&](const Assessment& one) {
            return one.target.base == each.branch;
        });
        if (!reported) {
            out.push_back(std::move(row));
        }
    }
}

// Returns a finding if one NUMA node has one GPU less than the others, as after a loss that no
// branch of the tree shows. gpu.numa reports numbers that could be even and are not.
std::optional<Assessment> uneven_nodes(const Machine& machine) {
    constexpr std::size_t fewest_gpus = 6;
    std::map<std::string, std::size_t> counts;
    std::size_t gpus = 0;
    for (const auto& gpu : machine.gpus()) {
        if (!is_for_compute(gpu)) {
            continue;
        }
        const auto node = read_line(machine.fs(), pci_path(gpu.bdf, "/numa_node"));
        if (!node && !node.is(ErrorKind::not_here)) {
            return unreadable({}, node.error(), "even");
        }
        if (!node || *node == "-1") {
            return std::nullopt;
        }
        ++counts[*node];
        ++gpus;
    }
    std::vector<std::string> texts;
    std::size_t most = 0;
    for (const auto& [node, count] : counts) {
        texts.push_back(number(count) + " on node " + node);
        most = std::max(most, count);
    }
    // One less than an even number, and not as few as on boards built that way.
    if (gpus < fewest_gpus || gpus + 1 != most * counts.size()) {
        return std::nullopt;
    }
    auto row = compared({}, number(most) + " GPUs", join(texts, ", "));
    row.detail = "one NUMA node has one GPU less than the others, so a GPU may be lost";
    return row;
}

std::vector<Assessment> assess_symmetry(const Setting&, const Context& context,
                                        const Expectation&) {
    if (is_guest(context.fs())) {
        return {no_target("this is a guest, and its PCI tree is not that of the host")};
    }
    const auto ends = path_ends(context.machine);
    const auto outliers = find_outlier_branches(context.machine, ends);
    std::vector<Assessment> out;
    add_outliers(outliers.of_gpus, "GPUs", out);
    add_outliers(outliers.of_nics, "RDMA NICs", out);
    auto unread = ends.uncertain ? ends.uncertain : outliers.unread;
    auto nodes = out.empty() && !unread ? uneven_nodes(context.machine) : std::nullopt;
    if (nodes) {
        out.push_back(*std::move(nodes));
    }
    if (unread) {
        out.push_back(unreadable({}, *unread, "even"));
    } else if (ends.functions.size() < 2) {
        return {no_target("PCI has fewer than two GPUs or RDMA NICs")};
    } else if (out.empty()) {
        out.push_back(compared({}, "even", "even"));
    }
    return out;
}

}  // namespace

const Setting& pci_symmetry() {
    static const Setting setting{
        .info =
            {
                .id = "pci.symmetry",
                .summary =
                    "Whether equal branches of the PCI tree hold the same number of GPUs and NICs",
                .why = "A branch with fewer devices than its equals has lost one, and jobs run "
                       "with fewer GPUs or NICs",
                .source = "ROCm/system-acceptance-docs docs/network/topology-mapping.md, 2026-07",
                .target = "PCI branch",
                .read_from = "the links in /sys/bus/pci/devices, numa_node of GPUs",
                .set_by = "",
                .next_step = "sudo lspci -tv; if a device is missing there, reseat it",
                .persist = "persistent (hardware)",
                .risk_note = "",
                .over_cluster = OverCluster::own,
                .forms = {{.kind = FormKind::word, .words = {"even"}}},
            },
        .assess = assess_symmetry,
    };
    return setting;
}

// pci.function: a GPU or RDMA NIC with a driver is usable: memory and bus master are on (command
// register, bits 1 and 2), its power state is D0, and its status register shows no parity or system
// error (bits 15, 14, 8). The header is readable by every user; linux
// include/uapi/linux/pci_regs.h.

namespace {

// Returns the faults in the command and status registers; empty if there are none.
std::string fault_of(std::uint32_t registers) {
    std::vector<std::string> faults;
    const auto note = [&](bool wrong, const char* what) {
        if (wrong) {
            faults.emplace_back(what);
        }
    };
    note((registers & 2) == 0, "memory off");
    note((registers & 4) == 0, "bus master off");
    note((registers >> 31 & 1) != 0, "parity error");
    note((registers >> 30 & 1) != 0, "system error");
    note((registers >> 24 & 1) != 0, "data parity error");
    return join(faults, ", ");
}

Result<std::optional<Assessment>> judge_function(const Context& context,
                                                 const PathFunction& function, const Expectation&) {
    const auto& driver = function.reader->driver();
    if (!driver) {
        return driver.error();
    }
    if (!function.end || driver->empty()) {
        return std::optional<Assessment>();
    }
    const auto registers = function.reader->config().word(4);
    if (!registers) {
        return registers.error();
    }
    std::string fault = fault_of(*registers);
    const auto power = context.fs().read(pci_path(function.bdf, "/power_state"));
    if (power && trim(*power) != "D0" && trim(*power) != "unknown") {
        fault += (fault.empty() ? "" : ", ") + ("in power state " + printable(trim(*power), 20));
    }
    return std::optional(compared({}, "usable", fault.empty() ? "usable" : fault));
}

}  // namespace

const Setting& pci_function() {
    static constexpr PathFacts facts{.none = "no GPU and no NIC has a driver",
                                     .judge = judge_function};
    static const auto setting = path_setting(
        {
            .id = "pci.function",
            .summary = "Whether each GPU and RDMA NIC is enabled as its driver needs it",
            .why = "After an incomplete reset a device stays bound but does not respond, and jobs "
                   "on it hang",
            .source = "amd/node-scraper nodescraper/plugins/inband/pcie, 2026-07; linux "
                      "include/uapi/linux/pci_regs.h, 6.12",
            .target = "PCI function",
            .read_from = "/sys/bus/pci/devices/*/{config,driver,power_state}",
            .set_by = "",
            .next_step = "sudo dmesg | grep -e BDF; if the device does not recover, reload its "
                         "driver or reboot",
            .persist = "until the driver is reloaded",
            .risk_note = "",
            .over_cluster = OverCluster::own,
            .forms = {{.kind = FormKind::word, .words = {"usable"}}},

        },
        facts);
    return setting;
}

// pci.link: speed and width of the path from a GPU or RDMA NIC to the root. A path is as fast as
// its slowest part. "max" expects the maximum of the slowest part: a GPU in a slower slot passes, a
// part that trained below the maximum of both its ends does not. "model" expects the link of the
// GPU's model, and a NIC's own maximum, on every part. Firmware that limits a slot lowers the
// maxima of both ends, so only the model shows it. "equal" compares devices of one kind. A function
// without a link (an APU's GPU, a virtual function) reports "Unknown" or has no such file (linux
// drivers/pci/pci-sysfs.c current_link_speed_show, pcie_dev_attrs_are_visible).

namespace {

struct End {
    std::string bdf;
    const GpuModel* model = nullptr;  // nullptr: a NIC, or an unknown GPU
    bool is_gpu = false;
    std::uint32_t device = 0;
    std::optional<PciePath> path{};  // std::nullopt: no known link
    bool peers_have = false;         // another device of its kind has a link
};

// Returns the expected link of a path; std::nullopt: the maximum of its slowest part.
std::optional<PcieLink> expected_link(const End& end, const std::string& expected) {
    if (expected != "model") {
        return parse_link(expected);
    }
    if (end.model != nullptr && !end.model->link_speed.empty()) {
        return parse_link(std::string(end.model->link_speed) + " GT/s x" +
                          number(end.model->link_width));
    }
    const bool own = !end.is_gpu && !end.path->parts.empty();
    return own ? std::optional(end.path->parts.front().link.most) : std::nullopt;
}

Assessment judge(const End& end, const std::string& expected) {
    const Target target{end.bdf, std::nullopt, ""};
    if (!end.path && end.peers_have) {
        return unreadable(target,
                          {ErrorKind::garbled, 0, pci_path(end.bdf),
                           "the device reports no PCIe link, but other devices of its kind do"});
    }
    if (!end.path) {
        auto row = no_target("the device has no PCIe link, or its speed is unknown");
        row.target = target;
        return row;
    }
    const PciePath& path = *end.path;
    const PcieLink limit = expected_link(end, expected).value_or(path.most);
    const bool reached = reaches(path.current, limit);
    if (path.error && (!path.known() || reached)) {
        return unreadable(target, *path.error);
    }
    auto row = compared(target, link_text(limit), link_text(path.current));
    row.outcome = reached ? Outcome::ok : Outcome::differs;
    row.detail = path.slower_than(limit);
    return row;
}

std::vector<End> find_ends(const Machine& machine, const std::vector<std::string>& functions) {
    std::map<std::string, std::uint32_t> gpus;
    for (const auto& gpu : machine.gpus()) {
        gpus.emplace(gpu.bdf, gpu.device);
    }
    std::set<std::uint32_t> linked;
    std::vector<End> out;
    out.reserve(functions.size());
    for (const auto& bdf : functions) {
        const auto gpu = gpus.find(bdf);
        const bool is_gpu = gpu != gpus.end();
        const auto device = is_gpu ? gpu->second : machine.function(bdf).device;
        out.push_back({bdf, is_gpu ? gpu_model(device) : nullptr, is_gpu, device,
                       read_pcie_path(machine, bdf)});
        if (out.back().path) {
            linked.insert(device);
        }
    }
    for (auto& end : out) {
        end.peers_have = linked.contains(end.device);
    }
    return out;
}

// Compares devices; equal ones are not reported while some are unreadable.
std::vector<Assessment> judge_equal(const Context& context, const std::vector<End>& ends) {
    LikeDevices all;
    for (const auto& end : ends) {
        DeviceValue value{.device = end.bdf,
                          .kind = hex(end.device, 4),
                          .value = Error{ErrorKind::not_here, 0, "", "the device has no PCIe link"},
                          .left_out = context.leaves_out(end.bdf)};
        if (end.path && end.path->error) {
            value.value = *end.path->error;
        } else if (end.path) {
            value.value = link_text(end.path->current);
        }
        all.values.push_back(std::move(value));
    }
    return judge_alike(all, "equal", {.absent = "no device of this kind has a PCIe link"});
}

std::vector<Assessment> judge_all(const Context& context, const std::vector<std::string>& functions,
                                  const std::string& expected) {
    const auto ends = find_ends(context.machine, functions);
    if (expected == "equal") {
        return ends.empty() ? std::vector<Assessment>() : judge_equal(context, ends);
    }
    std::vector<Assessment> out;
    out.reserve(ends.size());
    for (const auto& end : ends) {
        out.push_back(judge(end, expected));
    }
    return out;
}

// Returns devices with slow links that may be idle: these save power and train up under load.
std::vector<std::string> suspects(const std::vector<Assessment>& rows) {
    std::vector<std::string> out;
    for (const auto& row : rows) {
        if (row.outcome == Outcome::differs) {
            out.push_back(row.target.base);
        }
    }
    return out;
}

void read_links_again(const Machine& machine, const std::vector<std::string>& functions) {
    std::set<std::string> parts(functions.begin(), functions.end());
    for (const auto& bdf : functions) {
        if (const auto above = machine.bridges_above(bdf)) {
            parts.insert(above->begin(), above->end());
        }
    }
    for (const auto& part : parts) {
        machine.reader_of(part).read_link_again();
    }
}

std::vector<Assessment> assess_link(const Setting&, const Context& context,
                                    const Expectation& expectation) {
    const std::string& expected = *expectation.value.text();
    if (expected == "model" && is_guest(context.fs())) {
        return {no_target("this is a guest, and its ports are not those of the host")};
    }
    auto ends = path_ends(context.machine);
    std::sort(ends.functions.begin(), ends.functions.end());
    auto out = judge_all(context, ends.functions, expected);
    const auto slow = suspects(out);
    if (!slow.empty() && context.fs().is_real()) {
        wait_for_links(context.fs());
        read_links_again(context.machine, slow);
        out = judge_all(context, ends.functions, expected);
    }
    if (const auto unsure = ends.uncertain) {
        out.push_back(unreadable({}, *unsure, expected));
    }
    if (out.empty()) {
        out.push_back(no_target("no GPU and no RDMA NIC is on PCI"));
    }
    return out;
}

}  // namespace

const Setting& pci_link() {
    static const Setting setting{
        .info =
            {
                .id = "pci.link",
                .summary =
                    "Speed and width of the PCIe path from each GPU and RDMA NIC to the root",
                .why = "A link at half of its width or speed halves the bandwidth of every copy "
                       "over it",
                .source =
                    "ROCm/system-acceptance-docs docs/common/health-checks.md, 2026-07; linux "
                    "drivers/pci/pci-sysfs.c, 6.12",
                .target = "PCI function",
                .read_from =
                    "/sys/bus/pci/devices/*/{current,max}_link_{speed,width} of the device and the "
                    "bridges above it",
                .set_by = "",
                .next_step = "check again while a job runs, because idle links may slow down; if "
                             "the link stays slow: sudo dmesg | grep -i pcie; if the log shows no "
                             "reason, reseat the card or cable",
                .persist = "",
                .risk_note = "",
                .over_cluster = OverCluster::equal,
                .forms = {{.kind = FormKind::word, .words = {"model", "max", "equal"}},
                          {.kind = FormKind::link_rate}},
            },
        .assess = assess_link,
    };
    return setting;
}

// pci.large_bar: the CPU and other devices can address all of a GPU's memory. The driver creates
// both files for every GPU (linux drivers/gpu/drm/amd/amdgpu/amdgpu_vram_mgr.c), so a missing file
// is unknown. A BAR without an address begins at 0 and has flags ("resource": lines of start, end
// and flags, linux drivers/pci/pci-sysfs.c resource_show). Without its BAR a GPU may have no driver
// to report memory.

namespace {

Result<std::uint64_t> read_bytes(const Fs& fs, const std::string& path) {
    const auto text = fs.read(path);
    if (!text) {
        return text.error();
    }
    const auto bytes = parse_number(trim(*text));
    if (!bytes || *bytes == 0) {
        return garbled(path, "is not a valid size: " + quoted_value(trim(*text)));
    }
    return *bytes;
}

Result<std::string> read_whole(const Context& context, const Gpu& gpu) {
    const std::string folder = pci_path(gpu.bdf);
    const auto visible = read_bytes(context.fs(), folder + "/mem_info_vis_vram_total");
    if (!visible) {
        return visible.error();
    }
    const auto total = read_bytes(context.fs(), folder + "/mem_info_vram_total");
    if (!total) {
        return total.error();
    }
    return std::string(*visible == *total ? "true" : "false");
}

// Returns start and flags of a line; std::nullopt if the line is not valid.
std::optional<std::pair<std::uint64_t, std::uint64_t>> parse_range(std::string_view line) {
    const auto parts = words(line);
    const auto hex_of = [](std::string_view part) {
        return part.starts_with("0x") ? parse_number(part.substr(2), 16) : std::nullopt;
    };
    const auto start = parts.size() == 3 ? hex_of(parts[0]) : std::nullopt;
    const auto flags = parts.size() == 3 ? hex_of(parts[2]) : std::nullopt;
    return start && flags ? std::optional(std::pair(*start, *flags)) : std::nullopt;
}

// Returns the BARs without an address, "BAR 0". The lines after the first six are the ROM and BARs
// of virtual functions, which may have none. Returns none if the file is missing.
Result<std::vector<std::string>> without_address(const Fs& fs, const std::string& bdf) {
    constexpr std::size_t bars = 6;
    const std::string path = pci_path(bdf, "/resource");
    const auto text = fs.read(path);
    if (!text) {
        return text.is(ErrorKind::not_here) ? Result(std::vector<std::string>()) : text.error();
    }
    const auto lines = split(trim(*text), '\n');
    std::vector<std::string> out;
    for (std::size_t at = 0; at < bars; ++at) {
        const auto range = at < lines.size() ? parse_range(lines[at]) : std::nullopt;
        if (!range) {
            return garbled(path, "has no range for BAR " + number(at));
        }
        if (range->first == 0 && range->second != 0) {
            out.push_back("BAR " + number(at));
        }
    }
    return out;
}

// Checks the BARs. A BAR without an address is always a fault; an unreadable file is never
// accepted.
void check_bars(const Fs& fs, DeviceValue& each) {
    const bool asleep = !each.value && each.value.is(ErrorKind::asleep);
    const auto lacking =
        asleep ? Result(std::vector<std::string>()) : without_address(fs, each.device);
    if (!lacking) {
        each.value = each.value && *each.value == "false" ? each.value : lacking.error();
    } else if (!lacking->empty()) {
        each.value = std::string("false");
        each.note =
            join(*lacking, ", ") + (lacking->size() == 1 ? " has no address" : " have no address");
    }
}

Keeping keeping_of_large_bar(const Setting&, const Expectation&) {
    return {.firmware = "Above 4G Decoding and Re-Size BAR"};
}

std::vector<Assessment> assess_large_bar(const Setting&, const Context& context,
                                         const Expectation& expectation) {
    auto gpus = gpu_values(context, read_whole);
    for (auto& each : gpus.values) {
        check_bars(context.fs(), each);
    }
    return judge_alike(gpus, toml_text(expectation.value), {});
}

// Returns true: a missing large BAR is not a value to expect.
std::optional<std::vector<Value>> learn_large_bar(const Setting&, const Context&) {
    return {{Value{true, {}}}};
}

}  // namespace

const Setting& pci_large_bar() {
    static const Setting setting{
        .info =
            {
                .id = "pci.large_bar",
                .summary = "Whether the whole memory of each GPU can be addressed over PCIe",
                .why = "Without a large BAR, peer access and RDMA copy through host memory and run "
                       "slowly",
                .source = "ROCm/amdgpu-docs docs/system-optimization/mi300x.rst, 2025-09; linux "
                          "drivers/gpu/drm/amd/amdgpu/amdgpu_vram_mgr.c, 6.12",
                .target = "physical GPU",
                .read_from = "mem_info_vis_vram_total, mem_info_vram_total and resource of the GPU",
                .set_by = "",
                .next_step = "sudo lspci -vv -s BDF; if a BAR is too small, enable Above 4G "
                             "Decoding and Resizable BAR in the BIOS",
                .persist = "persistent (decided by the firmware at boot)",
                .risk_note = "",
                .after_reboot = true,
                .over_cluster = OverCluster::equal,
                .forms = {{.kind = FormKind::boolean}},
            },
        .assess = assess_large_bar,
        .keeping = keeping_of_large_bar,
        .learn = learn_large_bar,
    };
    return setting;
}

}  // namespace rocenv
