"""Cases drawn at random on real scorecards: an applicant, what is wanted, and how it is measured and limited."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
import pandas as pd

from recourse.heloc import SPECIAL, heloc
from scrutable import create
from scrutable.data.datasets import load_german_credit
from scrutable.model import RegressionScorecard, Scorecard
from scrutable.model.evaluator import evaluate
from scrutable.model.evaluator.evaluate import probability
from scrutable_counterfactual.explanation import Counterfactuals
from scrutable_counterfactual.goal import Wanted
from scrutable_counterfactual.measuring import Measure, Objective
from scrutable_counterfactual.problem import Problem, Term
from scrutable_counterfactual.reading import Applicants, actions_of

#: What can be wanted of a decision, and of a predicted quantity.
ASKED = (
    "class",
    "probability at least",
    "probability at most",
    "probability near",
    "points at least",
    "points at most",
    "points between",
    "points near",
)
_QUANTITY = tuple(asked for asked in ASKED if asked.startswith("points"))


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Population:
    """A scorecard, and rows to draw applicants from and to compare with."""

    name: str
    card: Scorecard | RegressionScorecard
    X: pd.DataFrame
    scores: np.ndarray

    @classmethod
    def of(cls, name: str, card: Scorecard | RegressionScorecard, X: pd.DataFrame, most: int = 1000) -> Population:
        """The rows, or so many of them."""
        rows = X.iloc[np.random.default_rng(0).permutation(len(X))[:most]]
        return cls(name=name, card=card, X=rows, scores=np.sort(_scores(card, rows)))


@cache
def populations() -> tuple[Population, ...]:
    """HELOC with OptBinning's card and with our learner's, German credit with texts, and a quantity of HELOC."""
    data, german = heloc(), load_german_credit()
    binner = create("binner", "optimal", special_codes=list(SPECIAL))
    learner = create("learner", "scorecard", binner=binner, explainer=None, favourable=0)
    ours = learner.fit(data.X, data.bad)
    texts = create("learner", "scorecard", binner="quantile", explainer=None).fit(german.X, german.y)
    burden = data.X["NetFractionRevolvingBurden"]
    known, others = burden >= 0, data.X.drop(columns="NetFractionRevolvingBurden")
    quantity = create("learner", "scorecard-regressor", binner=binner).fit(others[known], burden[known])
    return (
        Population.of("HELOC", data.card, data.X),
        Population.of("HELOC, our learner", ours.model_, data.X),
        Population.of("German credit", texts.model_, german.X),
        Population.of("revolving burden", quantity.model_, others[known]),
    )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Case:
    """One applicant of a population, and options of the explainer."""

    population: Population
    asked: str
    applicant: pd.DataFrame
    wanted: Mapping[str, Any]
    options: Mapping[str, Any]

    def explain(self) -> Counterfactuals:
        """What the explainer says."""
        explainer = create("explainer", "counterfactual", wanted=dict(self.wanted), needed=False, **self.options)
        found: list[Counterfactuals] = explainer.explain(
            self.population.card, self.applicant, reference=self.population.X
        )
        return found[0]

    def problem(self) -> tuple[Problem, Term]:
        """The same in numbers, for another solver."""
        options = self.options
        limits = actions_of((), options["actions"], options["together"], ())
        measure = Measure(**{name: options[name] for name in ("norm", "scaling", "measured", "closeness_from")})
        wanted, card = Wanted.of(self.wanted), self.population.card
        most, reference = options["max_changes"], self.population.X
        applicants = Applicants(
            card,
            self.applicant,
            wanted=wanted,
            actions=limits,
            measure=measure,
            max_changes=most,
            needed=False,
            reference=reference,
        )
        (joint,) = Objective(weights=options["weights"]).stages(applicants.terms(0))
        return applicants.problem(0), joint.term


def drawn(rng: np.random.Generator) -> Case:
    """A case whose applicant does not yet have what is wanted, unless an outcome is to come near to something."""
    every = populations()
    population = every[rng.integers(len(every))]
    asked = str(rng.choice(_QUANTITY if isinstance(population.card, RegressionScorecard) else ASKED))
    while True:
        applicant = population.X.iloc[[int(rng.integers(len(population.X)))]]
        (score,) = _scores(population.card, applicant).tolist()
        wanted = _wanted(rng, population, asked, score)
        low, high = Wanted.of(wanted).window(population.card)
        if "near" in wanted or not low <= score <= high:
            options = _options(rng, population, near="near" in wanted)
            return Case(population=population, asked=asked, applicant=applicant, wanted=wanted, options=options)


def _scores(card: Scorecard | RegressionScorecard, rows: pd.DataFrame) -> np.ndarray:
    return np.asarray(evaluate(card, rows).score, dtype=float)


def _wanted(rng: np.random.Generator, population: Population, asked: str, score: float) -> dict[str, Any]:
    """Between the lowest and the highest score of the population."""
    aims = np.sort(rng.uniform(population.scores[0], population.scores[-1], 2))
    kind, _, which = asked.partition(" ")
    if kind == "class":
        return {"kind": "approval" if score < getattr(population.card, "cutoff", 0.0) else "decline"}
    if kind == "probability":
        assert isinstance(population.card, Scorecard)
        aims = probability(population.card.calibration, aims)
    if which == "between":
        width = float(rng.choice([0.02, 0.2])) * float(np.ptp(aims))
        return {"kind": kind, "at_least": float(aims[0]), "at_most": float(aims[0]) + width}
    aim = float(rng.choice(aims))
    return {"kind": kind, which.replace(" ", "_"): aim}


def _options(rng: np.random.Generator, population: Population, *, near: bool) -> dict[str, Any]:
    names = [item.feature for item in population.card.characteristics]
    weights = {
        name: float(np.round(rng.uniform(0.1, 2), 2))
        for name in ("proximity", "closeness", "sparsity")
        if rng.random() < 0.7
    }
    if near or not weights:
        weights = weights | ({"outcome": float(rng.choice([0.1, 1, 10]))} if near else {"proximity": 1.0})
    two, measured = bool(rng.random() < 0.2), str(rng.choice(["points", "values"]))
    # Unscaled values are left out: their squares are up to 1e8 times the rest of the objective, and HiGHS, which stops
    # about 1e-6 from the optimum of an objective scaled to its largest weight, then misses the best answer.
    # By equation (12) alone, the program may change nothing twice where that will do; our answers are never the same.
    diverse = ["features", "both"] if near else ["features", "values", "both"]
    return {
        "max_changes": int(rng.integers(1, 3 if two else 5)),
        "number": 2 if two else 1,
        "diverse": str(rng.choice(diverse)) if two else None,
        "weights": weights,
        "norm": str(rng.choice(["l1", "l2", "huber"])),
        "scaling": str(rng.choice(["range", "mad", "none"] if measured == "points" else ["range", "mad"])),
        "measured": measured,
        "closeness_from": str(rng.choice(["mean", "applicant"])),
        "actions": {name: _action(rng, population, name) for name in names if rng.random() < 0.4},
        "together": [list(rng.choice(names, 2, replace=False))] if rng.random() < 0.3 else [],
    }


def _action(rng: np.random.Generator, population: Population, name: str) -> dict[str, Any]:
    missing, cost = bool(rng.random() < 0.2), float(rng.choice([0.5, 1, 3]))
    action: dict[str, Any] = {"missing": missing, "cost": cost, "change": str(rng.choice(["any", "none"]))}
    values = population.X[name]
    if pd.api.types.is_numeric_dtype(values):
        lower, upper = np.sort(rng.choice(values.to_numpy(float), 2)).tolist()
        action |= {"change": str(rng.choice(["any", "up", "down", "none"])), "special": bool(rng.random() < 0.2)}
        action |= {"lower": lower, "upper": upper} if rng.random() < 0.3 else {}
    return action
