# Profiles: what there is, what one means, what is wrong with one.
$ rocenv profile list
acceptance              A new or repaired node, before it goes into service
ci-preflight            A verdict before a job: are the GPUs there and whole
container               A process in a container: devices, limits, environment
debug-memory-fault      Find the kernel behind a GPU memory access fault
env-check               What AMD's env_check.sh meant to set and check
fsdp                    PyTorch FSDP: let collectives overlap with kernels
host                    Any node: CPU, kernel and limits, no GPU lines
host-benchmark          Any node, before a benchmark: CPU, kernel and limits
inductor-ck             TorchInductor: Composable Kernel takes part
inductor-cpp-wrapper    TorchInductor: launch kernels from C++
inductor-debug          TorchInductor: write graphs, code and kernels to disk
inductor-gemm-tuner     AMD's inductor-gemm-tuner: measure Triton against MIOpen
inductor-inference      TorchInductor for inference: weights become constants
inductor-max-autotune   TorchInductor: measure kernel variants, keep the fastest
inductor-nhwc           TorchInductor and MIOpen: channels-last convolutions
megatron                ROCm/Megatron-LM: the environment of AMD's Llama
                        examples
mi                      Any AMD Instinct node, what the models share
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
miopen-use              MIOpen: take tuned convolutions, never measure
mlperf-5.1              What AMD's MLPerf Inference 5.1 recipes with vLLM share
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
rccl-multinode          A node and a process of an RCCL job over several nodes
sglang                  SGLang: the settings of its ROCm image
slingshot               RCCL over HPE Slingshot (cxi NICs): libfabric and the
                        plug-in
slingshot-userfaultfd   RCCL over HPE Slingshot, without the kernel module
                        kdreg2
triton-dump             Triton: print intermediate code and assembly of every
                        kernel
triton-tune             Triton: tune kernels and see what was chosen
tunableop-off           PyTorch TunableOp off, to measure against
tunableop-offline-tune  PyTorch TunableOp: tune the recorded GEMMs
tunableop-record        PyTorch TunableOp: record GEMMs for offline tuning
tunableop-tune          PyTorch TunableOp: measure and keep the fastest GEMMs
tunableop-use           PyTorch TunableOp: use tuned GEMMs, never measure
vllm                    vLLM: AMD's guide for serving on MI300X to MI355X
$ rocenv profile show mi300x-benchmark
mi300x-benchmark
  for 0x74a1 AMD Instinct MI300X, 0x74b5 AMD Instinct MI300X VF, 0x74a9 AMD
      Instinct MI300X HF, 0x74bd AMD Instinct MI300X HF, gfx942

gpu.driver = ">=6.3" (required)
    First to know MI300X: the driver of ROCm 6.0, which calls itself 6.3.6.
    source: amdgpu-dkms 6.3.6.60000 (repo.radeon.com/amdgpu/6.0, 2023-12)

gpu.parameters = "default" (info)
    A driver option left from a test limits memory, links or error detection on
    every GPU.
    source: linux drivers/gpu/drm/amd/amdgpu/amdgpu_drv.c, 2018 to 2024

gpu.count = "full" (required)
    A board with seven of its eight GPUs is broken; one without driver or KFD
    node is lost to all.
    source: ROCm/system-acceptance-docs docs/common/health-checks.md, 2026-07

gpu.model = "equal" (required)
    A spare of another model breaks every collective that counts on equal GPUs.
    source: amd/node-scraper nodescraper/plugins/inband/pcie, 2026-07

gpu.visible = ">=1" (recommended)
    A variable or a device cgroup that hides every GPU sends the job to the CPU,
    or ends it.
    source: ROCm/ROCm docs/conceptual/gpu-isolation.md, 2026-11

gpu.users = 0 (recommended)
    A program already on a GPU shares its memory and power, and settings would
    change under it.
    source: ROCm/system-acceptance-docs docs/common/health-checks.md, 2026-07

gpu.compute_units = "model" (required)
    Dies that are lost, fused off or masked slow all that wait for the GPU.
    source: ROCm/ROCm docs/reference/gpu-arch-specs.rst, 2025-03

gpu.xgmi = "mesh" (required)
    A lost link sends traffic over two hops or PCIe; that all GPUs are alike
    proves nothing.
    source: AMD-AGI/Primus primus/tools/preflight/node_smoke, 2026-08

