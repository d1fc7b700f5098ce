"""Faults and healthy variants: host."""

import re

from .row import Healthy, R, Row, i, r

CPU = "/sys/devices/system/cpu"
POLICIES = f"{CPU}/cpufreq"
NODES = "/sys/devices/system/node"
THP = "/sys/kernel/mm/transparent_hugepage"
CLOCK = "/sys/devices/system/clocksource/clocksource0"
SLICE, WANTS = "/sys/fs/cgroup/system.slice", "/etc/systemd/system/multi-user.target.wants"
KERNEL_LINE = "/proc/cmdline"
HOST_BASES = ("mi300x-cpx", "mi350x", "mi210", "mi250x")


# -- edits --------------------------------------------------------------------

def words(*added, without=()):
    """Words at the end of the kernel line, and others taken from it."""
    def edit(machine, _gpu):
        kept = [word for word in machine.text(KERNEL_LINE).split() if word not in without]
        machine.line(KERNEL_LINE, " ".join([*kept, *added]))
    return edit


def words_first(*added):
    """Words at the start of the kernel line."""
    return lambda machine, _gpu: machine.line(KERNEL_LINE, " ".join([*added, *machine.text(KERNEL_LINE).split()]))


def files(values):
    """Files with one line each; an empty value removes the file."""
    def edit(machine, _gpu):
        for path, value in values.items():
            if value is None:
                machine.drop(path)
            else:
                machine.line(path, value)
    return edit


def both(*edits):
    def edit(machine, gpu):
        for one in edits:
            one(machine, gpu)
    return edit


def groups(kind):
    """All IOMMU groups are of this type."""
    def edit(machine, _gpu):
        for path in [one for one in machine.entries if one.startswith("/sys/kernel/iommu_groups/") and one.endswith("/type")]:
            machine.line(path, kind)
    return edit


def policies(values, only=None):
    """Files of each cpufreq policy, or of one."""
    def edit(machine, _gpu):
        found = {path.split("/")[6] for path in machine.below(POLICIES) if "/policy" in path}
        for policy in sorted(found):
            for name, value in values.items():
                if only is None or policy == f"policy{only}":
                    machine.line(f"{POLICIES}/{policy}/{name}", value)
    return edit


def one_node(machine, _gpu):
    """What numa=off leaves of two sockets."""
    everything = machine.text(f"{CPU}/online").strip()
    for path in [one for one in machine.below(NODES) if re.match(rf"{NODES}/node[1-9]", one)]:
        machine.entries.pop(path)
    machine.line(f"{NODES}/online", 0)
    machine.line(f"{NODES}/node0/cpulist", everything)
    machine.put(f"{NODES}/node0/meminfo", machine.text("/proc/meminfo").replace("MemTotal:", "Node 0 MemTotal:"))


def no_cpufreq(machine, _gpu):
    machine.drop(POLICIES)


def fewer_cpus(machine, _gpu):
    """The second half is present and was not started."""
    last = int(machine.text(f"{CPU}/online").strip().rpartition("-")[2])
    machine.line(f"{CPU}/online", f"0-{last // 2}")


def service(unit, profile=None):
    """A running service of systemd; tuned with its profile."""
    def edit(machine, _gpu):
        machine.entries[f"{SLICE}/{unit}.service"] = [f"d {SLICE}/{unit}.service"]
        if profile is not None:
            machine.line("/etc/tuned/active_profile", profile)
    return edit


def isolated(form):
    """All CPUs near a GPU, in one of the forms of isolcpus=; LIST stands for them."""
    def edit(machine, gpu):
        near = machine.text(f"{machine.folder(gpu)}/local_cpulist").strip()
        words(f"isolcpus={form.replace('LIST', near)}")(machine, gpu)
    return edit


def some_isolated(machine, gpu):
    near = machine.text(f"{machine.folder(gpu)}/local_cpulist").strip().partition("-")[0]
    words(f"isolcpus=managed_irq,domain,{near}")(machine, gpu)


def ttm(limit, pool):
    """Parameters of the driver's memory manager, by the number of APUs."""
    def edit(machine, _gpu):
        pages = 33554432 * len(machine.gpus())
        for module in ("amdttm", "ttm"):
            for name, value in (("pages_limit", limit), ("page_pool_size", pool)):
                path = f"/sys/module/{module}/parameters/{name}"
                if machine.kind(path):
                    machine.line(path, value(pages))
    return edit


