"""Eight whole MI300X as a fresh installation leaves them: nothing tuned."""

from parts_mi300x import State
from parts_mi300x import build as build_node

NAME = "mi300x-spx"

# Ports not named here hold 0x001d, what the kernel switches on under an IOMMU.
# The ports to the processor's inside and to switch management hold 0x0000.
ACS = {
    "0000:20:01.1": 0x0001,  # plain NIC, on no GPU's path: source validation only
    "0000:44:00.0": 0x0000,  # above GPU 0000:45:00.0: off
    "0000:c8:00.0": 0x0001,  # above GPU 0000:c9:00.0: source validation only
    "0000:82:04.0": 0x0000,  # above an NVMe disk
    "0000:c2:04.0": 0x0000,  # above an NVMe disk
}


def build():
    return build_node(
        State(
            name=NAME,
            boot_id="5d0f2f4b-7a0e-4c55-8a53-9e1d0b6c2a17",
            words="iommu=pt pci=bfsort quiet",
            acs=ACS,
        )
    )