gpu.atomics = "on" (info)
    Programs that share memory with the CPU fail or hang without AtomicOps to
    host memory.
    source: ROCm/amdgpu-docs docs/conceptual/pcie-atomics, 2025-09

gpu.compute_partition = "SPX" (required)
    One GPU in another mode makes half a node; a mode that all share is reported
    at a lower level.
    source: amd/node-scraper nodescraper/plugins/inband, 2026-07

gpu.memory_partition = "NPS1" (required)
    One GPU in another mode makes half a node; a mode that all share is reported
    at a lower level.
    source: amd/node-scraper nodescraper/plugins/inband, 2026-07

gpu.determinism = "recommended" (recommended)
    Caps the clock at 1900 of 2100 MHz so that it dips less; newer firmware does
    without, AMD says.
    source: AMD Instinct MI300X system optimization (rocm.docs.amd.com, 2025-09)

gpu.soc_pstate = 0 (info)
    A policy other than the firmware's default (0) can lower the bandwidth
    between dies and to other GPUs.
    source: linux drivers/gpu/drm/amd/pm/amdgpu_pm.c, 6.12 (2024-11)

pci.link = "model" (recommended)
    A link trained below its speed or width caps every copy; it is a hardware
    fault, not a setting.
    source: ROCm/system-acceptance-docs docs/common/health-checks.md, 2026-07

pci.aer = "fatal" (required)
    A fatal error took a link down since boot; what was on it is lost, and it
    will come again.
    source: amd/node-scraper nodescraper/plugins/inband/pcie, 2026-07

pci.large_bar = true (recommended)
    All GPU memory visible on the bus, which peer-to-peer needs; BIOS: Above 4G
    decoding.
    source: ROCm/system-acceptance-docs docs/common/bios-settings.md, 2026-07

pci.acs = { policy = "no-redirect", scope = "gpu-path" } (recommended)
    Redirect sends GPU-to-NIC traffic up to the root and back; guests and SR-IOV
    need it on.
    source: ROCm/gpu-cluster-networking docs/how-to/single-node-config.rst,
            2025-09

rocm.version = ">=6.0" (info)
    The first release for the MI300 series; from 6.2 kernel arguments are in GPU
    memory by default.
    source: ROCm 6.0 release notes (rocm.docs.amd.com, 2023-12)

rocm.driver_match = "match" (recommended)
    A ROCm that is far from the driver fails in calls that the other does not
    know.
    source: ROCm/amdgpu-docs docs/compatibility/compatibility-matrix.rst,
            2026-09

rocm.arch = "match" (recommended)
    Without files for the GPU rocBLAS ends the program, hipBLASLt fails and
    MIOpen starts slowly.
    source: ROCm/rocBLAS library/src/tensile_host.cpp, ROCm/MIOpen
            src/include/miopen/sqlite_db.hpp, 2024-10

kernel.numa_balancing = 0 (required)
    The page scanner interrupts threads and moves pages; try programs with poor
    locality both ways.
    source: AMD Instinct MI300X system optimization (rocm.docs.amd.com, 2025-09)

kernel.nmi_watchdog = 0 (info)
    The hard-lockup watchdog interrupts every CPU and holds a counter; off means
    lockups go unseen.
    source: ROCm/system-acceptance-docs docs/common/kernel-parameters.md,
            2026-07

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
    realloc=off keeps all GPUs in view; AMD's texts disagree on pci=bfsort and
    amd_iommu=on here.
    source: AMD Instinct MI300X system optimization (rocm.docs.amd.com, 2025-09)

kernel.iommu = "passthrough" (recommended)
    What iommu=pt comes to: the GPU's IOMMU group is an identity map, so DMA
    needs no translation.
    source: ROCm/system-acceptance-docs docs/common/kernel-parameters.md,
            2026-07

cpu.smt = "off" (info)
    Two threads share a core's units; AMD wants it off where the program is
    bound by compute.
    source: ROCm/system-acceptance-docs docs/common/bios-settings.md, 2026-07

cpu.governor = "performance" (recommended)
    Keeps the cores that launch kernels at full clock; a slow launch path leaves
    the GPU idle.
    source: ROCm/triton scripts/amd/env_check.sh, branch rocm_env, 2024-04

