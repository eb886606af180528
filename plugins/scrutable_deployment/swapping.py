"""The version that is scored beside the present one: whose decision would be another, and how far scores move.

No outcome is needed. The database counts; what comes here is counts of applicants, none of them alone.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np

from scrutable.data import min_cell
from scrutable.data.frames import rows_like
from scrutable.errors import InputError
from scrutable.measures import band_edges, stability
from scrutable_deployment.catalogues import read_deployed
from scrutable_deployment.database import Database, opened
from scrutable_deployment.names import Named, spoken
from scrutable_deployment.stable_view import Shape
from scrutable_deployment.versions import shadow_of

_BANDS = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class SwapReport:
    """Two versions on the same applicants.

    Parameters
    ----------
    rows : applicants that both score; `unmatched` are those that one of them does not have, or has without a score.
    decisions : applicants by what both decide, as "approved, declined" for those approved now and declined then. None
        of fewer than `scrutable.data.min_cell()`, and of the next larger count, which the total would give away else.
    mean_now, mean_next, mean_shift : mean scores, and the mean of what a score moves by; None of too few applicants.
    psi : population stability index of the score, over ten bands of equal shares now.
    version_now, version_next : the versions that the views give; None where they have no row.
    """

    rows: int
    unmatched: int
    decisions: Mapping[str, int | None]
    mean_now: float | None
    mean_next: float | None
    mean_shift: float | None
    psi: float | None
    version_now: int | None = None
    version_next: int | None = None

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
        return asdict(self)

    def frame(self) -> Any:
        """A row for each pair of decisions, and how many applicants have it."""
        return rows_like({"decisions": both, "applicants": count} for both, count in self.decisions.items())


def swap_report(name: Named, *, url: str) -> SwapReport:
    """The shadow of a view beside it, on the applicants that both score.

    Parameters
    ----------
    name : the view that others read; its shadow is `<name>_shadow`.
    url : of the database.

    Raises
    ------
    InputError : there is no shadow, it has another key, or it is the version that is read.
    """
    shadow = shadow_of(name)
    with opened(url) as database, database.transaction(reading=True):
        now, following = (read_deployed(database, each) for each in (name, shadow))
        key, other = (Shape.of_view(list(each.columns), each.name).key for each in (now, following))
        if key != other:
            raise InputError("the shadow has another key", where=spoken(shadow), got=other, allowed=str(key))
        versions = [_version(database, each) for each in (name, shadow)]
        if versions[0] is not None and versions[0] == versions[1]:
            raise InputError(
                "the shadow is the version that is read: there is nothing to compare",
                where=spoken(shadow),
                got=f"version {versions[0]}",
                fix="deploy the next model with --shadow first",
            )
        counts = _counted(database, name, shadow, key)
        unmatched = sum(counts.pop(each)[0] for each in [each for each in counts if None in each])
        unmatched += _alone(database, shadow, name, key)
        bands = [_histogram(database, name, shadow, key, side) for side in "ab"]
    return replace(_report(counts, unmatched, bands), version_now=versions[0], version_next=versions[1])


def _report(
    counts: Mapping[tuple[Any, Any], tuple[int, float, float]], unmatched: int, bands: list[dict[float, int]]
) -> SwapReport:
    rows = sum(count for count, _, _ in counts.values())
    known = rows >= min_cell()
    sums = [sum(each[place] for each in counts.values()) for place in (1, 2)]
    return SwapReport(
        rows=rows,
        unmatched=unmatched,
        decisions=_told(
            {
                f"{now}, {following}": counts.get((now, following), (0, 0.0, 0.0))[0]
                for now in ("approved", "declined")
                for following in ("approved", "declined")
            }
        ),
        mean_now=sums[0] / rows if known else None,
        mean_next=sums[1] / rows if known else None,
        mean_shift=(sums[1] - sums[0]) / rows if known else None,
        psi=_psi(*bands) if known and all(bands) else None,
    )


def _told(counts: Mapping[str, int]) -> dict[str, int | None]:
    """The counts, but for those of few applicants and for what would tell them.

    >>> _told({"a": 90, "b": 3, "c": 0, "d": 7})
    {'a': 90, 'b': None, 'c': 0, 'd': None}
    """
    least = min_cell()
    withheld = [name for name, count in counts.items() if 0 < count < least]
    others = sorted((name for name, count in counts.items() if count >= least), key=counts.__getitem__)
    while withheld and others and (len(withheld) < 2 or sum(counts[name] for name in withheld) < least):
        withheld.append(others.pop(0))
    if withheld and sum(counts[name] for name in withheld) < least:  # there are no others
        withheld = list(counts)
    return {name: None if name in withheld else count for name, count in counts.items()}


def _version(database: Database, name: Named) -> int | None:
    """The version that a view gives."""
    text = f"SELECT {database.quoted('model_version')} FROM {database.quoted(name)} LIMIT 1"
    rows = database.rows(text, f"reading the version of {spoken(name)}", f"SELECT on {spoken(name)}")
    return int(rows[0][0]) if rows else None


def _counted(
    database: Database, name: Named, shadow: Named, key: tuple[str, ...]
) -> dict[tuple[Any, Any], tuple[int, float, float]]:
    """Applicants, and the sums of both scores, by both decisions; None is no decision, or no row."""
    quoted = database.quoted
    given = [f"SUM({side}.{quoted('score')})" for side in "ab"]
    both = ", ".join(f"{side}.{quoted('decision')}" for side in "ab")
    text = (
        f"SELECT {both}, COUNT(*), {', '.join(given)} FROM {quoted(name)} AS a"
        f" LEFT JOIN {quoted(shadow)} AS b ON {_same_key(database, key)} GROUP BY {both}"
    )
    rows = database.rows(text, f"comparing {spoken(name)} with its shadow", f"SELECT on {spoken(name)}")
    return {
        (now or None, following or None): (int(count), float(first or 0), float(second or 0))
        for now, following, count, first, second in rows
    }


def _alone(database: Database, shadow: Named, name: Named, key: tuple[str, ...]) -> int:
    """How many applicants of the shadow the view does not have."""
    text = (
        f"SELECT COUNT(*) FROM {database.quoted(shadow)} AS b WHERE NOT EXISTS"
        f" (SELECT 1 FROM {database.quoted(name)} AS a WHERE {_same_key(database, key)})"
    )
    [[count]] = database.rows(text, f"comparing {spoken(shadow)} with its view", f"SELECT on {spoken(shadow)}")
    return int(count)


def _histogram(database: Database, name: Named, shadow: Named, key: tuple[str, ...], side: str) -> dict[float, int]:
    """How many applicants that both score have each score of the view, `a`, or of its shadow, `b`."""
    quoted = database.quoted
    a, b = (f"{each}.{quoted('score')}" for each in "ab")
    score = a if side == "a" else b
    text = (
        f"SELECT {score}, COUNT(*) FROM {quoted(name)} AS a JOIN {quoted(shadow)} AS b ON {_same_key(database, key)}"
        f" WHERE {a} IS NOT NULL AND {b} IS NOT NULL GROUP BY {score}"
    )
    rows = database.rows(text, f"counting scores of {spoken(name)} and its shadow", f"SELECT on {spoken(shadow)}")
    return {float(value): int(count) for value, count in rows}


def _same_key(database: Database, key: tuple[str, ...]) -> str:
    return " AND ".join(f"a.{each} = b.{each}" for each in map(database.quoted, key))


def _psi(now: Mapping[float, int], following: Mapping[float, int]) -> float:
    """The index over bands of equal shares of the scores now."""
    scores, weights = np.array(list(now)), np.array(list(now.values()), dtype=float)
    edges = np.array(band_edges(scores, weights, bands=_BANDS, edges=None, width=None))
    counts = []
    for side in (now, following):
        values, each = np.array(list(side)), np.array(list(side.values()), dtype=float)
        places = np.clip(np.searchsorted(edges, values, side="right") - 1, 0, len(edges) - 2)
        counts.append(np.bincount(places, weights=each, minlength=len(edges) - 1).astype(float))
    names = [str(place) for place in range(len(edges) - 1)]
    return float(stability("score", names, counts[0], counts[1]).index)
