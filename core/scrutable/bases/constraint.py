"""The contract of a fairness constraint: an immutable wish that becomes bounds once groups are known."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from scrutable.errors import InputError, did_you_mean
from scrutable.fairness.bounds import Bound

if TYPE_CHECKING:
    from scrutable.fairness.attribute import ProtectedAttribute
    from scrutable.fairness.groups import Groups
    from scrutable.fairness.inputs import Bools


@dataclass(frozen=True)
class FairnessConstraint(ABC):
    """Base of every fairness constraint.

    A subclass is a frozen dataclass that checks its own parameters in `__post_init__` (calling `super()` first) and
    says in `bounds_for` what one group must satisfy. It holds no data: `bind` joins it with outcomes and groups, so
    one constraint serves any number of fits.

    Parameters
    ----------
    attributes : protected attributes that the constraint is restricted to; None means all of them.

    Examples
    --------
    >>> from scrutable.fairness import Groups, RateBound
    >>> @dataclass(frozen=True)
    ... class SameApproval(FairnessConstraint):
    ...     def bounds_for(self, attribute, group, y):
    ...         yield RateBound(rate="approval", attribute=attribute.name, group=group,
    ...                         reference=attribute.reference, slack=0.05)
    >>> groups = Groups.from_frame({"sex": ["f", "m", "m"]}, min_group_size=0)
    >>> [bound] = SameApproval().bind([True, True, False], groups)
    >>> bound.group, bound.reference
    ('f', 'm')
    """

    attributes: Sequence[str] | None = field(default=None, kw_only=True)

    def __post_init__(self) -> None:
        if self.attributes is None:
            return
        names = (self.attributes,) if isinstance(self.attributes, str) else tuple(self.attributes)
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

        A group without rows has no rate to bound and is passed over; a reference without rows is an error.

        Parameters
        ----------
        y : (n,) booleans, True where the outcome is favourable.
        groups : protected groups of the same n rows.

        Raises
        ------
        InputError : lengths that differ, an unknown attribute, a reference group without rows.
        KindError : `y` that is not boolean.
        """
        from scrutable.fairness.inputs import favourable

        outcome = favourable(y, "y", groups.rows)
        return tuple(
            bound
            for attribute in self._selected(groups)
            for group in _comparable(attribute)
            for bound in self.bounds_for(attribute, group, outcome)
        )

    @abstractmethod
    def bounds_for(self, attribute: ProtectedAttribute, group: str, y: Bools) -> Iterable[Bound]:
        """Bounds on one group that is not the reference; `y` is True where the outcome is favourable."""

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


def _comparable(attribute: ProtectedAttribute) -> tuple[str, ...]:
    sizes = attribute.sizes
    if not sizes[attribute.reference]:
        raise InputError(
            "the reference group has no rows to compare with",
            where=f"protected attribute {attribute.name!r}",
            got=attribute.reference,
            allowed=", ".join(repr(label) for label, size in sizes.items() if size),
            fix="choose another reference",
        )
    return tuple(label for label, size in sizes.items() if size and label != attribute.reference)
