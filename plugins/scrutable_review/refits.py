"""Cards that are fitted while bins are reviewed: what a learner selects, and what a decision by hand changes."""

from __future__ import annotations

import inspect
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from scrutable import registry
from scrutable.binning import read_edits
from scrutable.data import Cohort
from scrutable.errors import InputError, ScrutableWarning
from scrutable.fairness import auc
from scrutable.model import FrozenMapping, Scorecard
from scrutable.model.evaluator import evaluate
from scrutable.plugins import Choice, Selection
from scrutable.plugins.bases import Binner, Learner
from scrutable_review.refit_change import RefitChange

#: Points by which a characteristic differs before that is told.
_TOLD = 0.05
#: Cards that are kept, the newest ones: that of the review as it is, and those that were looked at beside it.
_KEPT = 4


@dataclass(frozen=True, kw_only=True, eq=False)
class Refitted:
    """A card as the learner fits it by some decisions.

    Parameters
    ----------
    selection : what the learner kept, and why the others left; None where it selects nothing.
    points : by characteristic of the card, the points between its worst and its best attribute.
    auc : of the rows that it learned from.
    """

    selection: Selection | None
    points: Mapping[str, float]
    auc: float

    def beside(self, before: Refitted) -> RefitChange:
        """What differs from a card that was fitted before."""
        log = () if self.selection is None else self.selection.dropped
        why = {entry.feature: entry.reason for entry in log}
        both = {name: (before.points[name], now) for name, now in self.points.items() if name in before.points}
        moved = sorted(both, key=lambda name: -abs(both[name][1] - both[name][0]))
        return RefitChange(
            came=tuple(name for name in self.points if name not in before.points),
            left={name: why.get(name, "") for name in before.points if name not in self.points},
            moved={name: both[name] for name in moved if abs(both[name][1] - both[name][0]) >= _TOLD},
            size=(len(before.points), len(self.points)),
            auc=(before.auc, self.auc),
        )

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
        selection = None if self.selection is None else self.selection.to_dict()
        return {"selection": selection, "points": dict(self.points), "auc": self.auc}


class Refits:
    """Fits a learner that selects characteristics on the rows of a review, as often as a decision changes.

    Parameters
    ----------
    learner : its name and options, without a binner, which is the review's.
    rows : those of the review.
    allow_protected : input columns that may be protected or tell a protected attribute.

    Raises
    ------
    InputError : a learner that has no option `select`, or that makes no scorecard of classes.
    PluginError : there is none of this name.

    Examples
    --------
    >>> from scrutable.data import DataConfig
    >>> from scrutable.data.datasets import load_german_credit
    >>> from scrutable_review import review_bins
    >>> inputs = load_german_credit().frame[["credit_risk", "telephone", "housing", "duration_months"]]
    >>> bins = review_bins(inputs, DataConfig(target="credit_risk", favourable="good"), who="ana")
    >>> refits = Refits(Choice(name="scorecard", options={"select": "iv:floor=0.05"}), bins.rows)
    >>> before = refits.of(bins.review.binner())
    >>> before.selection.kept
    ('housing', 'duration_months')
    >>> _ = bins.review.select("telephone", "must", why="the law asks for it")
    >>> print(refits.of(bins.review.binner()).beside(before).describe())
    telephone comes onto the card; 3 characteristics instead of 2; AUC on these rows 0.666 instead of 0.655
    """

    def __init__(self, learner: Choice, rows: Cohort, *, allow_protected: Sequence[str] = ()) -> None:
        made, taken = registry().load("learner", learner.name), _taken(learner.name)
        if "select" not in taken or "binner" not in taken or not issubclass(made, Learner):
            fix = "name one that selects, such as scorecard"
            raise InputError("the learner selects no characteristics", where="--learner", got=learner.name, fix=fix)
        if "binner" in learner.all_options:
            fix = "leave it out: the bins are those of the review"
            raise InputError("the learner is given a binner", where="--option", got="binner", fix=fix)
        self.learner = learner
        self._rows = rows
        self._told = {"allow_protected": tuple(allow_protected)} if "allow_protected" in taken else {}
        self._known: dict[Any, Refitted] = {}

    def of(self, binner: Binner) -> Refitted:
        """The card with a binner that replays a review, as `Review.binner` makes it.

        Raises
        ------
        InputError : options of the learner that cannot be used with these rows.
        """
        edits = read_edits(binner.edits)
        known = self._known.pop(edits, None) or self._fit(binner)
        self._known[edits] = known
        for old in list(self._known)[:-_KEPT]:
            del self._known[old]
        return known

    def _fit(self, binner: Binner) -> Refitted:
        rows = self._rows
        learner: Learner = self.learner.create("learner", binner=binner, favourable=binner.favourable, **self._told)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ScrutableWarning)  # what there is to tell of the rows, the review has told
            learner.fit(rows.columns, rows.values, sensitive_features=rows.groups, sample_weight=rows.sample_weight)
        model = learner.model_
        if not isinstance(model, Scorecard):
            got = type(model).__name__
            raise InputError("the learner makes no scorecard", where="--learner", got=got, fix="name another one")
        ranges = {each.feature: each.points_range for each in model.characteristics}
        known = Cohort.read(rows.columns, rows.values, outcome=model.outcome, complete=True)
        score = evaluate(model, rows.columns, reasons=False).score
        return Refitted(
            selection=Selection.of(learner.evidence_),
            points=FrozenMapping({name: most - fewest for name, (fewest, most) in ranges.items()}),
            auc=auc(known.good, score, sample_weight=rows.sample_weight),
        )


def selects(learner: str) -> bool:
    """Whether a learner has an option that says what selects."""
    return "select" in _taken(learner)


def _taken(learner: str) -> Mapping[str, inspect.Parameter]:
    return inspect.signature(registry().load("learner", learner)).parameters
