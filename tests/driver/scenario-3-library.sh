#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# AMD's library is missing, is not a library, lacks a function, dies, does not start, or hangs: rocenv reports this, check prints
# the same report as without the library, set writes nothing. Cases that a stand-in can show are in tests/smi.
# shellcheck source-path=SCRIPTDIR
. "$(dirname "$0")/checks.sh"

if [ "$ROCM" = 6 ]; then lib_folder=$(echo /mnt/root/usr/lib/*-linux-gnu); else lib_folder=/mnt/rocm-5/usr/lib; fi
library=$lib_folder/librocm_smi64.so.1.0
start=$(state)
report=$(/mnt/bin/rocenv check "${request[@]}")

# A folder that is searched first, with this file as the library. /mnt/bin is the same for both systems.
stand_in() { # FILE
    export LD_LIBRARY_PATH=/mnt/bin/lib-${1##*/}
    mkdir "$LD_LIBRARY_PATH" || exit
    cp "$1" "$LD_LIBRARY_PATH/librocm_smi64.so.7"
    cp "$1" "$LD_LIBRARY_PATH/librocm_smi64.so.1"
    on() { if [ "$ROCM" = 6 ]; then chroot /mnt/root "$@"; else "$@"; fi; }
}
judge() { # NAME TEXT
    run check "${request[@]}" --gpu-backend rsmi --timeout 2
    expect "$1: check" "$status" 1
    expect_text "$1: check says so" "$out" "rocenv: rsmi: rocm_smi_lib $2"
    expect "$1: the same report" "$(grep -v '^rocenv: ' <<<"$out")" "$report"
    run set "${request[@]}" --gpu-backend rsmi --timeout 2
    expect "$1: set" "$status" 4
    expect_text "$1: set says so" "$out" "rocm_smi_lib $2"
    expect_text "$1: nothing was written" "$out" "nothing was written"
    expect "$1: the GPUs are as they were" "$(state)" "$start"
    expect "$1: nothing recorded" "$(find /run/rocenv -type f ! -name lock)" ""
    nothing_left "$1"
}

# A driver that is stuck holds the library, too. Such a process goes when the driver answers.
lab block "${gpus[2]}/hwmon/hwmon4/name"
judge "a stuck driver" "did not answer in 2 s"
expect_text "a stuck driver: the process is named" "$out" "cannot be ended"
lab heal
lab unread "${gpus[2]}/hwmon/hwmon4/in0_label" EIO
judge "it does not start" "does not start: status 8"
lab heal

echo "no library" >/mnt/text
stand_in /mnt/text
judge "no ELF file" "cannot be loaded: /mnt/bin/lib-text/librocm_smi64.so."
head -c 200000 "$library" >/mnt/half
stand_in /mnt/half
judge "half a library" "ended its process: signal 7"
sed 's/rsmi_perf_determinism_mode_set/rsmi_perf_determinism_mode_sex/g' "$library" >/mnt/lacking
stand_in /mnt/lacking
judge "a function is missing" "librocm_smi64.so.7 has no function rsmi_perf_determinism_mode_set"

# Its first instruction is one that no processor has.
cp "$library" /mnt/dying
entry=$(LC_ALL=C readelf -W --dyn-syms "$library" | awk '$8 == "rsmi_init" {print $2}')
printf '\x0f\x0b' | dd of=/mnt/dying bs=1 seek="$((16#$entry))" conv=notrunc 2>/dev/null
stand_in /mnt/dying
judge "it dies in init" "ended its process: signal 4"
