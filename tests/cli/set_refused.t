# What set refuses, and how it says so.
$ cp -a vfio/. node
$ rocenv set --sysroot node -p rccl-multinode --only pci.acs
FAIL     rccl-multinode: 1 required setting was refused, nothing was changed
REFUSED  pci.acs  0000:00:01.1, 0000:02:00.0, 0000:02:01.0, 0000:02:02.0 and 24
         more: 0x001d, expected 0x0011
         detail   0000:05:00.0 is bound to vfio-pci, so a guest or program
                  relies on isolation.
         next     If no guest or job needs the present value: sudo rocenv set --sysroot node -p rccl-multinode --only pci.acs --allow pci.acs
? 1
$ rocenv set --sysroot node -p rccl-multinode --only pci.acs --allow pci.acs -q; rocenv reset --sysroot node -q
$ rocenv set --sysroot node -p mi300x --want gpu.determinism=2500
rocenv: gpu.determinism: 0000:09:00.0 supports at most 2100 MHz, not 2500
rocenv: gpu.determinism: 0000:45:00.0 supports at most 2100 MHz, not 2500
rocenv: gpu.determinism: 0000:49:00.0 supports at most 2100 MHz, not 2500
rocenv: gpu.determinism: 0000:85:00.0 supports at most 2100 MHz, not 2500
rocenv: gpu.determinism: 0000:89:00.0 supports at most 2100 MHz, not 2500
rocenv: gpu.determinism: 0000:c5:00.0 supports at most 2100 MHz, not 2500
? 2
$ rocenv set --sysroot node -p mi210
rocenv: unknown profile 'mi210'. Did you mean 'mi200'?
? 2
$ rocenv set --sysroot node -p host --allow cpu.gouvernor
rocenv: unknown setting 'cpu.gouvernor' for --allow. Did you mean 'cpu.governor'?
? 2
$ rocenv set --sysroot container.tree -p host
rocenv: set: a recording cannot be changed; use --dry-run, or a folder
? 2
$ rocenv set --sysroot container.tree -p host --dry-run
DRY RUN  host: nothing would be changed; nothing was written
REFUSED  cpu.governor  policy0-31: schedutil, expected performance
         detail   This job sees 1 of 8 GPUs, and this changes the whole node.
         next     If no guest or job needs the present value: sudo rocenv set -p host --only cpu.governor --allow cpu.governor
note: only 1 of 8 GPUs and their own PCI path
$ setpriv --reuid 65534 --regid 65534 --clear-groups -- $(command -v rocenv) set -p host --want 'cpu.governor="performance"' 2>&1 || echo "status $?"
rocenv: set needs root; nothing was written. Run:
  sudo rocenv set -p host --want 'cpu.governor="performance"'
status 3
$ rocenv set --sysroot mi300x-tuned -p benchmark --persist-hints | head -n 32
# /etc/sysctl.d/90-rocenv.conf
kernel.numa_balancing = 0

# /etc/systemd/system/rocenv-set.service
# (adapt the path of rocenv; paths of profiles begin with /), then:
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
# (other boot loaders: add these words to the kernel line, each of them once)
GRUB_CMDLINE_LINUX="$GRUB_CMDLINE_LINUX pci=realloc=off"
GRUB_CMDLINE_LINUX="$GRUB_CMDLINE_LINUX iommu=pt"
GRUB_CMDLINE_LINUX="$GRUB_CMDLINE_LINUX cpufreq.default_governor=performance"
GRUB_CMDLINE_LINUX="$GRUB_CMDLINE_LINUX processor.max_cstate=1"

# pci.acs without the unit: on the kernel command line, from Linux 6.11,
#   pci=config_acs=x0x00xx@0000:00:01.1;x0x00xx@0000:00:01.2
# before Linux 6.11 only the redirect bits:

# /etc/default/grub.d/90-rocenv.cfg, then update-grub and reboot
# (elsewhere: these words on the boot loader's kernel line; none twice)
# take out where it is: iommu=off amd_iommu=off intel_iommu=off
# take out where it is: iommu.passthrough=0 mce=off pci=noaer pci=noats
# take out where it is: pci=nommconf pci=nomsi pcie_aspm=force
# take out where it is: pci=pcie_bus_peer2peer pcie_aspm.policy=powersave
# take out where it is: pcie_aspm.policy=powersupersave pcie_ports=compat
# take out where it is: swiotlb=force maxcpus nr_cpus mem numa=off numa=noacpi
# take out where it is: acpi=off nosmp nox2apic tsc=unstable notsc
# take out where it is: clocksource=hpet clocksource=acpi_pm

# A service that would set the governor again is named before anything is written.
$ mkdir -p node/sys/fs/cgroup/system.slice/tuned.service
$ rocenv set --sysroot node -p host --dry-run --only cpu.governor | head -n 3
rocenv: tuned is running: this may undo the settings (sudo systemctl disable --now tuned)
DRY RUN  host: 1 setting would be changed; nothing was written
  cpu.governor  schedutil  ->  performance  32 policies


$ rocenv set --sysroot node -p env-check --dry-run | tail -n 3
rocenv: tuned is running: this may undo the settings (sudo systemctl disable --now tuned)
      and 29 more like it (-v lists all)
note: variables belong to the job's environment: export HIP_FORCE_DEV_KERNARG
there (rocenv profile show)

