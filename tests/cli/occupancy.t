# The tuning guides' example: 170 VGPRs are given 176. Without a GPU here the table is used.
$ rocenv occupancy --arch gfx942 --vgprs 170 --sysroot no-gpu
gfx942
  2 waves per SIMD, limited by VGPRs: 8 work-groups of 1 wave on a CU
  next     2 fewer VGPRs give 3 waves
  uses     170 VGPRs, 0 AGPRs (176 registers given), 0 SGPRs, 1 wave, 0 bytes of
           LDS
  GPU      gfx942, 304 CUs of 4 SIMDs and 65536 bytes of LDS (table, MI300X)
$ rocenv occupancy --vgprs 170 --sysroot no-gpu
rocenv: this node has no GPU. Name one with --arch
? 2

# Otherwise the node's GPU, its LDS, its SIMDs and its CUs.
$ rocenv occupancy --vgprs 170 --waves 4 --lds 32768 --grid 256 -v --sysroot mi300x-spx
gfx942
  2 waves per SIMD, limited by VGPRs: 2 work-groups of 4 waves on a CU
  next     2 fewer VGPRs and 11264 fewer bytes of LDS give 3 waves
  uses     170 VGPRs, 0 AGPRs (176 registers given), 0 SGPRs, 4 waves, 32768
           bytes of LDS
  limits   work-groups that fit by VGPRs 2, SGPRs any, LDS 2, barriers 16, waves
           8
  GPU      gfx942, 304 CUs of 4 SIMDs and 65536 bytes of LDS (this node)
  grid     256 work-groups on 304 CUs: 84 % full; the tuning guide of MI300X
           advises 1024 or more
$ rocenv occupancy --grid 1024 --sysroot mi300x-cpx
gfx942
  8 waves per SIMD, the maximum: 32 work-groups of 1 wave on a CU
  uses     0 VGPRs, 0 AGPRs, 0 SGPRs, 1 wave, 0 bytes of LDS
  GPU      gfx942, 38 CUs of 4 SIMDs and 65536 bytes of LDS (this node)
  grid     1024 work-groups on 38 CUs: 99 % full, the last round has 36
$ rocenv occupancy --grid 127 --sysroot mi300x-cpx | tail -n 2
           or more that the tuning guide of MI300X advises are 128 for so many
           CUs
$ rocenv occupancy --vgprs 8 --lds 16384 --waves 2 --grid 2048 --sysroot mi350x
gfx950
  4 waves per SIMD, limited by LDS: 9 work-groups of 2 waves on a CU
  next     1024 fewer bytes of LDS give 5 waves
  uses     8 VGPRs, 0 AGPRs, 0 SGPRs, 2 waves, 16384 bytes of LDS (16640 given)
  GPU      gfx950, 256 CUs of 4 SIMDs and 163840 bytes of LDS (this node)
  grid     2048 work-groups on 256 CUs: 100 % full

# The gfx950 LDS cases, and the other limits.
$ for lds in 16384 32768; do rocenv occupancy --arch gfx950 --lds "$lds" --sysroot no-gpu --format json; done | jq -c '.[] | [.lds_bytes, .workgroups_per_cu, .limited_by]'
[16384,9,"lds"]
[32768,4,"lds"]
$ rocenv occupancy --arch gfx942 --sgprs 104 --sysroot no-gpu
gfx942
  7 waves per SIMD, limited by SGPRs: 28 work-groups of 1 wave on a CU
  next     4 fewer SGPRs give 8 waves
  uses     0 VGPRs, 0 AGPRs, 104 SGPRs, 1 wave, 0 bytes of LDS
  GPU      gfx942, 304 CUs of 4 SIMDs and 65536 bytes of LDS (table, MI300X)
$ rocenv occupancy --arch gfx908 --waves 2 --sysroot no-gpu
gfx908
  8 waves per SIMD, limited by barriers: 16 work-groups of 2 waves on a CU
  uses     0 VGPRs, 0 AGPRs, 0 SGPRs, 2 waves, 0 bytes of LDS
  GPU      gfx908, 120 CUs of 4 SIMDs and 65536 bytes of LDS (table, MI100)
$ rocenv occupancy --arch gfx90a --vgprs 72 --agprs 32 --sysroot no-gpu
gfx90a
  4 waves per SIMD, limited by VGPRs: 16 work-groups of 1 wave on a CU
  next     8 fewer VGPRs or AGPRs give 5 waves
  uses     72 VGPRs, 32 AGPRs (104 registers given), 0 SGPRs, 1 wave, 0 bytes of
           LDS
  GPU      gfx90a, 110 CUs of 4 SIMDs and 65536 bytes of LDS (table, MI250X, one
           die)
