# An administrator on bare metal: eight MI300X as installed, one command before a benchmark.
$ rocenv check --sysroot mi300x-spx -p benchmark | grep '^[A-Z]'; echo "status ${PIPESTATUS[0]}"
FAIL  mi300x-benchmark: 1 required failed, 6 recommendations not met
FAIL  kernel.numa_balancing  1, expected 0
WARN  gpu.determinism  All 8 GPUs: off, expected 1900
WARN  pci.acs  0000:00:01.1, 0000:02:00.0, 0000:02:01.0, 0000:02:02.0 and 22
WARN  kernel.cmdline  pci=realloc=off is missing
WARN  cpu.governor  policy0-383: schedutil, expected performance
WARN  cpu.idle  cpu0-383/C2: enabled, expected disabled
WARN  env.HSA_OVERRIDE_CPU_AFFINITY_DEBUG  not set, expected 0
To set all that can be set: sudo rocenv set --sysroot mi300x-spx -p mi300x-benchmark --want kernel.nmi_watchdog=0
status 1
$ rocenv check --sysroot mi300x-fallen | grep -e '^[A-Z]' -e respond -e follows; echo "status ${PIPESTATUS[0]}"
FAIL  mi300x: 2 required failed (1 cause), 1 recommendation not met
      7 of 8 AMD Instinct MI300X respond
FAIL  gpu.count  The GPU at 0000:85:00.0 has fallen off the PCIe bus
      follows  FAIL gpu.xgmi: 7 of 8 GPUs, expected mesh
WARN  env.HSA_OVERRIDE_CPU_AFFINITY_DEBUG  not set, expected 0
To set all that can be set: sudo rocenv set --sysroot mi300x-fallen -p mi300x-benchmark --want kernel.nmi_watchdog=0
status 1
$ rocenv check --sysroot mi300x-no-driver | grep -e '^[A-Z]' -e respond -e follows; echo "status ${PIPESTATUS[0]}"
FAIL  mi300x: 2 required failed (1 cause), 4 recommendations not met
      0 of 8 AMD Instinct MI300X respond
FAIL  gpu.driver  not there, expected >=6.3
      follows  FAIL gpu.count: All 8 GPUs have no driver
WARN  kernel.numa_balancing  1, expected 0
WARN  cpu.governor  policy0-31: schedutil, expected performance
WARN  env.HSA_OVERRIDE_CPU_AFFINITY_DEBUG  not set, expected 0
To set all that can be set: sudo rocenv set --sysroot mi300x-no-driver -p mi300x-benchmark --want kernel.nmi_watchdog=0
status 1
$ rocenv check --sysroot guest | grep '^[A-Z]'
WARN  mi300x: all required checks passed, 2 recommendations not met
WARN  kernel.cmdline  pci=realloc=off is missing
WARN  env.HSA_OVERRIDE_CPU_AFFINITY_DEBUG  not set, expected 0
To set all that can be set: sudo rocenv set --sysroot guest -p mi300x-benchmark --want kernel.nmi_watchdog=0
$ rocenv check --sysroot mi300x-tuned -p env-check
PASS  env-check: all required and recommended checks passed

6 passed (-v lists all)
