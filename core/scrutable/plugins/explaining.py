"""Explanations of the rows of a frame: by an explainer, or the votes of a rule set, which need none."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from scrutable.data.config import ReadingConfig
from scrutable.data.frames.names import known_column
from scrutable.data.frames.records import plain_values
from scrutable.data.frames.table import Table
from scrutable.data.grouped import Probabilities, check_columns, read_groups
from scrutable.data.reading import place_of, read_columns, read_rows
from scrutable.errors import InputError
from scrutable.model import Model, RegressionScorecard, RuleSet
from scrutable.model.contents import numbers_of, texts_of
from scrutable.model.rulesets import row_votes
from scrutable.plugins.bases.answers import explained
from scrutable.plugins.bases.capable import overriders, overrides
from scrutable.plugins.bases.explainer import Explainer
from scrutable.plugins.bases.explanation import Drawn, Explanation, Summary
from scrutable.plugins.bases.exporter import Progress
from scrutable.plugins.bases.reason_explainers import reasons_explainer
from scrutable.plugins.choices import Choice

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.figure import Figure

    from scrutable.data.frames.same_kind import FrameKind

_NOTHING = ReadingConfig()


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Explained:
    """Explanations of n applicants; made by `explain`.

    Parameters
    ----------
    explainer : what explained them; None where the model did.
    applicants : (n rows) as they were given, or the columns of them that were read.
    numbers, names : (n,) of rows, 1 being the first; what the id column calls them, or None.
    explanations : (n,) of them.
    protected, probabilities : columns of protected attributes, for a summary.
    cuts : where those of numbers are cut into groups, by name.
    kind : of the frame that `frame` gives; pandas if None.
    """

    explainer: Explainer | None
    applicants: pd.DataFrame | Table
    numbers: Sequence[int]
    names: Sequence[Any]
    explanations: Sequence[Explanation]
    protected: Sequence[str] = ()
    probabilities: Probabilities = field(default_factory=dict)
    cuts: Mapping[str, Sequence[float]] = field(default_factory=dict)
    kind: FrameKind | None = None

    @property
    def decided(self) -> bool:
        """Whether every explanation is of a decision."""
        return all(each.approved is not None for each in self.explanations)

    def declined(self) -> Explained:
        """Those who were declined.

        Raises
        ------
        InputError : nothing is decided.
        """
        if not self.decided:
            raise InputError("a decision needs two classes", where="--only-declined", fix="leave it out")
        kept = [place for place, each in enumerate(self.explanations) if not each.approved]
        return replace(
            self,
            applicants=_taken(self.applicants, kept),
            numbers=[self.numbers[place] for place in kept],
            names=[self.names[place] for place in kept],
            explanations=[self.explanations[place] for place in kept],
        )

    def summary(self) -> Summary:
        """All of them summed up, and by protected groups if there are any.

        Raises
        ------
        InputError : the explainer sums nothing up, there is nobody, or as in `Groups.from_frame`.
        """
        if self.explainer is None or not overrides(type(self.explainer), Explainer, "summarise"):
            others = [f"--explainer {name}" for name in overriders("explainer", Explainer, "summarise")]
            such = f", or name an explainer that does, such as {' or '.join(others)}" if others else ""
            raise InputError("this explainer sums nothing up", where="--summary", fix=f"leave it out{such}")
        groups = None
        # the summary warns of small groups, and refuses nobody; columns alone are read where nobody asks for groups
        if self.explanations and not isinstance(self.applicants, Table):
            groups = read_groups(self.applicants, self.protected, self.probabilities, cuts=self.cuts, min_group_size=0)
        return self.explainer.summarise(self.explanations, groups)

    def frame(self) -> Any:
        """A row for each applicant: number, id, decision, and the explanation in words."""
        from scrutable.data.frames.same_kind import PANDAS, rows_like

        told = zip(self.numbers, self.names, self.explanations, strict=True)
        rows = ({"row": n, "id": who, "approved": each.approved, "told": each.describe()} for n, who, each in told)
        return rows_like(rows, self.kind or PANDAS)

    def to_dict(self) -> list[dict[str, Any]]:
        """Plain values for JSON, a dict for each applicant."""
        told = zip(self.numbers, self.names, self.explanations, strict=True)
        return [{"id": who, **each.to_dict(), "row": number} for number, who, each in told]

    def plot(self) -> Figure:
        """The figure of the only one.

        Raises
        ------
        InputError : there is not one applicant, or nothing to draw of them.
        """
        check_one(len(self.explanations))
        [only] = self.explanations
        if not isinstance(only, Drawn):
            fix = "leave it out, or name an explainer that draws, with --explainer"
            raise InputError("there is no picture of this explanation", where="--plot", fix=fix)
        return only.plot()

    def __repr__(self) -> str:
        declined = sum(each.approved is False for each in self.explanations)
        decided = f", {declined:,} declined" if self.decided else ""
        return f"Explained({len(self.explanations):,} applicants{decided})"


def explain(
    model: Model,
    data: Any,
    *,
    explainer: Explainer | None = None,
    rows: Sequence[int] = (),
    reference: Any = None,
    identifier: str | None = None,
    protected: Sequence[str] = (),
    probabilities: Probabilities | None = None,
    cuts: Mapping[str, Sequence[float]] | None = None,
    progress: Progress | None = None,
    place: str | None = None,
) -> Explained:
    """Why each applicant got the score and the decision; of a rule set without reasons, which rules voted for what.

    Parameters
    ----------
    data : applicants, with the columns that the model reads: a frame of any kind, a path, or a `Table`, which serves
        where `reads_columns` says so.
    explainer : the default gives reason codes, or the votes of a rule set that holds no reasons.
    rows : numbers of rows, 1 being the first; none for all of them.
    reference : a frame of applicants to compare with.
    identifier : column that says what people call the rows.
    protected, probabilities : columns of protected attributes, for `Explained.summary`.
    cuts : where those of numbers are cut into groups, by name; at their quartiles if not given.
    progress : follows the explanations of an explainer that takes its time, as they come.
    place : how errors name the data.

    Raises
    ------
    InputError, KindError : a column or a row that is not there, a model of a quantity and no explainer; as the
        explainer.

    Examples
    --------
    >>> from scrutable.testing.contract.examples.models import models_named
    >>> known = {"amount": [1.0, 9.0], "job": ["x", "cook"], "age": [10.0, 40.0], "region": [1.0, 1.0]}
    >>> import pandas as pd
    >>> rows = pd.DataFrame(known)
    >>> explained = explain(models_named()["scorecard"], rows)
    >>> explained
    Explained(2 applicants, 1 declined)
    >>> explained.declined().frame()["row"].tolist()
    [1]
    """
    where = place or place_of(data)
    named = [] if identifier is None else [identifier]
    grouped = {} if probabilities is None else probabilities
    chosen = explainer or _default(model)
    light = reads_columns(chosen, protected, grouped)
    applicants = _read(data, light, text={*texts_of(model), *named}, numbers=numbers_of(model))
    for name in named:
        known_column(name, map(str, applicants), f"--id, {where}")
    if not isinstance(applicants, Table):
        check_columns(applicants, protected, grouped)
    numbers = _numbers(rows, count_of(applicants), where)
    picked = _taken(applicants, [number - 1 for number in numbers])
    if chosen is None:
        if reference is not None:
            refuse_beside_votes("--reference", type(reference).__name__)
        explanations: Sequence[Explanation] = row_votes(model, picked)
    else:
        explanations = _explanations(chosen, model, picked, reference, progress)
    return Explained(
        explainer=chosen,
        applicants=picked,
        numbers=numbers,
        names=[None] * len(numbers) if identifier is None else _names(picked, identifier),
        explanations=explanations,
        protected=protected,
        probabilities=grouped,
        cuts=cuts or {},
        kind=_kind_of(data),
    )


def reads_columns(explainer: Explainer | None, protected: Sequence[str], probabilities: Probabilities) -> bool:
    """Whether columns are enough to explain rows, so that no frame is made of them; None is the model's own votes."""
    return not protected and not probabilities and (explainer is None or explainer.takes_columns)


