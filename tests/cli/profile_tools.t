# profile diff, learn, lint.

# Two profiles, as they resolve on a machine; the status tells whether they differ.
$ rocenv profile diff mi300x mi300x-benchmark --sysroot mi300x-spx
mi300x -> mi300x-benchmark: 5 differ, 0 only in the first, 0 only in the second,
27 equal

Different
  gpu.users              level info         -> level recommended
  gpu.determinism        level info         -> level recommended
  pci.acs                level info         -> level recommended
  kernel.numa_balancing  level recommended  -> level required
  cpu.idle               level info         -> level recommended
? 1
$ rocenv profile diff auto mi300x --sysroot mi300x-spx
mi300x -> mi300x: no difference, 32 equal
$ rocenv profile diff host env-check --sysroot no-gpu
host -> env-check: 4 differ, 6 only in the first, 2 only in the second, 0 equal

Different
  kernel.numa_balancing      level recommended  -> level required
  cpu.governor               level recommended  -> level required
  cpu.idle                   level info         -> level recommended
  env.HIP_FORCE_DEV_KERNARG  level info         -> level recommended

Only in host
  pci.link        info  "max"
  pci.large_bar   info  true
  kernel.cmdline  info  { noted = ["isolcpus", "idle", "cpuidle.off=1",
                        "processor.max_cstate", "mem_encrypt=on"], unwanted =
                        ["iommu=off", "amd_iommu=off", "intel_iommu=off",
                        "iommu.passthrough=0", "mce=off", "pci=noaer",
                        "pci=noats", "pci=nommconf", "pci=nomsi",
                        "pcie_aspm=force", "pci=pcie_bus_peer2peer",
                        "pcie_aspm.policy=powersave",
                        "pcie_aspm.policy=powersupersave", "pcie_ports=compat",
                        "swiotlb=force", "maxcpus", "nr_cpus", "mem",
                        "numa=off", "numa=noacpi", "acpi=off", "nosmp",
                        "nox2apic", "tsc=unstable", "notsc", "clocksource=hpet",
                        "clocksource=acpi_pm", "clocksource=jiffies",
                        "slub_debug", "slab_debug", "debug", "kasan=on",
                        "kasan_multi_shot"], wanted = ["iommu=pt"] }
  kernel.iommu    info  "passthrough"
  cpu.boost       info  true
  limits.memlock  info  "unlimited"

Only in env-check
  gpu.determinism  recommended  "recommended"
  pci.acs          recommended  { policy = "no-redirect", scope = "gpu-path" }
? 1
$ printf '[profile]\nname = "a"\nextends = ["host"]\n[settings]\n"cpu.governor" = "schedutil"\n[env]\nNCCL_DEBUG = "INFO"\n' > a.toml
$ rocenv profile diff host a.toml --sysroot no-gpu --format json | jq -c '[.schema, .a, .b, .equal, .alike, .only_a, .differ, .only_b]'
["rocenv.profile-diff/1","host","a.toml",false,9,[],[{"id":"cpu.governor","a":{"value":"\"performance\"","level":"recommended","from":"built-in:host:14:11"},"b":{"value":"\"schedutil\"","level":"required","from":"a.toml:5:1"}}],[{"id":"env.NCCL_DEBUG","value":"\"INFO\"","level":"required","from":"a.toml:7:1"}]]
$ rocenv profile diff host a.toml --sysroot no-gpu -q
? 1
$ rocenv profile diff host hots
rocenv: unknown profile 'hots'. Did you mean 'host'?
? 2
$ rocenv profile diff host
rocenv: missing argument PROFILE
Try 'rocenv profile diff --help'.
? 2

# A node's present state as a profile, and the node compared with it.
$ rocenv profile learn red-rack --sysroot mi300x-tuned --only 'gpu.*,cpu.*,pci.acs'
# Learned from a node with 8 x AMD Instinct MI300X on 1970-01-01. What could not be learned
# is a comment with the reason. rocenv check -p FILE compares a node with it.

[profile]
name = "red-rack"
summary = "As a node with 8 x AMD Instinct MI300X was on 1970-01-01"

[match]
device = ["0x74a1"]

