"""Checks of exporters: every field of a model counts."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import pandas as pd

from scrutable.errors import UnsupportedModel
from scrutable.model import Clause, Feature, Interval, Model, RegressionScorecard, Segment, SegmentedModel
from scrutable.model.segments import SingleModel
from scrutable.proof.rows import VerificationRows
from scrutable.testing.contract.check import Fault, check, require, runs, said
from scrutable.testing.contract.models import accepts
from scrutable.testing.contract.other_fields import with_other_fields
from scrutable.testing.contract.parity import differing, engine_here
from scrutable.testing.contract.random_models import drawn_models, drawn_rows
from scrutable.testing.contract.subject import Subject

#: The column that says which of the models applies, where all are segments of one.
_WHICH = "which"
#: The drawn models whose fields are changed; they decide about one outcome.
_CHANGED = ("scorecard 1", "tree ensemble 1", "rule set 1")
#: Of so many copies of a model each has other fields that are not the model's.
_COPIES = 2
_ROWS = 60


@check("exporter", of=runs, hint="write every field of the model, of each segment; keep nothing of the last export")
def every_field_counts(subject: Subject) -> None:
    """Models that read the same columns, and differ from another in many fields, give what the evaluator gives."""
    engine, exporter = engine_here(subject)
    for name, model, frame in _asked(subject):
        rows = VerificationRows(frame=frame, edge=0, drawn=len(frame), data=0, seed=0)
        try:
            wrong = differing(exporter, model, rows)
        except UnsupportedModel:
            continue
        except Exception as error:
            raise Fault(f"{name} does not run in {engine}", got=said(error)) from error
        require(not wrong, f"{name} gives something else in {engine}: {wrong}")


def _asked(subject: Subject) -> Iterator[tuple[str, Model, pd.DataFrame]]:
    """All of them as segments of one model if segments are exported, else one by one."""
    if accepts(subject, _segmented()):
        return iter([("a model of many segments", _segmented(), _rows_of_segments())])
    return (
        (f"the random {name} with other fields", model, drawn_rows(model))
        for name, model in _changed()
        if accepts(subject, model)
    )


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
