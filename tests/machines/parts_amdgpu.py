"""The amdgpu driver: its module, firmware versions, RAS, xGMI as the firmware sees it.

Parameters and their defaults: linux drivers/gpu/drm/amd/amdgpu/amdgpu_drv.c and the patches that
added them; a module shows those that its version knows.
"""

from dataclasses import dataclass

UINT_MAX = 2**32 - 1
# What any version since 2018 knows.
PARAMETERS_2018 = {
    "aspm": -1,
    "cg_mask": UINT_MAX,
    "disable_cu": "(null)",
    "dpm": -1,
    "exp_hw_support": 0,
    "fw_load_type": -1,
    "gttsize": -1,
    "msi": -1,
    "noretry": -1,
    "pcie_gen_cap": 0,
    "pcie_lane_cap": 0,
    "pg_mask": UINT_MAX,
    "ppfeaturemask": UINT_MAX,
    "runpm": -1,
    "vis_vramlimit": 0,
    "vm_fault_stop": 0,
    "vm_update_mode": -1,
    "vramlimit": 0,
}
# Since Linux 6.1 and the out-of-tree 6.x.
PARAMETERS_2022 = {
    **PARAMETERS_2018,
    "bad_page_threshold": -1,
    "cg_mask": 2**64 - 1,
    "cwsr_enable": 1,
    "debug_evictions": "N",
    "debug_largebar": 0,
    "discovery": -1,
    "emu_mode": 0,
    "gpu_recovery": -1,
    "halt_if_hws_hang": 0,
    "hws_max_conc_proc": -1,
    "ignore_crat": 0,
    "no_queue_eviction_on_vm_fault": 0,
    "no_system_mem_limit": "N",
    "pcie_p2p": "Y",
    "ppfeaturemask": "0xfff7bfff",
    "queue_preemption_timeout_ms": 9000,
    "ras_enable": -1,
    "ras_mask": UINT_MAX,
    "sched_policy": 0,
    "send_sigterm": 0,
    "smu_memory_pool_size": 0,
    "use_xgmi_p2p": 1,
}
PARAMETERS_2023 = {
    **PARAMETERS_2022,
    "enforce_isolation": "N",
    "mtype_local": 0,
    "user_partt_mode": UINT_MAX - 1,  # -2, auto, through an unsigned parameter
}
# debug_mask replaced two that are left out.
PARAMETERS_2025 = {
    **{name: value for name, value in PARAMETERS_2023.items()
       if name not in ("debug_largebar", "ignore_crat")},
    "debug_mask": 0,
    "enforce_isolation": -1,
    "modeset": -1,
}


@dataclass(frozen=True)
class Driver:
    """What a version of the driver offers."""

    parameters: dict
    firmware: bool = True  # fw_version/ and power1_cap_default
    ras: bool = True
    xgmi: bool = True  # xgmi_physical_id, xgmi_num_hops and xgmi_num_links
    events: bool = False  # ras/event_state


OLD = Driver(PARAMETERS_2018, firmware=False, ras=False, xgmi=False)
LINUX_6_1 = Driver(PARAMETERS_2022)
ROCM_6_0 = Driver(PARAMETERS_2022)
ROCM_6_2 = Driver(PARAMETERS_2023)
ROCM_7_0 = Driver(PARAMETERS_2025, events=True)
# In a guest the host minds memory errors and the links between GPUs.
GUEST = Driver(PARAMETERS_2023, ras=False, xgmi=False)


def add_module(tree, version, driver):
    """The loaded module; `version` is None for the one in the kernel's own tree."""
    tree.texts("/sys/module/amdgpu", {"initstate": "live", "refcnt": 64})
    tree.texts("/sys/module/amdgpu/parameters", driver.parameters)
    tree.text("/sys/module/amdgpu/taint", "OE" if version else "")
    if version:
        tree.text("/sys/module/amdgpu/version", version)


def add_firmware(tree, folder, chip):
    """Versions the driver loaded; zero is a part that the chip has not got."""
    versions = {
        **dict.fromkeys(("ce", "dmcu", "mc", "me", "pfp", "uvd", "vce"), 0),
        **dict.fromkeys(("rlc_srlc", "rlc_srlg", "rlc_srls"), 0),
        "asd": 0x210000D8,
        "mec": chip.kfd["fw_version"],
        "mec2": chip.kfd["fw_version"],
        "rlc": 0x41,
        "sdma": chip.kfd["sdma_fw_version"],
        "sdma2": chip.kfd["sdma_fw_version"],
        "smc": 0x00550B01,
        "sos": 0x00360256,
        "ta_ras": 0x1B360214,
        "ta_xgmi": 0x20000014,
        "vcn": 0x0211A006,
    }
    files = {f"{name}_fw_version": f"0x{value:08x}" for name, value in versions.items()}
    tree.texts(f"{folder}/fw_version", files)


def add_ras(tree, folder, driver):
    """What the driver keeps in memory. Reading a count would ask the hardware: it stays unread."""
    tree.text(f"{folder}/ras/features", "feature mask: 0x5fcd")
    tree.raw(f"{folder}/ras/gpu_vram_bad_pages", "")
    for block in ("gfx", "mmhub", "sdma", "umc", "xgmi_wafl"):
        tree.unread(f"{folder}/ras/{block}_err_count")
    if driver.events:
        events = ("Fatal Error", "Poison Creation", "Poison Consumption")
        rows = [f"{event}: count:0, last_seqno:0\n" for event in events]
        tree.raw(f"{folder}/ras/event_state", "".join(["current seqno: 0\n", *rows]))


@dataclass(frozen=True)
class Hive:
    """GPUs joined by xGMI, in the order the driver found them."""

    hive_id: int
    folders: tuple
    hops: object  # of two members, by position
    links: object

    def emit(self, tree, driver):
        for position, folder in enumerate(self.folders):
            self._add_member(tree, driver, position, folder)
        home = f"{self.folders[0]}/xgmi_hive_info"
        tree.text(f"{home}/xgmi_hive_id", self.hive_id)
        for position, folder in enumerate(self.folders):
            tree.link_to(f"{home}/node{position + 1}", folder)

    def _add_member(self, tree, driver, position, folder):
        tree.text(f"{folder}/xgmi_device_id", (self.hive_id ^ (position + 1) << 48) & 2**64 - 1)
        tree.unread(f"{folder}/xgmi_error")  # reading it clears it
        if position:
            tree.link_to(f"{folder}/xgmi_hive_info", f"{self.folders[0]}/xgmi_hive_info")
        if driver.xgmi:
            tree.text(f"{folder}/xgmi_physical_id", position)
            tree.text(f"{folder}/xgmi_num_hops", self._row(position, self.hops))
            tree.text(f"{folder}/xgmi_num_links", self._row(position, self.links))

    def _row(self, position, count):
        """Two hex digits and a blank a member; nothing to itself."""
        others = range(len(self.folders))
        return "".join(f"{0 if to == position else count(position, to):02x} " for to in others)


def one_each(_position, _to):
    """Of a full mesh: one hop, one link."""
    return 1
