"""Versions behind a view of stable columns: made, switched to at once, and back; scored beside the present one."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from scrutable import create
from scrutable.data.frames import rows_like
from scrutable.errors import InputError, UnsupportedModel
from scrutable.model import Model, fingerprint
from scrutable.plugins import one_line
from scrutable.proof import sha256
from scrutable_deployment.catalogues import find_deployed
from scrutable_deployment.database import TRANSACTIONAL, Database, opened
from scrutable_deployment.deployed_text import query_of
from scrutable_deployment.held_text import read_held_sha256
from scrutable_deployment.history import Action, Entry, History, entry_text, read_history, registry_of, registry_texts
from scrutable_deployment.names import Named, apart, beside, spoken
from scrutable_deployment.stable_view import Shape
from scrutable_deployment.table_checks import check_table, rows_in_doubt

#: Engines in which a comment can stand beside a view.
_COMMENTED = ("postgres", "duckdb")
#: Options of the exporter that a deployment gives itself or would pass over, and what to do instead.
_DECIDED = {
    **dict.fromkeys(("form", "name", "url", "dialect"), "leave it out: a version is a view of the name that is given"),
    **dict.fromkeys(("ids", "key"), "leave it out, and give --key"),
    **dict.fromkeys(("checks", "raising"), "leave it out: the table is always checked before a switch"),
    "test_rows": "leave it out: scrutable verify --deployed compares what is deployed",
    "details": "leave it out: the view that others read has none of them",
    "texts": "leave it out; scrutable export --option texts= writes the table of texts, to which reasons are joined"
    " by code and model_fingerprint",
}
#: How long a switch waits for readers; those that come meanwhile wait behind it.
_PATIENCE = "SET LOCAL lock_timeout TO '10s'"


@dataclass(frozen=True, slots=True)
class Step:
    """A statement, and what it does in words."""

    text: str
    about: str


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Deployment:
    """What is to be done, or was done.

    Parameters
    ----------
    name : the view that others read.
    version : the number of the version.
    steps : none where all is as it should be.
    transactional : whether they happen together or not at all; else each is whole by itself.
    ran : whether they were run.
    warnings : what is unusual about the table's rows, in counts.
    """

    name: Named
    version: int
    steps: tuple[Step, ...]
    transactional: bool
    ran: bool = False
    warnings: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """The statements as one script."""
        if not self.steps:
            return f"-- version {self.version} is there already: nothing to do\n"
        steps = "".join(f"-- {one_line(step.about)}\n{step.text.rstrip().rstrip(';')};\n" for step in self.steps)
        return f"BEGIN;\n{steps}COMMIT;\n" if self.transactional else steps

    @property
    def statement(self) -> str | None:
        """What makes the version's view, as `scrutable export` writes it; None where the version is there already."""
        return _statement(self.version, self.steps)

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
        return {
            "name": spoken(self.name),
            "version": self.version,
            "ran": self.ran,
            "warnings": list(self.warnings),
            "steps": [{"about": step.about, "text": step.text} for step in self.steps],
        }

    def frame(self) -> Any:
        """A row for each statement."""
        return rows_like({"about": step.about, "text": step.text} for step in self.steps)

    def __repr__(self) -> str:
        what = "ran" if self.ran else "to run"
        return f"Deployment(version {self.version} of {spoken(self.name)}, {len(self.steps)} statements {what})"


@dataclass(frozen=True, slots=True, kw_only=True)
class _Present:
    """What is there: the registry's rows and, where a view of the name is there, its columns.

    Parameters
    ----------
    has : whether there is something of a name. held : the digest of the text of a view as it is now.
    """

    history: History = field(default_factory=History)
    shape: Shape | None = None
    has: Callable[[Named], bool] = lambda name: False
    held: Callable[[Named], str | None] = lambda name: None


