# SPDX-License-Identifier: MIT
"""C and C++: macros that declare variables (NCCL and RCCL old and new, CLR, MIOpen), and ROCr's table of flags."""
import re

from c_calls import arguments, closing, constants, line_of, literal, without_comments
from found import Found, default_text, number_of

CLR_TYPES = {"bool": "clr-bool", "int": "clr-int", "uint": "clr-uint", "size_t": "clr-size", "cstring": "clr-string"}
MIOPEN = {"BOOL": "miopen-bool", "UINT64": "strtoull", "STR": "string"}
MIOPEN_UNSET = {"env::disabled": "1", "IsDisabled": "1", "env::enabled": "0", "IsEnabled": "0"}
TRUTHS = {"true": "1", "false": "0"}
UNITS = {"Ki": "1024", "Mi": "1048576", "Gi": "1073741824"}


def calls(code, pattern):
    """Each use of a macro: its match and its arguments. Not its definition."""
    for match in re.finditer(rf"(?<!\w)(?:{pattern})\s*\(", code):
        if not re.search(r"#\s*define[^\n]*\Z", code[:match.start()]):
            yield match, arguments(code[match.end():closing(code, match.end() - 1)].replace("\\\n", "\n"))


def number(text):
    for unit, value in UNITS.items():
        text = re.sub(rf"\b{unit}\b", value, text)
    return number_of(text)


def nccl_old(_path, text, _rules):
    """NCCL_PARAM(Name, "KEY", default), RCCL_PARAM and UCCL_PARAM: the key lacks its prefix."""
    if "CCL_PARAM" not in text:
        return
    code = without_comments(text)
    known = constants(code)
    for match, given in calls(code, r"(NCCL|RCCL|UCCL)_PARAM"):
        if len(given) == 3 and re.fullmatch(r'"[A-Z0-9_]+"', given[1]):
            value = number(TRUTHS.get(given[2].strip(), known.get(given[2].strip(), given[2])))
            yield Found(f"{match[1]}_{given[1][1:-1]}", line_of(code, match.start()), "nccl-int", default_text("nccl-int", value), declared=True)


def nccl_new(_path, text, _rules):
    """DEFINE_NCCL_PARAM(name, type, KEY, default, flags, parser, "text"). Of its parsers only the default ones are known."""
    if "DEFINE_NCCL_PARAM" not in text:
        return
    code = without_comments(text)
    for match, given in calls(code, "DEFINE_NCCL_PARAM"):
        if len(given) < 6 or not re.fullmatch(r"[A-Z][A-Z0-9_]+", given[2]):
            continue
        line, kind, reader = line_of(code, match.start()), given[1], given[5]
        plain = reader in ("NCCL_PARAM_DEFAULT", "NcclParamParserDefault")
        whole = re.fullmatch(r"u?int(32|64)_t|int", kind)
        parser = ("nccl-int" if whole else {"bool": "nccl-bool", "const char*": "string"}.get(kind, "")) if plain else ""
        yield (Found(given[2], line, parser, default_text(parser, number(given[3]) if whole else literal(given[3])), declared=True) if parser else
               Found(given[2], line, why=f"parser {' '.join(reader.split())[:60]} of {kind}", declared=True))


def clr(_path, text, _rules):
    """debug(type, NAME, default, "text") and release(…) of flags.hpp."""
    code = without_comments(text)
    for match, given in calls(code, r"debug|release(?:_on_stg)?"):
        if len(given) >= 3 and given[0] in CLR_TYPES and re.fullmatch(r"[A-Z][A-Z0-9_]+", given[1]):
            parser, value = CLR_TYPES[given[0]], given[2].strip()
            value = literal(value) if given[0] in ("bool", "cstring") else number(value)
            if parser == "clr-string" and value == "":
                value = None  # an empty text is one blank to it: unset is a state of its own
            yield Found(given[1], line_of(code, match.start()), parser, default_text(parser, value), declared=True)


