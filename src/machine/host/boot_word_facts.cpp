// SPDX-License-Identifier: MIT
#include "machine/host/boot_word_facts.h"

#include <algorithm>
#include <iterator>
#include <string>

namespace rocenv {

namespace {

// Sources are files of linux 6.12 (2024-11), read for this table in 2026-11.
constexpr std::string_view by_guide = "linux Documentation/admin-guide/kernel-parameters.txt, 6.12";
constexpr std::string_view by_iommu =
    "linux drivers/iommu/iommu.c, arch/x86/kernel/pci-dma.c, 6.12";
constexpr std::string_view by_amd_iommu = "linux drivers/iommu/amd/init.c, 6.12";
constexpr std::string_view by_pci = "linux drivers/pci/pci.c pci_setup, 6.12";
constexpr std::string_view by_aspm = "linux drivers/pci/pcie/aspm.c, 6.12";
constexpr std::string_view by_tsc = "linux arch/x86/kernel/tsc.c, 6.12";
constexpr std::string_view by_isolation = "linux kernel/sched/isolation.c, 6.12";

constexpr BootWordFacts boot_word_rows[] = {
    // The IOMMU. iommu= and iommu.passthrough= set the same variable, in the order of the line.
    {.word = "iommu=pt",
     .repeats = Repeats::sum,
     .effect = "passes DMA through the IOMMU unchanged",
     .judged_by = "kernel.iommu",
     .shows = "passthrough",
     .same_as = "iommu.passthrough=1",
     .source = by_iommu},
    {.word = "iommu=nopt",
     .repeats = Repeats::sum,
     .effect = "makes the IOMMU translate addresses",
     .judged_by = "kernel.iommu",
     .shows = "translated",
     .same_as = "iommu.passthrough=0",
     .source = by_iommu},
    {.word = "iommu=off",
     .repeats = Repeats::sum,
     .effect = "switches the IOMMU off",
     .judged_by = "kernel.iommu",
     .shows = "off",
     .source = by_iommu},
    {.word = "iommu.passthrough=0",
     .effect = "makes the IOMMU translate addresses",
     .judged_by = "kernel.iommu",
     .shows = "translated",
     .source = by_iommu},
    {.word = "iommu.strict",
     .effect = "decides when the IOMMU drops old translations, which pass-through does not have",
     .is_choice = true,
     .source = by_iommu},
    {.word = "amd_iommu=off",
     .repeats = Repeats::sum,
     .effect = "switches the IOMMU off",
     .judged_by = "kernel.iommu",
     .shows = "off",
     .source = by_amd_iommu},
    {.word = "amd_iommu=force_isolation",
     .repeats = Repeats::sum,
     .effect = "makes the IOMMU translate addresses for every device",
     .judged_by = "kernel.iommu",
     .shows = "translated",
     .source = by_amd_iommu},
    {.word = "intel_iommu=off",
     .repeats = Repeats::sum,
     .effect = "switches the IOMMU off",
     .judged_by = "kernel.iommu",
     .shows = "off",
     .source = "linux drivers/iommu/intel/iommu.c, 6.12"},
    // A kernel that passes through by its configuration translates if memory is encrypted.
    {.word = "mem_encrypt=on",
     .effect = "encrypts memory, so that the IOMMU translates addresses unless the command line "
               "has iommu=pt",
     .judged_by = "kernel.iommu",
     .shows = "translated",
     .is_choice = true,
     .source = "linux drivers/iommu/iommu.c iommu_subsys_init, 6.12"},
    {.word = "swiotlb=force",
     .repeats = Repeats::sum,
     .effect = "copies all DMA through bounce buffers",
     .source = by_guide},
    // PCI Express.
    {.word = "pci=noaer",
     .repeats = Repeats::sum,
     .effect = "disables the report of PCIe errors",
     .source = by_pci},
    {.word = "pci=noats",
     .repeats = Repeats::sum,
     .effect = "disables address translation services of devices",
     .source = by_pci},
    {.word = "pci=nomsi",
     .repeats = Repeats::sum,
     .effect = "disables message-signalled interrupts of all devices",
     .source = by_pci},
    {.word = "pci=nommconf",
     .repeats = Repeats::sum,
     .effect = "hides PCIe extended configuration space",
     .source = "linux arch/x86/pci/common.c pcibios_setup, 6.12"},
    {.word = "pci=pcie_bus_peer2peer",
     .repeats = Repeats::sum,
     .effect = "lowers the payload of all PCIe packets to 128 bytes",
     .source = by_pci},
    {.word = "pci=pcie_bus_safe",
     .repeats = Repeats::sum,
     .effect = "lowers the payload of PCIe packets to what every device below a root port supports",
     .is_choice = true,
     .source = by_pci},
    {.word = "pci=realloc=on",
     .repeats = Repeats::sum,
     .effect = "lets the kernel move the windows that the BIOS gave to GPUs",
     .source = by_pci},
    {.word = "pcie_aspm=force",
     .effect = "lets PCIe links sleep even if the BIOS forbids it",
     .source = by_aspm},
    {.word = "pcie_aspm.policy=powersave",
     .effect = "lets PCIe links sleep",
     .judged_by = "pci.aspm",
     .source = by_aspm},
    {.word = "pcie_aspm.policy=powersupersave",
     .effect = "lets PCIe links sleep",
     .judged_by = "pci.aspm",
     .source = by_aspm},
    {.word = "pcie_ports=compat",
     .effect = "disables error reporting, containment and hotplug of PCIe ports",
     .source = by_guide},
    // CPUs, NUMA nodes and memory. Of several mem= and nr_cpus= the lowest counts.
    {.word = "numa=off",
     .repeats = Repeats::sum,
     .effect = "hides the NUMA nodes",
     .judged_by = "cpu.nodes_per_socket",
     .source = "linux arch/x86/mm/numa.c numa_setup, 6.12"},
    {.word = "numa=noacpi",
     .repeats = Repeats::sum,
     .effect = "hides the NUMA nodes that the BIOS describes",
     .judged_by = "cpu.nodes_per_socket",
     .source = "linux arch/x86/mm/numa.c numa_setup, 6.12"},
    {.word = "acpi=off",
     .effect = "hides NUMA nodes, power states and error reports of the BIOS",
     .judged_by = "cpu.nodes_per_socket",
     .source = by_guide},
    {.word = "maxcpus",
     .effect = "limits the number of CPUs that the kernel starts",
     .judged_by = "cpu.online",
     .source = by_guide},
    {.word = "nr_cpus",
     .repeats = Repeats::sum,
     .effect = "limits the number of CPUs that the kernel supports",
     .judged_by = "cpu.online",
     .source = by_guide},
    {.word = "possible_cpus",
     .effect = "limits the number of CPUs that the kernel supports",
     .judged_by = "cpu.online",
     .source = by_guide},
    {.word = "nosmp",
     .repeats = Repeats::once,
     .effect = "leaves only one CPU",
     .judged_by = "cpu.online",
     .source = by_guide},
    {.word = "nox2apic",
     .repeats = Repeats::once,
     .effect = "prevents the kernel from numbering CPUs above 254",
     .judged_by = "cpu.online",
     .source = by_guide},
    {.word = "intremap=off",
     .repeats = Repeats::sum,
     .effect = "prevents the kernel from numbering CPUs above 254",
     .judged_by = "cpu.online",
     .source = by_guide},
    {.word = "nosmt",
     .repeats = Repeats::sum,
     .effect = "switches off the second thread of each core",
     .judged_by = "cpu.smt",
     .shows = "off",
     .is_choice = true,
     .source = by_guide},
    {.word = "isolcpus",
     .repeats = Repeats::once,
     .effect = "removes CPUs from scheduling",
     .is_choice = true,
     .source = by_isolation},
    {.word = "nohz_full",
     .repeats = Repeats::once,
     .effect = "stops the timer tick of CPUs that run one thread",
     .is_choice = true,
     .source = by_isolation},
    {.word = "mem",
     .repeats = Repeats::sum,
     .effect = "hides memory",
     .judged_by = "memory.total",
     .source = by_guide},
    // Clocks, frequencies and idle states.
    {.word = "tsc=unstable",
     .repeats = Repeats::sum,
     .effect = "prevents the use of the TSC as the clock",
     .judged_by = "cpu.clocksource",
     .source = by_tsc},
    {.word = "notsc",
     .repeats = Repeats::once,
     .effect = "prevents the use of the TSC as the clock",
     .judged_by = "cpu.clocksource",
     .source = by_tsc},
    {.word = "clocksource",
     .effect = "selects the clock",
     .judged_by = "cpu.clocksource",
     .shows = "=",
     .source = by_guide},
    {.word = "cpufreq.off=1",
     .effect = "disables the control of CPU clocks",
     .judged_by = "cpu.governor",
     .source = by_guide},
    {.word = "cpufreq.default_governor",
     .effect = "selects the governor that each policy starts with",
     .judged_by = "cpu.governor",
     .shows = "=",
     .source = by_guide},
    {.word = "amd_pstate",
     .effect = "selects the driver that controls CPU clocks",
     .is_choice = true,
     .source = "linux Documentation/admin-guide/pm/amd-pstate.rst, 6.12"},
    {.word = "idle",
     .effect = "replaces the idle states of CPUs",
     .is_choice = true,
     .source = by_guide},
    {.word = "cpuidle.off=1",
     .effect = "prevents the kernel from selecting idle states",
     .is_choice = true,
     .source = by_guide},
    {.word = "processor.max_cstate",
     .effect = "limits the idle states of CPUs",
     .is_choice = true,
     .source = by_guide},
    {.word = "intel_idle.max_cstate",
     .effect = "limits the idle states of CPUs",
     .is_choice = true,
     .source = by_guide},
    // Words whose effect a file of /proc/sys or /sys can change again.
    {.word = "numa_balancing=enable",
     .effect = "switches automatic NUMA balancing on at boot",
     .judged_by = "kernel.numa_balancing",
     .source = by_guide},
    {.word = "transparent_hugepage",
     .effect = "selects at boot which memory gets transparent huge pages",
     .judged_by = "kernel.thp",
     .shows = "=",
     .source = by_guide},
    {.word = "nmi_watchdog=1",
     .repeats = Repeats::sum,
     .effect = "switches the hard-lockup watchdog on at boot",
     .judged_by = "kernel.nmi_watchdog",
     .source = by_guide},
    {.word = "hugepages",
     .effect = "reserves memory for huge pages",
     .judged_by = "memory.hugepages",
     .is_choice = true,
     .source = by_guide},
    {.word = "default_hugepagesz",
     .effect = "selects the size of huge pages",
     .is_choice = true,
     .source = by_guide},
    {.word = "mitigations",
     .effect = "selects the mitigations of CPU vulnerabilities",
     .is_choice = true,
     .source = by_guide},
    {.word = "mce=off",
     .effect = "disables the report of machine checks",
     .judged_by = "cpu.machine_checks",
     .source = "linux arch/x86/kernel/cpu/mce/core.c mcheck_enable, 6.12"},
    // Modules. kmod reads modprobe.blacklist itself; the kernel keeps one text of module_blacklist.
    {.word = "nomodeset",
     .repeats = Repeats::once,
     .effect = "prevents amdgpu from driving the GPUs",
     .judged_by = "gpu.driver",
     .source = "linux drivers/gpu/drm/amd/amdgpu/amdgpu_drv.c amdgpu_init, 6.12"},
    {.word = "modprobe.blacklist=amdgpu",
     .repeats = Repeats::sum,
     .effect = "prevents amdgpu from being loaded at boot",
     .judged_by = "gpu.driver",
     .is_choice = true,
     .source = "modprobe.d(5), kmod 33 (2024-08)"},
    {.word = "module_blacklist=amdgpu",
     .effect = "prevents amdgpu from being loaded at all",
     .judged_by = "gpu.driver",
     .source = "linux kernel/module/main.c blacklisted, 6.12"},
    {.word = "amdgpu.",
     .effect = "sets a parameter of amdgpu",
     .judged_by = "gpu.parameters",
     .source = "linux drivers/gpu/drm/amd/amdgpu/amdgpu_drv.c, kernel/params.c, 6.12"},
};

std::string_view name_of(std::string_view word) {
    return word.substr(0, word.find('='));
}

// Returns "amdgpu." of "amdgpu.noretry=1"; empty if the name has no dot.
std::string_view module_of(std::string_view word) {
    return word.substr(0, name_of(word).find('.') + 1);
}

}  // namespace

std::span<const BootWordFacts> boot_word_facts() {
    return boot_word_rows;
}

const BootWordFacts* facts_of_boot_word(std::string_view word) {
    std::string plain(word);
    std::replace(plain.begin(), plain.begin() + static_cast<std::ptrdiff_t>(name_of(word).size()),
                 '-', '_');
    for (const std::string_view wanted :
         {std::string_view(plain), name_of(plain), module_of(plain)}) {
        const auto* const found =
            std::find_if(std::begin(boot_word_rows), std::end(boot_word_rows),
                         [&](const BootWordFacts& row) { return row.word == wanted; });
        if (found != std::end(boot_word_rows)) {
            return found;
        }
    }
    return nullptr;
}

Repeats repeats_of(std::string_view name) {
    const auto* const found =
        std::find_if(std::begin(boot_word_rows), std::end(boot_word_rows),
                     [&](const BootWordFacts& row) { return name_of(row.word) == name; });
    return found == std::end(boot_word_rows) ? Repeats::last : found->repeats;
}

}  // namespace rocenv
