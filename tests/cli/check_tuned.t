# A node that is as mi300x-benchmark wants it.
$ HSA_OVERRIDE_CPU_AFFINITY_DEBUG=0 rocenv check --sysroot mi300x-tuned -p benchmark --strict
PASS  mi300x-benchmark: all required and recommended checks passed
      8 x AMD Instinct MI300X

2 optional settings differ: kernel.nmi_watchdog 1 (0), cpu.smt on (off)
To set all that can be set: sudo rocenv set --sysroot mi300x-tuned -p mi300x-benchmark --want kernel.nmi_watchdog=0

2 optional, 28 passed, 2 not applicable (-v lists all; -p acceptance also checks
NICs, memory and disks)
$ HSA_OVERRIDE_CPU_AFFINITY_DEBUG=0 rocenv check --sysroot mi300x-tuned -p benchmark -v
PASS  mi300x-benchmark: all required and recommended checks passed
      8 x AMD Instinct MI300X

INFO  kernel.nmi_watchdog  1, expected 0
      why      The hard-lockup watchdog interrupts every CPU and occupies a
               counter; without it, lockups stay undetected.
      source   ROCm/system-acceptance-docs docs/common/kernel-parameters.md,
               2026-07
      next     sudo rocenv set --sysroot mi300x-tuned -p mi300x-benchmark --only kernel.nmi_watchdog --want kernel.nmi_watchdog=0
INFO  cpu.smt  on, expected off
      why      Two threads share the units of a core and slow compute-bound
               programs; AMD asks for SMT off there.
      source   ROCm/system-acceptance-docs docs/common/bios-settings.md, 2026-07
      next     Set SMT Control in the BIOS, or nosmt on the kernel command line,
               then reboot.

Passed
PASS  gpu.driver  6.8.5 (required)
PASS  gpu.parameters  default (info): 26 options
PASS  gpu.count  8 (required)
PASS  gpu.model  0000:05:00.0, 0000:09:00.0, 0000:45:00.0, 0000:49:00.0,
      0000:85:00.0, 0000:89:00.0, 0000:c5:00.0, 0000:c9:00.0: 0x74a1 (required)
PASS  gpu.visible  8 (recommended): device files were not checked
PASS  gpu.users  0 (recommended)
PASS  gpu.compute_units  0000:05:00.0, 0000:09:00.0, 0000:45:00.0, 0000:49:00.0,
      0000:85:00.0, 0000:89:00.0, 0000:c5:00.0, 0000:c9:00.0: 304 (required)
PASS  gpu.xgmi  mesh (required): 8 GPUs, 56 links
PASS  gpu.atomics  0000:05:00.0, 0000:09:00.0, 0000:45:00.0, 0000:49:00.0,
      0000:85:00.0, 0000:89:00.0, 0000:c5:00.0, 0000:c9:00.0: on (info)
PASS  gpu.compute_partition  0000:05:00.0, 0000:09:00.0, 0000:45:00.0,
      0000:49:00.0, 0000:85:00.0, 0000:89:00.0, 0000:c5:00.0, 0000:c9:00.0: SPX
      (required)
PASS  gpu.memory_partition  0000:05:00.0, 0000:09:00.0, 0000:45:00.0,
      0000:49:00.0, 0000:85:00.0, 0000:89:00.0, 0000:c5:00.0, 0000:c9:00.0: NPS1
      (required)
PASS  gpu.determinism  0000:05:00.0, 0000:09:00.0, 0000:45:00.0, 0000:49:00.0,
      0000:85:00.0, 0000:89:00.0, 0000:c5:00.0, 0000:c9:00.0: 1900 (recommended)
PASS  gpu.soc_pstate  0000:05:00.0, 0000:09:00.0, 0000:45:00.0, 0000:49:00.0,
      0000:85:00.0, 0000:89:00.0, 0000:c5:00.0, 0000:c9:00.0: 0 (info)