[settings]
"gpu.driver"            = { value = ">=6.8.5", level = "recommended", why = "as learned on 1970-01-01" }
"gpu.driver_origin"     = { value = "dkms", level = "recommended", why = "as learned on 1970-01-01" }
"gpu.parameters"        = { value = "default", level = "recommended", why = "as learned on 1970-01-01" }
"gpu.count"             = { value = 8, level = "required", why = "as learned on 1970-01-01" }
"gpu.model"             = { value = "0x74a1", level = "required", why = "as learned on 1970-01-01" }
"gpu.visible"           = { value = ">=1", level = "recommended", why = "as learned on 1970-01-01" }
"gpu.users"             = { value = 0, level = "recommended", why = "as learned on 1970-01-01" }
"gpu.compute_units"     = { value = 304, level = "required", why = "as learned on 1970-01-01" }
"gpu.vram"              = { value = "model", level = "required", why = "as learned on 1970-01-01" }
"gpu.vram_used"         = { value = 2147483648, level = "recommended", why = "as learned on 1970-01-01" }
"gpu.xgmi"              = { value = "mesh", level = "required", why = "as learned on 1970-01-01" }
"gpu.atomics"           = { value = "on", level = "recommended", why = "as learned on 1970-01-01" }
"gpu.xgmi_links"        = { value = "equal", level = "required", why = "as learned on 1970-01-01" }
"gpu.compute_partition" = { value = "SPX", level = "recommended", why = "as learned on 1970-01-01" }
"gpu.memory_partition"  = { value = "NPS1", level = "recommended", why = "as learned on 1970-01-01" }
"gpu.firmware"          = { value = "equal", level = "recommended", why = "as learned on 1970-01-01" }
"gpu.vbios"             = { value = "113-M3000100-102", level = "recommended", why = "as learned on 1970-01-01" }
"gpu.unique_id"         = { value = "distinct", level = "required", why = "as learned on 1970-01-01" }
"gpu.numa"              = { value = "known", level = "recommended", why = "as learned on 1970-01-01" }
"gpu.vfs"               = { value = 0, level = "recommended", why = "as learned on 1970-01-01" }
"gpu.runtime_pm"        = { value = "active", level = "recommended", why = "as learned on 1970-01-01" }
"gpu.drm_devices"       = { value = 65, level = "recommended", why = "as learned on 1970-01-01" }
"gpu.ras"               = { value = "on", level = "recommended", why = "as learned on 1970-01-01" }
# gpu.ras_events: not here: this driver does not count fatal errors and poison
"gpu.bad_pages"         = { value = 0, level = "recommended", why = "as learned on 1970-01-01" }
"gpu.power_cap"         = { value = "default", level = "recommended", why = "as learned on 1970-01-01" }
"gpu.determinism"       = { value = 1900, level = "recommended", why = "as learned on 1970-01-01" }
"gpu.soc_pstate"        = { value = 0, level = "recommended", why = "as learned on 1970-01-01" }
"pci.acs"               = { policy = "off", scope = "all", level = "recommended", why = "as learned on 1970-01-01" }
"gpu.nic"               = { value = "near", level = "recommended", why = "as learned on 1970-01-01" }
"cpu.smt"               = { value = "on", level = "recommended", why = "as learned on 1970-01-01" }
"cpu.online"            = { value = "all", level = "recommended", why = "as learned on 1970-01-01" }
"cpu.governor"          = { value = "performance", level = "recommended", why = "as learned on 1970-01-01" }
# cpu.energy_preference: not here: the cpufreq driver has no energy preference
"cpu.boost"             = { value = true, level = "recommended", why = "as learned on 1970-01-01" }
"cpu.idle"              = { max_latency_us = 1, level = "recommended", why = "as learned on 1970-01-01" }
"cpu.sockets"           = { value = 2, level = "recommended", why = "as learned on 1970-01-01" }
"cpu.cores"             = { value = 96, level = "recommended", why = "as learned on 1970-01-01" }
"cpu.nodes_per_socket"  = { value = 1, level = "recommended", why = "as learned on 1970-01-01" }
"cpu.microcode"         = { value = "equal", level = "recommended", why = "as learned on 1970-01-01" }
"cpu.machine_checks"    = { value = 0, level = "recommended", why = "as learned on 1970-01-01" }
"cpu.clocksource"       = { value = "tsc", level = "recommended", why = "as learned on 1970-01-01" }
$ rocenv profile learn --sysroot mi300x-tuned --output tuned.toml 2>&1 | sed 's/, [0-9]* bytes$//'
rocenv: wrote tuned.toml
$ rocenv profile lint tuned.toml
tuned.toml: no findings
$ rocenv check --sysroot mi300x-tuned -p tuned.toml --strict
PASS  tuned.toml: all required and recommended checks passed
      8 x AMD Instinct MI300X

