# SPDX-License-Identifier: MIT
"""The health check of Slurm: who is drained, who is not, and who comes back."""
import os
import subprocess
import time
from pathlib import Path

from slurm_lab import NODES, ROOT, program, wait_for
from slurm_scenarios import ALL_ON, Scenarios, same, has_texts

MACHINES = Path(os.environ.get("MACHINES", ROOT / "build/machines")).resolve()
HANGFS = Path(os.environ.get("HANGFS", ROOT / "build/dev/tests/hangfs")).resolve()
LINKS_WRAPPER = "#!/bin/bash" + """
[ "$1" = check ] || exec /opt/rocenv/rocenv "$1" --sysroot /node "${@:2}"
exec /opt/rocenv/rocenv check --sysroot /shared/machine.tree "${@:2}"
"""


class Health(Scenarios):
    def broken_profile(self):
        self.lab.profile("set", "what is this")
        self.lab.profile("wrong", '"gpu.count" = {\n')
        self.lab.site(*ALL_ON, "CHECK_PROFILE=/etc/rocenv/wrong.toml")
        job = self.lab.submit("-N4", script="#!/bin/sh\ntrue\n")
        self.ended(job)
        same("a broken profile: no job fails", self.lab.job_state(job), "COMPLETED")
        statuses = sum((self.health(*NODES) for _ in range(3)), [])
        same("a broken profile: nobody is drained", (self.drained(), set(statuses)), ([], {0}))
        has_texts("a broken profile is logged", self.lab.log(), "status 2")

    def wrong_profile(self):
        self.lab.site(*ALL_ON, "CHECK_PROFILE=/etc/rocenv/wrong.toml")
        self.health(*NODES)
        same("a difference in one run drains nobody", self.drained(), [])
        both = [subprocess.Popen(node.words("/opt/scripts/health-check")) for node in self.lab.nodes.values()]
        same("four nodes at once: all end with 0", [each.wait(60) for each in both], [0] * 4)
        first = self.drained()
        same("MAX_DRAIN holds for four at once", len(first), 1)
        for _ in range(3):
            self.health(*NODES)
        same("and in later runs", self.drained(), first)
        same("the reason is the brief line", self.lab.reason(first[0]), "rocenv: 1 required differs: gpu.count 8")
        has_texts("who is left out is logged", self.lab.log(), "not drained, MAX_DRAIN is reached in gpu")

    def without_lock(self):
        for name, lines in (("no folder", []), ("a folder that is not there", ["DRAIN_FOLDER=/nowhere"]),
                            ("a folder of all", ["DRAIN_FOLDER=/tmp"])):
            self.lab.site("DRAIN=yes", "CHECK_PROFILE=/etc/rocenv/wrong.toml", *lines)
            self.health()
            self.health()
            same(f"{name} for the lock: no drain", self.drained(), [])
        has_texts("that is logged", self.lab.log(), "not drained, DRAIN_FOLDER is not set", "not drained, /nowhere is not a folder",
              "not drained, /tmp is not a folder that only root")

    def foreign_drain(self):
        self.lab.site(*ALL_ON, "CHECK_PROFILE=/etc/rocenv/wrong.toml")
        self.ctl.out("scontrol", "update", "NodeName=n1", "State=DRAIN", "Reason=memory test")
        for _ in range(3):
            self.health()
        same("a node that an admin drained keeps his reason", self.lab.reason("n1"), "memory test")
        self.lab.site(*ALL_ON)
        for _ in range(3):
            self.health()
        same("and is not resumed", self.drained(), ["n1"])

    def links(self):
        tree = (MACHINES / "mi300x-tuned.tree").read_text(encoding="utf-8")
        program(self.lab.folder / "shared/rocenv-n1", LINKS_WRAPPER)
        self.lab.site(*ALL_ON, "CHECK_PROFILE=/etc/rocenv/links.toml")

        def port(state):
            text = tree if state == "up" else tree.replace("4: ACTIVE", "1: DOWN").replace("5: LinkUp", "2: Polling")
            (self.lab.folder / "shared/machine.tree").write_text(text, encoding="utf-8")

        port("down")
        self.health()
        self.health()
        same("a port that is down drains", self.drained(), ["n1"])
        port("up")
        self.health()
        same("one clean run is not enough", self.drained(), ["n1"])
        port("down")
        self.health()
        port("up")
        self.health()
        same("nor one after a relapse", self.drained(), ["n1"])
        self.health()
        same("two clean runs in a row resume it", self.drained(), [])
        port("down")
        self.health()
        self.health()
        self.lab.profile("links", '"rdma.port" = "active"\n"gpu.count" = 99\n')
        self.health()
        port("up")
        self.lab.profile("links", '"rdma.port" = "active"\n')
        for _ in range(3):
            self.health()
        same("with another reason beside it, it stays drained", self.drained(), ["n1"])

    def other_reasons(self):
        self.lab.site(*ALL_ON, "CHECK_PROFILE=/etc/rocenv/wrong.toml")
        self.health()
        self.health()
        same("gpu.count drains", self.drained(), ["n1"])
        self.lab.profile("wrong", '"gpu.count" = 8\n')
        for _ in range(3):
            self.health()
        same("and is never resumed", self.drained(), ["n1"])

    def hung_gpu(self):
        found = sorted(self.n1.sysroot.rglob("current_compute_partition"))
        path = str(found[0].relative_to(self.n1.sysroot))
        mounted = self.n1.own / "root/node"
        enter = ["nsenter", f"--target={self.n1.pid}", "--mount", "--"]
        server = subprocess.Popen([*enter, HANGFS, "--over", self.n1.sysroot, mounted, path], stderr=subprocess.DEVNULL)
        try:
            wait_for(lambda: self.n1.run("mountpoint", "-q", "/node")[0] == 0 and server.poll() is None, "hangfs is mounted")
            time.sleep(0.5)
            self.health()
            self.health()
            same("a hung GPU, two runs: not drained", self.drained(), [])
            self.health()
            same("a hung GPU, three runs: drained", self.drained(), ["n1"])
            has_texts("its reason says so", self.lab.reason("n1"), "timeout")
        finally:
            server.kill()
            server.wait()
            subprocess.run([*enter, "umount", "-l", mounted], check=False)
        self.fresh()
        (self.n1.sysroot / path).unlink()
        (self.n1.sysroot / path).mkdir()
        for _ in range(4):
            self.health()
        has_texts("what cannot be read otherwise is unknown, too", self.lab.log(), "status 3: rocenv: 1 required unknown")
        same("but drains nobody", self.drained(), [])

    def by_slurm_itself(self):
        """slurmctld starts the health check, with the environment that it gives."""
        self.lab.configure(health_check_interval=3)
        self.lab.site(*ALL_ON, "CHECK_PROFILE=/etc/rocenv/wrong.toml")
        self.ctl.out("scontrol", "reconfigure")
        wait_for(lambda: len(self.drained()) == 1, "Slurm's own health checks drain one node", self.lab.states)
        time.sleep(8)
        same("Slurm's own health checks drain one node", len(self.drained()), 1)
        self.lab.configure()
        self.ctl.out("scontrol", "reconfigure")
