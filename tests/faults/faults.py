"""Faults drawn by a seed over all packages: one statement each, changed as slips of authors change it."""

from __future__ import annotations

import ast
import copy
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
#: Where the product's code lies.
FOLDERS = ("core", "plugins", "exporters")
COMPARISONS: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.In: ast.NotIn, ast.NotIn: ast.In,
}  # fmt: skip
OPERATORS: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Div, ast.Div: ast.Mult,
}  # fmt: skip
CALLS = {"min": "max", "max": "min", "any": "all", "all": "any", "floor": "ceil", "ceil": "floor"}


@dataclass(frozen=True, kw_only=True)
class Fault:
    """One place and what stands there instead; lines and columns are those of `ast`, columns in bytes."""

    path: str
    where: str
    line: int
    column: int
    end_line: int
    end_column: int
    kind: str
    was: str
    text: str

    def planted(self, source: str) -> str:
        """The source with the fault."""
        lines = source.encode().splitlines(keepends=True)
        before = b"".join(lines[: self.line - 1]) + lines[self.line - 1][: self.column]
        after = lines[self.end_line - 1][self.end_column :] + b"".join(lines[self.end_line :])
        return (before + self.text.encode() + after).decode()


def drawn(seed: int, count: int) -> list[Fault]:
    """Faults in places that are all equally likely, no two in one function; the same for the same seed and code."""
    possible = [fault for path in _files() for fault in _in_file(path)]
    random.Random(seed).shuffle(possible)
    chosen: dict[tuple[str, str], Fault] = {}
    for fault in possible:
        chosen.setdefault((fault.path, fault.where), fault)
        if len(chosen) == count:
            break
    return list(chosen.values())


def _files() -> list[Path]:
    return sorted(path for folder in FOLDERS for path in (ROOT / folder).rglob("*.py"))


def _in_file(path: Path) -> Iterator[Fault]:
    source = path.read_text()
    tree = ast.parse(source)
    for where, node in _nodes(tree, ""):
        for kind, change in CHANGES.items():
            changed = change(copy.deepcopy(node))
            if changed is None:
                continue
            text = ast.unparse(changed)
            ast_node: ast.expr | ast.stmt = node  # type: ignore[assignment]  # only these have places
            yield Fault(
                path=str(path.relative_to(ROOT)), where=where, line=ast_node.lineno, column=ast_node.col_offset,
                end_line=ast_node.end_lineno or 0, end_column=ast_node.end_col_offset or 0, kind=kind,
                was=ast.get_source_segment(source, node) or "",
                text=text if isinstance(node, ast.stmt) else f"({text})",
            )  # fmt: skip


def _nodes(node: ast.AST, where: str) -> Iterator[tuple[str, ast.AST]]:
    """Expressions and statements of functions, with the function's name; no annotations and no texts."""
    for name, value in ast.iter_fields(node):
        if name in ("annotation", "returns", "decorator_list", "type_params"):
            continue
        for child in value if isinstance(value, list) else [value]:
            if not isinstance(child, ast.AST) or isinstance(child, ast.JoinedStr):
                continue
            named = isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)
            inside = f"{where}.{child.name}".lstrip(".") if named else where  # type: ignore[attr-defined]  # it has one
            if inside and isinstance(child, ast.expr | ast.stmt) and not named:
                yield inside, child
            yield from _nodes(child, inside)


def _comparison(node: ast.AST) -> ast.AST | None:
    if not isinstance(node, ast.Compare) or len(node.ops) != 1 or type(node.ops[0]) not in COMPARISONS:
        return None
    node.ops = [COMPARISONS[type(node.ops[0])]()]
    return node


def _logic(node: ast.AST) -> ast.AST | None:
    if not isinstance(node, ast.BoolOp):
        return None
    node.op = ast.Or() if isinstance(node.op, ast.And) else ast.And()
    return node


def _arithmetic(node: ast.AST) -> ast.AST | None:
    if not isinstance(node, ast.BinOp) or type(node.op) not in OPERATORS:
        return None
    if any(isinstance(side, ast.JoinedStr) or _text(side) for side in (node.left, node.right)):
        return None
    node.op = OPERATORS[type(node.op)]()
    return node


def _sign(node: ast.AST) -> ast.AST | None:
    return node.operand if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not | ast.USub) else None


def _number(node: ast.AST) -> ast.AST | None:
    if not isinstance(node, ast.Constant) or not isinstance(node.value, bool | int | float):
        return None
    node.value = not node.value if isinstance(node.value, bool) else node.value + 1
    return node


def _call(node: ast.AST) -> ast.AST | None:
    if not isinstance(node, ast.Call):
        return None
    if isinstance(node.func, ast.Name) and node.func.id in CALLS:
        node.func.id = CALLS[node.func.id]
        return node
    if isinstance(node.func, ast.Attribute) and node.func.attr in CALLS:
        node.func.attr = CALLS[node.func.attr]
        return node
    return None


def _condition(node: ast.AST) -> ast.AST | None:
    if not isinstance(node, ast.IfExp):
        return None
    node.body, node.orelse = node.orelse, node.body
    return node


def _dropped(node: ast.AST) -> ast.AST | None:
    effect = isinstance(node, ast.AugAssign) or (isinstance(node, ast.Expr) and isinstance(node.value, ast.Call))
    return ast.Pass() if effect else None


def _nothing(node: ast.AST) -> ast.AST | None:
    return ast.Return(value=None) if isinstance(node, ast.Return) and node.value is not None else None


def _text(node: ast.AST) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str)


CHANGES: dict[str, Callable[[ast.AST], ast.AST | None]] = {
    "comparison": _comparison,
    "and, or": _logic,
    "arithmetic": _arithmetic,
    "sign": _sign,
    "number": _number,
    "call": _call,
    "branches": _condition,
    "statement dropped": _dropped,
    "nothing returned": _nothing,
}
