#!/bin/sh
# SPDX-License-Identifier: MIT
# Read by the guest's init and by each scenario: the kernel's state, read without rocenv, and comparing it.

boot_state=/tmp/boot-state
cpus=/sys/devices/system/cpu

# shellcheck disable=SC2317 # who reads this calls what it needs
milliseconds() { awk '{print $1 * 1000}' /proc/uptime; }

# PCI bridges, of which this machine has root ports only.
root_ports() { grep -l '^0x0604' /sys/bus/pci/devices/*/class | cut -d/ -f6; }
set_acs() { setpci -s "$1" "ECAP_ACS+6.w=$2"; }

# Prints one line for each file: its path and its content. Starts few processes, because each is slow here.
read_state() {
    grep -s '' /proc/sys/kernel/numa_balancing /proc/sys/kernel/nmi_watchdog \
        /proc/sys/vm/compaction_proactiveness /proc/sys/vm/compact_unevictable_allowed \
        /proc/sys/vm/zone_reclaim_mode /sys/kernel/mm/transparent_hugepage/enabled \
        /sys/kernel/mm/transparent_hugepage/defrag $cpus/cpufreq/boost \
        /proc/sys/net/ipv4/conf/*/rp_filter /proc/sys/net/ipv4/conf/*/arp_ignore \
        /proc/sys/net/ipv4/conf/*/arp_announce \
        "$cpus"/cpufreq/policy*/scaling_governor "$cpus"/cpu[0-9]*/cpuidle/state*/disable | sed 's/:/ /'
    root_ports | sed 's/.*/-s & ECAP_ACS+6.w/' | xargs setpci >/tmp/words
    root_ports | sed 's/^/acs /' | paste -d' ' - /tmp/words
}

# Not the same everywhere: a way back to one value for all of a kind would be seen.
make_uneven() {
    echo powersave >$cpus/cpufreq/policy1/scaling_governor
    echo performance >$cpus/cpufreq/policy2/scaling_governor
    echo 1 >$cpus/cpu3/cpuidle/state2/disable
    set_acs "$(root_ports | sed -n 2p)" 0011
    set_acs "$(root_ports | sed -n 3p)" 0000
}

# Prints the state that a profile expects, from the state at boot: only the values that the profile names differ.
state_with_acs() { # SED_EXPRESSION for the ACS word
    sed -E -e 's/(numa_balancing) .*/\1 0/' -e 's/(scaling_governor) .*/\1 performance/' \
        -e 's/(state2.disable) .*/\1 1/' -e "/^acs /$1" $boot_state
}

needs_set() { # WHAT
    if rocenv set --help >/dev/null 2>&1; then return 0; fi
    echo "skip kernel-lab $1: this rocenv has no set"
    exit 0
}

# rocenv with time enough for an emulated machine; what it says is kept, JSON handed out as well.
ask() { # COMMAND...
    rocenv "$@" --timeout 30 --deadline 100 >/tmp/said 2>&1
    asked=$?
    case " $* " in *" --format json "*) hand_out "$1" ;; esac
    return $asked
}
json_said() { sed -n '/^{/,/^}/p' /tmp/said; }
# One line on the console, which the host holds against the schema.
hand_out() { # COMMAND
    case $1 in status) kind=status ;; *) kind=report ;; esac
    json_said | jq -c . | sed "s/^/json $kind /" >/dev/console
}
said() { sed 's/^/    /' /tmp/said; }

# The profile of these scenarios: everything in it is required.
write_profile() { # FILE ACS_POLICY
    cat >"$1" <<END
[profile]
name = "lab"
summary = "What the lab's machine can be set to"

[settings]
"kernel.numa_balancing" = { value = 0, level = "required" }
"pci.acs" = { scope = "all", policy = "$2", level = "required" }
"cpu.governor" = { value = "performance", level = "required" }
"cpu.idle" = { max_latency_us = 10, level = "required" }
END
}

# The lab's own way back to the boot state, so that each scenario begins there.
put_back() {
    read_state >/tmp/present
    grep -vxFf /tmp/present $boot_state | while read -r where value more; do
        case $where in
            acs) set_acs "$value" "$more" ;;
            *hugepage*) echo "$value $more" | sed 's/.*\[//; s/\].*//' >"$where" ;;
            *) echo "$value" >"$where" ;;
        esac
    done
}

# Compares the status of the last command; prints its output if the status is wrong.
expect_status() { # NAME FOUND EXPECTED
    expect_equal "$1: status" "$2" "$3"
    if [ "$2" != "$3" ]; then said; fi
}

expect_equal() { # NAME FOUND EXPECTED
    if [ "$2" = "$3" ]; then
        echo "ok kernel $1"
    else
        echo "not ok kernel $1"
        echo "    found:  $2" | sed '2,$s/^/            /'
        echo "    wanted: $3" | sed '2,$s/^/            /'
    fi
}

# Expects no differences from the expected state.
expect_state() { # NAME FILE
    read_state >/tmp/present
    expect_equal "$1" "$(diff "$2" /tmp/present | grep '^[-+][^-+]')" ""
}
expect_boot_state() { expect_state "$1" $boot_state; } # NAME

# In what the command before said: a pattern of grep -E, in one line however it was folded.
expect_said() { # NAME PATTERN
    if tr -s '\n ' ' ' </tmp/said | grep -qiE -e "$2"; then
        echo "ok kernel $1"
    else
        echo "not ok kernel $1: nothing said as $2" && said
    fi
}

# Prints the findings of the last call with --format json: id, target, outcome, value.
findings() { json_said | jq -r '.findings[] | "\(.id) \(.target) \(.outcome) \(.have)"'; }

# And what they say of ways back: nothing, or some of no, not tried, yes.
ways_back() { json_said | jq -r '[.findings[].put_back | select(.)] | unique | join(", ")'; }

acs_words() { read_state | sed -n 's/^acs [^ ]* //p' | xargs; }

# After a reset: the state at boot, an empty journal, and no running rocenv.
expect_nothing_left() { # NAME
    expect_boot_state "$1: the state at boot"
    ask status
    expect_status "$1: nothing is set" $? 0
    expect_equal "$1: no journal" "$(find /run/rocenv -type f ! -name lock -size +0 2>/dev/null)" ""
    expect_equal "$1: no process" "$(pidof rocenv)" ""
}

# ACS is not touched for this reason, all else is set, and both with --allow.
expect_unsafe() { # NAME REASON
    write_profile /tmp/profile.toml off
    state_with_acs 's/$//' >/tmp/wanted
    ask set -p /tmp/profile.toml
    expect_status "$1: set" $? 1
    expect_said "$1: set says why" "pci.acs .*$2"
    expect_state "$1: ACS is as it was, all else is set" /tmp/wanted
    ask reset
    expect_status "$1: reset" $? 0
    expect_nothing_left "$1"
    ask set -p /tmp/profile.toml --format json
    expect_equal "$1: each ACS word that differs is unsafe" \
        "$(findings | grep -c '^pci.acs .* unsafe ')" "$(acs_words | xargs -n 1 | grep -vc 0000)"
    ask set -p /tmp/profile.toml --allow pci.acs
    expect_status "$1: set --allow pci.acs" $? 0
    state_with_acs 's/[^ ]*$/0000/' >/tmp/wanted
    expect_state "$1: allowed, every value is in the kernel" /tmp/wanted
    ask reset
    expect_status "$1: reset of what was allowed" $? 0
    expect_nothing_left "$1, allowed"
}
