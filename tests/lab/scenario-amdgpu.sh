#!/bin/sh
# SPDX-License-Identifier: MIT
# The real driver amdgpu is loaded, and the machine has no GPU: its parameters and a KFD of CPU nodes are real.
# shellcheck source=tests/lab/guest.sh
. /lab/guest.sh

parameters=/sys/module/amdgpu/parameters
nodes=/sys/class/kfd/kfd/topology/nodes
count() { find "$1" -mindepth 1 -maxdepth 1 | wc -l; } # FOLDER
finding() { json_said | jq -c --arg id "$1" '[.findings[] | select(.id == $id) | [.target, .outcome, .have]]'; } # ID
check() { ask check "$@" --format json; }

check
expect_status "amdgpu: check without the driver" $? 0
for module in /amdgpu/*; do insmod "$module" || echo "# insmod $module: $?"; done
echo "# initstate $(cat /sys/module/amdgpu/initstate), $(count $parameters) parameters, $(count $nodes) KFD nodes"
expect_equal "amdgpu: it is loaded" "$(cat /sys/module/amdgpu/initstate)" live

check
expect_status "amdgpu: check with the driver and no GPU" $? 0
expect_equal "amdgpu: check reports that there is no GPU" "$(finding profile.auto)" '[["system","differs","none"]]'
rocenv check --timeout 30 --deadline 100 >/tmp/said 2>&1
expect_said "amdgpu: so it does for people" "no AMD GPU found"
check -p host --want gpu.driver='">=1"' --want gpu.parameters=default
expect_equal "amdgpu: gpu.driver has no GPU to drive" "$(finding gpu.driver | jq -c '.[0][1]')" '"na"'
expect_equal "amdgpu: the parameters are the defaults" "$(finding gpu.parameters)" '[["system","ok","default"]]'

expect_equal "amdgpu: KFD has a node for each NUMA node" "$(count $nodes)" 2
rocenv topo --format json --timeout 30 --deadline 100 >/tmp/said 2>&1
expect_status "amdgpu: topo" $? 0
expect_equal "amdgpu: topo has the CPUs" "$(json_said | jq '[.cpus.threads, (.numa | length)] | join(" ")')" '"4 2"'
expect_equal "amdgpu: topo has no GPU" "$(json_said | jq '.gpus | length')" 0
