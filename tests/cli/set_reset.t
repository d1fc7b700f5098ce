# A node from untuned to tuned and back: what a set would write, the set, what it changed, the way back.
$ cp -a mi300x-spx/. node
$ rocenv set --sysroot node
rocenv: set wants a profile with -p; these fit this node: mi300x, mi300x-benchmark
? 2
$ rocenv set --sysroot node -p env-check --only 'kernel.*,cpu.governor' --dry-run
env-check: would change 2 settings, nothing was written

would change
  kernel.numa_balancing: 1 -> 0
  cpu.governor: schedutil -> performance (384 of them)
    on policy0-383

writes, in order
    1  kernel.numa_balancing system
       echo 0 > /proc/sys/kernel/numa_balancing
       bytes: 30 0a
    2  cpu.governor policy0
       echo performance > \
         /sys/devices/system/cpu/cpufreq/policy0/scaling_governor
       bytes: 70 65 72 66 6f 72 6d 61 6e 63 65 0a
    3  cpu.governor policy1
       echo performance > \
         /sys/devices/system/cpu/cpufreq/policy1/scaling_governor
       bytes: 70 65 72 66 6f 72 6d 61 6e 63 65 0a
    4  cpu.governor policy2
       echo performance > \
         /sys/devices/system/cpu/cpufreq/policy2/scaling_governor
       bytes: 70 65 72 66 6f 72 6d 61 6e 63 65 0a
       … and 381 more like it (-v lists all)

2 changed
$ rocenv set --sysroot node -p env-check
env-check: done, 5 settings changed

changed
  gpu.determinism: off -> 1900 (8 of them)
    on 0000:05:00.0, 0000:09:00.0, 0000:45:00.0, 0000:49:00.0 and 4 more
  pci.acs: 0x001d -> 0x0011 (26 of them)
    on 0000:00:01.1, 0000:02:00.0, 0000:02:01.0, 0000:02:02.0 and 22 more
  kernel.numa_balancing: 1 -> 0
  cpu.governor: schedutil -> performance (384 of them)
    on policy0-383
  cpu.idle: enabled -> disabled (384 of them)
    on cpu0-383/C2

3 ok, 37 changed  (-v lists all)
note: variables are the job's, not the node's: export HIP_FORCE_DEV_KERNARG
      there (rocenv profile show)
$ rocenv status --sysroot node
5 settings are set by rocenv on this node
since 1970-01-01T00:00:00Z

  cpu.governor: performance (was schedutil) on policy0-383
  cpu.idle: disabled (was enabled) on cpu0-383/C2
  gpu.determinism: 1900 (was off) on 0000:05:00.0, 0000:09:00.0, 0000:45:00.0,
      0000:49:00.0 and 4 more
  kernel.numa_balancing: 0 (was 1)
  pci.acs: 0x0011 (was 0x001d) on 0000:00:01.1, 0000:02:00.0, 0000:02:01.0,
      0000:02:02.0 and 22 more
? 1
$ rocenv status --sysroot node --only 'kernel.*'
1 setting is set by rocenv on this node (4 settings not shown)
since 1970-01-01T00:00:00Z

  kernel.numa_balancing: 0 (was 1)
? 1
$ rocenv status --sysroot node --only pci.relaxed_ordering
nothing of that is set by rocenv on this node (5 settings not shown)
$ rocenv status --sysroot node --only pci.relaxed_ordering --format json | jq -c '[.exit, .left_out]'
[0,5]
$ rocenv status --sysroot node --only pci.relaxd_ordering
rocenv: --only pci.relaxd_ordering: no such setting, did you mean pci.relaxed_ordering?
? 2
$ rocenv check --sysroot node -p env-check -q
$ rocenv set --sysroot node -p env-check
env-check: done, nothing was changed

40 ok  (-v lists all)
note: variables are the job's, not the node's: export HIP_FORCE_DEV_KERNARG
      there (rocenv profile show)
$ echo 3 > node/proc/sys/kernel/numa_balancing
$ rocenv status --sysroot node -q
? 5
$ rocenv status --sysroot node -q --skip kernel.numa_balancing
? 1
$ rocenv reset --sysroot node
reset: NOT all was put back

required, differs
  kernel.numa_balancing: 3, want 1
    changed by someone else since, left alone
    next: put it back: sudo rocenv reset --force, or accept it: sudo rocenv reset --keep kernel.numa_balancing

changed
  gpu.determinism: 1900 -> off (8 of them)
    on 0000:05:00.0, 0000:09:00.0, 0000:45:00.0, 0000:49:00.0 and 4 more
  pci.acs: 0x0011 -> 0x001d (26 of them)
    on 0000:00:01.1, 0000:02:00.0, 0000:02:01.0, 0000:02:02.0 and 22 more
  cpu.governor: performance -> schedutil (384 of them)
    on policy0-383
  cpu.idle: disabled -> enabled (384 of them)
    on cpu0-383/C2

36 changed, 1 differs
? 5
$ rocenv reset --sysroot node -q
rocenv: kernel.numa_balancing on system was not put back, it is 3: changed by someone else since, left alone
? 5
$ rocenv reset --sysroot node --format json | jq -c '.findings[] | [.target, .want, .have, .was, .put_back]'
["system","1","3",null,"not tried"]
$ rocenv reset --sysroot node --force
reset: done, 1 setting put back

changed
  kernel.numa_balancing: 3 -> 1

1 changed
$ rocenv status --sysroot node
nothing is set by rocenv on this node
$ diff -r --no-dereference mi300x-spx/ node
Only in node: run
? 1
$ rocenv reset --sysroot node
reset: done, nothing was put back

