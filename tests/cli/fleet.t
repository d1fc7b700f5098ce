# Five nodes of one rack and a node of another model: who stands out, and in what.
$ mkdir sweep && for n in 01 02 03 04; do HSA_OVERRIDE_CPU_AFFINITY_DEBUG=0 rocenv check --sysroot mi300x-tuned --facts --node gpu$n --format json > sweep/gpu$n.json; done
$ HSA_OVERRIDE_CPU_AFFINITY_DEBUG=0 rocenv check --sysroot mi300x-fallen --facts --node gpu05 --format jsonl > sweep/gpu05.jsonl
? 1
$ rocenv check --sysroot mi210 --facts --node ws1 --format json > sweep/ws1.json
$ rocenv fleet sweep
6 nodes: 5 pass, 1 FAIL; 3 recommendations not met; 1 not compared
FAIL  1 node  gpu05  gpu.count: the GPU at 0000:85:00.0 has fallen off the PCIe
      bus
WARN  1 node  ws1    cpu.governor: policy0-127: ondemand, expected performance
WARN  1 node  ws1    kernel.cmdline: missing pci=realloc=off, expected
      pci=realloc=off iommu=pt
WARN  1 node  ws1    kernel.numa_balancing: 1, expected 0

2 groups; reports of 1970-01-01T00:00:00Z (-v lists all)

1 node not compared, the only one of its model: ws1
? 1

# From a pipe, as clush, srun or kubectl give it; a name in front of a line is passed over.
$ cat sweep/gpu01.json sweep/gpu05.jsonl | rocenv fleet -q; sed 's/^/gpu05: /' sweep/gpu05.jsonl | rocenv fleet --format json - | jq -c '.summary, .nodes'
2 nodes: 1 pass, 1 FAIL; 90 facts without a majority; 2 not compared
FAIL  1 node  gpu05  gpu.count: the GPU at 0000:85:00.0 has fallen off the PCIe
      bus

  they differ: cpu.cores socket0-1: 96 on gpu01, 16 on gpu05
  they differ: cpu.governor policy32-383: performance on gpu01, not there on
      gpu05
  they differ: cpu.idle cpu32-383/C1: enabled on gpu01, not there on gpu05
  they differ: cpu.idle cpu0-31/C2: disabled on gpu01, enabled on gpu05
  they differ: cpu.idle cpu32-383/C2: disabled on gpu01, not there on gpu05
  they differ: cpu.online: 0-383 on gpu01, 0-31 on gpu05
  they differ: cpu.smt: on on gpu01, notsupported on gpu05
  they differ: cpu.sockets system/model: AMD EPYC 9654 96-Core Processor on
      gpu01, AMD EPYC 9124 16-Core Processor on gpu05
  they differ: gpu.atomics 0000:85:00.0: on on gpu01, not there on gpu05
  they differ: gpu.compute_partition 0000:85:00.0: SPX on gpu01, not there on
      gpu05
  and 26 more without a majority (-v)

2 nodes not compared, two that differ, of which neither is the majority:
      gpu[01,05]
{"nodes":1,"ok":0,"differs":1,"unknown":0,"unjudged":0,"odd":0,"odd_but_ok":0,"without_majority":0,"uncompared":1,"unread_inputs":0,"reports_read":1,"superseded":0,"distinct_reports":1,"oldest":"1970-01-01T00:00:00Z","newest":"1970-01-01T00:00:00Z"}
[{"name":"gpu05","time":"1970-01-01T00:00:00Z","exit":1,"group":0,"fold":0,"file":"standard input","line":1}]

# A recording is judged here, by what -p says.
$ rocenv fleet mi300x-tuned.tree sweep/gpu01.json sweep/gpu02.json --format json | jq -r '.nodes[] | "\(.name) \(.exit) \(.file):\(.line)"'
gpu01 0 sweep/gpu01.json:1
gpu02 0 sweep/gpu02.json:1
mi300x-tuned 0 mi300x-tuned.tree:0

