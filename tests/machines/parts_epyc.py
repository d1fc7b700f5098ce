"""Processors of the smaller machines: what /proc/cpuinfo and cpuidle say."""

from parts_cpu import Idle

FLAGS = (
    "fpu vme de pse tsc msr pae mce cx8 apic sep mtrr pge mca cmov pat pse36 clflush mmx fxsr sse "
    "sse2 ht syscall nx mmxext fxsr_opt pdpe1gb rdtscp lm constant_tsc rep_good nopl nonstop_tsc "
    "cpuid extd_apicid aperfmperf pni pclmulqdq monitor ssse3 fma cx16 sse4_1 sse4_2 movbe popcnt "
    "aes xsave avx f16c rdrand lahf_lm svm abm sse4a avx2 bmi1 bmi2 sha_ni hw_pstate"
)
GOVERNORS = "conservative ondemand userspace powersave performance schedutil"


def ids(family, model, name, stepping=1):
    return {
        "vendor_id": "AuthenticAMD",
        "cpu family": family,
        "model": model,
        "model name": name,
        "stepping": stepping,
    }


def acpi_idle(latency, port):
    """POLL, C1 and C2 of an EPYC; the latency of C2 is the board maker's word."""
    return (
        "acpi_idle",
        "menu",
        (
            Idle("POLL", "CPUIDLE CORE POLL IDLE", 0, 0),
            Idle("C1", "ACPI FFH MWAIT 0x0", 1, 2),
            Idle("C2", f"ACPI IOPORT {port}", latency, 2 * latency),
        ),
    )
