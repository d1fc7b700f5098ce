# SPDX-License-Identifier: MIT
"""Runs in the Python of a reader (PyTorch, Triton): what its own code makes of texts, as JSON on stdout.

stdin is a plan: "texts" for every variable, "own" texts of some, "modules" whose source is executed again for each text,
"getters" (an expression for a variable; "start": asked of a process that was started with one of "start_texts") and "names" to be
looked for in the files of the packages. A state is what differs from the state without the variable: "" is the same, and
"error" an exception. Needs nothing but the standard library of Python 3.8.
"""

import importlib
import json
import os
import re
import subprocess
import sys
import types
from pathlib import Path

PLAIN = (bool, int, float, str, bytes, type(None), tuple, list, set, frozenset, dict)
seen_reads = set()


def record_reads():
    """From now on every name that Python code asks os.environ for is noted."""
    kind = type(os.environ)
    original = kind.__getitem__

    def noting(self, key):
        if isinstance(key, str):
            seen_reads.add(key)
        return original(self, key)

    kind.__getitem__ = noting


def shown(value):
    """A value as a text that is the same for equal values; of what is no plain value its type."""
    if isinstance(value, (set, frozenset)):
        return "{" + ", ".join(sorted(map(shown, value))) + "}"
    return repr(value) if isinstance(value, PLAIN) else type(value).__name__


def knobs_of(module):
    """Triton's knobs: descriptors that read when they are asked."""
    found = {}
    groups = {name: group for name, group in vars(module).items() if not isinstance(group, type)}
    for group_name, group in groups.items():
        for name, knob in getattr(group, "knob_descriptors", {}).items():
            seen_reads.add(knob.key)
            try:
                found[f"{group_name}.{name}"] = shown(getattr(group, name))
            except Exception as error:
                found[f"{group_name}.{name}"] = f"error {type(error).__name__}"
    return found


def without_comments():
    """PyTorch looks through its config modules' comments at each import, which takes most of the time."""
    try:
        module = importlib.import_module("torch.utils._config_module")
    except ImportError:
        return
    if hasattr(module, "get_assignments_with_compile_ignored_comments"):
        module.get_assignments_with_compile_ignored_comments = lambda _: set()


def values_of(module):
    """What a module holds: of PyTorch's config modules their entries, of knobs what they read, else its plain globals."""
    if module.__name__ == "triton.knobs":
        return knobs_of(module)
    if not isinstance(vars(module).get("_config"), dict):
        own_classes = [value for value in vars(module).values()
                       if isinstance(value, type) and value.__module__ == module.__name__]
        return {f"{owner.__name__}.{name}": shown(value) for owner in (module, *own_classes)
                for name, value in vars(owner).items() if isinstance(value, PLAIN) and not name.startswith("__")}
    found = {}
    for name in module._config:
        value = module
        try:
            for part in name.split("."):
                value = getattr(value, part)
            found[name] = shown(value)
        except Exception as error:  # an alias into a module that is not here
            found[name] = f"error {type(error).__name__}"
    return found


class Module:
    """A module whose source is executed afresh, without a trace in the process beside it."""

    def __init__(self, name):
        self.name = name
        self.original = importlib.import_module(name)
        self.path = self.original.__file__
        self.code = compile(Path(self.path).read_bytes(), self.path, "exec")

    def values(self, variables):
        fresh = types.ModuleType(self.name)
        fresh.__file__, fresh.__package__ = self.path, self.original.__package__
        fresh.__spec__ = self.original.__spec__
        if hasattr(self.original, "__path__"):
            fresh.__path__ = self.original.__path__
        os.environ.update(variables)
        sys.modules[self.name] = fresh
        try:
            exec(self.code, vars(fresh))
            return values_of(fresh)
        except Exception as error:
            return {"error": type(error).__name__}
        finally:
            sys.modules[self.name] = self.original
            for name in variables:
                del os.environ[name]


