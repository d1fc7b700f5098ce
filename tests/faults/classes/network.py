"""Faults and healthy variants: networks, ports of a NIC, their limits, and levels that gates use."""

import functools
import posixpath
import re

from asking import MACHINES
from edits import _port, net_of, nic_beside, polling, port_disabled, same_address, second_ports_disabled
from machine import PCI, Machine, read_tree

from .row import Healthy, R, Row, i, r

ACS = 0x0D
NO_GID = "0000:0000:0000:0000:0000:0000:0000:0000"
SECOND = ("state", "phys_state", "link_layer", "rate")


def nics_of(machine):
    """All functions with an RDMA device, a container's GPU or not."""
    return sorted(bdf for bdf in machine.functions()
                  if any(path.endswith("/ports/1/state") for path in machine.below(f"{machine.folder(bdf)}/infiniband")))


def ipv4(*parts):
    """The GID that is mapped from an IPv4 address."""
    return "0000:0000:0000:0000:0000:ffff:%02x%02x:%02x%02x" % parts


def gid(machine, nic, index, text, kind="RoCE v2"):
    port = _port(machine, nic)
    machine.line(f"{port}/gids/{index}", text)
    if text == NO_GID:
        machine.entries.pop(f"{port}/gid_attrs/types/{index}", None)
        machine.entries.pop(f"{port}/gid_attrs/ndevs/{index}", None)
    else:
        machine.line(f"{port}/gid_attrs/types/{index}", kind)
        machine.line(f"{port}/gid_attrs/ndevs/{index}", net_of(machine, nic))


def every(edit):
    """The same edit of each NIC: (machine, NIC, its position)."""
    def all_of_them(machine, _gpu):
        for at, nic in enumerate(nics_of(machine)):
            edit(machine, nic, at)
    return all_of_them


def one(edit):
    """The edit of the NIC beside the GPU: (machine, NIC, 0)."""
    return lambda machine, gpu: edit(machine, nic_beside(machine, gpu)[0], 0)


def both(*edits):
    def in_order(machine, gpu):
        for edit in edits:
            edit(machine, gpu)
    return in_order


# -- addresses ----------------------------------------------------------------

def address(*last):
    """The IPv4 address of a NIC, as RoCE v1 and v2."""
    def edit(machine, nic, at):
        parts = last[:-1] + (last[-1] + at,)
        gid(machine, nic, 2, ipv4(*parts), "IB/RoCE v1")
        gid(machine, nic, 3, ipv4(*parts))
    return edit


def link_local_only(machine, nic, _at):
    for index in (2, 3):
        gid(machine, nic, index, NO_GID)


def without_ipv6(machine, nic, _at):
    """IPv6 is off: no link-local GIDs, so that IPv4 comes first."""
    text = machine.text(f"{_port(machine, nic)}/gids/3").strip()
    gid(machine, nic, 0, text, "IB/RoCE v1")
    gid(machine, nic, 1, text)
    link_local_only(machine, nic, _at)


def second_address(machine, nic, _at):
    for index, kind in ((4, "IB/RoCE v1"), (5, "RoCE v2")):
        gid(machine, nic, index, ipv4(10, 9, int(nic[5:7], 16), 1), kind)


def late_address(machine, nic, at):
    """The first address was taken away, and the second has its later index."""
    second_address(machine, nic, at)
    link_local_only(machine, nic, at)


def ula(machine, nic, at):
    for index, kind in ((2, "IB/RoCE v1"), (3, "RoCE v2")):
        gid(machine, nic, index, "fd00:0000:0000:%04x:0000:0000:0000:0001" % (at + 1), kind)


def neighbour(machine, nic):
    nics = nics_of(machine)
    return nics[(nics.index(nic) + 1) % len(nics)]


def second_of_neighbour(machine, nic, _at):
    """Its neighbour's address as its second one."""
    text = machine.text(f"{_port(machine, neighbour(machine, nic))}/gids/3").strip()
    gid(machine, nic, 4, text, "IB/RoCE v1")
    gid(machine, nic, 5, text)


