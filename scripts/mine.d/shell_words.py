# SPDX-License-Identifier: MIT
"""Shell: ${NAME:-default}, ${NAME-default} and ${NAME:=default} of names that the script does not set itself before, and the test that the text
or the variable that it becomes stands in."""
import re

from found import Found, default_text

WORDS = {"1": "eq1", "0": "ne0", "TRUE": "eq-capital-true"}
COMPARED = r'"?\s*(?:==|=|!=)\s*["\']?([\w.-]*)["\']?\s*(?:\]|&&|\|\||;)'
NUMBERED = r'"?\s*-(?:eq|ne|lt|le|gt|ge)\b'


def test_of(before, after):
    """The parser of a test that a text stands in between BEFORE and AFTER; an empty text where it is compared as a number, None without a test."""
    if re.search(r'\[\s*(!\s*)?-[nz]\s+"?$', before):
        return "nonempty"
    if not re.search(r'(\[|&&|\|\|)\s*"?$', before):
        return None
    compared = re.match(COMPARED, after)
    if compared:
        return "nonempty" if compared[1] == "" else WORDS.get(compared[1], "string")
    return "" if re.match(NUMBERED, after) else None


def tests_of_name(name, text):
    """The parsers of the tests of a variable of the script."""
    for match in re.finditer(rf"\$\{{{name}(?::?-[^{{}}]*)?\}}|\${name}\b", text):
        parser = test_of(text[:match.start()], text[match.end():])
        if parser is not None:
            yield parser


def agreed(parsers):
    """The parser of several tests of one text; a test whether it is empty says nothing beside others."""
    parsers = parsers - {"nonempty"} if len(parsers) > 1 else {"string"} if parsers == {"nonempty"} else parsers
    return parsers.pop() if len(parsers) == 1 else ""


def used_as_text(name, text):
    """Whether the script also uses the variable outside of tests."""
    uses = list(re.finditer(rf"\$\{{{name}(?::?-[^{{}}]*)?\}}|\${name}\b", text))
    return any(test_of(text[:match.start()], text[match.end():]) is None for match in uses)


def parser_of(text, match):
    before, after = text[max(0, match.start() - 200):match.start()], text[match.end():match.end() + 200]
    parser = test_of(before, after)
    if parser == "nonempty":
        return agreed({parser, *tests_of_name(match[1], text)}) if used_as_text(match[1], text) else parser
    if parser is not None:
        return parser
    kept = re.search(r'(?:^|[\s;])(\w+)="?$', before)
    if not kept or not re.match(r'"?\s*(?:[;#&|]|$)', after, re.M):
        return "string"
    parsers = set(tests_of_name(kept[1], text[match.end():]))
    is_only_tested = parsers == {"nonempty"} and not used_as_text(kept[1], text[match.end():])
    return "nonempty" if is_only_tested else agreed(parsers) if parsers else "string"


def extract(_path, text, _rules):
    text = re.sub(r"(?m)(^|[ \t])#.*$", lambda m: " " * len(m[0]), text)
    for match in re.finditer(r"\$\{([A-Z][A-Z0-9_]+):?[-=](\"[^\"$`]*\"|'[^']*'|[^{}$`\"']*)(\})?", text):
        name, before = match[1], text[:match.start()]
        sets = rf"(?m)^\s*(?:export\s+|local\s+|readonly\s+|declare\s+(?:-\w+\s+)*)?{name}=(?!\"?\$\{{{name}\b)|\b(?:for|read)\b[^\n]*\b{name}\b"
        if re.search(sets, before):
            continue
        parser = parser_of(text, match) if match[3] else "string"
        given = match[2].strip("\"'") if match[3] else None
        yield Found(name, text.count("\n", 0, match.start()) + 1, parser, default_text(parser, given) if parser else None,
                    why="" if parser else "its tests have no rule")
