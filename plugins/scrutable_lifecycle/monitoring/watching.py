"""What a statement needs to watch a table as `monitor` watches a frame: a baseline's counts, and the thresholds."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from scrutable.data import min_cell
from scrutable.errors import InputError
from scrutable.errors.checks import check_whole, options_or_default
from scrutable.fairness import Thresholds
from scrutable.model import DecisionModel, Model, fingerprint
from scrutable.plugins.bases import Progress, Watch, WatchedGroups, WatchedOutcome
from scrutable.writing import tracked_in_notebooks
from scrutable_lifecycle.monitoring.baseline_counts import BaselineCounts
from scrutable_lifecycle.monitoring.checks import ROUNDING
from scrutable_lifecycle.monitoring.columns import Columns
from scrutable_lifecycle.monitoring.model_drift import decision_model
from scrutable_lifecycle.monitoring.sample import Sample
from scrutable_lifecycle.monitoring.sources import baseline_of

#: Thresholds of figures that a statement does not have.
_UNKNOWN = {
    "auc_drop": "a statement works out no AUC",
    "calibration_low": "a statement works out no expected bad rate",
    "calibration_high": "a statement works out no expected bad rate",
    "confidence": "a statement works out no p-values and no intervals",
}


def watch(
    model: Model,
    baseline: Any,
    *,
    columns: Columns | None = None,
    thresholds: Thresholds | None = None,
    bands: int = 10,
    progress: Progress = tracked_in_notebooks,
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
    if sample.profiles.rows < (least := min_cell()):
        raise InputError(
            "the baseline has fewer rows than may be told of",
            where="baseline",
            got=f"{sample.profiles.rows} rows",
            allowed=f"{least} or more",
        )
    counts = BaselineCounts(decider, sample, limits, bands, least)
    return Watch(
        model_sha256=fingerprint(decider),
        program=counts.program,
        distributions=counts.distributions,
        groups=_groups(sample, limits),
        outcome=_outcome(decider, asked),
        notes=tuple(counts.notes()),
    )


def _refuse(limits: Thresholds, columns: Columns) -> None:
    """Refuse what only `monitor` can do."""
    refused: dict[str, tuple[Any, str]] = {
        "--significant": (limits.significant, "a statement works out no p-values and no intervals"),
        "--weight": (columns.weight, "a statement counts rows"),
        "--date": (columns.date, "a statement reads all rows of its table: let it read a view of a period"),
        "--protected-probabilities": (list(columns.probabilities) or None, "a statement counts each row in one group"),
    }
    usual = Thresholds()
    for name, what in _UNKNOWN.items():
        value = getattr(limits, name)
        refused[f"--{name.replace('_', '-')}"] = (value if value != getattr(usual, name) else None, what)
    for option, (value, why) in refused.items():
        if value is not None and value is not False:
            fix = "leave it out, or use `scrutable monitor` on a file"
            raise InputError(f"not in SQL: {why}", where=option, got=value, fix=fix)


def _groups(sample: Sample, limits: Thresholds) -> WatchedGroups | None:
    groups = sample.profiles.groups
    if groups is None:
        return None
    return WatchedGroups(
        references={each.name: each.reference for each in groups.attributes},
        ratio=limits.ratio,
        least=(limits.impact_ratio, limits.impact_ratio - ROUNDING),
        smallest=limits.smallest_group,
        told=min_cell(),
    )


def _outcome(model: DecisionModel, columns: Columns) -> WatchedOutcome | None:
    if columns.target is None:
        return None
    if columns.favourable is not None:
        return WatchedOutcome(column=columns.target, good=columns.favourable, bad=None)
    good, classes = model.outcome.favourable, model.outcome.classes
    if isinstance(good, bool):
        raise InputError(
            "engines write truth values in several ways",
            where="--target",
            got=", ".join(map(str, classes)),
            fix="say with --favourable how the table calls the good outcome",
        )
    bad = next(each for each in classes if each != good)
    return WatchedOutcome(column=columns.target, good=good, bad=bad)