def ula_of_neighbour(machine, nic, _at):
    for each in (nic, neighbour(machine, nic)):
        gid(machine, each, 5, "fd00:0000:0000:0007:0000:0000:0000:0001")


def v1_of_neighbour(machine, nic, _at):
    gid(machine, nic, 4, machine.text(f"{_port(machine, neighbour(machine, nic))}/gids/3").strip(), "IB/RoCE v1")


def mac_of_neighbour(machine, nic, _at):
    for index in (0, 1):
        machine.put(f"{_port(machine, nic)}/gids/{index}", machine.text(f"{_port(machine, neighbour(machine, nic))}/gids/{index}"))


def given_link_local(machine, nic, _at):
    """fe80::1 on each rail, as unnumbered BGP has it."""
    gid(machine, nic, 4, "fe80:0000:0000:0000:0000:0000:0000:0001")


# -- link layers --------------------------------------------------------------

def infiniband(machine, nic, _at):
    """The port is one for InfiniBand, with a subnet manager; it keeps no interface for Ethernet."""
    port = _port(machine, nic)
    machine.line(f"{port}/link_layer", "InfiniBand")
    machine.line(f"{port}/gids/0", "fe80:0000:0000:0000:5e25:7303:0040:%04x" % (int(nic[5:7], 16)))
    machine.line(f"{port}/gid_attrs/types/0", "IB/RoCE v1")
    for index in (1, 2, 3):
        gid(machine, nic, index, NO_GID)


def ipoib(mtu):
    def edit(machine, nic, at):
        infiniband(machine, nic, at)
        machine.line(f"{machine.folder(nic)}/net/{net_of(machine, nic)}/mtu", mtu)
    return edit


def model(vendor, device, driver, firmware):
    """NICs of another vendor."""
    def edit(machine, nic, _at):
        machine.pci_line(nic, "modalias", f"pci:v0000{vendor}d0000{device}sv0000{vendor}sd00000041bc02sc00i00")
        machine.pci_line(nic, "vendor", f"0x{vendor.lower()}")
        machine.pci_line(nic, "device", f"0x{device.lower()}")
        machine.link(f"{machine.folder(nic)}/driver", f"/sys/bus/pci/drivers/{driver}")
        machine.line(f"{_port(machine, nic).rpartition('/ports/')[0]}/fw_ver", firmware)
    return edit


# -- ports and functions of a NIC ---------------------------------------------

def second_port(machine, nic, _at=0):
    first = _port(machine, nic)
    for path in machine.below(first):
        if machine.kind(path) == "f":
            machine.put(path.replace(first, f"{first[:-1]}2"), machine.text(path))
    subnet = int(nic[5:7], 16)
    for index in (2, 3):
        machine.line(f"{first[:-1]}2/gids/{index}", ipv4(172, 16, subnet, 1))
    for index in (0, 1):
        machine.line(f"{first[:-1]}2/gids/{index}", "fe80:0000:0000:0000:5e25:73ff:fe41:%04x" % subnet)


def without_second_port(machine, gpu):
    machine.drop(f"{_port(machine, nic_beside(machine, gpu)[0])[:-1]}2")


def second_port_state(state, phys):
    def edit(machine, gpu):
        folder = f"{_port(machine, nic_beside(machine, gpu)[0])[:-1]}2"
        machine.line(f"{folder}/state", state)
        machine.line(f"{folder}/phys_state", phys)
    return edit


def copy_function(machine, nic, place, devices, interfaces):
    """All files of a NIC's function in another folder, with other names of its RDMA device and its interface."""
    folder = machine.folder(nic)
    for path in machine.below(folder):
        other = path.replace(folder, place).replace(*devices).replace(*interfaces)
        if machine.kind(path) == "f":
            machine.put(other, machine.text(path).replace(*interfaces))
        elif machine.kind(path) == "l" and path.endswith("/device"):
            machine.entries[other] = [f"l {other} -> ../../../{posixpath.basename(place)}"]
        elif machine.kind(path) == "l":
            machine.link(other, machine.target(path))
        elif machine.kind(path) in "cd":
            machine.entries[other] = [machine.entries[path][0].replace(path, other), *machine.entries[path][1:]]


