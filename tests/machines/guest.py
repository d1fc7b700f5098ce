"""A virtual machine with one whole MI300X passed through: no cpufreq, few CPUs."""

from dataclasses import replace

import parts_config as config
from parts_amdgpu import GUEST
from parts_chips import MI300X
from parts_cpu import Cpus, Idle
from parts_epyc import FLAGS, ids
from parts_kfd import FORM_2026
from parts_node import Node, Ports, Slot
from parts_node import build as build_node

NAME = "guest"
# The root port of QEMU's q35 machine: ACS is there, and nobody switched it on.
QEMU = Ports(0x1B36, 0x000C, config.QEMU_PORT, (16.0, 32), (0x001D, 0x0000))
IDLE = (
    Idle("POLL", "CPUIDLE CORE POLL IDLE", 0, 0),
    Idle("haltpoll idle", "default architecture idle", 1, 1),
)


def build():
    return build_node(
        Node(
            name=NAME,
            boot_id="d9a4e7c2-60b1-4835-bc7f-018e52d36a94",
            release="6.8.0-45-generic",
            cmdline="BOOT_IMAGE=/vmlinuz-6.8.0-45-generic root=/dev/vda1 ro console=ttyS0",
            distro="ubuntu",
            board=("QEMU", "Standard PC (Q35 + ICH9, 2009)"),
            cpus=Cpus(
                sockets=1,
                cores=16,
                threads=1,
                ids=ids(25, 17, "AMD EPYC 9654 96-Core Processor"),
                flags=FLAGS.replace("hw_pstate", "hypervisor"),
                mhz="2396.398",
                cache_size="1024 KB",
                node_kib=263_905_280,
            ),
            caches=(32, 1024, 16384),
            mhz=0,
            idle=("haltpoll", "haltpoll", IDLE),
            numa_balancing=0,
            chip=replace(MI300X, subsystem=(0x1002, 0x74A1), vfs=0),
            slots=(Slot("0000:00:02.4", 0x05, -1, QEMU),),
            unique=(0x3C81D0A95E27F406,),
            hives=(0x6BE1A7C39D20F4EB,),
            module="6.8.5",
            driver=GUEST,
            rocm="6.2.0-66",
            form=FORM_2026,
            iommu=False,
            card=1,
        )
    )
