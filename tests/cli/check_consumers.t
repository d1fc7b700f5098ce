# What other programs read: test reports, metrics, a monitoring plugin, annotations of a workflow.
$ rocenv check --sysroot mi300x-fallen -p ci-preflight --format junit | grep -v '"/>\|time="0"/>'
<?xml version="1.0" encoding="UTF-8"?>
<testsuites tests="95" failures="1" errors="0" time="0">
  <testsuite name="ci-preflight" package="rocenv" id="0" tests="95" failures="1" errors="0" time="0" skipped="19" hostname="mi300x-fallen" timestamp="1970-01-01T00:00:00">
    <properties>
    </properties>
    <testcase classname="rocenv.gpu" name="gpu.count 0000:85:00.0" time="0">
      <failure type="differs" message="fallen off the bus, expected full">the GPU returns all ones to every read of its PCI configuration
next: sudo dmesg | grep -e amdgpu -e 0000:85:00.0; if the log shows no reason, reset or reseat the GPU, or power-cycle the node</failure>
    </testcase>
    <testcase classname="rocenv.gpu" name="gpu.compute_units 0000:85:00.0" time="0">
      <skipped>na
amdgpu is not bound to the device</skipped>
    </testcase>
    <testcase classname="rocenv.gpu" name="gpu.xgmi system" time="0">
      <skipped>a consequence of gpu.count of 0000:85:00.0 (differs)</skipped>
    </testcase>
    <testcase classname="rocenv.gpu" name="gpu.atomics 0000:85:00.0" time="0">
      <skipped>na
amdgpu is not bound to the device</skipped>
    </testcase>
    <testcase classname="rocenv.gpu" name="gpu.compute_partition 0000:85:00.0" time="0">
      <skipped>na
amdgpu is not bound to the device</skipped>
    </testcase>
    <testcase classname="rocenv.gpu" name="gpu.memory_partition 0000:85:00.0" time="0">
      <skipped>na
amdgpu is not bound to the device</skipped>
    </testcase>
    <testcase classname="rocenv.gpu" name="gpu.ras_events 0000:05:00.0" time="0">
      <skipped>na
this driver does not count fatal errors and poison</skipped>
    </testcase>
    <testcase classname="rocenv.gpu" name="gpu.ras_events 0000:09:00.0" time="0">
      <skipped>na
this driver does not count fatal errors and poison</skipped>
    </testcase>
    <testcase classname="rocenv.gpu" name="gpu.ras_events 0000:45:00.0" time="0">
      <skipped>na
this driver does not count fatal errors and poison</skipped>
    </testcase>
    <testcase classname="rocenv.gpu" name="gpu.ras_events 0000:49:00.0" time="0">
      <skipped>na
this driver does not count fatal errors and poison</skipped>
    </testcase>
    <testcase classname="rocenv.gpu" name="gpu.ras_events 0000:85:00.0" time="0">
      <skipped>na
amdgpu is not bound to the device</skipped>
    </testcase>
    <testcase classname="rocenv.gpu" name="gpu.ras_events 0000:89:00.0" time="0">
      <skipped>na
this driver does not count fatal errors and poison</skipped>
    </testcase>
    <testcase classname="rocenv.gpu" name="gpu.ras_events 0000:c5:00.0" time="0">
      <skipped>na
this driver does not count fatal errors and poison</skipped>
    </testcase>
    <testcase classname="rocenv.gpu" name="gpu.ras_events 0000:c9:00.0" time="0">
      <skipped>na
this driver does not count fatal errors and poison</skipped>
    </testcase>
    <testcase classname="rocenv.gpu" name="gpu.bad_pages 0000:85:00.0" time="0">
      <skipped>na
amdgpu is not bound to the device</skipped>
    </testcase>
    <testcase classname="rocenv.pci" name="pci.link 0000:85:00.0" time="0">
      <skipped>a consequence of gpu.count of 0000:85:00.0 (unknown)</skipped>
    </testcase>
    <testcase classname="rocenv.pci" name="pci.large_bar 0000:85:00.0" time="0">
      <skipped>a consequence of gpu.count of 0000:85:00.0 (unknown)</skipped>
    </testcase>
    <testcase classname="rocenv.access" name="access.kfd process" time="0">
      <skipped>na
the access rights of this process do not describe another machine</skipped>
    </testcase>
    <testcase classname="rocenv.access" name="access.render process" time="0">
      <skipped>na
the access rights of this process do not describe another machine</skipped>
    </testcase>
    <testcase classname="rocenv.limits" name="limits.memlock process" time="0">
      <skipped>na
the limits of this process do not describe another machine</skipped>
    </testcase>
    <system-out></system-out>
    <system-err></system-err>
  </testsuite>
</testsuites>
$ rocenv check --sysroot suspended --only gpu.compute_partition --format junit | grep -A 3 0000:63
    <testcase classname="rocenv.gpu" name="gpu.compute_partition 0000:63:00.0" time="0">
      <error type="asleep" message="could not be read (asleep), expected SPX">0000:63:00.0 is suspended, and a read would wake it
next: start a job on the device to wake it, and check again</error>
    </testcase>
    <system-out></system-out>
