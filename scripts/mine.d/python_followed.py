# SPDX-License-Identifier: MIT
"""Python: follows a text through its expression, names, fields and functions, and names the parser that all of its uses equal."""
import ast
import re

import python_scopes
from found import default_text
from python_models import FAILS, NUMBERS, TEXTS, parser_of
from python_scopes import name_of
from python_trial import LOG_CALLS, PATHS, Raised, Trial, Unclear, Unknown, is_known

TEXT_PARSERS = ("string", "string-upper")
SEEN = ("seen", None)  # a use that says nothing of how the text is read
SHOWN, BLANK = "shown", "blank"  # instead of a parser: a part of a longer text, which may be a message; a test whether it is empty or blank
LEVEL_CALLS = ("setLevel", "getLevelName")  # of logging, whose levels are words
PARSES = re.compile(r"^get$|parse|bool|int|float|coerce|convert|normal|resolve|size|level|flag|strict|valid|number|eval|loads|truthy|enabled", re.I)
LIKE_A_NUMBER = re.compile(r"-?\d[\d.]*|true|false|yes|no|on|off", re.I)
MOST_STEPS = 4  # names, fields, parameters and results that a text is followed through
LINES_OF_TRY = 3  # a longer block is about other things as well
HELD = (ast.Lambda, ast.NamedExpr, ast.Dict, ast.List, ast.Tuple, ast.Set, ast.JoinedStr, ast.FormattedValue, ast.Starred)  # they hold a value
PASSES = (ast.Return, ast.Assign, ast.AnnAssign, ast.NamedExpr, ast.List, ast.Tuple, ast.Dict, ast.Set, ast.BinOp, ast.Lambda, ast.BoolOp, ast.Compare)
METHODS = ("format", "replace", "encode", "strip", "rstrip", "lstrip", "lower", "upper", "startswith", "endswith")
SAVED = "it is saved and put back"
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)


