# An administrator on bare metal: eight MI300X as installed, one command before a benchmark.
$ rocenv check --sysroot mi300x-spx -p benchmark
FAIL  mi300x-benchmark: 1 required failed, 6 recommendations not met
      8 x AMD Instinct MI300X

FAIL  kernel.numa_balancing  1, expected 0
      detail   Automatic NUMA balancing is on.
      why      The NUMA scanner interrupts threads and moves pages, which delays
               GPU work; programs with poor locality may gain.
      next     sudo rocenv set --sysroot mi300x-spx -p mi300x-benchmark --only kernel.numa_balancing
WARN  gpu.determinism  All 8 GPUs: off, expected 1900
      why      A limit of 1900 of 2100 MHz reduces clock dips; AMD states that
               newer firmware does not need it.
      next     sudo rocenv set --sysroot mi300x-spx -p mi300x-benchmark --only gpu.determinism
WARN  pci.acs  0000:00:01.1, 0000:02:00.0, 0000:02:01.0, 0000:02:02.0 and 22
      more: 0x001d, expected 0x0011
      detail   SrcValid+ TransBlk- ReqRedir+ CmpltRedir+ UpstreamFwd+
               EgressCtrl- DirectTrans-.
      why      ACS redirect sends GPU-to-NIC traffic through the root complex;
               guests and SR-IOV need it.
      next     sudo rocenv set --sysroot mi300x-spx -p mi300x-benchmark --only pci.acs
WARN  kernel.cmdline  pci=realloc=off is missing
      why      If the kernel reallocates PCI windows, GPUs may be missing; AMD's
               texts disagree on pci=bfsort and amd_iommu=on.
      next     Add pci=realloc=off to the kernel command line in the boot
               loader, then reboot.
WARN  cpu.governor  policy0-383: schedutil, expected performance
      why      CPU cores at full clock launch kernels without delay; a slow
               launch path leaves the GPU idle.
      next     sudo rocenv set --sysroot mi300x-spx -p mi300x-benchmark --only cpu.governor
WARN  cpu.idle  cpu0-383/C2: enabled, expected disabled
      detail   A CPU takes 100 us to leave C2.
      why      A CPU in C2 wakes 30 to 400 us late and delays launches; AMD's
               guides name C2, its script C1.
      next     sudo rocenv set --sysroot mi300x-spx -p mi300x-benchmark --only cpu.idle
WARN  env.HSA_OVERRIDE_CPU_AFFINITY_DEBUG  not set, expected 0
      detail   The default is 1.
      why      AMD marks this as critical: with 0, the ROCm runtime respects the
               CPU affinity of the process.
      next     export HSA_OVERRIDE_CPU_AFFINITY_DEBUG=0

2 optional settings differ: kernel.nmi_watchdog 1 (0), cpu.smt on (off)
To set all that can be set: sudo rocenv set --sysroot mi300x-spx -p mi300x-benchmark --want kernel.nmi_watchdog=0

1 failed, 6 warnings, 2 optional, 23 passed, 2 not applicable (-v lists all; -p
acceptance also checks NICs, memory and disks)
? 1
$ rocenv check --sysroot mi300x-fallen
FAIL  mi300x: 2 required failed (1 cause), 1 recommendation not met
      7 of 8 AMD Instinct MI300X respond

FAIL  gpu.count  The GPU at 0000:85:00.0 has fallen off the PCIe bus
      detail   The GPU returns all ones to every read of its PCI configuration.
      why      A node with a missing or unusable GPU fails every job that needs
               the whole node.
      next     sudo dmesg | grep -e amdgpu -e 0000:85:00.0
               If the log shows no reason, reset or reseat the GPU, or
               power-cycle the node.
      follows  FAIL gpu.xgmi: 7 of 8 GPUs, expected mesh
               3 checks could not be read (-v lists them)
WARN  env.HSA_OVERRIDE_CPU_AFFINITY_DEBUG  not set, expected 0
      detail   The default is 1.
      why      AMD marks this as critical: with 0, the ROCm runtime respects the
               CPU affinity of the process.
      next     export HSA_OVERRIDE_CPU_AFFINITY_DEBUG=0

