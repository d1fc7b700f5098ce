# SPDX-License-Identifier: MIT
"""Python: os.environ and os.getenv, functions like them, and what becomes of their answer."""
import ast
import re

import python_scopes
from found import Found, constant_of, default_text
from python_followed import SAVED, followed, is_saved

NEUTRAL, PRESENT = "neutral", "present"  # a use that says nothing of how the text is read; a test whether it is set
SHOWN = "shown"  # a part of a longer text, which may be a message
UNSET_ON = "unset-on"  # as eq1, and on where it is not set
MOST_STEPS = 4  # names, parameters and results that a text is followed through
PATH_CALLS = set("""join exists isdir isfile expanduser abspath realpath dirname basename normpath Path PosixPath open makedirs listdir
    glob CDLL""".split())
LEVEL_CALLS = {"setLevel", "getLevelName"}  # of logging, whose levels are words
LOG_CALLS = set("print info warning warning_once info_once debug error critical exception log format".split())
LOWER_SETS = {frozenset({"1", "true"}): "py-lower-true1", frozenset({"1", "true", "yes"}): "py-lower-true1-yes",
              frozenset({"1", "on", "yes", "true"}): "hf-bool", frozenset({"1", "true", "on"}): "triton-bool", frozenset({"true"}): "py-lower-true",
              frozenset({"1"}): "eq1"}


TEXTS = {frozenset(): "string", frozenset({"upper"}): "string-upper", frozenset({"lower"}): "string-upper"}  # of texts that are kept


def name_of(node):
    """a.b.c of an attribute or name, or an empty text."""
    if isinstance(node, ast.Name):
        return node.id
    return f"{name_of(node.value)}.{node.attr}" if isinstance(node, ast.Attribute) else ""


class File:
    """A parsed file: the parent of each node, its constants, and the uses of its local names."""

    def __init__(self, text, rules):
        self.tree = ast.parse(text)
        self.wrappers = imported(self.tree, rules.get("wrappers", {}))
        self.converters, self.defaults = rules.get("converters", {}), rules.get("defaults", {})
        self.parents, self.constants, self.asked = {}, {}, set()
        self.words = {}  # constants of a file that are tuples of texts
        self.functions = functions_of(self.tree)
        self.helpers = {name for name, each in self.functions.items() if reads_parameter(each, self.wrappers)}
        for node in ast.walk(self.tree):
            for child in ast.iter_child_nodes(node):
                self.parents[child] = node
            for name in python_scopes.targets(node)[:1] if isinstance(node, (ast.Assign, ast.AnnAssign)) and node.value else ():
                value = constant_of(node.value, self.constants)
                if value is not None and isinstance(self.parents.get(node), (ast.Module, ast.ClassDef)):
                    self.constants[name] = value
                if isinstance(self.parents.get(node), ast.Module):
                    self.keep_words(name, node.value)

    def keep_words(self, name, value):
        is_set = isinstance(value, ast.Call) and name_of(value.func) in ("frozenset", "set", "tuple") and len(value.args) == 1
        words = words_of(self.constants, value.args[0] if is_set else value)
        if words:
            self.words[name] = tuple(words)

    def text_of(self, node):
        name = node.attr if isinstance(node, ast.Attribute) and name_of(node.value) in ("self", "cls") else None
        value = self.constants.get(name) if name else self.value_of(node)
        return value if isinstance(value, str) and re.fullmatch(r"[A-Z_][A-Z0-9_]+", value) else None

    def value_of(self, node):
        """The value of a literal expression, of constants of the file or of the function around it."""
        if isinstance(node, (ast.Constant, ast.Call, ast.Attribute, ast.Subscript)):
            return constant_of(node, self.constants)
        scope = self.scope_of(node)
        return constant_of(node, self.constants if isinstance(scope, ast.Module) else self.constants | python_scopes.constants(scope))

    def scope_of(self, node):
        while node in self.parents and not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Module)):
            node = self.parents[node]
        return node

    def in_try(self, node):
        """Whether a ValueError of NODE is caught around it."""
        while node in self.parents:
            parent = self.parents[node]
            if isinstance(parent, ast.Try) and node in parent.body:
                caught = [ast.unparse(each.type) if each.type else "Exception" for each in parent.handlers]
                if any(re.search(r"ValueError|Exception|TypeError", each) for each in caught):
                    return True
            if isinstance(parent, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)):
                return False
            node = parent
        return False


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