# Input that is none is named by file and line, and stops nothing.
$ (echo "srun: error: gpu09: task 3: Exited"; head -c 900 sweep/gpu01.json; cat sweep/gpu02.json; echo '{"a": 1}'; rocenv status --sysroot guest --format json; cat sweep/gpu02.json) > mixed.txt; : > empty.json
$ rocenv fleet mixed.txt empty.json; rocenv fleet sweep absent.json
1 node: 1 pass; 1 not compared; 5 inputs not read

1 group; reports of 1970-01-01T00:00:00Z, 1 superseded (-v lists all)

1 node not compared, the only one of its model: gpu02

mixed.txt:1: text that is not a report of rocenv check: srun: error: gpu09: task
  3: Exited
mixed.txt:2: a report that is cut off
mixed.txt:3837: JSON that is not a report of rocenv check
mixed.txt:3838: JSON that is rocenv.status/1, not rocenv.report/1
empty.json: is empty
mixed.txt:33: gpu02: the same report as mixed.txt:3851
rocenv: cannot open 'absent.json': No such file or directory
? 2

# Who should have answered, and how old an answer may be.
$ rocenv fleet --expect 'gpu[01-07]' sweep | tail -5
2 groups; reports of 1970-01-01T00:00:00Z (-v lists all)

1 node not expected (--expect): ws1

1 node not compared, the only one of its model: ws1
$ SOURCE_DATE_EPOCH=7200 rocenv fleet --max-age 1h sweep/gpu01.json | tail -2
1 node: 0 pass, 1 STALE
STALE  1 node  gpu01  only reports that are older than --max-age
$ SOURCE_DATE_EPOCH=7200 rocenv fleet --max-age 24h sweep/gpu01.json >/dev/null

# Compared with a good node, with what a profile wants, with an earlier sweep.
$ rocenv fleet --reference sweep/gpu01.json sweep/gpu05.jsonl --only gpu.count
1 node: 0 pass, 1 FAIL
FAIL  1 node  gpu05  gpu.count: the GPU at 0000:85:00.0 has fallen off the PCIe
      bus

1 group; reports of 1970-01-01T00:00:00Z; compared with gpu01 (-v lists all)
? 1
$ rocenv profile learn --sysroot mi300x-tuned --only 'kernel.*,cpu.governor' good > good.toml && rocenv fleet --reference good.toml --only 'kernel.*,cpu.governor' sweep/gpu01.json sweep/ws1.json
2 nodes: 2 pass; 3 recommendations not met
WARN  1 node  ws1  cpu.governor: policy0-127: ondemand, expected performance
WARN  1 node  ws1  kernel.cmdline: missing pci=realloc=off, expected
      pci=realloc=off iommu=pt
WARN  1 node  ws1  kernel.numa_balancing: 1, expected 0

2 groups; reports of 1970-01-01T00:00:00Z; compared with good.toml (-v lists
  all)

compared with the majority, because the reference expects no plain value of:
  kernel.cmdline,kernel.version,kernel.health
$ for m in mi300x-tuned mi300a rocm-10; do rocenv profile learn --sysroot $m own > own.toml 2>&1; rocenv check --sysroot $m --facts --node $m --format json > own.json; rocenv fleet --reference own.toml own.json | grep '; reference' || echo $m is as it was learnt; done
mi300x-tuned is as it was learnt
mi300a is as it was learnt
rocm-10 is as it was learnt
$ printf '[profile]\nname = "x"\nsummary = "x"\n[settings]\n"cpu.clocksource" = "hpet"\n"kernel.version" = ">=7"\n' > x.toml; rocenv fleet --strict --reference x.toml sweep/gpu0[123].json --only cpu.clocksource,kernel.version -q
3 nodes: 3 pass; 3 outliers
outlier  3 nodes  gpu[01-03]  cpu.clocksource: tsc, reference has hpet (passes)

compared with the majority, because the reference expects no plain value of:
  kernel.version
