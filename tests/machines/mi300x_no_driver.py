"""The server with amdgpu kept from loading: GPUs on PCI, and nothing else of them."""

from parts_mi300x import SMALL_CPUS, State
from parts_mi300x import build as build_node

NAME = "mi300x-no-driver"


def build():
    return build_node(
        State(
            name=NAME,
            boot_id="a81f4c06-d3e9-4572-b6a0-94c7e25d1f38",
            words="modprobe.blacklist=amdgpu iommu=pt pci=realloc=off quiet",
            cpus=SMALL_CPUS,
            driver=False,
        )
    )
