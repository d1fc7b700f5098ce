// SPDX-License-Identifier: MIT
// Processors and CPUs of the node, and the number in use: cpu.sockets, cpu.cores,
// cpu.nodes_per_socket, cpu.microcode, cpu.online and cpu.smt.
#include <algorithm>
#include <array>
#include <iterator>

#include "machine/host/boot_words.h"
#include "machine/host/cpus.h"
#include "machine/kernel_attribute.h"
#include "os/redact/redact_words.h"
#include "rocenv/setting.h"
#include "settings/kernel/boot_blame.h"
#include "settings/memory/meminfo.h"
#include "settings/safety.h"
#include "settings/shapes/devices.h"
#include "util/text.h"

namespace rocenv {

// cpu.sockets: the number of packages with online CPUs. A profile states the expected number:
// boards have one, two or four.

namespace {

std::vector<Assessment> assess_sockets(const Setting&, const Context& context,
                                       const Expectation& expectation) {
    const std::string expected = number(*expectation.value.integer());
    const auto packages = read_packages_of(context.machine);
    return {packages ? compared({}, expected, number(packages->size()))
                     : unreadable({}, packages.error(), expected)};
}

// Returns the number and the model of the processors.
std::vector<ClusterFact> facts_of_sockets(const Setting& setting, const Context& context) {
    auto out = assessed_facts(setting, context);
    add_fact({"system", std::nullopt, "/model"}, read_cpu_model(context.fs()), out);
    return out;
}

}  // namespace

const Setting& cpu_sockets() {
    static const Setting setting{
        .info =
            {
                .id = "cpu.sockets",
                .summary = "Number of processors (sockets) of the node",
                .why = "Without a processor, the node loses its memory, its PCI slots and half of "
                       "the CPUs",
                .source = "Azure/azurehpc-health-checks customTests, 2026-05; linux "
                          "Documentation/admin-guide/cputopology.rst, 6.12",
                .target = "system",
                .read_from = "/sys/devices/system/cpu/online, "
                             "cpu*/topology/{physical_package_id,core_siblings_list}; for facts "
                             "/proc/cpuinfo",
                .set_by = "",
                .next_step = "lscpu | grep Socket; if a processor is missing, check the processor "
                             "list of the BIOS",
                .persist = "persistent (hardware)",
                .risk_note = "",
                .host_decides = true,
                .over_cluster = OverCluster::equal,
                .forms = {{.kind = FormKind::integer, .lowest = 1, .highest = 64}},
            },
        .assess = assess_sockets,
        .facts = facts_of_sockets,
    };
    return setting;
}

// cpu.cores: the number of online cores of each processor: a number, or equal on all.

namespace {

std::vector<Assessment> assess_cores(const Setting&, const Context& context,
                                     const Expectation& expectation) {
    const auto packages = read_packages_of(context.machine);
    if (!packages) {
        return {unreadable({}, packages.error(), plain_text(expectation.value))};
    }
    LikeDevices all;
    all.why_none = "no processor was found";
    for (const auto& package : *packages) {
        const auto cores = cores_of(context.fs(), package);
        all.values.push_back(
            {.device = package.name(),
             .kind = "",
             .value = cores ? Result(number(*cores)) : Result<std::string>(cores.error())});
    }
    return judge_alike(all, plain_text(expectation.value), {});
}

}  // namespace

const Setting& cpu_cores() {
    static const Setting setting{
        .info =
            {
                .id = "cpu.cores",
                .summary = "Number of cores of each processor",
                .why = "Switched-off cores are missing for the ranks near half of the GPUs",
                .source = "Azure/azurehpc-health-checks customTests, 2026-05; linux "
                          "Documentation/admin-guide/cputopology.rst, 6.12",
                .target = "processor",
                .read_from = "/sys/devices/system/cpu/online, cpu*/topology/{physical_package_id,"
                             "core_siblings_list,thread_siblings_list}",
                .set_by = "",
                .next_step = "lscpu | grep -e Core -e On-line; if cores are missing, check the "
                             "core settings (downcoring) of the BIOS",
                .persist = "persistent (set in the BIOS)",
                .risk_note = "",
                .host_decides = true,
                .over_cluster = OverCluster::equal,
                .forms = {{.kind = FormKind::word, .words = {"equal"}},
                          {.kind = FormKind::integer, .lowest = 1, .highest = 4096}},
            },
        .assess = assess_cores,
    };
    return setting;
}

// cpu.nodes_per_socket: the number of NUMA nodes with CPUs in each processor, set by the firmware
// (NPS1, NPS2, NPS4; "L3 as NUMA" gives eight or more). One node over two processors is NPS0.

namespace {

constexpr Grade nodes_per_socket_grades[] = {
    {"other", Level::recommended,
     "Another number of nodes is slower; one node for all processors is broken"},
};

const std::string cpu_lists_folder = "/sys/devices/system/cpu";
constexpr const char* parked_text =
    "CPUs are offline, and they may belong to a NUMA node without CPUs: see cpu.online";

// Returns true if offline CPUs may belong to nodes without CPUs. The firmware may then have made
// the expected number of nodes, and cpu.online reports the cause.
bool may_be_parked(const Context& context, std::size_t nodes, std::uint64_t wished) {
    const auto online = context.machine.online_cpus();
    const auto present = numbers_of_file(context.fs(), cpu_lists_folder + "/present");
    const auto all = numbers_of_file(context.fs(), "/sys/devices/system/node/online");
    return online && present && all && present->size() > online->size() && nodes < wished &&
           wished <= all->size();
}

Assessment judge(std::size_t nodes, std::size_t sockets, const std::string& expected) {
    const std::string text = counted(nodes, "node") + ", " + counted(sockets, "socket");
    auto row = compared({}, expected, nodes % sockets == 0 ? number(nodes / sockets) : text);
    if (nodes < sockets) {
        row.have = "0";
        row.detail = text + ", which is NPS0";
    } else if (row.outcome == Outcome::differs) {
        row.detail = text;
        row.grade = &nodes_per_socket_grades[0];
    }
    return row;
}

std::vector<Assessment> assess_nodes_per_socket(const Setting&, const Context& context,
                                                const Expectation& expectation) {
    const std::string expected = number(*expectation.value.integer());
    const auto nodes = nodes_with_cpus(context.fs());
    if (nodes.is(ErrorKind::not_here)) {
        const auto lost = lost_numa(context.machine);
        return {lost ? unreadable({}, *lost, expected)
                     : no_target("this kernel does not support NUMA")};
    }
    const auto packages = read_packages_of(context.machine);
    if (!nodes || !packages) {
        return {unreadable({}, nodes ? packages.error() : nodes.error(), expected)};
    }
    auto row = judge(nodes->size(), packages->size(), expected);
    if (row.outcome == Outcome::differs &&
        may_be_parked(context, nodes->size(), packages->size() * *parse_number(expected))) {
        return {
            unreadable({}, Error{ErrorKind::not_here, 0, cpu_lists_folder, parked_text}, expected)};
    }
    blame_boot_words(context.machine, "cpu.nodes_per_socket", BlameStep::replace, row);
    return {row};
}

}  // namespace

const Setting& cpu_nodes_per_socket() {
    static const Setting setting{
        .info =
            {
                .id = "cpu.nodes_per_socket",
                .summary = "Number of NUMA nodes that the firmware creates for each processor",
                .why = "With four nodes per socket, a GPU is near only a quarter of the CPUs and "
                       "memory, so wrongly bound ranks run slower",
                .source = "ROCm/system-acceptance-docs docs/common/bios-settings.md, 2026-07",
                .target = "system",
                .read_from = "/sys/devices/system/node/{online,node*/cpulist}, "
                             "/sys/devices/system/cpu/{online,present}, "
                             "cpu*/topology/{physical_package_id,core_siblings_list}; "
                             "/proc/cmdline if the number is not as expected",
                .set_by = "",
                .next_step = "set NUMA nodes per socket (NPS) in the BIOS, then reboot",
                .persist = "persistent (set in the BIOS)",
                .risk_note = "",
                .after_reboot = true,
                .host_decides = true,
                .over_cluster = OverCluster::equal,
                .forms = {{.kind = FormKind::integer, .lowest = 1, .highest = 64}},
                .grades = nodes_per_socket_grades,
            },
        .assess = assess_nodes_per_socket,
    };
    return setting;
}

// cpu.microcode: the version of each processor, read on one CPU of each (linux
// arch/x86/kernel/cpu/microcode/core.c version). Some kernels allow only root to read it; guests
// and other architectures have none.

namespace {

Result<std::string> microcode_of(const Fs& fs, const Package& package) {
    const std::string path =
        "/sys/devices/system/cpu/cpu" + number(package.cpus.front()) + "/microcode/version";
    const auto line = read_line(fs, path);
    if (!line) {
        return line.error();
    }
    const auto digits = std::string_view(*line).substr(line->starts_with("0x") ? 2 : 0);
    return parse_number(digits, 16)
               ? line
               : garbled(path, "is not a valid version: " + quoted_value(*line));
}

std::vector<Assessment> assess_microcode(const Setting&, const Context& context,
                                         const Expectation& expectation) {
    const auto packages = read_packages_of(context.machine);
    if (!packages) {
        return {unreadable({}, packages.error(), *expectation.value.text())};
    }
    LikeDevices all;
    all.why_none = "no processor was found";
    for (const auto& package : *packages) {
        all.values.push_back(
            {.device = package.name(), .kind = "", .value = microcode_of(context.fs(), package)});
    }
    return judge_alike(all, *expectation.value.text(),
                       {.absent = "this kernel reports no microcode version",
                        .log_command = "sudo dmesg | grep microcode"});
}

}  // namespace

const Setting& cpu_microcode() {
    static const Setting setting{
        .info =
            {
                .id = "cpu.microcode",
                .summary = "Microcode version of each processor",
                .why = "Processors with different microcode have different bugs, although the BIOS "
                       "loads one version for all",
                .source =
                    "ROCm/system-acceptance-docs docs/common/firmware-updates.md, 2026-07; linux "
                    "arch/x86/kernel/cpu/microcode/core.c, 6.12",
                .target = "processor",
                .read_from = "/sys/devices/system/cpu/online, cpu*/topology/{physical_package_id,"
                             "core_siblings_list}, cpu*/microcode/version of one CPU each",
                .set_by = "",
                .next_step = "sudo dmesg | grep microcode; if the version is old, update the BIOS "
                             "or the microcode package",
                .persist = "loaded at each boot by the BIOS or the initial RAM disk",
                .risk_note = "",
                .after_reboot = true,
                .host_decides = true,
                .over_cluster = OverCluster::equal,
                .forms = {{.kind = FormKind::word, .words = {"equal"}}},
            },
        .assess = assess_microcode,
    };
    return setting;
}

// cpu.online: every CPU of the machine is in use. "present" lists the CPUs; "possible" also counts
// empty sockets and hotplug slots. With SMT off at run time, the second threads are present and
// offline: they equal the online ones in number and are not missing. Without IOMMU the kernel can
// number 255 CPUs (no x2APIC); further ones are not even present.

namespace {

using Cpus = std::vector<std::uint32_t>;
const std::string cpus_folder = "/sys/devices/system/cpu";
constexpr std::size_t without_x2apic = 256;

Result<Cpus> read_cpus(const Fs& fs, const std::string& name) {
    const std::string path = cpus_folder + "/" + name;
    const auto text = fs.read(path);
    if (!text) {
        return text.error();
    }
    auto list = parse_number_list(trim(*text));
    return list && !list->empty()
               ? Result(*std::move(list))
               : garbled(path, "is not a valid list of CPUs: " + quoted_value(trim(*text)));
}

Cpus without(const Cpus& all, const Cpus& some) {
    Cpus out;
    std::set_difference(all.begin(), all.end(), some.begin(), some.end(), std::back_inserter(out));
    return out;
}

bool smt_is_off(const Fs& fs) {
    const auto control = fs.read(cpus_folder + "/smt/control");
    return control && (trim(*control) == "off" || trim(*control) == "forceoff");
}

// Returns true without an IOMMU: a kernel with IOMMU support has the class from its start (linux
// drivers/iommu/iommu-sysfs.c iommu_dev_init, 6.12).
bool is_without_iommu(const Fs& fs) {
    const auto iommus = fs.list("/sys/class/iommu");
    return iommus ? iommus->empty() : iommus.is(ErrorKind::not_here) && exists(fs, "/sys/class");
}

std::string enable_iommu(const Fs& fs) {
    return "enable the IOMMU in the BIOS, add " + words_for_pass_through(fs) +
           " to the kernel command line in the boot loader, then reboot";
}

// Explains that the number of online CPUs is the maximum without IOMMU, and that there is none.
void mind_offline(const Fs& fs, std::size_t online, std::size_t present, Assessment& row) {
    if (online + 1 == without_x2apic && present > online && is_without_iommu(fs) && !is_guest(fs)) {
        row.detail = number(online) + " of " + number(present) +
                     " CPUs: the IOMMU is off, and without it the kernel cannot number more CPUs";
        row.next_step = enable_iommu(fs);
    }
}

// Explains missing CPUs by the IOMMU; only an existing, empty class proves that it is unused.
void blame_the_iommu(const Fs& fs, std::size_t present, std::size_t possible, Assessment& row) {
    const auto iommus = fs.list("/sys/class/iommu");
    if (iommus && iommus->empty()) {
        row.outcome = Outcome::differs;
        row.have = number(present) + " of " + number(possible);
        row.detail += "; the IOMMU is off";
    }
}

void mind_the_limit(const Fs& fs, std::size_t present, Assessment& row) {
    const auto possible = read_cpus(fs, "possible");
    if (possible && possible->size() > present && present + 1 >= without_x2apic &&
        present <= without_x2apic && !is_guest(fs)) {
        row.detail = number(present) + " CPUs are present, and the firmware lists " +
                     number(possible->size() - present) +
                     " more that the kernel cannot number without an IOMMU";
        row.next_step = enable_iommu(fs);
        row.remark = true;
        blame_the_iommu(fs, present, possible->size(), row);
    }
}

std::vector<Assessment> assess_online(const Setting&, const Context& context,
                                      const Expectation& expectation) {
    const std::string& expected = *expectation.value.text();
    const auto online = context.machine.online_cpus();
    if (!online) {
        return {unreadable({}, online.error(), expected)};
    }
    const auto present = read_cpus(context.fs(), "present");
    if (!present) {
        return {unreadable({}, present.error(), expected)};
    }
    if (const auto missing = without(*online, *present); !missing.empty()) {
        const auto why = "lacks CPUs that are online: " + number_list(missing);
        return {unreadable({}, garbled(cpus_folder + "/present", why), expected)};
    }
    const auto missing = without(*present, *online);
    auto row = compared({}, expected, "all");
    if (missing.size() == online->size() && smt_is_off(context.fs())) {
        row.detail = "SMT is off: the second threads " + number_list(missing) + " are offline";
    } else if (!missing.empty()) {
        row.outcome = Outcome::differs;
        row.have = "missing " + number_list(missing);
        mind_offline(context.fs(), online->size(), present->size(), row);
    } else {
        mind_the_limit(context.fs(), present->size(), row);
    }
    blame_boot_words(context.machine, "cpu.online", BlameStep::replace, row);
    return {row};
}

// Returns which CPUs are online: nodes with different processors may each have all of theirs.
std::vector<ClusterFact> facts_of_online(const Setting&, const Context& context) {
    const auto online = context.machine.online_cpus();
    if (!online) {
        return {{{}, std::nullopt, reason_of(online.error()), online.error().text}};
    }
    return {{{}, number_list(*online), Reason::error, ""}};
}

}  // namespace

const Setting& cpu_online() {
    static const Setting setting{
        .info =
            {
                .id = "cpu.online",
                .summary = "Whether every CPU of the machine is online",
                .why = "An offline CPU near a GPU is missing for the ranks that are bound there",
                .source = "ROCm/system-acceptance-docs docs/common/os-tuning.md, 2026-07; "
                          "linux Documentation/admin-guide/cputopology.rst, 6.12",
                .target = "system",
                .read_from = "/sys/devices/system/cpu/{online,present,possible,smt/control}; "
                             "/proc/cmdline where one is missing; /proc/cpuinfo, "
                             "/sys/kernel/iommu_groups and /sys/class/iommu where "
                             "255 CPUs are "
                             "online",
                .set_by = "",
                .next_step = "echo 1 | sudo tee /sys/devices/system/cpu/cpu*/online",
                .persist = "lost at reboot, unless maxcpus= or nr_cpus= on the kernel command line "
                           "or the BIOS disables the CPUs",
                .risk_note = "the CPU may be offline because it is faulty",
                .over_cluster = OverCluster::equal,
                .forms = {{.kind = FormKind::word, .words = {"all"}}},
            },
        .assess = assess_online,
        .facts = facts_of_online,
    };
    return setting;
}

// cpu.smt: the state of simultaneous multithreading (linux kernel/cpu.c, smt_states), or a number
// if only some threads of a core are in use. "off" is fulfilled if no core runs two threads:
// forceoff, notsupported (disabled in the BIOS, or missing), and notimplemented if smt/active is 0.
// notimplemented alone means that the kernel cannot switch, and control may read on while the
// second threads were taken offline one by one. smt/active decides.

namespace {

const std::string smt_folder = "/sys/devices/system/cpu/smt";

constexpr std::array<std::string_view, 5> states{"on", "off", "forceoff", "notsupported",
                                                 "notimplemented"};

Result<std::string> read_control(const Fs& fs) {
    const std::string path = smt_folder + "/control";
    const auto text = fs.read(path);
    if (!text) {
        return text.error();
    }
    const auto word = trim(*text);
    const bool known = std::find(states.begin(), states.end(), word) != states.end() ||
                       parse_number(word).has_value();
    return known ? Result(std::string(word))
                 : garbled(path, "is not a valid state of SMT: " + quoted_value(word));
}

Result<bool> read_active(const Fs& fs) {
    const std::string path = smt_folder + "/active";
    const auto text = fs.read(path);
    if (!text) {
        return text.error();
    }
    const auto word = trim(*text);
    return word == "0" || word == "1" ? Result(word == "1")
                                      : garbled(path, "is neither 0 nor 1: " + quoted_value(word));
}

bool never_active(std::string_view control) {
    return control == "off" || control == "forceoff" || control == "notsupported";
}

Keeping keeping_of_smt(const Setting&, const Expectation&) {
    return {.firmware = "SMT Control, or nosmt on the kernel command line"};
}

std::string how_to_switch_on(const std::string& control) {
    if (control == "on") {
        return "echo 1 | sudo tee /sys/devices/system/cpu/cpu*/online";
    }
    if (control == "off" || parse_number(control)) {
        return "echo on | sudo tee " + smt_folder + "/control";
    }
    return "enable SMT in the BIOS, remove nosmt from the kernel command line, and reboot";
}

Assessment judge(const std::string& control, bool active, const std::string& expected) {
    auto row = compared({}, expected, control);
    if (expected == "off") {
        row.outcome = active ? Outcome::differs : Outcome::ok;
    } else if (expected == "on") {
        const bool all = control == "on" || control == "notimplemented";
        row.outcome = active && all ? Outcome::ok : Outcome::differs;
    }
    if (control == "on" && !active) {
        row.detail = "the second threads were taken offline one by one";
    } else if (control == "notimplemented") {
        row.detail =
            std::string("this kernel cannot switch SMT; smt/active is ") + (active ? "1" : "0");
    } else if (parse_number(control)) {
        row.detail = control + " threads of each core are in use, but each core has more";
    }
    if (row.outcome == Outcome::differs && expected == "on") {
        row.next_step = how_to_switch_on(control);
    }
    return row;
}

std::vector<Assessment> assess_smt(const Setting&, const Context& context,
                                   const Expectation& expectation) {
    const std::string& expected = *expectation.value.text();
    const auto control = read_control(context.fs());
    if (!control) {
        return {unreadable({}, control.error(), expected)};
    }
    const auto active = read_active(context.fs());
    if (!active) {
        return {unreadable({}, active.error(), expected)};
    }
    if (*active && never_active(*control)) {
        const auto why = "is 1, but control is " + *control;
        return {unreadable({}, garbled(smt_folder + "/active", why), expected)};
    }
    auto row = judge(*control, *active, expected);
    blame_boot_words(context.machine, "cpu.smt", BlameStep::replace, row);
    return {row};
}

}  // namespace

const Setting& cpu_smt() {
    static const Setting setting{
        .info =
            {
                .id = "cpu.smt",
                .summary = "Simultaneous multithreading (SMT): two threads on one core",
                .why = "Two threads of a core share its units, so CPU-bound work may run slower",
                .source = "ROCm/system-acceptance-docs docs/common/bios-settings.md, 2026-07; "
                          "linux kernel/cpu.c, 6.12",
                .target = "system",
                .read_from =
                    "/sys/devices/system/cpu/smt/{control,active}; /proc/cpuinfo and /proc/cmdline "
                    "where they differ",
                .set_by = "",
                .next_step =
                    "set SMT Control in the BIOS, or nosmt on the kernel command line, then reboot",
                .persist = "persistent if set in the BIOS or on the kernel command line",
                .risk_note = "half of the CPUs disappear, and CPU bindings made for all CPUs fail",
                .after_reboot = true,
                .host_decides = true,
                .over_cluster = OverCluster::equal,
                .forms = {{.kind = FormKind::word, .words = {states.begin(), states.end()}}},
            },
        .assess = assess_smt,
        .keeping = keeping_of_smt,
    };
    return setting;
}

}  // namespace rocenv
