"""Faults and healthy variants that a tester invented from the list of classes, who had not seen the other rows."""

import re

from edits import CPU, NUMA, _host_memory, _memory, _port, net_of, nic_beside, nics_of
from machine import NODES, PARAMETERS
from topology import Topology

from .row import R, Healthy, Row, i, r

SLICE = "/sys/fs/cgroup/system.slice"


def _all(edit):
    """The same edit on every GPU."""
    def every(machine, _gpu):
        for gpu in machine.gpus():
            edit(machine, gpu)
    return every


def _simds(number):
    return lambda machine, gpu: machine.node_property(gpu, "simd_count", number)


def _words(*words):
    def edit(machine, _gpu):
        machine.line("/proc/cmdline", " ".join([machine.text("/proc/cmdline").strip(), *words]))
    return edit


def _release(machine, release):
    machine.line("/proc/sys/kernel/osrelease", release)


def _unit(machine, name):
    machine.line(f"{SLICE}/{name}.service/cgroup.procs", 4711)


# -- 1: equal is not right --------------------------------------------------

def one_slow_clock(machine, gpu):
    """Firmware limits one GPU's clock table; its neighbours go to 2200 MHz."""
    machine.node_property(gpu, "max_engine_clk_fcompute", 1400)
    machine.pci_line(gpu, "pp_od_clk_voltage", "OD_SCLK:\n0: 132Mhz\n1: 1400Mhz\nOD_MCLK:\n0: 900Mhz\n1: 1300Mhz")


def smallest_payload(machine, _gpu):
    """Every function of the GPUs' paths uses 128 bytes, and can do 512."""
    for gpu in machine.gpus():
        for bdf in (gpu, *machine.ports(gpu)):
            at = machine.capability(bdf)
            machine.change(bdf, at + 4, 0x0007, 2)
            machine.change(bdf, at + 8, 0x00E0, 0)


# -- 2: limits and units ----------------------------------------------------

def pages_in_kib(machine, _gpu):
    """Somebody took the number for KiB: four times the memory."""
    for name in ("pages_limit", "page_pool_size"):
        machine.line(f"/sys/module/amdttm/parameters/{name}", 536870912)


# -- 3: what overrides the headline -----------------------------------------

def boost_of_policies(machine, _gpu):
    """The global switch is on; each policy has its own since 6.11, and it is off."""
    _release(machine, "6.14.0-37-generic")
    for number in range(4):
        machine.line(f"{CPU}/cpufreq/policy{number}/boost", 0)


def forced_low(machine, gpu):
    machine.pci_line(gpu, "power_dpm_force_performance_level", "low")


def huge_size_on_request(machine, _gpu):
    """The headline says always, and 2 MiB pages come on request only."""
    old = machine.text("/proc/sys/kernel/osrelease").strip()
    _release(machine, "6.12.9-cray_shasta_c")
    if machine.kind(f"/boot/config-{old}"):
        machine.put("/boot/config-6.12.9-cray_shasta_c", machine.text(f"/boot/config-{old}"))
    for size, word in ((64, "never"), (2048, "madvise")):
        words = ["always", "inherit", "madvise", "never"]
        machine.line(f"/sys/kernel/mm/transparent_hugepage/hugepages-{size}kB/enabled",
                     " ".join(f"[{one}]" if one == word else one for one in words))


# -- 4 and 10: gates --------------------------------------------------------

def two_pools(machine, _gpu):
    """Neither pool holds half of the memory; both together do."""
    machine.line("/sys/kernel/mm/hugepages/hugepages-2048kB/nr_hugepages", 300000)
    machine.line("/sys/kernel/mm/hugepages/hugepages-1048576kB/nr_hugepages", 700)


def one_translated(machine, gpu):
    """The type of one GPU's group was written at run time; the kernel's word still says pt."""
    group = machine.target(f"{machine.folder(gpu)}/iommu_group").rpartition("/")[2]
    machine.line(f"/sys/kernel/iommu_groups/{group}/type", "DMA-FQ")


def software_scheduler(machine, _gpu):
    machine.line(f"{PARAMETERS}/sched_policy", 2)


# -- 5: parts of a whole ----------------------------------------------------

