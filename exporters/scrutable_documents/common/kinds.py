"""Kinds of model in words."""

from __future__ import annotations

from scrutable.model import Model, tag


def kind_words(model: Model) -> str:
    """What kind of model it is.

    >>> from scrutable.model import Calibration, Outcome, Scorecard
    >>> kind_words(Scorecard(outcome=Outcome(classes=(0, 1), favourable=1), features=(), characteristics=(),
    ...                      base_points=600, cutoff=500, calibration=Calibration(slope=0.05)))
    'scorecard'
    """
    return tag(type(model)).replace("-", " ")
