# SPDX-License-Identifier: MIT
"""What must hold after a death: of the node, of the status that was told, of the way back."""

import json
import os
from dataclasses import dataclass

from node import STATE, leftovers, targets

MAY_STAY = ("lock",)  # of the files in run/rocenv, after a reset
BACK, PARTLY, USAGE, UNKNOWN, ROLLED_BACK, STUCK, REFUSED = 0, 1, 2, 3, 4, 5, 125
NOT_AS_WANTED = ("failed", "differs", "unknown", "unsafe")


@dataclass
class Ended:
    """A process that came to its end."""

    status: int
    out: str
    err: str

    def findings(self):
        try:
            return json.loads(self.out).get("findings", [])
        except ValueError:
            return []

    def entries(self):
        try:
            return json.loads(self.out).get("entries", [])
        except ValueError:
            return []

    def names(self, item):
        """Whether it says of this (id, target) that it is not as it should be. A target that could
        not even be found has a finding "unknown" of its id."""
        reported = any(
            finding["id"] == item[0]
            and finding["outcome"] in NOT_AS_WANTED
            and (finding["target"] == item[1] or finding["outcome"] == "unknown")
            for finding in self.findings()
        )
        return reported or any(item[0] in line and item[1] in line for line in self.err.splitlines())

    def blames_others(self):
        by = [entry["id"] for entry in self.entries() if entry["by"] == "someone else"]
        return by + [
            finding["id"] for finding in self.findings() if "changed outside rocenv" in finding["detail"]
        ]


class Items:
    """Which (id, target) a file belongs to: as status tells after an undisturbed set."""

    def __init__(self, entries, folder):
        self.by_path = {}
        for entry in entries:
            real = os.path.realpath(f"{folder}{entry['path']}")
            self.by_path[os.path.relpath(real, folder)] = (entry["id"], entry["target"])

    def off(self, state, other):
        """The items in which the two states differ."""
        state, other = targets(state), targets(other)
        paths = {path for path in state.keys() | other.keys() if state.get(path) != other.get(path)}
        return sorted({self.by_path.get(path, ("a file of nobody", path)) for path in paths})


def key_of(state):
    """Equal for states from which the same must follow: the lock names a process that is gone."""
    return frozenset((path, content) for path, content in state.items() if path != f"{STATE}/lock")


def unnamed(items, ended):
    return [item for item in items if not ended.names(item)]


def reported_by_status(items, state, status):
    """status must not say that nothing is set while something is, nor blame others."""
    changed = items.off(state, {})
    faults = []
    if changed and status.status not in (PARTLY, STUCK):
        faults.append(f"status is {status.status} while {changed} is changed")
    if status.status not in (BACK, PARTLY, STUCK):
        faults.append(f"status ended with {status.status}")
    return faults + [f"status blames others for {one}" for one in status.blames_others()]


def after_reset(items, state, reset):
    """Every byte is back, or named; and nobody else was here."""
    off = items.off(state, {})
    faults = [f"reset blames others for {one}" for one in reset.blames_others()]
    if reset.status not in (BACK, STUCK):
        faults.append(f"reset ended with {reset.status}")
    if reset.status == BACK and off:
        faults.append(f"reset ended with 0, not back: {off}")
    if reset.status == BACK and leftovers(state, MAY_STAY):
        faults.append(f"reset left {leftovers(state, MAY_STAY)}")
    if reset.status == STUCK and unnamed(off, reset):
        faults.append(f"reset did not name {unnamed(off, reset)}")
    return faults


@dataclass
class Story:
    """A command, what is made before it, and how the node is before and after it."""

    name: str
    before: list
    command: list
    may_end: tuple  # statuses of a command whose helper died
    thin: float = 1  # the share of its calls that is tried, other than writes, if is_like
    back: tuple = ("reset",)  # what follows a death
    is_like: bool = False  # another story does the same, so that full, too, tries no more
    prepared: dict = None
    goal: dict = None


def after_helper_died(story, items, state, ended):
    """The command lives: its status must be true."""
    to_goal, to_start = items.off(state, story.goal), items.off(state, story.prepared)
    faults = [f"it blames others for {one}" for one in ended.blames_others()]
    if ended.status not in story.may_end:
        faults.append(f"it ended with {ended.status}")
    if ended.status in (USAGE, ROLLED_BACK, REFUSED) and to_start:
        faults.append(f"it ended with {ended.status}, and is not as before: {to_start}")
    elif unnamed(to_goal, ended) and (to_start or ended.status not in (UNKNOWN, ROLLED_BACK, REFUSED)):
        faults.append(f"it ended with {ended.status} and did not name {unnamed(to_goal, ended)}")
    return faults
