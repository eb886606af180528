"""What a scorecard or a rule set does: as a picture, and as what the picture shows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from scrutable.data.frames.same_kind import FrameKind, kind_of, rows_like
from scrutable.errors import InputError
from scrutable.model import Interaction, Model, RuleSet
from scrutable.model.codec import encode
from scrutable.plots.effects import Effect, importance, main_effects
from scrutable.plots.figures import plot_importance, plot_main_effects, plot_model
from scrutable.plots.rules import plot_coverage, plot_rules
from scrutable.plots.tables import drawn_tables

if TYPE_CHECKING:
    from matplotlib.figure import Figure

What = Literal["both", "effects", "importance"]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class ModelPicture:
    """What is drawn of a model; made by `picture_of`.

    Parameters
    ----------
    model : a scorecard, the only kind whose effects can be drawn, or a rule set; drawing refuses others.
    what, features : of a scorecard, what is drawn, and of which characteristics; all where None.
    applicants : of a rule set, those to count on; None for no coverage.
    """

    model: Any
    what: What = "both"
    features: Sequence[str] | None = None
    applicants: Any = None
    kind: FrameKind

    def plot(self) -> Figure:
        """The picture.

        Raises
        ------
        InputError : a kind of model that has none, no such characteristic, or matplotlib is not installed.
        """
        if isinstance(self.model, RuleSet):
            return plot_rules(self.model) if self.applicants is None else plot_coverage(self.model, self.applicants)
        if self.what == "importance":
            return plot_importance(self.model)
        return (plot_model if self.what == "both" else plot_main_effects)(self.model, self._features)

    def frame(self) -> Any:
        """A row for each attribute with its points, or for each rule with its weight."""
        if isinstance(self.model, RuleSet):
            return rows_like(self.to_dict()["rules"], self.kind)
        return rows_like(self._steps(), self.kind)

    def to_dict(self) -> dict[str, Any]:
        """What the picture shows, as plain values for JSON."""
        if isinstance(self.model, RuleSet):
            return self._of_rules()
        shown: dict[str, Any] = {}
        if self.what != "effects":
            shown["importance"] = importance(self.model)
        if self.what != "importance":
            effects = main_effects(self.model, self._features)
            shown["effects"] = {name: _plain(effect) for name, effect in effects.items()}
            shown |= {"interactions": tables} if (tables := dict(map(_table, self._tables))) else {}
        return shown

    def __repr__(self) -> str:
        return f"ModelPicture({self.what if not isinstance(self.model, RuleSet) else 'rules'} of {self.model!r})"

    @property
    def _features(self) -> list[str] | None:
        return None if self.features is None else list(self.features)

    def _of_rules(self) -> dict[str, Any]:
        from scrutable.model.rulesets import fallback_sentences, read_rules, rule_set_figures

        return {
            "figures": rule_set_figures(self.model, self.applicants).to_dict(),
            "rules": [each.to_dict() for each in read_rules(self.model, self.applicants)],
            "fallback": list(fallback_sentences(self.model)),
        }

    def _steps(self) -> Iterator[dict[str, Any]]:
        for name, effect in main_effects(self.model, self._features).items():
            for step in effect.steps:
                told = {"attribute": step.title, "points": step.points, "log_odds": step.log_odds, "share": step.share}
                yield {"feature": name, **told}
        for table in self._tables:
            for title, points in zip(table.titles, table.cells, strict=True):
                yield {"feature": table.name, "attribute": title, "points": points, "log_odds": None, "share": None}

    @property
    def _tables(self) -> Sequence[Interaction]:
        """The interactions that are drawn: of the features that are named, or all."""
        return drawn_tables(self.model, self._features)


def picture_of(
    model: Model, *, what: What | None = None, features: Sequence[str] | None = None, data: Any = None
) -> ModelPicture:
    """What a scorecard or a rule set does, to be drawn or read.

    Parameters
    ----------
    what : of a scorecard: how much each characteristic matters, the main effects, or both.
    features : of a scorecard, the characteristics whose effects are drawn; all if none is named.
    data : of a rule set, a frame of applicants to count its coverage on.

    Raises
    ------
    InputError : an option of another kind of model.

    Examples
    --------
    >>> from scrutable.testing.cards import card
    >>> picture = picture_of(card(), what="effects")
    >>> picture.frame()["feature"].unique().tolist() == list(picture.to_dict()["effects"])
    True
    """
    if isinstance(model, RuleSet):
        for option, given in (("--what", what), ("--feature", features)):
            if given:
                raise InputError("a rule set has no characteristics", where=option, got=given, fix="leave it out")
        return ModelPicture(model=model, applicants=data, kind=kind_of(data))
    if data is not None:
        raise InputError("only the coverage of rules is counted on applicants", where="--data", fix="leave it out")
    return ModelPicture(model=model, what=what or "both", features=features or None, kind=kind_of(None))


def _table(table: Interaction) -> tuple[str, dict[str, Any]]:
    """An interaction by its name: what its rows and columns are, and the points row by row."""
    rows, columns = ({"feature": axis.feature, "attributes": list(axis.titles)} for axis in table.axes)
    return table.name, {"rows": rows, "columns": columns, "points": [list(row) for row in table.points]}


def _plain(effect: Effect) -> list[dict[str, Any]]:
    return [
        {
            "condition": encode(step.condition, tagged=True),
            "title": step.title,
            "points": step.points,
            "log_odds": step.log_odds,
            "share": step.share,
        }
        for step in effect.steps
    ]
