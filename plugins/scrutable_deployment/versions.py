"""From what is there to what is left to do: the next version made, switched to, or scored beside the present one."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from scrutable.errors import InputError
from scrutable.model import Model, fingerprint
from scrutable.proof import sha256
from scrutable_deployment.deployed_text import query_of
from scrutable_deployment.deployment import Step, about_version
from scrutable_deployment.history import Action, Entry, History, entry_text, registry_texts
from scrutable_deployment.names import Named, apart, beside, spoken
from scrutable_deployment.stable_view import Shape

#: Engines in which a comment can stand beside a view.
_COMMENTED = ("postgres", "duckdb")


@dataclass(frozen=True, slots=True, kw_only=True)
class Present:
    """What is there: the registry's rows and, where a view of the name is there, its columns.

    Parameters
    ----------
    has : whether there is something of a name. held : the digest of the text of a view as it is now.
    """

    history: History = field(default_factory=History)
    shape: Shape | None = None
    has: Callable[[Named], bool] = lambda name: False
    held: Callable[[Named], str | None] = lambda name: None


def versioned(
    model: Model,
    exporter: Any,
    name: Named,
    key: Sequence[str],
    number: int,
    export: Any,
    present: Present,
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
    if there is not None and not present.has(view_of(name, there)):
        there = None
    if there is not None:
        check_unchanged(name, history.of(there), present)
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
            Step(export.text, about_version(version)),
            entered(exporter, name, made, "make", made.entry, by, view_of(name, version), export.text),
        ]
    following = made.entry + (there is None)
    target = beside(name, f"{apart(name)[1]}_shadow")
    is_read = version == history.current and is_whole(name, present)
    is_shadow = version == history.shadow and present.has(target)
    query = shape.query(exporter, view_of(name, version), version, mark[0], results)
    if shadow and not is_read and not is_shadow:
        steps += _replaced(exporter, target, query)
        steps.append(entered(exporter, name, made, "shadow", following, by, target, query))
    elif not shadow and not is_read:
        steps += switched(exporter, name, made, query)
        steps.append(entered(exporter, name, made, "switch", following, by, name, query))
    return version, steps


def free_number(name: Named, present: Present) -> int:
    """The number of the next version; a command that was stopped may have left a view that the registry lacks."""
    numbers = itertools.count(present.history.next_version)
    return next(number for number in numbers if not present.has(view_of(name, number)))


def switched(exporter: Any, name: Named, made: Entry, query: str) -> list[Step]:
    """What lets the view of the name give a query of a version."""
    steps = _replaced(exporter, name, query)
    if exporter.dialect in _COMMENTED:
        words = exporter.literal(f"Version {made.version}, model fingerprint {made.model_fingerprint}")
        steps.append(Step(f"COMMENT ON VIEW {exporter.quoted(name)} IS {words}", "what the view gives, in words"))
    return steps


def check_unchanged(name: Named, made: Entry, present: Present) -> None:
    """Refuse a version whose view is another one than was made; one that is gone is another matter."""
    view = view_of(name, made.version)
    if present.has(view) and (now := present.held(view)) != made.held_sha256:
        raise InputError(
            f"version {made.version} is not as it was made: somebody replaced its view, or the database writes it"
            " otherwise now",
            where=f"view {spoken(view)}, SHA-256 of its text",
            got=now,
            allowed=made.held_sha256,
            fix="make it anew as a new version: scrutable deploy with its model and --anew",
        )


def is_whole(name: Named, present: Present) -> bool:
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


def entered(
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


def view_of(name: Named, version: int) -> Named:
    return beside(name, f"{apart(name)[1]}_v{version}")
