"""A small cloud machine: KVM guest, virtio, no GPU, no cpufreq driver."""

import parts_config as config
from parts_cpu import Cpus, Idle, add_caches, add_cpus
from parts_kernel import add_dmi, add_kernel, add_memory
from parts_pci import Pci
from tree import Tree

NAME = "no-gpu"

CPUS = Cpus(
    sockets=1,
    cores=8,
    threads=1,
    ids={
        "vendor_id": "AuthenticAMD",
        "cpu family": 25,
        "model": 1,
        "model name": "AMD EPYC-Milan Processor",
        "stepping": 1,
    },
    flags="fpu vme de pse tsc msr pae mce cx8 apic sep mtrr pge mca cmov pat pse36 clflush "
    "mmx fxsr sse sse2 syscall nx mmxext fxsr_opt pdpe1gb rdtscp lm rep_good nopl cpuid "
    "extd_apicid tsc_known_freq pni pclmulqdq ssse3 fma cx16 sse4_1 sse4_2 x2apic movbe "
    "popcnt aes xsave avx f16c rdrand hypervisor lahf_lm svm cr8_legacy abm sse4a avx2 "
    "bmi1 bmi2 invpcid rdseed adx clflushopt clwb sha_ni xsaveopt arat",
    mhz="2445.406",
    cache_size="512 KB",
    node_kib=32_880_112,
)
IDLE = (
    Idle("POLL", "CPUIDLE CORE POLL IDLE", 0, 0),
    Idle("haltpoll idle", "default architecture idle", 1, 1),
)
QEMU = (0x1AF4, 0x1100)
VIRTIO = (((0x84, config.MSIX),), ())
# devfn, vendor, device, class, revision, subsystem, driver
FUNCTIONS = (
    ("00.0", 0x8086, 0x1237, 0x060000, 0x02, QEMU, ""),
    ("01.0", 0x8086, 0x7000, 0x060100, 0x00, QEMU, ""),
    ("01.1", 0x8086, 0x7010, 0x010180, 0x00, QEMU, "ata_piix"),
    ("01.3", 0x8086, 0x7113, 0x068000, 0x03, QEMU, "piix4_smbus"),
    ("02.0", 0x1234, 0x1111, 0x030000, 0x02, QEMU, "bochs-drm"),
    ("03.0", 0x1AF4, 0x1000, 0x020000, 0x00, (0x1AF4, 0x0001), "virtio-pci"),
    ("04.0", 0x1AF4, 0x1001, 0x010000, 0x00, (0x1AF4, 0x0002), "virtio-pci"),
    ("05.0", 0x1AF4, 0x1002, 0x00FF00, 0x00, (0x1AF4, 0x0005), "virtio-pci"),
    ("06.0", 0x1AF4, 0x1005, 0x00FF00, 0x00, (0x1AF4, 0x0004), "virtio-pci"),
)


def build():
    tree = Tree()
    add_kernel(
        tree,
        hostname="cloud-7",
        release="6.1.0-26-cloud-amd64",
        cmdline="BOOT_IMAGE=/boot/vmlinuz-6.1.0-26-cloud-amd64 "
        "root=UUID=0d5f6e0a-52c7-4a2e-9d43-5b1f1c0a7e21 ro console=tty0 console=ttyS0,115200",
        numa_balancing=0,
        boot_id="8c1f4a3e-6f0b-4f0e-9a55-2f6d3c7b9e04",
        distro="debian",
    )
    add_memory(tree, CPUS.node_kib)
    add_dmi(tree, "QEMU", "Standard PC (i440FX + PIIX, 1996)")
    add_cpus(tree, CPUS, "haltpoll", "haltpoll", IDLE)
    add_caches(tree, CPUS, 32, 512, 16384)
    add_pci(tree)
    return tree


def add_pci(tree):
    pci = Pci({}, CPUS.count, passthrough=False)
    pci.root(0, 0, -1)
    for devfn, vendor, device, class_, revision, subsystem, driver in FUNCTIONS:
        layout = VIRTIO if driver == "virtio-pci" else config.NONE
        pci.add(0, devfn, vendor, device, class_, revision=revision, subsystem=subsystem,
                driver=driver, size=256, layout=layout)
    pci.emit(tree)
