# A scheduler's prolog: root, an empty environment, a verdict by status and one line.
$ env -i $(command -v rocenv) check --sysroot mi300x-tuned -p ci-preflight -q; echo "status $?"
status 0
$ env -i $(command -v rocenv) check --sysroot mi300x-fallen -p ci-preflight -q; echo "status $?"
status 1
$ env -i $(command -v rocenv) check --sysroot mi300x-fallen -p ci-preflight --scope node
FAIL  ci-preflight: 2 required failed (1 cause)

FAIL  gpu.count  The GPU at 0000:85:00.0 has fallen off the PCIe bus
      detail   The GPU returns all ones to every read of its PCI configuration.
      why      A node with a missing or unusable GPU fails every job that needs
               the whole node.
      next     sudo dmesg | grep -e amdgpu -e 0000:85:00.0
               If the log shows no reason, reset or reseat the GPU, or
               power-cycle the node.
      follows  FAIL gpu.xgmi: 7 of 8 GPUs, expected mesh
               2 checks could not be read (-v lists them)

2 failed, 2 unknown, 16 passed, 7 not applicable (-v lists all)
? 1
$ env -i $(command -v rocenv) check --sysroot mi300x-fallen -p ci-preflight --format json | jq -r '.findings[] | select(.outcome != "ok" and .outcome != "na") | "\(.level) \(.id) \(.target) \(.outcome): \(.detail)"'
required gpu.count 0000:85:00.0 differs: the GPU returns all ones to every read of its PCI configuration
required gpu.xgmi system differs: the board of the MI300X links 8 GPUs, so links to the others are missing
recommended pci.link 0000:85:00.0 unknown: /sys/bus/pci/devices/0000:83:00.0/current_link_width: is not a valid link value: "63" (all ones, so the device does not respond)
recommended pci.large_bar 0000:85:00.0 unknown: amdgpu is not bound to the device, so the value could not be read
$ env -i $(command -v rocenv) check --sysroot mi300x-cpx -p ci-preflight
PASS  ci-preflight: all required and recommended checks passed

1 optional setting differs: gpu.compute_partition CPX (SPX)

1 optional, 18 passed, 4 not applicable (-v lists all)
$ env -i $(command -v rocenv) check --sysroot no-gpu -p ci-preflight
FAIL  ci-preflight: 1 required failed
      No AMD GPU found.

FAIL  gpu.count  0, expected full
      detail   This node has no AMD GPU.
      why      A node with a missing or unusable GPU fails every job that needs
               the whole node.
      next     sudo dmesg | grep -e amdgpu -e pcieport
               If the log shows no reason, report it to the administrator of the
               hypervisor.

1 failed, 2 passed, 20 not applicable (-v lists all)
? 1
