"""A fixture machine that can be broken: a copy of its .tree, by path, and the edits a fault is made of."""

import posixpath
import re
import struct
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "machines"))
from tree import Tree, unescape, unescape_word  # noqa: E402

PCI = "/sys/bus/pci/devices"
NODES = "/sys/devices/virtual/kfd/kfd/topology/nodes"
PARAMETERS = "/sys/module/amdgpu/parameters"
EXPRESS = 0x10
# CPUs beyond a few cost time and are no matter here.
MANY_CPUS = re.compile(r"/sys/devices/system/cpu/(cpu|cpufreq/policy)([4-9]|\d\d+)(/|$)"
                       r"(?!topology/(physical_package_id|core_siblings_list|thread_siblings_list)$|microcode)")


def read_tree(path):
    """The lines of each entry, by path."""
    entries, lines = {}, []
    for line in path.read_text(encoding="ascii").splitlines()[1:]:
        if line.startswith(("| ", "  ")):
            lines.append(line)
        elif line and not line.startswith("#"):
            name = line.split(" ", 2)[1]
            lines = entries.setdefault(unescape_word(name), [])
            lines.append(line)
    return {name: lines for name, lines in entries.items() if not MANY_CPUS.match(name)}


class Machine:
    def __init__(self, entries):
        self.entries = dict(entries)
        self.touched = []  # files that edits gave another content, in order

    def write(self, path):
        rows = ["rocenv tree 1"]
        for name in sorted(self.entries):
            rows += self.entries[name]
        path.write_text("\n".join(rows) + "\n", encoding="ascii")

    # -- files --------------------------------------------------------------

    def kind(self, path):
        return self.entries[path][0][0] if path in self.entries else ""

    def below(self, folder):
        return [path for path in self.entries if path == folder or path.startswith(f"{folder}/")]

    def text(self, path):
        first, *more = self.entries[path]
        if more:
            return "".join(unescape(line[2:]) for line in more)
        return unescape(first.split(" = ", 1)[1]) if " = " in first else ""

    def put(self, path, text):
        """Another content, or a file that was not there."""
        if self.kind(path) == "f":
            if self.text(path) == text:
                return
            self._touch(path)
        self.entries[path] = list(Tree()._f_lines(path, text))

    def line(self, path, value):
        self.put(path, f"{value}\n")

    def drop(self, folder):
        """A file or a folder goes, and every link that leads into it."""
        gone = set(self.below(folder))
        inside = f"/{posixpath.basename(folder)}"
        for path, lines in self.entries.items():
            if self.kind(path) == "l" and inside in lines[0].split(" -> ")[1]:
                target = self.target(path)
                if target == folder or target.startswith(f"{folder}/"):
                    gone.add(path)
        for path in gone:
            del self.entries[path]

    def target(self, path):
        return posixpath.normpath(posixpath.join(posixpath.dirname(path), self.entries[path][0].split(" -> ")[1]))

    def link(self, path, place):
        target = posixpath.relpath(place, posixpath.dirname(path))
        self.entries[path] = [f"l {path} -> {target}"]

    def spoil(self, path, how):
        """A file that cannot be relied on, in one of the ways of BAD."""
        if how == "EIO":
            self.entries[path] = [f"e {path} EIO"]
        else:
            self.entries[path] = list(Tree()._f_lines(path, BAD[how]))

    def _touch(self, path):
        if path not in self.touched:
            self.touched.append(path)

    # -- PCI ----------------------------------------------------------------

    def folder(self, bdf):
        return self.target(f"{PCI}/{bdf}")

    def ports(self, bdf):
        """The bridges above, nearest first."""
        return [part for part in reversed(self.folder(bdf).split("/")[4:-1])]

    def functions(self):
        return [path.rsplit("/", 1)[1] for path in self.entries if posixpath.dirname(path) == PCI]

    def pci_line(self, bdf, name, value):
        self.line(f"{self.folder(bdf)}/{name}", value)

    def config(self, bdf):
        path = f"{self.folder(bdf)}/config"
        first, *rows = self.entries[path]
        data = bytearray(int(first.split()[2]))
        for row in rows:
            at, words = row.split(":")
            words = bytes.fromhex(words)
            data[int(at, 16) : int(at, 16) + len(words)] = words
        return data

    def poke(self, bdf, offset, form, value):
        """A number in a config space: `form` as struct has it."""
        path, data = f"{self.folder(bdf)}/config", self.config(bdf)
        struct.pack_into(form, data, offset, value)
        self._touch(path)
        self.entries[path] = list(Tree()._c_lines(path, bytes(data), len(data), None))

    def change(self, bdf, offset, clear, put):
        """Bits of a 16-bit word."""
        value = struct.unpack_from("<H", self.config(bdf), offset)[0]
        self.poke(bdf, offset, "<H", value & ~clear | put)

    def capability(self, bdf, expected=EXPRESS):
        data = self.config(bdf)
        at = data[0x34]
        while at and data[at] != expected:
            at = data[at + 1]
        return at

    def extended(self, bdf, expected):
        """The offset of an extended capability; 0: it has none."""
        data, at = self.config(bdf), 0x100
        while at and len(data) > at:
            word = struct.unpack_from("<I", data, at)[0]
            if word & 0xFFFF == expected:
                return at
            at = word >> 20
        return 0

    def link_state(self, bdf, speed=None, width=None, most=False):
        """How a link trained: in its files and in config space."""
        at, codes = self.capability(bdf), {"2.5": 1, "8.0": 3, "16.0": 4, "32.0": 5}
        for which, offset in (("current", 0x12), ("max", 0x0C)) if most else (("current", 0x12),):
            if speed:
                self.pci_line(bdf, f"{which}_link_speed", f"{speed} GT/s PCIe")
                self.change(bdf, at + offset, 0x0F, codes[speed])
            if width is not None:
                self.pci_line(bdf, f"{which}_link_width", width)
                self.change(bdf, at + offset, 0x3F0, width << 4)

    # -- GPUs and KFD -------------------------------------------------------

    def gpus(self):
        """Addresses of the physical GPUs that KFD knows, in its order."""
        out = []
        for number in self.node_numbers():
            node = self.properties(number)
            if node.get("simd_count", 0):
                place = node["location_id"]
                bdf = f"{node.get('domain', 0):04x}:{place >> 8:02x}:{place >> 3 & 31:02x}.0"
                out += [] if bdf in out else [bdf]
        return out

    def node_numbers(self):
        names = {path[len(NODES) + 1 :].split("/")[0] for path in self.below(NODES)}
        return sorted(int(name) for name in names if name)

    def properties(self, number):
        path = f"{NODES}/{number}/properties"
        rows = self.text(path).split("\n") if self.kind(path) == "f" else []
        return {key: int(value) for key, value in (row.split() for row in rows if row)}

    def node_of(self, bdf):
        for number in self.node_numbers():
            node = self.properties(number)
            bus = int(bdf.split(":")[1], 16)
            if node.get("simd_count") and node["location_id"] >> 8 == bus and node["domain"] == int(bdf[:4], 16):
                return number
        raise KeyError(bdf)

    def put_property(self, path, key, value):
        self.put(path, re.sub(rf"(?m)^{key} .*$", f"{key} {value}", self.text(path)))

    def node_property(self, bdf, key, value):
        self.put_property(f"{NODES}/{self.node_of(bdf)}/properties", key, value)


BAD = {"empty": "", "garbage": "no idea\n", "1 MiB": "x" * (1 << 20), "NULs": "\0" * 64, "EIO": None}
