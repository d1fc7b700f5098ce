# The manual from the program: pages, entries, and what is near a topic that is not there.

$ rocenv help
rocenv(1)              Check, set and restore AMD GPU nodes
rocenv-check(1)        Compare the node and the environment with a profile
rocenv-set(1)          Bring the node to a profile, as one transaction
rocenv-reset(1)        Put back what was there before the first set
rocenv-status(1)       What rocenv has set on this node, and who holds it
rocenv-env(1)          Print a profile's environment, to be taken over
rocenv-run(1)          Start a program with a profile's environment
rocenv-topo(1)         GPUs, NICs, CPUs and links of this node
rocenv-occupancy(1)    Waves per SIMD of a kernel, and what limits them
rocenv-fleet(1)        Many nodes' reports as one: who stands out
rocenv-explain(1)      What a setting, variable, profile or outcome is, and is
                       here
rocenv-record(1)       This machine as one file that --sysroot replays
rocenv-profile(1)      List, show, check, compare and learn profiles
rocenv-tunableop(1)    PyTorch TunableOp's result files
rocenv-help(1)         The manual
rocenv-completion(1)   Make a shell complete rocenv's command lines
rocenv-profile(5)      Profiles, a site's file and waivers
rocenv-exit-status(7)  What each command ends with
rocenv-settings(7)     What is judged and set
rocenv-speed(7)        What each command costs
rocenv-variables(7)    Environment variables and their readers

rocenv help PAGE prints one: rocenv help set, rocenv help profile.5. A setting, a
variable and a profile are topics, too: rocenv help pci.acs.
$ rocenv help --list
rocenv.1
rocenv-check.1
rocenv-set.1
rocenv-reset.1
rocenv-status.1
rocenv-env.1
rocenv-run.1
rocenv-topo.1
rocenv-occupancy.1
rocenv-fleet.1
rocenv-explain.1
rocenv-record.1
rocenv-profile.1
rocenv-tunableop.1
rocenv-help.1
rocenv-completion.1
rocenv-profile.5
rocenv-exit-status.7
rocenv-settings.7
rocenv-speed.7
rocenv-variables.7
$ rocenv help status
rocenv-status(1): What rocenv has set on this node, and who holds it

SYNOPSIS
  rocenv status [OPTION...]

DESCRIPTION
  What rocenv has set on this node, and who holds it.

  Prints what rocenv has set on this node, since when, who holds it, and what
  has changed it since. It takes no lock, so it may be asked while a set or
  reset is at work, and says so.

OPTIONS
  -h, --help  Print this and end.
  --version   Display program version information and exit.
  --format human|json
      How to print it.
  --color auto|always|never
      Colour.
  -q, --quiet
      Print errors only: the exit status tells.
  -v, --verbose
      List everything, with sources.
  --sysroot DIR|FILE.tree
      Another machine's /sys and /proc.
  --timeout SECONDS
      For one file (5).
  --deadline SECONDS
      For all of it (20).
  --only ID[,ID] ...
      Only these (globs: gpu.*).
  --skip ID[,ID] ...
      All but these.
  --state DIR
      The journal's folder (/run/rocenv).

EXIT STATUS
  0           nothing is recorded.
  1           something is set, or a set or reset is at work.
  2           bad usage.
  3           the journal cannot be read, is damaged or of another boot.
  5           something was changed by somebody else since.

SEE ALSO
  rocenv(1), rocenv-check(1), rocenv-completion(1), rocenv-env(1),
  rocenv-explain(1), rocenv-fleet(1), rocenv-help(1), rocenv-occupancy(1),
  rocenv-profile(1), rocenv-record(1), rocenv-reset(1), rocenv-run(1),
  rocenv-set(1), rocenv-topo(1), rocenv-tunableop(1), rocenv-profile(5),
  rocenv-exit-status(7), rocenv-settings(7), rocenv-speed(7),
  rocenv-variables(7)
$ rocenv help rocenv-status.1 --format mdoc
.Dd November 22, 2026
.Dt ROCENV-STATUS 1
.Os
.Sh NAME
.Nm rocenv-status
.Nd What rocenv has set on this node, and who holds it
.Sh SYNOPSIS
.Nm rocenv status
.Op Ar OPTION ...
.Sh DESCRIPTION
What rocenv has set on this node, and who holds it.
.Pp
Prints what rocenv has set on this node, since when, who holds it, and what
has changed it since.
It takes no lock, so it may be asked while a \fBset\fP or \fBreset\fP is at
work, and says so.
.Sh OPTIONS
.Bl -tag -width Ds
.It Fl h , Fl \-help
Print this and end.
.It Fl \-version
Display program version information and exit.
.It Fl \-format Ar human|json
How to print it.
.It Fl \-color Ar auto|always|never
Colour.
.It Fl q , Fl \-quiet
Print errors only: the exit status tells.
.It Fl v , Fl \-verbose
List everything, with sources.
.It Fl \-sysroot Ar DIR|FILE.tree
Another machine's /sys and /proc.
.It Fl \-timeout Ar SECONDS
For one file (5).
.It Fl \-deadline Ar SECONDS
For all of it (20).
.It Fl \-only Ar ID[,ID] ...
Only these (globs: gpu.*).
.It Fl \-skip Ar ID[,ID] ...
All but these.
.It Fl \-state Ar DIR
The journal's folder (/run/rocenv).
.El
.Sh EXIT STATUS
.Bl -tag -width Ds
.It Sy 0
nothing is recorded.
.It Sy 1
something is set, or a set or reset is at work.
.It Sy 2
bad usage.
.It Sy 3
the journal cannot be read, is damaged or of another boot.
.It Sy 5
something was changed by somebody else since.
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
.Xr rocenv-settings 7 ,
.Xr rocenv-speed 7 ,
.Xr rocenv-variables 7
$ rocenv help kernel.nmi_watchdog
  kernel.nmi_watchdog

  The watchdog that interrupts every CPU to see whether it still answers.

  why         Each CPU is interrupted now and then, and one performance counter
              is taken
  takes       a whole number from 0 to 1
  target      system, of the node
  read        /proc/sys/kernel/nmi_watchdog
  set         writes the number to /proc/sys/kernel/nmi_watchdog
  kept        lost at reboot; keep it with kernel.nmi_watchdog = 0 in a file
              under /etc/sysctl.d, or nmi_watchdog=0 on the kernel command line
  risk        low; a CPU that hangs with interrupts off is no longer noticed
  by hand     echo 0 | sudo tee /proc/sys/kernel/nmi_watchdog
  source      ROCm/system-acceptance-docs docs/common/kernel-parameters.md,
              2026-07 (optional); linux kernel/watchdog.c, 6.12
