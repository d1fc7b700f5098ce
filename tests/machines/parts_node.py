"""A machine of root ports with one function below each: processors, GPUs, NICs."""

from dataclasses import dataclass

import parts_config as config
from parts_amdgpu import ROCM_6_2, Hive, add_module, one_each
from parts_chips import Chip
from parts_config import ENDPOINT, ROOT_PORT
from parts_cpu import Cpus, add_caches, add_cpufreq, add_cpus
from parts_gpu import Gpu, add_gpu, add_rocm
from parts_kernel import add_aspm, add_dimms, add_disks, add_dmi, add_kernel, add_memory
from parts_kfd import FORM_2024, Agent, CpuNode, Topology
from parts_pci import KERNEL_ACS, PORT_ACS, Pci
from parts_rdma import add_net, add_rdma_kernel
from tree import Tree

GEN4X16 = (16.0, 16)
GEN3X16 = (8.0, 16)


@dataclass(frozen=True)
class Ports:
    """The root ports of a machine."""

    vendor: int
    device: int
    layout: tuple = config.AMD_PORT
    link: tuple = GEN4X16
    acs: tuple = (PORT_ACS, KERNEL_ACS)
    slotted: bool = True  # a GPU below is a card, or a module on a socket


@dataclass(frozen=True)
class Slot:
    """A root port and what is below it."""

    port: str  # "0000:c0:07.1"
    bus: int  # below the port
    numa: int
    ports: Ports
    nic: str = ""  # name of a Slingshot NIC; empty: a GPU

    @property
    def domain(self):
        return int(self.port.split(":")[0], 16)

    @property
    def root(self):
        return int(self.port.split(":")[1], 16)


@dataclass(frozen=True)
class Node:
    name: str
    boot_id: str
    release: str
    cmdline: str
    distro: str
    board: tuple  # vendor, product
    cpus: Cpus
    caches: tuple  # KiB of levels 1, 2 and 3
    mhz: int  # highest clock of the CPUs, as KFD has it
    idle: tuple  # driver, governor, states
    chip: Chip
    slots: tuple
    unique: tuple  # unique_id by GPU
    hives: tuple = (0,)  # hive_id of equal shares of the GPUs
    cpufreq: tuple = ()  # driver, governor, governors, frequencies in kHz
    numa_balancing: int = 1
    module: str = ""  # version of an out-of-tree amdgpu
    rocm: str = ""
    driver: object = ROCM_6_2  # parts_amdgpu.Driver
    hops: object = one_each  # of two GPUs of a hive, by position in it
    links: object = one_each
    cpu_hive: bool = False  # the CPU nodes are in the hive too
    form: object = FORM_2024
    host: object = None  # parts_kfd.Topology
    peer: object = None
    iommu: bool = True
    card: int = 0  # of the first GPU
    class_: int = 0  # of the GPU's function, where it is not the chip's own


def build(node):
    tree = Tree()
    _add_software(tree, node)
    _add_cpus(tree, node)
    pci, gpus = _add_pci(tree, node)
    for index, fn in enumerate(gpus):
        gpu = Gpu(node.chip, index, node.unique[index], card=node.card, driver=node.driver)
        add_gpu(tree, pci, fn, gpu)
    _add_hives(tree, node, [pci.folder(fn) for fn in gpus])
    _topology(node, gpus).emit(tree)
    return tree


def _add_software(tree, node):
    add_kernel(tree, hostname=node.name, release=node.release, cmdline=node.cmdline,
               numa_balancing=node.numa_balancing, boot_id=node.boot_id, distro=node.distro)
    add_memory(tree, node.cpus.node_kib * node.cpus.sockets)
    add_dmi(tree, *node.board)
    if "hypervisor" not in node.cpus.flags.split():
        sockets = node.cpus.sockets // node.cpus.quarters
        add_dimms(tree, node.cpus.node_kib * node.cpus.sockets, sockets)
        add_disks(tree, 1)
    add_module(tree, node.module, node.driver)
    add_aspm(tree)
    if node.rocm:
        add_rocm(tree, node.rocm)