def headline(word):
    """The switch of all sizes, as kernels since 6.8 have them, at their defaults."""
    def edit(machine, _gpu):
        machine.line(f"{THP}/enabled", " ".join(f"[{one}]" if one == word else one for one in ("always", "madvise", "never")))
        for size in (16, 32, 64, 128, 256, 512, 1024):
            page_switch(size, "never")(machine, _gpu)
        page_switch(2048, "inherit")(machine, _gpu)
    return edit


def page_switch(size, word):
    text = " ".join(f"[{one}]" if one == word else one for one in ("always", "inherit", "madvise", "never"))
    return files({f"{THP}/hugepages-{size}kB/enabled": text})


def nominal_table(machine, _gpu):
    """acpi-cpufreq since 5.11: the boost clock is the CPU's, the table ends at the nominal one."""
    policies({"scaling_available_frequencies": "2400000 1900000 1500000 ", "scaling_max_freq": 2400000,
              "cpuinfo_max_freq": 3707000, "bios_limit": 2400000})(machine, _gpu)


def active_driver(machine, _gpu):
    """amd-pstate in active mode, with a boost file in each policy."""
    files({f"{POLICIES}/policy{at}/scaling_available_frequencies": None for at in range(4)})(machine, _gpu)
    policies({"scaling_driver": "amd-pstate-epp", "scaling_available_governors": "performance powersave",
              "energy_performance_preference": "performance", "boost": 1, "cpuinfo_max_freq": 3707000,
              "scaling_max_freq": 3707000})(machine, _gpu)


# -- rows ---------------------------------------------------------------------

def word_row(what, word, level=r, names=(), **more):
    """A word that kernel.cmdline reports."""
    return Row(what, more.pop("edit", words(word)), "kernel.cmdline", {"auto": level, "acceptance": level},
               names=(word.partition("=")[0], *names), more=("mi300x-cpx",), **more)


