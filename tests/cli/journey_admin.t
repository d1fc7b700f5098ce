# An administrator on bare metal: eight MI300X as installed, one command before a benchmark.
$ rocenv check --sysroot mi300x-spx -p benchmark
FAIL  mi300x-benchmark: 1 required failed, 6 recommendations not met
      8 x AMD Instinct MI300X

FAIL  kernel.numa_balancing  1, expected 0
      detail   The scanner runs.
      why      The page scanner interrupts threads and moves pages; try programs
               with poor locality both ways.
      next     sudo rocenv set -p mi300x-benchmark --only kernel.numa_balancing
WARN  gpu.determinism  All 8 GPUs: off, expected 1900
      why      Caps the clock at 1900 of 2100 MHz so that it dips less; newer
               firmware does without, AMD says.
      next     sudo rocenv set -p mi300x-benchmark --only gpu.determinism
WARN  pci.acs  0000:00:01.1, 0000:02:00.0, 0000:02:01.0, 0000:02:02.0 and 22
      more: 0x001d, expected 0x0011
      detail   SrcValid+ TransBlk- ReqRedir+ CmpltRedir+ UpstreamFwd+
               EgressCtrl- DirectTrans-.
      why      Redirect sends GPU-to-NIC traffic up to the root and back; guests
               and SR-IOV need it on.
      next     sudo rocenv set -p mi300x-benchmark --only pci.acs
WARN  kernel.cmdline  missing pci=realloc=off, expected pci=realloc=off iommu=pt
      why      realloc=off keeps all GPUs in view; AMD's texts disagree on
               pci=bfsort and amd_iommu=on here.
      next     Add pci=realloc=off to the kernel line in the boot loader, then
               reboot.
WARN  cpu.governor  policy0-383: schedutil, expected performance
      why      Keeps the cores that launch kernels at full clock; a slow launch
               path leaves the GPU idle.
      next     sudo rocenv set -p mi300x-benchmark --only cpu.governor
WARN  cpu.idle  cpu0-383/C2: enabled, expected disabled
      detail   C2 takes 100 us to leave.
      why      C2 takes 30 to 400 us to wake, which delays launches; AMD's
               guides name C2, its script C1.
      next     sudo rocenv set -p mi300x-benchmark --only cpu.idle
WARN  env.HSA_OVERRIDE_CPU_AFFINITY_DEBUG  not set, expected 0
      detail   Its default is 1.
      why      AMD calls it critical: the runtime's threads then stay on the
               CPUs that were given to the process.
      next     export HSA_OVERRIDE_CPU_AFFINITY_DEBUG=0

2 optional settings differ: kernel.nmi_watchdog 1 (0), cpu.smt on (off)
To set all that can be set: sudo rocenv set -p mi300x-benchmark --only gpu.determinism,pci.acs,kernel.numa_balancing,kernel.nmi_watchdog,cpu.governor,cpu.idle --want kernel.nmi_watchdog=0
INFO  pci.acs  0000:c8:00.0: 0x0001, expected 0x0001: SrcValid+ TransBlk-
      ReqRedir- CmpltRedir- UpstreamFwd- EgressCtrl- DirectTrans-; source
      validation only: AMD's script would clear it, peer traffic takes no detour

1 failed, 6 warnings, 2 optional, 22 passed, 2 not applicable (-v lists all)
? 1
$ rocenv check --sysroot mi300x-fallen
FAIL  mi300x: 2 required failed (1 cause), 1 recommendation not met
      7 of 8 AMD Instinct MI300X respond

FAIL  gpu.count  The GPU at 0000:85:00.0 has fallen off the PCIe bus
      detail   It answers all ones.
      why      A board with seven of its eight GPUs is broken; one without
               driver or KFD node is lost to all.
      next     sudo dmesg | grep -e amdgpu -e 0000:85:00.0
               Then reset, reseat or reboot.
      follows  FAIL gpu.xgmi: 7 of 8 GPUs, expected mesh
               3 checks could not be read (-v lists them)
WARN  env.HSA_OVERRIDE_CPU_AFFINITY_DEBUG  not set, expected 0
      detail   Its default is 1.
      why      AMD calls it critical: the runtime's threads then stay on the
               CPUs that were given to the process.
      next     export HSA_OVERRIDE_CPU_AFFINITY_DEBUG=0