def _add_cpus(tree, node):
    add_cpus(tree, node.cpus, *node.idle)
    add_caches(tree, node.cpus, *node.caches)
    if node.cpufreq:
        add_cpufreq(tree, node.cpus, *node.cpufreq)


def _add_pci(tree, node):
    cpus = node.cpus
    numa = {one: cpus.of_socket(one) for one in range(cpus.sockets)}
    kernel = tuple(int(part) for part in node.release.split(".")[:2])
    pci, gpus, nics = Pci(numa, cpus.count, passthrough=node.iommu, kernel=kernel), [], []
    for slot in node.slots:
        pci.root(slot.domain, slot.root, slot.numa)
        fn = _add_slot(pci, slot, node)
        (nics if slot.nic else gpus).append((fn, slot))
    pci.emit(tree)
    for number, (fn, slot) in enumerate(nics):
        add_net(tree, pci, fn, slot.nic, 200000, mtu=9000)
        tree.link_to(f"{pci.folder(fn)}/cxi/cxi{number}/device", pci.folder(fn))
        tree.link_to(f"/sys/class/cxi/cxi{number}", f"{pci.folder(fn)}/cxi/cxi{number}")
    if nics:
        add_rdma_kernel(tree, node.release, peers=False)
    return pci, [fn for fn, _ in gpus]


def _add_slot(pci, slot, node):
    ports, devfn = slot.ports, slot.port.split(":")[2]
    port = pci.bridge(slot.root, devfn, ports.vendor, ports.device, slot.bus, ROOT_PORT,
                      domain=slot.domain, layout=ports.layout, link=ports.link)
    port.acs = ports.acs
    port.slotted = ports.slotted and not slot.nic
    if slot.nic:
        return pci.add(slot.bus, "00.0", 0x17DB, 0x0501, 0x020000, parent=port, port=ENDPOINT,
                       domain=slot.domain, revision=2, subsystem=(0x17DB, 0), driver="cxi_ss1",
                       layout=config.ADAPTER, link=ports.link)
    chip = node.chip
    return pci.add(slot.bus, "00.0", 0x1002, chip.device, node.class_ or chip.class_, parent=port,
                   port=ENDPOINT, domain=slot.domain, subsystem=chip.subsystem, driver="amdgpu",
                   layout=config.AMD_GPU, link=ports.link, acs=(0, 0))


def _share(node, gpus):
    """How many GPUs are in a hive."""
    return -(-len(gpus) // len(node.hives))


def _add_hives(tree, node, folders):
    share = _share(node, folders)
    for number, hive in enumerate(node.hives):
        if hive and node.driver.xgmi:
            members = tuple(folders[number * share : (number + 1) * share])
            Hive(hive, members, node.hops, node.links).emit(tree, node.driver)


def _topology(node, gpus):
    cpus = [
        CpuNode(
            threads=node.cpus.cores * node.cpus.threads,
            apic_base=node.cpus.apic(node.cpus.of_socket(one)[0]),
            memory=node.cpus.node_kib * 1024,
            mhz=node.mhz,
            hive_id=node.hives[0] if node.cpu_hive else 0,
        )
        for one in range(node.cpus.sockets)
    ]
    share = _share(node, gpus)
    agents = [
        Agent(
            chip=node.chip,
            gpu=index,
            gpu_id=(node.unique[index] ^ node.unique[index] >> 16) & 0xFFFF,
            location_id=fn.bus << 8,
            numa=max(fn.numa, 0),  # KFD uses node 0 for a GPU without a node from the firmware
            render=128 + node.chip.drm_devices * index,
            unique_id=node.unique[index],
            hive_id=node.hives[index // share],
            domain=int(fn.domain, 16),
        )
        for index, fn in enumerate(gpus)
    ]
    return Topology(cpus, agents, 2 + len(agents), node.form, node.host, node.peer)
