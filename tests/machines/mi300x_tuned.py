"""The same server in SPX with everything mi300x-benchmark asks for."""

from parts_mi300x import State
from parts_mi300x import build as build_node

NAME = "mi300x-tuned"


def build():
    return build_node(
        State(
            name=NAME,
            boot_id="0b9c4f57-52c1-4c2e-9a0e-6f1f6f0a4d21",
            words="iommu=pt pci=realloc=off quiet",
            governor="performance",
            c2_disabled=1,
            numa_balancing=0,
            level="perf_determinism",
            limits=(1900,) * 8,
            all_acs=0x0000,
        )
    )
