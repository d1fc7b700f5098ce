"""PCI: the tree of functions and its files below /sys."""

from dataclasses import dataclass, field

import parts_config as config
import parts_pcie as pcie
from parts_config import BRIDGES, COLLECTOR, DOWNSTREAM, INTEGRATED, ROOT_PORT
from parts_cpu import as_list, as_mask

GEN5X16 = (32.0, 16)
NO_LINK = (2.5, 0)

# ACS of a port with everything but egress control; what the kernel switches on
PORT_ACS = 0x005F
KERNEL_ACS = 0x001D


@dataclass
class Function:
    bdf: str
    vendor: int
    device: int
    class_: int
    revision: int = 0
    subsystem: tuple = (0, 0)
    driver: str = ""
    port: int = None  # PCI Express type; None is conventional PCI
    layout: tuple = config.NONE
    link: tuple = GEN5X16  # (GT/s, lanes)
    max_link: tuple = None
    acs: tuple = None  # (capability, control)
    size: int = 4096
    parent: "Function" = None
    numa: int = 0
    secondary: int = 0
    subordinate: int = 0
    multifunction: bool = False
    vf: bool = False  # a virtual function: much of its config space is its physical one's
    slotted: bool = False  # a port to a slot: what is below can be absent
    group: int = 0
    children: list = field(default_factory=list)

    def __post_init__(self):
        self.max_link = self.max_link or self.link

    @property
    def domain(self):
        return self.bdf.rsplit(":", 2)[0]

    @property
    def bus(self):
        return int(self.bdf.split(":")[-2], 16)

    @property
    def slot(self):
        return self.bdf.rpartition(".")[0]

    @property
    def bridge(self):
        return self.class_ >> 8 == 0x0604

    @property
    def modalias(self):
        base, sub, prog = self.class_ >> 16, self.class_ >> 8 & 0xFF, self.class_ & 0xFF
        return (
            f"pci:v{self.vendor:08X}d{self.device:08X}"
            f"sv{self.subsystem[0]:08X}sd{self.subsystem[1]:08X}"
            f"bc{base:02X}sc{sub:02X}i{prog:02X}"
        )


