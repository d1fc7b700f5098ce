#!/bin/sh
# SPDX-License-Identifier: MIT
# pci.acs says of every device what lspci says, before and after set; and a device that vfio-pci has keeps set away.
# shellcheck source=tests/lab/guest.sh
. /lab/guest.sh

# Address and bits of each device with the capability. lspci names no domain but those beyond 0000.
lspci_says() {
    lspci -vvv 2>/dev/null |
        sed -nE -e '/^[0-9a-f]/{s/ .*//;h}' -e '/ACSCtl:/{G;s/.*ACSCtl:[ \t]*(.*)\n(.*)/0000:\2 \1/p}'
}
rocenv_says() {
    ask check -p /tmp/profile.toml --only pci.acs --format json
    sed -n '/^{/,$p' /tmp/said | jq -r '.findings[] | "\(.target) \(.detail)"' | sed 's/;.*//'
}
same_as_lspci() { # NAME
    lspci_says >/tmp/lspci
    expect_equal "$1: lspci has five devices with it" "$(wc -l </tmp/lspci)" 5
    expect_equal "$1: check equals lspci -vvv for every device" "$(rocenv_says)" "$(cat /tmp/lspci)"
}

write_profile /tmp/profile.toml off
expect_equal "acs: there are devices without it, too" "$(($(lspci | wc -l) > 5))" 1
same_as_lspci "acs at boot"
for word in 007f 0040 0021 005e 0002; do set_acs "$(root_ports | sed -n 1p)" $word; done
set_acs "$(root_ports | sed -n 3p)" 0014
same_as_lspci "acs of other words"
put_back
ask set -p /tmp/profile.toml
expect_status "acs off: set" $? 0
same_as_lspci "acs off"
expect_equal "acs off: setpci reads 0000 of each" "$(acs_words)" "0000 0000 0000 0000 0000"
ask reset
expect_nothing_left "acs off"

# Not to sleep while it has nothing to do: who sleeps is not read.
for module in /late/*; do
    case $module in
        *vfio-pci.ko) insmod "$module" disable_idle_d3=1 ;;
        *) insmod "$module" ;;
    esac
done
device=/sys/bus/pci/devices/0000:01:00.0
if [ -e "$device/driver" ]; then echo "${device##*/}" >"$device/driver/unbind"; fi
echo vfio-pci >"$device/driver_override"
echo "${device##*/}" >/sys/bus/pci/drivers_probe
expect_equal "vfio: a device is bound to vfio-pci" "$(readlink "$device/driver" | sed 's/.*\///')" vfio-pci
expect_unsafe "vfio" "${device##*/} is bound to vfio-pci"
echo "${device##*/}" >"$device/driver/unbind"
echo >"$device/driver_override"
