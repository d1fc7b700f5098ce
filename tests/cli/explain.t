# A variable: what its reader makes of which texts, found by its own parser, and what holds here.
$ rocenv explain HIP_FORCE_DEV_KERNARG --sysroot mi300x-spx
HIP_FORCE_DEV_KERNARG, a variable of HIP runtime (CLR)
  Writes kernel arguments straight into GPU memory: launches get 2 to 3 us
  shorter.
  note       Only gfx94x and gfx95x follow the default; other GPUs need an
             explicit 1. Off in 6.0.2, on from 6.1.2; releases between them were
             not searched.
  accepts    on or off
  read       On for true in small letters and for a text that begins with a
             number but 0.
  texts      true: 1, true, 2, -1
             false: 0, false, yes, no, on, off, TRUE, (empty), text
  misread    HIP runtime (CLR) reads "yes" as off; write 1 or 0
  default    0; 1 from rocm 6.1.2 on
  versions   clr (rocm) from 5.7.1 on (4.5.2 to 10.2 were checked, 2026-11-22)
  profiles   1 (recommended): container, env-check, host-benchmark,
             inductor-gemm-tuner and 23 more
             1 (recommended, when gfx942, gfx950): sglang, vllm
             1 (info): host, mi100, mi100-benchmark, mi200, mi200-benchmark
  source     ROCm/rocm-systems projects/clr/rocclr/utils/flags.hpp,
             rocclr/device/rocm/rocsettings.cpp, 2026-11
  installed  rocm 6.2.0-66 (/opt/rocm/.info/version)
  here       not set: true
             on by default with ROCm 6.1.2 and later on this GPU
$ HIP_FORCE_DEV_KERNARG=yes rocenv explain env.HIP_FORCE_DEV_KERNARG --sysroot mi300x-spx -v
HIP_FORCE_DEV_KERNARG, a variable of HIP runtime (CLR)
  Writes kernel arguments straight into GPU memory: launches get 2 to 3 us
  shorter.
  note       Only gfx94x and gfx95x follow the default; other GPUs need an
             explicit 1. Off in 6.0.2, on from 6.1.2; releases between them were
             not searched.
  accepts    on or off
  read       On for true in small letters and for a text that begins with a
             number but 0.
  texts      true: 1, true, 2, -1
             false: 0, false, yes, no, on, off, TRUE, (empty), text
  misread    HIP runtime (CLR) reads "yes" as off; write 1 or 0
  default    0; 1 from rocm 6.1.2 on
  versions   clr (rocm) from 5.7.1 on (4.5.2 to 10.2 were checked, 2026-11-22)
  profiles   1 (recommended): container, env-check, host-benchmark,
             inductor-gemm-tuner, mi, mi-benchmark, mi300a, mi300a-benchmark,
             mi300x, mi300x-benchmark, mi325x, mi325x-benchmark, mi350x,
             mi350x-benchmark, mlperf-5.1,
             mlperf-5.1-llama2-70b-interactive-mi300x,
             mlperf-5.1-llama2-70b-interactive-mi325x,
             mlperf-5.1-llama2-70b-offline-mi300x,
             mlperf-5.1-llama2-70b-offline-mi325x,
             mlperf-5.1-llama2-70b-offline-mi355x,
             mlperf-5.1-llama2-70b-server-mi300x,
             mlperf-5.1-llama2-70b-server-mi325x,
             mlperf-5.1-mixtral-8x7b-offline-mi300x,
             mlperf-5.1-mixtral-8x7b-offline-mi325x,
             mlperf-5.1-mixtral-8x7b-server-mi300x,
             mlperf-5.1-mixtral-8x7b-server-mi325x, triton-tune
             1 (recommended, when gfx942, gfx950): sglang, vllm
             1 (info): host, mi100, mi100-benchmark, mi200, mi200-benchmark
  source     ROCm/rocm-systems projects/clr/rocclr/utils/flags.hpp,
             rocclr/device/rocm/rocsettings.cpp, 2026-11
  parser     clr-bool: ROCm/clr rocclr/utils/flags.cpp Flag::setValue, Tbool
  installed  rocm 6.2.0-66 (/opt/rocm/.info/version)
  here       yes, read as false
             wrong: HIP runtime (CLR) reads "yes" as off; write 1 or 0
  next       correct the variable where it is set