def truth(text):
    """Of a shown value what an if makes of it."""
    return text if text == "None" else str(text not in ("''", "False", "0", "[]", "()", "{}"))


def items(text):
    """Of a shown list with commas its items without blanks around them."""
    return ",".join(item.strip() for item in text.strip("'").split(","))


VIEWS = {"truth": truth, "items": items}


def difference(values, plain, unsteady, view):
    """What differs from the values without the variable, as its users see them."""
    if "error" in values:
        return "error"
    seen = VIEWS.get(view, str)
    changed = {name: seen(str(values.get(name))) for name in {*values, *plain} - unsteady
               if seen(str(values.get(name))) != seen(str(plain.get(name)))}
    if any(str(value).startswith("error ") for value in changed.values()):
        return "error"
    return json.dumps(changed, sort_keys=True) if changed else ""


def in_a_fork(work):
    """What work() returns, done by a forked process: nothing of it stays here. None where the process died."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            os.close(reading)
            with os.fdopen(writing, "w") as pipe:
                json.dump(work(), pipe)
        finally:
            os._exit(0)
    os.close(writing)
    with os.fdopen(reading) as pipe:
        text = pipe.read()
    os.waitpid(child, 0)
    return json.loads(text) if text else None


def sweep_module(name, plan):
    """{"read": names, "seen": {variable: {text: state}}}, of one module."""
    try:
        module = Module(name)
    except ImportError:
        return {}
    module.values({})  # what it imports for the first time reads for itself
    seen_reads.clear()
    plain = module.values({})
    if "error" in plain:
        return {"broken": plain["error"]}
    unsteady = {key for key, value in module.values({}).items() if plain.get(key) != value}
    done, seen, own = set(), {}, set(plan["leave"])
    while seen_reads - done - own:  # some are read only where another is set
        for variable in sorted(seen_reads - done - own):
            done.add(variable)
            texts = plan["texts"] + plan["own"].get(variable, [])
            states = {text: difference(module.values({variable: text}), plain, unsteady, plan["views"].get(variable))
                      for text in texts}
            if any(states.values()):
                seen[variable] = states
    return {"read": sorted(done), "seen": seen}


def failure(work):
    """The message with which it fails."""
    try:
        work()
        return ""
    except Exception as error:
        return str(error)


def asked(expression):
    """The value of an expression that may import what it names."""
    scope = {"failure": failure}
    for name in re.findall(r"\b((?:torch|triton)(?:\.[a-z_]\w*)+)", expression):
        parts = name.split(".")
        for end in range(len(parts), 0, -1):
            try:
                importlib.import_module(".".join(parts[:end]))
                break
            except ImportError:
                continue
        scope[parts[0]] = sys.modules.get(parts[0])
    return shown(eval(expression, scope))


def asked_safely(variable, text, expression):
    if text is not None:
        os.environ[variable] = text
    try:
        return {"value": asked(expression)}
    except Exception as error:
        return {"error": type(error).__name__}


def sweep_getter(getter, plan, ask):
    """The states of one variable by what an expression says; None where this version has no such expression."""
    variable = getter["variable"]
    plain = ask(variable, None, getter["says"])
    if plain is None or "error" in plain:
        return None
    states = {}
    for text in plan["start_texts"] if getter.get("start") else plan["texts"] + plan["own"].get(variable, []):
        answer = ask(variable, text, getter["says"])
        failed = answer is None or "error" in answer
        states[text] = "error" if failed else "" if answer == plain else answer["value"]
    return states


def by_fork(variable, text, expression):
    return in_a_fork(lambda: asked_safely(variable, text, expression))


class Starts:
    """Processes started with a text for each variable whose getter wants that: one for each text and round.

    No expression is asked twice in a round, so that what it says comes from one variable.
    """

    def __init__(self, getters, plan):
        self.plan, self.answers, rounds = plan, {}, []
        for getter in getters:
            home = next((r for r in rounds if getter["says"] not in [other["says"] for other in r]), None)
            rounds.append([getter]) if home is None else home.append(getter)
        self.round_of = {getter["variable"]: members for members in rounds for getter in members}

    def ask(self, variable, text, _expression):
        members = self.round_of[variable]
        key = (members[0]["variable"], text)
        if key not in self.answers:
            self.answers[key] = self.started(members, {} if text is None else {g["variable"]: text for g in members})
        return self.answers[key].get(variable)

    @staticmethod
    def started(members, variables):
        request = json.dumps({"ask": [[getter["variable"], getter["says"]] for getter in members]})
        done = subprocess.run([sys.executable, __file__], input=request, capture_output=True, text=True, check=False,
                              env={**os.environ, **variables})
        return json.loads(done.stdout) if done.returncode == 0 and done.stdout else {}


def files_below(folders):
    """Python sources and libraries; a folder may be a file."""
    files = [Path(top) for top in folders if os.path.isfile(top)]
    files += [Path(folder, name) for top in folders for folder, _, names in os.walk(top) for name in names]
    return [file for file in files if (file.suffix == ".py" or ".so" in file.name) and "testing" not in file.parts]


def names_in_files(folders, names):
    """{name: "py" or "so"}: which of the names stand in the files of the packages."""
    word, expected, found = re.compile(rb"[A-Za-z_][A-Za-z0-9_]{3,}"), {name.encode() for name in names}, {}
    for file in files_below(folders):
        kind = "py" if file.suffix == ".py" else "so"
        there = expected.intersection(word.findall(file.read_bytes()))
        found.update({name.decode(): kind for name in there if found.get(name.decode()) != "py"})
    return found


def folders_of(package):
    """The package's folder, and where Debian keeps its libraries."""
    module = sys.modules.get(package)
    if module is None:
        return []
    libraries = Path("/usr/lib").glob(f"*-linux-gnu/lib{package}*.so.*")
    return [str(Path(module.__file__).parent), *(str(file) for file in libraries)]


