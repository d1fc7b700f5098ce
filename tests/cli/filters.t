# --only, --skip, --want, --scope: which settings are judged.
$ rocenv check --sysroot mi300x-spx --only kernel.numa_balancing | grep '^[A-Z]'
WARN  mi300x: all required checks passed, 1 recommendation not met
WARN  kernel.numa_balancing  1, expected 0
$ rocenv check --sysroot mi300x-spx --only kernel.numa_balancing --want kernel.numa_balancing=1
PASS  mi300x: all required and recommended checks passed
      8 x AMD Instinct MI300X

1 passed (-v lists all)
$ rocenv check --sysroot mi300x-spx --only 'kernel.*' --skip kernel.cmdline --format jsonl | jq -c '[.findings[].id]'
["kernel.numa_balancing","kernel.nmi_watchdog","kernel.iommu"]
$ rocenv check --sysroot mi300x-spx --scope process --format json | jq -c '[.findings[] | [.id, .outcome]]'
[["gpu.visible","ok"],["limits.memlock","na"],["env.HIP_FORCE_DEV_KERNARG","ok"],["env.HSA_OVERRIDE_CPU_AFFINITY_DEBUG","differs"]]
$ SUDO_UID=1000 rocenv check --sysroot no-gpu | tail -n 3
1 warning, 3 passed, 5 not applicable (-v lists all)
note: under sudo only the node is checked, not this process (--scope all checks
both)
$ rocenv check --sysroot mi300x-spx --only cpu.idle --want 'cpu.idle={ max_latency_us = 200 }' -v
PASS  mi300x: all required and recommended checks passed
      8 x AMD Instinct MI300X

Passed
PASS  cpu.idle  (required): no idle state takes longer than 200 us to leave

1 passed
$ rocenv check --sysroot mi300x-spx --only cpu.idle --want cpu.idle=all | grep -e '^[A-Z]' -e next; echo "status ${PIPESTATUS[0]}"
FAIL  mi300x: 2 required failed
FAIL  cpu.idle  cpu0-383/C1: enabled, expected disabled
      next     sudo rocenv set --sysroot mi300x-spx -p mi300x --only cpu.idle --want cpu.idle=all
FAIL  cpu.idle  cpu0-383/C2: enabled, expected disabled
      next     sudo rocenv set --sysroot mi300x-spx -p mi300x --only cpu.idle --want cpu.idle=all
status 1
$ rocenv check --sysroot mi300x-spx --only pci.acs --want 'pci.acs={ scope = "all", policy = "off" }' | head -n 12
FAIL  mi300x: 2 required failed
      8 x AMD Instinct MI300X

FAIL  pci.acs  0000:00:01.1, 0000:02:00.0, 0000:02:01.0, 0000:02:02.0 and 49
      more: 0x001d, expected 0x0000
      detail   SrcValid+ TransBlk- ReqRedir+ CmpltRedir+ UpstreamFwd+
               EgressCtrl- DirectTrans-.
      why      ACS redirect sends GPU-to-NIC traffic through the root complex;
               guests and SR-IOV need it.
      next     sudo rocenv set --sysroot mi300x-spx -p mi300x --only pci.acs --want 'pci.acs={ scope = "all", policy = "off" }'
FAIL  pci.acs  0000:20:01.1, 0000:c8:00.0: 0x0001, expected 0x0000
      detail   SrcValid+ TransBlk- ReqRedir- CmpltRedir- UpstreamFwd-
$ HIP_FORCE_DEV_KERNARG=yes rocenv check --sysroot mi300x-spx --only 'env.*' | grep '^[A-Z]'
WARN  mi300x: all required checks passed, 2 recommendations not met
WARN  env.HIP_FORCE_DEV_KERNARG  yes (read as false), expected 1
WARN  env.HSA_OVERRIDE_CPU_AFFINITY_DEBUG  not set, expected 0
$ rocenv check --sysroot no-gpu --only gpu.count
INFO  host: nothing was checked

0 checks
note: nothing was checked: no setting of the profile was selected
