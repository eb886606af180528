"""The registry of versions: a table to which each making, switch and rollback adds a row, and none is changed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from scrutable.errors import InputError
from scrutable_deployment.append_only import kept
from scrutable_deployment.catalogues import Deployed, find_deployed
from scrutable_deployment.database import TRANSACTIONAL, Database
from scrutable_deployment.held_text import held_sha256
from scrutable_deployment.names import Named, apart, beside, spoken

#: `replaced` tells of views as somebody left them, before a switch or rollback puts its own in their place.
Action = Literal["make", "shadow", "switch", "rollback", "replaced"]
#: What is read of a row, and what is only kept.
_READ = (
    "entry",
    "version",
    "action",
    "model_fingerprint",
    "text_sha256",
    "texts_sha256",
    "codes",
    "held_sha256",
    "reasons_sha256",
    "scored_table",
)
_COLUMNS = (*_READ, "entered_at", "entered_by")
#: How each engine says who the user is.
_USERS = {
    "postgres": "CURRENT_USER",
    "duckdb": "CURRENT_USER",
    "mariadb": "CURRENT_USER()",
    "clickhouse": "currentUser()",
}
_ENDINGS = {"clickhouse": " ENGINE = MergeTree ORDER BY entry"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """A row of the registry.

    Parameters
    ----------
    entry : its number, from 1.
    version : the number of the version that it is about.
    action : what was done.
    model_fingerprint, text_sha256 : of the model, and of the query that scores by it.
    texts_sha256 : of the model's texts of reasons; None where it gives none.
    codes : what its codes of reasons and of rules mean, as JSON, where a version is made.
    held_sha256 : of the text of what was made or replaced, as the database gives that back; None before it is there.
    reasons_sha256 : of that of the view of reasons, after a switch or rollback; None where there is none.
    scored_table : the table whose rows the version scores, as `names.named` reads it.
    """

    entry: int
    version: int
    action: str
    model_fingerprint: str
    text_sha256: str
    texts_sha256: str | None = None
    codes: str | None = None
    held_sha256: str | None = None
    reasons_sha256: str | None = None
    scored_table: str | None = None


@dataclass(frozen=True, slots=True)
class History:
    """What the registry says; nothing where it is not there yet."""

    entries: tuple[Entry, ...] = ()

    @property
    def current(self) -> int | None:
        """The version that is read, which the last switch or rollback says."""
        read = self._read()
        return read[-1] if read else None

    @property
    def shadow(self) -> int | None:
        """The version that is scored beside the current one."""
        last = next((each for each in reversed(self.entries) if each.action in ("shadow", "switch")), None)
        return last.version if last is not None and last.action == "shadow" else None

    @property
    def last_read(self) -> Entry | None:
        """The last switch or rollback."""
        return next((each for each in reversed(self.entries) if each.action in ("switch", "rollback")), None)

    @property
    def versions(self) -> set[int]:
        """The versions that were made."""
        return {each.version for each in self.entries if each.action == "make"}

    @property
    def all_read(self) -> list[int]:
        """The versions that were read once, in order."""
        return sorted({each.version for each in self.entries if each.action in ("switch", "rollback")})

    @property
    def next_version(self) -> int:
        """The number of a version that is not there yet."""
        return max((each.version for each in self.entries), default=0) + 1

    @property
    def next_entry(self) -> int:
        """The number of the next row."""
        return max((each.entry for each in self.entries), default=0) + 1

    def made(self, fingerprint: str, text_sha256: str) -> int | None:
        """The version of a model and a text; None if there is none."""
        same = [
            each.version
            for each in self.entries
            if (each.action, each.model_fingerprint, each.text_sha256) == ("make", fingerprint, text_sha256)
        ]
        return same[-1] if same else None

    def of(self, version: int) -> Entry:
        """How a version was made.

        Raises
        ------
        InputError : there is no such version.
        """
        for each in self.entries:
            if (each.version, each.action) == (version, "make"):
                return each
        made = sorted(self.versions)
        raise InputError("no such version", where="registry", got=version, allowed=", ".join(map(str, made)) or "none")

    def before(self) -> int:
        """The version to go back to: the one read before the current one, and not itself left by going back.

        Raises
        ------
        InputError : there is none.

        Examples
        --------
        >>> told = [(1, "switch"), (2, "switch"), (1, "rollback"), (3, "switch")]
        >>> entries = [
        ...     Entry(entry=i, version=version, action=action, model_fingerprint="", text_sha256="")
        ...     for i, (version, action) in enumerate(told, 1)
        ... ]
        >>> History(tuple(entries)).before()
        1
        """
        read = self._read()
        if len(read) < 2:
            raise InputError(
                "no version was read before",
                where="registry",
                got=f"version {read[-1]}" if read else "no version",
                fix="name a version that was read once with --to, or deploy the earlier model",
            )
        return read[-2]

    def once_read(self, version: int) -> int:
        """The version, if it was read once: only such a one is gone back to.

        Raises
        ------
        InputError : there is no such version, or nobody ever read it.
        """
        read = self.all_read
        if self.of(version).version not in read:
            raise InputError(
                "this version was made, but never read, so that there is no way back to it",
                where="registry",
                got=f"version {version}",
                allowed=", ".join(map(str, read)) or "none",
                fix="deploy its model without --shadow; that asks for what a deployment asks for",
            )
        return version

    def _read(self) -> list[int]:
        """The versions that were read, one upon the other; a rollback takes away those above the one it goes to."""
        read: list[int] = []
        for each in self.entries:
            if each.action == "rollback" and each.version in read:
                del read[len(read) - read[::-1].index(each.version) :]
            elif each.action in ("switch", "rollback") and read[-1:] != [each.version]:
                read.append(each.version)
        return read


def registry_of(name: Named) -> Named:
    """The registry of what is read under a name.

    >>> registry_of(("risk", "score"))
    ('risk', 'score_versions')
    """
    return beside(name, f"{apart(name)[1]}_versions")


def has_registry(database: Database, name: Named) -> bool:
    """Whether there is a registry of a name; a table of other columns that is called so is none."""
    deployed = find_deployed(database, registry_of(name))
    return deployed is not None and _is_registry(deployed)


def read_history(database: Database, name: Named) -> History:
    """What the registry of a name says.

    Raises
    ------
    InputError : something else has the registry's name.
    """
    registry = registry_of(name)
    deployed = find_deployed(database, registry)
    if deployed is None:
        return History()
    if not _is_registry(deployed):
        raise InputError(
            "something else has the registry's name",
            where=deployed.title,
            got=", ".join(deployed.columns),
            allowed=", ".join(_COLUMNS),
            fix="deploy under another name, or move that table away",
        )
    asked = ", ".join(database.quoted(each) for each in _READ)
    text = f"SELECT {asked} FROM {database.quoted(registry)} ORDER BY {database.quoted('entry')}"
    rows = database.rows(text, "reading the registry", f"SELECT on {spoken(registry)}")
    return History(tuple(Entry(**dict(zip(_READ, row, strict=True))) for row in rows))


def _is_registry(deployed: Deployed) -> bool:
    return [each.casefold() for each in deployed.columns] == list(_COLUMNS)


def registry_texts(exporter: Any, name: Named) -> Sequence[str]:
    """What makes the registry: the table and, where the dialect has triggers, what keeps its rows as they are."""
    d, table = exporter.target, exporter.quoted(registry_of(name))
    kinds = ("integer", "integer", *["categorical"] * (len(_COLUMNS) - 2))
    columns = [f"{exporter.quoted(each)} {d.stored(kind)}" for each, kind in zip(_COLUMNS, kinds, strict=True)]
    columns[0] += "" if d.name in _ENDINGS else " PRIMARY KEY"
    unless = "" if d.name in TRANSACTIONAL else " IF NOT EXISTS"  # left by a command that was stopped
    return [
        f"CREATE TABLE{unless} {table} ({', '.join(columns)}){_ENDINGS.get(d.name, '')}",
        *kept(exporter, registry_of(name), _COLUMNS[0]),
    ]


def entry_text(
    exporter: Any, name: Named, entry: Entry, views: Sequence[tuple[Named, str] | None] | None, by: str | None
) -> str:
    """What adds a row to the registry; who adds it is the database's user unless it is said.

    Parameters
    ----------
    views : what was made or replaced, and the view of reasons that stands on it, each with the query that it was made
        of; None where there is none. Without them the digests are those of the entry.
    """
    d = exporter.target
    texts = (entry.action, entry.model_fingerprint, entry.text_sha256, entry.texts_sha256, entry.codes)
    if views is None:
        held = [exporter.literal(entry.held_sha256), exporter.literal(entry.reasons_sha256)]
    else:
        held = ["NULL" if view is None else held_sha256(exporter, *view) for view in views]
    values = [
        *(str(number) for number in (entry.entry, entry.version)),
        *map(exporter.literal, texts),
        *held,
        exporter.literal(entry.scored_table),
        f"CAST(CURRENT_TIMESTAMP AS {d.text})",
        _USERS.get(d.name, "NULL") if by is None else exporter.literal(by),
    ]
    names = ", ".join(exporter.quoted(each) for each in _COLUMNS)
    return f"INSERT INTO {exporter.quoted(registry_of(name))} ({names}) SELECT {', '.join(values)}"
