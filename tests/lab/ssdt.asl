// SPDX-License-Identifier: MIT
// Frequency and idle states for the four processors of QEMU's q35 machine, which has none: the guest's
// acpi-cpufreq and acpi_idle take them for real. The ports are unused ones: a write goes nowhere, and a
// read of the C2 port returns at once, so that the state is entered and left without any rest.
DefinitionBlock ("", "SSDT", 2, "ROCENV", "LABCPU", 1)
{
    External (\_SB.CPUS, DeviceObj)
    External (\_SB.CPUS.C000, ProcessorObj)
    External (\_SB.CPUS.C001, ProcessorObj)
    External (\_SB.CPUS.C002, ProcessorObj)
    External (\_SB.CPUS.C003, ProcessorObj)

    Scope (\_SB.CPUS)
    {
        // Control and status port.
        Name (LPCT, Package ()
        {
            ResourceTemplate () { Register (SystemIO, 8, 0, 0x0B00) },
            ResourceTemplate () { Register (SystemIO, 8, 0, 0x0B01) }
        })

        // MHz, mW, transition and bus master latency in us, control word, status word.
        Name (LPSS, Package ()
        {
            Package () { 2450, 10000, 10, 10, 0, 0 },
            Package () { 2000, 7000, 10, 10, 1, 1 },
            Package () { 1500, 5000, 10, 10, 2, 2 }
        })

        // Type, latency in us, mW.
        Name (LCST, Package ()
        {
            2,
            Package () { ResourceTemplate () { Register (FFixedHW, 2, 2, 0, 0) }, 1, 1, 1000 },
            Package () { ResourceTemplate () { Register (SystemIO, 8, 0, 0x0B04) }, 2, 400, 100 }
        })
    }

    Scope (\_SB.CPUS.C000)
    {
        Method (_PCT) { Return (LPCT) }
        Method (_PSS) { Return (LPSS) }
        Method (_PPC) { Return (0) }
        Method (_CST) { Return (LCST) }
    }

    Scope (\_SB.CPUS.C001)
    {
        Method (_PCT) { Return (LPCT) }
        Method (_PSS) { Return (LPSS) }
        Method (_PPC) { Return (0) }
        Method (_CST) { Return (LCST) }
    }

    Scope (\_SB.CPUS.C002)
    {
        Method (_PCT) { Return (LPCT) }
        Method (_PSS) { Return (LPSS) }
        Method (_PPC) { Return (0) }
        Method (_CST) { Return (LCST) }
    }

    Scope (\_SB.CPUS.C003)
    {
        Method (_PCT) { Return (LPCT) }
        Method (_PSS) { Return (LPSS) }
        Method (_PPC) { Return (0) }
        Method (_CST) { Return (LCST) }
    }
}
