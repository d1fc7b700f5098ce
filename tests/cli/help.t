# The manual from the program: pages, entries, and what is near a topic that is not there.

$ rocenv help
rocenv(1)              Check, set and restore AMD GPU nodes
rocenv-check(1)        Compare this node and its environment with a profile
rocenv-explain(1)      Explain a setting, variable, profile or word of a report
rocenv-topo(1)         Show GPUs, NICs, CPUs and their links
rocenv-fleet(1)        Compare the reports of many nodes
rocenv-set(1)          Bring this node to a profile, as one transaction
rocenv-status(1)       Show what rocenv has set on this node, and who holds it
rocenv-reset(1)        Restore the state before the first set
rocenv-env(1)          Print the environment variables of a profile
rocenv-run(1)          Start a program with the environment of a profile
rocenv-profile(1)      List, show, check, compare and learn profiles
rocenv-tunableop(1)    Check, show and merge result files of PyTorch TunableOp
rocenv-occupancy(1)    Compute the waves per SIMD of a kernel, and their limit
rocenv-record(1)       Record this machine in a file for --sysroot
rocenv-help(1)         Print the manual
rocenv-completion(1)   Print a script that completes command lines in a shell
rocenv-profile(5)      Profiles, a site's file and waivers
rocenv-exit-status(7)  What each command ends with
rocenv-oncall(7)       What to do about each required check
rocenv-settings(7)     What is judged and set
rocenv-variables(7)    Environment variables and their readers

rocenv help PAGE prints one: rocenv help set, rocenv help profile.5. A setting,
a variable and a profile are topics, too: rocenv help pci.acs.

To print a page: rocenv help set, rocenv help profile.5. Settings, variables and
profiles are topics as well: rocenv help pci.acs.
$ rocenv help --list
rocenv.1
rocenv-check.1
rocenv-explain.1
rocenv-topo.1
rocenv-fleet.1
rocenv-set.1
rocenv-status.1
rocenv-reset.1
rocenv-env.1
rocenv-run.1
rocenv-profile.1
rocenv-tunableop.1
rocenv-occupancy.1
rocenv-record.1
rocenv-help.1
rocenv-completion.1
rocenv-profile.5
rocenv-exit-status.7
rocenv-oncall.7
rocenv-settings.7
rocenv-variables.7
$ rocenv help status
rocenv-status(1): Show what rocenv has set on this node, and who holds it

SYNOPSIS
  rocenv status [OPTIONS]

DESCRIPTION
  Show what rocenv has set on this node, and who holds it.

  Prints which settings rocenv has changed on this node, since when, who holds
  them, and what was changed since. It needs no lock, so it also works during a
  set or reset, and reports it.

OPTIONS
  --state DIR                Keep the journal in DIR [default: /run/rocenv].
  --only ID[,ID]             Select only these settings (globs: gpu.*).
  --skip ID[,ID]             Leave out these settings.
  --sysroot DIR|FILE.tree    Read /sys and /proc of another machine.
  --timeout SECONDS          Timeout for each file read [default: 5 s].
  --deadline SECONDS         Time limit for the whole command [default: 20 s].
  --format human|json        Print the report in this format [default: human].
  --json                     Same as --format json.
  --color auto|always|never  Use colour [default: auto].
  -q, --quiet                Print errors only.
  -v, --verbose              Print everything, with sources.
  -h, --help                 Print this help.
  -V, --version              Print the version.

EXIT STATUS
  0  nothing is set.
  1  something is set, or a set or reset is running.
  2  bad usage.
  3  the journal cannot be read, is damaged or of another boot.
  5  something was modified outside rocenv since.

EXAMPLES
  rocenv status         what is set, and by whom?
  rocenv status --json  for a program.

SEE ALSO
  rocenv(1), rocenv-check(1), rocenv-completion(1), rocenv-env(1),
  rocenv-explain(1), rocenv-fleet(1), rocenv-help(1), rocenv-occupancy(1),
  rocenv-profile(1), rocenv-record(1), rocenv-reset(1), rocenv-run(1),
  rocenv-set(1), rocenv-topo(1), rocenv-tunableop(1), rocenv-profile(5),
  rocenv-exit-status(7), rocenv-oncall(7), rocenv-settings(7),
  rocenv-variables(7)
