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
X1 xGMI with 1 hop, :15 the driver's weight (a cost)

NIC  name      address       NUMA  PCIe GT/s  ports
N0   bnxt_re0  0000:06:00.0  0     32.0 x16   ACTIVE 400 Gb/s
N1   bnxt_re1  0000:0a:00.0  0     32.0 x16   ACTIVE 400 Gb/s
N2   bnxt_re2  0000:46:00.0  0     32.0 x16   ACTIVE 400 Gb/s
N3   bnxt_re3  0000:4a:00.0  0     32.0 x16   ACTIVE 400 Gb/s
N4   bnxt_re4  0000:86:00.0  1     32.0 x16   ACTIVE 400 Gb/s
N5   bnxt_re5  0000:8a:00.0  1     32.0 x16   ACTIVE 400 Gb/s
N6   bnxt_re6  0000:c6:00.0  1     32.0 x16   ACTIVE 400 Gb/s
N7   bnxt_re7  0000:ca:00.0  1     32.0 x16   ACTIVE 400 Gb/s

GPU  N0      N1      N2      N3      N4      N5      N6      N7
0    switch  switch  numa    numa    far     far     far     far
1    switch  switch  numa    numa    far     far     far     far
2    numa    numa    switch  switch  far     far     far     far
3    numa    numa    switch  switch  far     far     far     far
4    far     far     far     far     switch  switch  numa    numa
5    far     far     far     far     switch  switch  numa    numa
6    far     far     far     far     numa    numa    switch  switch
7    far     far     far     far     numa    numa    switch  switch
what a GPU and a NIC share: a PCIe switch, a root (host bridge), a NUMA node;
far: nothing

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
$ rocenv topo --sysroot mi300x-spx --format json | jq -c '.links[0, 1, -1], ([.links[] | select(.from == .to)] | length)'
{"from":0,"to":1,"type":"xgmi","weight":15,"hops":1}
{"from":0,"to":2,"type":"xgmi","weight":15,"hops":1}
{"from":"cpu1","to":"cpu0","type":"hypertransport","weight":32,"hops":null}
0
$ rocenv topo --sysroot mi300x-cpx --format json | jq -c '[.gpus | length, (map(.compute_units) | unique), (map(.physical) | unique | length), (map(.partition) | unique)]'
[64,[38],8,[0,1,2,3,4,5,6,7]]
$ rocenv topo --sysroot mi300x-cpx --format json | jq -c '.gpus[9]'
{"bdf":"0000:09:00.0","gfx":"gfx942","name":"AMD Instinct MI300X","device_id":"0x74a1","compute_units":38,"simds_per_cu":4,"wavefront_size":64,"max_waves_per_cu":32,"lds_bytes_per_cu":65536,"xcc":1,"vram_bytes":25767706624,"max_clock_mhz":2100,"numa_node":0,"cpus":"0-95,192-287","render":"renderD137","hive":"6be1a7c39d20f4eb","unique_id":"b4fa64630e85d502","physical":1,"partition":1,"compute_partition":"CPX","memory_partition":"NPS1","link":"32.0 GT/s x16","link_max":"32.0 GT/s x16","nic":1,"node":11,"rocr_index":9}

# Unlike GPUs, a container's hidden ones, a GPU without a node of the driver, one asleep.
$ rocenv topo --sysroot container.tree | tail -n 1
1 agent on 1 physical GPU, 7 KFD nodes hidden from this container
$ rocenv topo --sysroot mi300x-fallen | tail -n 2

7 agents on 7 physical GPUs, 1 GPU without an agent
$ rocenv topo --sysroot mi300x-no-driver | tail -n 2
0 agents on 0 physical GPUs, 8 GPUs without an agent
note: no /sys/class/kfd: the amdgpu driver is not loaded
$ rocenv topo --sysroot no-gpu
AMD EPYC-Milan Processor
1 package, 8 cores, 8 threads (SMT off)
NUMA  package  memory  CPUs
0     0        31 GiB  0-7

0 agents on 0 physical GPUs
note: no AMD GPU on PCI
$ rocenv topo --sysroot suspended
2 x AMD Instinct MI210 (gfx90a)
104 CUs of 4 SIMDs, wavefront 64, 64 GiB, 1700 MHz
GPU  address       NUMA  near NIC  PCIe GT/s  near CPUs
0    0000:43:00.0  0     -         16.0 x16   0-31
1    0000:63:00.0  0     -         -          0-31

