# TunableOp result files against an MI300X node with ROCm 6.2.0, PyTorch 2.7.1 and its libraries.
$ cp -r mi300x-spx/. node && chmod -R u+w node && cd node && mkdir -p opt/venv/lib/python3.12/site-packages/torch opt/rocm-6.2.0/include/rocblas/internal opt/rocm-6.2.0/include/hipblaslt && ln -sfn rocm-6.2.0 opt/rocm && printf "__version__ = '2.7.1'\nhip: Optional[str] = '6.2.41133-dd7f95766'\n" > opt/venv/lib/python3.12/site-packages/torch/version.py && for part in MAJOR=4 MINOR=2 PATCH=0 TWEAK=1a2b3c4d; do echo "#define ROCBLAS_VERSION_${part%=*} ${part#*=}"; done > opt/rocm-6.2.0/include/rocblas/internal/rocblas-version.h && for part in MAJOR=0 MINOR=8 PATCH=0 TWEAK=1a2b3c4d; do echo "#define HIPBLASLT_VERSION_${part%=*} ${part#*=}"; done > opt/rocm-6.2.0/include/hipblaslt/hipblaslt-version.h
$ printf 'Validator,%s\n' PT_VERSION,2.7.1 ROCM_VERSION,6.2.0.0-66-5e6f7a8 HIPBLASLT_VERSION,800-1a2b3c4d GCN_ARCH_NAME,gfx942:sramecc+:xnack- ROCBLAS_VERSION,4.2.0.1a2b3c4d > head; printf 'GemmTunableOp_float_NN,nn_64_%s_8_ld_64_8_64,%s\n' 1 Gemm_Hipblaslt_12,0.004 2 Gemm_Rocblas_-7,0.0115 3 Default,0.25 > some; cat head some > r0.csv; cat head <(sed 's/_12,0.004/_99,0.003/' some) > r1.csv
$ rocenv tunableop check --sysroot node r0.csv r1.csv
PASS  r0.csv
      PyTorch would accept its 3 results
PASS  r1.csv
      PyTorch would accept its 3 results
