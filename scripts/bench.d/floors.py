# SPDX-License-Identifier: MIT
"""The floor of a command: a C program that makes the calls that the command makes of files, each file once, and no others.
The floor of a start also forks as often, executes the same program, and is linked like the command.

The calls come from strace of the command itself: opens (also those that fail), reads, looks, links, directory reads and
closes, with their sizes. Calls for other files than the node's are left out: the loader's libraries, /dev/null, pipes."""
import json
import re
import subprocess
from pathlib import Path

HERE = Path(__file__).resolve().parent
TRACED = "openat,openat2,open,read,pread64,getdents64,readlink,readlinkat,newfstatat,statx,lstat,stat,faccessat2,close"
STARTED = "clone,?clone3,?fork,?vfork,execve"
FORK = re.compile(r"^\d+\s+(clone3?|v?fork)\(")
LINKED = ["-fPIE", "-pie", "-Wl,-z,relro,-z,now", "-Wl,--no-as-needed", "-lm"]
CALL = re.compile(r"^(?P<pid>\d+)\s+(?P<name>\w+)\((?P<rest>.*)\)\s*= (?P<result>-?\d+)")
PATH = re.compile(r'"((?:[^"\\]|\\.)*)"')
NOT_OF_THE_NODE = re.compile(r"^(/etc/ld\.so\.|/lib|/usr/lib/.*\.so|/dev/null$)")


class Trace:
    """The calls of a command in order, as rows of replay.c: kind, slot, path, size, offset."""

    def __init__(self, root=""):
        self.programs, self.rows, self.files, self._open, self._seen, self._root = 0, [], 0, {}, set(), root

    def take(self, line):
        if FORK.match(line):
            self._row("K", 0)
        found = CALL.match(line)
        if not found:
            return
        name, rest, result = found["name"], found["rest"], int(found["result"])
        path = PATH.search(rest)
        if name in ("open", "openat", "openat2"):
            self._take_open(found["pid"], self._full(path[1]), rest, result)
        elif name == "execve":
            self._take_program(self._full(path[1]), result)
        elif name in ("read", "pread64", "getdents64", "close"):
            self._take_descriptor(found["pid"], name, rest)
        elif name.startswith("readlink"):
            self._look("L", self._full(path[1]))
        elif path and path[1]:
            self._look("S", self._full(path[1]))

    def _take_program(self, path, result):
        """The first program is the command itself."""
        if self.programs and result == 0:
            self._row("X", 0, path)
        self.programs += result == 0

    def _look(self, kind, path):
        if (kind, path) not in self._seen:
            self._seen.add((kind, path))
            self._row(kind, 0, path)

    def _full(self, path):
        return path if path.startswith("/") or not self._root else f"{self._root}/{path}"

    def _take_open(self, pid, path, rest, result):
        if NOT_OF_THE_NODE.match(path):
            self._open.pop((pid, result), None)
        elif path in self._seen:
            self._open.pop((pid, result), None)
        else:
            self._seen.add(path)
            kind = "D" if "O_DIRECTORY" in rest else "P" if "O_PATH" in rest else "F"
            slot = result if result >= 0 else 1023
            if result >= 0:
                self._open[(pid, result)] = slot
                self.files += 1
            self._row(kind, slot, path)

    def _take_descriptor(self, pid, name, rest):
        words = rest.split(", ")
        slot = self._open.get((pid, int(words[0])))
        if slot is None:
            return
        if name == "close":
            self._row("C", slot)
            del self._open[(pid, int(words[0]))]
        elif name == "pread64":
            self._row("A", slot, None, int(words[-2]), int(words[-1]))
        else:
            self._row("R" if name == "read" else "G", slot, None, int(words[-1]))

    def _row(self, *row):
        self.rows.append(row)


def traced(command, log, root="", runner=None, starts=False):
    """Traces the calls of the command, which may end with any status; with `starts` also forks and programs."""
    run = runner or subprocess.run
    calls = f"{TRACED},{STARTED}" if starts else TRACED
    run(["strace", "-f", "-qq", "-s", "4096", "-e", f"trace={calls}", "-e", "signal=none", "-o", log, *command],
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    trace = Trace(root)
    for line in Path(log).read_text(errors="replace").splitlines():
        trace.take(line)
    return trace


def build(trace, program, starts=False):
    """Compiles the floor."""
    lines = []
    for kind, slot, *more in trace.rows:
        path, size, offset = (*more, *[None, 0, 0][len(more):])
        lines.append(f"{{'{kind}', {slot}, {json.dumps(path) if path else 0}, {size or 0}, {offset or 0}}},")
    table = Path(f"{program}.d")
    table.mkdir(exist_ok=True)
    (table / "calls.h").write_text("\n".join(lines) + "\n")
    subprocess.run(["gcc", "-O2", "-I", table, "-o", program, HERE / "replay.c", *(LINKED if starts else [])], check=True)
    return str(program)
