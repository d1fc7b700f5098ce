"""The faults: what is broken in real life, the files that show it, and what must be told of it."""

from dataclasses import dataclass

from edits import *  # noqa: F403

R, r, i = "required", "recommended", "info"
EVERYDAY = f"{i}|{r}"  # info every day, recommended before a benchmark


@dataclass(frozen=True)
class Expect:
    id: str
    value: str  # wanted, as after --want ID=
    level: str  # in acceptance; one of several, with | between
    names: object = None  # what is told of: (machine, gpu) -> addresses; None: the GPU
    at_most: str = ""  # nothing of this id differs above this level


@dataclass(frozen=True)
class Fault:
    name: str
    what: str
    edit: object  # (machine, address of the GPU)
    expects: tuple
    base: str = "mi300x-tuned"
    one: bool = True  # it can befall any one GPU ...
    all: bool = True  # ... or all of them, and is found then too
    near: bool = False  # what is told names others beside the GPU
    optional: object = None  # (machine, gpu) -> folders or files that may be missing: na then
    fine: tuple = ()  # of machine.BAD: says nothing bad of this file
    shown: bool = True  # by what files hold, not by what is missing
    without: str = ""  # a word that may not be told


def nothing(_machine, _gpu):
    """Of controls and faults that are about no GPU."""
    return ()


def every_gpu(_machine, _gpu):
    return tuple(f"0000:{bus}:00.0" for bus in ("05", "09", "45", "49", "85", "89", "c5", "c9"))


def fixed(address):
    return lambda _machine, _gpu: (address,)


