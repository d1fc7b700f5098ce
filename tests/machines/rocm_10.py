"""The server with ROCm 10, whose /opt/rocm is a folder of links, and a stale tree of 6.2.0 beside it."""

from parts_mi300x import SMALL_CPUS, State
from parts_mi300x import build as build_node
from parts_rocm import add_rocm_10

NAME = "rocm-10"


def build():
    tree = build_node(State(name=NAME, boot_id="3f0a8d52-6c1e-4b7d-8e94-0a5d7c9b2e16", words="iommu=pt quiet", cpus=SMALL_CPUS))
    del tree.entries["/opt/rocm"]
    add_rocm_10(tree)
    return tree