? 1
$ mkdir earlier && cp sweep/gpu0[123].json earlier && sed 's/6.8.0-45-generic/6.8.0-31-generic/' sweep/gpu04.json > earlier/gpu04.json && rocenv fleet --since earlier sweep --only 'kernel.*' | tail -8
2 groups; reports of 1970-01-01T00:00:00Z (-v lists all)

1 node not compared, the only one of its model: ws1

since earlier: 3 unchanged
  2 new: gpu05,ws1
  1 changed: gpu04
      kernel.version: was 6.8.0-31-generic, now 6.8.0-45-generic

# Groups of one's own, and what counts for the status.
$ rocenv fleet --group-by kernel.version --only kernel.version sweep
6 nodes: 6 pass; 1 not compared

2 groups; reports of 1970-01-01T00:00:00Z (-v lists all)

1 node not compared, the only one of its model: ws1
$ sed 's/"tsc"/"hpet"/' sweep/gpu04.json > gpu04.json; rocenv fleet sweep/gpu0[123].json gpu04.json --only cpu.clocksource; rocenv fleet --strict sweep/gpu0[123].json gpu04.json --only cpu.clocksource -q
4 nodes: 4 pass; 1 outlier
outlier  1 node  gpu04  cpu.clocksource: hpet, peers have tsc (passes)

1 group; reports of 1970-01-01T00:00:00Z (-v lists all)
4 nodes: 4 pass; 1 outlier
outlier  1 node  gpu04  cpu.clocksource: hpet, peers have tsc (passes)
? 1
$ rocenv fleet sweep/gpu0[123].json gpu04.json --only cpu.clocksource --format json | jq -c '.groups[].folds[] | .names, (.differences[] | [.of, .id, .target, .here, .others, .unread, .level, .by_majority])'
"gpu[01-03]"
"gpu04"
["fact","cpu.clocksource","system","hpet","tsc",false,null,false]
$ jq 'del(.findings[] | select(.id == "gpu.count"))' sweep/gpu04.json > lacks.json; rocenv fleet sweep/gpu0[123].json lacks.json; rocenv fleet --strict sweep/gpu0[123].json lacks.json -q
4 nodes: 4 pass; 1 outlier
outlier  1 node  gpu04  gpu.count: not in the report, peers have ok (passes)

1 group; reports of 1970-01-01T00:00:00Z (-v lists all)
4 nodes: 4 pass; 1 outlier
outlier  1 node  gpu04  gpu.count: not in the report, peers have ok (passes)
? 3

# Recordings: cut off, without an end mark, older than a live report; what they are judged by does nothing to reports.
$ grep -v '^# end of' mi300x-tuned.tree > old.tree; head -c 90000 mi300x-tuned.tree > cut.tree; sed '/numa_balancing/d' mi300x-tuned.tree > less.tree; cp mi300x-tuned.tree gpu01.tree; touch -d 2020-01-01 gpu01.tree
$ rocenv fleet --only gpu.count old.tree cut.tree less.tree | tail -4
old.tree: has no end mark: it may be cut off
cut.tree: cut.tree: its last line is not whole: the file is cut off
less.tree: less.tree:46397: the file is cut off: found 29792 entries, expected
  29793
$ (head -n 1 mi300x-tuned.tree; echo '# rocenv 0.2.0 record; identities are redacted'; sed '1d; /^# end of/d' mi300x-tuned.tree) > torn.tree; rocenv fleet --only gpu.count torn.tree; rocenv fleet --only gpu.count torn.tree --format json | jq -c '.exit, .summary.unread_inputs, .problems'
1 node: 1 pass; 1 not compared; 1 input not read

1 group; reports of 1970-01-01T00:00:00Z (-v lists all)

1 node not compared, the only one of its model: torn

torn.tree: is cut off: it has no end mark
3
1
[{"kind":"broken","file":"torn.tree","line":0,"text":"is cut off: it has no end mark"}]
$ rocenv check --sysroot old.tree --only gpu.count
PASS  mi300x: all required and recommended checks passed
      8 x AMD Instinct MI300X