def partition_lost(machine, gpu):
    """KFD has seven of the eight partitions of one GPU in CPX mode."""
    bus = int(gpu[5:7], 16)
    number = next(one for one in machine.node_numbers()
                  if machine.properties(one).get("location_id", 0) == (bus << 8 | 5))
    topology = Topology(machine)
    topology.remove(number)
    topology.save()


def _second_port(machine, nic):
    old, folder = net_of(machine, nic), _port(machine, nic)
    new = f"{old[:-1]}1"
    for path in machine.below(folder):
        if machine.kind(path) == "f":
            text = machine.text(path).replace(old, new)
            text = re.sub(r"c0a8:(..)0a", r"c0a8:\g<1>0b", text)
            text = re.sub(r"fe80:(.*):(..)(..)\n", lambda m: f"fe80:{m[1]}:1{m[2][1]}{m[3]}\n", text)
            machine.put(path.replace(folder, f"{folder[:-1]}2"), text)
    for path in machine.below(f"{machine.folder(nic)}/net/{old}"):
        if machine.kind(path) == "f":
            machine.put(path.replace(f"/net/{old}", f"/net/{new}"), machine.text(path))
    for name in ("rp_filter", "arp_ignore", "arp_announce"):
        path = f"/proc/sys/net/ipv4/conf/{old}/{name}"
        machine.put(path.replace(old, new), machine.text(path))


def second_port_lost(machine, gpu):
    """NICs of two ports; one has one."""
    for nic in nics_of(machine):
        if nic not in nic_beside(machine, gpu):
            _second_port(machine, nic)


# -- 6: links ---------------------------------------------------------------

def _links(machine, start, end):
    for path in machine.below(f"{NODES}/{machine.node_of(start)}"):
        if "/io_links/" in path and f"\nnode_to {machine.node_of(end)}\n" in machine.text(path):
            yield path


def half_pair(machine, gpu):
    """One of the two links of a pair is down: still one hop."""
    hive = [one for one in machine.gpus() if machine.properties(machine.node_of(one))["hive_id"]
            == machine.properties(machine.node_of(gpu))["hive_id"]]
    other = next(one for one in hive if one != gpu)
    for start, end in ((gpu, other), (other, gpu)):
        for path in _links(machine, start, end):
            machine.put_property(path, "max_bandwidth", 25000)
            machine.put_property(path, "min_bandwidth", 25000)


def _entry(machine, name, start, end, word):
    gpus = machine.gpus()
    path = f"{machine.folder(start)}/{name}"
    row = machine.text(path).split()
    row[gpus.index(end)] = word
    machine.line(path, " ".join(row) + " ")


def rerouted(machine, gpu):
    """The link between dies of two modules is dead: firmware and KFD go over a third."""
    gpus = machine.gpus()
    at = machine.text(f"{machine.folder(gpu)}/xgmi_num_links").split()
    other = gpus[at.index("01")]
    for start, end in ((gpu, other), (other, gpu)):
        _entry(machine, "xgmi_num_links", start, end, "00")
        _entry(machine, "xgmi_num_hops", start, end, "02")
        for path in _links(machine, start, end):
            machine.put_property(path, "weight", 30)
            machine.put_property(path, "min_bandwidth", 0)
            machine.put_property(path, "max_bandwidth", 0)
    machine.touched.sort(key=lambda path: gpu not in path)


def no_link_in_firmware(machine, gpu):
    """KFD and the hops say neighbours; the firmware counts no link between them."""
    other = next(one for one in machine.gpus() if one != gpu)
    _entry(machine, "xgmi_num_links", gpu, other, "00")
    _entry(machine, "xgmi_num_links", other, gpu, "00")
    machine.touched.sort(key=lambda path: gpu not in path)


# -- 7: kernel words --------------------------------------------------------

def no_cpu_driver(machine, _gpu):
    """No driver sets the CPUs' clock: one is switched off, the other never starts."""
    _words("amd_pstate=disable", "initcall_blacklist=acpi_cpufreq_init")(machine, _gpu)
    machine.drop(f"{CPU}/cpufreq")


# -- 8: networks ------------------------------------------------------------

def _gid(machine, nic, at, address, kind):
    port = _port(machine, nic)
    machine.line(f"{port}/gids/{at}", address)
    machine.line(f"{port}/gid_attrs/types/{at}", kind)


ZEROS = ":".join(["0000"] * 8)


