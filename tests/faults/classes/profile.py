"""Faults that a profile must name: clocks that something overrides, settings of every profile, levels of gates."""

from edits import PARAMETERS, atomics_blocked, host_line, translated

from .row import QUIET, Healthy, R, Row, i, r

LEVEL = "power_dpm_force_performance_level"
MI = ("mi210", "mi250x", "mi300a", "mi300x-cpx", "mi350x")


def level(word, every=True):
    """The performance level of all GPUs, or of one."""
    def edit(machine, gpu):
        for one in machine.gpus() if every else [gpu]:
            machine.pci_line(one, LEVEL, word)
    return edit


def soc_pstate(number):
    def edit(machine, _gpu):
        names = ("soc_pstate_default", "soc_pstate_0", "soc_pstate_1", "soc_pstate_2")
        rows = [f"{at} : {name}{'*' if at == number else ''}" for at, name in enumerate(names)]
        for one in machine.gpus():
            machine.put(f"{machine.folder(one)}/pm_policy/soc_pstate", "\n".join(rows) + "\n")
    return edit


def parameter(name, value):
    return host_line(f"{PARAMETERS}/{name}", value)


def no_boost(machine, _gpu):
    machine.line("/sys/devices/system/cpu/cpufreq/boost", 0)


def unfilled_firmware(machine, _gpu):
    machine.line("/sys/devices/virtual/dmi/id/product_name", "To be filled by O.E.M.")


def no_version(machine, _gpu):
    machine.line("/sys/devices/virtual/dmi/id/bios_version", "Default string")


def hard_to_get_huge_pages(machine, _gpu):
    machine.line("/sys/kernel/mm/transparent_hugepage/defrag", "always defer defer+madvise madvise [never]")


def old_kernel(machine, _gpu):
    machine.line("/proc/sys/kernel/osrelease", "5.15.0-119-generic")


def translated_groups(machine, _gpu):
    for path in [one for one in machine.entries if one.startswith("/sys/kernel/iommu_groups/") and one.endswith("/type")]:
        machine.line(path, "DMA")


def no_groups(machine, _gpu):
    for path in ("/sys/kernel/iommu_groups", "/sys/class/iommu"):
        machine.drop(path)
    machine.entries["/sys/class/iommu"] = ["d /sys/class/iommu"]


def nothing(_machine, _gpu):
    """The machine as it is."""


IOMMU = ("kernel.cmdline", "cpu.online")
ROWS = {
    "3 GPU clocks": [
        Row("the level low on all GPUs", level("low"), "gpu.determinism", {"benchmark": r}, "mi210",
            ("mi250x", "mi300a", "mi350x"), names=("'low'", "GPU")),
        Row("the level manual on one GPU", level("manual", every=False), "gpu.determinism", {"benchmark": r}, "mi250x",
            ("mi210", "mi300a", "mi350x"), names=("'manual'", "GPU")),
        Row("the level profile_standard on all GPUs", level("profile_standard"), "gpu.determinism", {"benchmark": r, "auto": i},
            "mi300a", names=("profile_standard",)),
        Row("the level high, which costs power only", level("high"), "gpu.determinism", {"benchmark": i}, "mi350x"),
        Row("the level low beside a figure", level("low"), "gpu.determinism", {"benchmark": r}, names=("'low'",)),
        Row("SoC p-state 2 on all GPUs", soc_pstate(3), "gpu.soc_pstate", {"auto": i, "benchmark": i}, "mi350x",
            ("mi300x-tuned",)),
        Healthy("the level auto", level("auto"), "mi210", ("mi250x", "mi300a", "mi350x")),
    ],
    "4 every setting is judged": [
        Row("boost is off", no_boost, "cpu.boost", {"auto": i, "acceptance": i}, also=("cpu.governor",)),
        Row("AtomicOps blocked", atomics_blocked, "gpu.atomics", {"auto": i, "ci-preflight": r, "acceptance": R}, also=("pci.link",)),
        Row("vramlimit left set", parameter("vramlimit", 65536), "gpu.parameters",
            {"auto": i, "ci-preflight": r, "container": i, "acceptance": R}, more=MI),
        Row("RAS switched off", parameter("ras_enable", 0), "gpu.parameters", {"auto": i, "ci-preflight": r}, also=("gpu.ras",)),
        Row("compute units masked", parameter("disable_cu", "0.0.0"), "gpu.parameters", {"ci-preflight": r}),
        Row("no product name", unfilled_firmware, "host.product", {"acceptance": i}, more=MI),
        Row("no firmware version", no_version, "host.bios", {"acceptance": i}),
        Row("page faults get no huge page", hard_to_get_huge_pages, "kernel.thp_defrag", {"acceptance": i}),
        Healthy("Linux 5.15 on MI300X", old_kernel, info=("gpu.xgmi_links",)),
    ],
    "10 levels of gates": [
        Row("the IOMMU translates", translated, "kernel.iommu", {"ci-preflight": r}, "mi210",
            ("mi300x-tuned", "mi350x", "mi250x"), also=IOMMU),
        Row("the IOMMU translates, without lazy flushes", translated_groups, "kernel.iommu", {"ci-preflight": r}, also=IOMMU),
        Healthy("MI300A without an IOMMU", no_groups, "mi300a", profiles=QUIET[:-1]),
        Healthy("one GPU in a guest", nothing, "guest"),
    ],
}
