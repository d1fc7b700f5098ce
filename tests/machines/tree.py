#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A machine's /sys and /proc as one text file (.tree) or as a folder.

    tree.py unpack FILE.tree DIR

The format is described in README.md beside this file.
"""

import os
import re
import sys

HEADER = "rocenv tree 1"
NAMED = {"\\": "\\\\", "\n": "\\n", "\t": "\\t"}
PLAIN = {text: char for char, text in NAMED.items()}


def escape(text):
    """One line's text: only printable ASCII, no blank at either end."""
    out = "".join(
        NAMED.get(c) or (c if " " <= c <= "~" else f"\\x{ord(c):02x}") for c in text
    )
    if out.startswith(" "):
        out = "\\x20" + out[1:]
    if out.endswith(" "):
        out = out[:-1] + "\\x20"
    return out


def unescape(text):
    r"""The text a line stands for, with the newline that `\c` leaves out."""

    def one(match):
        word = match.group()
        return PLAIN[word] if word in PLAIN else chr(int(word[2:], 16))

    newline = "\n"
    body = re.sub(r"\\\\", "\\\\x5c", text)
    if body.endswith("\\c"):
        body, newline = body[:-2], ""
    return re.sub(r"\\(?:n|t|x[0-9a-fA-F]{2})", one, body) + newline


def escape_word(text):
    """A path or a link's target: no blanks."""
    return "".join(
        c if "!" <= c <= "~" and c != "\\" else f"\\x{ord(c):02x}" for c in text
    )


def unescape_word(text):
    return re.sub(
        r"\\x([0-9a-fA-F]{2})", lambda match: chr(int(match[1], 16)), text
    )


