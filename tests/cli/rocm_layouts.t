# ROCm as people install it: release 10 with a stale tree beside it, Python wheels, a distribution's packages.
$ rocenv check --sysroot rocm-10 -p mi300x --only rocm.version --format jsonl | jq -r '.findings[] | "\(.outcome) \(.have): \(.detail)"'
ok 10.0.0: another installation exists: /opt/rocm-6.2.0 (6.2.0-66)
$ rocenv check --sysroot rocm-wheels -p mi300x --only rocm.version --format jsonl | jq -r '.findings[] | "\(.outcome) \(.have): \(.detail)"'
ok 10.0.0: the installation is in /opt/venv/lib/python3.12/site-packages/_rocm_sdk_core, Python wheels; another installation exists: /usr/local/lib/python3.12/dist-packages/torch (6.4, PyTorch's own)
$ rocenv check --sysroot rocm-distribution -p mi300x --only rocm.version --format jsonl | jq -r '.findings[] | "\(.outcome) \(.have): \(.detail)"'
differs 5.2: the installation is in /usr, the distribution's

# Whether the libraries know this node's GPU.
$ rocenv check --sysroot rocm-10 -p mi300x --only rocm.arch --format jsonl | jq -r '.findings[] | "\(.outcome) \(.have): \(.detail)"'
ok gfx942: 
ok gfx942: 
ok gfx942: 
$ rocenv check --sysroot rocm-wheels -p mi300x --only rocm.arch --format jsonl | jq -r '.findings[] | "\(.outcome) \(.have): \(.detail)"'
ok gfx942: 
ok gfx942: 
ok gfx942: 
differs none: /usr/local/lib/python3.12/dist-packages/torch/lib/rocblas/library lacks the index or the kernels of gfx942: rocBLAS ends the program at the first matrix product
differs none: /usr/local/lib/python3.12/dist-packages/torch/lib/hipblaslt/library lacks the index or the kernels of gfx942: hipBLASLt has no kernel, so matrix products that use it fail
differs none: /usr/local/lib/python3.12/dist-packages/torch/share/miopen/db has no files for gfx942: MIOpen searches and compiles at first use, so the first steps are slow
$ rocenv check --sysroot rocm-distribution -p mi300x --only rocm.arch --format jsonl | jq -r '.findings[] | "\(.outcome) \(.have): \(.detail)"'
na null: the ROCm of this system has no rocBLAS, hipBLASLt or MIOpen

# The default of kernel arguments goes by that version.
$ rocenv check --sysroot rocm-10 -p mi300x --only env.HIP_FORCE_DEV_KERNARG --format jsonl | jq -r '.findings[] | "\(.outcome) \(.have): \(.detail)"'
ok null: not set; on by default with ROCm 6.1.2 and later on this GPU
$ rocenv check --sysroot rocm-wheels -p mi300x --only env.HIP_FORCE_DEV_KERNARG --format jsonl | jq -r '.findings[] | "\(.outcome) \(.have): \(.detail)"'
ok null: not set; on by default with ROCm 6.1.2 and later on this GPU
$ rocenv check --sysroot rocm-distribution -p mi300x --only env.HIP_FORCE_DEV_KERNARG --format jsonl | jq -r '.findings[] | "\(.outcome) \(.have): \(.detail)"'
na null: first read in rocm 5.7.1, not yet in 5.2

# The debug agent lies in the ROCm that counts, or where ROCM_PATH says.
$ rocenv env -p debug-memory-fault --sysroot rocm-10
export HSA_DISABLE_FRAGMENT_ALLOCATOR='1'
export HSA_ENABLE_DEBUG='1'
export HSA_TOOLS_LIB='/opt/rocm/core/lib/librocm-debug-agent.so.2'
export PYTORCH_NO_HIP_MEMORY_CACHING='1'
export ROCM_DEBUG_AGENT_OPTIONS='--all --save-code-objects'
$ ROCM_PATH=/opt/rocm/core-10.0 rocenv env -p debug-memory-fault --sysroot rocm-10
export HSA_DISABLE_FRAGMENT_ALLOCATOR='1'
export HSA_ENABLE_DEBUG='1'
export HSA_TOOLS_LIB='/opt/rocm/core-10.0/lib/librocm-debug-agent.so.2'
export PYTORCH_NO_HIP_MEMORY_CACHING='1'
export ROCM_DEBUG_AGENT_OPTIONS='--all --save-code-objects'
$ ROCM_PATH=/opt/rocm-6.2.0 rocenv env -p debug-memory-fault --sysroot rocm-10
rocenv: built-in:debug-memory-fault:10:6: warning: HSA_TOOLS_LIB: /opt/rocm-6.2.0/lib/librocm-debug-agent.so.2 does not exist
export HSA_DISABLE_FRAGMENT_ALLOCATOR='1'
export HSA_ENABLE_DEBUG='1'
export HSA_TOOLS_LIB='/opt/rocm-6.2.0/lib/librocm-debug-agent.so.2'
export PYTORCH_NO_HIP_MEMORY_CACHING='1'
export ROCM_DEBUG_AGENT_OPTIONS='--all --save-code-objects'

# What is assumed of ROCm counts for the tree and for the driver alike.
$ rocenv check --sysroot mi300x-spx --assume rocm=7.2 --only rocm.version,rocm.driver_match
WARN  mi300x: all required checks passed, 1 recommendation not met
      8 x AMD Instinct MI300X

WARN  rocm.driver_match  ROCm 7.2 on amdgpu 6.8.5 (driver release 6.2), expected
      match
      detail   AMD publishes this driver for ROCm 6.0 to 7.0.
      why      If ROCm and the driver are too far apart, calls fail that the
               other does not support.
      next     Install a newer amdgpu-dkms (in a container: on its host), or use
               ROCm 7.0.

1 warning, 1 passed (-v lists all)
$ rocenv check --sysroot mi300x-spx --assume rocm=6.1 --only rocm.version,rocm.driver_match -v | head -6
PASS  mi300x: all required and recommended checks passed
      8 x AMD Instinct MI300X

Passed
PASS  rocm.version  6.1 (info)
PASS  rocm.driver_match  ROCm 6.1 on amdgpu 6.8.5 (driver release 6.2)

# A file that must be there is looked for in the tree that counts.
$ cp -r mi300x-spx/. beside && chmod -R u+w beside && mkdir -p beside/opt/rocm-7.0.0/{lib,.info} && echo 7.0.0-1 > beside/opt/rocm-7.0.0/.info/version; ROCM_PATH=/opt/rocm-7.0.0 rocenv check --sysroot beside -p debug-memory-fault --only env.HSA_TOOLS_LIB | head -5
FAIL  debug-memory-fault: 1 required failed

FAIL  env.HSA_TOOLS_LIB  not set, expected
      /opt/rocm-7.0.0/lib/librocm-debug-agent.so.2
      detail   The file /opt/rocm-7.0.0/lib/librocm-debug-agent.so.2 does not
$ : > beside/opt/rocm-7.0.0/lib/librocm-debug-agent.so.2; HSA_TOOLS_LIB=/opt/rocm-7.0.0/lib/librocm-debug-agent.so.2 ROCM_PATH=/opt/rocm-7.0.0 rocenv check --sysroot beside -p debug-memory-fault --only env.HSA_TOOLS_LIB
PASS  debug-memory-fault: all required and recommended checks passed

1 passed (-v lists all)
