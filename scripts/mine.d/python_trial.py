# SPDX-License-Identifier: MIT
"""Python: what an expression or a function makes of a text, found by trying texts. Only names, literals, comparisons, conversions and methods of
texts are evaluated here; nothing of a reader's source is run."""
import ast

from found import constant_of
from python_models import FAILS, MODELS, UNSET
from python_scopes import name_of, without_fbcode

LOG_CALLS = set("print info warning warning_once info_once debug debug_once error critical exception log log_rank_0 warn".split())
METHODS = set("lower upper strip lstrip rstrip casefold split startswith endswith isdigit isdecimal isnumeric replace removeprefix".split())
PLAIN_CALLS = {"int": int, "float": float, "bool": bool, "str": str, "len": len, "max": max, "min": min, "tuple": tuple, "set": set,
               "list": list, "frozenset": frozenset}
PATHS = ("expanduser", "expandvars", "abspath", "realpath", "normpath", "Path")  # they keep a text a path
MOST_STEPS = 400
RAISED = "raised"


class Unclear(Exception):
    """The evaluation met something that has no rule."""


class Raised(Exception):
    """The code raises the exception with this name."""


class Returned(Exception):
    """The code returns a value."""


class Unknown:
    """A value that does not come from the text, by its source."""

    def __init__(self, source):
        self.source = source

    def __eq__(self, other):
        return isinstance(other, Unknown) and self.source == other.source

    def __hash__(self):
        return hash(self.source)


def is_known(value):
    return not isinstance(value, Unknown) and not (isinstance(value, (list, tuple)) and any(isinstance(each, Unknown) for each in value))


class Later:
    """A function without parameters that was made, and that its maker's caller calls."""

    def __init__(self, body, trial):
        self.body, self.trial = body, trial

    def __call__(self):
        return self.trial.run(self.body) if isinstance(self.body, list) else self.trial.value(self.body)


