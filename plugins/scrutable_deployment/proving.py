"""A script that proves a statement in a database that we cannot reach: one query, with its rows in it."""

from __future__ import annotations

import json
import re
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from scrutable import create
from scrutable.data.frames import rows_like
from scrutable.errors import InputError
from scrutable.model import Model, fingerprint
from scrutable.model.evaluator import evaluate
from scrutable.plugins import checked_options
from scrutable.proof import sha256
from scrutable.writing import from_json
from scrutable_deployment.deployed_text import Rows, over, parts_of, query_of, results_named
from scrutable_deployment.fixed_point import Told, digest_sql, row_weights
from scrutable_deployment.inlined import Inlined, inlined
from scrutable_deployment.names import Named, free
from scrutable_deployment.trial_rows import TrialRows, trial_rows

#: The place of the script's name while that is worked out.
PLACE = "(name of this proof)"
_LENGTH = 32
#: How the lines begin that name the script, and say what it was made with.
_NAMED, _MADE = "Proof: ", "Made with: "
_SALT = re.compile(r"[0-9a-fA-F]{16,64}")
_LINES = ",\n"
_HEADER = 7
_TABLE = "scrutable_applicants"
#: Columns of the rows beside the inputs, unless an input is called so: number, weight, and what must come out.
_ROW, _WEIGHT, _EXPECTED = "proof_row", "proof_weight", "expected_"
#: What a text gives at least one of, so that there is something to prove.
_NEEDED = ("score", "approved", "predicted")
#: How each engine says what it is.
_VERSIONS = {
    "sqlite": "sqlite_version()",
    "tsql": "CAST(SERVERPROPERTY('ProductVersion') AS NVARCHAR(128))",
    "oracle": "(SELECT MAX(version) FROM product_component_version)",
    "snowflake": "CURRENT_VERSION()",
    "bigquery": "'BigQuery'",
}


@dataclass(frozen=True, slots=True)
class _Read:
    """The model's fingerprint, the table that its statement reads, and what its rows have beside the inputs.

    Parameters
    ----------
    table, key, columns : its name, key, and column by feature.
    weight, expected : the column of weights, and what the names of columns begin with that hold what must come out.
    """

    model: str
    table: Named
    key: str
    columns: Mapping[str, str]
    weight: str
    expected: str


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Proof:
    """A script and what it stands for.

    Parameters
    ----------
    text : the script.
    name : 32 hexadecimal digits that its result bears.
    rows : its rows, and what they cover.
    """

    text: str
    name: str
    rows: TrialRows

    def __repr__(self) -> str:
        return f"Proof({self.name}: {self.rows.coverage})"

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
        return {"proof": self.name, "rows": self.rows.coverage, "text": self.text}

    def frame(self) -> Any:
        """One row: the script's name, and how many rows and edge values it has."""
        return rows_like([{"proof": self.name, "rows": len(self.rows.frame), "edge_values": self.rows.covered}])


def proof_script(
    model: Model,
    dialect: str,
    *,
    rows: int = 1_000,
    seed: int = 0,
    salt: str | None = None,
    text: str | None = None,
    table: Named | None = None,
    key: str | None = None,
    columns: Mapping[str, str] | None = None,
) -> Proof:
    """A query that runs the exported statement, or a text that is deployed, on rows that stand in it.

    It reads no table, makes nothing and gives one row: what the engine is, how many rows were compared, how many
    differ, and a digest of all results under the salt.

    Parameters
    ----------
    dialect : of the exporter `sql`.
    rows : how many; rows of edge values come first, then draws of these.
    salt : of the digest, 16 hexadecimal digits or more; a new one at random if None.
    text : of a view, as its database gives it back; the exported statement if None.
    table, key : the table that this text reads, and the column by which it carries the row's key through.
    columns : column of the table by feature, where it is not called so.

    Raises
    ------
    UnsupportedModel : the dialect cannot reproduce the model.
    InputError : a salt that is none, or a text that cannot be read, does not read the table or gives no score.

    Examples
    --------
    >>> import sqlite3
    >>> from scrutable.testing.cards import card
    >>> proof = proof_script(card(), "sqlite", rows=50, salt="5a17" * 4)
    >>> [row] = sqlite3.connect(":memory:").execute(proof.text).fetchall()
    >>> row[0] == proof.name, row[3:5]
    (True, (50, 0))
    """
    salt = secrets.token_hex(16) if salt is None else _checked(salt)
    names = {feature.name: (columns or {}).get(feature.name, feature.name) for feature in model.features}
    row = free(_ROW, *names, *names.values())
    exporter: Any = create("exporter", "sql", dialect=dialect, table=_TABLE, ids=[row])
    trial = trial_rows(model, exporter, rows, seed=seed)
    if (text is None) != (table is None) or (text is None) != (key is None):
        fix = "give text, table and key, or none of them"
        raise InputError("a deployed text needs the table that it reads, and its key", where="text", fix=fix)
    query = query_of(exporter.export(model).text if text is None else text, exporter.target.sqlglot)
    beside = [free(each, query, *names.values()) for each in (_WEIGHT, _EXPECTED)]
    read = _Read(fingerprint(model), table or _TABLE, key or row, names, *beside)
    frame = evaluate(model, trial.frame).frame()
    asked = results_named(query, exporter.target.sqlglot, list(frame))
    if not {*_NEEDED} & {*asked}:
        raise InputError(
            "none of its columns is a score or a decision",
            where="text",
            allowed=", ".join(_NEEDED),
            got=", ".join(asked),
        )
    places = [list(frame).index(name) for name in asked]
    settings = MadeWith(dialect=dialect, rows=len(trial.frame), seed=seed, salt=salt, results=places)
    results = [Told.of(name, frame[name]) for name in asked]
    statement = _statement(exporter, query, read, trial, results, salt)
    script = f"{_header(exporter, trial, read, settings)}{statement};\n"
    name = name_of(script)
    return Proof(text=script.replace(PLACE, name), name=name, rows=trial)


