"""An image of Python packages on that server: AMD's wheels of ROCm 10, and a PyTorch with its own for other GPUs."""

from parts_mi300x import SMALL_CPUS, State
from parts_mi300x import build as build_node
from parts_rocm import add_wheels, remove_rocm

NAME = "rocm-wheels"


def build():
    tree = build_node(State(name=NAME, boot_id="9d2b6f41-70c3-4e8a-b15f-4c8e1a7d3052", words="iommu=pt quiet", cpus=SMALL_CPUS))
    remove_rocm(tree)
    add_wheels(tree)
    return tree
