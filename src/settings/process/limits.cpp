// SPDX-License-Identifier: MIT
// Settings that are limits of the calling process: a minimum in bytes, files or processes, or
// "unlimited". Not applicable on another machine.
#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "machine/host/cpus.h"
#include "machine/kernel_attribute.h"
#include "os/redact/redact_words.h"
#include "rocenv/fs.h"
#include "rocenv/process.h"
#include "rocenv/setting.h"
#include "settings/memory/meminfo.h"
#include "settings/shapes/devices.h"
#include "util/text.h"

namespace rocenv {

// Limits by control groups: the lowest of the process's group and the groups above (linux
// Documentation/admin-guide/cgroup-v2.rst and cgroup-v1/memory.rst, 6.12). Groups above a
// container's root are not visible.

namespace {

struct CgroupLimit {
    std::string_view controller;  // controller of version 1: "memory"
    std::string_view old_file;    // file of version 1: "memory.limit_in_bytes"
    std::string_view file;        // file of version 2: "memory.max"
};

const std::string cgroup_root = "/sys/fs/cgroup";
const std::string own_groups = "/proc/self/cgroup";
// Version 1 writes "no limit" as the highest multiple of a page below 2^63.
constexpr std::uint64_t no_limit_of_old = std::uint64_t{1} << 62U;

struct OwnGroup {
    std::string root;
    std::string path;  // "/user.slice/x"; "" for the root
    std::string file;
};

// Returns "/a/b"; of a group outside of this namespace ("/../x") only the root is visible.
std::string seen_path(std::string_view path) {
    const bool outside = path.starts_with("/..") || path.find("/../") != std::string_view::npos;
    return outside || path == "/" ? std::string() : std::string(path);
}

// Returns the group of version 1 if the controller is listed there, else that of version 2;
// std::nullopt if neither is listed or the kernel has no control groups.
Result<std::optional<OwnGroup>> own_group(const Fs& fs, const CgroupLimit& limit) {
    const auto text = fs.read(own_groups);
    const bool has_none = text.is(ErrorKind::not_here) && exists(fs, "/proc/self/status");
    if (has_none || (text && text->empty())) {  // empty: no hierarchy was ever mounted
        return std::optional<OwnGroup>();
    }
    if (!text) {
        return text.error();
    }
    std::optional<OwnGroup> unified;
    for (const auto line : split(trim(*text), '\n')) {
        const auto first = line.find(':');
        const auto second = first == line.npos ? line.npos : line.find(':', first + 1);
        if (second == line.npos || !parse_number(line.substr(0, first))) {
            return garbled(own_groups, "is not a valid list of groups: " + quoted_value(line));
        }
        const auto names = split(line.substr(first + 1, second - first - 1), ',');
        const std::string path = seen_path(line.substr(second + 1));
        if (std::find(names.begin(), names.end(), limit.controller) != names.end()) {
            return std::optional(OwnGroup{cgroup_root + "/" + std::string(limit.controller), path,
                                          std::string(limit.old_file)});
        }
        if (names.size() == 1 && names.front().empty()) {
            const bool hybrid = exists(fs, cgroup_root + "/unified");
            unified =
                OwnGroup{cgroup_root + (hybrid ? "/unified" : ""), path, std::string(limit.file)};
        }
    }
    return unified;
}

Error not_mounted(const OwnGroup& group) {
    return {ErrorKind::not_here, 0, group.root,
            "no control group file system is mounted at " + group.root + ", but " + own_groups +
                " lists " + (group.path.empty() ? "the group /" : "a group below it")};
}

// Removes the name of the group, which may contain users, jobs, pods and containers.
Error without_group(Error error, const std::string& path) {
    const auto at = path.empty() ? std::string::npos : error.text.find(path);
    if (at != std::string::npos) {
        error.text.replace(at, path.size(), "/...");
    }
    return error;
}

Result<std::uint64_t> limit_in(const Fs& fs, const std::string& path) {
    const auto text = fs.read(path);
    if (text.is(ErrorKind::not_here)) {
        return unlimited;  // the root, or a group without this controller
    }
    if (!text) {
        return text.error();
    }
    if (trim(*text) == "max") {
        return unlimited;
    }
    const auto value = parse_number(trim(*text));
    if (!value) {
        return garbled(path, "is not a valid limit: " + quoted_value(trim(*text)));
    }
    return *value >= no_limit_of_old ? unlimited : *value;
}

// Returns the limit, or `unlimited`; std::nullopt if no control group hierarchy in use has the
// controller. Fails if a file of a group cannot be read, and with ErrorKind::not_here if the
// process is in a group whose file system is not mounted.
Result<std::optional<std::uint64_t>> cgroup_limit(const Fs& fs, const CgroupLimit& limit) {
    const auto own = own_group(fs, limit);
    if (!own) {
        return own.error();
    }
    if (!*own) {
        return std::optional<std::uint64_t>();
    }
    const OwnGroup& group = **own;
    if (!exists(fs, group.root + "/cgroup.procs")) {  // every mounted hierarchy has the file
        return not_mounted(group);
    }
    std::uint64_t least = unlimited;
    for (std::string path = group.path;; path.resize(path.rfind('/'))) {
        const auto found = limit_in(fs, group.root + path + "/" + group.file);
        if (!found) {
            return without_group(found.error(), path);
        }
        least = std::min(least, *found);
        if (path.empty()) {
            return std::optional(least);
        }
    }
}

}  // namespace

// std::nullopt: unreadable without a reason, or missing (LimitFacts::none).
using Limit = Result<std::optional<std::uint64_t>>;

struct LimitFacts {
    std::string_view id;
    std::string_view summary;
    std::string_view why;
    std::string_view source;
    std::string_view read_from;
    std::string_view next_step;
    std::string_view persist;
    Limit (*read)(const Context& context);
    std::string_view what;          // name in sentences: "RLIMIT_STACK"
    std::string_view without = {};  // text for a missing limit that counts as 0; empty: it does not
    std::string_view none = {};  // reason why std::nullopt is not applicable; empty: it is unknown
    bool in_kib = false;         // unit of limits.conf and ulimit is KiB
    // Returns a text if a sufficient limit is too high; nullptr: no upper limit.
    std::optional<std::string> (*excess)(const Context& context, std::uint64_t limit) = nullptr;
    std::uint64_t most = unlimited;  // highest limit of any process
    // Returns the bytes of the word "vram"; nullptr: the word is not accepted.
    Result<std::uint64_t> (*vram)(const Context& context) = nullptr;
};

namespace {

std::string limit_text(std::uint64_t limit) {
    return limit == unlimited ? "unlimited" : number(limit);
}

constexpr Grade excess_grades[] = {
    {"excess", Level::info, "Only a program that uses all of the memory is affected"},
};

// Names the unit if one of the two numbers is the other one in KiB (limits.conf(5): memlock and
// stack in KB; getrlimit(2): bytes), or if the expected one is small enough to be in KiB.
std::string unit_note(std::uint64_t have, std::uint64_t least) {
    constexpr std::uint64_t in_kib = 1024;
    constexpr std::uint64_t far = 64;  // a factor that a merely low limit does not reach
    const bool few = have >= in_kib * in_kib && have < unlimited / in_kib && have % in_kib == 0 &&
                     least > have * far && least <= have * in_kib;
    return few ? "the limit is in bytes: " + number(have) + " bytes are " + number(have / in_kib) +
                     " KiB, the unit of ulimit and limits.conf"
               : "";
}

// Names the unit if the expected number is lower than any use of RDMA needs.
std::string small_note(std::uint64_t least) {
    constexpr std::uint64_t gib = std::uint64_t{1} << 30U;
    constexpr std::uint64_t mib = std::uint64_t{1} << 20U;
    return least >= mib && least < gib
               ? "the expected number is in bytes: " + number(least / mib) +
                     " MiB; in KiB, the unit of ulimit, it would be " + number(least / mib) + " GiB"
               : "";
}

// Judges a limit of the calling process; std::nullopt: unreadable.
Assessment assess_limit(std::optional<std::uint64_t> have, const Value& expected,
                        const std::string& what) {
    const std::uint64_t least =
        expected.integer() != nullptr ? static_cast<std::uint64_t>(*expected.integer()) : unlimited;
    Assessment row;
    row.target = {"process", std::nullopt, ""};
    row.expected = limit_text(least);
    if (!have) {
        row.detail = what + " could not be read";
        return row;
    }
    row.have = limit_text(*have);
    row.outcome = *have >= least ? Outcome::ok : Outcome::differs;
    return row;
}

// Returns the row of every limit on another machine; std::nullopt on this one.
std::optional<Assessment> not_this_process(const Context& context) {
    if (context.fs().is_real()) {
        return std::nullopt;
    }
    Assessment row;
    row.target = {"process", std::nullopt, ""};
    row.outcome = Outcome::na;
    row.detail = "the limits of this process do not describe another machine";
    return row;
}

// Adds faults of the numbers: the wrong unit, or a limit that is too high.
void check_numbers(const LimitFacts& facts, const Context& context, std::uint64_t have,
                   const Value& expected, Assessment& row) {
    const auto least =
        expected.integer() != nullptr ? static_cast<std::uint64_t>(*expected.integer()) : unlimited;
    if (facts.in_kib && least != unlimited) {
        const auto unit = unit_note(have, least);
        row.detail = unit.empty() ? small_note(least) : unit;
    }
    if (least != unlimited && least > facts.most && row.outcome == Outcome::differs) {
        row.detail = "no process can have more than " + number(facts.most);
    }
    const auto excess = row.outcome == Outcome::ok && facts.excess != nullptr
                            ? facts.excess(context, have)
                            : std::nullopt;
    if (excess) {
        row.outcome = Outcome::differs;
        row.grade = &excess_grades[0];
        row.detail = *excess;
    }
}

// Returns the limit for the word "vram"; a process without a limit passes.
Result<Value> bytes_of_vram(const LimitFacts& facts, const Context& context, const Limit& limit,
                            const Value& expected) {
    const auto* word = expected.text();
    if (word == nullptr || *word != "vram" || !limit || !*limit || **limit == unlimited) {
        return expected;
    }
    const auto bytes = facts.vram(context);
    return bytes ? Result(Value{static_cast<std::int64_t>(*bytes), {}}) : bytes.error();
}

// Returns the row without GPU memory: the node has no GPU, or the memory of an APU is the node's
// own.
Assessment without_vram() {
    auto row = no_target("this process sees no GPU with its own memory");
    row.target = {"process", std::nullopt, ""};
    return row;
}

std::vector<Assessment> assess_limit_row(const Setting& setting, const Context& context,
                                         const Expectation& expectation) {
    const auto& facts = *setting.row.limit;
    if (auto other = not_this_process(context)) {
        return {*std::move(other)};
    }
    const std::string what(facts.what);
    const auto limit = facts.read(context);
    const auto expected = bytes_of_vram(facts, context, limit, expectation.value);
    if (!expected) {
        return {unreadable({"process", std::nullopt, ""}, expected.error(), "vram")};
    }
    const bool of_vram = expected->integer() != nullptr && expectation.value.integer() == nullptr;
    if (of_vram && *expected->integer() == 0) {
        return {without_vram()};
    }
    if (limit) {
        auto row = assess_limit(*limit, *expected, what);
        if (!*limit && !facts.none.empty()) {
            row.outcome = Outcome::na;
            row.detail = facts.none;
        } else if (*limit) {
            check_numbers(facts, context, **limit, *expected, row);
        }
        if (of_vram && row.outcome == Outcome::differs) {
            row.detail = "the GPUs that this process sees have " +
                         bytes_text(static_cast<std::uint64_t>(*expected->integer()));
        }
        return {row};
    }
    if (!limit.is(ErrorKind::not_here) || facts.without.empty()) {
        return {unreadable({"process", std::nullopt, ""}, limit.error())};
    }
    auto row = assess_limit(0, expectation.value, what);
    row.detail = facts.without;
    return {row};
}

std::vector<Form> forms_of(const LimitFacts& facts) {
    std::vector<Form> out{{.kind = FormKind::size_limit}};
    if (facts.vram != nullptr) {
        out.push_back({.kind = FormKind::word, .words = {"vram"}});
    }
    return out;
}

Setting setting_of(const LimitFacts& facts) {
    return {.info = {.id = facts.id,
                     .summary = facts.summary,
                     .why = facts.why,
                     .source = facts.source,
                     .target = "process",
                     .read_from = facts.read_from,
                     .set_by = "",
                     .next_step = facts.next_step,
                     .persist = facts.persist,
                     .risk_note = "",
                     .scope = Scope::process,
                     .over_cluster = OverCluster::own,
                     .forms = forms_of(facts),
                     .grades = facts.excess == nullptr ? std::span<const Grade>()
                                                       : std::span<const Grade>(excess_grades)},
            .assess = assess_limit_row,
            .row = {.limit = &facts}};
}

// Returns the settings of a table, in its order. The table must outlive them.
std::vector<Setting> limit_settings(std::span<const LimitFacts> table) {
    std::vector<Setting> out;
    for (const auto& facts : table) {
        out.push_back(setting_of(facts));
    }
    return out;
}

Limit limit_of_memlock(const Context& context) {
    return context.process.memlock;
}

Limit limit_of_nofile(const Context& context) {
    return context.process.nofile;
}

Limit limit_of_shm(const Context& context) {
    const auto bytes = context.fs().capacity("/dev/shm");
    return bytes ? Limit(*bytes) : bytes.error();
}

Limit limit_of_nproc(const Context& context) {
    return context.process.nproc;
}

Limit limit_of_stack(const Context& context) {
    return context.process.stack;
}

Limit limit_of_memory(const Context& context) {
    return cgroup_limit(
        context.fs(),
        {.controller = "memory", .old_file = "memory.limit_in_bytes", .file = "memory.max"});
}

Limit limit_of_pids(const Context& context) {
    return cgroup_limit(context.fs(),
                        {.controller = "pids", .old_file = "pids.max", .file = "pids.max"});
}

// The highest fs.nr_open (linux fs/file.c sysctl_nr_open_max, 6.12).
constexpr std::uint64_t most_files = 0x7fffffc0;

// Returns a warning if a tmpfs is larger than the memory: it can fill the memory, which the kernel
// cannot reclaim (linux Documentation/filesystems/tmpfs.rst, 6.12).
std::optional<std::string> larger_than_memory(const Context& context, std::uint64_t limit) {
    const auto total = memory_bytes(context.fs());
    if (!total || limit <= *total) {
        return std::nullopt;
    }
    return "/dev/shm is larger than the memory of the node, " + bytes_text(*total) +
           ", and the kernel cannot free its content";
}

// Returns the memory of all GPUs visible to the process; an APU's memory is the node's own.
Result<std::uint64_t> visible_vram(const Context& context) {
    if (const auto uncertain = context.machine.kfd_uncertain()) {
        return *uncertain;
    }
    std::uint64_t sum = 0;
    for (const auto& gpu : context.machine.gpus()) {
        if (gpu.agents.empty() || is_apu(gpu.device)) {
            continue;
        }
        const auto bytes = count_of_file(context.fs(), pci_path(gpu.bdf, "/mem_info_vram_total"));
        if (!bytes) {
            return bytes.error();
        }
        sum += *bytes;
    }
    return sum;
}

constexpr LimitFacts limits[] = {
    // limits.memlock: bytes that the calling process may lock in memory (soft limit).
    {
        .id = "limits.memlock",
        .summary = "Bytes that a process may lock in memory",
        .why = "RDMA locks its buffers, so registration fails with a low limit",
        .source = "ROCm/system-acceptance-docs docs/network, 2026-07; getrlimit(2)",
        .read_from = "getrlimit(RLIMIT_MEMLOCK)",
        .next_step = "in the job: ulimit -l unlimited; if the hard limit is lower, raise it first",
        .persist = "memlock in /etc/security/limits.d, LimitMEMLOCK= of the service, or --ulimit "
                   "memlock=-1 of the container",
        .read = limit_of_memlock,
        .what = "RLIMIT_MEMLOCK",
        .in_kib = true,
    },
    // limits.nofile: files that the calling process may have open (soft limit).
    {
        .id = "limits.nofile",
        .summary = "Number of files that a process may have open",
        .why = "Jobs with many ranks and connections run out of file descriptors at 1024",
        .source = "ROCm/system-acceptance-docs docs/network, 2026-07; getrlimit(2)",
        .read_from = "getrlimit(RLIMIT_NOFILE)",
        .next_step = "in the job: ulimit -n 1048576; if the hard limit is lower, raise it first",
        .persist = "nofile in /etc/security/limits.d, LimitNOFILE= of the service, or --ulimit "
                   "nofile=… of the container",
        .read = limit_of_nofile,
        .what = "RLIMIT_NOFILE",
        .most = most_files,
    },
    // limits.shm: size of /dev/shm. The default of container engines, 64 MiB, is always too small.
    {
        .id = "limits.shm",
        .summary = "Size of /dev/shm in bytes",
        .why =
            "RCCL and data loaders exchange buffers in /dev/shm and end with SIGBUS if it is full",
        .source = "ROCm PyTorch installation guide (rocm.docs.amd.com, 2024-09); statvfs(3); "
                  "linux Documentation/filesystems/tmpfs.rst, 6.12",
        .read_from = "statvfs of /dev/shm, /proc/meminfo",
        .next_step = "start the container with --shm-size or --ipc=host",
        .persist = "size= of /dev/shm in /etc/fstab, --shm-size of the container",
        .read = limit_of_shm,
        .what = "/dev/shm",
        .without = "this system has no /dev/shm",
        .excess = larger_than_memory,
    },
    // limits.nproc: processes and threads of the calling process's user (soft limit).
    {
        .id = "limits.nproc",
        .summary = "Number of processes and threads that the user may have",
        .why = "A low limit prevents ranks from starting their threads, and the job fails",
        .source = "AMD-AGI/Primus primus/tools/preflight/node_smoke, 2026-08; getrlimit(2)",
        .read_from = "getrlimit(RLIMIT_NPROC)",
        .next_step = "in the job: ulimit -u unlimited; if the hard limit is lower, raise it first",
        .persist =
            "nproc in /etc/security/limits.d, LimitNPROC= of the service, or --ulimit nproc=… "
            "of the container",
        .read = limit_of_nproc,
        .what = "RLIMIT_NPROC",
    },
    // limits.stack: stack size of the calling process (soft limit).
    {
        .id = "limits.stack",
        .summary = "Stack size of a thread in bytes",
        .why = "Programs with large stack frames crash with SIGSEGV, and libraries derive the "
               "stacks of their threads from this limit",
        .source = "AMD-AGI/Primus primus/tools/preflight/node_smoke, 2026-08; getrlimit(2)",
        .read_from = "getrlimit(RLIMIT_STACK)",
        .next_step = "in the job: ulimit -s unlimited; if the hard limit is lower, raise it first",
        .persist =
            "stack in /etc/security/limits.d, LimitSTACK= of the service, or --ulimit stack=… "
            "of the container",
        .read = limit_of_stack,
        .what = "RLIMIT_STACK",
    },
};

constexpr LimitFacts cgroup_limits[] = {
    // limits.memory: memory limit of the process by control groups: bytes, or no limit.
    {
        .id = "limits.memory",
        .summary = "Memory limit of the process's control group in bytes",
        .why = "A container with less memory than its job needs is killed while the job runs",
        .source = "linux Documentation/admin-guide/cgroup-v2.rst, 6.12 (2024-11)",
        .read_from = "/proc/self/cgroup, memory.max of the groups it names (version 1: "
                     "memory.limit_in_bytes), mem_info_vram_total of each GPU that KFD shows",
        .next_step =
            "raise docker run --memory or the memory limit of the pod, or remove the limit",
        .persist =
            "MemoryMax= of the service, --memory of the container, request of the batch system",
        .read = limit_of_memory,
        .what = "the control group",
        .none = "no control group hierarchy in use has the memory controller",
        .vram = visible_vram,
    },
    // limits.pids: processes and threads that control groups allow.
    {
        .id = "limits.pids",
        .summary = "Number of processes and threads that the job's control group allows",
        .why = "A low limit prevents ranks from starting their threads, and the job fails",
        .source = "linux Documentation/admin-guide/cgroup-v2.rst, 6.12 (2024-11)",
        .read_from = "/proc/self/cgroup, pids.max of the groups it names (version 1: pids.max)",
        .next_step =
            "raise docker run --pids-limit or podPidsLimit of the kubelet, or remove the limit",
        .persist = "TasksMax= of the service, --pids-limit of the container",
        .read = limit_of_pids,
        .what = "the control group",
        .none = "no control group hierarchy in use has the pids controller",
    },
};

}  // namespace

std::span<const Setting> process_limits() {
    static const auto settings = limit_settings(limits);
    return settings;
}

std::span<const Setting> control_group_limits() {
    static const auto settings = limit_settings(cgroup_limits);
    return settings;
}

// limits.cpus: the calling process may run near its GPUs: for each visible GPU at least one local
// CPU is allowed (linux fs/proc/array.c Cpus_allowed_list, after taskset, cpusets and the batch
// system).

namespace {

using AllowedCpus = std::vector<std::uint32_t>;

bool share_one(const AllowedCpus& one, const AllowedCpus& other) {
    return std::any_of(one.begin(), one.end(), [&](std::uint32_t cpu) {
        return std::binary_search(other.begin(), other.end(), cpu);
    });
}

// Returns true if a local CPU is allowed; else adds a row.
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
    rows.back().detail = "the process may use none of the CPUs near this GPU";
    return false;
}

std::vector<Assessment> assess_limits_cpus(const Setting&, const Context& context,
                                           const Expectation& expectation) {
    if (auto other = not_this_process(context)) {
        return {*std::move(other)};
    }
    const std::string& expected = *expectation.value.text();
    const Target self{"process", std::nullopt, ""};
    const auto allowed = allowed_cpus(context.fs());
    if (!allowed) {
        return {unreadable(self, allowed.error(), expected)};
    }
    std::vector<Assessment> rows;
    const auto uncertain = context.machine.kfd_uncertain();
    if (uncertain) {
        rows.push_back(unreadable(self, *uncertain, expected));
    }
    std::size_t covered = 0;
    for (const auto& gpu : context.machine.gpus()) {
        if (!gpu.agents.empty()) {
            covered += judge(context.fs(), gpu, *allowed, rows) ? 1U : 0U;
        }
    }
    if (rows.empty() && covered == 0) {
        rows.push_back(no_target("this process sees no GPU"));
        rows.back().target = self;
    } else if (rows.empty()) {
        rows.push_back(compared(self, expected, expected));
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
                .why = "From CPUs of the other socket, each kernel launch and copy crosses the "
                       "link between the processors and is slower",
                .source = "ROCm/system-acceptance-docs docs/common/os-tuning.md, 2026-07; linux "
                          "fs/proc/array.c, 6.12",
                .target = "process",
                .read_from = "/proc/self/status, local_cpulist of each GPU that KFD shows",
                .set_by = "",
                .next_step =
                    "grep Cpus_allowed_list /proc/self/status; rocenv topo; request CPUs near the "
                    "GPU from the batch system, docker run --cpuset-cpus or taskset",
                .persist = "for the process and its children",
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
