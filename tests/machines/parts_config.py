"""Bytes of PCI configuration space."""

import struct

# PCI Express port types, as in the capability's flags register
ENDPOINT, ROOT_PORT, UPSTREAM, DOWNSTREAM, TO_PCI, INTEGRATED, COLLECTOR = 0, 4, 5, 6, 7, 9, 10
BRIDGES = (ROOT_PORT, UPSTREAM, DOWNSTREAM, TO_PCI)

# extended capability ids
AER, VC, SERIAL, VENDOR, ACS, ATS, SRIOV = 0x01, 0x02, 0x03, 0x0B, 0x0D, 0x0F, 0x10
PRI, REBAR, SECONDARY, PASID, DPC, L1PM, DLF = 0x13, 0x15, 0x19, 0x1B, 0x1D, 0x1E, 0x25
PHY16, MARGIN = 0x26, 0x27

PM, PCIE, SSVID, MSI, MSIX = 0x01, 0x10, 0x0D, 0x05, 0x11

# Where each family of devices keeps its capabilities, in list order.
# The Broadcom list runs back and forth, as the real one does.
AMD_PORT = (
    ((0x50, PM), (0x58, PCIE), (0xA0, MSI), (0xC0, SSVID)),
    ((0x100, VENDOR), (0x150, AER), (0x270, SECONDARY), (0x2A0, ACS), (0x370, L1PM),
     (0x380, DPC), (0x400, DLF), (0x410, PHY16), (0x440, MARGIN)),
)
AMD_GPU = (
    ((0x50, PM), (0x64, PCIE), (0xA0, MSI), (0xC0, MSIX)),
    ((0x100, VENDOR), (0x150, AER), (0x200, REBAR), (0x270, SECONDARY), (0x2A0, ACS),
     (0x2B0, ATS), (0x2C0, PRI), (0x2D0, PASID), (0x330, SRIOV), (0x400, DLF),
     (0x410, PHY16), (0x450, MARGIN)),
)
AMD_INTERNAL = (
    ((0x48, 0x09), (0x50, PM), (0x64, PCIE), (0xA0, MSI)),
    ((0x100, VENDOR), (0x150, AER), (0x270, SECONDARY), (0x2A0, ACS)),
)
BROADCOM = (
    ((0x40, PM), (0x68, PCIE), (0xB0, SSVID), (0x50, MSI)),
    ((0x100, SERIAL), (0x10C, SECONDARY), (0x150, VC), (0x1E0, VENDOR), (0x250, PHY16),
     (0x180, MARGIN), (0x1D0, DLF), (0x170, ACS), (0x1F0, AER)),
)
ADAPTER = (
    ((0x40, PM), (0x60, PCIE), (0x9C, MSIX)),
    ((0x100, AER), (0x148, SERIAL), (0x168, SECONDARY), (0x230, ACS)),
)
QEMU_PORT = (
    ((0x54, PCIE), (0x48, MSIX), (0x40, SSVID)),
    ((0x100, AER), (0x148, ACS)),
)
LEGACY = (((0x40, PM), (0x50, MSI)), ())
NONE = ((), ())

SPEED_CODE = {2.5: 1, 5.0: 2, 8.0: 3, 16.0: 4, 32.0: 5}

# RDMA NICs of the machines: Broadcom Thor 2, Slingshot.
RDMA_NICS = ((0x14E4, 0x1760), (0x17DB, 0x0501))


def is_gpu(fn):
    return fn.vendor == 0x1002 and not fn.bridge


def is_end(fn):
    """Whether a path from the root ends here."""
    return is_gpu(fn) or (fn.vendor, fn.device) in RDMA_NICS


def config_space(fn):
    """The whole config space of one parts_pci.Function."""
    data = bytearray(fn.size)
    plain, extended = fn.layout
    _header(data, fn, plain)
    for at, (offset, ident) in enumerate(plain):
        data[offset] = ident
        data[offset + 1] = plain[at + 1][0] if at + 1 < len(plain) else 0
        if ident == PCIE:
            _express(data, offset, fn)
        elif ident == SSVID:
            struct.pack_into("<HH", data, offset + 4, *fn.subsystem)
        elif ident == PM:
            struct.pack_into("<H", data, offset + 2, 0xC803)
    if fn.size == 4096:
        _extended(data, fn, [one for one in extended if _has(fn, one[1])])
    return data


