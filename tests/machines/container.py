"""A container on the server that was given one GPU of eight, without CAP_SYS_ADMIN.

The device cgroup makes reading the other GPUs' KFD nodes fail with EPERM; opening and listing
works. PCI is all there, but only 64 bytes of any config space.
"""

from parts_kfd import TOPOLOGY
from parts_mi300x import SMALL_CPUS, State
from parts_mi300x import build as build_node

NAME = "container"
FOLDER = False  # a folder cannot hold files that fail
OWN = 5  # the KFD node it was given: 0000:49:00.0


def build():
    tree = build_node(
        State(
            name="pod-7c9f4",
            boot_id="64b9d1e8-07a3-4c5f-92d6-b8f0a3e71c24",
            words="iommu=pt pci=realloc=off quiet",
            cpus=SMALL_CPUS,
            numa_balancing=0,
        )
    )
    for node in range(2, 10):
        if node != OWN:
            for path in tree.below(f"{TOPOLOGY}/nodes/{node}"):
                tree.deny(path, "EPERM")
    tree.limit_config(64)
    return tree
