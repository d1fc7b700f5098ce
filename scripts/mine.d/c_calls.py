# SPDX-License-Identifier: MIT
"""C and C++: getenv and functions like it, and what becomes of their answer."""
import re

from c_texts import SAME_IF_EMPTY, WITH_EMPTY_UNSET, Word, block_end, comparison, filled, in_condition, number_use, parser_of_words, text_use
from found import Found, default_text, number_of

PLAIN = ["getenv", "secure_getenv", "ncclGetEnv"]
LINES_OF_USE = 30
CHECK, LOG = "check", "log"  # uses that say nothing of how the text is read


def without_comments(text):
    """Returns the text with blanks instead of comments, so that lines and columns stay."""
    pattern = r'"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'|//[^\n]*|/\*.*?\*/'
    return re.sub(pattern, lambda m: re.sub(r"[^\n]", " ", m[0]) if m[0][0] == "/" else m[0], text, flags=re.S)


def line_of(text, at):
    return text.count("\n", 0, at) + 1


def closing(text, opening):
    """Where the bracket at OPENING closes."""
    depth = 0
    for match in re.compile(r'"(?:\\.|[^"\\\n])*"|[()]').finditer(text, opening):
        depth += {"(": 1, ")": -1}.get(match[0], 0)
        if depth == 0:
            return match.start()
    return len(text)


def arguments(text):
    """The arguments of a call or macro, without the brackets around them."""
    out, depth, start = [], 0, 0
    for match in re.finditer(r'"(?:\\.|[^"\\\n])*"|[(){}\[\],]', text):
        if match[0] == "," and depth == 0:
            out.append(text[start:match.start()].strip())
            start = match.end()
        depth += 1 if match[0] in "({[" else -1 if match[0] in ")}]" else 0
    return [*out, text[start:].strip()]


def literal(text):
    """The value of a C literal: a string, a truth, or a number; None for anything else."""
    text = re.sub(r"^std::chrono::\w+\(([^()]*)\)$", r"\1", text.strip())
    if re.fullmatch(r'"(?:\\.|[^"\\])*"', text):
        return text[1:-1]
    return {"true": True, "false": False}.get(text, number_of(re.sub(r"(?<=[0-9a-fA-F])[uUlL]+\b", "", text)) if text else None)


LIMITED = re.compile(r"\b(min|max|clamp)(<[\w: ]+>)?\([^;]*$")  # a call that limits a number, before the number


def is_checked(before, after):
    """Whether a number is cast to an unsigned one, limited, or replaced where it is out of a range: its text is read in another way."""
    kept = re.search(r"(\w+)\s*=\s*(?:std::|::)?\w+\($", before)
    compared = kept and re.search(rf"\b{kept[1]}\s*(<=?|>=?)|\b(min|max|clamp)\b[^;]*\b{kept[1]}\b", after)
    cast = re.search(r"(static_cast<\s*(std::)?(u?int\w*_t|unsigned|size_t)[\w: ]*>\(|\((std::)?(uint\w*|unsigned[\w ]*|size_t)\)\s*)(std::|::)?\w+\($", before)
    return bool(compared or cast and "int64_t" not in cast[0].replace("uint64_t", "u") or LIMITED.search(before))


def is_uint32(before, after):
    """Whether a number is cast to 32 bits without a sign and kept. A test for 0 of what a function returns makes it a switch."""
    cast = re.search(r"(static_cast<\s*(std::)?(uint32_t|unsigned(\s+int)?)\s*>\(|\((std::)?(uint32_t|unsigned(\s+int)?)\)\s*)(std::|::)?atoi\($", before)
    return bool(cast and not LIMITED.search(before) and re.match(r"\)\)?\s*(;|:[^;]*;)", after) and not re.search(r"\breturn\s+\w+\s*[!=]=\s*0\b", after))