FAULTS = (
    Fault("F01", "OAM not seated", not_seated,
          (Expect("gpu.count", "full", R, nothing), Expect("pci.slots", "populated", r, slot_above),
           Expect("gpu.xgmi", "mesh", R, nothing)), all=False, near=True),
    Fault("F02", "GPU fell off the bus", no_edit,
          (Expect("gpu.count", "consistent", R, fixed("0000:85:00.0")),), "mi300x-fallen", one=False, all=False),
    Fault("F03", "driver never loaded", no_edit,
          (Expect("gpu.driver", ">=6.3", R, nothing), Expect("gpu.count", "consistent", R, every_gpu)),
          "mi300x-no-driver", one=False, all=False),
    Fault("F04", "probe failed on one GPU", probe_failed, (Expect("gpu.count", "consistent", R),), near=True,
          shown=False),
    Fault("F05", "GPU bound to vfio-pci", given_away, (Expect("gpu.count", "consistent", R),), near=True,
          shown=False, without="lost"),
    Fault("F06", "four traces dead, one a GPU", four_traces, (Expect("gpu.xgmi", "mesh", R),), one=False, near=True),
    Fault("F07", "one pair over PCIe", one_pair, (Expect("gpu.xgmi", "mesh", R),), all=False, near=True),
    Fault("F08", "one GPU outside the hive", outside, (Expect("gpu.xgmi", "mesh", R),), "mi350x", near=True),
    Fault("F09", "fewer links in a pair than peers", fewer_links, (Expect("gpu.xgmi_links", "equal", r),), all=False,
          near=True, optional=files_of_all("xgmi_num_links", "xgmi_num_hops")),
    Fault("F10", "die lost: seven of eight", die_lost, (Expect("gpu.compute_units", "model", R),), "mi350x"),
    Fault("F11", "HBM stack lost", stack_lost, (Expect("gpu.vram", "model", R),), "mi300a"),
    Fault("F12", "vramlimit left from a test", memory_limited,
          (Expect("gpu.parameters", "default", R, fixed("vramlimit")), Expect("gpu.vram", "model", R)), one=False,
          near=True),
    Fault("F13", "one GPU left in CPX", left_in_cpx, (Expect("gpu.compute_partition", "equal", R),), "mi350x", all=False,
          optional=files_of_all("current_compute_partition", "available_compute_partition")),
    Fault("F14", "memory partition NPS4 on all", nps4, (Expect("gpu.memory_partition", "NPS1", i),), one=False,
          near=True, optional=files_of_all("current_memory_partition")),
    Fault("F15", "one VBIOS older", gpu_file("vbios_version", "113-M3000100-101"),
          (Expect("gpu.vbios", "equal", r),), all=False, optional=files_of_all("vbios_version")),
    Fault("F16", "SMU firmware older on one", gpu_file("fw_version/smc_fw_version", "0x00550a00"),
          (Expect("gpu.firmware", "equal", r),), "mi350x", all=False, optional=files_of_all("fw_version")),
    Fault("F17", "TA RAS not loaded", gpu_file("fw_version/ta_ras_fw_version", "0x00000000"),
          (Expect("gpu.firmware", "equal", r),), "mi350x", all=False, optional=files_of_all("fw_version")),
    Fault("F18", "RAS switched off", ras_off, (Expect("gpu.parameters", "default", R, fixed("ras_enable")),),
          one=False),
    Fault("F19", "one bad page, reserved", bad_page, (Expect("gpu.bad_pages", "0", r),), "mi350x",
          optional=files_of_all("ras"), fine=("empty",)),
    Fault("F20", "power cap lowered for a demo", power_cap, (Expect("gpu.power_cap", "default", r),), "mi350x",
          optional=files_of_all("hwmon")),
    Fault("F21", "20 GiB leaked", gpu_file("mem_info_vram_used", 20 << 30),
          (Expect("gpu.vram_used", str(2 << 30), EVERYDAY),), "mi350x"),
    Fault("F22", "VFs left enabled", vfs_left, (Expect("gpu.vfs", "0", i),), "mi350x",
          optional=files_of_all("sriov_numvfs", "sriov_totalvfs")),
    Fault("F23", "determinism limit lost on one", no_edit,
          (Expect("gpu.determinism", "1900", EVERYDAY, fixed("0000:49:00.0")),), "mi300x-cpx", one=False, all=False),
    Fault("F24", "link at Gen 3", at_gen_3, (Expect("pci.link", "max", R),)),
    Fault("F25", "link x8 at both ends", half_width, (Expect("pci.link", "max", R),)),
    Fault("F26", "slow only between switch and root", slow_above, (Expect("pci.link", "max", R, switch_above),),
          near=True),
    Fault("F27", "slot capped to Gen 4", capped_slot, (Expect("pci.link", "model", R),), near=True),
    Fault("F28", "correctable storm", correctable_storm, (Expect("pci.aer", "0", r),), optional=aer_files),
    Fault("F29", "fatal error seen once", counted("aer_dev_fatal", CmpltTO=1, TOTAL_ERR_FATAL=1),
          (Expect("pci.aer", "0", R),), "mi350x", optional=aer_files),
    Fault("F30", "nonfatal UnsupReq only", counted("aer_dev_nonfatal", UnsupReq=4, TOTAL_ERR_NONFATAL=4),
          (Expect("pci.aer", "0", "", nothing, at_most=r),)),
    Fault("F31", "fatal bit in a device's status", device_status(0x0004),
          (Expect("pci.device_status", "no-fatal", R),), "mi350x"),
    Fault("F32", "unsupported requests after probing, on all", probed,
          (Expect("pci.device_status", "no-fatal", "", nothing, at_most=i),), one=False),
    Fault("F33", "bad lane", bad_lane, (Expect("pci.lane_errors", "0", i),), "mi350x"),
    Fault("F34", "payload larger than the port's", large_payload, (Expect("pci.max_payload", "equal", r),), "mi210",
          near=True),
    Fault("F35", "one NIC reads 512 at once, others 4096", small_reads,
          (Expect("pci.max_read_request", "equal", EVERYDAY, nic_beside),), all=False),
    Fault("F36", "relaxed ordering off on a NIC", strict_order, (Expect("pci.relaxed_ordering", "on", i, nic_beside),)),
    Fault("F37", "AtomicOps blocked by a bridge", atomics_blocked, (Expect("gpu.atomics", "on", R),), near=True),
    Fault("F38", "ASPM L1 on", naps, (Expect("pci.aspm", "off", EVERYDAY),), near=True),
    Fault("F39", "BAR not assigned", no_bar, (Expect("pci.large_bar", "true", R),), "mi350x"),
    Fault("F40", "bus master off after a failed reset", no_master, (Expect("pci.function", "usable", r),),
          "mi350x"),
    Fault("F41", "port taken down by DPC", contained, (Expect("pci.dpc", "clear", R, contained_port),), near=True),
    Fault("F42", "one NIC missing from InfiniBand", driver_failed,
          (Expect("rdma.count", "consistent", R, nic_beside),), all=False, optional=rdma_class, shown=False),
    Fault("F42b", "RDMA NIC fell off the bus", nic_fallen,
          (Expect("rdma.count", "consistent", R, nic_beside),), fine=("1 MiB", "NULs")),
    Fault("F42c", "NIC gone from PCI", nic_gone, (Expect("rdma.count", "consistent", R),), all=False, near=True,
          shown=False),
    Fault("F43", "port Polling, cable out", polling, (Expect("rdma.port", "active", R, nic_beside),)),
    Fault("F43b", "one training port Disabled", port_disabled, (Expect("rdma.port", "active", R, nic_beside),), all=False),
    Fault("F43c", "seven of eight training ports Disabled", others_disabled,
          (Expect("rdma.port", "active", R, nics_of_others),), all=False),
    Fault("F44", "management port Disabled", management_port,
          (Expect("rdma.count", "consistent", "", nothing, at_most=i), Expect("rdma.port", "active", "", nothing, at_most=i)),
          one=False, shown=False),
    Fault("F44b", "second port of each NIC Disabled by design", second_ports_disabled,
          (Expect("rdma.count", "consistent", "", nothing, at_most=i), Expect("rdma.port", "active", "", nothing, at_most=i)),
          one=False, shown=False),
    Fault("F45", "all training ports Disabled", all_disabled, (Expect("rdma.count", "consistent", R, nothing),), one=False),
    Fault("F46", "all RoCE v2 GIDs missing", only_v1, (Expect("rdma.gid", "3", R, nic_beside),), optional=rdma_class),
    Fault("F46b", "a port's address is 0.0.0.0", address_of_no_host, (Expect("rdma.gid", "3", R, nic_beside),),
          optional=rdma_class),
    Fault("F46c", "two NICs with one address", same_address, (Expect("rdma.gid", "3", R, nic_and_next),), all=False,
          optional=rdma_class),
    Fault("F46d", "address of another NIC's interface", interface_of_another, (Expect("rdma.gid", "3", R, nic_beside),),
          optional=rdma_class),
    Fault("F47", "100G optics in one port", slow_optics,
          (Expect("rdma.rate", "equal", R, nic_beside),), all=False, optional=rdma_class),
    Fault("F47b", "interface at 10 Mb/s", slow_interface, (Expect("net.link", "up", R, net_beside),), all=False,
          optional=rdma_class),
    Fault("F48", "MTU 1500 on one of eight", small_packets, (Expect("net.mtu", "equal", r, net_beside),), all=False,
          optional=rdma_class),
    Fault("F49", "link_downed 255 on one", port_file("counters/link_downed", 255),
          (Expect("rdma.errors", "0", i, nic_beside),), optional=port_files("counters", "hw_counters")),
    Fault("F50", "NIC firmware mixed", old_nic_firmware, (Expect("rdma.firmware", "equal", r, nic_beside),), all=False,
          optional=rdma_class),
    Fault("F50b", "a NIC of another model", another_nic, (Expect("rdma.firmware", "equal", r, nic_beside),), all=False,
          optional=rdma_class, shown=False),
    Fault("F51", "strict reverse path filter", strict_path, (Expect("net.rp_filter", "2", r, net_beside),),
          optional=rdma_class),
    Fault("F51b", "strict for all, loose for each NIC", strict_by_default,
          (Expect("net.rp_filter", "2", "", nothing, at_most=i),), one=False),
    Fault("F52", "peer memory lost after a kernel update", no_peer_memory,
          (Expect("rdma.gpu_direct", "possible", r, nothing),), one=False, optional=rdma_class, shown=False),
    Fault("F53", "a socket's memory is missing", no_socket_memory,
          (Expect("memory.balance", "5", R, nothing), Expect("memory.total", "model", r, nothing)), one=False),
    Fault("F54", "1.0 T of memory for MI300X", one_tib, (Expect("memory.total", "model", r, nothing),), one=False),
    Fault("F55", "an uncorrectable error of a DIMM", host_line(f"{MC}/mc1/ue_count", 1),
          (Expect("memory.errors", "0", R, fixed("mc1")),), one=False, optional=host_folder("/sys/devices/system/edac")),
    Fault("F56", "kernel oops last night", oops, (Expect("kernel.health", "clean", R, fixed("oops")),), one=False),
    Fault("F57", "255 of 384 CPUs, the IOMMU is off", no_iommu,
          (Expect("cpu.online", "all", r, nothing), Expect("kernel.iommu", "passthrough", r, nothing)), one=False),
    Fault("F58", "half of the cores are parked", parked,
          (Expect("cpu.online", "all", r, nothing),), one=False),
    Fault("F59", "the host in NPS4", eight_nodes, (Expect("cpu.nodes_per_socket", "1", r, nothing),), one=False),
    Fault("F60", "iommu=pt is missing", translated,
          (Expect("kernel.iommu", "passthrough", r, nothing),
           Expect("kernel.cmdline", '{ wanted = ["iommu=pt"] }', r, nothing)), one=False,
          fine=("garbage", "1 MiB")),  # the groups show the effect
    Fault("F61", "MI300A without huge pages", host_line("/sys/kernel/mm/transparent_hugepage/enabled", "always [madvise] never"),
          (Expect("kernel.thp", "always", R, nothing),), "mi300a", one=False),
    Fault("F62", "MI300A without compaction", no_compaction,
          (Expect("kernel.compact_unevictable_allowed", "1", R, nothing),
           Expect("kernel.compaction_proactiveness", "20", R, nothing)), "mi300a", one=False),
    Fault("F63", "two ROCm trees, one of them stale", two_rocms,
          (Expect("rocm.version", ">=6.0", "", nothing, at_most=i),), one=False, shown=False),
    Fault("F63b", "rocBLAS for other GPUs", libraries_for(rocblas="gfx90a"),
          (Expect("rocm.arch", "match", r, fixed("rocBLAS")),), one=False, shown=False),
    Fault("F63c", "hipBLASLt for other GPUs", libraries_for(hipblaslt="gfx90a"),
          (Expect("rocm.arch", "match", r, fixed("hipBLASLt")),), one=False, shown=False),
    Fault("F63d", "MIOpen's databases of other GPUs", libraries_for(miopen="gfx90a"),
          (Expect("rocm.arch", "match", r, fixed("MIOpen")),), one=False, shown=False),
    Fault("F63e", "the wheel of this GPU is missing", no_device_wheel,
          (Expect("rocm.arch", "match", r, fixed("rocBLAS")),), one=False, shown=False),
)
