"""The edits that faults are made of: (machine, address of a GPU), unless they say otherwise."""

import re

from machine import NODES, PARAMETERS, PCI
from topology import Topology

AER_FILES = ("aer_dev_correctable", "aer_dev_nonfatal", "aer_dev_fatal")
SECONDARY, DPC = 0x19, 0x1D
DRIVER_FILES = ("driver", "drm", "fw_version", "hwmon", "ras", "pm_policy", "current_compute_partition",
                "available_compute_partition", "current_memory_partition", "mem_info_vis_vram_total",
                "mem_info_vram_total", "mem_info_vram_used", "unique_id", "vbios_version", "xgmi_hive_info",
                "xgmi_device_id", "xgmi_physical_id", "xgmi_num_hops", "xgmi_num_links", "xgmi_error",
                "power_dpm_force_performance_level", "pp_od_clk_voltage")


def no_edit(_machine, _gpu):
    """The machine is the fault."""


# -- who else is meant ------------------------------------------------------

def slot_above(machine, gpu):
    """The port that the GPU's module is plugged into."""
    return [port for port in machine.ports(gpu) if machine.config(port)[machine.capability(port) + 3] & 1][:1]


def switch_above(machine, gpu):
    """The upstream port of the switch below the root."""
    return machine.ports(gpu)[-2:-1]


def contained_port(machine, gpu):
    """The nearest port that has downstream port containment."""
    return [port for port in machine.ports(gpu) if machine.extended(port, DPC)][:1]


def nic_beside(machine, gpu):
    """The RDMA NIC of the GPU's switch: its bus is the next one."""
    return [f"{gpu[:5]}{int(gpu[5:7], 16) + 1:02x}:00.0"]


def files_of_all(*names):
    """These files or folders of every GPU."""
    return lambda machine, _gpu: [f"{machine.folder(one)}/{name}" for one in machine.gpus() for name in names]


def aer_files(machine, _gpu):
    return [path for path in machine.entries if "/aer_" in path]


# -- GPUs that are not there ------------------------------------------------

def not_seated(machine, gpu):
    """Nothing below the slot was enumerated; what is in it keeps its presence pin down."""
    port, position = slot_above(machine, gpu)[0], machine.gpus().index(gpu)
    topology = Topology(machine)
    topology.remove(machine.node_of(gpu))
    topology.save()
    _leave_hive(machine, gpu, position)
    below = machine.ports(gpu)[machine.ports(gpu).index(port) - 1]
    machine.drop(machine.folder(below))
    machine.link_state(port, "2.5", 0)
    machine.change(port, machine.capability(port) + 0x12, 0x2000, 0)


def _leave_hive(machine, gpu, position):
    """What firmware told the others of it."""
    for other in machine.gpus():
        for name in ("xgmi_num_hops", "xgmi_num_links"):
            path = f"{machine.folder(other)}/{name}"
            row = machine.text(path).split()
            machine.line(path, " ".join(row[:position] + row[position + 1 :]) + " ")


def probe_failed(machine, gpu):
    topology = Topology(machine)
    topology.remove(machine.node_of(gpu))
    topology.save()
    folder = machine.folder(gpu)
    for name in DRIVER_FILES:
        machine.drop(f"{folder}/{name}")
    machine.entries.pop(f"/sys/bus/pci/drivers/amdgpu/{gpu}", None)
    machine.change(gpu, 4, 0x0006, 0)


def given_away(machine, gpu):
    probe_failed(machine, gpu)
    machine.link(f"{machine.folder(gpu)}/driver", "/sys/bus/pci/drivers/vfio-pci")
    machine.link(f"/sys/bus/pci/drivers/vfio-pci/{gpu}", machine.folder(gpu))


# -- xGMI -------------------------------------------------------------------

def four_traces(machine, _gpu):
    topology, gpus = Topology(machine), machine.gpus()
    for one, other in zip(gpus[0::2], gpus[1::2]):
        start, end = machine.node_of(one), machine.node_of(other)
        topology.unlink(start, end)
        topology.unlink(end, start)
    topology.save()


def one_pair(machine, gpu):
    """Seen from one end only."""
    other = next(one for one in machine.gpus() if one != gpu)
    topology = Topology(machine)
    topology.over_pcie(machine.node_of(gpu), machine.node_of(other))
    topology.save()


def outside(machine, gpu):
    topology, number = Topology(machine), machine.node_of(gpu)
    for other in machine.gpus():
        if other != gpu:
            topology.unlink(number, machine.node_of(other))
            topology.unlink(machine.node_of(other), number)
    topology.save()
    machine.node_property(gpu, "hive_id", 0)


