"""A model's score in bands: who is in each, what a cutoff there would mean, and the gains."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from scrutable.data import Cohort
from scrutable.data.frames import FrameKind, rows_like
from scrutable.fairness import Groups
from scrutable.measures import Basis, score_cohort
from scrutable.model import DecisionModel
from scrutable.writing import in_digits, number
from scrutable_lifecycle.measured_rows import in_roles
from scrutable_lifecycle.strategy.bands import Band, ScoreBands, score_bands
from scrutable_lifecycle.strategy.counts import figures_of
from scrutable_lifecycle.strategy.gains import GainsTable, gains_table

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class ModelBands:
    """The bands of a model's score, and the gains of its ranking.

    Parameters
    ----------
    basis : what is in bands: the score, or of segments the score minus the applicant's cutoff.
    kind : of the frame that `frame` gives.
    """

    basis: Basis
    bands: ScoreBands
    gains: GainsTable
    kind: FrameKind

    def frame(self) -> Any:
        """A row for each band, ascending, and for each group in it: counts, rates if its lower end were the cutoff.

        Gains are those of the band with all bands before it, in the order of the gains table.
        """
        return rows_like(self._rows(), self.kind)

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON; None for an open end and for what is undefined."""
        return {"basis": self.basis, **self.bands.to_dict(), "gains": self.gains.to_dict()}

    def plot(self) -> Figure:
        """Shares and bad rates of the bands; errors as in `plot_score_bands`."""
        from scrutable_lifecycle.plots.strategy import plot_score_bands

        return plot_score_bands(self.bands)

    def __repr__(self) -> str:
        ks = "" if self.gains.ks_at is None else f", KS {self.gains.ks:.1%} at {number(self.gains.ks_at)}"
        applicants = self.bands.everybody.counts.applicants
        return f"ModelBands({len(self.bands.bands)} bands of the {self.basis}, {in_digits(applicants)} applicants{ks})"

    def _rows(self) -> Iterator[dict[str, Any]]:
        for band in self.bands.bands:
            yield {**_row(band, "", ""), **_gains(self.gains, band)}
            for group, gains in zip(band.part.groups, self.gains.groups, strict=True):
                yield {**_row(band, group.attribute, group.group), **_gains(gains, band)}


def bands_of(
    model: DecisionModel,
    X: Any,
    good: Any = None,
    *,
    bands: int | None = None,
    edges: Sequence[float] | None = None,
    width: float | None = None,
    riskiest_first: bool = True,
    groups: Groups | None = None,
    sample_weight: Any = None,
) -> ModelBands:
    """Count applicants and outcomes by bands of a model's score, and tell the gains of its ranking.

    Bands are ranges [lower, upper) of the score; of segments with cutoffs of their own, of the score minus the
    applicant's cutoff. Knocked-out applicants are in no band and are counted apart.

    Parameters
    ----------
    X : n applicants with the columns that the model reads: a frame, or beside a config also a path.
    good : (n,) booleans, True for a good payer, None or NaN where that is not known. Or a `DataConfig`: which columns
        of X are the outcome, the weight and the protected attributes.
    bands, edges, width, groups, sample_weight : as in `score_bands`.
    riskiest_first : add up gains from the lowest scores on; else from the highest.

    Raises
    ------
    InputError, KindError : as in `in_roles`, `score_cohort` and `score_bands`.

    Examples
    --------
    >>> from scrutable import create
    >>> from scrutable.data import DataConfig
    >>> from scrutable.data.datasets import load_german_credit
    >>> german = load_german_credit()
    >>> model = create("learner", "scorecard", binner="quantile").fit(german.X, german.y).model_
    >>> banded = bands_of(model, german.frame, DataConfig(target="credit_risk", protected=("sex",)), bands=4)
    >>> banded
    ModelBands(4 bands of the score, 1,000 applicants, KS 51.6% at 510.53933128062636)
    >>> banded.frame().columns.tolist()[:6]
    ['lower', 'upper', 'attribute', 'group', 'applicants', 'share']
    """
    X, good = in_roles((model,), X, good)
    cohort = Cohort.read(X, good, groups=groups, sample_weight=sample_weight)
    scored = score_cohort(model, cohort)
    options: dict[str, Any] = {"bands": bands, "width": width, "edges": edges, "knocked_out": scored.declined_anyway}
    return ModelBands(
        basis=scored.basis,
        bands=score_bands(scored.score, cohort, **options),
        gains=gains_table(scored.score, cohort, riskiest_first=riskiest_first, **options),
        kind=cohort.kind,
    )


def _row(band: Band, attribute: str, group: str) -> dict[str, Any]:
    """Counts of a band, or of a group in it, and rates from its lower end on."""
    whose = (attribute, group)
    part, decided = band.part, band.from_here
    counts = next((each.counts for each in part.groups if (each.attribute, each.group) == whose), part.counts)
    rates = next((each for each in decided.groups if (each.attribute, each.group) == whose), decided)
    ends = {"lower": band.lower, "upper": band.upper, "attribute": attribute, "group": group}
    from_here = {"approved_from_here": rates.approval_rate, "bad_rate_from_here": rates.bad_rate}
    return {**ends, **figures_of(counts), **from_here}


def _gains(table: GainsTable, band: Band) -> dict[str, float]:
    gain = next(each for each in table.rows if each.lower == band.lower)
    named = {"payers_so_far": gain.share, "goods_so_far": gain.goods, "bads_so_far": gain.bads}
    return {**named, "lift": gain.lift, "ks": gain.ks}
