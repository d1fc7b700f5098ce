# What nodes of a cluster should agree on, unjudged. Equal nodes have equal fingerprints; names and boots do not count.
$ rocenv check --sysroot mi300x-tuned --only cpu.online,kernel.cmdline,gpu.vbios --facts
PASS  mi300x: all required and recommended checks passed
      8 x AMD Instinct MI300X

1 passed (-v lists all)
facts: 10, fingerprint a5fba150419bf210
$ rocenv check --sysroot mi300x-tuned --only cpu.online,kernel.cmdline,gpu.vbios --facts --format json | jq -c '.facts | .fingerprint, .unread, .values[]' | head -6
"a5fba150419bf210"
0
{"id":"cpu.online","target":"system","value":"0-383"}
{"id":"gpu.vbios","target":"0000:05:00.0","value":"113-M3000100-102"}
{"id":"gpu.vbios","target":"0000:09:00.0","value":"113-M3000100-102"}
{"id":"gpu.vbios","target":"0000:45:00.0","value":"113-M3000100-102"}
$ cp -a mi300x-tuned/. node && echo 5f0e2d1c-0000-4000-8000-000000000001 > node/proc/sys/kernel/random/boot_id
$ for node in mi300x-tuned node; do rocenv check --sysroot $node --facts --format json | jq -r .facts.fingerprint; done | uniq | wc -l
1

# Counters by what they grew since an earlier report of this boot.
$ gpu=node/sys/bus/pci/devices/0000:05:00.0; errors() { printf 'RxErr %s\nTOTAL_ERR_COR %s\n' $1 $1 > $gpu/aer_dev_correctable; printf 'CmpltTO %s\nTOTAL_ERR_FATAL %s\n' $2 $2 > $gpu/aer_dev_fatal; }
> errors 5120 1; rocenv check --sysroot node --want pci.aer=100 --only pci.aer --format brief
> rocenv check --sysroot node --want pci.aer=100 --facts --format json > then.json; echo $?
> rocenv check --sysroot node --want pci.aer=100 --only pci.aer --since then.json -v
> errors 5150 1; rocenv check --sysroot node --want pci.aer=100 --only pci.aer --since then.json --format brief
> errors 5120 2; rocenv check --sysroot node --want pci.aer=100 --only pci.aer --since then.json
> errors 300 1; rocenv check --sysroot node --want pci.aer=100 --only pci.aer --since then.json --format json | jq -r '.findings[] | .have, .detail'
rocenv: 1 required differs: pci.aer 0000:05:00.0
1
PASS  mi300x: all required and recommended checks passed
      8 x AMD Instinct MI300X

Passed
PASS  pci.aer  0000:05:00.0: 0 (required): not counting those of the earlier
      report: correctable RxErr 5120, fatal CmpltTO 1
PASS  pci.aer  0 (required): 55 functions

2 passed
rocenv: ok; 1 info differs: pci.aer 0000:05:00.0 correctable RxErr 30
FAIL  mi300x: 1 required failed
      8 x AMD Instinct MI300X

FAIL  pci.aer  GPU 0 (0000:05:00.0): fatal CmpltTO 1, expected at most 100
      correctable
      detail   Not counting those of the earlier report: correctable RxErr 5120,
               fatal CmpltTO 1.
      why      A bad cable, retimer or contact causes link errors long before
               the link fails and the job with it.
      next     sudo dmesg | grep -i aer
               If the count grows, reseat the card or cable.

1 failed (-v lists all)
fatal CmpltTO 1, correctable RxErr 300
the counter restarted since the earlier report, which had correctable RxErr 5120

# Facts that changed; after another boot counters count as a whole.
$ gpu=node/sys/bus/pci/devices/0000:05:00.0; echo 0x00550c02 > $gpu/fw_version/smc_fw_version; echo 1 > node/proc/sys/kernel/numa_balancing
> rocenv check --sysroot node --only gpu.firmware,kernel.numa_balancing --since then.json --format json | jq -c '.since | .same_boot, .changed[].id'
> echo 5f0e2d1c-0000-4000-8000-000000000002 > node/proc/sys/kernel/random/boot_id
> rocenv check --sysroot node --want pci.aer=100 --only pci.aer,kernel.numa_balancing --since then.json --format json | jq -r '(.findings[] | select(.id == "pci.aer") | .outcome, .have), .since.same_boot, .notes[]'
true
"gpu.firmware"
"kernel.numa_balancing"
differs
fatal CmpltTO 1, correctable RxErr 300
false
the earlier report is of another boot, so counters are judged by their whole value
changed since the earlier report: kernel.numa_balancing system: was 0, now 1

# Facts that were not compared are named with the reason.
$ rocenv check --sysroot node --scope process --since then.json --format json | jq -r '.notes[]'
the earlier report is of another boot, so counters are judged by their whole value
facts were not compared: they describe the node, and only a process was checked
$ rm node/sys/devices/system/clocksource/clocksource0/current_clocksource; mkdir node/sys/devices/system/clocksource/clocksource0/current_clocksource; rocenv check --sysroot node --only cpu.clocksource,kernel.numa_balancing --since then.json --format json | jq -r '.notes[]'
the earlier report is of another boot, so counters are judged by their whole value
changed since the earlier report: kernel.numa_balancing system: was 0, now 1
1 fact was not compared, because it could not be read now or in the earlier report: cpu.clocksource

# What is no report of this node judges nothing.
$ rocenv check --sysroot node --since none.json -q
rocenv: cannot read 'none.json': No such file or directory
? 2
$ head -c 5000 then.json > cut.json; rocenv check --sysroot node --since cut.json
rocenv: cut.json: is not a complete JSON text
? 2
$ rocenv check --sysroot mi210 --since then.json
rocenv: then.json: is of node "mi300x-tuned", and this is "mi210"
? 2
$ rocenv status --sysroot node --format json > status.json; rocenv check --sysroot node --since status.json
rocenv: status.json: is not a report of rocenv check --format json
? 2
$ rocenv check --sysroot node --only cpu.smt -q --since /dev/stdin < then.json
