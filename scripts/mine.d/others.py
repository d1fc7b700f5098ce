# SPDX-License-Identifier: MIT
"""What a second reader does with a name that is mined for another one: its row of `also_read` in that entry."""
import re

from catalogue import File, defaults_of, quoted, rows_of
from found import NOT_PARSED

OWN = "-tags"  # ends the names of the lists of releases that the script writes


def row_of(found, since, until, program, entry):
    """The row of PROGRAM: what it states of its own, where that differs from ENTRY."""
    keys = {"looked_at": program, "since": since, "until": until}
    parser = found.parser if found.parser != "secret" else "string"
    if (parser or NOT_PARSED) != entry["parser"]:
        keys["parser"] = parser or NOT_PARSED
    if found.default is not None:
        keys["default"] = found.default
    parts = [f"{key} = {quoted(value)}" for key, value in keys.items() if value or key == "default"]
    if found.defaults:
        parts.append(f"defaults = {defaults_of(found.defaults)}")
    if found.values != entry.get("values", []):
        parts.append(f"values = {rows_of(found.values)}")
    return "{ " + ", ".join(parts) + " }"


def put(folder, variables, elsewhere, program):
    """Writes the rows of PROGRAM into the mined entries of other files whose rows are all of the script; returns the files."""
    files = {}
    for name, (found, since, until) in variables.items():
        if name not in elsewhere:
            continue
        file = files.setdefault(elsewhere[name], File(folder / elsewhere[name]))
        entry = file.variables()[name]
        rows = entry.get("also_read", [])
        if "mined" not in entry or entry.get("looked_at") == program or any(not row["looked_at"].endswith(OWN) for row in rows):
            continue
        index = next(index for index, block in enumerate(file.blocks) if f'\nname = {quoted(name)}\n' in block)
        kept = [line for line in re.findall(r"(?m)^    (\{ looked_at = .*\}),$", file.blocks[index]) if f"looked_at = {quoted(program)}" not in line]
        block = re.sub(r"(?m)^also_read = \[\n(?:    \{.*\},\n)*\]\n", "", file.blocks[index]).rstrip("\n")
        lines = sorted([*kept, row_of(found, since, until, program, entry)])
        file.blocks[index] = block + "\nalso_read = [\n" + "".join(f"    {line},\n" for line in lines) + "]\n\n"
    return list(files.values())