def no_ipv6_on_one(machine, gpu):
    """IPv6 is off on one interface: its address of RoCE v2 has the index 1, its neighbours' 3."""
    nic = nic_beside(machine, gpu)[0]
    port = _port(machine, nic)
    address = machine.text(f"{port}/gids/3").strip()
    _gid(machine, nic, 0, address, "IB/RoCE v1")
    _gid(machine, nic, 1, address, "RoCE v2")
    for at in (2, 3):
        machine.line(f"{port}/gids/{at}", ZEROS)
        for kind in ("types", "ndevs"):
            machine.drop(f"{port}/gid_attrs/{kind}/{at}")


def no_address_server(machine, _gpu):
    """DHCP failed at boot: every interface gave itself an address of 169.254."""
    for number, nic in enumerate(nics_of(machine)):
        for at in (2, 3):
            machine.line(f"{_port(machine, nic)}/gids/{at}", f"0000:0000:0000:0000:0000:ffff:a9fe:{number + 1:02x}17")


# -- 9: rivals --------------------------------------------------------------

def tuned_child(machine, _gpu):
    """A site's tuned profile names no governor; the one that it includes does."""
    _unit(machine, "tuned")
    machine.line("/etc/tuned/active_profile", "site-hpc")
    machine.put("/etc/tuned/site-hpc/tuned.conf", "[main]\nsummary=our nodes\ninclude=balanced\n\n[sysctl]\nvm.swappiness=10\n")
    machine.put("/usr/lib/tuned/balanced/tuned.conf", "[main]\nsummary=General\n\n[cpu]\ngovernor=schedutil|ondemand\nboost=1\n")


def auto_cpufreq(machine, _gpu):
    _unit(machine, "auto-cpufreq")
    machine.line("/proc/4711/comm", "auto-cpufreq")


# -- 11: texts --------------------------------------------------------------

def pages_pending(machine, gpu):
    machine.put(f"{machine.folder(gpu)}/ras/gpu_vram_bad_pages", "0x0001a2b3 : 0x00001000 : P\n")


def guest_die(machine, gpu):
    machine.node_property(gpu, "simd_count", 1064)
    machine.node_property(gpu, "num_xcc", 7)


# -- healthy ----------------------------------------------------------------

def sizes_of_617(machine, _gpu):
    """What a kernel has without any choice: 2 MiB follow the headline, all else is off."""
    _release(machine, "6.17.0-8-generic")
    for size in (16, 32, 64, 128, 256, 512, 1024, 2048):
        word = "inherit" if size == 2048 else "never"
        machine.line(f"/sys/kernel/mm/transparent_hugepage/hugepages-{size}kB/enabled",
                     " ".join(f"[{one}]" if one == word else one for one in ("always", "inherit", "madvise", "never")))


def pstate_epp(machine, _gpu):
    """amd_pstate, active: no table of clocks, a preference, and boost within cpuinfo_max_freq."""
    _release(machine, "6.11.0-29-generic")
    machine.line(f"{CPU}/amd_pstate/status", "active")
    machine.line(f"{CPU}/amd_pstate/prefcore", "enabled")
    for number in range(4):
        folder = f"{CPU}/cpufreq/policy{number}"
        for name, value in (("scaling_driver", "amd-pstate-epp"), ("scaling_governor", "performance"),
                            ("scaling_available_governors", "performance powersave"), ("cpuinfo_max_freq", 3707812),
                            ("scaling_max_freq", 3707812), ("cpuinfo_min_freq", 400000), ("scaling_min_freq", 1500000),
                            ("energy_performance_preference", "performance"), ("amd_pstate_max_freq", 3707812),
                            ("energy_performance_available_preferences", "performance"), ("boost", 1)):
            machine.line(f"{folder}/{name}", value)
        machine.drop(f"{folder}/scaling_available_frequencies")


def _nics(machine, vendor, device, firmware):
    for nic in nics_of(machine):
        machine.pci_line(nic, "vendor", f"0x{vendor:04x}")
        machine.pci_line(nic, "device", f"0x{device:04x}")
        machine.pci_line(nic, "modalias", f"pci:v{vendor:08X}d{device:08X}sv{vendor:08X}sd00000041bc02sc00i00")
        machine.line(f"{_port(machine, nic).rpartition('/ports/')[0]}/fw_ver", firmware)
        machine.poke(nic, 0, "<H", vendor)
        machine.poke(nic, 2, "<H", device)


