"""Four MI300A: one PCI domain each, the same bus number in all, CPU nodes in the hive."""

from parts_chips import MI300A
from parts_cpu import Cpus
from parts_epyc import FLAGS, GOVERNORS, acpi_idle, ids
from parts_kfd import XGMI, Link, xgmi_host
from parts_node import GEN4X16, Node, Ports, Slot
from parts_node import build as build_node
from parts_pci import GEN5X16

NAME = "mi300a"
INSIDE = Ports(0x1022, 0x14FE, link=GEN5X16, acs=(0x005F, 0x0000), slotted=False)
ROOT = Ports(0x1022, 0x14FC, link=GEN4X16)


def fabric(_agent, _other, to):
    return Link(XGMI, to, 15, 1, 128000, 128000, 28)


def slots():
    for apu in range(4):
        yield Slot(f"{apu:04x}:00:01.1", 0x01, apu, ROOT, nic=f"hsi{apu}")
        yield Slot(f"{apu:04x}:00:07.1", 0x02, apu, INSIDE)


def build():
    tree = build_node(
        Node(
            name=NAME,
            boot_id="91c0e8a7-5b3d-4c1f-8e26-7d40f2b9a615",
            release="5.14.21-150500.55.83_13.0.62-cray_shasta_c",
            cmdline="kernel initrd=initrd iommu=pt console=ttyS0,115200 quiet",
            distro="sles",
            board=("HPE", "HPE_CRAY_EX255a"),
            cpus=Cpus(
                sockets=4,
                cores=24,
                threads=2,
                ids=ids(25, 144, "AMD Instinct MI300A Accelerator"),
                flags=FLAGS + " avx512f",
                mhz="3700.000",
                cache_size="1024 KB",
                node_kib=130_983_872,
                apic_step=64,
            ),
            caches=(32, 1024, 32768),
            mhz=3700,
            idle=acpi_idle(100, "0x814"),
            cpufreq=("acpi-cpufreq", "performance", GOVERNORS, (3700000, 2500000, 1500000)),
            numa_balancing=0,
            chip=MI300A,
            slots=tuple(slots()),
            unique=(
                7843934696581995200, 11940228331418201223,
                3302914407718265519, 16027558093312840116,
            ),  # fmt: skip
            hives=(9034655720432782706,),
            cpu_hive=True,
            module="6.8.5",
            rocm="6.2.1-46",
            host=xgmi_host(13, 819200),
            peer=fabric,
        )
    )
    # As AMD's guide wants an APU's memory: huge pages always, and all of it for the GPUs.
    tree.change("/sys/kernel/mm/transparent_hugepage/enabled", "[always] madvise never")
    tree.texts("/sys/module/amdttm/parameters", {"pages_limit": 134217728, "page_pool_size": 134217728})
    return tree
