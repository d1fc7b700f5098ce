# What env prints, and what check says of variables, asked for or not.
$ cat >site.toml <<'END'
> [profile]
> name = "site"
> summary = "two variables, one that must go, one put together"
> [env]
> HIP_FORCE_DEV_KERNARG = { value = "1", level = "recommended" }
> MIOPEN_FIND_MODE = { value = "NORMAL", level = "info" }
> VLLM_USE_V1 = { unset = true, level = "recommended" }
> CACHE = "${HOME}/cache of $$USER, ${GPU_COUNT} GPUs, rank ${LOCAL_RANK}"
> END
$ HOME=/home/a SLURM_LOCALID=3 rocenv env -p ./site.toml --sysroot mi300x-cpx
export CACHE='/home/a/cache of $USER, 64 GPUs, rank 3'
export HIP_FORCE_DEV_KERNARG='1'
unset VLLM_USE_V1
$ rocenv env -p ./site.toml --sysroot mi300x-spx
rocenv: ./site.toml:8:1: CACHE: ${LOCAL_RANK} is not set (a plain $ is written $$)
? 2
$ HOME=/ LOCAL_RANK=0 rocenv env -p ./site.toml --format docker --sysroot mi300x-spx
rocenv: VLLM_USE_V1 must not be set. The format docker cannot express that, and leaves it out
CACHE=//cache of $USER, 8 GPUs, rank 0
HIP_FORCE_DEV_KERNARG=1
$ rocenv env -p ./site.toml --format docker --only env.VLLM_USE_V1 -q
$ HOME="$(printf 'a\nb')" LOCAL_RANK=0 rocenv env -p ./site.toml --format docker --sysroot mi300x-spx
rocenv: CACHE: a line of this format cannot hold a line end (--format docker)
? 2

# Nobody asked for these: what is misread is told, the rest with -v. Values of unknown names are not printed.

$ cat >vars <<'END'
> export PYTORCH_TUNABLEOP_TUNING=no MIOPEN_FIND_MODES=secret NCCL_NONSENSE=secret SOME_TOKEN=secret
> export AMD_SERIALIZE_KERNEL=3 VLLM_USE_TRITON_FLASH_ATTN=1 OPTIMIZE_EPILOGUE=1 GPU_MAX_HW_QUEUES=4
> END
$ . ./vars; rocenv check -p host --scope process --only 'env.*' --assume vllm=0.13
WARN  host: all required checks passed, 1 recommendation not met

WARN  env.PYTORCH_TUNABLEOP_TUNING  no (read as true)
      detail   PyTorch TunableOp reads "no" as on; write 1 or 0; no effect
               without PYTORCH_TUNABLEOP_ENABLED=1.
      why      Measures all candidates for a matrix shape that the result file
               does not hold.
      next     Correct the variable where it is set.
INFO  env.MIOPEN_FIND_MODES  not in this catalogue (facts of 2026-11-22). Did
      you mean 'MIOPEN_FIND_MODE'?
INFO  env.OPTIMIZE_EPILOGUE  1 (read as true): no program reads this variable
      since triton 3.0
INFO  env.VLLM_USE_TRITON_FLASH_ATTN  1 (read as true): read before vllm 0.12,
      no longer in 0.13

1 warning, 3 optional, 1 passed, 1 not applicable (-v lists all)
$ . ./vars; rocenv check -p host --scope process --only 'env.*' --assume vllm=0.13 -v | grep '^[A-Z]'
WARN  host: all required checks passed, 1 recommendation not met
WARN  env.PYTORCH_TUNABLEOP_TUNING  no (read as true)
INFO  env.AMD_SERIALIZE_KERNEL  3
INFO  env.MIOPEN_FIND_MODES  not in this catalogue (facts of 2026-11-22). Did
INFO  env.NCCL_NONSENSE  not in this catalogue (facts of 2026-11-22)
INFO  env.OPTIMIZE_EPILOGUE  1 (read as true)
INFO  env.VLLM_USE_TRITON_FLASH_ATTN  1 (read as true)
Passed
PASS  env.GPU_MAX_HW_QUEUES  4 (info): equal to its default
Not applicable
$ . ./vars; rocenv check -p host --scope all -v --format json | grep -c secret
0
? 1
$ . ./vars; rocenv check -p host --scope node -v | grep 'env\.'
? 1