def words_of(constants, node):
    """The texts of a literal tuple, list or set."""
    if isinstance(node, (ast.Tuple, ast.List, ast.Set)):
        texts = [constant_of(each, constants) for each in node.elts]
        return texts if all(isinstance(each, str) for each in texts) else None
    return None


def compared(file, node, here, ops):
    """How `here == text`, `here in (texts)` and their likes read."""
    if len(node.ops) != 1:
        return None
    op, right = node.ops[0], node.comparators[0]
    if right is here:
        if isinstance(op, (ast.In, ast.NotIn)):
            return SHOWN if not ops and isinstance(file.value_of(node.left), str) else None
        right = node.left  # "1" == text
    if isinstance(op, (ast.Is, ast.IsNot)):
        return NEUTRAL
    text = constant_of(right, file.constants)
    if isinstance(op, (ast.Eq, ast.NotEq)) and text is None and not isinstance(right, ast.Constant):
        return SHOWN if not ops else None
    if isinstance(op, (ast.Eq, ast.NotEq)) and isinstance(text, str):
        if text == "":
            return "nonempty" if not ops else None
        if text in ("0", "1") and "strip" not in ops:
            return {"0": "ne0", "1": "eq1"}[text]
        if text in ("true", "TRUE") and ops == ({"lower"} if text == "true" else set()):
            return {"true": "py-lower-true", "TRUE": "eq-capital-true"}[text]
        return TEXTS.get(frozenset(ops))
    words = python_scopes.words(file, right)
    if words is None or not isinstance(op, ast.In):
        return None
    if None in words:
        return UNSET_ON if words in ([None, "1"], ["1", None]) and not ops else None
    cases = frozenset(each.lower() for each in words)
    if ops == {"lower", "strip"} and cases == {"1", "true"} and all(each.islower() or each.isdigit() for each in words):
        return "py-strip-true1"
    folded = ops == {"lower"} and all(each == each.lower() for each in words) or ops == {"upper"} and all(each == each.upper() for each in words)
    if cases == {"1"} and not ops - {"lower", "upper"}:
        return "eq1"
    return LOWER_SETS.get(cases) if folded else None


def converted(file, here, parent, ops, depth):
    """How `function(here)` reads, the function being parent.func."""
    called = name_of(parent.func).split(".")[-1]
    if here not in parent.args:
        return None
    if called in file.converters:
        return file.converters[called] if not ops and here is parent.args[0] else None
    if name_of(parent.func) == "sys.path.append":
        return "string" if not ops else None
    if called in LEVEL_CALLS:
        return "string-upper" if ops == {"upper"} else "string" if not ops else None
    function, name = python_scopes.parameter(file, parent, here, called)
    if function and depth < MOST_STEPS:
        return agreed(use_of(file, each, ops, depth + 1) for each in python_scopes.loads(file, function, name))
    if called in ("int", "float"):
        if ops - {"strip"} or len(parent.args) > 1 or file.in_try(parent):
            return None
        return truth_of_number(file, parent) if called == "int" else "py-float"
    if called == "bool":
        return "nonempty" if not ops else None
    if called in ("maybe_convert_int", "maybe_convert_bool"):
        return {"maybe_convert_int": "py-int", "maybe_convert_bool": "py-int-bool"}[called]
    return "string" if called in PATH_CALLS and not ops else NEUTRAL if called in LOG_CALLS else None


def truth_of_number(file, node):
    parent = file.parents.get(node)
    if isinstance(parent, ast.Call) and name_of(parent.func) == "bool" or is_test(file, node):
        return "py-int-bool"
    is_zero_test = isinstance(parent, ast.Compare) and parent.left is node and isinstance(parent.ops[0], ast.NotEq)
    return "py-int-bool" if is_zero_test and constant_of(parent.comparators[0]) == 0 else "py-int"


