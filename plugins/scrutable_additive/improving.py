"""A scorecard that is to be improved: its log-odds are where the fit begins, and what is learned is added to it."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Self

from scrutable.binning import BentTrends, with_statistics
from scrutable.data import SpecialCodes, TrainingData
from scrutable.errors import InputError
from scrutable.model import (
    Categories,
    Characteristic,
    Evidence,
    FrozenMapping,
    Interaction,
    Interval,
    Json,
    Policy,
    Scaling,
    Scorecard,
    load,
)
from scrutable.plugins import CARD_PATH, CardPath
from scrutable_additive.beside import about_whole, levelled_card
from scrutable_additive.proof import keeps
from scrutable_additive.summing import aligned, summed
from scrutable_additive.whole_sentences import size_in_words


@dataclass(frozen=True, slots=True)
class Improved:
    """The scorecard that is improved.

    Parameters
    ----------
    card : without a policy, and with a calibration of log-odds.
    """

    card: Scorecard

    @classmethod
    def of(cls, given: Any) -> Self:
        """From a scorecard, or the path of its file.

        Raises
        ------
        InputError : what is no scorecard, or one with parts to which nothing can be added.
        """
        model = load(given) if isinstance(given, str | Path) else given
        if not isinstance(model, Scorecard):
            raise InputError(
                "only a scorecard can be improved",
                where="improves",
                got=type(model).__name__,
                allowed="a Scorecard, or the path of its file",
            )
        parts = {
            "a policy": model.policy != Policy(),
            "a calibration that is none of log-odds": model.calibration.link != "logit" or not model.calibration.slope,
        }
        for name, has in parts.items():
            if has:
                raise InputError(
                    f"the scorecard has {name}, to which nothing can be added",
                    where="improves",
                    fix="improve the scorecard without it, and add it again",
                )
        return cls(model)

    def check(self, data: TrainingData) -> None:
        """Refuse training rows that are not about what the scorecard is about.

        Raises
        ------
        InputError : names the column, or the classes.
        """
        ours, theirs = data.outcome, self.card.outcome
        if (set(ours.classes), ours.favourable) != (set(theirs.classes), theirs.favourable):
            raise InputError(
                "the scorecard decides between other classes, or favours another one",
                where="improves",
                got=f"{list(theirs.classes)}, {theirs.favourable!r} favourable",
                allowed=f"{list(ours.classes)}, {ours.favourable!r} favourable",
            )
        known = {feature.name: feature for feature in data.features}
        for feature in self.card.features:
            own = known.get(feature.name)
            if own is None:
                raise InputError("the scorecard reads a column that is not there", where="improves", got=feature.name)
            if (own.kind, set(own.special_codes)) != (feature.kind, set(feature.special_codes)):
                raise InputError(
                    "the scorecard takes the column for another kind, or has other special codes",
                    where=f"improves, column {feature.name!r}",
                    got=f"{feature.kind}, {list(feature.special_codes)}",
                    allowed=f"{own.kind}, {list(own.special_codes)}",
                )

    @property
    def special_codes(self) -> SpecialCodes:
        """The codes that the scorecard has, by column."""
        return {each.name: each.special_codes for each in self.card.features if each.special_codes}

    @property
    def categorical(self) -> list[str]:
        """Numeric columns whose numbers are categories on the scorecard."""
        numeric = {each.name for each in self.card.features if each.kind == "numeric"}
        return [each.feature for each in self.card.characteristics if each.feature in numeric and _has_categories(each)]

    @property
    def scaling(self) -> Scaling:
        """What a point of the scorecard is worth, with 0 points at even odds."""
        decimals = None if self.card.scaling is None else self.card.scaling.decimals
        pdo = math.log(2) / self.card.calibration.slope
        return Scaling(pdo=pdo, base_score=0.0, base_odds=1.0, decimals=decimals)

    def story(
        self, learned: Mapping[str, Any], whole: Scorecard, data: TrainingData, added: Collection[str]
    ) -> dict[str, Any]:
        """What the evidence tells of a card that is a sum: the whole card under `improves`, then what was added.

        Shapes are those of characteristics that it did not have. What stands on the card without it is under
        `nothing_added`, not under `left_out`.

        Parameters
        ----------
        learned : what is told of what was added.
        whole, added : as in `about_whole`.
        """
        had = {feature.name for feature in self.card.features} | {each.name for each in self.card.interactions}
        told = learned.get("pairs", {"told": {}})["told"].values()
        paired = {name for each in told if each["on_card"] for name in each["features"]}
        left = {name: why for name, why in learned["left_out"].items() if name not in paired}
        return {
            **learned,
            "improves": about_whole(self.card, whole, data, added),
            "shapes": {name: shape for name, shape in learned["shapes"].items() if name not in had},
            "left_out": {name: why for name, why in left.items() if name not in had},
            "nothing_added": {name: why for name, why in left.items() if name in had},
        }

    def along(self, metrics: FrozenMapping[Json], whole: Mapping[str, Any]) -> dict[str, Json]:
        """The path of cards of the metrics of what was added, if there is one, which says to what that is.

        Parameters
        ----------
        whole : the entry `improves` of the story.
        """
        path = CardPath.of(Evidence(model_sha256="", metrics=metrics))
        if path is None:
            return {}
        before = whole["before"]
        size = size_in_words(before["characteristics"], before["pairs"])
        return {CARD_PATH: replace(path, added_to=f"a scorecard of {size} with {before['steps']:,} steps").to_json()}

    def with_added(self, deviations: Scorecard, data: TrainingData, trends: BentTrends) -> Scorecard:
        """The scorecard whose points are the sums, with the statistics of the rows; it has no reasons.

        Tables of pairs of both are on it.

        Parameters
        ----------
        deviations : in points of `scaling`.
        trends : that the sums have to follow.

        Raises
        ------
        InputError : the scorecard goes against a trend.
        """
        tables = (*self.card.interactions, *self._beside(deviations.interactions))
        cards = (self.card, deviations)
        known = {feature.name: feature for each in cards for feature in each.features}
        in_order = [known[each.name] for each in data.features if each.name in known]
        alone = {characteristic.feature for each in cards for characteristic in each.characteristics}
        of_one = [feature for feature in in_order if feature.name in alone]
        cut_alike = aligned(deviations, self.card, data)
        whole = summed(self.card, cut_alike, of_one)
        read = whole.features_scored | {name for table in tables for name in table.features}
        features = tuple(feature for feature in in_order if feature.name in read)
        whole = replace(whole, features=features, interactions=tables)
        if cut_alike != deviations:
            whole = levelled_card(whole, data)
        _check_trends(whole, trends)
        return with_statistics(whole, data)

    def _beside(self, added: Iterable[Interaction]) -> Iterator[Interaction]:
        """Tables that are added, with names that the scorecard does not have."""
        names = {each.name for each in self.card.interactions}
        for each in added:
            name = each.name
            while name in names:
                name += ", added"
            yield replace(each, name=name)


def _check_trends(card: Scorecard, trends: BentTrends) -> None:
    for each in card.characteristics:
        points = [a.points for a in each.attributes if isinstance(a.condition, Interval)]
        asked = trends.get(each.feature)
        if asked is not None and not keeps(points, asked):
            raise InputError(
                "the scorecard that is improved goes against the trend",
                where=f"trends, column {each.feature!r}",
                got=asked,
                fix="leave the trend out, or learn a scorecard without improves",
            )


def _has_categories(characteristic: Characteristic) -> bool:
    return any(isinstance(attribute.condition, Categories) for attribute in characteristic.attributes)
