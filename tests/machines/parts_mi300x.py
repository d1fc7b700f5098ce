"""Eight MI300X in a two-socket server: everything the two modes share."""

from dataclasses import dataclass, field, replace

from parts_amdgpu import ROCM_6_2, Hive, add_module, one_each
from parts_board import Board
from parts_cpu import Cpus, Idle, add_caches, add_cpufreq, add_cpus
from parts_chips import MI300X
from parts_gpu import Gpu, add_bars, add_drm_node, add_gpu, add_rocm
from parts_kernel import add_aspm, add_dimms, add_dmi, add_kernel, add_memory
from parts_rdma import add_rdma_kernel
from parts_kfd import Agent, CpuNode, Topology
from tree import Tree

CPUS = Cpus(
    sockets=2,
    cores=96,
    threads=2,
    ids={
        "vendor_id": "AuthenticAMD",
        "cpu family": 25,
        "model": 17,
        "model name": "AMD EPYC 9654 96-Core Processor",
        "stepping": 1,
        "microcode": "0xa101148",
    },
    flags="fpu vme de pse tsc msr pae mce cx8 apic sep mtrr pge mca cmov pat pse36 clflush "
    "mmx fxsr sse sse2 ht syscall nx mmxext fxsr_opt pdpe1gb rdtscp lm constant_tsc rep_good "
    "amd_lbr_v2 nopl xtopology nonstop_tsc cpuid extd_apicid aperfmperf rapl pni pclmulqdq "
    "monitor ssse3 fma cx16 sse4_1 sse4_2 x2apic movbe popcnt aes xsave avx f16c rdrand "
    "lahf_lm svm abm sse4a avx2 bmi1 bmi2 avx512f avx512dq sha_ni hw_pstate",
    mhz="2400.000",
    cache_size="1024 KB",
    node_kib=1_188_632_140,
)
FREQUENCIES = (2400000, 1900000, 1500000)
GOVERNORS = "conservative ondemand userspace powersave performance schedutil"
BASE_CMDLINE = (
    "BOOT_IMAGE=/boot/vmlinuz-6.8.0-45-generic "
    "root=UUID=3b1f6a52-7c0d-4f0e-8a8e-6d6a1be0c9d1 ro "
)
HIVE = 0x6BE1A7C39D20F4EB
UNIQUE = (
    0x8D1A57E2C20F6B01, 0xB4FA64630E85D502, 0xE8986811E1825403, 0xEFF72EDC82169204,
    0x4DA1C0DE5A7E3305, 0x5E0B7733C9184406, 0x91C2A4F077EE5507, 0xA7D40B9E12F36608,
)  # fmt: skip
GPU_ID = (54163, 27175, 61018, 11379, 45283, 33981, 7730, 20425)


@dataclass(frozen=True)
class State:
    """What differs from one such machine to the next."""

    name: str
    boot_id: str
    words: str  # of the kernel command line
    compute: str = "SPX"
    memory: str = "NPS1"
    partitions: int = 1  # a GPU
    governor: str = "schedutil"
    c2_disabled: int = 0
    numa_balancing: int = 1
    level: str = "auto"
    limits: tuple = (MI300X.max_mhz,) * 8
    acs: dict = field(default_factory=dict)  # control word by bridge
    all_acs: int = None  # ... or one for every port
    fillers: int = 0  # more PCI functions
    cpus: Cpus = CPUS
    driver: bool = True  # amdgpu is loaded
    lost: tuple = ()  # GPUs the driver has not got, by position
    prepare: object = None  # called with the board before its files are written


# For machines whose CPUs are not the point.
SMALL_CPUS = replace(
    CPUS,
    cores=16,
    threads=1,
    ids={**CPUS.ids, "model name": "AMD EPYC 9124 16-Core Processor"},
    mhz="3000.000",
)


def build(state):
    return build_board(state)[0]


def build_board(state):
    """The tree, and the board it was made from."""
    tree = Tree()
    _add_software(tree, state)
    _add_cpus(tree, state)
    board = Board(state.cpus)
    if state.all_acs is not None:
        board.all_acs(state.all_acs)
    for bdf, control in state.acs.items():
        board.acs(bdf, control)
    lost = range(8) if not state.driver else state.lost
    for index in lost:
        board.gpus[index].driver = ""
    if state.prepare:
        state.prepare(board)
    board.fill(state.fillers)
    board.emit(tree)
    add_drm_node(tree, board.pci.folder(board.vga), "card0", 0)
    for index in lost:
        add_bars(tree, board.pci.folder(board.gpus[index]), MI300X, index)
    live = [index for index in range(8) if index not in lost]
    for position, index in enumerate(live):
        gpu = Gpu(MI300X, position, UNIQUE[index], state.level, state.limits[index],
                  state.compute, state.memory)
        add_gpu(tree, board.pci, board.gpus[index], gpu)
    if state.driver:
        _topology(state, board, live).emit(tree)
        folders = tuple(board.pci.folder(board.gpus[index]) for index in live)
        Hive(HIVE, folders, one_each, one_each).emit(tree, ROCM_6_2)
    return tree, board


def _add_software(tree, state):
    add_kernel(
        tree,
        hostname=state.name,
        release="6.8.0-45-generic",
        cmdline=BASE_CMDLINE + state.words,
        numa_balancing=state.numa_balancing,
        boot_id=state.boot_id,
        distro="ubuntu",
    )
    add_rdma_kernel(tree, "6.8.0-45-generic")
    add_memory(tree, state.cpus.node_kib * state.cpus.sockets)
    add_dmi(tree, "Supermicro", "AS -8125GS-TNMR2")
    add_dimms(tree, state.cpus.node_kib * state.cpus.sockets, state.cpus.sockets)
    add_rocm(tree, "6.2.0-66")
    add_aspm(tree, "performance" if state.governor == "performance" else "default")
    if state.driver:
        add_module(tree, "6.8.5", ROCM_6_2)


def _add_cpus(tree, state):
    idle = (
        Idle("POLL", "CPUIDLE CORE POLL IDLE", 0, 0),
        Idle("C1", "ACPI FFH MWAIT 0x0", 1, 2),
        Idle("C2", "ACPI IOPORT 0x814", 100, 200, state.c2_disabled),
    )
    add_cpus(tree, state.cpus, "acpi_idle", "menu", idle)
    add_caches(tree, state.cpus, 32, 1024, 32768)
    add_cpufreq(tree, state.cpus, "acpi-cpufreq", state.governor, GOVERNORS, FREQUENCIES)


def _topology(state, board, live):
    cpus = [
        CpuNode(
            threads=state.cpus.cores * state.cpus.threads,
            apic_base=socket * state.cpus.apic_step,
            memory=state.cpus.node_kib * 1024,
            mhz=max(FREQUENCIES) // 1000,
        )
        for socket in range(state.cpus.sockets)
    ]
    agents = [
        _agent(state, index, position, board.gpus[index], partition)
        for position, index in enumerate(live)
        for partition in range(state.partitions)
    ]
    return Topology(cpus, agents, generation=len(cpus) + len(agents))


def _agent(state, index, position, fn, partition):
    return Agent(
        chip=MI300X,
        gpu=index,
        gpu_id=GPU_ID[index] ^ partition << 4,
        location_id=fn.bus << 8 | partition,
        numa=fn.numa,
        render=128 + MI300X.drm_devices * position + partition,
        unique_id=UNIQUE[index],
        hive_id=HIVE,
        partition=partition,
        parts=state.partitions,
    )