1 passed (-v lists all)
note: old.tree has no end mark: it may be cut off
$ unset SOURCE_DATE_EPOCH; rocenv fleet --format json gpu01.tree | jq -r '.nodes[].time'; rocenv fleet --only env.* old.tree | grep -c env
2020-01-01T00:00:00Z
0
? 1
$ rocenv fleet -p mi300x --only gpu.count sweep/gpu01.json; rocenv fleet -p no-such sweep/gpu01.json
1 node: 1 pass; 1 not compared

1 group; reports of 1970-01-01T00:00:00Z (-v lists all)

1 node not compared, the only one of its model: gpu01

-p, --want, --waivers and --no-waivers have no effect without a recording
  (.tree)
rocenv: unknown profile 'no-such'. To list all profiles: rocenv profile list
? 2

# A report holds its --only and --skip, and does not replace one of a whole check.
$ rocenv check --sysroot mi300x-tuned --node gpu01 --only 'gpu.*' --skip gpu.xgmi --scope node --strict --format json | jq -c '[.only, .skip, .scope, .strict]'
[["gpu.*"],["gpu.xgmi"],"node",true]
$ SOURCE_DATE_EPOCH=60 rocenv check --sysroot mi300x-tuned --node gpu01 --only gpu.count --format json | SOURCE_DATE_EPOCH=60 rocenv fleet sweep/gpu01.json - --only 'kernel.*' | tail -3

1 node with a newer report that is incomplete and does not count (of check
  --only gpu.count; in standard input:1): gpu01

# Several reports of one node: a fault in part of a check makes an outlier beside an older pass, a node without a complete report is
# unknown, and another profile list than that of the group is listed.
$ mkdir several; for n in 1 2 3 4; do rocenv check --sysroot mi300x-tuned --facts --node n$n --format json > several/n$n.json; done; rocenv check --sysroot mi300x-fallen --only gpu.count --node n1 --format json > several/n1-part.json; rocenv check --sysroot mi300x-fallen --only gpu.count --node n6 --format json > several/n6.json; rocenv check --sysroot mi300x-tuned -p mi300x-benchmark --facts --node n5 --format json > several/n5.json; SOURCE_DATE_EPOCH=1000 rocenv check --sysroot mi300x-fallen --facts --node n2 --format json > several/n2-ahead.json
? 1
$ rocenv fleet several
6 nodes: 5 pass, 1 unknown; 2 outliers; 1 recommendation not met; 2 not compared
UNKNOWN  1 node   n6      no complete report, only one of check --only
         gpu.count; a report of check --only gpu.count: required gpu.count
         differs
WARN     5 nodes  n[1-5]  env.HSA_OVERRIDE_CPU_AFFINITY_DEBUG: not set, expected
         0
outlier  1 node   n1      a newer report of check --only gpu.count: required
         gpu.count differs (the report that counts passes)
outlier  1 node   n2      a report ahead of the clock: required gpu.count
         differs (the report that counts passes)

3 groups; reports of 1970-01-01T00:00:00Z, 2 superseded (-v lists all)

1 node not compared, by findings, of which fewer than three were checked with
      one profile: n5

1 node not compared, without facts (check --facts), compared by findings alone:
      n6

1 node with a report that is more than 5 minutes ahead of this host's clock (in
  several/n2-ahead.json:1): n2
1 node judged by another profile list than most of the group (by
  mi300x-benchmark; in several/n5.json:1): n5
1 node with a required fault in a report that does not count (ahead of the
  clock; in several/n2-ahead.json:1): n2
2 nodes with a required fault in a report that does not count (of check --only
  gpu.count; in several/n1-part.json:1, several/n6.json:1): n[1,6]
nodes of one kind were checked with 2 profiles of different content (digest
  a09ca4248d41fa99 on 4, 0e1b405913c0b661 on 1); findings are compared within
  each
several machines report as one node (their boot ids alternate); only one of them
  counts: n1