$ rocenv occupancy --arch gfx942 --vgprs 512 --waves 8 --grid 10 --sysroot no-gpu
gfx942
  0 waves per SIMD, limited by VGPRs: a work-group of 8 waves does not fit on a
  CU
  next     256 fewer VGPRs give 2 waves
  uses     512 VGPRs, 0 AGPRs, 0 SGPRs, 8 waves, 0 bytes of LDS
  GPU      gfx942, 304 CUs of 4 SIMDs and 65536 bytes of LDS (table, MI300X)
  grid     10 work-groups on 304 CUs; the tuning guide of MI300X advises 1024 or
           more
$ rocenv occupancy --arch gfx942 --vgprs 64 --sysroot no-gpu -q

# JSON: an array, one object a kernel.
$ rocenv occupancy --arch gfx942 --vgprs 170 --waves 4 --grid 256 --sysroot no-gpu --format json
[
  {
    "kernel": null,
    "file": null,
    "arch": "gfx942",
    "waves_per_simd": 2,
    "waves_per_simd_at_most": 2,
    "limited_by": "vgpr",
    "workgroups_per_cu": 2,
    "next": {
      "waves_per_simd": 3,
      "fewer": {
        "vgprs": 2,
        "agprs": 0,
        "vgprs_or_agprs": 0,
        "sgprs": 0,
        "lds_bytes": 0
      }
    },
    "vgprs": 170,
    "agprs": 0,
    "sgprs": 0,
    "lds_bytes": 0,
    "waves_per_workgroup": 4,
    "spills": {
      "vgprs": null,
      "sgprs": null
    },
    "scratch_bytes": null,
    "dynamic_stack": null,
    "registers_possible": 512,
    "code": null,
    "grid": 256,
    "grid_fill": 0.842,
    "gpu": {
      "compute_units": {
        "value": 304,
        "from": "table"
      },
      "simds_per_cu": {
        "value": 4,
        "from": "table"
      },
      "lds_bytes_per_cu": {
        "value": 65536,
        "from": "table"
      }
    },
    "notes": []
  }
]

# Every kernel of a file. What LLVM writes as .vgpr_count has the AGPRs in it.
$ cat > two.s <<'END'
> 	.amdgcn_target "amdgcn-amd-amdhsa--gfx942:sramecc+:xnack-"
> 	.type	gemm,@function
> gemm:                                   ; @gemm
> 	v_mfma_f32_32x32x8_f16 a[0:15], v[0:1], v[2:3], a[0:15]
> 	s_endpgm
> 	.type	softmax,@function
> softmax:
> 	ds_read_b32 v0, v1
> 	s_endpgm
> 	.amdgpu_metadata
> ---
> amdhsa.kernels:
>   - .agpr_count:     32
>     .args:
>       - .offset:         0
>         .size:           8
>         .value_kind:     by_value
>     .group_segment_fixed_size: 16384
>     .max_flat_workgroup_size: 256
>     .name:           gemm
>     .sgpr_count:     42
>     .symbol:         gemm.kd
>     .vgpr_count:     104
>   - .agpr_count:     0
>     .group_segment_fixed_size: 0
>     .max_flat_workgroup_size: 256
>     .name:           softmax
>     .sgpr_count:     18
>     .symbol:         softmax.kd
>     .vgpr_count:     170
> amdhsa.target:   amdgcn-amd-amdhsa--gfx942:sramecc+:xnack-
> ...
> 	.end_amdgpu_metadata
> END
$ rocenv occupancy --asm two.s --sysroot mi300x-spx
gemm (two.s)
  4 waves per SIMD, limited by VGPRs: 4 work-groups of 4 waves on a CU
  next     8 fewer VGPRs or AGPRs and 3584 fewer bytes of LDS give 5 waves
  uses     72 VGPRs, 32 AGPRs (104 registers given), 42 SGPRs, 4 waves, 16384
           bytes of LDS
  code     0 loads (0 of 16 bytes), 0 reads of LDS (0 of 16 bytes), 0 waits, 1
           MFMA
  GPU      gfx942, 304 CUs of 4 SIMDs and 65536 bytes of LDS (this node)

softmax (two.s)
  waves per SIMD: unknown, 2 at most
  LDS      unknown: the file states none, and a launch may add to it (--lds)
  uses     170 VGPRs, 0 AGPRs (176 registers given), 18 SGPRs, 4 waves
  code     0 loads (0 of 16 bytes), 1 read of LDS (0 of 16 bytes), 0 waits, 0
           MFMA
  GPU      gfx942, 304 CUs of 4 SIMDs and 65536 bytes of LDS (this node)
