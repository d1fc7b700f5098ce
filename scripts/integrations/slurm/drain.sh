# SPDX-License-Identifier: MIT
# shellcheck shell=bash disable=SC2154 # conf and node are those of common.sh
# Draining and resuming this node through the controller. Sourced after common.sh; sourcing it runs nothing.
#
# Only the health check uses it, for the one question of its run to the controller.
#
# A fault of a profile or of rocenv would appear on all nodes at once, so the number of drained nodes is limited: in no partition
# more than MAX_DRAIN = max(1, floor(2 %)) nodes have a reason that begins with "rocenv: " or "Prolog error". The controller is
# asked for their number under a lock in a folder that all nodes share, so that no two nodes count at once.

readonly max_drain_percent=2

# Prints a line for each node and partition: NODE|PARTITION|STATE|REASON. Fails without an answer. Each answer renews
# the limit that the prolog reads.
all_nodes() {
    local nodes
    nodes=$(timeout -k 1 5 sinfo --all --noheader --Node --format '%N|%R|%T|%E' 2>/dev/null) || return 1
    if this_node "$nodes" >/dev/null; then keep_limit "$(full_partitions "$nodes")"; fi
    printf '%s\n' "$nodes"
}

keep_limit() { # FULL_PARTITIONS
    if [ -z "$1" ]; then echo free; else echo "reached in $1"; fi | keep "${limit_file##*/}"
}

# Prints the state and the reason of this node, separated by "|". Fails if the controller has no such node.
this_node() { # ALL_NODES
    awk -F '|' -v node="$node" '$1 == node { sub(/^[^|]*[|][^|]*[|]/, ""); print; found = 1; exit }
        END { exit !found }' <<<"$1"
}

# Prints this node's partitions that have as many drained nodes as they may have. A node that a prolog has failed counts:
# Slurm gives it the reason "Prolog error" (src/slurmctld/node_mgr.c). Newer Slurm (seen in 24.11) keeps the reason of a node
# that is in service again.
full_partitions() { # ALL_NODES
    awk -F '|' -v node="$node" -v percent="$max_drain_percent" '
        { ++nodes[$2]; if ($1 == node) mine[$2] = 1 }
        $3 !~ /^(idle|mixed|alloc|comp|planned|resv|reserved|maint)/ && $4 ~ /^(rocenv: |Prolog error)/ { ++drained[$2] }
        END {
            for (each in mine) {
                limit = int(nodes[each] * percent / 100)
                if (drained[each] >= (limit > 1 ? limit : 1)) list = list (list ? ", " : "") each
            }
            print list
        }' <<<"$1"
}

# Prints why this node may not be drained now, or nothing.
obstacle() {
    local nodes mine full
    nodes=$(all_nodes) || { echo "the controller does not answer" && return; }
    mine=$(this_node "$nodes") || { echo "the controller has no node $node" && return; }
    case $mine in
    drain* | down* | fail*) echo "the node is ${mine%%|*} already" && return ;;
    esac
    full=$(full_partitions "$nodes")
    [ -z "$full" ] || echo "MAX_DRAIN is reached in $full"
}

# Returns 0 if the file system of a folder is one that a single node mounts.
is_of_one_node() { # FOLDER
    case $(stat -f -c %T -- "$1" 2>/dev/null) in
    ext2/ext3 | xfs | btrfs | zfs | f2fs | tmpfs | ramfs | overlayfs | msdos) return 0 ;;
    *) return 1 ;;
    esac
}

# Prints why the lock of all nodes has no usable folder; prints nothing if it has one.
lock_fault() {
    local folder=${conf[DRAIN_FOLDER]}
    [ -n "$folder" ] || { echo "DRAIN_FOLDER is not set" && return; }
    { [ -d "$folder" ] && trusted "$folder"; } ||
        { echo "$folder is not a folder that only root may write to" && return; }
    if [ "${conf[DRAIN_FOLDER_IS]}" = ask ] && is_of_one_node "$folder"; then
        echo "$folder is on a file system of one node (if all nodes share it: DRAIN_FOLDER_IS=shared)"
    fi
}

# Locks all nodes for this shell, or prints why it cannot.
lock_all() {
    local folder=${conf[DRAIN_FOLDER]}
    { exec 9>>"$folder/rocenv-drain.lock"; } 2>/dev/null || { echo "the lock in $folder cannot be opened" && return 1; }
    flock -w 5 9 || { echo "the lock in $folder was not released within 5 s" && return 1; }
}

# Drains this node if that is permitted; returns 0 if it did.
drain() { # REASON
    local why
    if [ "${conf[DRAIN]}" = no ]; then
        log notice "DRAIN=no; would drain: $1"
        return 1
    fi
    why=$(lock_fault)
    if [ -z "$why" ]; then
        may_ask nodes || return 1
        why=$(lock_and_drain "$1")
    fi
    if [ -n "$why" ]; then
        log warning "not drained, $why: $1"
        return 1
    fi
    log warning "drained: $1"
}

# Prints why it did not. The lock ends with the subshell that this runs in.
lock_and_drain() { # REASON
    local why
    lock_all || return
    why=$(obstacle)
    if [ -n "$why" ]; then
        echo "$why"
    else
        update State=DRAIN Reason="$1" || echo "scontrol failed"
    fi
}

update() { # WORD...
    timeout -k 1 5 scontrol update NodeName="$node" "$@" >/dev/null 2>&1
}
