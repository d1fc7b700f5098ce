#!/bin/sh
# SPDX-License-Identifier: MIT
# A table of the messages and actions of AMD's env_check.sh, the kernel's values, and rocenv's actions. The script is not part of
# this project: this is our reconstruction of the commands of its set, check and reset, in our words. With a copy of the script
# (ROCENV_ENV_CHECK=FILE for tests/lab/test_kernel) that copy runs too, and must agree. The lab has no GPU: its rocm-smi calls are
# left out, as are gpu.determinism and settings of a GPU's path.
# shellcheck source=tests/lab/guest.sh
. /lab/guest.sh

sysctl=/proc/sys/kernel/numa_balancing

# As root, the caller. Its quotes make "0" the name of the inner shell: echo has nothing to print but a newline.
script_set() {
    (
        # shellcheck disable=SC2030 # that it is lost is the point
        export HIP_FORCE_DEV_KERNARG=1
        sh -c echo 0 >$sysctl
        cpupower frequency-set -r -g performance
        cpupower idle-set -d 1
    ) >/tmp/script 2>&1
}
script_reset() {
    (sh -c echo 1 >$sysctl) >/tmp/script 2>&1
}
script_says() {
    if env | grep -q HIP_FORCE_DEV_KERNARG; then echo "is set"; else echo "is not set"; fi
    if [ "$(cat $sysctl)" -ne 0 ]; then echo "is on"; else echo "is off"; fi
}

# Runs the script itself. It needs sudo and rocm-smi; the latter fails as it would without a GPU.
real() { PATH=/tmp/stubs:$PATH bash /lab/env_check "$1" >/tmp/script 2>&1; }
real_says() {
    real check
    if grep -q 'no setting for' /tmp/script; then echo "is not set"; else echo "is set"; fi
    if grep -q 'numa_balancing)=0' /tmp/script; then echo "is off"; else echo "is on"; fi
}

# One line a setting, in the order of the table's rows.
kernel_holds() {
    # shellcheck disable=SC2031
    echo "${HIP_FORCE_DEV_KERNARG-unset}"
    cat $sysctl
    cat $cpus/cpufreq/policy*/scaling_governor | xargs
    cat $cpus/cpu*/cpuidle/state1/disable | xargs
    cat $cpus/cpu*/cpuidle/state2/disable | xargs
    acs_words
}
rocenv_says() {
    rocenv check -p env-check --timeout 30 --deadline 100 --format json 2>/dev/null >/tmp/report
    said_of() { # JQ_CONDITION: each outcome once
        jq -r "[.findings[] | select($1) | .outcome] | unique | join(\", \")" /tmp/report | sed 's/^$/-/'
    }
    said_of '.id == "env.HIP_FORCE_DEV_KERNARG"'
    said_of '.id == "kernel.numa_balancing"'
    said_of '.id == "cpu.governor"'
    said_of '.id == "cpu.idle" and (.target | endswith("/C1"))'
    said_of '.id == "cpu.idle" and (.target | endswith("/C2"))'
    said_of '.id == "pci.acs"'
}

kernel_holds >/tmp/t-before
rocenv_says >/tmp/t-rocenv
script_set
kernel_holds >/tmp/t-script
{ script_says; printf 'not looked at\nnot looked at\nnot looked at\nnot looked at\n'; } >/tmp/t-says
script_reset
kernel_holds >/tmp/t-undone
line() { sed -n "$2p" "/tmp/t-$1"; }

expect_equal "env_check: after its set the variable is not set, and its check says so" "$(line says 1)" "is not set"
expect_equal "env_check: NUMA balancing is as before, on" "$(line script 2) $(line says 2)" "1 is on"
expect_equal "env_check: the governor is set" "$(line script 3)" "performance performance performance performance"
expect_equal "env_check: C1 is disabled" "$(line script 4)" "1 1 1 1"
expect_equal "env_check: C2, the slow one, is not" "$(line script 5)" "$(line before 5)"
expect_equal "env_check: its reset leaves all of that" "$(cat /tmp/t-undone)" "$(cat /tmp/t-script)"
su nobody -c "sh -c echo 0 >$sysctl" 2>/tmp/script
expect_equal "env_check: a caller who is not root may not even open the file" "$(grep -ci 'permission denied' /tmp/script)" 1

if [ -e /lab/env_check ]; then
    put_back
    mkdir -p /tmp/stubs
    # shellcheck disable=SC2016 # for the stub
    printf '#!/bin/sh\nexec "$@"\n' >/tmp/stubs/sudo
    chmod +x /tmp/stubs/sudo
    real set
    expect_equal "env_check: AMD's own does to the kernel what ours does" "$(kernel_holds)" "$(cat /tmp/t-script)"
    expect_equal "env_check: AMD's own says the same" "$(real_says)" "$(head -n 2 /tmp/t-says)"
    real reset
    expect_equal "env_check: AMD's own resets the same" "$(kernel_holds)" "$(cat /tmp/t-undone)"
else
    echo "skip kernel-lab env_check: no copy of AMD's script, ROCENV_ENV_CHECK can name one; ours stands for it"
fi

put_back
expect_boot_state "env_check: back at boot"
ask set -p env-check
expect_status "env_check: rocenv set" $? 0
kernel_holds >/tmp/t-set
state_with_acs 's/$//' >/tmp/wanted
expect_state "env_check: rocenv sets all of it, and nothing else" /tmp/wanted
ask reset
expect_status "env_check: rocenv reset" $? 0
kernel_holds >/tmp/t-reset
expect_nothing_left "env_check: rocenv reset"
expect_equal "env_check: rocenv says what differs" "$(sed -n '2p;3p;5p' /tmp/t-rocenv | xargs)" \
    "differs differs, ok differs, ok"

echo "# env_check.sh here is our reconstruction of the published script, run as root; this machine has no GPU"
if [ -e /lab/env_check ]; then echo "# AMD's own has run, too: see above whether it did and said the same"; fi
echo "# setting | env_check.sh check says after its set | kernel at boot | after env_check.sh set | after its reset |" \
    "rocenv check says at boot | after rocenv set | after rocenv reset"
echo "# --- | --- | --- | --- | --- | --- | --- | ---"
row=0
for name in "HIP_FORCE_DEV_KERNARG (caller)" "kernel.numa_balancing" "cpu.governor, 4 policies" "C1 disabled, 4 CPUs" \
    "C2 (400 us) disabled, 4 CPUs" "pci.acs, 5 ports"; do
    row=$((row + 1))
    for column in says before script undone rocenv set reset; do name="$name | $(line $column $row)"; done
    echo "# $name"
done
