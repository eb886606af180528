"""The base of constraints that bound differences of rates between groups."""

from __future__ import annotations

import warnings
from abc import abstractmethod
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from scrutable.fairness import Rate, RateBound
from scrutable_fairness.comparison import Comparison

if TYPE_CHECKING:
    from scrutable.data import Outcomes
    from scrutable.fairness import ProtectedAttribute
    from scrutable.model import ClassLabel


@dataclass(frozen=True)
class RateGap(Comparison):
    """Rates that differ between groups by at most `slack`. A subclass says in `rates` which.

    A rate among the rows of one class is bounded only where both sides have at least `min_group_size` rows of that
    class; a `SmallGroupWarning` names those that do not.

    Parameters
    ----------
    slack : largest allowed difference, from 0 to 1 (0.05 is five percentage points). Different slacks for different
        attributes are several constraints, each restricted to its `attributes`.
    compare : as in `Comparison`.
    attributes, min_group_size : as in `FairnessConstraint`.

    Raises
    ------
    InputError : slack out of range, or as in `Comparison`.
    """

    slack: float = 0.0

    def __post_init__(self) -> None:
        super().__post_init__()
        RateBound.check_slack(self.slack, type(self).__name__)

    @abstractmethod
    def rates(self, y: Outcomes) -> Iterable[tuple[Rate, ClassLabel | None]]:
        """The rates to bound, each with the class of the rows that it is taken over; None for all rows."""

    def bounds_for(self, attribute: ProtectedAttribute, group: str, y: Outcomes) -> Iterator[RateBound]:
        """One bound for each rate and each reference."""
        from scrutable.data import is_small
        from scrutable.fairness import SmallGroupWarning, size_of

        small: dict[str, None] = {}  # an ordered set
        for rate, given in self.rates(y):
            sizes = _sizes(attribute, y, given)
            for reference in self.references_of(attribute, group):
                sides = [side for side in (group, reference) if side is not None]
                few = [side for side in sides if is_small(sizes[side], self.min_group_size)]
                small |= {f"{size_of(attribute.name, side, sizes[side])} of class {given!r}": None for side in few}
                if not few:
                    yield RateBound(
                        rate=rate,
                        given=given,
                        attribute=attribute.name,
                        group=group,
                        reference=reference,
                        slack=self.slack,
                    )
        if small:
            what = f"{type(self).__name__} does not bound rates of fewer than {self.min_group_size} rows"
            fix = "Fix: merge groups or classes, or lower min_group_size"
            # Level 3 is whoever called bind, which runs this generator.
            warnings.warn(f"{what}: {'; '.join(small)}. {fix}.", SmallGroupWarning, stacklevel=3)


def _sizes(attribute: ProtectedAttribute, y: Outcomes, given: ClassLabel | None) -> dict[str, float]:
    """Rows of the class in each group; `bind` and `references_of` have seen to the size of whole groups."""
    if given is None:
        return attribute.sizes
    return dict(zip(attribute.labels, ((y == given) @ attribute.membership).tolist(), strict=True))