def miopen(_path, text, _rules):
    """MIOPEN_DECLARE_ENV_VAR_BOOL(NAME[, default]), _UINT64 and _STR; and without the type, which its uses state."""
    if not re.search(r"MIOPEN_DECLARE_ENV_VAR|\benv::|\bIs(En|Dis)abled\(", text):
        return
    code = without_comments(text)
    yield from miopen_switches(code)
    for match, given in calls(code, r"MIOPEN_DECLARE_ENV_VAR(?:_(BOOL|UINT64|STR))?"):
        if not re.fullmatch(r"[A-Z][A-Z0-9_]+", given[0]):
            continue
        line, parser = line_of(code, match.start()), MIOPEN.get(match[1]) or miopen_use(code, given[0])
        yield (Found(given[0], line, parser, default_text(parser, literal(given[1])) if len(given) > 1 else None, declared=True)
               if parser else Found(given[0], line, why="declared without a type", declared=True))


def miopen_switches(code):
    """Each use of a name, and what an unset switch is equal to there: on if the use asks whether it is disabled, off if whether it is
    enabled. Unknown for any other use."""
    code = re.sub(r'"(?:\\.|[^"\\\n])*"', lambda m: " " * len(m[0]), code)
    uses = {}
    for match in re.finditer(r"(?m)^[ \t]*#.*|(?<![\w.>])([A-Z][A-Z0-9]*_[A-Z0-9_]+)\b(?!\s*\()", code):
        before = code[max(0, match.start() - 80):match.start()]
        if not match[1] or re.search(r"MIOPEN_DECLARE_ENV_VAR\w*\(\s*$|\benv::name\(\s*$", before):
            continue
        call = re.search(r"\b(env::disabled|env::enabled|IsDisabled|IsEnabled)\(\s*(?:ENV\(\s*)?(?:::)?$", before)
        uses.setdefault((match[1], MIOPEN_UNSET[call[1]] if call else None), match.start())
    for (name, default), at in uses.items():
        yield Found(name, line_of(code, at), default=default, is_use=True)


def miopen_use(code, name):
    of = rf"\(\s*(?:ENV\()?{name}\s*(?:\{{\s*\}}|\))"
    kinds = {"miopen-bool": "IsEnabled|IsDisabled", "strtoull": "Value|ValueOr", "string": "GetStringEnv"}
    found = [parser for parser, functions in kinds.items() if re.search(rf"\b(?:{functions}){of}", code)]
    return found[0] if len(found) == 1 else ""


def rocr(_path, text, _rules):
    """flag.h: `var = os::GetEnvVar("NAME");`, and the next statement reads it."""
    if "EnvVar" not in text:
        return
    code = without_comments(text)
    for match in re.finditer(r'([\w>-]*\w)\s*=\s*(?:\w+::)*GetEnvVar\(\s*"([A-Z][A-Z0-9_]+)"\s*\)\s*;', code):
        variable, rest = match[1], code[match.end():match.end() + 500]
        again = re.search(r"\bGetEnvVar|\bIsEnvVarSet", rest)
        parser, why = rocr_read(variable, rest[:again.start()] if again else rest)
        yield Found(match[2], line_of(code, match.start()), parser, why=why, declared=True,
                    default={"eq1": "0", "ne0": "1"}.get(parser))
    for match in re.finditer(r'\bIsEnvVarSet\(\s*"([A-Z][A-Z0-9_]+)"', code):
        yield Found(match[1], line_of(code, match.start()), "present", declared=True)


def rocr_read(variable, code):
    if variable.endswith("_"):
        return "string", ""  # kept as a member
    use = re.search(rf"[^;]*\b{variable}\b[^;]*;", code)
    text = " ".join(use[0].split()) if use else ""
    text = re.sub(r"^ifdebug \{ |^if \(.*?\) \{ ", "", text)
    for parser, pattern in {
        "ne0": rf'\w+ = \({variable} == "0"\) \? false : true;',
        "eq1": rf'\w+ = \({variable} == "1"\) \? (true : false|false : true);',
        "01-else-default": rf'\w+ = \({variable} == "0"\) \? \w+ : \(\({variable} == "1"\) \? \w+ : \w+\);',
        "atoi": rf"\w+ = (static_cast<\w+>\()?(std::)?atoi\({variable}\.c_str\(\)\)\)?;",
        "rocr-size": rf"\w+ = strtoul\({variable}\.c_str\(\), &\w+, 10\);",
        "rocr-int": rf"\w+ = {variable}\.empty\(\) \? [\w* ]+ : (std::)?atoi\({variable}\.c_str\(\)\);",
        "string": rf"\w+ = {variable};",
    }.items():
        if re.fullmatch(pattern, text):
            return parser, ""
    return "", "the statement after it has no rule"
