# SPDX-License-Identifier: MIT
"""What the scenarios of test_slurm share: what a lab is like before each, how a node's health check is run, what is told."""
from slurm_lab import wait_for

NUMA = "proc/sys/kernel/numa_balancing"
GOVERNOR = "sys/devices/system/cpu/cpufreq/policy0/scaling_governor"
ALL_ON = ["SET=yes", "GATE=yes", "DRAIN=yes", "DRAIN_FOLDER=/shared", "DRAIN_FOLDER_IS=shared", "PROFILE=/etc/rocenv/set.toml"]
failed = []


def expect(name, good, reported=""):
    if not good:
        failed.append(name)
        print(f"    {reported}")
    print(f"{'ok' if good else 'not ok'} slurm: {name}", flush=True)


def same(name, found, expected):
    expect(name, found == expected, f"found {found}\n    wanted {expected}")


def has_texts(name, text, *expected):
    missing = [each for each in expected if each not in text]
    expect(name, not missing, f"missing {missing} in:\n{text}")


class Scenarios:
    """Each begins with all nodes idle, as their machine was written, nothing logged and no state of the scripts."""

    def __init__(self, lab):
        self.lab, self.ctl, self.n1 = lab, lab.ctl, lab.nodes["n1"]

    def fresh(self):
        lab = self.lab
        self.ctl.run("scancel", "--user=nobody")
        self.ctl.run("scancel", "--user=root")
        wait_for(lambda: self.ctl.out("squeue", "--noheader") == "", "no job is left", lambda: self.ctl.out("squeue"))
        for name, node in lab.nodes.items():
            (lab.folder / f"shared/rocenv-{name}").unlink(missing_ok=True)
            lab.fresh(name)
            node.run("rm", "-rf", "/run/rocenv-slurm")
            if lab.states()[name] != "idle":
                self.ctl.run("scontrol", "update", f"NodeName={name}", "State=RESUME")
        wait_for(lambda: set(lab.states().values()) == {"idle"}, "all nodes are idle", lab.states)
        lab.profile("set", '"kernel.numa_balancing" = 1\n"cpu.governor" = "ondemand"\n')
        lab.profile("wrong", '"gpu.count" = 99\n')
        lab.profile("links", '"rdma.port" = "active"\n"cpu.smt" = { value = "on", level = "info" }\n')
        lab.site(*ALL_ON)
        lab.log()

    def health(self, *names):
        """One run on these nodes, one after another; and their exit statuses."""
        return [self.lab.nodes[name].run("/opt/scripts/health-check")[0] for name in names or ["n1"]]

    def drained(self):
        return [name for name, state in self.lab.states().items() if "drain" in state]

    def values(self, node=None):
        folder = (node or self.n1).sysroot
        return [(folder / each).read_text(encoding="utf-8").strip() for each in (NUMA, GOVERNOR)]

    def running(self, *words, node="n1", **more):
        job = self.lab.submit("-w", node, *words, **more)
        self.lab.becomes(job, "RUNNING")
        self.has_started(job)
        return job

    def has_started(self, job):
        """Waits until the job's script runs, which is after the prolog."""
        started = self.lab.folder / f"tmp/started-{job}"
        wait_for(started.exists, f"the script of job {job} runs")
        started.unlink()

    def peek(self):
        path = self.lab.folder / "shared/node.log"
        return path.read_text(encoding="utf-8") if path.exists() else ""

    def ended(self, job, *states):
        """The job is over and its epilog too."""
        self.lab.becomes(job, *(states or ("COMPLETED", "CANCELLED", "FAILED")))
        wait_for(lambda: self.job_is_off(job), f"the epilog of {job} is over")

    def put_back(self, before, what):
        """Whoever leaves is no holder any more before the first value is written."""
        wait_for(lambda: (self.n1.holders(), self.values()) == ([], before), what, self.n1.holders)

    def job_is_off(self, job):
        return self.ctl.out("squeue", "--noheader", "--states=all", "--format=%t", f"--jobs={job}") != "CG"
