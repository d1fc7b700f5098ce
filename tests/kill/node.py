# SPDX-License-Identifier: MIT
"""A folder that stands for a machine, and what in it differs from how it was made."""

import os
import shutil
from pathlib import Path

STATE = "run/rocenv"


def files_below(folder):
    """(path within the folder, what lstat says) of each file that is no link and no folder."""
    todo = [""]
    while todo:
        below = todo.pop()
        with os.scandir(os.path.join(folder, below)) as entries:
            for entry in entries:
                path = f"{below}/{entry.name}" if below else entry.name
                if entry.is_dir(follow_symlinks=False):
                    todo.append(path)
                elif not entry.is_symlink():
                    yield path, entry.stat(follow_symlinks=False)


def stamp(status):
    return status.st_ino, status.st_mtime_ns, status.st_ctime_ns, status.st_size


class Node:
    """A copy of the folder `start`. A state is {path: content} of the files that differ from it;
    of one that is gone the content is None. What is in STATE belongs to it."""

    def __init__(self, start, folder):
        self.folder = Path(folder)
        shutil.copytree(start, folder, symlinks=True)
        self.start, self.unchanged, self.last = {}, {}, {}
        for path, status in files_below(self.folder):
            self.start[path] = (self.folder / path).read_bytes()
            self.unchanged[path] = stamp(status)

    def look(self):
        """The state it is in; whoever changed something looks, so that put() knows of it."""
        state, seen = {}, set()
        for path, status in files_below(self.folder):
            seen.add(path)
            if self.unchanged.get(path) == stamp(status):
                continue
            content = (self.folder / path).read_bytes()
            if content == self.start.get(path):
                self.unchanged[path] = stamp(status)
            else:
                state[path] = content
        state.update({path: None for path in self.start.keys() - seen})
        self.last = state
        return state

    def put(self, state):
        """Makes the folder that state, STATE included."""
        for path in self.last.keys() - state.keys():
            if path in self.start:
                self.write(path, self.start[path])
        shutil.rmtree(self.folder / "run", ignore_errors=True)
        for path, content in state.items():
            self.write(path, content)
        self.last = state

    def write(self, path, content):
        place = self.folder / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(content)


def targets(state):
    """Of a state, the files that are not ours."""
    return {path: content for path, content in state.items() if not path.startswith(f"{STATE}/")}


def leftovers(state, allowed):
    """Of a state, the files in STATE but for those that may stay."""
    ours = [path.removeprefix(f"{STATE}/") for path in state if path.startswith(f"{STATE}/")]
    return sorted(name for name in ours if name not in allowed)
