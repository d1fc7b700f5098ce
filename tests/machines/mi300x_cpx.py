"""The same server in CPX, 64 partitions, tuned; GPU 3 has lost its limit."""

from parts_mi300x import State
from parts_mi300x import build as build_node

NAME = "mi300x-cpx"
LIMIT, TABLE = 1900, 2100
LOST = 3  # the level says determinism, the limit is gone, as after a GPU reset


def build():
    return build_node(
        State(
            name=NAME,
            boot_id="e2b7c6a1-3d84-4f19-b0c2-71a5d9f8e630",
            words="iommu=pt pci=realloc=off quiet",
            compute="CPX",
            partitions=8,
            governor="performance",
            c2_disabled=1,
            numa_balancing=0,
            level="perf_determinism",
            limits=tuple(TABLE if gpu == LOST else LIMIT for gpu in range(8)),
            all_acs=0x0000,
        )
    )
