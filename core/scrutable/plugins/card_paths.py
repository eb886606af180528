"""Cards between which a learner chose, each made of the one before by putting attributes together."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from scrutable.data.frames import PANDAS, rows_like
from scrutable.errors import InputError, ModelError
from scrutable.model import Categories, Interval
from scrutable.model.conditions import AttributeCondition, describe_alike
from scrutable.model.metric_entries import MetricEntry
from scrutable.plugins.card_choice import CardChoice
from scrutable.plugins.card_figures import CARD_FIGURES, CardFigure
from scrutable.plugins.path_cards import CardChange, FinestAttributes, Merge, PathCard

#: The entry of the metrics that has the path.
CARD_PATH = "card_path"
#: Categories that words name before they count the rest.
_NAMED = 12

#: Attributes that have the same points, by their places among the finest ones of their feature.
_Group = tuple[int, ...]


@dataclass(frozen=True, kw_only=True, repr=False)
class CardPath(MetricEntry):
    """Nested cards from many steps to few, and which one is the model.

    A learner that chooses among such cards puts `CardPath(...).to_json()` into the metrics of its evidence, as
    `CARD_PATH`; the model's document and the review page then show them, and a review may choose another one.

    Parameters
    ----------
    learner : the name by which the learner is created.
    option : its option that chooses the card of so many steps.
    cards : their steps fall strictly.
    chosen : the place of the model's card among them.
    finest : the attributes of the first card.
    added_to : in words, such as "a scorecard of 3 characteristics", to what the cards are added; empty where each is a
        whole card. Figures are of the whole.

    Raises
    ------
    ModelError : cards that are not nested so, or a place that there is not.

    Examples
    --------
    >>> from scrutable.model import FrozenMapping, Interval
    >>> from scrutable.plugins import Joined
    >>> age = FinestAttributes(feature="age", conditions=(Interval(upper=25), Interval(25, 40), Interval(40)))
    >>> cards = (
    ...     PathCard(steps=3, characteristics=1, kept=1.0, figures=FrozenMapping({"auc": 0.70, "log_loss": 0.5})),
    ...     PathCard(steps=2, characteristics=1, kept=0.9, figures=FrozenMapping({"auc": 0.69, "log_loss": 0.52}),
    ...              joined=(Joined(feature="age", first=0, second=1),)),
    ... )
    >>> path = CardPath(learner="mine", option="steps", cards=cards, chosen=0, finest=(age,))
    >>> path.to(2).merges
    (Merge(feature='age', parts=('< 25', '[25, 40)'), whole='< 40'),)
    >>> path.to(2).describe()
    '1 fewer step costs 0.0100 of the AUC on the training rows, and keeps 90.00% of the variance instead of 100.00%'
    """

    entry = CARD_PATH
    missing = "there is no path of cards"

    learner: str
    option: str
    cards: tuple[PathCard, ...]
    chosen: int
    finest: tuple[FinestAttributes, ...] = ()
    added_to: str = ""

    def __post_init__(self) -> None:
        if not 0 <= self.chosen < len(self.cards):
            raise ModelError("no such card", where="chosen", got=self.chosen, allowed=f"{len(self.cards)} cards")
        if any(before.steps <= after.steps for before, after in itertools.pairwise(self.cards)):
            raise ModelError(
                "steps must fall from card to card", where="cards", got=[each.steps for each in self.cards]
            )
        sizes = {each.feature: len(each.conditions) for each in self.finest}
        for card in self.cards:
            for each in card.joined:
                if not all(0 <= place < sizes.get(each.feature, 0) for place in (each.first, each.second)):
                    got = (each.feature, each.first, each.second)
                    raise ModelError("no such attribute", where="joined", got=got, allowed="places in finest")

    def __repr__(self) -> str:
        card = self.model
        return f"CardPath({len(self.cards)} cards: {card.steps} steps in {card.characteristics} characteristics chosen)"

    @property
    def model(self) -> PathCard:
        """The model's card."""
        return self.cards[self.chosen]

    @property
    def measured(self) -> tuple[PathCard, ...]:
        """The cards that were measured on the training rows, among them the model's."""
        return tuple(card for card in self.cards if card.figures or card is self.model)

    @property
    def figures(self) -> tuple[CardFigure, ...]:
        """Those that the cards have, from the one by which they are compared on."""
        names = {name for card in self.cards for name in card.figures}
        return tuple(each for each in CARD_FIGURES if each.name in names)

    @property
    def about(self) -> str:
        """A sentence on what the cards are added to, without its full stop; empty where each is a whole card."""
        if not self.added_to:
            return ""
        return f"Steps, characteristics and variance are those of what is added to {self.added_to}"

    def to(self, steps: int) -> CardChange:
        """What the card of so many steps has together or apart beside the model's.

        Raises
        ------
        InputError : no card has so many.
        """
        place = self._place(steps)
        large, small = sorted((self.chosen, place))
        before, after = self._groups[large], self._groups[small]
        merges, without = [], []
        for feature, groups in after.items():
            if len(groups) == 1 < len(before[feature]):
                without.append(feature)
                continue
            merges += [
                Merge(feature=feature, parts=tuple(self._words(feature, part) for part in parts), whole=whole)
                for group in groups
                if len(parts := [part for part in before[feature] if set(part) <= set(group)]) > 1
                for whole in [self._words(feature, group)]
            ]
        return CardChange(
            model=self.model,
            other=self.cards[place],
            merges=tuple(merges),
            without=tuple(without),
            near=None if self.cards[place].figures else self._near(steps),
        )

    def choice(self, steps: int, *, who: str, why: str) -> CardChoice:
        """The choice of another card, for the file of a review.

        Raises
        ------
        InputError : no card has so many steps, or as of `CardChoice`.
        """
        self._place(steps)
        return CardChoice(learner=self.learner, option=self.option, steps=steps, who=who, why=why)

    def frame(self) -> Any:
        """A row for each card that was measured, from many steps to few."""
        return rows_like(self.to_dict()["cards"], PANDAS)

    def to_dict(self) -> dict[str, Any]:
        """The cards that were measured, the steps of all, and what their figures are, as JSON."""
        cards = [card.to_dict() | {"chosen": card is self.model} for card in self.measured]
        figures = [{"name": each.name, "title": each.title} for each in self.figures]
        steps = [card.steps for card in self.cards]
        return {"cards": cards, "steps": steps, "figures": figures, "about": self.about}

    def _near(self, steps: int) -> PathCard | None:
        """The measured card whose steps are nearest; None where that is the model's."""
        near = min(self.measured, key=lambda card: (abs(card.steps - steps), card.steps))
        return None if near is self.model else near

    def _place(self, steps: int) -> int:
        every = [card.steps for card in self.cards]
        if steps in every:
            return every.index(steps)
        raise no_card_of(every, steps, where="card", fix="choose one of these")

    @cached_property
    def _groups(self) -> list[dict[str, list[_Group]]]:
        """By card and feature, the attributes that have the same points."""
        hosts = {each.feature: list(range(len(each.conditions))) for each in self.finest}
        told = []
        for card in self.cards:
            for each in card.joined:
                host = hosts[each.feature]
                old, new = host[each.second], host[each.first]
                hosts[each.feature] = [new if own == old else own for own in host]
            told.append({feature: _grouped(host) for feature, host in hosts.items()})
        return told

    @cached_property
    def _conditions(self) -> Mapping[str, tuple[AttributeCondition, ...]]:
        return {each.feature: each.conditions for each in self.finest}

    def _words(self, feature: str, group: _Group) -> str:
        every = self._conditions[feature]
        intervals, further = _together([every[at] for at in group])
        return " or ".join([*describe_alike(intervals, every), *further])


