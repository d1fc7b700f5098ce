# Environment profiles: what a program is given, what check makes of it, and what is needed besides.
$ rocenv env -p tunableop-tune
export PYTORCH_TUNABLEOP_ENABLED='1'
unset PYTORCH_TUNABLEOP_RECORD_UNTUNED
export PYTORCH_TUNABLEOP_TUNING='1'
export PYTORCH_TUNABLEOP_VERBOSE='1'
$ rocenv env -p tunableop-use --format docker
rocenv: PYTORCH_TUNABLEOP_RECORD_UNTUNED must not be set. The format docker cannot express that, and leaves it out
PYTORCH_TUNABLEOP_ENABLED=1
PYTORCH_TUNABLEOP_TUNING=0
$ rocenv env -p tunableop-off
export PYTORCH_TUNABLEOP_ENABLED='0'
$ rocenv env -p tunableop-record
export PYTORCH_TUNABLEOP_ENABLED='1'
export PYTORCH_TUNABLEOP_RECORD_UNTUNED='1'
export PYTORCH_TUNABLEOP_TUNING='0'
$ rocenv env -p tunableop-offline-tune --format json
{
  "PYTORCH_TUNABLEOP_ENABLED": "1",
  "PYTORCH_TUNABLEOP_RECORD_UNTUNED": null,
  "PYTORCH_TUNABLEOP_TUNING": "1"
}
$ rocenv env -p inductor-max-autotune -p inductor-inference -p inductor-nhwc --sysroot mi300x-spx
export PYTORCH_MIOPEN_SUGGEST_NHWC='1'
export TORCHINDUCTOR_COORDINATE_DESCENT_TUNING='1'
export TORCHINDUCTOR_FREEZING='1'
export TORCHINDUCTOR_LAYOUT_OPTIMIZATION='1'
export TORCHINDUCTOR_MAX_AUTOTUNE='1'
export TORCHINDUCTOR_MAX_AUTOTUNE_GEMM_BACKENDS='TRITON,ATEN'
$ rocenv env -p inductor-cpp-wrapper
export TORCHINDUCTOR_CPP_WRAPPER='1'
$ rocenv env -p inductor-gemm-tuner
export HIP_FORCE_DEV_KERNARG='1'
export MIOPEN_FIND_ENFORCE='4'
export MIOPEN_FIND_MODE='1'
export TORCHINDUCTOR_COMPILE_THREADS='1'
$ rocenv env -p inductor-debug
export INDUCTOR_CK_BACKEND_GENERATE_TEST_RUNNER_CODE='1'
export TORCHINDUCTOR_FORCE_DISABLE_CACHES='1'
export TORCH_COMPILE_DEBUG='1'
$ rocenv env -p triton-tune
export HIP_FORCE_DEV_KERNARG='1'
unset OPTIMIZE_EPILOGUE
export TRITON_PRINT_AUTOTUNING='1'
$ rocenv env -p vllm --sysroot mi300x-spx
export HIP_FORCE_DEV_KERNARG='1'
export NCCL_MIN_NCHANNELS='112'
export TORCH_BLAS_PREFER_HIPBLASLT='1'
unset VLLM_ATTENTION_BACKEND
export VLLM_ROCM_USE_AITER='1'
$ rocenv env -p vllm --sysroot mi350x --assume vllm=0.14.1
export HIP_FORCE_DEV_KERNARG='1'
export TORCH_BLAS_PREFER_HIPBLASLT='1'
export VLLM_ROCM_USE_AITER='1'
$ rocenv env -p sglang --sysroot mi300x-spx
export HIP_FORCE_DEV_KERNARG='1'
export HSA_NO_SCRATCH_RECLAIM='1'
export NCCL_MIN_NCHANNELS='112'
export SGLANG_MOE_PADDING='1'
export SGLANG_ROCM_FUSED_DECODE_MLA='1'
export SGLANG_SET_CPU_AFFINITY='1'
export SGLANG_USE_AITER='1'
export TORCHINDUCTOR_MAX_AUTOTUNE='1'
export TORCHINDUCTOR_MAX_AUTOTUNE_POINTWISE='1'
$ rocenv env -p primus --sysroot mi300x-spx --assume rocm=7.13
export CUDA_DEVICE_MAX_CONNECTIONS='1'
export GPU_MAX_HW_QUEUES='2'
export HSA_NO_SCRATCH_RECLAIM='1'
export NCCL_CROSS_NIC='0'
export NCCL_P2P_NET_CHUNKSIZE='524288'
export NCCL_PXN_DISABLE='1'
export NVTE_CK_USES_BWD_V3='1'
export NVTE_USE_CAST_TRANSPOSE_TRITON='1'
export RCCL_MSCCLPP_ENABLE='0'
export TORCH_NCCL_HIGH_PRIORITY='1'
export TORCH_NCCL_USE_TENSOR_REGISTER_ALLOCATOR_HOOK='0'
$ rocenv env -p primus --sysroot mi350x --assume rocm=7.13 | grep WARP_SPEED
export RCCL_WARP_SPEED_AUTO='0'
$ rocenv env -p megatron --sysroot mi300x-spx --assume rocm=7.0
export CUDA_DEVICE_MAX_CONNECTIONS='1'
export GPU_MAX_HW_QUEUES='2'
export HSA_NO_SCRATCH_RECLAIM='1'
export NCCL_CROSS_NIC='0'
export NCCL_PROTO='Simple'
export RCCL_MSCCL_ENABLE='0'
export TOKENIZERS_PARALLELISM='false'
export TORCH_NCCL_HIGH_PRIORITY='1'
$ rocenv env -p triton-dump
export AMDGCN_ENABLE_DUMP='1'
export MLIR_ENABLE_DUMP='1'
export TRITON_ALWAYS_COMPILE='1'
$ rocenv env -p miopen-tune
export MIOPEN_FIND_ENFORCE='3'
export MIOPEN_FIND_MODE='1'
$ rocenv env -p miopen-use
unset MIOPEN_FIND_ENFORCE
export MIOPEN_FIND_MODE='2'
$ rocenv env -p fsdp
export GPU_MAX_HW_QUEUES='2'
export TORCH_NCCL_HIGH_PRIORITY='1'

