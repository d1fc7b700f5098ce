# 64 partitions on eight GPUs, tuned; GPU 0000:49:00.0 has lost its limit.
$ rocenv check --sysroot mi300x-cpx -p benchmark
mi300x-benchmark: all that is required is as wanted; 1 recommended setting
  differs
8 x AMD Instinct MI300X

recommended, differs
  gpu.determinism: lost, want 1900
    on 0000:49:00.0
    the level says perf_determinism, but the limit is gone (after a GPU reset or
    resume)
    why: Caps the clock at 1900 of 2100 MHz so that it dips less; newer firmware
         does without, AMD says.
    next: sudo rocenv set -p mi300x-benchmark --only gpu.determinism

info, differs
  gpu.compute_partition: CPX, want SPX (8 of them)
    on 0000:05:00.0, 0000:09:00.0, 0000:45:00.0, 0000:49:00.0 and 4 more
    next: sudo amd-smi set --compute-partition SPX, with no job on the GPU
  kernel.nmi_watchdog: 1, want 0
    next: echo 0 | sudo tee /proc/sys/kernel/nmi_watchdog
  cpu.smt: on, want off
    next: SMT Control in the BIOS, or nosmt on the kernel command line, and
          reboot

78 ok, 11 differs, 1 na  (-v lists all)
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
    why: A GPU that is missing or not linked slows or fails the job that counts
         on it
    next: sudo dmesg | grep -e amdgpu -e xgmi; then reseat, reset or reboot

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
GPU  address         name    gfx     CUs  memory  clock     NUMA
0    0000:05:00.0    MI300X  gfx942  38   24 GiB  2100 MHz  0
1    0000:05:00.0/1  MI300X  gfx942  38   24 GiB  2100 MHz  0
2    0000:05:00.0/2  MI300X  gfx942  38   24 GiB  2100 MHz  0
3    0000:05:00.0/3  MI300X  gfx942  38   24 GiB  2100 MHz  0
4    0000:05:00.0/4  MI300X  gfx942  38   24 GiB  2100 MHz  0
5    0000:05:00.0/5  MI300X  gfx942  38   24 GiB  2100 MHz  0
6    0000:05:00.0/6  MI300X  gfx942  38   24 GiB  2100 MHz  0
7    0000:05:00.0/7  MI300X  gfx942  38   24 GiB  2100 MHz  0
8    0000:09:00.0    MI300X  gfx942  38   24 GiB  2100 MHz  0
62   0000:c9:00.0/6  MI300X  gfx942  38   24 GiB  2100 MHz  1
63   0000:c9:00.0/7  MI300X  gfx942  38   24 GiB  2100 MHz  1

64 agents on 8 physical GPUs
