"""From a program to the text of the file."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from scrutable.model.evaluator import kind_of
from scrutable.model.program import Column, Program, Words
from scrutable_source_code.c.language import TYPES, C, block_of
from scrutable_source_code.common.helpers import used
from scrutable_source_code.common.language import Variable
from scrutable_source_code.common.layout import Line, in_blocks, laid_out
from scrutable_source_code.common.spelling import comment
from scrutable_source_code.common.statements import Body, input_fields
from scrutable_source_code.common.templates import entries, headed, layout, source

#: Characters of a function; compilers take long for one of many loops.
_CHARACTERS = 8000
_WORD = re.compile(r"\w+")


def render(program: Program, header: Sequence[str], name: str) -> str:
    """The text of the file; `header` is lines of words."""
    language = C(name)
    body = Body.of(program, language)
    fields = input_fields(program.features, language)
    columns = {body.write.variables.of[ref]: node for ref, node in enumerate(program.nodes) if isinstance(node, Column)}
    variables = [each for each in body.variables if each not in columns]
    parts = laid_out(_lines(body, language), _CHARACTERS)
    pointers = {
        of.name: f"const double *restrict const {of.name} = columns->{fields[node.name]} + start;"
        for of, node in columns.items()
        if node.kind == "numeric"
    }
    tables = [
        {"name": table.name, "kind": TYPES[table.kind][0], "lines": entries(table)}
        for table in body.write.constants.tables
    ]
    return layout(
        "c",
        "score.c.jinja",
        header=headed(header),
        name=name,
        inputs=[(fields[each.name], each.kind, comment(each.title)) for each in program.features],
        outputs=[(each.field, result_kind(each.name), comment(each.about)) for each in body.results],
        rules_size=rules_size(program),
        block=block_of(variables, _always(body), len(language.lookups)),
        texts=list(map(language.constant, language.texts)),
        tables=tables,
        lookups=[{"names": each.names, "field": fields[columns[each.column].name]} for each in language.lookups],
        helpers=used(source("c", "helpers.c"), [line for part in parts for line in part]),
        declared=list(map(language.declared, variables)),
        parts=[_before(part, pointers, body) + part for part in parts],
    )


def _before(lines: list[str], pointers: dict[str, str], body: Body) -> list[str]:
    """What a part reads: columns, and which results are wanted."""
    words = {word for line in lines for word in _WORD.findall(line)}
    return [
        *(pointer for name, pointer in pointers.items() if name in words),
        *(line for group, line in _wanted(body) if f"wants_{group}" in words),
    ]


def result_kind(name: str) -> str:
    """What a column of the result holds: numbers, places, texts by their codes, or rules, which are written out."""
    kinds = {"float64": "number", "int64": "place"}
    return "rules" if name == "rules" else kinds.get(kind_of(name).__name__, "text")


def rules_size(program: Program) -> int:
    """How many bytes the words of any row take at most; 0 where there are none."""
    spelled = [node.words for node in program.nodes if isinstance(node, Words)]
    return max((1 + sum(len(word) + 1 for word in words) for words in spelled), default=0)


def _wanted(body: Body) -> Iterator[tuple[str, str]]:
    """By group of results, the line that tells whether any of it is wanted."""
    groups: dict[str, list[str]] = {}
    for each in body.results:
        if each.wanted:
            groups.setdefault(each.wanted, []).append(f"results->{each.field} != NULL")
    for group, fields in groups.items():
        yield group, f"const bool wants_{group} = {' || '.join(fields)};"


def _always(body: Body) -> set[Variable]:
    """What every call needs, whatever results it wants."""
    return {each.target for each in body.statements if not each.wanted}


def _lines(body: Body, language: C) -> Iterator[Line]:
    """Statements, and results that are wanted."""
    yield from in_blocks(body.statements, language)
    for each in body.results:
        field = "rules_length" if each.name == "rules" else each.field
        wanted = f"wants_{each.name}" if each.wanted == each.name else f"results->{field} != NULL"
        yield (), f"if ({wanted}) ROWS results->{field}[start + i] = {each.text};"
