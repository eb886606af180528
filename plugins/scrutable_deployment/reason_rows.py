"""Reasons in words that are deployed, beside those that the model gives each declined row of the table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from scrutable.model import features_read, fingerprint
from scrutable.model.evaluator import OutputFrame
from scrutable.proof import ColumnCheck, compare
from scrutable_deployment.catalogues import find_text
from scrutable_deployment.database import Database
from scrutable_deployment.names import Named, spoken
from scrutable_deployment.reason_texts import Row, read_texts, reasons_of, rows_of, texts_of
from scrutable_deployment.table_checks import count_rows
from scrutable_deployment.table_rows import Comparison, counted, joined, said_of

#: How many rows of reasons an applicant has.
_NUMBER = "reason_rows"


def compared_reasons(database: Database, what: Comparison) -> list[ColumnCheck]:
    """What became of the view of reasons and of the table of texts; nothing where there is no such view.

    Raises
    ------
    InputError : the user lacks SELECT on one of them.
    """
    name = what.deployed
    if find_text(database, reasons_of(name)) is None:
        return []
    texts = rows_of(database.exporter, name, what.model, what.results)
    checks = [_texts(database, name, what, texts)] if find_text(database, texts_of(name)) is not None else []
    places = [place for place, each in enumerate(_reasons(what), 1) if each]
    with database.transaction(reading=True):
        counts, expected = Counter[str](), 0
        for ours, theirs in _blocks(database, what, places, texts):
            expected += sum(int(number) for number in ours[_NUMBER])
            for check in compare(ours, theirs):
                counts[check.name] += check.differing
        view = reasons_of(name)
        there = count_rows(database, database.quoted(view), view)
    counts["rows of reasons"] = abs(there - expected)
    return [*checks, *(counted(each, count) for each, count in counts.items())]


def _texts(database: Database, name: Named, what: Comparison, texts: Sequence[Row]) -> ColumnCheck:
    """The texts of the model, which tell of nobody, so that codes are named."""
    there = Counter(read_texts(database, name, fingerprint(what.model)))
    differing = (there - Counter(texts)) + (Counter(texts) - there)
    codes = ", ".join(sorted({f"{code} ({language})" for _, language, code, _ in differing}))
    return ColumnCheck(name="texts", what="reasons", differing=sum(differing.values()), note=codes)


def _reasons(what: Comparison) -> list[str]:
    return [each for each in what.results if each.removeprefix("declined_").startswith("reason_")]


def _blocks(
    database: Database, what: Comparison, places: Sequence[int], texts: Sequence[Row]
) -> Iterator[tuple[OutputFrame, OutputFrame]]:
    """What the model says of blocks of rows, and what the view gives."""
    languages = list(dict.fromkeys(language for _, language, _, _ in texts))
    words = {(language, code): reason for _, language, code, reason in texts}
    asked = [(place, language) for place in places for language in languages]
    names = [name for place, language in asked for name in _names(place, language)]
    width = len(features_read(what.model)) + 1
    text = joined(database, what, [f"d.r{i}" for i in range(len(names) + 1)], _by_key(database, what, asked))
    right = f"SELECT on {spoken(what.source)} and {spoken(reasons_of(what.deployed))}"
    for rows in database.blocks(text, "comparing reasons in words", right):
        columns = list(zip(*rows, strict=True))
        numbers, *given = columns[width:]
        theirs = {_NUMBER: np.array([str(int(number or 0)) for number in numbers], dtype=object)}
        theirs |= {name: _texts_or_none(values) for name, values in zip(names, given, strict=True)}
        frame = said_of(what, columns[:width])
        yield _expected(frame, asked, words), OutputFrame(theirs)


def _expected(frame: OutputFrame, asked: Sequence[tuple[int, str]], words: dict[tuple[str, str], str]) -> OutputFrame:
    declined = frame["approved"] == 0
    number = np.zeros(len(declined), dtype=np.int64)
    ours: dict[str, Any] = {}
    for place, language in asked:
        codes = np.where(declined, frame[f"reason_{place}"], np.array(None))
        number += np.array([code is not None for code in codes])
        for name, values in zip(
            _names(place, language), (codes, [words.get((language, code)) for code in codes]), strict=True
        ):
            ours[name] = np.array(values, dtype=object)
    return OutputFrame({_NUMBER: number.astype(str).astype(object), **ours})


def _by_key(database: Database, what: Comparison, asked: Sequence[tuple[int, str]]) -> str:
    """A row for each applicant in the view: how many rows of it, and code and words of each place in each language."""
    quoted, read = database.quoted, database.dialect.categorical.value.format
    given = ["COUNT(*) AS r0"]
    for place, language in asked:
        same = f"{quoted('place')} = {place} AND {read(quoted('language'))} = {read(database.literal(language))}"
        for column in ("code", "reason"):
            given.append(f"MAX(CASE WHEN {same} THEN {quoted(column)} END) AS r{len(given)}")
    key = ", ".join(map(quoted, what.key))
    return f"(SELECT {key}, {', '.join(given)} FROM {quoted(reasons_of(what.deployed))} GROUP BY {key})"


def _names(place: int, language: str) -> tuple[str, str]:
    return f"reason_{place}, {language}, code", f"reason_{place}, {language}, words"


def _texts_or_none(values: Sequence[Any]) -> Any:
    """Texts as the evaluator has them; ClickHouse gives those of nobody as empty."""
    return np.array([value or None for value in values], dtype=object)