class Reading:
    """One variable of one file."""

    def __init__(self, file, name):
        self.file, self.name, self.asked = file, name, set()

    def answers(self, evaluate):
        """Returns what EVALUATE gives for each text, and for None, which stands for an unset variable; None if that is not clear."""
        def one(text):
            try:
                return evaluate(text)
            except Raised:
                return FAILS
        try:
            found = {text: one(text) for text in TEXTS}
        except (Unclear, RecursionError):
            return None
        try:
            return {**found, None: one(None)}
        except (Unclear, RecursionError):
            return {**found, None: Unknown("")}

    def parsed(self, evaluate):
        found = self.answers(evaluate)
        return found and parser_of(found)

    def of_node(self, node, given=None):
        """Of an expression. GIVEN: nodes of it, and their answers."""
        return lambda text: Trial(self.file, self.name, text, given=given and (given[0], given[1][text])).value(node)

    def of_function(self, function):
        return lambda text: Trial(self.file, self.name, text).run(function.body)

    def result(self, node):
        """The parser of the read at NODE, and the value without the variable; SEEN, or None."""
        whole = self.by_function(node)
        if whole and whole[0] not in TEXT_PARSERS:
            return whole
        found = self.use(node)
        if found == SEEN and self.is_log(node) or found and found[0] == SHOWN:
            return "string", found[1]
        return None if found and found[0] == BLANK else found

    def by_function(self, node):
        """The parser that the whole function around NODE equals, by what it returns."""
        function = self.file.scope_of(node)
        if not isinstance(function, ast.FunctionDef) or any(isinstance(each, (ast.Yield, ast.YieldFrom)) for each in ast.walk(function)):
            return None
        first = next((index for index, each in enumerate(function.body) if Trial(self.file, self.name, None).depends(each)), 0)
        return self.parsed(self.of_function(ast.FunctionDef(name=function.name, body=function.body[first:])))

    def use(self, node, given=None, depth=0):
        """How the text is read that NODE has, or that it makes of GIVEN. As far up as its expression is clear, by trying texts; then by
        where the last of it goes."""
        best, way, is_odd, word = None, {}, False, None
        answers = self.answers(self.of_node(node, given))
        while answers:
            new = parser_of(answers)
            if new is None and (best is None or best[0] in TEXT_PARSERS):
                word = word or (self.word(node, way, best, answers) if isinstance(node, ast.Compare) else None)
                is_odd = is_odd or depends_on_text(answers)
            way[node], is_odd, best = answers, is_odd and new is None, self.better(node, new, best)
            node = self.above(node)
            answers = node and self.answers(self.of_node(node, given))
        if not way or best and best[0] not in (*TEXT_PARSERS, "py-int"):
            return best
        is_number = best and best[0] == "py-int"
        test = next((each for each in way if python_scopes.is_test(self.file, each)), None)
        if word and not is_number:
            return word
        if test:
            found = self.parsed(lambda text: bool(known(self.of_node(test, given)(text))))
            return found or (best if is_number else (BLANK, None) if best and is_whole(way[test]) else None)
        if is_number or is_odd:
            return best if is_number else None
        last = list(way)[-1]
        found = self.goes(last, best, way[last], depth)
        return best if found in (None, SEEN) and any(called(each) in PATHS for each in way) else found

    def above(self, node):
        """The expression that makes something else of NODE, or None."""
        parent = self.file.parents.get(node)
        method = self.file.parents.get(parent)
        if isinstance(parent, ast.Attribute) and isinstance(method, ast.Call) and method.func is parent:
            return method
        return parent if isinstance(parent, ast.expr) and not isinstance(parent, HELD) and called(parent) not in LOG_CALLS else None

    def word(self, node, way, best, answers):
        """How a comparison reads that no parser equals: a text that is compared with a word stays one; None if it is not clear. WAY: the
        answers of the expressions in it."""
        op, right = node.ops[0], node.comparators[0]
        if isinstance(op, (ast.Is, ast.IsNot)):
            return SEEN
        if isinstance(op, (ast.In, ast.NotIn)) and right in way:
            return (SHOWN, best[1]) if best and isinstance(self.file.value_of(node.left), str) else None
        is_stripped = any(each[" 1"] == "1" for each in way.values())
        return best if isinstance(op, (ast.Eq, ast.NotEq)) and not is_stripped or not depends_on_text(answers) else None

    def better(self, node, new, old):
        """NEW unless OLD says more: a number that is compared stays a number, a caught error counts as unset."""
        if new is None:
            return old
        if old and old[0] in NUMBERS and new[0] == "nonempty":
            return old
        caught = {"py-int": "sglang-int", "py-float": "sglang-float"}.get(new[0])
        if caught and not (old and old[0] == caught):
            kind = self.handler_of(node)
            if kind:
                return new if kind == "raises" else (caught, new[1])
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

    def goes(self, node, best, answers, depth):
        """How the text at NODE is read, by the statement or call that it goes to."""
        parent = self.file.parents.get(node)
        if self.is_log(node) or self.is_put_back(node):
            return SEEN
        if best is None:
            return None
        if not is_whole(answers):
            return best if self.is_text(node, best[1]) else None
        match parent:
            case ast.Compare(ops=[ast.Is() | ast.IsNot()]):
                return SEEN
            case ast.FormattedValue() | ast.Compare(ops=[ast.Eq() | ast.NotEq()]) | ast.BinOp(op=ast.Add()):
                return SHOWN, best[1]
            case ast.Subscript(slice=key) if key is node:
                return SHOWN, best[1]  # the key of a table
            case ast.Assign(targets=[ast.Name(id=name)]) | ast.NamedExpr(target=ast.Name(id=name)) | ast.AnnAssign(target=ast.Name(id=name)):
                found = self.by_name(parent, name, best, answers, depth)
                is_other = depth and not any(getattr(each, "id", "") == name for each in ast.walk(node))
                return found or (best if is_other and self.is_text(node, best[1]) else None)
            case ast.Assign(targets=[ast.Attribute() as target]):
                found = self.by_field(parent, target, best, answers, depth)
            case ast.Call():
                found = self.by_parameter(parent, node, best, answers, depth)
            case ast.Return():
                found = self.by_return(parent, best, answers, depth)
            case _:
                found = SEEN
        return best if found == SEEN and self.is_text(node, best[1]) else None if found == SEEN else found

    def uses(self, nodes, answers, depth):
        """The uses of NODES, which all have ANSWERS."""
        nodes = list(nodes)
        key = frozenset(nodes)
        if depth >= MOST_STEPS or key in self.asked:
            return [None]
        self.asked.add(key)
        found = [self.use(each, (key, answers), depth + 1) for each in nodes]
        self.asked.discard(key)
        return found

    def by_name(self, assignment, name, best, answers, depth):
        """What the uses of a local name agree on."""
        scope, is_inner = self.file.scope_of(assignment), isinstance(assignment, ast.NamedExpr)
        if python_scopes.is_text(python_scopes.annotation_of(scope, name)):
            return best
        if is_inner and python_scopes.is_given_twice(scope, name, assignment):
            found = self.use(assignment, depth=depth + 1)
            return found if found and found[0] in NUMBERS else None
        loads = list(python_scopes.loads(self.file, scope, name, None if is_inner else assignment))
        if not loads and not is_inner:
            return best if isinstance(scope, ast.Module) or python_scopes.is_global(scope, name) else None
        found = agreed(self.uses([*loads, *([assignment] if is_inner else [])], answers, depth))
        is_setting = isinstance(assignment, ast.AnnAssign) and isinstance(self.file.parents.get(assignment), (ast.Module, ast.ClassDef))
        return best if found in (None, SEEN) and is_setting and python_scopes.is_text(assignment.annotation) else found

    def by_field(self, assignment, target, best, answers, depth):
        """What the uses of self.NAME in its class agree on; SEEN if they say nothing and its function does not parse it."""
        if getattr(target.value, "id", "") == "self":
            found = agreed(self.uses(python_scopes.loads_of_field(self.file, assignment, target.attr), answers, depth))
            if found not in (None, SEEN):
                return found
            if python_scopes.is_text(python_scopes.field(self.file, assignment, target.attr)):
                return best
        text = ast.unparse(target)
        is_parsed = any(isinstance(each, ast.Call) and each.lineno > assignment.lineno and PARSES.search(called(each))
                        and text in map(ast.unparse, each.args) for each in ast.walk(self.file.scope_of(assignment)))
        return None if is_parsed else SEEN

    def by_parameter(self, call, node, best, answers, depth):
        """What the uses of a parameter agree on, in a function of the same file; SEEN if they say nothing."""
        if called(call) in LEVEL_CALLS:
            return best
        function, name = python_scopes.parameter(self.file, call, node, called(call))
        found = agreed(self.uses(python_scopes.loads(self.file, function, name), answers, depth)) if function else None
        return SEEN if not found or found[0] in (*TEXT_PARSERS, SHOWN) and PARSES.search(called(call)) else found

    def by_return(self, node, best, answers, depth):
        """What the calls of a private function agree on; SEEN if they say nothing."""
        function = self.file.scope_of(node)
        if isinstance(function, ast.Module) or python_scopes.is_text(function.returns):
            return best
        if not function.name.startswith("_"):
            return SEEN  # other files may call it
        return agreed(self.uses([each for each in ast.walk(self.file.tree) if called(each) == function.name], answers, depth)) or SEEN

    def is_log(self, node):
        """Whether NODE is part of a message that is printed or raised."""
        while isinstance(self.file.parents.get(node), (ast.expr, ast.keyword, ast.Raise, ast.Assert)):
            node = self.file.parents[node]
            if isinstance(node, (ast.Raise, ast.Assert)) or called(node) in LOG_CALLS:
                return True
        return False

    def is_put_back(self, node):
        """Whether NODE becomes the value of the variable again."""
        parent = self.file.parents.get(node)
        target = parent.targets[0] if isinstance(parent, ast.Assign) else None
        return isinstance(target, ast.Subscript) and name_of(target.value).endswith("environ")

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
        match parent:
            case ast.keyword(arg=name):
                return not PARSES.search(name or "x") and not PARSES.search(called(self.file.parents.get(parent)))
            case ast.Call(func=function):
                is_key = called(parent) == "get" and parent.args[:1] == [node]
                return node is not function and (is_key or not PARSES.search(called(parent)))
            case ast.Attribute(attr=method):
                return method in METHODS
        return isinstance(parent, PASSES) or isinstance(node, ast.Compare)


