#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""scripts/bench.d/order.py PROGRAM MACHINES: writes scripts/cmake/first_functions.ld, the functions that stand together.

The kernel maps 16 pages around each page of code that is touched, so the functions that usual commands run are linked next to
each other. callgrind lists the functions of each command. A pattern covers all functions with the same beginning if the commands
run at least PART of their bytes. Patterns without a function change nothing, so the file may be older than the sources."""
import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
OUTPUT = ROOT / "scripts/cmake/first_functions.ld"
PART = 0.75
LEAST = 12  # characters of a pattern
HEAD = """/* SPDX-License-Identifier: MIT */
/* Made by scripts/bench.d/order.py: the functions that usual commands run, those of the start first. */
SECTIONS
{
  .text.first :
  {
"""


def commands(machines):
    """Yields usual commands, starts first."""
    node = ["--sysroot", machines / "mi300x-spx"]
    yield ["--version"]
    yield ["env", "-p", "mi300x"]
    yield ["run", "-p", "mi300x", "--", "true"]
    yield ["explain", "NCCL_DEBUG"]
    yield ["check", *node]
    yield ["check", "--format", "json", *node]
    yield ["check", "--sysroot", machines / "mi300x-fallen"]
    yield ["topo", *node]
    yield ["set", "--dry-run", "-p", "mi300x-benchmark", *node]


def functions(program):
    """Returns the bytes of each function, and the names at each address: a constructor has two."""
    sizes, names = {}, {}
    for line in subprocess.run(["nm", "-S", program], capture_output=True, text=True, check=True).stdout.splitlines():
        found = re.fullmatch(r"([0-9a-f]+) ([0-9a-f]+) [tTwWiu] (\S+)", line)
        if found:
            sizes[found[3]] = int(found[2], 16)
            names.setdefault(found[1], []).append(found[3])
    return sizes, {name: same for same in names.values() for name in same}


def runs(program, machines, same):
    """Returns for each function that is run the numbers of the commands that run it."""
    out = {}
    for number, words in enumerate(commands(machines)):
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run(["valgrind", "--tool=callgrind", "--demangle=no", f"--callgrind-out-file={folder}/%p", program, *words],
                           stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            texts = [each.read_text() for each in Path(folder).iterdir()]
        found = {name for text in texts for name in re.findall(r"^c?fn=\(\d+\) ([^\s']+)", text, re.M) if name in same}
        for alias in {alias for name in found for alias in same[name]}:
            out.setdefault(alias, []).append(number)
    return out


def patterns(names, sizes, run, head=""):
    """Yields each pattern with the commands that run the most used of its functions. Only these functions begin with `head`."""
    used = sum(sizes[name] for name in names if name in run)
    shared = common(names)
    if not used:
        return
    if len(names) == 1 or (len(shared) >= LEAST and used >= PART * sum(sizes[name] for name in names)):
        yield head + "*", max((run[name] for name in names if name in run), key=len)
        return
    for head in sorted({name[:len(shared) + 1] for name in names}):
        yield from patterns([name for name in names if name[:len(shared) + 1] == head], sizes, run, head)


def common(names):
    first, last = min(names), max(names)
    length = next((at for at, pair in enumerate(zip(first, last)) if pair[0] != pair[1]), min(len(first), len(last)))
    return first[:length]


def main():
    program, machines = (Path(word).resolve() for word in sys.argv[1:])
    sizes, same = functions(program)
    found = sorted(patterns(sorted(sizes), sizes, runs(program, machines, same)), key=lambda row: (-len(row[1]), row[1], row[0]))
    lines = "".join(f"    *(.text.{pattern})\n" for pattern, _ in found)
    OUTPUT.write_text(f"{HEAD}{lines}  }}\n}}\nINSERT BEFORE .text;\n")


main()
