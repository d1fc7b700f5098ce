# An administrator on bare metal: eight MI300X as installed, one command before a benchmark.
$ rocenv check --sysroot mi300x-spx -p benchmark
mi300x-benchmark: NOT as wanted: 1 required setting differs, 6 recommended
  settings differ
8 x AMD Instinct MI300X

required, differs
  kernel.numa_balancing: 1, want 0
    the scanner runs
    why: The page scanner interrupts threads and moves pages; try programs with
         poor locality both ways.
    next: sudo rocenv set -p mi300x-benchmark --only kernel.numa_balancing

recommended, differs
  gpu.determinism: off, want 1900 (8 of them)
    on 0000:05:00.0, 0000:09:00.0, 0000:45:00.0, 0000:49:00.0 and 4 more
    why: Caps the clock at 1900 of 2100 MHz so that it dips less; newer firmware
         does without, AMD says.
    next: sudo rocenv set -p mi300x-benchmark --only gpu.determinism
  pci.acs: 0x001d, want 0x0011 (26 of them)
    on 0000:00:01.1, 0000:02:00.0, 0000:02:01.0, 0000:02:02.0 and 22 more
    SrcValid+ TransBlk- ReqRedir+ CmpltRedir+ UpstreamFwd+ EgressCtrl-
    DirectTrans-
    why: Redirect sends GPU-to-NIC traffic up to the root and back; guests and
         SR-IOV need it on.
    next: sudo rocenv set -p mi300x-benchmark --only pci.acs
  kernel.cmdline: missing pci=realloc=off, want pci=realloc=off iommu=pt
    why: realloc=off keeps all GPUs in view; AMD's texts disagree on pci=bfsort
         and amd_iommu=on here.
    next: add pci=realloc=off to the kernel line in the boot loader, then reboot
  cpu.governor: schedutil, want performance (384 of them)
    on policy0-383
    why: Keeps the cores that launch kernels at full clock; a slow launch path
         leaves the GPU idle.
    next: sudo rocenv set -p mi300x-benchmark --only cpu.governor
  cpu.idle: enabled, want disabled (384 of them)
    on cpu0-383/C2
    C2 takes 100 us to leave
    why: C2 takes 30 to 400 us to wake, which delays launches; AMD's guides name
         C2, its script C1.
    next: sudo rocenv set -p mi300x-benchmark --only cpu.idle
  env.HSA_OVERRIDE_CPU_AFFINITY_DEBUG: not set, want 0
    its default is 1
    why: AMD calls it critical: the runtime's threads then stay on the CPUs that
         were given to the process.
    next: export HSA_OVERRIDE_CPU_AFFINITY_DEBUG=0

info, differs
  kernel.nmi_watchdog: 1, want 0
    next: sudo rocenv set -p mi300x-benchmark --only kernel.nmi_watchdog --want kernel.nmi_watchdog=0
  cpu.smt: on, want off
    next: SMT Control in the BIOS, or nosmt on the kernel command line, and
          reboot

as wanted, worth knowing
  pci.acs: 0x0001 on 0000:c8:00.0
    SrcValid+ TransBlk- ReqRedir- CmpltRedir- UpstreamFwd- EgressCtrl-
    DirectTrans-; source validation only: AMD's script would clear it, peer
    traffic takes no detour

69 ok, 41 differs, 2 na  (-v lists all)
? 1
$ rocenv check --sysroot mi300x-fallen
mi300x: NOT as wanted: 2 required settings differ, 1 recommended setting
  differs, 2 recommended settings unknown
8 x AMD Instinct MI300X

required, differs
  gpu.count: fallen off the bus, want full
    on 0000:85:00.0
    it answers all ones
    why: A board with seven of its eight GPUs is broken; one without driver or
         KFD node is lost to all.
    next: sudo dmesg | grep -e amdgpu -e 0000:85:00.0; then reset, reseat or reboot
  gpu.xgmi: 7 of 8 GPUs, want mesh
    the board of MI300X links 8 GPUs: links to the others are missing
    why: A lost link sends traffic over two hops or PCIe; that all GPUs are
         alike proves nothing.
    next: sudo dmesg | grep -i xgmi; sudo amd-smi xgmi; then reset, or reseat the GPU

recommended, differs
  env.HSA_OVERRIDE_CPU_AFFINITY_DEBUG: not set, want 0
    its default is 1
    why: AMD calls it critical: the runtime's threads then stay on the CPUs that
         were given to the process.
    next: export HSA_OVERRIDE_CPU_AFFINITY_DEBUG=0

recommended, unknown
  pci.link: could not be read
    on 0000:85:00.0
    /sys/bus/pci/devices/0000:83:00.0/current_link_width: is no link's: "63"
    (all ones, the device does not answer)
    next: look at the file by hand, and at dmesg
  pci.large_bar: could not be read, want true
    on 0000:85:00.0
    no amdgpu driver is bound to it, which would tell
    next: sudo dmesg | grep amdgpu

