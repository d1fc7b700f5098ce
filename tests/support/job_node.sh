# SPDX-License-Identifier: MIT
# shellcheck shell=bash disable=SC2154 # machines and scratch are set by the script that sources this
# A node on which two jobs overlap, for the tests of journals that another version of the program wrote: four CPUs, eight
# GPUs and the bridges above them, and what each job's profile sets. Sourcing it runs nothing.

make_node() {
    local folder=$scratch/start/sys/devices/system/cpu list
    cp -a "$machines/mi350x" "$scratch/start"
    rm -rf "$folder"/cpu[4-9] "$folder"/cpu[123][0-9] "$folder"/cpufreq/policy[4-9] "$folder"/cpufreq/policy[123][0-9]
    for list in online present possible; do echo 0-3 >"$folder/$list"; done
    mkdir "$scratch/profiles"
    profile first '"kernel.numa_balancing" = 1' '"cpu.governor" = "ondemand"' '"gpu.determinism" = 1800' \
        '"pci.acs" = { scope = "gpu-path", policy = "no-redirect" }'
    profile second '"kernel.numa_balancing" = 1' '"cpu.governor" = "ondemand"' '"kernel.thp" = "always"'
    profile third '"kernel.numa_balancing" = 1' '"kernel.thp_defrag" = "always"'
    profile newest '"kernel.numa_balancing" = 1' '"kernel.zone_reclaim_mode" = 1'
}

profile() { # NAME LINE...
    printf '[profile]\nname = "%s"\n[settings]\n' "$1" >"$scratch/profiles/$1.toml"
    printf '%s\n' "${@:2}" >>"$scratch/profiles/$1.toml"
}

fresh() { rm -rf "$scratch/node" && cp -a "$scratch/start" "$scratch/node"; }

value() { # FILE
    cat "$scratch/node/$1"
}

# Prints the node's values as "NUMA GOVERNOR THP LEVEL", which show the job whose values are in force.
values() {
    echo "$(value proc/sys/kernel/numa_balancing) $(value sys/devices/system/cpu/cpufreq/policy3/scaling_governor)" \
        "$(value sys/kernel/mm/transparent_hugepage/enabled | sed 's/.*\[\(.*\)\].*/\1/')" \
        "$(cat "$(find "$scratch/node/sys/devices" -name power_dpm_force_performance_level | sort | sed -n 1p)")"
}

# "yes" where every byte is as at the start and nothing is recorded, else what is not.
untouched() {
    local apart
    apart=$(diff -r --no-dereference "$scratch/start" "$scratch/node" 2>&1 | grep -v ": run$")
    if [ -n "$apart" ]; then
        head -n 3 <<<"$apart"
    elif [ -e "$scratch/node/run/rocenv/journal" ]; then
        echo "a journal is left"
    else
        echo yes
    fi
}
