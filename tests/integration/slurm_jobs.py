# SPDX-License-Identifier: MIT
"""Jobs under the scripts of Slurm: what is set for them, how it goes back, what they see of it."""
import json
import os
import time

from slurm_lab import JOB_USER, NODES, ROOT, program, wait_for
from slurm_scenarios import ALL_ON, GOVERNOR, Scenarios, expect, same, has_texts


class Jobs(Scenarios):
    def nothing_by_default(self):
        os.unlink(self.lab.folder / "etc/rocenv/slurm.conf")
        before = self.values()
        job = self.running()
        same("default: a job runs, and nothing is set", (self.values(), self.n1.holders()), (before, []))
        self.ctl.out("scancel", job)
        self.ended(job)
        self.lab.site("PROFILE=/etc/rocenv/set.toml", "CHECK_PROFILE=/etc/rocenv/wrong.toml")
        job = self.running()
        same("switches off: a job runs, and nothing is set", (self.values(), self.n1.holders()), (before, []))
        self.n1.rocenv("set", "-p", "/etc/rocenv/set.toml", "--hold", f"slurm-{job}")
        self.ctl.out("scancel", job)
        self.ended(job)
        statuses = sum((self.health() for _ in range(3)), [])
        same("switches off: health checks end with 0", statuses, [0, 0, 0])
        same("switches off: nothing drained, nothing put back", (self.drained(), self.n1.holders()), ([], [f"slurm-{job}"]))
        has_texts("switches off: what would be done is logged", self.lab.log(), "SET=no; would set", f"would reset --hold slurm-{job}",
              "DRAIN=no; would drain: rocenv: 1 required differs: gpu.count 8")

    def site_file(self):
        path = self.lab.folder / "etc/rocenv/slurm.conf"
        for name, line, mode in (("an unknown key", "SETT=yes", 0o644), ("a value that is none", "GATE=maybe", 0o644),
                                 ("shell", "PROFILE=$(touch /shared/ran)", 0o644), ("others may write it", "", 0o666)):
            self.lab.site(*ALL_ON, line)
            path.chmod(mode)
            job = self.running()
            held = self.n1.holders()
            self.ctl.out("scancel", job)
            self.ended(job)
            same(f"site file, {name}: nothing is set", (held, (self.lab.folder / "shared/ran").exists()), ([], False))
        path.chmod(0o644)

    def gate(self):
        """CHECK=gate keeps a job from a node with a required difference, by what the health check wrote of MAX_DRAIN."""
        self.lab.site(*ALL_ON, "DRAIN=no", "CHECK=gate", "CHECK_PROFILE=/etc/rocenv/wrong.toml")
        job = self.running()
        has_texts("gate: without an answer about MAX_DRAIN the job starts", self.lab.log(), "CHECK=gate; would fail, but /run/rocenv-slurm/max-drain is missing")
        self.ctl.out("scancel", job)
        self.ended(job)
        self.health("n1", "n2")
        self.lab.submit("-w", "n1")
        wait_for(lambda: self.drained() == ["n1"], "the gate fails the prolog, and Slurm drains the node", self.lab.states)
        same("gate: the reason is Slurm's", self.lab.reason("n1"), "Prolog error")
        same("gate: a job that does not start sets nothing", self.n1.holders(), [])
        has_texts("gate: the difference is logged", self.lab.log(), "the job does not start here: gpu.count")
        self.lab.nodes["n2"].run("touch", "-d", "5 minutes ago", "/run/rocenv-slurm/max-drain")
        self.health("n2")
        job = self.running(node="n2")
        same("gate: MAX_DRAIN is reached, so the next node only logs", self.drained(), ["n1"])
        has_texts("gate: that is logged", self.lab.log(), "CHECK=gate; would fail, but MAX_DRAIN is reached in gpu: gpu.count")
        self.ctl.out("scancel", job)
        self.ended(job)

    def two_jobs(self):
        before = self.values()
        first = self.running()
        second = self.running()
        same("two jobs hold", sorted(self.n1.holders()), sorted([f"slurm-{first}", f"slurm-{second}"]))
        same("two jobs: the node is set", self.values(), ["1", "ondemand"])
        self.ctl.out("scancel", second)
        self.ended(second)
        same("the second leaves, the first still holds", (self.n1.holders(), self.values()), ([f"slurm-{first}"], ["1", "ondemand"]))
        self.ctl.out("scancel", first)
        self.ended(first)
        same("the last leaves: the node is as before", (self.n1.holders(), self.values()), ([], before))
        same("and nobody is drained", self.drained(), [])

    def many_nodes(self):
        before = self.values()
        job = self.lab.submit("-N4", "--exclusive")
        wait_for(lambda: all(each.holders() for each in self.lab.nodes.values()), "all nodes are held")
        same("a job on four nodes: all are set", [self.values(each) for each in self.lab.nodes.values()], [["1", "ondemand"]] * 4)
        self.ctl.out("scancel", job)
        self.ended(job)
        wait_for(lambda: set(self.lab.states().values()) == {"idle"}, "all nodes are idle", self.lab.states)
        same("scancel: all are as before", [self.values(each) for each in self.lab.nodes.values()], [before] * 4)

    def requeue(self):
        before = self.values()
        job = self.running("--requeue")
        self.ctl.out("scontrol", "requeue", job)
        self.put_back(before, "the requeued job lets go")
        same("requeue: the node is as before meanwhile", self.values(), before)
        self.lab.becomes(job, "PENDING")  # while it is COMPLETING a launch fails: the node still has its old step
        self.ctl.out("scontrol", "update", f"JobId={job}", "StartTime=now")
        self.lab.becomes(job, "RUNNING")
        self.has_started(job)  # Slurm says RUNNING while the prolog is still at work
        same("requeue: the job holds again", (self.n1.holders(), self.values()), ([f"slurm-{job}"], ["1", "ondemand"]))
        self.ctl.out("scancel", job)
        self.ended(job)
        same("requeue: and lets go", (self.n1.holders(), self.values()), ([], before))

    def killed_slurmd(self):
        before = self.values()
        job = self.running()
        self.n1.kill("slurmd")
        self.health()
        same("slurmd is dead: the running job holds", (self.n1.holders(), self.values()), ([f"slurm-{job}"], ["1", "ondemand"]))
        self.n1.start_slurmd()
        self.ctl.out("scancel", job)
        self.ended(job)
        self.put_back(before, "the epilog has run")
        same("slurmd is back: scancel and epilog put back", self.values(), before)

    def lost_epilog(self):
        before = self.values()
        job = self.running("--no-requeue")
        self.n1.kill("slurmd")
        self.ctl.out("scontrol", "update", "NodeName=n1", "State=DOWN", "Reason=lab")
        self.lab.becomes(job, "NODE_FAIL")
        self.health()
        same("its steps still run here: the hold stays", self.n1.holders(), [f"slurm-{job}"])
        self.n1.kill("slurmstepd")
        self.health()
        same("its slurmstepd is killed and left its socket: the hold stays", self.n1.holders(), [f"slurm-{job}"])
        for pid in self.n1.out("find", "/proc", "-maxdepth", "1", "-name", "[0-9]*", "-user", "nobody", "-printf", "%f ").split():
            self.n1.run("bash", "-c", f"kill -9 {pid}")
        self.n1.run("bash", "-c", "rm -f /var/spool/slurmd/n1_*")  # as Slurm does once the socket is ten minutes old
        self.ctl.out("scontrol", "shutdown", "slurmctld")
        wait_for(lambda: not self.ctl.pids("slurmctld"), "slurmctld ends")
        self.health()
        same("the controller is silent: the hold stays", self.n1.holders(), [f"slurm-{job}"])
        self.lab.start_controller()
        self.health()
        same("the controller says that it ended: the hold goes", (self.n1.holders(), self.values()), ([], before))
        self.n1.start_slurmd()
        self.n1.rocenv("set", "-p", "/etc/rocenv/set.toml", "--hold", "slurm-99999")
        self.n1.rocenv("set", "-p", "/etc/rocenv/set.toml", "--hold", "backup")
        self.health()
        same("a job that nobody knows: its hold goes, other names stay", self.n1.holders(), ["backup"])
        self.n1.rocenv("reset", "--hold", "backup")

    def prolog_statuses(self):
        for status in (1, 2, 3, 4, 127):
            program(self.lab.folder / "shared/rocenv-n1", f"#!/bin/sh\necho 'rocenv: so it is' >&2\n[ $1 != set ] || exit {status}\nexit 0\n")
            job = self.lab.submit("-w", "n1", script="#!/bin/sh\ntrue\n")
            self.ended(job)
            same(f"a set that ends with {status}: the job runs, nobody is drained", (self.lab.job_state(job), self.drained()),
                 ("COMPLETED", []))
            has_texts(f"a set that ends with {status} is logged", self.lab.log(), f"status {status}: so it is")
        program(self.lab.folder / "shared/rocenv-n1", "#!/bin/sh\n[ $1 != set ] || exit 5\nexit 0\n")
        self.lab.site("SET=yes", "PROFILE=/etc/rocenv/set.toml")
        job = self.lab.submit("-w", "n1", script="#!/bin/sh\ntrue\n")
        self.ended(job)
        same("5, but GATE=no: the job runs", (self.lab.job_state(job), self.drained()), ("COMPLETED", []))
        self.lab.site(*ALL_ON)
        job = self.lab.submit("-w", "n1", script="#!/bin/sh\ntrue\n")
        wait_for(lambda: self.drained() == ["n1"], "the prolog fails", self.lab.states)
        has_texts("5 and GATE=yes: Slurm drains the node", self.lab.reason("n1"), "Prolog error")
        self.ctl.out("scancel", job)

    def foreign_governor(self):
        job = self.running()
        (self.n1.sysroot / GOVERNOR).write_text("powersave\n", encoding="utf-8")
        self.ctl.out("scancel", job)
        self.ended(job)
        wait_for(lambda: "left alone" in self.peek(), "the epilog has run", self.peek)
        same("a foreign governor stays, the rest goes back", self.values(), ["0", "powersave"])
        same("and the epilog does not fail", self.drained(), [])
        has_texts("it is logged", self.lab.log(), "status 5", "left alone: cpu.governor")

    def stuck_write(self):
        for gate, expected in (("no", []), ("yes", ["n1"])):
            self.fresh()
            self.lab.site(*ALL_ON, f"GATE={gate}")
            job = self.running()
            (self.n1.sysroot / GOVERNOR).with_name("scaling_available_governors").write_text("ondemand\n", encoding="utf-8")
            self.ctl.out("scancel", job)
            self.ended(job)
            wait_for(lambda: "could not be restored" in self.peek(), "the epilog has run", self.peek)
            time.sleep(1)
            same(f"a write of our own that cannot be put back, GATE={gate}", self.drained(), expected)
            has_texts("it is an alert", self.lab.log(), "alert: ", "could not be restored")
        has_texts("Slurm says why", self.lab.reason("n1"), "Epilog error")

    def damaged_journal(self):
        program(self.lab.folder / "shared/alert", "#!/bin/sh\necho \"$1\" >>/shared/alerts\n")
        self.lab.site(*ALL_ON, "ALERT=/shared/alert")
        job = self.running()
        journal = self.n1.sysroot / "run/rocenv/journal"
        lines = journal.read_text(encoding="utf-8").splitlines(keepends=True)
        journal.write_text("".join([lines[0], *(f"x{line}" for line in lines[1:])]), encoding="utf-8")
        self.ctl.out("scancel", job)
        self.ended(job)
        wait_for(lambda: "alert: " in self.peek(), "the epilog has run", self.peek)
        time.sleep(1)
        has_texts("a journal that cannot be read is an alert", self.lab.log(), "the journal cannot be read", "alert: ")
        has_texts("the site's program is told", (self.lab.folder / "shared/alerts").read_text(encoding="utf-8"), "n1: the journal cannot be read")
        same("and nobody is drained", self.drained(), [])

    def after_a_job(self):
        for after, expected in (("no", []), ("yes", ["n1"])):
            self.fresh()
            self.lab.site(*ALL_ON, f"DRAIN_AFTER_JOB={after}", "EXCLUSIVE=yes")  # Slurm 22.05 sets no variable for it
            job = self.running("--exclusive")
            (self.n1.sysroot / "sys/class/kfd/kfd/proc/4242").mkdir()
            self.ctl.out("scancel", job)
            wait_for(lambda: "after an exclusive job" in self.peek(), "the epilog has waited", self.peek)
            self.ended(job)
            same(f"a process left on a GPU, DRAIN_AFTER_JOB={after}: the epilog drains nobody", self.drained(), [])
            self.health()
            same(f"a process left on a GPU, DRAIN_AFTER_JOB={after}", self.drained(), expected)
            has_texts("it is told", self.lab.log(), "30 s after an exclusive job: status 1: rocenv: 1 required differs: gpu.users 1")
        self.fresh()
        self.lab.site(*ALL_ON, "DRAIN_AFTER_JOB=yes", "EXCLUSIVE=yes")
        job = self.running("--exclusive")
        next(self.n1.sysroot.rglob("mem_info_vram_used")).write_text(f"{64 << 30}\n", encoding="ascii")
        self.ctl.out("scancel", job)
        wait_for(lambda: "after an exclusive job" in self.peek(), "the epilog has waited", self.peek)
        self.ended(job)
        self.health()
        wait_for(lambda: self.drained() == ["n1"], "memory left on a GPU drains", self.lab.states)
        has_texts("memory left on a GPU drains, and says whose", self.lab.reason("n1"), "gpu.vram_used 0000:")
        self.fresh()
        self.lab.site(*ALL_ON, "EXCLUSIVE=yes")
        job = self.running("--exclusive")
        user = self.n1.sysroot / "sys/class/kfd/kfd/proc/4242"
        user.mkdir()
        self.ctl.out("scancel", job)
        time.sleep(4)
        user.rmdir()
        self.ended(job)
        same("one that goes within 30 s is not told", "exclusive" in self.lab.log(), False)
        self.lab.site(*ALL_ON)
        job = self.running()
        user.mkdir()
        self.ctl.out("scancel", job)
        self.ended(job)
        same("nor one after a job that shares its node", "exclusive" in self.lab.log(), False)

    def task_prolog(self):
        expected = "PYTORCH_TUNABLEOP_ENABLED"
        self.lab.site("ENV_PROFILE=tunableop-use fsdp")
        job = self.lab.submit("-w", "n1", script=f"#!/bin/sh\nenv | grep -e {expected} -e HIGH_PRIORITY\nsrun sh -c 'echo step ${expected}'\n")
        self.ended(job)
        out = (self.lab.folder / f"tmp/{job}.out").read_text(encoding="utf-8")
        has_texts("task prolog: variables arrive in the job and its steps", out, f"{expected}=1", "TORCH_NCCL_HIGH_PRIORITY=1", "step 1")
        job = self.lab.submit("-w", "n1", f"--export=ALL,{expected}=0", script=f"#!/bin/sh\nenv | grep ^{expected}\n")
        self.ended(job)
        same("what the job has set itself wins", (self.lab.folder / f"tmp/{job}.out").read_text(encoding="utf-8"), f"{expected}=0\n")
        self.lab.site("ENV_PROFILE=no-such-profile")
        job = self.lab.submit("-w", "n1", script="#!/bin/sh\ntrue\n")
        self.ended(job)
        same("task prolog: a bad profile fails no job", self.lab.job_state(job), "COMPLETED")

    def job_example(self):
        text = (ROOT / "scripts/integrations/slurm/job-per-gpu.sbatch").read_text(encoding="utf-8")
        program(self.lab.folder / "tmp/program", '#!/bin/sh\necho "gpu $ROCR_VISIBLE_DEVICES"\n')
        job = self.lab.submit("--ntasks-per-node=8", script=text)
        self.ended(job)
        lines = (self.lab.folder / f"tmp/{job}.out").read_text(encoding="utf-8").splitlines()
        same("job example: each task of a node has its GPU", sorted(each for each in lines if each.startswith("gpu")),
             sorted([f"gpu {number}" for number in range(8)] * 2))
        same("and the CPUs and memory beside it", {each for each in lines if each.startswith("numactl")},
             {f"numactl --physcpubind={first}-{first + 3} --membind={first // 16}" for first in range(0, 32, 4)})

    def sweep(self):
        (self.lab.folder / "tmp/sweep").mkdir()
        (self.lab.folder / "tmp/sweep").chmod(0o777)
        os_release = self.lab.nodes["n3"].sysroot / "proc/sys/kernel/osrelease"
        os_release.write_text("6.8.0-31-generic\n", encoding="utf-8")
        srun = [*JOB_USER, "srun", "-N4", "--ntasks-per-node=1"]
        check = ["rocenv", "check", "-p", "ci-preflight", "--scope", "node", "--facts", "--format"]
        self.ctl.run(*srun, "--output=/tmp/sweep/%N.json", "sh", "-c", f"{' '.join(check)} json --node $SLURMD_NODENAME")
        same("a sweep: a file a node", sorted(each.name for each in (self.lab.folder / "tmp/sweep").iterdir()),
             [f"{name}.json" for name in NODES])
        report = json.loads(self.ctl.run("/opt/rocenv/rocenv", "fleet", "--format", "json", "/tmp/sweep")[1])
        reported = self.ctl.run("/opt/rocenv/rocenv", "fleet", "/tmp/sweep")[1]
        has_texts("fleet groups them", reported, "4 nodes: ", "1 outlier", "1 group; ", "n3")
        expect("its JSON too", report["schema"].startswith("rocenv.fleet/"), report.get("schema"))
        mixed = silent = 0
        for _ in range(5):
            out = self.ctl.run(*srun, "sh", "-c", f"{' '.join(check)} jsonl --node $SLURMD_NODENAME")[1]
            whole = sum(1 for line in out.splitlines() if is_json(line))
            status = self.ctl.run("/opt/rocenv/rocenv", "fleet", "--expect", "n[1-4]", "-", text=out)[0]
            mixed += whole < 4
            silent += whole < 4 and status == 0
        print(f"    a plain pipe of srun: {mixed} of 5 sweeps came with lines cut or mixed ({len(out)} bytes each)")
        same("fleet never takes one of those for whole", silent, 0)


def is_json(line):
    try:
        return isinstance(json.loads(line), dict)
    except ValueError:
        return False
