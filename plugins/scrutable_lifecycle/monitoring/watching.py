"""What a statement needs to watch a table as `monitor` watches a frame: a baseline's counts, and the thresholds."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from scrutable.data import Floats, min_cell
from scrutable.errors import InputError, KindError
from scrutable.errors.checks import check_whole, options_or_default
from scrutable.fairness import Thresholds
from scrutable.measures import ScoreBands
from scrutable.model import DecisionModel, Missing, Model, RuleSet, Scorecard, SegmentedModel, fingerprint
from scrutable.model.program import MISSING_IN, UNSEEN_IN, Program, WatchedPart, watched
from scrutable.plugins.bases import Distribution, Level, Progress, Watch, WatchedGroups, WatchedOutcome
from scrutable_lifecycle.monitoring.characteristics import Divided, divided
from scrutable_lifecycle.monitoring.checks import ROUNDING
from scrutable_lifecycle.monitoring.columns import Columns
from scrutable_lifecycle.monitoring.model_drift import (
    decision_model,
    is_compared,
    names_of_rules,
    score_bands,
    within_segment,
)
from scrutable_lifecycle.monitoring.reasons import NO_REASON
from scrutable_lifecycle.monitoring.sample import Part, Sample
from scrutable_lifecycle.monitoring.sources import baseline_of


def watch(
    model: Model,
    baseline: Any,
    *,
    columns: Columns | None = None,
    thresholds: Thresholds | None = None,
    bands: int = 10,
    progress: Progress = lambda blocks, _: blocks,
) -> Watch:
    """What the exporter `sql` writes as a statement that watches a table of applicants.

    The statement counts what `monitor` counts, beside this baseline. No count of it is written that stands for fewer
    rows than may be told of: levels of fewer are put together.

    Parameters
    ----------
    model, baseline, thresholds, bands, progress : as in `monitor`; the baseline is a frame or a path.
    columns : which columns of the table tell the outcome and the protected groups; the baseline needs the latter.

    Raises
    ------
    InputError : weights, dates, membership probabilities or thresholds of significance, which a statement does not
        know; and as in `monitor`.
    KindError : groups that are no texts; and as in `monitor`.

    Examples
    --------
    >>> from scrutable import create
    >>> from scrutable.data.datasets import make_credit
    >>> data = make_credit(2000, seed=1)
    >>> learner = create("learner", "scorecard", binner="quantile", favourable=0).fit(data.X, data.y)
    >>> watching = watch(learner.model_, data.X)
    >>> export = create("exporter", "sql", monitoring=watching).export(learner.model_)
    >>> [name for name in export.files if "monitoring" in name]
    ['score_monitoring.sql', 'score_monitoring_alerts.sql']
    """
    limits = options_or_default(thresholds, Thresholds, "thresholds")
    check_whole(bands, "bands", 2, 100)
    decider, asked = decision_model(model), columns or Columns()
    _refuse(limits, asked)
    sample = baseline_of(decider, baseline, replace(asked, target=None, favourable=None), progress=progress)
    least = min_cell()
    counted = _Counted(decider, sample, limits, bands, least)
    return Watch(
        model_sha256=fingerprint(decider),
        program=counted.program,
        distributions=tuple(counted.distributions()),
        groups=_groups(sample, limits, least),
        outcome=_outcome(decider, asked),
        notes=tuple(counted.notes()),
    )
