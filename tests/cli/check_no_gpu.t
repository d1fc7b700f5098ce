# A small guest without a GPU: no alarm from host, and a profile for GPUs says what is missing.
$ rocenv check --sysroot no-gpu
host: all that is required is as wanted; 1 recommended setting differs

recommended, differs
  profile.auto: none, want an AMD GPU
    no AMD GPU found; only host settings were checked
    why: Which profile is judged goes by the GPUs on PCI
    next: if this node has no GPU: rocenv check -p host

3 ok, 1 differs, 6 na  (-v lists all)
$ rocenv check --sysroot no-gpu -v
host: all that is required is as wanted; 1 recommended setting differs

recommended, differs
  profile.auto: none, want an AMD GPU
    no AMD GPU found; only host settings were checked
    why: Which profile is judged goes by the GPUs on PCI
    source: rocenv
    next: if this node has no GPU: rocenv check -p host

ok
  kernel.numa_balancing: 0 (recommended)
  kernel.cmdline: without mce=off pci=noaer pci=noats pci=nommconf pci=nomsi
      pcie_aspm=force maxcpus nr_cpus mem slub_debug slab_debug debug kasan=on
      kasan_multi_shot isolcpus (info)
    this is a guest: its host decides about the IOMMU
  cpu.idle (info)
    no idle state takes longer than 10 us to leave

na
  pci.link (info)
    no GPU and no RDMA NIC on PCI
  pci.large_bar (info)
    no AMD GPU for compute on PCI
  kernel.iommu (info)
    no AMD GPU and no RDMA NIC on PCI
  cpu.governor (recommended)
    no cpufreq driver (a guest, or the firmware keeps the clocks)
  limits.memlock (info)
    the limits of this process say nothing about another machine
  env.HIP_FORCE_DEV_KERNARG (info)
    no AMD GPU, nothing reads it

3 ok, 1 differs, 6 na
$ rocenv check --sysroot no-gpu -p mi300x
mi300x: NOT as wanted: 1 required setting differs, 2 recommended settings differ

required, differs
  gpu.count: 0, want full
    no AMD GPU on this node
    why: A board with seven of its eight GPUs is broken; one without driver or
         KFD node is lost to all.
    next: on the hypervisor: sudo dmesg | grep -e amdgpu -e pcieport; then reseat what is missing, or reboot

recommended, differs
  kernel.cmdline: missing pci=realloc=off, want pci=realloc=off
    this is a guest: its host decides about the IOMMU
    why: realloc=off keeps all GPUs in view; AMD's texts disagree on pci=bfsort
         and amd_iommu=on here.
    next: add pci=realloc=off to the kernel line in the boot loader, then reboot
  env.HSA_OVERRIDE_CPU_AFFINITY_DEBUG: not set, want 0
    its default is 1
    why: AMD calls it critical: the runtime's threads then stay on the CPUs that
         were given to the process.
    next: export HSA_OVERRIDE_CPU_AFFINITY_DEBUG=0

info, differs
  kernel.nmi_watchdog: 1, want 0
    next: sudo rocenv set -p mi300x --only kernel.nmi_watchdog --want kernel.nmi_watchdog=0

4 ok, 4 differs, 20 na  (-v lists all)
? 1
$ rocenv check --sysroot no-gpu -p mi300x --format json --only gpu.count
{
  "schema": "rocenv.report/1",
  "version": "0.2.0",
  "command": "check",
  "profile": [
    "mi300x"
  ],
  "profile_digest": "7f22ebaa2205367a",
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
      "why": "A board with seven of its eight GPUs is broken; one without driver or KFD node is lost to all.",
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
      "message": "gpu.count is 0, expected full: no AMD GPU on this node",
      "detail": "no AMD GPU on this node",
      "fix": "on the hypervisor: sudo dmesg | grep -e amdgpu -e pcieport; then reseat what is missing, or reboot",
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
  "notes": [
    "no AMD GPU on PCI"
  ]
}
