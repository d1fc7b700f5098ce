# A node from untuned to tuned and back: what a set would write, the set, what it changed, the way back.
$ cp -a mi300x-spx/. node
$ rocenv set --sysroot node
rocenv: set needs a profile, named with -p. Profiles for this node: mi300x, mi300x-benchmark
? 2
$ rocenv set --sysroot node -p env-check --only 'kernel.*,cpu.governor' --dry-run
DRY RUN  env-check: 2 settings would be changed; nothing was written
  kernel.numa_balancing  1          ->  0
  cpu.governor           schedutil  ->  performance  384 policies

Writes, in this order:
    1  kernel.numa_balancing system
       echo 0 > /proc/sys/kernel/numa_balancing
    2  cpu.governor policy0
       echo performance > \
         /sys/devices/system/cpu/cpufreq/policy0/scaling_governor
    3  cpu.governor policy1
       echo performance > \
         /sys/devices/system/cpu/cpufreq/policy1/scaling_governor
    4  cpu.governor policy2
       echo performance > \
         /sys/devices/system/cpu/cpufreq/policy2/scaling_governor
       and 381 more like it (-v lists all)
$ rocenv set --sysroot node -p env-check
DONE  env-check: 5 settings changed
  gpu.determinism        off        ->  1900         8 GPUs
  pci.acs                0x001d     ->  0x0011       26 PCI functions
  kernel.numa_balancing  1          ->  0
  cpu.governor           schedutil  ->  performance  384 policies
  cpu.idle               enabled    ->  disabled     384 CPUs
note: variables belong to the job's environment: export HIP_FORCE_DEV_KERNARG
there (rocenv profile show)
Undo: sudo rocenv reset --sysroot node
$ rocenv status --sysroot node
5 settings active since 1970-01-01T00:00:00Z (0 s), set by root
  SETTING                WAS        NOW          TARGETS
  cpu.governor           schedutil  performance  policy0-383
  cpu.idle               enabled    disabled     cpu0-383/C2
  gpu.determinism        off        1900         8 GPUs
  kernel.numa_balancing  1          0
  pci.acs                0x001d     0x0011       26 PCI functions
Undo: sudo rocenv reset --sysroot node
? 1
$ rocenv status --sysroot node --only 'kernel.*'
1 setting active (4 settings not shown) since 1970-01-01T00:00:00Z (0 s), set by
root
  SETTING                WAS  NOW  TARGETS
  kernel.numa_balancing  1    0
Undo: sudo rocenv reset --sysroot node
? 1
$ rocenv status --sysroot node --only pci.relaxed_ordering
no setting of that kind is active (5 settings not shown)
$ rocenv status --sysroot node --only pci.relaxed_ordering --format json | jq -c '[.exit, .left_out]'
[0,5]
$ rocenv status --sysroot node --only pci.relaxd_ordering
rocenv: unknown setting 'pci.relaxd_ordering' for --only. Did you mean 'pci.relaxed_ordering'?
? 2
$ rocenv check --sysroot node -p env-check -q
$ rocenv set --sysroot node -p env-check
DONE  env-check: nothing was changed
note: variables belong to the job's environment: export HIP_FORCE_DEV_KERNARG
there (rocenv profile show)
$ echo 3 > node/proc/sys/kernel/numa_balancing
$ rocenv status --sysroot node -q
? 5
$ rocenv status --sysroot node -q --skip kernel.numa_balancing
? 1
$ rocenv reset --sysroot node
FAIL  reset: not everything could be restored
  gpu.determinism  1900         ->  off        8 GPUs
  pci.acs          0x0011       ->  0x001d     26 PCI functions
  cpu.governor     performance  ->  schedutil  384 policies
  cpu.idle         disabled     ->  enabled    384 CPUs
FAIL  kernel.numa_balancing  3, expected 1
      detail   The value was changed outside rocenv after the set, so it was
               left alone.
      next     To restore it: sudo rocenv reset --sysroot node --force
               If the present value is right: sudo rocenv reset --sysroot node --keep kernel.numa_balancing
? 5
$ rocenv reset --sysroot node -q
rocenv: kernel.numa_balancing on system could not be restored: its value is 3: the value was changed outside rocenv after the set, so it was left alone
? 5
$ rocenv reset --sysroot node --format json | jq -c '.findings[] | [.target, .want, .have, .was, .put_back]'
["system","1","3",null,"not tried"]
$ rocenv reset --sysroot node --force
DONE  reset: 1 setting restored
  kernel.numa_balancing  3  ->  1