KERNEL_WORDS = [
    word_row("bounce buffers for all DMA", "swiotlb=force", names=("copies all DMA through bounce buffers",)),
    word_row("payload of 128 bytes", "pci=pcie_bus_peer2peer", names=("128 bytes",)),
    word_row("a policy that lets links sleep", "pcie_aspm.policy=powersave", names=("lets PCIe links sleep",)),
    word_row("services of ports switched off", "pcie_ports=compat", names=("error reporting",)),
    Row("a word with a dash in its name", words("pcie-aspm.policy=powersupersave"), "kernel.cmdline", {"auto": r}, names=("sleep",)),
    Row("a word in quotes", words('"swiotlb=force"'), "kernel.cmdline", {"auto": r}, names=("swiotlb=force",)),
    Row("an element in a list", words("pci=bfsort,noats"), "kernel.cmdline", {"auto": r, "acceptance": r}, names=("pci=noats",)),
    word_row("TSC ruled out, hpet is the clock", "tsc=unstable", also=("cpu.clocksource",),
             edit=both(words("tsc=unstable"), files({f"{CLOCK}/current_clocksource": "hpet"}))),
    Row("the cause of a slow clock", both(words("tsc=unstable"), files({f"{CLOCK}/current_clocksource": "hpet",
                                          f"{CLOCK}/available_clocksource": "hpet acpi_pm "})), "cpu.clocksource",
        {"acceptance": r}, names=("tsc=unstable on the kernel command line prevents the use of the TSC",),
        also=("kernel.cmdline",)),
    Row("a clock named on the line", both(words("clocksource=acpi_pm"), files({f"{CLOCK}/current_clocksource": "acpi_pm"})),
        "cpu.clocksource", {"acceptance": r}, names=("clocksource=acpi_pm on the kernel command line",), also=("kernel.cmdline",)),
    Row("NUMA switched off on two sockets", both(words("numa=off"), one_node), "cpu.nodes_per_socket", {"acceptance": R},
        names=("numa=off on the kernel command line hides the NUMA nodes",),
        also=("kernel.cmdline", "memory.balance", "gpu.numa", "limits.cpus", "rdma.count"), more=("mi350x",)),
    Row("NUMA switched off, everyday profile", both(words("numa=off"), one_node), "kernel.cmdline", {"auto": r},
        names=("numa=off",), also=("gpu.numa",)),
    Row("fewer CPUs are started", both(words("maxcpus=192"), fewer_cpus), "cpu.online", {"acceptance": r},
        names=("maxcpus=192 on the kernel command line limits",), also=("kernel.cmdline", "cpu.cores", "cpu.sockets", "memory.balance",
                                                                       "cpu.nodes_per_socket", "limits.cpus", "gpu.numa", "cpu.smt", "cpu.idle")),
    word_row("CPUs are limited", "nr_cpus=96", edit=both(words("nr_cpus=96"), files({f"{CPU}/online": "0-95", f"{CPU}/present": "0-95",
             f"{CPU}/possible": "0-95"})), also=("cpu.cores", "cpu.sockets", "cpu.nodes_per_socket", "memory.balance", "limits.cpus",
                                                 "cpu.microcode", "cpu.smt", "cpu.idle", "gpu.numa")),
    Row("cpufreq switched off", both(words("cpufreq.off=1"), no_cpufreq), "cpu.governor", {"auto": r, "acceptance": r, "rccl-multinode": r},
        names=("cpufreq.off=1 on the kernel command line disables",), more=("mi350x", "mi210")),
    Row("the governor of the boot", both(words("cpufreq.default_governor=powersave"), policies({"scaling_governor": "powersave"})),
        "cpu.governor", {"auto": r}, names=("cpufreq.default_governor=powersave on the kernel command line",)),
    word_row("polling instead of idle states", "idle=poll", level=i),
    word_row("memory is encrypted", "mem_encrypt=on", level=i),
    word_row("idle states limited in another way", "processor.max_cstate=0", level=i),
    Row("CPUs near a GPU isolated, plain", isolated("LIST"), "kernel.cmdline", {"auto": i, "acceptance": i}, names=("isolcpus",), more=("mi300x-cpx",)),
    Row("CPUs near a GPU isolated, with flags", isolated("managed_irq,domain,LIST"), "kernel.cmdline", {"auto": i, "acceptance": i},
        names=("isolcpus", "from scheduling"), more=("mi300x-cpx",)),
    Row("all CPUs isolated up to the last", words("isolcpus=nohz,domain,managed_irq,0-N"), "kernel.cmdline", {"auto": i}, names=("isolcpus",)),
    Row("translated by encryption", both(words("mem_encrypt=on", without=("iommu=pt",)), groups("DMA-FQ")), "kernel.iommu",
        {"auto": r, "acceptance": r, "rccl-multinode": r}, names=("mem_encrypt=on on the kernel command line encrypts memory",),
        also=("kernel.cmdline",), more=("mi350x",)),
    Row("translated by the generic word", both(words("iommu.passthrough=0"), groups("DMA-FQ")), "kernel.iommu", {"auto": r},
        names=("iommu.passthrough=0 on the kernel command line makes the IOMMU translate addresses",), also=("kernel.cmdline",)),
    Row("a later generic word undoes iommu=pt", both(words("iommu.passthrough=off"), groups("DMA")), "kernel.cmdline",
        {"auto": r, "rccl-multinode": R}, names=("iommu",), also=("kernel.iommu",)),
    Row("iommu=pt stands behind --", both(words("--", "iommu=pt", without=("iommu=pt",)), groups("DMA-FQ")), "kernel.cmdline",
        {"auto": r, "rccl-multinode": R}, names=("missing iommu=pt",), also=("kernel.iommu",)),
    Row("switched on at boot", both(words("numa_balancing=enable"), files({"/proc/sys/kernel/numa_balancing": 1})),
        "kernel.numa_balancing", {"auto": r, "benchmark": R}, names=("numa_balancing=enable on the kernel command line",)),
    Row("switched on after boot", both(words("numa_balancing=disable"), files({"/proc/sys/kernel/numa_balancing": 1})),
        "kernel.numa_balancing", {"auto": r}, names=("the kernel was booted with numa_balancing=disable, but another program changed",)),
    Healthy("iommu.passthrough=1 instead of iommu=pt", words("iommu.passthrough=1", without=("iommu=pt",)), more=HOST_BASES),
    Healthy("iommu.passthrough=on", words("iommu.passthrough=on", without=("iommu=pt",))),
    Healthy("a kernel built to pass through", both(words(without=("iommu=pt",)), groups("identity")), more=HOST_BASES),
    Healthy("RHEL's line", words_first("BOOT_IMAGE=(hd0,gpt2)/vmlinuz-5.14.0-503.el9.x86_64", "root=/dev/mapper/rhel-root", "ro",
                                       "crashkernel=1G-4G:192M,4G-64G:256M,64G-:512M", "rd.lvm.lv=rhel/root", "rhgb", "quiet")),
    Healthy("Debian's line", words_first("BOOT_IMAGE=/boot/vmlinuz-6.1.0-28-amd64", "root=UUID=0a", "ro", "quiet", "net.ifnames=0")),
    Healthy("more CPUs allowed than there are", words("nr_cpus=8192", "maxcpus=1024", "mem=8T"), more=HOST_BASES),
    Healthy("NUMA left as it is", words("numa=on", "numa_balancing=disable", "tsc=reliable", "clocksource=tsc"), more=HOST_BASES),
    Healthy("idle states limited as AMD's guides do", words("processor.max_cstate=1")),
    Healthy("some CPUs isolated", some_isolated, more=HOST_BASES),
    Healthy("words for init", words("--", "swiotlb=force", "idle=poll")),
    Healthy("common words of administrators", words("mitigations=off", "audit=0", "nosmt=force", "nohz_full=1-3", "rcu_nocbs=1-3",
                                                    "amd_pstate=active", "pcie_aspm=off", "pci=pcie_bus_perf", "selinux=0",
                                                    "amd_iommu=on", "iommu.strict=0", "modprobe.blacklist=nouveau",
                                                    "transparent_hugepage=madvise", "skew_tick=1", "crashkernel=512M"), more=HOST_BASES),
    Healthy("a guest's clock", words("tsc=unstable", "clocksource=kvm-clock"), base="guest"),
    Healthy("a guest without words of the IOMMU", words("net.ifnames=0"), base="guest"),
    Healthy("a container", words("quiet"), base="container"),
    Healthy("memory encryption off", words("mem_encrypt=off")),
]