def version_of(package):
    try:
        return importlib.import_module(package).__version__.split("+")[0]
    except ImportError as error:
        return None if getattr(error, "name", None) == package else f"error: {error}"


def merged(found, variable, where, states):
    """Merges the results of several readers of a variable: an error in one is an error."""
    entry = found.setdefault(variable, {"where": [], "texts": {}})
    entry["where"].append(where)
    for text, state in states.items():
        old = entry["texts"].get(text, "")
        entry["texts"][text] = "error" if "error" in (old, state) else "; ".join(filter(None, [old, state]))


def survey(plan):
    answer = {"torch": version_of("torch"), "triton": version_of("triton"), "read": {}, "seen": {}, "broken": {}}
    for name in plan["modules"]:
        swept = in_a_fork(lambda name=name: sweep_module(name, plan))
        if swept is None:
            swept = {"broken": "the process died"}
        if "broken" in swept:
            answer["broken"][name] = swept["broken"]
        for variable in swept.get("read", []):
            answer["read"].setdefault(variable, []).append(name)
        for variable, states in swept.get("seen", {}).items():
            merged(answer["seen"], variable, name, states)
    starts = Starts([g for g in plan["getters"] if g.get("start")], plan)
    for getter in plan["getters"]:
        states = sweep_getter(getter, plan, starts.ask if getter.get("start") else by_fork)
        if states and any(states.values()):
            merged(answer["seen"], getter["variable"], getter["says"], states)
    build = getattr(sys.modules.get("torch"), "version", None)
    answer["gpu_build"] = any(getattr(build, kind, None) for kind in ("cuda", "hip"))
    answer["files"] = {package: names_in_files(folders_of(package), plan["names"]) for package in ("torch", "triton")}
    return answer


def main():
    """What readers print, from C, too, is no answer: their standard output is stderr."""
    plan = json.load(sys.stdin)
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    if "ask" in plan:
        json.dump({variable: asked_safely(variable, None, says) for variable, says in plan["ask"]}, answers)
    else:
        record_reads()
        without_comments()
        json.dump(survey(plan), answers)


main()
