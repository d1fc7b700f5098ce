"""Asking rocenv about a machine that exists only here."""

import json
import os
import subprocess
import threading
from pathlib import Path

from machine import Machine, read_tree

ROOT = Path(__file__).resolve().parent.parent.parent
ROCENV = os.environ.get("ROCENV", str(ROOT / "build/dev/rocenv"))
MACHINES = Path(os.environ.get("MACHINES", ROOT / "build/machines"))
SECONDS = 20  # for one report


class Asker:
    def __init__(self, scratch):
        self.scratch, self.asked = scratch, 0
        self._lock, self._bases, self._unknown, self._usual = threading.Lock(), {}, {}, {}
        self.acceptance = self._run("profile", "show", "acceptance").returncode == 0

    @staticmethod
    def _run(*words):
        return subprocess.run([ROCENV, *words], capture_output=True, text=True, timeout=SECONDS, check=False,
                              env={"PATH": os.environ["PATH"], "HOME": "/nonexistent", "LC_ALL": "C"})

    def base(self, name):
        """A machine to edit."""
        with self._lock:
            if name not in self._bases:
                self._bases[name] = read_tree(MACHINES / f"{name}.tree")
            return Machine(self._bases[name])

    def unknown(self, expect):
        """Why this cannot be asked yet; empty: it can."""
        key = (expect.id, expect.value)
        if key not in self._unknown:
            said = self._run("check", "--sysroot", str(MACHINES / "no-gpu.tree"), "-p", "host", "--only", expect.id,
                             "--want", f"{expect.id}={expect.value}").stderr
            why = f"no setting {expect.id} yet" if "unknown setting" in said else ""
            self._unknown[key] = why or (f"{expect.id} takes no {expect.value} yet" if " found, wanted " in said else "")
        return self._unknown[key]

    def write(self, machine):
        with self._lock:
            self.asked += 1
            path = self.scratch / f"{self.asked}.tree"
        machine.write(path)
        return path

    def ask(self, machine, expects=(), profile="host", more=()):
        """The report about the ids of `expects`, or of all that a profile has. A machine may be a file."""
        words = ["check", "--format", "json", "--ignore-match", "-p", profile]
        if profile == "acceptance" and not self.acceptance:
            words[-1] = "host"
        if expects:
            words += ["--only", ",".join(dict.fromkeys([*(one.id for one in expects), *(one.split("=")[0] for one in more)]))]
            if words[5] != "acceptance":
                words += [word for one in expects for word in ("--want", f"{one.id}={one.value}")]
        words += [word for one in more for word in ("--want", one)]
        path = machine if isinstance(machine, Path) else self.write(machine)
        done = self._run(*words, "--sysroot", str(path))
        if not isinstance(machine, Path):
            path.unlink()
        if not done.stdout.startswith("{"):
            raise RuntimeError(f"{' '.join(words)}: ended with {done.returncode}: {done.stderr}")
        return json.loads(done.stdout)

    def once(self, base, expects=(), profile="host"):
        """The same of a healthy machine, asked once."""
        key = (base, tuple((one.id, one.value) for one in expects), profile)
        if key not in self._usual:
            self._usual[key] = self.ask(self.base(base), expects, profile)
        return self._usual[key]

    def record(self, machine):
        """The file that record writes of a machine."""
        path = self.write(machine)
        out = path.with_suffix(".recorded.tree")
        self._run("record", "--sysroot", str(path), "--output", str(out))
        path.unlink()
        return out

    def files_read(self, machine):
        """Which files of it are ever read: a recording names the others without their content."""
        return read_tree(self.record(machine))