class Tree:
    """Entries by path. Text is str, one character a byte (latin-1)."""

    def __init__(self):
        self.entries = {}
        self.hidden_links = {}  # links of a recording that another entry covers
        self.capacities = {}

    def _add(self, path, entry):
        if not path.startswith("/"):
            raise ValueError(f"bad path: {path!r}")
        old = self.entries.get(path)
        if old and old[0] == "l" and entry[0] != "l":
            self.hidden_links[path] = old[1]
        elif old:
            raise ValueError(f"twice: {path}")
        self.entries[path] = entry

    def text(self, path, content):
        """A file whose text ends in a newline, as nearly all of /sys does."""
        self.raw(path, f"{content}\n")

    def raw(self, path, content):
        """A file of exactly these characters."""
        self._add(path, ("f", content))

    def texts(self, folder, files):
        """Several one-value files of one folder."""
        for name, content in files.items():
            self.text(f"{folder}/{name}", content)

    def config(self, path, data, readable=None, errno=None):
        """A PCI config-space file of len(data) bytes."""
        readable = len(data) if readable is None else readable
        self._add(path, ("c", bytes(data), readable, errno))

    def link(self, path, target):
        """A symbolic link with this very target."""
        self._add(path, ("l", target))

    def link_to(self, path, place):
        """A relative symbolic link to an absolute place in the tree.

        As the kernel writes it (fs/kernfs/symlink.c): up to above the place, then down by its name,
        also when the place is above the link.
        """
        above = os.path.relpath(os.path.dirname(place), os.path.dirname(path))
        self.link(path, os.path.normpath(os.path.join(above, os.path.basename(place))))

    def dir(self, path):
        self._add(path, ("d",))

    def errno(self, path, name):
        """Adds a file that cannot be opened or read: `EACCES`, `EIO`, ..."""
        self._add(path, ("e", name))

    def unread(self, path):
        """It is there, and what it holds is not known."""
        self._add(path, ("n",))

    def capacity(self, path, size):
        """The file system the path lies on holds this many bytes."""
        self.capacities[path] = size

    # -- changes to what is there -------------------------------------------

    def below(self, folder):
        """Paths of the entries in a folder, and the folder's own."""
        return [one for one in self.entries if one == folder or one.startswith(f"{folder}/")]

    def change(self, path, content):
        """Another line in an existing file."""
        if self.entries[path][0] != "f":
            raise ValueError(f"no file: {path}")
        self.entries[path] = ("f", f"{content}\n")

    def poke(self, path, offset, data):
        """Other bytes in a config space."""
        kind, old, *more = self.entries[path]
        self.entries[path] = (kind, old[:offset] + data + old[offset + len(data) :], *more)

    def deny(self, path, name):
        """An existing file becomes one that cannot be read."""
        self.entries[path] = ("e", name)

    def ones(self, path):
        """Config space of a device that does not answer any more."""
        size = len(self.entries[path][1])
        self.entries[path] = ("c", b"\xff" * size, size, None)

    def limit_config(self, readable):
        """All that a caller without CAP_SYS_ADMIN reads of any config space."""
        for path, (kind, *rest) in self.entries.items():
            if kind == "c":
                self.entries[path] = ("c", rest[0], readable, None)

    # -- text ---------------------------------------------------------------

    def lines(self):
        entries = 0
        yield HEADER
        for line in self.entry_lines():
            entries += line[1:3] == " /" and line[0] != "|"
            yield line
        yield f"# end of the recording: {entries} entries"

    def entry_lines(self):
        for path in sorted({*self.entries, *self.capacities}):
            name = escape_word(path)
            if path in self.hidden_links:
                yield from self._l_lines(name, self.hidden_links[path])
            if path in self.capacities:
                yield f"v {name} {self.capacities[path]}"
            if path in self.entries:
                kind, *rest = self.entries[path]
                yield from getattr(self, f"_{kind}_lines")(name, *rest)

    def _d_lines(self, path):
        yield f"d {path}"

    def _f_lines(self, path, content):
        if content == "\n":
            yield f"f {path} = \\n\\c"
        elif content.endswith("\n") and content.count("\n") == 1:
            yield f"f {path} = {escape(content[:-1])}"
        else:
            yield f"f {path}"
            for line in content.splitlines(keepends=True):
                whole = line.endswith("\n")
                yield "| " + escape(line[:-1]) if whole else f"| {escape(line)}\\c"

    def _l_lines(self, path, target):
        yield f"l {path} -> {escape_word(target)}"

    def _n_lines(self, path):
        yield f"n {path}"

    def _c_lines(self, path, data, readable, errno):
        more = f" {readable}" if readable != len(data) or errno else ""
        more += f" {errno}" if errno else ""
        yield f"c {path} {len(data)}{more}"
        for at in range(0, len(data), 16):
            row = data[at : at + 16].rstrip(b"\0")
            if row:
                yield f"  {at:03x}: {row.hex(' ')}"

    def _e_lines(self, path, name):
        yield f"e {path} {name}"

    def write(self, file_name):
        with open(file_name, "w", encoding="ascii") as out:
            out.writelines(f"{line}\n" for line in self.lines())

    # -- folder -------------------------------------------------------------

    def unpack(self, root):
        """Write a real folder, without what one cannot hold: see README.md."""
        made = set()
        folders = {
            path[:at] for path in self.entries for at, c in enumerate(path) if c == "/"
        }
        for path, (kind, *rest) in self.entries.items():
            real = root + path
            if kind in "en" or (kind == "l" and path in folders):
                continue
            self._parents(real if kind == "d" else os.path.dirname(real), made)
            if kind == "f":
                _write(real, rest[0].encode("latin-1"))
            elif kind == "c":
                data, readable, _ = rest
                _write(real, data[:readable])
            elif kind == "l":
                os.symlink(rest[0], real)

    @staticmethod
    def _parents(folder, made):
        if folder not in made:
            os.makedirs(folder, mode=0o755, exist_ok=True)
            made.add(folder)

    # -- reading ------------------------------------------------------------

    @classmethod
    def read(cls, file_name):
        with open(file_name, encoding="ascii") as lines:
            return cls.parse(lines)

    @classmethod
    def parse(cls, lines):
        tree = cls()
        lines = iter(lines)
        if next(lines, "").rstrip("\n") != HEADER:
            raise ValueError(f"the first line is not {HEADER!r}")
        current = None
        for number, line in enumerate(lines, 2):
            line = line.rstrip("\n")
            if not line or line.startswith("#"):
                continue
            try:
                current = tree._parse_line(line, current)
            except (KeyError, IndexError, ValueError) as error:
                raise ValueError(f"line {number}: {line!r}: {error}") from error
        return tree

    def _parse_line(self, line, current):
        if line.startswith("| "):
            kind, content = self.entries[current]
            self.entries[current] = (kind, content + unescape(line[2:]))
            return current
        if line.startswith("  "):
            at, data = line.split(":")
            self._put_bytes(current, int(at, 16), bytes.fromhex(data))
            return current
        kind, path, *rest = line.split(" ", 2)
        path = unescape_word(path)
        self._parse_entry(kind, path, rest[0] if rest else "")
        return path

    def _parse_entry(self, kind, path, rest):
        if kind == "f":
            self.raw(path, unescape(rest[2:]) if rest.startswith("=") else "")
        elif kind == "l":
            self.link(path, unescape_word(rest.removeprefix("-> ")))
        elif kind == "d":
            self.dir(path)
        elif kind == "e":
            self.errno(path, rest)
        elif kind == "n":
            self.unread(path)
        elif kind == "v":
            self.capacity(path, int(rest))
        elif kind == "c":
            size, readable, errno = (*rest.split(), None, None)[:3]
            self.config(path, bytes(int(size)), readable and int(readable), errno)
        else:
            raise ValueError(f"unknown kind {kind!r}")

    def _put_bytes(self, path, at, data):
        kind, old, *more = self.entries[path]
        new = old[:at] + data + old[at + len(data) :]
        if len(new) != len(old):
            raise ValueError("bytes past the end")
        self.entries[path] = (kind, new, *more)


def _write(path, data):
    fd = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o644)
    os.write(fd, data)
    os.close(fd)


def main(args):
    if len(args) != 3 or args[0] != "unpack":
        print("usage: tree.py unpack FILE.tree DIR", file=sys.stderr)
        return 2
    os.umask(0o022)
    Tree.read(args[1]).unpack(args[2])
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
