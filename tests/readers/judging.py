# SPDX-License-Identifier: MIT
"""What the catalogue says of variables, and what `rocenv check` makes of texts."""

import json
import subprocess
import tempfile
import tomllib
from fnmatch import fnmatchcase
from pathlib import Path

UNSET = None


def catalogue(folder):
    """{name: entry} of profiles/variables, each with its file's package and source."""
    found = {}
    for file in sorted(folder.glob("*.toml")):
        content = tomllib.loads(file.read_text())
        shared = {key: content[key] for key in ("reader", "package", "looked_at", "source") if key in content}
        found.update({entry["name"]: {**shared, **entry} for entry in content.get("variable", [])})
    return found


def looked_at(folder, package):
    """The releases of a package that the catalogue's facts are from."""
    lists = tomllib.loads((folder / "releases.toml").read_text())["releases"]
    return next(row["looked_at"] for row in lists if row["program"] == package)


def numbers(version):
    return [int(part) if part.isdigit() else 0 for part in version.split(".")]


def is_current(entry, version):
    """Whether the catalogue says that this version of the entry's package reads it."""
    if "since" in entry and numbers(version) < numbers(entry["since"]):
        return False
    if "until" in entry:
        return numbers(version) < numbers(entry["until"])
    return entry.get("status") != "removed"


def own_texts(entry):
    """Texts of a variable's own: its defaults, its words and its bounds."""
    texts = [entry[key] for key in ("default", "min", "max") if key in entry]
    texts += [row["value"] for row in entry.get("defaults", [])] + entry.get("values", [])
    return list(dict.fromkeys(str(text) for text in texts))


def judged(rocenv, assume, texts):
    """{name: {(wanted, there): outcome}}: of all variables, every text as what is wanted beside every one as what is there.

    texts: {name: [text...]}. What is there may be UNSET. Each check judges all variables at once.
    """
    found = {name: {} for name in texts}
    longest = max(map(len, texts.values()))
    with tempfile.TemporaryDirectory() as scratch:
        for expected in range(longest):
            profile = Path(scratch, f"{expected}.toml")
            lines = [f"{name} = {{ value = {json.dumps(own[expected])}, level = \"info\" }}"
                     for name, own in texts.items() if expected < len(own)]
            profile.write_text('[profile]\nname = "readers"\nsummary = "Texts"\n[env]\n' + "\n".join(lines) + "\n")
        for there in range(-1, longest):
            environment = Path(scratch, f"{there}.env")
            environment.write_text("".join(f"{name}={own[there]}\n" for name, own in texts.items() if 0 <= there < len(own)))
            for expected in range(longest):
                report = check(rocenv, assume, Path(scratch, f"{expected}.toml"), environment)
                for name, outcome in report.items():
                    if name in texts and expected < len(texts[name]) and there < len(texts[name]):
                        text = UNSET if there < 0 else texts[name][there]
                        found[name][(texts[name][expected], text)] = outcome
    return found


def check(rocenv, assume, profile, environment):
    """{name: outcome} of one check of an environment that a file states."""
    command = [rocenv, "check", "-p", str(profile), "--no-site", "--env-file", f"docker:{environment}", "--only", "env.*",
               "--format", "json", *(f"--assume={package}={version}" for package, version in assume.items())]
    done = subprocess.run(command, capture_output=True, text=True, check=False, env={"PATH": "/usr/bin:/bin"})
    if not done.stdout.startswith("{"):
        raise RuntimeError(f"{' '.join(command)}: {done.returncode} {done.stderr}")
    return {row["id"].removeprefix("env."): row["outcome"] for row in json.loads(done.stdout)["findings"]}


def grouped(texts, alike):
    """The texts as groups of those that are alike, as one line."""
    groups = []
    for text in texts:
        home = next((group for group in groups if alike(group[0], text)), None)
        groups.append([text]) if home is None else home.append(text)
    return " | ".join(" ".join("(unset)" if text is UNSET else repr(text) for text in group) for group in groups)


def disagreement(texts, states, outcomes):
    """Nothing, or how reader and check tell the texts apart. states: {text: state}, of UNSET it is ""."""
    by_reader = {UNSET: "", **states}
    wrong = [(expected, there) for (expected, there), outcome in outcomes.items()
             if outcome != ("ok" if by_reader[expected] == by_reader[there] else "differs")]
    if not wrong:
        return None
    of_reader = grouped([UNSET, *texts], lambda one, other: by_reader[one] == by_reader[other])
    of_check = grouped([*texts, UNSET], lambda one, other: outcomes.get((one, other)) == "ok")
    unknown = sum(1 for pair in wrong if outcomes[pair] not in ("ok", "differs"))
    return (f"{len(wrong)} of {len(outcomes)} pairs{f', {unknown} without an answer' if unknown else ''}\n"
            f"#   the reader: {of_reader}\n#   check:      {of_check}")


class Exceptions:
    """The rows of readers.toml: what may disagree, and why. Each must be needed by somebody."""

    def __init__(self, rows):
        self.rows, self.used, self.seen = rows, set(), []

    def reason(self, kind, name, versions):
        """Why a reader of these versions may disagree there, or nothing."""
        if versions not in self.seen:
            self.seen.append(versions)
        for number, row in enumerate(self.rows):
            fits = row["kind"] == kind and any(fnmatchcase(name, glob) for glob in row["names"])
            if fits and ("only" not in row or any(self.is_for(only, versions) for only in row["only"])):
                self.used.add(number)
                return row["reason"]
        return None

    @staticmethod
    def is_for(only, versions):
        package, version = only.split(" ")
        return numbers(versions.get(package) or "0")[:2] == numbers(version)

    def idle(self):
        """Rows that nobody needed, though every machine should."""
        there = [row for number, row in enumerate(self.rows) if number not in self.used and not row.get("machine")]
        return [row for row in there if any(self.is_for(only, versions) for versions in self.seen
                                            for only in row.get("only", ["torch 0"])) or "only" not in row]