# A version decides what a text comes to, and whether anything reads it.

$ rocenv explain TRITON_PRINT_AUTOTUNING --sysroot no-gpu | grep -A3 texts
  texts      true: 1
             false: 0, false, no, off, 2, -1, (empty), text
             by version (false before Triton 3.4, true from 3.4 on): true, yes,
             on, TRUE
$ rocenv explain TRITON_PRINT_AUTOTUNING --sysroot no-gpu --assume triton=3.5 | grep -A1 -e texts -e here
  texts      true: 1, true, yes, on, TRUE
             false: 0, false, no, off, 2, -1, (empty), text
--
  here       not set: false
             the default is 0
$ VLLM_ATTENTION_BACKEND=ROCM_ATTN rocenv explain VLLM_ATTENTION_BACKEND --assume vllm=0.16 --sysroot no-gpu
VLLM_ATTENTION_BACKEND, a variable of vLLM
  Named the attention code to use, such as ROCM_ATTN.
  note       Use --attention-backend; vLLM now silently ignores the variable.
  accepts    a text
  read       Used as it is.
  versions   vllm from 0.4.2 on, no longer from 0.15 on (0.3.3 to 0.28.0 were
             checked, 2026-11-22)
             vllm-rocm (vllm) in each release checked, 0.4.3 to 0.10.2
             (2026-11-22)
  profiles   unset (recommended, when vllm >=0.15): vllm
  source     vllm-project/vllm PR 26315 and 32812, 2026-11
  installed  vllm 0.16 (given)
  here       ROCM_ATTN
             wrong: read before vllm 0.15, no longer in 0.16
  next       remove VLLM_ATTENTION_BACKEND where it is set
$ rocenv explain HSA_OVERRIDE_GFX_VERSION_1 --sysroot no-gpu
HSA_OVERRIDE_GFX_VERSION_1, a variable of ROCR runtime
  GPU version that the runtime reports, as major.minor.stepping.
  note       The variable is for consumer GPUs only; a text of another form
             hides all GPUs.
  accepts    a text
  read       Three numbers with points between them, at most 63.255.255, else an
             error.
  texts      rejected by its reader: 1, 0, true, false, yes, no, on, off, TRUE,
             2, -1, (empty), text, a,b, a=1, a:1, 1MB, /tmp/a
             as written: 9.4.2
  default    the GPU's own version
  versions   libhsakmt (rocm) in each release checked, 4.5 to 10.2 (2026-11-25)
  source     ROCm/rocm-systems projects/rocr-runtime/libhsakmt/src/topology.c,
             2026-11
  installed  this system has no ROCm (/opt/rocm/.info/version is missing)
  here       not set: the GPU's own version

# A setting, judged by the node's profile, by another, or only read.

$ rocenv explain kernel.numa_balancing --sysroot mi300x-spx -v
kernel.numa_balancing, a setting
  Automatic NUMA balancing: whether the kernel moves memory between NUMA nodes
  (a bit mask)
  why       The NUMA scanner unmaps pages to find who uses them, and GPU work
            stalls on the page faults
  accepts   a whole number from 0 to 3
  target    system, of the node
  read      /proc/sys/kernel/numa_balancing
  set       writes the number to /proc/sys/kernel/numa_balancing
  writes    /proc/sys/kernel/numa_balancing: <0-4>
  kept      lost at reboot; to keep it, add kernel.numa_balancing = 0 in a file
            under /etc/sysctl.d, or numa_balancing=disable on the kernel command
            line
  by        /etc/sysctl.d: kernel.numa_balancing = 0
  risk      low; programs that rely on automatic placement may run slower
  by hand   echo 0 | sudo tee /proc/sys/kernel/numa_balancing
  profiles  0 (required): env-check, host-benchmark, mi-benchmark,
            mi100-benchmark, mi200-benchmark, mi300a-benchmark,
            mi300x-benchmark, mi325x-benchmark, mi350x-benchmark, rccl-multinode
            0 (recommended): host, mi, mi100, mi200, mi300a, mi300x, mi325x,
            mi350x, mlperf-5.1, mlperf-5.1-llama2-70b-interactive-mi300x,
            mlperf-5.1-llama2-70b-interactive-mi325x,
            mlperf-5.1-llama2-70b-offline-mi300x,
            mlperf-5.1-llama2-70b-offline-mi325x,
            mlperf-5.1-llama2-70b-offline-mi355x,
            mlperf-5.1-llama2-70b-server-mi300x,
            mlperf-5.1-llama2-70b-server-mi325x,
            mlperf-5.1-mixtral-8x7b-offline-mi300x,
            mlperf-5.1-mixtral-8x7b-offline-mi325x,
            mlperf-5.1-mixtral-8x7b-server-mi300x,
            mlperf-5.1-mixtral-8x7b-server-mi325x
            0 (info): container
  source    AMD Instinct MI300X system optimization (rocm.docs.amd.com,
            2025-09); linux kernel/sched/core.c, 6.12
  here      WARN: 1, expected 0 (recommended by mi300x)
            Automatic NUMA balancing is on.
  next      sudo rocenv set --sysroot mi300x-spx -p mi300x --only kernel.numa_balancing
  action    user
  jobs      degraded