PASS  pci.link  0000:05:00.0, 0000:06:00.0, 0000:09:00.0, 0000:0a:00.0,
      0000:45:00.0, 0000:46:00.0, 0000:49:00.0, 0000:4a:00.0, 0000:85:00.0,
      0000:86:00.0, 0000:89:00.0, 0000:8a:00.0, 0000:c5:00.0, 0000:c6:00.0,
      0000:c9:00.0, 0000:ca:00.0: 32.0 GT/s x16 (recommended)
PASS  pci.aer  0 (required): 56 functions
PASS  pci.large_bar  0000:05:00.0, 0000:09:00.0, 0000:45:00.0, 0000:49:00.0,
      0000:85:00.0, 0000:89:00.0, 0000:c5:00.0, 0000:c9:00.0: true (recommended)
PASS  pci.acs  0000:00:01.1, 0000:02:00.0, 0000:02:01.0, 0000:02:02.0,
      0000:02:03.0, 0000:04:00.0, 0000:08:00.0, 0000:40:01.1, 0000:42:00.0,
      0000:42:01.0, 0000:42:02.0, 0000:42:03.0, 0000:44:00.0, 0000:48:00.0,
      0000:80:01.1, 0000:82:00.0, 0000:82:01.0, 0000:82:02.0, 0000:82:03.0,
      0000:84:00.0, 0000:88:00.0, 0000:c0:01.1, 0000:c2:00.0, 0000:c2:01.0,
      0000:c2:02.0, 0000:c2:03.0, 0000:c4:00.0, 0000:c8:00.0: 0x0000
      (recommended): SrcValid- TransBlk- ReqRedir- CmpltRedir- UpstreamFwd-
      EgressCtrl- DirectTrans-
PASS  rocm.version  6.2.0-66 (info)
PASS  rocm.driver_match  ROCm 6.2.0-66 on amdgpu 6.8.5 (driver release 6.2)
      (recommended)
PASS  kernel.numa_balancing  0 (required)
PASS  kernel.cmdline  pci=realloc=off iommu=pt (recommended)
PASS  kernel.iommu  passthrough (recommended)
PASS  cpu.governor  policy0-383: performance (recommended)
PASS  cpu.boost  true (info)
PASS  cpu.idle  cpu0-383/C2: disabled (recommended): a CPU takes 100 us to leave
      C2
PASS  host.rivals  none (info)
PASS  env.HIP_FORCE_DEV_KERNARG  (recommended): not set; on by default with ROCm
      6.1.2 and later on this GPU
PASS  env.HSA_OVERRIDE_CPU_AFFINITY_DEBUG  0 (recommended)

Not applicable
      rocm.arch  (recommended): the ROCm of this system has no rocBLAS,
      hipBLASLt or MIOpen
      limits.memlock  (info): the limits of this process do not describe another
      machine

2 optional, 28 passed, 2 not applicable
$ rocenv check --sysroot mi300x-tuned.tree -p benchmark --only kernel.numa_balancing --format jsonl
{"schema": "rocenv.report/1", "version": "0.2.0", "command": "check", "profile": ["mi300x-benchmark"], "profile_digest": "0e1b405913c0b661", "root": "mi300x-tuned.tree", "time": "1970-01-01T00:00:00Z", "node": {"hostname": "mi300x-tuned", "boot_id": "0b9c4f57-52c1-4c2e-9a0e-6f1f6f0a4d21", "kernel": "6.8.0-45-generic", "container": false}, "result": "ok", "exit": 0, "only": ["kernel.numa_balancing"], "summary": {"ok": 1}, "notes": [], "settings": {"kernel.numa_balancing": {"why": "The NUMA scanner interrupts threads and moves pages, which delays GPU work; programs with poor locality may gain.", "source": "AMD Instinct MI300X system optimization (rocm.docs.amd.com, 2025-09)", "persist": "lost at reboot; to keep it, add kernel.numa_balancing = 0 in a file under /etc/sysctl.d, or numa_balancing=disable on the kernel command line"}}, "findings": [{"id": "kernel.numa_balancing", "target": "system", "level": "required", "outcome": "ok", "want": "0", "have": "0", "detail": "", "fix": null}]}
