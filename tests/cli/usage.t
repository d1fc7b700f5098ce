# Help is grouped, and says defaults, examples and exit statuses. Aliases and global options.
$ rocenv status --help
Show what rocenv has set on this node, and who holds it.

Usage: rocenv status [OPTIONS]

Options:
      --state DIR         Keep the journal in DIR [default: /run/rocenv]

Profile and settings:
      --only ID[,ID]      Select only these settings (globs: gpu.*)
      --skip ID[,ID]      Leave out these settings

Node:
      --sysroot DIR|FILE.tree
                          Read /sys and /proc of another machine
      --timeout SECONDS   Timeout for each file read [default: 5 s]
      --deadline SECONDS  Time limit for the whole command [default: 20 s]

Output:
      --format human|json
                          Print the report in this format [default: human]
      --json              Same as --format json
      --color auto|always|never
                          Use colour [default: auto]
  -q, --quiet             Print errors only
  -v, --verbose           Print everything, with sources

General:
  -h, --help              Print this help
  -V, --version           Print the version

Examples:
  rocenv status         what is set, and by whom?
  rocenv status --json  for a program

Exit status:
  0       nothing is set
  1       something is set, or a set or reset is running
  2       bad usage
  3       the journal cannot be read, is damaged or of another boot
  5       something was modified outside rocenv since
$ rocenv profile diff -h
Compare two profiles, as they apply to this node.

Usage: rocenv profile diff [OPTIONS] PROFILE PROFILE

Arguments:
  PROFILE                 Two names or files

Node:
      --sysroot DIR|FILE.tree
                          Read /sys and /proc of another machine
      --timeout SECONDS   Timeout for each file read [default: 5 s]
      --deadline SECONDS  Time limit for the whole command [default: 20 s]

Output:
      --format human|json
                          Print the comparison in this format [default: human]
      --json              Same as --format json
      --color auto|always|never
                          Use colour [default: auto]
  -q, --quiet             Print errors only
  -v, --verbose           Print everything, with sources

General:
  -h, --help              Print this help
  -V, --version           Print the version

Examples:
  rocenv profile diff mi300x mi300x-benchmark  two shipped profiles
  rocenv profile diff mi300x ./node.toml       one of them a file

Exit status:
  0       the profiles are equal
  1       the profiles differ
  2       bad usage, or an invalid profile
  3       a file did not respond in time
$ rocenv tunableop --help
Check, show and merge result files of PyTorch TunableOp.

Usage: rocenv tunableop COMMAND [OPTIONS]

Commands:
  check  Check whether PyTorch accepts result files on this node
  show   Show the content of result files
  merge  Merge result files, with the fastest solution of each problem

General:
  -h, --help              Print this help
  -V, --version           Print the version
$ rocenv record -h | sed -n '/^Usage/p;/^Output/,/^$/p'
Usage: rocenv record [OPTIONS]
Output:
      --format tree       Write this format [default: tree]
      --color auto|always|never
                          Use colour [default: auto]
  -q, --quiet             Print errors only
  -v, --verbose           Print everything, with sources
  -o, --output FILE.tree  Write to this file [default: stdout]

$ rocenv run --help | sed -n '/^Usage/p;/^Examples/,$p'
Usage: rocenv run [OPTIONS] -- PROGRAM [ARGUMENT...]
Examples:
  rocenv run -p vllm -- vllm serve MODEL          with the variables of vllm
  rocenv run --check -p vllm -- python train.py   only if the check passes
  sudo rocenv run --tune -p benchmark -- ./bench  set before, restore after

Exit status:
  0-255   the status of the program
  2       --tune without -p
  125     rocenv refused or failed before the program started
  126     the program exists and could not be started
  127     the program does not exist
  128+N   signal N ended the program
