# SPDX-License-Identifier: MIT
"""Commands that take turns, and what their times say of each other."""
import statistics
import subprocess


class Lane:
    """One command in a race: its times (microseconds) in the order of the rounds, and the most memory (KiB)."""

    def __init__(self, line):
        median, least, memory, *times = line.split()
        self.median, self.least, self.memory, self.times = float(median), float(least), int(memory), [float(x) for x in times]


def race(program, rounds, commands, runner=subprocess.run):
    """All commands in turn, ROUNDS times, as lanes in their order."""
    words = []
    for command in commands:
        words += (["+++"] if words else []) + [str(word) for word in command]
    done = runner([program, str(rounds), *words], stdout=subprocess.PIPE, text=True, check=True)
    return [Lane(line) for line in done.stdout.splitlines()]


def spread(values):
    """The quartiles and the least; of a single value itself."""
    low, middle, high = statistics.quantiles(values, n=4) if len(values) > 1 else values * 3
    return {"low": low, "median": middle, "high": high, "least": min(values)}


def ratio(ours, other):
    """Of the times of each round, which were a few milliseconds apart; `least`: of the least times."""
    found = spread([a / b for a, b in zip(ours.times, other.times)])
    return {**found, "least": ours.least / other.least}


def verdict(found, limit, at_least=False):
    """`noisy` where the median breaks the limit and the least times keep it: a busy machine, which says nothing."""
    if limit is None:
        return ""
    def kept(value):
        return value >= limit if at_least else value <= limit
    return "ok" if kept(found["median"]) else "noisy" if kept(found["least"]) else "over"
