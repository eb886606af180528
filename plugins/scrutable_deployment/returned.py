"""The row that a script gave in a database that we cannot reach, back from whoever ran it."""

from __future__ import annotations

import csv
import io
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from scrutable import create
from scrutable.errors import InputError
from scrutable.model import Model, fingerprint
from scrutable.model.evaluator import evaluate
from scrutable.plugins import one_line
from scrutable.proof import Certificate, ColumnCheck, EngineRun, certificate_of, sha256
from scrutable.writing import read_text
from scrutable_deployment.fixed_point import Told, digest
from scrutable_deployment.proving import PLACE, made_with, name_of
from scrutable_deployment.trial_rows import TrialRows, trial_rows

_COLUMNS = ("proof", "model", "engine", "rows_compared", "differences", "digest")
_LARGEST_ENGINE = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class Returned:
    """The one row of a script."""

    proof: str
    model: str
    engine: str
    rows_compared: int
    differences: int
    digest: int


def read_returned(path: str | Path) -> Returned:
    """The row of a CSV file with the names of its columns; commas, semicolons, tabs or bars stand between values.

    Raises
    ------
    InputError : a file that cannot be read, another number of rows than one, a column that is not there, or no number.
    """
    where = f"file {str(path)!r}"
    lines = [line for line in read_text(path, 2**20).splitlines() if line.strip(" -|+\t,;")]
    between = max(",;\t|", key=lines[0].count) if lines else ","
    rows = list(csv.reader(io.StringIO("\n".join(lines)), delimiter=between))
    if len(rows) != 2:
        fix = "give the script's one row, below the names of its columns"
        raise InputError("not one row", where=where, got=f"{len(rows):,} lines", allowed="2 lines", fix=fix)
    names, values = ([cell.strip() for cell in row] for row in rows)
    given = dict(zip((name.casefold() for name in names), values, strict=False))
    for name in _COLUMNS:
        if name not in given:
            raise InputError("a column is missing", where=where, got=", ".join(names), allowed=", ".join(_COLUMNS))
    whole = {name: _whole(given[name], f"{where}, column {name}") for name in _COLUMNS[3:]}
    return Returned(proof=given["proof"], model=given["model"], engine=given["engine"], **whole)


def attested(model: Model, returned: Returned, script: str, *, issued: str = "") -> Certificate:
    """The certificate of what whoever ran a script attests.

    Parameters
    ----------
    script : the text that was handed out, as it was kept.

    Raises
    ------
    InputError : the script is of another model or was changed, or the result is of another script or salt.

    Examples
    --------
    >>> import sqlite3
    >>> from scrutable.testing.cards import card
    >>> from scrutable_deployment import proof_script
    >>> proof = proof_script(card(), "sqlite", rows=50)
    >>> [row] = sqlite3.connect(":memory:").execute(proof.text).fetchall()
    >>> certificate = attested(card(), Returned(**dict(zip(_COLUMNS, row))), proof.text)
    >>> certificate.passed, certificate.runs[0].attested
    (True, False)
    """
    name, settings = made_with(script)
    _check(model, returned, script, name)
    exporter: Any = create("exporter", "sql", dialect=settings.dialect)
    trial = trial_rows(model, exporter, settings.rows, seed=settings.seed)
    frame = evaluate(model, trial.frame).frame()
    names = [list(frame)[place] for place in settings.results]
    wanted = digest([Told.of(each, frame[each]) for each in names], settings.salt)
    missing = abs(returned.rows_compared - len(trial.frame))
    checks = (
        ColumnCheck(name="rows", what="rows", differing=missing, note="rows that are missing, or there twice"),
        ColumnCheck(
            name="all results", what="other", differing=returned.differences, note="as the script counted them"
        ),
        ColumnCheck(
            name="digest",
            what="other",
            differing=int(returned.digest != wanted),
            note="not the one that these rows give with this script's salt",
        ),
    )
    run = EngineRun(
        engine=one_line(returned.engine)[:_LARGEST_ENGINE],
        attested=False,
        exporter="scrutable_deployment",
        distribution="scrutable",
        version="",
        files={f"proof {name}": sha256(script)},
        n_rows=returned.rows_compared,
        excluded_rows=0,
        excluded=exporter.target.excluded,
        columns=checks,
        edge_values=trial.values,
        edge_values_held=trial.covered,
        not_exported=tuple(each for each in frame if each not in names),
        subject=f"proof {name}",
        returned=True,
    )
    return certificate_of(model, [run], _counts(trial, settings.seed), issued=issued)


def _check(model: Model, returned: Returned, script: str, name: str) -> None:
    if name_of(script.replace(name, PLACE)) != name:
        fix = "give the script as it was handed out"
        raise InputError("the script was changed since it was made", where="script", got=name, fix=fix)
    if fingerprint(model) not in script:
        fix = "give the model that the script was made of"
        raise InputError("the script is of another model", where="script", allowed=fingerprint(model), fix=fix)
    if returned.proof != name:
        raise InputError(
            "the result is of another script or salt",
            where="result, column proof",
            got=returned.proof,
            allowed=name,
            fix="give the script whose result it is, or have this one run",
        )
    if returned.model != fingerprint(model):
        raise InputError(
            "the result is of another model",
            where="result, column model",
            got=returned.model,
            allowed=fingerprint(model),
        )


def _counts(trial: TrialRows, seed: int) -> dict[str, int]:
    return {"edge": trial.edge, "drawn": len(trial.frame) - trial.edge, "data": 0, "seed": seed}


def _whole(text: str, where: str) -> int:
    if not re.fullmatch(r"[0-9]{1,19}", text):
        fix = "save the row with all digits of its numbers, not as a spreadsheet rounds them"
        raise InputError("not a whole number", where=where, got=text, allowed="digits", fix=fix)
    return int(text)
