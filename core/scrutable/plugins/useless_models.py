"""Models that cannot be meant: one score for everybody, or a worse ranking than one of their inputs has alone."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from scrutable.data.sizes import MIN_OUTCOMES
from scrutable.errors import ScrutableWarning, warn_caller
from scrutable.model import Evidence
from scrutable.plugins.decisions import Decision
from scrutable.plugins.selections import Selection

if TYPE_CHECKING:
    from scrutable.data.training_rows import LabelledRows
    from scrutable.plugins.scored_rows import ScoredRows

#: The entry of the metrics.
DOUBT = "doubt"
#: Scores that are no further apart than this share of the largest are one score: rounding would part them.
_ROUNDING = 1e-9
#: By how much one input alone has to rank better, and by how many standard errors of an AUC of one half.
_BETTER, _ERRORS = 0.02, 3.0


class DoubtfulModelWarning(ScrutableWarning):
    """A model that ranks applicants worse than one of its inputs does alone, or not at all."""


def doubt_of(scored: ScoredRows, data: LabelledRows) -> str:
    """Why a model cannot be meant, in words; empty where nothing speaks against it.

    On the rows that it was learned from, the AUC of its score is compared with that of each input alone. It has to be
    lower by more than .02 and three standard errors.

    Parameters
    ----------
    scored : what the model says of these rows.
    data : the rows, with two classes.
    """
    bad, good = data.by_outcome[0].tolist()
    if not data.alone or min(bad, good) < MIN_OUTCOMES:
        return ""
    best = max(data.alone, key=lambda name: data.alone[name].auc)
    alone = data.alone[best].auc
    error = math.sqrt((bad + good + 1) / (12 * bad * good))
    if alone - 0.5 <= _BETTER + _ERRORS * error:
        return ""
    ranking = scored.ranking
    largest, spread = float(np.abs(ranking).max()), float(np.ptp(ranking))
    by_itself = f"{best!r} alone ranks the training outcomes with an AUC of {alone:.3f}"
    if not spread > _ROUNDING * largest:
        return f"it gives everybody the same score, and {by_itself}"
    own = scored.auc
    if alone - own > _BETTER + _ERRORS * error:
        return f"{by_itself}, and its score with {own:.3f}"
    return ""


def doubt_in_words(evidence: Evidence) -> str:
    """What evidence says against the model, and what to do; empty where it says nothing."""
    said = evidence.metrics.get(DOUBT)
    if not said:
        return ""
    advice = "look at its options, its bounds and trends, and at the units and digits of its points"
    selection = Selection.of(evidence)
    if selection is not None and selection.dropped:
        left = f"{len(selection.kept):,} of {selection.considered:,} characteristics"
        advice = f"select=None (--option select=null) keeps all characteristics, and selection kept {left}; or {advice}"
    return f"This model is probably not what you want: {said}. Fix: {advice}."


def warn_of_doubt(evidence: Evidence, *, bounded: bool) -> None:
    """Warn where evidence doubts a model whose scores were learned; classes alone may be all one, and be the best.

    Parameters
    ----------
    bounded : whether bounds were asked for, which are the reason for what they cost; then evidence says it alone.
    """
    decision = Decision.of(evidence)
    if not bounded and (said := doubt_in_words(evidence)) and (decision is None or decision.by != "learner"):
        warn_caller(said, DoubtfulModelWarning)
