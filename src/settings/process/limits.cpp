// SPDX-License-Identifier: MIT
// Settings that are a limit of the asking process. limits.cpus is not one of them: it lists CPUs.
#include "settings/shapes/limits.h"
#include "machine/host/cgroup.h"

namespace rocenv {

namespace {

Limit limit_of_memlock(const Context& context) {
    return context.process.memlock;
}

Limit limit_of_nofile(const Context& context) {
    return context.process.nofile;
}

Limit limit_of_shm(const Context& context) {
    const auto bytes = context.fs().capacity("/dev/shm");
    return bytes ? Limit(*bytes) : bytes.error();
}

Limit limit_of_nproc(const Context& context) {
    return context.process.nproc;
}

Limit limit_of_stack(const Context& context) {
    return context.process.stack;
}

Limit limit_of_memory(const Context& context) {
    return cgroup_limit(
        context.fs(),
        {.controller = "memory", .old_file = "memory.limit_in_bytes", .file = "memory.max"});
}

Limit limit_of_pids(const Context& context) {
    return cgroup_limit(context.fs(),
                        {.controller = "pids", .old_file = "pids.max", .file = "pids.max"});
}

constexpr LimitFacts limits[] = {
    // limits.memlock: how many bytes the asking process may lock in memory (soft limit).
    {
        .id = "limits.memlock",
        .summary = "Bytes a process may lock in memory",
        .why = "RDMA pins buffers; under a low limit registration fails with ENOMEM",
        .source = "ROCm/system-acceptance-docs docs/network, 2026-07; getrlimit(2)",
        .read_from = "getrlimit(RLIMIT_MEMLOCK)",
        .next_step = "in the job's place: ulimit -l unlimited; raise the hard limit first",
        .persist = "memlock in /etc/security/limits.d, LimitMEMLOCK= of the service, or --ulimit "
                   "memlock=-1 of the container",
        .read = limit_of_memlock,
        .what = "RLIMIT_MEMLOCK",
    },
    // limits.nofile: how many files the asking process may have open (soft limit).
    {
        .id = "limits.nofile",
        .summary = "Files a process may have open",
        .why = "Many ranks with many connections and buffers run out of descriptors at 1024",
        .source = "ROCm/system-acceptance-docs docs/network, 2026-07; getrlimit(2)",
        .read_from = "getrlimit(RLIMIT_NOFILE)",
        .next_step = "in the job's place: ulimit -n 1048576; raise the hard limit first",
        .persist = "nofile in /etc/security/limits.d, LimitNOFILE= of the service, or --ulimit "
                   "nofile=… of the container",
        .read = limit_of_nofile,
        .what = "RLIMIT_NOFILE",
    },
    // limits.shm: how large /dev/shm is. A container engine's default of 64 MiB is always too
    // small.
    {
        .id = "limits.shm",
        .summary = "Bytes of /dev/shm",
        .why = "RCCL and data loaders exchange buffers there; when it is full they die with "
               "SIGBUS",
        .source = "ROCm PyTorch installation guide (rocm.docs.amd.com, 2024-09); statvfs(3)",
        .read_from = "statvfs of /dev/shm",
        .next_step = "start the container with --shm-size or --ipc=host",
        .persist = "size= of /dev/shm in /etc/fstab, --shm-size of the container",
        .read = limit_of_shm,
        .what = "/dev/shm",
        .without = "there is no /dev/shm",
    },
    // limits.nproc: how many processes and threads the asking process' user may have (soft limit).
    {
        .id = "limits.nproc",
        .summary = "Processes and threads that the user may have",
        .why = "Ranks with many threads each cannot start them: fork fails with EAGAIN",
        .source = "AMD-AGI/Primus primus/tools/preflight/node_smoke, 2026-08; getrlimit(2)",
        .read_from = "getrlimit(RLIMIT_NPROC)",
        .next_step = "in the job's place: ulimit -u unlimited; raise the hard limit first",
        .persist =
            "nproc in /etc/security/limits.d, LimitNPROC= of the service, or --ulimit nproc=… "
            "of the container",
        .read = limit_of_nproc,
        .what = "RLIMIT_NPROC",
    },
    // limits.stack: how large the asking process' stack may become (soft limit).
    {
        .id = "limits.stack",
        .summary = "Bytes a thread's stack may have",
        .why = "Programs with large frames end with SIGSEGV; libraries take their threads' size "
               "from it",
        .source = "AMD-AGI/Primus primus/tools/preflight/node_smoke, 2026-08; getrlimit(2)",
        .read_from = "getrlimit(RLIMIT_STACK)",
        .next_step = "in the job's place: ulimit -s unlimited; raise the hard limit first",
        .persist =
            "stack in /etc/security/limits.d, LimitSTACK= of the service, or --ulimit stack=… "
            "of the container",
        .read = limit_of_stack,
        .what = "RLIMIT_STACK",
    },
};

constexpr LimitFacts cgroup_limits[] = {
    // limits.memory: how much memory a control group gives the asking process: bytes, or no limit.
    {
        .id = "limits.memory",
        .summary = "Bytes of memory that a control group lets the process have",
        .why = "A container with less than its job needs is killed in the middle of it",
        .source = "linux Documentation/admin-guide/cgroup-v2.rst, 6.12 (2024-11)",
        .read_from = "/proc/self/cgroup, memory.max of the groups it names (version 1: "
                     "memory.limit_in_bytes)",
        .next_step =
            "docker run --memory, or memory of the pod: ask for more, or take the limit away",
        .persist =
            "MemoryMax= of the service, --memory of the container, the batch system's request",
        .read = limit_of_memory,
        .what = "the control group",
        .none = "no control group hierarchy in use has the memory controller",
    },
    // limits.pids: how many processes and threads a control group gives the asking process.
    {
        .id = "limits.pids",
        .summary = "Processes and threads that a control group lets the job have",
        .why = "Ranks with many threads each cannot start them: fork fails with EAGAIN",
        .source = "linux Documentation/admin-guide/cgroup-v2.rst, 6.12 (2024-11)",
        .read_from = "/proc/self/cgroup, pids.max of the groups it names (version 1: pids.max)",
        .next_step =
            "docker run --pids-limit, or podPidsLimit of the kubelet: raise it, or take the "
            "limit away",
        .persist = "TasksMax= of the service, --pids-limit of the container",
        .read = limit_of_pids,
        .what = "the control group",
        .none = "no control group hierarchy in use has the pids controller",
    },
};

}  // namespace

std::span<const Setting> process_limits() {
    static const auto settings = limit_settings(limits);
    return settings;
}

std::span<const Setting> control_group_limits() {
    static const auto settings = limit_settings(cgroup_limits);
    return settings;
}

}  // namespace rocenv
