# SPDX-License-Identifier: MIT
"""What a run of a program costs, counted: system calls (strace), instructions (callgrind), bytes allocated."""
import collections
import re
import struct
import subprocess

# Calls whose number says how long something took (a line for a person who waits, a helper that is ended), or how the C library keeps its memory and threads.
OF_THE_MOMENT = {"poll", "ppoll", "restart_syscall", "wait4", "waitid", "brk", "mmap", "munmap", "mremap", "mprotect", "madvise",
                 "futex", "exit_group", "kill", "ioctl", "rt_sigreturn", "sched_yield", "set_robust_list", "rseq"}
# C libraries of different ages make different ones for the same.
SAME = {"newfstatat": "stat", "fstat": "stat", "statx": "stat", "lstat": "stat", "clone": "fork", "clone3": "fork", "vfork": "fork",
        "readlinkat": "readlink", "open": "openat", "faccessat2": "access", "faccessat": "access", "prlimit64": "getrlimit"}
CALL = re.compile(r"^\d+\s+(?P<name>\w+)\(")
# Of openat2: any rename or mount of the whole machine raced with "..", and the call is made again.
RACED = re.compile(r" = -1 EAGAIN ")
FIRST_OF_OURS = re.compile(r"^\d+\s+poll\(")  # which standard descriptors are open; before it libc starts the program
ALLOCATES = re.compile(r"^(operator new|malloc$|realloc$|calloc$|std::__cxx11::basic_string<.*>::_M_(create|mutate|assign|append|construct))")


def system_calls(command, log, **options):
    """How often each call was made, from the first of the program's own on."""
    subprocess.run(["strace", "-f", "-qq", "-s", "0", "-e", "signal=none", "-o", log, *command], **options)
    found, started = collections.Counter(), False
    for line in log.read_text(errors="replace").splitlines():
        started = started or bool(FIRST_OF_OURS.match(line))
        name = CALL.match(line)
        raced = name and name["name"] == "openat2" and RACED.search(line)
        if started and name and not raced and name["name"] not in OF_THE_MOMENT:
            found[SAME.get(name["name"], name["name"])] += 1
    return dict(found)


def callers_of(command, log, call, **options):
    """The functions of ours that made a system call, and how often: the lowest that is no layer of file systems."""
    names = ",".join([call, *(name for name, same in SAME.items() if same == call)])
    subprocess.run(["strace", "-f", "-qq", "-k", "-e", f"trace=?{names.replace(',', ',?')}", "-o", log, *command], **options)
    found, waiting = collections.Counter(), False
    for line in log.read_text(errors="replace").splitlines():
        if CALL.match(line):
            waiting = True
        elif waiting:
            frame = re.search(r"\((rocenv::[^+]*?)\(", line.replace("(anonymous namespace)::", ""))
            if frame and not re.search(r"Fs::|Known::|Result<|Channel::|Helper::|resolve_links|follow", frame[1]):
                found[frame[1]] += 1
                waiting = False
    return found


class Profile:
    """Instructions by function, and how often each function of ours asked for memory."""

    def __init__(self):
        self.instructions, self.allocations = collections.Counter(), collections.Counter()

    def read(self, path):
        names, function, called, inclusive = {}, "", "", False
        for line in path.read_text(errors="replace").splitlines():
            name = re.match(r"(c?fn)=\((\d+)\)(?: (.*))?", line)
            if name:
                names[name[2]] = name[3] or names.get(name[2], "")
                function, called = (names[name[2]], "") if name[1] == "fn" else (function, names[name[2]])
            elif line.startswith("calls="):
                inclusive = True
                if ALLOCATES.match(called) and not re.match(r"std::|operator", function):
                    self.allocations[short(function)] += int(line[6:].split()[0])
            elif re.match(r"[+*-]?\d* ?\d+$", line) and function:
                if not inclusive:
                    self.instructions[short(function)] += int(line.split()[-1])
                inclusive = False


def short(function):
    """Without arguments, templates and versions, which no person reads."""
    while True:
        shorter = re.sub(r"<[^<>]*>|\([^()]*\)|'\d+$", "", function.replace("(anonymous namespace)::", ""))
        if shorter == function:
            return re.sub(r"\s*\bconst$|\[abi:\w+\]", "", shorter).strip()
        function = shorter


def profile(command, folder, **options):
    """The program and its helpers as one. A fresh folder for each."""
    folder.mkdir()
    subprocess.run(["valgrind", "-q", "--tool=callgrind", f"--callgrind-out-file={folder}/%p", *command], **options)
    found = Profile()
    for path in folder.iterdir():
        found.read(path)
    return found


def allocated(command, library, place, env, **options):
    """Calls and bytes."""
    place.write_bytes(bytes(16))
    subprocess.run(command, env={**env, "LD_PRELOAD": str(library), "COUNT_ALLOCATIONS": str(place)}, **options)
    return struct.unpack("QQ", place.read_bytes())
