# What set refuses, and how it says so.
$ cp -a vfio/. node
$ rocenv set --sysroot node -p rccl-multinode --only pci.acs
rccl-multinode: NOT all is done: 1 required setting unsafe; nothing was changed

required, unsafe
  pci.acs: 0x001d, want 0x0011 (28 of them)
    on 0000:00:01.1, 0000:02:00.0, 0000:02:01.0, 0000:02:02.0 and 24 more
    0000:05:00.0 is bound to vfio-pci, a guest or program relies on isolation
    next: if nobody needs it as it is: sudo rocenv set -p rccl-multinode --only pci.acs --allow pci.acs

28 unsafe
? 1
$ rocenv set --sysroot node -p rccl-multinode --only pci.acs --allow pci.acs -q; rocenv reset --sysroot node -q
$ rocenv set --sysroot node -p mi300x --want gpu.determinism=2500
rocenv: gpu.determinism: 0000:09:00.0 takes at most 2100 MHz, not 2500
rocenv: gpu.determinism: 0000:45:00.0 takes at most 2100 MHz, not 2500
rocenv: gpu.determinism: 0000:49:00.0 takes at most 2100 MHz, not 2500
rocenv: gpu.determinism: 0000:85:00.0 takes at most 2100 MHz, not 2500
rocenv: gpu.determinism: 0000:89:00.0 takes at most 2100 MHz, not 2500
rocenv: gpu.determinism: 0000:c5:00.0 takes at most 2100 MHz, not 2500
? 2
$ rocenv set --sysroot node -p mi210
rocenv: -p: error: no profile is named mi210, did you mean mi200?
? 2
$ rocenv set --sysroot node -p host --allow cpu.gouvernor
rocenv: --allow cpu.gouvernor: no such setting, did you mean cpu.governor?
? 2
$ rocenv set --sysroot container.tree -p host
rocenv: set: a recording cannot be written to, only rehearsed (--dry-run); a folder can
? 2
$ rocenv set --sysroot container.tree -p host --dry-run
host: would change nothing, nothing was written

recommended, unsafe
  cpu.governor: schedutil, want performance (32 of them)
    on policy0-31
    this job sees 1 of 8 GPUs, and this changes the whole node
    next: if nobody needs it as it is: sudo rocenv set -p host --only cpu.governor --allow cpu.governor

6 ok, 1 unsafe, 1 differs, 1 na  (-v lists all)
note: only 1 of 8 GPUs and their own PCI path
$ setpriv --reuid 65534 --regid 65534 --clear-groups -- $(command -v rocenv) set -p host --want 'cpu.governor="performance"' 2>&1 || echo "status $?"
rocenv: set needs root, nothing was written. Run:
  sudo rocenv set -p host --want 'cpu.governor="performance"'
status 3
$ rocenv set --sysroot mi300x-tuned -p benchmark --persist-hints | head -n 32
# /etc/sysctl.d/90-rocenv.conf
kernel.numa_balancing = 0

# /etc/systemd/system/rocenv-set.service
# (where rocenv is, and paths of profiles, from / on), then:
# systemctl daemon-reload && systemctl enable rocenv-set.service
[Unit]
Description=GPU node settings of rocenv
Wants=systemd-udev-settle.service
After=systemd-udev-settle.service tuned.service cpupower.service
Before=slurmd.service kubelet.service

[Service]
Type=oneshot
RemainAfterExit=yes
ExecStart=/usr/local/bin/rocenv set \
    -p mi300x-benchmark \
    --only gpu.determinism,pci.acs,cpu.governor,cpu.idle

[Install]
WantedBy=multi-user.target

# /etc/default/grub.d/90-rocenv.cfg, then update-grub and reboot
# (elsewhere: these words on the boot loader's kernel line; none twice)
# take out where it is: iommu=off amd_iommu=off intel_iommu=off
# take out where it is: iommu.passthrough=0 mce=off pci=noaer pci=noats
# take out where it is: pci=nommconf pci=nomsi pcie_aspm=force maxcpus nr_cpus
# take out where it is: mem slub_debug slab_debug debug kasan=on
# take out where it is: kasan_multi_shot
GRUB_CMDLINE_LINUX="$GRUB_CMDLINE_LINUX pci=realloc=off"
GRUB_CMDLINE_LINUX="$GRUB_CMDLINE_LINUX iommu=pt"
GRUB_CMDLINE_LINUX="$GRUB_CMDLINE_LINUX cpufreq.default_governor=performance"

# A service that would set the governor again is named before anything is written.
$ mkdir -p node/sys/fs/cgroup/system.slice/tuned.service
$ rocenv set --sysroot node -p host --dry-run --only cpu.governor | head -n 3
rocenv: tuned is running: may undo what is set here (sudo systemctl disable --now tuned)
host: would change 1 setting, nothing was written

would change
$ rocenv set --sysroot node -p env-check --dry-run | tail -n 3
rocenv: tuned is running: may undo what is set here (sudo systemctl disable --now tuned)
1 ok, 9 changed, 28 unsafe, 2 na  (-v lists all)
note: variables are the job's, not the node's: export HIP_FORCE_DEV_KERNARG
      there (rocenv profile show)

