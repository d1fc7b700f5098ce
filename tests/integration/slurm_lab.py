# SPDX-License-Identifier: MIT
"""A Slurm cluster on one machine: munge, slurmctld and several slurmd of Debian's packages, in a Debian root of its own.

Each node has namespaces of its own for mounts, processes and its host name (slurm-node), and a folder for rocenv's
--sysroot; the network of all of them is a loopback that nothing else sees. Ends with everything when it is closed.
"""
import ctypes
import fcntl
import json
import os
import shutil
import socket
import struct
import subprocess
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
SCRIPTS = ROOT / "scripts/integrations/slurm"
PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
NODES = ["n1", "n2", "n3", "n4"]
JOB_USER = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "--"]
CLONE_NEWNS, CLONE_NEWNET = 0x00020000, 0x40000000
WAITED_AT_MOST = 40

SLURM_CONF = """\
ClusterName=lab
SlurmctldHost=ctl(127.0.0.1)
SlurmUser=root
AuthType=auth/munge
AuthInfo=cred_expire=6
StateSaveLocation=/var/spool/slurmctld
SlurmdSpoolDir=/var/spool/slurmd
SlurmctldLogFile=/var/log/slurmctld.log
SlurmdLogFile=/var/log/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SlurmdParameters=config_overrides
MpiDefault=none
SlurmdTimeout=300
KillWait=2
MessageTimeout=5
MinJobAge=300
ReturnToService=2
PrologFlags=Alloc
Prolog=/opt/scripts/prolog
Epilog=/opt/scripts/epilog
TaskProlog=/opt/scripts/task-prolog
HealthCheckProgram=/opt/scripts/health-check
HealthCheckInterval={health_check_interval}
GresTypes=gpu
{nodes}
NodeName=x[1-96] NodeAddr=127.0.0.1 Port=7999 CPUs=8 State=DOWN
PartitionName=gpu Nodes=n[1-4] Default=YES OverSubscribe=NO
PartitionName=wide Nodes=n[1-4],x[1-96] OverSubscribe=NO
"""


class Node:
    """One machine of the lab: its process 1, and programs that run inside."""

    def __init__(self, lab, root, name):
        self.lab, self.name = lab, name
        self.sysroot = lab / "nodes" / name
        self.own = lab / "own" / name
        self.init = subprocess.Popen(["setpriv", "--pdeathsig=KILL", "unshare", "--mount", "--uts", "--pid", "--fork", "--kill-child",
                                      ROOT / "tests/integration/slurm-node", lab, root, name])
        wait_for((lab / f"shared/ready-{name}").exists, f"{name} is made")
        children = Path(f"/proc/{self.init.pid}/task/{self.init.pid}/children").read_text(encoding="ascii")
        self.pid = children.split()[0]

    def words(self, *words, env=()):
        return ["nsenter", f"--target={self.pid}", "--mount", "--uts", "--pid", "--root", "--wd=/", "--",
                "env", "-i", "--chdir=/tmp", f"PATH={PATH}", "LC_ALL=C.UTF-8", "HOME=/tmp", *env, *map(str, words)]

    def run(self, *words, env=(), text=None):
        """Exit status, output and errors."""
        done = subprocess.run(self.words(*words, env=env), input=text, capture_output=True, text=True, check=False, timeout=120)
        return done.returncode, done.stdout, done.stderr

    def out(self, *words, env=()):
        status, out, err = self.run(*words, env=env)
        if status != 0:
            raise RuntimeError(f"{self.name}: {words}: {status}: {out}{err}")
        return out.strip()

    def start(self, *words):
        with (self.own / f"{words[0]}.out").open("a", encoding="utf-8") as log:
            return subprocess.Popen(self.words(*words), stdin=subprocess.DEVNULL, stdout=log, stderr=log)

    def start_munge(self):
        self.out("mkdir", "-p", "/run/munge")
        self.out("munged", "--key-file=/etc/munge/munge.key", "--log-file=/run/munge/log", "--seed-file=/run/munge/seed",
                 "--pid-file=/run/munge/pid", "--num-threads=1")

    def start_slurmd(self):
        self.out("slurmd")

    def pids(self, program):
        return self.run("pidof", program)[1].split()

    def kill(self, program):
        for pid in self.pids(program):
            self.run("bash", "-c", f"kill -9 {pid}")
        wait_for(lambda: not self.pids(program), f"{program} on {self.name} ends")

    def rocenv(self, *words):
        return self.run("rocenv", *words)

    def holders(self):
        """Names that hold something, by the node's journal."""
        return json.loads(self.rocenv("status", "--format", "json")[1])["holders"]

    def stop(self):
        self.init.kill()
        self.init.wait()