$ rocenv occupancy --asm two.s --sysroot mi300x-spx --format json | jq -c '.[] | [.kernel, .waves_per_simd, .limited_by, .workgroups_per_cu, .lds_bytes]'
["gemm",4,"vgpr",4,16384]
["softmax",null,"unknown",null,null]

# What the launch adds can be said; what the file says can be changed.
$ rocenv occupancy --asm two.s --lds 40960 --waves 8 --sysroot no-gpu --format json | jq -c '.[] | [.kernel, .waves_per_simd, .limited_by]'
["gemm",2,"lds"]
["softmax",2,"vgpr"]

# LDS that is not known: no answer where it could matter, and 3 when there is no answer at all.
$ sed 's/16384/0/; s/v_mfma.*/ds_write_b32 v0, v1/' two.s > unknown.s
$ rocenv occupancy --asm unknown.s --sysroot no-gpu -q
? 3
$ sed 's/170/512/' unknown.s > full.s; rocenv occupancy --asm full.s --sysroot no-gpu --format json | jq -c '.[] | [.kernel, .waves_per_simd, .limited_by, .waves_per_simd_at_most]'
["gemm",null,"unknown",4]
["softmax",1,"vgpr",1]

# Spilled registers: more of them are wanted, whatever would give more waves. What is loaded, how wide, and waited for.
$ cat > spilled.s <<'END'
> 	.type	flash,@function
> flash:
> 	global_load_dwordx4 v[0:3], v[4:5], off
> 	global_load_dword v6, v[4:5], off
> 	buffer_load_dword v1, off, s[0:3], s32 offset:4 ; 4-byte Folded Reload
> 	s_waitcnt vmcnt(0)
> 	ds_read_b128 v[0:3], v4
> 	s_waitcnt lgkmcnt(0)
> 	v_mfma_f32_32x32x8_f16 a[0:15], v[0:1], v[2:3], a[0:15]
> 	s_endpgm
> 	.amdgpu_metadata
> ---
> amdhsa.kernels:
>   - .agpr_count:     0
>     .group_segment_fixed_size: 8192
>     .max_flat_workgroup_size: 256
>     .name:           flash
>     .private_segment_fixed_size: 516
>     .sgpr_count:     42
>     .sgpr_spill_count: 0
>     .symbol:         flash.kd
>     .uses_dynamic_stack: false
>     .vgpr_count:     256
>     .vgpr_spill_count: 128
> amdhsa.target:   amdgcn-amd-amdhsa--gfx942
> ...
> 	.end_amdgpu_metadata
> END
$ rocenv occupancy --asm spilled.s --sysroot no-gpu
flash (spilled.s)
  2 waves per SIMD, limited by VGPRs: 2 work-groups of 4 waves on a CU
  spills   128 VGPRs, 516 bytes of memory for each work-item
  next     no spills, before more waves: 512 registers are possible for a
           work-group of 4 waves (a lower waves_per_eu, the true size in
           __launch_bounds__)
  uses     256 VGPRs, 0 AGPRs, 42 SGPRs, 4 waves, 8192 bytes of LDS
  code     2 loads (1 of 16 bytes), 1 read of LDS (1 of 16 bytes), 2 waits, 1
           MFMA
  GPU      gfx942, 304 CUs of 4 SIMDs and 65536 bytes of LDS (table, MI300X)
$ rocenv occupancy --asm spilled.s --sysroot no-gpu --waves 8
flash (spilled.s)
  2 waves per SIMD, limited by VGPRs: 1 work-group of 8 waves on a CU
  spills   128 VGPRs, 516 bytes of memory for each work-item
  next     no spills, before more waves: there are no more registers for a
           work-group of 8 waves; a smaller tile needs fewer, and
           __launch_bounds__ with the true size frees some where no work-group
           is that large
  uses     256 VGPRs, 0 AGPRs, 42 SGPRs, 8 waves, 8192 bytes of LDS
  code     2 loads (1 of 16 bytes), 1 read of LDS (1 of 16 bytes), 2 waits, 1
           MFMA
  GPU      gfx942, 304 CUs of 4 SIMDs and 65536 bytes of LDS (table, MI300X)
