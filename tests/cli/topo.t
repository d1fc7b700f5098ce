# GPUs from the driver's files alone.
$ rocenv topo --sysroot mi300x-spx
8 x AMD Instinct MI300X (gfx942, SPX, NPS1)
304 CUs of 4 SIMDs, wavefront 64, 192 GiB, 2100 MHz
GPU  address       NUMA  near NIC  PCIe GT/s  near CPUs
0    0000:05:00.0  0     bnxt_re0  32.0 x16   0-95,192-287
1    0000:09:00.0  0     bnxt_re1  32.0 x16   0-95,192-287
2    0000:45:00.0  0     bnxt_re2  32.0 x16   0-95,192-287
3    0000:49:00.0  0     bnxt_re3  32.0 x16   0-95,192-287
4    0000:85:00.0  1     bnxt_re4  32.0 x16   96-191,288-383
5    0000:89:00.0  1     bnxt_re5  32.0 x16   96-191,288-383
6    0000:c5:00.0  1     bnxt_re6  32.0 x16   96-191,288-383
7    0000:c9:00.0  1     bnxt_re7  32.0 x16   96-191,288-383

links  0      1      2      3      4      5      6      7
0      -      X1:15  X1:15  X1:15  X1:15  X1:15  X1:15  X1:15
1      X1:15  -      X1:15  X1:15  X1:15  X1:15  X1:15  X1:15
2      X1:15  X1:15  -      X1:15  X1:15  X1:15  X1:15  X1:15
3      X1:15  X1:15  X1:15  -      X1:15  X1:15  X1:15  X1:15
4      X1:15  X1:15  X1:15  X1:15  -      X1:15  X1:15  X1:15
5      X1:15  X1:15  X1:15  X1:15  X1:15  -      X1:15  X1:15
6      X1:15  X1:15  X1:15  X1:15  X1:15  X1:15  -      X1:15
7      X1:15  X1:15  X1:15  X1:15  X1:15  X1:15  X1:15  -
X1 xGMI with 1 hop, P PCIe, :15 the driver's weight (a cost), . none listed

NIC  name      address       NUMA  PCIe GT/s
N0   bnxt_re0  0000:06:00.0  0     32.0 x16
N1   bnxt_re1  0000:0a:00.0  0     32.0 x16
N2   bnxt_re2  0000:46:00.0  0     32.0 x16
N3   bnxt_re3  0000:4a:00.0  0     32.0 x16
N4   bnxt_re4  0000:86:00.0  1     32.0 x16
N5   bnxt_re5  0000:8a:00.0  1     32.0 x16
N6   bnxt_re6  0000:c6:00.0  1     32.0 x16
N7   bnxt_re7  0000:ca:00.0  1     32.0 x16

GPU  N0      N1      N2      N3      N4      N5      N6      N7
0    switch  switch  numa    numa    far     far     far     far
1    switch  switch  numa    numa    far     far     far     far
2    numa    numa    switch  switch  far     far     far     far
3    numa    numa    switch  switch  far     far     far     far
4    far     far     far     far     switch  switch  numa    numa
5    far     far     far     far     switch  switch  numa    numa
6    far     far     far     far     numa    numa    switch  switch
7    far     far     far     far     numa    numa    switch  switch
what they share: a PCIe switch, a root (host bridge), a NUMA node; far: nothing

AMD EPYC 9654 96-Core Processor
2 packages, 192 cores, 384 threads (SMT 2)
NUMA  package  memory    CPUs
0     0        1134 GiB  0-95,192-287
1     1        1134 GiB  96-191,288-383

8 agents on 8 physical GPUs
$ rocenv topo --sysroot mi300x-spx --format json | jq -c '.gpus[0]'
{"bdf":"0000:05:00.0","gfx":"gfx942","name":"AMD Instinct MI300X","device_id":"0x74a1","compute_units":304,"simds_per_cu":4,"wavefront_size":64,"max_waves_per_cu":32,"lds_bytes_per_cu":65536,"xcc":8,"vram_bytes":206141652992,"max_clock_mhz":2100,"numa_node":0,"cpus":"0-95,192-287","render":"renderD128","hive":"6be1a7c39d20f4eb","unique_id":"8d1a57e2c20f6b01","physical":0,"partition":0,"compute_partition":"SPX","memory_partition":"NPS1","link":"32.0 GT/s x16","link_max":"32.0 GT/s x16","nic":0,"node":2,"rocr_index":0}
$ rocenv topo --sysroot mi300x-spx --format json | jq -c '[.gpus | length, (map(.compute_units) | unique)]'
[8,[304]]
$ rocenv topo --sysroot mi300x-cpx --format json | jq -c '[.gpus | length, (map(.compute_units) | unique), (map(.physical) | unique | length), (map(.partition) | unique)]'
[64,[38],8,[0,1,2,3,4,5,6,7]]
$ rocenv topo --sysroot mi300x-cpx --format json | jq -c '.gpus[9]'
{"bdf":"0000:09:00.0","gfx":"gfx942","name":"AMD Instinct MI300X","device_id":"0x74a1","compute_units":38,"simds_per_cu":4,"wavefront_size":64,"max_waves_per_cu":32,"lds_bytes_per_cu":65536,"xcc":1,"vram_bytes":25767706624,"max_clock_mhz":2100,"numa_node":0,"cpus":"0-95,192-287","render":"renderD137","hive":"6be1a7c39d20f4eb","unique_id":"b4fa64630e85d502","physical":1,"partition":1,"compute_partition":"CPX","memory_partition":"NPS1","link":"32.0 GT/s x16","link_max":"32.0 GT/s x16","nic":1,"node":11,"rocr_index":9}
