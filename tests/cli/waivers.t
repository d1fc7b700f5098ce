# Waivers: what a site knows and lives with. (What stands in /etc: test_site.)
$ cat > w.toml <<'END'
> [[waiver]]
> id     = "gpu.*"
> target = "0000:85:00.0"
> until  = 2027-01-31
> ticket = "OPS-1234"
> why    = "waits for a spare"
> 
> [[waiver]]
> id     = "kernel.numa_balancing"
> nodes  = ["node17"]
> until  = "2027-01-31"
> ticket = "OPS-7"
> why    = "a database's node"
> 
> [[waiver]]
> id     = "gpu.driver"
> until  = 1969-12-31
> ticket = "OPS-2"
> why    = "has ended"
> 
> [[waiver]]
> id     = "cpu.governor"
> target = "0000:05:00.0"
> until  = 2027-01-31
> ticket = "OPS-3"
> why    = "is for nothing"
> END
$ rocenv check --sysroot mi300x-fallen -p ci-preflight
ci-preflight: NOT as wanted: 2 required settings differ, 2 recommended settings
  unknown

required, differs
  gpu.count: fallen off the bus, want full
    on 0000:85:00.0
    it answers all ones
    why: A board with seven of its eight GPUs is broken; one without driver or
         KFD node is lost to all.
    next: sudo dmesg | grep -e amdgpu -e 0000:85:00.0; then reset, reseat or reboot
  gpu.xgmi: 7 of 8 GPUs, want mesh
    the board of MI300X links 8 GPUs: links to the others are missing
    why: A lost link sends traffic over two hops or PCIe; that all GPUs are
         alike proves nothing.
    next: sudo dmesg | grep -i xgmi; sudo amd-smi xgmi; then reset, or reseat the GPU

recommended, unknown
  pci.link: could not be read
    on 0000:85:00.0
    /sys/bus/pci/devices/0000:83:00.0/current_link_width: is no link's: "63"
    (all ones, the device does not answer)
    next: look at the file by hand, and at dmesg
  pci.large_bar: could not be read, want true
    on 0000:85:00.0
    no amdgpu driver is bound to it, which would tell
    next: sudo dmesg | grep amdgpu

66 ok, 2 differs, 2 unknown, 15 na  (-v lists all)
? 1
$ rocenv check --sysroot mi300x-fallen -p ci-preflight --waivers w.toml
ci-preflight: all that is required is as wanted; 2 recommended settings unknown,
  1 setting waived

recommended, unknown
  pci.link: could not be read
    on 0000:85:00.0
    /sys/bus/pci/devices/0000:83:00.0/current_link_width: is no link's: "63"
    (all ones, the device does not answer)
    next: look at the file by hand, and at dmesg
  pci.large_bar: could not be read, want true
    on 0000:85:00.0
    no amdgpu driver is bound to it, which would tell
    next: sudo dmesg | grep amdgpu

waived
  gpu.count: fallen off the bus, want full (required, differs)
    on 0000:85:00.0
    it answers all ones
    OPS-1234, until 2027-01-31: waits for a spare

68 ok, 1 differs, 2 unknown, 15 na; of these 1 waived  (-v lists all)
note: waiver OPS-2 (w.toml:15:1) ended on 1969-12-31 and is not taken
note: waiver OPS-3 (w.toml:21:1) matches nothing here: cpu.governor on
      0000:05:00.0
$ rocenv check --sysroot mi300x-fallen -p ci-preflight --waivers w.toml --strict -q
? 3
$ rocenv check --sysroot mi300x-fallen -p ci-preflight --waivers w.toml --format json | jq -c '.result, .exit, .summary, .notes, (.findings[] | select(.waived) | [.id, .target, .outcome, .waived])'
"ok"
0
{"differs":1,"na":15,"ok":68,"unknown":2}
["waiver OPS-2 (w.toml:15:1) ended on 1969-12-31 and is not taken","waiver OPS-3 (w.toml:21:1) matches nothing here: cpu.governor on 0000:05:00.0"]
["gpu.count","0000:85:00.0","differs",{"ticket":"OPS-1234","until":"2027-01-31","why":"waits for a spare"}]
$ rocenv check --sysroot mi300x-fallen -p ci-preflight --waivers w.toml --no-waivers -q
? 1

