# SPDX-License-Identifier: MIT
"""Python: tables that declare variables: vLLM's envs.py, SGLang's environ.py, Triton's knobs.py, torch's configuration."""
import ast
import re

from found import Found, constant_of, default_text
from python_calls import File, found_at, reads
from python_followed import returned
from python_scopes import name_of, words

CHOICES = {"env_with_choices": "py-choice"}
SGLANG = {"EnvBool": "sglang-bool", "EnvBoolWithAlias": "sglang-bool", "EnvInt": "sglang-int", "EnvIntWithAlias": "sglang-int",
          "EnvFloat": "sglang-float", "EnvStr": "string", "EnvTuple": "comma-list", "EnvJSON": "string"}
TRITON = {"env_bool": "triton-knob", "env_opt_bool": "triton-knob", "env_int": "py-int", "env_str": "string", "env_opt_str": "string",
          "env_str_callable_default": "string", "env_strd": "string"}


def tree_of(text):
    try:
        return ast.parse(text)
    except (SyntaxError, ValueError, RecursionError):
        return ast.Module([], [])


def vllm(_path, text, rules):
    """environment_variables = {"NAME": lambda: …}: what each lambda makes of its own name."""
    if "environment_variables" not in text:
        return
    file = File(text, rules)
    file.reads = list(reads(file))
    for node in ast.walk(file.tree):
        target = node.target if isinstance(node, ast.AnnAssign) else node.targets[0] if isinstance(node, ast.Assign) else None
        if getattr(target, "id", "") == "environment_variables" and isinstance(node.value, ast.Dict):
            for key, value in zip(node.value.keys, node.value.values):
                name = constant_of(key) if key else None
                if name:
                    yield vllm_row(file, name, key.lineno, value)


def vllm_row(file, name, line, value):
    inside = set(ast.walk(value))
    own = [each for each in file.reads if each[1] == name and each[0] in inside]
    found = [found_at(file, *each) for each in own]
    telling = [each for each in found if each.parser != "present"] or found
    call = value.body if isinstance(value, ast.Lambda) else value
    if isinstance(call, ast.Call) and name_of(call.func) in CHOICES:
        return choice(file, name, line, call)
    if len(telling) == 1 or telling and len({(each.parser, each.default) for each in telling}) == 1:
        one = telling[0]
        one.line, one.declared = line, True
        if one.parser:
            return one
    tried = returned(file, value, name) if isinstance(value, (ast.Lambda, ast.Name)) else None
    return Found(name, line, *tried, declared=True) if tried else Found(name, line, why="its expression has no rule", declared=True)


def choice(file, name, line, call):
    allowed = words(file, call.args[2]) if len(call.args) > 2 else None
    if constant_of(call.args[0]) != name or not allowed:
        return Found(name, line, why="its words are not a literal list", declared=True)
    cased = next((each.value for each in call.keywords if each.arg == "case_sensitive"), None)
    parser = "py-choice-nocase" if isinstance(cased, ast.Constant) and cased.value is False else "py-choice"
    return Found(name, line, parser, default_text(parser, constant_of(call.args[1])), allowed, declared=True)


def sglang(_path, text, _rules):
    """class Envs: NAME = EnvBool(default), EnvInt, EnvFloat, EnvStr and their likes."""
    tree = tree_of(text)
    members = members_of(tree)
    for table in tree.body:
        if not isinstance(table, ast.ClassDef) or table.name != "Envs":
            continue
        for node in table.body:
            target = node.targets[0] if isinstance(node, ast.Assign) else None
            if not isinstance(node, ast.Assign) or not isinstance(node.value, ast.Call) or not isinstance(target, ast.Name):
                continue
            kind, given = name_of(node.value.func), node.value.args
            parser = SGLANG.get(kind, "")
            value = members.get(ast.unparse(given[0]), constant_of(given[0])) if given else None
            if re.fullmatch(r"[A-Z][A-Z0-9_]+", target.id):
                yield Found(target.id, node.lineno, parser, default_text(parser, value) if parser else None,
                            why="" if parser else f"{kind} has no parser", declared=True)


def members_of(tree):
    """The values of the members of the enumerations, by CLASS.MEMBER."""
    return {f"{table.name}.{node.targets[0].id}": node.value.value for table in tree.body if isinstance(table, ast.ClassDef) for node in table.body
            if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name) and isinstance(node.value, ast.Constant)}


def triton(_path, text, _rules):
    """class …_knobs: attribute = env_bool("NAME", default) and its likes."""
    for node in ast.walk(tree_of(text)):
        kind = name_of(node.func) if isinstance(node, ast.Call) else ""
        if not re.match(r"env_\w+$", kind) or not node.args:
            continue
        name = constant_of(node.args[0])
        if not isinstance(name, str) or not re.fullmatch(r"[A-Z][A-Z0-9_]+", name):
            continue
        parser = TRITON.get(kind, "")
        value = constant_of(node.args[1]) if len(node.args) > 1 else {"env_bool": False, "env_int": 0}.get(kind)
        yield Found(name, node.lineno, parser, default_text(parser, value) if parser else None,
                    why="" if parser else f"{kind} has no parser", declared=True)


def kind_of(annotation):
    """bool or str of an annotation that allows None as well, or NoneType."""
    words = set(re.findall(r"\w+", ast.unparse(annotation))) if annotation else set()
    kinds = words - {"None", "Optional", "typing"}
    return kinds.pop() if len(kinds) == 1 else "NoneType"


def torch(_path, text, _rules):
    """Config(env_name_default="NAME", default=…, value_type=bool) of torch's configuration modules."""
    tree = tree_of(text)
    said = {each.value: each.annotation for each in ast.walk(tree) if isinstance(each, ast.AnnAssign) and each.value}
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call) or name_of(node.func).split(".")[-1] not in ("Config", "_Config"):
            continue
        given = {each.arg: each.value for each in node.keywords}
        default = constant_of(given["default"]) if "default" in given else None
        kind = name_of(given["value_type"]) if "value_type" in given else type(default).__name__
        if default is None and kind == "NoneType":
            kind = "bool" if "justknob" in given else kind_of(said.get(node))
        for key in ("env_name_default", "env_name_force"):
            for name in map(constant_of, getattr(given[key], "elts", [given[key]]) if key in given else []):
                if not isinstance(name, str):
                    continue
                parser = {"bool": "torch-config", "str": "string"}.get(kind, "")
                yield Found(name, node.lineno, parser, default_text(parser, default) if parser and key == "env_name_default" else None,
                            why="" if parser else f"a setting of type {kind}", declared=True)
