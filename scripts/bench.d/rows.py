# SPDX-License-Identifier: MIT
"""The measured commands, nodes and floors, and the limits (contract, section 17)."""
import json
import os
import re
import shutil
import subprocess
from functools import partial

import floors
import nodes
import races

LEAST_FILES = 3000  # fewer means that the fixture is wrong
REPLACED = {  # what check is used instead of, and what stands in its output where it runs on the mounted node
    "cpupower frequency-info": ("cpupower -c all frequency-info", "analyzing CPU 383:"),
    "cpupower idle-info": ("cpupower -c all idle-info", "analyzing CPU 383:"),
    "lspci -vvv | grep ACSCtl": ("lspci -vvv | grep -i acsctl", "ACSCtl:"),
    "lstopo": ("lstopo-no-graphics", "NUMANode L#1"),
    "sysctl": ("sysctl {sysctls}", "kernel.numa_balancing = "),
    "rocm-smi": ("rocm-smi", "End of ROCm SMI Log"),
    "rocminfo": ("rocminfo", "Agent 10"),
    "amd-smi": ("amd-smi static", "GPU: 7"),
    "pyperf system show": ("python3 -m pyperf system show", "CPU Frequency"),
}


class Bench:
    """The folders and programs of one run, and the rows that it found."""

    def __init__(self, scratch, rocenv, rounds, state):
        self.scratch, self.rocenv, self.rounds = scratch, str(rocenv), rounds
        self.state = state
        self.rows, self.failed = [], []

    def race(self, node, commands, rounds=None):
        runner = partial(nodes.enter, node) if node else subprocess.run
        return dict(zip(commands, races.race(self.scratch / "race", rounds or self.rounds, commands.values(), runner)))

    def floor(self, node, name, command, starts=False):
        log = self.scratch / f"{name}.trace"
        trace = floors.traced(command, log, runner=partial(nodes.enter, node), starts=starts)
        return floors.build(trace, self.scratch / f"floor-{name}", starts), trace

    def row(self, what, found, limit=None, unit="", at_least=False, note=""):
        self.rows.append({"what": what, "unit": unit, **found, "limit": limit, "at_least": at_least, "note": note,
                          "verdict": races.verdict(found, limit, at_least)})

    def number(self, what, value, limit, unit=""):
        self.row(what, {"low": value, "median": value, "high": value, "least": value}, limit, unit)


def big_node(bench, node):
    """Floors first, then all commands of the node in one race."""
    own, state = bench.rocenv, ["--state", bench.state]
    walks = {"check": [own, "check"], "acceptance": [own, "check", "-p", "acceptance"],
             "set": [own, "set", "--dry-run", "-p", "benchmark", *state], "topo": [own, "topo"]}
    commands, notes = {}, {}
    for name, command in walks.items():
        commands[name] = command
        program, trace = bench.floor(node, name, command)
        commands[f"floor {name}"] = [program]
        notes[name] = f"{trace.files:,} files, {len(trace.rows):,} calls"
        if name == "check" and trace.files < LEAST_FILES:
            raise SystemExit(f"bench: check opened only {trace.files} files: is the fixture there?")
    commands["json"] = [own, "check", "--format", "json"]
    commands.update(starts(bench, node, "gpus"))
    lanes = bench.race(node, commands)
    for name, what, beside, limit in (
            ("check", "check", "check", 1.3), ("json", "check --format json", "check", 1.4),
            ("acceptance", "check -p acceptance", "acceptance", 1.5), ("set", "set --dry-run -p benchmark", "set", 2),
            ("topo", "topo", "topo", 1.3)):
        bench.row(f"{what}: time / its floor", races.ratio(lanes[name], lanes[f"floor {beside}"]), limit, "x", note=notes[beside])
    bench.number("check: peak memory", round(lanes["check"].memory / 1024, 2), 6, "MiB")
    helpers(bench, node, {"check": walks["check"], "set --dry-run": walks["set"]})
    start_rows(bench, lanes, "with KFD")


