"""The server after one GPU fell off the bus and the driver was loaded again.

Without hot-plug the kernel keeps such a function: its ids are in memory, its config space answers
all ones, and so do the two ports that are part of the module. The driver cannot bind to it any
more, so it has no KFD node, no DRM device, and the other seven are a hive of seven.
"""

from parts_mi300x import SMALL_CPUS, State, build_board

NAME = "mi300x-fallen"
FALLEN = 4  # 0000:85:00.0


def build():
    tree, board = build_board(
        State(
            name=NAME,
            boot_id="f06d3a5c-82e7-4b91-a4d8-6e1c9b70f235",
            words="iommu=pt pci=realloc=off quiet",
            cpus=SMALL_CPUS,
            governor="performance",
            numa_balancing=0,
            lost=(FALLEN,),
        )
    )
    gone = board.gpus[FALLEN]
    slot = gone.parent.parent.parent
    for fn in (gone, gone.parent, gone.parent.parent):
        folder = board.pci.folder(fn)
        tree.ones(f"{folder}/config")
        tree.change(f"{folder}/current_link_speed", "Unknown")
        tree.change(f"{folder}/current_link_width", 63)
    tree.change(f"{board.pci.folder(gone)}/power_state", "D3cold")
    _take_link_down(tree, board.pci.folder(slot))
    return tree


def _take_link_down(tree, folder):
    """The port above: something is still in its slot, and does not answer."""
    tree.change(f"{folder}/current_link_speed", "2.5 GT/s PCIe")
    tree.change(f"{folder}/current_link_width", 0)
    tree.poke(f"{folder}/config", 0x68 + 0x12, b"\x01\x00")
