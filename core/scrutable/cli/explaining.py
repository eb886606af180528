"""One run of `scrutable explain`: the explanations of the rows of a file."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pandas as pd

from scrutable.cli.output import tracked, working
from scrutable.cli.tables import read_model_and_data, records
from scrutable.cli.votes import Votes
from scrutable.data.grouped import Probabilities, check_columns, read_groups
from scrutable.errors import InputError
from scrutable.model import Model, RegressionScorecard, RuleSet
from scrutable.model.rulesets import row_votes
from scrutable.plugins.bases.answers import explained
from scrutable.plugins.bases.capable import overriders, overrides
from scrutable.plugins.bases.explainer import Explainer
from scrutable.plugins.bases.explanation import Drawn, Explanation, Summary
from scrutable.plugins.bases.reason_explainers import reasons_explainer
from scrutable.plugins.choices import choice

if TYPE_CHECKING:
    from scrutable.plots import Figure


@dataclass(frozen=True, kw_only=True)
class Asked:
    """What is asked for.

    Parameters
    ----------
    explainer : an explainer's name; None for reason codes, and for a rule set without them the rules that voted.
    options : of the explainer, as key=value.
    rows : numbers of rows, 1 being the first; none for all of them.
    reference : applicants to compare with.
    identifier : column that says what people call the rows.
    protected : columns of protected attributes, for a summary.
    probabilities : columns of membership probabilities by attribute and group, for a summary.
    quiet : whether to show no progress.
    """

    model: Path
    data: Path
    explainer: str | None = None
    options: Sequence[str] = ()
    rows: Sequence[int] = ()
    reference: Path | None = None
    identifier: str | None = None
    protected: Sequence[str] = ()
    probabilities: Probabilities = field(default_factory=dict)
    quiet: bool = False


@dataclass(frozen=True, kw_only=True)
class Explained:
    """Explanations of n applicants.

    Parameters
    ----------
    explainer : what explained them; None where the model did.
    applicants : (n rows) as in the file.
    numbers, names : (n,) of rows; what the id column calls them, or None.
    found : (n,) explanations.
    protected, probabilities : as in what is asked for.
    """

    explainer: Explainer | None
    applicants: pd.DataFrame
    numbers: Sequence[int]
    names: Sequence[Any]
    found: Sequence[Explanation]
    protected: Sequence[str] = ()
    probabilities: Probabilities = field(default_factory=dict)

    @property
    def decided(self) -> bool:
        """Whether every explanation is of a decision."""
        return all(each.approved is not None for each in self.found)

    def declined(self) -> Explained:
        """Those who were declined.

        Raises
        ------
        InputError : nothing is decided.
        """
        if not self.decided:
            raise InputError("a decision needs two classes", where="--only-declined", fix="leave it out")
        kept = [place for place, each in enumerate(self.found) if not each.approved]
        return Explained(
            explainer=self.explainer,
            applicants=self.applicants.iloc[kept],
            numbers=[self.numbers[place] for place in kept],
            names=[self.names[place] for place in kept],
            found=[self.found[place] for place in kept],
            protected=self.protected,
            probabilities=self.probabilities,
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
        if self.found:  # the summary warns of small groups, and refuses nobody
            groups = read_groups(self.applicants, self.protected, self.probabilities, min_group_size=0)
        return self.explainer.summarise(self.found, groups)

    def picture(self) -> Figure:
        """The figure of the only one.

        Raises
        ------
        InputError : there is not one applicant, or nothing to draw of them.
        """
        check_one(len(self.found))
        [only] = self.found
        if not isinstance(only, Drawn):
            fix = "leave it out, or name an explainer that draws, with --explainer"
            raise InputError("there is no picture of this explanation", where="--plot", fix=fix)
        return only.plot()


def explain_rows(asked: Asked, *, one: bool = False) -> Explained:
    """Read, and explain the rows asked for.

    Parameters
    ----------
    one : refuse, before the work, any number of rows but one.
    """
    with working(f"Reading {asked.data}"):
        model, applicants = read_model_and_data(asked.model, asked.data, asked.identifier)
    check_columns(applicants, asked.protected, asked.probabilities)
    numbers = _numbers(asked.rows, len(applicants), asked.data)
    if one:
        check_one(len(numbers))
    picked = applicants.iloc[[number - 1 for number in numbers]]
    explainer, found = _explain(asked, model, picked)
    names = [None] * len(picked)
    if asked.identifier is not None:
        names = [row[asked.identifier] for row in records(picked[[asked.identifier]])]
    return Explained(
        explainer=explainer,
        applicants=picked,
        numbers=numbers,
        names=names,
        found=found,
        protected=asked.protected,
        probabilities=asked.probabilities,
    )


def check_one(count: int) -> None:
    """Refuse a picture of more or fewer applicants than one."""
    if count != 1:
        fix = "name one, for example --row 7"
        raise InputError("a picture shows one applicant", where="--plot", got=count, fix=fix)


def _explain(asked: Asked, model: Model, picked: pd.DataFrame) -> tuple[Explainer | None, Sequence[Explanation]]:
    """The explainer, and what it found; the model's own votes need none."""
    if asked.explainer is None and isinstance(model, RegressionScorecard):
        raise InputError(
            "a prediction is no decision, so there are no reasons for it",
            where="scrutable explain",
            got=type(model).__name__,
            fix="`scrutable score --points` shows what each prediction is made of",
        )
    if asked.explainer is None and isinstance(model, RuleSet) and model.reasons is None:
        _refuse_further(asked)
        return None, [Votes(each) for each in row_votes(model, picked)]
    explainer: Explainer = choice(asked.explainer or reasons_explainer(), asked.options, "--option").create("explainer")
    compared = None
    if asked.reference is not None:
        with working(f"Reading {asked.reference}"):
            compared = read_model_and_data(asked.model, asked.reference, None)[1]
    return explainer, _with_progress(explainer, asked, model, picked, compared)


def _with_progress(
    explainer: Explainer, asked: Asked, model: Model, picked: pd.DataFrame, compared: pd.DataFrame | None
) -> Sequence[Explanation]:
    on = f"Explaining {asked.data}"
    if asked.quiet or not overrides(type(explainer), Explainer, "explain_each"):
        with working(on):
            return explained(explainer, explainer.explain(model, picked, reference=compared), picked)
    one_by_one = explainer.explain_each(model, picked, reference=compared)
    return explained(explainer, list(tracked(one_by_one, len(picked), on)), picked)


def _refuse_further(asked: Asked) -> None:
    for given, name in ((asked.options, "--option"), (asked.reference, "--reference")):
        if given:
            fix = "leave it out, or name an explainer with --explainer"
            raise InputError("votes of rules are what they are, without an explainer", where=name, got=given, fix=fix)


def _numbers(rows: Sequence[int], n_rows: int, data: Path) -> Sequence[int]:
    for number in rows:
        if not 1 <= number <= n_rows:
            raise InputError(
                "no such row",
                where=f"--row, file {str(data)!r}",
                got=number,
                allowed=f"1 to {n_rows}",
                fix="correct it",
            )
    return rows or range(1, n_rows + 1)
