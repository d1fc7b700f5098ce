#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Values of AMD's program and of rocenv for the same node: number of GPUs, locations, partitions, clocks, memory, NUMA nodes.
# shellcheck source-path=SCRIPTDIR
. "$(dirname "$0")/checks.sh"
patience=(--timeout 60 --deadline 150) # AMD's version 6 opens some 50,000 files for 64 partitions

run check -p mi300x --want gpu.determinism=1900 --only gpu.count,gpu.determinism --gpu-backend rsmi "${patience[@]}"
expect "opinions, one a physical GPU" "$(grep -c '^rocenv: rsmi ' <<<"$out")" 8
expect "opinions are the driver's words" "$(sed -n 's/^rocenv: rsmi .*: level \(.*\) (sysfs: \(.*\))/\1 \2/p' <<<"$out" |
    sed 's/^determinism/perf_determinism/' | awk '$1 == $2' | wc -l)" 8
nothing_left check

# Once: starting AMD's version 6 takes seconds on 64 partitions.
asked=(--showbus --showperflevel)
if [ "$ROCM" = 6 ]; then asked+=(--showcomputepartition --showmemorypartition --showsclkrange); fi
said=$(rocm-smi "${asked[@]}" 2>/dev/null)
values() { sed -n "s/^GPU\[[0-9]*\].*$1: //p" <<<"$said"; }
topo=$(on /mnt/bin/rocenv topo --format json)
of_topo() { jq -r "[.gpus[] | select($1)] | sort_by(.physical, .partition)[] | $2" <<<"$topo"; }
checked() { # ID: what rocenv check read, a line a GPU, in the order of addresses
    on /mnt/bin/rocenv check -p mi300x --want gpu.determinism=1900 --only "$1" --format json |
        jq -r '[.findings[] | select(.target != "system")] | sort_by(.target)[].have'
}

# Version 5 lists physical GPUs; version 6 also partitions, their number as the function.
if [ "$ROCM" = 6 ]; then listed=true; else listed='.partition == 0'; fi
expect "addresses" "$(values 'PCI Bus' | tr A-F a-f)" "$(of_topo "$listed" '.bdf[:-1] + (.partition | tostring)')"
expect "levels" "$(values 'Performance Level' | wc -l)" "$(values 'PCI Bus' | wc -l)"
expect "physical GPUs" "$(values 'PCI Bus' | grep -c '\.0$')" "$(jq '[.gpus[].physical] | unique | length' <<<"$topo")"
if [ "$ROCM" = 6 ]; then
    expect "compute partitions" "$(values 'Compute Partition' | sort -u)" "$(checked gpu.compute_partition | sort -u)"
    expect "memory partitions" "$(values 'Memory Partition' | sort -u)" "$(checked gpu.memory_partition | sort -u)"
    # Compares the first partition of each GPU: the limit, or the table's upper clock if no limit is set or the limit is lost.
    expect "clocks" "$(paste <(values 'PCI Bus') <(values 'Valid sclk range') | sed -n 's/.*\.0\t.* - \(.*\)Mhz/\1/p')" \
        "$(paste <(checked gpu.determinism) <(of_topo '.partition == 0' .max_clock_mhz) | awk '{print $1 ~ /^[0-9]/ ? $1 : $2}')"
fi
if [ "$(jq '.gpus | length' <<<"$topo")" != 8 ]; then exit; fi

said=$(rocm-smi --showuniqueid --showmeminfo vram --showtoponuma)
expect "unique ids" "$(values 'Unique ID' | sed 's/0x//')" "$(of_topo true .unique_id)"
expect "memory" "$(values 'Total Memory (B)')" "$(of_topo true .vram_bytes)"
expect "NUMA nodes" "$(values 'Numa Node')" "$(of_topo true .numa_node)"