91 passed (-v lists all)
$ rocenv check --sysroot mi300x-spx -p tuned.toml --strict -q
? 1
$ rocenv profile learn --sysroot mi300x-spx -q --output spx.toml; rocenv profile diff tuned.toml spx.toml --sysroot mi300x-spx
tuned.toml -> spx.toml: 5 differ, 1 only in the first, 0 only in the second, 83
equal

Different
  gpu.determinism        1900                    -> "off"
  kernel.numa_balancing  0                       -> 1
  kernel.cmdline         { noted = ["cpuidle.off=1", "idle", "isolcpus",
                         "mem_encrypt=on", "processor.max_cstate"], unwanted =
                         ["acpi=off", "amd_iommu=off", "clocksource=acpi_pm",
                         "clocksource=hpet", "clocksource=jiffies", "debug",
                         "intel_iommu=off", "iommu.passthrough=0", "iommu=off",
                         "kasan=on", "kasan_multi_shot", "maxcpus", "mce=off",
                         "mem", "nosmp", "notsc", "nox2apic", "nr_cpus",
                         "numa=noacpi", "numa=off", "pci=noaer", "pci=noats",
                         "pci=nommconf", "pci=nomsi", "pci=pcie_bus_peer2peer",
                         "pcie_aspm.policy=powersave",
                         "pcie_aspm.policy=powersupersave", "pcie_aspm=force",
                         "pcie_ports=compat", "slab_debug", "slub_debug",
                         "swiotlb=force", "tsc=unstable"], wanted = ["iommu=pt",
                         "pci=realloc=off"] }
                         -> { noted = ["cpuidle.off=1", "idle", "isolcpus",
                         "mem_encrypt=on", "processor.max_cstate"], unwanted =
                         ["acpi=off", "amd_iommu=off", "clocksource=acpi_pm",
                         "clocksource=hpet", "clocksource=jiffies", "debug",
                         "intel_iommu=off", "iommu.passthrough=0", "iommu=off",
                         "kasan=on", "kasan_multi_shot", "maxcpus", "mce=off",
                         "mem", "nosmp", "notsc", "nox2apic", "nr_cpus",
                         "numa=noacpi", "numa=off", "pci=noaer", "pci=noats",
                         "pci=nommconf", "pci=nomsi", "pci=pcie_bus_peer2peer",
                         "pcie_aspm.policy=powersave",
                         "pcie_aspm.policy=powersupersave", "pcie_aspm=force",
                         "pcie_ports=compat", "slab_debug", "slub_debug",
                         "swiotlb=force", "tsc=unstable"], wanted = ["iommu=pt",
                         "pci=bfsort"] }
  cpu.governor           "performance"           -> "schedutil"
  cpu.idle               { max_latency_us = 1 }  -> { max_latency_us = 100 }

Only in tuned.toml
  pci.acs  recommended  { policy = "off", scope = "all" }
? 1
$ cp -a mi300x-spx/. node; rocenv set --sysroot node -p tuned.toml -q; rocenv check --sysroot node -p tuned.toml --strict
FAIL  tuned.toml: 1 failed
      8 x AMD Instinct MI300X

FAIL  kernel.cmdline  pci=realloc=off is missing
      why      As learned on 1970-01-01.
      next     Add pci=realloc=off to the kernel command line in the boot
               loader, then reboot.

1 failed, 90 passed (-v lists all)
? 1

# Of the environment what the catalogue knows; never who set it, or what else is set.
$ export USER=anna; NCCL_DEBUG=INFO TRITON_CACHE_DIR=$HOME/triton MIOPEN_USER_DB_PATH=/scratch/anna HIP_FORCE_DEV_KERNARG=yes MASTER_PORT=29500 MY_TOKEN=x rocenv profile learn --sysroot no-gpu --only 'env.*'
# Learned from a node without AMD GPUs on 1970-01-01. What could not be learned
# is a comment with the reason. rocenv check -p FILE compares a node with it.

[profile]
name = "learned"
summary = "As a node without AMD GPUs was on 1970-01-01"