# A file that docker or systemd would read, or another process.

$ printf 'HIP_FORCE_DEV_KERNARG="1"\n# no\nHOME\nAMD_SERIALIZE_KERNEL=3\n' >job.env
$ rocenv check -p container --sysroot mi300x-spx --env-file job.env | grep '^[A-Zn]'
WARN  container: all required checks passed, 1 recommendation not met
WARN  env.HIP_FORCE_DEV_KERNARG  "1" (read as false), expected 1
note: checked the environment in job.env
$ rocenv check -p container --sysroot mi300x-spx --env-file systemd:job.env -v | grep -e '^[A-Zn].*env' -e detail
WARN  env.file  job.env:3: ignored
      detail   Systemd ignores a line without =.
INFO  env.AMD_SERIALIZE_KERNEL  3
      detail   A debug switch is on, which is not for production.
PASS  env.HIP_FORCE_DEV_KERNARG  1 (recommended)
note: checked the environment in systemd:job.env
$ printf 'A B=1\n' >bad.env; rocenv check --env-file bad.env
rocenv: bad.env:1: "A" and the text after it is not a valid name (docker rejects it)
? 2
$ printf 'A="1\n' >bad.env; rocenv check --env-file systemd:bad.env
rocenv: bad.env:1: a quote is not closed
? 2
$ rocenv check --env-file none.env
rocenv: cannot read 'none.env': No such file or directory
? 2
$ rocenv check --pid 0
rocenv: invalid value '0' for --pid: expected a process id
Try 'rocenv check --help'.
? 2
$ rocenv check --pid 1 --sysroot mi300x-spx
rocenv: no process has the id '1' (--pid)
? 2
$ rocenv check --assume nonsense=1
rocenv: unknown package 'nonsense' for --assume: expected rocm, torch, hip, triton, vllm, aiter, hipblaslt, rocblas, miopen, rccl, nccl, accelerate, flash-attn, transformer-engine, mori, mscclpp, ray or sglang
? 2

# Under sudo, in a job's prolog and in a container: nothing about variables that is not so.

