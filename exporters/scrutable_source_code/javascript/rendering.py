"""From a program to the text of the module."""

from __future__ import annotations

from collections.abc import Sequence

from scrutable.model.program import Column, Program
from scrutable_source_code.common.helpers import used
from scrutable_source_code.common.language import Statement, Variable
from scrutable_source_code.common.layout import in_blocks, laid_out
from scrutable_source_code.common.spelling import comment
from scrutable_source_code.common.statements import Body
from scrutable_source_code.common.templates import entries, headed, layout, source
from scrutable_source_code.javascript.language import JavaScript


def render(program: Program, header: Sequence[str], function: str) -> str:
    """The text of the file; `header` is lines of words."""
    body = Body.of(program, JavaScript())
    language = JavaScript(_before(body.statements))
    [lines] = laid_out(in_blocks(body.statements, language))
    variables = {
        node.name: body.write.variables.of[ref] for ref, node in enumerate(program.nodes) if isinstance(node, Column)
    }
    results = [(language.text(each.name), each.text, comment(each.about)) for each in body.results]
    reads = [
        {
            "before": f"const {variables[feature.name].name} = " if feature.name in variables else "",
            "reader": "number" if feature.kind == "numeric" else "text",
            "column": language.text(feature.name),
            "about": comment(feature.label),
        }
        for feature in program.features
    ]
    return layout(
        "javascript",
        "score.mjs.jinja",
        header=headed(header),
        function=function,
        tables=[{"name": table.name, "lines": entries(table)} for table in body.write.constants.tables],
        reads=reads,
        declared=list(map(language.declared, language.before)),
        lines=lines,
        results=results,
        helpers=used(source("javascript", "helpers.mjs"), [*lines, *(text for _, text, _ in results)]),
    )


def _before(statements: Sequence[Statement]) -> list[Variable]:
    """What is declared before all statements: lists, and what is given something in branches, or more than once."""
    return list(
        dict.fromkeys(each.target for each in statements if (each.place is not None or each.scope or each.again))
    )
