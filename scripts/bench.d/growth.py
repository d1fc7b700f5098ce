# SPDX-License-Identifier: MIT
"""Growth of costs with counts: instructions (callgrind) for each file that is read, of fleet for each byte of its input.

The nodes are given by --sysroot, so none of them is mounted. Counts do not depend on other load of the machine."""
import re
import shutil
import subprocess
from pathlib import Path

import floors
import nodes

MOST = 1.15  # of the value at the second size; the first size is mostly start
ROOT = Path(__file__).resolve().parents[2]


def cpus(source, folder, count):
    """Makes the node with COUNT CPUs, each with a policy of its own."""
    nodes.link_tree(source, folder)
    system, place = folder / "sys/devices/system", folder / "sys/devices/system/cpu"
    have = sum(1 for entry in place.glob("cpu[0-9]*"))
    for number in range(count, have):
        shutil.rmtree(place / f"cpu{number}")
        shutil.rmtree(place / f"cpufreq/policy{number}", ignore_errors=True)
    for number in range(have, count):
        nodes.link_tree(place / "cpu1", place / f"cpu{number}")
        nodes.link_tree(place / "cpufreq/policy1", place / f"cpufreq/policy{number}")
        link(place / f"cpu{number}/cpufreq", f"../cpufreq/policy{number}")
        for name in ("affected_cpus", "related_cpus"):
            text(place / f"cpufreq/policy{number}" / name, f"{number}\n")
    for name in ("online", "possible", "present"):
        text(place / name, f"0-{count - 1}\n")
    for entry in system.glob("node/node*/cpulist"):
        text(entry, f"0-{count - 1}\n" if entry.parent.name == "node0" else "\n")
    return folder


def text(path, content):
    """Replaces a file that several nodes share."""
    path.unlink(missing_ok=True)
    path.write_text(content)


def link(path, target):
    path.unlink(missing_ok=True)
    path.symlink_to(target)


def partitions(source, folder, count):
    """Makes the node with COUNT GPUs in KFD's topology, each linked with all others as the driver does."""
    nodes.link_tree(source, folder)
    place, names = folder / "sys/class/kfd/kfd/topology/nodes", range(2, count + 2)
    for number in range(count + 2, sum(1 for _ in place.iterdir())):
        shutil.rmtree(place / str(number))
    for number in names:
        if not (place / str(number)).exists():
            nodes.link_tree(place / "9", place / str(number))
        links = place / str(number) / "io_links"
        for at in range(sum(1 for _ in links.iterdir()), count, -1):
            shutil.rmtree(links / str(at - 1))
        for at in range(sum(1 for _ in links.iterdir()), count):
            nodes.link_tree(links / "0", links / str(at))
    return folder


def functions(source, folder, count):
    nodes.link_tree(source, folder)
    nodes.grow_pci(folder, count)
    return folder


def instructions(command, folder):
    """The instructions of the command and its helpers."""
    done = subprocess.run(["valgrind", "--tool=callgrind", f"--callgrind-out-file={folder}/counts.%p", *map(str, command)],
                          stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, errors="replace", env=nodes.ENVIRONMENT)
    counts = re.findall(r"Collected : (\d+)", done.stderr)
    if not counts or done.returncode not in (0, 1, 3):
        raise SystemExit(f"bench: {command[1]} failed under callgrind with status {done.returncode}")
    return sum(map(int, counts))


def files_of(command, folder):
    return floors.traced([str(word) for word in command], folder / "growth.trace").files


def commands_of(bench, machines):
    """Yields each curve: its description, and the command for each size."""
    own, work = bench.rocenv, bench.scratch
    main, plain, cpx = (nodes.copy_machine(machines / name, work / name) for name in ("mi300x-spx", "no-gpu", "mi300x-cpx"))

    def on(make, source, name, sizes, *words):
        return {n: [own, *words, "--sysroot", make(source, work / f"{name}-{n}", n)] for n in sizes}
    yield "partitions: topo", on(partitions, cpx, "parts", (8, 16, 32, 64), "topo")
    yield "CPUs: check", on(cpus, main, "cpus", (64, 256, 1024, 2048), "check", "-p", "host-benchmark")
    yield "PCI functions: check", on(functions, plain, "pci", (200, 1000, 3000, 10000), "check")
    # Each added function is a network card with a fault. More would reach the deadline under callgrind.
    yield "faults: check", on(functions, main, "faults", (300, 1000, 3000), "check", "-p", "acceptance")


def curve(what, unit, points):
    """`points`: size, and the cost of each unit."""
    second = points[1][1]
    growth = max(cost for _, cost in points[1:]) / second
    return {"what": what, "unit": unit, "points": [[size, round(cost, 1)] for size, cost in points], "growth": round(growth, 3), "limit": second * MOST,
            "verdict": "ok" if growth <= MOST else "steep"}


def by_file(bench, machines):
    for what, commands in commands_of(bench, machines):
        points = [(size, instructions(command, bench.scratch) / files_of(command, bench.scratch)) for size, command in commands.items()]
        yield curve(what, "instructions a file", points)


def of_fleet(rocenv, folder, kind, count, own, *words):
    """The instructions of `fleet` for each byte of COUNT reports, of which each node has OWN things of the KIND for itself."""
    reports = folder / "reports.jsonl"
    with reports.open("wb") as out:
        subprocess.run([ROOT / "tests/fleet/make_own", kind, str(count), str(own)], stdout=out, check=True)
    return instructions([rocenv, "fleet", *words, reports], folder) / reports.stat().st_size


def by_byte(bench):
    points = [(count, of_fleet(bench.rocenv, bench.scratch, "nodes", count, 0)) for count in (100, 1000, 10000, 100000)]
    yield curve("nodes: fleet", "instructions a byte", points)


def table(found):
    lines = []
    for each in found["curves"]:
        points = ", ".join(f"{size:,}: {cost:,.1f}" for size, cost in each["points"])
        lines.append(f"{each['what']:22} | {each['unit']:19} | {points} | {each['growth']:.2f} times the second | {each['verdict']}")
    return "\n".join(lines)


def measure(bench, machines):
    return {"curves": [*by_file(bench, machines), *by_byte(bench)]}
