# Homes on NFS, /scratch on Lustre, /local on a disk; /root/cache leads to a home. $M: the folder of fixture machines.
cp -a "$M/mi300x-spx" m
mkdir -p m/proc/self m/home/user m/root m/scratch m/local
ln -s /home/user m/root/cache
cat >m/proc/self/mountinfo <<'END'
22 1 259:2 / / rw,relatime shared:1 - ext4 /dev/nvme0n1p2 rw
40 22 0:51 /export /home rw,relatime shared:9 - nfs4 filer:/export/home rw
41 22 0:52 / /scratch rw - lustre mgs@o2ib:/scratch rw
42 22 259:5 / /local rw - xfs /dev/nvme1n1 rw
END