OVERRIDES = [
    Row("huge pages off for 2 MiB", both(headline("always"), page_switch(2048, "never")), "kernel.thp", {"acceptance": R, "auto": r},
        base="mi300a", names=("hugepages-2048kB/enabled overrides it with never",)),
    Row("huge pages on demand for 2 MiB", both(headline("always"), page_switch(2048, "madvise")), "kernel.thp", {"acceptance": R, "auto": r},
        base="mi300a", names=("overrides it with madvise",)),
    Row("clocks limited on all CPUs", policies({"scaling_max_freq": 1500000}), "cpu.governor", {"auto": r, "acceptance": r, "benchmark": r},
        names=("scaling_max_freq limits the clock of all", "1.5 GHz"), more=("mi350x", "mi300a")),
    Row("the clock of one policy limited", policies({"scaling_max_freq": 1500000}, only=2), "cpu.governor", {"auto": r},
        names=("policy2",), more=("mi350x",)),
    Row("active mode with a balanced preference", both(active_driver, policies({"scaling_governor": "powersave",
        "energy_performance_preference": "balance_performance"})), "cpu.governor", {"auto": r}),
    Row("a limit of the firmware", policies({"bios_limit": 1500000}), "cpu.governor", {"auto": r},
        names=("the firmware limits the clock",)),
    Row("a limit of the firmware that the kernel follows", policies({"bios_limit": 1500000, "scaling_max_freq": 1500000}), "cpu.governor",
        {"auto": r}, names=("the firmware limits",), without=("scaling_max_freq limits",)),
    Row("a limit below the table of acpi-cpufreq", both(nominal_table, policies({"scaling_max_freq": 1900000})), "cpu.governor",
        {"auto": r}, names=("2.4 GHz",)),
    Row("one slow policy", policies({"cpuinfo_max_freq": 1500000, "scaling_max_freq": 1500000, "scaling_available_frequencies": "1500000 "},
                                    only=3), "cpu.governor", {"auto": i}, names=("policy3 can run at 1.5 GHz",)),
    Row("a limit of intel_pstate", files({f"{CPU}/intel_pstate/max_perf_pct": 50}), "cpu.governor", {"auto": r}, names=("50 %",)),
    Row("NUMA nodes hidden", both(words("numa=noacpi"), one_node), "cpu.nodes_per_socket", {"acceptance": R},
        names=("numa=noacpi on the kernel command line hides the NUMA nodes",), also=("kernel.cmdline", "memory.balance", "gpu.numa")),
    Healthy("kernel 5.15: no switch for each size", files({f"{THP}/enabled": "[always] madvise never"}), base="mi300a"),
    Healthy("kernel 6.8: switches at their defaults", headline("always"), base="mi300a"),
    Healthy("kernel 6.17: 2 MiB always", both(headline("always"), page_switch(2048, "always")), base="mi300a"),
    Healthy("small pages as well", both(headline("always"), page_switch(64, "always")), base="mi300a"),
    Healthy("acpi-cpufreq with a boost clock above its table", nominal_table, more=("mi350x", "mi300a", "mi210")),
    Healthy("amd-pstate in active mode", active_driver),
    Healthy("amd-pstate in active mode, powersave that prefers performance", both(active_driver, policies({"scaling_governor": "powersave"})),
            info=("cpu.governor",)),
    Healthy("a limit of the firmware at the maximum", policies({"bios_limit": 3707000})),
    Healthy("favoured cores", policies({"cpuinfo_max_freq": 2300000, "scaling_max_freq": 2300000}, only=1)),
    Healthy("a guest without cpufreq", no_cpufreq, base="guest"),
    Healthy("a host without cpufreq", no_cpufreq),
    Healthy("boost off", files({f"{POLICIES}/boost": 0}), info=("cpu.boost",)),
]

