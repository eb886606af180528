"""What evidence says of how a model was learned, in the learner's own words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from rich.console import RenderableType

from scrutable.cli.output import table
from scrutable.cli.terminal import line
from scrutable.measures import CoefficientTable, RegressionFigures, fit_in_words, remarks, warnings_in_words
from scrutable.model import Evidence, Model, SegmentedModel, titles_of
from scrutable.plugins.bases.learner_by_name import recorded_learner
from scrutable.plugins.selections import Selection

#: What stands below a table of rules that has them.
SEEN = "Coverage: share of the rows learned from that a rule applies to. Precision: share of these that have its class."


def about_learning(model: Model, evidence: Evidence, *, most: int | None = None) -> Iterator[str]:
    """Lines on which characteristics were selected, how the learner ended, in its own words where it is here, and on
    a regression that it fitted.

    Parameters
    ----------
    most : characteristics that left, which are told one by one; all when None.
    """
    selection = Selection.of(evidence)
    yield from () if selection is None else selection.lines(most)
    learner = recorded_learner(model.provenance.learner)
    yield from () if learner is None else learner.about_learning(evidence)
    figures = RegressionFigures.of(evidence)
    if figures is not None:
        yield fit_in_words(figures)
        yield from warnings_in_words(figures)


def coefficients(model: Model, evidence: Evidence) -> Iterator[RenderableType]:
    """The table of a regression's coefficients, and what they mean; nothing where evidence has none."""
    figures = RegressionFigures.of(evidence)
    if figures is None:
        return
    told = CoefficientTable.of(figures, {} if isinstance(model, SegmentedModel) else titles_of(model))
    yield table(told.headers, told.rows, title="Coefficients", right=told.numbers)
    yield from (line(each, style="dim") for each in remarks(figures))


def about_characteristics(model: Model, evidence: Evidence) -> Mapping[str, str]:
    """By feature, what the learner says of it; nothing where it has nothing to say, or is not here."""
    learner = recorded_learner(model.provenance.learner)
    return {} if learner is None else learner.about_characteristics(evidence)
