"""Selectors: which characteristics a model may use, by counts alone, and why the others leave."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields
from itertools import chain

from scrutable.errors import InputError, did_you_mean
from scrutable.plugins.bases.candidates import Candidates
from scrutable.plugins.bases.selection_pool import Pool
from scrutable.plugins.choices import Choice
from scrutable.plugins.options import check_options
from scrutable.plugins.registry import registry
from scrutable.plugins.selections import Selection

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

    must: Sequence[str] = ()
    never: Sequence[str] = ()
    prefer: Sequence[str] = ()
    one_of: Sequence[Sequence[str]] = ()

    def __post_init__(self) -> None:
        check_options(self)
        for name in _LISTS:
            object.__setattr__(self, name, tuple(dict.fromkeys(getattr(self, name))))
        object.__setattr__(self, "one_of", tuple(tuple(dict.fromkeys(group)) for group in self.one_of))
        if both := sorted({*self.must} & {*self.never}):
            raise InputError("a characteristic must stay and never may", where="must, never", got=both, fix="choose")

    @abstractmethod
    def choose(self, pool: Pool) -> None:
        """Drop from the pool what is to leave; characteristics that must stay refuse to be dropped."""

    def select(self, candidates: Candidates) -> Selection:
        """What stays and what leaves.

        Raises
        ------
        InputError : a list names a characteristic that there is not.
        """
        self._check_names(candidates)
        pool = Pool(candidates, must=self.must, prefer=self.prefer)
        for name in self.never:
            pool.drop(name, step="never", reason="it is on the list of those that never may")
        for group in self.one_of:
            there = [name for name in group if name in pool.names]
            best = pool.best(there) if there else ""
            for name in there:
                if name != best:
                    pool.drop(name, step="one of", reason=f"one of its group is enough: {best}", other=best)
        self.choose(pool)
        return pool.selection(self.called)

    @property
    def called(self) -> str:
        """Its name as a component, or else its class."""
        path = f"{type(self).__module__}:{type(self).__qualname__}"
        listed = (each.name for each in registry().listings("selector") if each.component.path == path)
        return next(listed, type(self).__name__)

    def _check_names(self, candidates: Candidates) -> None:
        known = candidates.names
        for option, name in self._named():
            if name not in known:
                fix = f"{did_you_mean(name, known)}; or leave it out"
                raise InputError("no such characteristic", where=f"selector, {option}", got=name, fix=fix)

    def _named(self) -> Iterator[tuple[str, str]]:
        for option in _LISTS:
            yield from ((option, name) for name in getattr(self, option))
        yield from (("one_of", name) for name in chain.from_iterable(self.one_of))

    def __repr__(self) -> str:
        values = ((each, getattr(self, each.name)) for each in fields(self))
        given = (f"{each.name}={value!r}" for each, value in values if value != each.default)
        return f"{type(self).__name__}({', '.join(given)})"


def selector_of(chosen: str | Selector | None) -> Selector | None:
    """A selector by what an option says: a name, a name with options, one that is made, or None for none.

    Raises
    ------
    PluginError : there is none of the name.
    InputError : an option that it does not have.

    Examples
    --------
    >>> selector_of("iv:floor=0.1,must=age")
    IVSelector(must=('age',), floor=0.1)
    """
    if chosen is None or isinstance(chosen, Selector):
        return chosen
    made: Selector = Choice.parse(chosen, "select").create("selector")
    return made
