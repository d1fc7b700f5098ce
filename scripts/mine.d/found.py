# SPDX-License-Identifier: MIT
"""What an extractor returns, and how several reads of one name become one."""
import ast
from dataclasses import dataclass, field

NOT_PARSED = "unverified"  # the catalogue's word for a reader that was not examined
BOOLS = """01-else-default accelerate-flag c10-check clr-bool cvar-bool eq-capital-true eq1 eq1-torch-config first-not-0 first1 hf-bool miopen-bool
    nccl-bool ne0 mori-flag nonempty not-off-word present py-int-bool py-lower-true py-lower-true1 py-lower-true1-yes py-lower-yes py-strip-not-off
    py-strip-on py-strip-true1 py-strip-yes set-ne0 sglang-bool strtol-ne0 te-bool torch-config triton-bool triton-knob""".split()
INTS = """atoi clr-int clr-size clr-uint hsakmt-uint nccl-int py-digits py-int py-int-or-empty rocr-int rocr-size sglang-int stoi stoull strtol
    strtoull te-int whole-int""".split()
TYPES = {**dict.fromkeys(BOOLS, "bool"), **dict.fromkeys(INTS, "int"), "py-float": "float", "sglang-float": "float",
         "comma-list": "list", "py-choice": "enum", "py-choice-nocase": "enum"}
CAN_FAIL_TO_SAY = ("present",)  # a test whether a variable is set says nothing of how its text is read elsewhere


@dataclass
class Found:
    name: str
    line: int
    parser: str = ""  # empty: not parsed, and `why` says why
    default: str | None = None
    values: list = field(default_factory=list)
    why: str = ""
    declared: bool = False  # by a table or macro of the reader, which counts more than a plain read elsewhere
    path: str = ""
    defaults: list = field(default_factory=list)  # rows of (release, default) where it changed; `default` holds before the first
    implied: bool = False  # the default follows from how the text is read, none is stated
    is_use: bool = False  # a use of a switch that is declared elsewhere: it only says what unset is equal to

    @property
    def place(self):
        return f"{self.path}:{self.line}"


def default_text(parser, value):
    """The text that a default given as a literal of the language equals, or None."""
    kind = TYPES.get(parser, "string")
    if value is None:
        return None
    if kind == "bool":
        return bool_text(parser, value)
    if isinstance(value, bool):
        return None if kind in ("string", "list") else str(int(value))
    if kind == "int":
        return whole(value)
    if kind == "float":
        return fraction(value)
    return value if isinstance(value, str) else None


def whole(value):
    try:
        return str(int(value))
    except ValueError:
        return None


def fraction(value):
    try:
        return repr(float(value)).removesuffix(".0")
    except ValueError:
        return None


def bool_text(parser, value):
    """0 or 1 (or the word where 1 is off), as PARSER reads the text VALUE."""
    if isinstance(value, str):
        lower = value.lower()
        reads = {"eq1": value == "1", "ne0": value != "0", "set-ne0": value != "0", "nonempty": value != "", "py-lower-true": lower == "true",
                 "first1": value[:1] == "1", "first-not-0": value[:1] != "0", "eq-capital-true": value == "TRUE"}
        words = {"1", "true", "yes", "y", "on", "t", "enable", "enabled"}
        if parser == "py-int-bool":
            value = whole(value) not in (None, "0")
        else:
            value = reads.get(parser, lower in words)
    on, off = {"py-lower-true": ("true", "0"), "eq-capital-true": ("TRUE", "0"), "nonempty": ("1", ""),
               "present": (None, None)}.get(parser, ("1", "0"))
    return on if value else off


def number_of(text):
    """The value of an integer expression of C (64*1024, 1<<20, -2, 0x7f), or None."""
    text = text.strip().rstrip("uUlL")
    try:
        tree = ast.parse(text, mode="eval")
        return constant_of(tree.body)
    except (SyntaxError, ValueError, OverflowError, RecursionError):
        return None


