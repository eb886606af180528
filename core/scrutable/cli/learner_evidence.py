"""What evidence says of how a model was learned, in the learner's own words."""

from __future__ import annotations

from collections.abc import Iterator

from scrutable.model import Evidence, Model
from scrutable.plugins.bases.learner_by_name import recorded_learner
from scrutable.plugins.selections import Selection

#: What stands below a table of rules that has them.
SEEN = "Coverage: share of the rows learned from that a rule applies to. Precision: share of these that have its class."


def about_learning(model: Model, evidence: Evidence, *, most: int | None = None) -> Iterator[str]:
    """Lines on which characteristics were selected, and how the learner ended, in its own words, if it is here.

    Parameters
    ----------
    most : characteristics that left, which are told one by one; all when None.
    """
    selection = Selection.of(evidence)
    yield from () if selection is None else selection.lines(most)
    learner = recorded_learner(model.provenance.learner)
    yield from () if learner is None else learner.about_learning(evidence)