links  0     1
0      -     P:40
1      P:40  -
P PCIe, :40 the driver's weight (a cost)

NICs: no RDMA NIC

AMD Ryzen Threadripper PRO 5955WX 16-Cores
1 package, 16 cores, 32 threads (SMT 2)
NUMA  package  memory   CPUs
0     0        252 GiB  0-31

2 agents on 2 physical GPUs
note: link of 0000:63:00.0: 0000:63:00.0 is suspended, and a read would wake it
$ rocenv topo --sysroot mi250x
4 x AMD Instinct MI250X (gfx90a), 8 dies
110 CUs of 4 SIMDs, wavefront 64, 64 GiB, 1700 MHz
GPU  address       NUMA  near NIC  PCIe GT/s  near CPUs
0    0000:c1:00.0  3     cxi0      16.0 x16   48-63,112-127
1    0000:c6:00.0  3     cxi0      16.0 x16   48-63,112-127
2    0000:c9:00.0  1     cxi1      16.0 x16   16-31,80-95
3    0000:ce:00.0  1     cxi1      16.0 x16   16-31,80-95
4    0000:d1:00.0  0     cxi2      16.0 x16   0-15,64-79
5    0000:d6:00.0  0     cxi2      16.0 x16   0-15,64-79
6    0000:d9:00.0  2     cxi3      16.0 x16   32-47,96-111
7    0000:de:00.0  2     cxi3      16.0 x16   32-47,96-111

links  0      1      2      3      4      5      6      7
0      -      X1:15  X1:15  X2:30  X2:30  X2:30  X1:15  X2:30
1      X1:15  -      X2:30  X1:15  X2:30  X1:15  X2:30  X2:30
2      X1:15  X2:30  -      X1:15  X1:15  X2:30  X2:30  X2:30
3      X2:30  X1:15  X1:15  -      X2:30  X2:30  X2:30  X1:15
4      X2:30  X2:30  X1:15  X2:30  -      X1:15  X1:15  X2:30
5      X2:30  X1:15  X2:30  X2:30  X1:15  -      X2:30  X1:15
6      X1:15  X2:30  X2:30  X2:30  X1:15  X2:30  -      X1:15
7      X2:30  X2:30  X2:30  X1:15  X2:30  X1:15  X1:15  -
X1 xGMI with 1 hop, X2 xGMI with 2 hops, :15 the driver's weight (a cost)

NIC  name  address       NUMA  PCIe GT/s  ports
N0   cxi0  0000:c5:00.0  3     16.0 x16   -
N1   cxi1  0000:cd:00.0  1     16.0 x16   -
N2   cxi2  0000:d5:00.0  0     16.0 x16   -
N3   cxi3  0000:dd:00.0  2     16.0 x16   -

GPU  N0    N1    N2    N3
0    numa  far   far   far
1    root  far   far   far
2    far   numa  far   far
3    far   root  far   far
4    far   far   numa  far
5    far   far   root  far
6    far   far   far   numa
7    far   far   far   root
what a GPU and a NIC share: a PCIe switch, a root (host bridge), a NUMA node;
far: nothing

AMD EPYC 7A53 64-Core Processor
1 package, 64 cores, 128 threads (SMT 2)
NUMA  package  memory   CPUs
0     0        126 GiB  0-15,64-79
1     0        126 GiB  16-31,80-95
2     0        126 GiB  32-47,96-111
3     0        126 GiB  48-63,112-127

8 agents on 8 dies of 4 physical GPUs

