// SPDX-License-Identifier: MIT
// kernel.iommu: the treatment of memory accesses of GPUs and RDMA NICs by the IOMMU, from their
// groups (linux drivers/iommu/iommu.c iommu_group_show_type). identity passes them through, DMA and
// DMA-FQ translate, and without groups no IOMMU is active. The node has one finding, since one word
// on the kernel command line decides; devices with another treatment are named. iommu=pt in
// /proc/cmdline (kernel.cmdline) proves nothing: one group can be switched alone.
#include "settings/kernel/iommu.h"

#include <algorithm>
#include <map>
#include <string_view>

#include "machine/host/boot_words.h"
#include "machine/pci/pcie_path.h"
#include "os/redact/redact_words.h"
#include "rocenv/setting.h"
#include "settings/kernel/boot_blame.h"
#include "settings/safety.h"
#include "util/text.h"

namespace rocenv {

namespace {

// An expected word: passthrough, or no IOMMU at all.
const std::string untranslated = "untranslated";

struct Found {
    std::map<std::string, std::vector<std::string>> devices;  // by treatment
    std::optional<Error> error;
};

// Returns the active words that switch the IOMMU off.
std::vector<std::string> words_for_off(const std::vector<KernelArgument>& arguments) {
    std::vector<std::string> out{"iommu=off", "amd_iommu=off", "intel_iommu=off"};
    std::erase_if(out, [&](const auto& word) { return !has_any_boot_word(arguments, word); });
    return out;
}

std::string words_for(const Fs& fs, const std::string& expected) {
    return expected == "off"           ? word_for_no_iommu(fs)
           : expected == "passthrough" ? words_for_pass_through(fs)
                                       : "iommu=nopt";
}

// Returns the change of the kernel command line; empty if the line is right.
std::string line_step(const Machine& machine, const std::string& expected) {
    const auto read = machine.kernel_arguments();
    const std::vector<KernelArgument> arguments =
        read ? *read
             : std::vector<KernelArgument>();  // kernel.cmdline reports why it is unreadable
    std::vector<std::string> missing;
    const std::string all = words_for(machine.fs(), expected);
    for (const auto word : words(all)) {
        if (!has_any_boot_word(arguments, word)) {
            missing.emplace_back(word);
        }
    }
    return boot_words_step(
        arguments, missing,
        expected == "off" ? std::vector<std::string>() : words_for_off(arguments));
}

std::string next_step(const Machine& machine, const std::string& expected, bool have_iommu) {
    const std::string line = line_step(machine, expected);
    const bool enable = expected != "off" && !have_iommu;
    if (!line.empty()) {
        return (enable ? "enable the IOMMU in the BIOS, " : "") + line;
    }
    return enable ? "enable the IOMMU in the BIOS, then reboot"
                  : "sudo dmesg | grep -i -e iommu -e dmar; reboot, because the kernel command "
                    "line already has " +
                        words_for(machine.fs(), expected) + ", but a group was switched later";
}

Keeping keeping_of_iommu(const Setting&, const Expectation& expectation) {
    const std::string mode = *expectation.value.text();
    if (mode == untranslated) {
        return {.boot_words = {"iommu=pt"}};
    }
    return {.boot_words = {mode == "passthrough" ? "iommu=pt"
                           : mode == "off"       ? "iommu=off"
                                                 : "iommu=nopt"}};
}

std::string devices_text(const std::vector<std::string>& devices) {
    return devices.size() == 1 ? devices.front()
                               : devices.front() + " and " + number(devices.size() - 1) + " more";
}

Assessment judge(const Found& found, const std::string& expected, bool have_iommu) {
    std::vector<std::string> words;
    std::vector<std::string> others;
    for (const auto& [word, devices] : found.devices) {
        words.push_back(word);
        if (word != expected) {
            others.push_back(word + ": " + devices_text(devices));
        }
    }
    if (others.empty() && found.error) {
        return unreadable({}, *found.error, expected);
    }
    auto row = compared({}, expected, join(words, ", "));
    if (row.outcome == Outcome::differs) {
        std::vector<std::string> details;
        if (!have_iommu) {
            details.emplace_back("the kernel has no IOMMU group");
        } else if (words.size() > 1) {
            details = others;
        }
        if (found.error) {
            details.push_back(found.error->text);
        }
        row.detail = join(details, "; ");
    }
    return row;
}

std::vector<Assessment> assess_iommu(const Setting&, const Context& context,
                                     const Expectation& expectation) {
    const Fs& fs = context.fs();
    const std::string& asked = *expectation.value.text();
    const std::string expected = asked == untranslated ? "passthrough" : asked;
    const auto groups = fs.list(iommu_groups_folder());
    if (!groups && (!groups.is(ErrorKind::not_here) || !exists(fs, "/sys/kernel"))) {
        return {unreadable({}, groups.error(), expected)};
    }
    const bool have_iommu = groups && !groups->empty();
    const PathEnds ends = path_ends(context.machine);
    if (ends.functions.empty()) {
        return {ends.uncertain ? unreadable({}, *ends.uncertain, expected)
                               : no_target("no AMD GPU and no RDMA NIC is on PCI")};
    }
    Found found;
    found.error = ends.uncertain;
    for (const auto& bdf : ends.functions) {
        const auto word = have_iommu ? iommu_treatment(fs, bdf) : std::string("off");
        if (word) {
            const bool fine = asked == untranslated && *word == "off";
            found.devices[fine ? expected : *word].push_back(bdf);
        } else if (!found.error) {
            found.error = word.error();
        }
    }
    auto row = judge(found, expected, have_iommu);
    if (row.outcome == Outcome::ok && !have_iommu) {
        row.have = "off";
    }
    if (row.outcome == Outcome::differs) {
        row.next_step = next_step(context.machine, expected, have_iommu);
        blame_boot_words(context.machine, "kernel.iommu", BlameStep::keep, row);
    }
    return {row};
}

// Returns the expected value. In a guest "off" would be true but meaningless.
std::optional<std::vector<Value>> learn_iommu(const Setting&, const Context& context) {
    const auto groups = context.fs().list(iommu_groups_folder());
    if ((!groups || groups->empty()) && is_guest(context.fs())) {
        return {{Value{std::string("passthrough"), {}}}};
    }
    return std::nullopt;
}

}  // namespace

const Setting& kernel_iommu() {
    static const Setting setting{
        .info =
            {
                .id = "kernel.iommu",
                .summary = "IOMMU mode for the memory accesses of GPUs and RDMA NICs",
                .why =
                    "IOMMU translation slows peer traffic and can break it; pass-through does not",
                .source = "ROCm/system-acceptance-docs docs/common/kernel-parameters.md, 2026-07; "
                          "linux drivers/iommu/iommu.c, 6.12",
                .target = "system",
                .read_from =
                    "/sys/kernel/iommu_groups, /sys/bus/pci/devices/BDF/iommu_group/type of GPUs "
                    "and "
                    "RDMA NICs; /proc/cpuinfo and /proc/cmdline if the mode is not as expected",
                .set_by = "",
                .next_step =
                    "add iommu=pt to the kernel command line in the boot loader, then reboot",
                .persist = "persistent (set in the BIOS and the boot loader, GRUB_CMDLINE_LINUX)",
                .risk_note = "with pass-through, a faulty device can write to any memory; without "
                             "an IOMMU, a node with 256 CPUs or more loses some of them",
                .risk = Risk::high,
                .after_reboot = true,
                .host_decides = true,
                .over_cluster = OverCluster::equal,
                .forms = {{.kind = FormKind::word,
                           .words = {"passthrough", "translated", "off", "untranslated"}}},
            },
        .assess = assess_iommu,
        .keeping = keeping_of_iommu,
        .learn = learn_iommu,
    };
    return setting;
}

const std::string& iommu_groups_folder() {
    static const std::string folder = "/sys/kernel/iommu_groups";
    return folder;
}

Result<std::string> iommu_treatment(const Fs& fs, const std::string& bdf) {
    const std::string group = pci_path(bdf, "/iommu_group");
    const auto text = fs.read(group + "/type");
    if (!text) {
        const bool no_group =
            text.is(ErrorKind::not_here) && exists(fs, pci_path(bdf)) && !exists(fs, group);
        return no_group ? Result(std::string("off")) : text.error();
    }
    const auto type = trim(*text);
    if (type == "identity") {
        return std::string("passthrough");
    }
    if (type == "DMA" || type == "DMA-FQ") {
        return std::string("translated");
    }
    return type == "blocked" || type == "unmanaged"
               ? Result(std::string(type))
               : garbled(group + "/type", "is not a valid type: " + quoted_value(type));
}

bool passes_all_through(const Machine& machine) {
    const auto ends = path_ends(machine);
    return !ends.uncertain && !ends.functions.empty() &&
           std::all_of(ends.functions.begin(), ends.functions.end(), [&](const std::string& bdf) {
               const auto word = iommu_treatment(machine.fs(), bdf);
               return word && *word == "passthrough";
           });
}

}  // namespace rocenv
