"""What a model says of itself whatever it is made of: its kind, and the models that score."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Self

from scrutable.model.codec import tag
from scrutable.model.scorer_types import Scorer
from scrutable.writing.facades import named
from scrutable.writing.notebooks import ShownInNotebooks


class Single(ShownInNotebooks):
    """A model that scores by itself, with no segments.

    >>> from scrutable.testing.contract.examples.models import models_named
    >>> named = models_named()
    >>> named["stumps"].kind, len(named["stumps"].parts), len(named["segmented-model"].parts)
    ('tree-ensemble', 1, 2)
    """

    __slots__ = ()

    @property
    def kind(self) -> str:
        """The word for it in a model file: its class in lower case, with hyphens."""
        return tag(type(self))

    @property
    def parts(self) -> tuple[Self]:
        """The models that score: itself."""
        return (self,)

    def scorer(self, columns: Sequence[str] | None = None, *, reasons: bool = True) -> Scorer:
        """A function from one applicant to the score, the decision and the reasons; see `scrutable.model.scorer_of`."""
        score: Scorer = named("scrutable.model.scoring", "scorer_of")(self, columns, reasons=reasons)
        return score
