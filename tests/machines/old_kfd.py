"""A workstation of 2018 with one MI25: KFD nodes of 27 keys, no domain, no gfx version."""

from parts_amdgpu import OLD
from parts_chips import MI25
from parts_cpu import Cpus, Idle
from parts_epyc import FLAGS
from parts_kfd import FORM_2018, PCIE, Link
from parts_node import GEN3X16, Node, Ports, Slot
from parts_node import build as build_node

NAME = "old-kfd"
ROOT = Ports(0x8086, 0x2030, link=GEN3X16, acs=(0x001F, 0x0000))
IDLE = (
    Idle("POLL", "CPUIDLE CORE POLL IDLE", 0, 0),
    Idle("C1", "MWAIT 0x00", 2, 2),
    Idle("C1E", "MWAIT 0x01", 10, 20),
    Idle("C6", "MWAIT 0x20", 133, 600),
)


def host(to, _flags):
    return Link(PCIE, to, 20, 0)


def build():
    return build_node(
        Node(
            name=NAME,
            boot_id="7b20c5e1-4d96-4a18-8f3c-e9a1d0642b57",
            release="4.15.0-39-generic",
            cmdline="BOOT_IMAGE=/boot/vmlinuz-4.15.0-39-generic root=/dev/sda1 ro quiet splash",
            distro="ubuntu",
            board=("ASUSTeK COMPUTER INC.", "WS X299 SAGE"),
            cpus=Cpus(
                sockets=1,
                cores=10,
                threads=2,
                ids={
                    "vendor_id": "GenuineIntel",
                    "cpu family": 6,
                    "model": 85,
                    "model name": "Intel(R) Core(TM) i9-7900X CPU @ 3.30GHz",
                    "stepping": 4,
                },
                flags=FLAGS,
                mhz="1200.000",
                cache_size="14080 KB",
                node_kib=65_581_564,
            ),
            caches=(32, 1024, 14080),
            mhz=3200,
            idle=("intel_idle", "menu", IDLE),
            cpufreq=("intel_pstate", "powersave", "performance powersave", (4500000, 1200000)),
            chip=MI25,
            slots=(Slot("0000:16:00.0", 0x19, 0, ROOT),),
            unique=(0xC34E81F2A0175B0C,),
            rocm="1.9.2-307",
            driver=OLD,
            form=FORM_2018,
            host=host,
            iommu=False,
        )
    )