[env]
# HIP_FORCE_DEV_KERNARG: HIP runtime (CLR) reads "yes" as off; write 1 or 0
# MASTER_PORT: belongs to one process or job
# MIOPEN_USER_DB_PATH: holds the name of a user or host, or an address
NCCL_DEBUG       = { value = "INFO", level = "recommended", why = "as learned on 1970-01-01" }
TRITON_CACHE_DIR = { value = "${HOME}/triton", level = "recommended", why = "as learned on 1970-01-01" }
$ export TRITON_CACHE_DIR=$HOME/triton; rocenv profile learn --sysroot no-gpu --only 'env.*' --output env.toml -q; rocenv check --sysroot no-gpu -p env.toml --only 'env.*' --strict -v | sed "s:$HOME:HOME:"
PASS  env.toml: all required and recommended checks passed

Passed
PASS  env.TRITON_CACHE_DIR  HOME/triton (recommended)

1 passed
$ rocenv profile learn ../x
rocenv: invalid name '../x' of a profile: expected 1 to 64 of A-Z a-z 0-9 . _ -, without .toml
? 2
$ rocenv profile learn --only gpu.cuont
rocenv: unknown setting 'gpu.cuont' for --only. Did you mean 'gpu.count'?
? 2

# lint as a hook before a commit: several files, silent when clean.
$ rocenv profile lint -q a.toml host; echo "status $?"
status 0
$ printf '[profile]\nname = "warned"\n[env]\nHIP_FORCE_DEV_KERNARG = "yes"\n' > warned.toml
$ rocenv profile lint -q a.toml warned.toml; echo "status $?"
warned.toml:4:25: warning: HIP_FORCE_DEV_KERNARG: HIP runtime (CLR) reads "yes" as off; write 1 or 0
status 0
$ rocenv profile lint -q --strict a.toml warned.toml
warned.toml:4:25: error: HIP_FORCE_DEV_KERNARG: HIP runtime (CLR) reads "yes" as off; write 1 or 0
? 2
$ rocenv profile lint - < warned.toml
-:4:25: warning: HIP_FORCE_DEV_KERNARG: HIP runtime (CLR) reads "yes" as off; write 1 or 0
$ printf '[settings]\n"gpu.count" = "many"\n' | rocenv profile lint -q - a.toml
-:2:15: error: gpu.count: found "many", expected "full" or "consistent" or a number or ">=NUMBER"
? 2
$ rocenv profile lint -q none.toml hots
none.toml: error: cannot read 'none.toml': No such file or directory
hots: error: unknown profile 'hots'. Did you mean 'host'?
? 2
$ mkdir sub; printf '[profile]\nname = "b"\nextends = ["sub/c.toml"]\n' > b.toml; printf '[profile]\nname = "c"\nextends = ["../b.toml", "nobody", "d.toml"]\n' > sub/c.toml
$ rocenv profile lint b.toml sub/c.toml
sub/c.toml:3:12: error: profile b.toml extends itself (b.toml > sub/c.toml)
sub/c.toml:3:25: error: unknown profile 'nobody'. To list all profiles: rocenv profile list
sub/c.toml:3:35: error: cannot read 'sub/d.toml': No such file or directory
b.toml:3:12: error: profile sub/c.toml extends itself (sub/c.toml > b.toml)
? 2
$ printf '[profile]\nname = "self"\nextends = ["./self.toml"]\n' > self.toml; rocenv profile lint self.toml
self.toml:3:12: error: profile self.toml extends itself (self.toml)
? 2
$ printf '[profile]\nname = "types"\nextends = "host"\nsumary = "x"\n[match]\ndevice = "0x74a1"\ngfx = ["mi300x"]\nrocm = "6.2"\n[settings]\n"kernel.numa_balancing" = "off"\n"cpu.idle" = { max_latency_us = -1 }\n"kernel.cmdline" = { wanted = [1] }\n"limits.nofile" = { value = true, level = 1 }\ncpu.boost = true\n[env]\nNCCL_DEBUG = ["INFO"]\nNCCL_DEBGU = "INFO"\nHIP_FORCE_DEV_KERNARG = { unset = true, value = "1" }\n[enf]\n' | rocenv profile lint -
-:3:11: error: extends: expected a list of texts
-:4:1: error: unknown key 'sumary' in [profile]. Did you mean 'summary'?
-:6:10: error: device: expected a list of texts
-:7:8: error: found 'mi300x', expected a name such as "gfx942"
-:8:8: error: rocm: expected text such as ">=6.2"
-:10:27: error: kernel.numa_balancing: found "off", expected a whole number from 0 to 3
-:11:33: error: cpu.idle: max_latency_us: found -1, expected a whole number from 0 to 1000000
-:12:31: error: kernel.cmdline: wanted: found [1], expected a list of texts
-:13:43: error: level: expected text
-:14:1: error: unknown setting 'cpu'. Write the id in quotes: "cpu.boost"
-:16:14: error: NCCL_DEBUG: found ["INFO"], expected text (the environment holds text only)
-:17:1: warning: NCCL_DEBGU: not in this catalogue (facts of 2026-11-22). Did you mean 'NCCL_DEBUG'?
-:18:1: error: a value and unset = true exclude each other
-:19:2: error: unknown key 'enf'. Did you mean 'env'?
? 2
$ head -c 2000000 /dev/zero | rocenv profile lint - host
-: error: standard input: is larger than 1 MiB
host: no findings
? 2
$ rocenv profile lint - <&-
-: error: cannot read 'standard input': Bad file descriptor
? 2