$ rocenv explain kernel.numa_balancing --sysroot mi300x-spx -p container | grep -A3 '^  here'
  here      INFO: 1, expected 0 (optional in container)
            Automatic NUMA balancing is on.
  next      sudo rocenv set --sysroot mi300x-spx -p container --only kernel.numa_balancing --want kernel.numa_balancing=0
  action    user
$ rocenv explain kernel.thp --sysroot mi300x-spx | grep -A3 '^  here'
  here      madvise
            mi300x does not name it
$ rocenv explain gpu.ras --sysroot mi300x-spx | grep -A3 -e grades -e '^  here'
  here      it asks firmware or the driver, so it is read only where a profile
            names it: rocenv explain gpu.ras -p acceptance
$ rocenv explain gpu.ras --sysroot mi300x-spx -p acceptance | grep -A3 '^  here'
  here      PASS: 0000:05:00.0, 0000:09:00.0, 0000:45:00.0, 0000:49:00.0 and 4
            more: 0x5fcd (recommended by mi300x + acceptance)
$ rocenv explain pci.aer --sysroot mi300x-fallen | grep -A9 -e grades
  grades    nonfatal: recommended at most; The link lost the transaction but
            stayed up
            correctable: recommended at most; The link corrected many errors
            itself
            few: info at most; The link corrected a few errors itself since boot
  profiles  "fatal" (required): ci-preflight, mi, mi-benchmark, mi100 and 11
            more
            100 (required): acceptance
  source    ROCm/cvs cvs/lib/verify_lib.py, 2026-08 (100 link recoveries); linux
            drivers/pci/pcie/aer.c, 6.12
$ rocenv explain limits.nofile --sysroot mi300x-spx | grep -A3 '^  here'
  here      not applicable: the limits of this process do not describe another
            machine
            mi300x does not name it

# Profiles, outcomes and the other words of reports, exit statuses.

$ rocenv explain mi300x rccl --sysroot mi300x-spx
mi300x, a profile
  MI300X node, for every day
  for          0x74a1 AMD Instinct MI300X, 0x74b5 AMD Instinct MI300X VF, 0x74a9
               AMD Instinct MI300X HF, 0x74bd AMD Instinct MI300X HF, gfx942
  extends      mi
  extended by  mi300x-benchmark
  required     gpu.driver, gpu.count, gpu.model, gpu.compute_units, gpu.xgmi,
               gpu.compute_partition, gpu.memory_partition, pci.aer
  recommended  gpu.visible, pci.link, pci.large_bar, rocm.driver_match,
               rocm.arch, kernel.numa_balancing, kernel.cmdline, kernel.iommu,
               cpu.governor, env.HIP_FORCE_DEV_KERNARG,
               env.HSA_OVERRIDE_CPU_AFFINITY_DEBUG
  info         gpu.parameters, gpu.users, gpu.atomics, gpu.determinism,
               gpu.soc_pstate, pci.acs, rocm.version, kernel.nmi_watchdog,
               cpu.smt, cpu.boost, cpu.idle, host.rivals, limits.memlock
  here         auto chooses it
  more         rocenv profile show mi300x

