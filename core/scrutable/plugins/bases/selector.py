"""Selectors: which characteristics a model may use, by counts alone, and why the others leave."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields, replace
from itertools import chain
from typing import ClassVar

from scrutable.binning.edits import BinEdit, read_edits, selected_by_hand
from scrutable.errors import InputError, did_you_mean
from scrutable.plugins.bases.binner import Edits
from scrutable.plugins.bases.candidates import Candidates
from scrutable.plugins.bases.selection_pool import Pool
from scrutable.plugins.choices import Choice
from scrutable.plugins.options import check_options
from scrutable.plugins.registry import registry
from scrutable.plugins.selections import BY_HAND, Selection

#: Options that list characteristics by name.
_LISTS = ("must", "never", "prefer")


@dataclass(frozen=True, kw_only=True)
class Selector(ABC):
    """Base of every selector: honours the lists of the business, and keeps the log.

    A subclass is a frozen dataclass of its options that says in `choose` what leaves the pool, and why. It sees tables
    of bins, tallies of pairs and a likelihood, never rows, so that any source of rows can serve it.

    Parameters
    ----------
    must : characteristics that stay, whatever is found; the log tells what spoke against them.
    never : characteristics that leave before anything is looked at.
    prefer : of two of which one is enough, these stay, the first of the list before others; else the one of the higher
        information value.
    one_of : groups of characteristics of which one is to stay.
    edits : decisions of a review, as binners have them; those of the action "select" hold before `must` and `never`,
        and the log tells who made them.

    Raises
    ------
    InputError : an option that cannot be, or a characteristic that must stay and never may.

    Examples
    --------
    >>> @dataclass(frozen=True, kw_only=True)
    ... class Shortest(Selector):
    ...     most: int = 20
    ...     def choose(self, pool):
    ...         for name in pool.names:
    ...             if len(name) > self.most:
    ...                 pool.drop(name, step="length", reason=f"its name has {len(name)} letters", figure=len(name))
    >>> Shortest(must=["age"]).must
    ('age',)
    """

    #: Whether it also selects where a quantity is to be told, of which there are means in place of good and bad rows.
    quantities: ClassVar[bool] = False

    must: Sequence[str] = ()
    never: Sequence[str] = ()
    prefer: Sequence[str] = ()
    one_of: Sequence[Sequence[str]] = ()
    edits: Edits = ()

    def __post_init__(self) -> None:
        check_options(self)
        for name in _LISTS:
            object.__setattr__(self, name, tuple(dict.fromkeys(getattr(self, name))))
        object.__setattr__(self, "one_of", tuple(tuple(dict.fromkeys(group)) for group in self.one_of))
        object.__setattr__(self, "edits", read_edits(self.edits))
        if both := sorted({*self.must} & {*self.never}):
            raise InputError("a characteristic must stay and never may", where="must, never", got=both, fix="choose")

    @abstractmethod
    def choose(self, pool: Pool) -> None:
        """Drop from the pool what is to leave; characteristics that must stay refuse to be dropped."""

    def select(self, candidates: Candidates) -> Selection:
        """What stays and what leaves.

        Raises
        ------
        InputError : a list or a decision names a characteristic that there is not and never was; or the candidates are
            to tell a quantity, and the selector needs two classes.
        """
        self.check(candidates)
        self._check_names(candidates)
        by_hand = {name: edit for name, edit in self._by_hand.items() if name in candidates.names}
        pool = Pool(candidates, must=self.held, prefer=self.prefer, by_hand=by_hand)
        for name in self.never:
            if name in pool.names and name not in by_hand:
                pool.drop(name, step="never", reason="it is on the list of those that never may")
        for name, edit in by_hand.items():
            if edit.stays == "never":
                pool.drop(name, step=BY_HAND, reason=edit.why or "it never stays", who=edit.who)
        for group in self.one_of:
            there = [name for name in group if name in pool.names]
            best = pool.best(there) if there else ""
            for name in there:
                if name != best:
                    pool.drop(name, step="one of", reason=f"one of its group is enough: {best}", other=best)
        self.choose(pool)
        return pool.selection(self.called)

    def check(self, candidates: Candidates) -> None:
        """Refuse candidates that it cannot select from; a selector of quantities with options of classes adds to it.

        Raises
        ------
        InputError : a quantity is to be told.
        """
        if candidates.of_quantity and not self.quantities:
            fix = "choose a selector of quantities, such as standard, or stepwise"
            raise InputError("the selector needs two classes", where="select", got=self.called, fix=fix)

    @property
    def called(self) -> str:
        """Its name as a component, or else its class."""
        path = f"{type(self).__module__}:{type(self).__qualname__}"
        listed = (each.name for each in registry().listings("selector") if each.component.path == path)
        return next(listed, type(self).__name__)

    @property
    def held(self) -> tuple[str, ...]:
        """Those that stay whatever is found, by list or by hand."""
        by_hand = self._by_hand
        listed = (name for name in self.must if name not in by_hand)
        return (*listed, *(name for name, edit in by_hand.items() if edit.stays == "must"))

    @property
    def _by_hand(self) -> dict[str, BinEdit]:
        return selected_by_hand(read_edits(self.edits))

    def _check_names(self, candidates: Candidates) -> None:
        known = (*candidates.names, *candidates.gone)
        for option, name in self._named():
            if name not in known:
                fix = f"{did_you_mean(name, known)}; or leave it out"
                raise InputError("no such characteristic", where=f"selector, {option}", got=name, fix=fix)

    def _named(self) -> Iterator[tuple[str, str]]:
        for option in _LISTS:
            yield from ((option, name) for name in getattr(self, option))
        yield from (("one_of", name) for name in chain.from_iterable(self.one_of))
        yield from (("edits", name) for name in self._by_hand)

    def __repr__(self) -> str:
        values = ((each, getattr(self, each.name)) for each in fields(self))
        given = (f"{each.name}={value!r}" for each, value in values if value != each.default)
        return f"{type(self).__name__}({', '.join(given)})"


@dataclass(frozen=True, kw_only=True, repr=False)
class ByHand(Selector):
    """Keeps all that the lists and the decisions of a review do not take out."""

    quantities = True

    def choose(self, pool: Pool) -> None:
        """Drop nothing."""

    @property
    def called(self) -> str:
        return "hand"


def selector_of(chosen: str | Selector | None, edits: Edits = ()) -> Selector | None:
    """A selector by what an option says: a name, a name with options, one that is made, or None for none.

    Parameters
    ----------
    edits : of the binner; who decided by hand which characteristics stay is heard without a selector, too.

    Raises
    ------
    PluginError : there is none of the name.
    InputError : an option that it does not have.

    Examples
    --------
    >>> selector_of("iv:floor=0.1,must=age")
    IVSelector(must=('age',), floor=0.1)
    """
    by_hand = tuple(edit for edit in read_edits(edits) if edit.action == "select")
    if chosen is None:
        return ByHand(edits=by_hand) if selected_by_hand(by_hand) else None
    made: Selector = Choice.parse(chosen, "select").create("selector") if isinstance(chosen, str) else chosen
    return replace(made, edits=(*made.edits, *by_hand)) if by_hand else made