def _header(data, fn, plain):
    command = 0x0406 if fn.driver or fn.bridge else 0x0000
    if fn.vf:
        command &= 0x0404  # its memory is switched on in the physical function
    struct.pack_into("<HHHH", data, 0, fn.vendor, fn.device, command, 0x10 if plain else 0)
    struct.pack_into("<I", data, 8, fn.class_ << 8 | fn.revision)
    data[0x0C] = 0x10
    data[0x0E] = (1 if fn.bridge else 0) | (0x80 if fn.multifunction else 0)
    data[0x34] = plain[0][0] if plain else 0
    if fn.bridge:
        data[0x18:0x1B] = bytes((fn.bus, fn.secondary, fn.subordinate))
    else:
        struct.pack_into("<HH", data, 0x2C, *fn.subsystem)


def _has(fn, ident):
    """Whether this function has what its family may have."""
    if ident == ACS:
        return bool(fn.acs)
    return ident != DPC or fn.port in (ROOT_PORT, DOWNSTREAM)


def _express(data, at, fn):
    struct.pack_into("<H", data, at + 2, 2 | fn.port << 4 | bool(fn.slotted) << 8)
    if fn.port in (INTEGRATED, COLLECTOR):
        return
    _device(data, at, fn)
    _link(data, at, fn)
    if fn.slotted:
        struct.pack_into("<H", data, at + 0x1A, 0x0040)  # something is in it


def _link(data, at, fn):
    most, now = _link_word(fn.max_link), _link_word(fn.link)
    if fn.port in (ROOT_PORT, DOWNSTREAM):
        most |= 1 << 20  # tells whether the data link is active
        now |= bool(fn.link[1]) << 13
    struct.pack_into("<I", data, at + 0x0C, most)
    struct.pack_into("<HH", data, at + 0x10, 0x0040, now)
    speeds = (1 << SPEED_CODE[fn.max_link[0]]) - 1
    struct.pack_into("<I", data, at + 0x2C, speeds << 1)
    struct.pack_into("<H", data, at + 0x30, SPEED_CODE[fn.max_link[0]])


def _device(data, at, fn):
    """Capabilities and control: payloads, read requests, tags, atomic operations."""
    struct.pack_into("<I", data, at + 4, 0x8020 | _payload_code(fn, 512))
    struct.pack_into("<I", data, at + 0x24, _abilities(fn))
    if fn.vf:
        return  # its control words are the physical function's
    control = 0x5917 if is_end(fn) else 0x2917
    struct.pack_into("<H", data, at + 8, control | _payload_code(fn, 256) << 5)
    struct.pack_into("<H", data, at + 0x28, _controls(fn))


def _payload_code(fn, size):
    """Of so many bytes, and of 128 below an emulated port."""
    emulated = QEMU_PORT in (fn.layout, fn.parent and fn.parent.layout)
    return 0 if emulated else size.bit_length() - 8


def _long_tags(fn):
    """Tags of ten bits came with 16 GT/s."""
    return fn.max_link[0] >= 16


def _abilities(fn):
    """Atomic operations routed, completed in 32 and 64 bits; ten-bit tags completed, requested."""
    atomics = {ROOT_PORT: 0x1C0, UPSTREAM: 0x40, DOWNSTREAM: 0x40}.get(fn.port, 0)
    tags = 0x30000 if is_gpu(fn) else 0x10000 if fn.bridge else 0
    return atomics | (tags if _long_tags(fn) else 0)


def _controls(fn):
    """Whether a GPU asks for atomic operations, and with tags of ten bits."""
    if not is_gpu(fn):
        return 0
    return 0x1040 if _long_tags(fn) else 0x0040


def _link_word(link):
    speed, width = link
    return SPEED_CODE[speed] | width << 4


def _extended(data, fn, caps):
    for at, (offset, ident) in enumerate(caps):
        after = caps[at + 1][0] if at + 1 < len(caps) else 0
        struct.pack_into("<I", data, offset, ident | 1 << 16 | after << 20)
        if ident == ACS:
            struct.pack_into("<HH", data, offset + 4, *fn.acs)
        elif ident == AER:
            struct.pack_into("<I", data, offset + 0x0C, 0x00462030)  # which errors are fatal
            struct.pack_into("<I", data, offset + 0x14, 0x2000)
        elif ident == SERIAL:
            struct.pack_into("<II", data, offset + 4, 0x5F095618, 0x00805E00 | fn.bus)
        elif ident == SRIOV:
            struct.pack_into("<HH", data, offset + 0x0C, 8, 8)