# A recommended setting that cannot be written goes back alone; a required one takes all with it.
$ cp -a old-kfd/. half && chown -R 65534:65534 half && chmod 444 half/sys/devices/system/cpu/cpufreq/policy3/scaling_governor
$ cp "$(command -v rocenv)" rocenv && chmod 755 . .. rocenv && cat > nobody <<'END'
> exec setpriv --reuid 65534 --regid 65534 --clear-groups -- ./rocenv "$@"
> END
$ bash nobody set --sysroot half -p host-benchmark --only 'cpu.*'
host-benchmark: done, 2 settings changed, 1 recommended setting failed

recommended, failed
  cpu.governor: powersave, want performance (1 of them)
    on policy3
    cannot write /sys/devices/system/cpu/cpufreq/policy3/scaling_governor:
    EACCES (Permission denied)
    next: sudo dmesg | tail; the kernel may say why

changed
  cpu.governor: powersave -> performance (19 of them)
    on policy0-2,4-19
  cpu.idle: enabled -> disabled (20 of them)
    on cpu0-19/C6

2 changed, 1 failed, 1 differs
$ bash nobody reset --sysroot half -q
$ bash nobody set --sysroot half -p env-check --only 'cpu.governor,kernel.*'
rocenv: set failed: cpu.governor policy3: cannot write /sys/devices/system/cpu/cpufreq/policy3/scaling_governor: EACCES (Permission denied)
env-check: NOT done, all was put back

required, failed
  cpu.governor: powersave, want performance (1 of them)
    on policy3
    cannot write /sys/devices/system/cpu/cpufreq/policy3/scaling_governor:
    EACCES (Permission denied)
    next: sudo dmesg | tail; the kernel may say why

required, differs
  kernel.numa_balancing: 1, want 0
    the scanner runs
    why: The page scanner interrupts threads and moves pages; try programs with
         poor locality both ways.
    next: sudo rocenv set -p env-check --only kernel.numa_balancing
  cpu.governor: powersave, want performance (19 of them)
    on policy0-2, policy4-19
    why: Keeps the cores that launch kernels at full clock; a slow launch path
         leaves the GPU idle.
    next: sudo rocenv set -p env-check --only cpu.governor

1 failed, 3 differs
? 4
$ diff -r --no-dereference old-kfd/ half
Only in half: run
? 1

# What was written and cannot be put back is told by what it was and what it is.
$ echo performance > half/sys/devices/system/cpu/cpufreq/policy2/scaling_available_governors
$ bash nobody set --sysroot half -p env-check --only 'cpu.governor,kernel.*' | head -n 20
rocenv: set failed: cpu.governor policy3: cannot write /sys/devices/system/cpu/cpufreq/policy3/scaling_governor: EACCES (Permission denied)
rocenv: cpu.governor policy2 could not be put back, it is performance
env-check: NOT all could be put back

failed, not put back
  cpu.governor: performance, was powersave (1 of them)
    on policy2
    cannot write /sys/devices/system/cpu/cpufreq/policy2/scaling_governor:
    EINVAL (Invalid argument)
    next: sudo rocenv reset, or to give it up: sudo rocenv reset --keep cpu.governor

required, failed
  cpu.governor: powersave, want performance (1 of them)
    on policy3
    cannot write /sys/devices/system/cpu/cpufreq/policy3/scaling_governor:
    EACCES (Permission denied)
    next: sudo dmesg | tail; the kernel may say why

required, differs
  kernel.numa_balancing: 1, want 0
    the scanner runs
    why: The page scanner interrupts threads and moves pages; try programs with
$ bash nobody reset --sysroot half
reset: NOT all was put back

failed, not put back
  cpu.governor: performance, want powersave (1 of them)
    on policy2
    cannot write /sys/devices/system/cpu/cpufreq/policy2/scaling_governor:
    EINVAL (Invalid argument)
    next: sudo rocenv reset, or to give it up: sudo rocenv reset --keep cpu.governor

1 failed
? 5
$ bash nobody reset --sysroot half --format json | jq -c '.findings[] | [.target, .want, .have, .was, .put_back]'
["policy2","powersave","performance","performance","no"]
$ echo performance powersave > half/sys/devices/system/cpu/cpufreq/policy2/scaling_available_governors
$ bash nobody reset --sysroot half -q

# A folder for the journal that is read-only, that others can write, or that is a link: nothing is written.
$ mkdir -p half/run && rm -rf half/run/rocenv && bash nobody set --sysroot half -p env-check -q --only 'kernel.*' && bash nobody reset --sysroot half -q
$ rm half/run/rocenv/lock && chmod 555 half/run/rocenv && bash nobody set --sysroot half -p env-check --only 'kernel.*'
rocenv: cannot open half/run/rocenv/lock: EACCES (Permission denied), nothing was written
? 3
$ chmod 777 half/run/rocenv && bash nobody set --sysroot half -p env-check --only 'kernel.*'
rocenv: will not keep files in half/run/rocenv: it can be written to by its group or others, nothing was written
? 3
$ rm -rf half/run/rocenv && ln -s /tmp half/run/rocenv && bash nobody set --sysroot half -p env-check --only 'kernel.*'
rocenv: will not keep files in half/run/rocenv: a symbolic link or no folder is on the way, nothing was written
? 3
$ cat half/proc/sys/kernel/numa_balancing
1