# One value a line; what cannot be known is null, as in the JSON; a key that is not there ends with 2.
$ rocenv topo --sysroot mi300x-spx --get gpu.0.compute_units
304
$ rocenv topo --sysroot mi300x-spx --get 'gpu.*.numa_node' | tr '\n' ' '; echo
0 0 0 0 1 1 1 1 
$ rocenv topo --sysroot guest --get gpu.0.numa_node --get gpu.0.gfx
null
gfx942
$ rocenv topo --sysroot mi300a --get cpus.packages --get numa.3.cpus --get numa.3.memory_bytes
4
72-95,168-191
134127484928
$ rocenv topo --sysroot mi250x --get gpu.0.to.3.hops --get gpu.0.to.3.weight --get gpu.0.link
2
30
16.0 GT/s x16
$ rocenv topo --sysroot mi300x-spx --get gpu.0.compute_unit
rocenv: unknown key 'gpu.0.compute_unit' for --get. Did you mean 'gpu.0.compute_units'?
? 2
$ rocenv topo --sysroot mi300x-spx --get gpu.8.name
rocenv: unknown key 'gpu.8.name' for --get. Did you mean 'gpu.0.name', 'gpu.1.name', 'gpu.2.name', 'gpu.3.name' or 'gpu.4.name'?
? 2
$ rocenv topo --sysroot mi300x-spx --get 'cpu.*'
rocenv: unknown key 'cpu.*' for --get
? 2

# Every key of a GPU is a field of the JSON, with its value.
$ rocenv topo --sysroot mi300x-cpx --format json | jq -r '.nics as $nics | .gpus[9] | .nic = $nics[.nic].name | .[]' >json
$ rocenv topo --sysroot mi300x-cpx --get 'gpu.9.*' | head -n 26 | sort | diff - <(sort json)

# One process a GPU. Ranks count all agents; those of one NUMA node get disjoint CPUs by L3.
$ for rank in 0 1 2 3 4 5 6 7; do rocenv topo --sysroot mi250x --bind "$rank" --bind-format taskset; done
--cpu-list 48-55,112-119
--cpu-list 56-63,120-127
--cpu-list 16-23,80-87
--cpu-list 24-31,88-95
--cpu-list 0-7,64-71
--cpu-list 8-15,72-79
--cpu-list 32-39,96-103
--cpu-list 40-47,104-111
$ for rank in 0 7; do rocenv topo --sysroot mi250x --bind "$rank" --bind-format numactl --reserve first-of-l3; done
--physcpubind=49-55,113-119 --membind=3
--physcpubind=41-47,105-111 --membind=2
$ rocenv topo --sysroot mi250x --bind 0 --bind-format numactl --bind-scope numa
--physcpubind=48-63,112-127 --membind=3
$ for rank in 0 3 4; do rocenv topo --sysroot mi300x-spx --bind "$rank" --bind-format taskset; done
--cpu-list 0-23,192-215
--cpu-list 72-95,264-287
--cpu-list 96-119,288-311
$ for rank in 0 1 2 3 63; do rocenv topo --sysroot mi300x-cpx --bind "$rank" --bind-format taskset; done
--cpu-list 0-2,192-194
--cpu-list 3-5,195-197
--cpu-list 6-7,198-199
--cpu-list 8-10,200-202
--cpu-list 188-191,380-383
$ for rank in 0 1 2 3; do rocenv topo --sysroot mi300a.tree --bind "$rank" --bind-format taskset; done
--cpu-list 0-23,96-119
--cpu-list 24-47,120-143
--cpu-list 48-71,144-167
--cpu-list 72-95,168-191
$ rocenv topo --sysroot mi300x-spx --bind 5
GPU   0000:89:00.0 (ROCR_VISIBLE_DEVICES=5)
CPUs  120-143,312-335
NUMA  1
NIC   bnxt_re5
$ rocenv topo --sysroot mi300x-cpx --bind 43 --bind-format numactl
--physcpubind=126-127,318-319 --membind=1
$ rocenv topo --sysroot mi300x-cpx --bind 43 --bind-format taskset
--cpu-list 126-127,318-319
$ eval "$(rocenv topo --sysroot mi300x-cpx --bind 43 --bind-format sh)"; echo "$ROCR_VISIBLE_DEVICES $ROCENV_CPUS $ROCENV_NIC"
43 126-127,318-319 bnxt_re5
$ ROCR_VISIBLE_DEVICES=6,2 rocenv topo --sysroot mi300x-spx --bind 1
rocenv: --bind counts all agents, and this process does not see agent 1, because of ROCR_VISIBLE_DEVICES; --bind-visible counts those that it sees
GPU   0000:09:00.0 (ROCR_VISIBLE_DEVICES=1)
CPUs  24-47,216-239
NUMA  0
NIC   bnxt_re1
$ ROCR_VISIBLE_DEVICES=6,2 rocenv topo --sysroot mi300x-spx --bind 6 --bind-format taskset
--cpu-list 144-167,336-359

