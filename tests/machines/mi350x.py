"""Eight MI350X: gfx950, 256 CUs, 160 KiB of LDS a CU."""

from parts_amdgpu import ROCM_7_0
from parts_chips import MI350X
from parts_cpu import Cpus
from parts_epyc import FLAGS, GOVERNORS, acpi_idle, ids
from parts_kfd import FORM_2026
from parts_node import Node, Ports, Slot
from parts_node import build as build_node
from parts_pci import GEN5X16

NAME = "mi350x"
ROOT = Ports(0x1022, 0x153E, link=GEN5X16)
BUSES = (0x05, 0x15, 0x65, 0x75, 0x85, 0x95, 0xE5, 0xF5)


def build():
    return build_node(
        Node(
            name=NAME,
            boot_id="2e6b90d4-c817-4a35-9f02-b5d1638ec74f",
            release="6.8.0-60-generic",
            cmdline="BOOT_IMAGE=/boot/vmlinuz-6.8.0-60-generic root=/dev/nvme0n1p2 ro iommu=pt "
            "pci=realloc=off",
            distro="ubuntu",
            board=("Supermicro", "AS -8126GS-TNMR"),
            cpus=Cpus(
                sockets=2,
                cores=16,
                threads=1,
                ids=ids(26, 2, "AMD EPYC 9135 16-Core Processor"),
                flags=FLAGS + " avx512f",
                mhz="3650.000",
                cache_size="1024 KB",
                node_kib=1_585_422_336,
            ),
            caches=(48, 1024, 32768),
            mhz=3650,
            idle=acpi_idle(100, "0x814"),
            cpufreq=("acpi-cpufreq", "performance", GOVERNORS, (3650000, 2600000, 1500000)),
            numa_balancing=0,
            chip=MI350X,
            slots=tuple(
                Slot(f"0000:{bus & 0xF0:02x}:01.1", bus, bus // 0x80, ROOT) for bus in BUSES
            ),
            unique=tuple(0x47D774FC2B8E6029 ^ number << 40 for number in range(8)),
            hives=(0x5AC01B7E93D2446F,),
            module="6.14.14",
            driver=ROCM_7_0,
            rocm="7.0.0-38",
            form=FORM_2026,
            card=1,
        )
    )