def deploy(
    model: Model,
    name: Named,
    *,
    url: str | None = None,
    dialect: str | None = None,
    table: Named = "applicants",
    key: Sequence[str],
    columns: Mapping[str, str] | None = None,
    options: Mapping[str, Any] | None = None,
    shadow: bool = False,
    anew: bool = False,
    run: bool = False,
    by: str | None = None,
    allow: Callable[[str | None], None] = lambda statement: None,
) -> Deployment:
    """Make a version of a model in a database, and let the view that others read give it; or only say how.

    The version is a view of its own, `<name>_v<number>`. The view of the name has the key, `score`, `decision`
    (approved or declined), `reason_1` …, `model_version` and `model_fingerprint`; the registry `<name>_versions` gets a
    row. What is there already is not made again.

    Parameters
    ----------
    url : of the database; what is there is not known without it, and the statements are those of a first version.
    dialect : where no URL tells it.
    table, key : with the model's inputs, and its columns that name a row.
    columns : column of the table by feature.
    options : further ones of the exporter `sql`; approved rows have reasons, too, with `reasons_for="all"`.
    shadow : score by the version beside the present one, as `<name>_shadow`, and leave the view as it is.
    anew : make a version though there is one of this model and text.
    run : run the statements.
    by : who does it, for the registry; the database's user if None.
    allow : is given `Deployment.statement` once, before anything runs, and raises to stop it.

    Raises
    ------
    InputError : no database to run it in, a key or reasons that others do not read, a name that something else has, a
        version whose view somebody changed, a table that lacks columns or whose key does not name one row.
    UnsupportedModel : the dialect cannot reproduce the model, or it does not decide between two classes.
    PluginError : the database refuses a statement; in PostgreSQL, DuckDB and SQLite nothing is changed then.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> from scrutable.testing.cards import card
    >>> path = pathlib.Path(tempfile.mkdtemp(), "bank.db")
    >>> path.touch()
    >>> with opened(f"sqlite:///{path}") as database:
    ...     database.run("CREATE TABLE applicants (id INTEGER, amount REAL, job TEXT)", "making a table", "none")
    >>> done = deploy(card(), "score", url=f"sqlite:///{path}", key=["id"], run=True)
    >>> again = deploy(card(), "score", url=f"sqlite:///{path}", key=["id"], run=True)
    >>> done.version, len(done.steps) > 0, len(again.steps)
    (1, True, 0)
    """
    given = {"table": table, "columns": dict(columns or {}), "reasons_for": "declined", **(options or {})}
    if url is None:
        if run or dialect is None:
            fix = "give the URL of the database, or a dialect and no run"
            raise InputError("no database to deploy in", where="url", got=url, fix=fix)
        exporter = create("exporter", "sql", dialect=dialect)
        export = _exported(model, dialect, _view(name, 1), key, given)
        version, steps = _versioned(model, exporter, name, key, 1, export, _Present(), by, shadow=shadow)
        allow(_statement(version, steps))
        return Deployment(name=name, version=version, steps=tuple(steps), transactional=dialect in TRANSACTIONAL)
    with opened(url) as database, database.transaction(reading=not run):
        present = _present(database, name, locked=run)
        exporter, number = database.exporter, _free_number(name, present)
        export = _exported(model, exporter.dialect, _view(name, number), key, given)
        check_table(database, export, table, key)
        version, steps = _versioned(model, exporter, name, key, number, export, present, by, shadow=shadow, anew=anew)
        allow(_statement(version, steps))
        warnings = rows_in_doubt(database, export, table) if run and steps else []
        return _done(database, name, version, steps, run, warnings)