info, differs
  gpu.determinism: off, want 1900 (7 of them)
    on 0000:05:00.0, 0000:09:00.0, 0000:45:00.0, 0000:49:00.0 and 3 more
    next: sudo rocenv set -p mi300x --only gpu.determinism --want gpu.determinism=recommended
  pci.acs: 0x001d, want 0x0011 (27 of them)
    on 0000:00:01.1, 0000:02:00.0, 0000:02:01.0, 0000:02:02.0 and 23 more
    SrcValid+ TransBlk- ReqRedir+ CmpltRedir+ UpstreamFwd+ EgressCtrl-
    DirectTrans-
    next: sudo rocenv set -p mi300x --only pci.acs --want 'pci.acs={ policy = "no-redirect", scope = "gpu-path" }'
  kernel.nmi_watchdog: 1, want 0
    next: sudo rocenv set -p mi300x --only kernel.nmi_watchdog --want kernel.nmi_watchdog=0
  cpu.idle: enabled, want disabled (32 of them)
    on cpu0-31/C2
    C2 takes 100 us to leave
    next: sudo rocenv set -p mi300x --only cpu.idle --want 'cpu.idle={ max_latency_us = 10 }'

info, unknown
  pci.acs: could not be read (2 of them)
    on 0000:83:00.0, 0000:84:00.0
    /sys/bus/pci/devices/0000:83:00.0/config: answers all ones, the device is
    gone or off
    next: look at the file by hand, and at dmesg

64 ok, 39 differs, 4 unknown, 6 na  (-v lists all)
? 1
$ rocenv check --sysroot mi300x-no-driver
mi300x: NOT as wanted: 2 required settings differ, 4 recommended settings
  differ, 1 recommended setting unknown
8 x AMD Instinct MI300X

required, differs
  gpu.driver: not there, want >=6.3
    the amdgpu module is not loaded; modprobe.blacklist=amdgpu keeps it from
    loading at boot
    why: First to know MI300X: the driver of ROCm 6.0, which calls itself 6.3.6.
    next: sudo modprobe amdgpu; sudo dmesg | grep amdgpu
  gpu.count: no driver, want full (8 of them)
    on 0000:05:00.0, 0000:09:00.0, 0000:45:00.0, 0000:49:00.0 and 4 more
    none is bound to it
    why: A board with seven of its eight GPUs is broken; one without driver or
         KFD node is lost to all.
    next: sudo dmesg | grep -e amdgpu -e 0000:05:00.0; then reset, reseat or reboot (so for each)

recommended, differs
  gpu.visible: 0, want >=1
    there is no KFD: no AMD GPU, or no driver for it
    why: A variable or a device cgroup that hides every GPU sends the job to the
         CPU, or ends it.
    next: sudo dmesg | grep amdgpu
  kernel.numa_balancing: 1, want 0
    the scanner runs
    why: The page scanner interrupts threads and moves pages; try programs with
         poor locality both ways.
    next: sudo rocenv set -p mi300x --only kernel.numa_balancing
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

recommended, unknown
  pci.large_bar: could not be read, want true (8 of them)
    on 0000:05:00.0, 0000:09:00.0, 0000:45:00.0, 0000:49:00.0 and 4 more
    no amdgpu driver is bound to it, which would tell
    next: sudo dmesg | grep amdgpu

info, differs
  pci.acs: 0x001d, want 0x0011 (28 of them)
    on 0000:00:01.1, 0000:02:00.0, 0000:02:01.0, 0000:02:02.0 and 24 more
    SrcValid+ TransBlk- ReqRedir+ CmpltRedir+ UpstreamFwd+ EgressCtrl-
    DirectTrans-
    next: sudo rocenv set -p mi300x --only pci.acs --want 'pci.acs={ policy = "no-redirect", scope = "gpu-path" }'
  kernel.nmi_watchdog: 1, want 0
    next: sudo rocenv set -p mi300x --only kernel.nmi_watchdog --want kernel.nmi_watchdog=0
  cpu.idle: enabled, want disabled (32 of them)
    on cpu0-31/C2
    C2 takes 100 us to leave
    next: sudo rocenv set -p mi300x --only cpu.idle --want 'cpu.idle={ max_latency_us = 10 }'

31 ok, 43 differs, 8 unknown, 37 na  (-v lists all)
? 1
$ rocenv check --sysroot guest
mi300x: all that is required is as wanted; 2 recommended settings differ
1 x AMD Instinct MI300X

recommended, differs
  kernel.cmdline: missing pci=realloc=off, want pci=realloc=off
    this is a guest: its host decides about the IOMMU
    why: realloc=off keeps all GPUs in view; AMD's texts disagree on pci=bfsort
         and amd_iommu=on here.
    next: add pci=realloc=off to the kernel line in the boot loader, then reboot
  env.HSA_OVERRIDE_CPU_AFFINITY_DEBUG: not set, want 0
    its default is 1
    why: AMD calls it critical: the runtime's threads then stay on the CPUs that
         were given to the process.
    next: export HSA_OVERRIDE_CPU_AFFINITY_DEBUG=0

info, differs
  gpu.determinism: off, want 1900
    on 0000:05:00.0
    next: sudo rocenv set -p mi300x --only gpu.determinism --want gpu.determinism=recommended
  kernel.nmi_watchdog: 1, want 0
    next: sudo rocenv set -p mi300x --only kernel.nmi_watchdog --want kernel.nmi_watchdog=0

17 ok, 4 differs, 7 na  (-v lists all)
$ rocenv check --sysroot mi300x-tuned -p env-check
env-check: all that is required is as wanted

40 ok  (-v lists all)