# AMD's AI NICs: what depends on the switches, and names without a reader, are not exported. The profile fits their driver alone.
$ rocenv env -p ainic --sysroot no-gpu --assume rocm=10.0
export NCCL_DMABUF_ENABLE='0'
export NCCL_GDR_FLUSH_DISABLE='1'
export NCCL_IB_QPS_PER_CONNECTION='1'
export NCCL_IB_USE_INLINE='1'
export NCCL_IGNORE_CPU_AFFINITY='1'
export NCCL_NET_PLUGIN='none'
export NCCL_PXN_DISABLE='0'
export RCCL_AINIC_ROCE='1'
$ rocenv env -p ainic --sysroot no-gpu --assume rocm=6.4 | grep -c -e PLUGIN -e AINIC
0
? 1
$ rocenv env -p ainic --sysroot mi300x-spx
rocenv: profile ainic is not for this node: the driver of the RDMA NICs is bnxt_en (--ignore-match accepts it)
? 2
$ rocenv env -p ainic --sysroot mi300x-spx --ignore-match --assume rocm=10.0 -q | grep -c export
8

# Composable Kernel is for gfx90a and later; a recipe is for its GPU alone.
$ rocenv env -p inductor-ck --sysroot mi210
export PYTORCH_MIOPEN_SUGGEST_NHWC='1'
export TORCHINDUCTOR_MAX_AUTOTUNE='1'
export TORCHINDUCTOR_MAX_AUTOTUNE_CONV_BACKENDS='ATEN,TRITON,CK'
export TORCHINDUCTOR_MAX_AUTOTUNE_GEMM_BACKENDS='ATEN,TRITON,CK'
$ rocenv env -p mlperf-5.1-llama2-70b-offline-mi325x --sysroot mi300x-spx
rocenv: profile mlperf-5.1-llama2-70b-offline-mi325x is not for this node: 0000:05:00.0 is AMD Instinct MI300X (0x74a1) (--ignore-match accepts it)
? 2
$ rocenv env -p mlperf-5.1-llama2-70b-offline-mi300x --sysroot mi300x-spx
export HARNESS_DISABLE_VLLM_LOGS='1'
export HARNESS_GC_LIMIT='100000'
export HIP_FORCE_DEV_KERNARG='1'
export VLLM_ENGINE_ITERATION_TIMEOUT_S='36000'
export VLLM_FP8_ACT_PADDING='1'
export VLLM_FP8_PADDING='1'
export VLLM_FP8_REDUCE_CONV='1'
export VLLM_FP8_WEIGHT_PADDING='1'
export VLLM_LLAMA2_MLPERF_MAX_TARGET_DECODE_BATCH='1536'
export VLLM_LLAMA2_MLPERF_MIN_REQUIRE_PREFILL_GPU_BLOCK='2200'
export VLLM_LLAMA2_MLPERF_MIN_TARGET_DECODE_BATCH='1280'
export VLLM_LLAMA2_MLPERF_SCHED='1'
export VLLM_LLAMA2_MLPERF_STEP_DECODE_BATCH='256'
export VLLM_LOGGING_LEVEL='ERROR'
export VLLM_SCHED_PREFILL_KVC_FREEPCT='30.0'
export VLLM_USE_TRITON_FLASH_ATTN='0'
export VLLM_USE_V1='0'
$ rocenv run --sysroot mi350x -p mlperf-5.1-llama2-70b-offline-mi355x --ignore-match -- printenv VLLM_USE_TRITON_FLASH_ATTN
1

