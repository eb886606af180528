"""From a program to the text of the file."""

from __future__ import annotations

import functools
from collections.abc import Sequence

import jinja2

from scrutable.model.program import Column, Output, Program, Rank, sort_of
from scrutable.plugins import one_line
from scrutable_python.expressions import Expressions
from scrutable_python.options import PythonOptions
from scrutable_python.statements import Statements
from scrutable_python.text import CONDITIONAL, literal
from scrutable_python.variables import Variables


def render(program: Program, header: Sequence[str], options: PythonOptions) -> str:
    """The text of the file; `header` is lines of words."""
    expressions = Expressions(program, Variables.of(program))
    columns = {node.name: ref for ref, node in enumerate(program.nodes) if isinstance(node, Column)}
    expressions.known.update(columns.values())
    reads = [
        {
            "variable": expressions.variables.name(columns[feature.name]) if feature.name in columns else "_",
            "reader": "_number" if feature.kind == "numeric" else "_text",
            "feature": feature,
            "note": one_line(feature.label),
        }
        for feature in program.features
    ]
    statements = Statements(expressions)
    for output in program.outputs:
        statements.prepare(output.of)
    results = [(literal(output.name), _result(expressions, output)) for output in program.outputs]
    return (
        _environment()
        .get_template("layout.jinja")
        .render(
            header=list(map(one_line, header)),
            module=options.module,
            function=options.function,
            reads=reads,
            constants=expressions.constants.lines,
            lines=statements.lines,
            results=results,
            ranks=any(isinstance(node, Rank) for node in program.nodes),
        )
    )


def _result(write: Expressions, output: Output) -> str:
    """A node as a result; truths are 1 and 0, and counts integers."""
    text = write(output.of)
    if sort_of(write.program, output.of) == "truth":
        return f"1 if {text.within(CONDITIONAL + 1)} else 0"
    return f"int({text.text})" if output.is_count else text.text


@functools.cache
def _environment() -> jinja2.Environment:
    environment = jinja2.Environment(
        loader=jinja2.PackageLoader("scrutable_python"),
        autoescape=False,  # this is no HTML; texts are quoted before they get here
        keep_trailing_newline=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=jinja2.StrictUndefined,
    )
    environment.filters["literal"] = literal
    return environment
