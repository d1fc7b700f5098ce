# Profiles: what there is, what one means, what is wrong with one.
$ rocenv profile list
acceptance              A new or repaired node, before it goes into service
ainic                   RCCL over AMD AI NICs (Pollara, driver ionic)
ci-preflight            Check before a job: all GPUs are present and usable
container               A process in a container: devices, limits, environment
debug-memory-fault      Find the kernel behind a GPU memory access fault
env-check               The settings of AMD's env_check.sh
fsdp                    PyTorch FSDP: overlap collectives with kernels
host                    Any node: CPU, kernel and limits, without GPU settings
host-benchmark          Any node, before a benchmark: CPU, kernel and limits
inductor-ck             TorchInductor: include Composable Kernel
inductor-cpp-wrapper    TorchInductor: launch kernels from C++
inductor-debug          TorchInductor: write graphs, code and kernels to disk
inductor-gemm-tuner     AMD's inductor-gemm-tuner: compare Triton with MIOpen
inductor-inference      TorchInductor for inference: weights become constants
inductor-max-autotune   TorchInductor: measure kernel variants and use the
                        fastest
inductor-nhwc           TorchInductor and MIOpen: channels-last convolutions
megatron                ROCm/Megatron-LM: the environment of AMD's Llama
                        examples
mi                      Any AMD Instinct node, settings of all models
mi-benchmark            Any AMD Instinct node, before a benchmark
mi100                   MI100 node, for every day
mi100-benchmark         MI100 node, before a benchmark
mi200                   MI200 family node, for every day
mi200-benchmark         MI200 family node, before a benchmark
mi300a                  MI300A node, for every day
mi300a-benchmark        MI300A node, before a benchmark
mi300x                  MI300X node, for every day
mi300x-benchmark        MI300X node, before a benchmark
mi325x                  MI325X node, for every day
mi325x-benchmark        MI325X node, before a benchmark
mi350x                  MI350X and MI355X node, for every day
mi350x-benchmark        MI350X and MI355X node, before a benchmark
miopen-tune             MIOpen: tune convolutions, keep the results
miopen-use              MIOpen: use tuned convolutions, never measure
mlperf-5.1              MLPerf Inference 5.1: settings that AMD's vLLM recipes
                        share
mlperf-5.1-llama2-70b-interactive-mi300x
                        MLPerf Inference 5.1, Llama 2 70B interactive on MI300X
mlperf-5.1-llama2-70b-interactive-mi325x
                        MLPerf Inference 5.1, Llama 2 70B interactive on MI325X
mlperf-5.1-llama2-70b-offline-mi300x
                        MLPerf Inference 5.1, Llama 2 70B offline on MI300X
mlperf-5.1-llama2-70b-offline-mi325x
                        MLPerf Inference 5.1, Llama 2 70B offline on MI325X
mlperf-5.1-llama2-70b-offline-mi355x
                        MLPerf Inference 5.1, Llama 2 70B offline on MI355X
mlperf-5.1-llama2-70b-server-mi300x
                        MLPerf Inference 5.1, Llama 2 70B server on MI300X
mlperf-5.1-llama2-70b-server-mi325x
                        MLPerf Inference 5.1, Llama 2 70B server on MI325X
mlperf-5.1-mixtral-8x7b-offline-mi300x
                        MLPerf Inference 5.1, Mixtral 8x7B offline on MI300X
mlperf-5.1-mixtral-8x7b-offline-mi325x
                        MLPerf Inference 5.1, Mixtral 8x7B offline on MI325X
mlperf-5.1-mixtral-8x7b-server-mi300x
                        MLPerf Inference 5.1, Mixtral 8x7B server on MI300X
mlperf-5.1-mixtral-8x7b-server-mi325x
                        MLPerf Inference 5.1, Mixtral 8x7B server on MI325X
mlperf-5.1-sdxl-offline-mi325x
                        MLPerf Inference 5.1, Stable Diffusion XL offline on
                        MI325X
