"""KFD topology of CPUs and gfx942 GPUs joined all to all over xGMI."""

from dataclasses import dataclass

KFD = "/sys/devices/virtual/kfd/kfd"
TOPOLOGY = f"{KFD}/topology"

HYPERTRANSPORT, PCIE, XGMI = 1, 2, 11
CPU_DISTANCE = 32  # between the sockets, as in node0/distance

# Keys in the order the 2026 drivers print them; a CPU node stops before
# max_engine_clk_fcompute and ends with max_engine_clk_ccompute alone.
NODE_KEYS = """
    cpu_cores_count simd_count mem_banks_count caches_count io_links_count p2p_links_count
    cpu_core_id_base simd_id_base max_waves_per_simd lds_size_in_kb gds_size_in_kb num_gws
    wave_front_size array_count simd_arrays_per_engine cu_per_simd_array simd_per_cu
    max_slots_scratch_cu gfx_target_version vendor_id device_id location_id domain
    drm_render_minor hive_id num_sdma_engines num_sdma_xgmi_engines
    num_sdma_queues_per_engine num_cp_queues
""".split()
GPU_KEYS = """
    cwsr_size ctl_stack_size max_engine_clk_fcompute local_mem_size fw_version capability
    capability2 debug_prop sdma_fw_version unique_id num_xcc
""".split()

GFX942 = {
    "max_waves_per_simd": 8,
    "lds_size_in_kb": 64,
    "num_gws": 64,
    "wave_front_size": 64,
    "simd_arrays_per_engine": 1,
    "cu_per_simd_array": 10,
    "simd_per_cu": 4,
    "max_slots_scratch_cu": 32,
    "gfx_target_version": 90402,
    "vendor_id": 0x1002,
    "num_sdma_engines": 2,
    "num_sdma_queues_per_engine": 8,
    "num_cp_queues": 24,
    "ctl_stack_size": 12288,
    "fw_version": 192,
    "capability": 2893521536,
    "capability2": 1,
    "debug_prop": 1511,
    "sdma_fw_version": 25,
}


@dataclass(frozen=True)
class Agent:
    """One GPU node: a whole GPU or one of its partitions."""

    gpu: int  # index of the physical GPU
    partition: int
    gpu_id: int
    location_id: int
    numa: int
    render: int
    unique_id: int
    hive_id: int
    device_id: int
    simds: int
    xcc: int
    vram: int
    max_mhz: int
    cwsr_size: int


@dataclass(frozen=True)
class CpuNode:
    threads: int
    apic_base: int
    memory: int
    mhz: int


@dataclass(frozen=True)
class Link:
    type: int
    to: int
    weight: int
    flags: int
    low: int = 0  # MB/s
    high: int = 0
    sdma_mask: int = 0


