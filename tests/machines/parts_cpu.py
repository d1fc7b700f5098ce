"""CPUs: /sys/devices/system/cpu and node, /proc/cpuinfo."""

from dataclasses import dataclass

from parts_kernel import add_interrupts

CPU = "/sys/devices/system/cpu"
NODE = "/sys/devices/system/node"


@dataclass(frozen=True)
class Idle:
    """One idle state. Residency as the drivers compute it: twice the latency."""

    name: str
    desc: str
    latency: int
    residency: int
    disable: int = 0


@dataclass(frozen=True)
class Cpus:
    """Sockets of equal cores; a socket is a NUMA node.

    Numbers run as on Linux with SMT: first thread of every core, socket by
    socket, then the second threads in the same order.
    """

    sockets: int
    cores: int  # a socket
    threads: int  # a core
    ids: dict  # /proc/cpuinfo: vendor_id, "cpu family", model, "model name", stepping
    flags: str
    mhz: str
    cache_size: str
    node_kib: int  # memory of one node
    apic_step: int = 256  # APIC ids a socket takes
    quarters: int = 1  # NUMA nodes a package has; a "socket" is then one of them

    @property
    def count(self):
        return self.sockets * self.cores * self.threads

    def socket(self, cpu):
        return cpu % (self.sockets * self.cores) // self.cores

    def package(self, cpu):
        return self.socket(cpu) // self.quarters

    def core(self, cpu):
        """Its number in the package."""
        return cpu % (self.cores * self.quarters)

    def thread(self, cpu):
        return cpu // (self.sockets * self.cores)

    def apic(self, cpu):
        return self.package(cpu) * self.apic_step + self.core(cpu) * self.threads + self.thread(cpu)

    def siblings(self, cpu):
        step = self.sockets * self.cores
        return list(range(cpu % step, self.count, step))

    def of_socket(self, socket):
        return [cpu for cpu in range(self.count) if self.socket(cpu) == socket]

    def of_complex(self, cpu, size=8):
        """CPUs that share a level 3 cache: `size` cores and their siblings."""
        core = cpu % (self.sockets * self.cores)
        first = core - core % self.cores % size
        cores = range(first, first + min(size, self.cores))
        return sorted(one for core in cores for one in self.siblings(core))


def as_list(cpus):
    """0-3,8 as the kernel prints lists."""
    cpus, out, start = sorted(cpus), [], 0
    for at in range(1, len(cpus) + 1):
        if at == len(cpus) or cpus[at] != cpus[at - 1] + 1:
            first, last = cpus[start], cpus[at - 1]
            out.append(str(first) if first == last else f"{first}-{last}")
            start = at
    return ",".join(out)


