"""Learner `rug`: weighted rules by column generation; FairRUG is the same with fairness constraints."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Literal

import numpy as np

from scrutable.data import SpecialCodes, TrainingData
from scrutable.errors.checks import check_number, check_whole
from scrutable.fairness import Bound, MeasuredBound
from scrutable.model import Evidence, FrozenMapping, RuleSet, freeze
from scrutable.plugins.bases import (
    ALLOWANCES,
    BASELINE,
    Alternative,
    Explainer,
    FairnessConstraint,
    Learner,
    allowing,
    estimator,
)
from scrutable_rug.assembly import assemble
from scrutable_rug.coding import code_table
from scrutable_rug.costs import RuleCost
from scrutable_rug.deciding import Deciding, Fallback
from scrutable_rug.ending_in_words import about_ending
from scrutable_rug.fairness import kept, measured, rows_of_bounds, warn_of_broken
from scrutable_rug.fairness_rows import FairnessRow
from scrutable_rug.generation import Generated, generate
from scrutable_rug.master import BackendName, Loss, Master
from scrutable_rug.moved_bounds import calibrated
from scrutable_rug.pricing import PricingOptions
from scrutable_rug.rows import Rows
from scrutable_rug.rule_search import Deadline, Look, Pool, Search
from scrutable_rug.trees import TreeOptions

#: Multiples of the penalty that alternatives with fewer rules have.
_PENALTIES = (4.0, 16.0)
_TOLERANCE = 1e-7  # of a row, or of a smaller penalty: a rule that saves less does not enter


@estimator
class RUGClassifier(Learner):
    """Rules that vote, weighed by a linear program; its duals weigh the rows of the trees that new rules come from.

    The program minimises the sum of hinge losses, in rows, plus `penalty` times weight times cost of every rule. With
    constraints on rates it is FairRUG: the same bounds hold on the slacks of the rows.

    Parameters
    ----------
    constraints : constraints that bind rates, for example "disparate-mistreatment" or "opportunity".
    max_depth : most conditions on the way to a rule.
    penalty : λ, in rows per unit of weight and cost.
    cost : what a rule costs: "one", "length" (its conditions), "features", "coverage", or a function of `RuleFacts`.
    loss : what a wrong vote takes away: 1 ("unit"), or 1 / (K - 1) ("paper"); the same with two classes.
    iterations : most times that rules are added after those of the first tree.
    restarts : trees on half of the features where the tree on all of them offers nothing.
    exact : whether to search all rules of up to `max_depth` conditions where trees offer nothing, so that the end can
        be the optimum, proven; for small data.
    nodes : whether the leaves of a tree are candidates, or "all" its nodes.
    calibration : with constraints, most times that the program is solved again with its bounds moved, until they hold
        in predictions on the training rows; 0 leaves them where the paper has them, on slacks.
    weight_threshold : rules with a smaller share of the largest weight are left out.
    fallback : who decides where no rule applies: the leaves of the first "tree", or the most frequent "class".
    explainer : the explainer that sets the reason policy, or its name, for example "reason-codes"; None for a model
        without reasons, of which the rules that voted are told.
    backend : "simplex", "interior-point", "portable" (PuLP with CBC), or "auto".
    min_samples_leaf : fewest rows of a leaf.
    rare_share : categories seen less often are named by no rule.
    time_limit : seconds after which no more rules are looked for and no bounds moved; what is being solved then is
        finished. None means no limit, and the same model every time.
    reference_groups : reference label by protected attribute; the largest group where none is named.
    special_codes : values by feature that are no measurement, or a list for every feature that holds them.
    categorical : numeric features whose numbers are categories.
    favourable : the favourable class; when None, the one whose label says it ("paid"), or the last of the sorted ones.
    allow_protected : input columns that may be protected attributes or tell them.
    random_state : seed of the features that trees start again on.

    Attributes
    ----------
    model_ : the `RuleSet`; its largest weight is 1.
    evidence_ : objective, bound and steps of the program, and what each fairness bound became.

    References
    ----------
    Rule Generation for Classification: Scalability, Interpretability, and Fairness. Programs (3), (6), (10) to (15).

    Examples
    --------
    >>> from scrutable.data.datasets import make_credit
    >>> data = make_credit(2000, seed=1)
    >>> learner = RUGClassifier(max_depth=2, penalty=10).fit(data.X, data.y)
    >>> print(learner.model_.rules[0].describe())  # doctest: +ELLIPSIS
    if ...
    """

    accepts_bounds = ("rate",)
    multi_class = True

    constraints: FairnessConstraint | Iterable[FairnessConstraint] = ()
    max_depth: int = 3
    penalty: float = 1.0
    cost: RuleCost = "length"
    loss: Loss = "unit"
    iterations: int = 10
    restarts: int = 3
    exact: bool = False
    nodes: Literal["leaves", "all"] = "leaves"
    calibration: int = 10
    weight_threshold: float = 0.05
    fallback: Fallback = "tree"
    explainer: str | Explainer | None = None
    backend: BackendName = "auto"
    min_samples_leaf: int = 1
    rare_share: float = 0.01
    time_limit: float | None = None
    reference_groups: dict[str, str] | None = None
    special_codes: SpecialCodes | None = None
    categorical: Sequence[str] = ()
    favourable: Any = None
    allow_protected: Sequence[str] = ()
    random_state: int = 0

    @classmethod
    def about_learning(cls, evidence: Evidence) -> Iterable[str]:
        return about_ending(evidence)

    def learn(self, data: TrainingData) -> tuple[RuleSet, Evidence]:
        model, evidence, found_bounds = self._weighed(data, self.bounds(self.constraints, data), self.penalty)
        warn_of_broken(found_bounds)
        return model, evidence

    def vary(self, data: TrainingData) -> Iterator[Alternative]:
        """Rules without constraints; with ever stricter ones; and fewer rules, by a higher penalty."""
        bounds = self.bounds(self.constraints, data)
        yield self._alternative(data, BASELINE, (), 1.0)
        for allowance in ALLOWANCES if bounds else ():
            yield self._alternative(data, "bounded", allowing(bounds, allowance), 1.0, allowance=allowance)
        for factor in _PENALTIES:
            yield self._alternative(data, "fewer-rules", bounds, factor, penalty=self.penalty * factor)

    def _alternative(
        self, data: TrainingData, method: str, bounds: Sequence[Bound], factor: float, **recipe: float
    ) -> Alternative:
        model, evidence, _ = self._weighed(data, bounds, self.penalty * factor)
        return Alternative(method=method, parameters=FrozenMapping(recipe), model=model, evidence=evidence)

    def _weighed(
        self, data: TrainingData, bounds: Sequence[Bound], penalty: float
    ) -> tuple[RuleSet, Evidence, tuple[MeasuredBound, ...]]:
        """The rules under bounds and a penalty, what is known of them, and what became of the bounds."""
        check_whole(self.calibration, "calibration", 0)
        check_whole(self.random_state, "random_state", 0)
        check_number(self.rare_share, "rare_share", "0 or more, below 1", high=1 - 2.0**-53)
        deciding = Deciding(weight_threshold=self.weight_threshold, fallback=self.fallback)
        rows = self._rows(data)
        # Rows that weigh 1 on average, so that tolerances mean the same whatever the weights are measured in.
        scale = float(data.weight.sum() / np.count_nonzero(data.weight))
        generated = self._generated(data, rows, rows_of_bounds(bounds, data), deciding, penalty, scale)
        model = assemble(generated, rows, data, deciding)
        found_bounds = measured(bounds, data, model)
        metrics = {
            "objective": generated.objective * scale,
            "bound": generated.bound * scale,
            "gap": generated.gap,
            "ending": generated.ending,
            "calibration_rounds": generated.rounds,
            "rules_weighed": len(generated.rules),
            "patterns": generated.solution.n_patterns,
            "constraints": kept(found_bounds, data, generated.solution),
        }
        log = tuple(
            freeze({"rules": s.rules, "patterns": s.patterns, "objective": s.objective * scale, "entered": s.entered})
            for s in generated.steps
        )
        evidence = Evidence(model_sha256="", metrics=FrozenMapping(metrics), search_log=log)
        return model, evidence, found_bounds

    def _rows(self, data: TrainingData) -> Rows:
        table = code_table(data.features, data.columns, categorical=self.categorical, min_share=self.rare_share)
        return Rows.of(table, data.label, len(data.outcome.classes))

    def _generated(
        self,
        data: TrainingData,
        rows: Rows,
        bounds: Sequence[FairnessRow],
        deciding: Deciding,
        penalty: float,
        scale: float = 1.0,
    ) -> Generated:
        trees = TreeOptions(max_depth=self.max_depth, min_samples_leaf=self.min_samples_leaf)
        check_number(penalty, "penalty", "0 or more, and finite")
        penalty, weight = penalty / scale, data.weight / scale
        tolerance = _TOLERANCE * (min(penalty, 1.0) or 1.0)
        pricing = PricingOptions(penalty=penalty, cost=self.cost, loss=self.loss, nodes=self.nodes, tolerance=tolerance)
        search = Search(
            iterations=self.iterations, restarts=self.restarts, exact=self.exact, time_limit=self.time_limit
        )
        master = Master(data.label, rows.n_classes, loss=self.loss, weight=weight, rows=bounds, backend=self.backend)
        pool = Pool(master, penalty)
        look = Look(rows, trees, pricing, search, np.random.default_rng(self.random_state))
        deadline = Deadline.after(self.time_limit)
        generated = generate(pool, look, weight, search, deadline)
        return calibrated(generated, pool, look, bounds, weight, deciding, self.calibration, deadline)
