# SPDX-License-Identifier: MIT
"""A small root folder with a C library, busybox and nothing else, and programs run in it as a container's are."""
import os
import re
import shutil
import subprocess
from pathlib import Path

APPLETS = ("cat", "cp", "env", "head", "id", "kill", "ls", "ps", "readlink", "sh", "sleep", "test", "touch", "true")

# Words: the root, the machine whose /sys (read-only) and processors it has, then the command, which is PID 1.
ENTER = r"""
set -e
root=$1 machine=$2
shift 2
mount --bind "$root" "$root"
cd "$root"
mkdir -p proc sys dev tmp run
mount -t proc none proc
mount --bind "$machine/proc/cpuinfo" proc/cpuinfo
mount --bind "$machine/sys" sys
mount -o remount,bind,ro sys
mount -t tmpfs -o mode=755 none dev
mknod -m 666 dev/null c 1 3
mkdir -m 1777 dev/shm
mount -t tmpfs -o size=64M,mode=1777 none dev/shm
for pair in $BINDS; do
    mkdir -p "./${pair#*=}"
    mount --bind "${pair%%=*}" "./${pair#*=}"
done
exec "$@"
"""


def libraries_of(program):
    reported = subprocess.run(["ldd", program], capture_output=True, text=True, check=True).stdout
    return [Path(name) for name in re.findall(r"(/\S+) \(0x", reported)]


def make_root(folder, with_libraries_of=None):
    """What stands for an image. Without a program whose libraries it takes it has none, as Alpine's has no glibc."""
    (folder / "bin").mkdir(parents=True)
    (folder / "etc").mkdir()
    shutil.copy("/bin/busybox", folder / "bin/busybox")
    for name in APPLETS:
        (folder / "bin" / name).symlink_to("busybox")
    for library in libraries_of(with_libraries_of) if with_libraries_of else []:
        place = folder / library.relative_to("/")
        place.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(library, place)
    return folder


def words_inside(root, machine, command, kept_rights=None):
    """The command line that runs a command in a root, in namespaces of its own, as PID 1 on a machine's /sys; as root
    with these capabilities alone, where some are given (and chroot's own)."""
    rights = []
    if kept_rights is not None:
        some = ",".join(["-all", "+sys_chroot", *(f"+{right}" for right in kept_rights)])
        rights = ["setpriv", "--bounding-set", some, "--inh-caps", "-all", "--no-new-privs"]
    return ["unshare", "-m", "-p", "-C", "-f", "--kill-child", "--propagation", "private", "bash", "-c", ENTER, "inside",
            str(root), str(machine), *rights, "chroot", str(root), *command]


def environment(given, binds):
    pairs = " ".join(f"{source}={target.lstrip('/')}" for source, target in binds.items())
    return {"PATH": "/usr/local/bin:/usr/local/sbin:/usr/sbin:/usr/bin:/sbin:/bin", "LC_ALL": "C.UTF-8", "BINDS": pairs, **(given or {})}


def inside(root, machine, command, env=None, binds=None, kept_rights=None, wait=60):
    """Runs it to its end: status and both outputs."""
    return subprocess.run(words_inside(root, machine, command, kept_rights), env=environment(env, binds or {}), timeout=wait,
                          capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL)


def may_make_namespaces():
    return os.geteuid() == 0 and subprocess.run(["unshare", "-m", "-p", "-C", "-f", "true"], capture_output=True,
                                                check=False).returncode == 0