mlperf-5.1-sdxl-server-mi325x
                        MLPerf Inference 5.1, Stable Diffusion XL server on
                        MI325X
primus                  Primus: the environment of AMD's training launcher
rccl                    RCCL in a training or inference job
rccl-multinode          RCCL over several nodes: the node and the process of the
                        job
sglang                  SGLang: the settings of its ROCm image
slingshot               RCCL over HPE Slingshot (cxi NICs): libfabric and the
                        plug-in
slingshot-userfaultfd   RCCL over HPE Slingshot, without the kernel module
                        kdreg2
triton-dump             Triton: print intermediate code and assembly of every
                        kernel
triton-tune             Triton: tune kernels and show the chosen configuration
tunableop-off           PyTorch TunableOp off, as a baseline for measurements
tunableop-offline-tune  PyTorch TunableOp: tune the recorded GEMMs
tunableop-record        PyTorch TunableOp: record GEMMs for offline tuning
tunableop-tune          PyTorch TunableOp: measure and save the fastest GEMMs
tunableop-use           PyTorch TunableOp: use tuned GEMMs, never measure
vllm                    vLLM: AMD's guide for serving on MI300X to MI355X
$ rocenv profile show mi300x-benchmark
mi300x-benchmark
  for      0x74a1 AMD Instinct MI300X, 0x74b5 AMD Instinct MI300X VF, 0x74a9 AMD
           Instinct MI300X HF, 0x74bd AMD Instinct MI300X HF, gfx942

gpu.driver = ">=6.3" (required)
  Drivers before that of ROCm 6.0 (6.3.6) do not support MI300X, so programs
  find no GPU.
  source   amdgpu-dkms 6.3.6.60000 (repo.radeon.com/amdgpu/6.0, 2023-12)

gpu.parameters = "default" (info)
  A driver option left from a test limits memory, links or error detection on
  every GPU.
  source   linux drivers/gpu/drm/amd/amdgpu/amdgpu_drv.c, 2018 to 2024

gpu.count = "full" (required)
  A node with a missing or unusable GPU fails every job that needs the whole
  node.
  source   ROCm/system-acceptance-docs docs/common/health-checks.md, 2026-07

gpu.model = "equal" (required)
  One GPU of another model breaks or slows every collective that assumes equal
  GPUs.
  source   amd/node-scraper nodescraper/plugins/inband/pcie, 2026-07

gpu.visible = ">=1" (recommended)
  A variable or device cgroup that hides every GPU ends the job or sends it to
  the CPU.
  source   ROCm/ROCm docs/conceptual/gpu-isolation.md, 2026-11

gpu.users = 0 (recommended)
  A program that already uses a GPU shares its memory and power, and a set would
  change its settings.
  source   ROCm/system-acceptance-docs docs/common/health-checks.md, 2026-07

gpu.compute_units = "model" (required)
  A GPU with lost, fused-off or masked compute units slows every GPU that waits
  for it.
  source   ROCm/ROCm docs/reference/gpu-arch-specs.rst, 2025-03

gpu.xgmi = "mesh" (required)
  A missing xGMI link forces traffic over PCIe or two hops and slows every
  collective.
  source   AMD-AGI/Primus primus/tools/preflight/node_smoke, 2026-08

gpu.atomics = "on" (info)
  Without AtomicOps to host memory, programs that share memory with the CPU fail
  or hang.
  source   ROCm/amdgpu-docs docs/conceptual/pcie-atomics, 2025-09

gpu.compute_partition = "SPX" (required)
  One GPU in another mode gives a job unequal devices; a mode that all GPUs
  share is reported at a lower level.
  source   amd/node-scraper nodescraper/plugins/inband, 2026-07

gpu.memory_partition = "NPS1" (required)
  One GPU in another mode gives a job unequal devices; a mode that all GPUs
  share is reported at a lower level.
  source   amd/node-scraper nodescraper/plugins/inband, 2026-07