@dataclass(frozen=True, slots=True, kw_only=True)
class MadeWith:
    """What a script was made with; results are places among the evaluator's columns."""

    dialect: str
    rows: int
    seed: int
    salt: str
    results: list[int]


def made_with(script: str) -> tuple[str, MadeWith]:
    """The name of a script, and what it was made with, as its first lines say.

    Raises
    ------
    InputError : the text is no such script.
    """
    lines = [line.removeprefix("-- ") for line in script.splitlines()[:_HEADER]]
    named = [line.removeprefix(_NAMED) for line in lines if line.startswith(_NAMED)]
    settings = [line.removeprefix(_MADE) for line in lines if line.startswith(_MADE)]
    if len(named) != 1 or len(settings) != 1 or not re.fullmatch(r"[0-9a-f]{32}", named[0]):
        raise InputError("not a script of scrutable proof", where="script", fix="give the file that it wrote")
    plain = from_json(settings[0], "script")
    return named[0], MadeWith(**checked_options(MadeWith, plain, "script"))


def name_of(script: str) -> str:
    """The name of a script in which its place is free: the digest of the rest."""
    return sha256(script)[:_LENGTH]


def _checked(salt: str) -> str:
    if not _SALT.fullmatch(salt):
        fix = "leave it out, and one is drawn at random"
        raise InputError("not a salt", where="salt", got=salt, allowed="16 to 64 hexadecimal digits", fix=fix)
    return salt.lower()


def _statement(exporter: Any, query: str, read: _Read, trial: TrialRows, results: Sequence[Told], salt: str) -> str:
    """The query over the rows, beside what must come out, and what becomes of all rows together."""
    d, quoted = exporter.target, exporter.quoted
    rows, scored, numbers = (free(each, query) for each in ("scrutable_rows", "scrutable_found", "scrutable_numbers"))
    tables = inlined(exporter, rows, _columns(d, read, trial, results, salt))
    steps, last, ending = parts_of(over(query, d.sqlglot, Rows(read.table, tables, rows), quoted), d.sqlglot)
    worked_out = [f"r.{quoted(read.weight)} AS weight"]
    for i, each in enumerate(results, 1):
        got, wanted = f"f.{quoted(each.name)}", f"r.{quoted(f'{read.expected}{i}')}"
        worked_out += [
            f"CAST({each.sql(exporter, got, wanted)} AS {d.integer}) AS number_{i}",
            f"{each.differs(exporter, got, wanted)} AS differs_{i}",
        ]
    as_ = d.alias.removesuffix("t")
    beside = f"FROM {rows} {as_}r\nLEFT JOIN {scored} {as_}f ON f.{quoted(read.key)} = r.{quoted(read.key)}"
    differing = "\n + ".join(f"differs_{i}" for i in range(1, len(results) + 1))
    given = {
        "proof": exporter.literal(PLACE),
        "model": exporter.literal(read.model),
        "engine": _VERSIONS.get(d.name, "version()"),
        "rows_compared": "COUNT(*)",
        "differences": f"SUM(CASE WHEN {differing} > 0 THEN 1 ELSE 0 END)",
        "digest": digest_sql(exporter, [f"number_{i}" for i in range(1, len(results) + 1)], "weight", salt),
    }
    select = _LINES.join(f"{value} AS {quoted(name)}" for name, value in given.items())
    return (
        f"{steps},\n{scored} AS (\n{last}\n),\n{numbers} AS (\nSELECT\n{_LINES.join(worked_out)}\n{beside}\n)\n"
        f"SELECT\n{select}\nFROM {numbers}{ending}"
    )


def _columns(d: Any, read: _Read, trial: TrialRows, results: Sequence[Told], salt: str) -> list[Inlined]:
    """What the model reads, the row's number and weight, and what must come out."""
    count = len(trial.frame)
    columns = [
        Inlined(read.columns[str(name)], d.double if values.dtype.kind == "f" else d.text, values.tolist())
        for name, values in trial.frame.items()
    ]
    columns += [
        Inlined(read.key, d.integer, list(range(count))),
        Inlined(read.weight, d.integer, row_weights(salt, count)),
    ]
    types = {"i": d.integer, "f": d.double, "O": d.text}
    return columns + [
        Inlined(f"{read.expected}{i}", types[each.expected.dtype.kind], each.expected.tolist())
        for i, each in enumerate(results, 1)
    ]


def _header(exporter: Any, trial: TrialRows, read: _Read, settings: MadeWith) -> str:
    """What the script is, for whoever runs it, and what it was made with, for whoever reads its result."""
    lines = [
        f"Proof of a model in {exporter.target.title}: one query, which reads no table and makes nothing.",
        f"{_NAMED}{PLACE}",
        f"Model fingerprint (SHA-256): {read.model}",
        f"{trial.coverage}.",
        f"{_MADE}{json.dumps(asdict(settings))}",
        "Run it, save its one row as CSV with the names of the columns, and give that back beside this file:",
        "  scrutable verify model.json --returned result.csv --script FILE",
    ]
    return "".join(f"-- {line}\n" for line in lines)