def scalar_use(before, after, name=""):
    """How the text of NAME is read by what stands around it: a parser, a Word, CHECK, LOG, or None."""
    before, after = before.rstrip(), after.lstrip()
    compared = comparison(before, after)
    if compared:
        return compared
    call = re.search(r"(?:std::|::)?\b(\w+)(?:<[\w: ]+>)?\($", before)
    if call and call[1] == "atoi" and is_uint32(before, after):
        return "clr-uint"
    if call and call[1] in ("atoi", "stoi", "stoull"):
        return call[1] if after.startswith(")") and not is_checked(before, after) else None
    number = call and number_use(call[1], before, after)
    if number:
        return number
    if call and call[1] in ("strtol", "strtoll", "strtoull"):
        parser = {"strtoull": "strtoull"}.get(call[1], "strtol")
        return parser if re.match(r",\s*(nullptr|NULL|0)\s*,\s*0\s*\)", after) else None
    first = re.match(r"\[0\]\s*([!=]=)\s*'(.)'", after)
    if first:
        return {"1": "first1", "0": "first-not-0"}.get(first[2])
    if re.search(r"(\breturn|\?|:)$", before) and re.match(r"(;|:\s*\"[^\"]*\"\s*;)", after) or re.search(r"\bfs::path\($", before):
        return "string"  # the text is given back
    if re.match(r"\[0\]\s*([!=]=\s*('\\0'|0\b)|\)|&&)", after) or re.search(r"(\(|&&|!|\|\|)\s*\*$", before):
        return "nonempty"
    if re.search(r"\b((?!v?sn?printf)\w*(LOG|INFO|WARN|ERROR|DEBUG|TRACE|print)\w*\(|f?printf\(|cerr\b|cout\b)", before):
        return LOG
    if re.match(r"([!=]=\s*(nullptr|NULL)|\?|&&|\|\|)", after) or before.endswith("!") or re.search(r"(nullptr|NULL)\s*[!=]=$", before):
        return CHECK
    if re.search(r"(\bif\s*\(|&&|\|\|)$", before) and after.startswith(")") or re.match(r"\)\s*\?\s*true\s*:\s*false", after):
        return CHECK
    return CHECK if re.search(r"\bbool\s+\w+\s*=$", before) and after.startswith(";") else text_use(before, after, name)


def read_of(uses, area=""):
    """The parser that all USES in the code AREA agree on, why there is none, and the words."""
    words = [use for use in uses if isinstance(use, Word)]
    if not words or None in uses:
        texts = dict.fromkeys(each.text for each in words)
        return *plain_read_of([use for use in uses if not isinstance(use, Word)]), [] if set(texts) & {"0", "1"} else list(texts)
    parser, texts, why = parser_of_words(words, area)
    others = [parser, *(use for use in uses if not isinstance(use, Word))] if parser else []
    return (*plain_read_of(others), texts) if others else ("", why, texts)


def plain_read_of(uses):
    """The parser that all USES agree on, and why there is none."""
    parsers = {use for use in uses if use not in (CHECK, LOG, "nonempty")}
    if None in parsers:
        return "", "its text is used in a way that has no rule"
    if len(parsers) > 1:
        return "", "its text is read in several ways: " + ", ".join(sorted(parsers))
    if parsers:
        is_text = parsers == {"string"}
        return parsers.pop(), "" if is_text or "nonempty" not in uses else "empty counts as unset"
    return ("nonempty" if "nonempty" in uses else "present" if CHECK in uses else ""), "its text is not used nearby"


def area_of(code, start):
    """The lines from START on, until the function ends."""
    end = start
    for _ in range(LINES_OF_USE):
        end = code.find("\n", end + 1)
        if end < 0:
            end = len(code)
            break
        if code[end + 1:end + 2] == "}":
            break
    return code[start:end]


def about(name, area):
    """The part of AREA that is about the variable NAME: to its last use, and the statement behind that."""
    last = max((match.end() for match in re.finditer(rf"\b{name}\b", area)), default=0)
    return area[:last] + area[last:last + 160].partition("getenv")[0]


def uses_of(code, name, start, of=""):
    """How the variable NAME, which has the text of OF, is used from START on, until it gets another value or its function ends."""
    area = area_of(code, start)
    again = re.search(rf"(?<![\w.>])(?:char\s*\*\s*)?{name}\s*=(?!=)", area)
    if again:
        is_spare = re.search(rf"\bif\s*\(\s*(!\s*{name}|{name}\s*==\s*(nullptr|NULL))\s*\)\s*\{{?\s*$", area[:again.start()])
        if is_spare and "getenv" in area[again.end():again.end() + 40]:
            area = area[:is_spare.start()] + area[area.find(";", again.end()):]  # another name is read where this one is not set
        else:
            before = area[:again.start()]
            if not in_condition(before) and re.search(r"\b(if|else)\b[^;{}]*$", before) and "getenv" in area[again.end():again.end() + 40]:
                yield None
            area = before
    for match in re.finditer(rf"(?<![\w.>:]){name}\b(?!\s*\()", area):
        statement = max(area.rfind(each, 0, match.start()) for each in ";{}")
        yield scalar_use(area[statement + 1:match.start()], area[match.end():match.end() + 120], of)


