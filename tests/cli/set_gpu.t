# set --gpu: a part of a node.
$ cp -a mi300x-spx/. node
$ rocenv set --sysroot node -p mi300x-benchmark --gpu 1,3 --only 'gpu.*' --only 'kernel.*' -q; echo $?
0
$ rocenv status --sysroot node | head -n 12
1 setting active since 1970-01-01T00:00:00Z (0 s), set by root
  SETTING          WAS  NOW   TARGETS
  gpu.determinism  off  1900  0000:09:00.0,0000:49:00.0
Undo: sudo rocenv reset --sysroot node
$ rocenv reset --sysroot node -q; rocenv status --sysroot node
no setting is active on this node
$ rocenv set --sysroot node -p mi300x-benchmark --gpu 0 --dry-run | grep -e '^  [a-z]' -e 'only 1'
  gpu.determinism  off     ->  1900    0000:05:00.0
  pci.acs          0x001d  ->  0x0011  2 PCI functions
note: only 1 of 8 GPUs and their own PCI path; not set with --gpu:
$ rocenv set --sysroot node -p mi300x-benchmark --gpu 0 --allow kernel.numa_balancing --dry-run | grep -e '^  [a-z]' -e 'only 1'
  gpu.determinism        off     ->  1900    0000:05:00.0
  pci.acs                0x001d  ->  0x0011  2 PCI functions
  kernel.numa_balancing  1       ->  0
note: only 1 of 8 GPUs and their own PCI path; not set with --gpu:
$ rocenv set --sysroot node -p mi300x --gpu 8
rocenv: --gpu 8 does not name a GPU of this node, which has 8 GPU devices
? 2
$ rocenv set --sysroot node -p mi300x --gpu 3-1
rocenv: --gpu 3-1 does not name a GPU of this node, which has 8 GPU devices
? 2
$ rocenv set --sysroot node -p mi300x --gpu 0000:05:00.1
rocenv: --gpu 0000:05:00.1 does not name a GPU of this node, which has 8 GPU devices
? 2
$ HIP_VISIBLE_DEVICES= ROCR_VISIBLE_DEVICES= rocenv set --sysroot node -p mi300x --gpu visible
rocenv: --gpu visible: no GPU is visible to this process
? 2
$ ROCR_VISIBLE_DEVICES=2 rocenv set --sysroot node -p mi300x-benchmark --gpu visible --only gpu.determinism --dry-run | head -n 8
DRY RUN  mi300x-benchmark: 1 setting would be changed; nothing was written
  gpu.determinism  off  ->  1900  0000:45:00.0

Writes, in this order:
  1  gpu.determinism 0000:45:00.0
     echo perf_determinism > \
       /sys/bus/pci/devices/0000:45:00.0/power_dpm_force_performance_level
  2  gpu.determinism 0000:45:00.0
$ rocenv set --sysroot container.tree -p mi300x-benchmark --ignore-match --dry-run
DRY RUN  mi300x-benchmark: 1 setting would be changed; nothing was written
  gpu.determinism  off  ->  1900  0000:49:00.0
REFUSED  cpu.governor  policy0-31: schedutil, expected performance
         detail   This job sees 1 of 8 GPUs, and this changes the whole node.
         next     If no guest or job needs the present value: sudo rocenv set -p mi300x-benchmark --ignore-match --only cpu.governor --allow cpu.governor
REFUSED  cpu.idle  cpu0-31/C2: enabled, expected disabled
         detail   This job sees 1 of 8 GPUs, and this changes the whole node.
         next     If no guest or job needs the present value: sudo rocenv set -p mi300x-benchmark --ignore-match --only cpu.idle --allow cpu.idle
UNKNOWN  pci.acs  0000:42:02.0, 0000:47:00.0, 0000:48:00.0: could not be read
         detail   /sys/bus/pci/devices/0000:42:02.0/config: not readable at
                  0x100; beyond 64 bytes it needs root (CAP_SYS_ADMIN).
         next     sudo rocenv check -p mi300x-benchmark --ignore-match --only pci.acs
Not settable now: env.HSA_OVERRIDE_CPU_AFFINITY_DEBUG (per job; see rocenv run)
Hidden from this container: gpu.count, gpu.xgmi

Writes, in this order:
  1  gpu.determinism 0000:49:00.0
     echo perf_determinism > \
       /sys/bus/pci/devices/0000:49:00.0/power_dpm_force_performance_level
  2  gpu.determinism 0000:49:00.0
     echo s 1 1900 > /sys/bus/pci/devices/0000:49:00.0/pp_od_clk_voltage
  3  gpu.determinism 0000:49:00.0
     echo c > /sys/bus/pci/devices/0000:49:00.0/pp_od_clk_voltage
note: only 1 of 8 GPUs and their own PCI path
$ rocenv set --sysroot container.tree -p host --allow 'cpu.*' --dry-run | head -n 8
DRY RUN  host: 1 setting would be changed; nothing was written
  cpu.governor  schedutil  ->  performance  32 policies

Writes, in this order:
   1  cpu.governor policy0
      echo performance > \
        /sys/devices/system/cpu/cpufreq/policy0/scaling_governor
   2  cpu.governor policy1
$ rocenv run --sysroot node --gpu 0 -- true
rocenv: --allow, --gpu and --state need --tune
Try 'rocenv run --help'.
? 125