# With --node it is that node; --only keeps what was not judged quiet.
$ rocenv check --sysroot mi300x-spx -p benchmark --only kernel.numa_balancing --waivers w.toml --node node17.rack3
mi300x-benchmark: all that is required is as wanted; 1 setting waived
8 x AMD Instinct MI300X

waived
  kernel.numa_balancing: 1, want 0 (required, differs)
    the scanner runs
    OPS-7, until 2027-01-31: a database's node

1 differs; of these 1 waived
note: waiver OPS-2 (w.toml:15:1) ended on 1969-12-31 and is not taken
$ rocenv set --sysroot mi300x-spx -p benchmark --only kernel.numa_balancing --waivers w.toml --node node17 --dry-run
mi300x-benchmark: would change 1 setting, nothing was written
8 x AMD Instinct MI300X

would change
  kernel.numa_balancing: 1 -> 0

writes, in order
  1  kernel.numa_balancing system
     echo 0 > /proc/sys/kernel/numa_balancing
     bytes: 30 0a

1 changed
note: waiver OPS-2 (w.toml:15:1) ended on 1969-12-31 and is not taken
$ rocenv set --sysroot mi300x-fallen -p mi300x --only gpu.count --dry-run -q
? 1
$ rocenv set --sysroot mi300x-fallen -p mi300x --only gpu.count --dry-run --waivers w.toml
mi300x: would change nothing, nothing was written
8 x AMD Instinct MI300X

waived
  gpu.count: fallen off the bus, want full (required, differs)
    on 0000:85:00.0
    it answers all ones
    OPS-1234, until 2027-01-31: waits for a spare

1 ok, 1 differs; of these 1 waived  (-v lists all)
note: waiver OPS-2 (w.toml:15:1) ended on 1969-12-31 and is not taken
$ rocenv check --sysroot mi300x-spx -p acceptance --only gpu.count --waivers w.toml
mi300x + acceptance: all that is required is as wanted
8 x AMD Instinct MI300X

1 ok  (-v lists all)
note: acceptance takes no waivers: nothing of w.toml is taken

# What is wrong with a file has its place.
$ printf '[[waiver]]\nid = "gpu.cuont"\nuntil = 2027-02-30\nticket = "a"\nwhy = "b"\nnode = []\n' > bad.toml
$ rocenv check --sysroot mi300x-spx --waivers bad.toml
rocenv: bad.toml:3:19: error: Error while parsing date: expected day between 1 and 28 (inclusive), saw 30
? 2
$ printf '[[waiver]]\nid = "gpu.cuont"\nuntil = "soon"\nticket = "a"\nwhy = "b"\nnode = []\n' > bad.toml
$ rocenv check --sysroot mi300x-spx --waivers bad.toml
rocenv: bad.toml:2:6: error: id: no such setting as gpu.cuont, did you mean gpu.count?
rocenv: bad.toml:3:9: error: until: wanted a date such as 2027-01-31
rocenv: bad.toml:6:8: error: unknown key node in [[waiver]], did you mean nodes?
? 2
$ rocenv run --sysroot mi300x-spx --check --waivers nowhere.toml -- true
rocenv: cannot read nowhere.toml: ENOENT (No such file or directory)
rocenv: --check: the program is not started
? 125
$ rocenv run --waivers w.toml -- true
rocenv: run: --waivers is for --check and --tune
? 125
$ rocenv set --sysroot mi300x-spx -p host --waivers nowhere.toml --dry-run
rocenv: cannot read nowhere.toml: ENOENT (No such file or directory)
? 2