def constant_of(node, names=None):
    """The value of a literal expression of Python, or None. NAMES are the constants of its file."""
    match node:
        case ast.Constant(value=value) if isinstance(value, (str, int, float)):
            return value
        case ast.Name(id=name):
            return (names or {}).get(name)
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            value = constant_of(operand, names)
            return -value if isinstance(value, (int, float)) else None
        case ast.BinOp(left=left, op=op, right=right):
            return calculated(constant_of(left, names), op, constant_of(right, names))
        case ast.JoinedStr(values=parts):
            given = [constant_of(each.value if isinstance(each, ast.FormattedValue) else each, names) for each in parts]
            return "".join(given) if all(isinstance(each, str) for each in given) else None
        case ast.Call(func=ast.Name(id="str"), args=[one]):
            value = constant_of(one, names)
            return None if value is None or isinstance(value, float) else str(value)
    return None


def calculated(left, op, right):
    if not isinstance(left, (int, float)) or not isinstance(right, (int, float)):
        return left + right if isinstance(left, str) and isinstance(right, str) and isinstance(op, ast.Add) else None
    if isinstance(op, (ast.Pow, ast.LShift)) and not 0 <= right <= 64:
        return None
    match op:
        case ast.Mult():
            return left * right
        case ast.Add():
            return left + right
        case ast.Sub():
            return left - right
        case ast.LShift() if isinstance(left, int) and isinstance(right, int):
            return left << right
        case ast.Pow():
            return left**right
    return None


WEAKER = {"string": set(TYPES) - {"nonempty"} | {"string-upper"}, "nonempty": {"string", "string-upper", "comma-list", "py-int-or-empty", "py-digits"},
          **dict.fromkeys(("sglang-int", "py-int-or-empty", "py-int-bool"), {"py-int"}), "sglang-float": {"py-float"}}


def without_weaker(reads):
    """READS without those that accept all that another one of them accepts: a text that is passed on, an integer whose error is caught."""
    parsers = {each.parser for each in reads}
    return [each for each in reads if not WEAKER.get(each.parser, set()) & parsers]


def is_guarded(read, tests):
    """Whether READ is only reached if the variable is set, because a test stands just above it: its default is then never used. In C the
    last branch of a conditional expression is a default that is used."""
    return read.path.endswith(".py") and any(each.path == read.path and 0 <= read.line - each.line <= 2 for each in tests)


def merged(reads):
    """The one variable that READS of a name make. Reads that differ are not parsed."""
    uses, reads = [each for each in reads if each.is_use], [each for each in reads if not each.is_use]
    found = merged_reads(reads)
    if found.parser == "miopen-bool" and found.default is None and len({each.default for each in uses}) == 1:
        found.default = uses[0].default
    return found


def merged_reads(reads):
    reads = [each for each in reads if each.declared] or reads
    reads = [each for each in reads if "put back" not in each.why] or reads
    telling = [each for each in reads if each.parser not in CAN_FAIL_TO_SAY] or reads
    telling = without_weaker(telling)
    first = telling[0]
    unclear = [each for each in telling if not each.parser]
    if unclear:
        return unclear[0]
    parsers = {each.parser: each for each in reversed(telling)}
    if len(parsers) > 1:
        ways = ", ".join(f"{each.parser} ({each.place})" for each in telling if parsers[each.parser] is each)
        return Found(first.name, first.line, path=first.path, why=f"read in several ways: {ways}")
    tests = [each for each in reads if each.parser in CAN_FAIL_TO_SAY]  # where one is, being unset is a case of its own
    defaults = {None if each.implied and tests or is_guarded(each, tests) else each.default for each in telling}
    values = {tuple(each.values) for each in telling}
    return Found(first.name, first.line, first.parser, defaults.pop() if len(defaults) == 1 else None,
                 list(values.pop()) if len(values) == 1 else [], path=first.path, declared=first.declared)
