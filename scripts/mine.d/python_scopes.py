# SPDX-License-Identifier: MIT
"""Python: what the names of a function, a class or a file stand for."""
import ast

from found import constant_of

TEXT = {"str", "Optional[str]", "str | None", "None | str"}


def name_of(node):
    """a.b.c of an attribute or name, or an empty text."""
    if isinstance(node, ast.Name):
        return node.id
    return f"{name_of(node.value)}.{node.attr}" if isinstance(node, ast.Attribute) else ""


def inside(scope):
    """All nodes of SCOPE; not those of functions within it, which have names of their own."""
    for node in ast.iter_child_nodes(scope):
        yield node
        if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)):
            yield from inside(node)


def targets(node):
    """The names that an assignment binds."""
    given = node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, (ast.AnnAssign, ast.NamedExpr)) else []
    return [each.id for each in given if isinstance(each, ast.Name)]


def constants(function):
    """Name to text of the names that a function gives one literal text."""
    found, twice = {}, set()
    for node in inside(function):
        for name in targets(node):
            value = constant_of(node.value) if node.value else None
            twice.update({name} if name in found or not isinstance(value, str) else ())
            found[name] = value
    return {name: value for name, value in found.items() if name not in twice}


def words(file, node):
    """The texts of a literal tuple, list or set, or of the one that a name stands for; a None in it stays None. Returns None for others."""
    if isinstance(node, ast.Name):
        scopes = {file.scope_of(node), file.tree}
        given = [each.value for scope in scopes for each in inside(scope) if node.id in targets(each)]
        node = given[0] if len(given) == 1 else node
    if isinstance(node, ast.Call) and name_of(node.func) in ("frozenset", "set", "tuple") and len(node.args) == 1:
        node = node.args[0]
    if not isinstance(node, (ast.Tuple, ast.List, ast.Set)):
        return None
    texts = [None if isinstance(each, ast.Constant) and each.value is None else file.value_of(each) or 0 for each in node.elts]
    texts = ["" if isinstance(each, ast.Constant) and each.value == "" else text for each, text in zip(node.elts, texts)]
    return texts if all(each is None or isinstance(each, str) for each in texts) else None


def is_text(annotation):
    """Whether an annotation says that the value is a text: str, or one of literal words."""
    if annotation is None:
        return False
    if isinstance(annotation, ast.Subscript) and ast.unparse(annotation.value).split(".")[-1] == "Optional":
        return is_text(annotation.slice)
    if isinstance(annotation, ast.Subscript) and ast.unparse(annotation.value).split(".")[-1] == "Literal":
        parts = annotation.slice.elts if isinstance(annotation.slice, ast.Tuple) else [annotation.slice]
        return all(isinstance(each, ast.Constant) and isinstance(each.value, str) for each in parts)
    return ast.unparse(annotation).strip("'\"").replace("typing.", "") in TEXT


def field(file, node, name):
    """The annotation of the field NAME of the class around NODE, or None."""
    while node in file.parents and not isinstance(node, ast.ClassDef):
        node = file.parents[node]
    body = node.body if isinstance(node, ast.ClassDef) else []
    return next((each.annotation for each in body if isinstance(each, ast.AnnAssign) and getattr(each.target, "id", "") == name), None)


def loads_of_field(file, node, name):
    """Where self.NAME is read in the class around NODE."""
    while node in file.parents and not isinstance(node, ast.ClassDef):
        node = file.parents[node]
    for each in ast.walk(node):
        if isinstance(each, ast.Attribute) and each.attr == name and isinstance(each.ctx, ast.Load) and getattr(each.value, "id", "") == "self":
            yield each


def parameter(file, call, here, called):
    """The function of this file that CALL calls, and the name that it has for the argument HERE; or None and an empty text."""
    found = file.named.get(called, [])
    if len(found) != 1 or here not in call.args or any(isinstance(each, ast.Starred) for each in call.args):
        return None, ""
    names = [each.arg for each in [*found[0].args.posonlyargs, *found[0].args.args]]
    if isinstance(call.func, ast.Attribute) and names[:1] in (["self"], ["cls"]):
        names = names[1:]
    at = call.args.index(here)
    return (found[0], names[at]) if at < len(names) else (None, "")


def is_given_twice(scope, name, assignment):
    return any(name in targets(each) and each is not assignment for each in inside(scope))


def is_global(scope, name):
    return any(isinstance(node, ast.Global) and name in node.names for node in inside(scope))


def is_test(file, node):
    """Whether NODE is a test, or a part of one that only counts as true or false."""
    parent = file.parents.get(node)
    if isinstance(parent, ast.BoolOp):
        return isinstance(parent.op, ast.And) and parent.values[-1] is not node or is_test(file, parent)
    return isinstance(parent, (ast.If, ast.IfExp, ast.While, ast.Assert)) and parent.test is node or isinstance(parent, ast.UnaryOp)


def loads(file, scope, name, after=None):
    """Where NAME is read in SCOPE; behind the statement AFTER, up to a statement of the same block that gives it another value, and in all
    functions within it."""
    start, end = (after.end_lineno, after.end_col_offset) if after else (0, 0), (1 << 60, 0)
    block = next((each for field in ("body", "orelse", "finalbody") for each in [getattr(file.parents.get(after), field, None)]
                  if isinstance(each, list) and after in each), []) if after else []
    for each in block[block.index(after) + 1:] if block else []:
        if name in targets(each):
            end = (each.end_lineno, each.end_col_offset)
            break
    whole = isinstance(scope, ast.Module)
    for node in ast.walk(scope):
        if isinstance(node, ast.Name) and node.id == name and isinstance(node.ctx, ast.Load):
            at = (node.lineno, node.col_offset)
            of = file.scope_of(node)
            if whole and of is not scope:
                if not is_bound(of, name):
                    yield node
            elif start <= at < end or of is not scope and not is_bound(of, name):
                yield node


def annotation_of(scope, name):
    """What a function says of its parameter NAME, or None."""
    given = [] if isinstance(scope, ast.Module) else [*scope.args.posonlyargs, *scope.args.args, *scope.args.kwonlyargs]
    return next((each.annotation for each in given if each.arg == name), None)


def is_bound(function, name):
    """Whether NAME is the function's own."""
    given = [*function.args.posonlyargs, *function.args.args, *function.args.kwonlyargs]
    return any(each.arg == name for each in given) or any(isinstance(each, ast.Name) and each.id == name and isinstance(each.ctx, ast.Store)
                                                          for each in inside(function))


def without_fbcode(node):
    """NODE, a default; of one that is another inside of Meta (is_fbcode()) the one outside."""
    if isinstance(node, ast.IfExp):
        test, other = node.test, node.orelse
        if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
            test, other = test.operand, node.body
        if isinstance(test, ast.Call) and ast.unparse(test.func).split(".")[-1] == "is_fbcode":
            return other
    return node