$ rocenv -V
rocenv 0.2.0
$ rocenv check -V
rocenv 0.2.0
$ rocenv --json --color never topo --sysroot mi300x-spx | head -c 30; echo
{
  "schema": "rocenv.topo/1",
$ rocenv --sysroot mi300x-spx -q check -p host --only kernel.numa_balancing
$ rocenv --help status | head -1
Show what rocenv has set on this node, and who holds it.
$ rocenv --format json profile list | head -3
{
  "schema": "rocenv.profiles/1",
  "profiles": [
$ rocenv set -n -q --sysroot mi300x-spx -p host --only kernel.numa_balancing
$ rocenv check --sysroot mi300x-spx -p host --json -o report.json -q; head -c 30 report.json; echo
{
  "schema": "rocenv.report/1

# Errors: what is wrong, the text as it was given, and what is near or where to read on.
$ rocenv
rocenv: check, tune and restore AMD GPU nodes

Usage: rocenv COMMAND [OPTIONS]

Check   check       Compare this node and its environment with a profile
        explain     Explain a setting, variable, profile or word of a report
        topo        Show GPUs, NICs, CPUs and their links
        fleet       Compare the reports of many nodes
Tune    set         Bring this node to a profile, as one transaction
        status      Show what rocenv has set on this node, and who holds it
        reset       Restore the state before the first set
Launch  env         Print the environment variables of a profile
        run         Start a program with the environment of a profile
More    profile     List, show, check, compare and learn profiles
        tunableop   Check, show and merge result files of PyTorch TunableOp
        occupancy   Compute the waves per SIMD of a kernel, and their limit
        record      Record this machine in a file for --sysroot
        help        Print the manual
        completion  Print a script that completes command lines in a shell

Examples:
  rocenv check                          what is wrong with this node?
  sudo rocenv set -p benchmark          tune it (undo: sudo rocenv reset)
  rocenv run -p vllm -- vllm serve ...  start a program with its environment

These options may also stand before the command: --format, --json, --color,
--sysroot, --timeout, --deadline, -q, -v. The version: rocenv -V.
The options of a command: rocenv COMMAND --help. The manual: rocenv help.
? 2
$ rocenv profile
rocenv: missing command: expected list, show, lint, diff or learn
Try 'rocenv profile --help'.
? 2
$ rocenv --jsn check
rocenv: unknown option '--jsn' before the command. Did you mean '--json'?
? 2
$ rocenv -p host check
rocenv: unknown option '-p' before the command
Try 'rocenv check --help'.
? 2
$ rocenv --json
rocenv: missing command
Try 'rocenv --help'.
? 2
$ rocenv -q
rocenv: missing command
Try 'rocenv --help'.
? 2
$ rocenv -v --format json
rocenv: missing command
Try 'rocenv --help'.
? 2
$ rocenv -q --bogus check
rocenv: unknown option '--bogus' before the command
Try 'rocenv check --help'.
? 2
$ rocenv --sysroot
rocenv: missing command
Try 'rocenv --help'.
? 2
$ rocenv check --stict
rocenv: unknown option '--stict'. Did you mean '--strict'?
? 2
$ rocenv check -x
rocenv: unknown option '-x'
Try 'rocenv check --help'.
? 2
$ rocenv check host
rocenv: unexpected argument 'host'. Did you mean '-p host'?
? 2
$ rocenv status here
rocenv: unexpected argument 'here'
Try 'rocenv status --help'.
? 2
$ rocenv check --format
rocenv: missing value for --format
Try 'rocenv check --help'.
? 2
$ rocenv check --format jsno
rocenv: invalid value 'jsno' for --format: expected human, json, jsonl, brief, junit, prometheus, nagios or github. Did you mean 'json'?
? 2
$ rocenv check --json --format brief
rocenv: --format and --json exclude each other
Try 'rocenv check --help'.
? 2
$ rocenv check --color never --color auto
rocenv: option --color is given more than once
Try 'rocenv check --help'.
? 2
$ rocenv check --strict=1 --color x
rocenv: invalid value 'x' for --color: expected auto, always or never
Try 'rocenv check --help'.
? 2
$ rocenv check --deadline abc
rocenv: invalid value 'abc' for --deadline: expected seconds, 0.01 to 86400
Try 'rocenv check --help'.
? 2
$ rocenv check --timeout 0
rocenv: invalid value '0' for --timeout: expected seconds, 0.01 to 86400
Try 'rocenv check --help'.
? 2
$ rocenv check -o ''
rocenv: invalid value '' for --output: expected a text
Try 'rocenv check --help'.
? 2
$ rocenv set --hold 'job 17'
rocenv: invalid value 'job 17' for --hold: expected 1 to 64 of A-Z a-z 0-9 . _ : @ -
Try 'rocenv set --help'.
? 2
$ rocenv profile lint
rocenv: missing argument PROFILE
Try 'rocenv profile lint --help'.
? 2
$ rocenv profile diff a b c
rocenv: too many arguments PROFILE
Try 'rocenv profile diff --help'.
? 2
$ rocenv topo --bind one
rocenv: invalid value 'one' for --bind: expected a whole number
Try 'rocenv topo --help'.
? 2
$ rocenv topo --bind-scope all --bind 0
rocenv: invalid value 'all' for --bind-scope: expected l3 or numa
Try 'rocenv topo --help'.
? 2
$ rocenv completion zhs
rocenv: invalid value 'zhs' for SHELL: expected bash, zsh or fish. Did you mean 'zsh'?
? 2
$ rocenv run
rocenv: missing argument PROGRAM behind --
Try 'rocenv run --help'.
? 125
$ rocenv run --bogus -- true
rocenv: unknown option '--bogus'
Try 'rocenv run --help'.
? 125
$ rocenv run --chek -- true
rocenv: unknown option '--chek'. Did you mean '--check'?
? 125

# Near names: all of the nearest, of profiles, settings, variables, keys, packages, topics and words.
$ rocenv check -p benchmrk
rocenv: unknown profile 'benchmrk'. Did you mean 'benchmark'?
? 2
$ rocenv check -p unlike-any
rocenv: unknown profile 'unlike-any'. To list all profiles: rocenv profile list
? 2
$ rocenv check --only numa_balancing
rocenv: unknown setting 'numa_balancing' for --only. Did you mean 'kernel.numa_balancing'?
? 2
$ rocenv set --sysroot mi300x-spx -p host --allow pci.asc
rocenv: unknown setting 'pci.asc' for --allow. Did you mean 'pci.acs'?
? 2
$ rocenv check --want cpu.smt
rocenv: invalid value 'cpu.smt' for --want: expected ID=VALUE
? 2
$ rocenv check --assume trch=2.8
rocenv: unknown package 'trch' for --assume. Did you mean 'torch'?
? 2
$ rocenv check --assume torch
rocenv: invalid value 'torch' for --assume: expected NAME=VERSION, such as torch=2.8
? 2
$ rocenv explain NCCL_DEBGU
rocenv: 'NCCL_DEBGU': not in this catalogue (facts of 2026-11-22). Did you mean 'NCCL_DEBUG'?
? 2
$ rocenv explain nccl_debug
rocenv: 'nccl_debug': unknown setting, variable, profile or word of a report. Did you mean 'NCCL_DEBUG'?
? 2
$ rocenv explain mi300
rocenv: 'mi300': unknown setting, variable, profile or word of a report. Did you mean 'mi300a' or 'mi300x'?
? 2
$ rocenv help acs
rocenv: unknown topic 'acs'. Did you mean 'pci.acs'?
? 2
$ rocenv topo --sysroot mi300x-spx --get gpu.0.numa_nod
rocenv: unknown key 'gpu.0.numa_nod' for --get. Did you mean 'gpu.0.numa_node'?
? 2
$ rocenv occupancy --arch gfx943 --vgprs 8
rocenv: unknown GPU 'gfx943': expected gfx908, gfx90a, gfx942 or gfx950. Did you mean 'gfx942'?
? 2
$ printf '[profile]\nname = "t"\nextend = ["mi300"]\n[match]\nrocn = ">=6"\n[settings]\n"cpu.smt" = { value = "off", levl = "info" }\n' > t.toml; rocenv profile lint ./t.toml
./t.toml:3:1: error: unknown key 'extend' in [profile]. Did you mean 'extends'?
./t.toml:5:1: error: unknown key 'rocn' in [match]. Did you mean 'rocm'?
./t.toml:7:37: error: unknown key 'levl' beside value. Did you mean 'level'?
? 2
$ printf '[profile]\nname = "t"\nextends = ["mi300"]\n[settings]\n"cpu.idle" = { max_latency = 1 }\n"cpu.smt" = { value = "off", level = "must" }\n"pci.asc" = 1\n[env]\nA = { value = "1", when = { troch = ">=2" } }\n' > t.toml; rocenv profile lint ./t.toml
./t.toml:3:12: error: unknown profile 'mi300'. Did you mean 'mi300a' or 'mi300x'?
./t.toml:5:30: error: cpu.idle: unknown key 'max_latency'. Did you mean 'max_latency_us'?
./t.toml:6:38: error: level: found 'must', expected "required", "recommended" or "info"
./t.toml:7:1: error: unknown setting 'pci.asc'. Did you mean 'pci.acs'?
./t.toml:9:37: error: unknown key 'troch' in when. Did you mean 'torch'?
? 2
$ printf '[[waiver]]\nid = "gpu.cuont"\nuntl = 2099-01-01\nticket = "T"\nwhy = "w"\n' > w.toml; rocenv check --sysroot mi300x-spx -p host --waivers w.toml
rocenv: w.toml:1:1: error: until is missing
rocenv: w.toml:2:6: error: id: unknown setting 'gpu.cuont'. Did you mean 'gpu.count'?
rocenv: w.toml:3:8: error: unknown key 'untl' in [[waiver]]. Did you mean 'until'?
? 2
$ rocenv check --sysroot mi300x-spx -p host --waivers none.toml
rocenv: cannot read 'none.toml': No such file or directory
? 2
$ rocenv check --sysroot none.tree
rocenv: cannot read 'none.tree': No such file or directory
? 2
$ rocenv check --sysroot mi300x-spx -p host -q -o nowhere/report.json
rocenv: cannot write 'nowhere/report.json': No such file or directory
? 3
$ rocenv fleet nowhere.json -q
rocenv: cannot open 'nowhere.json': No such file or directory
? 2
$ rocenv fleet --max-age soon </dev/null
rocenv: invalid value 'soon' for --max-age: expected an age such as 90s, 15m, 24h or 7d
? 2
$ rocenv fleet --only gpu.cuont </dev/null
rocenv: unknown setting 'gpu.cuont', which no report has. Did you mean 'gpu.count'?
? 2
$ rocenv tunableop show none.csv
rocenv: cannot read 'none.csv': No such file or directory
? 2
$ rocenv profile learn --sysroot mi300x-spx 'a b'
rocenv: invalid name 'a b' of a profile: expected 1 to 64 of A-Z a-z 0-9 . _ -, without .toml
? 2
