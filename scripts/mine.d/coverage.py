# SPDX-License-Identifier: MIT
"""How many names of a reader the catalogue lists. The names come from a plain search, which shares no code with the extractors: a quoted
UPPER_CASE word within two lines of getenv or environ, and what the reader's declaring macros name (`declares` in readers.toml). Names
and folders of left_out.toml do not count."""
import re

from source import matches

NEAR = 2
CALLS = re.compile(r"getenv|environ", re.I)
WORD = re.compile(r"""(["'])([A-Z][A-Z0-9_]{2,})\1""")
SOURCES = ["*.c", "*.cc", "*.cpp", "*.cu", "*.h", "*.hpp", "*.cuh", "*.hip", "*.inl", "*.py"]
BEGIN, END = "<!-- made by scripts/mine -->\n", "<!-- end -->\n"
TITLES = ("reader", "commit", "date", "found", "left out", "catalogued", "share", "parser known")


def names_in(text, declares):
    """The names that a plain search finds in one file."""
    lines = text.split("\n")
    found, taken = set(), set()
    for pattern, form, front in declares:
        for match in re.finditer(pattern, text, re.M):
            before = re.findall(front, text[:match.start()]) if front else []
            found.add(form.format(match[1], front=before[-1] if before else ""))
            taken.update(range(text.count("\n", 0, match.start()), text.count("\n", 0, match.end()) + 1))
    for index, line in enumerate(lines):
        if CALLS.search(line):
            for near in range(max(0, index - NEAR), min(len(lines), index + NEAR + 1)):
                if near not in taken:
                    found.update(match[2] for match in WORD.finditer(lines[near]))
    return found


def search(tree, reader, left_out):
    """All names of the reader's own folders, and those that are left out by name."""
    declares = [(each["find"], each.get("as", "{}"), each.get("front")) for each in reader.get("declares", [])]
    files = [(path, key) for path, key in tree.files("HEAD") if matches(path, SOURCES) and not left_out.path(path)]
    texts = dict(tree.texts(sorted({key for _, key in files})))
    names = set()
    for _, key in files:
        names |= names_in(texts.get(key, ""), declares)
    out = {name for name in names if left_out.name(name)}
    return names - out, out


def row(tree, reader, left_out, catalogue):
    """CATALOGUE: name to entry of the whole catalogue. Also the names that it lacks."""
    names, out = search(tree, reader, left_out)
    known = {name for name in names if name in catalogue}
    parsed = {name for name in known if catalogue[name].get("parser") != "unverified"}
    commit, date = tree.commit()
    share = f"{100 * len(known) // len(names)} %" if names else "-"
    return (reader["title"], commit, date, len(names) + len(out), len(out), f"{len(known)} of {len(names)}", share,
            len(parsed)), sorted(names - known)


def table(text, new):
    """TEXT, a README, with the row of a reader put into its table."""
    before, _, rest = text.partition(BEGIN)
    present, _, after = rest.partition(END)
    rows = {line.split(" | ")[0].strip("| "): line for line in present.splitlines()[2:]}
    rows[new[0]] = "| " + " | ".join(str(each) for each in new) + " |"
    head = ["| " + " | ".join(TITLES) + " |", "|" + "---|" * len(TITLES)]
    return before + BEGIN + "\n".join([*head, *(rows[each] for each in sorted(rows, key=str.lower))]) + "\n" + END + after
