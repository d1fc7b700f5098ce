// SPDX-License-Identifier: MIT
// cpu.online: every CPU the machine has is in use. What it has is "present"; "possible" also counts
// empty sockets and slots for hotplug. SMT switched off at run time leaves the second threads
// present and offline: as many as are online, and not missing. Without IOMMU the kernel can number
// 255 CPUs (no x2APIC); the others are not even present.
#include <algorithm>
#include <iterator>

#include "machine/host/iommu_words.h"
#include "os/redact/redact_words.h"
#include "rocenv/setting.h"
#include "settings/safety.h"
#include "util/text.h"

namespace rocenv {

namespace {

using Cpus = std::vector<std::uint32_t>;
const std::string cpu_folder = "/sys/devices/system/cpu";
constexpr std::size_t without_x2apic = 256;

Result<Cpus> read_cpus(const Fs& fs, const std::string& name) {
    const std::string path = cpu_folder + "/" + name;
    const auto text = fs.read(path);
    if (!text) {
        return text.error();
    }
    auto list = parse_number_list(trim(*text));
    return list && !list->empty()
               ? Result(*std::move(list))
               : garbled(path, "is no list of CPUs: " + quoted_value(trim(*text)));
}

Cpus without(const Cpus& all, const Cpus& some) {
    Cpus out;
    std::set_difference(all.begin(), all.end(), some.begin(), some.end(), std::back_inserter(out));
    return out;
}

bool smt_is_off(const Fs& fs) {
    const auto control = fs.read(cpu_folder + "/smt/control");
    return control && (trim(*control) == "off" || trim(*control) == "forceoff");
}

// A kernel that knows IOMMUs has the class from its start (linux drivers/iommu/iommu-sysfs.c
// iommu_dev_init, 6.12).
bool is_without_iommu(const Fs& fs) {
    const auto iommus = fs.list("/sys/class/iommu");
    return iommus ? iommus->empty() : iommus.is(ErrorKind::not_here) && exists(fs, "/sys/class");
}

std::string enable_iommu(const Fs& fs) {
    return "enable the IOMMU in the BIOS, add " + words_for_pass_through(fs) +
           " to the kernel line in the boot loader, then reboot";
}

// As many are online as can be numbered without IOMMU, and there is none.
void mind_offline(const Fs& fs, std::size_t online, std::size_t present, Assessment& row) {
    if (online + 1 == without_x2apic && present > online && is_without_iommu(fs) && !is_guest(fs)) {
        row.detail = number(online) + " of " + number(present) +
                     " CPUs: the IOMMU is off, and without it the kernel cannot number more";
        row.next_step = enable_iommu(fs);
    }
}

// That no IOMMU is in use is certain only where its class is there and empty.
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
        row.detail = number(present) + " CPUs, and the firmware names " +
                     number(possible->size() - present) +
                     " more: without IOMMU the kernel cannot number them";
        row.next_step = enable_iommu(fs);
        row.remark = true;
        blame_the_iommu(fs, present, possible->size(), row);
    }
}

std::vector<Assessment> assess_online(const Setting&, const Context& context, const Want& want) {
    const std::string& wanted = *want.value.text();
    const auto online = context.machine.online_cpus();
    if (!online) {
        return {unreadable({}, online.error(), wanted)};
    }
    const auto present = read_cpus(context.fs(), "present");
    if (!present) {
        return {unreadable({}, present.error(), wanted)};
    }
    if (const auto odd = without(*online, *present); !odd.empty()) {
        const auto why = "lacks " + number_list(odd) + ", online";
        return {unreadable({}, garbled(cpu_folder + "/present", why), wanted)};
    }
    const auto missing = without(*present, *online);
    auto row = compared({}, wanted, "all");
    if (missing.size() == online->size() && smt_is_off(context.fs())) {
        row.detail = "SMT is off: the second threads " + number_list(missing) + " are offline";
    } else if (!missing.empty()) {
        row.outcome = Outcome::differs;
        row.have = "missing " + number_list(missing);
        mind_offline(context.fs(), online->size(), present->size(), row);
    } else {
        mind_the_limit(context.fs(), present->size(), row);
    }
    return {row};
}

// Which they are: nodes with other processors may each have all of theirs.
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
                .summary = "Whether every CPU the machine has is in use",
                .why =
                    "Ranks are bound to CPUs near their GPU; one that is offline is missing there",
                .source = "ROCm/system-acceptance-docs docs/common/os-tuning.md, 2026-07; "
                          "linux Documentation/admin-guide/cputopology.rst, 6.12",
                .target = "system",
                .read_from = "/sys/devices/system/cpu/{online,present,possible,smt/control}; "
                             "/proc/cpuinfo, /sys/kernel/iommu_groups and /sys/class/iommu where "
                             "255 CPUs are "
                             "online",
                .set_by = "",
                .next_step = "echo 1 | sudo tee /sys/devices/system/cpu/cpu*/online",
                .persist = "lost at reboot, unless maxcpus= or nr_cpus= on the kernel command "
                           "line, or the "
                           "BIOS, keeps them away",
                .risk_note = "somebody may have taken a faulty CPU offline",
                .over_cluster = OverCluster::equal,
                .forms = {{.kind = FormKind::word, .words = {"all"}}},
            },
        .assess = assess_online,
        .facts = facts_of_online,
    };
    return setting;
}

}  // namespace rocenv
