"""What evidence says of how a model was learned, in the learner's own words."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from scrutable.model import Evidence, Model
from scrutable.plugins.bases.learner_by_name import recorded_learner

#: What stands below a table of rules that has them.
SEEN = "Coverage: share of the rows learned from that a rule applies to. Precision: share of these that have its class."


def about_learning(model: Model, evidence: Evidence) -> Iterable[str]:
    """Lines on how the learner ended, in its own words; none where it has none, or is not here."""
    learner = recorded_learner(model.provenance.learner)
    return () if learner is None else learner.about_learning(evidence)


def about_characteristics(model: Model, evidence: Evidence) -> Mapping[str, str]:
    """By feature, what the learner says of it; nothing where it has nothing to say, or is not here."""
    learner = recorded_learner(model.provenance.learner)
    return {} if learner is None else learner.about_characteristics(evidence)
