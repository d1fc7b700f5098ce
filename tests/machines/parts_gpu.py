"""What amdgpu adds to a GPU's PCI folder, and its render nodes."""

from dataclasses import dataclass

from parts_amdgpu import ROCM_6_2, add_firmware, add_ras

BAR0 = 256 << 30


@dataclass(frozen=True)
class Gpu:
    """One physical GPU as amdgpu shows it."""

    chip: object  # parts_chips.Chip
    index: int
    unique_id: int
    level: str = "auto"  # power_dpm_force_performance_level
    limit: int = 0  # upper OD_SCLK entry, MHz; 0: the table's
    compute: str = "SPX"
    memory: str = "NPS1"
    card: int = 1  # of the first GPU: card 0 is the board's VGA
    driver: object = ROCM_6_2  # parts_amdgpu.Driver

    @property
    def upper(self):
        return self.limit or self.chip.max_mhz


def add_gpu(tree, pci, fn, gpu):
    folder, chip = pci.folder(fn), gpu.chip
    tree.texts(
        folder,
        {
            "power_dpm_force_performance_level": gpu.level,
            "power_dpm_state": "performance",
            "mem_info_vram_total": chip.vram,
            "mem_info_vram_used": 297 << 20,
            "mem_info_vis_vram_total": chip.vram,
            "unique_id": f"{gpu.unique_id:016x}",
            "vbios_version": chip.vbios,
        },
    )
    if chip.modes:
        tree.text(f"{folder}/current_compute_partition", gpu.compute)
        tree.text(f"{folder}/available_compute_partition", chip.modes)
        tree.text(f"{folder}/current_memory_partition", gpu.memory)
    _add_clocks(tree, folder, gpu)
    if chip.modes:
        _add_policies(tree, folder)
    _add_hwmon(tree, folder, gpu)
    if gpu.driver.firmware:
        add_firmware(tree, folder, chip)
    if gpu.driver.ras:
        add_ras(tree, folder, gpu.driver)
    add_bars(tree, folder, chip, gpu.index)
    _add_drm(tree, gpu, gpu.index * chip.drm_devices, folder)
    for extra in range(1, chip.drm_devices):
        _add_partition_device(tree, gpu, extra)


def add_bars(tree, folder, chip, index):
    """What PCI itself shows of a GPU, with or without its driver."""
    if chip.vfs:
        tree.texts(folder, {"sriov_totalvfs": chip.vfs, "sriov_numvfs": 0})
    tree.raw(f"{folder}/resource", _resource(index))
    tree.text(f"{folder}/power/control", "on")


def _add_clocks(tree, folder, gpu):
    """Idle clocks: most GPUs sleep (S:), every third reports a low level 1."""
    tree.raw(f"{folder}/pp_dpm_mclk", _levels(gpu.chip.mclk))
    if not gpu.chip.clocks:
        tree.raw(f"{folder}/pp_dpm_sclk", _levels((852, 991, 1138, 1348, 1440, gpu.upper)))
        return
    low = gpu.chip.clocks[0]
    awake = gpu.index % 3 == 2
    now = 142 if awake else 132 + gpu.index % 3
    sclk = f"0: 500Mhz\n1: {now}Mhz *\n2: {gpu.upper}Mhz\n"
    if not awake:
        sclk = f"S: {now}Mhz *\n0: 500Mhz\n1: {gpu.upper}Mhz\n"
    tree.raw(f"{folder}/pp_dpm_sclk", sclk)
    tree.raw(f"{folder}/pp_dpm_fclk", "0: 1300Mhz *\n1: 1550Mhz\n2: 1800Mhz\n")
    first, last = gpu.chip.mclk[0], gpu.chip.mclk[-1]
    tree.raw(
        f"{folder}/pp_od_clk_voltage",
        f"OD_SCLK:\n0: {low}Mhz\n1: {gpu.upper}Mhz\nOD_MCLK:\n0: {first}Mhz\n1: {last}Mhz\n",
    )


def _levels(clocks):
    marks = [" *"] + [""] * (len(clocks) - 1)
    return "".join(f"{at}: {mhz}Mhz{marks[at]}\n" for at, mhz in enumerate(clocks))


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
    hwmon = f"{folder}/hwmon/hwmon{gpu.index + 2}"
    if gpu.driver.firmware:
        tree.text(f"{hwmon}/power1_cap_default", gpu.chip.watts * 1000000)
    tree.texts(
        hwmon,
        {
            "name": "amdgpu",
            "power1_cap": gpu.chip.watts * 1000000,
            "power1_cap_max": gpu.chip.watts * 1000000,
            "power1_cap_min": 0,
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


def _add_drm(tree, gpu, minor, device):
    """card and renderD of one DRM device."""
    add_drm_node(tree, device, f"card{minor + gpu.card}", minor + gpu.card)
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
    name = f"amdgpu_xcp_{gpu.index * (gpu.chip.drm_devices - 1) + extra - 1}"
    folder = f"/sys/devices/platform/{name}"
    tree.raw(f"{folder}/uevent", f"MODALIAS=platform:{name}\n")
    tree.text(f"{folder}/modalias", f"platform:{name}")
    tree.link_to(f"/sys/bus/platform/devices/{name}", folder)
    _add_drm(tree, gpu, gpu.index * gpu.chip.drm_devices + extra, folder)


def add_rocm(tree, rocm):
    release, build = rocm.split("-")
    tree.text(f"/opt/rocm-{release}/.info/version", f"{release}-{build}")
    tree.link("/opt/rocm", f"rocm-{release}")
