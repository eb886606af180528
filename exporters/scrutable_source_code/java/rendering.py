"""From a program to the text of the class, as methods and tables that each keep to the limits of the JVM."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from scrutable.model.evaluator import kind_of
from scrutable.model.program import Column, Program
from scrutable_source_code.common.helpers import used
from scrutable_source_code.common.language import Table
from scrutable_source_code.common.layout import Line, in_blocks, laid_out
from scrutable_source_code.common.spelling import comment
from scrutable_source_code.common.statements import Body, input_fields
from scrutable_source_code.common.templates import entries, headed, layout, source
from scrutable_source_code.java.language import ENTRIES, TYPES, Java

#: Characters of a method; one of more than 8,000 bytes of code is never compiled to that of the machine.
_CHARACTERS = 4000


def render(program: Program, header: Sequence[str], name: str, package: str) -> str:
    """The text of the file; `header` is lines of words."""
    language = Java()
    body = Body.of(program, language)
    fields = input_fields(program.features, language)
    parts = laid_out(_lines(body, language, fields), _CHARACTERS)
    classes = list(_classes(language))
    called = [line for part in parts for line in part]
    called += [f"joined({table['name']}" for each in classes for table in each["tables"] if table["parts"]]
    return layout(
        "java",
        "Score.java.jinja",
        header=headed(header),
        name=name,
        package=package,
        inputs=[
            (fields[each.name], TYPES["number" if each.kind == "numeric" else "text"], comment(each.title))
            for each in program.features
        ],
        outputs=[(each.field, _type(each.name), comment(each.about)) for each in body.results],
        parts=parts,
        declared=list(map(language.declared, body.variables)),
        classes=classes,
        helpers=[helper.split("\n") for helper in used(source("java", "helpers.java"), called)],
    )


def _type(name: str) -> str:
    """What the field of a result holds."""
    return {"float64": "double", "int64": "int"}.get(kind_of(name).__name__, "String")


def _lines(body: Body, language: Java, fields: dict[str, str]) -> Iterator[Line]:
    """Columns, statements and results."""
    for ref, node in enumerate(body.program.nodes):
        if isinstance(node, Column):
            yield (), f"{language.read(body.write.variables.of[ref])} = in.{fields[node.name]};"
    yield from in_blocks(body.statements, language)
    for result in body.results:
        yield (), f"out.{result.field} = {result.text};"


def _classes(language: Java) -> Iterator[dict[str, Any]]:
    """Classes of tables; of a long one its parts have classes of their own."""
    for number, tables in enumerate(language.classes, 1):
        written = []
        for table in tables:
            parts = []
            for start in range(0, len(table.entries), ENTRIES) if len(table.entries) > ENTRIES else ():
                name = f"Tables{number}From{start}"
                some = slice(start, start + ENTRIES)
                part = Table("PART", table.kind, table.entries[some], table.titles[some])
                yield {"name": name, "tables": [_table(part, ())]}
                parts.append(f"{name}.PART")
            written.append(_table(table, parts))
        yield {"name": f"Tables{number}", "tables": written}


def _table(table: Table, parts: Sequence[str]) -> dict[str, Any]:
    lines = [] if parts else entries(table)
    return {"name": table.name, "kind": TYPES[table.kind], "parts": parts, "lines": lines}