RIVALS = [
    Row("numad", service("numad"), "host.rivals", {"auto": i, "rccl-multinode": i}, names=("numad moves processes",), more=HOST_BASES),
    Row("tuned saves power", service("tuned", "powersave"), "host.rivals", {"auto": i}, names=("tuned is running with the profile powersave",)),
    Row("tuned balances", service("tuned", "balanced"), "host.rivals", {"auto": i}, names=("balanced",)),
    Row("tuned with a profile that nobody knows", service("tuned", "our-site"), "host.rivals", {"auto": i}, names=("our-site",)),
    Row("tuned with a profile of the site", both(service("tuned", "our-site"), lambda machine, _gpu: machine.put(
        "/etc/tuned/our-site/tuned.conf", "[main]\ninclude=throughput-performance\n[cpu]\ngovernor=powersave\n")), "host.rivals",
        {"auto": i}, names=("our-site",)),
    Row("power-profiles-daemon", service("power-profiles-daemon"), "host.rivals", {"auto": i}, names=("power-profiles-daemon",)),
    Row("irqbalance against irqaffinity=", both(service("irqbalance"), words("irqaffinity=0-3")), "host.rivals", {"auto": i},
        names=("irqbalance moves interrupts",)),
    Row("tlp at boot", lambda machine, _gpu: machine.link(f"{WANTS}/tlp.service", "/lib/systemd/system/tlp.service"), "host.rivals",
        {"auto": i}, names=("tlp is enabled at boot",)),
    *(Healthy(f"tuned with {name}", service("tuned", name), more=("mi350x", "mi210"))
      for name in ("accelerator-performance", "hpc-compute", "throughput-performance", "latency-performance")),
    Healthy("tuned without a profile", service("tuned", "")),
    Healthy("tuned with a profile of the site", both(service("tuned", "our-site"), lambda machine, _gpu: machine.put(
        "/etc/tuned/profiles/our-site/tuned.conf", "[main]\ninclude = hpc-compute\n\n[sysctl]\nvm.swappiness = 1\n"))),
    Healthy("irqbalance", service("irqbalance"), more=("guest", "mi210")),
]

LIMITS = [
    Row("a limit in bytes", ttm(lambda pages: pages * 4096, lambda pages: pages), "memory.ttm_pages", {"acceptance": r, "auto": r},
        base="mi300a", names=("pages of 4096 bytes", "pages_limit")),
    Row("a pool in bytes", ttm(lambda pages: pages * 4096, lambda pages: pages * 4096), "memory.ttm_pages", {"acceptance": r},
        base="mi300a", names=("pages of 4096 bytes", "page_pool_size")),
    Row("a pool above the limit", ttm(lambda pages: pages, lambda pages: pages * 2), "memory.ttm_pages", {"acceptance": R},
        base="mi300a", names=("page_pool_size is more than pages_limit",)),
    Row("no limit at all", ttm(lambda _pages: (1 << 63) - 1, lambda pages: pages), "memory.ttm_pages", {"acceptance": r}, base="mi300a",
        names=("more than twice the memory",)),
    Row("compaction above its range", files({"/proc/sys/vm/compaction_proactiveness": 2000}), "kernel.compaction_proactiveness",
        {"acceptance": R}, base="mi300a"),
    Row("more NUMA nodes than a socket has", lambda machine, _gpu: sixteen(machine),
        "cpu.nodes_per_socket", {"acceptance": r}, also=("memory.balance", "gpu.numa")),
    Healthy("a limit a little above the memory", ttm(lambda pages: pages + pages // 4, lambda pages: pages), base="mi300a"),
    Healthy("limits of the guide", ttm(lambda pages: pages, lambda pages: pages), base="mi300a"),
    Healthy("no module parameters without an APU", files({"/sys/module/ttm/parameters/pages_limit": 549755813888})),
]


def sixteen(machine):
    """L3 as NUMA: eight nodes a socket."""
    machine.line(f"{NODES}/online", "0-15")
    for node in range(16):
        machine.line(f"{NODES}/node{node}/cpulist", f"{12 * node}-{12 * node + 11},{12 * node + 192}-{12 * node + 203}")
        machine.put(f"{NODES}/node{node}/meminfo", f"Node {node} MemTotal:       148579017 kB\n")


ROWS = {"7 kernel words": KERNEL_WORDS, "3 overrides": OVERRIDES, "9 rivals": RIVALS, "2 limits": LIMITS}
