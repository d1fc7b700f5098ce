// SPDX-License-Identifier: MIT
// The running kernel: kernel.version, kernel.lockdown, kernel.health and kernel.cmdline.
#include <algorithm>
#include <iterator>

#include "machine/host/boot_words.h"
#include "machine/kernel_attribute.h"
#include "os/redact/redact.h"
#include "os/redact/redact_words.h"
#include "rocenv/setting.h"
#include "settings/kernel/boot_blame.h"
#include "settings/kernel/iommu.h"
#include "settings/safety.h"
#include "settings/shapes/requirements.h"
#include "util/text.h"

namespace rocenv {

// kernel.version: the release of the running kernel. Its leading numbers are compared; backports of
// a distribution are not visible. One element of a list ("6.8.0-45", ">=6.11") must match.

namespace {

// Returns the expected version, or those of a list, of which one must match.
std::vector<VersionRequirement> requirements_of(const Value& value) {
    std::vector<VersionRequirement> out;
    if (value.list() == nullptr) {
        out.push_back(version_requirement(value));
        return out;
    }
    for (const auto& each : *value.list()) {
        out.push_back(version_requirement(each));
    }
    return out;
}

std::string requirements_text(const std::vector<VersionRequirement>& requirements) {
    std::vector<std::string> out;
    out.reserve(requirements.size());
    for (const auto& requirement : requirements) {
        out.push_back(requirement.text);
    }
    return join(out, ", ");
}

std::vector<Assessment> assess_version(const Setting&, const Context& context,
                                       const Expectation& expectation) {
    constexpr std::size_t longest = 64;  // linux include/uapi/linux/utsname.h __NEW_UTS_LEN
    const auto requirements = requirements_of(expectation.value);
    const auto release =
        version_of_file(context.fs(), "/proc/sys/kernel/osrelease", "release", longest);
    if (!release) {
        return {unreadable({}, release.error(), requirements_text(requirements))};
    }
    auto row = compared({}, requirements_text(requirements), *release);
    const bool any = std::any_of(
        requirements.begin(), requirements.end(),
        [&](const VersionRequirement& requirement) { return requirement.accepts(*release); });
    row.outcome = any ? Outcome::ok : Outcome::differs;
    return {row};
}

}  // namespace

const Setting& kernel_version() {
    static const Setting setting{
        .info =
            {
                .id = "kernel.version",
                .summary = "Release of the running kernel",
                .why = "AMD releases drivers for certain kernels only, and rejects others in an "
                       "acceptance",
                .source = "ROCm/system-acceptance-docs docs/common/health-checks.md, 2026-07",
                .target = "system",
                .read_from = "/proc/sys/kernel/osrelease",
                .set_by = "",
                .next_step =
                    "uname -r; if the release is wrong, install the expected kernel and reboot",
                .persist = "persistent (choice of the boot loader)",
                .risk_note = "",
                .after_reboot = true,
                .over_cluster = OverCluster::equal,
                .forms = {{.kind = FormKind::at_least}, {.kind = FormKind::text_list, .lowest = 1}},
            },
        .assess = assess_version,
    };
    return setting;
}

// kernel.lockdown: the restriction of root by the kernel (linux security/lockdown/lockdown.c:
// "[none] integrity confidentiality"). A kernel without this security module has no such file. The
// folder is empty if securityfs is not mounted, as in most containers.

namespace {

const std::string security_folder = "/sys/kernel/security";

Assessment absent(const Fs& fs, const std::string& required) {
    const auto names = fs.list(security_folder);
    if (names && names->empty()) {
        auto row =
            unreadable({}, garbled(security_folder, "securityfs is not mounted there"), required);
        row.next_step = "sudo mount -t securityfs securityfs " + security_folder;
        return row;
    }
    if (!names && !names.is(ErrorKind::not_here)) {
        return unreadable({}, names.error(), required);
    }
    if (required != "none") {
        auto row = compared({}, required, "none");
        row.detail = "this kernel is built without lockdown";
        row.next_step = "boot a kernel that has lockdown";
        return row;
    }
    return no_target("this kernel is built without lockdown");
}

std::vector<Assessment> assess_lockdown(const Setting& setting, const Context& context,
                                        const Expectation& expectation) {
    const std::string path = security_folder + "/lockdown";
    const auto text = context.fs().read(path);
    if (text.is(ErrorKind::not_here)) {
        return {absent(context.fs(), *expectation.value.text())};
    }
    const auto content = text ? parse_choice(path, *text) : text.error();
    if (!content) {
        return {unreadable({}, content.error(), *expectation.value.text())};
    }
    const auto& levels = setting.info.forms.front().words;
    if (std::find(levels.begin(), levels.end(), content->value) == levels.end()) {
        const auto why = "is not a valid level of lockdown: " + quoted_value(content->value);
        return {unreadable({}, garbled(path, why), *expectation.value.text())};
    }
    return {compared({}, *expectation.value.text(), content->value)};
}

}  // namespace

const Setting& kernel_lockdown() {
    static const Setting setting{
        .info =
            {
                .id = "kernel.lockdown",
                .summary = "Whether the kernel rejects writes that could change it, also from root",
                .why = "In lockdown, ACS and BIOS settings cannot be written, and modules must be "
                       "signed",
                .source = "linux security/lockdown/lockdown.c, 6.12 (2024-11)",
                .target = "system",
                .read_from = "/sys/kernel/security/lockdown",
                .set_by = "",
                .next_step = "remove lockdown= from the kernel command line in the boot loader, or "
                             "disable Secure Boot in the BIOS, then reboot",
                .persist = "decided at boot; the level can only rise later",
                .risk_note = "",
                .after_reboot = true,
                .over_cluster = OverCluster::equal,
                .forms = {{.kind = FormKind::word,
                           .words = {"none", "integrity", "confidentiality"}}},
            },
        .assess = assess_lockdown,
    };
    return setting;
}

// kernel.health: faults of the kernel since its start: bits of the taint mask (linux
// Documentation/admin-guide/tainted-kernels.rst, 6.12) and the counters of oopses and warnings
// (since 6.2; Documentation/ABI/testing/sysfs-kernel-oops_count). External modules (bits 0, 12,
// 13), such as AMD's driver, are not faults.

namespace {

constexpr Grade health_grades[] = {
    {"warning", Level::recommended, "Drivers warn under load and continue"},
    {"report", Level::info,
     "The kernel was not tested with this hardware or module, but may run well"},
};

struct Taint {
    unsigned bit;
    const char* target;
    const char* means;
    const Grade* grade;
};

constexpr Taint taints[] = {
    {4, "machine_check", "the CPU reported a hardware fault", nullptr},
    {5, "bad_page", "the kernel found a broken page record", nullptr},
    {7, "oops", "the kernel failed with an oops", nullptr},
    {14, "soft_lockup", "a CPU stayed in the kernel for too long", nullptr},
    {9, "warning", "the kernel warned of an internal error", &health_grades[0]},
    {2, "out_of_spec", "the hardware runs outside of its specification", &health_grades[1]},
};

constexpr std::uint64_t foreign_modules = 1U << 0U | 1U << 12U | 1U << 13U;
const std::string taint_path = "/proc/sys/kernel/tainted";

Assessment fault(const Taint& taint, const std::string& have) {
    auto row = compared({taint.target, std::nullopt, ""}, "clean", have);
    row.detail = taint.means;
    row.grade = taint.grade;
    return row;
}

// Adds the counter of a taint, which may already have a row; kernels before 6.2 have none.
void add_count(const Fs& fs, const std::string& name, const Taint& taint,
               std::vector<Assessment>& rows) {
    const auto count = count_of_file(fs, "/sys/kernel/" + name);
    const bool none = count ? *count == 0 : count.is(ErrorKind::not_here);
    if (none) {
        return;
    }
    for (auto& row : rows) {
        if (row.target.base == taint.target) {
            *row.have += count ? ", " + name + " " + number(*count) : std::string();
            return;
        }
    }
    if (count) {
        rows.push_back(fault(taint, name + " " + number(*count)));
        return;
    }
    rows.push_back(unreadable({taint.target, std::nullopt, ""}, count.error(), "clean"));
    rows.back().grade = taint.grade;
}

std::vector<Assessment> assess_health(const Setting&, const Context& context,
                                      const Expectation& expectation) {
    const Fs& fs = context.fs();
    std::vector<Assessment> rows;
    const auto mask = count_of_file(fs, taint_path);
    if (!mask) {
        rows.push_back(unreadable({}, mask.error(), *expectation.value.text()));
    }
    for (const auto& taint : taints) {
        if (mask && (*mask >> taint.bit & 1U) != 0) {
            rows.push_back(fault(taint, "taint bit " + number(taint.bit)));
        }
    }
    add_count(fs, "oops_count", taints[2], rows);
    add_count(fs, "warn_count", taints[4], rows);
    if (rows.empty()) {
        rows.push_back(compared({}, *expectation.value.text(), "clean"));
    }
    return rows;
}

// Returns the whole mask as a number, without the bits of external modules.
std::vector<ClusterFact> facts_of_health(const Setting&, const Context& context) {
    std::vector<ClusterFact> out;
    const auto mask = count_of_file(context.fs(), taint_path);
    add_fact({"system", std::nullopt, "/taint"},
             mask ? Result(number(*mask & ~foreign_modules)) : mask.error(), out);
    return out;
}

}  // namespace

const Setting& kernel_health() {
    static const Setting setting{
        .info =
            {
                .id = "kernel.health",
                .summary = "Whether the kernel failed, locked up or warned since boot",
                .why = "After an oops, later jobs can hang or fail until the node is rebooted",
                .source = "linux Documentation/admin-guide/tainted-kernels.rst, 6.12 (2024-11); "
                          "AMD-AGI/Primus primus/tools/preflight/node_smoke, 2026-08",
                .target = "system",
                .read_from = "/proc/sys/kernel/tainted, /sys/kernel/{oops_count,warn_count}",
                .set_by = "",
                .next_step = "sudo dmesg | grep -i -e oops -e bug: -e warning: -e mce; if the log "
                             "confirms the fault, reboot the node",
                .persist = "until the next reboot",
                .risk_note = "",
                .over_cluster = OverCluster::equal,
                .forms = {{.kind = FormKind::word, .words = {"clean"}}},
                .grades = health_grades,
            },
        .assess = assess_health,
        .facts = facts_of_health,
    };
    return setting;
}

// kernel.cmdline: words of the kernel command line. A required element may name alternatives
// ("intel_iommu=on|amd_iommu=on"). An unwanted word without effect on this machine is accepted. So
// is a line without iommu=pt if every group passes through: by iommu.passthrough=1 or the kernel's
// configuration (CONFIG_IOMMU_DEFAULT_PASSTHROUGH).
//
// Words about the IOMMU are not required on every machine: in a guest the host decides. RCCL does
// not need iommu=pt if the kernel's release contains "cray", or in guests of Hyper-V, which have
// the flag of all guests (ROCm/rccl src/init.cc ncclInit, 2025-08).

namespace {

constexpr Grade cmdline_grades[] = {
    {"noted", Level::info, "No guide forbids these words, and a site may have chosen them"},
};

const std::string pass_through = "iommu=pt";
const std::string intel_on = "intel_iommu=on";
const std::string isolation_word = "isolcpus";  // unwanted if it isolates all CPUs near a GPU
const std::string release_path = "/proc/sys/kernel/osrelease";

// The words that apply to this machine.
struct Words {
    std::vector<std::string> required;
    std::vector<std::string> unwanted;
    std::vector<std::string> noted;
    std::string remark{};         // reason why words of the profile are ignored
    bool passes_through = false;  // the effect of iommu=pt is present

