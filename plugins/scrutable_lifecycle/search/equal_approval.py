"""Candidates at equal approval: the cutoff that approves the same share of the same rows."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from scrutable.data import Cohort
from scrutable.fairness import reachable_threshold
from scrutable.measures import Scored
from scrutable.model import DecisionModel, fingerprint, without_decisions
from scrutable.plugins.bases import Alternative
from scrutable_lifecycle.search.judgement import deciding
from scrutable_lifecycle.strategy import cut_at


def cut_to_approve(model: DecisionModel, scored: Scored, rate: float) -> tuple[DecisionModel, str]:
    """The model with the highest cutoff that approves as many of the development rows as all are to approve.

    Where too many are declined anyway, the model as it is, and why it is set aside.

    Parameters
    ----------
    scored : what the model says of the development rows.
    """
    weight = scored.cohort.sample_weight
    wanted = reachable_threshold(scored.score, rate, sample_weight=weight, knocked_out=scored.declined_anyway)
    if wanted is None:
        return model, (
            f"its knock-outs and overrides leave only {share_left(scored):.1%} of the development rows, less than the "
            f"{rate:.1%} asked, so that no cutoff makes it comparable; it is shown at its own"
        )
    if (scored.approved == scored.approved_from(wanted)).all():
        return model, ""
    return cut_at(model, wanted, reference=scored.cohort.table, sample_weight=weight), ""


def cut_alternative(alternative: Alternative, rows: Cohort, rate: float) -> tuple[Alternative, str]:
    """An alternative of a learner without an approval rate, cut as `cut_to_approve` does, and why it is set aside."""
    model, aside = cut_to_approve(alternative.model, deciding(alternative.model, rows, alternative.name), rate)
    if model is alternative.model:
        return alternative, aside
    evidence = replace(without_decisions(alternative.evidence), model_sha256=fingerprint(model))
    return replace(alternative, model=model, evidence=evidence), aside


def share_left(scored: Scored) -> float:
    """The share of the rows that no knock-out or override declines."""
    return float(np.average(~scored.declined_anyway, weights=scored.cohort.sample_weight))
