"""What a next step is made of: parts with "; " or ", " between them. A part that begins with a tool, or in which "sudo"
or a tool after ": " stands, is a command from there to its end; all else is for people.
"""

import re

from tools import TOOLS

BUILTINS = ("echo", "export", "unset", "ulimit", "rocenv", "sudo")
FIRST = rf"(?:{'|'.join(re.escape(one) for one in (*TOOLS, *BUILTINS))})(?= |$)"
START = re.compile(rf"^{FIRST}|(?<=: ){FIRST}|\bsudo(?= )")
PLACEHOLDER = re.compile(r"\b(BDF|MHZ|WORD|MODE|INDEX|WATTS|UNIT|PID|NAME|FILE)\b")


def parts_of(fix):
    """Not within quotes: a value that --want takes may hold commas."""
    parts, quote, start = [], "", 0
    for at, byte in enumerate(fix):
        if quote:
            quote = "" if byte == quote else quote
        elif byte in "'\"" and (byte == '"' or at == 0 or fix[at - 1] in " =\"'"):
            quote = byte
        elif fix[at : at + 2] in ("; ", ", "):
            parts.append(fix[start:at])
            start = at + 2
    return [*parts, fix[start:]]


def commands_in(fix):
    found = (START.search(part) and part[START.search(part).start() :] for part in parts_of(fix))
    return [command for command in found if command]


def prose_fault(fix):
    """What no next step may hold; empty: nothing."""
    left = PLACEHOLDER.search(fix)
    if left:
        return f"{left[0]} is to be filled in"
    return "rocm-smi is no more" if "rocm-smi" in fix else ""