def infiniband(machine, _gpu):
    """ConnectX-7 on a fabric of InfiniBand: one GID a port, no interface with an address."""
    _release(machine, "5.15.0-131-generic")
    _nics(machine, 0x15B3, 0x1021, "28.43.2026")
    machine.line("/sys/module/mlx5_ib/initstate", "live")
    for nic in nics_of(machine):
        port = _port(machine, nic)
        machine.line(f"{port}/link_layer", "InfiniBand")
        for at in range(1, 4):
            machine.line(f"{port}/gids/{at}", ZEROS)
            for kind in ("types", "ndevs"):
                machine.drop(f"{port}/gid_attrs/{kind}/{at}")
        machine.drop(f"{port}/gid_attrs/ndevs/0")
        old, new = net_of(machine, nic), f"ib{nic[5:7]}"
        machine.drop(f"/proc/sys/net/ipv4/conf/{old}")
        for path in machine.below(f"{machine.folder(nic)}/net/{old}"):
            if machine.kind(path) == "f":
                machine.put(path.replace(f"/net/{old}", f"/net/{new}"), machine.text(path))
        machine.drop(f"{machine.folder(nic)}/net/{old}")
        machine.drop(f"/sys/class/net/{old}")
        folder = f"{machine.folder(nic)}/net/{new}"
        machine.link(f"/sys/class/net/{new}", folder)
        machine.line(f"{folder}/mtu", 4092)
        machine.line(f"{folder}/type", 32)
        for name in ("speed", "duplex"):
            machine.drop(f"{folder}/{name}")


def pollara(machine, _gpu):
    _nics(machine, 0x1DD8, 0x1002, "1.117.5-a-56")
    machine.line("/sys/module/ionic_rdma/initstate", "live")


def hyper_v(machine, _gpu):
    _release(machine, "6.8.0-1034-azure")
    dmi = "/sys/devices/virtual/dmi/id"
    machine.line(f"{dmi}/sys_vendor", "Microsoft Corporation")
    machine.line(f"{dmi}/product_name", "Virtual Machine")
    clock = "/sys/devices/system/clocksource/clocksource0"
    machine.line(f"{clock}/current_clocksource", "hyperv_clocksource_tsc_page")
    machine.line(f"{clock}/available_clocksource", "hyperv_clocksource_tsc_page acpi_pm ")
    for path in machine.below(f"{CPU}/cpuidle"):
        machine.line(path, "none") if path.endswith("driver") else None


def one_function(machine, gpu):
    """A virtual function: the host keeps power, clocks and partitions."""
    machine.pci_line(gpu, "device", "0x74b5")
    machine.pci_line(gpu, "modalias", "pci:v00001002d000074B5sv00001002sd000074A1bc12sc00i00")
    machine.node_property(gpu, "device_id", 0x74B5)
    machine.node_property(gpu, "hive_id", 0)
    if machine.config(gpu):
        machine.poke(gpu, 2, "<H", 0x74B5)
    folder = machine.folder(gpu)
    for name in ("hwmon", "pp_od_clk_voltage", "power_dpm_force_performance_level", "pm_policy",
                 "current_memory_partition", "available_compute_partition"):
        machine.drop(f"{folder}/{name}")
    machine.pci_line(gpu, "current_compute_partition", "UNKNOWN")


def quarters(machine, _gpu):
    """CPX with NPS4 on all, as AMD's guide for small models has it."""
    for gpu in machine.gpus():
        machine.pci_line(gpu, "current_memory_partition", "NPS4")
        machine.pci_line(gpu, "available_memory_partition", "NPS1, NPS4")


def long_container(machine, _gpu):
    _release(machine, "6.17.0-1009-aws")
    machine.line("/proc/1/comm", "tini")
    machine.put("/etc/os-release", 'PRETTY_NAME="Debian GNU/Linux 12 (bookworm)"\nVERSION_ID="12"\nID=debian\n')
    machine.put("/.dockerenv", "")


def no_iommu_in_bios(machine, _gpu):
    """MI300A's guide has it off: 192 CPUs need none."""
    machine.line("/proc/cmdline", machine.text("/proc/cmdline").strip().replace("iommu=pt ", ""))
    for folder in ("/sys/kernel/iommu_groups", "/sys/class/iommu"):
        machine.drop(folder)
    machine.entries["/sys/class/iommu"] = ["d /sys/class/iommu"]
    for path in [one for one in machine.entries if one.endswith("/iommu_group") and machine.kind(one) == "l"]:
        del machine.entries[path]


