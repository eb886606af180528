"""The table that a deployed view reads beside the one that the registry of its versions names."""

from __future__ import annotations

from scrutable.proof import ColumnCheck
from scrutable_deployment.database import Database
from scrutable_deployment.history import History, has_registry, read_history
from scrutable_deployment.names import Named, is_same, named, spoken
from scrutable_deployment.versions import name_of

#: What the check is called.
TABLE_READ = "table that is read"


def check_of_table(database: Database, view: Named, source: Named) -> list[ColumnCheck]:
    """Whether a view reads the table that it was deployed for; nothing where no registry says that.

    PostgreSQL and SQLite let a view follow a table that gets another name, so that it goes on reading that one when a
    new table takes the old name.

    Parameters
    ----------
    view : that is deployed, of stable columns, of a version, or the shadow.
    source : the table that it reads.

    Raises
    ------
    InputError : the user may not read the registry.
    """
    allowed = _registered(database, view)
    if allowed is None:
        return []
    same = is_same(source, allowed)
    note = "" if same else f"{spoken(source)}, and the registry says {spoken(allowed)}: a table got another name"
    return [ColumnCheck(name=TABLE_READ, what="other", differing=int(not same), note=note)]


def _registered(database: Database, view: Named) -> Named | None:
    """The table that the registry names for what a view gives."""
    own, version, is_shadow = name_of(view)
    for name in dict.fromkeys((view, own)):
        if not has_registry(database, name):
            continue
        history = read_history(database, name)
        number = history.current if name == view else _version(history, version, is_shadow)
        made = next((each for each in history.entries if (each.version, each.action) == (number, "make")), None)
        if made is not None and made.scored_table is not None:
            return named(made.scored_table, "registry, scored_table")
    return None


def _version(history: History, version: int | None, is_shadow: bool) -> int | None:
    return history.shadow if is_shadow else version
