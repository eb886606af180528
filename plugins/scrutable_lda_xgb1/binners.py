"""Binners: the pre-bins of boosted stumps, and their merge under bounds on fairness information values."""

from __future__ import annotations

from collections.abc import Iterable, Sequence, Sized
from typing import Any, ClassVar

from sklearn.base import clone

from scrutable import registry
from scrutable.binning import Trends, read_edits
from scrutable.data import TrainingData
from scrutable.errors import InputError
from scrutable.plugins import Share
from scrutable.plugins.bases import Binner, FairnessConstraint, Needs, Proposal, bound_by, estimator
from scrutable_lda_xgb1.boosting import Boosting
from scrutable_lda_xgb1.contrast import Contrast, contrasts_of
from scrutable_lda_xgb1.options import MergeOptions
from scrutable_lda_xgb1.prebins import PreBins
from scrutable_lda_xgb1.ranks import rank_values
from scrutable_lda_xgb1.study import Study
from scrutable_lda_xgb1.stumps import stump_cuts


@estimator
class XGB1Binner(Binner):
    """Attributes between the cuts of boosted stumps (section 3.1 of the paper).

    Many small attributes, meant as pre-bins for a learner or binner that merges them. Other parameters as in `Binner`;
    trends are kept by the stumps, too.

    Parameters
    ----------
    n_estimators, learning_rate, max_bin, reg_lambda, reg_alpha : as in XGBoost; the defaults are the paper's. Fewer
        `max_bin` make fewer attributes.
    rare_share : categories seen less often than this share of the applicants are kept together.

    References
    ----------
    Pangia, A., Sudjianto, A., Zhang, A., Khan, T. Less Discriminatory Alternative and Interpretable XGBoost Framework
    for Binary Classification. Section 3.1.

    Examples
    --------
    >>> from scrutable.data.datasets import make_credit
    >>> data = make_credit(500, seed=1)
    >>> binner = XGB1Binner(max_bin=8).fit(data.X[["income"]], data.y)
    >>> len(binner.binning_["income"].ordered) <= 8
    True
    """

    needs: ClassVar[Needs] = "codes"

    n_estimators: int = 1000
    learning_rate: float = 0.3
    max_bin: int = 256
    reg_lambda: float = 1.0
    reg_alpha: float = 0.0
    rare_share: Share = 0.01

    def propose(self, data: TrainingData, trends: Trends) -> dict[str, Proposal]:
        boosting = Boosting(
            n_estimators=self.n_estimators,
            learning_rate=self.learning_rate,
            max_bin=self.max_bin,
            reg_lambda=self.reg_lambda,
            reg_alpha=self.reg_alpha,
        )
        codes = tuple(self.categorical)
        ranked = [rank_values(each, data, codes, self.rare_share, self.max_bin) for each in data.features]
        cuts = stump_cuts(ranked, data, trends, boosting)
        return {each.feature.name: each.between(chosen) for each, chosen in zip(ranked, cuts, strict=True)}