$ rocenv occupancy --asm spilled.s --sysroot no-gpu --format json | jq -c '.[] | [.next, .spills, .scratch_bytes, .dynamic_stack, .registers_possible, .code]'
[null,{"vgprs":128,"sgprs":0},516,false,512,{"loads":2,"wide_loads":1,"lds_reads":1,"wide_lds_reads":1,"waits":2,"mfma":1,"spills":1,"calls":0}]
$ sed 's/spill_count: 128/spill_count: 0/' spilled.s > array.s; rocenv occupancy --asm array.s --sysroot no-gpu | sed -n 3,7p
  scratch  516 bytes of memory for each work-item, no register of its own is
           spilled
  next     88 fewer VGPRs give 3 waves
  uses     256 VGPRs, 0 AGPRs, 42 SGPRs, 4 waves, 8192 bytes of LDS
  code     2 loads (1 of 16 bytes), 1 read of LDS (1 of 16 bytes), 2 waits, 1
$ sed 's/spill_count: 128/spill_count: 0/; s/size: 516/size: 0/; s/stack: false/stack: true/' spilled.s > calls.s; rocenv occupancy --asm calls.s --sysroot no-gpu | sed -n 3p
  scratch  a stack for each work-item of a size known at run time only, no
$ rm -rf triton; mkdir triton; grep -v spill_count spilled.s > triton/k.amdgcn; echo '{"n_spills": 129, "num_warps": 4, "shared": 0}' > triton/k.json
$ rocenv occupancy --triton triton --sysroot no-gpu | sed -n 3,7p
  spills   129 VGPRs, 516 bytes of memory for each work-item
  next     no spills, before more waves: 512 registers are possible for a
           work-group of 4 waves (a lower waves_per_eu, the true size in
           __launch_bounds__)
  uses     256 VGPRs, 0 AGPRs, 42 SGPRs, 4 waves, 8192 bytes of LDS

# Triton: an entry with its .json, a dump with the IR, and kernels for a GPU not in the table.
$ mkdir -p cache/AB cache/CD cache/EF
$ grep -v mfma two.s > cache/AB/k.amdgcn; cp cache/AB/k.amdgcn cache/CD; sed 's/gfx942/gfx1100/' two.s > cache/EF/k.amdgcn
$ echo '{"target": {"backend": "hip", "arch": "gfx942", "warp_size": 64}, "num_warps": 8, "shared": 32768}' > cache/AB/k.json
$ echo 'module attributes {"ttg.num-warps" = 2 : i32, ttg.shared = 8192 : i32, ttg.target = "hip:gfx942"} {' > cache/CD/k.ttgir
$ rocenv occupancy --triton cache --sysroot no-gpu --format json | jq -c '.[] | [.file, .kernel, .lds_bytes, .waves_per_workgroup, .waves_per_simd, .limited_by]'
rocenv: cache/EF/k.amdgcn: kernel gemm: GPU 'gfx1100' (RDNA 3) is not supported by occupancy: a SIMD has other registers and granules for waves of 32 lanes than for 64, and a work-group runs on one CU or on two (CU or WGP mode). Supported: gfx908, gfx90a, gfx942, gfx950
rocenv: cache/EF/k.amdgcn: kernel softmax: GPU 'gfx1100' (RDNA 3) is not supported by occupancy: a SIMD has other registers and granules for waves of 32 lanes than for 64, and a work-group runs on one CU or on two (CU or WGP mode). Supported: gfx908, gfx90a, gfx942, gfx950
["cache/AB/k.amdgcn","gemm",49152,8,2,"lds"]
["cache/AB/k.amdgcn","softmax",32768,8,2,"vgpr"]
["cache/CD/k.amdgcn","gemm",24576,2,1,"lds"]
["cache/CD/k.amdgcn","softmax",8192,2,2,"vgpr"]

# --arch chooses from a cache.
$ rocenv occupancy --triton cache --arch gfx1100 --sysroot no-gpu -q
? 2
$ rocenv occupancy --triton cache --arch gfx942 --sysroot no-gpu -q
$ rocenv occupancy --triton cache/CD --sysroot no-gpu
gemm (cache/CD/k.amdgcn)
  1 wave per SIMD, limited by LDS: 2 work-groups of 2 waves on a CU
  next     8192 fewer bytes of LDS give 2 waves
  uses     72 VGPRs, 32 AGPRs (104 registers given), 42 SGPRs, 2 waves, 24576
           bytes of LDS
  code     0 loads (0 of 16 bytes), 0 reads of LDS (0 of 16 bytes), 0 waits, 0
           MFMA
  GPU      gfx942, 304 CUs of 4 SIMDs and 65536 bytes of LDS (table, MI300X)