class Pci:
    """Functions in the order they are added: a parent before its children."""

    def __init__(self, numa_cpus, cpu_count, passthrough=True, kernel=(6, 8)):
        self.functions = {}
        self.roots = {}
        self.numa_cpus = numa_cpus
        self.cpu_count = cpu_count
        self.passthrough = passthrough
        self.kernel = kernel

    def root(self, domain, bus, numa):
        """A host bridge: where functions without a parent hang."""
        self.roots[f"{domain:04x}:{bus:02x}"] = numa

    def add(self, bus, devfn, vendor, device, class_, parent=None, domain=0, **more):
        bdf = f"{domain:04x}:{bus:02x}:{devfn}"
        numa = parent.numa if parent else self.roots.get(f"{domain:04x}:{bus:02x}", -1)
        fn = Function(bdf, vendor, device, class_, parent=parent, numa=numa, **more)
        if parent:
            parent.children.append(fn)
            self._widen(parent, bus)
        self.functions[bdf] = fn
        return fn

    def bridge(self, bus, devfn, vendor, device, secondary, port, **more):
        fn = self.add(bus, devfn, vendor, device, 0x060400, port=port, driver="pcieport", **more)
        fn.secondary = fn.subordinate = secondary
        if port in (ROOT_PORT, DOWNSTREAM):
            fn.acs = (PORT_ACS, KERNEL_ACS)
        if fn.parent:
            self._widen(fn.parent, secondary)
        return fn

    @staticmethod
    def _widen(bridge, bus):
        while bridge:
            bridge.subordinate = max(bridge.subordinate, bus)
            bridge = bridge.parent

    def folder(self, fn):
        """Its real place: below its bridges, below its host bridge."""
        chain, one = [], fn
        while one:
            chain.append(one.bdf)
            one = one.parent
        top = "/".join(chain[-1].split(":")[:-1]).replace("/", ":")
        return "/".join([f"/sys/devices/pci{top}", *reversed(chain)])

    # -- files --------------------------------------------------------------

    def emit(self, tree):
        slots = {}
        for fn in self.functions.values():
            slots.setdefault(fn.slot, []).append(fn)
        for number, group in enumerate(_groups(slots)):
            for fn in group:
                fn.group = number
        for fn in self.functions.values():
            fn.multifunction = len(slots[fn.slot]) > 1
            self._emit(tree, fn)
        for bdf in pcie.path_functions(self.functions.values()):
            fn = self.functions[bdf]
            pcie.add_health(tree, self.folder(fn), fn, self.kernel)
        if self.passthrough:
            self._emit_groups(tree)

    def _emit(self, tree, fn):
        folder = self.folder(fn)
        cpus = self.numa_cpus.get(fn.numa, range(self.cpu_count))
        tree.texts(
            folder,
            {
                "vendor": f"0x{fn.vendor:04x}",
                "device": f"0x{fn.device:04x}",
                "class": f"0x{fn.class_:06x}",
                "revision": f"0x{fn.revision:02x}",
                "subsystem_vendor": f"0x{fn.subsystem[0]:04x}",
                "subsystem_device": f"0x{fn.subsystem[1]:04x}",
                "modalias": fn.modalias,
                "numa_node": fn.numa,
                "local_cpulist": as_list(cpus),
                "local_cpus": as_mask(cpus, self.cpu_count),
                "enable": int(bool(fn.driver)),
                "power/runtime_status": "active",
            },
        )
        tree.raw(f"{folder}/uevent", _uevent(fn))
        tree.config(f"{folder}/config", config.config_space(fn))
        tree.link_to(f"{folder}/subsystem", "/sys/bus/pci")
        tree.link_to(f"/sys/bus/pci/devices/{fn.bdf}", folder)
        if fn.port is not None:
            tree.texts(folder, _link_files(fn))
        if fn.driver:
            driver = f"/sys/bus/pci/drivers/{fn.driver}"
            tree.link_to(f"{folder}/driver", driver)
            tree.link_to(f"{driver}/{fn.bdf}", folder)

    def _emit_groups(self, tree):
        for fn in self.functions.values():
            group = f"/sys/kernel/iommu_groups/{fn.group}"
            folder = self.folder(fn)
            tree.link_to(f"{folder}/iommu_group", group)
            tree.link_to(f"{group}/devices/{fn.bdf}", folder)
        for number in sorted({fn.group for fn in self.functions.values()}):
            tree.text(f"/sys/kernel/iommu_groups/{number}/type", "identity")


def _groups(slots):
    """IOMMU groups: a port alone, the functions of another slot together."""
    for functions in slots.values():
        shared = [fn for fn in functions if not fn.bridge]
        yield from ([fn] for fn in functions if fn.bridge)
        if shared:
            yield shared


def _uevent(fn):
    rows = [f"DRIVER={fn.driver}"] if fn.driver else []
    rows += [
        f"PCI_CLASS={fn.class_:X}",
        f"PCI_ID={fn.vendor:04X}:{fn.device:04X}",
        f"PCI_SUBSYS_ID={fn.subsystem[0]:04X}:{fn.subsystem[1]:04X}",
        f"PCI_SLOT_NAME={fn.bdf}",
        f"MODALIAS={fn.modalias}",
    ]
    return "".join(f"{row}\n" for row in rows)


def _link_files(fn):
    if fn.port in (INTEGRATED, COLLECTOR):
        now, most = ("Unknown", 0), ("Unknown", 255)
    else:
        now, most = ((f"{speed} GT/s PCIe", width) for speed, width in (fn.link, fn.max_link))
    return {
        "current_link_speed": now[0],
        "current_link_width": now[1],
        "max_link_speed": most[0],
        "max_link_width": most[1],
    }
