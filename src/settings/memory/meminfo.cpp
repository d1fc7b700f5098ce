// SPDX-License-Identifier: MIT
#include "settings/memory/meminfo.h"

#include <algorithm>
#include <bit>

#include "machine/gpu/gpu_models.h"
#include "machine/host/cpus.h"
#include "machine/kernel_attribute.h"
#include "os/redact/redact_words.h"
#include "rocenv/setting.h"
#include "settings/safety.h"
#include "settings/shapes/devices.h"
#include "util/text.h"

namespace rocenv {

namespace {

constexpr std::uint64_t kib = 1024;

// Returns the number of the line "[Node 0 ]NAME: N kB"; std::nullopt for another line.
std::optional<std::string_view> number_on_line(std::string_view line, std::string_view name) {
    auto parts = words(line);
    if (parts.size() == 5 && parts[0] == "Node") {
        parts.erase(parts.begin(), parts.begin() + 2);
    }
    const bool is_it = !parts.empty() && parts[0].size() == name.size() + 1 &&
                       parts[0].starts_with(name) && parts[0].ends_with(':');
    if (!is_it) {
        return std::nullopt;
    }
    return parts.size() == 3 && parts[2] == "kB" ? parts[1] : std::string_view();
}

}  // namespace

Result<std::optional<std::uint64_t>> meminfo_kib(const Fs& fs, const std::string& path,
                                                 std::string_view name) {
    const auto text = fs.read(path);
    if (!text) {
        return text.error();
    }
    bool is_meminfo = false;
    std::optional<std::uint64_t> found;
    for (const auto line : split(*text, '\n')) {
        is_meminfo = is_meminfo || number_on_line(line, "MemTotal").has_value();
        const auto value = number_on_line(line, name);
        if (value && !found) {
            found = parse_number(*value);
            if (!found || *found > UINT64_MAX / kib) {
                return garbled(path, "is not a valid number of kB: " + quoted_value(line));
            }
        }
    }
    if (!is_meminfo) {
        return garbled(path, "has no line MemTotal");
    }
    return found;
}

Result<std::uint64_t> memory_bytes(const Fs& fs) {
    const auto total = meminfo_kib(fs, "/proc/meminfo", "MemTotal");
    if (!total) {
        return total.error();
    }
    return **total == 0 ? garbled("/proc/meminfo", "states no memory") : Result(**total * kib);
}

Result<std::vector<std::uint32_t>> nodes_with_cpus(const Fs& fs) {
    const std::string folder = "/sys/devices/system/node";
    const auto online = numbers_of_file(fs, folder + "/online");
    if (!online) {
        return online.error();
    }
    std::vector<std::uint32_t> out;
    for (const auto node : *online) {
        const std::string path = folder + "/node" + number(node) + "/cpulist";
        const auto cpus = numbers_of_file(fs, path);
        if (!cpus) {
            // the node is online, so a missing list is damage
            return cpus.is(ErrorKind::not_here) ? garbled(path, "is missing") : cpus.error();
        }
        if (!cpus->empty()) {
            out.push_back(node);
        }
    }
    return out;
}

std::string bytes_text(std::uint64_t bytes) {
    constexpr std::uint64_t tenths = 10;
    constexpr const char* unit_names[] = {"KiB", "MiB", "GiB", "TiB"};
    std::size_t unit = 0;
    std::uint64_t size = kib;
    while (unit + 1 < std::size(unit_names) && bytes / size >= kib) {
        size *= kib;
        ++unit;
    }
    const auto value = bytes / (size / kib) * tenths / kib;
    return number(value / tenths) + "." + number(value % tenths) + " " + unit_names[unit];
}

bool has_stacked_memory(const Machine& machine) {
    const auto& gpus = machine.gpus();
    return std::any_of(gpus.begin(), gpus.end(), [](const Gpu& gpu) { return is_apu(gpu.device); });
}

void mind_stacked_memory(const Machine& machine, std::string_view step,
                         std::vector<Assessment>& rows) {
    for (auto& row : rows) {
        if (row.outcome == Outcome::differs && has_stacked_memory(machine)) {
            row.next_step = step;
        }
    }
}

// memory.total: the memory of the node. MemTotal excludes the memory that kernel, firmware and a
// crash kernel reserved at boot, so 7 % less than expected passes (the tolerance of Azure's health
// checks). If it is less, the online memory blocks show the installed memory (lsmem's sum; linux
// Documentation/admin-guide/mm/memory-hotplug.rst, 6.12). The limit of a control group is not
// visible here; limits.memory reports it.

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
        return garbled(blocks_folder + "/block_size_bytes", "is not a valid block size");
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

// Returns the highest requirement in AMD's pages for the present GPUs; 0 if none is known.
std::uint64_t expected_by_models(const Machine& machine) {
    std::uint64_t most = 0;
    for (const auto& gpu : machine.gpus()) {
        const GpuModel* model = is_for_compute(gpu) ? gpu_model(gpu.device) : nullptr;
        most = std::max(most, model != nullptr ? std::uint64_t{model->host_memory_gib} << 30U : 0);
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
    row.detail = bytes_text(total);
    if (row.outcome == Outcome::ok) {
        return row;
    }
    const auto blocks = online_blocks(fs);
    row.detail += " of at least " + bytes_text(least);
    if (blocks && *blocks >= least) {
        row.outcome = Outcome::ok;
        row.have = number(*blocks);
        row.detail = bytes_text(*blocks) + " are online, " + bytes_text(total) +
                     " of them remain after the kernel and firmware took their share";
        row.remark = true;
    } else if (!blocks && !blocks.is(ErrorKind::not_here)) {
        row.detail += "; the installed memory could not be read: " + blocks.error().text;
    }
    return row;
}

std::vector<Assessment> assess_total(const Setting&, const Context& context,
                                     const Expectation& expectation) {
    std::uint64_t least = 0;
    if (expectation.value.integer() != nullptr) {
        least = static_cast<std::uint64_t>(*expectation.value.integer());
    } else if (is_guest(context.fs())) {
        return {no_target("this is a guest, and its host decides the memory size")};
    } else {
        least = expected_by_models(context.machine);
        const auto uncertain = context.machine.gpus_uncertain();
        if (uncertain) {
            return {unreadable({}, *uncertain, "model")};
        }
    }
    if (least == 0) {
        return {no_target("no source states the memory size for a node with these GPUs")};
    }
    const auto total = memory_bytes(context.fs());
    std::vector<Assessment> rows{total ? judge(context.fs(), *total, least)
                                       : unreadable({}, total.error(), number(least))};
    mind_stacked_memory(
        context.machine,
        "grep MemTotal /sys/devices/system/node/node*/meminfo; remove mem= from the kernel command "
        "line; if HBM of an APU is missing, have the APU checked",
        rows);
    return rows;
}

// Returns the value for comparison. Nodes with equal DIMMs differ by reservations of firmware and
// kernel. The value is rounded to a 256th part in MiB, so that most nodes are equal.
std::string normalised_total(std::string_view have) {
    constexpr std::uint64_t parts = 256;
    constexpr std::uint64_t mebibyte = std::uint64_t{1} << 20U;
    constexpr std::uint64_t gibibyte = std::uint64_t{1} << 30U;
    const auto bytes = parse_number(have);
    if (!bytes) {
        return std::string(have);
    }
    const std::uint64_t part = std::max(mebibyte, std::bit_floor(*bytes / parts));
    const std::uint64_t rounded = (*bytes + part / 2) / part * part;
    return rounded % gibibyte == 0 ? number(rounded / gibibyte) + " GiB"
                                   : number(rounded / mebibyte) + " MiB";
}

}  // namespace

const Setting& memory_total() {
    static const Setting setting{
        .info =
            {
                .id = "memory.total",
                .summary = "Memory size of the node",
                .why = "A job that fills the GPUs stages data through host memory and fails if the "
                       "memory is too small",
                .source = "ROCm/system-acceptance-docs docs/common/health-checks.md, 2026-07; "
                          "Azure/azurehpc-health-checks conf/nd96isr_mi300x_v5.conf, 2026-05",
                .target = "system",
                .read_from = "/proc/meminfo; if the size is less than expected "
                             "/sys/devices/system/memory/{block_size_bytes,memory*/state}",
                .set_by = "",
                .next_step = "sudo dmidecode -t memory | grep -e Size -e Locator; remove mem= from "
                             "the kernel command line; if a DIMM is missing, reseat or replace it",
                .persist = "persistent (hardware)",
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

// memory.balance: NUMA nodes with CPUs have equal memory, within a percentage of the largest. Nodes
// without CPUs (HBM, CXL) are ignored. The limit of 5 % is a choice, not a published figure: the
// kernel reserves more of the first node.

namespace {

constexpr Grade balance_grades[] = {
    {"uneven", Level::recommended,
     "A node with less memory is slower, and a node with none is broken"},
};

struct NodeMemory {
    std::uint32_t node;
    Result<std::uint64_t> kib;
};

std::vector<NodeMemory> memory_by_node(const Fs& fs, const std::vector<std::uint32_t>& nodes) {
    std::vector<NodeMemory> out;
    for (const auto node : nodes) {
        const std::string path = "/sys/devices/system/node/node" + number(node) + "/meminfo";
        const auto total = meminfo_kib(fs, path, "MemTotal");
        out.push_back(
            {node, total ? Result(total->value_or(0)) : Result<std::uint64_t>(total.error())});
    }
    return out;
}

Assessment judge_one(const NodeMemory& each, std::uint64_t most, std::uint64_t percent,
                     const std::string& expected) {
    const Target target{"node", each.node, ""};
    if (!each.kib) {
        return unreadable(target, each.kib.error(), expected);
    }
    auto row = compared(target, expected, number(*each.kib) + " kB");
    const bool even = *each.kib > 0 && most - *each.kib <= most / whole * percent;
    row.outcome = even ? Outcome::ok : Outcome::differs;
    if (!even) {
        row.detail = *each.kib == 0 ? "the node has CPUs but no memory"
                                    : "the largest node has " + number(most) + " kB";
        row.grade = *each.kib == 0 ? nullptr : &balance_grades[0];
    }
    return row;
}

std::vector<Assessment> judge_balance(const std::vector<NodeMemory>& nodes, std::uint64_t percent,
                                      const std::string& expected) {
    std::uint64_t most = 0;
    bool all_answered = true;
    for (const auto& each : nodes) {
        most = std::max(most, each.kib ? *each.kib : 0);
        all_answered = all_answered && each.kib.ok();
    }
    std::vector<Assessment> out;
    for (const auto& each : nodes) {
        auto row = judge_one(each, most, percent, expected);
        if (row.outcome != Outcome::ok || all_answered) {
            out.push_back(std::move(row));
        }
    }
    return out;
}

std::vector<Assessment> assess_balance(const Setting&, const Context& context,
                                       const Expectation& expectation) {
    const auto percent = static_cast<std::uint64_t>(*expectation.value.integer());
    const std::string expected = "within " + number(percent) + " %";
    const auto nodes = nodes_with_cpus(context.fs());
    if (nodes.is(ErrorKind::not_here)) {
        const auto lost = lost_numa(context.machine);
        return {lost ? unreadable({}, *lost, expected)
                     : no_target("this kernel does not support NUMA")};
    }
    if (!nodes) {
        return {unreadable({}, nodes.error(), expected)};
    }
    if (nodes->size() < 2) {
        return {no_target("only one NUMA node has CPUs")};
    }
    auto rows = judge_balance(memory_by_node(context.fs(), *nodes), percent, expected);
    mind_stacked_memory(context.machine,
                        "grep MemTotal /sys/devices/system/node/node*/meminfo; if an APU has less "
                        "HBM, have it checked",
                        rows);
    return rows;
}

std::optional<std::vector<Value>> learn_balance(const Setting&, const Context&) {
    return std::vector{Value{std::int64_t{5}, {}}};
}

}  // namespace

const Setting& memory_balance() {
    static const Setting setting{
        .info =
            {
                .id = "memory.balance",
                .summary = "Whether the NUMA nodes have equal memory",
                .why = "A missing DIMM halves the bandwidth of its memory channels, and the ranks "
                       "there delay the job",
                .source = "amd/node-scraper nodescraper/plugins/inband/dimm, 2026-07; "
                          "linux drivers/base/node.c, 6.12",
                .target = "NUMA node",
                .read_from = "/sys/devices/system/node/{online,node*/cpulist,node*/meminfo}",
                .set_by = "",
                .next_step = "sudo dmidecode -t memory | grep -e Size -e Locator; if a DIMM is "
                             "missing, reseat or replace it",
                .persist = "persistent (hardware)",
                .risk_note = "",
                .host_decides = true,
                .over_cluster = OverCluster::own,
                .forms = {{.kind = FormKind::integer, .lowest = 1, .highest = 99}},
                .grades = balance_grades,
            },
        .assess = assess_balance,
        .learn = learn_balance,
    };
    return setting;
}

// memory.hugepages: the percentage of memory reserved for huge pages, rounded up (linux
// mm/hugetlb.c nr_hugepages). A number is the expected maximum. "half" expects at most half of the
// memory; above 5 % it differs at level info. The 5 % are a choice, not a published figure.

namespace {

const std::string pools_folder = "/sys/kernel/mm/hugepages";

// Returns the KiB of "hugepages-2048kB".
std::optional<std::uint64_t> page_kib(std::string_view name) {
    constexpr std::string_view start = "hugepages-";
    constexpr std::string_view end = "kB";
    if (!name.starts_with(start) || !name.ends_with(end)) {
        return std::nullopt;
    }
    return parse_number(name.substr(start.size(), name.size() - start.size() - end.size()));
}

struct Reserved {
    std::uint64_t bytes = 0;
    std::optional<Error> unread{};  // error of a pool, so that more may be reserved
};

Result<Reserved> reserved_pages(const Fs& fs) {
    constexpr std::uint64_t unit = 1024;
    const auto names = fs.list(pools_folder);
    if (!names) {
        return names.error();
    }
    Reserved out;
    for (const auto& name : *names) {
        const auto size = page_kib(name);
        const std::string path = pools_folder + "/" + name + "/nr_hugepages";
        const auto count = size ? count_of_file(fs, path) : Result(std::uint64_t{0});
        if (!count) {
            out.unread =
                count.is(ErrorKind::not_here) ? garbled(path, "is missing") : count.error();
            continue;
        }
        if (size && *count > 0 &&
            (*size > INT64_MAX / unit || *count > (INT64_MAX - out.bytes) / (*size * unit + 1))) {
            out.unread = garbled(path, "is larger than possible");
            continue;
        }
        out.bytes += size ? *count * *size * unit : 0;
    }
    return out;
}

constexpr std::uint64_t much_percent = 5;
constexpr std::uint64_t half_percent = 50;
constexpr Grade hugepages_grades[] = {
    {"some", Level::info, "A site may reserve up to half of the memory"},
};

Assessment judge_hugepages(const Fs& fs, std::uint64_t most) {
    const auto reserved = reserved_pages(fs);
    if (reserved.is(ErrorKind::not_here) && exists(fs, "/sys/kernel/mm")) {
        return no_target("this kernel is built without huge pages of that size");
    }
    const auto total = reserved ? memory_bytes(fs) : Result<std::uint64_t>(reserved.error());
    if (!total) {
        return unreadable({}, total.error(), number(most));
    }
    const auto bytes = reserved->bytes;
    const auto percent = bytes == 0 ? 0 : (bytes - 1) / (*total / whole + 1) + 1;
    auto row = compared({}, number(most), number(percent));
    row.outcome = percent <= most ? Outcome::ok : Outcome::differs;
    if (row.outcome == Outcome::ok && reserved->unread) {
        return unreadable({}, *reserved->unread, number(most));
    }
    row.detail = bytes == 0 ? ""
                            : bytes_text(bytes) + " of " + bytes_text(*total) + " are reserved, " +
                                  number(percent) + " %";
    return row;
}

std::vector<Assessment> assess_hugepages(const Setting&, const Context& context,
                                         const Expectation& expectation) {
    if (const auto* most = expectation.value.integer()) {
        return {judge_hugepages(context.fs(), static_cast<std::uint64_t>(*most))};
    }
    auto row = judge_hugepages(context.fs(), half_percent);
    if (row.outcome != Outcome::differs) {
        row = judge_hugepages(context.fs(), much_percent);
        row.grade = row.outcome == Outcome::ok ? nullptr : &hugepages_grades[0];
    }
    return {row};
}

}  // namespace

const Setting& memory_hugepages() {
    static const Setting setting{
        .info =
            {
                .id = "memory.hugepages",
                .summary = "Percentage of the memory reserved for huge pages",
                .why = "Memory reserved for huge pages is missing for everything else, such as "
                       "buffers of GPU transfers",
                .source = "linux Documentation/admin-guide/mm/hugetlbpage.rst, 6.12 (2024-11)",
                .target = "system",
                .read_from = "/sys/kernel/mm/hugepages/*/nr_hugepages, /proc/meminfo",
                .set_by = "",
                .next_step = "echo 0 | sudo tee /sys/kernel/mm/hugepages/*/nr_hugepages; remove "
                             "vm.nr_hugepages from /etc/sysctl.d and hugepages= from the kernel "
                             "command line",
                .persist = "persistent if set in /etc/sysctl.d or on the kernel command line",
                .risk_note = "",
                .over_cluster = OverCluster::equal,
                .forms = {{.kind = FormKind::integer, .lowest = 0, .highest = 100},
                          {.kind = FormKind::word, .words = {"half"}}},
                .grades = hugepages_grades,
            },
        .assess = assess_hugepages,
    };
    return setting;
}

// memory.swap: areas for paging (linux mm/swapfile.c swap_show: a header "Filename Type Size Used
// Priority", then one line for each).

namespace {

// Returns the sizes in KiB; std::nullopt if the text is not such a list.
std::optional<std::vector<std::uint64_t>> sizes(std::string_view text) {
    constexpr std::size_t columns = 5;
    std::vector<std::uint64_t> out;
    const auto lines = split(text, '\n');
    const auto head = words(lines.front());
    if (head.size() != columns || head[0] != "Filename" || head[2] != "Size") {
        return std::nullopt;
    }
    for (std::size_t at = 1; at < lines.size(); ++at) {
        const auto fields = words(lines[at]);
        if (fields.empty()) {
            continue;
        }
        const auto size =
            fields.size() < columns
                ? std::nullopt
                : parse_number(fields[fields.size() - 3]);  // names may contain blanks
        if (!size || *size > INT64_MAX / lines.size()) {
            return std::nullopt;
        }
        out.push_back(*size);
    }
    return out;
}

std::vector<Assessment> assess_swap(const Setting&, const Context& context,
                                    const Expectation& expectation) {
    const std::string path = "/proc/swaps";
    const auto text = context.fs().read(path);
    if (text.is(ErrorKind::not_here) && exists(context.fs(), "/proc/meminfo")) {
        return {no_target("this kernel is built without swap")};
    }
    if (!text) {
        return {unreadable({}, text.error(), *expectation.value.text())};
    }
    const auto areas = sizes(*text);
    if (!areas) {
        return {unreadable({}, garbled(path, "is not a valid list of swap areas"),
                           *expectation.value.text())};
    }
    std::uint64_t sum = 0;
    for (const auto size : *areas) {
        sum += size;
    }
    auto row =
        compared({}, *expectation.value.text(), areas->empty() ? "none" : number(sum) + " kB");
    row.detail = areas->empty() ? "" : "swap areas: " + number(areas->size());
    return {row};
}

}  // namespace

const Setting& memory_swap() {
    static const Setting setting{
        .info =
            {
                .id = "memory.swap",
                .summary = "Whether the node swaps",
                .why = "Swapping hides a memory leak until the node is too slow to use",
                .source =
                    "Azure/azurehpc-health-checks conf/nd96isr_mi300x_v5.conf, 2026-05; linux "
                    "mm/swapfile.c, 6.12",
                .target = "system",
                .read_from = "/proc/swaps",
                .set_by = "",
                .next_step = "sudo swapoff -a; remove the swap lines from /etc/fstab",
                .persist = "persistent if /etc/fstab or a systemd unit defines the swap area",
                .risk_note = "",
                .over_cluster = OverCluster::equal,
                .forms = {{.kind = FormKind::word, .words = {"none"}}},
            },
        .assess = assess_swap,
    };
    return setting;
}

}  // namespace rocenv