class Lab:
    def __init__(self, folder, root, machine, rocenv):
        self.folder, self.root = folder, root
        self.machine = machine
        # What loads no cgroups: older Slurm has no word for it, and its first version does nothing unless asked.
        self.no_cgroups = "cgroup/v1" if root.name == "bookworm" else "disabled"
        for name in ("etc/slurm", "etc/munge", "etc/rocenv", "shared", "tmp", "opt/rocenv", "opt/scripts", "own", "nodes"):
            (folder / name).mkdir(parents=True)
        (folder / "tmp").chmod(0o1777)
        shutil.copy(rocenv, folder / "opt/rocenv/rocenv")
        program(folder / "opt/rocenv/wrapper", WRAPPER)
        program(folder / "opt/rocenv/numactl", '#!/bin/sh\necho "numactl $1 $2"\nshift 2\nexec "$@"\n')
        for script in SCRIPTS.iterdir():
            shutil.copy(script, folder / "opt/scripts")
        for number in range(8):
            (folder / f"opt/rocenv/gpu{number}").touch()
        key = folder / "etc/munge/munge.key"
        key.write_bytes(os.urandom(128))
        key.chmod(0o400)
        hosts = "".join(f"127.0.0.{number} {name}\n" for number, name in enumerate(NODES, 11))
        (folder / "etc/hosts").write_text(f"127.0.0.1 localhost ctl\n{hosts}", encoding="ascii")
        self.configure()
        self.site()
        self.ctl = Node(folder, root, "ctl")
        self.nodes = {}

    def configure(self, health_check_interval=0):
        lines = "\n".join(f"NodeName={name} NodeAddr=127.0.0.{number} Port={7000 + number} CPUs=8 RealMemory=64 Gres=gpu:8 State=UNKNOWN"
                          for number, name in enumerate(NODES, 11))
        (self.folder / "etc/slurm/slurm.conf").write_text(
            SLURM_CONF.format(nodes=lines, health_check_interval=health_check_interval), encoding="ascii")
        (self.folder / "etc/slurm/cgroup.conf").write_text(f"CgroupPlugin={self.no_cgroups}\n", encoding="ascii")
        (self.folder / "etc/slurm/gres.conf").write_text("NodeName=n[1-4] Name=gpu File=/opt/rocenv/gpu[0-7]\n", encoding="ascii")

    def start(self):
        self.ctl.start_munge()
        self.start_controller()
        for name in NODES:
            self.fresh(name)
            self.nodes[name] = Node(self.folder, self.root, name)
            self.nodes[name].start_munge()
            self.nodes[name].start_slurmd()
        wait_for(lambda: set(self.states().values()) == {"idle"}, "all nodes are idle", self.states)

    def start_controller(self):
        self.ctl.out("slurmctld")
        wait_for(lambda: self.ctl.run("scontrol", "ping")[0] == 0, "slurmctld answers")

    def fresh(self, name):
        """The node is again as its machine was written."""
        folder = self.folder / "nodes" / name
        if folder.exists():
            for each in folder.iterdir():
                shutil.rmtree(each)
        shutil.copytree(self.machine, folder, symlinks=True, dirs_exist_ok=True)

    def site(self, *lines):
        """Writes /etc/rocenv/slurm.conf of all nodes."""
        text = "LOG=/shared/node.log\nJITTER=0\n" + "".join(f"{line}\n" for line in lines)
        (self.folder / "etc/rocenv/slurm.conf").write_text(text, encoding="utf-8")

    def profile(self, name, settings):
        (self.folder / f"etc/rocenv/{name}.toml").write_text(f'[profile]\nname = "{name}"\n[settings]\n{settings}', encoding="utf-8")

    def controller_log(self):
        log = self.ctl.own / "changes/var/log/slurmctld.log"
        return log.read_text(encoding="utf-8")[-3000:]

    def log(self):
        """What the scripts of all nodes have logged since this was last asked."""
        path = self.folder / "shared/node.log"
        text = path.read_text(encoding="utf-8") if path.exists() else ""
        path.write_text("", encoding="utf-8")
        return text

    def states(self):
        lines = self.ctl.out("sinfo", "--noheader", "--Node", "--format=%N %T", "--partition=gpu").splitlines()
        return dict(line.split() for line in lines)

    def reason(self, name):
        return self.ctl.out("sinfo", "--noheader", "--Node", "--format=%E", "--partition=gpu", f"--nodes={name}")

    def submit(self, *words, script="#!/bin/sh\ntouch /tmp/started-$SLURM_JOB_ID\nsleep 300\n"):
        status, out, err = self.ctl.run(*JOB_USER, "sbatch", "--parsable", "--output=/tmp/%j.out", *words, text=script)
        if status != 0:
            raise RuntimeError(f"sbatch: {err}")
        return out.strip()

    def job_state(self, job):
        status, out, err = self.ctl.run("squeue", "--noheader", "--states=all", "--format=%T", f"--jobs={job}")
        return out.strip() if status == 0 else err.strip()

    def becomes(self, job, *states):
        wait_for(lambda: self.job_state(job) in states, f"job {job} is {states}", lambda: self.job_state(job))

    def close(self):
        for node in [*self.nodes.values(), self.ctl]:
            node.stop()


