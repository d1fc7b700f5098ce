# SPDX-License-Identifier: MIT
"""The smallest node with one of each: two GPUs below root ports with ACS on, a CPU with a governor
and an idle state. Few files, so that a whole set is some hundred system calls."""

import sys
from dataclasses import replace
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "machines"))

import parts_config as config  # noqa: E402
from parts_chips import MI300X  # noqa: E402
from parts_cpu import Cpus, Idle  # noqa: E402
from parts_epyc import FLAGS, ids  # noqa: E402
from parts_kfd import FORM_2026  # noqa: E402
from parts_node import Node, Ports, Slot  # noqa: E402
from parts_node import build as build_node  # noqa: E402

PORTS = Ports(0x1B36, 0x000C, config.QEMU_PORT, (16.0, 32), (0x001D, 0x001D))
UNREAD = ("/amdgpu_xcp_", "/caches/", "/cache/", "_links/", "/mem_banks/", "/hwmon", "/drm/")
IDLE = (
    Idle("POLL", "CPUIDLE CORE POLL IDLE", 0, 0),
    Idle("C2", "ACPI IOPORT 0x814", 100, 200),
)


def build():
    tree = whole()
    for path in [one for one in tree.entries if any(word in one for word in UNREAD)]:
        del tree.entries[path]
    return tree


def whole():
    return build_node(
        Node(
            name="two-gpus",
            boot_id="5f1d9c3e-7a42-4b8e-9d06-2c83e1f0a7b4",
            release="6.8.0-45-generic",
            cmdline="BOOT_IMAGE=/vmlinuz-6.8.0-45-generic root=/dev/vda1 ro",
            distro="ubuntu",
            board=("Supermicro", "AS -8125GS-TNMR2"),
            cpus=Cpus(
                sockets=1,
                cores=1,
                threads=1,
                ids=ids(25, 17, "AMD EPYC 9654 96-Core Processor"),
                flags=FLAGS,
                mhz="2396.398",
                cache_size="1024 KB",
                node_kib=263_905_280,
            ),
            caches=(32, 1024, 16384),
            mhz=3700,
            idle=("acpi_idle", "menu", IDLE),
            cpufreq=("acpi-cpufreq", "schedutil", "performance schedutil", (2400000, 1500000)),
            chip=replace(MI300X, subsystem=(0x1002, 0x74A1), vfs=0),
            slots=(
                Slot("0000:00:02.4", 0x05, 0, PORTS),
                Slot("0000:00:02.5", 0x06, 0, PORTS),
            ),
            unique=(0x3C81D0A95E27F406, 0x71B40C92DE5A3F18),
            hives=(0x6BE1A7C39D20F4EB,),
            module="6.8.5",
            rocm="6.2.0-66",
            form=FORM_2026,
            iommu=False,
        )
    )


if __name__ == "__main__":
    build().unpack(sys.argv[1])
