#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# amdgpufs itself: the driver's rules (sources in gpu_model.h), without rocenv and AMD's library.
# shellcheck source-path=SCRIPTDIR
. "$(dirname "$0")/checks.sh"

gpu=${gpus[0]}
now() { lab state | sed -n 's/^[^ ]* //;1p'; }
try() { # FILE TEXT: the errno of the write
    put "$gpu" "$1" "$2" 2>/dev/null
    lab log | tail -n 1 | sed 's/.* //'
}
tries() { # NAME WANTED-ERRNO FILE TEXT...
    local text
    for text in "${@:4}"; do expect "$1: $text" "$(try "$3" "$text")" "$2"; done
}
refused=22 # EINVAL

tries "no level" "$refused" "$level" low high profile_peak profile_exit nonsense
tries "level auto takes no clocks" "$refused" "$table" "s 1 1900" c r
tries "level" 0 "$level" perf_determinism
tries "no command" "$refused" "$table" "s 1" "s 2 1900" "s 1 x" "x 1 1900" "c 1" "m 0 900"
tries "above the table" "$refused" "$table" "s 1 2101"
tries "below the table is stored" 0 "$table" "s 1 100"
tries "and refused when committed" "$refused" "$table" c
tries "limit" 0 "$table" "s 1 1900" c
expect "limit in force" "$(now)" "level perf_determinism range 132-1900 memory 1300 firmware 1900 wanted 132-1900,0"
expect "pp_dpm_sclk shows it" "$(tail -n 1 "$devices/$gpu/pp_dpm_sclk")" "1: 1900Mhz"
tries "the level there is does nothing" 0 "$level" perf_determinism
expect "limit still in force" "$(now)" "level perf_determinism range 132-1900 memory 1300 firmware 1900 wanted 132-1900,0"
tries "a refused level drops the limit" "$refused" "$level" high
expect "the word stays" "$(now)" "level perf_determinism range 132-2100 memory 1300 firmware 0 wanted 132-1900,0"
tries "auto" 0 "$level" auto perf_determinism
tries "a lone commit takes what was stored" 0 "$table" c
expect "stored before auto" "$(now)" "level perf_determinism range 132-1900 memory 1300 firmware 1900 wanted 132-1900,0"
lab reset "$gpu"
expect "GPU reset" "$(now)" "level perf_determinism range 132-2100 memory 1300 firmware 0 wanted 132-1900,0"
tries "manual" 0 "$level" auto manual
tries "a range" 0 "$table" "s 0 500" "s 1 1700" "m 1 1000" c
expect "range in force" "$(cat "$devices/$gpu/$table")" "$(printf 'OD_SCLK:\n0: 500Mhz\n1: 1700Mhz\nOD_MCLK:\n0: 900Mhz\n1: 1000Mhz')"
tries "an empty range" "$refused" "$table" "s 0 100"
tries "determinism takes the memory's limit for its own" 0 "$level" perf_determinism
tries "by a commit" 0 "$table" "s 1 1900" c
expect "the memory's limit" "$(now)" "level perf_determinism range 132-1000 memory 1000 firmware 1000 wanted 500-1900,1000"
tries "auto lifts all" 0 "$level" auto
expect "auto" "$(now)" "level auto range 132-2100 memory 1300 firmware 0 wanted 500-1900,0"
tries "manual again" 0 "$level" manual
tries "above the memory's table" "$refused" "$table" "m 1 1301"
expect "what is refused leaves the present limit stored" "$(now)" "level manual range 132-2100 memory 1300 firmware 0 wanted 500-1900,1300"
tries "a policy" 0 pm_policy/soc_pstate 2
expect "its star" "$(grep '\*' "$devices/$gpu/pm_policy/soc_pstate")" "2 : soc_pstate_1*"
tries "no policy" "$refused" pm_policy/soc_pstate 9
if put "$gpu" vendor 1 2>/dev/null; then echo "not ok vendor can be written"; else echo "ok vendor cannot be written"; fi
expect "partition devices" "$(find /sys/class/drm/ -name 'renderD*' | wc -l)" 64
lab remove "$gpu"
expect "gone" "$(ls -d "$devices/$gpu" /sys/class/drm/renderD12? /sys/class/drm/renderD13? 2>/dev/null)" "$(ls -d /sys/class/drm/renderD13[6-9])"
expect "its node is gone" "$(grep -ls 'drm_render_minor 128' /sys/class/kfd/kfd/topology/nodes/*/properties)" ""
