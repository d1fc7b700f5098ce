# A machine as one file, and the same report from it.
$ rocenv record --sysroot no-gpu --output node.tree -q
$ grep -e cmdline -e hostname -e boot_id -e 00:01.1 node.tree
f /proc/cmdline = BOOT_IMAGE=redacted root=redacted ro console=redacted console=redacted
f /proc/sys/kernel/hostname = redacted
f /proc/sys/kernel/random/boot_id = 00000000-0000-0000-0000-000000000000
c /sys/bus/pci/devices/0000:00:01.1/config 256 0
f /sys/bus/pci/devices/0000:00:01.1/modalias = pci:v00008086d00007010sv00001AF4sd00001100bc01sc01i80

$ rocenv check --sysroot no-gpu --scope node >before; rocenv check --sysroot node.tree --scope node >after
$ cmp before after

# The ids of GPUs are counted, not told; those of one hive stay together.
$ rocenv record --sysroot mi300x-spx --output gpus.tree -q
$ rocenv topo --sysroot gpus.tree --format json | jq -c '[.gpus[] | [.hive, .unique_id]] | .[0], .[7]'
["0000000000000001","0000000000000001"]
["0000000000000001","0000000000000008"]

# Other files are not replaced.
$ rocenv record --sysroot no-gpu --output /dev/null
rocenv: cannot replace '/dev/null': not a regular file
? 2

$ rocenv record --sysroot no-gpu --output nowhere/node.tree
rocenv: cannot write 'nowhere/node.tree': No such file or directory
? 3

$ mkdir empty; rocenv record --sysroot empty
rocenv: the machine has neither sys nor proc
? 2

# The environment stays out, or comes as comments: what rocenv or a profile knows.
$ HIP_FORCE_DEV_KERNARG=1 TOKEN=secret rocenv record --sysroot no-gpu | cmp - node.tree
$ HIP_FORCE_DEV_KERNARG=1 TOKEN=secret rocenv record --sysroot no-gpu --with-env | diff node.tree -
2a3
> # env HIP_FORCE_DEV_KERNARG=1
? 1