# More channels are for MI300X. What is left out is told.
$ rocenv env -p rccl --sysroot mi300x-spx
export HSA_NO_SCRATCH_RECLAIM='1'
export NCCL_MIN_NCHANNELS='112'
unset RCCL_MSCCL_ENABLE
$ rocenv env -p rccl --sysroot mi250x
export HSA_NO_SCRATCH_RECLAIM='1'
unset RCCL_MSCCL_ENABLE
$ rocenv profile show rccl --sysroot mi250x
rccl

env.HSA_NO_SCRATCH_RECLAIM = "1" (recommended)
  Reclaimed scratch memory delays each collective; RCCL asks for it at start on
  ROCm before 6.4.
  source   ROCm/rocm-systems projects/rccl/src/init.cc and CHANGELOG.md, 2026-11
  when     rocm <6.4

env.RCCL_MSCCL_ENABLE = unset (recommended)
  Old training images set 0 after a data error; AMD's tips enable it. No program
  reads it from ROCm 7.13.
  source   ROCm/rocm-systems projects/rccl/CHANGELOG.md, 2026-11

Does not apply to this node
- env.NCCL_MIN_NCHANNELS: 0000:c1:00.0 is gfx90a (built-in:rccl:11:6)
- env.NCCL_PROTO: 0000:c1:00.0 is gfx90a (built-in:rccl:25:6)

Also needed, and not set by rocenv
- One process for each GPU: with several GPUs in one process launches wait for
  each other
- All eight GPUs of a node or one: the links between two or four MI300X have
  less bandwidth
$ rocenv profile show rccl --sysroot mi250x --format json | jq -c '.left_out, (.also | length), [.wants[] | [.id, .when]]'
[{"id":"env.NCCL_MIN_NCHANNELS","because":"0000:c1:00.0 is gfx90a","from":"built-in:rccl:11:6"},{"id":"env.NCCL_PROTO","because":"0000:c1:00.0 is gfx90a","from":"built-in:rccl:25:6"}]
2
[["env.HSA_NO_SCRATCH_RECLAIM","rocm <6.4"],["env.RCCL_MSCCL_ENABLE",null]]
$ rocenv profile show tunableop-use
tunableop-use

env.PYTORCH_TUNABLEOP_ENABLED = "1" (required)
  Results are used only while TunableOp is on; its reader accepts only the exact
  text 1.
  source   pytorch/pytorch aten/src/ATen/cuda/tunable/Tunable.cpp of 2.6.0,
           2026-11

env.PYTORCH_TUNABLEOP_RECORD_UNTUNED = unset (required)
  Newer releases do not read the result file while they record, so the tuned
  kernels would not be used.
  source   pytorch/pytorch aten/src/ATen/cuda/tunable/TunableOp.h of 2.6.0 and
           2.14.1, 2026-11

env.PYTORCH_TUNABLEOP_TUNING = "0" (required)
  Only the exact text 0 stops the measuring; otherwise each new shape stalls its
  first call in production.
  source   pytorch/pytorch aten/src/ATen/cuda/tunable/Tunable.cpp of 2.6.0,
           2026-11