@estimator
class FIVBoundedBinner(Binner):
    """Attributes of highest information value among all that keep bounds on the fairness information value.

    The attributes of another binner are merged with their neighbours, exactly; see the learner `lda-xgb1`. Other
    parameters as in `Binner`. A feature whose missing or special values alone break a bound, or whose fixed cuts or
    merges do, is an error.

    Parameters
    ----------
    constraints : one or more fairness constraints that bound divergences, for example `fairness-information-value`.
    binner : what makes the pre-bins, as a name or a binner; its own cuts and merges hold before any merging. How
        the data is to be read, and trends, are for this binner to say.
    min_share, min_events, max_bins : as in `MergeOptions`.
    reference_groups : reference label by protected attribute; the largest group where none is named.

    References
    ----------
    Pangia, A., Sudjianto, A., Zhang, A., Khan, T. Less Discriminatory Alternative and Interpretable XGBoost Framework
    for Binary Classification. Section 3.3.

    Examples
    --------
    >>> import scrutable
    >>> from scrutable.data.datasets import make_credit
    >>> data = make_credit(2000, seed=1)
    >>> bound = scrutable.create("constraint", "fairness-information-value", bound=0.01)
    >>> columns, groups = data.X[["income"]], data.sensitive_features
    >>> binner = FIVBoundedBinner(constraints=bound).fit(columns, data.y, sensitive_features=groups)
    >>> free = FIVBoundedBinner().fit(columns, data.y)
    >>> binner.binning_["income"].iv < free.binning_["income"].iv
    True
    """

    needs: ClassVar[Needs] = "codes"

    #: Kinds of fairness bound that the binner can keep.
    accepts_bounds = ("divergence",)

    constraints: FairnessConstraint | Iterable[FairnessConstraint] = ()
    binner: str | Binner = "xgb1"
    min_share: float = 0.05
    min_events: float = 0.0
    max_bins: int | None = None
    reference_groups: dict[str, str] | None = None

    def versions(self) -> dict[str, str]:
        return started(self.binner).versions()

    def read(self, X: Any, y: Any, **options: Any) -> TrainingData:
        return super().read(X, y, **{"reference_groups": self.reference_groups} | options)

    def propose(self, data: TrainingData, trends: Trends) -> dict[str, Proposal]:
        contrasts = contrasts_of(bound_by(self.constraints, data, self.accepts_bounds, type(self).__name__), data)
        inner = self._inner().set_params(trends=dict(trends))
        options = MergeOptions(min_share=self.min_share, min_events=self.min_events, max_bins=self.max_bins)
        study = Study.of(data, inner, contrasts, options)
        proposals: dict[str, Proposal] = {}
        for prebins, borders in zip(study.prebins, study.borders(), strict=True):
            if borders is None:
                raise InputError(
                    "the missing and special values alone break a bound",
                    where=f"column {prebins.feature.name!r}",
                    allowed=", ".join(f"{contrast.name} within {contrast.bound:g}" for contrast in contrasts),
                    fix="drop the column, or loosen the bound",
                )
            proposals[prebins.feature.name] = prebins.combined(borders)
            self._check_fixed(prebins, proposals[prebins.feature.name], data, contrasts)
        return proposals

    def _inner(self) -> Binner:
        """The binner of the pre-bins, which reads the data as this one does."""
        own = started(self.binner)
        for name in ("trends", "special_codes", "categorical", "favourable"):
            theirs = own.asked_trends() if name == "trends" else getattr(own, name)
            mine = getattr(self, name)
            if _says(theirs) and theirs != mine:
                raise InputError(
                    "the binner of the pre-bins is told otherwise than the one that merges them",
                    where=f"binner: {name}",
                    got=theirs,
                    fix=f"give {name} to {type(self).__name__} instead",
                )
        return started(own, special_codes=self.special_codes, categorical=self.categorical)

    def _check_fixed(
        self, prebins: PreBins, merged: Proposal, data: TrainingData, contrasts: Sequence[Contrast]
    ) -> None:
        """Refuse cuts, merges and edits of the user's that break a bound; they are never merged further."""
        feature = prebins.feature
        shaped = (edit.feature for edit in read_edits(self.edits) if edit.shapes_bins)
        named = {*(self.cuts or {}), *(self.merges or {}), *shaped}
        if feature.name not in named:
            return
        fixed = PreBins.of(feature, self.fixed(feature, data, merged), data, tuple(self.categorical), prebins.trend)
        for contrast in contrasts:
            fiv = contrast.fiv(fixed.binned.counted)
            if fiv > contrast.bound:
                raise InputError(
                    "the fixed cuts or merges break a bound",
                    where=f"column {feature.name!r}",
                    got=f"{contrast.name}: {fiv:.6g}",
                    allowed=f"at most {contrast.bound:g}",
                    fix="give them to the binner of the pre-bins, which are merged, or loosen the bound",
                )


def started(binner: str | Binner, **options: Any) -> Binner:
    """A binner of one's own, with those options that say something."""
    own: Binner = clone(binner) if isinstance(binner, Binner) else registry().create("binner", binner)
    own.set_params(**{name: value for name, value in options.items() if _says(value)})
    return own


def _says(option: Any) -> bool:
    return option is not None and not (isinstance(option, Sized) and len(option) == 0)