$ rocenv help HIP_FORCE_DEV_KERNARG
  HIP_FORCE_DEV_KERNARG
      Writes kernel arguments straight into GPU memory: launches get 2 to 3 us
      shorter. Only gfx94x and gfx95x follow the default; other GPUs need an
      explicit 1. Off in 6.0.2, on from 6.1.2; nobody looked between. HIP
      runtime (CLR) takes on or off; default: 0; 1 from rocm 6.1.2 on. (rocm)
$ rocenv help mi300x
  mi300x      MI300X node, for every day.
$ rocenv help stauts
rocenv: no page of the manual is named stauts, did you mean status?
? 2
$ rocenv help pci.acss
rocenv: no page of the manual is named pci.acss, did you mean pci.acs?
? 2
$ rocenv help kernel.thp --format mdoc
rocenv: kernel.thp is part of a page and none
? 2
$ rocenv help --format mdoc
rocenv: --format mdoc is for one page; --list has their names
? 2
$ rocenv help --lst
rocenv: help has no option --lst, did you mean --list?
rocenv: --help says what there is
? 2

# Each command ends with what its statuses mean.

$ rocenv check --help | sed -n '/^Exit/,$p'
Exit status:
  0       everything required is as wanted
  1       something required differs (--strict: or something recommended)
  2       bad usage, profile or input file; nothing was judged
  3       something required could not be read, and nothing required is known to
          differ
Exit status of check --format nagios:
  0       as wanted
  1       something recommended differs
  2       something required differs
  3       something required is unknown, bad usage or profile
$ rocenv profile diff --help | sed -n '/^Exit/,$p'
Exit status:
  0       they want the same
  1       they differ
  2       one of them is bad
  3       a file did not answer in time
$ rocenv --help
Checks, sets and restores the state of an AMD GPU node.
Usage: rocenv [OPTIONS] SUBCOMMAND

Options:
  --version                   Display program version information and exit
  -h,--help                   Print this and end

Subcommands:
  check                       Compare the node and the environment with a profile
  set                         Bring the node to a profile, as one transaction
  reset                       Put back what was there before the first set
  status                      What rocenv has set on this node, and who holds it
  env                         Print a profile's environment, to be taken over
  run                         Start a program with a profile's environment
  topo                        GPUs, NICs, CPUs and links of this node
  occupancy                   Waves per SIMD of a kernel, and what limits them
  fleet                       Many nodes' reports as one: who stands out
  explain                     What a setting, variable, profile or outcome is, and is here
  record                      This machine as one file that --sysroot replays
  profile                     List, show, check, compare and learn profiles
  tunableop                   PyTorch TunableOp's result files
  help                        The manual
  completion                  Make a shell complete rocenv's command lines

rocenv help lists the pages of the manual; rocenv help exit-status tells what
each command ends with.

$ rocenv profile --help
List, show, check, compare and learn profiles
Usage: rocenv profile [OPTIONS] SUBCOMMAND

Options:
  -h,--help                   Print this and end
  --version                   Display program version information and exit

Subcommands:
  list                        All there are
  show                        What profiles come to when merged
  lint                        What is wrong with a profile
  diff                        Two profiles side by side, as they resolve here
  learn                       A profile of this node's present state


$ rocenv profile shwo
rocenv: no command is named profile shwo, did you mean show?
rocenv: --help says what there is
? 2
$ rocenv tunableop
rocenv: A subcommand is required
rocenv: --help says what there is
? 2

# Completing: a shell's script, and what it asks.

$ rocenv completion
rocenv: completion: which shell? bash, zsh or fish
? 2
$ rocenv completion tcsh
rocenv: shell: tcsh is not one of bash, zsh, fish, did you mean bash?
rocenv: --help says what there is
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
list	All there are
show	What profiles come to when merged
lint	What is wrong with a profile
diff	Two profiles side by side, as they resolve here
learn	A profile of this node's present state
$ rocenv completion fish -- run -- tr
:programs

# Every topic is told; of a command in a group the group's page is, once.
$ rocenv help status completion | grep '^rocenv-'; rocenv help profile show | grep -c '^rocenv-'
rocenv-status(1): What rocenv has set on this node, and who holds it
rocenv-completion(1): Make a shell complete rocenv's command lines
1
$ rocenv help set nope
rocenv: no page of the manual is named nope, did you mean topo?
? 2
$ rocenv profile --version
rocenv 0.2.0
