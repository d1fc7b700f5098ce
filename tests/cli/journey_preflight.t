# A scheduler's prolog: root, an empty environment, a verdict by status and one line.
$ env -i $(command -v rocenv) check --sysroot mi300x-tuned -p ci-preflight -q; echo "status $?"
status 0
$ env -i $(command -v rocenv) check --sysroot mi300x-fallen -p ci-preflight -q; echo "status $?"
status 1
$ env -i $(command -v rocenv) check --sysroot mi300x-fallen -p ci-preflight --scope node
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

65 ok, 2 differs, 2 unknown, 12 na  (-v lists all)
? 1
$ env -i $(command -v rocenv) check --sysroot mi300x-fallen -p ci-preflight --format json | jq -r '.findings[] | select(.outcome != "ok" and .outcome != "na") | "\(.level) \(.id) \(.target) \(.outcome): \(.detail)"'
required gpu.count 0000:85:00.0 differs: it answers all ones
required gpu.xgmi system differs: the board of MI300X links 8 GPUs: links to the others are missing
recommended pci.link 0000:85:00.0 unknown: /sys/bus/pci/devices/0000:83:00.0/current_link_width: is no link's: "63" (all ones, the device does not answer)
recommended pci.large_bar 0000:85:00.0 unknown: no amdgpu driver is bound to it, which would tell
$ env -i $(command -v rocenv) check --sysroot mi300x-cpx -p ci-preflight
ci-preflight: all that is required is as wanted

info, differs
  gpu.compute_partition: CPX, want SPX (8 of them)
    on 0000:05:00.0, 0000:09:00.0, 0000:45:00.0, 0000:49:00.0 and 4 more
    next: with no job there: sudo amd-smi set --gpu 0000:05:00.0 --compute-partition SPX (so for each)

66 ok, 8 differs, 11 na  (-v lists all)
$ env -i $(command -v rocenv) check --sysroot no-gpu -p ci-preflight
ci-preflight: NOT as wanted: 1 required setting differs

required, differs
  gpu.count: 0, want full
    no AMD GPU on this node
    why: A board with seven of its eight GPUs is broken; one without driver or
         KFD node is lost to all.
    next: on the hypervisor: sudo dmesg | grep -e amdgpu -e pcieport; then reseat what is missing, or reboot

2 ok, 1 differs, 17 na  (-v lists all)
? 1