def agreed(uses):
    """What USES agree on. A test whether a text is empty goes with a text, and with numbers that an empty text is not one of."""
    if not uses or None in uses:
        return None
    texts, tests, shown = ([each for each in uses if each[0] in kinds] for kinds in (TEXT_PARSERS, ("nonempty", BLANK), (SHOWN,)))
    found = [each for each in uses if each[0] not in (*TEXT_PARSERS, "nonempty", BLANK, SHOWN, SEEN[0])]
    chosen = found or texts or shown or tests or [SEEN]
    if found and (texts or len({each[0] for each in found}) > 1):
        return None
    parser, without = next((each for each in chosen if each[0] == "string"), chosen[0])
    if found and tests and parser not in ("sglang-int", "sglang-float", "comma-list"):
        return ("py-int-or-empty", without) if parser in ("py-int", "py-int-or-empty") else None
    return parser, without


def depends_on_text(answers):
    """Whether ANSWERS are truths or numbers that depend on the text."""
    kept = [each for text, each in answers.items() if text is not None]
    return {True, False} <= {each for each in kept if isinstance(each, bool)} or any(type(each) in (int, float) for each in kept)


def is_whole(answers):
    """Whether ANSWERS are texts, not parts or lists of them."""
    return all(each is None or each is FAILS or isinstance(each, (str, Unknown)) for text, each in answers.items() if text is not None)


def known(value):
    if not is_known(value):
        raise Unclear
    return value


def called(node):
    """The last name of the function that NODE calls, or an empty text."""
    return name_of(node.func).split(".")[-1] if isinstance(node, ast.Call) else ""


def literal_default(parser, without):
    """The default that a value without the variable means."""
    if isinstance(without, list) and all(isinstance(each, str) for each in without):
        without = ",".join(without)
    return default_text(parser, without) if isinstance(without, (str, int, float)) else None


def returned(file, function, name):
    """Parser and default of a function, a lambda or its name, which is a row of a table of variables."""
    reading = Reading(file, name)
    if isinstance(function, ast.Name):
        function = file.functions.get(function.id)
    if function is None:
        return None
    result = reading.parsed(reading.of_node(function.body) if isinstance(function, ast.Lambda) else reading.of_function(function))
    return result and (result[0], literal_default(*result))