gpu.determinism = "recommended" (recommended)
  A limit of 1900 of 2100 MHz reduces clock dips; AMD states that newer firmware
  does not need it.
  source   AMD Instinct MI300X system optimization (rocm.docs.amd.com, 2025-09)

gpu.soc_pstate = 0 (info)
  A policy other than the firmware's default (0) can lower the bandwidth between
  dies and to other GPUs.
  source   linux drivers/gpu/drm/amd/pm/amdgpu_pm.c, 6.12 (2024-11)

pci.link = "model" (recommended)
  A link below its speed or width slows every copy; only hardware work repairs
  it.
  source   ROCm/system-acceptance-docs docs/common/health-checks.md, 2026-07

pci.aer = "fatal" (required)
  A fatal error since boot ended the transfers of a link, and such errors come
  back.
  source   amd/node-scraper nodescraper/plugins/inband/pcie, 2026-07

pci.large_bar = true (recommended)
  Peer-to-peer access needs all GPU memory visible on the bus (BIOS: Above 4G
  Decoding).
  source   ROCm/system-acceptance-docs docs/common/bios-settings.md, 2026-07

pci.acs = { policy = "no-redirect", scope = "gpu-path" } (recommended)
  ACS redirect sends GPU-to-NIC traffic through the root complex; guests and
  SR-IOV need it.
  source   ROCm/gpu-cluster-networking docs/how-to/single-node-config.rst,
           2025-09

rocm.version = ">=6.0" (info)
  ROCm releases before this one do not support the MI300 series; from 6.2,
  kernel arguments are in GPU memory.
  source   ROCm 6.0 release notes (rocm.docs.amd.com, 2023-12)

rocm.driver_match = "match" (recommended)
  If ROCm and the driver are too far apart, calls fail that the other does not
  support.
  source   ROCm/amdgpu-docs docs/compatibility/compatibility-matrix.rst, 2026-09

rocm.arch = "match" (recommended)
  Without files for the GPU, rocBLAS ends the program, hipBLASLt fails and
  MIOpen starts slowly.
  source   ROCm/rocBLAS library/src/tensile_host.cpp, ROCm/MIOpen
           src/include/miopen/sqlite_db.hpp, 2024-10

kernel.numa_balancing = 0 (required)
  The NUMA scanner interrupts threads and moves pages, which delays GPU work;
  programs with poor locality may gain.
  source   AMD Instinct MI300X system optimization (rocm.docs.amd.com, 2025-09)

kernel.nmi_watchdog = 0 (info)
  The hard-lockup watchdog interrupts every CPU and occupies a counter; without
  it, lockups stay undetected.
  source   ROCm/system-acceptance-docs docs/common/kernel-parameters.md, 2026-07

kernel.cmdline = { noted = ["isolcpus", "idle", "cpuidle.off=1",
  "processor.max_cstate", "mem_encrypt=on"], unwanted = ["iommu=off",
  "amd_iommu=off", "intel_iommu=off", "iommu.passthrough=0", "mce=off",
  "pci=noaer", "pci=noats", "pci=nommconf", "pci=nomsi", "pcie_aspm=force",
  "pci=pcie_bus_peer2peer", "pcie_aspm.policy=powersave",
  "pcie_aspm.policy=powersupersave", "pcie_ports=compat", "swiotlb=force",
  "maxcpus", "nr_cpus", "mem", "numa=off", "numa=noacpi", "acpi=off", "nosmp",
  "nox2apic", "tsc=unstable", "notsc", "clocksource=hpet",
  "clocksource=acpi_pm", "clocksource=jiffies", "slub_debug", "slab_debug",
  "debug", "kasan=on", "kasan_multi_shot"], wanted = ["pci=realloc=off",
  "iommu=pt"] } (recommended)
  If the kernel reallocates PCI windows, GPUs may be missing; AMD's texts
  disagree on pci=bfsort and amd_iommu=on.
  source   AMD Instinct MI300X system optimization (rocm.docs.amd.com, 2025-09)

