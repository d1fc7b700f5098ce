# 64 partitions on eight GPUs, tuned; GPU 0000:49:00.0 has lost its limit.
$ rocenv check --sysroot mi300x-cpx -p benchmark --only gpu.determinism,gpu.compute_partition
WARN  mi300x-benchmark: all required checks passed, 1 recommendation not met
      8 x AMD Instinct MI300X

WARN  gpu.determinism  GPU 24 (0000:49:00.0): lost, expected 1900
      detail   The performance level is perf_determinism, but the limit was lost
               in a GPU reset or resume.
      why      A limit of 1900 of 2100 MHz reduces clock dips; AMD states that
               newer firmware does not need it.
      next     sudo rocenv set --sysroot mi300x-cpx -p mi300x-benchmark --only gpu.determinism

1 optional setting differs: gpu.compute_partition CPX (SPX)

1 warning, 1 optional, 1 passed (-v lists all)
$ rocenv check --sysroot mi300x-cpx --only gpu.count --want gpu.count=8 -v
PASS  mi300x: all required and recommended checks passed
      8 x AMD Instinct MI300X

Passed
PASS  gpu.count  8 (required)

1 passed
$ rocenv check --sysroot mi300x-cpx --only gpu.count --want gpu.count=64
FAIL  mi300x: 1 required failed
      8 x AMD Instinct MI300X

FAIL  gpu.count  8, expected 64
      why      A job that needs a missing GPU fails, hangs or runs slowly.
      next     sudo dmesg | grep -e amdgpu -e pcieport
               If the log shows no reason, reseat the missing GPU or power-cycle
               the node.

1 failed (-v lists all)
? 1
$ rocenv check --sysroot mi300x-cpx --only gpu.determinism --want gpu.determinism=2200
FAIL  mi300x: 2 required failed
      8 x AMD Instinct MI300X

FAIL  gpu.determinism  GPU 0 (0000:05:00.0), GPU 8 (0000:09:00.0), GPU 16
      (0000:45:00.0), GPU 32 (0000:85:00.0) and 3 more: 1900, expected 2200
      detail   The expected clock is above this GPU's maximum of 2100 MHz, and
               the driver would reject it.
      why      GPUs at different clocks finish at different times, and the
               slowest one delays every collective.
      next     Set the expected clock to at most 2100 MHz.
FAIL  gpu.determinism  GPU 24 (0000:49:00.0): lost, expected 2200
      detail   The expected clock is above this GPU's maximum of 2100 MHz, and
               the driver would reject it.
      why      GPUs at different clocks finish at different times, and the
               slowest one delays every collective.
      next     Set the expected clock to at most 2100 MHz.

2 failed (-v lists all)
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
