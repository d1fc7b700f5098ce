# SPDX-License-Identifier: MIT
# shellcheck shell=bash disable=SC2034 # what is set here is used by those that source it
# Functions that the Slurm scripts share: the site's file, the log, rocenv and its answer. Sourcing it runs nothing.

readonly site_file=/etc/rocenv/slurm.conf
readonly state=/run/rocenv-slurm
readonly me=rocenv-${0##*/}
declare -A conf=()
node='' status=0 out=''

# Starts a script that root runs again, in an environment that holds only PATH, LC_ALL and the named variables of slurmd.
# Even bash reads variables: SECONDS and RANDOM get their first values from them, FUNCNEST and POSIXLY_CORRECT change it.
start_clean() { # NAME_OF_VARIABLE...
    local name
    local -a kept=()
    for name in "$@"; do [ -z "${!name+set}" ] || kept+=("$name=${!name}"); done
    exec /usr/bin/env -i "PATH=$PATH" LC_ALL=C "${kept[@]}" /bin/bash -p "$0" clean
}

# For scripts that root runs, after start_clean. Slurm's tools print English because of LC_ALL.
begin() {
    umask 077
    [[ ${SLURMD_NODENAME:-} =~ ^[A-Za-z0-9][A-Za-z0-9._-]*$ ]] || SLURMD_NODENAME=''
    node=${SLURMD_NODENAME:-$(hostname -s)}
    read_site_file
}

defaults() {
    conf=([SET]=no [CHECK]=no [GATE]=no [DRAIN]=no [DRAIN_AFTER_JOB]=no [DRAIN_FOLDER]='' [DRAIN_FOLDER_IS]=ask [PROFILE]='' [CHECK_PROFILE]=ci-preflight
        [ENV_PROFILE]=auto [EXCLUSIVE]=ask [GPU_USERS]=0 [JITTER]=10 [ROCENV]=/usr/local/bin/rocenv [LOG]=syslog [ALERT]='')
}

# Prints the form of the values of a key, as an extended regular expression.
form_of() { # KEY
    case $1 in
    SET | GATE | DRAIN | DRAIN_AFTER_JOB) echo 'yes|no' ;;
    CHECK) echo 'no|log|gate' ;;
    EXCLUSIVE) echo 'ask|yes|no' ;;
    DRAIN_FOLDER_IS) echo 'ask|shared' ;;
    GPU_USERS) echo '[0-9]{1,4}' ;;
    JITTER) echo '[0-9]|1[0-5]' ;;
    PROFILE) echo '([A-Za-z0-9_./][A-Za-z0-9_./-]* ?)*' ;;
    CHECK_PROFILE | ENV_PROFILE) echo '([A-Za-z0-9_./][A-Za-z0-9_./-]* ?)+' ;;
    LOG) echo 'syslog|/.+' ;;
    ROCENV) echo '/.+' ;;
    DRAIN_FOLDER | ALERT) echo '(/.+)?' ;;
    esac
}

# Returns 0 if only root may write to it.
trusted() { # PATH
    [[ $(stat -L -c '%u %a' -- "$1" 2>/dev/null) =~ ^0\ [0-7]*[0145][0145]$ ]]
}

# Reads it line by line and runs nothing of it. One invalid line makes it ignore the whole file and log the reason: all
# switches are then off.
read_site_file() {
    local fault
    defaults
    [ -e "$site_file" ] || return 0
    if fault=$(site_file_fault); then
        log err "$site_file: $fault; the file is ignored, all switches are off"
    else
        take_lines conf
    fi
}

site_file_fault() {
    local -A tried=()
    [ -f "$site_file" ] || { echo "not a regular file" && return 0; }
    [ -r "$site_file" ] || { echo "the file cannot be read" && return 0; }
    { trusted "$site_file" && trusted "${site_file%/*}"; } ||
        { echo "the file and its folder must belong to root, and only root may be able to write to them" && return 0; }
    [ "$(wc -c <"$site_file")" -le 65536 ] || { echo "the file is longer than 64 KiB" && return 0; }
    ! take_lines tried
}