$ SUDO_UID=1000 rocenv check -p mi200 --sysroot mi250x -v | grep -e 'env\.' -e note: -A1
note: under sudo only the node is checked, not this process (--scope all checks
both)
$ SLURM_JOB_ID=7 SLURM_LOCALID=0 ROCR_VISIBLE_DEVICES=0,1 rocenv check -p mi200 --sysroot mi250x --format json | jq -c '.findings[] | select(.id | startswith("env.") or startswith("gpu.")) | [.id, .level, .outcome, .have, .effective]'
["gpu.driver","required","ok","6.3.6",null]
["gpu.parameters","info","ok","default",null]
["gpu.count","required","ok","8",null]
["gpu.model","required","ok","0x7408",null]
["gpu.model","required","ok","0x7408",null]
["gpu.model","required","ok","0x7408",null]
["gpu.model","required","ok","0x7408",null]
["gpu.model","required","ok","0x7408",null]
["gpu.model","required","ok","0x7408",null]
["gpu.model","required","ok","0x7408",null]
["gpu.model","required","ok","0x7408",null]
["gpu.visible","recommended","ok","2",null]
["gpu.users","info","ok","0",null]
["gpu.compute_units","required","ok","110",null]
["gpu.compute_units","required","ok","110",null]
["gpu.compute_units","required","ok","110",null]
["gpu.compute_units","required","ok","110",null]
["gpu.compute_units","required","ok","110",null]
["gpu.compute_units","required","ok","110",null]
["gpu.compute_units","required","ok","110",null]
["gpu.compute_units","required","ok","110",null]
["gpu.xgmi","recommended","ok","mesh",null]
["gpu.atomics","info","ok","on",null]
["gpu.atomics","info","ok","on",null]
["gpu.atomics","info","ok","on",null]
["gpu.atomics","info","ok","on",null]
["gpu.atomics","info","ok","on",null]
["gpu.atomics","info","ok","on",null]
["gpu.atomics","info","ok","on",null]
["gpu.atomics","info","ok","on",null]
["gpu.compute_partition","required","na",null,null]
["gpu.compute_partition","required","na",null,null]
["gpu.compute_partition","required","na",null,null]
["gpu.compute_partition","required","na",null,null]
["gpu.compute_partition","required","na",null,null]
["gpu.compute_partition","required","na",null,null]
["gpu.compute_partition","required","na",null,null]
["gpu.compute_partition","required","na",null,null]
["gpu.memory_partition","required","na",null,null]
["gpu.memory_partition","required","na",null,null]
["gpu.memory_partition","required","na",null,null]
["gpu.memory_partition","required","na",null,null]
["gpu.memory_partition","required","na",null,null]
["gpu.memory_partition","required","na",null,null]
["gpu.memory_partition","required","na",null,null]
["gpu.memory_partition","required","na",null,null]
["gpu.determinism","info","na",null,null]
["gpu.determinism","info","na",null,null]
["gpu.determinism","info","na",null,null]
["gpu.determinism","info","na",null,null]
["gpu.determinism","info","na",null,null]
["gpu.determinism","info","na",null,null]
["gpu.determinism","info","na",null,null]
["gpu.determinism","info","na",null,null]
["gpu.soc_pstate","info","na",null,null]
["gpu.soc_pstate","info","na",null,null]
["gpu.soc_pstate","info","na",null,null]
["gpu.soc_pstate","info","na",null,null]
["gpu.soc_pstate","info","na",null,null]
["gpu.soc_pstate","info","na",null,null]
["gpu.soc_pstate","info","na",null,null]
["gpu.soc_pstate","info","na",null,null]
["env.HIP_FORCE_DEV_KERNARG","info","differs",null,"false"]
["env.ROCR_VISIBLE_DEVICES","info","ok","0,1","0,1"]
$ ROCR_VISIBLE_DEVICES=0,1 rocenv check -p container --sysroot mi250x --scope process --only 'env.*,gpu.*' -v | sed -n '/^Passed/,$p'
Passed
PASS  gpu.visible  2 (required): ROCR_VISIBLE_DEVICES=0,1 leaves 2 of 8; the
      process sees GPU 0 (0000:c1:00.0), GPU 1 (0000:c6:00.0); device files were
      not checked
PASS  env.ROCR_VISIBLE_DEVICES  0,1 (info)

1 warning, 2 passed
$ printf '[profile]\nname = "s"\nsummary = "s"\n[env]\nHF_TOKEN = "hf_GEHEIM"\n' > s.toml; HF_TOKEN=hf_GEHEIM2 rocenv check --sysroot no-gpu -p ./s.toml --scope process --only env.HF_TOKEN
FAIL  ./s.toml: 1 required failed

FAIL  env.HF_TOKEN  a secret, not shown, expected a secret, not shown
      why      Token for gated and private models; wins over the stored login.
      next     Set HF_TOKEN in the job's environment.

1 failed (-v lists all)
? 1
$ for f in human json jsonl junit prometheus nagios github brief; do HF_TOKEN=hf_GEHEIM2 TORCHINDUCTOR_REDIS_URL=redis://u:GEHEIM@h rocenv check --sysroot no-gpu -p ./s.toml --scope process --format $f -v | grep -c GEHEIM; done
0
0
0
0
0
0
0
0
? 1
$ mkdir -p cfg/rocenv/profiles && cp s.toml cfg/rocenv/profiles && export XDG_CONFIG_HOME=$PWD/cfg; rocenv explain --sysroot no-gpu HF_TOKEN | grep -A1 profiles; TORCHINDUCTOR_REDIS_URL=redis://u:GEHEIM@h rocenv explain --sysroot no-gpu TORCHINDUCTOR_REDIS_URL HF_TOKEN --format json | grep -c GEHEIM; unset XDG_CONFIG_HOME
  profiles   a secret (required): s
  source     huggingface/huggingface_hub src/huggingface_hub/utils/_auth.py,
