# Bad usage ends with 2 and says what was found, what was wanted and what is near.
$ rocenv chekc
rocenv: unknown command 'chekc'. Did you mean 'check'?
? 2
$ rocenv check --bogus
rocenv: unknown option '--bogus'
Try 'rocenv check --help'.
? 2
$ rocenv check --format xml
rocenv: invalid value 'xml' for --format: expected human, json, jsonl, brief, junit, prometheus, nagios or github
Try 'rocenv check --help'.
? 2
$ rocenv check --timeout soon
rocenv: invalid value 'soon' for --timeout: expected seconds, 0.01 to 86400
Try 'rocenv check --help'.
? 2
$ rocenv check -p mi300
rocenv: unknown profile 'mi300'. Did you mean 'mi300a' or 'mi300x'?
? 2
$ rocenv check -p ./none.toml
rocenv: cannot read './none.toml': No such file or directory
? 2
$ rocenv check --only kernel.numa_balance
rocenv: unknown setting 'kernel.numa_balance' for --only. Did you mean 'kernel.numa_balancing'?
? 2
$ rocenv check --skip 'gpus.*'
rocenv: unknown setting 'gpus.*' for --skip
? 2
$ rocenv check --want kernel.numa_balancing
rocenv: invalid value 'kernel.numa_balancing' for --want: expected ID=VALUE
? 2
$ rocenv check --want kernel.numa_balancing=7
rocenv: invalid value 'kernel.numa_balancing=7' for --want: kernel.numa_balancing: found 7, expected a whole number from 0 to 3
? 2
$ rocenv check --want gpu.determinisn=1900
rocenv: invalid value 'gpu.determinisn=1900' for --want: unknown setting 'gpu.determinisn'. Did you mean 'gpu.determinism'?
? 2
$ rocenv check --sysroot nowhere
rocenv: cannot open 'nowhere': No such file or directory
? 2
$ printf 'rocenv tree 1\nx /sys\n' > bad.tree; rocenv check --sysroot bad.tree
rocenv: bad.tree:2: unknown kind of entry: x /sys
? 2
$ rocenv topo --sysroot mi300x-spx --format png
rocenv: invalid value 'png' for --format: expected human, json, rocminfo or svg
Try 'rocenv topo --help'.
? 2
$ rocenv sett -p host
rocenv: unknown command 'sett'. Did you mean 'set'?
? 2
$ rocenv set -p host --hold 'job 17'
rocenv: invalid value 'job 17' for --hold: expected 1 to 64 of A-Z a-z 0-9 . _ : @ -
Try 'rocenv set --help'.
? 2
$ rocenv reset --hold "$(printf '%065d' 0)"
rocenv: invalid value '00000000000000000000000000000000000000000000000000000000000000000' for --hold: expected 1 to 64 of A-Z a-z 0-9 . _ : @ -
Try 'rocenv reset --help'.
? 2
$ rocenv set --gpu-backend amdsmi
rocenv: invalid value 'amdsmi' for --gpu-backend: expected sysfs or rsmi
Try 'rocenv set --help'.
? 2
$ rocenv status --format jsonl
rocenv: invalid value 'jsonl' for --format: expected human or json. Did you mean 'json'?
? 2
$ rocenv reset -p host
rocenv: unknown option '-p'
Try 'rocenv reset --help'.
? 2
