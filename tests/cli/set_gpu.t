# set --gpu: a part of a node.
$ cp -a mi300x-spx/. node
$ rocenv set --sysroot node -p mi300x-benchmark --gpu 1,3 --only 'gpu.*' --only 'kernel.*' -q; echo $?
0
$ rocenv status --sysroot node | head -n 12
1 setting is set by rocenv on this node
since 1970-01-01T00:00:00Z

  gpu.determinism: 1900 (was off) on 0000:09:00.0, 0000:49:00.0
$ rocenv reset --sysroot node -q; rocenv status --sysroot node
nothing is set by rocenv on this node
$ rocenv set --sysroot node -p mi300x-benchmark --gpu 0 --dry-run | grep -e '^  [a-z]' -e 'only 1'
  kernel.cmdline: missing pci=realloc=off, want pci=realloc=off iommu=pt
  env.HSA_OVERRIDE_CPU_AFFINITY_DEBUG: not set, want 0
  gpu.determinism: off -> 1900
  pci.acs: 0x001d -> 0x0011 (2 of them)
note: only 1 of 8 GPUs and their own PCI path; not set with --gpu:
$ rocenv set --sysroot node -p mi300x-benchmark --gpu 0 --allow kernel.numa_balancing --dry-run | grep -e '^  [a-z]' -e 'only 1'
  kernel.cmdline: missing pci=realloc=off, want pci=realloc=off iommu=pt
  env.HSA_OVERRIDE_CPU_AFFINITY_DEBUG: not set, want 0
  gpu.determinism: off -> 1900
  pci.acs: 0x001d -> 0x0011 (2 of them)
  kernel.numa_balancing: 1 -> 0
note: only 1 of 8 GPUs and their own PCI path; not set with --gpu:
$ rocenv set --sysroot node -p mi300x --gpu 8
rocenv: --gpu 8 names no GPU of this node, which has 8 GPU devices
? 2
$ rocenv set --sysroot node -p mi300x --gpu 3-1
rocenv: --gpu 3-1 names no GPU of this node, which has 8 GPU devices
? 2
$ rocenv set --sysroot node -p mi300x --gpu 0000:05:00.1
rocenv: --gpu 0000:05:00.1 names no GPU of this node, which has 8 GPU devices
? 2
$ HIP_VISIBLE_DEVICES= ROCR_VISIBLE_DEVICES= rocenv set --sysroot node -p mi300x --gpu visible
rocenv: --gpu visible: no GPU is visible to this process
? 2
$ ROCR_VISIBLE_DEVICES=2 rocenv set --sysroot node -p mi300x-benchmark --gpu visible --only gpu.determinism --dry-run | head -n 8
mi300x-benchmark: would change 1 setting, nothing was written
8 x AMD Instinct MI300X

would change
  gpu.determinism: off -> 1900
    on 0000:45:00.0

writes, in order
$ rocenv set --sysroot container.tree -p mi300x-benchmark --ignore-match --dry-run
mi300x-benchmark: would change 1 setting, nothing was written
8 x AMD Instinct MI300X

recommended, differs
  env.HSA_OVERRIDE_CPU_AFFINITY_DEBUG: not set, want 0
    its default is 1
    why: AMD calls it critical: the runtime's threads then stay on the CPUs that
         were given to the process.
    next: export HSA_OVERRIDE_CPU_AFFINITY_DEBUG=0

recommended, unsafe
  cpu.governor: schedutil, want performance (32 of them)
    on policy0-31
    this job sees 1 of 8 GPUs, and this changes the whole node
    next: if nobody needs it as it is: sudo rocenv set -p mi300x-benchmark --ignore-match --only cpu.governor --allow cpu.governor
  cpu.idle: enabled, want disabled (32 of them)
    on cpu0-31/C2
    this job sees 1 of 8 GPUs, and this changes the whole node
    next: if nobody needs it as it is: sudo rocenv set -p mi300x-benchmark --ignore-match --only cpu.idle --allow cpu.idle

recommended, unknown
  pci.acs: could not be read (3 of them)
    on 0000:42:02.0, 0000:47:00.0, 0000:48:00.0
    /sys/bus/pci/devices/0000:42:02.0/config: not readable at 0x100; beyond 64
    bytes it needs root (CAP_SYS_ADMIN)
    next: sudo rocenv check -p mi300x-benchmark --ignore-match --only pci.acs

hidden
  gpu.count (required)
    7 KFD nodes are hidden from this container
  gpu.xgmi (required)
    7 KFD nodes are hidden from this container

would change
  gpu.determinism: off -> 1900
    on 0000:49:00.0

writes, in order
  1  gpu.determinism 0000:49:00.0
     echo perf_determinism > \
       /sys/bus/pci/devices/0000:49:00.0/power_dpm_force_performance_level
     bytes: 70 65 72 66 5f 64 65 74 65 72 6d 69 6e 69 73 6d
  2  gpu.determinism 0000:49:00.0
     echo s 1 1900 > /sys/bus/pci/devices/0000:49:00.0/pp_od_clk_voltage
     bytes: 73 20 31 20 31 39 30 30 0a
  3  gpu.determinism 0000:49:00.0
     echo c > /sys/bus/pci/devices/0000:49:00.0/pp_od_clk_voltage
     bytes: 63 0a

18 ok, 1 changed, 2 unsafe, 2 differs, 3 unknown, 2 na, 2 hidden  (-v lists all)
note: only 1 of 8 GPUs and their own PCI path
note: variables are the job's, not the node's: export HIP_FORCE_DEV_KERNARG,
      HSA_OVERRIDE_CPU_AFFINITY_DEBUG there (rocenv profile show)
$ rocenv set --sysroot container.tree -p host --allow 'cpu.*' --dry-run | head -n 8
host: would change 1 setting, nothing was written

would change
  cpu.governor: schedutil -> performance (32 of them)
    on policy0-31

writes, in order
   1  cpu.governor policy0
$ rocenv run --sysroot node --gpu 0 -- true
rocenv: run: --allow, --gpu and --state are for --tune
? 125
