"""Checks of exporters: every field of a model counts."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import pandas as pd

from scrutable.model import Clause, Feature, Interval, RegressionScorecard, Segment, SegmentedModel
from scrutable.model.segments import SingleModel
from scrutable.testing.contract.examples.models import accepts
from scrutable.testing.contract.examples.other_fields import with_other_fields
from scrutable.testing.contract.examples.random_models import drawn_models, drawn_rows
from scrutable.testing.contract.exporters.parity import Case, drawn, running_alike
from scrutable.testing.contract.subject import Subject

#: The column that says which of the models applies, where all are segments of one.
_WHICH = "which"
#: The drawn models whose fields are changed; they decide about one outcome.
_CHANGED = ("scorecard 1", "tree ensemble 1", "rule set 1")
#: Of so many copies of a model each has other fields that are not the model's.
_COPIES = 2
_ROWS = 60


@running_alike(hint="write every field of the model, of each segment; keep nothing of the last export", may_refuse=True)
def every_field_counts(subject: Subject) -> Iterator[Case]:
    """Models that read the same columns, and differ from another in many fields, give what the evaluator gives."""
    if accepts(subject, _segmented()):
        yield "a model of many segments", _segmented(), drawn(_rows_of_segments())
        return
    for name, model in _changed():
        if accepts(subject, model):
            yield f"the random {name} with other fields", model, drawn(drawn_rows(model))


@cache
def _changed() -> tuple[tuple[str, SingleModel], ...]:
    """Drawn models with other fields, by the name of the one that was drawn."""
    models = []
    for start in range(_COPIES):
        for name in _CHANGED:
            model = drawn_models()[name]
            assert not isinstance(model, SegmentedModel | RegressionScorecard)
            models.append((name, with_other_fields(model, _COPIES, start)))
    return tuple(models)


@cache
def _segmented() -> SegmentedModel:
    """Those models as segments of one, each for a number of its own."""
    whens = [(Clause(_WHICH, (Interval(place, place, closed="both"),)),) for place in range(1, len(_changed()))]
    segments = (
        Segment(name=f"number {place}", model=model, when=when)
        for place, ((_, model), when) in enumerate(zip(_changed(), [*whens, ()], strict=True), 1)
    )
    return SegmentedModel(segments=tuple(segments), routing=(Feature(name=_WHICH, kind="numeric"),))


def _rows_of_segments() -> pd.DataFrame:
    """Rows of each segment."""
    rows = drawn_rows(_segmented(), _ROWS)
    each = (rows.assign(**{_WHICH: float(place)}) for place in range(1, len(_changed()) + 1))
    return pd.concat(each, ignore_index=True)
