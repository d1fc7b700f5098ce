"""KFD topology of CPUs and GPUs."""

from dataclasses import dataclass

KFD = "/sys/devices/virtual/kfd/kfd"
TOPOLOGY = f"{KFD}/topology"

HYPERTRANSPORT, PCIE, XGMI = 1, 2, 11
CPU_DISTANCE = 32  # between the sockets, as in node0/distance

@dataclass(frozen=True)
class Form:
    """The keys one generation of drivers prints, in order.

    A CPU node has those of `node` and max_engine_clk_ccompute alone.
    """

    node: tuple
    gpu: tuple
    link: tuple


FORM_2026 = Form(
    tuple("""
    cpu_cores_count simd_count mem_banks_count caches_count io_links_count p2p_links_count
    cpu_core_id_base simd_id_base max_waves_per_simd lds_size_in_kb gds_size_in_kb num_gws
    wave_front_size array_count simd_arrays_per_engine cu_per_simd_array simd_per_cu
    max_slots_scratch_cu gfx_target_version vendor_id device_id location_id domain
    drm_render_minor hive_id num_sdma_engines num_sdma_xgmi_engines
    num_sdma_queues_per_engine num_cp_queues
    """.split()),
    tuple("""
    cwsr_size ctl_stack_size max_engine_clk_fcompute local_mem_size fw_version capability
    capability2 debug_prop sdma_fw_version unique_id num_xcc
    """.split()),
    tuple("""
    type version_major version_minor node_from node_to weight min_latency max_latency
    min_bandwidth max_bandwidth recommended_transfer_size recommended_sdma_engine_id_mask flags
    """.split()),
)


def _without(form, words):
    gone = set(words.split())
    return Form(*(tuple(key for key in keys if key not in gone)
                  for keys in (form.node, form.gpu, form.link)))


FORM_2024 = _without(FORM_2026, "cwsr_size ctl_stack_size capability2")
FORM_2018 = _without(
    FORM_2024,
    "p2p_links_count num_gws gfx_target_version domain hive_id num_sdma_engines "
    "num_sdma_xgmi_engines num_sdma_queues_per_engine num_cp_queues debug_prop num_xcc "
    "recommended_sdma_engine_id_mask",
)


@dataclass(frozen=True)
class Agent:
    """One GPU node: a whole GPU or one of its `parts`."""

    chip: object  # parts_chips.Chip
    gpu: int  # index of the physical GPU
    gpu_id: int
    location_id: int
    numa: int
    render: int
    unique_id: int
    hive_id: int
    partition: int = 0
    parts: int = 1
    domain: int = 0

    @property
    def xcc(self):
        return self.chip.kfd["num_xcc"] // self.parts


@dataclass(frozen=True)
class CpuNode:
    threads: int
    apic_base: int
    memory: int
    mhz: int
    hive_id: int = 0


@dataclass(frozen=True)
class Link:
    type: int
    to: int
    weight: int
    flags: int
    low: int = 0  # MB/s
    high: int = 0
    sdma_mask: int = 0


def pcie_host(high=64000):
    """The link between a GPU and its socket, as seen from either end."""
    return lambda to, flags: Link(PCIE, to, 20, flags, 0, high, 3)


def xgmi_host(weight, rate):
    """The same where the GPU hangs off the processor's own fabric."""
    return lambda to, _flags: Link(XGMI, to, weight, 1, rate, rate, 3)