Also needed, and not set by rocenv
- The result file of the same PyTorch, ROCm, hipBLASLt, rocBLAS and GPU kind,
  else PyTorch discards the whole file
- The file in the folder where the program starts, or its path in
  PYTORCH_TUNABLEOP_FILENAME

# The file of the debug agent is not on this machine.
$ rocenv env -p debug-memory-fault --sysroot mi300x-spx
rocenv: built-in:debug-memory-fault:10:6: warning: HSA_TOOLS_LIB: /opt/rocm/lib/librocm-debug-agent.so.2 does not exist
export HSA_DISABLE_FRAGMENT_ALLOCATOR='1'
export HSA_ENABLE_DEBUG='1'
export HSA_TOOLS_LIB='/opt/rocm/lib/librocm-debug-agent.so.2'
export PYTORCH_NO_HIP_MEMORY_CACHING='1'
export ROCM_DEBUG_AGENT_OPTIONS='--all --save-code-objects'
$ rocenv check -p debug-memory-fault --sysroot mi300x-spx --only env.HSA_TOOLS_LIB
FAIL  debug-memory-fault: 1 required failed

FAIL  env.HSA_TOOLS_LIB  not set, expected
      /opt/rocm/lib/librocm-debug-agent.so.2
      detail   The file /opt/rocm/lib/librocm-debug-agent.so.2 does not exist.
      why      The agent prints waves and kernel at the fault; ROCr ignores a
               missing file, so its existence is checked.
      next     Install the package that contains the file, or set the variable
               to its location.

1 failed (-v lists all)
? 1
$ HSA_TOOLS_LIB=/opt/rocm/lib/librocm-debug-agent.so.2 rocenv check -p debug-memory-fault --sysroot mi300x-spx --only env.HSA_TOOLS_LIB --format json | jq -c '.findings[] | [.outcome, .have, .detail]'
["differs","/opt/rocm/lib/librocm-debug-agent.so.2","the file /opt/rocm/lib/librocm-debug-agent.so.2 does not exist"]

# The checking side: a text that its reader takes for off.
$ PYTORCH_TUNABLEOP_ENABLED=true PYTORCH_TUNABLEOP_TUNING=0 rocenv check -p tunableop-use --sysroot mi300x-spx
FAIL  tunableop-use: 2 required failed

FAIL  env.PYTORCH_TUNABLEOP_ENABLED  true (read as false), expected 1
      detail   PyTorch TunableOp reads "true" as off; write 1 or 0.
      why      Results are used only while TunableOp is on; its reader accepts
               only the exact text 1.
      next     export PYTORCH_TUNABLEOP_ENABLED=1
FAIL  tunableop.results  tunableop_results0.csv: 0 results, expected a file that
      PyTorch takes here
      detail   The file does not exist: GPU 0 runs untuned.
      why      PyTorch ignores a result file of another version or GPU without a
               warning.
      next     rocenv tunableop check tunableop_results0.csv

2 failed, 2 passed (-v lists all)
? 1
$ PYTORCH_TUNABLEOP_ENABLED=1 PYTORCH_TUNABLEOP_TUNING=0 rocenv check -p tunableop-use --sysroot mi300x-spx
FAIL  tunableop-use: 1 required failed

FAIL  tunableop.results  tunableop_results0.csv: 0 results, expected a file that
      PyTorch takes here
      detail   The file does not exist: GPU 0 runs untuned.
      why      PyTorch ignores a result file of another version or GPU without a
               warning.
      next     rocenv tunableop check tunableop_results0.csv

1 failed, 3 passed (-v lists all)
? 1

# What the recipe wants of the node.
$ rocenv set --dry-run -p mlperf-5.1-llama2-70b-server-mi300x --sysroot mi300x-spx --only 'gpu.*,kernel.thp*'
DRY RUN  mlperf-5.1-llama2-70b-server-mi300x: 4 settings would be changed;
         nothing was written
  gpu.determinism    off      ->  1300    8 GPUs
  gpu.soc_pstate     0        ->  1       8 GPUs
  kernel.thp         madvise  ->  always
  kernel.thp_defrag  madvise  ->  always

