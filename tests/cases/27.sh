# Two GPUs in CPX, six in SPX, as the site chose. $M: the folder of fixture machines.
cp -a "$M/mi300x-cpx" m
count=0
for file in $(find m/sys -name current_compute_partition | sort); do
    count=$((count + 1))
    [ $count -le 2 ] || echo SPX >"$file"
done