$ rocenv check --sysroot mi300x-fallen --only gpu.count,gpu.xgmi,cpu.governor --format prometheus
# HELP rocenv_check_info 1; the version of the program and the profiles.
# TYPE rocenv_check_info gauge
rocenv_check_info{version="0.2.0",profile="mi300x",profile_digest="a09ca4248d41fa99"} 1
# HELP rocenv_check_timestamp_seconds When the node was checked, in seconds since 1970.
# TYPE rocenv_check_timestamp_seconds gauge
rocenv_check_timestamp_seconds 0
# HELP rocenv_check_exit_status 0 passed, 1 a required check failed, 3 a required check could not be read.
# TYPE rocenv_check_exit_status gauge
rocenv_check_exit_status 1
# HELP rocenv_findings Number of findings without those that are waived.
# TYPE rocenv_findings gauge
rocenv_findings{level="required",outcome="ok"} 0
rocenv_findings{level="required",outcome="differs"} 2
rocenv_findings{level="required",outcome="unknown"} 0
rocenv_findings{level="required",outcome="na"} 0
rocenv_findings{level="required",outcome="hidden"} 0
rocenv_findings{level="recommended",outcome="ok"} 1
rocenv_findings{level="recommended",outcome="differs"} 0
rocenv_findings{level="recommended",outcome="unknown"} 0
rocenv_findings{level="recommended",outcome="na"} 0
rocenv_findings{level="recommended",outcome="hidden"} 0
rocenv_findings{level="info",outcome="ok"} 0
rocenv_findings{level="info",outcome="differs"} 0
rocenv_findings{level="info",outcome="unknown"} 0
rocenv_findings{level="info",outcome="na"} 0
rocenv_findings{level="info",outcome="hidden"} 0
# HELP rocenv_findings_waived Number of findings that are waived.
# TYPE rocenv_findings_waived gauge
rocenv_findings_waived 0
# HELP rocenv_finding Result of a check: 0 passed, 1 unknown (could not be read), 2 differs, -1 not applicable, -2 hidden from this container. Of CPUs and policies the worst.
# TYPE rocenv_finding gauge
rocenv_finding{id="cpu.governor",target="policy*",level="recommended"} 0
rocenv_finding{id="gpu.count",target="0000:85:00.0",level="required"} 2
rocenv_finding{id="gpu.xgmi",target="system",level="required"} 2
# HELP rocenv_finding_waived 1 for a finding that a waiver of the site accepts, so that it does not count.
# TYPE rocenv_finding_waived gauge
# HELP rocenv_finding_caused 1 for a finding that another finding of the report explains.
# TYPE rocenv_finding_caused gauge
rocenv_finding_caused{id="gpu.xgmi",target="system"} 1
# HELP rocenv_waiver_end_timestamp_seconds When the finding counts again, in seconds since 1970: the end of its waiver. Of CPUs and policies the first.
# TYPE rocenv_waiver_end_timestamp_seconds gauge
# HELP rocenv_counted_total Events that a finding has counted since the kernel or the driver started.
# TYPE rocenv_counted_total counter
? 1
$ rocenv check --sysroot mi300x-tuned -p ci-preflight --format nagios
ROCENV OK: all checks passed | required_differs=0;;0;0 required_unknown=0;;;0 recommended_differs=0;0;;0 recommended_unknown=0;;;0 ok=84;;;0 na=11;;;0 hidden=0;;;0 waived=0;;;0
$ rocenv check --sysroot mi300x-fallen --format nagios
ROCENV CRITICAL: 2 required differ: gpu.count 0000:85:00.0, gpu.xgmi 7 of 8 GPUs | required_differs=2;;0;0 required_unknown=0;;;0 recommended_differs=1;0;;0 recommended_unknown=2;;;0 ok=80;;;0 na=8;;;0 hidden=0;;;0 waived=0;;;0
? 2
$ rocenv check --sysroot mi300x-spx --format nagios; rocenv check --sysroot suspended --format nagios
ROCENV WARNING: 4 recommended differ: kernel.numa_balancing 1, +3 more | required_differs=0;;0;0 required_unknown=0;;;0 recommended_differs=4;0;;0 recommended_unknown=0;;;0 ok=87;;;0 na=2;;;0 hidden=0;;;0 waived=0;;;0
ROCENV UNKNOWN: 3 required unknown: gpu.compute_partition 0000:63:00.0, +2 more | required_differs=0;;0;0 required_unknown=3;;;0 recommended_differs=3;0;;0 recommended_unknown=2;;;0 ok=17;;;0 na=7;;;0 hidden=0;;;0 waived=0;;;0
? 3
$ rocenv check --sysroot mi300x-fallen -p ci-preflight --format github
::error title=rocenv%3A gpu.count (required%2C differs)::fallen off the bus, expected full%0Aon 0000:85:00.0%0Athe GPU returns all ones to every read of its PCI configuration%0Anext: sudo dmesg | grep -e amdgpu -e 0000:85:00.0; if the log shows no reason, reset or reseat the GPU, or power-cycle the node
::notice title=rocenv%3A skipped%2C consequences of gpu.count of 0000%3A85%3A00.0::gpu.xgmi, pci.large_bar, pci.link
rocenv check: differs (2 differs, 16 na, 75 ok, 2 unknown)
? 1
$ rocenv check --sysroot mi300x-tuned -p ci-preflight --format github
rocenv check: ok (11 na, 84 ok)

