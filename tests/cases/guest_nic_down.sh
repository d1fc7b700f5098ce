# MI300X with its NICs passed through to a guest; one link is down. $M: the folder of fixture machines.
cp -a "$M/mi300x-spx" m
sed -i 's/^flags\t*:/& hypervisor/' m/proc/cpuinfo
file=$(find m/sys/devices -path '*/net/*/operstate' | sort | head -n 1)
echo down >"$file"
