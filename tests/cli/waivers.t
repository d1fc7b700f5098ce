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
$ rocenv check --sysroot mi300x-fallen -p ci-preflight | grep '^[A-Z]'; echo "status ${PIPESTATUS[0]}"
FAIL  ci-preflight: 2 required failed (1 cause)
FAIL  gpu.count  The GPU at 0000:85:00.0 has fallen off the PCIe bus
status 1
$ rocenv check --sysroot mi300x-fallen -p ci-preflight --waivers w.toml
PASS  ci-preflight: all required and recommended checks passed or are waived, 3
      findings waived

INFO  gpu.count  The GPU at 0000:85:00.0 has fallen off the PCIe bus
      waived   until 2027-01-31 by OPS-1234: waits for a spare

INFO  pci.link  The GPU at 0000:85:00.0: could not be read
      waived   until 2027-01-31 by OPS-1234: waits for a spare

INFO  pci.large_bar  The GPU at 0000:85:00.0: could not be read
      waived   until 2027-01-31 by OPS-1234: waits for a spare

19 passed, 10 not applicable, 3 waived (-v lists all)
note: waiver OPS-2 (w.toml:15:1) ended on 1969-12-31 and was not used
note: waiver OPS-3 (w.toml:21:1) matches nothing here: cpu.governor on
0000:05:00.0
$ rocenv check --sysroot mi300x-fallen -p ci-preflight --waivers w.toml --strict -q
$ rocenv check --sysroot mi300x-fallen -p ci-preflight --waivers w.toml --format json | jq -c '.result, .exit, .summary, .notes, (.findings[] | select(.waived) | [.id, .target, .outcome, .waived])'
"ok"
0
{"differs":1,"na":16,"ok":77,"unknown":2}
["waiver OPS-2 (w.toml:15:1) ended on 1969-12-31 and was not used","waiver OPS-3 (w.toml:21:1) matches nothing here: cpu.governor on 0000:05:00.0"]
["gpu.count","0000:85:00.0","differs",{"ticket":"OPS-1234","until":"2027-01-31","why":"waits for a spare"}]
["pci.link","0000:85:00.0","unknown",{"ticket":"OPS-1234","until":"2027-01-31","why":"waits for a spare"}]
["pci.large_bar","0000:85:00.0","unknown",{"ticket":"OPS-1234","until":"2027-01-31","why":"waits for a spare"}]
$ rocenv check --sysroot mi300x-fallen -p ci-preflight --waivers w.toml --no-waivers -q
? 1

# With --node it is that node; --only keeps what was not judged quiet.
$ rocenv check --sysroot mi300x-spx -p benchmark --only kernel.numa_balancing --waivers w.toml --node node17.rack3
PASS  mi300x-benchmark: all required and recommended checks passed or are
      waived, 1 finding waived
      8 x AMD Instinct MI300X

INFO  kernel.numa_balancing  1, expected 0
      waived   until 2027-01-31 by OPS-7: a database's node

1 waived (-v lists all)
note: waiver OPS-2 (w.toml:15:1) ended on 1969-12-31 and was not used
$ rocenv set --sysroot mi300x-spx -p benchmark --only kernel.numa_balancing --waivers w.toml --node node17 --dry-run
DRY RUN  mi300x-benchmark: 1 setting would be changed; nothing was written
  kernel.numa_balancing  1  ->  0

Writes, in this order:
  1  kernel.numa_balancing system
     echo 0 > /proc/sys/kernel/numa_balancing
note: waiver OPS-2 (w.toml:15:1) ended on 1969-12-31 and was not used
$ rocenv set --sysroot mi300x-fallen -p mi300x --only gpu.count --dry-run -q
? 1
$ rocenv set --sysroot mi300x-fallen -p mi300x --only gpu.count --dry-run --waivers w.toml
DRY RUN  mi300x: nothing would be changed; nothing was written
waived: gpu.count by OPS-1234 until 2027-01-31: waits for a spare
note: waiver OPS-2 (w.toml:15:1) ended on 1969-12-31 and was not used
$ rocenv check --sysroot mi300x-spx -p acceptance --only gpu.count --waivers w.toml
PASS  mi300x + acceptance: all required and recommended checks passed
      8 x AMD Instinct MI300X

1 passed (-v lists all)
note: acceptance ignores waivers: w.toml was not used

# An error in a file names its line.
$ printf '[[waiver]]\nid = "gpu.cuont"\nuntil = 2027-02-30\nticket = "a"\nwhy = "b"\nnode = []\n' > bad.toml
$ rocenv check --sysroot mi300x-spx --waivers bad.toml
rocenv: bad.toml:3:19: error: Error while parsing date: expected day between 1 and 28 (inclusive), saw 30
? 2
$ printf '[[waiver]]\nid = "gpu.cuont"\nuntil = "soon"\nticket = "a"\nwhy = "b"\nnode = []\n' > bad.toml
$ rocenv check --sysroot mi300x-spx --waivers bad.toml
rocenv: bad.toml:2:6: error: id: unknown setting 'gpu.cuont'. Did you mean 'gpu.count'?
rocenv: bad.toml:3:9: error: until: expected a date such as 2027-01-31
rocenv: bad.toml:6:8: error: unknown key 'node' in [[waiver]]. Did you mean 'nodes'?
? 2
$ rocenv run --sysroot mi300x-spx --check --waivers nowhere.toml -- true
rocenv: cannot read 'nowhere.toml': No such file or directory
rocenv: the program was not started (--check)
? 125
$ rocenv run --waivers w.toml -- true
rocenv: --waivers needs --check or --tune
Try 'rocenv run --help'.
? 125
$ rocenv set --sysroot mi300x-spx -p host --waivers nowhere.toml --dry-run
rocenv: cannot read 'nowhere.toml': No such file or directory
? 2