def second_function(machine, nic, _at=0):
    """The second function of a card: PCI function 1 with RDMA device and interface."""
    other, copy = f"{nic[:-1]}1", f"{machine.folder(nic)[:-1]}1"
    device = posixpath.basename(_port(machine, nic).rpartition("/ports/")[0])
    name, subnet = net_of(machine, nic), int(nic[5:7], 16)
    copy_function(machine, nic, copy, (device, f"{device}p1"), (name, f"{name}p1"))
    machine.link(f"{PCI}/{other}", copy)
    machine.link(f"/sys/class/infiniband/{device}p1", f"{copy}/infiniband/{device}p1")
    machine.link(f"/sys/class/net/{name}p1", f"{copy}/net/{name}p1")
    ports = f"{copy}/infiniband/{device}p1/ports/1"
    for index in (2, 3):
        machine.line(f"{ports}/gids/{index}", ipv4(172, 17, subnet, 1))
    for index in (0, 1):
        machine.line(f"{ports}/gids/{index}", "fe80:0000:0000:0000:5e25:73ff:fe42:%04x" % subnet)
    for setting in ("rp_filter", "arp_ignore", "arp_announce"):
        conf = "/proc/sys/net/ipv4/conf"
        if machine.kind(f"{conf}/{name}/{setting}"):
            machine.put(f"{conf}/{name}p1/{setting}", machine.text(f"{conf}/{name}/{setting}"))


def without_second_function(machine, gpu):
    machine.drop(f"{machine.folder(nic_beside(machine, gpu)[0])[:-1]}1")


def without_second_device(machine, gpu):
    machine.drop(f"{machine.folder(nic_beside(machine, gpu)[0])[:-1]}1/infiniband")


def bonded(machine, nic, at):
    """Both functions of a card in one bond, which has one RDMA device and one address."""
    second_function(machine, nic)
    other, bond = f"{machine.folder(nic)[:-1]}1", f"/sys/devices/virtual/net/bond{at}"
    machine.drop(f"{other}/infiniband")
    name, port = net_of(machine, nic), _port(machine, nic)
    for folder, member in ((machine.folder(nic), name), (other, f"{name}p1")):
        machine.link(f"{folder}/net/{member}/master", bond)
        machine.link(f"{bond}/lower_{member}", f"{folder}/net/{member}")
    for file, text in (("mtu", 9000), ("operstate", "up"), ("carrier", 1), ("bonding/mode", "802.3ad 4")):
        machine.line(f"{bond}/{file}", text)
    machine.link(f"/sys/class/net/bond{at}", bond)
    for index in range(4):
        machine.line(f"{port}/gid_attrs/ndevs/{index}", f"bond{at}")
    for sysctl, value in (("rp_filter", 2), ("arp_ignore", 2), ("arp_announce", 1)):
        machine.line(f"/proc/sys/net/ipv4/conf/bond{at}/{sysctl}", value)


# -- numbers ------------------------------------------------------------------

def net_line(name, value):
    return lambda machine, nic, _at: machine.line(f"{machine.folder(nic)}/net/{net_of(machine, nic)}/{name}", value)


def port_line(name, value):
    return lambda machine, nic, _at: machine.line(f"{_port(machine, nic)}/{name}", value)


def link_of(speed, width):
    return lambda machine, nic, _at: machine.link_state(nic, speed, width, most=True)


def slingshot_mtu(count):
    def edit(machine, _gpu):
        files = sorted(path for path in machine.entries if path.endswith("/mtu") and "/net/hsi" in path)
        for path in files[:count]:
            machine.line(path, 1500)
    return edit


def hugepages(gib):
    """Pages of 2 MiB."""
    def edit(machine, _gpu):
        machine.line("/sys/kernel/mm/hugepages/hugepages-2048kB/nr_hugepages", gib * 512)
    return edit


