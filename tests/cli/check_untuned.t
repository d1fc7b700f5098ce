# Eight MI300X as a fresh installation leaves them: what the administrator sees first.
$ rocenv check --sysroot mi300x-spx
WARN  mi300x: all required checks passed, 4 recommendations not met
      8 x AMD Instinct MI300X

WARN  kernel.numa_balancing  1, expected 0
      detail   Automatic NUMA balancing is on.
      why      The NUMA scanner interrupts threads and moves pages, which delays
               GPU work; programs with poor locality may gain.
      next     sudo rocenv set --sysroot mi300x-spx -p mi300x --only kernel.numa_balancing
WARN  kernel.cmdline  pci=realloc=off is missing
      why      If the kernel reallocates PCI windows, GPUs may be missing; AMD's
               texts disagree on pci=bfsort and amd_iommu=on.
      next     Add pci=realloc=off to the kernel command line in the boot
               loader, then reboot.
WARN  cpu.governor  policy0-383: schedutil, expected performance
      why      CPU cores at full clock launch kernels without delay; a slow
               launch path leaves the GPU idle.
      next     sudo rocenv set --sysroot mi300x-spx -p mi300x --only cpu.governor
WARN  env.HSA_OVERRIDE_CPU_AFFINITY_DEBUG  not set, expected 0
      detail   The default is 1.
      why      AMD marks this as critical: with 0, the ROCm runtime respects the
               CPU affinity of the process.
      next     export HSA_OVERRIDE_CPU_AFFINITY_DEBUG=0

5 optional settings differ: gpu.determinism off (1900), pci.acs 0x001d (0x0011),
kernel.nmi_watchdog 1 (0), cpu.smt on (off), cpu.idle enabled (disabled)
To set all that can be set: sudo rocenv set --sysroot mi300x-spx -p mi300x-benchmark --want kernel.nmi_watchdog=0

4 warnings, 5 optional, 23 passed, 2 not applicable (-v lists all; -p acceptance
also checks NICs, memory and disks)
$ rocenv check --sysroot mi300x-spx -q -p benchmark
? 1
$ rocenv check --sysroot mi300x-spx -v --only 'gpu.*,cpu.*'
WARN  mi300x: all required checks passed, 1 recommendation not met
      8 x AMD Instinct MI300X

WARN  cpu.governor  policy0-383: schedutil, expected performance
      why      CPU cores at full clock launch kernels without delay; a slow
               launch path leaves the GPU idle.
      source   ROCm/triton scripts/amd/env_check.sh, branch rocm_env, 2024-04
      next     sudo rocenv set --sysroot mi300x-spx -p mi300x --only cpu.governor
INFO  gpu.determinism  All 8 GPUs: off, expected 1900
      why      A limit of 1900 of 2100 MHz reduces clock dips; AMD states that
               newer firmware does not need it.
      source   AMD Instinct MI300X system optimization (rocm.docs.amd.com,
               2025-09)
      next     sudo rocenv set --sysroot mi300x-spx -p mi300x --only gpu.determinism --want gpu.determinism=recommended
INFO  cpu.smt  on, expected off
      why      Two threads share the units of a core and slow compute-bound
               programs; AMD asks for SMT off there.
      source   ROCm/system-acceptance-docs docs/common/bios-settings.md, 2026-07
      next     Set SMT Control in the BIOS, or nosmt on the kernel command line,
               then reboot.
INFO  cpu.idle  cpu0-383/C2: enabled, expected disabled
      detail   A CPU takes 100 us to leave C2.
      why      A CPU in C2 wakes 30 to 400 us late and delays launches; AMD's
               guides name C2, its script C1.
      source   ROCm/system-acceptance-docs docs/common/os-tuning.md, 2026-07
      next     sudo rocenv set --sysroot mi300x-spx -p mi300x --only cpu.idle --want 'cpu.idle={ max_latency_us = 10 }'

Passed
PASS  gpu.driver  6.8.5 (required)
PASS  gpu.parameters  default (info): 26 options
PASS  gpu.count  8 (required)
PASS  gpu.model  all 8 GPUs: 0x74a1 (required)
PASS  gpu.visible  8 (recommended): device files were not checked
PASS  gpu.users  0 (info)
PASS  gpu.compute_units  all 8 GPUs: 304 (required)
PASS  gpu.xgmi  mesh (required): 8 GPUs, 56 links
PASS  gpu.atomics  all 8 GPUs: on (info)
PASS  gpu.compute_partition  all 8 GPUs: SPX (required)
PASS  gpu.memory_partition  all 8 GPUs: NPS1 (required)
PASS  gpu.soc_pstate  all 8 GPUs: 0 (info)
PASS  cpu.boost  true (info)

1 warning, 3 optional, 13 passed
$ rocenv check --sysroot mi300x-spx --strict -q
? 1