$ rocenv status --sysroot node
no setting is active on this node
$ diff -r --no-dereference mi300x-spx/ node
Only in node: run
? 1
$ rocenv reset --sysroot node
DONE  reset: nothing to restore (rocenv has set nothing on this node)
$ rocenv reset --sysroot node -q
$ rocenv set --sysroot node -p host-benchmark --hold job-1 -q
$ rocenv set --sysroot node -p host-benchmark --hold job-2 -q
$ rocenv reset --sysroot node
rocenv: reset refused: the settings are held by job-1, job-2
rocenv: If job-1 has ended: sudo rocenv reset --hold job-1 --sysroot node
rocenv: If job-2 has ended: sudo rocenv reset --hold job-2 --sysroot node
rocenv: To restore all settings now: sudo rocenv reset --force --sysroot node
FAIL  reset: refused, nothing was restored
? 1
$ rocenv status --sysroot node --only pci.acs
no setting of that kind is active (3 settings not shown)
Held by: job-1 since 1970-01-01T00:00:00Z, job-2 since 1970-01-01T00:00:00Z
If job-1 has ended: sudo rocenv reset --hold job-1 --sysroot node
If job-2 has ended: sudo rocenv reset --hold job-2 --sysroot node
$ rocenv reset --sysroot node --hold job-1
DONE  reset: the hold was released; the settings stay set, held by job-2
$ rocenv reset --sysroot node --hold job-2
DONE  reset: 3 settings restored
  kernel.numa_balancing  0            ->  1
  cpu.governor           performance  ->  schedutil  384 policies
  cpu.idle               disabled     ->  enabled    384 CPUs
$ diff -r --no-dereference mi300x-spx/ node
Only in node: run
? 1

# A part of it, and then the rest.
$ rocenv set --sysroot node -p env-check -q
$ rocenv reset --sysroot node --only 'cpu.*' --dry-run
DRY RUN  reset: 2 settings would be restored; nothing was written
  cpu.governor  performance  ->  schedutil  384 policies
  cpu.idle      disabled     ->  enabled    384 CPUs

Writes, in this order:
    1  cpu.idle cpu99/C2
       echo 0 > /sys/devices/system/cpu/cpu99/cpuidle/state2/disable
    2  cpu.idle cpu98/C2
       echo 0 > /sys/devices/system/cpu/cpu98/cpuidle/state2/disable
    3  cpu.idle cpu97/C2
       echo 0 > /sys/devices/system/cpu/cpu97/cpuidle/state2/disable
       and 381 more like it (-v lists all)
  385  cpu.governor policy99
       echo schedutil > \
         /sys/devices/system/cpu/cpufreq/policy99/scaling_governor
  386  cpu.governor policy98
       echo schedutil > \
         /sys/devices/system/cpu/cpufreq/policy98/scaling_governor
  387  cpu.governor policy97
       echo schedutil > \
         /sys/devices/system/cpu/cpufreq/policy97/scaling_governor
       and 381 more like it (-v lists all)
note: left alone: gpu.determinism, kernel.numa_balancing, pci.acs
$ rocenv reset --sysroot node --only 'cpu.*'
DONE  reset: 2 settings restored
  cpu.governor  performance  ->  schedutil  384 policies
  cpu.idle      disabled     ->  enabled    384 CPUs
note: left alone: gpu.determinism, kernel.numa_balancing, pci.acs
$ rocenv status --sysroot node
3 settings active since 1970-01-01T00:00:00Z (0 s), set by root
  SETTING                WAS     NOW     TARGETS
  gpu.determinism        off     1900    8 GPUs
  kernel.numa_balancing  1       0
  pci.acs                0x001d  0x0011  26 PCI functions
Undo: sudo rocenv reset --sysroot node
? 1
$ rocenv reset --sysroot node --only memory.balance
DONE  reset: left alone: gpu.determinism, kernel.numa_balancing, pci.acs; rocenv
      has set none of these
$ echo 3 > node/proc/sys/kernel/numa_balancing
$ rocenv reset --sysroot node --only kernel.numa_balancing
FAIL  reset: not everything could be restored
FAIL  kernel.numa_balancing  3, expected 1
      detail   The value was changed outside rocenv after the set, so it was
               left alone.
      next     To restore it: sudo rocenv reset --only kernel.numa_balancing --sysroot node --force
               If the present value is right: sudo rocenv reset --only kernel.numa_balancing --sysroot node --keep kernel.numa_balancing
note: left alone: gpu.determinism, pci.acs
? 5
$ rocenv reset --sysroot node --only kernel.numa_balancing --force -q
$ rocenv reset --sysroot node --only cpu.governr
rocenv: unknown setting 'cpu.governr' for --only. Did you mean 'cpu.governor'?
? 2
$ rocenv reset --sysroot node --skip 'cpu.*' --hold job-1
rocenv: --hold releases all settings of a name. It excludes --only and --skip
Try 'rocenv reset --help'.
? 2
$ rocenv reset --sysroot node --skip 'cpu.*'
DONE  reset: 2 settings restored
  gpu.determinism  1900    ->  off     8 GPUs
  pci.acs          0x0011  ->  0x001d  26 PCI functions
$ diff -r --no-dereference mi300x-spx/ node
Only in node: run
? 1

# What a program changes while it is tuned is left to it, and said.
$ rocenv run --tune -q -p env-check --sysroot node -- sh -c 'echo 3 > node/proc/sys/kernel/numa_balancing'
rocenv: not restored: kernel.numa_balancing on system is 3, was 1: the value was changed outside rocenv after the set, so it was left alone
$ rocenv reset --sysroot node --force -q
$ cat node/proc/sys/kernel/numa_balancing
1
