# Bad usage ends with 2 and says what was found, what was wanted and what is near.
$ rocenv chekc
rocenv: no command is named chekc, did you mean check?
rocenv: --help says what there is
? 2
$ rocenv check --bogus
rocenv: check has no option --bogus
rocenv: --help says what there is
? 2
$ rocenv check --format xml
rocenv: --format: xml is not one of human, json, jsonl, brief, junit, prometheus, nagios, github
rocenv: --help says what there is
? 2
$ rocenv check --timeout soon
rocenv: --timeout: soon is no number of seconds (0.01 to 86400)
rocenv: --help says what there is
? 2
$ rocenv check -p mi300
rocenv: -p: error: no profile is named mi300, did you mean mi300a?
? 2
$ rocenv check -p ./none.toml
rocenv: -p: error: cannot read ./none.toml: ENOENT (No such file or directory)
? 2
$ rocenv check --only kernel.numa_balance
rocenv: --only kernel.numa_balance: no such setting, did you mean kernel.numa_balancing?
? 2
$ rocenv check --skip 'gpus.*'
rocenv: --skip gpus.*: no such setting
? 2
$ rocenv check --want kernel.numa_balancing
rocenv: --want kernel.numa_balancing: wanted ID=VALUE
? 2
$ rocenv check --want kernel.numa_balancing=7
rocenv: --want kernel.numa_balancing=7: kernel.numa_balancing: 7 found, wanted a whole number from 0 to 3
? 2
$ rocenv check --want gpu.determinisn=1900
rocenv: --want gpu.determinisn=1900: unknown setting gpu.determinisn, did you mean gpu.determinism?
? 2
$ rocenv check --sysroot nowhere
rocenv: --sysroot nowhere: ENOENT (No such file or directory)
? 2
$ printf 'rocenv tree 1\nx /sys\n' > bad.tree; rocenv check --sysroot bad.tree
rocenv: bad.tree:2: unknown kind of entry: x /sys
? 2
$ rocenv topo --sysroot mi300x-spx --format png
rocenv: --format: png is not one of human, json, rocminfo, svg
rocenv: --help says what there is
? 2
$ rocenv sett -p host
rocenv: no command is named sett, did you mean set?
rocenv: --help says what there is
? 2
$ rocenv set -p host --hold 'job 17'
rocenv: --hold: job 17 is no name of 1 to 64 of A-Z a-z 0-9 . _ : @ -
rocenv: --help says what there is
? 2
$ rocenv reset --hold "$(printf '%065d' 0)"
rocenv: --hold: 00000000000000000000000000000000000000000000000000000000000000000 is no name of 1 to 64 of A-Z a-z 0-9 . _ : @ -
rocenv: --help says what there is
? 2
$ rocenv set --gpu-backend amdsmi
rocenv: --gpu-backend: amdsmi is not one of sysfs, rsmi
rocenv: --help says what there is
? 2
$ rocenv status --format jsonl
rocenv: --format: jsonl is not one of human, json, did you mean json?
rocenv: --help says what there is
? 2
$ rocenv reset -p host
rocenv: reset has no option -p
rocenv: --help says what there is
? 2