4 optional settings differ: gpu.determinism off (1900), pci.acs 0x001d (0x0011),
kernel.nmi_watchdog 1 (0), cpu.idle enabled (disabled)
To set all that can be set: sudo rocenv set --sysroot mi300x-fallen -p mi300x-benchmark --want kernel.nmi_watchdog=0

2 failed, 1 warning, 3 unknown, 4 optional, 23 passed, 8 not applicable (-v
lists all; -p acceptance also checks NICs, memory and disks)
? 1
$ rocenv check --sysroot mi300x-no-driver
FAIL  mi300x: 2 required failed (1 cause), 4 recommendations not met
      0 of 8 AMD Instinct MI300X respond

FAIL  gpu.driver  not there, expected >=6.3
      detail   The amdgpu module is not loaded; modprobe.blacklist=amdgpu
               prevents the module from loading at boot.
      why      Drivers before that of ROCm 6.0 (6.3.6) do not support MI300X, so
               programs find no GPU.
      next     sudo modprobe amdgpu
               sudo dmesg | grep amdgpu
      follows  FAIL gpu.count: All 8 GPUs have no driver
               WARN gpu.visible: 0, expected >=1
               1 check could not be read (-v lists them)
WARN  kernel.numa_balancing  1, expected 0
      detail   Automatic NUMA balancing is on.
      why      The NUMA scanner interrupts threads and moves pages, which delays
               GPU work; programs with poor locality may gain.
      next     sudo rocenv set --sysroot mi300x-no-driver -p mi300x --only kernel.numa_balancing
WARN  cpu.governor  policy0-31: schedutil, expected performance
      why      CPU cores at full clock launch kernels without delay; a slow
               launch path leaves the GPU idle.
      next     sudo rocenv set --sysroot mi300x-no-driver -p mi300x --only cpu.governor
WARN  env.HSA_OVERRIDE_CPU_AFFINITY_DEBUG  not set, expected 0
      detail   The default is 1.
      why      AMD marks this as critical: with 0, the ROCm runtime respects the
               CPU affinity of the process.
      next     export HSA_OVERRIDE_CPU_AFFINITY_DEBUG=0

3 optional settings differ: pci.acs 0x001d (0x0011), kernel.nmi_watchdog 1 (0),
cpu.idle enabled (disabled)
To set all that can be set: sudo rocenv set --sysroot mi300x-no-driver -p mi300x-benchmark --want kernel.nmi_watchdog=0

2 failed, 4 warnings, 1 unknown, 3 optional, 10 passed, 12 not applicable (-v
lists all; -p acceptance also checks NICs, memory and disks)
? 1
$ rocenv check --sysroot guest
WARN  mi300x: all required checks passed, 2 recommendations not met
      1 x AMD Instinct MI300X

WARN  kernel.cmdline  pci=realloc=off is missing
      detail   This is a guest, and its host configures the IOMMU.
      why      If the kernel reallocates PCI windows, GPUs may be missing; AMD's
               texts disagree on pci=bfsort and amd_iommu=on.
      next     Add pci=realloc=off to the kernel command line in the boot
               loader, then reboot.
WARN  env.HSA_OVERRIDE_CPU_AFFINITY_DEBUG  not set, expected 0
      detail   The default is 1.
      why      AMD marks this as critical: with 0, the ROCm runtime respects the
               CPU affinity of the process.
      next     export HSA_OVERRIDE_CPU_AFFINITY_DEBUG=0

2 optional settings differ: gpu.determinism off (1900), kernel.nmi_watchdog 1
(0)
To set all that can be set: sudo rocenv set --sysroot guest -p mi300x-benchmark --want kernel.nmi_watchdog=0

2 warnings, 2 optional, 20 passed, 8 not applicable (-v lists all; -p acceptance
also checks NICs, memory and disks)
$ rocenv check --sysroot mi300x-tuned -p env-check
PASS  env-check: all required and recommended checks passed

6 passed (-v lists all)
