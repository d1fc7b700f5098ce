#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The reports of every machine and profile against the shipped JSON Schema.
set -uo pipefail
cd "$(dirname "$0")/../.." || exit
rocenv=${ROCENV:-build/dev/rocenv}
schema=src/render/report.schema.json

expect() { # NAME STATUS TEXT: says how the case went
    if [ "$2" = 0 ]; then echo "ok $1"; else printf '%s\nnot ok %s\n' "$3" "$1"; fi
}

validate() { # NAME FORMAT ARGUMENT...
    local name=$1 format=$2 lines=() faults
    shift 2
    [ "$format" = json ] || lines=(--lines)
    faults=$("$rocenv" check --format "$format" "$@" | tests/report/validate "${lines[@]}" "$schema" 2>&1)
    expect "$name $format" $? "$faults"
}

[ -f "$schema" ] || { echo "not ok schema: there is no $schema" && exit 1; }
echo '{}' | tests/report/validate "$schema" >/dev/null
expect "an empty object is no report" $((1 - $?)) ""
for machine in build/machines/*/; do
    name=$(basename "$machine")
    for profile in auto host mi300x mi300x-benchmark; do
        validate "$name $profile" json --sysroot "$machine" -p "$profile"
    done
    validate "$name auto" jsonl --sysroot "$machine"
done
validate "this machine" json