kernel.iommu = "passthrough" (recommended)
  With iommu=pt, the IOMMU group of a GPU is an identity map, so DMA needs no
  address translation.
  source   ROCm/system-acceptance-docs docs/common/kernel-parameters.md, 2026-07

cpu.smt = "off" (info)
  Two threads share the units of a core and slow compute-bound programs; AMD
  asks for SMT off there.
  source   ROCm/system-acceptance-docs docs/common/bios-settings.md, 2026-07

cpu.governor = "performance" (recommended)
  CPU cores at full clock launch kernels without delay; a slow launch path
  leaves the GPU idle.
  source   ROCm/triton scripts/amd/env_check.sh, branch rocm_env, 2024-04

cpu.boost = true (info)
  Without boost, CPUs stay at their nominal clock, which slows kernel launches.
  source   ROCm/system-acceptance-docs docs/common/bios-settings.md, 2026-07

cpu.idle = { max_latency_us = 10 } (recommended)
  A CPU in C2 wakes 30 to 400 us late and delays launches; AMD's guides name C2,
  its script C1.
  source   ROCm/system-acceptance-docs docs/common/os-tuning.md, 2026-07

host.rivals = "none" (info)
  Services such as tuned or auto-cpufreq can undo the governor and the idle
  states.
  source   redhat-performance/tuned tuned/plugins/plugin_cpu.py, 2026-08

limits.memlock = "unlimited" (info)
  RDMA locks its buffers; with a low limit, the registration fails when the job
  starts.
  source   ROCm/system-acceptance-docs docs/network/nic-installation.md, 2026-07

env.HIP_FORCE_DEV_KERNARG = "1" (recommended)
  Kernel arguments in GPU memory save 2 to 3 us for some launches; default on
  MI300 from ROCm 6.1.2.
  source   AMD Instinct MI300X system optimization (rocm.docs.amd.com, 2025-09)

env.HSA_OVERRIDE_CPU_AFFINITY_DEBUG = "0" (recommended)
  AMD marks this as critical: with 0, the ROCm runtime respects the CPU affinity
  of the process.
  source   ROCm/system-acceptance-docs docs/common/os-tuning.md, 2026-07
