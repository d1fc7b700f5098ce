"""Eight MI210 in a PCIe server: two groups of four, each joined by an xGMI bridge."""

from parts_chips import MI210
from parts_cpu import Cpus
from parts_epyc import FLAGS, GOVERNORS, acpi_idle, ids
from parts_kfd import XGMI, Link, pcie_host
from parts_node import Node, Ports, Slot
from parts_node import build as build_node

NAME = "mi210"
ROOT = Ports(0x1022, 0x1483)
# bus of the GPU and NUMA node, in the order of KFD's nodes
BUSES = ((0x63, 0), (0x43, 0), (0x03, 0), (0x27, 0), (0xE3, 1), (0xC3, 1), (0x83, 1), (0xA3, 1))


def bridged(agent, other, to):
    """A bridge joins four cards; between the groups there is only PCIe."""
    same = agent.hive_id == other.hive_id
    return Link(XGMI, to, 15, 1, 50000, 50000, 28) if same else None


def build():
    return build_node(
        Node(
            name=NAME,
            boot_id="4f3a7d10-98b2-4a6e-b1c4-2f9d0e7a5c36",
            release="5.15.0-119-generic",
            cmdline="BOOT_IMAGE=/vmlinuz-5.15.0-119-generic root=/dev/sda2 ro iommu=pt "
            "amd_iommu=on quiet",
            distro="ubuntu",
            board=("Supermicro", "AS -4124GS-TNR"),
            cpus=Cpus(
                sockets=2,
                cores=64,
                threads=1,
                ids=ids(23, 49, "AMD EPYC 7742 64-Core Processor", 0),
                flags=FLAGS,
                mhz="2250.000",
                cache_size="512 KB",
                node_kib=528_221_140,
                apic_step=128,
            ),
            caches=(32, 512, 16384),
            mhz=2450,
            idle=acpi_idle(400, "0x414"),
            cpufreq=("acpi-cpufreq", "ondemand", GOVERNORS, (2250000, 1800000, 1500000)),
            chip=MI210,
            slots=tuple(
                Slot(f"0000:{bus & 0xE0:02x}:{3 if bus & 4 else 1:02x}.1", bus, numa, ROOT)
                for bus, numa in BUSES
            ),
            unique=tuple(0x1901DF0000000006 + 0x1300000000000 * n for n in range(8)),
            hives=(12609507387757274807, 4103872155398710562),
            module="6.8.5",
            rocm="6.2.0-66",
            host=pcie_host(32000),
            peer=bridged,
        )
    )
