"""Checks of exporters: names of columns that careless quoting, folding or cutting takes for one another."""

from __future__ import annotations

from scrutable.errors import UnsupportedModel
from scrutable.testing.cards import card
from scrutable.testing.contract.check import Fault, check, require, runs, said
from scrutable.testing.contract.models import held
from scrutable.testing.contract.parity import differing, engine_here, rows_of
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


@check(
    "exporter",
    of=runs,
    hint="call columns by names that are theirs alone, or refuse the model by UnsupportedModel",
)
def names_that_look_alike_are_told_apart(subject: Subject) -> None:
    """Columns whose names differ in a sign, in case, in blanks or at their ends are two columns, or are refused."""
    engine, exporter = engine_here(subject)
    for first, second in _PAIRS:
        model = held(subject, card(amount=first, job=second))
        if model is None:
            continue
        try:
            wrong = differing(exporter, model, rows_of(model))
        except UnsupportedModel:
            continue
        except Exception as error:
            raise Fault(f"a scorecard of {first!r} and {second!r} does not run in {engine}", got=said(error)) from error
        require(not wrong, f"a scorecard of {first!r} and {second!r} gives something else in {engine}: {wrong}")
