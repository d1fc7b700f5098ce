# Inside a container that was given one GPU of eight (a recording: not root, /sys read-only). What the
# process itself may open and its limits are tests/cli/test_container's.
$ rocenv check --sysroot container.tree -p container
container: all that is required is as wanted

4 ok, 8 na  (-v lists all)
$ rocenv check --sysroot container.tree
mi300x: all that is required is as wanted; 3 required settings hidden from this
  container, 2 recommended settings differ
8 x AMD Instinct MI300X

recommended, differs
  cpu.governor: schedutil, want performance (32 of them)
    on policy0-31
    why: Keeps the cores that launch kernels at full clock; a slow launch path
         leaves the GPU idle.
    next: sudo rocenv set -p mi300x --only cpu.governor
  env.HSA_OVERRIDE_CPU_AFFINITY_DEBUG: not set, want 0
    its default is 1
    why: AMD calls it critical: the runtime's threads then stay on the CPUs that
         were given to the process.
    next: export HSA_OVERRIDE_CPU_AFFINITY_DEBUG=0

info, differs
  gpu.determinism: off, want 1900 (8 of them)
    on 0000:05:00.0, 0000:09:00.0, 0000:45:00.0, 0000:49:00.0 and 4 more
    next: sudo rocenv set -p mi300x --only gpu.determinism --want gpu.determinism=recommended
  kernel.nmi_watchdog: 1, want 0
    next: sudo rocenv set -p mi300x --only kernel.nmi_watchdog --want kernel.nmi_watchdog=0
  cpu.idle: enabled, want disabled (32 of them)
    on cpu0-31/C2
    C2 takes 100 us to leave
    next: sudo rocenv set -p mi300x --only cpu.idle --want 'cpu.idle={ max_latency_us = 10 }'

info, unknown
  pci.acs: could not be read (40 of them)
    on 0000:00:01.1, 0000:01:00.0, 0000:02:00.0, 0000:02:01.0 and 36 more
    /sys/bus/pci/devices/0000:00:01.1/config: not readable at 0x100; beyond 64
    bytes it needs root (CAP_SYS_ADMIN)
    next: sudo rocenv check -p mi300x --only pci.acs

61 ok, 12 differs, 40 unknown, 2 na, 9 hidden  (-v lists all)