rccl, a profile
  RCCL in a training or inference job
  for          any node
  recommended  env.HSA_NO_SCRATCH_RECLAIM, env.NCCL_MIN_NCHANNELS,
               env.RCCL_MSCCL_ENABLE
  info         env.NCCL_PROTO
  also         One process for each GPU: with several GPUs in one process
               launches wait for each other
               All eight GPUs of a node or one: the links between two or four
               MI300X have less bandwidth
  here         may be used; auto chooses mi300x
  more         rocenv profile show rccl
$ rocenv explain differs hidden permission recommended waived 5 --sysroot no-gpu
differs, an outcome
  The value was read and is not as expected. Reports for people print FAIL, WARN
  or INFO.
  counts   check: 1 if it is required (--strict: or recommended)
  next     follow the next step of the finding; if it can be set: sudo rocenv
           set -p PROFILE --only ID

hidden, an outcome
  The object exists, but this container may not see it.
  counts   never counts
  next     run the check on the node itself

hidden, a reason
  A reason of hidden and unknown: this container may not see the object.
  next     run the check on the node itself

permission, a reason
  A reason of unknown: this user may not read the file.
  next     check again as root

recommended, a level
  Published advice with a measurable effect.
  counts   never counts without --strict

waived, a mark
  The site accepts the finding (/etc/rocenv/waivers.toml, --waivers). The
  finding keeps its outcome.
  counts   does not count until the date of the waiver
  next     --no-waivers counts it

5, an exit status
  set: something could not be restored; the report names it. reset: something
  could not be restored, or was modified outside rocenv; the report names it.
  status: something was modified outside rocenv since.
  next     rocenv status; the report names each setting with its present value
$ printf '[profile]\nname = "mine"\nextends = ["host"]\n[settings]\n"kernel.nmi_watchdog" = 0\n"bogus" = 1\n' > mine.toml
$ rocenv explain ./mine.toml ./none.toml --sysroot mi300x-spx
rocenv: cannot read './none.toml': No such file or directory
./mine.toml, a profile
  for          any node
  extends      host
  required     kernel.nmi_watchdog
  recommended  kernel.numa_balancing, cpu.governor
  info         pci.link, pci.large_bar, kernel.cmdline, kernel.iommu, cpu.boost,
               cpu.idle, limits.memlock, env.HIP_FORCE_DEV_KERNARG
  wrong        ./mine.toml:6:1: error: unknown setting 'bogus'
  here         cannot be used
? 2
$ mkdir -p .config/rocenv/profiles; sed /bogus/d mine.toml > .config/rocenv/profiles/mine.toml
$ rocenv explain mine --sysroot mi300x-spx; rocenv explain kernel.nmi_watchdog --sysroot mi300x-spx | grep -A1 required
mine, a profile
  for          any node
  extends      host
  required     kernel.nmi_watchdog
  recommended  kernel.numa_balancing, cpu.governor
  info         pci.link, pci.large_bar, kernel.cmdline, kernel.iommu, cpu.boost,
               cpu.idle, limits.memlock, env.HIP_FORCE_DEV_KERNARG
  here         may be used; auto chooses mi300x
  more         rocenv profile show mine
  profiles  0 (required): mine
            0 (recommended): mlperf-5.1,
$ rm -r .config

# Many are listed; only what is set, in this environment or another.

$ rocenv explain 'kernel.thp*' kernel.numa_balancing --sysroot no-gpu
settings (3)
  kernel.thp             Transparent huge pages: which memory gets pages of 2
                         MiB automatically
  kernel.thp_defrag      Whether a page fault waits while memory is compacted
                         for a huge page
  kernel.numa_balancing  Automatic NUMA balancing: whether the kernel moves
                         memory between NUMA nodes (a bit mask)
$ TORCHINDUCTOR_MAX_AUTOTUNE=1 TORCHINDUCTOR_COORDINATE_DESCENT_TUNING=yes rocenv explain 'TORCHINDUCTOR_*' --set --sysroot no-gpu
variables (2)
  TORCHINDUCTOR_COORDINATE_DESCENT_TUNING
                              yes (false): PyTorch Inductor reads "yes" as off;
                              write 1 or 0
                              Refines the best Triton configuration step by
                              step.
  TORCHINDUCTOR_MAX_AUTOTUNE  1 (true)
                              Measures kernel variants of everything that has
                              some, and keeps the fastest.
