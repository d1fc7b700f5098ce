#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# AMD's libamd_smi as a second source of check: the driver's words for each GPU, nothing left behind, and the same report whether it
# responds, is not a library, lacks a function, dies, or hangs. set does not use it.
# shellcheck source-path=SCRIPTDIR
. "$(dirname "$0")/checks.sh"
library=$(realpath "$(echo /mnt/root/usr/lib/*-linux-gnu/libamd_smi.so)")
on() { chroot /mnt/root "$@"; }
put "${gpus[1]}" "$level" manual
clean

opinion() { # NAME OPTION...
    report=$(on /mnt/bin/rocenv check "${request[@]}" 2>/mnt/without)
    expected=$?
    run check "${request[@]}" --gpu-backend amdsmi "${@:2}"
    expect "$1: status" "$status" "$expected"
    expect "$1: the same report" "$(grep -v '^rocenv: ' <<<"$out")" "$report"
    nothing_left "$1"
}
by_driver() { levels_held | sed 's/^perf_determinism/determinism/' | paste -d' ' <(printf '%s\n' "${gpus[@]}") -; }
agree() { # NAME
    opinion "$1" --timeout 60
    expect "$1: the driver's words" "$(sed -n 's/^rocenv: amdsmi \(.*\): level \(.*\) (sysfs: .*)/\1 \2/p' <<<"$out")" "$(by_driver)"
}
agree "auto and manual"
/mnt/bin/rocenv set "${request[@]}" -q >/dev/null 2>&1
agree "determinism"
run set "${request[@]}" --gpu-backend amdsmi
expect "set does not take it" "$status" 2

stand_in() { # FILE
    export LD_LIBRARY_PATH=/mnt/bin/lib-${1##*/}
    mkdir "$LD_LIBRARY_PATH" || exit
    for name in libamd_smi.so.27 libamd_smi.so.0 libamd_smi.so; do cp "$1" "$LD_LIBRARY_PATH/$name"; done
}
refuses() { # NAME TEXT
    opinion "$1" --timeout 2
    expect_text "$1: check says so" "$out" "rocenv: amdsmi: amdsmi $2"
}
lab block "${gpus[2]}/$level"
run check -p host --only kernel.numa_balancing --gpu-backend amdsmi --timeout 2
expect_text "a stuck driver" "$out" "did not answer in 2 s"
lab heal

echo "no library" >/mnt/text
stand_in /mnt/text
refuses "no ELF file" "cannot be loaded: /mnt/bin/lib-text/libamd_smi.so.27"
sed 's/amdsmi_get_gpu_bdf_id/amdsmi_get_gpu_bdf_ix/g' "$library" >/mnt/lacking
stand_in /mnt/lacking
refuses "a function is missing" "libamd_smi.so.27 has no function amdsmi_get_gpu_bdf_id"
cp "$library" /mnt/dying
entry=$(LC_ALL=C readelf -W --dyn-syms "$library" | awk '$8 ~ /^amdsmi_init(@|$)/ {print $2}')
printf '\x0f\x0b' | dd of=/mnt/dying bs=1 seek="$((16#$entry))" conv=notrunc 2>/dev/null
stand_in /mnt/dying
refuses "it dies in init" "ended its process: signal 4"
