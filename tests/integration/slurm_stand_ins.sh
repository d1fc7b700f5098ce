# SPDX-License-Identifier: MIT
# shellcheck shell=bash disable=SC2034,SC2119,SC2120 # those that source it use and call what is here
# Shared parts of test_slurm_scripts and test_slurm_job_scripts: a node of stand-ins for Slurm's commands and for rocenv, with an
# /etc, a /run and a /usr/local/bin of its own, and the assertions. Sourcing it runs nothing.
scripts=$PWD/scripts/integrations/slurm

expect() { # NAME FOUND EXPECTED
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
    mount -t tmpfs -o mode=755 none /sys/fs/cgroup
    stand_ins
    "$2"
}

# The stand-ins find what they answer, and leave what they were asked, in $lab.
# shellcheck disable=SC2016 # they expand it
stand_ins() {
    local bin=/usr/local/bin
    printf '#!/bin/bash\nlab=%q\n%s\n' "$lab" '
        if [ "$1" = listpids ]; then # the node answers, not the controller
            echo "$*" >>"$lab/local"
            [ ! -e "$lab/steps.$2" ] || exec cat "$lab/steps.$2"
            if [ -e "$lab/listpids" ]; then cat "$lab/listpids"; else echo "There are no steps for job $2 on node $3."; fi
            exit 1
        fi >&2
        echo "$*" >>"$lab/asked"
        [ ! -e "$lab/dead" ] || exec sleep 60
        if [ -e "$lab/live" ]; then # a controller that takes its time and does what it is told
            sleep 0.3
            sed -i "s/^${2#NodeName=}|gpu|idle|none$/${2#NodeName=}|gpu|drained|rocenv: x/" "$lab/nodes"
            exit
        fi
        [ "$1 $2" = "update NodeName=n1" ]' >$bin/scontrol
    printf '#!/bin/bash\nlab=%q\n%s\n' "$lab" '
        echo "sinfo $*" >>"$lab/controller"
        [ ! -e "$lab/dead" ] || exec sleep 60
        cat "$lab/nodes"' >$bin/sinfo
    printf '#!/bin/bash\nlab=%q\n%s\n' "$lab" '
        echo "squeue $*" >>"$lab/controller"
        [ ! -e "$lab/dead" ] || exec sleep 60
        cat "$lab/jobs"; exit "$(cat "$lab/jobs.status")"' >$bin/squeue
    printf '#!/bin/bash\necho "$1" >>%q/slept\n[ -e %q/no-sleep ] || exec /bin/sleep "$@"\n' "$lab" "$lab" >$bin/sleep
    printf '#!/bin/bash\necho "${*:2}" >>%q/log\n' "$lab" >$bin/logger
    # A file system without locks between nodes: only the lock of all is asked by the number 9.
    printf '#!/bin/bash\n[ "${!#}" != 9 ] || [ ! -e %q/no-locks ] || exit 69\nexec /usr/bin/flock "$@"\n' "$lab" >$bin/flock
    printf '#!/bin/bash -p\nlab=%q\n%s\n' "$lab" '
        echo "$*" >>"$lab/asked"
        compgen -e | sort >"$lab/environment"
        case "$1 $*" in
        check*brief) [ ! -e "$lab/warning" ] || cat "$lab/warning" >&2; cat "$lab/brief" 2>/dev/null || echo "rocenv: 1 required differs: a.b"; exit "$(cat "$lab/status")" ;;
        check*) # a report of its own for the second read and later ones
            reads=$(grep -c "^check" "$lab/asked")
            [ ! -e "$lab/status.$reads" ] || cp "$lab/status.$reads" "$lab/status"
            [ ! -e "$lab/report.$reads" ] || cp "$lab/report.$reads" "$lab/report"
            cat "$lab/report"; exit "$(cat "$lab/status")" ;;
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
    find /sys/fs/cgroup -mindepth 1 -delete
    : >"$lab/asked" && : >"$lab/log" && : >"$lab/controller" && : >"$lab/slept" && echo 0 >"$lab/status" && echo 0 >"$lab/journal"
    printf '%s\n' DRAIN=yes SET=yes "DRAIN_FOLDER=$lab/shared" DRAIN_FOLDER_IS=shared JITTER=0 "$@" >/etc/rocenv/slurm.conf
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

# Runs a function that starts a script with the variables in the array "with", once with none and then with each kind that a user
# can set, and compares the output. A program that is found through such a variable writes its name to $lab/ran.
# shellcheck disable=SC2016 # the programs expand it
hostile() { # NAME FUNCTION VARIABLE...
    local variable plain program
    local -a with=()
    mkdir -p "$lab-evil" # beside the folder that fresh empties
    for program in stat readlink dirname hostname timeout logger grep awk rocenv scontrol squeue; do
        printf '#!/bin/bash\necho "$0" >>%q/ran\n' "$lab" >"$lab-evil/$program" && chmod +x "$lab-evil/$program"
    done
    printf 'echo BASH_ENV >>%q/ran\n' "$lab" >"$lab-evil/startup"
    plain=$("$2")
    for variable in "${@:3}"; do
        with=("$variable")
        expect "$1: a hostile ${variable%%=*} changes nothing" "$("$2" 2>&1)$(cat "$lab/ran" 2>/dev/null)" "$plain"
    done
}
user_variables() { # prints them, one a line
    printf '%s\n' "PATH=$lab-evil:$PATH" "BASH_ENV=$lab-evil/startup" "BASH_FUNC_readlink%%=() { echo readlink >>$lab/ran; }" \
        "BASH_FUNC_timeout%%=() { echo timeout >>$lab/ran; }" SHELLOPTS=noexec SHELLOPTS=xtrace SECONDS=100000 RANDOM=7 POSIXLY_CORRECT=1 \
        "HOME=$lab-evil" "XDG_CONFIG_HOME=$lab-evil" "ROCENV=$lab-evil/rocenv" "SITE_FILE=$lab-evil/startup" "site_file=$lab-evil/startup" \
        "state=$lab-evil" SET=no GATE=no DRAIN=no PROFILE=other CHECK_PROFILE=other EXCLUSIVE=no JITTER=15 "LOG=$lab-evil/log" \
        "SLURM_CONF=$lab-evil/slurm.conf" SQUEUE_FORMAT=x SINFO_FORMAT=x SPANK_ROCENV=1 HSA_OVERRIDE_GFX_VERSION=1 SLURM_JOBID=8 clean=1
}
root_variables() { # those that can break no more than a job's own task prolog
    printf '%s\n' FUNCNEST=1 TMOUT=1
}
strange_variables() { # prints the names of the variables that rocenv saw beside those that slurmd sets
    grep -vxE 'PATH|LC_ALL|PWD|OLDPWD|SHLVL|_|SLURM_JOB_ID|SLURM_JOB_OVERSUBSCRIBE|SLURMD_NODENAME' "$lab/environment"
}

asked() { # WORD: how often something that begins so was asked
    grep -c "^$1" "$lab/asked"
}
logged() { # SENTENCE: how often
    grep -cF -- "$1" "$lab/log"
}