4 optional settings differ: gpu.determinism off (1900), pci.acs 0x001d (0x0011),
kernel.nmi_watchdog 1 (0), cpu.idle enabled (disabled)
To set all that can be set: sudo rocenv set -p mi300x --only gpu.determinism,pci.acs,kernel.nmi_watchdog,cpu.idle --want gpu.determinism=recommended --want 'pci.acs={ policy = "no-redirect", scope = "gpu-path" }' --want kernel.nmi_watchdog=0 --want 'cpu.idle={ max_latency_us = 10 }'

2 failed, 1 warning, 3 unknown, 4 optional, 23 passed, 8 not applicable (-v
lists all)
? 1
$ rocenv check --sysroot mi300x-no-driver
FAIL  mi300x: 2 required failed (1 cause), 4 recommendations not met
      0 of 8 AMD Instinct MI300X respond

FAIL  gpu.driver  not there, expected >=6.3
      detail   The amdgpu module is not loaded; modprobe.blacklist=amdgpu keeps
               it from loading at boot.
      why      First to know MI300X: the driver of ROCm 6.0, which calls itself
               6.3.6.
      next     sudo modprobe amdgpu
               sudo dmesg | grep amdgpu
      follows  FAIL gpu.count: All 8 GPUs have no driver
               WARN gpu.visible: 0, expected >=1
               1 check could not be read (-v lists them)
WARN  kernel.numa_balancing  1, expected 0
      detail   The scanner runs.
      why      The page scanner interrupts threads and moves pages; try programs
               with poor locality both ways.
      next     sudo rocenv set -p mi300x --only kernel.numa_balancing
WARN  cpu.governor  policy0-31: schedutil, expected performance
      why      Keeps the cores that launch kernels at full clock; a slow launch
               path leaves the GPU idle.
      next     sudo rocenv set -p mi300x --only cpu.governor
WARN  env.HSA_OVERRIDE_CPU_AFFINITY_DEBUG  not set, expected 0
      detail   Its default is 1.
      why      AMD calls it critical: the runtime's threads then stay on the
               CPUs that were given to the process.
      next     export HSA_OVERRIDE_CPU_AFFINITY_DEBUG=0

3 optional settings differ: pci.acs 0x001d (0x0011), kernel.nmi_watchdog 1 (0),
cpu.idle enabled (disabled)
To set all that can be set: sudo rocenv set -p mi300x --only pci.acs,kernel.numa_balancing,kernel.nmi_watchdog,cpu.governor,cpu.idle --want 'pci.acs={ policy = "no-redirect", scope = "gpu-path" }' --want kernel.nmi_watchdog=0 --want 'cpu.idle={ max_latency_us = 10 }'

2 failed, 4 warnings, 1 unknown, 3 optional, 10 passed, 12 not applicable (-v
lists all)
? 1
$ rocenv check --sysroot guest
WARN  mi300x: all required checks passed, 2 recommendations not met
      1 x AMD Instinct MI300X

WARN  kernel.cmdline  missing pci=realloc=off, expected pci=realloc=off
      detail   This is a guest: its host decides about the IOMMU.
      why      realloc=off keeps all GPUs in view; AMD's texts disagree on
               pci=bfsort and amd_iommu=on here.
      next     Add pci=realloc=off to the kernel line in the boot loader, then
               reboot.
WARN  env.HSA_OVERRIDE_CPU_AFFINITY_DEBUG  not set, expected 0
      detail   Its default is 1.
      why      AMD calls it critical: the runtime's threads then stay on the
               CPUs that were given to the process.
      next     export HSA_OVERRIDE_CPU_AFFINITY_DEBUG=0

2 optional settings differ: gpu.determinism off (1900), kernel.nmi_watchdog 1
(0)
To set all that can be set: sudo rocenv set -p mi300x --only gpu.determinism,kernel.nmi_watchdog --want gpu.determinism=recommended --want kernel.nmi_watchdog=0

2 warnings, 2 optional, 20 passed, 8 not applicable (-v lists all)
$ rocenv check --sysroot mi300x-tuned -p env-check
PASS  env-check: all required and recommended checks passed

6 passed (-v lists all)
