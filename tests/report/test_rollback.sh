#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# JSON of set, reset and status on folders, after any end: compared with the shipped schemas, and its old values and rollbacks. Root
# runs them as `nobody`, who may not write to a file of mode 444.
set -uo pipefail
cd "$(dirname "$0")/../.." || exit
machines=${MACHINES:-build/machines}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
chmod 755 "$scratch"
cp "${ROCENV:-build/dev/rocenv}" "$scratch/rocenv"
node=$scratch/node as=()
[ "$(id -u)" != 0 ] || as=(setpriv --reuid 65534 --regid 65534 --clear-groups --)
export SOURCE_DATE_EPOCH=0

expect() { # NAME FAULTS: it is well when there are none
    if [ -z "$2" ]; then echo "ok $1"; else printf '%s\nnot ok %s\n' "$2" "$1"; fi
}
rocenv() { "${as[@]}" "$scratch/rocenv" "$1" --sysroot "$node" "${@:2}"; }
fresh() { # MACHINE
    rm -rf "$node"
    cp -a "$machines/$1" "$node"
    [ ${#as[@]} = 0 ] || chown -R 65534:65534 "$node"
}
kind_of() { if [ "$1" = status ]; then echo status; else echo report; fi; }
# Keeps the output to compare it with its schema at the end: "NAME is valid".
keep() { # NAME KIND
    printf '%s is valid\t' "$1" >>"$scratch/kept-$2" && tr -d '\n' <"$scratch/json" >>"$scratch/kept-$2" && echo >>"$scratch/kept-$2"
}

# The command ends with STATUS, its JSON is valid, and jq's FILTER is true of it.
reports() { # NAME STATUS FILTER COMMAND...
    local name=$1 expected=$2 filter=$3 status faults=''
    shift 3
    rocenv "$@" --format json >"$scratch/json" 2>"$scratch/said"
    status=$?
    keep "$name" "$(kind_of "$1")"
    [ "$status" = "$expected" ] || faults+=$'\n'"ended with $status, wanted $expected: $(cat "$scratch/said")"
    jq -e "$filter" "$scratch/json" >/dev/null 2>&1 ||
        faults+=$'\n'"not so: $filter: $(jq -c '.result, .exit, (.findings // .entries)[:6][]' "$scratch/json" 2>&1)"
    expect "$name" "$faults"
}
refuses() { # NAME FILTER: the schema takes the last report as it is, not as FILTER makes it
    if jq "$2" "$scratch/json" | tests/report/validate report >/dev/null; then
        expect "no report: $1" "the schema takes it"
    else
        expect "no report: $1" ""
    fi
}
numa=$node/proc/sys/kernel/numa_balancing policies=$node/sys/devices/system/cpu/cpufreq
journal=$node/run/rocenv/journal
of() { echo ".findings[] | select(.id == \"$1\")"; } # ID

for kind in status report; do
    faults=$(echo '{}' | tests/report/validate $kind >/dev/null && echo "is valid")
    expect "an empty object is no $kind" "$faults"
done

fresh old-kfd
reports "status: nothing is set" 0 '.entries == [] and .error == null' status
reports "dry run" 0 '.result == "changed" and (.writes | length) > 20 and all(.findings[]; .put_back == null)
    and all(.findings[] | select(.outcome == "changed"); .was != .have and .have == .want)' set -p env-check --dry-run
reports "set" 0 '.result == "changed" and all(.findings[]; .put_back == null) and (has("writes") | not)
    and all(.findings[] | select(.outcome == "changed"); .was != .have and .have == .want and .detail == "")' set -p env-check
reports "set: an old value" 0 "[$(of kernel.numa_balancing)][0] | .outcome == \"ok\" and .was == null" set -p env-check
reports "set once more: nothing to do" 0 '.result == "ok" and all(.findings[]; .was == null and .put_back == null)' set -p env-check
refuses "a finding of set without was" 'del(.findings[0].was)'
refuses "a word for put_back" '.findings[0].put_back = "perhaps"'
refuses "a next step about what was changed" '.findings[0] += {outcome: "changed", was: "1", have: "0", fix: "reboot"}'
refuses "put back no without a value" '.findings[0] += {outcome: "failed", put_back: "no", was: "1", have: null, fix: "x"}'
refuses "a check that tells of a way back" '.command = "check"'
reports "status: set" 1 '(.entries | length) > 20 and all(.entries[]; .by == "rocenv" and .set != .baseline)' status
reports "reset, dry run" 0 '(.writes | length) > 20' reset --dry-run
echo 3 >"$numa"
reports "status: changed by someone else" 5 'any(.entries[]; .by == "someone else" and .present == "3")' status
reports "reset: left alone" 5 "[$(of kernel.numa_balancing)] == [$(of kernel.numa_balancing) | select(.outcome == \"differs\"
    and .want == \"1\" and .have == \"3\" and .was == null and .put_back == \"not tried\")] and all($(of cpu.governor);
    .outcome == \"changed\" and .was == \"performance\" and .put_back == \"yes\")" reset
reports "reset: keep" 0 '.notes != []' reset --keep 'kernel.*'
reports "status: nothing is left" 0 '.entries == []' status
reports "reset: nothing is recorded" 0 '.findings == []' reset

fresh old-kfd
rocenv set -p env-check -q
echo 3 >"$numa"
reports "reset: forced" 0 "$(of kernel.numa_balancing) | .was == \"3\" and .have == \"1\" and .put_back == \"yes\"" reset --force

for job in job-1 job-2; do reports "set: held by $job" 0 '.command == "set"' set -p env-check --hold $job; done
reports "status: held" 1 '.holders == ["job-1", "job-2"]' status
reports "set: held otherwise" 1 "$(of kernel.numa_balancing) | .outcome == \"unsafe\" and .was == null" \
    set -p env-check --want kernel.numa_balancing=1 --hold job-3
rocenv reset --hold job-3 -q
reports "reset: held" 1 '.findings == []' reset
reports "reset: one name leaves" 0 '.findings == [] and .notes != []' reset --hold job-1
reports "reset: the last name leaves" 0 '.findings != [] and all(.findings[]; .put_back == "yes")' reset --hold job-2

chmod 444 "$policies/policy3/scaling_governor"
reports "set: failed, rolled back" 4 "[$(of cpu.governor) | [.target, .outcome, .was, .have, .put_back]] | sort == [
    [\"policy0-2\", \"differs\", \"powersave\", \"powersave\", \"yes\"], [\"policy3\", \"failed\", \"powersave\", \"powersave\", \"yes\"],
    [\"policy4-19\", \"differs\", null, \"powersave\", null]]" set -p env-check
reports "set: recommended and failed" 0 "[$(of cpu.governor) | [.target, .outcome, .was, .have, .put_back]] | sort == [
    [\"policy0-2,4-19\", \"changed\", \"powersave\", \"performance\", null],
    [\"policy3\", \"failed\", \"powersave\", \"powersave\", \"yes\"]]" set -p host-benchmark --only 'cpu.*'
reports "reset of the rest" 0 '.findings != [] and all(.findings[]; .put_back == "yes")' reset
echo performance >"$policies/policy2/scaling_available_governors"
reports "set: stuck" 5 "[$(of cpu.governor) | select(.put_back == \"no\") | [.target, .outcome, .was, .have]] ==
    [[\"policy2\", \"failed\", \"powersave\", \"performance\"]]" set -p env-check
reports "status: a set that could not go back" 1 '.open != null' status
reports "reset: stuck" 5 "[$(of cpu.governor) | [.target, .want, .have, .was, .put_back]] ==
    [[\"policy2\", \"powersave\", \"performance\", \"performance\", \"no\"]]" reset
echo performance powersave >"$policies/policy2/scaling_available_governors"
reports "reset: no more" 0 'all(.findings[]; .put_back == "yes")' reset

fresh old-kfd
chmod 000 "$numa"
reports "set: unknown" 3 "$(of kernel.numa_balancing) | .outcome == \"unknown\" and .was == null and .put_back == null" set -p env-check
rocenv reset -q
# The program records its end in the journal with its third write, and is killed there.
cp "${KILL_AT:-build/dev/tests/kill_at}" "$scratch/kill_at"
"${as[@]}" "$scratch/kill_at" 0 write 3 "$scratch/rocenv" set --sysroot "$node" -p env-check >"$scratch/said" 2>&1
if grep -q '^kill_at: reached' "$scratch/said"; then
    reports "status: a set that died" 1 '.open != null' status
    reports "set: after one that died" 3 '.findings != []' set -p env-check
else
    echo "skip rollback, a set that died: processes cannot be traced here"
fi
printf 'rocenv journal 99\n' >"$journal"
reports "status: a journal nobody can read" 3 '.error != null and .entries == []' status

fresh mi350x
rocenv set -p env-check -q
rm "$journal" # so nobody recorded what was there
reports "reset to defaults, dry run" 0 '.command == "reset" and .writes != [] and any(.findings[]; .outcome == "changed")' \
    reset --to-defaults --dry-run
reports "reset to defaults" 0 'any(.findings[]; .id == "cpu.idle" and .was == "disabled" and .have == "enabled")' reset --to-defaults
reports "reset of that" 0 'any(.findings[]; .was == "enabled" and .have == "disabled" and .put_back == "yes")' reset
fresh vfio
reports "set: unsafe" 1 '.result == "unsafe" and all(.findings[] | select(.outcome == "unsafe"); .was == null and .put_back == null)' \
    set -p rccl-multinode

# While a program runs, after it, and after its rocenv was killed.
fresh old-kfd
tune() { "${as[@]}" "$scratch/rocenv" run --tune -q -p env-check --sysroot "$node" -- "$@"; }
tune "$scratch/rocenv" status --sysroot "$node" --format json >"$scratch/json"
keep "status: in run --tune" status
faults=''
jq -e '.exit == 1 and (.holders | length) == 1 and .dead == [] and all(.entries[]; .hold != null)' "$scratch/json" >/dev/null ||
    faults+="not so: $(cat "$scratch/json")"
expect "status: in run --tune" "$faults"
reports "status: after run --tune" 0 '.entries == []' status
# shellcheck disable=SC2016 # the shell's parent is rocenv
tune sh -c 'kill -9 $PPID' 2>/dev/null
reports "status: a killed run --tune" 1 '(.dead | length) == 1 and .dead == .holders and .notes != []' status
reports "set: after a killed run --tune" 0 '.result == "changed"' set -p env-check
reports "reset: after that" 0 'all(.findings[]; .put_back == "yes")' reset

# The machines with all that they can be set to: more or less of it refused, unknown, not there. Those of 25,000 files
# hold nothing that the others lack, and take longer to copy than all of this.
for machine in "$machines"/*/; do
    name=$(basename "$machine")
    case $name in mi300x-spx | mi300x-tuned | mi300x-cpx) continue ;; esac
    fresh "$name"
    all="-p env-check -p rccl-multinode"
    for command in "set --dry-run $all" "set $all" "set $all --allow *" status "reset --dry-run" reset; do
        # shellcheck disable=SC2086 # words
        (set -f && rocenv $command --format json) 2>"$scratch/said" | jq -c . >>"$scratch/lines-${command%% *}"
    done
done
mv "$scratch/lines-set" "$scratch/lines-report" && cat "$scratch/lines-reset" >>"$scratch/lines-report"
for kind in report status; do
    expect "$(wc -l <"$scratch/lines-$kind") of all machines, $kind" \
        "$(tests/report/validate --lines $kind <"$scratch/lines-$kind" 2>&1)"
done
for kind in report status; do tests/report/validate --named $kind <"$scratch/kept-$kind"; done
