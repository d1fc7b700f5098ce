# Inside a container that was given one GPU of eight (a recording: not root, /sys read-only). What the
# process itself may open and its limits are tests/cli/test_container's.
$ rocenv check --sysroot container.tree -p container
PASS  container: all required and recommended checks passed

6 passed, 8 not applicable, 1 hidden (-v lists all)
$ rocenv check --sysroot container.tree | grep -e '^[A-Z0-9]' -e visible
WARN  mi300x: all visible required checks passed, 3 required checks are hidden
WARN  cpu.governor  policy0-31: schedutil, expected performance
WARN  env.HSA_OVERRIDE_CPU_AFFINITY_DEBUG  not set, expected 0
3 optional settings differ: gpu.determinism off (1900), kernel.nmi_watchdog 1
1 optional check could not be read: pci.acs
To set all that can be set, on the node: sudo rocenv set -p mi300x-benchmark --want kernel.nmi_watchdog=0
2 warnings, 1 unknown, 3 optional, 22 passed, 2 not applicable, 4 hidden (-v
