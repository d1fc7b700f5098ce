# SPDX-License-Identifier: MIT
# shellcheck shell=bash disable=SC2034,SC2119,SC2120 # those that source it use and call what is here
# What test_slurm_scripts and test_slurm_job_scripts share: a node of stand-ins for Slurm's commands and for rocenv, with an
# /etc, a /run and a /usr/local/bin of its own, and what is asserted. Sourcing it runs nothing.
scripts=$PWD/scripts/integrations/slurm

expect() { # NAME FOUND WANTED
    if [ "$2" = "$3" ]; then echo "ok slurm scripts: $1"; else printf 'found %s\nwanted %s\nnot ok slurm scripts: %s\n' "$2" "$3" "$1"; fi
}

# Runs the functions of this test that are named, each in a node of its own and all at once. Needs root.
on_nodes() { # FUNCTION...
    local name
    if [ "$(id -u)" != 0 ] || ! unshare -m true 2>/dev/null; then
        echo "skip slurm scripts: no right to make namespaces"
        return
    fi
    scratch=$(mktemp -d)
    trap 'rm -rf "$scratch"' EXIT
    for name in "$@"; do
        mkdir -p "$scratch/$name"/{lab,etc/rocenv}
        cp -a /etc/alternatives "$scratch/$name/etc" # awk is one of them
    done
    chmod -R 755 "$scratch"
    for name in "$@"; do
        unshare -m --pid --fork --kill-child --mount-proc "$(realpath "$0")" inside "$scratch/$name" "$name" &
    done
    wait
}

inside() { # FOLDER FUNCTION
    lab=$1/lab
    mount --bind "$1/etc" /etc
    mount -t tmpfs -o mode=755 none /run
    mount -t tmpfs -o mode=755 none /usr/local/bin
    stand_ins
    "$2"
}

# The stand-ins find what they answer, and leave what they were asked, in $lab.
# shellcheck disable=SC2016 # they expand it
stand_ins() {
    local bin=/usr/local/bin
    printf '#!/bin/bash\nlab=%q\n%s\n' "$lab" '
        echo "$*" >>"$lab/asked"
        if [ -e "$lab/live" ]; then # a controller that takes its time and does what it is told
            sleep 0.3
            sed -i "s/^${2#NodeName=}|gpu|idle|none$/${2#NodeName=}|gpu|drained|rocenv: x/" "$lab/nodes"
            exit
        fi
        [ "$1 $2" = "update NodeName=n1" ]' >$bin/scontrol
    printf '#!/bin/bash\ncat %q/nodes\n' "$lab" >$bin/sinfo
    printf '#!/bin/bash\ncat %q/jobs; exit "$(cat %q/jobs.status)"\n' "$lab" "$lab" >$bin/squeue
    printf '#!/bin/bash\necho "${*:2}" >>%q/log\n' "$lab" >$bin/logger
    # A file system without locks between nodes: only the lock of all is asked by the number 9.
    printf '#!/bin/bash\n[ "${!#}" != 9 ] || [ ! -e %q/no-locks ] || exit 69\nexec /usr/bin/flock "$@"\n' "$lab" >$bin/flock
    printf '#!/bin/bash\nlab=%q\n%s\n' "$lab" '
        echo "$*" >>"$lab/asked"
        case "$1 $*" in
        check*brief) [ ! -e "$lab/warning" ] || cat "$lab/warning" >&2; [ ! -e "$lab/brief" ] || exec cat "$lab/brief"; echo "rocenv: 1 required differs: a.b"; exit "$(cat "$lab/status")" ;;
        check*) cat "$lab/report" ;;
        set*) echo "rocenv: so it is" >&2; exit "$(cat "$lab/set.status")" ;;
        env*) cat "$lab/env"; exit "$(cat "$lab/env.status")" ;;
        status*json) cat "$lab/holds" ;;
        reset*) cat "$lab/reset"; exit "$(cat "$lab/reset.status")" ;;
        status*) exit "$(cat "$lab/journal")" ;;
        esac' >$bin/rocenv
    chmod +x $bin/*
}

fresh() { # SITE_LINE...
    rm -rf /run/rocenv-slurm "${lab:?}"/* && mkdir "$lab/shared"
    : >"$lab/asked" && : >"$lab/log" && echo 0 >"$lab/status" && echo 0 >"$lab/journal"
    printf '%s\n' DRAIN=yes SET=yes "DRAIN_FOLDER=$lab/shared" DRAIN_FOLDER_IS=shared "$@" >/etc/rocenv/slurm.conf
    nodes n1:idle:none n2:idle:none
    report && holds
}
nodes() { # NODE:STATE:REASON[:PARTITION]...
    local node each
    for each in "$@"; do
        IFS=: read -ra node <<<"$each"
        [ "${node[2]}" != rocenv ] || node[2]='rocenv: x'
        echo "${node[0]}|${node[3]:-gpu}|${node[1]}|${node[2]}"
    done >"$lab/nodes"
}
report() { # ID:LEVEL:OUTCOME[:REASON[:waived]]...
    local each finding
    echo $'{\n  "findings": ['
    for each in "$@"; do
        IFS=: read -ra finding <<<"$each"
        printf '    {\n      "id": "%s",\n      "target": "system",\n      "level": "%s",\n      "outcome": "%s",\n' "${finding[@]:0:3}"
        [ -z "${finding[3]:-}" ] || printf '      "reason": "%s",\n' "${finding[3]}"
        [ -z "${finding[4]:-}" ] || printf '      "waived": {\n        "ticket": "OPS-1"\n      },\n'
        printf '      "detail": "level: \\"required\\""\n    }%s\n' "$([ "$each" = "${!#}" ] || echo ,)"
    done
    echo $'  ]\n}'
} >"$lab/report"
holds() { # NAME...
    printf '{\n  "holders": ['
    if [ $# -gt 0 ]; then printf '\n%s\n  ' "$(printf '    "%s"\n' "$@" | sed '$!s/$/,/')"; fi
    printf '],\n  "notes": []\n}\n'
} >"$lab/holds"

asked() { # WORD: how often something that begins so was asked
    grep -c "^$1" "$lab/asked"
}
logged() { # SENTENCE: how often
    grep -cF -- "$1" "$lab/log"
}
