"""Which columns of a baseline and of new applicants are their outcomes, weights, dates and protected groups."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from scrutable.data import Probabilities, ReadingConfig, columns_of


@dataclass(frozen=True, kw_only=True)
class Columns(ReadingConfig):
    """What the columns of both samples are, and how their files are to be read.

    Parameters
    ----------
    target : the outcomes, in either sample or both; empty where they are not known.
    favourable : the outcome that is good for the applicant, where the samples call it otherwise than the model.
    date : of the new applicants.
    protected, probabilities, reference : protected attributes, in both samples; see `DataConfig`.
    weight : weights, in either sample or both.
    """

    target: str | None = None
    favourable: str | None = None
    date: str | None = None
    protected: Sequence[str] = ()
    probabilities: Probabilities = field(default_factory=dict)
    reference: Mapping[str, str] = field(default_factory=dict)
    weight: str | None = None

    @property
    def of_groups(self) -> tuple[str, ...]:
        """All columns that tell protected groups."""
        return (*self.protected, *columns_of(self.probabilities))
