"""A review of bins: tables of the features, edits that can be undone, and the trail that they leave."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal, cast

from sklearn.base import clone

from scrutable import registry
from scrutable.binning import (
    Action,
    BinCounter,
    BinEdit,
    Bins,
    BinTable,
    Edit,
    PolicyName,
    Replay,
    Stays,
    numbered,
    read_edits,
    selected_by_hand,
)
from scrutable.data import SpecialCodes, TrainingData, warn_of_leaks
from scrutable.errors import InputError, did_you_mean, warn_caller
from scrutable.model import Value
from scrutable.plugins import CardChoice, ReviewHeader, read_whole, write_review
from scrutable.plugins.bases import Binner, Edits, check_binner
from scrutable.writing import AnyPath
from scrutable_review.default import DEFAULT_BINNER
from scrutable_review.table import ObservedTrend, ReviewTable

if TYPE_CHECKING:
    import pandas as pd


class Review:
    """The bins of a binner, for a person to look at and to correct.

    Each edit is refused at once if it does not fit, and leaves the review as it was. An edit counts its own feature
    anew, by distinct values, and nothing else; so a page can show what it would do while a bin is dragged.

    Parameters
    ----------
    X, y, sensitive_features, sample_weight : as in `Binner.fit`. Groups may be membership probabilities.
    binner : name of a registered binner, or a `Binner` with options; its own edits come first.
    favourable, special_codes, categorical : as in `Binner`; those of `binner` where not given.
    allow_protected : input columns that may be protected or tell a protected attribute.
    reference_groups : reference label of each protected attribute; the largest group where none is named.
    edits : to begin with, for example those of a file: `read_review("review.toml")`.
    who : who reviews; each edit can name another.

    Examples
    --------
    >>> from scrutable.data.datasets import load_german_credit
    >>> german = load_german_credit()
    >>> review = Review(german.X, german.y, binner="quantile", sensitive_features=german.sensitive_features, who="ana")
    >>> table = review.merge("housing", ["rented", "rent-free"], why="few applicants live rent-free")
    >>> [row.condition for row in table.rows][:2]
    ["'owned'", "'rent-free' or 'rented'"]
    >>> [entry] = review.audit
    >>> entry.iv_after <= entry.iv_before, entry.who
    (True, 'ana')
    >>> review.undo().action
    'merge'
    """

    _replay: Replay[TrainingData, BinTable, Edit]
    _done: list[tuple[BinEdit, Bins, BinTable]]

    def __init__(
        self,
        X: Any,
        y: Any,
        *,
        binner: str | Binner = DEFAULT_BINNER,
        sensitive_features: Any = None,
        sample_weight: Any = None,
        favourable: Any = None,
        special_codes: SpecialCodes | None = None,
        categorical: Iterable[str] = (),
        allow_protected: Sequence[str] = (),
        reference_groups: Mapping[str, str] | None = None,
        edits: Edits = (),
        who: str = "",
    ) -> None:
        chosen: Binner = clone(binner) if isinstance(binner, Binner) else registry().create("binner", binner)
        given = {"favourable": favourable, "special_codes": special_codes, "categorical": tuple(categorical) or None}
        check_binner(chosen, favourable)
        first = read_edits(chosen.edits)
        self._binner = chosen.set_params(
            edits=(), **{name: value for name, value in given.items() if value is not None}
        )
        options: dict[str, Any] = {"allow_protected": allow_protected}
        if reference_groups is not None:
            options["reference_groups"] = reference_groups
        data = self._binner.read(X, y, sensitive_features=sensitive_features, sample_weight=sample_weight, **options)
        self.who = who
        self.features = tuple(feature.name for feature in data.features)
        #: What the review is of; its file keeps it.
        self.header = ReviewHeader.of(self._binner, data.outcome.favourable)
        #: Columns that separate the outcome nearly perfectly, with how; see `scrutable.data.separation`.
        self.leaks = data.leaks
        warn_of_leaks(self.leaks)
        #: The card of a learner's path that is wanted; the file keeps it, and a fit with that file makes it the model.
        self.choice: CardChoice | None = None
        self._started = self._binner.started(data)
        self._undone: list[BinEdit] = []
        self._take((*first, *read_edits(edits)))

    @property
    def edits(self) -> tuple[BinEdit, ...]:
        """The decisions that hold, without what says where they started."""
        return tuple(edit for edit, _, _ in self._done)

    @property
    def audit(self) -> tuple[Edit, ...]:
        """The audit trail: options of the binner, where the review started if a file says so, and the decisions."""
        return tuple(self._replay.audit)

    @property
    def by_hand(self) -> Mapping[str, BinEdit]:
        """By feature that must stay or never may where a learner selects, the decision that says so."""
        return selected_by_hand(self.edits)

    @property
    def can_undo(self) -> bool:
        """Whether there is a decision to take back."""
        return bool(self._done)

    @property
    def can_redo(self) -> bool:
        """Whether a decision was taken back, and none made since."""
        return bool(self._undone)

    def kind(self, feature: str) -> Literal["numeric", "categorical"]:
        """Which edits a feature can have: those of numbers or those of categories."""
        return "categorical" if self._bins(feature).nominal else "numeric"

    def table(self, feature: str) -> ReviewTable:
        """The present binning table of a feature."""
        return self._shown(self._bins(feature), self._replay.table(feature))

    def tables(self) -> pd.DataFrame:
        """The present tables of all features, a row for each attribute; groups have columns of their own."""
        import pandas as pd

        return pd.DataFrame([record for name in self.features for record in self.table(name).records()])

    def observed_trend(self, feature: str) -> ObservedTrend:
        """How the good rate moves over the intervals of a feature."""
        return self.table(feature).observed_trend

    def preview(self, edit: BinEdit | Mapping[str, Any]) -> ReviewTable:
        """The table that an edit would give, which is not made.

        Raises
        ------
        InputError : as in `apply`; a reason is not asked for.
        """
        return self._shown(*self._replay.after(BinEdit.of(edit)))

    def apply(self, edit: BinEdit | Mapping[str, Any]) -> ReviewTable:
        """Make an edit; the shorthands below do no more than that.

        A trend that merges neighbours is kept with the cuts that are left, so that it means the same on other rows.

        Raises
        ------
        InputError : an edit without a reason, or one that does not fit the present bins.
        """
        made = self._complete(BinEdit.of(edit))
        self._make(made)
        self._undone = []
        return self.table(made.feature)

    def cut(self, feature: str, at: float, *, why: str, who: str | None = None) -> ReviewTable:
        """Add a cut."""
        return self._decide(feature, "cut", why, who, at=at)

    def merge(
        self, feature: str, at_or_values: float | Sequence[Value], *, why: str, who: str | None = None
    ) -> ReviewTable:
        """Merge the intervals on both sides of a cut, or the groups of categories that hold these values."""
        listed = isinstance(at_or_values, Iterable) and not isinstance(at_or_values, str)
        return self._decide(feature, "merge", why, who, **{"values" if listed else "at": at_or_values})

    def move(self, feature: str, at: float, to: float, *, why: str, who: str | None = None) -> ReviewTable:
        """Move a cut, up to its neighbours."""
        return self._decide(feature, "move", why, who, at=at, to=to)

    def cuts(self, feature: str, cuts: Sequence[float], *, why: str, who: str | None = None) -> ReviewTable:
        """Set all cuts of a numeric feature."""
        return self._decide(feature, "cuts", why, who, cuts=cuts)

    def split(self, feature: str, values: Sequence[Value], *, why: str, who: str | None = None) -> ReviewTable:
        """Make categories a group of their own."""
        return self._decide(feature, "split", why, who, values=values)

    def merges(
        self, feature: str, groups: Sequence[Sequence[Value]], *, why: str, who: str | None = None
    ) -> ReviewTable:
        """Set groups of categories; values that are named nowhere stay as they were grouped."""
        return self._decide(feature, "merges", why, who, groups=groups)

    def trend(
        self,
        feature: str,
        trend: Literal["ascending", "descending", "none"],
        *,
        why: str,
        who: str | None = None,
    ) -> ReviewTable:
        """Ask for a trend of the points, and merge neighbours that go against it; "none" takes the wish back."""
        return self._decide(feature, "trend", why, who, trend=trend)

    def missing(
        self, feature: str, policy: PolicyName, *, bin: Value | None = None, why: str, who: str | None = None
    ) -> ReviewTable:
        """Say how missing values are valued; `bin` is a value in the bin of the policy "with"."""
        return self._decide(feature, "missing", why, who, policy=policy, bin=bin)

    def special(
        self,
        feature: str,
        policy: PolicyName,
        *,
        bin: Value | None = None,
        codes: Sequence[Value] = (),
        why: str,
        who: str | None = None,
    ) -> ReviewTable:
        """Say how special codes are valued: these, or all of the feature; `bin` is a value in the bin of "with"."""
        return self._decide(feature, "special", why, who, policy=policy, bin=bin, codes=tuple(codes))

    def select(self, feature: str, stays: Stays, *, why: str, who: str | None = None) -> ReviewTable:
        """Say whether a feature must stay or never may where a learner selects; "free" leaves it to the selector."""
        return self._decide(feature, "select", why, who, stays=stays)

    def undo(self) -> BinEdit:
        """Take back the last decision, and return it.

        Raises
        ------
        InputError : there is none.
        """
        if not self._done:
            raise InputError("there is nothing to undo", where="review", fix="make an edit first")
        edit, bins, table = self._done.pop()
        self._replay.put_back(edit.feature, bins, table)
        self._undone.append(edit)
        return edit

    def redo(self) -> BinEdit:
        """Make the decision again that was taken back last, and return it.

        Raises
        ------
        InputError : there is none, or another one was made since.
        """
        if not self._undone:
            raise InputError("there is nothing to redo", where="review", fix="undo an edit first")
        edit = self._undone.pop()
        self._make(edit)
        return edit

    def save(self, path: AnyPath, *, overwrite: bool = False) -> None:
        """Write the edits as TOML, with the bins that they started from, so that they mean the same on other rows.

        The header names the binner. Edits that do not say who made them are those of `who`.

        Raises
        ------
        InputError : an edit of nobody, or a file that cannot be written.
        """
        write_review(path, self._listed(), header=self.header, choice=self.choice, overwrite=overwrite)

    def load(self, path: AnyPath) -> None:
        """Put the edits of a file in the place of those made so far; if one is refused, nothing changes.

        Warns where the file says that bins of another binner, or of other options, were reviewed.
        """
        header, edits, choice = read_whole(path)
        self._take(edits)
        self.choice = choice
        if header is not None and (differences := list(header.differences(self.header))):
            warn_caller(f"{str(path)!r} is a review of other bins: {'; '.join(differences)}", UserWarning)

    def checkpoint(self) -> Callable[[], None]:
        """What takes the review back to where it is now, with all that can be undone and redone."""
        replay, done, undone = self._replay.copy(), list(self._done), list(self._undone)
        choice = self.choice

        def restore() -> None:
            self._replay, self._done, self._undone = replay, done, undone
            self.choice = choice

        return restore

    def binner(self, *, without: int = 0, further: Sequence[BinEdit] = ()) -> Binner:
        """A copy of the binner that replays the review, for any learner.

        Parameters
        ----------
        without : how many of the last edits it does not have.
        further : edits that it has, too; the review has them not.
        """
        made: Binner = clone(self._binner)
        made.set_params(edits=(*self._listed(without), *further))
        return made

    def _decide(self, feature: str, action: Action, why: str, who: str | None, **detail: Any) -> ReviewTable:
        edit = BinEdit(feature=feature, action=action, who=self.who if who is None else who, why=why, **detail)
        return self.apply(edit)

    def _complete(self, edit: BinEdit) -> BinEdit:
        """The edit with who makes it, and with the cuts that a trend leaves."""
        if edit.action == "start":
            fix = "give the edits to Review(edits=...), or load them"
            raise InputError("where a review starts is no decision", where=edit.where, got=edit.action, fix=fix)
        if not edit.why.strip():
            fix = 'say why, for example why="policy limit"'
            raise InputError("an edit needs a reason, for the audit trail", where=edit.where, got=edit.why, fix=fix)
        cuts = edit.cuts
        if edit.action == "trend" and edit.trend != "none":
            cuts = self._replay.after(edit)[0].cuts
        return replace(edit, who=edit.who or self.who, cuts=cuts)

    def _make(self, edit: BinEdit) -> None:
        self._done.append((edit, *self._replay.apply(edit)))

    def _take(self, edits: Sequence[BinEdit]) -> None:
        """Begin anew, and make these edits; what was there stays if one of them is refused."""
        replay = self._started.copy()
        done: list[tuple[BinEdit, Bins, BinTable]] = []
        starts_first = sorted(enumerate(edits, 1), key=lambda each: each[1].action != "start")
        for position, edit in starts_first:
            try:
                before = replay.apply(edit)
            except InputError as error:
                raise numbered(error, position) from None
            if edit.action != "start":
                done.append((edit, *before))
        self._replay = replay
        self._done, self._undone = done, []

    def _listed(self, without: int = 0) -> tuple[BinEdit, ...]:
        """For each feature whose bins were edited those before the first edit, and then all edits but the last ones."""
        first: dict[str, Bins] = {}
        done = self._done[: len(self._done) - without]
        for edit, bins, _ in done:
            if edit.shapes_bins:
                first.setdefault(edit.feature, bins)
        signed = (edit if edit.who.strip() else replace(edit, who=self.who) for edit, _, _ in done)
        return (*(_start(bins) for bins in first.values()), *signed)

    def _bins(self, feature: str) -> Bins:
        if feature not in self._replay.bins:
            fix = did_you_mean(feature, self.features)
            raise InputError("unknown column", where="review", got=feature, fix=fix)
        return self._replay.bins[feature]

    def _shown(self, bins: Bins, table: BinTable) -> ReviewTable:
        counter = cast(BinCounter, self._replay.counters[bins.feature.name])
        return ReviewTable.of(table, counter, bins.nominal)


def _start(bins: Bins) -> BinEdit:
    return BinEdit(
        feature=bins.feature.name,
        action="start",
        cuts=None if bins.nominal else bins.cuts,
        groups=bins.groups if bins.nominal else None,
        trend=bins.trend,
    )