    bool empty() const { return required.empty() && unwanted.empty() && noted.empty(); }
};

bool is_cray(const Fs& fs) {
    const auto release = fs.read(release_path);
    return release && release->find("cray") != std::string::npos;
}

// Returns true if a word about the IOMMU is not as expected, so that the kind of machine matters.
bool is_iommu_amiss(const Words& words, const std::vector<KernelArgument>& arguments) {
    const auto amiss = [&](const std::vector<std::string>& list, bool there) {
        return std::any_of(list.begin(), list.end(), [&](const std::string& word) {
            return is_iommu_word(word) && has_any_boot_word(arguments, word) == there;
        });
    };
    return amiss(words.required, false) || amiss(words.unwanted, true);
}

Words for_guest(Words words) {
    std::erase_if(words.required, is_iommu_word);
    std::erase_if(words.unwanted, is_iommu_word);
    words.remark = "this is a guest, and its host configures the IOMMU";
    return words;
}

Words for_machine(const Machine& machine, Words words,
                  const std::vector<KernelArgument>& arguments) {
    const Fs& fs = machine.fs();
    const bool amiss = is_iommu_amiss(words, arguments);
    if (amiss && is_guest(fs)) {
        return for_guest(std::move(words));
    }
    if (amiss) {
        const auto maker = cpu_maker(fs);
        std::erase_if(words.unwanted,
                      [&](const auto& word) { return is_of_other_maker(word, maker); });
    }
    const auto found = std::find(words.required.begin(), words.required.end(), pass_through);
    if (found == words.required.end()) {
        return words;
    }
    const bool named = std::any_of(
        words.required.begin(), words.required.end(),
        [](const std::string& word) { return word.find(intel_on) != std::string::npos; });
    const bool missing = !has_any_boot_word(arguments, pass_through);
    if (missing && is_cray(fs)) {
        words.required.erase(found);
        words.remark = "RCCL does not expect " + pass_through + " on a Cray kernel";
    } else if (missing && passes_all_through(machine)) {
        words.passes_through = true;
        words.remark = "the kernel command line lacks " + pass_through +
                       ", but the kernel passes every GPU and RDMA NIC through by default";
    } else if (!named && !has_any_boot_word(arguments, intel_on) && has_idle_intel_iommu(fs)) {
        words.required.insert(found, intel_on);
        words.remark = "no device uses the IOMMU, but Intel's IOMMU may need a kernel option";
    }
    return words;
}

// Moves words without effect to `idle`. CPUs may be isolated on purpose, as long as each GPU has
// some nearby.
std::optional<Error> drop_idle_words(const Machine& machine,
                                     const std::vector<KernelArgument>& arguments,
                                     std::vector<std::string>& list,
                                     std::vector<std::string>& idle) {
    std::vector<std::string> kept;
    for (auto& word : list) {
        const bool there = has_any_boot_word(arguments, word);
        const auto acts = there ? boot_word_acts(machine, arguments, word) : Result(true);
        if (!acts) {
            return acts.error();
        }
        (*acts ? kept : idle).push_back(std::move(word));
    }
    list = std::move(kept);
    return std::nullopt;
}

Result<Words> for_effects(const Machine& machine, Words words,
                          const std::vector<KernelArgument>& arguments) {
    std::vector<std::string> idle;
    for (auto* list : {&words.unwanted, &words.noted}) {
        if (const auto error = drop_idle_words(machine, arguments, *list, idle)) {
            return *error;
        }
    }
    if (words.empty() && !idle.empty()) {
        words.remark = idle.front() == isolation_word
                           ? "isolcpus= leaves CPUs near each GPU"
                           : join(idle, " ") + " on the kernel command line has no effect here";
    }
    return words;
}

// The words that are missing, unwanted or noted.
struct Deviations {
    std::vector<std::string> missing;
    std::vector<std::string> unwanted;
    std::vector<std::string> noted;
};

std::string deviations_text(const Deviations& found) {
    std::vector<std::string> parts;
    const auto add = [&](const char* what, const std::vector<std::string>& words) {
        if (!words.empty()) {
            parts.push_back(what + join(words, " "));
        }
    };
    add("missing ", found.missing);
    add("unwanted ", found.unwanted);
    add("noted ", found.noted);
    return join(parts, ", ");
}

Keeping keeping_of_cmdline(const Setting&, const Expectation& expectation) {
    auto unwanted = field_texts(expectation.value, "unwanted");
    std::erase(unwanted, isolation_word);  // it depends on the isolated CPUs
    return {.boot_words = field_texts(expectation.value, "wanted"), .unwanted_words = unwanted};
}

std::string expected_text(const Words& words) {
    return !words.required.empty()
               ? join(words.required, " ")
               : "without " + join(words.unwanted.empty() ? words.noted : words.unwanted, " ");
}

// Adds the effect of each word that the table contains.
void explain_words(const std::vector<KernelArgument>& arguments,
                   const std::vector<std::string>& words, std::string& detail) {
    for (const auto& word : words) {
        if (const auto* facts = facts_of_boot_word(word)) {
            add_detail(as_written(arguments, word) + " on the kernel command line " +
                           std::string(facts->effect),
                       detail);
        }
    }
}

std::vector<std::string> of_those_there(const std::vector<KernelArgument>& arguments,
                                        const std::vector<std::string>& list, bool there) {
    std::vector<std::string> out;
    std::copy_if(list.begin(), list.end(), std::back_inserter(out),
                 [&](const auto& word) { return has_any_boot_word(arguments, word) == there; });
    return out;
}

Assessment judge(const Words& words, const std::vector<KernelArgument>& arguments) {
    Deviations found{of_those_there(arguments, words.required, false),
                     of_those_there(arguments, words.unwanted, true),
                     of_those_there(arguments, words.noted, true)};
    // An unwanted word that revokes iommu=pt is reported alone.
    const bool taken_back =
        stands_on_line(arguments, pass_through) &&
        std::any_of(found.unwanted.begin(), found.unwanted.end(), is_iommu_word);
    if (words.passes_through || taken_back) {
        std::erase(found.missing, pass_through);
    }
    Assessment out;
    const bool minor = found.missing.empty() && found.unwanted.empty();
    const bool good = minor && found.noted.empty();
    out.outcome = good ? Outcome::ok : Outcome::differs;
    out.expected = expected_text(words);
    out.have = good ? out.expected : deviations_text(found);
    out.grade = minor && !good ? &cmdline_grades[0] : nullptr;
    out.detail = words.remark;
    explain_words(arguments, found.unwanted, out.detail);
    explain_words(arguments, found.noted, out.detail);
    auto remove = found.unwanted;
    remove.insert(remove.end(), found.noted.begin(), found.noted.end());
    out.next_step = boot_words_step(arguments, found.missing, remove);
    return out;
}

std::vector<Assessment> assess_cmdline(const Setting&, const Context& context,
                                       const Expectation& expectation) {
    const Words named{.required = field_texts(expectation.value, "wanted"),
                      .unwanted = field_texts(expectation.value, "unwanted"),
                      .noted = field_texts(expectation.value, "noted")};
    if (named.empty()) {
        return {no_target("the profile names no words")};
    }
    const auto arguments = context.machine.kernel_arguments();
    if (!arguments) {
        return {unreadable({}, arguments.error(), expected_text(named))};
    }
    const auto words =
        for_effects(context.machine, for_machine(context.machine, named, *arguments), *arguments);
    if (!words) {
        return {unreadable({}, words.error(), expected_text(named))};
    }
    return {words->empty() ? no_target(words->remark) : judge(*words, *arguments)};
}

// Returns all words that the kernel reads, redacted as in a recording. The order is kept, since the
// last of contradicting words counts.
std::vector<ClusterFact> facts_of_cmdline(const Setting&, const Context& context) {
    const auto arguments = context.machine.kernel_arguments();
    if (!arguments) {
        return {{{}, std::nullopt, reason_of(arguments.error()), arguments.error().text}};
    }
    const HostName host(context.machine.facts().hostname);
    std::vector<std::string> words;
    for (const auto& each : *arguments) {
        words.push_back(redact_boot_word({each.name, each.value, each.has_value}, host));
    }
    return {{{}, join(words, " "), Reason::error, ""}};
}

// Returns the line without the boot location and words that distributions compute for each node.
std::string normalised_cmdline(std::string_view have) {
    constexpr std::string_view own[] = {"BOOT_IMAGE=",  "root=", "resume=", "initrd=",
                                        "crashkernel=", "ip=",   "BOOTIF=", "hostname="};
    std::vector<std::string> kept;
    for (const auto word : words(have)) {
        const bool is_own = word.find("UUID=") != word.npos ||
                            std::any_of(std::begin(own), std::end(own),
                                        [&](auto start) { return word.starts_with(start); });
        if (!is_own) {
            kept.emplace_back(word);
        }
    }
    return join(kept, " ");
}

}  // namespace

const Setting& kernel_cmdline() {
    static const Setting setting{
        .info =
            {
                .id = "kernel.cmdline",
                .summary = "Words on the kernel command line",
                .why = "Some properties that GPUs and RDMA NICs need are set only when the kernel "
                       "boots",
                .source = "ROCm/system-acceptance-docs docs/common/kernel-parameters.md, 2026-07",
                .target = "system",
                .read_from =
                    "/proc/cmdline; where words about the IOMMU are missing /proc/cpuinfo, "
                    "/proc/sys/kernel/osrelease, /sys/kernel/iommu_groups and iommu_group/type of "
                    "GPUs and RDMA NICs; what an unwanted word changes: local_cpulist of GPUs, "
                    "/sys/devices/system/{cpu,node}, /proc/meminfo, the clock source",
                .set_by = "",
                .next_step =
                    "add the words to the kernel command line in the boot loader and reboot",
                .persist = "persistent (set in the boot loader, GRUB_CMDLINE_LINUX)",
                .risk_note = "a wrong word can prevent the machine from booting",
                .risk = Risk::high,
                .after_reboot = true,
                .over_cluster = OverCluster::equal,
                .forms = {{.kind = FormKind::table,
                           .fields = {{"wanted", {.kind = FormKind::text_list}, true},
                                      {"unwanted", {.kind = FormKind::text_list}, true},
                                      {"noted", {.kind = FormKind::text_list}, true}}}},
                .grades = cmdline_grades,
            },
        .assess = assess_cmdline,
        .keeping = keeping_of_cmdline,
        .facts = facts_of_cmdline,
        .normalised = normalised_cmdline,
    };
    return setting;
}

}  // namespace rocenv