$ rocenv profile show mi300x --sysroot mi300x-spx --only 'kernel.numa*,limits.*' --skip limits.memlock --want limits.nofile=4096 | grep ' = '
kernel.numa_balancing = 0 (recommended)
limits.nofile = 4096 (required)
$ for filter in '--skip limits.shm' '--only kernel.numa_balancing'; do rocenv profile show mi300x --sysroot mi300x-spx $filter --format json | jq -r .profile_digest; done | uniq | wc -l
1
$ rocenv profile show mi300x --only gpu.cuont --want nothing
rocenv: unknown setting 'gpu.cuont' for --only. Did you mean 'gpu.count'?
rocenv: invalid value 'nothing' for --want: expected ID=VALUE
? 2
$ rocenv profile show auto --sysroot mi300x-spx --format json | jq -r '.wants[] | "\(.id) \(.value) \(.level)"'
gpu.driver ">=6.3" required
gpu.parameters "default" info
gpu.count "full" required
gpu.model "equal" required
gpu.visible ">=1" recommended
gpu.users 0 info
gpu.compute_units "model" required
gpu.xgmi "mesh" required
gpu.atomics "on" info
gpu.compute_partition "SPX" required
gpu.memory_partition "NPS1" required
gpu.determinism "recommended" info
gpu.soc_pstate 0 info
pci.link "model" recommended
pci.aer "fatal" required
pci.large_bar true recommended
pci.acs { policy = "no-redirect", scope = "gpu-path" } info
rocm.version ">=6.0" info
rocm.driver_match "match" recommended
rocm.arch "match" recommended
kernel.numa_balancing 0 recommended
kernel.nmi_watchdog 0 info
kernel.cmdline { noted = ["isolcpus", "idle", "cpuidle.off=1", "processor.max_cstate", "mem_encrypt=on"], unwanted = ["iommu=off", "amd_iommu=off", "intel_iommu=off", "iommu.passthrough=0", "mce=off", "pci=noaer", "pci=noats", "pci=nommconf", "pci=nomsi", "pcie_aspm=force", "pci=pcie_bus_peer2peer", "pcie_aspm.policy=powersave", "pcie_aspm.policy=powersupersave", "pcie_ports=compat", "swiotlb=force", "maxcpus", "nr_cpus", "mem", "numa=off", "numa=noacpi", "acpi=off", "nosmp", "nox2apic", "tsc=unstable", "notsc", "clocksource=hpet", "clocksource=acpi_pm", "clocksource=jiffies", "slub_debug", "slab_debug", "debug", "kasan=on", "kasan_multi_shot"], wanted = ["pci=realloc=off", "iommu=pt"] } recommended
kernel.iommu "passthrough" recommended
cpu.smt "off" info
cpu.governor "performance" recommended
cpu.boost true info
cpu.idle { max_latency_us = 10 } info
host.rivals "none" info
limits.memlock "unlimited" info
env.HIP_FORCE_DEV_KERNARG "1" recommended
env.HSA_OVERRIDE_CPU_AFFINITY_DEBUG "0" recommended
$ cat > site.toml <<'END'
> [profile]
> name = "site"
> summary = "ours"
> extends = ["hots"]
> 
> [match]
> device = ["74a1"]
> 
> [settings]
> "kernel.numa_balancing" = 9
> "gpu.determinisn" = 1900
> "cpu.governor" = { value = "performance", level = "must" }
> "pci.acs" = { scope = "gpu-path", polcy = "off" }
> 
> [env]
> HIP_FORCE_DEV_KERNARG = "yes"
> END
$ rocenv profile lint site.toml
site.toml:4:12: error: unknown profile 'hots'. Did you mean 'host'?
site.toml:7:11: error: found '74a1', expected a PCI id such as "0x74a1"
site.toml:10:27: error: kernel.numa_balancing: found 9, expected a whole number from 0 to 3
site.toml:11:1: error: unknown setting 'gpu.determinisn'. Did you mean 'gpu.determinism'?
site.toml:12:51: error: level: found 'must', expected "required", "recommended" or "info"
site.toml:13:43: error: pci.acs: unknown key 'polcy'. Did you mean 'policy'?
site.toml:16:25: warning: HIP_FORCE_DEV_KERNARG: HIP runtime (CLR) reads "yes" as off; write 1 or 0
? 2
$ printf '[profile]\nname = "site"\nextends = ["mi300x"]\n[settings]\n"cpu.governor" = { level = "required" }\n' > site.toml
$ rocenv profile lint site.toml host
site.toml: no findings
host: no findings
$ rocenv check -p site.toml --sysroot mi300x-spx --only cpu.governor | grep '^[A-Z]'; echo "status ${PIPESTATUS[0]}"
FAIL  site.toml: 1 required failed
FAIL  cpu.governor  policy0-383: schedutil, expected performance
status 1
$ mkdir -p "$HOME/.config/rocenv/profiles" && cp site.toml "$HOME/.config/rocenv/profiles/site.toml"
$ rocenv check -p site --sysroot mi300x-spx --only cpu.governor -q
? 1
$ set -o pipefail; SUDO_UID=1000 rocenv check -p site --sysroot mi300x-spx 2>&1 | sed "s|$HOME|~|"
rocenv: ~/.config/rocenv/profiles/site.toml is not trusted: under sudo root uses no user's own profiles; the file is ignored
rocenv: unknown profile 'site'. To list all profiles: rocenv profile list
? 2
$ printf 'no toml at all' > junk.toml; rocenv profile lint junk.toml
junk.toml:1:4: error: Error while parsing key-value pair: expected '=', saw 't'
? 2