def default_of(code, name, start, parser):
    """Of `NAME ? PARSE(NAME) : LITERAL` on the next lines."""
    near = code[start:start + 300]
    match = re.search(rf"\b{name}\b[^;?]*\?[^;:]*\b{name}\b[^;:]*:\s*([^;]+);", near)
    value = match[1].rstrip(") ") if match else ""
    if not match:
        match = re.search(rf"\b{name}\s*==\s*(?:NULL|nullptr)\s*\?\s*([^;:?]+):[^;?]*\b{name}\b[^;?]*;", near)
        value = match[1] if match else ""
    value = constants(code).get(value.strip(), value)
    return default_text(parser, literal(value)) if match else None


def constants(code):
    """Name to number of the macros and constants of a file that have one value, which the build does not set (#ifndef)."""
    found = {}
    form = r"(?:#\s*define\s+(\w+)[ \t]+|\b(?:constexpr|const)\s[^;=\n()]*?\b(\w+)\s*(?:=|\{))\s*([-\w .()*+<]+?)\s*(?=;|\n|\}|$)"
    by_build = set(re.findall(r"#\s*ifndef\s+(\w+)", code))
    for match in re.finditer(form, code):
        found.setdefault(match[1] or match[2], set()).add(match[3])
    return {name: values.pop() for name, values in found.items() if len(values) == 1 and name not in by_build}


def one(code, match, name):
    line = line_of(code, match.start())
    statement = max(code.rfind(each, 0, match.start()) for each in ";{}")
    before, end = code[statement + 1:match.start()], closing(code, code.index("(", match.start()))
    before = re.sub(r"(std|::|\s)*$", "", before) if re.search(r"(std)?::$", before) else before
    after = code[end + 1:end + 160]
    kept = re.search(r"(\w+)\s*=\s*$", before)
    is_value = re.search(r"\bbool\s+\w+\s*=\s*$", before) or re.match(r"\s*([!=]=|\?)", after)
    if kept and not is_value and not re.search(r"[.>]\s*\w+\s*=\s*$", before):
        code, default = filled(code[:block_end(code, before, end + 1)], kept[1], end + 1)
        uses = list(uses_of(code, kept[1], end + 1, name))
        parser, why, words = read_of(uses, about(kept[1], area_of(code, end + 1)))
        if parser and why == "empty counts as unset" and parser not in SAME_IF_EMPTY:
            if parser not in WITH_EMPTY_UNSET:
                return Found(name, line, why=why + f", else {parser}")
            parser = WITH_EMPTY_UNSET[parser]
        default = default_text(parser, default) if default is not None else default_of(code, kept[1], end + 1, parser)
        return Found(name, line, parser, default if parser else None, words, why="" if parser else why)
    parser, why, words = read_of([scalar_use(before, after, name)], after)
    rest = re.match(r"\)\s*:\s*([^;:]+);", after)
    return Found(name, line, parser, default_text(parser, literal(rest[1])) if parser and rest else None, words, why="" if parser else why)


def wrapped(name, line, function, wrapper, rest):
    """A read by a function of the reader. REST: the arguments behind the name."""
    rules = wrapper if isinstance(wrapper, dict) else {"parser": wrapper}
    parser, default = rules.get("parser", ""), literal(rest[0]) if rest else rules.get("default")
    words = re.findall(r'"([^"]*)"', rest[rules["words"] - 1]) if "words" in rules and len(rest) >= rules["words"] else []
    return Found(name, line, parser, default_text(parser or "string", default) if parser or words else None, words,
                 why="" if parser else f"{function}() has no parser")


def extract(_path, text, rules):
    """RULES: `wrappers`, function to parser (empty: not examined; "getenv": it returns the text)."""
    wrappers = rules.get("wrappers", {})
    if not any(each.split("<")[0] in text for each in ["getenv", "ncclGetEnv", *wrappers]):
        return
    code = without_comments(text)
    names = "|".join(re.escape(each) for each in [*PLAIN, *wrappers])
    keys = dict(re.findall(r'(?:constexpr|const|#define)[^;\n]*?\b(\w+)(?:\[\])?\s*=?\s*"([A-Z][A-Z0-9_]*)"', code))
    for match in re.finditer(rf'(?<![\w.])({names})\s*\(\s*(?:\{{\s*)?("([A-Za-z_][A-Za-z0-9_]*)"|k?[A-Z_]\w*)', code):
        name = match[3] or keys.get(match[2])
        if not name or name.endswith("_") or not re.fullmatch(r"[A-Z_][A-Z0-9_]+", name) or re.search(r"#\s*define[^\n]*\Z", code[:match.start()]):
            continue
        if wrappers.get(match[1], "getenv") == "getenv":
            yield one(code, match, name)
            continue
        opening = code.index("(", match.start() + len(match[1]))
        rest = arguments(code[opening + 1:closing(code, opening)])[1:]
        yield wrapped(name, line_of(code, match.start()), match[1], wrappers[match[1]], rest)