def last_words_win(machine, gpu):
    """A boot loader's template, and the site's words after it."""
    line = machine.text("/proc/cmdline").strip().replace("iommu=pt", "iommu=nopt pcie_aspm.policy=powersave")
    machine.line("/proc/cmdline", line)
    _words("iommu=pt", "pcie_aspm.policy=performance", "processor.max_cstate=9")(machine, gpu)


def one_thread(machine, _gpu):
    """SMT is off in the BIOS: 192 CPUs, and the kernel knows no siblings."""
    for name in ("online", "present", "possible"):
        machine.line(f"{CPU}/{name}", "0-191")
    machine.line(f"{CPU}/smt/active", 0)
    machine.line(f"{CPU}/smt/control", "notsupported")
    for node, cpus in ((0, "0-95"), (1, "96-191")):
        machine.line(f"{NUMA}/node{node}/cpulist", cpus)
    for path in list(machine.entries):
        number = re.match(rf"{CPU}/cpu(\d+)(/|$)", path)
        if number and int(number[1]) > 191:
            del machine.entries[path]
        elif number and path.endswith("thread_siblings_list"):
            machine.line(path, number[1])
        elif number and path.endswith("core_siblings_list"):
            machine.line(path, "0-95" if int(number[1]) < 96 else "96-191")
        elif path.endswith("/local_cpulist"):
            machine.line(path, machine.text(path).strip().split(",")[0])


def tuned_performance(machine, _gpu):
    """tuned sets what the guide asks for, and irqbalance has no isolated CPU to disturb."""
    _unit(machine, "tuned")
    _unit(machine, "irqbalance")
    machine.line("/etc/tuned/active_profile", "throughput-performance")
    machine.put("/usr/lib/tuned/throughput-performance/tuned.conf",
                "[main]\nsummary=throughput\n\n[cpu]\ngovernor=performance\n\n[sysctl]\nvm.swappiness=10\n")


NEW = ("new GPU", "replace the GPU")