cpu.boost = true (info)
    Without boost, CPUs stay at their nominal clock, which slows kernel
    launches.
    source: ROCm/system-acceptance-docs docs/common/bios-settings.md, 2026-07

cpu.idle = { max_latency_us = 10 } (recommended)
    C2 takes 30 to 400 us to wake, which delays launches; AMD's guides name C2,
    its script C1.
    source: ROCm/system-acceptance-docs docs/common/os-tuning.md, 2026-07

host.rivals = "none" (info)
    Services such as tuned or auto-cpufreq can change the governor and idle
    states again.
    source: redhat-performance/tuned tuned/plugins/plugin_cpu.py, 2026-08

limits.memlock = "unlimited" (info)
    RDMA pins its buffers; with a low limit registering them fails when the job
    starts.
    source: ROCm/system-acceptance-docs docs/network/nic-installation.md,
            2026-07

env.HIP_FORCE_DEV_KERNARG = "1" (recommended)
    Arguments in GPU memory save some kernels 2 to 3 us a launch; default on
    MI300 from ROCm 6.1.2.
    source: AMD Instinct MI300X system optimization (rocm.docs.amd.com, 2025-09)

env.HSA_OVERRIDE_CPU_AFFINITY_DEBUG = "0" (recommended)
    AMD calls it critical: the runtime's threads then stay on the CPUs that were
    given to the process.
    source: ROCm/system-acceptance-docs docs/common/os-tuning.md, 2026-07
$ rocenv profile show mi300x --sysroot mi300x-spx --only 'kernel.numa*,limits.*' --skip limits.memlock --want limits.nofile=4096 | grep ' = '
kernel.numa_balancing = 0 (recommended)
limits.nofile = 4096 (required)
$ for filter in '--skip limits.shm' '--only kernel.numa_balancing'; do rocenv profile show mi300x --sysroot mi300x-spx $filter --format json | jq -r .profile_digest; done | uniq | wc -l
1
$ rocenv profile show mi300x --only gpu.cuont --want nothing
rocenv: --only gpu.cuont: no such setting, did you mean gpu.count?
rocenv: --want nothing: wanted ID=VALUE
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
site.toml:4:12: error: no profile is named hots, did you mean host?
site.toml:7:11: error: "74a1" found, wanted a PCI id such as "0x74a1"
site.toml:10:27: error: kernel.numa_balancing: 9 found, wanted a whole number from 0 to 3
site.toml:11:1: error: unknown setting gpu.determinisn, did you mean gpu.determinism?
site.toml:12:51: error: level: "must" found, wanted "required", "recommended" or "info"
site.toml:13:43: error: pci.acs: unknown key polcy, did you mean policy?
site.toml:16:25: warning: HIP_FORCE_DEV_KERNARG: HIP runtime (CLR) reads "yes" as off; write 1 or 0
? 2
$ printf '[profile]\nname = "site"\nextends = ["mi300x"]\n[settings]\n"cpu.governor" = { level = "required" }\n' > site.toml
$ rocenv profile lint site.toml host
site.toml: no findings
host: no findings
$ rocenv check -p site.toml --sysroot mi300x-spx --only cpu.governor
FAIL  site.toml: 1 required failed
      8 x AMD Instinct MI300X

FAIL  cpu.governor  policy0-383: schedutil, expected performance
      why      Keeps the cores that launch kernels at full clock; a slow launch
               path leaves the GPU idle.
      next     sudo rocenv set -p site.toml --only cpu.governor

1 failed (-v lists all)
? 1
$ mkdir -p "$HOME/.config/rocenv/profiles" && cp site.toml "$HOME/.config/rocenv/profiles/site.toml"
$ rocenv check -p site --sysroot mi300x-spx --only cpu.governor -q
? 1
$ set -o pipefail; SUDO_UID=1000 rocenv check -p site --sysroot mi300x-spx 2>&1 | sed "s|$HOME|~|"
rocenv: ~/.config/rocenv/profiles/site.toml is not trusted: under sudo root uses no user's own profiles; the file is ignored
rocenv: -p: error: no profile is named site; rocenv profile list shows all there are
? 2
$ printf 'no toml at all' > junk.toml; rocenv profile lint junk.toml
junk.toml:1:4: error: Error while parsing key-value pair: expected '=', saw 't'
? 2
