"""Applicants whose notice would not be whole: gathered, and refused together."""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never

from scrutable.errors import InputError
from scrutable.model import Model, RegressionScorecard, RuleSet, Scorecard, SegmentedModel, TreeEnsemble

_SHOWN = 10


class Refusals:
    """What is wrong, by fault, with the places of the applicants it is wrong with.

    Parameters
    ----------
    ids : (n,) what applicants are called.
    column : the column of ids, None where rows are counted.
    """

    def __init__(self, ids: Sequence[str], column: str | None) -> None:
        self._ids, self._column = ids, column
        self._places: dict[tuple[str, str], list[int]] = {}

    def add(self, place: int, fault: str, fix: str = "complete the applicants' file") -> None:
        """Note a fault, such as "without a name", and what to do about it."""
        self._places.setdefault((fault, fix), []).append(place)

    def raise_any(self) -> None:
        """Refuse the batch, if there is a fault.

        Raises
        ------
        InputError : names the applicants with the first fault.
        """
        for (fault, fix), places in self._places.items():
            raise InputError(
                f"{len(places):,} {'applicant' if len(places) == 1 else 'applicants'} {fault}; nothing is written",
                where=self._rows(places),
                fix=fix,
            )

    def _rows(self, places: Sequence[int]) -> str:
        rows = [f"{place + 1}" + (f" ({self._ids[place]})" if self._column else "") for place in places[:_SHOWN]]
        rest = f" and {len(places) - _SHOWN:,} more" if len(places) > _SHOWN else ""
        return f"{'row' if len(places) == 1 else 'rows'} {', '.join(rows)}{rest}"


def more_reasons(model: Model) -> str:
    """What makes every applicant whom a model's score declines fall short of some baseline.

    A rule set needs nothing: its policy is refused where somebody could be declined without a vote against.
    """
    match model:
        case TreeEnsemble():
            method = "method='shapley' and near=..."
        case Scorecard() | RuleSet() | SegmentedModel() | RegressionScorecard():
            method = "method='near-cutoff'"
        case _:
            assert_never(model)
    return f"take baselines that every declined applicant falls short of: fit the reasons with {method}"
