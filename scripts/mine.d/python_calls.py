# SPDX-License-Identifier: MIT
"""Python: os.environ and os.getenv, functions like them, and what becomes of their answer."""
import ast
import re

import python_scopes
from found import TYPES, Found, constant_of, default_text
from python_followed import SAVED, SEEN, Reading, literal_default
from python_scopes import name_of

PRESENT = "present"  # a test whether it is set


class File:
    """A parsed file: the parent of each node, its constants, and the uses of its local names."""

    def __init__(self, text, rules):
        self.tree = ast.parse(text)
        self.wrappers = imported(self.tree, rules.get("wrappers", {}))
        self.converters, self.defaults = rules.get("converters", {}), rules.get("defaults", {})
        self.parents, self.constants, self.own_constants, self.named, self.texts, self.words = {}, {}, {}, {}, {}, {}
        self.functions = functions_of(self.tree)
        self.helpers = {name for name, each in self.functions.items() if reads_parameter(each, self.wrappers)}
        for node in ast.walk(self.tree):
            for child in ast.iter_child_nodes(node):
                self.parents[child] = node
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                self.named.setdefault(node.name, []).append(node)
            for name in python_scopes.targets(node)[:1] if isinstance(node, (ast.Assign, ast.AnnAssign)) and node.value else ():
                value = constant_of(node.value, self.constants)
                if value is not None and isinstance(self.parents.get(node), (ast.Module, ast.ClassDef)):
                    self.constants[name] = value

    def text_of(self, node):
        """The name of a variable that NODE stands for, or None."""
        if node not in self.texts:
            self.texts[node] = self.name_at(node)
        return self.texts[node]

    def name_at(self, node):
        name = node.attr if isinstance(node, ast.Attribute) and name_of(node.value) in ("self", "cls") else None
        value = self.constants.get(name) if name else self.value_of(node)
        return value if isinstance(value, str) and re.fullmatch(r"[A-Z_][A-Z0-9_]+", value) else None

    def value_of(self, node):
        """The value of a literal expression, of constants of the file or of the function around it."""
        if isinstance(node, (ast.Constant, ast.Call, ast.Attribute, ast.Subscript)):
            return constant_of(node, self.constants)
        scope = self.scope_of(node)
        if scope not in self.own_constants:
            self.own_constants[scope] = self.constants if isinstance(scope, ast.Module) else self.constants | python_scopes.constants(scope)
        return constant_of(node, self.own_constants[scope])

    def words_of(self, name):
        """The texts of the literal tuple, list or set that NAME, a node, stands for where it is, or None."""
        key = self.scope_of(name), name.id
        if key not in self.words:
            self.words[key] = python_scopes.words(self, name)
        return self.words[key]

    def scope_of(self, node):
        while node in self.parents and not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Module)):
            node = self.parents[node]
        return node


def functions_of(tree):
    """The functions of a file by name, methods and names with several of them aside."""
    methods = {each for table in ast.walk(tree) if isinstance(table, ast.ClassDef) for each in table.body}
    found = [each for each in ast.walk(tree) if isinstance(each, ast.FunctionDef) and each not in methods]
    names = [each.name for each in found]
    return {each.name: each for each in found if names.count(each.name) == 1}


def imported(tree, wrappers):
    """WRAPPERS for one file: one that is listed with its module stands for the function that is imported from there."""
    own = {each.asname or each.name: f"{node.module}.{each.name}" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) for each in node.names}
    return {**wrappers, **{name: wrappers[full] for name, full in own.items() if full in wrappers}}


def reads_parameter(function, wrappers):
    """Whether FUNCTION reads the variable that its first parameter names, and does not set it."""
    first = function.args.args[0].arg if function.args.args else None
    for each in ast.walk(function):
        if isinstance(each, ast.Subscript) and isinstance(each.ctx, ast.Store) and getattr(each.slice, "id", "") == first:
            return False
    return any(isinstance(each, ast.Call) and each.args and isinstance(each.args[0], ast.Name) and each.args[0].id == first
               and (name_of(each.func).endswith(("environ.get", "getenv")) or name_of(each.func) in wrappers) for each in ast.walk(function))


def reads(file):
    """Each read of a variable: its node, name, default node, and the wrapper's parser or None."""
    for node in ast.walk(file.tree):
        if isinstance(node, ast.Call):
            called = name_of(node.func)
            last = called.split(".")[-1]
            plain = called.endswith(("environ.get", "os.getenv")) or called in ("getenv", "environ.get")
            if not node.args or not (plain or last in file.wrappers or called in file.helpers):
                continue
            name = file.text_of(node.args[0])
            default = node.args[1] if len(node.args) > 1 else next((k.value for k in node.keywords if k.arg == "default"), None)
            if name:
                yield node, name, default, None if plain else (last, file.wrappers.get(last, ""))
        elif isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Load) and name_of(node.value).split(".")[-1] == "environ":
            name = file.text_of(node.slice)
            if name:
                yield node, name, None, None
        elif isinstance(node, ast.Compare) and isinstance(node.ops[0], (ast.In, ast.NotIn)):
            name = file.text_of(node.left)
            if name and name_of(node.comparators[0]).split(".")[-1] == "environ":
                yield node, name, None, (PRESENT, PRESENT)


def found_at(file, node, name, default, wrapper):
    reading = Reading(file, name)
    default = None if isinstance(default, ast.Constant) and default.value is None else default
    if wrapper and wrapper[0] != PRESENT:
        call, parser = wrapper
        tried = reading.result(node) if call in file.helpers else None
        if tried and tried != SEEN:
            return Found(name, node.lineno, tried[0], literal_default(*tried))
        parser, otherwise = (parser.get("parser", ""), parser.get("default")) if isinstance(parser, dict) else (parser, None)
        if default is None and otherwise is not None:
            return Found(name, node.lineno, parser, default_text(parser, otherwise))
        given = constant_of(default, file.constants) if default else file.defaults.get(call)
        return Found(name, node.lineno, parser, default_text(parser, given) if parser else None, why="" if parser else f"{call}() has no parser")
    if wrapper:
        return Found(name, node.lineno, PRESENT)
    result = reading.result(node)
    if result in (None, SEEN):
        if reading.is_saved(node):
            return Found(name, node.lineno, why=SAVED)
        is_test_only = result == SEEN and default is None
        return Found(name, node.lineno, PRESENT if is_test_only else "", why="" if is_test_only else "its text goes where no rule follows it")
    parser, without = result
    stated = constant_of(default, file.constants) if default else None
    if parser == "string-upper" and isinstance(stated, str) and stated.upper() == str(without).upper():
        without = stated
    if isinstance(default, ast.Call) and name_of(default.func).endswith(("environ.get", "getenv")):
        without = None  # another variable says it
    return Found(name, node.lineno, parser, literal_default(parser, without), implied=default is None and TYPES.get(parser) == "bool" and not without)


def extract(_path, text, rules):
    """RULES: `wrappers`, function to parser (empty: not examined)."""
    if "environ" not in text and "getenv" not in text and not any(each in text for each in rules.get("wrappers", {})):
        return
    try:
        file = File(text, rules)
    except (SyntaxError, ValueError, RecursionError):
        return
    for each in reads(file):
        yield found_at(file, *each)
