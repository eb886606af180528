"""The classical scorecard: binning, logistic regression, points."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from scrutable.binning import Binning, BinTable, build_scorecard, centred, refuse_policies
from scrutable.data import TrainingData
from scrutable.errors import InputError
from scrutable.errors.checks import options_or_default
from scrutable.measures import REGRESSION_FIGURES
from scrutable.measures.numerics import Block, fit_binned_logistic, one_hot_block, woe_block
from scrutable.model import Evidence, FrozenMapping, Json, Scaling, Scorecard
from scrutable.plugins import SELECTION, NotNegative
from scrutable.plugins.bases import (
    BASELINE,
    Alternative,
    Binner,
    Candidates,
    Explainer,
    Learner,
    Needs,
    Selector,
    costly_characteristics,
    estimator,
    selector_of,
)
from scrutable_scorecard.encoding import binner_of, following_trend
from scrutable_scorecard.figures import attribute_figures, woe_figures

#: Most characteristics that an alternative leaves out, though no more than half of them.
_MOST_LEFT_OUT = 6
#: Most bins of alternatives on fewer.
_BINS = (5, 3)
#: Ridges of alternatives as multiples of the learner's own, or of a small one where it has none.
_RIDGES, _RIDGE = (1e2, 1e4), 1e-4


@estimator
class ScorecardClassifier(Learner):
    """A logistic scorecard on binned characteristics.

    Characteristics are selected first, by the rows that are learned from alone. With `encoding="woe"` each has one
    coefficient, never negative, on the weight of evidence of its attributes; with "one-hot" each attribute has points
    of its own. Either way points follow the binner's trends exactly. Missing values and special codes under a policy
    have the points of the WoE that it says: 0 for "neutral"; those of the bin, or the fewest of any interval or
    category, for "with" and "worst". One-hot encoding refuses them.

    Parameters
    ----------
    binner : name of a registered binner, or a `Binner` with options.
    encoding : "woe" or "one-hot".
    select : what selects characteristics: the name of a selector, alone or with options, as in "iv:floor=0.1"; a
        `Selector`; or None to keep all.
    ridge : penalty on the attributes' squared log-odds; keeps attributes with only good or only bad rows finite.
    scaling : PDO, base score, base odds and rounding of the points.
    cutoff, approval_rate, explainer, favourable, allow_protected : as in `Learner`.

    References
    ----------
    Siddiqi, N. (2006). Credit Risk Scorecards. Wiley. Chapter 6: initial scorecard and scaling.

    Examples
    --------
    >>> from scrutable.data.datasets import load_german_credit
    >>> german = load_german_credit()
    >>> learner = ScorecardClassifier(binner="quantile").fit(german.X, german.y)
    >>> float((learner.predict(german.X) == "good").mean()), float((german.y == "good").mean())
    (0.7, 0.7)
    >>> float(learner.score(german.X, german.y)) > 0.75
    True
    """

    needs: ClassVar[Needs] = "codes"

    binner: str | Binner = "optimal"
    encoding: Literal["woe", "one-hot"] = "woe"
    select: str | Selector | None = "standard"
    ridge: NotNegative = 1e-5
    scaling: Scaling | Mapping[str, Any] | None = None
    cutoff: float | None = None
    approval_rate: float | None = None
    explainer: str | Explainer | None = "reason-codes"
    favourable: Any = None
    allow_protected: Sequence[str] = ()

    def read(self, X: Any, y: Any, *, sensitive_features: Any, sample_weight: Any) -> TrainingData:
        binner = binner_of(self.binner)
        data: TrainingData = binner.read(
            X,
            y,
            sensitive_features=sensitive_features,
            sample_weight=sample_weight,
            allow_protected=self.allow_protected,
            favourable=binner.favourable if self.favourable is None else self.favourable,
        )
        return data

    def learn(self, data: TrainingData) -> tuple[Scorecard, Evidence]:
        return self._card(data, binner_of(self.binner).bin(data), self.ridge)

    def vary(self, data: TrainingData) -> Iterator[Alternative]:
        """The whole card; without characteristics that tell groups apart; on fewer bins; and with a larger ridge."""
        for recipe, binning in self._binnings(data):
            model, evidence = self._card(data, binning, self.ridge)
            method = "fewer-bins" if recipe else BASELINE
            yield Alternative(method=method, parameters=FrozenMapping(recipe), model=model, evidence=evidence)
            yield from self._leaving_out(data, binning, model, recipe)
            for ridge in () if recipe else (max(self.ridge, _RIDGE) * factor for factor in _RIDGES):
                model, evidence = self._card(data, binning, ridge)
                yield Alternative(
                    method="ridge", parameters=FrozenMapping({"ridge": ridge}), model=model, evidence=evidence
                )

    def _leaving_out(
        self, data: TrainingData, binning: Binning, model: Scorecard, recipe: Mapping[str, Any]
    ) -> Iterator[Alternative]:
        """Cards without ever more characteristics: each time the one that adds most to a gap between groups goes.

        Those that must stay do.
        """
        selector = selector_of(self.select, binner_of(self.binner).edits)
        held = () if selector is None else selector.held
        out: list[str] = []
        for _ in range(min(_MOST_LEFT_OUT, len(binning.tables) // 2)):
            costly = [name for name in costly_characteristics(model, data) if name not in (*out, *held)]
            if not costly:
                return
            out.append(costly[0])
            tables = tuple(table for table in binning.tables if table.feature.name not in out)
            model, evidence = self._card(data, Binning(tables=tables, audit=binning.audit), self.ridge)
            parameters: FrozenMapping[Json] = FrozenMapping({**recipe, "without": tuple(out)})
            yield Alternative(method="left-out", parameters=parameters, model=model, evidence=evidence)

    def _binnings(self, data: TrainingData) -> Iterator[tuple[dict[str, Any], Binning]]:
        """The binner's own bins, then fewer, where it has an option for that."""
        binner = binner_of(self.binner)
        yield {}, binner.bin(data)
        most = binner.get_params(deep=False).get("max_bins")
        for bins in _BINS if isinstance(most, int) else ():
            if bins < most:
                yield {"max_bins": bins}, binner_of(self.binner).set_params(max_bins=bins).bin(data)

    def _card(self, data: TrainingData, binning: Binning, ridge: float) -> tuple[Scorecard, Evidence]:
        """The card on some bins."""
        if self.encoding not in ("woe", "one-hot"):
            raise InputError("unknown encoding", where="encoding", got=self.encoding, allowed="'woe' or 'one-hot'")
        scaling = options_or_default(self.scaling, Scaling, "scaling")
        if self.encoding == "one-hot":
            refuse_policies(binning.tables, "the encoding 'one-hot'")
        tables, woe = binning.tables, [following_trend(table.woe, table) for table in binning.tables]
        rows = data.coded([table.coding for table in tables])
        selector = selector_of(self.select, binner_of(self.binner).edits)
        selection = None if selector is None else selector.select(Candidates.of(tables, rows, woe, data))
        if selection is not None:
            kept = [place for place, table in enumerate(tables) if table.feature.name in selection.kept]
            tables, woe, rows = tuple(tables[each] for each in kept), [woe[each] for each in kept], rows.only(kept)
        fit = fit_binned_logistic([*map(self._block, tables, woe)], rows, ridge=ridge)
        if self.encoding == "woe":
            figures = woe_figures(rows, tables, woe, fit, ridge)
        else:
            figures = attribute_figures(rows, tables, fit, ridge)
        intercept, values = centred(fit.values, tables, fit.intercept)
        model = build_scorecard(data.outcome, tables, intercept, values, scaling)
        metrics = {REGRESSION_FIGURES: figures.to_json()}
        record = binning.to_json()
        if selection is not None:
            metrics[SELECTION] = selection.to_json()
            record = selection.recorded(record)
        return model, Evidence(model_sha256="", binning=record, metrics=FrozenMapping(metrics))

    def versions(self) -> dict[str, str]:
        return binner_of(self.binner).versions()

    def _block(self, table: BinTable, woe: NDArray[np.float64]) -> Block:
        if self.encoding == "woe":
            return woe_block(woe, sign="positive")
        return one_hot_block(len(table.conditions), trend=table.direction, ordered=table.ordered)
