# A scheduler's prolog: root, an empty environment, a verdict by status and one line.
$ env -i $(command -v rocenv) check --sysroot mi300x-tuned -p ci-preflight -q; echo "status $?"
status 0
$ env -i $(command -v rocenv) check --sysroot mi300x-fallen -p ci-preflight -q; echo "status $?"
status 1
$ env -i $(command -v rocenv) check --sysroot mi300x-fallen -p ci-preflight --scope node | grep '^[A-Z]'; echo "status ${PIPESTATUS[0]}"
FAIL  ci-preflight: 2 required failed (1 cause)
FAIL  gpu.count  The GPU at 0000:85:00.0 has fallen off the PCIe bus
status 1
$ env -i $(command -v rocenv) check --sysroot mi300x-fallen -p ci-preflight --format json | jq -r '.findings[] | select(.outcome != "ok" and .outcome != "na") | "\(.level) \(.id) \(.target) \(.outcome): \(.detail)"'
required gpu.count 0000:85:00.0 differs: the GPU returns all ones to every read of its PCI configuration
required gpu.xgmi system differs: the board of the MI300X links 8 GPUs, so links to the others are missing
recommended pci.link 0000:85:00.0 unknown: /sys/bus/pci/devices/0000:83:00.0/current_link_width: is not a valid link value: "63" (all ones, so the device does not respond)
recommended pci.large_bar 0000:85:00.0 unknown: amdgpu is not bound to the device, so the value could not be read
$ env -i $(command -v rocenv) check --sysroot mi300x-cpx -p ci-preflight
PASS  ci-preflight: all required and recommended checks passed

1 optional setting differs: gpu.compute_partition CPX (SPX)

1 optional, 18 passed, 4 not applicable (-v lists all)
$ env -i $(command -v rocenv) check --sysroot no-gpu -p ci-preflight | grep '^[A-Z]'; echo "status ${PIPESTATUS[0]}"
FAIL  ci-preflight: 1 required failed
FAIL  gpu.count  0, expected full
status 1