$ rocenv help rocenv-status.1 --format mdoc
.Dd November 22, 2026
.Dt ROCENV-STATUS 1
.Os
.Sh NAME
.Nm rocenv-status
.Nd Show what rocenv has set on this node, and who holds it
.Sh SYNOPSIS
.Nm rocenv status
.Op Ar OPTIONS
.Sh DESCRIPTION
Show what rocenv has set on this node, and who holds it.
.Pp
Prints which settings rocenv has changed on this node, since when, who holds
them, and what was changed since.
It needs no lock, so it also works during a \fBset\fP or \fBreset\fP, and
reports it.
.Sh OPTIONS
.Bl -tag -width Ds
.It Fl \-state Ar DIR
Keep the journal in DIR [default: /run/rocenv].
.It Fl \-only Ar ID[,ID]
Select only these settings (globs: gpu.*).
.It Fl \-skip Ar ID[,ID]
Leave out these settings.
.It Fl \-sysroot Ar DIR|FILE.tree
Read /sys and /proc of another machine.
.It Fl \-timeout Ar SECONDS
Timeout for each file read [default: 5 s].
.It Fl \-deadline Ar SECONDS
Time limit for the whole command [default: 20 s].
.It Fl \-format Ar human|json
Print the report in this format [default: human].
.It Fl \-json
Same as \-\-format json.
.It Fl \-color Ar auto|always|never
Use colour [default: auto].
.It Fl q , Fl \-quiet
Print errors only.
.It Fl v , Fl \-verbose
Print everything, with sources.
.It Fl h , Fl \-help
Print this help.
.It Fl V , Fl \-version
Print the version.
.El
.Sh EXIT STATUS
.Bl -tag -width Ds
.It Sy 0
nothing is set.
.It Sy 1
something is set, or a set or reset is running.
.It Sy 2
bad usage.
.It Sy 3
the journal cannot be read, is damaged or of another boot.
.It Sy 5
something was modified outside rocenv since.
.El
.Sh EXAMPLES
.Bl -tag -width Ds
.It Sy rocenv status
what is set, and by whom?
.It Sy rocenv status \-\-json
for a program.
.El
.Sh SEE ALSO
.Xr rocenv 1 ,
.Xr rocenv-check 1 ,
.Xr rocenv-completion 1 ,
.Xr rocenv-env 1 ,
.Xr rocenv-explain 1 ,
.Xr rocenv-fleet 1 ,
.Xr rocenv-help 1 ,
.Xr rocenv-occupancy 1 ,
.Xr rocenv-profile 1 ,
.Xr rocenv-record 1 ,
.Xr rocenv-reset 1 ,
.Xr rocenv-run 1 ,
.Xr rocenv-set 1 ,
.Xr rocenv-topo 1 ,
.Xr rocenv-tunableop 1 ,
.Xr rocenv-profile 5 ,
.Xr rocenv-exit-status 7 ,
.Xr rocenv-oncall 7 ,
.Xr rocenv-settings 7 ,
.Xr rocenv-variables 7
$ rocenv help kernel.nmi_watchdog
  kernel.nmi_watchdog

  NMI watchdog: interrupts every CPU to detect lockups.

  why      The watchdog interrupts each CPU regularly and occupies one
           performance counter
  accepts  a whole number from 0 to 1
  target   system, of the node
  read     /proc/sys/kernel/nmi_watchdog
  set      writes the number to /proc/sys/kernel/nmi_watchdog
  kept     lost at reboot; to keep it, add kernel.nmi_watchdog = 0 in a file
           under /etc/sysctl.d, or nmi_watchdog=0 on the kernel command line
  risk     low; a CPU that hangs with interrupts off is no longer detected
  by hand  echo 0 | sudo tee /proc/sys/kernel/nmi_watchdog
  source   ROCm/system-acceptance-docs docs/common/kernel-parameters.md, 2026-07
           (optional); linux kernel/watchdog.c, 6.12