# --bind-visible counts what the process sees, and gives every rank the only one.
$ ROCR_VISIBLE_DEVICES=6,2 rocenv topo --sysroot mi300x-spx --bind-visible 1
GPU   0000:45:00.0 (ROCR_VISIBLE_DEVICES=2)
CPUs  48-71,240-263
NUMA  0
NIC   bnxt_re2
$ HIP_VISIBLE_DEVICES=3,0 ROCR_VISIBLE_DEVICES=4,5,6,7 rocenv topo --sysroot mi300x-spx --bind-visible 0 --bind-format sh
export ROCR_VISIBLE_DEVICES=7
export ROCENV_GPU=0000:c9:00.0
export ROCENV_CPUS=168-191,360-383
export ROCENV_NUMA=1
export ROCENV_NIC=bnxt_re7
unset HIP_VISIBLE_DEVICES
$ ROCR_VISIBLE_DEVICES=GPU-b4fa64630e85d502 rocenv topo --sysroot mi300x-spx --bind-visible 5
GPU   0000:09:00.0 (ROCR_VISIBLE_DEVICES=1)
CPUs  24-47,216-239
NUMA  0
NIC   bnxt_re1
$ ROCR_VISIBLE_DEVICES=6,2 rocenv topo --sysroot mi300x-spx --bind-visible 2
rocenv: --bind-visible 2: this process sees 2 GPUs, 0 to 1 (ROCR_VISIBLE_DEVICES=6,2 leaves 2 of 8)
? 2
$ ROCR_VISIBLE_DEVICES=8 rocenv topo --sysroot mi300x-spx --bind-visible 0
rocenv: --bind-visible 0: this process sees no GPU (ROCR_VISIBLE_DEVICES=8 leaves 0 of 8 ('8' is beyond the last device (0 to 7)))
? 2
$ rocenv topo --sysroot no-gpu --bind-visible 0
rocenv: --bind-visible 0: this process sees no GPU
? 2
$ rocenv topo --sysroot mi300x-spx --bind-visible 0 --bind 0
rocenv: --bind and --bind-visible exclude each other
Try 'rocenv topo --help'.
? 2
$ rocenv topo --sysroot mi300x-spx --reserve first-of-l3
rocenv: --reserve needs --bind or --bind-visible
Try 'rocenv topo --help'.
? 2
$ rocenv topo --sysroot mi300x-spx --bind 0 --bind-scope socket
rocenv: invalid value 'socket' for --bind-scope: expected l3 or numa
Try 'rocenv topo --help'.
? 2
$ rocenv topo --sysroot mi300x-spx --bind 8
rocenv: --bind 8: this node has 8 agents, 0 to 7
? 2
$ cp -a mi300x-spx/. cut && chmod -R u+w cut && head -n 1 mi300x-spx/sys/class/kfd/kfd/topology/nodes/3/properties > cut/sys/class/kfd/kfd/topology/nodes/3/properties; rocenv topo --sysroot cut --bind 5
rocenv: --bind 5: /sys/class/kfd/kfd/topology/nodes/3/properties: does not state simd_count
? 3
$ rocenv topo --sysroot cut --get gpu.0.compute_units
rocenv: /sys/class/kfd/kfd/topology/nodes/3/properties: does not state simd_count
304
? 3
$ grep -v location_id mi300x-spx/sys/class/kfd/kfd/topology/nodes/3/properties > cut/sys/class/kfd/kfd/topology/nodes/3/properties; rocenv topo --sysroot cut --bind 1
rocenv: --bind 1: the GPU of KFD node 3 has no PCI address
? 3
$ rocenv topo --sysroot no-gpu --bind 0
rocenv: --bind 0: this node has no agent
? 2
$ rocenv topo --sysroot mi300x-spx --bind two
rocenv: invalid value 'two' for --bind: expected a whole number
Try 'rocenv topo --help'.
? 2
$ rocenv topo --sysroot mi300x-spx --bind 0 --get gpu.0.name
rocenv: --get and --bind exclude each other
Try 'rocenv topo --help'.
? 2
$ rocenv topo --sysroot mi300x-spx --bind-format sh
rocenv: --bind-format needs --bind or --bind-visible
Try 'rocenv topo --help'.
? 2
$ rocenv topo --sysroot mi300x-spx --get gpu.0.name --format json
rocenv: --get and --format exclude each other
Try 'rocenv topo --help'.
? 2
$ rocenv topo --sysroot mi300x-spx --bind 0 --format json
rocenv: --bind and --format exclude each other. Did you mean '--bind-format'?
? 2
$ rocenv topo --sysroot guest --bind 0 --bind-format sh
export ROCR_VISIBLE_DEVICES=0
export ROCENV_GPU=0000:05:00.0
export ROCENV_CPUS=0-15
unset ROCENV_NUMA
unset ROCENV_NIC