def roll_back(name: Named, *, url: str, to: int | None = None, run: bool = False, by: str | None = None) -> Deployment:
    """Let the view that others read give an earlier version again; or only say how.

    Parameters
    ----------
    to : the version, which was read once; the one that was read before the present one if None.

    Raises
    ------
    InputError : no such version, one that was never read, or none before; PluginError as of `deploy`.
    """
    with opened(url) as database, database.transaction(reading=not run):
        present = _present(database, name, locked=run)
        version = present.history.before() if to is None else present.history.once_read(to)
        made = present.history.of(version)
        _check_unchanged(name, made, present)
        if version == present.history.current and _is_whole(name, present):
            return _done(database, name, version, [], run)
        view = find_deployed(database, _view(name, version))
        gone = spoken(_view(name, version)) if view is None else spoken(name)
        if view is None or present.shape is None:
            raise InputError("the view is gone", where=gone, fix="deploy the version's model anew")
        exporter, columns = database.exporter, list(view.columns)
        query = present.shape.query(exporter, view.name, version, made.model_fingerprint, columns)
        steps = _switched(exporter, name, made, query)
        steps.append(_entered(exporter, name, made, "rollback", present.history.next_entry, by, name, query))
        return _done(database, name, version, steps, run)


def _present(database: Database, name: Named, *, locked: bool) -> _Present:
    registry = registry_of(name)
    if locked and database.dialect.name == "postgres" and find_deployed(database, registry) is not None:
        database.run(_PATIENCE, "waiting for others", "none")
        text = f"LOCK TABLE {database.quoted(registry)} IN SHARE ROW EXCLUSIVE MODE"
        database.run(text, "keeping others from deploying", f"INSERT on {spoken(registry)}")
    view = find_deployed(database, name)
    shape = None if view is None else Shape.of_view(list(view.columns), name)
    history = read_history(database, name)
    return _Present(
        history=history,
        shape=shape,
        has=lambda other: find_deployed(database, other) is not None,
        held=lambda view: read_held_sha256(database, view),
    )


def _done(
    database: Database, name: Named, version: int, steps: Sequence[Step], run: bool, warnings: Sequence[str] = ()
) -> Deployment:
    for step in steps if run else ():
        database.run(step.text, step.about, "CREATE in the schema, and to own what is replaced")
    return Deployment(
        name=name,
        version=version,
        steps=tuple(steps),
        transactional=database.transactional,
        ran=run and bool(steps),
        warnings=tuple(warnings),
    )


def _versioned(
    model: Model,
    exporter: Any,
    name: Named,
    key: Sequence[str],
    number: int,
    export: Any,
    present: _Present,
    by: str | None,
    *,
    shadow: bool = False,
    anew: bool = False,
) -> tuple[int, list[Step]]:
    """The number of the version, and what is left to do until it is there and read.

    Parameters
    ----------
    number : the next one that is free. export : the statement of a version of that number.
    """
    history = present.history
    mark = fingerprint(model), sha256(query_of(export.text, exporter.target.sqlglot))
    there = None if anew else history.made(*mark)
    if there is not None and not present.has(_view(name, there)):
        there = None
    if there is not None:
        _check_unchanged(name, history.of(there), present)
    version = number if there is None else there
    results = export.results or ()
    shape = Shape.of_results(key, results).held_to(present.shape, name)
    made = Entry(
        entry=history.next_entry, version=version, action="make", model_fingerprint=mark[0], text_sha256=mark[1]
    )
    steps = []
    if not history.entries:
        steps += [Step(text, "the registry, to which rows are only added") for text in registry_texts(exporter, name)]
    if there is None:
        steps += [
            Step(export.text, _about(version)),
            _entered(exporter, name, made, "make", made.entry, by, _view(name, version), export.text),
        ]
    following = made.entry + (there is None)
    target = beside(name, f"{apart(name)[1]}_shadow")
    is_read = version == history.current and _is_whole(name, present)
    is_shadow = version == history.shadow and present.has(target)
    query = shape.query(exporter, _view(name, version), version, mark[0], results)
    if shadow and not is_read and not is_shadow:
        steps += _replaced(exporter, target, query)
        steps.append(_entered(exporter, name, made, "shadow", following, by, target, query))
    elif not shadow and not is_read:
        steps += _switched(exporter, name, made, query)
        steps.append(_entered(exporter, name, made, "switch", following, by, name, query))
    return version, steps