def as_mask(cpus, count):
    """Hexadecimal words of 32 bits, the highest first, as the kernel prints masks."""
    value = sum(1 << cpu for cpu in cpus)
    words = [f"{value >> shift & 0xFFFFFFFF:08x}" for shift in range(0, count, 32)]
    digits = min(8, (count + 3) // 4)
    return ",".join(reversed(words)) if count > 32 else words[0][-digits:]


def add_cpus(tree, cpus, idle_driver, idle_governor, idle_states):
    everyone = as_list(range(cpus.count))
    smt = cpus.threads > 1
    tree.texts(CPU, {"online": everyone, "possible": everyone, "present": everyone})
    tree.text(f"{CPU}/offline", "")
    tree.text(f"{CPU}/kernel_max", 8191)
    tree.texts(f"{CPU}/smt", {"active": int(smt), "control": "on" if smt else "notsupported"})
    tree.texts(
        f"{CPU}/cpuidle",
        {
            "current_driver": idle_driver,
            "current_governor": idle_governor,
            "current_governor_ro": idle_governor,
            "available_governors": "ladder menu teo haltpoll ",
        },
    )
    packages = {}
    for cpu in range(cpus.count):
        packages.setdefault(cpus.package(cpu), []).append(cpu)
    for cpu in range(cpus.count):
        _add_topology(tree, cpus, cpu, packages)
        _add_idle(tree, cpu, idle_states)
    guest = "hypervisor" in cpus.flags.split()
    clocks = ("kvm-clock", "kvm-clock tsc acpi_pm ") if guest else ("tsc", "tsc hpet acpi_pm ")
    tree.texts("/sys/devices/system/clocksource/clocksource0",
               {"current_clocksource": clocks[0], "available_clocksource": clocks[1]})
    if "microcode" in cpus.ids:
        for cpu in range(cpus.count):
            tree.text(f"{CPU}/cpu{cpu}/microcode/version", cpus.ids["microcode"])
    add_interrupts(tree, cpus.count)
    add_nodes(tree, cpus)
    add_cpuinfo(tree, cpus)


def _add_topology(tree, cpus, cpu, packages):
    siblings, socket = cpus.siblings(cpu), cpus.package(cpu)
    if cpu:
        tree.text(f"{CPU}/cpu{cpu}/online", 1)
    tree.texts(
        f"{CPU}/cpu{cpu}/topology",
        {
            "physical_package_id": socket,
            "die_id": 0,
            "core_id": cpus.core(cpu),
            "thread_siblings": as_mask(siblings, cpus.count),
            "thread_siblings_list": as_list(siblings),
            "core_siblings": as_mask(packages[socket], cpus.count),
            "core_siblings_list": as_list(packages[socket]),
        },
    )


def _add_idle(tree, cpu, states):
    for index, state in enumerate(states):
        tree.texts(
            f"{CPU}/cpu{cpu}/cpuidle/state{index}",
            {
                "name": state.name,
                "desc": state.desc,
                "latency": state.latency,
                "residency": state.residency,
                "disable": state.disable,
                "default_status": "enabled",
            },
        )


def add_caches(tree, cpus, l1_kib, l2_kib, l3_kib):
    """Level 1 and 2 a core, level 3 a core complex."""
    for cpu in range(cpus.count):
        core = as_mask(cpus.siblings(cpu), cpus.count)
        complex_ = as_mask(cpus.of_complex(cpu), cpus.count)
        rows = (
            (1, "Data", l1_kib, core),
            (1, "Instruction", l1_kib, core),
            (2, "Unified", l2_kib, core),
            (3, "Unified", l3_kib, complex_),
        )
        for index, (level, type_, size, mask) in enumerate(rows):
            tree.texts(
                f"{CPU}/cpu{cpu}/cache/index{index}",
                {"level": level, "type": type_, "size": f"{size}K", "shared_cpu_map": mask},
            )
        tree.text(f"{CPU}/cpu{cpu}/cache/index3/shared_cpu_list", as_list(cpus.of_complex(cpu)))


def add_cpufreq(tree, cpus, driver, governor, governors, frequencies):
    """One policy a CPU, as acpi-cpufreq makes them on EPYC."""
    low, high = min(frequencies), max(frequencies)
    tree.text(f"{CPU}/cpufreq/boost", 1)
    for cpu in range(cpus.count):
        folder = f"{CPU}/cpufreq/policy{cpu}"
        tree.texts(
            folder,
            {
                "affected_cpus": cpu,
                "related_cpus": cpu,
                "cpuinfo_min_freq": low,
                "cpuinfo_max_freq": high,
                "scaling_min_freq": low,
                "scaling_max_freq": high,
                "scaling_driver": driver,
                "scaling_governor": governor,
                "scaling_available_governors": governors + " ",
                "scaling_available_frequencies": " ".join(map(str, frequencies)) + " ",
            },
        )
        tree.link_to(f"{CPU}/cpu{cpu}/cpufreq", folder)


def add_nodes(tree, cpus):
    all_nodes = as_list(range(cpus.sockets))
    names = ("online", "possible", "has_cpu", "has_memory", "has_normal_memory")
    tree.texts(NODE, {name: all_nodes for name in names})
    for node in range(cpus.sockets):
        folder, own = f"{NODE}/node{node}", cpus.of_socket(node)
        far = [10 if other == node else 32 for other in range(cpus.sockets)]
        tree.text(f"{folder}/cpulist", as_list(own))
        tree.text(f"{folder}/cpumap", as_mask(own, cpus.count))
        tree.text(f"{folder}/distance", " ".join(map(str, far)))
        tree.raw(f"{folder}/meminfo", _meminfo(node, cpus.node_kib))
        for cpu in own:
            tree.link_to(f"{folder}/cpu{cpu}", f"{CPU}/cpu{cpu}")
            tree.link_to(f"{CPU}/cpu{cpu}/node{node}", folder)


def _meminfo(node, total):
    used = total // 16
    rows = (("MemTotal", total), ("MemFree", total - used), ("MemUsed", used))
    return "".join(f"Node {node} {name + ':':<15} {kib:>8} kB\n" for name, kib in rows)


def add_cpuinfo(tree, cpus):
    blocks = []
    for cpu in range(cpus.count):
        rows = {
            "processor": cpu,
            **cpus.ids,
            "cpu MHz": cpus.mhz,
            "cache size": cpus.cache_size,
            "physical id": cpus.package(cpu),
            "siblings": cpus.cores * cpus.quarters * cpus.threads,
            "core id": cpus.core(cpu),
            "cpu cores": cpus.cores * cpus.quarters,
            "apicid": cpus.apic(cpu),
            "initial apicid": cpus.apic(cpu),
            "flags": cpus.flags,
        }
        blocks.append("".join(_cpuinfo_row(*row) for row in rows.items()) + "\n")
    tree.raw("/proc/cpuinfo", "".join(blocks))


def _cpuinfo_row(key, value):
    tabs = "\t" * max(1, 2 - len(key) // 8)
    return f"{key}{tabs}: {value}\n"