def use_of(file, here, ops=frozenset(), depth=0):
    """How the text at node HERE is read: a parser, NEUTRAL, or None. OPS are the changes that were made to it before."""
    parent = file.parents.get(here)
    match parent:
        case ast.Attribute(attr="lower" | "strip" | "upper" | "casefold" as op):
            call = file.parents.get(parent)
            if isinstance(call, ast.Call) and call.func is parent and not call.args:
                return use_of(file, call, ops | {"lower" if op == "casefold" else op}, depth)
            return None
        case ast.Attribute(attr="split"):
            call = file.parents.get(parent)
            given = [constant_of(each) for each in call.args] if isinstance(call, ast.Call) else []
            return "comma-list" if given == [","] and not ops else None
        case ast.Compare():
            return compared(file, parent, here, ops)
        case ast.Call():
            return converted(file, here, parent, ops, depth)
        case ast.UnaryOp(op=ast.Not()):
            return "nonempty" if not ops else None
        case ast.If(test=test) | ast.IfExp(test=test) | ast.While(test=test) if test is here:
            return "nonempty" if not ops else None
        case ast.BoolOp(op=ast.And()) if not ops:
            return "nonempty" if parent.values[-1] is not here or is_test(file, parent) else None
        case ast.BoolOp(op=ast.Or()) if not ops and is_test(file, parent):
            return "nonempty"
        case ast.BoolOp(op=ast.Or()) if not ops and parent.values[-1] is here:
            return use_of(file, parent, ops, depth)
        case ast.IfExp(body=body, orelse=orelse) if here in (body, orelse):
            return use_of(file, parent, ops, depth)
        case ast.FormattedValue():
            return NEUTRAL if is_message(file, parent) else SHOWN
        case ast.BinOp(op=ast.Add()) if not ops:
            return SHOWN
        case ast.Subscript(slice=key) if key is here and not ops:
            return SHOWN  # the key of a table
        case ast.Return():
            return returned(file, parent, ops, depth)
        case ast.Assign(targets=[ast.Attribute(value=ast.Name(id="self"), attr=name)]):
            return use_of_field(file, parent, name, ops, depth)
        case ast.Lambda(body=body) if body is here:
            return TEXTS.get(frozenset(ops))
        case ast.Assign(targets=[ast.Name(id=name)]) | ast.NamedExpr(target=ast.Name(id=name)) | ast.AnnAssign(target=ast.Name(id=name)):
            if isinstance(parent, ast.NamedExpr):
                own = use_of(file, parent, ops, depth + 1)
                rest = use_of_name(file, parent, name, ops, depth)
                if own == "nonempty" and rest in ("py-int", "py-float"):
                    return "py-int-or-empty" if rest == "py-int" else None  # an empty text is not parsed
                return rest if own in (NEUTRAL, "nonempty") and rest not in (NEUTRAL, None) else own if rest == NEUTRAL else None
            return use_of_name(file, parent, name, ops, depth)
    return None


def is_test(file, node):
    parent = file.parents.get(node)
    if isinstance(parent, ast.BoolOp) or isinstance(parent, ast.Call) and name_of(parent.func) == "bool":
        return is_test(file, parent) or isinstance(parent, ast.Call)
    return isinstance(parent, (ast.If, ast.IfExp, ast.While)) and parent.test is node or isinstance(parent, ast.UnaryOp)


def is_message(file, node):
    """Whether a part of a text is of one that is printed or raised."""
    while isinstance(node, (ast.FormattedValue, ast.JoinedStr, ast.BinOp)):
        node = file.parents.get(node)
    of = file.parents.get(node)
    is_logged = isinstance(node, ast.Call) and name_of(node.func).split(".")[-1] in LOG_CALLS
    return is_logged or isinstance(node, ast.Call) and isinstance(of, ast.Raise) or isinstance(node, ast.Assert)


def is_setting(file, node):
    """Whether an assignment is of a module or class, whose value others read."""
    return isinstance(file.parents.get(node), (ast.Module, ast.ClassDef))


