"""What the business says of characteristics before any is chosen: must, never, and at most one of some."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from scrutable.errors import InputError
from scrutable_selection.likelihood import positions


@dataclass(frozen=True)
class Lists:
    """Names of characteristics that must be chosen, never may be, and sets of which at most one may be.

    Examples
    --------
    >>> Lists(must=("age",), one_of=(("income", "salary"),)).placed(["age", "income", "salary"])
    Placed(must=(0,), never=(), sets=((1, 2),))
    """

    must: Sequence[str] = ()
    never: Sequence[str] = ()
    one_of: Sequence[Sequence[str]] = field(default=())

    def placed(self, names: Sequence[str]) -> Placed:
        """The lists by position among names.

        Raises
        ------
        InputError : a name that is not there, or lists that contradict one another.
        """
        must, never = positions(names, self.must, "must"), positions(names, self.never, "never")
        sets = [positions(names, each, "one_of") for each in self.one_of]
        within = [member for each in sets for member in each]
        twice = [names[each] for each in dict.fromkeys(within) if within.count(each) > 1]
        both = [names[each] for each in must if each in never]
        several = [[names[each] for each in group if each in must] for group in sets]
        _refuse(both, "must and never", "a characteristic is on both lists", "take it off one")
        _refuse(twice, "one_of", "a characteristic stands in two sets, or twice in one", "merge the sets")
        for group in several:
            _refuse(group[1:] and group, "must and one_of", "two of a set must be chosen", "take one off must")
        return Placed(tuple(sorted(set(must))), tuple(sorted(set(never))), tuple(map(tuple, sets)))


@dataclass(frozen=True)
class Placed:
    """`Lists` by position. No characteristic stands in two sets."""

    must: tuple[int, ...]
    never: tuple[int, ...]
    sets: tuple[tuple[int, ...], ...]

    def beside(self, members: Sequence[int]) -> set[int]:
        """Whom these members, of some of the sets, leave no place."""
        return {each for group in self.sets if set(group) & set(members) for each in group} - set(members)

    def crowded(self, members: Sequence[int]) -> list[int]:
        """Members of sets of which more than one is a member."""
        shared = [[each for each in group if each in members] for group in self.sets]
        return sorted(each for group in shared if len(group) > 1 for each in group)


def _refuse(names: list[str], where: str, what: str, fix: str) -> None:
    if names:
        raise InputError(what, where=where, got=names, allowed="lists that can all be kept", fix=fix)
