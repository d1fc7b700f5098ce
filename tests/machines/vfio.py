"""The server with GPU 0 handed to vfio-pci and GPU 7 split by SR-IOV, six left for the host."""

import parts_config as config
from parts_chips import MI300X
from parts_config import ENDPOINT
from parts_mi300x import SMALL_CPUS, State, build_board

NAME = "vfio"
WHOLE, SPLIT = 0, 7
VF = 0x74B5


def prepare(board):
    """Before the files are written: drivers, and two virtual functions."""
    board.gpus[WHOLE].driver = "vfio-pci"
    board.gpus[SPLIT].driver = "gim"
    physical = board.gpus[SPLIT]
    for number in range(2):
        board.pci.add(physical.bus, f"02.{number}", 0x1002, VF, MI300X.class_,
                      parent=physical.parent, port=ENDPOINT, subsystem=(0x1002, 0x74A1),
                      driver="vfio-pci", layout=config.AMD_GPU, link=physical.link, acs=(0, 0),
                      vf=True)


def build():
    tree, board = build_board(
        State(
            name=NAME,
            boot_id="0e5c72f9-b14d-48a6-8c30-d7f6a92b5e81",
            words="iommu=pt pci=realloc=off quiet",
            cpus=SMALL_CPUS,
            lost=(WHOLE, SPLIT),
            prepare=prepare,
        )
    )
    folder = board.pci.folder(board.gpus[SPLIT])
    tree.change(f"{folder}/sriov_numvfs", 2)
    for number in range(2):
        fn = board.pci.functions[f"0000:{board.gpus[SPLIT].bus:02x}:02.{number}"]
        tree.link_to(f"{folder}/virtfn{number}", board.pci.folder(fn))
        tree.link_to(f"{board.pci.folder(fn)}/physfn", folder)
    return tree
