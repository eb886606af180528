"""The contract of a fairness constraint: an immutable wish that becomes bounds once groups are known."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from scrutable.errors import InputError, did_you_mean, warn_caller
from scrutable.fairness.bounds import Bound

if TYPE_CHECKING:
    from scrutable.data.array_checks import Outcomes
    from scrutable.data.attribute import ProtectedAttribute
    from scrutable.data.groups import Groups


@dataclass(frozen=True)
class FairnessConstraint(ABC):
    """Base of every fairness constraint.

    A subclass is a frozen dataclass that checks its own parameters in `__post_init__` (calling `super()` first) and
    says in `bounds_for` what one group must satisfy. It holds no data: `bind` joins it with outcomes and groups, so
    one constraint serves any number of fits. One that compares every group with everyone says so in `reference_of`.

    Parameters
    ----------
    attributes : protected attributes that the constraint is restricted to; None means all of them.
    min_group_size : smaller groups are not bounded, since the rates of a handful of rows are noise that no model
        should be bent to; at least 1 row, counted by membership where that is a probability.

    Examples
    --------
    >>> from scrutable.fairness import Groups, RateBound
    >>> @dataclass(frozen=True)
    ... class SameApproval(FairnessConstraint):
    ...     def bounds_for(self, attribute, group, y):
    ...         yield RateBound(rate="approval", attribute=attribute.name, group=group,
    ...                         reference=self.reference_of(attribute), slack=0.05)
    >>> groups = Groups.from_frame({"sex": ["f", "m", "m"]}, min_group_size=0)
    >>> [bound] = SameApproval(min_group_size=1).bind([True, True, False], groups)
    >>> bound.group, bound.reference
    ('f', 'm')
    """

    attributes: Sequence[str] | None = field(default=None, kw_only=True)
    min_group_size: int = field(default=30, kw_only=True)

    def __post_init__(self) -> None:
        self._check_min_group_size()
        if self.attributes is None:
            return
        given: Any = (self.attributes,) if isinstance(self.attributes, str) else self.attributes
        names = tuple(given) if isinstance(given, Iterable) else ()
        if not names or not all(isinstance(name, str) for name in names) or len(set(names)) < len(names):
            raise InputError(
                "attributes lists protected attributes by name, each once",
                where=type(self).__name__,
                got=self.attributes,
                allowed="a list of names, or None for every protected attribute",
                fix="name at least one attribute, or leave the parameter out",
            )
        object.__setattr__(self, "attributes", names)

    def bind(self, y: Any, groups: Groups) -> tuple[Bound, ...]:
        """Bounds for every selected attribute and each of its groups but the reference.

        Rows of unknown membership ("(missing)") are no group, and are not bounded. Groups that are too small are not
        bounded either, and a `SmallGroupWarning` names them.

        Parameters
        ----------
        y : (n,) booleans, True where the outcome is favourable, or the label of each row's class.
        groups : protected groups of the same n rows.

        Raises
        ------
        InputError : lengths that differ, a missing outcome, an unknown attribute, an attribute with a single known
            group, a reference that is too small.
        KindError : class labels for a constraint that needs to know which outcome is favourable.
        """
        from scrutable.data.array_checks import outcomes
        from scrutable.data.groups import SmallGroupWarning, size_of
        from scrutable.data.sizes import is_small

        outcome = outcomes(y, "y", groups.rows)
        bounds: list[Bound] = []
        small: list[str] = []
        for attribute in self._selected(groups):
            sizes = attribute.sizes
            for group in self._compared(attribute, sizes):
                if is_small(sizes[group], self.min_group_size):
                    small.append(size_of(attribute.name, group, sizes[group]))
                else:
                    bounds += self.bounds_for(attribute, group, outcome)
        if small:
            told = "; ".join(dict.fromkeys(small))
            what = f"{type(self).__name__} does not bound groups smaller than {self.min_group_size}: {told}"
            fix = "Fix: merge them with others, or lower min_group_size"
            warn_caller(f"{what}. {fix}.", SmallGroupWarning)
        return tuple(bounds)

    @abstractmethod
    def bounds_for(self, attribute: ProtectedAttribute, group: str, y: Outcomes) -> Iterable[Bound]:
        """Bounds on one group that is compared.

        `y` holds every row's outcome, as booleans or class labels: `scrutable.data.classes_of(y)` lists the
        classes, and `favourable(y, "y")` refuses labels where the constraint is about the favourable outcome.

        `bind` has seen to the size of whole groups. Whoever bounds a rate among a class leaves out those pairs of which
        a side has fewer than `min_group_size` rows of that class, and names them in a `SmallGroupWarning`.
        """

    def reference_of(self, attribute: ProtectedAttribute) -> str | None:
        """The group to compare with: the reference that the user names, or None for everyone, and then all are bounded.

        Whoever compares otherwise makes further bounds in `bounds_for`, and leaves the user's reference as it is.
        """
        return attribute.reference

    def _selected(self, groups: Groups) -> tuple[ProtectedAttribute, ...]:
        if self.attributes is None:
            return groups.attributes
        for name in self.attributes:
            if name not in groups.names:
                raise InputError(
                    "the constraint names an attribute that the groups do not have",
                    where=type(self).__name__,
                    got=name,
                    allowed=did_you_mean(name, groups.names),
                    fix="add the column to sensitive_features, or correct the name",
                )
        return tuple(groups[name] for name in self.attributes)

    def _compared(self, attribute: ProtectedAttribute, sizes: Mapping[str, float]) -> tuple[str, ...]:
        from scrutable.data.sizes import is_small

        where, reference = f"protected attribute {attribute.name!r}", self.reference_of(attribute)
        if reference is not None and is_small(sizes[reference], self.min_group_size):
            raise InputError(
                "the reference group is too small to compare with",
                where=where,
                got=f"{reference!r} with {sizes[reference]:.6g} rows",
                allowed=f"at least {self.min_group_size} rows",
                fix=f"choose another reference, or lower min_group_size of {type(self).__name__}",
            )
        if len(attribute.known) < 2:
            raise InputError(
                "there is only one known group, so nothing can be compared",
                where=where,
                got=attribute.known[0],
                allowed="at least two groups beside the rows of unknown membership",
                fix="leave this attribute out of the constraint",
            )
        return tuple(group for group in attribute.known if group != reference)

    def _check_min_group_size(self) -> None:
        size = self.min_group_size
        if not isinstance(size, int) or isinstance(size, bool) or size < 1:
            raise InputError(
                "min_group_size is the fewest rows of a group that is bounded",
                where=type(self).__name__,
                got=size,
                allowed="a whole number from 1 on",
                fix="use 30, or 1 to bound every group",
            )