def no_card_of(every: Sequence[int], steps: int, *, where: str, fix: str) -> InputError:
    """The refusal of a number of steps that no card of a path has, with the next ones that there are.

    Parameters
    ----------
    every : steps of all cards, from many to few.

    Examples
    --------
    >>> print(no_card_of([9, 7, 2], 5, where="card", fix="choose one of these"))
    card: the path has no card of 5 steps; the next ones have 7 and 2; got 5; allowed: 7 or 2. Fix: choose one of these.
    >>> no_card_of([9, 7], 30, where="card", fix="choose one of these").what
    'the path has no card of 30 steps; its largest card has 9'
    """
    above, below = [each for each in every if each > steps], [each for each in every if each < steps]
    near = [f"{each:,}" for each in (*above[-1:], *below[:1])]
    size = f"the next ones have {' and '.join(near)}" if above and below else f"its largest card has {near[0]}"
    if not below:
        size = f"its smallest card has {near[0]}"
    what = f"the path has no card of {steps:,} steps; {size}"
    return InputError(what, where=where, got=steps, allowed=" or ".join(near), fix=fix)


def _grouped(host: Sequence[int]) -> list[_Group]:
    members: dict[int, list[int]] = {}
    for place, own in enumerate(host):
        members.setdefault(own, []).append(place)
    return [tuple(each) for each in members.values()]


def _together(conditions: Sequence[AttributeCondition]) -> tuple[list[Interval], list[str]]:
    """Neighbouring intervals as one, and the others in words."""
    intervals: list[Interval] = []
    for each in sorted((each for each in conditions if isinstance(each, Interval)), key=lambda each: each.lower):
        if intervals and intervals[-1].upper == each.lower:
            intervals[-1] = Interval(intervals[-1].lower, each.upper)
        else:
            intervals.append(each)
    values = [value for each in conditions if isinstance(each, Categories) for value in each.values]
    named = [Categories(tuple(values[:_NAMED])).describe()] if values else []
    more = [f"{len(values) - _NAMED:,} more"] if len(values) > _NAMED else []
    others = [each.describe() for each in conditions if not isinstance(each, Interval | Categories)]
    return intervals, [*named, *more, *others]
