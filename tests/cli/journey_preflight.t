# A scheduler's prolog: root, an empty environment, a verdict by status and one line.
$ env -i $(command -v rocenv) check --sysroot mi300x-tuned -p ci-preflight -q; echo "status $?"
status 0
$ env -i $(command -v rocenv) check --sysroot mi300x-fallen -p ci-preflight -q; echo "status $?"
status 1
$ env -i $(command -v rocenv) check --sysroot mi300x-fallen -p ci-preflight --scope node
ci-preflight: NOT as wanted: 1 required setting differs, 2 recommended settings
  unknown

required, differs
  gpu.count: 7, want consistent
    no driver bound: 0000:85:00.0
    why: A GPU without driver or KFD node is lost to all programs; in an xGMI
         hive all must link alike.
    next: sudo dmesg | grep -e amdgpu -e xgmi; then reseat, reset or reboot

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

25 ok, 1 differs, 2 unknown  (-v lists all)
? 1
$ env -i $(command -v rocenv) check --sysroot mi300x-fallen -p ci-preflight --format json | jq -r '.findings[] | select(.outcome != "ok" and .outcome != "na") | "\(.level) \(.id) \(.target) \(.outcome): \(.detail)"'
required gpu.count system differs: no driver bound: 0000:85:00.0
recommended pci.link 0000:85:00.0 unknown: /sys/bus/pci/devices/0000:83:00.0/current_link_width: is no link's: "63" (all ones, the device does not answer)
recommended pci.large_bar 0000:85:00.0 unknown: no amdgpu driver is bound to it, which would tell
$ env -i $(command -v rocenv) check --sysroot mi300x-cpx -p ci-preflight
ci-preflight: all that is required is as wanted

28 ok, 4 na  (-v lists all)
$ env -i $(command -v rocenv) check --sysroot no-gpu -p ci-preflight
ci-preflight: NOT as wanted: 1 required setting differs

required, differs
  gpu.count: 0, want consistent
    no AMD GPU on this node
    why: A GPU without driver or KFD node is lost to all programs; in an xGMI
         hive all must link alike.
    next: sudo dmesg | grep -e amdgpu -e xgmi; then reseat, reset or reboot

1 ok, 1 differs, 8 na  (-v lists all)
? 1
