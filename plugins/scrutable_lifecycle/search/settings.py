"""What a search is told: the requirement on the ratio, where decisions are compared, and how rows are drawn."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields

from scrutable.data import finite_number, share
from scrutable.errors import InputError
from scrutable.fairness import RateBound
from scrutable.measures import check_bootstrap
from scrutable.model import FrozenMapping, Json, freeze
from scrutable_lifecycle.search.ratio import Ratio
from scrutable_lifecycle.search.ratio_asked import EVERYTHING, RatioAsked
from scrutable_lifecycle.search.ratio_words import RATIO_TITLES

#: Share of the bootstrap replicates that an interval of a search covers.
CONFIDENCE = 0.9
#: A candidate that approves more than this beyond what is asked is not picked: its ratio is bought by approving more.
APPROVAL_TOLERANCE = 0.05
#: Absorbs the rounding of a ratio and its margin.
_ROUNDING = 1e-12


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """Options of a search, checked once; see `LDASearch`.

    Parameters
    ----------
    by_groups : whether groups are compared; where none are, no ratio is required, and every candidate meets that.

    Examples
    --------
    >>> Settings(required_ratio=0.8, margin=0.05).meets(Ratio(0.85, (0.7, 0.9), "sex", "f"))
    True
    >>> Settings(required_ratio=0.8).meets(Ratio(0.85, (0.7, 0.9), "sex", "f"))
    False
    """

    required_ratio: float = 0.8
    asked: RatioAsked = EVERYTHING
    margin: float | None = None
    approval_rate: float | None = None
    approval_rates: Sequence[float] = ()
    validation_size: float = 0.25
    n_boot: int = 200
    random_state: int = 0
    by_groups: bool = True

    def __post_init__(self) -> None:
        RateBound.check_ratio(self.required_ratio, "required_ratio")
        if self.margin is not None and not 0 <= finite_number(self.margin, "margin") < 1:
            fix = "give 0.02, or none for the interval's low end"
            raise InputError("not a margin", where="margin", got=self.margin, allowed="0 to below 1", fix=fix)
        if self.approval_rate is not None:
            share(self.approval_rate, "approval_rate")
        rates = tuple(dict.fromkeys(share(rate, "approval_rates") for rate in self.approval_rates))
        object.__setattr__(self, "approval_rates", rates)
        share(self.validation_size, "validation_size")
        check_bootstrap(self.n_boot, self.random_state)

    def reached(self, ratio: Ratio) -> float:
        """What of a ratio counts towards the requirement: the low end of its interval, or it less the margin."""
        return ratio.interval[0] if self.margin is None else ratio.value - self.margin

    def meets(self, ratio: Ratio) -> bool:
        """Whether a ratio meets the requirement with its margin."""
        return not self.by_groups or self.reached(ratio) >= self.required_ratio - _ROUNDING

    def in_words(self, ratio: Ratio) -> str:
        """What of a ratio counts, for a sentence.

        >>> Settings().in_words(Ratio(0.85, (0.71, 0.9), "sex", "f"))
        "the low end of its four-fifths ratio's 90% interval, 0.7100,"
        """
        title = RATIO_TITLES[ratio.kind]
        if self.margin is None:
            return f"the low end of its {title}'s {CONFIDENCE:.0%} interval, {ratio.interval[0]:.4f},"
        return f"its {title}, {ratio.value:.4f}, less the margin of {self.margin:g}"

    def to_json(self) -> FrozenMapping[Json]:
        """The options as the log holds them."""
        apart = {"asked", "by_groups"} if self.by_groups else {"asked", "by_groups", "required_ratio", "margin"}
        own = {each.name: getattr(self, each.name) for each in fields(self) if each.name not in apart}
        return FrozenMapping(
            {name: freeze(value) for name, value in own.items()}
            | (self.asked.to_json() if self.by_groups else {})
            | {"confidence": CONFIDENCE, "approval_tolerance": APPROVAL_TOLERANCE}
        )
