"""The server with the runtime that Debian packages, and nothing in /opt."""

from parts_mi300x import SMALL_CPUS, State
from parts_mi300x import build as build_node
from parts_rocm import add_distribution, remove_rocm

NAME = "rocm-distribution"


def build():
    tree = build_node(State(name=NAME, boot_id="c71e5a09-2b84-4d63-9f0c-e3a6d81b4f27", words="iommu=pt quiet", cpus=SMALL_CPUS))
    remove_rocm(tree)
    add_distribution(tree)
    return tree
