// SPDX-License-Identifier: MIT
// kernel.cmdline: words the kernel was booted with. A wanted element may name alternatives
// ("intel_iommu=on|amd_iommu=on").
//
// Words about the IOMMU are not asked of every machine: of a guest its host decides. RCCL does
// without iommu=pt where the kernel's release holds "cray", and in guests of Hyper-V, which have
// the flag that all guests have (ROCm/rccl src/init.cc ncclInit, 2025-08).
#include <algorithm>

#include "machine/host/boot_words.h"
#include "machine/host/iommu_words.h"
#include "machine/host/isolated_cpus.h"
#include "os/redact/redact.h"
#include "rocenv/setting.h"
#include "settings/safety.h"
#include "util/text.h"

namespace rocenv {

namespace {

const std::string pass_through = "iommu=pt";
const std::string intel_on = "intel_iommu=on";
const std::string isolation_word = "isolcpus";  // unwanted where it takes all CPUs near a GPU
const std::string release_path = "/proc/sys/kernel/osrelease";

// What is asked of this machine.
struct Words {
    std::vector<std::string> wanted;
    std::vector<std::string> unwanted;
    std::string remark;  // why it is not all that the profile names

    bool empty() const { return wanted.empty() && unwanted.empty(); }
};

bool is_cray(const Fs& fs) {
    const auto release = fs.read(release_path);
    return release && release->find("cray") != std::string::npos;
}

// Whether a word about the IOMMU is not as it should be, so that it matters what machine this is.
bool is_iommu_amiss(const Words& words, const std::vector<KernelArgument>& arguments) {
    const auto amiss = [&](const std::vector<std::string>& list, bool there) {
        return std::any_of(list.begin(), list.end(), [&](const std::string& word) {
            return is_iommu_word(word) && has_any_boot_word(arguments, word) == there;
        });
    };
    return amiss(words.wanted, false) || amiss(words.unwanted, true);
}

Words for_guest(Words words) {
    std::erase_if(words.wanted, is_iommu_word);
    std::erase_if(words.unwanted, is_iommu_word);
    words.remark = "this is a guest: its host decides about the IOMMU";
    return words;
}

Words for_machine(const Fs& fs, Words words, const std::vector<KernelArgument>& arguments) {
    const bool amiss = is_iommu_amiss(words, arguments);
    if (amiss && is_guest(fs)) {
        return for_guest(std::move(words));
    }
    if (amiss) {
        const auto maker = cpu_maker(fs);
        std::erase_if(words.unwanted,
                      [&](const auto& word) { return is_of_other_maker(word, maker); });
    }
    const auto found = std::find(words.wanted.begin(), words.wanted.end(), pass_through);
    if (found == words.wanted.end()) {
        return words;
    }
    const bool named = std::any_of(
        words.wanted.begin(), words.wanted.end(),
        [](const std::string& word) { return word.find(intel_on) != std::string::npos; });
    if (!has_any_boot_word(arguments, pass_through) && is_cray(fs)) {
        words.wanted.erase(found);
        words.remark = "RCCL asks for no " + pass_through + " on a Cray kernel";
    } else if (!named && !has_any_boot_word(arguments, intel_on) && has_idle_intel_iommu(fs)) {
        words.wanted.insert(found, intel_on);
        words.remark = "nothing uses the IOMMU, and Intel's may have to be asked for";
    }
    return words;
}

// CPUs may be isolated on purpose, as long as each GPU has some near it.
Result<Words> for_gpus(const Machine& machine, Words words,
                       const std::vector<KernelArgument>& arguments) {
    const auto found = std::find(words.unwanted.begin(), words.unwanted.end(), isolation_word);
    if (found == words.unwanted.end() || !has_any_boot_word(arguments, isolation_word)) {
        return words;
    }
    const auto isolates = isolates_gpu(machine, arguments);
    if (!isolates) {
        return isolates.error();
    }
    if (!*isolates) {
        words.unwanted.erase(found);
        words.remark += words.empty() ? "isolcpus= leaves CPUs near each GPU" : "";
    }
    return words;
}

std::string told(const std::vector<std::string>& missing, const std::vector<std::string>& present) {
    std::string out = missing.empty() ? "" : "missing " + join(missing, " ");
    if (!present.empty()) {
        out += (out.empty() ? "" : ", ") + std::string("unwanted ") + join(present, " ");
    }
    return out;
}

Keeping keeping_of_cmdline(const Setting&, const Want& want) {
    auto unwanted = field_texts(want.value, "unwanted");
    std::erase(unwanted, isolation_word);  // that depends on which CPUs
    return {.boot_words = field_texts(want.value, "wanted"), .unwanted_words = unwanted};
}

std::string told_wish(const Words& words) {
    return words.wanted.empty() ? "without " + join(words.unwanted, " ") : join(words.wanted, " ");
}

Assessment judge(const Words& words, const std::vector<KernelArgument>& arguments) {
    std::vector<std::string> missing;
    std::vector<std::string> present;
    std::copy_if(words.wanted.begin(), words.wanted.end(), std::back_inserter(missing),
                 [&](const auto& word) { return !has_any_boot_word(arguments, word); });
    std::copy_if(words.unwanted.begin(), words.unwanted.end(), std::back_inserter(present),
                 [&](const auto& word) { return has_any_boot_word(arguments, word); });
    Assessment out;
    const bool good = missing.empty() && present.empty();
    out.outcome = good ? Outcome::ok : Outcome::differs;
    out.want = told_wish(words);
    out.have = good ? out.want : told(missing, present);
    out.detail = words.remark;
    out.next_step = boot_words_step(arguments, missing, present);
    return out;
}

std::vector<Assessment> assess_cmdline(const Setting&, const Context& context, const Want& want) {
    const Words named{field_texts(want.value, "wanted"), field_texts(want.value, "unwanted"), ""};
    if (named.empty()) {
        return {no_target("the profile names no words")};
    }
    const auto arguments = context.machine.kernel_arguments();
    if (!arguments) {
        return {unreadable({}, arguments.error(), told_wish(named))};
    }
    const auto words =
        for_gpus(context.machine, for_machine(context.fs(), named, *arguments), *arguments);
    if (!words) {
        return {unreadable({}, words.error(), told_wish(named))};
    }
    return {words->empty() ? no_target(words->remark) : judge(*words, *arguments)};
}

// All words that the kernel reads, whatever a profile asks for, redacted as in a recording; in
// the order of the line, since of two that contradict each other the last counts.
std::vector<ClusterFact> facts_of_cmdline(const Setting&, const Context& context) {
    const auto arguments = context.machine.kernel_arguments();
    if (!arguments) {
        return {{{}, std::nullopt, reason_of(arguments.error()), arguments.error().text}};
    }
    const HostName host(context.machine.facts().hostname);
    std::vector<std::string> told;
    for (const auto& each : *arguments) {
        told.push_back(redact_boot_word({each.name, each.value, each.has_value}, host));
    }
    return {{{}, join(told, " "), Reason::error, ""}};
}

// Of the whole line: without where this node boots from, and what a distribution's own tools
// reckon out for it.
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
                .summary = "Words the kernel was booted with",
                .why =
                    "Some of what GPUs and RDMA NICs need is decided once, when the kernel starts",
                .source = "ROCm/system-acceptance-docs docs/common/kernel-parameters.md, 2026-07",
                .target = "system",
                .read_from =
                    "/proc/cmdline; where words about the IOMMU are not as wanted /proc/cpuinfo, "
                    "/proc/sys/kernel/osrelease and /sys/kernel/iommu_groups; where isolcpus= is "
                    "there "
                    "local_cpulist of each GPU",
                .set_by = "",
                .next_step = "add the words to the boot loader's kernel line and reboot",
                .persist = "is persistent: set in the boot loader (GRUB_CMDLINE_LINUX)",
                .risk_note = "a wrong word can keep the machine from booting",
                .risk = Risk::high,
                .after_reboot = true,
                .over_cluster = OverCluster::equal,
                .forms = {{.kind = FormKind::table,
                           .fields = {{"wanted", {.kind = FormKind::text_list}, true},
                                      {"unwanted", {.kind = FormKind::text_list}, true}}}},
            },
        .assess = assess_cmdline,
        .keeping = keeping_of_cmdline,
        .facts = facts_of_cmdline,
        .normalised = normalised_cmdline,
    };
    return setting;
}

}  // namespace rocenv