def helpers(bench, node, commands):
    log = bench.scratch / "processes"
    for what, command in commands.items():
        nodes.enter(node, ["strace", "-f", "-q", "-e", "trace=execve,clone,clone3,fork,vfork", "-o", log, *command],
                    stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        text = log.read_text()
        alive = most = 0
        for event in re.findall(r"(?:clone3?|v?fork)\(|\+\+\+ (?:exited|killed)", text):
            alive += -1 if event.startswith("+") else 1
            most = max(most, alive)
        bench.number(f"{what}: programs started", text.count("execve(") - 1, 0)
        bench.number(f"{what}: helpers at a time", most, 1)


def starts(bench, node, name):
    """Commands that are over at once, each with its floor."""
    own = bench.rocenv
    commands = {"run": [own, "run", "--", "true"], "env": [own, "env"], "explain": [own, "explain", "NCCL_DEBUG"],
                "version": [own, "--version"]}
    for which, command in list(commands.items()):
        commands[f"floor {which}"] = [bench.floor(node, f"{name}-{which}", command, starts=True)[0]]
    return commands


def start_rows(bench, lanes, where):
    for name, what in (("run", "run -- true"), ("env", "env"), ("explain", "explain VARIABLE"), ("version", "--version")):
        bench.row(f"{what}, {where}: time / its floor", races.ratio(lanes[name], lanes[f"floor {name}"]), 1.5, "x")


def small_node(bench, node):
    start_rows(bench, bench.race(node, starts(bench, node, "none")), "no KFD")


def partitions(bench, node):
    command = [bench.rocenv, "topo"]
    program, trace = bench.floor(node, "topo64", command)
    lanes = bench.race(node, {"topo": command, "floor": [program]}, max(5, bench.rounds // 3))
    bench.row("topo of 64 partitions: time / its floor", races.ratio(lanes["topo"], lanes["floor"]), 1.4, "x",
              note=f"{trace.files:,} files, {len(trace.rows):,} calls")


def why_not(node, command, expected):
    """Why the command cannot take part, or nothing. Its status does not count: rocm-smi 5 ends with 2 where one value of many
    is not there, though it did all its work."""
    if not shutil.which(command.split()[0], path=nodes.ENVIRONMENT["PATH"]):
        return "not installed"
    done = nodes.enter(node, ["timeout", "60", "bash", "-c", command], stdin=subprocess.DEVNULL, capture_output=True, text=True)
    if expected in done.stdout:
        return ""
    said = re.sub(r"\x1b\[\d*m", "", done.stdout + done.stderr).strip().splitlines()
    return f"status {done.returncode}" + (f": {said[-1]}" if said else "")


def replaced(bench, node):
    """check beside the commands that it is used instead of, one after another."""
    ids = json.loads(subprocess.run([bench.rocenv, "explain", "kernel.*", "memory.*", "net.*", "--format", "json"],
                                    capture_output=True, text=True).stdout or "[]")
    found = sorted({m[1].replace("/", ".") for m in re.finditer(r"/proc/sys/([a-z0-9_/]+)", json.dumps(ids))
                    if (node / "proc/sys" / m[1]).is_file()})
    commands = {"check": [bench.rocenv, "check"]}
    for name, (command, expected) in REPLACED.items():
        command = command.format(sysctls=" ".join(found))
        why = why_not(node, command, expected)
        if why:
            bench.failed.append({"what": name, "why": why})
        else:
            commands[name] = ["sh", "-c", f"{{ {command}; }} >/dev/null 2>&1 </dev/null; true"]
    lanes = bench.race(node, commands, max(5, bench.rounds // 10))
    check = lanes.pop("check")
    for name, lane in lanes.items():
        bench.row(f"{name} / check", races.ratio(lane, check), None, "x")
    whole = [sum(times) for times in zip(*(lane.times for lane in lanes.values()))]
    chain = races.Lane(" ".join(map(str, [0, sum(lane.least for lane in lanes.values()), 0, *whole])))
    bench.row("all of these, one after another / check", races.ratio(chain, check), 50, "x", at_least=True)


def fleet(bench, reports):
    """1,000 nodes' reports, beside jq over the same bytes."""
    commands = {"fleet": [bench.rocenv, "fleet", reports], "jq": ["jq", "-c", ".", reports]}
    lanes = bench.race(None, commands, max(5, bench.rounds // 8))
    version = subprocess.run(["jq", "--version"], capture_output=True, text=True).stdout.strip()
    bench.row(f"{version} -c . / fleet, 1,000 reports", races.ratio(lanes["jq"], lanes["fleet"]), 5, "x", at_least=True,
              note=f"{os.path.getsize(reports) / 1e6:.0f} MB")
    distinct = json.loads(subprocess.run([bench.rocenv, "fleet", "--format", "json", reports], capture_output=True, text=True).stdout)
    each = lanes["fleet"].memory / max(1, distinct["summary"]["distinct_reports"])
    bench.row("fleet: peak memory a distinct report", races.spread([each]), None, "KiB")


def size(bench):
    stripped = bench.scratch / "stripped"
    subprocess.run(["strip", "-o", stripped, bench.rocenv], check=True)
    bench.number("size, stripped", round(stripped.stat().st_size / 2**20, 2), 6, "MiB")
    needed = subprocess.run(["readelf", "-d", bench.rocenv], capture_output=True, text=True, check=True).stdout
    libraries = re.findall(r"NEEDED.*\[(.*)\]", needed)
    others = [x for x in libraries if not re.match(r"lib[cm]\.so\.6$|ld-linux-", x)]
    bench.number("libraries besides libc, libm", len(others), 0)
