"""The learner `additive`: all characteristics fitted as one problem, then merged to few steps."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Annotated, Any, ClassVar, Literal

from scrutable.binning import BentTrends, Binning, build_scorecard
from scrutable.data import ClassWeight, SpecialCodes, TrainingData, class_factors, read_training
from scrutable.errors import InputError
from scrutable.model import DecisionModel, Evidence, FrozenMapping, Scaling, Scorecard, freeze
from scrutable.plugins import Count, Limits, NotNegative
from scrutable.plugins.bases import Alternative, Binner, Explainer, Learner, Needs, estimator
from scrutable_additive.asked_pairs import AskedPairs
from scrutable_additive.fitting import fine_binner, fitted, refuse_unknown_must
from scrutable_additive.improving import Improved
from scrutable_additive.problem import Problem, asked_trends
from scrutable_additive.scale import OddsScale
from scrutable_additive.screening import ABOUT_CHANCE, CLEARLY_MORE, NOTHING_LEFT_OUT
from scrutable_additive.sentences import about_each, about_path
from scrutable_additive.varied import alternatives_of


@estimator
class AdditiveClassifier(Learner):
    """A scorecard of few steps that is fitted as one problem.

    First every feature has a value for each of many small bins, and all of them are fitted at once: a logistic
    regression in which values of neighbouring bins are drawn together (a random walk), and those of categories, special
    codes and missing values towards 0, as strongly as restricted maximum likelihood says (no cross-validation). Then
    two neighbouring steps are put together, again and again, those whose values differ least for what is known of them,
    and all values move to where they are then best by the curvature of the loss: a path of nested cards from many steps
    to none. One of these is the model; nothing is fitted again.

    Parameters
    ----------
    keep : share of the variance of the dense fit's scores that the card keeps at least; more with few `max_points`,
        before rounding, which puts steps together itself.
    steps : the card of so many steps, chosen by hand from the path that `keep` makes; it goes before the limits, and
        `scrutable path` shows which there are.
    max_steps, max_characteristics : most attributes with points of their own, and most characteristics; the card then
        keeps less where it has to.
    shape : "auto" makes a numeric characteristic rise or fall throughout where that loses at most a thousandth of the
        variance; "free" leaves it to the data, but for `trends`.
    trends : how points move as the value of a feature rises: "ascending", "descending", "convex", which is that what is
        gained from one step to the next never falls, "concave", that it never rises, or both, as "ascending concave".
        Intervals of the same points are one step. Those of `binner` where None or empty.
    special_codes, categorical : as in `Binner`; those of `binner` where None or empty.
    must : features that stay on the card, and pairs by name, such as "age x debts".
    pairs : most pairs of features whose cells have points of their own, looked for among the features of the card; or
        the pairs that are looked at, by the names of both or by their own, as "age x debts". Of either only those are
        fitted that gain more than chance would give to one of so many, but those of `must`.
    min_count : least rows of a step, by weight.
    binner : what makes the fine bins, as a name or a binner. Features of which it is told cuts, groups or edits keep
        exactly these attributes.
    improves : a scorecard, or the path of its file, to which what is learned is added: it begins with its log-odds, and
        the card has the sums of the points. Points are then worth what they are on it.
    max_points : for a card that is added up by hand: points of every attribute are whole numbers from 0 to this, base
        points 0, and the scaling says what a point is worth. None for points by `scaling`.
    aim : what a small card of whole points is searched for, one of at most 10 `max_points` and 10 more steps than
        characteristics: "smooth", for which it is as near as may be to what the dense fit expects of the rows, or
        "outcomes", for which the log-loss of the rows is least, and nothing is left out as no more than chance.
    class_weight : "balanced", or by class, by which the losses of its rows are multiplied; all rows together weigh what
        they weigh without. Probabilities stay those of the rows as they are, and the cutoff lies at even odds of the
        weighed classes where none is asked for.
    scaling : as in the learner `scorecard`. With `decimals` the points are rounded together, so that they lose least.
    cutoff, approval_rate, explainer, favourable, allow_protected : as in `Learner`.

    References
    ----------
    Wood, S., Fasiolo, M. (2017). A generalized Fellner-Schall method for smoothing parameter optimization with
    application to Tweedie location, scale and shape models. Biometrics 73(4). Equation (4).

    Examples
    --------
    >>> from scrutable.data.datasets import make_credit
    >>> data = make_credit(2000, seed=1)
    >>> learner = AdditiveClassifier(max_steps=30, favourable=data.favourable).fit(data.X, data.y)
    >>> learner.evidence_.metrics["additive"]["chosen"]["steps"] <= 30
    True
    """

    needs: ClassVar[Needs] = "codes"

    keep: Annotated[float, Limits(0, 1)] = 0.995
    steps: Count | None = None
    max_steps: Count | None = None
    max_characteristics: Count | None = None
    shape: Literal["auto", "free"] = "auto"
    trends: BentTrends | None = None
    must: Sequence[str] = ()
    pairs: Annotated[int, Limits(0)] | Sequence[tuple[str, str] | str] = 0
    min_count: NotNegative = 10
    binner: str | Binner = "fine"
    special_codes: SpecialCodes | None = None
    categorical: Sequence[str] = ()
    class_weight: ClassWeight = None
    improves: Any = None
    max_points: Count | None = None
    aim: Literal["smooth", "outcomes"] = "smooth"
    scaling: Scaling | Mapping[str, Any] | None = None
    cutoff: float | None = None
    approval_rate: float | None = None
    explainer: str | Explainer | None = "reason-codes"
    favourable: Any = None
    allow_protected: Sequence[str] = ()

    def read(self, X: Any, y: Any, *, sensitive_features: Any, sample_weight: Any) -> TrainingData:
        improved, binner = self._improved(), self._binner()
        data = read_training(
            X,
            y,
            sensitive_features=sensitive_features,
            sample_weight=sample_weight,
            special_codes=binner.special_codes,
            categorical=binner.categorical,
            favourable=binner.favourable if self.favourable is None else self.favourable,
            allow_protected=self.allow_protected,
        )
        if improved is not None:
            improved.check(data)
        return data

    def learn(self, data: TrainingData) -> tuple[Scorecard, Evidence]:
        binner, names = self._binner(), [feature.name for feature in data.features]
        asked = AskedPairs.of(self.pairs, self.must, names)
        trends = asked_trends(binner, self.trends or {}, data)
        asked.check(names, trends)
        refuse_unknown_must(self.must, data, asked.names)
        improved = self._improved()
        if improved is not None:
            asked = asked.added_to(improved.card)
        outcomes, scaling = self.aim == "outcomes", self.scaling if improved is None else improved.scaling
        scale = OddsScale.of(scaling, self.max_points, outcomes=outcomes)
        factors = _shares(class_factors(self.class_weight, data), data)
        problem = Problem.of(data, binner, self.must, self.trends, factors, self.improved())
        least = NOTHING_LEFT_OUT if outcomes else ABOUT_CHANCE if improved is None else CLEARLY_MORE
        fit = fitted(problem, self, scale, names, asked=asked, least=least)
        scaling = scale.at(fit.base, fit.whole)
        model = build_scorecard(data.outcome, fit.card.tables, fit.base, fit.card.values, scaling)
        model = fit.card.with_pairs(model, scaling.points)
        if self.class_weight is not None:
            fit.story["class_weights"] = {"unfavourable": factors[0], "favourable": factors[1]}
        binning, metrics = Binning(tables=fit.card.tables, audit=fit.audit).to_json(), fit.entries(model, "additive")
        if improved is not None:
            added = fit.card.on_card | {table.name for table in model.interactions}
            model = improved.with_added(model, data, trends)
            story = improved.story(fit.story, model, data, added)
            metrics = FrozenMapping({"additive": freeze(story), **improved.along(metrics, story["improves"])})
            binning = FrozenMapping()  # the attributes are those of neither
        if self.class_weight is not None:
            calibration = model.calibration
            model = replace(
                model, cutoff=(math.log(factors[0] / factors[1]) - calibration.intercept) / calibration.slope
            )
        return model, Evidence(model_sha256="", binning=binning, metrics=metrics)

    def vary(self, data: TrainingData) -> Iterator[Alternative]:
        """The card, other cards of its path, and cards without characteristics that tell groups apart."""
        return alternatives_of(self, data)

    def own_decision(self, model: DecisionModel) -> str:
        return "the cutoff at even odds of the weighed classes" if self.class_weight is not None else ""

    def improved(self) -> Scorecard | None:
        improved = self._improved()
        return None if improved is None else improved.card

    @classmethod
    def about_learning(cls, evidence: Evidence) -> Iterable[str]:
        return about_path(evidence)

    @classmethod
    def about_characteristics(cls, evidence: Evidence) -> Mapping[str, str]:
        return about_each(evidence)

    def versions(self) -> dict[str, str]:
        return self._binner().versions()

    def _improved(self) -> Improved | None:
        """The scorecard that is to be improved."""
        if self.improves is None:
            return None
        for option in ("scaling", "max_points"):
            if getattr(self, option) is not None:
                raise InputError(
                    "a point is worth what it is on the scorecard that is improved",
                    where=option,
                    got=getattr(self, option),
                    allowed="None",
                    fix="leave it out",
                )
        return Improved.of(self.improves)

    def _binner(self) -> Binner:
        """The binner of the fine bins; a scorecard that is improved says what nothing else says of columns."""
        binner, improved = fine_binner(self), self._improved()
        if improved is not None:
            codes = binner.special_codes or improved.special_codes
            binner.set_params(special_codes=codes, categorical=[*binner.categorical, *improved.categorical])
        return binner


def _shares(factors: tuple[float, float], data: TrainingData) -> tuple[float, float]:
    """Factors of the classes with which all rows together weigh what they weigh: more would count as more rows."""
    weights = data.by_outcome[1].tolist()
    level = sum(weights) / sum(own * factor for own, factor in zip(weights, factors, strict=True))
    return level * factors[0], level * factors[1]
