"""What amdgpu adds to a GPU's PCI folder, and its render nodes."""

from dataclasses import dataclass

MI300X_VRAM = 206141652992
PARTITIONS = 8  # DRM devices a GPU gets, whatever its mode
BAR0 = 256 << 30


@dataclass(frozen=True)
class Gpu:
    """One physical GPU as amdgpu shows it."""

    index: int
    unique_id: int
    level: str  # power_dpm_force_performance_level
    limit: int  # upper OD_SCLK entry, MHz
    compute: str
    memory: str

    @property
    def render(self):
        return 128 + PARTITIONS * self.index


def add_gpu(tree, pci, fn, gpu):
    folder = pci.folder(fn)
    tree.texts(
        folder,
        {
            "power_dpm_force_performance_level": gpu.level,
            "power_dpm_state": "performance",
            "current_compute_partition": gpu.compute,
            "available_compute_partition": "SPX, DPX, QPX, CPX",
            "current_memory_partition": gpu.memory,
            "mem_info_vram_total": MI300X_VRAM,
            "mem_info_vis_vram_total": MI300X_VRAM,
            "unique_id": f"{gpu.unique_id:016x}",
            "vbios_version": "113-M3000100-102",
            "sriov_totalvfs": 8,
            "sriov_numvfs": 0,
        },
    )
    _add_clocks(tree, folder, gpu)
    _add_policies(tree, folder)
    _add_hwmon(tree, folder, gpu)
    tree.raw(f"{folder}/resource", _resource(gpu.index))
    _add_drm(tree, gpu.index * PARTITIONS, folder)
    for extra in range(1, PARTITIONS):
        _add_partition_device(tree, gpu, extra)


def _add_clocks(tree, folder, gpu):
    """Idle clocks: most GPUs sleep (S:), every third reports a low level 1."""
    awake = gpu.index % 3 == 2
    now = 142 if awake else 132 + gpu.index % 3
    sclk = f"0: 500Mhz\n1: {now}Mhz *\n2: {gpu.limit}Mhz\n"
    if not awake:
        sclk = f"S: {now}Mhz *\n0: 500Mhz\n1: {gpu.limit}Mhz\n"
    tree.raw(f"{folder}/pp_dpm_sclk", sclk)
    tree.raw(f"{folder}/pp_dpm_mclk", "0: 900Mhz *\n1: 1100Mhz\n2: 1300Mhz\n")
    tree.raw(f"{folder}/pp_dpm_fclk", "0: 1300Mhz *\n1: 1550Mhz\n2: 1800Mhz\n")
    tree.raw(
        f"{folder}/pp_od_clk_voltage",
        f"OD_SCLK:\n0: 132Mhz\n1: {gpu.limit}Mhz\nOD_MCLK:\n0: 900Mhz\n1: 1300Mhz\n",
    )


def _add_policies(tree, folder):
    tree.raw(
        f"{folder}/pm_policy/soc_pstate",
        "0 : soc_pstate_default*\n1 : soc_pstate_0\n2 : soc_pstate_1\n3 : soc_pstate_2\n",
    )
    tree.raw(
        f"{folder}/pm_policy/xgmi_plpd",
        "0 : plpd_disallow\n1 : plpd_default\n2 : plpd_optimized*\n",
    )


def _add_hwmon(tree, folder, gpu):
    tree.texts(
        f"{folder}/hwmon/hwmon{gpu.index + 2}",
        {
            "name": "amdgpu",
            "power1_cap": 750000000,
            "power1_cap_max": 750000000,
            "temp2_label": "junction",
            "temp2_input": 35000 + 1000 * gpu.index,
            "temp3_label": "mem",
            "temp3_input": 32000 + 1000 * gpu.index,
        },
    )


def _resource(index):
    """Thirteen lines: six bars, the ROM, six for virtual functions."""
    start = 0x38000000000 + index * 2 * BAR0  # a bar is aligned to its size
    used = {
        0: (start, BAR0, 0x14220C),
        2: (start + BAR0, 2 << 20, 0x14220C),
        5: (0xB0000000 + (index << 24), 512 << 10, 0x40200),
    }
    rows = []
    for number in range(13):
        first, size, flags = used.get(number, (0, 0, 0))
        rows.append((first, first + size - 1 if size else 0, flags))
    return "".join("0x%016x 0x%016x 0x%016x\n" % row for row in rows)


def _add_drm(tree, minor, device):
    """card and renderD of one DRM device; card 0 is the board's VGA."""
    add_drm_node(tree, device, f"card{minor + 1}", minor + 1)
    add_drm_node(tree, device, f"renderD{minor + 128}", minor + 128)


def add_drm_node(tree, device, name, minor):
    folder = f"{device}/drm/{name}"
    tree.text(f"{folder}/dev", f"226:{minor}")
    tree.raw(
        f"{folder}/uevent",
        f"MAJOR=226\nMINOR={minor}\nDEVNAME=dri/{name}\nDEVTYPE=drm_minor\n",
    )
    tree.link_to(f"{folder}/device", device)
    tree.link_to(f"/sys/class/drm/{name}", folder)


def _add_partition_device(tree, gpu, extra):
    """A platform device of its own, there even when it is no partition."""
    name = f"amdgpu_xcp_{gpu.index * (PARTITIONS - 1) + extra - 1}"
    folder = f"/sys/devices/platform/{name}"
    tree.raw(f"{folder}/uevent", f"MODALIAS=platform:{name}\n")
    tree.text(f"{folder}/modalias", f"platform:{name}")
    tree.link_to(f"/sys/bus/platform/devices/{name}", folder)
    _add_drm(tree, gpu.index * PARTITIONS + extra, folder)


def add_driver(tree, version, rocm):
    """The loaded out-of-tree module and the ROCm it came with."""
    release, build = rocm.split("-")
    tree.texts(
        "/sys/module/amdgpu",
        {
            "version": version,
            "initstate": "live",
            "refcnt": 64,
            "taint": "OE",
            "parameters/noretry": -1,
        },
    )
    tree.text(f"/opt/rocm-{release}/.info/version", f"{release}-{build}")
    tree.link("/opt/rocm", f"rocm-{release}")
