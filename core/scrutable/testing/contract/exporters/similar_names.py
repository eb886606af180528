"""Checks of exporters: names of columns that careless quoting, folding or cutting takes for one another."""

from __future__ import annotations

from collections.abc import Iterator

from scrutable.testing.cards import card
from scrutable.testing.contract.examples.models import held
from scrutable.testing.contract.exporters.parity import Case, rows_of, running_alike
from scrutable.testing.contract.subject import Subject

#: Pairs of names that are one where letters, case, blanks, accents or what lies beyond a length do not count.
_PAIRS = (
    ("net income", "net-income"),
    ("net_income", "net income"),
    ("rate", "Rate"),
    ("a", "a "),
    ("caf\u00e9", "cafe\u0301"),
    ("1st", "_1st"),
    (f"{'long' * 16}1", f"{'long' * 16}2"),
)


@running_alike(
    hint="call columns by names that are theirs alone, or refuse the model by UnsupportedModel", may_refuse=True
)
def names_that_look_alike_are_told_apart(subject: Subject) -> Iterator[Case]:
    """Columns whose names differ in a sign, in case, in blanks or at their ends are two columns, or are refused."""
    for first, second in _PAIRS:
        model = held(subject, card(amount=first, job=second))
        if model is not None:
            yield f"a scorecard of {first!r} and {second!r}", model, rows_of(model)