class Topology:
    def __init__(self, cpus, agents, generation):
        self.cpus = cpus
        self.agents = agents
        self.generation = generation

    def emit(self, tree):
        tree.text(f"{KFD}/dev", "236:0")
        tree.raw(f"{KFD}/uevent", "MAJOR=236\nMINOR=0\nDEVNAME=kfd\n")
        tree.dir(f"{KFD}/proc")
        tree.link_to("/sys/class/kfd/kfd", KFD)
        tree.text(f"{TOPOLOGY}/generation_id", self.generation)
        tree.raw(
            f"{TOPOLOGY}/system_properties",
            "platform_oem 35498446626881\nplatform_id 71791775140929\nplatform_rev 2\n",
        )
        for index, cpu in enumerate(self.cpus):
            self._emit_cpu(tree, index, cpu)
        for index, agent in enumerate(self.agents):
            self._emit_agent(tree, len(self.cpus) + index, agent)

    def _emit_cpu(self, tree, index, cpu):
        values = {
            "cpu_cores_count": cpu.threads,
            "cpu_core_id_base": cpu.apic_base,
            "max_engine_clk_ccompute": cpu.mhz,
        }
        keys = [*NODE_KEYS, "max_engine_clk_ccompute"]
        links, p2p = self._cpu_links(index)
        bank = {"heap_type": 0, "size_in_bytes": cpu.memory, "width": 64, "mem_clk_max": 4800}
        self._emit_node(tree, index, 0, "", (keys, values), bank, (), links, p2p)

    def _emit_agent(self, tree, index, agent):
        values = dict(GFX942)
        values.update(
            simd_count=agent.simds,
            array_count=4 * agent.xcc,
            simd_id_base=0x80001000 + 40 * agent.xcc * (index - len(self.cpus)),
            device_id=agent.device_id,
            location_id=agent.location_id,
            drm_render_minor=agent.render,
            hive_id=agent.hive_id,
            num_sdma_xgmi_engines=14 if agent.xcc == 8 else 0,
            cwsr_size=agent.cwsr_size,
            max_engine_clk_fcompute=agent.max_mhz,
            max_engine_clk_ccompute=self.cpus[0].mhz,
            unique_id=agent.unique_id,
            num_xcc=agent.xcc,
        )
        keys = [*NODE_KEYS, *GPU_KEYS, "max_engine_clk_ccompute"]
        links, p2p = self._agent_links(index, agent)
        bank = {"heap_type": 1, "size_in_bytes": agent.vram, "width": 8192, "mem_clk_max": 1300}
        node = (keys, values)
        caches = _caches(values["simd_id_base"], agent.xcc)
        self._emit_node(tree, index, agent.gpu_id, "ip discovery", node, bank, caches, links, p2p)

    def _emit_node(self, tree, index, gpu_id, name, node, bank, caches, links, p2p):
        folder = f"{TOPOLOGY}/nodes/{index}"
        keys, values = node
        values.update(
            mem_banks_count=1,
            caches_count=len(caches),
            io_links_count=len(links),
            p2p_links_count=len(p2p),
        )
        tree.text(f"{folder}/gpu_id", gpu_id)
        tree.text(f"{folder}/name", name)
        tree.raw(f"{folder}/properties", _rows((key, values.get(key, 0)) for key in keys))
        tree.raw(f"{folder}/mem_banks/0/properties", _bank(bank))
        for number, cache in enumerate(caches):
            tree.raw(f"{folder}/caches/{number}/properties", _rows(cache.items()))
        for kind, some in (("io_links", links), ("p2p_links", p2p)):
            for number, link in enumerate(some):
                tree.raw(f"{folder}/{kind}/{number}/properties", _link(index, link))

    # -- links --------------------------------------------------------------

    def _node(self, position):
        return len(self.cpus) + position

    def _cpu_links(self, index):
        links = [
            Link(HYPERTRANSPORT, other, CPU_DISTANCE, 0)
            for other in range(len(self.cpus))
            if other != index
        ]
        p2p = []
        for position, agent in enumerate(self.agents):
            to = self._node(position)
            if agent.numa == index:
                links.append(Link(PCIE, to, 20, 3, 0, 64000, 3))
            else:
                p2p.append(Link(PCIE, to, 20 + CPU_DISTANCE, 3))
        return links, p2p

    def _agent_links(self, index, agent):
        links = [Link(PCIE, agent.numa, 20, 1, 0, 64000, 3)]
        for position, other in enumerate(self.agents):
            if self._node(position) != index:
                links.append(_xgmi(agent, other, self._node(position)))
        p2p = [
            Link(PCIE, other, 20 + CPU_DISTANCE, 1)
            for other in range(len(self.cpus))
            if other != agent.numa
        ]
        return links, p2p


def _xgmi(agent, other, to):
    """Whole GPUs weigh 15 a hop; partitions 13 inside a GPU, 41 between GPUs."""
    if agent.gpu == other.gpu:
        return Link(XGMI, to, 13, 1, 819200, 819200, 3)
    if agent.xcc == 1:
        return Link(XGMI, to, 41, 1, 0, 0, 3)
    return Link(XGMI, to, 15, 1, 64000, 64000, 1 << 2 * (agent.gpu ^ other.gpu))


def _rows(pairs):
    return "".join(f"{key} {value}\n" for key, value in pairs)


def _bank(values):
    keys = ("heap_type", "size_in_bytes", "flags", "width", "mem_clk_max")
    return _rows((key, values.get(key, 0)) for key in keys)


def _caches(base, xcc):
    """One of each kind: a CU's L1, the shared L1s, L2 an XCC, the last level."""
    rows = [(1, 32, 9), (1, 64, 10), (1, 16, 9), *[(2, 4096, 9)] * xcc, (3, 262144, 9)]
    return [
        {
            "processor_id_low": base,
            "level": level,
            "size": size,
            "cache_line_size": 128 if level > 1 else 64,
            "cache_lines_per_tag": 0,
            "association": 0,
            "latency": 0,
            "type": type_,
            "sibling_map": "1,1" + ",0" * 30 if level == 1 else ",".join("1" * 32),
        }
        for level, size, type_ in rows
    ]


def _link(node, link):
    return _rows(
        {
            "type": link.type,
            "version_major": 0,
            "version_minor": 0,
            "node_from": node,
            "node_to": link.to,
            "weight": link.weight,
            "min_latency": 0,
            "max_latency": 0,
            "min_bandwidth": link.low,
            "max_bandwidth": link.high,
            "recommended_transfer_size": 0,
            "recommended_sdma_engine_id_mask": link.sdma_mask,
            "flags": link.flags,
        }.items()
    )