# As rocminfo prints it, for those who grep.
$ rocenv topo --sysroot mi300x-spx --format rocminfo | grep -e 'Compute Unit' -e SIMD -e 'Wavefront Size' | sort | uniq -c
      2   Compute Unit:            192                                
      8   Compute Unit:            304                                
      2   SIMDs per CU:            0                                  
      8   SIMDs per CU:            4                                  
      8   Wavefront Size:          64(0x40)                           
$ rocenv topo --sysroot container.tree --format rocminfo | grep -c 'Device Type:             GPU'
1
$ rocenv topo --sysroot mi300x-spx --format rocminfo | sed -n '/^Agent 3/,/^Agent 4/p'
Agent 3                  
*******                  
  Name:                    gfx942                             
  Uuid:                    GPU-8d1a57e2c20f6b01               
  Marketing Name:          AMD Instinct MI300X                
  Vendor Name:             AMD                                
  Feature:                 KERNEL_DISPATCH                    
  Profile:                 BASE_PROFILE                       
  Float Round Mode:        NEAR                               
  Max Queue Number:        128(0x80)                          
  Queue Min Size:          64(0x40)                           
  Queue Max Size:          131072(0x20000)                    
  Queue Type:              MULTI                              
  Node:                    2                                  
  Device Type:             GPU                                
  Cache Info:              
    L1:                      32(0x20) KB                        
    L2:                      4096(0x1000) KB                    
    L3:                      262144(0x40000) KB                 
  Chip ID:                 29857(0x74a1)                      
  ASIC Revision:           1(0x1)                             
  Cacheline Size:          128(0x80)                          
  Max Clock Freq. (MHz):   2100                               
  BDFID:                   1280                               
  Internal Node ID:        2                                  
  Compute Unit:            304                                
  SIMDs per CU:            4                                  
  Shader Engines:          32                                 
  Shader Arrs. per Eng.:   1                                  
  WatchPts on Addr. Ranges:4                                  
  Coherent Host Access:    FALSE                              
  Features:                KERNEL_DISPATCH 
  Fast F16 Operation:      TRUE                               
  Wavefront Size:          64(0x40)                           
  Workgroup Max Size:      1024(0x400)                        
  Workgroup Max Size per Dimension:
    x                        1024(0x400)                        
    y                        1024(0x400)                        
    z                        1024(0x400)                        
  Max Waves Per CU:        32(0x20)                           
  Max Work-item Per CU:    2048(0x800)                        
  Grid Max Size:           4294967295(0xffffffff)             
  Max fbarriers/Workgrp:   32                                 
  Packet Processor uCode:: 192                                
  SDMA engine uCode::      25                                 
  IOMMU Support::          None                               
  Pool Info:               
    Pool 1                   
      Segment:                 GLOBAL; FLAGS: COARSE GRAINED      
      Size:                    201310208(0xbffc000) KB            
      Allocatable:             TRUE                               
      Alloc Granule:           4KB                                
      Alloc Alignment:         4KB                                
      Accessible by all:       FALSE                              
    Pool 4                   
      Segment:                 GROUP                              
      Size:                    64(0x40) KB                        
      Allocatable:             FALSE                              
      Alloc Granule:           0KB                                
      Alloc Alignment:         0KB                                
      Accessible by all:       FALSE                              
*******                  
Agent 4                  
$ HSA_OVERRIDE_GFX_VERSION=9.0.10 rocenv topo --sysroot guest --format rocminfo | tail -n 1
rocenv: HSA_OVERRIDE_GFX_VERSION is set: the runtime reports another architecture of the GPU
*** Done ***             
