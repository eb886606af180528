"""The characteristics that are still there while a selector chooses, and the log of those that left."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from scrutable.binning.edits import BinEdit
from scrutable.plugins.bases.candidates import Candidate, Candidates, Tallies
from scrutable.plugins.selections import Selection, SelectionEntry


class Pool:
    """What a selector drops from.

    Parameters
    ----------
    candidates : all characteristics.
    must : names of those that stay in any case.
    prefer : names of those that stay before others, the first one first.
    by_hand : by name, the decision of a person that is why it stays in any case.

    Attributes
    ----------
    about : what is to be said of the selection as a whole, in sentences.
    """

    def __init__(
        self,
        candidates: Candidates,
        *,
        must: Sequence[str] = (),
        prefer: Sequence[str] = (),
        by_hand: Mapping[str, BinEdit] | None = None,
    ) -> None:
        self._every = candidates
        self._there = {each.name: each for each in candidates.every}
        self._must = frozenset(must)
        self._by_hand = dict(by_hand or {})
        self._preferred = {name: -at for at, name in reversed([*enumerate(prefer)])}
        self._log: list[SelectionEntry] = []
        self.about = ""

    @property
    def names(self) -> tuple[str, ...]:
        """Those that are still there, in the order of the inputs."""
        return tuple(self._there)

    @property
    def there(self) -> tuple[Candidate, ...]:
        """Those that are still there."""
        return tuple(self._there.values())

    @property
    def tallies(self) -> Tallies:
        """Answers about several of them."""
        return self._every.tallies

    def __getitem__(self, name: str) -> Candidate:
        return self._there[name]

    def must(self, name: str) -> bool:
        """Whether one stays in any case."""
        return name in self._must

    def best(self, names: Iterable[str]) -> str:
        """Which of some stays where one is enough: one that must, one that is preferred, or that tells most."""
        return max(names, key=self._rank)

    def ranked(self) -> tuple[str, ...]:
        """Those that are still there, the best first."""
        return tuple(sorted(self._there, key=self._rank, reverse=True))

    def drop(
        self,
        name: str,
        *,
        step: str,
        reason: str,
        figure: float | None = None,
        threshold: float | None = None,
        other: str = "",
        who: str = "",
    ) -> bool:
        """Drop one, and say why; one that must stay does, and the log says what spoke against it.

        Parameters
        ----------
        reason : a clause that follows "since", without a full stop.
        who : the person who decided it; nobody where the selector did.

        Returns
        -------
        Whether it left.
        """
        kept = self.must(name)
        by_hand = self._by_hand.get(name) if kept else None
        since = f" ({by_hand.why})" if by_hand is not None and by_hand.why else ""
        self._log.append(
            SelectionEntry(
                feature=name,
                step=step,
                reason=f"it must stay{since}, although {reason}" if kept else reason,
                kept=kept,
                figure=figure,
                threshold=threshold,
                other=other,
                who=who if by_hand is None else by_hand.who,
            )
        )
        if not kept:
            del self._there[name]
        return not kept

    def selection(self, selector: str) -> Selection:
        """What stays, and the log."""
        considered = len(self._every.every)
        return Selection(
            selector=selector, considered=considered, kept=self.names, log=tuple(self._log), about=self.about
        )

    def _rank(self, name: str) -> tuple[bool, bool, int, float, int]:
        preferred = name in self._preferred
        place = -self._every.names.index(name)
        return self.must(name), preferred, self._preferred.get(name, 0), self._there[name].iv, place
