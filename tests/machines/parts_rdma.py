"""Network interfaces, and what the kernel tells of an RDMA NIC: ports, addresses, counters."""

COUNTERS = ("excessive_buffer_overrun_errors", "link_downed", "link_error_recovery", "local_link_integrity_errors",
            "port_rcv_errors", "port_xmit_discards", "symbol_error")
BNXT_CRITICAL = ("res_mem_err", "res_rx_pci_err", "res_tx_pci_err", "unrecoverable_err")
CONF = "/proc/sys/net/ipv4/conf"
TYPES = ("IB/RoCE v1", "RoCE v2")


def add_net(tree, pci, fn, name, mbit, rdma=None, mtu=1500):
    """A network interface and, for an RDMA NIC, its InfiniBand device."""
    folder = f"{pci.folder(fn)}/net/{name}"
    tree.texts(folder, {"operstate": "up", "carrier": 1, "duplex": "full", "mtu": 9000 if rdma else mtu, "speed": mbit,
                        "carrier_down_count": 1, "statistics/rx_crc_errors": 0})
    tree.link_to(f"{folder}/device", pci.folder(fn))
    tree.link_to(f"/sys/class/net/{name}", folder)
    if rdma:
        _add_rdma(tree, pci, fn, rdma, name, mbit // 1000)
        tree.texts(f"{CONF}/{name}", {"rp_filter": 2, "arp_ignore": 2, "arp_announce": 1})


def _add_rdma(tree, pci, fn, name, net, gbit):
    folder = f"{pci.folder(fn)}/infiniband/{name}"
    tree.texts(folder, {"node_type": "1: CA", "fw_ver": "230.2.52.0"})
    port = f"{folder}/ports/1"
    tree.texts(port, {"state": "4: ACTIVE", "phys_state": "5: LinkUp", "link_layer": "Ethernet",
                      "rate": f"{gbit} Gb/sec (4X NDR)"})
    for at, gid in enumerate(_gids(fn.bus)):
        tree.texts(port, {f"gids/{at}": gid, f"gid_attrs/types/{at}": TYPES[at % 2], f"gid_attrs/ndevs/{at}": net})
    tree.texts(f"{port}/counters", dict.fromkeys(COUNTERS, 0))
    tree.texts(f"{port}/hw_counters", dict.fromkeys(BNXT_CRITICAL, 0))
    tree.link_to(f"{folder}/device", pci.folder(fn))
    tree.link_to(f"/sys/class/infiniband/{name}", folder)


def _gids(bus):
    """Link-local and IPv4, each for both versions of RoCE."""
    local = f"fe80:0000:0000:0000:5e25:73ff:fe40:{bus:04x}"
    mapped = f"0000:0000:0000:0000:0000:ffff:c0a8:{bus:02x}0a"
    return (local, local, mapped, mapped)


def add_rdma_kernel(tree, release, peers=True):
    """What the kernel at large has for it: peer memory or dma-buf, and what all interfaces share."""
    if peers:
        tree.text("/sys/kernel/mm/memory_peers/amdkfd/version", "1.0")
        tree.texts(f"{CONF}/all", {"rp_filter": 0, "arp_ignore": 0, "arp_announce": 0})
    tree.raw(f"/boot/config-{release}",
             "CONFIG_PCI_P2PDMA=y\nCONFIG_DMABUF_MOVE_NOTIFY=y\nCONFIG_HSA_AMD_P2P=y\n")
