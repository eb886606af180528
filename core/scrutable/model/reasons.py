"""The reason policy of a model: how the reasons of a decline are chosen and what they are called."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import ClassVar

from scrutable.data.values import FrozenMapping, finite, name, snap, text, unique
from scrutable.errors import ModelError, UnsupportedModel, did_you_mean
from scrutable.model.additive import Additive
from scrutable.model.effects import LeafEffects
from scrutable.model.policy import Policy
from scrutable.model.reason_texts import refuse_generic

#: Positions of a term (see `Additive.terms`), and of those of its attributes or cells that carry a code.
Carrier = tuple[int, tuple[int, ...]]


@dataclass(frozen=True, slots=True, kw_only=True)
class ReasonPolicy:
    """Reasons are the codes whose features fall furthest short.

    By how much a feature falls short of its baseline depends on the kind of model. For a scorecard it is the baseline
    minus the applicant's points. For a tree ensemble it is the baseline minus what the trees of that feature alone
    give, minus what each leaf of the others adds by `effects`. For a rule set, which has no baselines, it is the
    weight of all rules that vote against the applicant and read the feature.

    A code's shortfall is the largest among the features that carry it, either by `codes` or, for a scorecard, by the
    `reason_code` of the attribute that the applicant has. Codes with a positive shortfall are ranked, largest first;
    ties go by `order`. A score adjustment falls short by the points that it takes away, and comes after equal codes. A
    knock-out or an override that declines comes before all of them, and stands alone where the score reaches the
    cutoff: what falls short was no reason then. The list ends after `k`.

    Parameters
    ----------
    method : name of the method that set the baselines, for example "below-average".
    population : the reference population of the baselines, in words.
    cutoff : the cutoff the baselines belong to, in points.
    near : where the baselines are of applicants at or slightly above the cutoff: up to how many points above. Such a
        policy is refused in a model with another cutoff.
    baselines : points of each feature that can be a reason, snapped; none for a rule set.
    effects : of each leaf of each tree of several features, in their order; tree ensembles only.
    codes : reason code of each feature that can be a reason: characteristics, interactions by name, and what trees and
        rules read.
    texts : what each code means, in words that name what was considered; see `scrutable.model.reason_texts`.
    order : the codes, each once, in the order that settles ties.
    k : how many reasons at most; four is what Regulation B's commentary calls sufficient (comment 9(b)(2)-1).
    inquiries : features that count inquiries, which a list of key factors names beyond its limit
        (15 U.S.C. 1681g(f)(9)).
    translations : by language, for example "de", the text of every code, also of rules around the score.
    retired : codes that earlier versions of the model gave, and what they meant; no reason may be called by them again.
    """

    #: As many reasons as a policy can give.
    MOST: ClassVar[int] = 100

    method: str
    population: str
    cutoff: float
    baselines: FrozenMapping[float]
    codes: FrozenMapping[str]
    texts: FrozenMapping[str]
    order: tuple[str, ...]
    k: int = 4
    near: float | None = None
    effects: tuple[tuple[LeafEffects, ...], ...] = ()
    inquiries: tuple[str, ...] = ()
    translations: FrozenMapping[FrozenMapping[str]] = field(default_factory=FrozenMapping)
    retired: FrozenMapping[str] = field(default_factory=FrozenMapping)

    def __post_init__(self) -> None:
        name(self.method, "reason policy: method")
        text(self.population, "reason policy: population")
        object.__setattr__(self, "cutoff", finite(self.cutoff, "reason policy: cutoff"))
        object.__setattr__(self, "baselines", FrozenMapping({key: snap(v) for key, v in self.baselines.items()}))
        unique(self.order, "reason policy: order")
        if type(self.k) is not int or not 1 <= self.k <= self.MOST:
            allowed = f"1 to {self.MOST}"
            raise ModelError("unusable number of reasons", where="reason policy: k", got=self.k, allowed=allowed)
        if self.near is not None and not finite(self.near, "reason policy: near") >= 0:
            raise ModelError("expected points above the cutoff", where="reason policy: near", got=self.near)
        if set(self.order) != set(self.texts):
            raise ModelError(
                "order and texts must name the same codes",
                where="reason policy",
                got=sorted(set(self.order) ^ set(self.texts)),
                fix="list every code once in each",
            )
        unknown = sorted(set(self.inquiries) - set(self.codes))
        if unknown:
            raise ModelError("no feature that can be a reason", where="reason policy: inquiries", got=unknown)
        for code in self.order:
            name(code, "reason code")
        for texts in (self.texts, *self.translations.values()):
            for code, words in texts.items():
                refuse_generic(words, f"text of reason code {code!r}")

    @property
    def languages(self) -> tuple[str, ...]:
        """Languages that every code has a text in, beside the one of `texts`."""
        return tuple(self.translations)

    def words(self, code: str, language: str | None = None) -> str:
        """The text of a code.

        Raises
        ------
        ModelError : a language that the policy has no texts in.
        """
        if language is None:
            return self.texts[code]
        if language not in self.translations:
            raise ModelError(
                "no texts in this language",
                where="reason policy: translations",
                got=language,
                allowed=", ".join(self.languages) or "none",
            )
        return self.translations[language][code]

    def check(
        self, features: Collection[str], policy: Policy, cutoff: float, *, attribute_codes: Collection[str] = ()
    ) -> None:
        """Refuse a policy that does not fit its model.

        Parameters
        ----------
        features : those that can be a reason.
        policy : the model's rules around the score.
        cutoff : the model's.
        attribute_codes : further codes that an applicant can get.
        """
        _name_the_same(self.codes, features, "codes")
        if self.near is not None and self.cutoff != cutoff:
            raise ModelError(
                "the baselines belong to another cutoff",
                where="reason policy",
                got=cutoff,
                allowed=repr(self.cutoff),
                fix="take the policy anew from applicants near this cutoff, or remove it: reasons=None",
            )
        for code in sorted({*self.codes.values(), *attribute_codes}):
            if code not in self.texts:
                raise ModelError(
                    "reason code without a text",
                    where="reason policy",
                    got=code,
                    fix=f"give it one in `texts`, and a place in `order`; {did_you_mean(code, self.texts)}",
                )
        for code in (*self.order, *policy.reasons):
            if code in self.retired:
                raise ModelError(
                    f"an earlier version's code for {self.retired[code]!r}",
                    where="reason policy",
                    got=code,
                    fix="give this reason a code that no version had",
                )
        for rule in policy.rules:
            if rule.code in self.texts:
                raise ModelError(f"each {rule.kind} needs a code of its own", where="reason policy", got=rule.code)
        for code, words in policy.reasons.items():
            refuse_generic(words, f"reason of {code!r}")
        known = {*self.order, *policy.reasons}
        for language, texts in self.translations.items():
            if set(texts) != known:
                raise ModelError(
                    "a translation must name every code, those of knock-outs too",
                    where=f"reason policy: translation {language!r}",
                    got=sorted(set(texts) ^ known),
                )

    def check_baselines(self, features: Collection[str]) -> None:
        """Refuse baselines that leave a feature out or name one that cannot be a reason."""
        _name_the_same(self.baselines, features, "baselines")

    def features(self) -> dict[str, tuple[str, ...]]:
        """For each code in `order`: the features that carry it by `codes`."""
        carried: dict[str, list[str]] = {code: [] for code in self.order}
        for feature, code in self.codes.items():
            if code in carried:
                carried[code].append(feature)
        return {code: tuple(names) for code, names in carried.items()}

    def carriers(self, scorecard: Additive) -> dict[str, list[Carrier]]:
        """For each code in `order`: positions of the terms, and of their attributes or cells, that carry it."""
        carriers: dict[str, list[Carrier]] = {code: [] for code in self.order}
        for position, characteristic in enumerate(scorecard.characteristics):
            default = self.codes[characteristic.feature]
            by_code: dict[str, list[int]] = {}
            for index, attribute in enumerate(characteristic.attributes):
                by_code.setdefault(attribute.reason_code or default, []).append(index)
            for code, indices in by_code.items():
                carriers[code].append((position, tuple(indices)))
        for position, table in enumerate(scorecard.interactions, len(scorecard.characteristics)):
            carriers[self.codes[table.name]].append((position, tuple(range(len(table.cells)))))
        return carriers


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


def _name_the_same(given: Mapping[str, object], features: Collection[str], what: str) -> None:
    if set(given) != set(features):
        raise ModelError(
            f"{what} must name every feature that can be a reason, and no other",
            where="reason policy",
            got=sorted(set(given) ^ set(features)),
            fix=f"give each that is missing its entry in `{what}`, and take out the others",
        )