def storage_nic(layer, rate):
    """A NIC of another model at a root without GPUs."""
    def edit(machine, _gpu):
        nic = nics_of(machine)[0]
        place, bdf = "/sys/devices/pci0000:f0/0000:f0:02.0", "0000:f0:02.0"
        device, name = posixpath.basename(_port(machine, nic).rpartition("/ports/")[0]), net_of(machine, nic)
        copy_function(machine, nic, place, (device, "mlx5_9"), (name, "ens71"))
        machine.link(f"{PCI}/{bdf}", place)
        machine.link("/sys/class/infiniband/mlx5_9", f"{place}/infiniband/mlx5_9")
        machine.link("/sys/class/net/ens71", f"{place}/net/ens71")
        machine.pci_line(bdf, "modalias", "pci:v000015B3d0000101Dsv000015B3sd00000041bc02sc00i00")
        port = f"{place}/infiniband/mlx5_9/ports/1"
        machine.line(f"{port}/link_layer", layer)
        machine.line(f"{port}/rate", rate)
        for index in (0, 1):
            machine.line(f"{port}/gids/{index}", "fe80:0000:0000:0000:5e25:73ff:fe43:0071")
        for index in (2, 3):
            machine.line(f"{port}/gids/{index}", ipv4(172, 18, 0, 1))
    return edit


def vfs_beside(machine, _gpu):
    """Each NIC has a virtual function without an RDMA device here: a guest has it."""
    for nic in nics_of(machine):
        folder = f"{machine.folder(nic)[:-1]}2"
        machine.put(f"{folder}/modalias", machine.text(f"{machine.folder(nic)}/modalias"))
        machine.link(f"{folder}/physfn", machine.folder(nic))
        machine.link(f"{PCI}/{nic[:-1]}2", folder)


def old_kernel(machine, nic, _at):
    """Without the interface of each GID."""
    machine.drop(f"{_port(machine, nic)}/gid_attrs/ndevs")


# -- machines whose recording has no NIC ---------------------------------------

@functools.lru_cache(maxsize=1)
def template():
    """The machine whose first NIC is the model of others."""
    machine = Machine(read_tree(MACHINES / "mi300x-tuned.tree"))
    return machine, nics_of(machine)[0]


def root_port_beside(machine, gpu):
    """The folder of another port of the root, as the GPU's is."""
    port = machine.folder(gpu).rpartition("/")[0]
    root, _, bdf = port.rpartition("/")
    other = f"{bdf[:8]}1e.{bdf[-1]}"
    for path in machine.below(port):
        if re.search(r"/[0-9a-f]{4,}:[0-9a-f]{2}:[0-9a-f]{2}\.[0-7](/|$)", path[len(port) :]):
            continue
        place = path.replace(port, f"{root}/{other}", 1)
        if machine.kind(path) == "l":
            machine.link(place, machine.target(path))
        else:
            machine.entries[place] = [machine.entries[path][0].replace(path, place), *machine.entries[path][1:]]
    machine.link(f"{PCI}/{other}", f"{root}/{other}")
    acs = machine.extended(other, ACS) if machine.kind(f"{root}/{other}/config") else 0
    if acs:
        machine.poke(other, acs + 6, "<H", 0)
    return f"{root}/{other}"