0 findings
note: nothing is recorded: there is nothing to put back
$ rocenv reset --sysroot node -q
$ rocenv set --sysroot node -p host-benchmark --hold job-1 -q
$ rocenv set --sysroot node -p host-benchmark --hold job-2 -q
$ rocenv reset --sysroot node
rocenv: held by job-1, job-2: reset --hold NAME lets one go, --force overrides
reset: NOT done, nothing was put back

0 findings
? 1
$ rocenv status --sysroot node --only pci.acs
nothing of that is set by rocenv on this node (3 settings not shown)

held by job-1 since 1970-01-01T00:00:00Z, job-2 since 1970-01-01T00:00:00Z
$ rocenv reset --sysroot node --hold job-1
reset: done, nothing was put back

0 findings
note: nothing goes back yet, held by job-2
$ rocenv reset --sysroot node --hold job-2
reset: done, 3 settings put back

changed
  kernel.numa_balancing: 0 -> 1
  cpu.governor: performance -> schedutil (384 of them)
    on policy0-383
  cpu.idle: disabled -> enabled (384 of them)
    on cpu0-383/C2

3 changed
$ diff -r --no-dereference mi300x-spx/ node
Only in node: run
? 1

# A part of it, and then the rest.
$ rocenv set --sysroot node -p env-check -q
$ rocenv reset --sysroot node --only 'cpu.*' --dry-run
reset: would put back 2 settings, nothing was written

would change
  cpu.governor: performance -> schedutil (384 of them)
    on policy0-383
  cpu.idle: disabled -> enabled (384 of them)
    on cpu0-383/C2

writes, in order
    1  cpu.idle cpu99/C2
       echo 0 > /sys/devices/system/cpu/cpu99/cpuidle/state2/disable
       bytes: 30 0a
    2  cpu.idle cpu98/C2
       echo 0 > /sys/devices/system/cpu/cpu98/cpuidle/state2/disable
       bytes: 30 0a
    3  cpu.idle cpu97/C2
       echo 0 > /sys/devices/system/cpu/cpu97/cpuidle/state2/disable
       bytes: 30 0a
       … and 381 more like it (-v lists all)
  385  cpu.governor policy99
       echo schedutil > \
         /sys/devices/system/cpu/cpufreq/policy99/scaling_governor
       bytes: 73 63 68 65 64 75 74 69 6c 0a
  386  cpu.governor policy98
       echo schedutil > \
         /sys/devices/system/cpu/cpufreq/policy98/scaling_governor
       bytes: 73 63 68 65 64 75 74 69 6c 0a
  387  cpu.governor policy97
       echo schedutil > \
         /sys/devices/system/cpu/cpufreq/policy97/scaling_governor
       bytes: 73 63 68 65 64 75 74 69 6c 0a
       … and 381 more like it (-v lists all)

2 changed
note: left alone: gpu.determinism, kernel.numa_balancing, pci.acs
$ rocenv reset --sysroot node --only 'cpu.*'
reset: done, 2 settings put back

changed
  cpu.governor: performance -> schedutil (384 of them)
    on policy0-383
  cpu.idle: disabled -> enabled (384 of them)
    on cpu0-383/C2

2 changed
note: left alone: gpu.determinism, kernel.numa_balancing, pci.acs
$ rocenv status --sysroot node
3 settings are set by rocenv on this node
since 1970-01-01T00:00:00Z

  gpu.determinism: 1900 (was off) on 0000:05:00.0, 0000:09:00.0, 0000:45:00.0,
      0000:49:00.0 and 4 more
  kernel.numa_balancing: 0 (was 1)
  pci.acs: 0x0011 (was 0x001d) on 0000:00:01.1, 0000:02:00.0, 0000:02:01.0,
      0000:02:02.0 and 22 more
? 1
$ rocenv reset --sysroot node --only memory.balance
reset: done, nothing was put back

0 findings
note: left alone: gpu.determinism, kernel.numa_balancing, pci.acs
note: of these nothing is recorded
$ echo 3 > node/proc/sys/kernel/numa_balancing
$ rocenv reset --sysroot node --only kernel.numa_balancing
reset: NOT all was put back

required, differs
  kernel.numa_balancing: 3, want 1
    changed by someone else since, left alone
    next: put it back: sudo rocenv reset --only kernel.numa_balancing --force, or accept it: sudo rocenv reset --only kernel.numa_balancing --keep kernel.numa_balancing

1 differs
note: left alone: gpu.determinism, pci.acs
? 5
$ rocenv reset --sysroot node --only kernel.numa_balancing --force -q
$ rocenv reset --sysroot node --only cpu.governr
rocenv: --only cpu.governr: no such setting, did you mean cpu.governor?
? 2
$ rocenv reset --sysroot node --skip 'cpu.*' --hold job-1
rocenv: --hold lets go of all that a name holds: --only and --skip cannot stand beside it
? 2
$ rocenv reset --sysroot node --skip 'cpu.*'
reset: done, 2 settings put back

changed
  gpu.determinism: 1900 -> off (8 of them)
    on 0000:05:00.0, 0000:09:00.0, 0000:45:00.0, 0000:49:00.0 and 4 more
  pci.acs: 0x0011 -> 0x001d (26 of them)
    on 0000:00:01.1, 0000:02:00.0, 0000:02:01.0, 0000:02:02.0 and 22 more

34 changed
$ diff -r --no-dereference mi300x-spx/ node
Only in node: run
? 1

# What a program changes while it is tuned is left to it, and said.
$ rocenv run --tune -q -p env-check --sysroot node -- sh -c 'echo 3 > node/proc/sys/kernel/numa_balancing'
rocenv: not put back: kernel.numa_balancing on system is 3, was 1: changed by someone else since, left alone
$ rocenv reset --sysroot node --force -q
$ cat node/proc/sys/kernel/numa_balancing
1
