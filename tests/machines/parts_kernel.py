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
        },
    )
    tree.text("/proc/sys/vm/compaction_proactiveness", 20)
    tree.texts(
        "/sys/kernel/mm/transparent_hugepage",
        {
            "enabled": "always [madvise] never",
            "defrag": "always defer defer+madvise [madvise] never",
        },
    )
    _add_distro(tree, distro)


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
    rows = (("MemTotal", total_kib), ("MemFree", free), ("MemAvailable", free))
    tree.raw("/proc/meminfo", "".join(f"{k + ':':<15} {v:>8} kB\n" for k, v in rows))


def add_dmi(tree, vendor, product):
    folder = "/sys/devices/virtual/dmi/id"
    tree.texts(folder, {"sys_vendor": vendor, "product_name": product})
    tree.link_to("/sys/class/dmi/id", folder)
