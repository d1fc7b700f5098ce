# 64 partitions on eight GPUs, tuned; GPU 0000:49:00.0 has lost its limit.
$ rocenv check --sysroot mi300x-cpx -p benchmark
mi300x-benchmark: all that is required is as wanted; 2 recommended settings
  differ
8 x AMD Instinct MI300X

recommended, differs
  gpu.determinism: lost, want 1900
    on 0000:49:00.0
    the level says perf_determinism, but the limit is gone (after a GPU reset or
    resume)
    why: Caps the clock at 1900 of 2100 MHz so that it dips less; newer firmware
         does without, AMD says.
    next: sudo rocenv set -p mi300x-benchmark --only gpu.determinism
  env.HSA_OVERRIDE_CPU_AFFINITY_DEBUG: not set, want 0
    its default is 1
    why: AMD calls it critical: the runtime's threads then stay on the CPUs that
         were given to the process.
    next: export HSA_OVERRIDE_CPU_AFFINITY_DEBUG=0

info, differs
  gpu.compute_partition: CPX, want SPX (8 of them)
    on 0000:05:00.0, 0000:09:00.0, 0000:45:00.0, 0000:49:00.0 and 4 more
    next: with no job there: sudo amd-smi set --gpu 0000:05:00.0 --compute-partition SPX (so for each)
  kernel.nmi_watchdog: 1, want 0
    next: sudo rocenv set -p mi300x-benchmark --only kernel.nmi_watchdog --want kernel.nmi_watchdog=0
  cpu.smt: on, want off
    next: SMT Control in the BIOS, or nosmt on the kernel command line, and
          reboot

98 ok, 12 differs, 2 na  (-v lists all)
$ rocenv check --sysroot mi300x-cpx --only gpu.count --want gpu.count=8 -v
mi300x: all that is required is as wanted
8 x AMD Instinct MI300X

ok
  gpu.count: 8 (required)

1 ok
$ rocenv check --sysroot mi300x-cpx --only gpu.count --want gpu.count=64
mi300x: NOT as wanted: 1 required setting differs
8 x AMD Instinct MI300X

required, differs
  gpu.count: 8, want 64
    why: A GPU that is missing slows or fails the job that counts on it
    next: sudo dmesg | grep -e amdgpu -e pcieport; then reseat what is missing, or reboot

1 differs
? 1
$ rocenv check --sysroot mi300x-cpx --only gpu.determinism --want gpu.determinism=2200
mi300x: NOT as wanted: 1 required setting differs
8 x AMD Instinct MI300X

required, differs
  gpu.determinism: 1900, want 2200 (7 of them)
    on 0000:05:00.0, 0000:09:00.0, 0000:45:00.0, 0000:85:00.0 and 3 more
    above this GPU's maximum of 2100 MHz, the driver will refuse it
    why: GPUs that run at one clock finish together; the slowest one sets the
         pace
    next: want at most 2100
  gpu.determinism: lost, want 2200
    on 0000:49:00.0
    above this GPU's maximum of 2100 MHz, the driver will refuse it
    why: GPUs that run at one clock finish together; the slowest one sets the
         pace
    next: want at most 2100

8 differs
? 1
$ rocenv topo --sysroot mi300x-cpx | sed -n '1,10p;64,$p'
64 partitions of 8 x AMD Instinct MI300X (gfx942, CPX, NPS1)
38 CUs of 4 SIMDs, wavefront 64, 24 GiB, 2100 MHz
GPU    address       part  NUMA  near NIC  PCIe GT/s  near CPUs
0-7    0000:05:00.0  0-7   0     bnxt_re0  32.0 x16   0-95,192-287
8-15   0000:09:00.0  0-7   0     bnxt_re1  32.0 x16   0-95,192-287
16-23  0000:45:00.0  0-7   0     bnxt_re2  32.0 x16   0-95,192-287
24-31  0000:49:00.0  0-7   0     bnxt_re3  32.0 x16   0-95,192-287
32-39  0000:85:00.0  0-7   1     bnxt_re4  32.0 x16   96-191,288-383
40-47  0000:89:00.0  0-7   1     bnxt_re5  32.0 x16   96-191,288-383
48-55  0000:c5:00.0  0-7   1     bnxt_re6  32.0 x16   96-191,288-383
