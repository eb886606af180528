"""The bins of all inputs of a file or a frame, on the rows that a fit would learn from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from scrutable.data import LEAK_ENTRY, Cohort, DataConfig, SplitConfig, favourable_class, read_cohort, split_known
from scrutable.data.frames import known_column, rows_like
from scrutable.plugins import Choice, read_whole
from scrutable.writing import AnyPath
from scrutable_review.default import DEFAULT_BINNER
from scrutable_review.review import Review
from scrutable_review.table import ReviewTable

if TYPE_CHECKING:
    from matplotlib.figure import Figure

#: All rows with an outcome.
_ALL = SplitConfig(test_size=0.0)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class ReviewedBins:
    """A review, the rows that it is about, and how many rows of the data it leaves out; made by `review_bins`.

    Parameters
    ----------
    features : those that are shown.
    """

    review: Review
    rows: Cohort
    features: tuple[str, ...]
    n_held_out: int
    n_indeterminate: int
    n_declined: int

    @property
    def tables(self) -> list[ReviewTable]:
        """The present binning table of each feature."""
        return [self.review.table(name) for name in self.features]

    def frame(self) -> Any:
        """A row for each attribute of each feature; groups have columns of their own."""
        return rows_like((record for table in self.tables for record in table.records()), self.rows.kind)

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
        return {
            "rows": self.counts(),
            "features": [table.to_dict() for table in self.tables],
            LEAK_ENTRY: self.review.leaks,
            "audit": [entry.to_dict() for entry in self.review.audit],
        }

    def counts(self) -> dict[str, int]:
        """Numbers of rows, for JSON."""
        return {
            "reviewed": self.rows.rows,
            "held_out": self.n_held_out,
            "indeterminate": self.n_indeterminate,
            "declined": self.n_declined,
        }

    def plot(self, feature: str | None = None) -> Figure:
        """The bins of a feature, the first one if none is named; errors as in `plot_binning`."""
        from scrutable_review.picture import plot_binning

        return plot_binning(self.review.table(feature or self.features[0]))

    def describe(self) -> str:
        """Which rows of the data the review is about."""
        counts = {"held out": self.n_held_out, "indeterminate": self.n_indeterminate, "declined": self.n_declined}
        left_out = ", ".join(f"{count:,} {name}" for name, count in counts.items() if count)
        shown = f"{self.rows.rows:,} rows"
        return f"{shown}; not among them: {left_out}" if left_out else f"all {shown}"

    def __repr__(self) -> str:
        return f"ReviewedBins({len(self.features)} features, {self.describe()})"


def review_bins(
    data: Any,
    config: DataConfig,
    *,
    split: SplitConfig = _ALL,
    binner: Choice | None = None,
    edits: AnyPath | None = None,
    features: Sequence[str] = (),
    who: str = "",
    allow_protected: Sequence[str] = (),
) -> ReviewedBins:
    """Bin all inputs, on the rows that a fit with this split learns from.

    Inferred outcomes of declined applicants are no part of a review.

    Parameters
    ----------
    data : a frame of any kind or a path; the path of the config when None.
    config : which column is the outcome, the weight and so on; the others are inputs.
    split : which rows are left out; by default none that has an outcome.
    binner : the default is `optimal`.
    edits : the file of an earlier review.
    features : those to show; all if none is named.
    who : who reviews, for the audit trail.
    allow_protected : input columns that may be protected or tell a protected attribute.

    Raises
    ------
    InputError : as in `read_cohort`, `split_known`, `favourable_class`, `Review` and `read_review`; no such feature.

    Examples
    --------
    >>> from scrutable.data.datasets import load_german_credit
    >>> inputs = load_german_credit().frame[["credit_risk", "sex", "housing", "duration_months"]]
    >>> config = DataConfig(target="credit_risk", favourable="good", protected=("sex",))
    >>> bins = review_bins(inputs, config, binner=Choice(name="quantile"), features=["housing"])
    >>> bins
    ReviewedBins(1 features, all 1,000 rows)
    >>> bins.frame()["count"].tolist()
    [713.0, 108.0, 179.0, 0.0, 0.0]
    """
    everyone = read_cohort(config, data)
    known = everyone.subset(everyone.known)
    learn, held_out = split_known(split, everyone)
    rows = known.subset(learn)
    header, made, _ = (None, (), None) if edits is None else read_whole(edits)
    review = Review(
        rows.columns,
        rows.values,
        binner=(binner or Choice(name=DEFAULT_BINNER)).create("binner"),
        sensitive_features=rows.groups,
        sample_weight=rows.sample_weight,
        favourable=favourable_class(rows.values, config.favourable),
        allow_protected=allow_protected,
        edits=made,
        who=who,
    )
    if header is not None:
        header.check(review.header, f"file {str(edits)!r}")
    for name in features:
        known_column(name, review.features, "--feature")
    return ReviewedBins(
        review=review,
        rows=rows,
        features=tuple(dict.fromkeys(features or review.features)),
        n_held_out=len(held_out),
        n_indeterminate=int(everyone.indeterminate.sum()),
        n_declined=int(everyone.declined.sum()),
    )