def count_of(applicants: pd.DataFrame | Table) -> int:
    """How many rows there are."""
    return applicants.n_rows if isinstance(applicants, Table) else len(applicants)


def votes_alone(model: Model) -> bool:
    """Whether a model is explained by its own votes where no explainer is named."""
    return isinstance(model, RuleSet) and model.reasons is None


def refuse_beside_votes(name: str, given: Any) -> None:
    """Refuse what only an explainer would use."""
    fix = "leave it out, or name an explainer with --explainer"
    raise InputError("votes of rules are what they are, without an explainer", where=name, got=given, fix=fix)


def check_one(count: int) -> None:
    """Refuse a picture of more or fewer applicants than one."""
    if count != 1:
        fix = "name one, for example --row 7"
        raise InputError("a picture shows one applicant", where="--plot", got=count, fix=fix)


def _default(model: Model) -> Explainer | None:
    """The explainer of those who name none; None where the model explains itself."""
    if isinstance(model, RegressionScorecard):
        raise InputError(
            "a prediction is no decision, so there are no reasons for it",
            where="scrutable explain",
            got=type(model).__name__,
            fix="`scrutable score --points` shows what each prediction is made of",
        )
    if votes_alone(model):
        return None
    made: Explainer = Choice(name=reasons_explainer()).create("explainer")
    return made


def _explanations(
    explainer: Explainer, model: Model, picked: pd.DataFrame | Table, reference: Any, progress: Progress | None
) -> Sequence[Explanation]:
    n_rows = count_of(picked)
    if progress is None:
        return explained(explainer, explainer.explain(model, picked, reference=reference), n_rows)
    one_by_one = explainer.explain_each(model, picked, reference=reference)
    return explained(explainer, list(progress(one_by_one, n_rows)), n_rows)


def _read(data: Any, light: bool, **kinds: Any) -> pd.DataFrame | Table:
    if isinstance(data, Table):
        return data
    reading = read_columns if light and isinstance(data, str | os.PathLike) else read_rows
    return reading(data, _NOTHING, **kinds)


def _taken(applicants: pd.DataFrame | Table, places: Sequence[int]) -> pd.DataFrame | Table:
    """The rows at some places."""
    if not isinstance(applicants, Table):
        return applicants.iloc[list(places)]
    return applicants.subset(np.array(places, dtype=np.intp))


def _names(applicants: pd.DataFrame | Table, identifier: str) -> Sequence[Any]:
    if isinstance(applicants, Table):
        names: list[Any] = applicants.column(identifier).values.tolist()
        return names
    return plain_values(applicants[identifier])


def _kind_of(data: Any) -> FrameKind | None:
    """The kind of a frame; None of a path and of columns."""
    if isinstance(data, str | os.PathLike | Table):
        return None
    from scrutable.data.frames.same_kind import kind_of

    return kind_of(data)


def _numbers(rows: Sequence[int], n_rows: int, where: str) -> Sequence[int]:
    for number in rows:
        if not 1 <= number <= n_rows:
            raise InputError(
                "no such row", where=f"--row, {where}", got=number, allowed=f"1 to {n_rows}", fix="correct it"
            )
    return rows or range(1, n_rows + 1)