3 results in more than one file, 1 with another solution (GemmTunableOp_float_NN
nn_64_1_8_ld_64_8_64: Gemm_Hipblaslt_12 and Gemm_Hipblaslt_99)
$ rocenv tunableop check --sysroot node -v r0.csv
PASS  r0.csv
      PyTorch would accept its 3 results
      PT_VERSION         PASS: 2.7.1 in the file, 2.7.1 here
                         (/opt/venv/lib/python3.12/site-packages/torch/version.py)
      ROCM_VERSION       PASS: 6.2.0.0-66-5e6f7a8 in the file, 6.2.0-66 here
                         (/opt/rocm/.info/version)
      GCN_ARCH_NAME      PASS: gfx942:sramecc+:xnack- in the file,
                         gfx942:sramecc+:xnack- here (KFD's topology)
      HIPBLASLT_VERSION  PASS: 800-1a2b3c4d in the file, 0.8.0-1a2b3c4d here
                         (/opt/rocm/include/hipblaslt/hipblaslt-version.h)
      ROCBLAS_VERSION    PASS: 4.2.0.1a2b3c4d in the file, 4.2.0-1a2b3c4d here
                         (/opt/rocm/include/rocblas/internal/rocblas-version.h)
      results            3, 0 repeated, 0 contradicted
$ rocenv tunableop check --sysroot node -q r0.csv r1.csv

# Each kind of wrong file is named.
$ sed 's/gfx942:sramecc+/gfx90a:sramecc+/' r0.csv > arch0.csv; rocenv tunableop check --sysroot node arch0.csv
FAIL  arch0.csv
      PyTorch would discard it: GCN_ARCH_NAME is gfx90a:sramecc+:xnack-, here
      gfx942:sramecc+:xnack-
? 1
$ sed 's/2\.7\.1/2.6.0/' r0.csv > torch0.csv; rocenv tunableop check --sysroot node torch0.csv
FAIL  torch0.csv
      PyTorch would discard it: PT_VERSION is 2.6.0, here 2.7.1
? 1
$ sed 's/6\.2\.0\.0-66/6.1.0.0-82/' r0.csv > rocm0.csv; rocenv tunableop check --sysroot node rocm0.csv
FAIL  rocm0.csv
      PyTorch would discard it: ROCM_VERSION is 6.1.0.0-82-5e6f7a8, here
      6.2.0-66
? 1
$ sed 's/$/\r/' r0.csv > crlf0.csv; rocenv tunableop check --sysroot node crlf0.csv
FAIL  crlf0.csv
      PyTorch would discard it: its lines end in CR LF, and PyTorch reads the CR
      as part of each value
? 1
$ head -c -9 r0.csv > cut0.csv; rocenv tunableop check --sysroot node cut0.csv
FAIL  cut0.csv
      PyTorch would accept it, but it ends within a line: it was cut, or saved
      without its last line end
? 1
$ cat head <(echo GemmTunableOp_float_NN,nn_64) some > short0.csv; rocenv tunableop check --sysroot node short0.csv
FAIL  short0.csv
      PyTorch would accept it, but line 6 is damaged
? 1
$ cat r0.csv <(sed 's/Default/Gemm_Rocblas_3/' some) > twice0.csv; rocenv tunableop check --sysroot node twice0.csv
FAIL  twice0.csv
      PyTorch would accept it, but 1 result contradicts an earlier one, which
      counts (GemmTunableOp_float_NN nn_64_3_8_ld_64_8_64: Default and
      Gemm_Rocblas_3)
? 1
$ : > empty0.csv; rocenv tunableop check --sysroot node empty0.csv head
FAIL  empty0.csv
      is empty
FAIL  head
      PyTorch would accept it, but it holds no results
? 1
$ echo GemmTunableOp_float_NN,nn_64_1_8_ld_64_8_64 > untuned0.csv; rocenv tunableop check --sysroot node untuned0.csv
FAIL  untuned0.csv
      holds GEMMs that are still to be tuned, and no results
      (torch.cuda.tunable.tune_gemm_in_file makes results of it)
? 1
$ printf 'Git Version: 1a2b3c4d\n    T,N,0,1,8,8,8\n' > tuning.txt; rocenv tunableop check --sysroot node tuning.txt
FAIL  tuning.txt
      is a tuning file of hipBLASLt itself (HIPBLASLT_TUNING_OVERRIDE_FILE), not
      of TunableOp
? 2
$ truncate -s 65M huge0.csv; rocenv tunableop check --sysroot node huge0.csv nowhere.csv node
UNKNOWN  huge0.csv
         huge0.csv: is larger than the 8 MiB (a line is 48 bytes at least) that
         are read in all
UNKNOWN  nowhere.csv
         cannot read 'nowhere.csv': No such file or directory
UNKNOWN  node
         cannot read 'node': Is a directory
? 2
$ rocenv tunableop check --sysroot node arch0.csv nowhere.csv -q
rocenv: cannot read 'nowhere.csv': No such file or directory
? 2

# A set with a gap, and one that two stacks made.
$ cp r0.csv r3.csv; rocenv tunableop check --sysroot node r0.csv r1.csv r3.csv
PASS  r0.csv
      PyTorch would accept its 3 results
PASS  r1.csv
      PyTorch would accept its 3 results
PASS  r3.csv
      PyTorch would accept its 3 results
FAIL  r%d.csv (3 files)
      GPU 2 has no file
6 results in more than one file, 1 with another solution (GemmTunableOp_float_NN
nn_64_1_8_ld_64_8_64: Gemm_Hipblaslt_12 and Gemm_Hipblaslt_99)
? 1
$ mkdir two; cp r0.csv two/r0.csv; cp torch0.csv two/r1.csv; rocenv tunableop check --sysroot node two/r0.csv two/r1.csv
PASS  two/r0.csv
      PyTorch would accept its 3 results
FAIL  two/r1.csv
      PyTorch would discard it: PT_VERSION is 2.6.0, here 2.7.1
FAIL  two/r%d.csv (2 files)
      PT_VERSION differs between the files, so that PyTorch accepts only some of
      them
3 results in more than one file, 0 with another solution
? 1

# What cannot be known is unknown; a given version is taken at its word.
$ rocenv tunableop check --sysroot mi300x-spx r0.csv
UNKNOWN  r0.csv
         unknown whether PyTorch would accept it: PT_VERSION, HIPBLASLT_VERSION,
         ROCBLAS_VERSION are unknown here
         PT_VERSION         UNKNOWN: 2.7.1 in the file (no torch found)
         HIPBLASLT_VERSION  UNKNOWN: 800-1a2b3c4d in the file (no hipblaslt
                            found (/opt/rocm/lib/libhipblaslt.so is missing))
         ROCBLAS_VERSION    UNKNOWN: 4.2.0.1a2b3c4d in the file (no rocblas
                            found (/opt/rocm/lib/librocblas.so is missing))
? 3
$ rocenv tunableop check --sysroot mi300x-spx r0.csv --assume torch=2.7,hipblaslt=0.8 --assume rocblas=4.2.0
PASS  r0.csv
      PyTorch would accept its 3 results
$ rocenv tunableop check --sysroot mi300x-spx r0.csv --assume torch=2.7.1,rocm=6.2.0.0-66-5e6f7a8 --assume hipblaslt=800-1a2b3c4d,rocblas=4.2.0.1a2b3c4d
PASS  r0.csv
      PyTorch would accept its 3 results
$ rocenv tunableop check --sysroot mi300x-spx r0.csv --assume torch=2.7.1,rocm=6.2.0.0-66-5e6f7a9 --assume hipblaslt=800-1a2b3c4e,rocblas=4.2.0.1a2b3c4e
FAIL  r0.csv
      PyTorch would discard it: ROCM_VERSION is 6.2.0.0-66-5e6f7a8, here
      6.2.0.0-66-5e6f7a9; HIPBLASLT_VERSION is 800-1a2b3c4d, here 800-1a2b3c4e;
      ROCBLAS_VERSION is 4.2.0.1a2b3c4d, here 4.2.0.1a2b3c4e
? 1
$ rocenv tunableop check r0.csv --assume pytroch=2.7
rocenv: unknown package 'pytroch' for --assume: expected rocm, torch, hip, triton, vllm, aiter, hipblaslt, rocblas, miopen, rccl, nccl, accelerate, flash-attn, transformer-engine, mori, mscclpp, ray or sglang
? 2
$ rocenv tunableop check r0.csv --assume torch=new
rocenv: invalid value 'torch=new' for --assume: expected NAME=VERSION, such as torch=2.8
? 2
$ HSA_XNACK=1 rocenv tunableop check --sysroot node r0.csv
FAIL  r0.csv
      PyTorch would discard it: GCN_ARCH_NAME is gfx942:sramecc+:xnack-, here
      gfx942:sramecc+:xnack+
? 1
$ rocenv tunableop check --sysroot node --format json r0.csv | jq -c '.exit, (.files[0] | .kind, .outcome, .results, (.validators | map(.outcome)))'
0
"results"
"ok"
3
["ok","ok","ok","ok","ok"]
$ rocenv tunableop check
rocenv: missing argument FILE
Try 'rocenv tunableop check --help'.
? 2

# What is in them.
$ rocenv tunableop show r0.csv untuned0.csv
r0.csv: 3 results
  PT_VERSION         2.7.1
  ROCM_VERSION       6.2.0.0-66-5e6f7a8
  HIPBLASLT_VERSION  800-1a2b3c4d
  GCN_ARCH_NAME      gfx942:sramecc+:xnack-
  ROCBLAS_VERSION    4.2.0.1a2b3c4d
  operator                results  hipBLASLt  rocBLAS  default  other  min ms
      max ms
  GemmTunableOp_float_NN        3          1        1        1      0   0.004
        0.25
  fastest            0.004 ms, GemmTunableOp_float_NN nn_64_1_8_ld_64_8_64,
                     Gemm_Hipblaslt_12
  slowest            0.25 ms, GemmTunableOp_float_NN nn_64_3_8_ld_64_8_64,
                     Default

untuned0.csv: 1 GEMM to tune
  GemmTunableOp_float_NN  1
$ rocenv tunableop show r0.csv tuning.txt --format json | jq -c '.files[] | .path, .validators.PT_VERSION, .operators[0], .fastest'
rocenv: 'tuning.txt' is not a TunableOp file (hipblaslt)
"r0.csv"
"2.7.1"
{"name":"GemmTunableOp_float_NN","results":3,"hipblaslt":1,"rocblas":1,"default":1,"other":0,"fastest_ms":0.004,"slowest_ms":0.25}
{"operator":"GemmTunableOp_float_NN","parameters":"nn_64_1_8_ld_64_8_64","solution":"Gemm_Hipblaslt_12","ms":0.004}
$ rocenv tunableop show cut0.csv
cut0.csv: 2 results
  PT_VERSION         2.7.1
  ROCM_VERSION       6.2.0.0-66-5e6f7a8
  HIPBLASLT_VERSION  800-1a2b3c4d
  GCN_ARCH_NAME      gfx942:sramecc+:xnack-
  ROCBLAS_VERSION    4.2.0.1a2b3c4d
  operator                results  hipBLASLt  rocBLAS  default  other  min ms
      max ms
  GemmTunableOp_float_NN        2          1        1        0      0   0.004
      0.0115
  fastest            0.004 ms, GemmTunableOp_float_NN nn_64_1_8_ld_64_8_64,
                     Gemm_Hipblaslt_12
  slowest            0.0115 ms, GemmTunableOp_float_NN nn_64_2_8_ld_64_8_64,
                     Gemm_Rocblas_-7
  damaged            1 line damaged or cut: rocenv tunableop check lists them

# One from many: the fastest of each.
$ rocenv tunableop merge r0.csv r1.csv
rocenv: 3 results from 2 files, 3 repeated results left out, 1 of them with another solution
Validator,GCN_ARCH_NAME,gfx942:sramecc+:xnack-
Validator,HIPBLASLT_VERSION,800-1a2b3c4d
Validator,PT_VERSION,2.7.1
Validator,ROCBLAS_VERSION,4.2.0.1a2b3c4d
Validator,ROCM_VERSION,6.2.0.0-66-5e6f7a8
GemmTunableOp_float_NN,nn_64_1_8_ld_64_8_64,Gemm_Hipblaslt_99,0.003
GemmTunableOp_float_NN,nn_64_2_8_ld_64_8_64,Gemm_Rocblas_-7,0.0115
GemmTunableOp_float_NN,nn_64_3_8_ld_64_8_64,Default,0.25
$ rocenv tunableop merge r0.csv r1.csv --output all.csv && rocenv tunableop merge -q r1.csv r0.csv | cmp - all.csv
rocenv: 3 results from 2 files, 3 repeated results left out, 1 of them with another solution
rocenv: wrote all.csv, 390 bytes
$ rocenv tunableop merge crlf0.csv cut0.csv --output mended.csv && rocenv tunableop check -q --sysroot node mended.csv
rocenv: 3 results from 2 files, 2 repeated results left out, 0 of them with another solution
rocenv: 1 damaged or cut line left out
rocenv: wrote mended.csv, 390 bytes
$ rocenv tunableop merge r0.csv torch0.csv --output none.csv; ls none.csv
rocenv: r0.csv and torch0.csv were made by different stacks: PT_VERSION 2.7.1 and 2.6.0
ls: cannot access 'none.csv': No such file or directory
? 2
$ rocenv tunableop merge r0.csv untuned0.csv
rocenv: untuned0.csv: not a TunableOp result file (untuned)
? 2
$ rocenv tunableop merge r0.csv nowhere.csv
rocenv: cannot read 'nowhere.csv': No such file or directory
? 2
$ rocenv tunableop merge r0.csv --output node
rocenv: 3 results from 1 file, 0 repeated results left out, 0 of them with another solution
rocenv: cannot replace 'node': not a regular file
? 2
$ rocenv tunableop merge r0.csv --output nowhere/all.csv
rocenv: 3 results from 1 file, 0 repeated results left out, 0 of them with another solution
rocenv: cannot write 'nowhere/all.csv': No such file or directory
? 3

# Libraries of a tree that does not count say nothing of those that programs load.
$ mkdir -p node/opt/rocm-7.0.0/.info && echo 7.0.0-1 > node/opt/rocm-7.0.0/.info/version; ROCM_PATH=/opt/rocm-7.0.0 rocenv tunableop check --sysroot node -v r0.csv
FAIL  r0.csv
      PyTorch would discard it: ROCM_VERSION is 6.2.0.0-66-5e6f7a8, here 7.0.0-1
      PT_VERSION         PASS: 2.7.1 in the file, 2.7.1 here
                         (/opt/venv/lib/python3.12/site-packages/torch/version.py)
      ROCM_VERSION       FAIL: 6.2.0.0-66-5e6f7a8 in the file, 7.0.0-1 here
                         (/opt/rocm-7.0.0/.info/version)
      GCN_ARCH_NAME      PASS: gfx942:sramecc+:xnack- in the file,
                         gfx942:sramecc+:xnack- here (KFD's topology)
      HIPBLASLT_VERSION  UNKNOWN: 800-1a2b3c4d in the file (no hipblaslt found
                         (/opt/rocm-7.0.0/lib/libhipblaslt.so is missing))
      ROCBLAS_VERSION    UNKNOWN: 4.2.0.1a2b3c4d in the file (no rocblas found
                         (/opt/rocm-7.0.0/lib/librocblas.so is missing))
      results            3, 0 repeated, 0 contradicted
? 1

# A file's name shows no password.
$ mkdir -p bob:word17@h && cp r0.csv bob:word17@h/t.csv && rocenv tunableop show bob:word17@h/t.csv --json | grep -c word17
0
? 1
