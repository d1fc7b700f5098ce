# set --gpu: a part of a node.
$ cp -a mi300x-spx/. node
$ rocenv set --sysroot node -p mi300x-benchmark --gpu 1,3 --only 'gpu.*' --only 'kernel.*' -q; echo $?
$ rocenv status --sysroot node | head -n 12
$ rocenv reset --sysroot node -q; rocenv status --sysroot node
$ rocenv set --sysroot node -p mi300x-benchmark --gpu 0 --dry-run | grep -e '^  [a-z]' -e 'only 1'
$ rocenv set --sysroot node -p mi300x-benchmark --gpu 0 --allow kernel.numa_balancing --dry-run | grep -e '^  [a-z]' -e 'only 1'
$ rocenv set --sysroot node -p mi300x --gpu 8
$ rocenv set --sysroot node -p mi300x --gpu 3-1
$ rocenv set --sysroot node -p mi300x --gpu 0000:05:00.1
$ HIP_VISIBLE_DEVICES= ROCR_VISIBLE_DEVICES= rocenv set --sysroot node -p mi300x --gpu visible
$ ROCR_VISIBLE_DEVICES=2 rocenv set --sysroot node -p mi300x-benchmark --gpu visible --only gpu.determinism --dry-run | head -n 8
# A job whose device cgroup hides GPUs.
$ rocenv set --sysroot container.tree -p mi300x-benchmark --ignore-match --dry-run
$ rocenv set --sysroot container.tree -p host --allow 'cpu.*' --dry-run | head -n 8
$ rocenv run --sysroot node --gpu 0 -- true
