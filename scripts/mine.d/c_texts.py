# SPDX-License-Identifier: MIT
"""C and C++: uses of a variable's text other than as a plain number: comparisons with words, paths, sscanf."""
import re
from typing import NamedTuple

SWITCHES = {("1",): "eq1", ("0",): "ne0", ("TRUE",): "eq-capital-true", ("0", "1"): "01-else-default"}
WITH_EMPTY_UNSET = {"atoi": "rocr-int"}  # the parser that equals PARSER where an empty text counts as unset
SAME_IF_EMPTY = ("eq1", "first1", "string", "exact-word", "word-nocase")
OPENS = "fopen|open|dlopen|opendir|stat|access|realpath|ifstream|ofstream|LoadLibrary"
PATH_NAME = re.compile(r"_(PATH|LIBPATH|DIR|FILE|LIB|LIBRARY|SO|HOME|ROOT|OUTPUT|DOMAIN)$")
REJECTS = re.compile(r"\bthrow\b|\babort\s*\(|\bexit\s*\(|\belse\s*(\{|[A-Za-z_][\w.>-]*\s*=|return\b)|return\s+nccl\w*(Error|Usage|Argument)")


class Word(NamedTuple):
    """A comparison with one word."""
    text: str
    any_case: bool = False


def comparison(before, after):
    """The word that the text between BEFORE and AFTER is compared with, a parser of its first letter, or None."""
    call = re.search(r"\b(strcmp|strcasecmp|strncmp|strncasecmp)\s*\($", before)
    if call:
        rest = re.match(r',\s*"([^"]*)"\s*(?:,\s*(\d+)\s*)?\)', after)
        if not rest:
            return None
        if rest[2] and int(rest[2]) <= len(rest[1]):
            return {"1": "first1", "0": "first-not-0"}.get(rest[1]) if rest[2] == "1" else None
        return Word(rest[1], "case" in call[1])
    if re.search(r"\bstring(_view)?\s*[({]$", before):
        rest = re.match(r'\s*[)}]\s*[!=]=\s*"([^"]*)"', after)
        return Word(rest[1]) if rest else None
    rest = re.match(r'\s*[!=]=\s*"([^"]*)"', after)
    return Word(rest[1]) if rest else None


def text_use(before, after, name):
    """Returns "string" for a text that opens a file, is part of a path, or is kept by a variable with the name of a path."""
    if re.search(rf"\b({OPENS})(<\w+>)?\s*\($", before) and re.match(r"[,)]", after):
        return "string"
    form = re.search(r'\bv?snprintf\s*\([^,;"]+,[^,;"]+,\s*"([^"]*)"\s*,(?:[^;]*,)?\s*$', before)
    if form and form[1].count("%s") and not re.fullmatch(r"\s*%s\s*", form[1]) and re.match(r"[,)]", after):
        return "string"
    kept = re.search(r"(\breturn|[\w\])]\s*=|\bstring\s+\w+\s*[({]|=\s*(?:std::)?string\s*\()\s*$", before) and re.match(r"\)?\s*;", after)
    return "string" if kept and PATH_NAME.search(name) else None


def number_use(call, before, after):
    """The parser of strtoul and sscanf, and of strtol as a switch."""
    base = re.match(r",\s*(?:nullptr|NULL|0)\s*,\s*(0|10)\s*\)\s*(!=\s*0|\?)?", after)
    if call in ("strtol", "strtoll", "strtoul", "strtoull") and base and base[1] == "0" and base[2]:
        return "strtol-ne0"
    if call == "strtoul" and base:
        return {"0": "strtoull", "10": "rocr-size"}[base[1]]
    if call == "sscanf" and re.match(r',\s*"%u"\s*,\s*&[\w.>-]+\s*\)\s*[!=]=\s*1', after):
        return "hsakmt-uint"
    return None


def parser_of_words(words, area):
    """Returns the parser and the words of comparisons in the code AREA, and the reason if no parser equals them."""
    texts = tuple(dict.fromkeys(each.text for each in words))
    any_case = {each.any_case for each in words}
    if len(any_case) > 1:
        return "", [], "its words are compared in several ways"
    switch = SWITCHES.get(tuple(sorted(texts)))
    if switch and not any(any_case):
        return switch, [], ""
    if REJECTS.search(area):
        return "", list(texts), "another text than its words is handled in a way that has no rule"
    return "word-nocase" if any(any_case) else "exact-word", list(texts), ""


def block_end(code, before, end):
    """Where the block ends that is all of the life of a variable in `if (TYPE x = getenv(…)) {`; the end of CODE for another one."""
    opening = re.match(r"\s*\)?[^;{}]*\)\s*\{", code[end:]) if re.search(r"\bif\s*\(\s*(const\s+)?(auto|char)\b[^;{}]*=\s*$", before) else None
    depth = 1
    for match in re.compile(r'"(?:\\.|[^"\\\n])*"|[{}]').finditer(code, end + opening.end() if opening else len(code)):
        depth += {"{": 1, "}": -1}.get(match[0], 0)
        if depth == 0:
            return match.start()
    return len(code)


def in_condition(before):
    """Whether the code BEFORE an assignment ends inside the condition of an `if`."""
    condition = re.search(r"\bif\b([^;{}]*)$", before)
    return bool(condition) and condition[1].count("(") > condition[1].count(")")


def filled(code, variable, start):
    """CODE with blanks instead of `if (!VARIABLE) VARIABLE = "TEXT";` behind START, and that text."""
    test = rf"(?:!\s*{variable}|{variable}\s*==\s*(?:NULL|nullptr)|(?:NULL|nullptr)\s*==\s*{variable})"
    match = re.compile(rf'\bif\s*\(\s*{test}\s*\)\s*\{{?\s*{variable}\s*=\s*"([^"]*)"\s*;\s*\}}?').search(code, start, start + 400)
    if not match:
        return code, None
    return code[:match.start()] + re.sub(r"[^\n]", " ", match[0]) + code[match.end():], match[1]
