"""Which pairs of features the user asks for."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import Self

from scrutable.errors import InputError, did_you_mean
from scrutable.model import Scorecard
from scrutable_additive.cells import pair_name

Pair = tuple[str, str]

#: What stands between the features in the name of a pair.
_BETWEEN = pair_name("", "")


@dataclass(frozen=True, slots=True)
class AskedPairs:
    """What is asked of pairs.

    Parameters
    ----------
    most : how many are fitted at most.
    named : those that are looked at; None where they are looked for.
    must : names of pairs that are fitted in any case, and stay on the card.
    standing : features of a scorecard that is improved, among which pairs are looked for, too.
    tables : the pairs that it has.
    """

    most: int
    named: tuple[Pair, ...] | None
    must: frozenset[str]
    standing: frozenset[str] = frozenset()
    tables: tuple[Pair, ...] = ()

    @classmethod
    def of(cls, pairs: int | Sequence[Sequence[str] | str], must: Collection[str], known: Collection[str] = ()) -> Self:
        """From options.

        Parameters
        ----------
        known : names of the features, which say where the name of a pair is to be parted.

        Raises
        ------
        InputError : a pair is not of two names, or its name could be that of two pairs.

        Examples
        --------
        >>> asked = AskedPairs.of([["age", "debts"], "age x income"], must=["income", "age x debts"])
        >>> asked.named, asked.must
        ((('age', 'debts'), ('age', 'income')), frozenset({'age x debts'}))
        """
        if isinstance(pairs, int):
            return cls(pairs, None, frozenset())
        named = tuple(_two_of(pair, known) for pair in pairs)
        return cls(len(named), named, frozenset(pair_name(*pair) for pair in named).intersection(must))

    @property
    def features(self) -> set[str]:
        """Those that are named."""
        return {name for pair in self.named or () for name in pair}

    @property
    def names(self) -> list[str]:
        """Of the pairs that are named."""
        return [pair_name(*pair) for pair in self.named or ()]

    def added_to(self, card: Scorecard) -> Self:
        """The same pairs beside a scorecard that is improved, each called as on it.

        Examples
        --------
        >>> from scrutable.testing.cards import card
        >>> AskedPairs.of(2, must=()).added_to(card()).standing == card().features_scored
        True
        """
        beside = replace(
            self,
            standing=frozenset(each.name for each in card.features),
            tables=tuple(each.features for each in card.interactions),
        )
        named = None if self.named is None else tuple(map(beside.turned, self.named))
        names = {pair_name(*pair): pair_name(*beside.turned(pair)) for pair in self.named or ()}
        return replace(beside, named=named, must=frozenset(names[name] for name in self.must))

    def turned(self, pair: Pair) -> Pair:
        """A pair the other way round, where a table of it stands so."""
        rows, columns = pair
        return (columns, rows) if (columns, rows) in self.tables and pair not in self.tables else pair

    def check(self, known: Sequence[str], trends: Collection[str]) -> None:
        """Refuse pairs that cannot be.

        Parameters
        ----------
        known : names of the features.
        trends : those of which a trend is asked, which a table of points would not keep.

        Raises
        ------
        InputError : says which pair and why.
        """
        seen: set[frozenset[str]] = set()
        names: set[str] = {*known}
        for pair in self.named or ():
            where = f"pairs, {pair_name(*pair)!r}"
            for name in pair:
                if name not in known:
                    raise InputError("unknown column", where=where, got=name, fix=did_you_mean(name, known))
                if name in trends:
                    raise InputError(
                        "a feature with a trend is in no pair, whose points could go against it",
                        where=where,
                        got=name,
                        fix="leave out the trend or the pair",
                    )
            if len({*pair}) < 2 or frozenset(pair) in seen:
                got = "one column twice" if len({*pair}) < 2 else "the pair twice"
                raise InputError("a pair is of two columns, and named once", where=where, got=got)
            if pair_name(*pair) in names:
                raise InputError(
                    "a column or another pair has the pair's name",
                    where="pairs",
                    got=pair_name(*pair),
                    fix="give the column another name",
                )
            seen.add(frozenset(pair))
            names.add(pair_name(*pair))


def _two_of(pair: Sequence[str] | str, known: Collection[str]) -> Pair:
    """The two features of a pair, which may be called by its name, as pictures and cards call it."""
    ways: list[Sequence[str]] = [pair]
    if isinstance(pair, str):
        parts = pair.split(_BETWEEN)
        ways = [(_BETWEEN.join(parts[:at]), _BETWEEN.join(parts[at:])) for at in range(1, len(parts))]
        if len(ways) > 1:
            ways = [way for way in ways if all(name in known for name in way)]
    if len(ways) != 1 or len(ways[0]) != 2:
        fix = 'name both, as in pairs=[("age", "debts")] or pairs=["age x debts"]'
        raise InputError("a pair is of two columns", where="pairs", got=pair, fix=fix)
    rows, columns = ways[0]
    return rows, columns


#: No pair is looked at.
NO_PAIRS = AskedPairs(0, None, frozenset())