def add_nics(machine, _gpu):
    """One NIC beside each GPU, at the same root."""
    source, like = template()
    device, name = posixpath.basename(_port(source, like).rpartition("/ports/")[0]), net_of(source, like)
    for at, gpu in enumerate(machine.gpus()):
        bdf = nic_beside(machine, gpu)[0]
        place = f"{root_port_beside(machine, gpu)}/{bdf}"
        for path in source.below(source.folder(like)):
            other = path.replace(source.folder(like), place).replace(device, f"bnxt_re{at}").replace(name, f"ens{at}np0")
            if path.endswith("/infiniband/" + device + "/device") or path.endswith(f"/net/{name}/device"):
                machine.entries[other] = [f"l {other} -> ../../../{bdf}"]
            elif source.kind(path) == "f":
                machine.put(other, source.text(path).replace(name, f"ens{at}np0").replace(like, bdf))
            elif source.kind(path) == "l" and not path.endswith("/iommu_group"):
                machine.link(other, source.target(path))
            elif source.kind(path) in "cd":
                machine.entries[other] = [source.entries[path][0].replace(path, other), *source.entries[path][1:]]
        for file in ("numa_node", "local_cpulist", "local_cpus"):
            if machine.kind(f"{machine.folder(gpu)}/{file}") == "f":
                machine.put(f"{place}/{file}", machine.text(f"{machine.folder(gpu)}/{file}"))
        if machine.kind(f"{machine.folder(gpu)}/iommu_group"):
            machine.link(f"{place}/iommu_group", machine.target(f"{machine.folder(gpu)}/iommu_group"))
        machine.link(f"{PCI}/{bdf}", place)
        machine.link(f"/sys/class/infiniband/bnxt_re{at}", f"{place}/infiniband/bnxt_re{at}")
        machine.link(f"/sys/class/net/ens{at}np0", f"{place}/net/ens{at}np0")
        address(10, 0, at, 1)(machine, bdf, 0)
        for index in (0, 1):
            machine.line(f"{_port(machine, bdf)}/gids/{index}", "fe80:0000:0000:0000:5e25:73ff:fe44:%04x" % at)
        for sysctl, value in (("rp_filter", 2), ("arp_ignore", 2), ("arp_announce", 1)):
            machine.line(f"/proc/sys/net/ipv4/conf/ens{at}np0/{sysctl}", value)
            machine.line(f"/proc/sys/net/ipv4/conf/all/{sysctl}", 0)
    machine.line("/sys/kernel/mm/memory_peers/amdkfd/version", "1.0")


VIRTUAL = model("15B3", "101E", "mlx5_core", "28.43.2026")  # a guest's virtual function of a ConnectX

CX7 = model("15B3", "1021", "mlx5_core", "28.43.2026")
POLLARA = model("1DD8", "1002", "ionic", "1.117.1-a-63")
GATES = {"acceptance": R, "rccl-multinode": R}
GRADED = {"acceptance": r, "rccl-multinode": r}
ASIDE = {"acceptance": i, "rccl-multinode": i}
MORE = ("mi300x-cpx", "container")
DUAL = every(second_port)
CARDS = every(second_function)

