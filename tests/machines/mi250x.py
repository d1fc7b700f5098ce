"""A Cray EX235a: EPYC 7A53, eight GPUs on four MI250X modules, four Slingshot NICs."""

from parts_amdgpu import ROCM_6_0
from parts_chips import MI250X
from parts_cpu import Cpus
from parts_epyc import FLAGS, GOVERNORS, acpi_idle, ids
from parts_kfd import XGMI, Link, xgmi_host
from parts_node import Node, Ports, Slot
from parts_node import build as build_node

NAME = "mi250x"
INSIDE = Ports(0x1022, 0x14BF, acs=(0x005F, 0x0000), slotted=False)
ROOT = Ports(0x1022, 0x14BE)
HOSTS = (  # first bus, NUMA node, name of the NIC
    (0xC0, 3, ""), (0xC4, 3, "hsi0"), (0xC8, 1, ""), (0xCC, 1, "hsi1"),
    (0xD0, 0, ""), (0xD4, 0, "hsi2"), (0xD8, 2, ""), (0xDC, 2, "hsi3"),
)  # fmt: skip
# GPUs one hop apart, by position
NEAR = {0: (1, 2, 6), 1: (0, 3, 5), 2: (0, 3, 4), 3: (1, 2, 7),
        4: (2, 5, 6), 5: (1, 4, 7), 6: (0, 4, 7), 7: (3, 5, 6)}  # fmt: skip


def hops(start, end):
    seen, count = {start}, 0
    while end not in seen:
        seen |= {near for one in seen for near in NEAR[one]}
        count += 1
    return count


def links(start, end):
    """Four inside a module, one between neighbours, none to what is further away."""
    if start // 2 == end // 2:
        return 4
    return int(end in NEAR[start])


def ladder(agent, other, to):
    """50000 MB/s a link; nothing is stated of pairs that are further apart."""
    count = links(agent.gpu, other.gpu)
    return Link(XGMI, to, 15 * hops(agent.gpu, other.gpu), 1, 50000 if count else 0, 50000 * count, 28)


def slots():
    for bus, numa, nic in HOSTS:
        if nic:
            yield Slot(f"0000:{bus:02x}:01.1", bus + 1, numa, ROOT, nic=nic)
        yield Slot(f"0000:{bus:02x}:07.1", bus + (2 if nic else 1), numa, INSIDE)


def build():
    return build_node(
        Node(
            name=NAME,
            boot_id="c75d2b90-1e48-4f63-a0d9-36b8e1f4720a",
            release="5.14.21-150400.24.46_12.0.83-cray_shasta_c",
            cmdline="kernel initrd=initrd iommu=pt pcie_ports=native console=ttyS0,115200 quiet",
            distro="sles",
            board=("HPE", "HPE_CRAY_EX235A"),
            cpus=Cpus(
                sockets=4,
                quarters=4,
                cores=16,
                threads=2,
                ids=ids(25, 48, "AMD EPYC 7A53 64-Core Processor"),
                flags=FLAGS,
                mhz="2000.000",
                cache_size="512 KB",
                node_kib=132_112_468,
            ),
            caches=(32, 512, 32768),
            mhz=2000,
            idle=acpi_idle(400, "0x414"),
            cpufreq=("acpi-cpufreq", "performance", GOVERNORS, (2000000, 1700000, 1500000)),
            numa_balancing=0,
            chip=MI250X,
            slots=tuple(slots()),
            unique=(
                0x8F3C2217AE50D401, 0xB61994DE0273C802, 0xD5CFD2E3F280FF03, 0xFFC79F350EE5FF04,
                0xE850AEF0615DB905, 0xB37F6C6D134D9606, 0x226D713909928707, 0x7AFA7C692A198E08,
            ),  # fmt: skip
            hives=(0xDC4193B3799D5001,),
            cpu_hive=True,
            module="6.3.6",
            driver=ROCM_6_0,
            hops=hops,
            links=links,
            rocm="6.0.0-91",
            host=xgmi_host(15, 72000),
            peer=ladder,
        )
    )