# Waived: skipped, marked, counted apart, a notice.
$ cat > w.toml <<'END'
> [[waiver]]
> id     = "gpu.*"
> target = "0000:85:00.0"
> until  = 2027-01-31
> ticket = "OPS-1234"
> why    = "waits for a spare"
> END
$ rocenv check --sysroot mi300x-fallen --only gpu.count --waivers w.toml --format junit | grep -A 3 '<skipped'
      <skipped>required, differs: fallen off the bus, expected full
the GPU returns all ones to every read of its PCI configuration
waived: OPS-1234, until 2027-01-31: waits for a spare
next: sudo dmesg | grep -e amdgpu -e 0000:85:00.0; if the log shows no reason, reset or reseat the GPU, or power-cycle the node</skipped>
$ rocenv check --sysroot mi300x-fallen --only gpu.count --waivers w.toml --format prometheus | grep -v '^#'
rocenv_check_info{version="0.2.0",profile="mi300x",profile_digest="a09ca4248d41fa99"} 1
rocenv_check_timestamp_seconds 0
rocenv_check_exit_status 0
rocenv_findings{level="required",outcome="ok"} 1
rocenv_findings{level="required",outcome="differs"} 0
rocenv_findings{level="required",outcome="unknown"} 0
rocenv_findings{level="required",outcome="na"} 0
rocenv_findings{level="required",outcome="hidden"} 0
rocenv_findings{level="recommended",outcome="ok"} 0
rocenv_findings{level="recommended",outcome="differs"} 0
rocenv_findings{level="recommended",outcome="unknown"} 0
rocenv_findings{level="recommended",outcome="na"} 0
rocenv_findings{level="recommended",outcome="hidden"} 0
rocenv_findings{level="info",outcome="ok"} 0
rocenv_findings{level="info",outcome="differs"} 0
rocenv_findings{level="info",outcome="unknown"} 0
rocenv_findings{level="info",outcome="na"} 0
rocenv_findings{level="info",outcome="hidden"} 0
rocenv_findings_waived 1
rocenv_finding{id="gpu.count",target="0000:85:00.0",level="required"} 2
rocenv_finding{id="gpu.count",target="system",level="required"} 0
rocenv_finding_waived{id="gpu.count",target="0000:85:00.0",level="required"} 1
rocenv_waiver_end_timestamp_seconds{id="gpu.count",target="0000:85:00.0",level="required"} 1801440000
$ rocenv check --sysroot mi300x-fallen --only gpu.count --waivers w.toml --format nagios
ROCENV OK: all checks passed; 1 waived | required_differs=0;;0;0 required_unknown=0;;;0 recommended_differs=0;0;;0 recommended_unknown=0;;;0 ok=1;;;0 na=0;;;0 hidden=0;;;0 waived=1;;;0
$ rocenv check --sysroot mi300x-fallen --only gpu.count --waivers w.toml --format github
::notice title=rocenv%3A gpu.count (required%2C differs%2C waived)::fallen off the bus, expected full%0Aon 0000:85:00.0%0Athe GPU returns all ones to every read of its PCI configuration%0Awaived: OPS-1234, until 2027-01-31: waits for a spare%0Anext: sudo dmesg | grep -e amdgpu -e 0000:85:00.0; if the log shows no reason, reset or reseat the GPU, or power-cycle the node
rocenv check: ok (1 differs, 1 ok)

# To a file, as a whole or not at all; without a report it stays.
$ rocenv check --sysroot mi300x-fallen --only gpu.count --format prometheus --output rocenv.prom; grep -c '^rocenv_' rocenv.prom
rocenv: wrote rocenv.prom, 2411 bytes
20
$ rocenv check -p nowhere --format prometheus --output rocenv.prom; grep -c '^rocenv_' rocenv.prom
rocenv: unknown profile 'nowhere'. To list all profiles: rocenv profile list
20
$ rocenv check --sysroot mi300x-spx --only gpu.count --output report.txt -q; cat report.txt
PASS  mi300x: all required and recommended checks passed
      8 x AMD Instinct MI300X

1 passed (-v lists all)
$ rocenv check --sysroot mi300x-spx --only gpu.count --output mi300x-spx
rocenv: cannot replace 'mi300x-spx': not a regular file
? 2

# Without a report a plugin says one line all the same.
$ rocenv check --format nagios -p nowhere
ROCENV UNKNOWN: unknown profile 'nowhere'. To list all profiles: rocenv profile list
rocenv: unknown profile 'nowhere'. To list all profiles: rocenv profile list
? 3
$ rocenv check --format nagios --bogus
ROCENV UNKNOWN: unknown option '--bogus'
? 3
$ rocenv check --format nagios --sysroot nowhere
ROCENV UNKNOWN: cannot open 'nowhere': No such file or directory
rocenv: cannot open 'nowhere': No such file or directory
? 3