? 1
$ rocenv fleet several --format json | jq -c '(.precedence[] | [.rule, .detail, .names]), [.nodes[] | .name, .exit]'
["clock",null,"n2"]
["no-complete-report","of check --only gpu.count","n6"]
["other-list","by mi300x-benchmark","n5"]
["newer-fault","ahead of the clock","n2"]
["newer-fault","of check --only gpu.count","n[1,6]"]
["n1",0,"n2",0,"n3",0,"n4",0,"n5",0,"n6",3]
$ rocenv fleet several --format prometheus | grep -e precedence -e odd_nodes -e node_differences
# HELP rocenv_fleet_odd_nodes Nodes that differ from their group, and of them those that are ok
# TYPE rocenv_fleet_odd_nodes gauge
rocenv_fleet_odd_nodes{result="any"} 2
rocenv_fleet_odd_nodes{result="ok"} 2
# HELP rocenv_fleet_node_differences Things in which the node differs from its group
# TYPE rocenv_fleet_node_differences gauge
rocenv_fleet_node_differences{node="n1"} 1
rocenv_fleet_node_differences{node="n2"} 1
rocenv_fleet_node_differences{node="n3"} 0
rocenv_fleet_node_differences{node="n4"} 0
rocenv_fleet_node_differences{node="n5"} 0
rocenv_fleet_node_differences{node="n6"} 0
# HELP rocenv_fleet_precedence_nodes Nodes to which a rule applied that decides between reports of one node
# TYPE rocenv_fleet_precedence_nodes gauge
rocenv_fleet_precedence_nodes{rule="clock"} 1
rocenv_fleet_precedence_nodes{rule="no-complete-report"} 1
rocenv_fleet_precedence_nodes{rule="other-list"} 1
rocenv_fleet_precedence_nodes{rule="same-name"} 0
rocenv_fleet_precedence_nodes{rule="newer-fault"} 3
rocenv_fleet_precedence_nodes{rule="newer-unknown"} 0
rocenv_fleet_precedence_nodes{rule="newer-part"} 0
rocenv_fleet_precedence_nodes{rule="older-worse"} 0

# Names of files that are none to the eye of fleet, and those that should not have been left out.
$ mkdir names; cp sweep/gpu01.json names; cp sweep/gpu02.json names/gpu02.JSON; gzip -c sweep/gpu03.json > names/gpu03.json.gz; touch names/a.log names/b.log; rocenv fleet --only gpu.count names | tail -4

names/gpu02.JSON: is not read: its name has to end in .json, .jsonl or .tree
names/gpu03.json.gz: is not read: it has to be unpacked first
names: left out 2 files not named .json, .jsonl or .tree (a.log, b.log)

# A page for a browser, in one file that asks for no other.
$ rocenv fleet sweep -q --format html --output page.html
? 1
$ head -n 1 page.html; grep -oE '(src|href)=[^ >]*|url\(' page.html; rocenv fleet sweep --format html | cmp - page.html
<!DOCTYPE html>
href="data:,"
href="#nodes"