Writes, in this order:
   1  gpu.determinism 0000:05:00.0
      echo perf_determinism > \
        /sys/bus/pci/devices/0000:05:00.0/power_dpm_force_performance_level
   2  gpu.determinism 0000:05:00.0
      echo s 1 1300 > /sys/bus/pci/devices/0000:05:00.0/pp_od_clk_voltage
   3  gpu.determinism 0000:05:00.0
      echo c > /sys/bus/pci/devices/0000:05:00.0/pp_od_clk_voltage
      and 21 more like it (-v lists all)
  25  gpu.soc_pstate 0000:05:00.0
      echo 1 > /sys/bus/pci/devices/0000:05:00.0/pm_policy/soc_pstate
  26  gpu.soc_pstate 0000:09:00.0
      echo 1 > /sys/bus/pci/devices/0000:09:00.0/pm_policy/soc_pstate
  27  gpu.soc_pstate 0000:45:00.0
      echo 1 > /sys/bus/pci/devices/0000:45:00.0/pm_policy/soc_pstate
      and 5 more like it (-v lists all)
  33  kernel.thp system
      echo always > /sys/kernel/mm/transparent_hugepage/enabled
  34  kernel.thp_defrag system
      echo always > /sys/kernel/mm/transparent_hugepage/defrag

# Two profiles that contradict each other, and none that do.
$ rocenv env -p tunableop-tune -p tunableop-use
rocenv: built-in:tunableop-use:17:6: warning: env.PYTORCH_TUNABLEOP_TUNING: "0" here takes the place of "1" at built-in:tunableop-tune:18:6, and neither profile extends the other
export PYTORCH_TUNABLEOP_ENABLED='1'
unset PYTORCH_TUNABLEOP_RECORD_UNTUNED
export PYTORCH_TUNABLEOP_TUNING='0'
export PYTORCH_TUNABLEOP_VERBOSE='1'
$ rocenv check -p miopen-tune -p miopen-use --sysroot mi300x-spx --only env.MIOPEN_FIND_MODE
rocenv: built-in:miopen-use:10:6: warning: env.MIOPEN_FIND_ENFORCE: unset here takes the place of "3" at built-in:miopen-tune:11:6, and neither profile extends the other
rocenv: built-in:miopen-use:16:6: warning: env.MIOPEN_FIND_MODE: "2" here takes the place of "1" at built-in:miopen-tune:17:6, and neither profile extends the other
WARN  miopen-tune + miopen-use: all required checks passed, 1 recommendation not
      met

WARN  env.MIOPEN_FIND_MODE  not set, expected 2
      detail   The default is DYNAMIC_HYBRID.
      why      MIOpen uses FindDb, else a prediction, so no call stalls; the
               default measures missing shapes.
      next     export MIOPEN_FIND_MODE=2

1 warning (-v lists all)
$ rocenv run -p tunableop-tune -p tunableop-off -- printenv PYTORCH_TUNABLEOP_ENABLED
rocenv: built-in:tunableop-off:7:6: warning: env.PYTORCH_TUNABLEOP_ENABLED: "0" here takes the place of "1" at built-in:tunableop-tune:12:6, and neither profile extends the other
0
$ rocenv env -p rccl -p fsdp --sysroot mi300x-spx
export GPU_MAX_HW_QUEUES='2'
export HSA_NO_SCRATCH_RECLAIM='1'
export NCCL_MIN_NCHANNELS='112'
unset RCCL_MSCCL_ENABLE
export TORCH_NCCL_HIGH_PRIORITY='1'
$ rocenv env -p mlperf-5.1 -p mlperf-5.1-mixtral-8x7b-server-mi325x --ignore-match --sysroot mi300x-spx -q | grep -c export
16

# Conditions in a profile of one's own.
$ mkdir -p opt/rocm/.info proc && echo 6.3.1-48 >opt/rocm/.info/version
$ cat >mine.toml <<'END'
> [profile]
> name = "mine"
> summary = "Ours"
> also = ["A chilled door on the rack"]
> [env]
> NCCL_DEBUG = { value = "WARN", when = { rocm = ">=6.2,<6.4" } }
> TORCH_NCCL_HIGH_PRIORITY = { value = "1", when = { torch = ">=99" } }
> MIOPEN_FIND_MODE = { value = "2", when = { rocm = ">=7" } }
> END
$ rocenv profile lint ./mine.toml
./mine.toml: no findings
$ rocenv env -p ./mine.toml --sysroot .
export NCCL_DEBUG='WARN'
export TORCH_NCCL_HIGH_PRIORITY='1'
$ rocenv env -v -p ./mine.toml --sysroot . --color always
rocenv: NCCL_DEBUG: required by ./mine.toml:6:1, when rocm >=6.2,<6.4
rocenv: TORCH_NCCL_HIGH_PRIORITY: required by ./mine.toml:7:1, when torch >=99
export NCCL_DEBUG='WARN'
export TORCH_NCCL_HIGH_PRIORITY='1'
$ rocenv profile show ./mine.toml --sysroot .
./mine.toml