def fewer_links(machine, gpu):
    """Everywhere two, in one pair one."""
    gpus = machine.gpus()
    for at, other in enumerate(gpus):
        path = f"{machine.folder(other)}/xgmi_num_links"
        row = ["00" if to == at else "02" for to in range(len(gpus))]
        if other == gpu:
            row[1 if at == 0 else 0] = "01"
        machine.line(path, " ".join(row) + " ")
    machine.touched.sort(key=lambda path: gpu not in path)


# -- what a GPU is and holds ------------------------------------------------

def die_lost(machine, gpu):
    node = machine.properties(machine.node_of(gpu))
    machine.node_property(gpu, "simd_count", node["simd_count"] // 8 * 7)
    machine.node_property(gpu, "num_xcc", 7)


def _memory(machine, gpu, size):
    for name in ("mem_info_vram_total", "mem_info_vis_vram_total"):
        machine.pci_line(gpu, name, size)
    machine.put_property(f"{NODES}/{machine.node_of(gpu)}/mem_banks/0/properties", "size_in_bytes", size)


def stack_lost(machine, gpu):
    _memory(machine, gpu, int(machine.text(f"{machine.folder(gpu)}/mem_info_vram_total")) // 8 * 7)


def memory_limited(machine, _gpu):
    machine.line(f"{PARAMETERS}/vramlimit", 65536)
    for gpu in machine.gpus():
        _memory(machine, gpu, 64 << 30)


def left_in_cpx(machine, gpu):
    topology = Topology(machine)
    topology.split(machine.node_of(gpu), 8)
    topology.save()
    machine.pci_line(gpu, "current_compute_partition", "CPX")
    machine.touched.sort(key=lambda path: gpu not in path)


def nps4(machine, _gpu):
    for gpu in machine.gpus():
        machine.pci_line(gpu, "current_memory_partition", "NPS4")


def gpu_file(name, value):
    return lambda machine, gpu: machine.pci_line(gpu, name, value)


def ras_off(machine, _gpu):
    machine.line(f"{PARAMETERS}/ras_enable", 0)
    for gpu in machine.gpus():
        machine.drop(f"{machine.folder(gpu)}/ras")


def bad_page(machine, gpu):
    machine.put(f"{machine.folder(gpu)}/ras/gpu_vram_bad_pages", "0x0001a2b3 : 0x00001000 : R\n")


def power_cap(machine, gpu):
    caps = [path for path in machine.below(f"{machine.folder(gpu)}/hwmon") if path.endswith("/power1_cap")]
    machine.line(caps[0], 500000000)


def vfs_left(machine, gpu):
    machine.pci_line(gpu, "sriov_numvfs", 2)
    for number in range(2):
        bdf = f"{gpu[:8]}02.{number}"
        folder = f"{machine.folder(gpu).rpartition('/')[0]}/{bdf}"
        alias = machine.text(f"{machine.folder(gpu)}/modalias").replace("74A1", "74B5", 1)
        machine.put(f"{folder}/modalias", alias)
        machine.link(f"{folder}/physfn", machine.folder(gpu))
        machine.link(f"{machine.folder(gpu)}/virtfn{number}", folder)
        machine.link(f"{PCI}/{bdf}", folder)


# -- links ------------------------------------------------------------------

def at_gen_3(machine, gpu):
    for end in (gpu, machine.ports(gpu)[0]):
        machine.link_state(end, "8.0")


def half_width(machine, gpu):
    for end in (gpu, machine.ports(gpu)[0]):
        machine.link_state(end, width=8)


def slow_above(machine, gpu):
    for end in machine.ports(gpu)[-2:]:
        machine.link_state(end, "16.0")


def capped_slot(machine, gpu):
    for end in machine.ports(gpu)[-2:]:
        machine.link_state(end, "16.0", most=True)


# -- errors -----------------------------------------------------------------

def _count(machine, bdf, name, counts):
    path = f"{machine.folder(bdf)}/{name}"
    text = machine.text(path)
    for word, count in counts.items():
        text = re.sub(rf"(?m)^{word} .*$", f"{word} {count}", text)
    machine.put(path, text)


def counted(name, **counts):
    return lambda machine, gpu: _count(machine, gpu, name, counts)


def correctable_storm(machine, gpu):
    # The total is not the sum: an error may set several bits.
    _count(machine, gpu, "aer_dev_correctable", {"RxErr": 5120, "BadTLP": 833, "Timeout": 12, "TOTAL_ERR_COR": 5300})


def device_status(bits):
    return lambda machine, gpu: machine.change(gpu, machine.capability(gpu) + 0x0A, 0, bits)


def probed(machine, _gpu):
    """What enumeration itself leaves behind."""
    for bdf in machine.functions():
        at = machine.capability(bdf)
        if at:
            machine.change(bdf, at + 0x0A, 0, 0x0009)


def bad_lane(machine, gpu):
    machine.poke(gpu, machine.extended(gpu, SECONDARY) + 8, "<H", 0x0010)


def contained(machine, gpu):
    port = contained_port(machine, gpu)[0]
    machine.change(port, machine.extended(port, DPC) + 8, 0, 0x0001)


# -- words of config space --------------------------------------------------

def large_payload(machine, gpu):
    machine.change(gpu, machine.capability(gpu) + 8, 0x00E0, 2 << 5)


def small_reads(machine, gpu):
    nic = nic_beside(machine, gpu)[0]
    machine.poke(nic, machine.capability(nic) + 8, "<H", 0x2937)


def strict_order(machine, gpu):
    nic = nic_beside(machine, gpu)[0]
    machine.change(nic, machine.capability(nic) + 8, 0x0010, 0)


def atomics_blocked(machine, gpu):
    """The port blocks them, and KFD found out."""
    port = machine.ports(gpu)[0]
    machine.change(port, machine.capability(port) + 0x28, 0, 0x0080)
    machine.put_property(f"{NODES}/{machine.node_of(gpu)}/io_links/0/properties", "flags", 13)
    machine.touched.reverse()


def naps(machine, gpu):
    for bdf in (gpu, machine.ports(gpu)[0]):
        machine.change(bdf, machine.capability(bdf) + 0x10, 0, 0x0002)
    machine.line("/sys/module/pcie_aspm/parameters/policy", "default performance [powersave] powersupersave ")


def no_bar(machine, gpu):
    path = f"{machine.folder(gpu)}/resource"
    rows = machine.text(path).splitlines(keepends=True)
    machine.put(path, "".join(["0x%016x 0x%016x 0x%016x\n" % (0, (256 << 30) - 1, 0x14220C), *rows[1:]]))
    machine.pci_line(gpu, "mem_info_vis_vram_total", 256 << 20)


def no_master(machine, gpu):
    machine.poke(gpu, 4, "<H", 0x0402)


# -- RDMA and its network ----------------------------------------------------

CONF = "/proc/sys/net/ipv4/conf"


def _port(machine, nic):
    folders = [path for path in machine.below(machine.folder(nic)) if path.endswith("/ports/1/state")]
    return folders[0].rpartition("/")[0]


def net_of(machine, nic):
    """The interface of a NIC."""
    folder = f"{machine.folder(nic)}/net/"
    return next(path for path in machine.below(folder[:-1]) if path.endswith("/mtu"))[len(folder) :].partition("/")[0]


def net_beside(machine, gpu):
    return [net_of(machine, nic) for nic in nic_beside(machine, gpu)]


def nics_of(machine):
    return [nic for gpu in machine.gpus() for nic in nic_beside(machine, gpu)]


def rdma_class(machine, _gpu):
    """Without any RDMA device or NIC."""
    return [machine.folder(nic) for nic in nics_of(machine)]


def port_files(*names):
    return lambda machine, _gpu: [f"{_port(machine, nic)}/{name}" for nic in nics_of(machine) for name in names]


def driver_failed(machine, gpu):
    for nic in nic_beside(machine, gpu):
        machine.drop(f"{machine.folder(nic)}/infiniband")


def nic_fallen(machine, gpu):
    """Its RDMA device may outlive it."""
    for nic in nic_beside(machine, gpu):
        for offset in range(0, len(machine.config(nic)), 4):
            machine.poke(nic, offset, "<I", 0xFFFFFFFF)


def another_nic(machine, gpu):
    """A spare of another model, as fast as its peers."""
    for nic in nic_beside(machine, gpu):
        machine.pci_line(nic, "modalias", "pci:v000015B3d00001021sv000015B3sd00000041bc02sc00i00")
        machine.line(f"{_port(machine, nic).rpartition('/ports/')[0]}/fw_ver", "28.40.1000")


def polling(machine, gpu):
    for nic in nic_beside(machine, gpu):
        machine.line(f"{_port(machine, nic)}/state", "1: DOWN")
        machine.line(f"{_port(machine, nic)}/phys_state", "2: Polling")


def _disable(machine, nic):
    machine.line(f"{_port(machine, nic)}/state", "1: DOWN")
    machine.line(f"{_port(machine, nic)}/phys_state", "3: Disabled")


def management_port(machine, _gpu):
    """A second port beside the first of one NIC, that nobody uses."""
    port = _port(machine, nics_of(machine)[-1])
    other = f"{port.rpartition('/')[0]}/2"
    for name, text in (("state", "1: DOWN"), ("phys_state", "3: Disabled"), ("link_layer", "Ethernet"),
                       ("rate", "40 Gb/sec (4X QDR)")):
        machine.line(f"{other}/{name}", text)


def all_disabled(machine, _gpu):
    for nic in nics_of(machine):
        _disable(machine, nic)


def only_v1(machine, gpu):
    for nic in nic_beside(machine, gpu):
        for at in (3, 1):
            machine.line(f"{_port(machine, nic)}/gid_attrs/types/{at}", "IB/RoCE v1")


def slow_optics(machine, gpu):
    for nic in nic_beside(machine, gpu):
        machine.line(f"{_port(machine, nic)}/rate", "100 Gb/sec (4X EDR)")
        machine.line(f"{machine.folder(nic)}/net/{net_of(machine, nic)}/speed", 100000)


def small_packets(machine, gpu):
    for nic in nic_beside(machine, gpu):
        machine.line(f"{machine.folder(nic)}/net/{net_of(machine, nic)}/mtu", 1500)


def port_file(name, value):
    return lambda machine, gpu: [machine.line(f"{_port(machine, nic)}/{name}", value) for nic in nic_beside(machine, gpu)]


def nic_gone(machine, gpu):
    """Its slot is empty: PCI has no such function."""
    for nic in nic_beside(machine, gpu):
        machine.drop(machine.folder(nic))


def port_disabled(machine, gpu):
    for nic in nic_beside(machine, gpu):
        _disable(machine, nic)


def nics_of_others(machine, gpu):
    return [nic for nic in nics_of(machine) if nic not in nic_beside(machine, gpu)]


def others_disabled(machine, gpu):
    for nic in nics_of_others(machine, gpu):
        _disable(machine, nic)


def second_ports_disabled(machine, _gpu):
    for nic in nics_of(machine):
        folder = _port(machine, nic)
        for path in machine.below(folder):
            if machine.kind(path) == "f":
                machine.put(path.replace(folder, f"{folder[:-1]}2"), machine.text(path))
        machine.line(f"{folder[:-1]}2/state", "1: DOWN")
        machine.line(f"{folder[:-1]}2/phys_state", "3: Disabled")


def address_of_no_host(machine, gpu):
    for nic in nic_beside(machine, gpu):
        for at in (3, 2):
            machine.line(f"{_port(machine, nic)}/gids/{at}", "0000:0000:0000:0000:0000:ffff:0000:0000")


def nic_and_next(machine, gpu):
    nics, nic = nics_of(machine), nic_beside(machine, gpu)[0]
    return nic, nics[(nics.index(nic) + 1) % len(nics)]


def same_address(machine, gpu):
    nic, other = nic_and_next(machine, gpu)
    for at in (3, 2):
        machine.put(f"{_port(machine, nic)}/gids/{at}", machine.text(f"{_port(machine, other)}/gids/{at}"))


def interface_of_another(machine, gpu):
    nic, other = nic_and_next(machine, gpu)
    machine.line(f"{_port(machine, nic)}/gid_attrs/ndevs/3", net_of(machine, other))


def slow_interface(machine, gpu):
    for nic in nic_beside(machine, gpu):
        machine.line(f"{machine.folder(nic)}/net/{net_of(machine, nic)}/speed", 10)


def old_nic_firmware(machine, gpu):
    for nic in nic_beside(machine, gpu):
        machine.line(f"{_port(machine, nic).rpartition('/ports/')[0]}/fw_ver", "229.2.51.0")


def strict_by_default(machine, _gpu):
    """What a distribution writes: all is strict, the interfaces are loose."""
    machine.line(f"{CONF}/all/rp_filter", 1)


def strict_path(machine, gpu):
    strict_by_default(machine, gpu)
    machine.line(f"{CONF}/{net_beside(machine, gpu)[0]}/rp_filter", 0)
    machine.touched.reverse()


def no_peer_memory(machine, _gpu):
    machine.drop("/sys/kernel/mm/memory_peers")
    for path in machine.below("/boot"):
        machine.put(path, "# CONFIG_PCI_P2PDMA is not set\nCONFIG_DMABUF_MOVE_NOTIFY=y\n")
    machine.put("/proc/kallsyms", "ffffffff81000000 T _stext\nffffffffc0100000 t ib_register_client [ib_core]\n")
# -- the host ---------------------------------------------------------------

CPU, NUMA, MC = "/sys/devices/system/cpu", "/sys/devices/system/node", "/sys/devices/system/edac/mc"


def _node_memory(machine, node, kib):
    machine.put(f"{NUMA}/node{node}/meminfo", f"Node {node} MemTotal:       {kib} kB\n")


def _host_memory(machine, *nodes):
    for node, kib in enumerate(nodes):
        _node_memory(machine, node, kib)
    path = "/proc/meminfo"
    machine.put(path, re.sub(r"(?m)^MemTotal:.*$", f"MemTotal:       {sum(nodes)} kB", machine.text(path)))


def no_socket_memory(machine, _gpu):
    _host_memory(machine, 1188632140, 0)


def one_tib(machine, _gpu):
    _host_memory(machine, 1 << 29, 1 << 29)


def host_line(path, value):
    return lambda machine, _gpu: machine.line(path, value)


def host_folder(path):
    return lambda _machine, _gpu: [path]


def oops(machine, _gpu):
    machine.line("/proc/sys/kernel/tainted", 12288 | 128)
    machine.line("/sys/kernel/oops_count", 1)


def no_iommu(machine, _gpu):
    """More CPUs than can be numbered without it."""
    machine.line(f"{CPU}/online", "0-254")
    for folder in ("/sys/kernel/iommu_groups", "/sys/class/iommu"):
        machine.drop(folder)
    machine.entries["/sys/class/iommu"] = ["d /sys/class/iommu"]


def eight_nodes(machine, _gpu):
    machine.line(f"{NUMA}/online", "0-7")
    for node in range(8):
        first = 24 * node
        machine.line(f"{NUMA}/node{node}/cpulist", f"{first}-{first + 23},{first + 192}-{first + 215}")
        _node_memory(machine, node, 297158035)


def translated(machine, _gpu):
    machine.line("/proc/cmdline", machine.text("/proc/cmdline").strip().replace("iommu=pt ", ""))
    for path in [one for one in machine.entries if one.startswith("/sys/kernel/iommu_groups/") and one.endswith("/type")]:
        machine.line(path, "DMA-FQ")


def no_compaction(machine, _gpu):
    machine.line("/proc/sys/vm/compact_unevictable_allowed", 0)
    machine.line("/proc/sys/vm/compaction_proactiveness", 0)


def parked(machine, _gpu):
    """All of the second socket; its node has no CPUs any more."""
    machine.line(f"{CPU}/online", "0-95,192-287")
    machine.put(f"{NUMA}/node1/cpulist", "\n")


# -- ROCm's files -----------------------------------------------------------

def two_rocms(machine, _gpu):
    """/opt/rocm is a folder with the tree of ROCm 10, and a stale release is left beside it."""
    machine.drop("/opt/rocm")
    machine.line("/opt/rocm/core-10.0/.info/version", "10.0.0")


def libraries_for(**gfx):
    """rocBLAS, hipBLASLt and MIOpen, each with the files of one architecture: gfx942 where nothing else is said."""
    def edit(machine, _gpu):
        for name, file in (("rocblas", "librocblas.so.4"), ("hipblaslt", "libhipblaslt.so.0")):
            machine.line(f"/opt/rocm-6.2.0/lib/{file}", "")
            for names in ("TensileLibrary_lazy_{}.dat", "Kernels.so-000-{}.hsaco"):
                machine.line(f"/opt/rocm-6.2.0/lib/{name}/library/{names.format(gfx.get(name, 'gfx942'))}", "")
        machine.line(f"/opt/rocm-6.2.0/share/miopen/db/{gfx.get('miopen', 'gfx942')}130.HIP.fdb.txt", "")
    return edit


def no_device_wheel(machine, _gpu):
    """ROCm 10 as Python packages, of which that with this GPU's files was not installed."""
    site = "/opt/venv/lib/python3.12/site-packages"
    machine.drop("/opt/rocm")
    machine.drop("/opt/rocm-6.2.0")
    machine.line(f"{site}/_rocm_sdk_core/.info/version", "10.0.0")
    machine.line(f"{site}/_rocm_sdk_libraries/lib/librocblas.so.5", "")
