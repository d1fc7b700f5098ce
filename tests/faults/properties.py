"""What must hold of every fault, whichever it is. A property that says nothing of a fault gives None."""

from dataclasses import replace

from asking import MACHINES
from edits import at_gen_3, no_bar
from machine import BAD
from rows import Expect

ORDER = ("required", "recommended", "info")
MOST_FILES = 3  # of a fault that shows in many alike
UNRELATED = "/proc/sys/kernel/numa_balancing"
HEALTHY = ("mi300x-tuned", "mi350x", "mi210", "mi300a", "mi250x", "guest", "container")
OF_ONE_MODEL = ("gpu.driver", "gpu.determinism", "kernel.thp", "cpu.nodes_per_socket")  # what is wanted of them is another number elsewhere
ANOTHER = {"pci.link": (no_bar, Expect("pci.large_bar", "true", "required")),
           "": (at_gen_3, Expect("pci.link", "max", "required"))}


def verdict(name, problem):
    return f"not ok {name}: {problem}" if problem else f"ok {name}"


def victim(machine, at=2):
    """The address of a GPU; "" where KFD knows none."""
    gpus = machine.gpus()
    return gpus[at % len(gpus)] if gpus else ""


def broken(asker, fault, at=2):
    machine = asker.base(fault.base)
    gpu = victim(machine, at)
    fault.edit(machine, gpu)
    return machine, gpu


def of(report, expect):
    return [one for one in report["findings"] if one["id"] == expect.id]


def bad(findings):
    return [one for one in findings if one["outcome"] == "differs"]


def reported(asker, fault, expect, machine, gpu, report):
    """What is wrong with the report about a fault; empty: it is told as it should be."""
    found, names = bad(of(report, expect)), names_of(asker, fault, expect, gpu)
    if not expect.level:
        return too_loud(found, expect)
    if not found:
        return f"not told: {summary(of(report, expect))}"
    text = " ".join(f"{one['target']} {one['have']} {one['detail']}" for one in found)
    for name in names:
        if name not in text:
            return f"{name} is not named: {summary(found)}"
    for one in found:
        if not fault.near and names and one["target"] not in (*names, "system"):
            return f"{one['target']} is told of, too"
    if fault.without and fault.without in text:
        return f"calls it {fault.without}"
    return wrong_level(asker, expect, machine)


def names_of(asker, fault, expect, gpu):
    """Asked of the healthy machine: what is broken may not be found in the other."""
    healthy = asker.base(fault.base)
    return tuple(expect.names(healthy, gpu)) if expect.names else (gpu,)


def too_loud(found, expect):
    """Of a control: nothing differs above the level that is fine for it."""
    for one in found:
        if ORDER.index(one["level"]) < ORDER.index(expect.at_most):
            return f"{one['target']} is {one['level']}: {summary(found)}"
    return ""


def wrong_level(asker, expect, machine):
    if not asker.acceptance:
        return ""
    levels = {one["level"] for one in bad(of(asker.ask(machine, [expect], "acceptance"), expect))}
    right = set(expect.level.split("|"))
    return "" if levels & right else f"in acceptance it is {' '.join(sorted(levels)) or 'not told'}, not {expect.level}"


def summary(findings):
    return "; ".join(f"{one['id']} {one['target']} {one['outcome']} {one['have']} {one['detail']}" for one in findings[:3])[:200]


# -- the properties ---------------------------------------------------------

def check(asker, fault):
    """Lines about those expectations that can be asked."""
    known = [one for one in fault.expects if not asker.unknown(one)]
    if not known:
        return []
    lines = []
    for name, holds in PROPERTIES.items():
        said = {one.id: holds(asker, fault, one) for one in known}
        problems = [f"{one}: {problem}" for one, problem in said.items() if problem]
        if any(problem is not None for problem in said.values()):
            lines.append(verdict(f"{fault.name} {name}", "; ".join(problems)))
    return lines + recorded(asker, fault) + list(bad_files(asker, fault, known))


def another_gpu(asker, fault, expect):
    """The same edit on another GPU names that one."""
    if not fault.one:
        return None
    machine, gpu = broken(asker, fault, 5)
    return reported(asker, fault, expect, machine, gpu, asker.ask(machine, [expect]))


def all_gpus(asker, fault, expect):
    """On all of them it is found as well, where more is judged than that they are equal."""
    if not (fault.one and fault.all and expect.level) or expect.value == "equal":
        return None
    machine = asker.base(fault.base)
    for gpu in machine.gpus():
        fault.edit(machine, gpu)
    report = asker.ask(machine, [expect])
    return "" if bad(of(report, expect)) else f"not told: {summary(of(report, expect))}"


def beside_unknowns(asker, fault, expect):
    """Neither an unrelated unknown nor one of the same kind hides it."""
    if not expect.level:
        return None
    machine, gpu = broken(asker, fault)
    machine.spoil(UNRELATED, "EIO")
    spoil_another(asker, fault, machine, gpu)
    more = () if expect.id == "kernel.numa_balancing" else ("kernel.numa_balancing=0",)
    report = asker.ask(machine, [expect], more=more)
    found = bad(of(report, expect))
    if not found:
        return f"hidden: {summary(of(report, expect))}"
    required = any(one["level"] == "required" for one in found)
    return f"ends with {report['exit']}" if required and report["exit"] != 1 else ""