# A recommended setting that cannot be written goes back alone; a required one takes all with it.
$ cp -a old-kfd/. half && chown -R 65534:65534 half && chmod 444 half/sys/devices/system/cpu/cpufreq/policy3/scaling_governor
$ cp "$(command -v rocenv)" rocenv && chmod 755 . .. rocenv && cat > nobody <<'END'
> exec setpriv --reuid 65534 --regid 65534 --clear-groups -- ./rocenv "$@"
> END
$ bash nobody set --sysroot half -p host-benchmark --only 'cpu.*'
DONE  host-benchmark: 2 settings changed, 1 recommended setting failed
  cpu.governor  powersave  ->  performance  19 policies
  cpu.idle      enabled    ->  disabled     20 CPUs
WARN  cpu.governor  policy3: powersave, expected performance
      detail   Cannot write
               /sys/devices/system/cpu/cpufreq/policy3/scaling_governor: EACCES
               (Permission denied).
      next     sudo dmesg | tail
Undo: sudo rocenv reset --sysroot half
$ bash nobody reset --sysroot half -q
$ bash nobody set --sysroot half -p env-check --only 'cpu.governor,kernel.*'
rocenv: set failed: cpu.governor policy3: cannot write /sys/devices/system/cpu/cpufreq/policy3/scaling_governor: EACCES (Permission denied)
FAIL  env-check: failed, everything was restored
FAIL  cpu.governor  policy3: powersave, expected performance
      detail   Cannot write
               /sys/devices/system/cpu/cpufreq/policy3/scaling_governor: EACCES
               (Permission denied).
      next     sudo dmesg | tail
FAIL  kernel.numa_balancing  1, expected 0
      detail   Automatic NUMA balancing is on.
      next     sudo rocenv set --sysroot half -p env-check --only kernel.numa_balancing
FAIL  cpu.governor  policy0-2, policy4-19: powersave, expected performance
      next     sudo rocenv set --sysroot half -p env-check --only cpu.governor
? 4
$ diff -r --no-dereference old-kfd/ half
Only in half: run
? 1

# What was written and cannot be put back is told by what it was and what it is.
$ echo performance > half/sys/devices/system/cpu/cpufreq/policy2/scaling_available_governors
$ bash nobody set --sysroot half -p env-check --only 'cpu.governor,kernel.*' | head -n 20
rocenv: set failed: cpu.governor policy3: cannot write /sys/devices/system/cpu/cpufreq/policy3/scaling_governor: EACCES (Permission denied)
rocenv: cpu.governor policy2 could not be restored, its value is performance
FAIL  env-check: not everything could be restored
FAIL  cpu.governor  policy2: performance, was powersave
      detail   Cannot write
               /sys/devices/system/cpu/cpufreq/policy2/scaling_governor: EINVAL
               (Invalid argument).
      next     sudo rocenv reset --sysroot half
               If the present value is right: sudo rocenv reset --sysroot half --keep cpu.governor
FAIL  cpu.governor  policy3: powersave, expected performance
      detail   Cannot write
               /sys/devices/system/cpu/cpufreq/policy3/scaling_governor: EACCES
               (Permission denied).
      next     sudo dmesg | tail
FAIL  kernel.numa_balancing  1, expected 0
      detail   Automatic NUMA balancing is on.
      next     sudo rocenv set --sysroot half -p env-check --only kernel.numa_balancing
FAIL  cpu.governor  policy0-1, policy4-19: powersave, expected performance
      next     sudo rocenv set --sysroot half -p env-check --only cpu.governor
$ bash nobody reset --sysroot half
FAIL  reset: not everything could be restored
FAIL  cpu.governor  policy2: performance, expected powersave
      detail   Cannot write
               /sys/devices/system/cpu/cpufreq/policy2/scaling_governor: EINVAL
               (Invalid argument).
      next     sudo rocenv reset --sysroot half
               If the present value is right: sudo rocenv reset --sysroot half --keep cpu.governor
? 5
$ bash nobody reset --sysroot half --format json | jq -c '.findings[] | [.target, .want, .have, .was, .put_back]'
["policy2","powersave","performance","performance","no"]
$ echo performance powersave > half/sys/devices/system/cpu/cpufreq/policy2/scaling_available_governors
$ bash nobody reset --sysroot half -q

# A folder for the journal that is read-only, that others can write, or that is a link: nothing is written.
$ mkdir -p half/run && rm -rf half/run/rocenv && bash nobody set --sysroot half -p env-check -q --only 'kernel.*' && bash nobody reset --sysroot half -q
$ rm half/run/rocenv/lock && chmod 555 half/run/rocenv && bash nobody set --sysroot half -p env-check --only 'kernel.*'
rocenv: cannot open 'half/run/rocenv/lock': Permission denied, nothing was written
? 3
$ chmod 777 half/run/rocenv && bash nobody set --sysroot half -p env-check --only 'kernel.*'
rocenv: will not keep files in half/run/rocenv: it can be written to by its group or others, nothing was written
? 3
$ rm -rf half/run/rocenv && ln -s /tmp half/run/rocenv && bash nobody set --sysroot half -p env-check --only 'kernel.*'
rocenv: will not keep files in half/run/rocenv: a symbolic link or no folder is on the way, nothing was written
? 3
$ cat half/proc/sys/kernel/numa_balancing
1
