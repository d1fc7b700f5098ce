"""The PCI functions of the 8-GPU board: two sockets, four host bridges each."""

import parts_config as config
from parts_config import COLLECTOR, DOWNSTREAM, ENDPOINT, INTEGRATED, ROOT_PORT, TO_PCI, UPSTREAM
from parts_kernel import add_disk
from parts_pci import NO_LINK, Pci
from parts_rdma import add_net

GPU_ROOTS = (0x00, 0x40, 0x80, 0xC0)
BOARD = (0x15D9, 0x1D2A)
AMD_RP = (0x1022, 0x1453)
GEN4X4 = (16.0, 4)
GEN4X8 = (16.0, 8)
GEN2X1 = (5.0, 1)
ROOT_BUSES = range(0x00, 0x100, 0x20)


class Board:
    def __init__(self, cpus):
        numa = {node: cpus.of_socket(node) for node in range(cpus.sockets)}
        self.pci = Pci(numa, cpus.count)
        self.gpus = []
        self.disks = []
        self.nets = []  # (function, interface, Mbit/s, RDMA name)
        for bus in ROOT_BUSES:
            self.pci.root(0, bus, bus // 0x80)
            self._complex(bus)
        self._fabric()
        self._ethernet_and_disks()
        self._management()

    def emit(self, tree):
        self.pci.emit(tree)
        for net in self.nets:
            add_net(tree, self.pci, *net)
        for number, disk in enumerate(self.disks):
            add_disk(tree, number, self.pci.folder(disk))
        for bus in ROOT_BUSES:
            iommu = self.pci.folder(self.pci.functions[f"0000:{bus:02x}:00.2"])
            name = f"ivhd{bus // 0x20}"
            tree.link_to(f"{iommu}/iommu/{name}/device", iommu)
            tree.link_to(f"/sys/class/iommu/{name}", f"{iommu}/iommu/{name}")

    def acs(self, bdf, control):
        fn = self.pci.functions[bdf]
        fn.acs = (fn.acs[0], control)

    def all_acs(self, control):
        for fn in self.pci.functions.values():
            if fn.acs:
                fn.acs = (fn.acs[0], control if fn.acs[0] else 0)

    # -- one host bridge ----------------------------------------------------

    def _complex(self, bus):
        add = self.pci.add
        add(bus, "00.0", 0x1022, 0x14A4, 0x060000, revision=1, subsystem=BOARD)
        add(bus, "00.2", 0x1022, 0x149E, 0x080600, revision=1, subsystem=(0x1022, 0x149E),
            size=256, layout=config.LEGACY)
        add(bus, "00.3", 0x1022, 0x14A6, 0x080700, subsystem=(0x1022, 0x14A6),
            port=COLLECTOR, layout=config.AMD_INTERNAL)
        for slot in (1, 2, 3, 4, 5, 7):
            add(bus, f"{slot:02x}.0", 0x1022, 0x149F, 0x060000, revision=1)
        if bus in GPU_ROOTS:
            self._gpu_switch(bus)
        self._internal(bus)

    def _internal(self, root):
        """The port to the devices inside the processor."""
        port = self._root_port(root, "07.1", root + 0x0F, 0x14A7, subsystem=(0x1022, 0x14A4))
        port.acs = (port.acs[0], 0x0000)
        inside = ((0, 0x14AC, 0x130000, ""), (1, 0x14DC, 0x088000, ""))
        if root in (0x00, 0x60, 0x80):
            inside += ((4, 0x14C9, 0x0C0330, "xhci_hcd"), (5, 0x14CA, 0x108000, "ccp"))
        for function, device, class_, driver in inside:
            self._leaf(port, f"00.{function}", 0x1022, device, class_, driver=driver,
                       subsystem=(0x1022, device), layout=config.AMD_INTERNAL, acs=(0, 0))

    def _root_port(self, root, devfn, secondary, device=0x14AB, subsystem=AMD_RP, **more):
        return self.pci.bridge(root, devfn, 0x1022, device, secondary, ROOT_PORT, revision=1,
                               subsystem=subsystem, layout=config.AMD_PORT, **more)

    def _leaf(self, parent, devfn, vendor, device, class_, **more):
        more.setdefault("layout", config.ADAPTER)
        more.setdefault("link", parent.link)
        return self.pci.add(parent.secondary, devfn, vendor, device, class_, parent=parent,
                            port=ENDPOINT, **more)

    # -- switches -----------------------------------------------------------

    def _switch(self, root_port):
        """A Broadcom PEX890xx: its upstream port and the management endpoint."""
        bus = root_port.secondary
        return self.pci.bridge(bus, "00.0", 0x1000, 0xC030, bus + 1, UPSTREAM, parent=root_port,
                               revision=0xB0, subsystem=BOARD, layout=config.BROADCOM)

    def _down(self, switch, slot, secondary, **more):
        return self.pci.bridge(switch.secondary, f"{slot:02x}.0", 0x1000, 0xC030, secondary,
                               DOWNSTREAM, parent=switch, revision=0xB0, subsystem=BOARD,
                               layout=config.BROADCOM, **more)

    def _switch_management(self, switch, secondary):
        port = self._down(switch, 0x1F, secondary)
        port.acs = (port.acs[0], 0x0000)
        self._leaf(port, "00.0", 0x1000, 0x00B2, 0x010700, revision=0xB0, subsystem=BOARD,
                   driver="mpt3sas")

    def _gpu_switch(self, root):
        port = self._root_port(root, "01.1", root + 1)
        switch = self._switch(port)
        self._gpu(self._down(switch, 0, root + 3, slotted=True))
        self._rdma_nic(self._down(switch, 1, root + 6))
        self._gpu(self._down(switch, 2, root + 7, slotted=True))
        self._rdma_nic(self._down(switch, 3, root + 0x0A))
        self._nvme(self._down(switch, 4, root + 0x0B, link=GEN4X4))
        for slot in (5, 6):
            self._down(switch, slot, root + slot + 7, link=NO_LINK, max_link=GEN4X8)
        self._switch_management(switch, root + 0x0E)

    def _gpu(self, port):
        """The GPU's own switch, an AMD pair of ports, then the GPU."""
        bus = port.secondary
        up = self.pci.bridge(bus, "00.0", 0x1022, 0x1500, bus + 1, UPSTREAM, parent=port,
                             subsystem=(0x1022, 0x1500), layout=config.AMD_PORT)
        down = self.pci.bridge(bus + 1, "00.0", 0x1002, 0x1501, bus + 2, DOWNSTREAM, parent=up,
                               subsystem=(0x1002, 0x1501), layout=config.AMD_PORT)
        gpu = self._leaf(down, "00.0", 0x1002, 0x74A1, 0x120000, subsystem=(0x1002, 0x74A1),
                         driver="amdgpu", layout=config.AMD_GPU, acs=(0, 0))
        self.gpus.append(gpu)

    def _rdma_nic(self, port):
        nic = self._leaf(port, "00.0", 0x14E4, 0x1760, 0x020000, revision=0x11,
                         subsystem=(0x15D9, 0x1D42), driver="bnxt_en")
        number = len([net for net in self.nets if net[3]])
        self.nets.append((nic, f"ens{port.secondary}np0", 400000, f"bnxt_re{number}"))

    def _nvme(self, port):
        disk = self._leaf(port, "00.0", 0x144D, 0xA826, 0x010802, subsystem=(0x144D, 0xAA0B),
                          driver="nvme")
        self.disks.append(disk)

    # -- the rest of the board ----------------------------------------------

    def _fabric(self):
        add = self.pci.add
        add(0, "14.0", 0x1022, 0x790B, 0x0C0500, revision=0x71, subsystem=BOARD,
            driver="piix4_smbus", size=256)
        add(0, "14.3", 0x1022, 0x790E, 0x060100, revision=0x51, subsystem=BOARD, size=256)
        for slot in (0x18, 0x19):
            for function in range(8):
                add(0, f"{slot:02x}.{function}", 0x1022, 0x14AD + function, 0x060000,
                    driver="k10temp" if function == 3 else "")

    def _ethernet_and_disks(self):
        port = self._root_port(0x20, "01.1", 0x21, link=(8.0, 8), max_link=(32.0, 8))
        for function in (0, 1):
            nic = self._leaf(port, f"00.{function}", 0x8086, 0x1572, 0x020000, revision=2,
                             subsystem=(0x8086, 0x0007), driver="i40e", acs=(0, 0))
            self.nets.append((nic, f"enp33s0f{function}np{function}", 10000, None))
        for root in (0x20, 0xA0):
            self._disk_switch(root)

    def _disk_switch(self, root):
        port = self._root_port(root, "03.1", root + 2, 0x14A5)
        switch = self._switch(port)
        for slot in range(6):
            self._nvme(self._down(switch, slot, root + 4 + slot, link=GEN4X4))
        self._switch_management(switch, root + 0x0A)

    def _management(self):
        """The boot disk, two slow network ports, the BMC's VGA behind PCI."""
        boot = self._root_port(0x60, "05.1", 0x61, 0x14AA, link=GEN4X4)
        self._nvme(boot)
        slow = self._root_port(0x60, "05.2", 0x62, 0x14AA, link=(5.0, 4))
        for function in (0, 1):
            nic = self._leaf(slow, f"00.{function}", 0x8086, 0x1521, 0x020000, revision=1,
                             subsystem=BOARD, driver="igb")
            self.nets.append((nic, f"eno{function + 1}", 1000, None))
        bmc = self._root_port(0x60, "05.4", 0x63, 0x14AA, link=GEN2X1)
        bridge = self.pci.bridge(0x63, "00.0", 0x1A03, 0x1150, 0x64, TO_PCI, parent=bmc,
                                 revision=6, subsystem=BOARD, layout=config.ADAPTER, link=GEN2X1)
        bridge.driver = ""
        self.vga = self.pci.add(0x64, "00.0", 0x1A03, 0x2000, 0x030000, parent=bridge,
                                revision=0x52, subsystem=BOARD, driver="ast", size=256,
                                layout=config.LEGACY)

    def fill(self, count):
        """So many more functions, on PCI domains of their own: for the speed test."""
        for number in range(count):
            at, devfn = divmod(number, 256)
            domain, bus = 1 + at // 8, at % 8 * 0x20
            self.pci.root(domain, bus, at % 2)
            self.pci.add(bus, f"{devfn // 8:02x}.{devfn % 8}", 0x1022, 0x14DC, 0x088000,
                         domain=domain, subsystem=(0x1022, 0x14DC), port=INTEGRATED,
                         layout=config.AMD_INTERNAL, acs=(0, 0) if number % 8 == 0 else None)
