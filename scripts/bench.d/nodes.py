# SPDX-License-Identifier: MIT
"""The measured nodes: copies of fixture machines, grown, and mounted over /sys and /proc."""
import os
import shutil
import subprocess
from pathlib import Path

MOUNTED_OF_PROC = ("cmdline", "cpuinfo", "meminfo", "sys")
ENVIRONMENT = {"PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "HOME": "/nonexistent", "LC_ALL": "C.UTF-8"}


def link_tree(source, target):
    """Copies a node with hard links to its files: no measured command writes, and 10,000 folders exist at once."""
    Path(target).parent.mkdir(parents=True, exist_ok=True)
    shutil.copytree(source, target, symlinks=True, copy_function=os.link)


def plain_function(devices, names):
    """Returns the last network function of the bus; no function below it would have to be copied as well."""
    return next(name for name in reversed(names) if (devices / name / "class").read_text().startswith("0x0200"))


def grow_pci(node, count):
    """Adds functions to the PCI bus until it has COUNT, copies of a plain one; removes plain ones if it has more."""
    devices = Path(node, "sys/bus/pci/devices")
    names = sorted(entry.name for entry in devices.iterdir())
    place = (devices / plain_function(devices, names)).resolve()
    for number in range(max(0, count - len(names))):
        bus, rest = divmod(number, 256)
        name = f"0001:{bus:02x}:{rest >> 3:02x}.{rest & 7}"
        link_tree(place, Path(node, "sys/devices/pci0001:00", name))
        (devices / name).symlink_to(f"../../../devices/pci0001:00/{name}")


def complete_for_others(node):
    """Adds the files that other programs need and the fixtures lack: lspci two files a function, rocm-smi a
    voltage and a GPU that is awake. check reads none of these."""
    empty = "0x0000000000000000 " * 2 + "0x0000000000000000\n"
    for entry in Path(node, "sys/bus/pci/devices").iterdir():
        for name, text in (("irq", "0\n"), ("resource", empty * 13)):
            if not (entry / name).exists():
                (entry / name).write_text(text)
    for clock in Path(node, "sys/class/drm").glob("card*/device/pp_dpm_sclk"):
        clock.write_text("0: 132Mhz\n1: 500Mhz *\n2: 2100Mhz\n")
        for sensors in clock.parent.glob("hwmon/hwmon*"):
            (sensors / "in0_label").write_text("vddgfx\n")
            (sensors / "in0_input").write_text("750\n")


def room_in_memory():
    """Returns a folder in memory if there is one: a disk is slow for 200,000 small files."""
    found = subprocess.run(["df", "--output=fstype,avail", "-B1G", "/dev/shm"], capture_output=True, text=True).stdout.split()
    return "/dev/shm" if found[-2:-1] == ["tmpfs"] and int(found[-1]) >= 4 else None


def copy_machine(machine, folder):
    subprocess.run(["cp", "-a", machine, folder], check=True)
    return Path(folder)


def enter(node, command, **options):
    """Runs the command with the node mounted, in a PID namespace of its own, as root of the user namespace."""
    own = ["unshare", "--mount", "--pid", "--fork", "--mount-proc", *(["--map-root-user"] if os.geteuid() else [])]
    script = 'node=$1; shift; mount --bind "$node/sys" /sys && for name in ' + " ".join(MOUNTED_OF_PROC) + \
        '; do mount --bind "$node/proc/$name" "/proc/$name" || exit; done; exec "$@"'
    return subprocess.run([*own, "bash", "-c", script, "bash", node, *command], **{"env": ENVIRONMENT, **options})
