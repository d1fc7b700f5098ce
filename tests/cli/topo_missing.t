# GPUs without an agent stand between their neighbours by address, without an index.
$ rocenv topo --sysroot mi300x-fallen | head -n 12
7 x AMD Instinct MI300X (gfx942, SPX, NPS1), and 1 without an agent
304 CUs of 4 SIMDs, wavefront 64, 192 GiB, 2100 MHz
GPU  address       NUMA  near NIC  PCIe GT/s  near CPUs
0    0000:05:00.0  0     bnxt_re0  32.0 x16   0-15
1    0000:09:00.0  0     bnxt_re1  32.0 x16   0-15
2    0000:45:00.0  0     bnxt_re2  32.0 x16   0-15
3    0000:49:00.0  0     bnxt_re3  32.0 x16   0-15
-    0000:85:00.0  1     -         -          16-31
4    0000:89:00.0  1     bnxt_re4  32.0 x16   16-31
5    0000:c5:00.0  1     bnxt_re6  32.0 x16   16-31
6    0000:c9:00.0  1     bnxt_re7  32.0 x16   16-31
The GPU at 0000:85:00.0 has fallen off the PCIe bus.
$ rocenv topo --sysroot mi300x-fallen | tail -n 1
7 agents on 7 physical GPUs, 1 GPU without an agent
$ rocenv topo --sysroot vfio | grep -e '^-' -e '^The GPU' -e '^Indices'
-    0000:05:00.0  0     -         -          0-15
-    0000:c9:00.0  1     -         -          16-31
The GPU at 0000:05:00.0 is bound to vfio-pci.
The GPU at 0000:c9:00.0 is bound to the driver gim.
Indices moved: with them, 0-5 would be 1-6.
$ rocenv topo --sysroot mi300x-no-driver | head -n 11
8 GPUs without an agent
GPU  address       NUMA  near NIC  PCIe GT/s  near CPUs
-    0000:05:00.0  0     -         -          0-15
-    0000:09:00.0  0     -         -          0-15
-    0000:45:00.0  0     -         -          0-15
-    0000:49:00.0  0     -         -          0-15
-    0000:85:00.0  1     -         -          16-31
-    0000:89:00.0  1     -         -          16-31
-    0000:c5:00.0  1     -         -          16-31
-    0000:c9:00.0  1     -         -          16-31
The 8 GPUs without an agent have no driver.
$ rocenv topo --sysroot mi300x-cpx | grep -c 'without an agent'
0
? 1
$ rocenv topo --sysroot mi300x-fallen --format json | jq -c '.missing[]'
{"bdf":"0000:85:00.0","slot":null,"name":"AMD Instinct MI300X","device_id":"0x74a1","numa_node":1,"code":"fallen","why":"has fallen off the PCIe bus"}
$ rocenv topo --sysroot mi300x-spx --format json | jq -c '.missing'
[]

# Links, values and binding are those of the agents, and count without it.
$ rocenv topo --sysroot mi300x-fallen --format json | jq -c '[(.gpus | length), ([.links[].from | numbers] | max)]'
[7,6]
$ rocenv topo --sysroot mi300x-fallen --bind 4 | head -n 1
GPU   0000:89:00.0 (ROCR_VISIBLE_DEVICES=4)
$ rocenv topo --sysroot mi300x-fallen --get gpu.4.bdf
0000:89:00.0
