# One line for a scheduler's reason field or a log: the worst first, what does not fit counted.
$ rocenv check --sysroot mi300x-tuned -p ci-preflight --format brief
rocenv: ok
$ rocenv check --sysroot mi300x-fallen --format brief
rocenv: 2 required differ: gpu.count 0000:85:00.0 fallen off the bus, gpu.xgmi
? 1
$ rocenv check --sysroot mi300x-no-driver --format brief; rocenv check --sysroot suspended --format brief
rocenv: 2 required differ: gpu.driver, +1 more; 4 recommended differ
rocenv: 3 required unknown: gpu.compute_partition 0000:63:00.0 asleep, +2 more
? 3
$ rocenv check --sysroot mi300x-spx --format brief; rocenv check --sysroot mi300x-spx --format brief --strict
rocenv: ok; 4 recommended differ: kernel.numa_balancing 1, +3 more
rocenv: 4 recommended differ: kernel.numa_balancing 1, kernel.cmdline, +2 more
? 1
$ rocenv check --sysroot no-gpu --only cpu.smt,gpu.count --format brief; rocenv check --sysroot mi300x-spx --only gpu.count --format brief -q
rocenv: nothing was checked

# Why something is unknown, and a number by which the same trouble is known again, on this node only.
$ rocenv check --sysroot suspended --only gpu.compute_partition,pci.link --format json | jq -r '.findings[] | "\(.id) \(.target) \(.outcome) \(.reason) \(.fingerprint)"' | sort | head -4
gpu.compute_partition 0000:43:00.0 na null 99a5de6d726675a7
gpu.compute_partition 0000:63:00.0 unknown asleep 4599413ac205be61
pci.link 0000:43:00.0 ok null null
pci.link 0000:63:00.0 unknown asleep 49ccc2d14f18beff
$ for node in a a b; do rocenv check --sysroot mi300x-fallen --node $node --only gpu.count --format json | jq -r '.findings[].fingerprint'; done
05ac6ceb9e95a056
05ac6ceb9e95a056
6980d2f74eb60c9d
