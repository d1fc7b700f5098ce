# Eight MI300X as a fresh installation leaves them: what the administrator sees first.
$ rocenv check --sysroot mi300x-spx
mi300x: all that is required is as wanted; 4 recommended settings differ
8 x AMD Instinct MI300X

recommended, differs
  kernel.numa_balancing: 1, want 0
    the scanner runs
    why: The page scanner interrupts threads and moves pages; try programs with
         poor locality both ways.
    next: sudo rocenv set -p mi300x --only kernel.numa_balancing
  kernel.cmdline: missing pci=realloc=off, want pci=realloc=off iommu=pt
    why: realloc=off keeps all GPUs in view; AMD's texts disagree on pci=bfsort
         and amd_iommu=on here.
    next: add pci=realloc=off to the kernel line in the boot loader, then reboot
  cpu.governor: schedutil, want performance (384 of them)
    on policy0-383
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
  pci.acs: 0x001d, want 0x0011 (26 of them)
    on 0000:00:01.1, 0000:02:00.0, 0000:02:01.0, 0000:02:02.0 and 22 more
    SrcValid+ TransBlk- ReqRedir+ CmpltRedir+ UpstreamFwd+ EgressCtrl-
    DirectTrans-
    next: sudo rocenv set -p mi300x --only pci.acs --want 'pci.acs={ policy = "no-redirect", scope = "gpu-path" }'
  kernel.nmi_watchdog: 1, want 0
    next: sudo rocenv set -p mi300x --only kernel.nmi_watchdog --want kernel.nmi_watchdog=0
  cpu.smt: on, want off
    next: SMT Control in the BIOS, or nosmt on the kernel command line, and
          reboot
  cpu.idle: enabled, want disabled (384 of them)
    on cpu0-383/C2
    C2 takes 100 us to leave
    next: sudo rocenv set -p mi300x --only cpu.idle --want 'cpu.idle={ max_latency_us = 10 }'

as wanted, worth knowing
  pci.acs: 0x0001 on 0000:c8:00.0
    SrcValid+ TransBlk- ReqRedir- CmpltRedir- UpstreamFwd- EgressCtrl-
    DirectTrans-; source validation only: AMD's script would clear it, peer
    traffic takes no detour

69 ok, 41 differs, 2 na  (-v lists all)
$ rocenv check --sysroot mi300x-spx -q -p benchmark
? 1
$ rocenv check --sysroot mi300x-spx -v --only 'gpu.*,cpu.*'
mi300x: all that is required is as wanted; 1 recommended setting differs
8 x AMD Instinct MI300X

recommended, differs
  cpu.governor: schedutil, want performance (384 of them)
    on policy0-383
    why: Keeps the cores that launch kernels at full clock; a slow launch path
         leaves the GPU idle.
    source: ROCm/triton scripts/amd/env_check.sh, branch rocm_env, 2024-04
    next: sudo rocenv set -p mi300x --only cpu.governor

info, differs
  gpu.determinism: off, want 1900 (8 of them)
    on 0000:05:00.0, 0000:09:00.0, 0000:45:00.0, 0000:49:00.0, 0000:85:00.0,
       0000:89:00.0, 0000:c5:00.0, 0000:c9:00.0
    why: Caps the clock at 1900 of 2100 MHz so that it dips less; newer firmware
         does without, AMD says.
    source: AMD Instinct MI300X system optimization (rocm.docs.amd.com, 2025-09)
    next: sudo rocenv set -p mi300x --only gpu.determinism --want gpu.determinism=recommended
  cpu.smt: on, want off
    why: Two threads share a core's units; AMD wants it off where the program is
         bound by compute.
    source: ROCm/system-acceptance-docs docs/common/bios-settings.md, 2026-07
    next: SMT Control in the BIOS, or nosmt on the kernel command line, and
          reboot
  cpu.idle: enabled, want disabled (384 of them)
    on cpu0-383/C2
    C2 takes 100 us to leave
    why: C2 takes 30 to 400 us to wake, which delays launches; AMD's guides name
         C2, its script C1.
    source: ROCm/system-acceptance-docs docs/common/os-tuning.md, 2026-07
    next: sudo rocenv set -p mi300x --only cpu.idle --want 'cpu.idle={ max_latency_us = 10 }'

ok
  gpu.driver: 6.8.5 (required)
  gpu.count: 8 (required)
  gpu.model: 0x74a1 on 0000:05:00.0, 0000:09:00.0, 0000:45:00.0, 0000:49:00.0,
      0000:85:00.0, 0000:89:00.0, 0000:c5:00.0, 0000:c9:00.0 (required)
  gpu.visible: 8 (recommended)
    device files were not checked
  gpu.users: 0 (info)
  gpu.compute_units: 304 on 0000:05:00.0, 0000:09:00.0, 0000:45:00.0,
      0000:49:00.0, 0000:85:00.0, 0000:89:00.0, 0000:c5:00.0, 0000:c9:00.0
      (required)
  gpu.xgmi: mesh (required)
    8 GPUs, 56 links
  gpu.compute_partition: SPX on 0000:05:00.0, 0000:09:00.0, 0000:45:00.0,
      0000:49:00.0, 0000:85:00.0, 0000:89:00.0, 0000:c5:00.0, 0000:c9:00.0
      (required)
  gpu.memory_partition: NPS1 on 0000:05:00.0, 0000:09:00.0, 0000:45:00.0,
      0000:49:00.0, 0000:85:00.0, 0000:89:00.0, 0000:c5:00.0, 0000:c9:00.0
      (required)

37 ok, 11 differs
$ rocenv check --sysroot mi300x-spx --strict -q
? 1
