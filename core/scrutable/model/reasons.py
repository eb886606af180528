"""The reason policy of a scorecard: how the reasons of a decline are chosen and what they are called."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from scrutable.errors import ModelError, UnsupportedModel, did_you_mean
from scrutable.model.values import FrozenMapping, finite, name, snap, text, unique

if TYPE_CHECKING:
    from scrutable.model.scorecard import Scorecard


@dataclass(frozen=True, slots=True, kw_only=True)
class ReasonPolicy:
    """Reasons are the codes whose points fall furthest below their baseline.

    The shortfall of a characteristic is its baseline minus the applicant's points. A code's shortfall is the largest
    among the characteristics that carry the code, either by `codes` or by the `reason_code` of the attribute the
    applicant has. Codes with a positive shortfall are ranked, largest first; ties go by `order`. A knock-out that
    applies comes before all of them, and the list ends after `k`.

    Parameters
    ----------
    method : name of the method that set the baselines, for example "below-average".
    baselines : points per characteristic, snapped.
    population : the reference population of the baselines, in words.
    cutoff : the cutoff the baselines belong to, in points.
    codes : reason code of each characteristic that has a baseline.
    texts : what each code means, in words.
    order : the codes, each once, in the order that settles ties.
    k : how many reasons at most; four is what Regulation B's commentary calls sufficient (comment 9(b)(2)-1).
    exclusions : characteristics that are never a reason.
    """

    method: str
    population: str
    cutoff: float
    baselines: FrozenMapping[float]
    codes: FrozenMapping[str]
    texts: FrozenMapping[str]
    order: tuple[str, ...]
    k: int = 4
    exclusions: tuple[str, ...] = field(default=())

    def __post_init__(self) -> None:
        name(self.method, "reason policy: method")
        text(self.population, "reason policy: population")
        object.__setattr__(self, "cutoff", finite(self.cutoff, "reason policy: cutoff"))
        object.__setattr__(self, "baselines", FrozenMapping({key: snap(v) for key, v in self.baselines.items()}))
        unique(self.order, "reason policy: order")
        if not 1 <= self.k <= 100:
            raise ModelError("unusable number of reasons", where="reason policy: k", got=self.k, allowed="1 to 100")
        if set(self.order) != set(self.texts):
            raise ModelError(
                "order and texts must name the same codes",
                where="reason policy",
                got=sorted(set(self.order) ^ set(self.texts)),
                fix="list every code once in each",
            )
        for code, words in self.texts.items():
            name(code, "reason code")
            name(words, f"text of reason code {code!r}")

    def check(self, scorecard: Scorecard) -> None:
        """Refuse a policy that leaves a characteristic out or names one that is not there."""
        known = {c.feature for c in scorecard.characteristics}
        reasoned = known - set(self.exclusions)
        for where, names in (("baselines", set(self.baselines)), ("codes", set(self.codes))):
            if names != reasoned:
                raise ModelError(
                    f"{where} must name every characteristic that is not excluded, and no other",
                    where="reason policy",
                    got=sorted(names ^ reasoned),
                )
        if set(self.exclusions) - known:
            raise ModelError("unknown exclusion", where="reason policy", got=sorted(set(self.exclusions) - known))
        for code in self.codes_used(scorecard):
            if code not in self.texts:
                raise ModelError(
                    "reason code without a text", where="reason policy", got=code, fix=did_you_mean(code, self.texts)
                )
        for rule in scorecard.policy.knock_outs:
            if rule.code in self.texts:
                raise ModelError("a knock-out needs a code of its own", where="reason policy", got=rule.code)

    def codes_used(self, scorecard: Scorecard) -> set[str]:
        """Every code that an applicant can get from a characteristic."""
        used = set(self.codes.values())
        for characteristic in scorecard.characteristics:
            if characteristic.feature not in self.exclusions:
                used |= {a.reason_code for a in characteristic.attributes if a.reason_code is not None}
        return used

    def carriers(self, scorecard: Scorecard) -> dict[str, list[tuple[int, tuple[int, ...]]]]:
        """For each code in `order`: positions of the characteristics, and of their attributes, that carry it."""
        found: dict[str, list[tuple[int, tuple[int, ...]]]] = {code: [] for code in self.order}
        for position, characteristic in enumerate(scorecard.characteristics):
            if characteristic.feature in self.exclusions:
                continue
            default = self.codes[characteristic.feature]
            by_code: dict[str, list[int]] = {}
            for index, attribute in enumerate(characteristic.attributes):
                by_code.setdefault(attribute.reason_code or default, []).append(index)
            for code, indices in by_code.items():
                found[code].append((position, tuple(indices)))
        return found


def number_of_reasons(policy: ReasonPolicy | None, asked: int | None) -> int:
    """How many reasons an export returns: as many as the policy gives where none is asked for.

    Raises
    ------
    UnsupportedModel : more reasons are asked for than the model gives.

    Examples
    --------
    >>> number_of_reasons(None, None)
    0
    """
    most = 0 if policy is None else policy.k
    if asked is not None and asked > most:
        raise UnsupportedModel(
            "the model does not give so many reasons" if most else "the model has no reason policy",
            where="option reasons",
            got=asked,
            allowed=f"0 to {most}",
        )
    return most if asked is None else asked
