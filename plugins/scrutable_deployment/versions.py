"""From what is there to what is left to do: the next version made, switched to, or scored beside the present one."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from scrutable.errors import InputError
from scrutable.model import Model, fingerprint
from scrutable.proof import sha256
from scrutable_deployment.database import TRANSACTIONAL
from scrutable_deployment.deployed_text import query_of
from scrutable_deployment.deployment import Step, about_version
from scrutable_deployment.history import Entry, History, entry_text, registry_texts
from scrutable_deployment.kept_codes import check_codes, codes_text
from scrutable_deployment.names import Named, apart, beside, spoken, written
from scrutable_deployment.reason_texts import (
    Row,
    digest_of,
    fill_text,
    reasons_of,
    rows_of,
    table_texts,
    texts_of,
    view_text,
)
from scrutable_deployment.stable_view import Shape

#: Engines in which a comment can stand beside a view.
_COMMENTED = ("postgres", "duckdb")


@dataclass(frozen=True, slots=True, kw_only=True)
class Present:
    """What is there: the registry's rows and, where a view of the name is there, its columns.

    Parameters
    ----------
    has : whether there is something of a name. held : the digest of the text of a view as it is now.
    texts : the texts of reasons that are there of a model, by its fingerprint.
    """

    history: History = field(default_factory=History)
    shape: Shape | None = None
    has: Callable[[Named], bool] = lambda name: False
    held: Callable[[Named], str | None] = lambda name: None
    texts: Callable[[str], list[Row]] = lambda fingerprint: []


@dataclass(frozen=True, slots=True, kw_only=True)
class Planner:
    """What is left to do, from what is there.

    Parameters
    ----------
    exporter : the exporter `sql` of the database.
    name : the view that others read.
    by : who does it; the database's user if None.
    """

    exporter: Any
    name: Named
    present: Present
    by: str | None = None

    def free_number(self) -> int:
        """The number of the next version; a command that was stopped may have left a view that the registry lacks."""
        numbers = itertools.count(self.present.history.next_version)
        return next(number for number in numbers if not self.present.has(view_of(self.name, number)))

    def versioned(
        self,
        model: Model,
        key: Sequence[str],
        number: int,
        export: Any,
        table: Named,
        *,
        shadow: bool = False,
        anew: bool = False,
    ) -> tuple[int, list[Step]]:
        """The number of the version, and what is left to do until it is there and read.

        Parameters
        ----------
        number : the next one that is free. export : the statement of a version of that number.
        table : whose rows it scores.
        """
        history, results = self.present.history, export.results or ()
        shape = Shape.of_results(key, results).held_to(self.present.shape, self.name)
        mark = fingerprint(model), sha256(query_of(export.text, self.exporter.target.sqlglot))
        there = None if anew else history.made(*mark)
        if there is not None and not self.present.has(view_of(self.name, there)):
            there = None
        rows = rows_of(self.exporter, self.name, model, results)
        made = Entry(
            entry=history.next_entry,
            version=number if there is None else there,
            action="make",
            model_fingerprint=mark[0],
            text_sha256=mark[1],
            texts_sha256=digest_of(rows),
            scored_table=written(table),
        )
        if there is not None:
            self.check_unchanged(history.of(there))
        if not shadow and not anew:
            self._refuse_replaced()
        check_codes(model, history, self.name)
        return made.version, [
            *self._registered(),
            *self._told(model, made, rows),
            *([] if there is not None else self._made(replace(made, codes=codes_text(model)), export.text)),
            *self._put(shape, made, results, made.entry + (there is None), shadow=shadow),
        ]

    def gone_back(self, made: Entry, columns: Collection[str]) -> list[Step]:
        """What lets the view of the name give an earlier version, which has some columns."""
        assert self.present.shape is not None, "checked before"
        if made.texts_sha256 is not None:
            self._check_texts(made, self.present.texts(made.model_fingerprint))
        number = self.present.history.next_entry
        entry = replace(made, entry=number, action="rollback", codes=None)
        return self._switched(self.present.shape, made, columns, entry)

    def check_unchanged(self, made: Entry) -> None:
        """Refuse a version whose view is another one than was made; one that is gone is another matter."""
        view = view_of(self.name, made.version)
        if self.present.has(view) and (now := self.present.held(view)) != made.held_sha256:
            raise InputError(
                f"version {made.version} is not as it was made: somebody replaced its view, its table got another name,"
                " or the database writes it otherwise now",
                where=f"view {spoken(view)}, SHA-256 of its text",
                got=now,
                allowed=made.held_sha256,
                fix="make it anew as a new version: scrutable deploy with its model and --anew",
            )

    def warnings(self) -> list[str]:
        """What is to be said of views that others read, which a switch or rollback makes anew."""
        replaced = [
            f"{spoken(view)} is not as it was left: somebody replaced it, or a run was stopped; it is made anew, and"
            " the registry keeps the digest of what was there"
            for view in self._replaced_views()
        ]
        lost = "; grants on it went with it: grant SELECT again" if self.exporter.dialect == "postgres" else ""
        gone = [
            f"{spoken(view)} was gone, and is made anew{lost}" for view in self._left() if not self.present.has(view)
        ]
        return replaced + gone

    def _left(self) -> dict[Named, str]:
        """The views that others read, each with the digest of its text as the last switch or rollback left it."""
        last = self.present.history.last_read
        if last is None:
            return {}
        left = {self.name: last.held_sha256, reasons_of(self.name): last.reasons_sha256}
        return {view: digest for view, digest in left.items() if digest is not None}

    def _replaced_views(self) -> dict[Named, str | None]:
        """Those that somebody replaced, each with its digest as it is now."""
        now = {view: self.present.held(view) for view in self._left() if self.present.has(view)}
        return {view: digest for view, digest in now.items() if digest != self._left()[view]}

    def _refuse_replaced(self) -> None:
        """Refuse to put a view in the place of one that somebody replaced, where a stopped run leaves none."""
        if self.exporter.dialect not in TRANSACTIONAL:
            return
        for view, now in self._replaced_views().items():
            raise InputError(
                f"{spoken(view)} is not as it was left: somebody replaced it, or the database writes it otherwise now",
                where=f"view {spoken(view)}, SHA-256 of its text",
                got=now,
                allowed=self._left()[view],
                fix="look who replaced it; --anew makes a new version, puts its view in place, and notes in the"
                " registry what was there",
            )

    def is_whole(self) -> bool:
        """Whether the view of the name, and that of reasons, are there as they were left."""
        last, shape = self.present.history.last_read, self.present.shape
        if last is None or shape is None or self.present.held(self.name) != last.held_sha256:
            return False
        return not shape.reasons or self._reasons_are_whole()

    def _registered(self) -> list[Step]:
        if self.present.history.entries:
            return []
        about = "the registry, to which rows are only added"
        return [Step(text, about) for text in registry_texts(self.exporter, self.name)]

    def _made(self, made: Entry, text: str) -> list[Step]:
        view = view_of(self.name, made.version)
        return [Step(text, about_version(made.version)), self._entered(made, (view, text), None)]

    def _told(self, model: Model, made: Entry, rows: Sequence[Row]) -> list[Step]:
        """What is left to do until the texts of reasons are there."""
        there = self.present.texts(made.model_fingerprint) if rows else []
        if there or not rows:
            self._check_texts(made, there)
            return []
        steps = [Step(fill_text(self.exporter, self.name, model), f"texts of reasons of version {made.version}")]
        if not self.present.has(texts_of(self.name)) or self.exporter.dialect not in TRANSACTIONAL:
            about = "the texts of reasons, to which rows are only added"
            steps = [*(Step(text, about) for text in table_texts(self.exporter, self.name)), *steps]
        return steps

    def _check_texts(self, made: Entry, there: Sequence[Row]) -> None:
        if (now := digest_of(there)) != made.texts_sha256:
            raise InputError(
                f"the texts of reasons of version {made.version} are not as they were written",
                where=f"{spoken(texts_of(self.name))}, SHA-256 of the rows of fingerprint {made.model_fingerprint}",
                got=now or "no row",
                allowed=made.texts_sha256,
                fix="find out who changed them; then drop that table with the view that reads it, and deploy the"
                " version's model, which makes both anew",
            )

    def _put(self, shape: Shape, made: Entry, results: Collection[str], number: int, *, shadow: bool) -> list[Step]:
        """What is left to do until a version that is made is read, or scored beside the present one."""
        history, target = self.present.history, shadow_of(self.name)
        if made.version == history.current and self.is_whole():
            return []
        if not shadow:
            return self._switched(shape, made, results, replace(made, entry=number, action="switch"))
        if made.version == history.shadow and self.present.has(target):
            return []
        query = self._query(shape, made, results)
        entry = replace(made, entry=number, action="shadow")
        return [*self._replaced(target, query), self._entered(entry, (target, query), None)]

    def _switched(self, shape: Shape, made: Entry, results: Collection[str], entry: Entry) -> list[Step]:
        """What lets the view of the name give a version, and that of reasons its texts."""
        exporter, query = self.exporter, self._query(shape, made, results)
        noted = self._noted(entry.entry)
        entry = replace(entry, entry=entry.entry + len(noted))
        steps, told = [*noted, *self._replaced(self.name, query)], None
        if exporter.dialect in _COMMENTED:
            words = exporter.literal(f"Version {made.version}, model fingerprint {made.model_fingerprint}")
            text = f"COMMENT ON VIEW {exporter.quoted(self.name)} IS {words}"
            steps.append(Step(text, "what the view gives, in words"))
        if shape.reasons:
            view = reasons_of(self.name)
            told = view, query_of(view_text(exporter, self.name, shape), exporter.target.sqlglot)
            steps += [] if self._reasons_are_whole() else self._replaced(*told)
        return [*steps, self._entered(entry, (self.name, query), told)]

    def _noted(self, number: int) -> list[Step]:
        """What keeps in the registry how somebody left the views that are to be made anew."""
        replaced, history = self._replaced_views(), self.present.history
        if not replaced or history.current is None:
            return []
        entry = replace(
            history.of(history.current),
            entry=number,
            action="replaced",
            codes=None,
            held_sha256=replaced.get(self.name),
            reasons_sha256=replaced.get(reasons_of(self.name)),
        )
        text = entry_text(self.exporter, self.name, entry, None, self.by)
        return [Step(text, "the registry: what somebody put in place of what others read")]

    def _query(self, shape: Shape, made: Entry, results: Collection[str]) -> str:
        view = view_of(self.name, made.version)
        return shape.query(self.exporter, view, made.version, made.model_fingerprint, results)

    def _reasons_are_whole(self) -> bool:
        last, view = self.present.history.last_read, reasons_of(self.name)
        there = last is not None and self.present.has(view) and self.present.has(texts_of(self.name))
        return there and last is not None and self.present.held(view) == last.reasons_sha256

    def _replaced(self, name: Named, query: str) -> list[Step]:
        """What lets a view give a query, in one statement, or in two that are one transaction."""
        quoted = self.exporter.quoted(name)
        if self.exporter.dialect == "sqlite":
            return [
                Step(f"DROP VIEW IF EXISTS {quoted}", f"{spoken(name)} as it was"),
                Step(f"CREATE VIEW {quoted} AS {query}", f"{spoken(name)} as it is to be"),
            ]
        about = f"{spoken(name)} as it is to be, from one moment on"
        return [Step(f"CREATE OR REPLACE VIEW {quoted} AS {query}", about)]

    def _entered(self, entry: Entry, view: tuple[Named, str], reasons: tuple[Named, str] | None) -> Step:
        text = entry_text(self.exporter, self.name, entry, (view, reasons), self.by)
        return Step(text, f"the registry: {entry.action} of version {entry.version}")


def view_of(name: Named, version: int) -> Named:
    """The view of a version.

    >>> view_of(("risk", "score"), 3)
    ('risk', 'score_v3')
    """
    return beside(name, f"{apart(name)[1]}_v{version}")


def name_of(view: Named) -> tuple[Named, int | None, bool]:
    """The name under which a view would be deployed, its version where the name tells it, and whether it is a shadow.

    >>> name_of(("risk", "score_v3")), name_of("score_shadow"), name_of("score")
    ((('risk', 'score'), 3, False), ('score', None, True), ('score', None, False))
    """
    matched = re.fullmatch(r"(.+)_(?:v([1-9][0-9]*)|shadow)", apart(view)[1])
    if matched is None:
        return view, None, False
    version = None if matched[2] is None else int(matched[2])
    return beside(view, matched[1]), version, version is None


def shadow_of(name: Named) -> Named:
    """The view of the version that is scored beside the present one.

    >>> shadow_of("score")
    'score_shadow'
    """
    return beside(name, f"{apart(name)[1]}_shadow")