0
$ HIP_PATH=/opt/rocm HIPBLASLT_WORKSPACE_SIZE=1 rocenv check --sysroot mi300x-spx -p host --scope process -v --only 'env.*' --assume vllm=0.10.0,rocm=6.2,torch=2.11.0,triton=3.5 | grep -A2 -e env.HIP_PATH -e env.HIPBLASLT_W
PASS  env.HIPBLASLT_WORKSPACE_SIZE  1 (info)
PASS  env.HIP_PATH  /opt/rocm (info)

3 passed
$ for value in '' TORCHINDUCTOR_SEARCH_AUTOTUNE_CACHE=1; do env $value rocenv check --sysroot mi300x-spx --scope process --only env.TORCHINDUCTOR_SEARCH_AUTOTUNE_CACHE --want env.TORCHINDUCTOR_SEARCH_AUTOTUNE_CACHE=1 --assume torch=2.14.1 -v; done
PASS  mi300x: all required and recommended checks passed
      8 x AMD Instinct MI300X

Not applicable
      env.TORCHINDUCTOR_SEARCH_AUTOTUNE_CACHE  (required): last read in torch
      2.6.0, no longer in 2.14.1

1 not applicable
PASS  mi300x: all required and recommended checks passed
      8 x AMD Instinct MI300X

Not applicable
      env.TORCHINDUCTOR_SEARCH_AUTOTUNE_CACHE  (required): last read in torch
      2.6.0, no longer in 2.14.1

1 not applicable
$ printf '[profile]\nname = "u"\nsummary = "u"\n[env]\nHF_TOKEN = { unset = true }\nWANDB_API_KEY = { value = "/GEHEIM", must_exist = true }\n' > u.toml; HF_TOKEN=GEHEIM rocenv check --sysroot no-gpu -p ./u.toml --scope process --only 'env.*'; HF_TOKEN=GEHEIM rocenv check --sysroot no-gpu -p ./u.toml --scope process --facts --format json | grep -c GEHEIM
FAIL  ./u.toml: 2 required failed

FAIL  env.HF_TOKEN  a secret, not shown, expected to be unset
      why      Token for gated and private models; wins over the stored login.
      next     unset HF_TOKEN
FAIL  env.WANDB_API_KEY  not set, expected a secret, not shown
      detail   A value that the profile expects is not available here.
      why      Key of the account that runs are reported to.
      next     Set WANDB_API_KEY in the job's environment.

2 failed (-v lists all)
0
? 1

$ for rocm in 6.2.0 7.2; do NCCL_GIN_ENABLE=0 rocenv check --sysroot mi300x-spx -p host --scope process --only 'env.*' -v --assume rocm=$rocm | grep -A3 env.NCCL; done
INFO  env.NCCL_GIN_ENABLE  0
      detail   RCCL of rocm 6.2.0 does not read the variable, but NCCL does.
      why      Lets the GPU start network transfers.
      source   NVIDIA/nccl src/, tags 2.8.4 to 2.30.7, 2026-11
UNKNOWN  env.NCCL_GIN_ENABLE  could not be read
         detail   Rocm 7.2 was not checked.
         next     Check whether that release reads the variable.




# A variable of one node of the topology is judged as that of all.
$ HSA_OVERRIDE_GFX_VERSION_0=garbage rocenv check -p host --only 'env.HSA*' --sysroot mi300x-spx --assume rocm=7.0.2
WARN  host: all required checks passed, 1 recommendation not met

WARN  env.HSA_OVERRIDE_GFX_VERSION_0  garbage (read as error)
      detail   ROCR runtime fails on "garbage". KFD node 0 is not a GPU: the
               number is the node id of KFD, which also counts CPU nodes.
      why      GPU version that the runtime reports, as major.minor.stepping.
      next     unset HSA_OVERRIDE_GFX_VERSION_0

1 warning (-v lists all)
$ HSA_OVERRIDE_GFX_VERSION_0=9.4.2 rocenv explain 'HSA_OVERRIDE*' --set --sysroot mi300x-spx | tail -n 2
             wrong: first read in rocm 6.3, not yet in 6.2.0
  next       remove HSA_OVERRIDE_GFX_VERSION_0 where it is set