class Topology:
    """`host` makes the link between a GPU and its CPU node, `peer` the one of two GPUs or None."""

    def __init__(self, cpus, agents, generation, form=FORM_2026, host=None, peer=None):
        self.cpus = cpus
        self.agents = agents
        self.generation = generation
        self.form = form
        self.host = host or pcie_host()
        self.peer = peer or all_to_all

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
            "hive_id": cpu.hive_id,
            "max_engine_clk_ccompute": cpu.mhz,
        }
        keys = [*self.form.node, "max_engine_clk_ccompute"]
        links, p2p = self._cpu_links(index)
        bank = {"heap_type": 0, "size_in_bytes": cpu.memory, "width": 64, "mem_clk_max": 4800}
        self._emit_node(tree, index, 0, "", (keys, values), bank, (), links, p2p)

    def _emit_agent(self, tree, index, agent):
        chip, parts = agent.chip, agent.parts
        values = dict(chip.kfd)
        for key in ("simd_count", "array_count", "num_xcc", "cwsr_size"):
            values[key] = values.get(key, 0) // parts
        if parts > 1:
            values["num_sdma_xgmi_engines"] = 0
        values.update(
            simd_id_base=0x80001000 + 40 * agent.xcc * (index - len(self.cpus)),
            vendor_id=0x1002,
            device_id=chip.device,
            location_id=agent.location_id,
            domain=agent.domain,
            drm_render_minor=agent.render,
            hive_id=agent.hive_id,
            max_engine_clk_ccompute=self.cpus[0].mhz,
            unique_id=agent.unique_id,
        )
        keys = [*self.form.node, *self.form.gpu, "max_engine_clk_ccompute"]
        links, p2p = self._agent_links(index, agent)
        bank = {"heap_type": chip.heap, "size_in_bytes": chip.vram // parts,
                "width": chip.memory_width, "mem_clk_max": chip.memory_mhz}
        node = (keys, values)
        caches = _caches(values["simd_id_base"], chip.caches, agent.xcc)
        self._emit_node(tree, index, agent.gpu_id, chip.name, node, bank, caches, links, p2p)

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
                values = _link(index, link)
                rows = _rows((key, values.get(key, 0)) for key in self.form.link)
                tree.raw(f"{folder}/{kind}/{number}/properties", rows)

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
                links.append(self.host(to, 3))
            elif "p2p_links_count" in self.form.node:
                p2p.append(Link(PCIE, to, 20 + CPU_DISTANCE, 3))
        return links, p2p

    def _agent_links(self, index, agent):
        links, p2p = [self.host(agent.numa, 1)], []
        for position, other in enumerate(self.agents):
            to = self._node(position)
            if to == index:
                continue
            link = self.peer(agent, other, to)
            if link:
                links.append(link)
            else:
                far = 0 if agent.numa == other.numa else CPU_DISTANCE
                p2p.append(Link(PCIE, to, 40 + far, 3))
        for other in range(len(self.cpus)):
            if other != agent.numa:
                p2p.append(Link(PCIE, other, 20 + CPU_DISTANCE, 1))
        if "p2p_links_count" not in self.form.node:
            p2p = []
        return links, sorted(p2p, key=lambda link: link.to)


def all_to_all(agent, other, to):
    """Whole GPUs weigh 15 a hop; partitions 13 inside a GPU, 41 between GPUs."""
    if agent.gpu == other.gpu:
        return Link(XGMI, to, 13, 1, 819200, 819200, 3)
    if agent.parts > 1:
        return Link(XGMI, to, 41, 1, 0, 0, 3)
    return Link(XGMI, to, 15, 1, 64000, 64000, 1 << 2 * (agent.gpu ^ other.gpu))


def _rows(pairs):
    return "".join(f"{key} {value}\n" for key, value in pairs)


def _bank(values):
    keys = ("heap_type", "size_in_bytes", "flags", "width", "mem_clk_max")
    return _rows((key, values.get(key, 0)) for key in keys)


def _caches(base, kinds, xcc):
    """One of each kind: a CU's L1, the shared L1s, L2 an XCC, the last level."""
    rows = [row for row in kinds for _ in range(xcc if row[0] == 2 else 1)]
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
    return {
        "type": link.type,
        "node_from": node,
        "node_to": link.to,
        "weight": link.weight,
        "min_bandwidth": link.low,
        "max_bandwidth": link.high,
        "recommended_sdma_engine_id_mask": link.sdma_mask,
        "flags": link.flags,
    }
