"""What stands around a score, and tables of two features."""

from __future__ import annotations

import math
from collections.abc import Sequence

from hypothesis import strategies as st

from scrutable.data.values import snap
from scrutable.model.grades import Grade
from scrutable.model.interactions import Axis, Interaction
from scrutable.model.policy import Adjustment, KnockOut, Override, Policy
from scrutable.testing.strategies.conditions import attribute_conditions, conjunctions
from scrutable.testing.strategies.values import Domain, labels, names, numbers, texts

Pool = Sequence[Domain]
Points = st.SearchStrategy[float]

#: Texts of reasons; those that explain nothing, "None" for example, are refused.
_REASONS = names().map(lambda text: f"Length of {text}")


@st.composite
def policies(draw: st.DrawFn, pool: Pool, points: Points | None) -> Policy:
    """Knock-outs and, in half of the models, what else stands around a score; points are those of adjustments."""
    codes = draw(st.just([]) | codes_of("K", max_size=2))
    knock_outs = tuple(
        KnockOut(code=code, reason=draw(_REASONS), when=draw(conjunctions(pool, min_size=1))) for code in codes
    )
    if draw(st.booleans()):
        return Policy(knock_outs=knock_outs)
    return Policy(
        knock_outs=knock_outs,
        adjustments=() if points is None else draw(_adjustments(pool, points)),
        overrides=draw(_overrides(pool)),
        grades=draw(_grades()),
    )


@st.composite
def _adjustments(draw: st.DrawFn, pool: Pool, points: Points) -> tuple[Adjustment, ...]:
    """Up to two; one text a code, in every segment."""
    codes = draw(st.just([]) | codes_of("A", max_size=2))
    return tuple(
        Adjustment(
            code=code,
            reason=f"Length of {code}",
            when=draw(conjunctions(pool, min_size=1)),
            points=snap(draw(points)) or -1.0,
            explained=draw(st.booleans()),
        )
        for code in codes
    )


@st.composite
def _overrides(draw: st.DrawFn, pool: Pool) -> tuple[Override, ...]:
    codes = draw(st.just([]) | codes_of("O", max_size=2))
    return tuple(
        Override(
            code=code,
            reason=draw(_REASONS),
            when=draw(conjunctions(pool, min_size=1)),
            decision=draw(st.sampled_from(["approve", "decline"])),
            explained=draw(st.booleans()),
        )
        for code in codes
    )


@st.composite
def _grades(draw: st.DrawFn) -> tuple[Grade, ...]:
    """Up to three bands, between scores that are often reached."""
    limits = draw(st.lists(st.integers(-5, 605).map(float) | numbers(), max_size=2, unique=True))
    called = draw(st.lists(names(), min_size=len(limits) + 1, max_size=len(limits) + 1, unique=True))
    ends = [*sorted(limits, reverse=True), -math.inf] if draw(st.booleans()) else []
    return tuple(Grade(name=name, at_least=end, label=draw(labels())) for name, end in zip(called, ends, strict=False))


@st.composite
def interactions_of(draw: st.DrawFn, pool: Pool, points: Points) -> tuple[Interaction, ...]:
    """None, or a table of the first and the last feature."""
    if len(pool) < 2 or draw(st.booleans()):
        return ()
    axes = [
        Axis(feature=domain.feature.name, conditions=tuple(draw(attribute_conditions(domain))))
        for domain in (pool[0], pool[-1])
    ]
    rows, columns = axes
    table = tuple(tuple(draw(points) for _ in columns.conditions) for _ in rows.conditions)
    return (Interaction(rows=rows, columns=columns, points=table),)


def codes_of(prefix: str, *, max_size: int = 4) -> st.SearchStrategy[list[str]]:
    """Reason codes that begin with a letter."""
    return st.lists(texts().map(lambda text: prefix + text[:20]), min_size=1, max_size=max_size, unique=True)