ROWS = {
    "8 networks": (
        Row("one of eight like ports is InfiniBand", one(infiniband), "rdma.gid", GRADED, more=MORE,
            names=("is an InfiniBand port", "1 of 8 similar ports")),
        Row("two of eight like ports are Ethernet", lambda m, g: [infiniband(m, n, 0) for n in nics_of(m)[2:]], "rdma.gid",
            GRADED, names=("2 are Ethernet",)),
        Row("half of the like ports are InfiniBand", lambda m, g: [infiniband(m, n, 0) for n in nics_of(m)[::2]], "rdma.gid",
            GRADED, names=("4 of 8 similar ports are InfiniBand",)),
        Row("a ConnectX-7 among eight is InfiniBand", both(every(CX7), one(infiniband)), "rdma.gid", GRADED,
            names=("InfiniBand",)),
        Row("one port has a link-local IPv4 address", one(address(169, 254, 7, 9)), "rdma.gid", GRADED, more=MORE,
            names=("is link-local",)),
        Row("all ports have link-local IPv4 addresses", every(address(169, 254, 7, 9)), "rdma.gid", GRADED,
            names=("each of the 8 ports is link-local",)),
        Row("one port has link-local IPv6 GIDs only", one(link_local_only), "rdma.gid", GATES, more=MORE,
            names=("no RoCE v2 GID",)),
        Row("all ports have link-local IPv6 GIDs only", every(link_local_only), "rdma.gid", GATES),
        Row("one port has IPv6 addresses, the others IPv4", one(ula), "rdma.gid", GATES, names=("IPv6",)),
        Row("two ports have one address", same_address, "rdma.gid", GATES, more=("mi300x-cpx",), names=("that of",)),
        Row("a port's second address is its neighbour's", one(second_of_neighbour), "rdma.gid", GRADED, more=MORE,
            names=("GID 4", "GID 2")),
        Row("a port's RoCE v1 address is its neighbour's", one(v1_of_neighbour), "rdma.gid", GRADED, names=("GID 4",)),
        Row("two ports have one IPv6 address", one(ula_of_neighbour), "rdma.gid", GRADED, names=("GID 5",)),
        Row("two ports have one MAC address", one(mac_of_neighbour), "rdma.gid", ASIDE, names=("GID 0",)),
        Row("one port has its address at another index", one(without_ipv6), "rdma.gid", GATES, more=MORE,
            names=("no common GID index", "7 have 3")),
        Row("ports agree on a later index only", both(every(second_address), one(late_address)), "rdma.gid", GATES,
            names=("GID 5 is usable on all ports",)),
        Row("all ports have their address at index 1", every(without_ipv6), "rdma.gid", ASIDE, more=MORE,
            names=("all ports have their RoCE v2 address at GID 1",)),
        Healthy("ConnectX-7 in all slots", every(CX7), more=MORE),
        Healthy("Pollara in all slots", every(POLLARA), more=MORE),
        Healthy("all ports are InfiniBand", every(infiniband)),
        Healthy("ConnectX-7 with IPoIB and MTU 2044", both(every(CX7), every(ipoib(2044)))),
        Healthy("ConnectX-7 with IPoIB and MTU 4092", both(every(CX7), every(ipoib(4092)))),
        Healthy("RoCE with IPv6 addresses of their own only", every(ula), more=MORE),
        Healthy("each NIC in a subnet of /31", every(lambda m, n, at: address(10, 1, at, 2 * at)(m, n, 0))),
        Healthy("fe80::1 is given to each rail", every(given_link_local)),
        Healthy("each port has a second address", every(second_address)),
        Healthy("a kernel that names no interface of a GID", every(old_kernel)),
        Healthy("a storage NIC of another model for InfiniBand", storage_nic("InfiniBand", "200 Gb/sec (4X HDR)"),
                info=("pci.symmetry",)),
        Healthy("a slower storage NIC of another model", storage_nic("Ethernet", "100 Gb/sec (4X EDR)"),
                info=("pci.symmetry",)),
        Healthy("virtual functions that guests have", vfs_beside),
        Healthy("a guest with a virtual function of a ConnectX for RoCE", both(add_nics, every(VIRTUAL)), base="guest"),
        Healthy("a guest with one for InfiniBand", both(add_nics, every(VIRTUAL), every(infiniband)), base="guest"),
        Healthy("a guest with MTU 1500", both(add_nics, every(net_line("mtu", 1500))), base="guest"),
        Healthy("a NIC at the root of each GPU", add_nics, base="mi350x"),
        Healthy("Pollara at the root of each GPU", both(add_nics, every(POLLARA)), base="mi350x"),
        Row("one of the NICs of an MI350X is InfiniBand", both(add_nics, one(infiniband)), "rdma.gid", {"acceptance": r},
            base="mi350x", names=("1 of 8 similar ports",)),
    ),
    "5 parts of a NIC": (
        Row("the second port of one NIC has no carrier", both(DUAL, second_port_state("1: DOWN", "2: Polling")), "rdma.port",
            GATES, more=MORE, also=("rdma.rate",)),
        Row("the second port of one NIC is off", both(DUAL, second_port_state("1: DOWN", "3: Disabled")), "rdma.port", GATES,
            more=MORE),
        Row("one NIC shows one of two ports", both(DUAL, without_second_port), "rdma.count", GRADED, more=MORE,
            names=("1 port", "2")),
        Row("one card lacks its second function", both(CARDS, without_second_function), "rdma.count", GRADED, more=("mi300x-cpx",),
            also=("pci.symmetry",), names=("function",)),
        Row("the second function of one card has no RDMA device", both(CARDS, without_second_device), "rdma.count", GATES,
            more=("mi300x-cpx",), also=("pci.symmetry",), names=("no RDMA device",)),
        Row("the only port of one NIC is off", port_disabled, "rdma.port", GATES, also=("gpu.nic",)),
        Row("the only port of one NIC has no carrier", polling, "rdma.port", GATES, also=("rdma.rate", "gpu.nic")),
        Row("one NIC of an MI350X shows one of two ports", both(add_nics, DUAL, without_second_port), "rdma.count",
            {"acceptance": r}, base="mi350x", names=("1 port",)),
        Healthy("all NICs have two ports", DUAL, more=MORE),
        Healthy("all NICs of an MI350X have two ports", both(add_nics, DUAL), base="mi350x"),
        Healthy("all cards have two functions", CARDS, more=("mi300x-cpx",)),
        Healthy("the second ports of all NICs are off", second_ports_disabled),
        Healthy("one NIC of eight has a second port", one(second_port)),
        Healthy("one card of eight has a second function", one(second_function)),
        Healthy("both functions of each card are one bond", every(bonded)),
        Healthy("both functions of one card are one bond", one(bonded)),
        Healthy("virtual functions beside cards with two functions", both(CARDS, vfs_beside)),
    ),
    "2 limits of networks": (
        Row("all interfaces have MTU 1500", every(net_line("mtu", 1500)), "net.mtu", ASIDE, more=MORE,
            names=("all 8 interfaces", "1024 bytes")),
        Row("all interfaces of an MI350X have MTU 1500", both(add_nics, every(net_line("mtu", 1500))), "net.mtu",
            {"acceptance": i}, base="mi350x", names=("all 8 interfaces",)),
        Row("one Slingshot interface has MTU 1500", slingshot_mtu(1), "net.mtu", GRADED, base="mi300a", more=("mi250x",)),
        Row("all interfaces have an MTU that Ethernet does not carry", every(net_line("mtu", 65520)), "net.mtu", ASIDE,
            names=("65520",)),
        Row("one interface has MTU 65520", one(net_line("mtu", 65520)), "net.mtu", GRADED),
        Row("all ports state more than PCIe carries", both(every(port_line("rate", "800 Gb/sec (8X NDR)")),
                                                           every(link_of("32.0", 16))), "rdma.rate",
            {"rccl-multinode": i}, also=("net.link",), names=("each of the 8 ports", "800")),
        Row("one NIC is built for half of its lanes", one(link_of("16.0", 8)), "rdma.rate", ASIDE,
            names=("400 Gb/s", "PCIe"), also=("pci.link", "pci.symmetry")),
        Row("a counter has stopped at its highest value", one(port_line("counters/link_downed", 255)), "rdma.errors", ASIDE,
            names=("255 or more",)),
        Row("a wide counter has stopped", one(port_line("counters/symbol_error", 65535)), "rdma.errors", ASIDE,
            names=("65535 or more",)),
        Row("one interface has a lower speed", one(net_line("speed", 200000)), "net.link", GATES),
        Row("all interfaces have a tenth of their ports' rate", every(net_line("speed", 40000)), "net.link", ASIDE,
            more=MORE, names=("each of the 8 interfaces", "400 Gb/s")),
        Row("all interfaces state a speed in kb/s", every(net_line("speed", 4000000)), "net.link", ASIDE),
        Healthy("MTU 4220, as some clouds have it", every(net_line("mtu", 4220))),
        Healthy("Slingshot interfaces with MTU 1500", slingshot_mtu(4), base="mi300a", more=("mi250x",)),
        Healthy("MTU 9216", every(net_line("mtu", 9216))),
        Healthy("no driver tells a speed", every(net_line("speed", -1)), more=MORE),
    ),
    "10 levels": (
        Row("huge pages take most of the memory", hugepages(1700), "memory.hugepages", {"acceptance": r},
            more=("mi300x-cpx", "mi350x", "mi210", "mi250x", "mi300a"), names=("TiB",)),
        Row("huge pages take a part of the memory", hugepages(300), "memory.hugepages", {"acceptance": i}),
        Row("a link flapped at some time", one(net_line("carrier_down_count", 9)), "net.flaps", ASIDE),
        Row("packets came damaged", one(net_line("statistics/rx_crc_errors", 4)), "net.flaps", ASIDE),
        Healthy("a few huge pages", hugepages(20), more=("mi350x", "mi300a")),
        Healthy("a link went down once, at boot", one(net_line("carrier_down_count", 1))),
    ),
}
