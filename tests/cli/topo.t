# GPUs from the driver's files alone.
$ rocenv topo --sysroot mi300x-spx
GPU  address       name    gfx     CUs  memory   clock     NUMA
0    0000:05:00.0  MI300X  gfx942  304  192 GiB  2100 MHz  0
1    0000:09:00.0  MI300X  gfx942  304  192 GiB  2100 MHz  0
2    0000:45:00.0  MI300X  gfx942  304  192 GiB  2100 MHz  0
3    0000:49:00.0  MI300X  gfx942  304  192 GiB  2100 MHz  0
4    0000:85:00.0  MI300X  gfx942  304  192 GiB  2100 MHz  1
5    0000:89:00.0  MI300X  gfx942  304  192 GiB  2100 MHz  1
6    0000:c5:00.0  MI300X  gfx942  304  192 GiB  2100 MHz  1
7    0000:c9:00.0  MI300X  gfx942  304  192 GiB  2100 MHz  1

8 agents on 8 physical GPUs
$ rocenv topo --sysroot mi300x-spx --format json | jq -c '.gpus[0]'
{"bdf":"0000:05:00.0","gfx":"gfx942","name":"AMD Instinct MI300X","device_id":"0x74a1","compute_units":304,"simds_per_cu":4,"wavefront_size":64,"max_waves_per_cu":32,"lds_bytes_per_cu":65536,"xcc":8,"vram_bytes":206141652992,"max_clock_mhz":2100,"numa_node":0,"cpus":"0-95,192-287","render":"renderD128","hive":"6be1a7c39d20f4eb","unique_id":"8d1a57e2c20f6b01","physical":0,"partition":0}
$ rocenv topo --sysroot mi300x-spx --format json | jq -c '[.gpus | length, (map(.compute_units) | unique)]'
[8,[304]]
$ rocenv topo --sysroot mi300x-cpx --format json | jq -c '[.gpus | length, (map(.compute_units) | unique), (map(.physical) | unique | length), (map(.partition) | unique)]'
[64,[38],8,[0,1,2,3,4,5,6,7]]
$ rocenv topo --sysroot mi300x-cpx --format json | jq -c '.gpus[9]'
{"bdf":"0000:09:00.0","gfx":"gfx942","name":"AMD Instinct MI300X","device_id":"0x74a1","compute_units":38,"simds_per_cu":4,"wavefront_size":64,"max_waves_per_cu":32,"lds_bytes_per_cu":65536,"xcc":1,"vram_bytes":25767706624,"max_clock_mhz":2100,"numa_node":0,"cpus":"0-95,192-287","render":"renderD137","hive":"6be1a7c39d20f4eb","unique_id":"b4fa64630e85d502","physical":1,"partition":1}
