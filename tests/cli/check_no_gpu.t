# A small guest without a GPU: no alarm from host, and a profile for GPUs says what is missing.
$ rocenv check --sysroot no-gpu
WARN  host: all required checks passed, 1 recommendation not met
      No AMD GPU found; only host settings were checked.

WARN  profile.auto  none, expected an AMD GPU
      detail   No AMD GPU found; only host settings were checked.
      why      The GPUs on PCI decide which profile is checked.
      next     If this node has no GPU: rocenv check -p host

1 warning, 3 passed, 7 not applicable (-v lists all)
$ rocenv check --sysroot no-gpu -v
WARN  host: all required checks passed, 1 recommendation not met
      No AMD GPU found; only host settings were checked.

WARN  profile.auto  none, expected an AMD GPU
      detail   No AMD GPU found; only host settings were checked.
      why      The GPUs on PCI decide which profile is checked.
      source   rocenv
      next     If this node has no GPU: rocenv check -p host

Passed
PASS  kernel.numa_balancing  0 (recommended)
PASS  kernel.cmdline  without mce=off pci=noaer pci=noats pci=nommconf pci=nomsi
      pcie_aspm=force pci=pcie_bus_peer2peer pcie_aspm.policy=powersave
      pcie_aspm.policy=powersupersave pcie_ports=compat swiotlb=force maxcpus
      nr_cpus mem numa=off numa=noacpi acpi=off nosmp nox2apic tsc=unstable
      notsc clocksource=hpet clocksource=acpi_pm clocksource=jiffies slub_debug
      slab_debug debug kasan=on kasan_multi_shot (info): this is a guest, and
      its host configures the IOMMU
PASS  cpu.idle  (info): no idle state takes longer than 10 us to leave

Not applicable
      pci.link  (info): no GPU and no RDMA NIC is on PCI
      pci.large_bar  (info): no AMD GPU for compute is on PCI
      kernel.iommu  (info): no AMD GPU and no RDMA NIC is on PCI
      cpu.governor  (recommended): the system has no cpufreq driver (it is a
      guest, or the firmware controls the clocks)
      cpu.boost  (info): the system has no cpufreq driver (it is a guest, or the
      firmware controls the clocks)
      limits.memlock  (info): the limits of this process do not describe another
      machine
      env.HIP_FORCE_DEV_KERNARG  (info): no AMD GPU, so no program reads it

1 warning, 3 passed, 7 not applicable
$ rocenv check --sysroot no-gpu -p mi300x | grep -e '^[A-Z]' -e hypervisor; echo "status ${PIPESTATUS[0]}"
FAIL  mi300x: 1 required failed, 2 recommendations not met
FAIL  gpu.count  0, expected full
               hypervisor.
WARN  kernel.cmdline  pci=realloc=off is missing
WARN  env.HSA_OVERRIDE_CPU_AFFINITY_DEBUG  not set, expected 0
To set all that can be set: sudo rocenv set --sysroot no-gpu -p mi300x --want kernel.nmi_watchdog=0
status 1
$ rocenv check --sysroot no-gpu -p mi300x --format json --only gpu.count
{
  "schema": "rocenv.report/1",
  "version": "0.2.0",
  "command": "check",
  "profile": [
    "mi300x"
  ],
  "profile_digest": "a09ca4248d41fa99",
  "root": "no-gpu",
  "time": "1970-01-01T00:00:00Z",
  "node": {
    "hostname": "cloud-7",
    "boot_id": "8c1f4a3e-6f0b-4f0e-9a55-2f6d3c7b9e04",
    "kernel": "6.1.0-26-cloud-amd64",
    "container": false
  },
  "result": "differs",
  "exit": 1,
  "only": [
    "gpu.count"
  ],
  "summary": {
    "differs": 1
  },
  "notes": [],
  "settings": {
    "gpu.count": {
      "why": "A node with a missing or unusable GPU fails every job that needs the whole node.",
      "source": "ROCm/system-acceptance-docs docs/common/health-checks.md, 2026-07",
      "persist": ""
    }
  },
  "findings": [
    {
      "id": "gpu.count",
      "target": "system",
      "level": "required",
      "outcome": "differs",
      "want": "full",
      "have": "0",
      "action": "reseat",
      "jobs": "will-fail",
      "message": "gpu.count is 0, expected full: this node has no AMD GPU",
      "detail": "this node has no AMD GPU",
      "fix": "sudo dmesg | grep -e amdgpu -e pcieport; if the log shows no reason, report it to the administrator of the hypervisor",
      "fingerprint": "4b8e009abe0d6cae"
    }
  ]
}
? 1
$ rocenv topo --sysroot no-gpu
AMD EPYC-Milan Processor
1 package, 8 cores, 8 threads (SMT off)
NUMA  package  memory  CPUs
0     0        31 GiB  0-7

0 agents on 0 physical GPUs
note: no AMD GPU on PCI
$ rocenv topo --sysroot no-gpu.tree --format json
{
  "schema": "rocenv.topo/1",
  "version": "0.2.0",
  "gpus": [],
  "links": [],
  "nics": [],
  "cpus": {
    "source": "kernel files",
    "model": "AMD EPYC-Milan Processor",
    "cores": 8,
    "threads": 8,
    "threads_per_core": 1,
    "packages": [
      {
        "package": 0,
        "cpus": "0-7",
        "cores": 8
      }
    ]
  },
  "numa": [
    {
      "node": 0,
      "cpus": "0-7",
      "memory_bytes": 33669234688,
      "package": 0
    }
  ],
  "hidden": 0,
  "missing": [],
  "notes": [
    "no AMD GPU on PCI"
  ]
}
