"""The kernel at large: /proc, /sys/kernel, identity, distribution."""

OS_RELEASE = {
    "ubuntu": ("Ubuntu 24.04.1 LTS", "Ubuntu", "24.04", "ubuntu"),
    "debian": ("Debian GNU/Linux 12 (bookworm)", "Debian GNU/Linux", "12", "debian"),
    "sles": ("SUSE Linux Enterprise Server 15 SP5", "SLES", "15.5", "sles"),
}


def add_kernel(tree, *, hostname, release, cmdline, numa_balancing, boot_id, distro):
    tree.text("/proc/cmdline", cmdline)
    tree.text("/proc/1/comm", "systemd")
    tree.texts(
        "/proc/sys/kernel",
        {
            "hostname": hostname,
            "osrelease": release,
            "ostype": "Linux",
            "numa_balancing": numa_balancing,
            "nmi_watchdog": 1,
            "random/boot_id": boot_id,
            "tainted": 12288,  # a module from outside, unsigned: AMD's
        },
    )
    _add_vm(tree)
    _add_state(tree, release)
    tree.texts(
        "/sys/kernel/mm/transparent_hugepage",
        {
            "enabled": "always [madvise] never",
            "defrag": "always defer defer+madvise [madvise] never",
        },
    )
    _add_distro(tree, distro)


def _since(release, *version):
    """Whether a kernel is of this version or later."""
    return tuple(int(part) for part in release.split("-")[0].split(".")[:2]) >= version


def _add_vm(tree):
    tree.texts("/proc/sys/vm", {"compaction_proactiveness": 20, "compact_unevictable_allowed": 1, "zone_reclaim_mode": 0})
    tree.raw("/proc/swaps", "Filename\t\t\t\tType\t\tSize\t\tUsed\t\tPriority\n")
    for size in (2048, 1048576):
        tree.text(f"/sys/kernel/mm/hugepages/hugepages-{size}kB/nr_hugepages", 0)


def _add_state(tree, release):
    """Nothing has gone wrong since boot."""
    if _since(release, 6, 2):
        tree.texts("/sys/kernel", {"oops_count": 0, "warn_count": 0})
    if _since(release, 5, 4):
        tree.text("/sys/kernel/security/lockdown", "[none] integrity confidentiality")


def add_interrupts(tree, count):
    """The rows about machine checks; those of devices are left out."""
    head = "".join(f"       CPU{cpu:<4}" for cpu in range(count))
    labels = {"THR": "Threshold APIC interrupts", "DFR": "Deferred Error APIC interrupts",
              "MCE": "Machine check exceptions", "MCP": "Machine check polls"}
    rows = "".join(f"{label + ':':>5}" + f"{287 if label == 'MCP' else 0:>11}" * count + f"  {reported}\n"
                   for label, reported in labels.items())
    tree.raw("/proc/interrupts", f"     {head}\n{rows}")


def add_dimms(tree, total_kib, controllers, modules=12):
    """A controller a socket, as amd64_edac shows them; every module holds the same."""
    size = 1024
    while size * modules * controllers < total_kib // 1024:
        size *= 2
    for number in range(controllers):
        folder = f"/sys/devices/system/edac/mc/mc{number}"
        tree.texts(folder, {"mc_name": f"F19h_M10h_{number}", "ue_count": 0, "ce_count": 0,
                            "ue_noinfo_count": 0, "ce_noinfo_count": 0, "seconds_since_reset": 612000,
                            "size_mb": size * modules})
        for module in range(modules):
            tree.texts(f"{folder}/dimm{module}", {"size": size, "dimm_mem_type": "Registered-DDR5",
                       "dimm_edac_mode": "S16ECD16ED", "dimm_label": f"mc#{number}csrow#0channel#{module}",
                       "dimm_ce_count": 0, "dimm_ue_count": 0})


def add_disks(tree, disks):
    """NVMe disks without their PCI functions."""
    for number in range(disks):
        add_disk(tree, number, "/sys/devices/virtual")


def add_disk(tree, number, device):
    folder = f"{device}/nvme/nvme{number}"
    tree.texts(folder, {"state": "live"})
    tree.link_to(f"/sys/class/nvme/nvme{number}", folder)


def _add_distro(tree, distro):
    pretty, name, version, ident = OS_RELEASE[distro]
    tree.raw(
        "/etc/os-release",
        f'PRETTY_NAME="{pretty}"\nNAME="{name}"\nVERSION_ID="{version}"\nID={ident}\n',
    )


def add_aspm(tree, chosen="default"):
    """Whether links may nap: what the kernel does about it. The list ends in a blank."""
    words = ("default", "performance", "powersave", "powersupersave")
    text = "".join(f"[{word}] " if word == chosen else f"{word} " for word in words)
    tree.text("/sys/module/pcie_aspm/parameters/policy", text)


def add_memory(tree, total_kib):
    free = total_kib - total_kib // 16
    rows = (("MemTotal", total_kib), ("MemFree", free), ("MemAvailable", free), ("HardwareCorrupted", 0))
    tree.raw("/proc/meminfo", "".join(f"{k + ':':<15} {v:>8} kB\n" for k, v in rows))


def add_dmi(tree, vendor, product):
    folder = "/sys/devices/virtual/dmi/id"
    tree.texts(folder, {"sys_vendor": vendor, "product_name": product,
                        "bios_vendor": "American Megatrends International, LLC.", "bios_version": "3.2",
                        "bios_date": "07/15/2024"})
    tree.link_to("/sys/class/dmi/id", folder)
