#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The reports of every machine and profile against the shipped JSON Schema; test_rollback.sh has those of what writes.
set -uo pipefail
cd "$(dirname "$0")/../.." || exit
rocenv=${ROCENV:-build/dev/rocenv}
schema=report

expect() { # NAME STATUS TEXT: says how the case went
    if [ "$2" = 0 ]; then echo "ok $1"; else printf '%s\nnot ok %s\n' "$3" "$1"; fi
}

# A line "NAME<tab>DOCUMENT" for each document on stdin: all of it (json), or each of its lines (jsonl).
named() { # NAME FORMAT
    if [ "$2" = json ]; then printf '%s\t' "$1 $2" && tr -d '\n' && echo; else sed "s/^/$1 $2\t/"; fi
}
# Exit 1 and 3 are verdicts; the report is whole all the same.
report() { # NAME FORMAT ARGUMENT...
    local name=$1 format=$2
    shift 2
    "$rocenv" check --format "$format" "$@" >"$files/report"
    case $? in 0 | 1 | 3) named "$name" "$format" <"$files/report" ;; *) printf '%s\tended with %s\n' "$name" $? ;; esac
}

files=$(mktemp -d)
trap 'rm -rf "$files"' EXIT
echo '{}' | tests/report/validate "$schema" >/dev/null
expect "an empty object is no report" $((1 - $?)) ""
{
    for machine in build/machines/*/; do
        name=$(basename "$machine")
        for profile in auto host mi300x mi300x-benchmark; do
            report "$name $profile" json --sysroot "$machine" -p "$profile" --ignore-match
        done
        report "$name auto" jsonl --sysroot "$machine"
        report "$name facts" jsonl --sysroot "$machine" -p acceptance --facts --with-ids
        "$rocenv" check --format json --facts --sysroot "$machine" >"$files/since.json"
        report "$name since" json --sysroot "$machine" --since "$files/since.json"
    done
    for target in '' 0000:85:00.0; do
        printf '[[waiver]]\nid = "*"\nuntil = 9999-12-31\nticket = "T"\nwhy = "w"\n%s' "${target:+target = \"$target\"}" >"$files/w.toml"
        report "waived $target" json --sysroot build/machines/mi300x-fallen --waivers "$files/w.toml"
    done
    report "this machine" json
    # Each variable of the catalogue, also those without a text. One environment may have 4,096.
    sed -n 's/^name = "\([A-Z0-9_]*\)"$/\1=1/p' profiles/variables/*.toml | sort -u | split -l 2500 - "$files/variables."
    for some in "$files"/variables.*; do report "variables ${some##*.}" json -p host --env-file "$some"; done
} | tests/report/validate --named "$schema"

schema=fleet
echo '{}' | tests/report/validate "$schema" >/dev/null
expect "an empty object is no fleet" $((1 - $?)) ""
mkdir "$files/fleet" "$files/fleet/earlier"
for machine in build/machines/*/; do
    for node in 1 2 3; do "$rocenv" check --facts --node "$(basename "$machine")$node" --format json --sysroot "$machine"; done
done >"$files/fleet/all.json"
head -c 200000 "$files/fleet/all.json" >"$files/fleet/earlier/cut.json"
validate_fleet() { # NAME ARGUMENT...
    local name=$1 report
    shift
    report=$("$rocenv" fleet --format json "$@") # 1 and 3 are verdicts
    faults=$(tests/report/validate "$schema" <<<"$report" 2>&1)
    expect "fleet $name" $? "$faults"
}
validate_fleet "of all machines" "$files/fleet/all.json" --group-by kernel.version
validate_fleet "since another" "$files/fleet" --since "$files/fleet/earlier" --expect 'x[1-3]' --max-age 1d
validate_fleet "of recordings" build/machines/mi300x-tuned.tree build/machines/guest.tree --reference build/machines/guest.tree
: >"$files/empty.json" && validate_fleet "of nothing" "$files/empty.json"

schema=topo
echo '{}' | tests/report/validate "$schema" >/dev/null
expect "an empty object is no topology" $((1 - $?)) ""
for machine in build/machines/*/; do
    "$rocenv" topo --format json --sysroot "$machine" | named "topo of $(basename "$machine")" json
done | tests/report/validate --named "$schema"

schema=profile_diff
echo '{}' | tests/report/validate "$schema" >/dev/null
expect "an empty object is no profile diff" $((1 - $?)) ""
for other in mi300x mi300x-benchmark container host; do
    report=$("$rocenv" profile diff --format json mi300x $other)  # 1: they differ
    faults=$(tests/report/validate "$schema" <<<"$report" 2>&1)
    expect "profile diff mi300x $other" $? "$faults"
done

for what in show list; do
    schema=profile_$what
    echo '{}' | tests/report/validate "$schema" >/dev/null
    expect "an empty object is no profile $what" $((1 - $?)) ""
done
"$rocenv" profile list --format json | named "profile list" json | tests/report/validate --named "$schema"
for profile in $("$rocenv" profile list --format json | jq -r '.profiles[].name'); do
    "$rocenv" profile show "$profile" --format json --sysroot build/machines/mi300x-spx | named "profile show $profile" json
done | tests/report/validate --named profile_show

# TunableOp files: a good one, one of another stack, a cut one, one that is not there; and what they hold.
printf 'Validator,%s\n' PT_VERSION,2.7.1 ROCM_VERSION,6.2.0.0-66-5e6f7a8 >"$files/r0.csv"
printf 'GemmTunableOp_float_NN,nn_%s\n' 1,Default,inf 2,Default 3,Gemm_Rocblas_-7,0.1 3,Default,1 >>"$files/r0.csv"
sed 's/2.7.1/2.8.0/' "$files/r0.csv" >"$files/r2.csv"
head -c -3 "$files/r0.csv" >"$files/cut.csv"
echo GemmTunableOp_float_NN,nn_1 >"$files/untuned0.csv"
for command in check show; do
    schema=tunableop_$command
    echo '{}' | tests/report/validate "$schema" >/dev/null
    expect "an empty object is no tunableop $command" $((1 - $?)) ""
    report=$("$rocenv" tunableop "$command" --format json "$files"/* "$files/none.csv" 2>/dev/null)  # 2: none.csv
    faults=$(tests/report/validate "$schema" <<<"$report" 2>&1)
    expect "tunableop $command" $? "$faults"
done

schema=explain
echo '{}' | tests/report/validate "$schema" >/dev/null
expect "an empty object is no explanation" $((1 - $?)) ""
validate_explain() { # NAME ARGUMENT...
    local name=$1 report
    shift
    report=$("$rocenv" explain --format json "$@" 2>/dev/null) # 2: a word is not known, and the rest is told
    faults=$(tests/report/validate "$schema" <<<"$report" 2>&1)
    expect "explain $name" $? "$faults"
}
for machine in mi300x-spx mi300x-fallen guest no-gpu suspended; do
    validate_explain "all there is on $machine" '*' --sysroot "build/machines/$machine"
done
validate_explain "acceptance" 'gpu.*' 'pci.*' -p acceptance --sysroot build/machines/mi300x-spx
printf 'NCCL_DEBUG=x\nHF_TOKEN=x\nHIP_FORCE_DEV_KERNARG=\nNCCL_ALGO=Ring\n' >"$files/job.env"
validate_explain "what is set" --set --env-file "$files/job.env" --assume torch=2.7
validate_explain "what is not known" BOGUS_NAME 'zz*' "$files/none.toml"

schema=occupancy
echo '[]' | tests/report/validate "$schema" >/dev/null
expect "no kernel is no occupancy" $((1 - $?)) ""
validate_occupancy() { # NAME ARGUMENT...
    local name=$1 report
    shift
    report=$("$rocenv" occupancy --format json "$@") # 3: nothing could be known, and that is whole
    faults=$(tests/report/validate "$schema" <<<"$report" 2>&1)
    expect "occupancy $name" $? "$faults"
}
for gfx in gfx908 gfx90a gfx942 gfx950; do
    validate_occupancy "$gfx" --sysroot build/machines/no-gpu --arch "$gfx" --vgprs 170 --agprs 4 --lds 1000 --grid 7
done
validate_occupancy "of a node" --sysroot build/machines/mi350x --vgprs 512 --waves 16 --grid 7
printf '.amdhsa_kernel k\n.end_amdhsa_kernel\n' >"$files/unknown.s"
sed -n 's/^> //p' tests/cli/occupancy.t | sed -n '/flash,@function/,/end_amdgpu/p' >"$files/spilled.s"
validate_occupancy "spills" --sysroot build/machines/mi300x-spx --asm "$files/spilled.s"
validate_occupancy "unknown" --sysroot build/machines/mi350x --asm "$files/unknown.s"
