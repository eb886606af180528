"""The learners that take part in a search: their names, and what each is told before it makes alternatives."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from sklearn.base import clone

from scrutable import registry
from scrutable.data import Cohort, TrainingData
from scrutable.errors import InputError
from scrutable.fairness import Groups
from scrutable.plugins.bases import ALTERNATIVES, Alternative, FairnessConstraint, Learner, producers, such_as
from scrutable_lifecycle.search.equal_approval import cut_alternative
from scrutable_lifecycle.search.settings import Settings


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Entrant:
    """A learner that takes part.

    Parameters
    ----------
    name : what people call it, different from the others'.
    learner : not fitted.
    among : whether other learners take part, so that a candidate's name says whose it is.
    """

    name: str
    learner: Learner
    among: bool = False

    @property
    def options(self) -> Mapping[str, Any]:
        """The learner's options."""
        parameters: dict[str, Any] = self.learner.get_params(deep=False)
        return parameters

    @property
    def approval_rate(self) -> float | None:
        """The share that the learner's own options ask for."""
        rate = self.options.get("approval_rate")
        return None if rate is None else float(rate)

    @property
    def references(self) -> Mapping[str, str]:
        """The references that the learner's own options name."""
        return self.options.get("reference_groups") or {}

    def fresh(self) -> Entrant:
        """The entrant with a copy of its learner, whose options may be set."""
        return replace(self, learner=clone(self.learner))

    def alternatives(self, settings: Settings, data: TrainingData, rows: Cohort) -> Iterator[tuple[Alternative, str]]:
        """The alternatives of the learner, told what the search asks for, each cut to approve the same share.

        It is told of the groups that are compared; rows of others count to it as of unknown membership.
        A learner that keeps several bounds on rates, and has none, gets those that say what the search requires. One
        with an option for it sets the cutoff itself, by the rows that it learns from. Others are cut by their scores of
        the validation rows: boosted trees know the rows that they grew on too well to say how many of others a cutoff
        approves. Beside each alternative stands why no cutoff makes it comparable; nothing where one does.

        Parameters
        ----------
        rows : the validation rows.
        """
        assert settings.approval_rate is not None
        assert data.groups is not None
        learner, groups = clone(self.learner), settings.asked.compared(data.groups)
        keeps = "rate" in learner.accepts_bounds and learner.bounds_together
        if keeps and "constraints" in self.options and not self._bounded:
            learner.set_params(constraints=required_constraints(settings, groups))
        cuts_itself = "approval_rate" in self.options
        for alternative in learner.approving(settings.approval_rate).alternatives_of(replace(data, groups=groups)):
            yield (alternative, "") if cuts_itself else cut_alternative(alternative, rows, settings.approval_rate)

    @property
    def _bounded(self) -> bool:
        given = self.options["constraints"]
        return isinstance(given, FairnessConstraint) or bool(tuple(given))


def entrants_of(learner: Any, settings: Settings) -> tuple[Entrant, ...]:
    """The learners that a search is given: one, or several.

    Raises
    ------
    InputError : none, something that is no learner of classes, one with a cutoff, or two approval rates.
    """
    given = list(learner) if isinstance(learner, Sequence) and not isinstance(learner, str) else [learner]
    if not given:
        raise InputError("there is no learner to search", where="learner", fix=_use_another())
    learners = [registry().create("learner", each) if isinstance(each, str) else each for each in given]
    for each in learners:
        _check_learner(each)
    entrants = tuple(
        Entrant(name=name, learner=each, among=len(learners) > 1)
        for name, each in zip(_names(learners), learners, strict=True)
    )
    _check_rates(entrants, settings)
    return entrants


def required_constraints(settings: Settings, groups: Groups) -> list[FairnessConstraint]:
    """What a search requires of the ratio, as constraints: one-sided by a reference, any two groups without one."""
    asked = settings.asked
    by_compare: dict[str, list[str]] = {}
    for attribute in groups.attributes:
        compare = "reference" if asked.kind_of(attribute.name) == "adverse-impact" else "pairs"
        by_compare.setdefault(compare, []).append(attribute.name)
    return [
        registry().create(
            "constraint",
            "adverse-impact-ratio",
            ratio=settings.required_ratio,
            compare=compare,
            attributes=names,
            min_group_size=int(asked.min_group_size),
        )
        for compare, names in by_compare.items()
    ]


def _names(learners: Sequence[Learner]) -> list[str]:
    """A different name for each: that of its component, or else of its class, numbered where several share one."""
    known = {each.component.path: each.name for each in registry().listings("learner")}
    plain = [known.get(f"{type(each).__module__}:{type(each).__qualname__}", type(each).__name__) for each in learners]
    return [
        name if plain.count(name) == 1 else f"{name} {plain[: place + 1].count(name)}"
        for place, name in enumerate(plain)
    ]


def _use_another() -> str:
    return f"use a learner that makes alternatives{such_as(producers('learner', ALTERNATIVES))}"


def _check_learner(learner: Any) -> None:
    if not isinstance(learner, Learner):
        raise InputError("expected a learner or its name", where="learner", got=learner, fix=_use_another())
    where, parameters = type(learner).__name__, learner.get_params(deep=False)
    if parameters.get("cutoff") is not None:
        raise InputError(
            "candidates are compared at equal approval, because a ratio at a cutoff can be bought by approving more",
            where=f"{where}, cutoff",
            got=parameters["cutoff"],
            fix="leave the cutoff out, and give approval_rate",
        )


def _check_rates(entrants: Sequence[Entrant], settings: Settings) -> None:
    rates = dict.fromkeys(rate for each in entrants if (rate := each.approval_rate) is not None)
    stated = [*rates, *([] if settings.approval_rate is None else [settings.approval_rate])]
    if len(set(stated)) > 1:
        raise InputError(
            "learner and search have different approval rates",
            where="approval_rate",
            got=tuple(stated),
            fix="give it to one of them",
        )
