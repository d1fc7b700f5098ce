# SPDX-License-Identifier: MIT
"""Shell: ${NAME:-default}, ${NAME-default} and ${NAME:=default} of names that the script does not set itself before."""
import re

from found import Found


def extract(_path, text, _rules):
    text = re.sub(r"(?m)(^|\s)#.*$", lambda m: " " * len(m[0]), text)
    for match in re.finditer(r"\$\{([A-Z][A-Z0-9_]+):?[-=](\"[^\"$`]*\"|'[^']*'|[^{}$`\"']*)(\})?", text):
        name, before = match[1], text[:match.start()]
        sets = rf"(?m)^\s*(?:export\s+|local\s+|readonly\s+|declare\s+(?:-\w+\s+)*)?{name}=(?!\"?\$\{{{name}\b)|\b(?:for|read)\b[^\n]*\b{name}\b"
        if re.search(sets, before):
            continue
        default = match[2].strip("\"'") if match[3] else None
        yield Found(name, text.count("\n", 0, match.start()) + 1, "string", default)
