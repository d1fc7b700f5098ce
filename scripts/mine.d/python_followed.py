# SPDX-License-Identifier: MIT
"""Python: follows a read through its expression, its local name and its function, and names the parser that all of it equals."""
import ast
import re

from found import default_text
from python_models import FAILS, NUMBERS, TEXTS, parser_of
from python_trial import LOG_CALLS, Raised, Trial, Unclear, is_known

TEXT_PARSERS = ("string", "string-upper")
PARSES = re.compile(r"^get$|parse|bool|int|float|coerce|convert|normal|resolve|size|level|flag|strict|valid|number|eval|loads|truthy|enabled", re.I)
LIKE_A_NUMBER = re.compile(r"-?[\d.]+|true|false|yes|no|on|off", re.I)
MOST_STORES = 3  # a name that gets more values is not only the text
LINES_OF_TRY = 3  # a longer block is about other things as well
HELD = (ast.Lambda, ast.NamedExpr, ast.Dict, ast.List, ast.Tuple, ast.Set, ast.JoinedStr, ast.FormattedValue, ast.Starred)  # they hold a value
SAVED = "it is saved and put back"
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)


class Reading:
    """One variable of one file."""

    def __init__(self, file, name):
        self.file, self.name = file, name

    def answers(self, evaluate):
        """What EVALUATE, a function of a trial, gives for each text, and without the variable; None if that is not clear."""
        def one(text):
            try:
                return evaluate(text)
            except Raised:
                return FAILS
        try:
            return {text: one(text) for text in TEXTS}, one(None)
        except (Unclear, RecursionError):
            return None

    def parsed(self, evaluate):
        got = self.answers(evaluate)
        return got and parser_of(*got)

    def of_node(self, node, before=None):
        """Of an expression. BEFORE: a local name, and the function that gives its value for a text."""
        def evaluate(text):
            return Trial(self.file, self.name, text, {before[0]: before[1](text)} if before else {}).value(node)
        return evaluate

    def of_function(self, function):
        return lambda text: Trial(self.file, self.name, text).run(function.body)

    def climb(self, node, before=None):
        """The last parser on the way up from NODE, and the outermost expression that is clear. A truth that no parser equals has none."""
        best, top = None, node
        while True:
            got = self.answers(self.of_node(node, before))
            if got is None:
                return best, top
            new = parser_of(*got)
            if new is None and is_truth(got[0]) and (best is None or best[0] in TEXT_PARSERS):
                return None, node
            best, top = self.better(node, new, best), node
            parent = self.file.parents.get(node)
            method = self.file.parents.get(parent)
            if isinstance(parent, ast.Attribute) and isinstance(method, ast.Call) and method.func is parent:
                parent = method
            if not isinstance(parent, ast.expr) or isinstance(parent, HELD):
                return best, top
            node = parent

    def better(self, node, new, old):
        """NEW unless OLD says more: a number that is compared stays a number, a caught error counts as unset."""
        if new is None:
            return old
        if old and old[0] in NUMBERS and new[0] == "nonempty":
            return old
        caught = {"py-int": "sglang-int", "py-float": "sglang-float"}.get(new[0])
        if caught and not (old and old[0] == caught):
            kind = self.handler_of(node)
            if kind == "raises":
                return new
            if kind:
                return caught, new[1]
        return new

    def handler_of(self, node):
        """Whether a ValueError of NODE is caught in its function: "raises" if the handler raises again."""
        while node in self.file.parents:
            parent = self.file.parents[node]
            if isinstance(parent, ast.Try) and node in parent.body:
                for handler in parent.handlers:
                    if re.search(r"ValueError|Exception|TypeError", ast.unparse(handler.type) if handler.type else "Exception"):
                        is_around = len(parent.body) > LINES_OF_TRY or any(isinstance(each, ast.Raise) for each in handler.body)
                        return "raises" if is_around else "caught"
            if isinstance(parent, FUNCTIONS):
                return ""
            node = parent
        return ""

    def function_of(self, node):
        while node in self.file.parents and not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            node = self.file.parents[node]
        return node if isinstance(node, ast.FunctionDef) else None

    def by_function(self, node):
        """The parser that the whole function around NODE equals, by what it returns."""
        function = self.function_of(node)
        if function is None or any(isinstance(each, (ast.Yield, ast.YieldFrom)) for each in ast.walk(function)):
            return None
        first = next((index for index, each in enumerate(function.body) if node in set(ast.walk(each))), 0)
        rest = ast.FunctionDef(name=function.name, body=function.body[first:])
        return self.parsed(self.of_function(rest))

    def result(self, node):
        """Parser and value without the variable, or None."""
        whole = self.by_function(node)
        if whole and whole[0] not in TEXT_PARSERS:
            return whole
        best, top = self.climb(node)
        parent = self.file.parents.get(top)
        target = parent.target if isinstance(parent, (ast.AnnAssign, ast.NamedExpr)) else parent.targets[0] if isinstance(parent, ast.Assign) else None
        if isinstance(target, ast.Name) and (best is None or best[0] in (*TEXT_PARSERS, "nonempty")):
            return self.by_name(parent, target.id, top, best)
        if isinstance(target, ast.Attribute) and (best is None or best[0] in TEXT_PARSERS) and self.is_converted(parent, target):
            return None
        if isinstance(parent, (ast.If, ast.While, ast.IfExp)) and parent.test is top and (best is None or best[0] in TEXT_PARSERS):
            return self.parsed(lambda text: bool(known(self.of_node(top)(text))))
        if best and best[0] not in TEXT_PARSERS:
            return best
        return best if best and self.is_text(top, best[1]) else None

    def is_converted(self, assignment, target):
        """Whether the function of ASSIGNMENT parses its TARGET, an attribute, in a later call."""
        text = ast.unparse(target)
        return any(isinstance(each, ast.Call) and each.lineno > assignment.lineno and PARSES.search(called(each))
                   and text in map(ast.unparse, each.args) for each in ast.walk(self.file.scope_of(assignment)))

    def by_name(self, assignment, name, top, best):
        """What the uses of a local name agree on."""
        scope = self.file.scope_of(assignment)
        loads, stores = [], 0
        for each in ast.walk(scope):
            if isinstance(each, ast.Name) and each.id == name:
                stores += not isinstance(each.ctx, ast.Load)
                if isinstance(each.ctx, ast.Load) and each.lineno >= assignment.lineno:
                    loads.append(each)
        if stores > MOST_STORES or not loads and not isinstance(scope, ast.Module):
            return None
        is_test = isinstance(self.file.parents.get(assignment), (ast.If, ast.While, ast.IfExp))
        found, texts, tests = {}, [], isinstance(assignment, ast.NamedExpr) and is_test
        for each in loads:
            kind = self.use(each, name, top)
            if kind is None:
                return None
            tests = tests or kind == "test"
            if isinstance(kind, tuple):
                if kind[0] in TEXT_PARSERS:
                    texts.append(kind)
                else:
                    found[kind[0]] = kind
        if found:
            return self.agreed(found, texts, tests)
        if texts or not loads:
            return (texts or [best])[0] if best else None
        return self.parsed(lambda text: bool(known(self.of_node(top)(text)))) if tests else best and (best if best[0] == "nonempty" else None)

    def agreed(self, found, texts, tests):
        if len(found) != 1 or texts:
            return None
        parser, without = next(iter(found.values()))
        if tests and parser in ("py-int", "py-int-or-empty"):
            return "py-int-or-empty", without
        return None if tests and parser not in ("sglang-int", "sglang-float", "comma-list", "nonempty") else (parser, without)

    def use(self, node, name, top):
        """Of one use of a local name: a parser with its value, "test", "seen" where it says nothing; None if it is not clear."""
        parent = self.file.parents.get(node)
        if self.is_log(node) or self.is_put_back(node):
            return "seen"
        if isinstance(parent, ast.Compare) and isinstance(parent.ops[0], (ast.Is, ast.IsNot)):
            return "seen"
        best, outer = self.climb(node, (name, self.of_node(top)))
        around = self.file.parents.get(outer)
        if outer is node and (isinstance(around, (ast.If, ast.While, ast.IfExp)) and around.test is node or isinstance(around, (ast.BoolOp, ast.UnaryOp))):
            return "test"
        if best and best[0] == "nonempty" and isinstance(outer, (ast.UnaryOp, ast.BoolOp)):
            return "test"
        if best and best[0] not in TEXT_PARSERS:
            return best
        return best if best and self.is_text(outer, best[1]) else None

    def is_log(self, node):
        while node in self.file.parents and isinstance(self.file.parents[node], (ast.expr, ast.keyword, ast.Raise)):
            node = self.file.parents[node]
            if isinstance(node, ast.Raise) or isinstance(node, ast.Call) and ast.unparse(node.func).split(".")[-1] in LOG_CALLS:
                return True
        return isinstance(node, ast.Raise)

    def is_put_back(self, node):
        """Whether NODE becomes the value of the variable again."""
        parent = self.file.parents.get(node)
        target = parent.targets[0] if isinstance(parent, ast.Assign) else None
        return isinstance(target, ast.Subscript) and ast.unparse(target.value).endswith("environ")

    def is_saved(self, node):
        """Whether the text at NODE is only kept to be put back."""
        parent = self.file.parents.get(node)
        if not isinstance(parent, ast.Assign) or not isinstance(parent.targets[0], ast.Name):
            return False
        name = parent.targets[0].id
        loads = [each for each in ast.walk(self.file.scope_of(parent)) if isinstance(each, ast.Name) and each.id == name and isinstance(each.ctx, ast.Load)]
        return any(self.is_put_back(each) for each in loads) and all(self.is_put_back(each) or isinstance(self.file.parents.get(each), ast.Compare)
                                                                     for each in loads)

    def is_text(self, node, without):
        """Whether NODE, which is the text or the text in another case, goes where a text is used as it is."""
        if isinstance(without, str) and LIKE_A_NUMBER.fullmatch(without):
            return False
        parent = self.file.parents.get(node)
        if isinstance(parent, ast.keyword):
            return not PARSES.search(parent.arg or "x") and not PARSES.search(called(self.file.parents.get(parent)))
        if isinstance(parent, ast.Call):
            is_key = called(parent) == "get" and parent.args[:1] == [node]
            return node is not parent.func and (is_key or not PARSES.search(called(parent)))
        if isinstance(parent, ast.Attribute):
            return parent.attr in ("format", "replace", "encode", "strip", "rstrip", "lstrip", "lower", "upper", "startswith", "endswith")
        if isinstance(parent, ast.Compare) or isinstance(node, ast.Compare):
            return True
        if isinstance(parent, ast.Subscript):
            return parent.slice is node
        return isinstance(parent, (ast.Return, ast.Assign, ast.AnnAssign, ast.NamedExpr, ast.List, ast.Tuple, ast.Dict, ast.FormattedValue, ast.BinOp,
                                   ast.Lambda, ast.BoolOp, ast.Set))


def is_truth(answers):
    """Whether ANSWERS are truths that depend on the text."""
    return {True, False} <= {each for each in answers.values() if isinstance(each, bool)}


def known(value):
    if not is_known(value):
        raise Unclear
    return value


def called(node):
    return ast.unparse(node.func).split(".")[-1] if isinstance(node, ast.Call) else ""


def literal_default(parser, without):
    """The default that a value without the variable means."""
    return default_text(parser, without) if isinstance(without, (str, int, float)) else None


def followed(file, node, name):
    """Parser and default of the read at NODE, or None."""
    result = Reading(file, name).result(node)
    return result and (result[0], literal_default(*result))


def is_saved(file, node, name):
    return Reading(file, name).is_saved(node)


def returned(file, function, name):
    """The same of a function, a lambda or its name, which is a row of a table of variables."""
    reading = Reading(file, name)
    if isinstance(function, ast.Name):
        function = file.functions.get(function.id)
    if function is None:
        return None
    result = reading.parsed(reading.of_node(function.body) if isinstance(function, ast.Lambda) else reading.of_function(function))
    return result and (result[0], literal_default(*result))
