"""A workstation with two MI210, the second asleep: looking at it would wake it."""

from parts_amdgpu import LINUX_6_1
from parts_chips import MI210
from parts_cpu import Cpus
from parts_epyc import FLAGS, GOVERNORS, acpi_idle, ids
from parts_kfd import pcie_host
from parts_node import Node, Ports, Slot
from parts_node import build as build_node

NAME = "suspended"
ROOT = Ports(0x1022, 0x1483)
ASLEEP = "/sys/devices/pci0000:60/0000:60:03.1/0000:63:00.0"


def build():
    tree = build_node(
        Node(
            name=NAME,
            boot_id="38e1f6b4-a25c-4d07-96e8-5c0b7d92f143",
            release="6.1.0-26-amd64",
            cmdline="BOOT_IMAGE=/boot/vmlinuz-6.1.0-26-amd64 root=/dev/nvme0n1p2 ro iommu=pt quiet",
            distro="debian",
            board=("ASUSTeK COMPUTER INC.", "Pro WS WRX80E-SAGE SE WIFI"),
            cpus=Cpus(
                sockets=1,
                cores=16,
                threads=2,
                ids=ids(25, 8, "AMD Ryzen Threadripper PRO 5955WX 16-Cores", 2),
                flags=FLAGS,
                mhz="4000.000",
                cache_size="512 KB",
                node_kib=263_905_280,
            ),
            caches=(32, 512, 32768),
            mhz=4000,
            idle=acpi_idle(400, "0x414"),
            cpufreq=("acpi-cpufreq", "schedutil", GOVERNORS, (4000000, 2800000, 1800000)),
            chip=MI210,
            slots=(
                Slot("0000:40:01.1", 0x43, 0, ROOT),
                Slot("0000:60:03.1", 0x63, 0, ROOT),
            ),
            unique=(0x5B17C0E94A62D301, 0x2FD8346B91E7A002),
            rocm="6.2.0-66",
            driver=LINUX_6_1,
            host=pcie_host(32000),
            peer=lambda _agent, _other, _to: None,
        )
    )
    tree.change(f"{ASLEEP}/power/runtime_status", "suspended")
    tree.change(f"{ASLEEP}/power/control", "auto")
    tree.change(f"{ASLEEP}/power_state", "D3hot")
    return tree