# What profiles come to, as a profile of its own.
$ printf '[profile]\nname = "a"\nextends = ["rccl"]\n[settings]\n"gpu.count" = 8\n[env]\nA = { value = "1", level = "info", why = "w" }\n' > a.toml
$ rocenv profile show a.toml --sysroot mi300x-spx --format toml > pinned.toml; sed 's/"{16}"/DIGEST/; 1s/digest .*/digest …/' pinned.toml
# What a.toml came to on one node, digest …

[profile]
name = "a-pinned"
summary = "a.toml, pinned"
also = ["One process for each GPU: with several GPUs in one process launches wait for each other", "All eight GPUs of a node or one: the links between two or four MI300X have less bandwidth"]

[settings]
"gpu.count" = { value = 8, level = "required" }

[env]
"A" = { value = "1", level = "info", why = "w" }
"HSA_NO_SCRATCH_RECLAIM" = { value = "1", level = "recommended", why = "Reclaimed scratch memory delays each collective; RCCL asks for it at start on ROCm before 6.4.", source = "ROCm/rocm-systems projects/rccl/src/init.cc and CHANGELOG.md, 2026-11" }
"NCCL_MIN_NCHANNELS" = { value = "112", level = "recommended", why = "More channels use more links on MI300X; AMD's guide uses 40, and NCCL prefers NCCL_MIN_CTAS since 2.17.", source = "ROCm/ROCm docs/how-to/rocm-for-ai/inference-optimization/workload.rst, 2025-03" }
"RCCL_MSCCL_ENABLE" = { unset = true, level = "recommended", why = "Old training images set 0 after a data error; AMD's tips enable it. No program reads it from ROCm 7.13.", source = "ROCm/rocm-systems projects/rccl/CHANGELOG.md, 2026-11" }
$ rocenv profile diff a.toml pinned.toml --sysroot mi300x-spx
a.toml -> pinned.toml: no difference, 5 equal
$ for file in a.toml pinned.toml; do rocenv profile show $file --sysroot mi300x-spx --format json | jq -r .profile_digest; done | uniq | wc -l
1
$ rocenv check -p pinned.toml --sysroot mi300x-spx --only gpu.count --format json | jq -r '.profile_digest == $digest' --arg digest "$(rocenv profile show a.toml --sysroot mi300x-spx -v | sed -n 's/^  digest //p')"
false

# A site file that is not installed yet: entries that are ignored beside a profile.
$ mkdir etc; printf '[settings]\n"gpu.count" = 8\n"cpu.smt" = { level = "info" }\n' > etc/site.toml
$ rocenv profile lint etc/site.toml host mi300x
host: no findings
mi300x: no findings
etc/site.toml:3:1: warning: cpu.smt: has no value, and profile host has no entry for it: ignored with that profile
$ rocenv profile lint etc/site.toml mi300x
mi300x: no findings
etc/site.toml: no findings
$ printf '[match]\ngfx = ["gfx942"]\n[profile]\nextends = ["host"]\n' > etc/site.toml; rocenv profile lint etc/site.toml mi300x
mi300x: no findings
etc/site.toml:1:2: error: [match] is not valid in a site's file, which is for every node. An entry can name its nodes with when = { … }
etc/site.toml:4:1: error: extends is not valid in a site's file, which is merged after every profile
? 2