ROWS = {
    "invented 1 equal is not right": [
        Row("one GPU's clock table ends at 1400 of 2200 MHz", one_slow_clock, "gpu.model",
            {"acceptance": r, "auto": r, "ci-preflight": r}, base="mi350x", names=("GPU", "clock")),
        Row("all paths use a payload of 128 and can do 512", smallest_payload, "pci.max_payload", {"acceptance": i},
            base="mi350x", names=("128", "512")),
        Row("all dies have 104 of 110 CUs", _all(_simds(416)), "gpu.compute_units",
            {"acceptance": R, "auto": R, "ci-preflight": R}, base="mi250x", names=("104", "110"), without=NEW),
    ],
    "invented 2 limits and units": [
        Row("TTM's pages were counted in KiB", pages_in_kib, "memory.ttm_pages", {"acceptance": r, "auto": r}, base="mi300a",
            without=("536870912 is a number of bytes",)),
        Row("all GPUs have 288 of 256 CUs", _all(_simds(1152)), "gpu.compute_units",
            {"acceptance": R, "auto": R, "ci-preflight": R}, base="mi350x", names=("288", "256"), without=NEW),
    ],
    "invented 3 overrides": [
        Row("boost is off in each policy", boost_of_policies, "cpu.boost", {"acceptance": i, "auto": i}, names=("policy",)),
        Row("one GPU is forced to low clocks", forced_low, "gpu.determinism", {"acceptance": i, "auto": i}, base="mi210",
            names=("GPU", "low")),
        Row("2 MiB pages on request under always", huge_size_on_request, "kernel.thp", {"acceptance": R, "auto": r},
            base="mi300a", names=("2048",)),
    ],
    "invented 4 gates": [
        Row("two pools of huge pages hold over half together", two_pools, "memory.hugepages", {"acceptance": r}),
        Row("one GPU's group is translated", one_translated, "kernel.iommu", {"ci-preflight": r, "auto": r, "acceptance": r},
            base="mi210", names=("GPU",), without=("passes DMA through",)),
        Row("the driver schedules without firmware", software_scheduler, "gpu.parameters",
            {"container": i, "ci-preflight": i, "auto": i, "acceptance": i}, base="container", names=("sched_policy",)),
    ],
    "invented 5 parts": [
        Row("KFD lacks one of eight partitions", partition_lost, "gpu.compute_partition",
            {"acceptance": R, "auto": R, "ci-preflight": R}, base="mi300x-cpx", names=("GPU",),
            also=("gpu.compute_units", "gpu.count", "gpu.xgmi", "gpu.visible")),
        Row("one NIC of two-port NICs has one port", second_port_lost, "rdma.count", {"acceptance": r, "rccl-multinode": r},
            also=("gpu.nic",)),
    ],
    "invented 6 links": [
        Row("one pair has half the bandwidth", half_pair, "gpu.xgmi_links", {"acceptance": r}, base="mi210", names=("GPU",)),
        Row("a link between modules is rerouted", rerouted, "gpu.xgmi_links", {"acceptance": r}, base="mi250x",
            names=("GPU",)),
        Row("the firmware counts no link in one pair", no_link_in_firmware, "gpu.xgmi_links", {"acceptance": r}, base="mi350x",
            names=("GPU",), also=("gpu.xgmi",)),
    ],
    "invented 7 kernel words": [
        Row("bounce buffers are forced, with a size", _words("swiotlb=65536,force"), "kernel.cmdline",
            {"acceptance": r, "auto": r}, base="mi300x-tuned", names=("swiotlb",)),
        Row("no driver for the CPUs' clock", no_cpu_driver, "cpu.governor", {"acceptance": r, "auto": r}, base="mi250x",
            names=("initcall_blacklist",), also=("kernel.cmdline", "cpu.boost", "cpu.energy_preference")),
    ],
    "invented 8 networks": [
        Row("IPv6 is off on one interface: another GID index", no_ipv6_on_one, "rdma.gid", {"acceptance": R, "rccl-multinode": R},
            names=("index",), without=("interface an IPv4 address",)),
        Row("all ports have addresses of 169.254", no_address_server, "rdma.gid", {"acceptance": r, "rccl-multinode": r},
            base="mi300x-cpx", names=("link-local",)),
    ],
    "invented 9 rivals": [
        Row("a tuned profile includes a governor", tuned_child, "host.rivals", {"acceptance": i, "auto": i}, base="mi250x",
            names=("tuned",)),
        Row("auto-cpufreq runs", auto_cpufreq, "host.rivals", {"acceptance": i, "auto": i}, names=("auto-cpufreq",)),
    ],
    "invented 11 texts": [
        Row("pages are pending on all GPUs", _all(pages_pending), "gpu.bad_pages", {"acceptance": R, "ci-preflight": R},
            base="mi210", names=("reset",), without=("new GPU",)),
        Row("a guest's GPU lost a die", guest_die, "gpu.compute_units", {"acceptance": R, "auto": R, "ci-preflight": R},
            base="guest", names=("266", "304"), without=("reseat", "replace the GPU")),
    ],
    "invented healthy": [
        Healthy("sizes of huge pages in 6.17", sizes_of_617, "mi210"),
        Healthy("amd_pstate sets its own clock", pstate_epp),
        Healthy("a fabric of InfiniBand on 5.15", infiniband),
        Healthy("NICs of AMD", pollara, "mi300x-cpx"),
        Healthy("a guest of Hyper-V", hyper_v, "guest"),
        Healthy("a virtual function of MI300X", one_function, "guest"),
        Healthy("CPX with NPS4 on all", quarters, "mi300x-cpx", info=("gpu.memory_partition",)),
        Healthy("Debian's image on 6.17 of a cloud", long_container, "container", info=("os.release",)),
        Healthy("MI300A without IOMMU", no_iommu_in_bios, "mi300a"),
        # Not on mi250x: its line lacks a word already, and a finding that was there hides what is added to it.
        Healthy("the later word wins", last_words_win, info=("kernel.cmdline",)),
        # The machine has the files of four CPUs only, so idle states are unknown as before, for fewer CPUs.
        Healthy("SMT off in the BIOS", one_thread, info=("cpu.idle",),
                profiles=("acceptance", "auto", "ci-preflight", "container")),
        Healthy("tuned sets the right governor", tuned_performance),
    ],
}
