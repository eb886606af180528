"""Versions behind a view of stable columns: made, switched to at once, and back; scored beside the present one."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from scrutable import create
from scrutable.errors import InputError, UnsupportedModel
from scrutable.model import Model
from scrutable_deployment.catalogues import find_deployed, find_text
from scrutable_deployment.database import TRANSACTIONAL, Database, opened
from scrutable_deployment.deployment import Deployment, Step, made_by
from scrutable_deployment.held_text import read_held_sha256
from scrutable_deployment.history import read_history
from scrutable_deployment.names import Named, spoken
from scrutable_deployment.one_by_one import wait_for_others
from scrutable_deployment.owning import check_owner
from scrutable_deployment.reason_texts import check_view, read_texts, reasons_of
from scrutable_deployment.stable_view import Shape
from scrutable_deployment.table_checks import check_table, rows_in_doubt
from scrutable_deployment.versions import Planner, Present, shadow_of, view_of

#: Options of the exporter that a deployment gives itself or would pass over, and what to do instead.
_DECIDED = {
    **dict.fromkeys(("form", "name", "url", "dialect"), "leave it out: a version is a view of the name that is given"),
    **dict.fromkeys(("ids", "key"), "leave it out, and give --key"),
    **dict.fromkeys(("checks", "raising"), "leave it out: the table is always checked before a switch"),
    "version": "leave it out: versions are counted, and the view that others read has model_version",
    "test_rows": "leave it out: scrutable verify --deployed compares what is deployed",
    "texts": "leave it out: the texts of reasons are always deployed, as <name>_texts and <name>_reasons",
    "details": "leave it out: the view that others read has none of them",
}


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
    (approved or declined), `knock_out`, `override`, `grade`, `reason_1` …, `model_version` and `model_fingerprint`. The
    table `<name>_texts` has the texts of reasons by model, and the view `<name>_reasons` declines with theirs. The
    registry `<name>_versions` gets a row. What is there already is not made again.

    Parameters
    ----------
    url : of the database; what is there is not known without it, and the statements are those of a first version.
    dialect : where no URL tells it.
    table, key : with the model's inputs, and its columns that name a row.
    columns : column of the table by feature.
    options : further ones of the exporter `sql`; approved rows have reasons, too, with `reasons_for="all"`.
    shadow : score by the version beside the present one, as `<name>_shadow`, and leave the view as it is.
    anew : make a version though there is one of this model and text, and replace views that others read though somebody
        changed them.
    run : run the statements.
    by : who does it, for the registry; the database's user if None.
    allow : is given `Deployment.statement` once, before anything runs, and raises to stop it.

    Raises
    ------
    InputError : no database to run it in, a key or reasons that others do not read, a name that something else has, a
        version whose view or texts somebody changed, a view that others read which somebody replaced, views of another
        role in PostgreSQL, a code that meant something else in a version that was read once,
        a table that lacks columns or whose key does not name one row.
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
        export = _exported(model, dialect, view_of(name, 1), key, given)
        planner = Planner(exporter=exporter, name=name, present=Present(), by=by)
        version, steps = planner.versioned(model, key, 1, export, table, shadow=shadow)
        allow(made_by(version, steps))
        return Deployment(name=name, version=version, steps=tuple(steps), transactional=dialect in TRANSACTIONAL)
    with opened(url) as database, database.transaction(reading=not run):
        planner = _planner(database, name, by, locked=run)
        number = planner.free_number()
        export = _exported(model, database.exporter.dialect, view_of(name, number), key, given)
        check_table(database, export, table, key)
        version, steps = planner.versioned(model, key, number, export, table, shadow=shadow, anew=anew)
        allow(made_by(version, steps))
        warnings = [] if shadow or not steps else planner.warnings()
        warnings += rows_in_doubt(database, export, table) if run and steps else []
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
        planner = _planner(database, name, by, locked=run)
        present = planner.present
        version = present.history.before() if to is None else present.history.once_read(to)
        made = present.history.of(version)
        planner.check_unchanged(made)
        if version == present.history.current and planner.is_whole():
            return _done(database, name, version, [], run)
        view = find_deployed(database, view_of(name, version))
        gone = spoken(view_of(name, version)) if view is None else spoken(name)
        if view is None or present.shape is None:
            raise InputError("the view is gone", where=gone, fix="deploy the version's model anew")
        steps = planner.gone_back(made, list(view.columns))
        return _done(database, name, version, steps, run, planner.warnings())


def _planner(database: Database, name: Named, by: str | None, *, locked: bool) -> Planner:
    if locked:
        check_owner(database, [name, shadow_of(name), reasons_of(name)])
        wait_for_others(database, name)
    view = find_deployed(database, name)
    shape = None if view is None else Shape.of_view(list(view.columns), name)
    history = read_history(database, name)
    if locked:
        check_owner(database, [view_of(name, version) for version in sorted(history.versions, reverse=True)])
    check_view(database, name)
    present = Present(
        history=history,
        shape=shape,
        has=lambda other: find_text(database, other) is not None,
        held=lambda view: read_held_sha256(database, view),
        texts=lambda fingerprint: read_texts(database, name, fingerprint),
    )
    return Planner(exporter=database.exporter, name=name, present=present, by=by)


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
