"""Texts of reasons beside the view that others read: a table of them by model, and a view of declines with their words.

The table is only added to. The view stands on the view of stable columns, whose rows say which model decided them, so
that a switch changes its words without changing it.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import Any

from scrutable.errors import InputError
from scrutable.model import Model
from scrutable.proof import sha256
from scrutable_deployment.append_only import kept
from scrutable_deployment.catalogues import find_deployed, find_text
from scrutable_deployment.database import Database
from scrutable_deployment.deployed_text import query_of, references
from scrutable_deployment.names import Named, apart, beside, is_same, spoken
from scrutable_deployment.stable_view import Shape

#: The columns of the table.
COLUMNS = ("model_fingerprint", "language", "code", "reason")

#: Fingerprint, language, code and words.
Row = tuple[str, str, str, str]


def texts_of(name: Named) -> Named:
    """The table of texts of what is read under a name.

    >>> texts_of(("risk", "score"))
    ('risk', 'score_texts')
    """
    return beside(name, f"{apart(name)[1]}_texts")


def reasons_of(name: Named) -> Named:
    """The view of declines with their reasons in words.

    >>> reasons_of("score")
    'score_reasons'
    """
    return beside(name, f"{apart(name)[1]}_reasons")


def rows_of(exporter: Any, name: Named, model: Model, results: Sequence[str]) -> list[Row]:
    """What the table holds of a model; nothing of one whose results have no reasons."""
    if not any(result.removeprefix("declined_").startswith("reason_") for result in results):
        return []
    return list(exporter.reason_texts(texts_of(name)).rows(model))


def digest_of(rows: Sequence[Row]) -> str | None:
    """What the texts of a model are known by, in whatever order they come; None where there are none.

    >>> one, other = ("a", "default", "R1", "Age"), ("a", "de", "R1", "Alter")
    >>> digest_of([one, other]) == digest_of([other, one]), digest_of([])
    (True, None)
    """
    return sha256(json.dumps(sorted(rows))) if rows else None


def table_texts(exporter: Any, name: Named) -> list[str]:
    """What makes the table, and what keeps its rows as they are."""
    table = texts_of(name)
    return [exporter.reason_texts(table).create(), *kept(exporter, table)]


def fill_text(exporter: Any, name: Named, model: Model) -> str:
    """What adds the texts of a model."""
    return str(exporter.reason_texts(texts_of(name)).fill(model))


def view_text(exporter: Any, name: Named, shape: Shape) -> str:
    """What makes the view of reasons on the view of stable columns."""
    texts = exporter.reason_texts(texts_of(name))
    reasons = [f"reason_{i}" for i in range(1, shape.reasons + 1)]
    declined = ("decision", exporter.literal("declined"))
    return str(texts.view(reasons_of(name), name, ids=shape.key, reasons=reasons, declined=declined))


def read_texts(database: Database, name: Named, fingerprint: str) -> list[Row]:
    """The texts of a model that are there, nothing where no table is.

    Raises
    ------
    InputError : something else has the table's name, or the user may not read it.
    """
    table = texts_of(name)
    deployed = find_deployed(database, table)
    if deployed is None:
        return []
    if [each.casefold() for each in deployed.columns] != list(COLUMNS):
        raise _taken("something else has the name of the table of texts", deployed.title, deployed.columns, COLUMNS)
    columns = ", ".join(map(database.quoted, COLUMNS))
    own = f"{database.quoted(COLUMNS[0])} = {database.literal(fingerprint)}"
    text = f"SELECT {columns} FROM {database.quoted(table)} WHERE {own}"
    rows = database.rows(text, "reading the texts of reasons", f"SELECT on {spoken(table)}")
    return [(str(of), str(language), str(code), str(words)) for of, language, code, words in rows]


def check_view(database: Database, name: Named) -> None:
    """Refuse something else that has the name of the view of reasons.

    Raises
    ------
    InputError : it is no view of what is read under the name, and of the texts.
    """
    view, allowed = reasons_of(name), (name, texts_of(name))
    said = find_text(database, view)
    if said is None:
        return
    kind, text = said
    dialect = database.dialect.sqlglot
    read = [each.name for each in references(query_of(text, dialect), dialect)] if text else []
    if not all(any(is_same(each, other) for other in read) for each in allowed):
        got = list(map(spoken, read)) or ["no table"]
        raise _taken("something else has the name of the view of reasons", f"{kind} {spoken(view)}", got, allowed)


def _taken(message: str, where: str, got: Iterable[str], allowed: Iterable[Named]) -> InputError:
    fix = "deploy under another name, or move that away"
    return InputError(message, where=where, got=", ".join(got), allowed=", ".join(map(spoken, allowed)), fix=fix)
