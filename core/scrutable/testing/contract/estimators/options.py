"""Checks of learners' options that several share: each does what it says, or is refused."""

from __future__ import annotations

from typing import Any

import numpy as np

from scrutable.errors import InputError
from scrutable.model import Scaling
from scrutable.testing.contract.check import deciding, require
from scrutable.testing.contract.examples.data import fit, learns_classes, quantile, sample_for
from scrutable.testing.contract.examples.known_payers import X, has_option, rows_with, worth
from scrutable.testing.contract.subject import Subject

_CODE = -9.0
_SHARES = {1.0: 0.1, 2.0: 0.5, 3.0: 0.9}
#: How missing values and special codes may be treated by a review, and what that makes them worth.
_POLICIES: tuple[dict[str, Any], ...] = (
    {"policy": "worst"},
    {"policy": "neutral"},
    {"policy": "with", "bin": 3.0},
    {"policy": "with", "bin": 2.0},
)


@deciding(
    "learner",
    hint="value attributes by BinTable.woe, which follows policies, or call scrutable.binning.refuse_policies",
)
def policies_of_a_review_are_kept_or_refused(subject: Subject) -> None:
    """On a binner whose review says how missing values and special codes are treated, it does so or refuses."""
    if not has_option(subject, "binner"):
        return
    for value, action in ((None, "missing"), (_CODE, "special")):
        for policy in _POLICIES:
            edits = [{"feature": X, "action": "cuts", "cuts": [2.0, 3.0]}, {"feature": X, "action": action, **policy}]
            for share in (0.02, 0.98):
                binner = quantile(edits=edits, special_codes={X: [_CODE]})
                sample = rows_with(subject, {**_SHARES, value: share, **({} if value is None else {None: 0.5})})
                try:
                    learner = fit(subject.make(binner=binner), sample)
                except InputError:
                    break
                _is_treated(worth(learner, [*_SHARES, value]), policy, action)


@deciding("learner", hint="bin with the binner that is given, under its own options, and cut nowhere else")
def the_binner_given_is_used(subject: Subject) -> None:
    """Scores change at cuts of the binner that it is given, and there only; its categories keep together."""
    if not has_option(subject, "binner"):
        return
    numbers, texts = {1.0: 0.1, 2.0: 0.5, 3.0: 0.9}, {"a": 0.1, "c": 0.5, "b": 0.9}
    for shares, own in ((numbers, {"cuts": {X: [3.0]}}), (texts, {"merges": {X: [["a", "c"]]}})):
        learner = fit(subject.make(binner=quantile(**own)), rows_with(subject, shares))
        first, second, third = scores = worth(learner, list(shares))
        require(first == second < third, "scores do not change at the cuts and merges of the binner given", got=scores)
        if shares is numbers:
            below = worth(learner, [np.nextafter(3.0, 0.0)])[0]
            require(below == second, "a value just below a cut is put above it", got=(second, below, third))


@deciding("learner", hint="leave the cutoff to the base class, which reads options of these names")
def cutoff_and_approval_rate_are_kept(subject: Subject) -> None:
    """A cutoff given decides, and of an approval rate given the rows of fit exceed it by ties alone."""
    sample = sample_for(subject)
    if not learns_classes(subject):
        return
    if has_option(subject, "approval_rate"):
        for rate in (0.25, 0.6):
            learner = fit(subject.make(approval_rate=rate), sample)
            _approves(learner.evaluate(sample.X), rate, "fit")
    if has_option(subject, "cutoff"):
        usual = fit(subject.make(), sample).evaluate(sample.X).score
        wanted = float(np.quantile(usual, 0.4)) + 0.25
        scored = fit(subject.make(cutoff=wanted), sample).evaluate(sample.X)
        require(np.array_equal(scored.approved, scored.score >= wanted), f"cutoff={wanted:g} is not what decides")


@deciding("learner", hint="hand the Scaling that is given to scrutable.binning.build_scorecard")
def the_scaling_given_is_used(subject: Subject) -> None:
    """Another scaling gives other points, with twice the points twice the difference, and the same probabilities."""
    if not has_option(subject, "scaling"):
        return
    sample = rows_with(subject, {1.0: 0.1, 2.0: 0.9})
    once, twice = (fit(subject.make(scaling=Scaling(pdo=pdo)), sample) for pdo in (20.0, 40.0))
    gaps = [high - low for low, high in (worth(each, [1.0, 2.0]) for each in (once, twice))]
    require(abs(gaps[1] / gaps[0] - 2) < 0.1, "with twice the points to double the odds scores are no further apart")
    same = np.abs(once.predict_proba(sample.X) - twice.predict_proba(sample.X)).max() < 0.02
    require(same, "another scaling gives other probabilities")


def approves(evaluation: Any, rate: float) -> bool:
    """Whether a share of the rows is approved, and no more than ties with the last of them."""
    score, approved = np.asarray(evaluation.score), np.asarray(evaluation.approved)
    above = score > score[approved].min() if approved.any() else approved
    return bool(approved.mean() >= rate - 1e-9 and above.mean() < rate)


def _approves(evaluation: Any, rate: float, what: str) -> None:
    share = float(np.mean(evaluation.approved))
    require(approves(evaluation, rate), f"with approval_rate={rate:g}, {what} approves another share", got=share)


def _is_treated(scores: list[float], policy: dict[str, Any], action: str) -> None:
    first, middle, last, value = scores
    said = f"{action} values treated as {policy['policy']!r} by a review"
    if policy["policy"] == "worst":
        require(value == min(first, middle, last), f"{said} are not worth the least", got=scores)
    elif policy["policy"] == "neutral":
        inside = min(first, middle, last) < value < max(first, middle, last)
        require(inside, f"{said} are worth the most or the least", got=scores)
    else:
        wanted = {2.0: middle, 3.0: last}[policy["bin"]]
        require(value == wanted, f"{said} {policy['bin']:g} are not worth what that bin is", got=scores)
