"""Stand-ins for the tools that next steps name. Each notes what it was asked to do, and what a tool takes is listed here
with where that is said; a command that is in no list is a typing error, or a tool that needs a line here.
"""

import re
import subprocess
import threading

BDF = r"[0-9a-f]{4,}:[0-9a-f]{2}:[0-9a-f]{2}\.[0-7]"
GPU = rf"--gpu {BDF}"
MODULE = r"/sys/module/amdgpu/parameters/\w+"

# What may follow the name, whole. Sources: ROCm/amdsmi docs/how-to/amdsmi-cli-tool.md, 2026; the tools' man pages.
TOOLS = {
    "amd-smi": [rf"set {GPU} --(perf-determinism|power-cap|soc-pstate) \d+", rf"set {GPU} --compute-partition [SDTQC]PX",
                rf"set {GPU} --memory-partition NPS[1248]", rf"reset {GPU} --(gpureset|power-cap|perf-determinism)",
                rf"static {GPU} --vbios", rf"bad-pages {GPU}", rf"set {GPU} --perf-level AUTO", r"firmware|list|partition|xgmi"],
    "cat": [MODULE, r"/etc/os-release", r"/sys/\S+"],
    "cpupower": [r"frequency-set -g \w+", r"idle-set -[de] \d+", r"idle-set -D \d+"],
    "dkms": [r"status amdgpu"],
    "dmesg": [r""],
    "dmidecode": [r"-t (memory|bios|system)"],
    "fuser": [r"-v( /dev/kfd| /dev/dri/renderD\S+)+"],
    "grep": [r"(-i )?[\w:.-]+", r"ib_register_peer_memory_client /proc/kallsyms",
             r"MemTotal( /sys/devices/system/node/node\d+/meminfo)+", r"(-i )?-e [\w:.-]+( -e [\w:.-]+)*", r"-rw amdgpu /etc/modprobe\.d /proc/cmdline",
             r"\.( /sys/devices/system/edac/mc/mc\*/dimm\*/dimm_[cu]e_count)+",
             r"\. /sys/devices/system/edac/mc/mc\*/mc_name /sys/devices/system/edac/mc/mc\*/\*e_count",
             r"MemTotal /sys/devices/system/node/node\*/meminfo"],
    "ip": [r"(link|address) show", r"link set dev [\w.]+ mtu \d+", r"-s link show"],
    "ls": [r"-d /opt/rocm\S*", r"/sys/class/kfd/kfd/proc", r"/(sys|proc)/[\w/.-]+"],
    "lscpu": [r""],
    "lspci": [rf"-vvv?( -s {BDF})?", r"-nn -d 1002:", r"-nn -d ::0200", r"-tv"],
    "modinfo": [r"-n amdgpu"],
    "modprobe": [r"amdgpu", r"mlx5_(core|ib)|bnxt_(en|re)|ionic(_rdma)?|cxi_ss1"],
    "mount": [r"-t securityfs securityfs /sys/kernel/security"],
    "nvme": [r"list"],
    "paste": [r"-sd,"],
    "ps": [r"-fp.*"],
    "rdma": [r"(link|statistic) show"],
    "ras-mc-ctl": [r"--errors"],
    "setpci": [rf"-v -s {BDF} ECAP_ACS\+0x6\.w=[0-9a-f]{{4}}"],
    "sminfo": [r""],
    "sudo": [r"[a-z-]+( .*)?"],
    "swapoff": [r"-a"],
    "systemctl": [r"disable --now( [\w@.-]+)+", r"enable --now chronyd"],
    "tail": [r""],
    "tee": [r"(/(sys|proc/sys)/[\w/.*:-]+ ?)+"],
    "timedatectl": [r""],
    "uname": [r"-r"],
    "usermod": [r"-aG render,video somebody"],
}
SCRIPT = """#!/bin/sh
printf '%s\\n' "${0##*/} $*" >>"$CALLS"
case ${0##*/} in sudo) exec "$@" ;; esac
"""


class StandIns:
    def __init__(self, folder):
        self.folder, self.tried, self.lock = folder, {}, threading.Lock()
        folder.mkdir()
        for name in TOOLS:
            path = folder / name
            path.write_text(SCRIPT, encoding="ascii")
            path.chmod(0o755)

    def try_out(self, command):
        """What is wrong with a command; it is run once for all devices that are named alike."""
        key = re.sub(BDF, "BDF", command)
        with self.lock:
            if key not in self.tried:
                self.tried[key] = list(self._run(command, self.folder / f"calls-{len(self.tried)}"))
            return self.tried[key]

    def _run(self, command, calls):
        if re.search(r"[<>`&]|(?<!\|)\|\||\n", command):
            yield "is more than a pipeline"
            return
        calls.touch()
        environment = {"PATH": str(self.folder), "CALLS": str(calls), "USER": "somebody"}
        done = subprocess.run(["/bin/sh", "-c", command], capture_output=True, text=True, timeout=20, check=False,
                              env=environment, stdin=subprocess.DEVNULL)
        if done.returncode in (126, 127) or "not found" in done.stderr or "yntax" in done.stderr:
            yield done.stderr.strip()
        for line in calls.read_text(encoding="utf-8").splitlines():
            name, _, words = line.partition(" ")
            if not any(re.fullmatch(form, words) for form in TOOLS[name]):
                yield f"{name} does not take '{words}'"