def use_of_name(file, assignment, name, ops, depth):
    """What all uses of a local name agree on."""
    scope = file.scope_of(assignment)
    statement = assignment
    while not isinstance(statement, ast.stmt):
        statement = file.parents[statement]
    after = statement if isinstance(assignment, (ast.Assign, ast.AnnAssign)) else None
    if python_scopes.is_text(python_scopes.annotation_of(scope, name)):
        return TEXTS.get(frozenset(ops))
    if depth >= MOST_STEPS or (assignment, ops) in file.asked or after is None and is_given_twice(scope, name, assignment):
        return None
    file.asked.add((assignment, ops))
    found = agreed([use_of(file, each, ops, depth + 1) for each in python_scopes.loads(file, scope, name, after)])
    file.asked.discard((assignment, ops))
    is_text = isinstance(assignment, ast.AnnAssign) and is_setting(file, assignment) and python_scopes.is_text(assignment.annotation)
    return TEXTS.get(frozenset(ops)) if is_text and found in (None, NEUTRAL) else found


def is_given_twice(scope, name, assignment):
    return any(name in python_scopes.targets(each) and each is not assignment for each in python_scopes.inside(scope))


def use_of_field(file, assignment, name, ops, depth):
    """What all uses of self.NAME in its class agree on; a text if the class says that it is one."""
    if depth >= MOST_STEPS or (assignment, ops) in file.asked:
        return None
    file.asked.add((assignment, ops))
    found = agreed([use_of(file, each, ops, depth + 1) for each in python_scopes.loads_of_field(file, assignment, name)])
    file.asked.discard((assignment, ops))
    if found not in (None, NEUTRAL):
        return found
    return TEXTS.get(frozenset(ops)) if python_scopes.is_text(python_scopes.field(file, assignment, name)) else None


def returned(file, node, ops, depth):
    """How the result of the function around NODE is used; a text if the function says that it is one."""
    function = file.scope_of(node)
    if isinstance(function, ast.Module):
        return None
    if python_scopes.is_text(function.returns):
        return TEXTS.get(frozenset(ops))
    if not function.name.startswith("_") or depth >= MOST_STEPS:
        return None  # other files may call it
    calls = [each for each in ast.walk(file.tree) if isinstance(each, ast.Call) and name_of(each.func).split(".")[-1] == function.name]
    return agreed([use_of(file, each, ops, depth + 1) for each in calls])


def agreed(uses):
    """What all uses agree on: a parser, NEUTRAL, SHOWN or None."""
    uses = set(uses)
    telling = uses - {NEUTRAL, SHOWN} or uses & {SHOWN}
    if "nonempty" in telling and (len(telling) > 1 or SHOWN in uses):
        return None  # empty is a case of its own
    if "string" in telling and len(telling) > 1 and telling <= {"string", "string-upper"}:
        return None
    return telling.pop() if len(telling) == 1 else NEUTRAL if uses == {NEUTRAL} else None


def found_at(file, node, name, default, wrapper):
    default = python_scopes.without_fbcode(default)
    if wrapper and wrapper[0] != PRESENT:
        call, parser = wrapper
        tried = by_trial(file, node, name) if call in file.helpers else None
        if tried:
            return tried
        parser, otherwise = (parser.get("parser", ""), parser.get("default")) if isinstance(parser, dict) else (parser, None)
        if default is None and otherwise is not None:
            return Found(name, node.lineno, parser, default_text(parser, otherwise))
        given = constant_of(default, file.constants) if default else file.defaults.get(call)
        return Found(name, node.lineno, parser, default_text(parser, given) if parser else None, why="" if parser else f"{call}() has no parser")
    if wrapper:
        return Found(name, node.lineno, PRESENT)
    parser = use_of(file, node)
    parser = "string" if parser == SHOWN else parser
    if parser in (None, NEUTRAL):
        is_test_only = parser == NEUTRAL
        tried = None if is_test_only and default is None else by_trial(file, node, name)
        if is_saved(file, node, name):
            return Found(name, node.lineno, why=SAVED)
        if tried:
            return tried
        return Found(name, node.lineno, PRESENT if is_test_only and default is None else "",
                     why="" if is_test_only and default is None else "its text goes where no rule follows it")
    given = constant_of(default, file.constants) if default else None
    if parser == UNSET_ON:
        parser, given = "eq1", "1"
    off = {"eq1": "0", "hf-bool": "0", "triton-bool": "0", "nonempty": ""}.get(parser) if default is None and isinstance(node, ast.Call) else None
    return Found(name, node.lineno, parser, default_text(parser, given) if given is not None else off, implied=given is None)


def by_trial(file, node, name):
    result = followed(file, node, name)
    return Found(name, node.lineno, *result) if result else None


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