# What GPUs and links there are is required, and faults are told.
$ rocenv profile learn --sysroot mi300x-fallen --only gpu.count,gpu.model,cpu.smt | sed -n '/settings/,$p'
rocenv: this node has faults, and the profile has their values: gpu.count. To list the faults: rocenv check -p acceptance
[settings]
# gpu.count: is fallen off the bus here: the GPU returns all ones to every read of its PCI configuration
"gpu.model" = { value = "0x74a1", level = "required", why = "as learned on 1970-01-01" }
"cpu.smt"   = { value = "notsupported", level = "recommended", why = "as learned on 1970-01-01" }
$ rocenv profile learn --sysroot mi300x-spx --only gpu.count,cpu.smt --level info | sed -n '/settings/,$p'
[settings]
"gpu.count" = { value = 8, level = "info", why = "as learned on 1970-01-01" }
"cpu.smt"   = { value = "on", level = "info", why = "as learned on 1970-01-01" }
$ rocenv profile learn --sysroot mi300x-fallen --only gpu.count -q | grep -c level
0
? 1
$ rocenv profile learn --level high
rocenv: invalid value 'high' for --level: expected required, recommended or info
Try 'rocenv profile learn --help'.
? 2

# What is secret in a profile is said by nothing that shows one.
$ printf '[profile]\nname = "a"\n[env]\nHF_TOKEN = "hf_abcdef"\nhttps_proxy = "http://me:pw@proxy:1"\nNCCL_DEBUG = "INFO"\n' > with_secrets.toml; sed 's/hf_abcdef/hf_other/; s/me:pw/me:pq/; s/"a"/"b"/' with_secrets.toml > other_secrets.toml; rocenv profile show ./with_secrets.toml
./with_secrets.toml

env.HF_TOKEN = a secret, not shown (required)
  Programs parse the same text differently, and ignore invalid text without a
  message
  source   the reader's own source, per variable

env.NCCL_DEBUG = "INFO" (required)
  Programs parse the same text differently, and ignore invalid text without a
  message
  source   the reader's own source, per variable

env.https_proxy = "http://***@proxy:1" (required)
  Programs parse the same text differently, and ignore invalid text without a
  message
  source   the reader's own source, per variable
$ rocenv profile diff ./with_secrets.toml ./other_secrets.toml --sysroot mi300x-spx
./with_secrets.toml -> ./other_secrets.toml: 2 differ, 0 only in the first, 0
only in the second, 1 equal

Different
  env.HF_TOKEN     another secret
  env.https_proxy  another secret
? 1
$ rocenv check -p ./with_secrets.toml --sysroot mi300x-spx | grep '^[A-Z]'; echo "status ${PIPESTATUS[0]}"
FAIL  ./with_secrets.toml: 3 required failed
FAIL  env.HF_TOKEN  not set, expected a secret, not shown
FAIL  env.NCCL_DEBUG  not set, expected INFO
FAIL  env.https_proxy  not set, expected http://***@proxy:1
status 1
$ https_proxy=http://me:pw@proxy:1 rocenv check -p ./with_secrets.toml --sysroot mi300x-spx --only env.https_proxy
PASS  ./with_secrets.toml: all required and recommended checks passed

1 passed (-v lists all)
$ for what in 'profile show' 'profile show --format json' 'check -v -p' 'check --format json -p'; do rocenv $what ./with_secrets.toml --sysroot mi300x-spx 2>&1; done | grep -e hf_ -e me:
? 1
$ printf '[profile]\nname = "own"\n[env]\nMY_SERVICE_TOKEN = "abc"\nMY_MODE = "fast"\n' > own_names.toml; MY_SERVICE_TOKEN=other rocenv check -p ./own_names.toml --sysroot mi300x-spx | grep '^[A-Z]'
FAIL  ./own_names.toml: 2 required failed
FAIL  env.MY_MODE  not set, expected fast
FAIL  env.MY_SERVICE_TOKEN  a secret, not shown, expected a secret, not shown
$ rocenv profile show ./own_names.toml | grep ' = '
env.MY_MODE = "fast" (required)
env.MY_SERVICE_TOKEN = a secret, not shown (required)
$ rocenv profile list -q; rocenv profile show mi300x -q
$ rocenv profile show nope
rocenv: unknown profile 'nope'. To list all profiles: rocenv profile list
? 2