softmax (cache/CD/k.amdgcn)
  2 waves per SIMD, limited by VGPRs: 4 work-groups of 2 waves on a CU
  next     2 fewer VGPRs give 3 waves
  uses     170 VGPRs, 0 AGPRs (176 registers given), 18 SGPRs, 2 waves, 8192
           bytes of LDS
  code     0 loads (0 of 16 bytes), 1 read of LDS (0 of 16 bytes), 0 waits, 0
           MFMA
  GPU      gfx942, 304 CUs of 4 SIMDs and 65536 bytes of LDS (table, MI300X)

# Bad usage.
$ rocenv occupancy
rocenv: no kernel is given: expected --asm FILE, --triton DIR, or resources such as --vgprs, --lds and --waves
? 2
$ rocenv occupancy --vgprs 170 --arch gfx943
rocenv: unknown GPU 'gfx943': expected gfx908, gfx90a, gfx942 or gfx950. Did you mean 'gfx942'?
? 2
$ rocenv occupancy --vgprs 257 --arch gfx908
rocenv: 257 VGPRs, gfx908 has at most 256
? 2
$ rocenv occupancy --vgprs 513 --arch gfx942
rocenv: 513 VGPRs, gfx942 has at most 512
? 2
$ rocenv occupancy --vgprs 256 --agprs 257 --arch gfx942
rocenv: 257 AGPRs, gfx942 has at most 256
? 2
$ rocenv occupancy --lds 65537 --arch gfx942
rocenv: 65537 bytes of LDS, gfx942 has at most 65536
? 2
$ rocenv occupancy --waves 17 --arch gfx942
rocenv: 17 waves of a work-group, gfx942 has at most 16
? 2
$ rocenv occupancy --waves 0 --arch gfx942
rocenv: a work-group of no waves
? 2
$ rocenv occupancy --grid 0 --arch gfx942
rocenv: invalid value '0' for --grid: expected 1 or more
Try 'rocenv occupancy --help'.
? 2
$ rocenv occupancy --vgprs -1 --arch gfx942
rocenv: invalid value '-1' for --vgprs: expected a whole number
Try 'rocenv occupancy --help'.
? 2
$ rocenv occupancy --vgprs 1e2 --arch gfx942
rocenv: invalid value '1e2' for --vgprs: expected a whole number
Try 'rocenv occupancy --help'.
? 2
$ rocenv occupancy --asm two.s --arch gfx90a
rocenv: two.s: kernel gemm: compiled for gfx942, and --arch is gfx90a
rocenv: two.s: kernel softmax: compiled for gfx942, and --arch is gfx90a
? 2

# Strangers' files.
$ rocenv occupancy --asm none.s
rocenv: cannot read 'none.s': No such file or directory
? 2
$ rocenv occupancy --asm .
rocenv: cannot read '.': Is a directory
? 2
$ rocenv occupancy --triton none
rocenv: cannot list 'none': No such file or directory
? 2
$ mkdir empty; rocenv occupancy --triton empty
rocenv: empty: no .amdgcn file in it: no kernel that Triton built for an AMD GPU
? 2
$ head -n 20 two.s > cut.s; rocenv occupancy --asm cut.s
rocenv: cut.s:10: .amdgpu_metadata has no end: the file is cut off
? 2
$ sed 's/.vgpr_count:     170/.vgpr_count: many/' two.s > odd.s; rocenv occupancy --asm odd.s
rocenv: odd.s:30: .vgpr_count: many is not a count
? 2
$ sed 's/.vgpr_count:     170/.vgpr_count: 999/' two.s > large.s; rocenv occupancy --asm large.s -q --sysroot no-gpu
rocenv: large.s: kernel softmax: 999 VGPRs, gfx942 has at most 512
? 2
$ printf '\177ELF\2\1\1\0' > k.hsaco; rocenv occupancy --asm k.hsaco
rocenv: k.hsaco: binary file, expected assembly or its YAML metadata (of a code object llvm-readelf --notes prints it)
? 2
$ echo 'int main() {}' > main.c; rocenv occupancy --asm main.c
rocenv: main.c: no kernel in it, neither amdhsa.kernels nor .amdhsa_kernel
? 2
$ truncate -s 65M big.s; rocenv occupancy --asm big.s
rocenv: big.s: is larger than 32 MiB
? 2
$ mkfifo pipe; rocenv occupancy --asm pipe --deadline 1
rocenv: pipe: did not end within the deadline (--deadline)
? 3
$ echo '{"shared": 327' > cache/AB/k.json; rocenv occupancy --triton cache/AB
rocenv: cache/AB/k.json: not valid JSON, or cut off
? 2