env.NCCL_DEBUG = "WARN" (required)
  Programs parse the same text differently, and ignore invalid text without a
  message
  source   the reader's own source, per variable
  when     rocm >=6.2,<6.4

env.TORCH_NCCL_HIGH_PRIORITY = "1" (required)
  Programs parse the same text differently, and ignore invalid text without a
  message
  source   the reader's own source, per variable
  when     torch >=99

Does not apply to this node
- env.MIOPEN_FIND_MODE: rocm is 6.3.1-48, not >=7 (./mine.toml:8:1)

Also needed, and not set by rocenv
- A chilled door on the rack
$ sed -i 's/torch = ">=99"/trition = "3"/' mine.toml && rocenv profile lint ./mine.toml
./mine.toml:7:62: error: unknown key 'trition' in when. Did you mean 'triton'?
? 2

# A vLLM that is later than the recipe's: what only that one read is left out.
$ mkdir -p opt/venv/lib/python3.12/site-packages/vllm-0.11.0.dist-info
$ echo 'Version: 0.11.0' >opt/venv/lib/python3.12/site-packages/vllm-0.11.0.dist-info/METADATA
$ rocenv env -p mlperf-5.1 --sysroot .
export HARNESS_DISABLE_VLLM_LOGS='1'
export HARNESS_GC_LIMIT='100000'
export HIP_FORCE_DEV_KERNARG='1'
export VLLM_ENGINE_ITERATION_TIMEOUT_S='36000'
export VLLM_LOGGING_LEVEL='ERROR'
$ rocenv profile show mlperf-5.1 --sysroot . | sed -n '/^left out/,/^$/p'


# How many GPUs a job may open decides: each of its ranks sees one, and they talk over all. Unknown never fails.
$ printf '[profile]\nname = "g"\n[env]\nNCCL_MIN_NCHANNELS = { value = "112", when = { gpus = ">=2" } }\nHSA_XNACK = { value = "1", when = { gpus = "=1" } }\n' > gpus.toml; rocenv env -p ./gpus.toml --sysroot mi300x-spx
export NCCL_MIN_NCHANNELS='112'
$ ROCR_VISIBLE_DEVICES=3 rocenv env -p ./gpus.toml --sysroot mi300x-spx
export NCCL_MIN_NCHANNELS='112'
$ HIP_VISIBLE_DEVICES=3,4 rocenv env -p ./gpus.toml --sysroot mi300x-spx
export NCCL_MIN_NCHANNELS='112'
$ rocenv env -p ./gpus.toml --sysroot mi300x-cpx
export NCCL_MIN_NCHANNELS='112'
$ rocenv env -p ./gpus.toml --sysroot no-gpu
export HSA_XNACK='1'
export NCCL_MIN_NCHANNELS='112'
$ cat >hides.toml <<'END'
> [profile]
> name = "hides"
> summary = "a list of a larger node"
> [env]
> HIP_VISIBLE_DEVICES = "8,9"
> END
$ rocenv env -p ./hides.toml --sysroot mi300x-spx
rocenv: HIP_VISIBLE_DEVICES=8,9 selects none of 8 GPU devices
export HIP_VISIBLE_DEVICES='8,9'

# What run prints, before the program and about it, shows no password.
$ printf '[profile]\nname = "r"\n[env]\nCACHE = { value = "/scratch/https://bob:word17@h/x", must_exist = true }\n' > must.toml; rocenv run -p ./must.toml --sysroot mi300x-spx -- true
rocenv: ./must.toml:4:1: warning: CACHE: /scratch/https://***@h/x does not exist
$ rocenv run --sysroot mi300x-spx --check=warn -p benchmark --want env.HF_TOKEN=word17 --want kernel.numa_balancing=0 -- true 2>&1 | grep -cE 'word17|env.HF_TOKEN='
0
? 1