def spoil_another(asker, fault, machine, gpu):
    """The files that show the fault, of another GPU, give an error."""
    other = victim(asker.base(fault.base), 3)
    if not (fault.one and gpu and other != gpu):
        return
    double = asker.base(fault.base)
    here, there = double.folder(gpu), double.folder(other)
    for path in machine.touched:
        if path.startswith(f"{here}/") and "/hwmon/" not in path and machine.kind(path.replace(here, there)) == "f":
            machine.spoil(path.replace(here, there), "EIO")


def with_another(asker, fault, expect):
    """Two faults give both."""
    machine, gpu = broken(asker, fault)
    edit, second = ANOTHER.get("" if expect.id != "pci.link" else "pci.link")
    other = victim(asker.base(fault.base), 3)
    if not expect.level or not other or other == gpu or asker.unknown(second) or fault.near:
        return None
    edit(machine, other)
    report = asker.ask(machine, [expect, second])
    if other not in " ".join(f"{one['target']} {one['detail']}" for one in bad(of(report, second))):
        return f"{second.id} of {other} is not told"
    return reported(asker, replace(fault, near=True), expect, machine, gpu, report)


def optional_gone(asker, fault, expect):
    """Without the files that a kernel or chip may not have it is na."""
    if not fault.optional:
        return None
    machine = asker.base(fault.base)
    for path in fault.optional(machine, victim(machine)):
        machine.drop(path)
    findings = of(asker.ask(machine, [expect]), expect)
    return "" if findings and all(one["outcome"] == "na" for one in findings) else f"is {summary(findings)}"


def found(report):
    """What a recording must give as well; identities are redacted, and equal ones stay equal."""
    keys = ("id", "target", "level", "outcome", "want", "have", "detail")
    return [[one.get(key) for key in keys] for one in report["findings"] if one["id"] != "gpu.unique_id"]


def recorded(asker, fault):
    """The recording of a faulty machine replays to the same findings."""
    machine, _ = broken(asker, fault)
    tree = asker.record(machine)
    here, there = (found(asker.ask(one, profile="acceptance")) for one in (machine, tree))
    tree.unlink()
    outlier = [one for one in here if one not in there] + [one for one in there if one not in here]
    return [verdict(f"{fault.name} replayed from a recording", str(outlier[:2]) if outlier else "")]


PROPERTIES = {
    "on another GPU": another_gpu,
    "on all GPUs": all_gpus,
    "beside unknowns": beside_unknowns,
    "beside another fault": with_another,
    "without the optional files": optional_gone,
}


def bad_files(asker, fault, known):
    """Each file that shows the fault, made bad on a healthy machine, is never ok.

    A file of which nothing is told however bad it is was not read; one of a fault must be.
    """
    machine, _ = broken(asker, fault)
    healthy = asker.base(fault.base)
    files = [path for path in machine.touched if healthy.kind(path) in ("f", "c")][: MOST_FILES * fault.shown]
    usual = asker.once(fault.base, known) if files else None
    quiet = {path: quiet_when(asker, fault, known, path, usual) for path in files}
    for path, ways in quiet.items():
        if len(ways) < len(BAD):
            name = "/".join(path.split("/")[-2:])
            yield verdict(f"{fault.name} bad {name}", ", ".join(way for way in ways if way not in fault.fine))
    if files and all(len(ways) == len(BAD) for ways in quiet.values()):
        yield f"not ok {fault.name}: bad files are ok: {' '.join(files)}"


def quiet_when(asker, fault, known, path, usual):
    """In which ways this file can be bad so that nothing is told."""
    ways = []
    for how in BAD:
        machine = asker.base(fault.base)
        machine.spoil(path, how)
        if all_fine(asker.ask(machine, known), usual, known):
            ways.append(how)
    return ways


def all_fine(report, usual, known):
    """Whether a report with a bad file says nothing of it."""
    rows = [one for expect in known for one in of(report, expect)]
    before = [one for expect in known for one in of(usual, expect)]
    return not any(one["outcome"] in ("unknown", "differs", "na") and one not in before for one in rows)


def check_healthy(asker, faults):
    """No fault is seen on a machine that has none."""
    expects = {one.id: one for fault in faults for one in fault.expects}
    known = [one for name, one in expects.items() if name not in OF_ONE_MODEL and not asker.unknown(one)]
    for name in HEALTHY if known else ():
        findings = asker.ask(asker.base(name), known)["findings"]
        yield verdict(f"no fault on {name}", summary(bad(findings)))


def check_machines(asker, names):
    """No file whose reading does harm is ever read, whatever is asked."""
    for path in sorted(path for name in names for path in MACHINES.glob(f"{name}.tree")):
        machine = asker.base(path.stem)
        harmful = [one for one in machine.entries if machine.kind(one) == "n"]
        recorded = asker.files_read(machine)
        read = [one for one in harmful if recorded.get(one, ["n"])[0][0] != "n"]
        read += [one for one in recorded if one.endswith(("_err_count", "/xgmi_error")) and recorded[one][0][0] != "n"]
        if harmful:
            yield verdict(f"reads nothing harmful on {path.stem}", " ".join(read[:3]))