$ printf 'NCCL_DEBUG=INFO\nHF_TOKEN=hush\nSOME_NAME=hush\nMIOPEN_FIND_MODE=slow\n' > job.env
$ rocenv explain --set --env-file job.env --sysroot no-gpu
variables (3)
  HF_TOKEN          set; a secret, not checked
                    Token for gated and private models; wins over the stored
                    login.
  MIOPEN_FIND_MODE  slow (error): MIOpen fails on "slow"; write NORMAL, 1, FAST,
                    2, HYBRID, 3, DYNAMIC_HYBRID, 5, TRUST_VERIFY, 6,
                    TRUST_VERIFY_FULL, 7
                    Method by which convolutions find their kernel: measuring
                    all, the database, or mixed.
  NCCL_DEBUG        INFO
                    Level of the log.
note: the values are those of the environment in job.env
$ rocenv explain --set --env-file job.env --sysroot no-gpu -v | grep -c hush
0
? 1
$ rocenv explain 'TRITON_*' --set --sysroot no-gpu
note: none of these variables is set
$ rocenv explain --search 'huge pages' --sysroot no-gpu
settings (2)
  kernel.thp        Transparent huge pages: which memory gets pages of 2 MiB
                    automatically
  memory.hugepages  Percentage of the memory reserved for huge pages

variables (4)
  FI_CXI_DISABLE_EQ_HUGETLB  Uses no huge pages for event queues.
  UMBP_DRAM_HUGEPAGE_SIZE    Size of the huge pages.
  UMBP_DRAM_USE_HUGEPAGES    Uses huge pages for the host memory.
  UMBP_SPDK_MEM_MB           Huge pages that SPDK may use, in MiB.
$ rocenv explain 'NCCL_*' --search 'rdma' --skip env.NCCL_IB_DISABLE --sysroot no-gpu | head -n 5
variables (14)
  NCCL_IBVERBS_LIB            RDMA library to load.
  NCCL_IB_CUDA_SUPPORT        Old switch for direct RDMA.
  NCCL_IB_DEVICE_PCI_ORDER    Numbers RDMA devices by PCI address.
  NCCL_IB_HCA                 RDMA devices to use, such as mlx5_0:1; = in front
$ NCCL_DEBUG=WARN SOME_TOKEN=hush bash -c 'env -u NCCL_DEBUG rocenv explain NCCL_DEBUG --set --pid $$ | grep -A9 "^  here"; true' | sed 's/process [0-9]*/process N/'
  here        WARN
note: the values are those of the environment of process N
$ rocenv explain NCCL_DEBUG --pid 4194304
rocenv: no process has the id '4194304' (--pid)
? 2

# Names that nothing is known of: no value of theirs is printed, and the rest is explained.

$ SOME_TOKEN=hush rocenv explain SOME_TOKEN nccl_debug pci.asc NCCL_SOMETHING bogus 'zz*' ok
rocenv: 'SOME_TOKEN': not in this catalogue (facts of 2026-11-22). To search in all texts: rocenv explain --search TEXT
rocenv: 'nccl_debug': unknown setting, variable, profile or word of a report. Did you mean 'NCCL_DEBUG'?
rocenv: 'pci.asc': unknown setting, variable, profile or word of a report. Did you mean 'pci.acs'?
rocenv: 'NCCL_SOMETHING': not in this catalogue (facts of 2026-11-22); names that begin so are read by NCCL and RCCL
rocenv: 'bogus': unknown setting, variable, profile or word of a report. To search in all texts: rocenv explain --search TEXT
rocenv: 'zz*': matches no setting, variable, profile or word of a report
ok, an outcome
  The value is as expected. Reports for people print PASS.
  counts   never counts
