"""The GPUs: what each kind of chip shows, whatever the machine it is in."""

from dataclasses import dataclass, field

KIB = 1024
CDNA = {
    "max_waves_per_simd": 8,
    "lds_size_in_kb": 64,
    "num_gws": 64,
    "wave_front_size": 64,
    "simd_arrays_per_engine": 1,
    "simd_per_cu": 4,
    "max_slots_scratch_cu": 32,
    "num_sdma_engines": 2,
    "num_sdma_queues_per_engine": 8,
    "num_cp_queues": 24,
    "num_xcc": 1,
}
# (level, KiB, type) of one cache of each kind
GFX942_CACHES = ((1, 32, 9), (1, 64, 10), (1, 16, 9), (2, 4096, 9), (3, 262144, 9))
GFX90A_CACHES = ((1, 16, 9), (1, 32, 10), (1, 16, 9), (2, 8192, 9))


@dataclass(frozen=True)
class Chip:
    device: int
    kfd: dict  # KFD properties of a whole GPU, those that go with the machine left out
    vram: int  # bytes KFD shows as its bank
    memory_mhz: int
    caches: tuple
    clocks: tuple = (500, 1700)  # lowest and highest of OD_SCLK, MHz; none: no such file
    memory_width: int = 8192
    heap: int = 1
    name: str = "ip discovery"  # KFD's `name`
    class_: int = 0x120000
    subsystem: tuple = ()
    drm_devices: int = 1  # cards and render nodes a GPU gets, whatever its mode
    modes: str = ""  # available_compute_partition; none: no such files
    vbios: str = ""
    watts: int = 0
    vfs: int = 0  # sriov_totalvfs
    mclk: tuple = field(default=())

    @property
    def max_mhz(self):
        return self.kfd["max_engine_clk_fcompute"]


MI300X = Chip(
    device=0x74A1,
    kfd={
        **CDNA,
        "simd_count": 1216,
        "array_count": 32,
        "cu_per_simd_array": 10,
        "gfx_target_version": 90402,
        "num_sdma_xgmi_engines": 14,
        "num_xcc": 8,
        "cwsr_size": 23203840,
        "ctl_stack_size": 12288,
        "max_engine_clk_fcompute": 2100,
        "fw_version": 192,
        "capability": 2893521536,
        "capability2": 1,
        "debug_prop": 1511,
        "sdma_fw_version": 25,
    },
    vram=206141652992,
    memory_mhz=1300,
    caches=GFX942_CACHES,
    clocks=(132, 2100),
    mclk=(900, 1100, 1300),
    drm_devices=8,
    modes="SPX, DPX, QPX, CPX",
    vbios="113-M3000100-102",
    watts=750,
    vfs=8,
)

# Its memory is the processor's: one bank of heap 1 that KFD counts as the APU's own.
MI300A = Chip(
    device=0x74A0,
    kfd={
        **CDNA,
        "simd_count": 912,
        "array_count": 24,
        "cu_per_simd_array": 10,
        "gfx_target_version": 90402,
        "num_sdma_xgmi_engines": 10,
        "num_xcc": 6,
        "max_engine_clk_fcompute": 2100,
        "fw_version": 138,
        "capability": 1013424768,
        "debug_prop": 1511,
        "sdma_fw_version": 19,
    },
    vram=134127484928,
    memory_mhz=1300,
    caches=GFX942_CACHES,
    clocks=(132, 2100),
    mclk=(900, 1100, 1300),
    subsystem=(0x1002, 0x74A0),
    drm_devices=8,
    modes="SPX, TPX, CPX",
    vbios="113-MI3SRIOV-001",
    watts=550,
)

MI350X = Chip(
    device=0x75A0,
    kfd={
        **CDNA,
        "simd_count": 1024,
        "lds_size_in_kb": 160,
        "array_count": 32,
        "cu_per_simd_array": 9,
        "gfx_target_version": 90500,
        "num_sdma_xgmi_engines": 14,
        "num_xcc": 8,
        "cwsr_size": 22687744,
        "ctl_stack_size": 12288,
        "max_engine_clk_fcompute": 2200,
        "fw_version": 36,
        "capability": 2889327232,
        "capability2": 1,
        "debug_prop": 1494,
        "sdma_fw_version": 12,
    },
    vram=309220868096,
    memory_mhz=1900,
    caches=GFX942_CACHES,
    clocks=(132, 2200),
    mclk=(900, 1400, 1900),
    subsystem=(0x1002, 0x75A0),
    drm_devices=8,
    modes="SPX, DPX, QPX, CPX",
    vbios="113-M3500100-100",
    watts=1000,
    vfs=8,
)

GFX90A = {
    **CDNA,
    "array_count": 8,
    "cu_per_simd_array": 14,
    "gfx_target_version": 90010,
    "num_sdma_xgmi_engines": 3,
    "max_engine_clk_fcompute": 1700,
    "capability": 746037888,
    "debug_prop": 470,
}

MI210 = Chip(
    device=0x740F,
    kfd={**GFX90A, "simd_count": 416, "fw_version": 92, "sdma_fw_version": 9},
    vram=67092480 * KIB,
    memory_mhz=1600,
    memory_width=4096,
    caches=GFX90A_CACHES,
    mclk=(400, 700, 1200, 1600),
    name="aldebaran",
    class_=0x038000,
    subsystem=(0x1002, 0x0C34),
    vbios="113-D67301V-073",
    watts=300,
    vfs=16,
)

# One of the two GPUs of a module.
MI250X = Chip(
    device=0x7408,
    kfd={**GFX90A, "simd_count": 440, "fw_version": 63, "sdma_fw_version": 8},
    vram=67092480 * KIB,
    memory_mhz=1600,
    memory_width=4096,
    caches=GFX90A_CACHES,
    mclk=(400, 700, 1200, 1600),
    name="aldebaran",
    class_=0x038000,
    subsystem=(0x1002, 0x0B0C),
    vbios="113-D65209-073",
    watts=560,
)

MI25 = Chip(
    device=0x6860,
    kfd={
        **CDNA,
        "simd_count": 256,
        "max_waves_per_simd": 10,
        "array_count": 4,
        "cu_per_simd_array": 16,
        "max_engine_clk_fcompute": 1500,
        "local_mem_size": 17163091968,
        "fw_version": 392,
        "capability": 8832,
        "sdma_fw_version": 421,
    },
    vram=17163091968,
    memory_mhz=945,
    memory_width=2048,
    caches=((1, 16, 9), (1, 32, 10), (1, 16, 9), (2, 4096, 9)),
    clocks=(),
    mclk=(167, 500, 800, 945),
    name="",
    class_=0x030000,
    subsystem=(0x1002, 0x0C35),
    vbios="113-D0513700-001",
    watts=220,
    vfs=16,
)