class Trial:
    """Evaluates code of FILE where VARIABLE has this text (None: it is not set), local names have these values, and nodes the GIVEN one."""

    def __init__(self, file, variable, text, names=None, depth=0, given=None):
        self.file, self.variable, self.text, self.names, self.depth = file, variable, text, dict(names or {}), depth
        self.given, self.steps = given or ((), None), 0

    def depends(self, node):
        """Whether NODE mentions the variable, or a name that was assigned here."""
        return any(each in self.given[0] or isinstance(each, ast.Name) and each.id in self.names or self.is_variable(each) for each in ast.walk(node))

    def is_variable(self, node):
        if isinstance(node, ast.Name) and node.id in self.names:
            return self.names[node.id] == self.variable
        return isinstance(node, (ast.Constant, ast.Name, ast.Attribute, ast.JoinedStr, ast.BinOp)) and self.file.text_of(node) == self.variable

    def is_environment(self, node):
        return name_of(node).split(".")[-1] in ("environ", "_environ")

    def read(self, node):
        """The value of NODE if it reads the variable, as a list of one."""
        if isinstance(node, ast.Call) and node.args and isinstance(node.func, (ast.Name, ast.Attribute)):
            called = name_of(node.func)
            if called.endswith(("environ.get", "getenv")):
                if not self.is_variable(node.args[0]):
                    return [self.value(node.args[1]) if len(node.args) > 1 else None]  # another variable, which is not set
                default = node.args[1] if len(node.args) > 1 else next((each.value for each in node.keywords if each.arg == "default"), None)
                return [self.text if self.text is not None else self.value(default) if default else None]
        if isinstance(node, ast.Subscript) and self.is_environment(node.value) and self.is_variable(node.slice):
            if self.text is None:
                raise Raised("KeyError")
            return [self.text]
        if isinstance(node, ast.Compare) and isinstance(node.ops[0], (ast.In, ast.NotIn)) and len(node.ops) == 1:
            if self.is_variable(node.left) and self.is_environment(node.comparators[0]):
                return [(self.text is not None) == isinstance(node.ops[0], ast.In)]
        return []

    def value(self, node):
        self.steps += 1
        if self.steps > MOST_STEPS:
            raise Unclear
        if node in self.given[0]:
            if self.given[1] is FAILS:
                raise Raised("ValueError")
            return self.given[1]
        here = self.read(node)
        if here:
            return here[0]
        method = getattr(self, f"of_{type(node).__name__}", None)
        if method:
            return method(node)
        if self.depends(node):
            raise Unclear
        return Unknown(ast.unparse(node))

    def of_Lambda(self, node):
        return Later(node.body, self)

    def truth(self, node):
        value = self.value(node)
        if not is_known(value):
            raise Unclear
        return bool(value)

    def of_Constant(self, node):
        return node.value

    def of_Name(self, node):
        if node.id in self.names:
            return self.names[node.id]
        value = self.file.value_of(node)
        words = self.file.words_of(node) if value is None else None
        return tuple(words) if words else Unknown(node.id) if value is None else value

    def of_Attribute(self, node):
        if self.depends(node):
            raise Unclear
        value = constant_of(node, self.file.constants)
        return Unknown(ast.unparse(node)) if value is None else value

    def of_Tuple(self, node):
        return tuple(self.value(each) for each in node.elts)

    def of_List(self, node):
        return [self.value(each) for each in node.elts]

    def of_Set(self, node):
        return tuple(self.value(each) for each in node.elts)

    def of_Dict(self, node):
        if any(key is None for key in node.keys):
            raise Unclear
        return {self.value(key): self.value(value) for key, value in zip(node.keys, node.values)}

    def of_NamedExpr(self, node):
        self.names[node.target.id] = self.value(node.value)
        return self.names[node.target.id]

    def of_BoolOp(self, node):
        is_and = isinstance(node.op, ast.And)
        for index, each in enumerate(node.values[:-1]):
            value = self.value(each)
            if not is_known(value):
                if not any(self.depends(later) for later in node.values[index + 1:]):
                    raise Unclear
                continue
            if bool(value) != is_and:
                return value
        return self.value(node.values[-1])

    def of_UnaryOp(self, node):
        if isinstance(node.op, ast.Not):
            return not self.truth(node.operand)
        value = self.value(node.operand)
        if isinstance(node.op, ast.USub) and isinstance(value, (int, float)):
            return -value
        raise Unclear

    def of_BinOp(self, node):
        if self.depends(node):
            raise Unclear
        value = constant_of(node, self.file.constants)
        return Unknown(ast.unparse(node)) if value is None else value

    def of_IfExp(self, node):
        node = without_fbcode(node)
        if not isinstance(node, ast.IfExp):
            return self.value(node)
        test, of_text = self.value(node.test), [each for each in (node.body, node.orelse) if self.depends(each)]
        if is_known(test):
            return self.value(node.body if test else node.orelse)
        if len(of_text) != 1 or self.depends(node.test):
            raise Unclear
        return self.value(of_text[0])  # the other one has nothing to do with the text

    def of_Compare(self, node):
        left = self.value(node.left)
        for op, each in zip(node.ops, node.comparators):
            right = self.value(each)
            if not compares(left, op, right):
                return False
            left = right
        return True

    def of_Subscript(self, node):
        held, key = self.value(node.value), self.value(node.slice)
        if isinstance(held, dict) and is_known(key):
            if key not in held:
                raise Raised("KeyError")
            return held[key]
        if self.depends(node):
            raise Unclear
        return Unknown(ast.unparse(node))

    def of_JoinedStr(self, node):
        if self.depends(node):
            raise Unclear
        return Unknown(ast.unparse(node))

    def of_Call(self, node):
        called = node.func.id if isinstance(node.func, ast.Name) else node.func.attr if isinstance(node.func, ast.Attribute) else ""
        if called in LOG_CALLS:
            return None
        if isinstance(node.func, ast.Name) and isinstance(self.names.get(called), Later) and not node.args and not node.keywords:
            return self.names[called]()
        if called in self.file.converters and self.file.converters[called] in MODELS and len(node.args) == 1:
            return self.modelled(self.file.converters[called], self.value(node.args[0]))
        if called in PATHS and len(node.args) == 1 and not node.keywords:
            return self.value(node.args[0])
        if isinstance(node.func, ast.Attribute) and not node.keywords:
            held = self.value(node.func.value)
            if isinstance(held, dict) and called == "get":
                return held.get(*(self.value(each) for each in node.args))
            if isinstance(held, str) and called in METHODS:
                return guarded(getattr(held, called), [self.value(each) for each in node.args])
            if held is None and called in METHODS:
                raise Raised("AttributeError")
        if isinstance(node.func, ast.Name) and called in PLAIN_CALLS and not node.keywords and called not in self.file.functions:
            given = [self.value(each) for each in node.args]
            if not all(is_known(each) for each in given):
                if called in ("max", "min") and not self.depends(node):
                    return Unknown(ast.unparse(node))
                if called in ("str", "int", "float") and not any(is_known(each) for each in given):
                    return given[0]
                raise Unclear
            return guarded(PLAIN_CALLS[called], given)
        if called in self.file.wrappers and called not in self.file.functions and node.args and self.is_variable(node.args[0]):
            return self.wrapped(self.file.wrappers[called], node)
        if isinstance(node.func, ast.Name) and called in self.file.functions and self.depth < 3 and self.depends(node):
            return self.result_of(self.file.functions[called], node)
        if self.depends(node):
            raise Unclear
        return Unknown(ast.unparse(node))

    def wrapped(self, wrapper, call):
        """The value of a function of another file, whose parser is known."""
        parser, default = (wrapper.get("parser", ""), wrapper.get("default")) if isinstance(wrapper, dict) else (wrapper, None)
        if parser not in MODELS:
            raise Unclear
        default = self.value(call.args[1]) if len(call.args) > 1 else default
        if self.text is None and not isinstance(default, str):
            return default
        return self.modelled(parser, self.text if self.text is not None else default, default)

    def modelled(self, parser, text, default=None):
        """What PARSER makes of TEXT."""
        if not isinstance(text, str):
            raise Unclear
        got = MODELS[parser](text)
        if got is FAILS:
            raise Raised("ValueError")
        return default if got is UNSET else got

    def result_of(self, function, call):
        """The value that FUNCTION, of the same file, returns for the arguments of CALL."""
        if any(isinstance(each, ast.Starred) for each in call.args) or any(each.arg is None for each in call.keywords):
            raise Unclear
        given = {each.arg: self.value(each.value) for each in call.keywords}
        names = bound(function, [self.value(each) for each in call.args], given)
        made = Trial(self.file, self.variable, self.text, names, self.depth + 1).run(function.body)
        return made() if isinstance(made, Later) else made

    def run(self, body):
        """The value that a function with this body returns."""
        try:
            self.statements(body)
        except Returned as answer:
            return answer.args[0]
        return None

    def statements(self, body):
        for each in body:
            method = getattr(self, f"do_{type(each).__name__}", None)
            if method:
                method(each)
            elif self.depends(each) or any(isinstance(part, (ast.Return, ast.Raise)) for part in ast.walk(each)):
                raise Unclear

    def do_Return(self, node):
        raise Returned(self.value(node.value) if node.value else None)

    def do_Raise(self, node):
        raised = node.exc.func if isinstance(node.exc, ast.Call) else node.exc
        raise Raised(ast.unparse(raised) if raised else RAISED)

    def do_Pass(self, node):
        pass

    do_Import = do_ImportFrom = do_Global = do_Nonlocal = do_ClassDef = do_Pass

    def do_FunctionDef(self, node):
        if not node.args.args:
            self.names[node.name] = Later(node.body, Trial(self.file, self.variable, self.text, self.names, self.depth))

    def do_Expr(self, node):
        self.value(node.value)

    def do_Assert(self, node):
        if not self.truth(node.test):
            raise Raised("AssertionError")

    def do_Assign(self, node):
        self.assign(node.targets[0] if len(node.targets) == 1 else None, node.value)

    def do_AnnAssign(self, node):
        if node.value:
            self.assign(node.target, node.value)

    def do_AugAssign(self, node):
        if self.depends(node):
            raise Unclear

    def assign(self, target, value):
        if isinstance(target, ast.Name):
            self.names[target.id] = self.value(value)
        elif self.depends(value):
            raise Unclear

    def do_If(self, node):
        self.statements(node.body if self.truth(node.test) else node.orelse)

    def do_Try(self, node):
        if node.finalbody:
            raise Unclear
        try:
            self.statements(node.body)
        except Raised as raised:
            handler = next((each for each in node.handlers if catches(each, raised.args[0])), None)
            if handler is None:
                raise
            if handler.name:
                self.names[handler.name] = Unknown(handler.name)
            self.statements(handler.body)
            return
        self.statements(node.orelse)