$ rocenv help HIP_FORCE_DEV_KERNARG
  HIP_FORCE_DEV_KERNARG  Writes kernel arguments straight into GPU memory:
                         launches get 2 to 3 us shorter. Only gfx94x and gfx95x
                         follow the default; other GPUs need an explicit 1. Off
                         in 6.0.2, on from 6.1.2; releases between them were not
                         searched. HIP runtime (CLR) accepts on or off; default:
                         0; 1 from rocm 6.1.2 on. (rocm)
$ rocenv help mi300x
  mi300x  MI300X node, for every day.
$ rocenv help stauts
rocenv: unknown topic 'stauts'. Did you mean 'status'?
? 2
$ rocenv help pci.acss
rocenv: unknown topic 'pci.acss'. Did you mean 'pci.acs'?
? 2
$ rocenv help kernel.thp --format mdoc
rocenv: kernel.thp has no manual page of its own
? 2
$ rocenv help --format mdoc
rocenv: --format mdoc needs a topic. To list all pages: rocenv help --list
? 2
$ rocenv help --lst
rocenv: unknown option '--lst'. Did you mean '--list'?
? 2

# Each command ends with what its statuses mean.

$ rocenv check --help | sed -n '/^Exit/,$p'
Exit status:
  0       all required checks passed
  1       a required check failed (--strict: or a recommended one)
  2       bad usage, profile or input file; nothing was checked
  3       something required could not be read, and no required check failed
  143     SIGTERM ended --wait; nothing was printed
Exit status of check --format nagios:
  0       all required and recommended checks passed
  1       a recommended check failed
  2       a required check failed
  3       something required could not be read, or bad usage, profile or input
          file
$ rocenv profile diff --help | sed -n '/^Exit/,$p'
Exit status:
  0       the profiles are equal
  1       the profiles differ
  2       bad usage, or an invalid profile
  3       a file did not respond in time
$ rocenv --help
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

$ rocenv profile --help
List, show, check, compare and learn profiles.

Usage: rocenv profile COMMAND [OPTIONS]

Commands:
  list   List all profiles
  show   Show what profiles expect on this node, merged
  lint   Check profile files for errors
  diff   Compare two profiles, as they apply to this node
  learn  Write a profile of the present state of this node

General:
  -h, --help              Print this help
  -V, --version           Print the version


$ rocenv profile shwo
rocenv: unknown command 'profile shwo'. Did you mean 'profile show'?
? 2
$ rocenv tunableop
rocenv: missing command: expected check, show or merge
Try 'rocenv tunableop --help'.
? 2

# Completing: a shell's script, and what it asks.

$ rocenv completion
rocenv: missing argument SHELL
Try 'rocenv completion --help'.
? 2
$ rocenv completion tcsh
rocenv: invalid value 'tcsh' for SHELL: expected bash, zsh or fish. Did you mean 'bash', 'fish' or 'zsh'?
? 2
$ rocenv completion bash -- check --format ''
:nothing
human	
json	
jsonl	
brief	
junit	
prometheus	
nagios	
github	
$ rocenv completion bash --parted-at '=:' -- check --format = j
:nothing
json	
jsonl	
junit	
$ rocenv completion zsh -- profile ''
:nothing
list	List all profiles
show	Show what profiles expect on this node, merged
lint	Check profile files for errors
diff	Compare two profiles, as they apply to this node
learn	Write a profile of the present state of this node
$ rocenv completion fish -- run -- tr
:programs

# Every topic is told; of a command in a group the group's page is, once.
$ rocenv help status completion | grep '^rocenv-'; rocenv help profile show | grep -c '^rocenv-'
rocenv-status(1): Show what rocenv has set on this node, and who holds it
rocenv-completion(1): Print a script that completes command lines in a shell
1
$ rocenv help set nope
rocenv: unknown topic 'nope'. Did you mean 'topo'?
? 2
$ rocenv profile --version
rocenv 0.2.0
