# SPDX-License-Identifier: MIT
"""Growth of times with counts. All sizes of a curve take turns in one race; a point is the least time of its size.

The nodes are given by --sysroot: none of this needs to be mounted, and ten sizes can stand side by side."""
import math
import shutil
import subprocess

import nodes
import races

STEEP = 1.15  # an exponent above is no longer "as the count does", also on a busy machine


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


def findings(source, folder, count):
    """Makes the node where COUNT CPUs have another governor."""
    nodes.link_tree(source, folder)
    for number in range(count):
        text(folder / f"sys/devices/system/cpu/cpufreq/policy{number}/scaling_governor", "powersave\n")
    return folder


def chain(folder, count):
    """Writes COUNT profiles, each of which extends the one before; returns the path of the last."""
    folder.mkdir()
    for number in range(count):
        extends = f'extends = ["./p{number - 1}.toml"]\n' if number else 'extends = ["host"]\n'
        (folder / f"p{number}.toml").write_text(f'[profile]\nname = "p{number}"\nsummary = "one of a chain"\n{extends}')
    return folder / f"p{count - 1}.toml"


def commands_of(bench, machines):
    """Yields each curve: its description, and the command for each size."""
    own, work = bench.rocenv, bench.scratch
    main, plain, cpx = (nodes.copy_machine(machines / name, work / name) for name in ("mi300x-spx", "no-gpu", "mi300x-cpx"))
    def on(make, source, name, sizes, *words):
        return {n: [own, *words, "--sysroot", make(source, work / f"{name}-{n}", n)] for n in sizes}
    yield "CPUs: check", on(cpus, main, "cpus", (2, 16, 64, 128, 384, 1024), "check", "-p", "host-benchmark")
    yield "GPUs, partitions: topo", on(partitions, cpx, "parts", (1, 8, 16, 32, 64, 128), "topo", "--get", "gpu.*.gfx")
    yield "PCI functions: check", on(functions, plain, "pci", (10, 100, 1000, 3000, 10000), "check")
    yield "findings: check", on(findings, main, "findings", (1, 8, 32, 128, 384), "check", "-p", "host-benchmark")
    yield "profiles in a chain: check", {n: [own, "check", "-p", chain(work / f"chain-{n}", n), "--sysroot", plain]
                                         for n in (1, 2, 4, 8)}
    yield "variables set: check", {n: ["env", "-i", *(f"NCCL_GROWTH_{at}={at}" for at in range(n)), own, "check", "--sysroot", plain]
                                   for n in (1, 10, 100, 1000)}


def fleet_commands(bench, reports_of):
    out = {}
    for count in (25, 100, 1000, 4000):
        place = bench.scratch / f"reports-{count}.json"
        shutil.move(reports_of(bench.scratch, bench.rocenv, count), place)
        out[count] = [bench.rocenv, "fleet", place]
    return out


def steepness(points):
    """Returns the exponent between the two largest sizes: 1 is proportional to the count."""
    (a, t), (b, u) = points[-2:]
    return math.log(u / t) / math.log(b / a)


def curve(bench, what, commands, rounds):
    lanes = races.race(bench.scratch / "race", rounds, commands.values())
    points = [[size, round(lane.least / 1e3, 3)] for size, lane in zip(commands, lanes)]
    exponent = round(steepness(points), 2)
    return {"what": what, "points": points, "exponent": exponent, "verdict": "steep" if exponent > STEEP else "ok"}


def threads(bench, floor, rounds):
    """Times the same calls with one, two and four threads: the upper limit of the gain by parallel reads."""
    lanes = races.race(bench.scratch / "race", rounds, [[floor], [floor, "2"], [floor, "4"]])
    return {str(n): races.ratio(lanes[0], lane) for n, lane in zip((2, 4), lanes[1:])}


def table(found):
    lines = []
    for each in found["curves"]:
        points = ", ".join(f"{size:,}: {ms:.1f} ms" for size, ms in each["points"])
        lines.append(f"{each['what']:28} | {points} | grows with the count to the power {each['exponent']:.2f} | {each['verdict']}")
    for count, ratio in found["threads"].items():
        lines.append(f"{count} threads reading what check reads on 1,024 CPUs: {ratio['median']:.2f} x as fast as one "
                     f"({ratio['low']:.2f} - {ratio['high']:.2f})")
    return "\n".join(lines)


def measure(bench, machines, reports_of, floor_of):
    rounds = max(5, bench.rounds // 2)
    curves = [curve(bench, what, commands, rounds) for what, commands in commands_of(bench, machines)]
    curves.append(curve(bench, "nodes of a fleet: fleet", fleet_commands(bench, reports_of), max(3, rounds // 3)))
    return {"curves": curves, "threads": threads(bench, floor_of(bench.scratch / "cpus-1024"), bench.rounds)}