? 2
$ rocenv explain --search 'no such thing'
rocenv: 'no such thing': no topic contains this text
? 2
$ rocenv explain
rocenv: missing argument WORD: expected settings, variables, profiles or words of reports, --search TEXT or --set
? 2
$ rocenv explain ok --sysroot none
rocenv: cannot open 'none': No such file or directory
? 2
$ rocenv explain cpu.smt -p nobody
rocenv: unknown profile 'nobody'. To list all profiles: rocenv profile list
? 2
$ rocenv explain cpu.smt --only nothing
rocenv: unknown setting 'nothing' for --only
? 2
$ rocenv explain ok --pid 0
rocenv: invalid value '0' for --pid: expected a process id
Try 'rocenv explain --help'.
? 2
$ rocenv explain ok --format xml
rocenv: invalid value 'xml' for --format: expected human or json
Try 'rocenv explain --help'.
? 2

# For programs.

$ rocenv explain kernel.numa_balancing HIP_FORCE_DEV_KERNARG mi300x ok --sysroot mi300x-spx --format json | jq -c '.explanations[] | [.kind, .name, .here?.findings?[0].have?, .here?.effective?]'
["setting","kernel.numa_balancing","1",null]
["variable","HIP_FORCE_DEV_KERNARG",null,"true"]
["profile","mi300x"]
["outcome","ok",null,null]
$ rocenv explain kernel.numa_balancing kernel.thp --sysroot mi300x-spx --format json | jq -c '.explanations[].here | [.judged], (.findings[] | [.level, .outcome, .want, .have])'
[true]
["recommended","differs","0","1"]
[false]
[null,null,null,"madvise"]
$ rocenv explain 'NCCL_*' --sysroot no-gpu --format json | jq -r '.explanations | length > 100, all(.kind == "variable")'
true
true
$ rocenv explain BOGUS_NAME --format json | jq -c '.unknown[].word, .explanations'
rocenv: 'BOGUS_NAME': not in this catalogue (facts of 2026-11-22). To search in all texts: rocenv explain --search TEXT
"BOGUS_NAME"
[]
$ rocenv explain --help
Explain a setting, variable, profile or word of a report.
Prints also the value on this node. Several matches are listed; -v explains each
of them. Secrets, and values of variables that are in no catalogue or profile,
are never printed.

Usage: rocenv explain [OPTIONS] [WORD...]

Arguments:
  WORD                    Names, ids or globs: NCCL_DEBUG pci.acs 'TORCH_*'

Options:
      --set               Explain only variables that are set
      --search TEXT       Explain only what mentions TEXT

Profile and settings:
  -p, --profile PROFILE   Use a profile or file; repeat to merge [default: auto]
      --want ID=VALUE     Expect VALUE of a setting, over the profile
                          (repeatable)
      --only ID[,ID]      Select only these settings (globs: gpu.*)
      --skip ID[,ID]      Leave out these settings
      --ignore-match      Accept a profile for another kind of GPU
      --no-site           Ignore /etc/rocenv/site.toml
      --waivers FILE      Use the waivers of FILE, besides
                          /etc/rocenv/waivers.toml
      --no-waivers        Ignore all waivers

Environment:
      --pid PID           Judge the environment of this process
      --env-file [docker:|systemd:|sh:]FILE
                          Judge the environment in this file (repeatable)
      --assume NAME=VERSION[,...]
                          Assume these versions (torch=2.8,rocm=7.0); others are
                          detected

Node:
      --sysroot DIR|FILE.tree
                          Read /sys and /proc of another machine
      --timeout SECONDS   Timeout for each file read [default: 5 s]
      --deadline SECONDS  Time limit for the whole command [default: 20 s]

Output:
      --format human|json
                          Print the explanations in this format [default: human]
      --json              Same as --format json
      --color auto|always|never
                          Use colour [default: auto]
  -q, --quiet             Print errors only
  -v, --verbose           Print everything, with sources

General:
  -h, --help              Print this help
  -V, --version           Print the version

Examples:
  rocenv explain pci.acs               a setting, and its value here
  rocenv explain NCCL_DEBUG 'TORCH_*'  variables
  rocenv explain --search latency      all that mention a word

Exit status:
  0       explained
  2       bad usage or profile, or an unknown word; the other words were
          explained
  3       a process or file could not be read, or did not answer in time


# Statuses of a program that a signal ended.
$ rocenv explain 137 128+15
128+N, an exit status
  run: signal N ended the program.
  next     kill -l N names the signal: 137 is 128+9, KILL
$ rocenv explain 200
rocenv: '200': unknown setting, variable, profile or word of a report. To search in all texts: rocenv explain --search TEXT
? 2