# What site and scripts take for rocenv: the node's folder stands for its /sys and /proc.
WRAPPER = "#!/bin/bash" + """
fake=/shared/rocenv-$(hostname)
[ ! -x "$fake" ] || exec "$fake" "$@"
exec /opt/rocenv/rocenv "$1" --sysroot /node "${@:2}"
"""


def program(path, text):
    path.write_text(text, encoding="utf-8")
    path.chmod(0o755)


def wait_for(question, what, reported=None):
    end = time.monotonic() + WAITED_AT_MOST
    while not question():
        if time.monotonic() > end:
            raise TimeoutError(f"waited too long until {what}{': ' + str(reported()) if reported else ''}")
        time.sleep(0.2)


def enter_private_namespaces(folder):
    """This process gets mounts and a network of its own: a folder in memory, and the loopback."""
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.unshare(CLONE_NEWNS | CLONE_NEWNET) != 0:
        raise OSError(ctypes.get_errno(), "unshare")
    subprocess.run(["mount", "--make-rprivate", "/"], check=True)
    subprocess.run(["mount", "-t", "tmpfs", "-o", "mode=755", "none", folder], check=True)
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as any_socket:
        request = struct.pack("16sh14x", b"lo", 1 | 64)  # IFF_UP, IFF_RUNNING
        fcntl.ioctl(any_socket, 0x8914, request)  # SIOCSIFFLAGS
        # To the C library a machine with nothing but 127.0.0.1 has no IPv4, and Slurm asks it for what is there.
        address = struct.pack("16sHH4s8x", b"lo:1", socket.AF_INET, 0, socket.inet_aton("10.0.0.1"))
        fcntl.ioctl(any_socket, 0x8916, address)  # SIOCSIFADDR