def catches(handler, name):
    kinds = ast.unparse(handler.type) if handler.type else "Exception"
    return any(kind.strip() in (name, "Exception", "BaseException") for kind in kinds.strip("()").split(","))


def bound(function, given, named):
    """The parameters of FUNCTION with their values; a default that is not a literal is unknown."""
    plain = [each.arg for each in function.args.posonlyargs + function.args.args]
    defaults = dict(zip(reversed(plain), reversed(function.args.defaults)))
    defaults.update({each.arg: value for each, value in zip(function.args.kwonlyargs, function.args.kw_defaults) if value})
    names = {}
    for name, node in defaults.items():
        is_none = isinstance(node, ast.Constant) and node.value is None
        value = constant_of(node)
        names[name] = None if is_none else Unknown(name) if value is None else value
    names.update(zip(plain, given))
    names.update(named)
    return names


def guarded(function, given):
    if not all(is_known(each) for each in given):
        raise Unclear
    try:
        return function(*given)
    except (ValueError, TypeError, OverflowError) as error:
        raise Raised(type(error).__name__) from error


def compares(left, op, right):
    if isinstance(op, (ast.Is, ast.IsNot)) and (left is None or right is None) and is_known(left) and is_known(right):
        return (left is right) == isinstance(op, ast.Is)
    if not is_known(left) or not is_known(right):
        raise Unclear
    try:
        match op:
            case ast.Eq():
                return left == right
            case ast.NotEq():
                return left != right
            case ast.In():
                return left in right
            case ast.NotIn():
                return left not in right
            case ast.Lt():
                return left < right
            case ast.LtE():
                return left <= right
            case ast.Gt():
                return left > right
            case ast.GtE():
                return left >= right
    except TypeError as error:
        raise Raised("TypeError") from error
    raise Unclear
