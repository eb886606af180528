"""From a program to the text of the R file."""

from __future__ import annotations

import functools
import itertools
from collections.abc import Sequence

import jinja2

from scrutable.model import Feature
from scrutable.model.program import Column, Output, Program, sort_of
from scrutable.plugins import one_line
from scrutable_r.expressions import Expressions
from scrutable_r.quoting import quoted
from scrutable_r.statements import Statements, is_reason


def render(program: Program, header: Sequence[str], function_name: str) -> str:
    """The R file that defines the function; `header` is lines of words."""
    write = Expressions.of(program)
    variables = {node.name: write.known[ref] for ref, node in enumerate(program.nodes) if isinstance(node, Column)}
    statements = Statements.of(write)
    lines = statements.lines(output.of for output in program.outputs)
    runs = [list(run) for _, run in itertools.groupby(program.outputs, lambda output: _asked_by(output.name))]
    return template("score.R.jinja").render(
        header=list(map(one_line, header)),
        function_name=function_name,
        readers={feature.kind for feature in program.features},
        reads=[
            (variables.get(feature.name), quoted(feature.name), feature.kind, _about(feature))
            for feature in program.features
        ],
        functions=statements.functions,
        lines=lines,
        arguments=arguments(program.names),
        results=[_wrapped(run, [_result(write, output) for output in run]) for run in runs],
        names=[_wrapped(run, [quoted(output.name) for output in run], "c") for run in runs],
    )


def arguments(names: Sequence[str]) -> list[str]:
    """The arguments of the function with results of these names that say which of them are wanted."""
    return [argument for argument in ("points", "reasons") if argument in map(_asked_by, names)]


def template(name: str) -> jinja2.Template:
    """A template of this package; what it is given must be quoted or cleaned."""
    return _environment().get_template(name)


def _asked_by(name: str) -> str:
    """The argument that says whether a result is wanted; empty where it always is."""
    return "points" if name.startswith("points_") else "reasons" if is_reason(name) else ""


def _wrapped(run: Sequence[Output], texts: Sequence[str], function: str = "list") -> str:
    """A part of the results, if it is wanted."""
    argument = _asked_by(run[0].name)
    lines = ",\n        ".join(texts)
    return f"{f'if ({argument}) ' if argument else ''}{function}(\n        {lines}\n      )"


def _result(write: Expressions, output: Output) -> str:
    """A node as a result: truths as 1 and 0, places from 0, counts as integers."""
    text = write.full(output.of)
    if output.is_count:
        return f"as.integer({text})"
    match sort_of(write.program, output.of):
        case "truth":
            return f"as.integer({text})"
        case "place":
            return f"{text} - 1L"
        case _:
            return text


def _about(feature: Feature) -> str:
    if not feature.special_codes:
        return one_line(feature.label)
    return one_line(f"{feature.title}; special codes {', '.join(map(repr, feature.special_codes))}")


@functools.cache
def _environment() -> jinja2.Environment:
    return jinja2.Environment(
        loader=jinja2.PackageLoader("scrutable_r"),
        autoescape=False,  # this is no HTML; texts are quoted before they get here
        keep_trailing_newline=True,
        undefined=jinja2.StrictUndefined,
    )
