# SPDX-License-Identifier: MIT
"""The catalogue's files: entries that a machine made (they have the key `mined`) are rewritten, others are left as they are."""
import re
import tomllib
from pathlib import Path

from found import NOT_PARSED, TYPES

MACHINE = ("type", "parser", "default", "defaults", "values", "since", "until", "looked_at", "mined")  # in the order in which they are written
HEAD = "# SPDX-License-Identifier: MIT\n"
WIDTH = 130


def quoted(text):
    return '"' + re.sub(r'[\\"]', lambda m: "\\" + m[0], text).replace("\n", "\\n").replace("\t", "\\t") + '"'


def rows_of(values):
    """A list of texts, wrapped."""
    lines, line = [], "["
    for index, each in enumerate(values):
        word = quoted(each) + ("," if index + 1 < len(values) else "]")
        if len(line) + len(word) > WIDTH:
            lines.append(line.rstrip())
            line = "    "
        line += word + " "
    return "\n".join([*lines, line.rstrip()])


def facts(found, since, until, looked_at):
    """The machine's keys of a variable."""
    secret = found.parser == "secret"
    parser = "string" if secret else found.parser or NOT_PARSED
    kind = "secret" if secret else "enum" if found.values and parser != "comma-list" else TYPES.get(parser, "string")
    return {"type": kind, "parser": parser, "default": found.default, "defaults": found.defaults or None, "values": found.values or None,
            "since": since or None, "until": until or None, "looked_at": looked_at, "mined": found.place}


def defaults_of(rows):
    """The value of the key `defaults`, on one line."""
    return "[" + ", ".join(f"{{ from = {quoted(release)}, value = {quoted(value)} }}" for release, value in rows) + "]"


def value_of(key, value):
    if key == "defaults":
        return defaults_of(value)
    return rows_of(value) if isinstance(value, list) else quoted(value)


def lines_of(keys):
    for key in MACHINE:
        if keys.get(key) is not None:
            yield f"{key} = {value_of(key, keys[key])}\n"


class File:
    """One file: its head, and the blocks that begin with [[…]]."""

    def __init__(self, path):
        self.path = Path(path)
        self.old = self.path.read_text() if self.path.exists() else ""
        parts = re.split(r"(?m)^(?=\[\[)", self.old)
        self.head, self.blocks = parts[0], parts[1:]
        self.data = tomllib.loads(self.old)

    def variables(self):
        """Name to the entry as TOML has it."""
        return {each["name"]: each for each in self.data.get("variable", [])}

    def text(self):
        return self.head + "".join(self.blocks)

    def set_head(self, reader):
        if not self.head:
            keys = {"reader": reader["title"], "package": reader.get("package"), "source": f"{reader['repository']}, read by scripts/mine"}
            self.head = HEAD + "".join(f"{key} = {quoted(value)}\n" for key, value in keys.items() if value) + "\n"

    def put(self, name, keys):
        """Writes the machine's keys of NAME: into its entry if that is mined, as a new entry if there is none."""
        index = next((index for index, block in enumerate(self.blocks) if name_in(block) == name), None)
        if index is not None:
            if "\nmined = " in self.blocks[index]:
                self.blocks[index] = rewritten(self.blocks[index], keys)
            return
        new = f"[[variable]]\nname = {quoted(name)}\n" + "".join(lines_of(keys)) + "\n"
        at = next((index for index, block in enumerate(self.blocks) if "\nmined = " in block and name_in(block) > name), len(self.blocks))
        if at == len(self.blocks) and self.blocks:
            self.blocks[-1] = self.blocks[-1].rstrip("\n") + "\n\n"
        self.blocks.insert(at, new)

    def save(self):
        text = self.text().rstrip("\n") + "\n"
        if text != self.old and self.blocks:
            self.path.write_text(text)


def name_in(block):
    """The name that a block of a variable begins with; people write it first as well."""
    match = re.match(r'\[\[variable\]\]\nname = "([^"]*)"', block)
    return match[1] if match else ""


def rewritten(block, keys):
    """BLOCK with the machine's keys replaced; people's keys and comments stay in their order."""
    kept, skipping = [], False
    for line in block.splitlines(True):
        key = re.match(r"([a-z_]+) = ", line)
        if key:
            skipping = key[1] in MACHINE
        elif skipping and not re.match(r"\s", line):
            skipping = False
        if not skipping or line == "\n":
            kept.append(line)
            skipping = skipping and line != "\n"
    at = next(index for index, line in enumerate(kept) if line.startswith("name = ")) + 1
    return "".join([*kept[:at], *lines_of(keys), *kept[at:]])


def all_names(folder):
    """Returns the file of each name of the catalogue."""
    return {name: path.name for path in sorted(Path(folder).glob("*.toml")) for name in File(path).variables()}


def entries_of(folder):
    """Returns the entry of each name of the catalogue."""
    return {name: entry for path in sorted(Path(folder).glob("*.toml")) for name, entry in File(path).variables().items()}


def put_releases(path, program, reader, versions, date):
    """Writes the list of releases that were searched; its day stays while its versions do."""
    file = File(path)
    if not file.head:
        file.head = HEAD + "# Releases that scripts/mine searched. It writes this file.\n\n"
    old = next((each for each in file.data.get("releases", []) if each["program"] == program), {})
    date = old["date"] if old.get("looked_at") == versions else date
    block = (f"[[releases]]\nprogram = {quoted(program)}\npackage = {quoted(reader['package'])}\ndate = {quoted(date)}\n"
             f"source = {quoted(reader['repository'] + ', by scripts/mine')}\nlooked_at = {rows_of(versions)}\n\n")
    others = [each for each in file.blocks if f"\nprogram = {quoted(program)}\n" not in each]
    others = [each.rstrip("\n") + "\n\n" for each in others]
    file.blocks = sorted([*others, block])
    return file