# Reads KEY=VALUE to the line's end, without quotes; "#" begins a comment line. Prints the first invalid line.
take_lines() { # NAME_OF_ARRAY
    local -n into=$1
    local line number=0 form
    while IFS= read -r line || [ -n "$line" ]; do
        number=$((number + 1))
        [[ $line =~ ^[[:space:]]*(#|$) ]] && continue
        form=$(form_of "${line%%=*}")
        if [ -z "$form" ] || [[ $line != *=* ]] || ! [[ ${line#*=} =~ ^($form)$ ]]; then
            echo "line $number is not a valid setting"
            return 1
        fi
        into[${line%%=*}]=${line#*=}
    done <"$site_file"
}

# One line in the system log (daemon, tagged rocenv-prolog, rocenv-epilog …) or in the file that LOG names.
log() { # PRIORITY SENTENCE
    local text=$2
    [[ ! ${SLURM_JOB_ID:-} =~ ^[0-9]+$ ]] || text="job $SLURM_JOB_ID: $2"
    if [[ ${conf[LOG]} == /* ]]; then
        printf '%(%FT%T%z)T %s %s %s: %s\n' -1 "$node" "$me" "$1" "$text" >>"${conf[LOG]}" && return 0
    fi 2>/dev/null
    timeout 2 logger -t "$me" -p "daemon.$1" -- "$text" 2>/dev/null || echo "$me: $1: $text" >&2
}

# Logs at the highest level of a service, and calls the program that the site names.
alert() { # SENTENCE
    log alert "$1"
    [ -z "${conf[ALERT]}" ] || timeout 10 "${conf[ALERT]}" "$node: $1" >/dev/null 2>&1 </dev/null ||
        log err "${conf[ALERT]} ended with $?"
}

# Creates the folder in which the health check counts, and logs if root alone does not own it.
make_state() {
    mkdir -p "$state" && trusted "$state" && return 0
    log err "only root may be able to write to $state"
    return 1
}

# The health check writes whether MAX_DRAIN permits one more node. The prolog reads it and does not ask the controller.
readonly limit_file=$state/max-drain minutes_of_limit=10

# Replaces a file of the state atomically.
keep() { # NAME
    cat >"$state/.$1" && mv "$state/.$1" "$state/$1"
}

# Runs rocenv: its exit status is in `status`, what it printed (errors begin with "rocenv: ") in `out`.
ask() { # WORD...
    out=$("${conf[ROCENV]}" "$@" 2>&1 </dev/null)
    status=$?
}

# Prints the line of --format brief, which follows the warnings.
brief_line() { printf '%s' "${out##*$'\n'}"; }

# Prints the first message of rocenv that is not a warning, otherwise its first line.
sentence() {
    local said line
    said=$(grep -v '^rocenv: .*: warning: ' <<<"$out")
    line=$(grep -m 1 '^rocenv: ' <<<"$said") || line=${said%%$'\n'*}
    [[ $line == '{' ]] || printf '%s' "${line#rocenv: }"
}

# "-p" before each name of a list.
profile_words() { # NAMES
    local -a names
    read -ra names <<<"$1"
    printf -- '-p\n%s\n' "${names[@]}"
}

# Prints "OUTCOME ID TARGET" for each required finding of a JSON report that is not ok and that no waiver covers. A read
# that was not answered in time has the outcome "timeout".
required_findings() {
    awk '/^    \{$/ { split("", has) }
        /^      "[a-z]+": / { split($0, part, "\""); has[part[2]] = part[4] }
        /^    \}/ && has["level"] == "required" && !("waived" in has) {
            kind = has["outcome"] == "unknown" && has["reason"] == "timeout" ? "timeout" : has["outcome"]
            if (kind ~ /^(differs|unknown|timeout)$/) print kind, has["id"], has["target"]
        }' | sort -u
}

# Prints the numbers of the jobs that hold settings.
held_jobs() {
    ask status --format json
    sed -n '/^  "holders": \[$/,/^  \]/ s/^    "slurm-\([1-9][0-9]*\)",\{0,1\}$/\1/p' <<<"$out"
}

# Restores the values that were set for a job. Returns 1 if a value that rocenv wrote could not be restored; not for a value that
# was modified outside rocenv, and not for a journal that cannot be read, which is an alert.
put_back() { # JOB
    ask reset --hold "slurm-$1" --format json
    local answer=$out code=$status line
    line="reset --hold slurm-$1: status $code$(remark "$(sentence)")"
    if [ "$code" = 0 ]; then
        log info "$line"
    else
        log warning "$line$(remark "$(foreign_values <<<"$answer")")"
        journal_is_read || alert "the journal cannot be read, the values of job $1 may stay set: $(sentence)"
    fi
    ! grep -q '^      "put_back": "no",\{0,1\}$' <<<"$answer"
}

journal_is_read() {
    ask status -q
    [ "$status" != 3 ]
}

remark() { [ -z "$1" ] || printf ': %s' "$1"; }

# Prints the ids that a reset did not restore, since they were modified outside rocenv.
foreign_values() {
    awk '/^      "id": / { split($0, part, "\""); id = part[4] }
        /^      "put_back": "not tried"/ && !seen[id]++ { list = list (list ? ", " : "left alone: ") id }
        END { printf "%s", list }'
}