def _free_number(name: Named, present: _Present) -> int:
    """The number of the next version; a command that was stopped may have left a view that the registry lacks."""
    numbers = itertools.count(present.history.next_version)
    return next(number for number in numbers if not present.has(_view(name, number)))


def _exported(model: Model, dialect: str, view: Named, key: Sequence[str], options: Mapping[str, Any]) -> Any:
    if not key:
        raise InputError("no key of the table", where="key", fix="name the columns that name a row")
    _refuse_decided(options)
    exporter = create("exporter", "sql", dialect=dialect, form="view", name=view, ids=list(key), **options)
    export = exporter.export(model)
    if not {"score", "approved"} <= set(export.results or ()):
        raise UnsupportedModel(
            "only a decision between two classes is deployed behind a view of stable columns",
            where="model",
            got=model.kind,
            fix="export it with form='view', and put it in place yourself",
        )
    return export


def _refuse_decided(options: Mapping[str, Any]) -> None:
    """Refuse options that a deployment gives itself, or would pass over."""
    for option, fix in _DECIDED.items():
        if option in options:
            raise InputError("not an option of a deployment", where=f"option {option}", got=options[option], fix=fix)


def _switched(exporter: Any, name: Named, made: Entry, query: str) -> list[Step]:
    """What lets the view of the name give a query of a version."""
    steps = _replaced(exporter, name, query)
    if exporter.dialect in _COMMENTED:
        words = exporter.literal(f"Version {made.version}, model fingerprint {made.model_fingerprint}")
        steps.append(Step(f"COMMENT ON VIEW {exporter.quoted(name)} IS {words}", "what the view gives, in words"))
    return steps


def _check_unchanged(name: Named, made: Entry, present: _Present) -> None:
    """Refuse a version whose view is another one than was made; one that is gone is another matter."""
    view = _view(name, made.version)
    if present.has(view) and (now := present.held(view)) != made.held_sha256:
        raise InputError(
            f"version {made.version} is not as it was made: somebody replaced its view, or the database writes it"
            " otherwise now",
            where=f"view {spoken(view)}, SHA-256 of its text",
            got=now,
            allowed=made.held_sha256,
            fix="make it anew as a new version: scrutable deploy with its model and --anew",
        )


def _is_whole(name: Named, present: _Present) -> bool:
    """Whether the view of the name is there as it was left."""
    last = next((each for each in reversed(present.history.entries) if each.action in ("switch", "rollback")), None)
    return last is not None and present.shape is not None and present.held(name) == last.held_sha256


def _replaced(exporter: Any, name: Named, query: str) -> list[Step]:
    """What lets a view give a query, in one statement, or in two that are one transaction."""
    quoted = exporter.quoted(name)
    if exporter.dialect == "sqlite":
        return [
            Step(f"DROP VIEW IF EXISTS {quoted}", f"{spoken(name)} as it was"),
            Step(f"CREATE VIEW {quoted} AS {query}", f"{spoken(name)} as it is to be"),
        ]
    return [Step(f"CREATE OR REPLACE VIEW {quoted} AS {query}", f"{spoken(name)} as it is to be, from one moment on")]


def _entered(
    exporter: Any, name: Named, made: Entry, action: Action, number: int, by: str | None, view: Named, query: str
) -> Step:
    entry = Entry(
        entry=number,
        version=made.version,
        action=action,
        model_fingerprint=made.model_fingerprint,
        text_sha256=made.text_sha256,
    )
    return Step(entry_text(exporter, name, entry, view, query, by), f"the registry: {action} of version {made.version}")


def _statement(version: int, steps: Sequence[Step]) -> str | None:
    """What makes the view of a version among some steps; None where it is none of them."""
    return next((step.text for step in steps if step.about == _about(version)), None)


def _about(version: int) -> str:
    return f"version {version}"


def _view(name: Named, version: int) -> Named:
    return beside(name, f"{apart(name)[1]}_v{version}")
