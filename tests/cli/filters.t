# --only, --skip, --want, --scope: which settings are judged.
$ rocenv check --sysroot mi300x-spx --only kernel.numa_balancing
mi300x: all that is required is as wanted; 1 recommended setting differs
8 x AMD Instinct MI300X

recommended, differs
  kernel.numa_balancing: 1, want 0
    the scanner runs
    why: The page scanner interrupts threads and moves pages; try programs with
         poor locality both ways.
    next: sudo rocenv set -p mi300x --only kernel.numa_balancing

1 differs
$ rocenv check --sysroot mi300x-spx --only kernel.numa_balancing --want kernel.numa_balancing=1
mi300x: all that is required is as wanted
8 x AMD Instinct MI300X

1 ok  (-v lists all)
$ rocenv check --sysroot mi300x-spx --only 'kernel.*' --skip kernel.cmdline --format jsonl | jq -c '[.findings[].id]'
["kernel.numa_balancing","kernel.nmi_watchdog","kernel.iommu"]
$ rocenv check --sysroot mi300x-spx --scope process --format json | jq -c '[.findings[] | [.id, .outcome]]'
[["gpu.visible","ok"],["limits.memlock","na"],["env.HIP_FORCE_DEV_KERNARG","ok"],["env.HSA_OVERRIDE_CPU_AFFINITY_DEBUG","differs"]]
$ SUDO_UID=1000 rocenv check --sysroot no-gpu | tail -n 3
3 ok, 1 differs, 4 na  (-v lists all)
note: under sudo only the node is judged, not this process (--scope all asks for
      both)
$ rocenv check --sysroot mi300x-spx --only cpu.idle --want 'cpu.idle={ max_latency_us = 200 }' -v
mi300x: all that is required is as wanted
8 x AMD Instinct MI300X

ok
  cpu.idle (required)
    no idle state takes longer than 200 us to leave

1 ok
$ rocenv check --sysroot mi300x-spx --only cpu.idle --want cpu.idle=all
mi300x: NOT as wanted: 1 required setting differs
8 x AMD Instinct MI300X

required, differs
  cpu.idle: enabled, want disabled (384 of them)
    on cpu0-383/C1
    C1 takes 1 us to leave
    why: A CPU in a deep idle state wakes 30 to 400 us late for a GPU that waits
         for it
    next: sudo rocenv set -p mi300x --only cpu.idle --want cpu.idle=all
  cpu.idle: enabled, want disabled (384 of them)
    on cpu0-383/C2
    C2 takes 100 us to leave
    why: A CPU in a deep idle state wakes 30 to 400 us late for a GPU that waits
         for it
    next: sudo rocenv set -p mi300x --only cpu.idle --want cpu.idle=all

2 differs
? 1
$ rocenv check --sysroot mi300x-spx --only pci.acs --want 'pci.acs={ scope = "all", policy = "off" }' | head -n 12
mi300x: NOT as wanted: 1 required setting differs
8 x AMD Instinct MI300X

required, differs
  pci.acs: 0x001d, want 0x0000 (53 of them)
    on 0000:00:01.1, 0000:02:00.0, 0000:02:01.0, 0000:02:02.0 and 49 more
    SrcValid+ TransBlk- ReqRedir+ CmpltRedir+ UpstreamFwd+ EgressCtrl-
    DirectTrans-
    why: Redirect sends GPU-to-NIC traffic up to the root and back; guests and
         SR-IOV need it on.
    next: sudo rocenv set -p mi300x --only pci.acs --want 'pci.acs={ scope = "all", policy = "off" }'
  pci.acs: 0x0001, want 0x0000 (2 of them)
$ HIP_FORCE_DEV_KERNARG=yes rocenv check --sysroot mi300x-spx --only 'env.*'
mi300x: all that is required is as wanted; 2 recommended settings differ
8 x AMD Instinct MI300X

recommended, differs
  env.HIP_FORCE_DEV_KERNARG: yes, want 1
    HIP runtime (CLR) reads "yes" as off; write 1 or 0
    why: Arguments in GPU memory save some kernels 2 to 3 us a launch; default
         on MI300 from ROCm 6.1.2.
    next: export HIP_FORCE_DEV_KERNARG=1
  env.HSA_OVERRIDE_CPU_AFFINITY_DEBUG: not set, want 0
    its default is 1
    why: AMD calls it critical: the runtime's threads then stay on the CPUs that
         were given to the process.
    next: export HSA_OVERRIDE_CPU_AFFINITY_DEBUG=0

2 differs
$ rocenv check --sysroot no-gpu --only gpu.count
host: nothing was judged

0 findings
note: nothing was judged: the profile names nothing asked for
