"""The base of constraints that compare rates: every group with its reference, with everyone, or any two groups."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from scrutable.errors.checks import check_choice
from scrutable.plugins.bases import FairnessConstraint

if TYPE_CHECKING:
    from scrutable.fairness import ProtectedAttribute

Compare = Literal["reference", "everyone", "pairs"]


@dataclass(frozen=True)
class Comparison(FairnessConstraint):
    """Which groups are compared with which.

    Parameters
    ----------
    compare : "reference" bounds every group against the reference group, "everyone" every group (the reference group
        too) against all rows, and "pairs" any two groups against each other.
    attributes, min_group_size : as in `FairnessConstraint`.

    Raises
    ------
    InputError : an unknown word for compare, or as in `FairnessConstraint`.
    """

    compare: Compare = field(default="reference", kw_only=True)

    def __post_init__(self) -> None:
        super().__post_init__()
        check_choice(self.compare, ("reference", "everyone", "pairs"), f"compare of {type(self).__name__}")

    def reference_of(self, attribute: ProtectedAttribute) -> str | None:
        """The group to compare with; None for everyone."""
        return None if self.compare == "everyone" else attribute.reference

    def references_of(self, attribute: ProtectedAttribute, group: str) -> list[str | None]:
        """What a group is compared with. In a pair of groups beside the reference, the later one stands second."""
        from scrutable.data import is_small

        first = self.reference_of(attribute)
        if self.compare != "pairs":
            return [first]
        others = [label for label in attribute.known if label != first]
        later = others[others.index(group) + 1 :]
        return [first, *(label for label in later if not is_small(attribute.sizes[label], self.min_group_size))]