# Metrics.
$ rocenv fleet sweep --only gpu.count --format prometheus | grep -v '^# TYPE' | head -33
# HELP rocenv_fleet_nodes Nodes by the result of their newest report, or by its absence
rocenv_fleet_nodes{result="ok"} 5
rocenv_fleet_nodes{result="differs"} 1
rocenv_fleet_nodes{result="unknown"} 0
rocenv_fleet_nodes{result="unjudged"} 0
rocenv_fleet_nodes{result="missing"} 0
rocenv_fleet_nodes{result="stale"} 0
# HELP rocenv_fleet_odd_nodes Nodes that differ from their group, and of them those that are ok
rocenv_fleet_odd_nodes{result="any"} 1
rocenv_fleet_odd_nodes{result="ok"} 0
# HELP rocenv_fleet_facts_without_majority Facts that the nodes of a group do not agree on
rocenv_fleet_facts_without_majority 0
# HELP rocenv_fleet_uncompared_nodes Nodes that were compared with no other
rocenv_fleet_uncompared_nodes 1
# HELP rocenv_fleet_future_nodes Nodes with a report ahead of the clock of this host
rocenv_fleet_future_nodes 0
# HELP rocenv_fleet_exit_status Exit status of rocenv fleet: 0 ok, 1 differs, 3 unknown
rocenv_fleet_exit_status 1
# HELP rocenv_fleet_oldest_report_seconds Time of the oldest report that counts
rocenv_fleet_oldest_report_seconds 0
# HELP rocenv_fleet_newest_report_seconds Time of the newest report
rocenv_fleet_newest_report_seconds 0
# HELP rocenv_fleet_warnings Warnings on the page for people
rocenv_fleet_warnings 0
# HELP rocenv_fleet_unread_inputs Files and parts of files that are not a whole report
rocenv_fleet_unread_inputs 0
# HELP rocenv_fleet_group_nodes Nodes that should be equal, by model, product and profile
rocenv_fleet_group_nodes{model="MI210",product="AS -4124GS-TNR",profile_digest="032f7ded03d65ffe",by=""} 1
rocenv_fleet_group_nodes{model="MI300X",product="AS -8125GS-TNMR2",profile_digest="a09ca4248d41fa99",by=""} 5
# HELP rocenv_fleet_finding_nodes Nodes with a finding that is not ok
rocenv_fleet_finding_nodes{id="gpu.count",level="required",outcome="differs",waived="false",ticket=""} 1
# HELP rocenv_fleet_node_exit_status Exit status of the node's check: 0, 1 or 3; none of a node that was not judged
rocenv_fleet_node_exit_status{node="gpu01"} 0

# All lists of expected nodes have one limit.
$ rocenv fleet --expect 'a[1-250000]' --expect 'b[1-250000],c' sweep; rocenv fleet --expect 'n[0-500000]' sweep; rocenv fleet --expect "$(printf '%0300d' 1)n[1-2]" sweep
rocenv: --expect: c: all lists together name more than 500000 nodes
rocenv: --expect: n[0-500000]: all lists together name more than 500000 nodes
rocenv: --expect: 000000000000000000000000000000000000000000000000000000000000...: has a name of more than 300 bytes
? 2

# Bad usage.
$ rocenv fleet --expect 'gpu[1-' sweep; rocenv fleet --max-age soon sweep; rocenv fleet --reference sweep sweep; rocenv fleet --format xml sweep
rocenv: --expect: gpu[1-: is not a valid list of nodes (example: gpu[001-412,414])
rocenv: invalid value 'soon' for --max-age: expected an age such as 90s, 15m, 24h or 7d
rocenv: sweep: holds reports of several nodes
rocenv: invalid value 'xml' for --format: expected human, json, html or prometheus
Try 'rocenv fleet --help'.
? 2

# Where nodes differ and none is among most, nobody is said to live with it.
$ for have in 0 1; do cp -a mi300x-spx/. n$have; chmod -R u+w n$have; echo $have > n$have/proc/sys/kernel/numa_balancing; done; rm -f n2.jsonl; cp -a n1/. n2; rm n2/proc/sys/kernel/numa_balancing; mkdir n2/proc/sys/kernel/numa_balancing; printf '[profile]\nname = "numa"\nsummary = "x"\n[settings]\n"kernel.numa_balancing" = { value = 0, level = "recommended" }\n' > numa.toml; for node in 0 1 2; do rocenv check --sysroot n$node -p ./numa.toml --node n$node --format jsonl; done > three.jsonl; rocenv fleet three.jsonl
3 nodes: 3 pass; 2 recommendations not met; 3 not compared
WARN  1 node  n2  kernel.numa_balancing: a value is not valid
WARN  1 node  n1  kernel.numa_balancing: 1, expected 0

1 group; reports of 1970-01-01T00:00:00Z (-v lists all)

3 nodes not compared, without facts (check --facts), compared by findings alone:
      n[0-2]
$ rocenv fleet three.jsonl --format json | grep '"others"'
              "others": "not ok",
              "others": "not ok",
