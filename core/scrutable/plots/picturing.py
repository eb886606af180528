"""What a scorecard or a rule set does: as a picture, and as what the picture shows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from scrutable.data.frames.same_kind import FrameKind, kind_of, rows_like
from scrutable.errors import InputError
from scrutable.model import Evidence, Interaction, Model, PointIntervals, RuleSet
from scrutable.model.codec import encode
from scrutable.plots.attributes import plot_attributes
from scrutable.plots.effects import Effect, importance, main_effects, scorecard_to_draw
from scrutable.plots.figures import plot_importance, plot_main_effects, plot_model
from scrutable.plots.rules import plot_coverage, plot_rules
from scrutable.plots.tables import drawn_tables

if TYPE_CHECKING:
    from matplotlib.figure import Figure

#: What is told of each attribute beside its interval.
_FIGURES = ("points", "log_odds", "share", "woe", "event_rate")

What = Literal["both", "effects", "importance", "attributes"]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class ModelPicture:
    """What is drawn of a model; made by `picture_of`.

    Parameters
    ----------
    model : a scorecard, the only kind whose effects can be drawn, or a rule set; drawing refuses others.
    what, features : of a scorecard, what is drawn, and of which characteristics; all where None.
    intervals : of a scorecard, of its points; None where nothing is known of them.
    applicants : of a rule set, those to count on; None for no coverage.
    """

    model: Any
    what: What = "both"
    features: Sequence[str] | None = None
    intervals: PointIntervals | None = None
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
        if self.what == "attributes":
            return plot_attributes(self.model, self._features)
        draw = plot_model if self.what == "both" else plot_main_effects
        return draw(self.model, self._features, intervals=self.intervals)

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
        if self.what not in ("effects", "attributes"):
            shown["importance"] = importance(self.model)
        if self.what != "importance":
            effects = main_effects(self.model, self._features, intervals=self.intervals)
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
        for name, effect in main_effects(self.model, self._features, intervals=self.intervals).items():
            for step in effect.steps:
                low, high = step.interval or (None, None)
                figures = {each: getattr(step, each) for each in _FIGURES}
                yield {"feature": name, "attribute": step.title, **figures, "low": low, "high": high}
        for table in self._tables:
            for title, points in zip(table.titles, table.cells, strict=True):
                nothing = dict.fromkeys((*_FIGURES, "low", "high"))
                yield {"feature": table.name, "attribute": title, **nothing, "points": points}

    @property
    def _tables(self) -> Sequence[Interaction]:
        """The interactions that are drawn: of the features that are named, or all."""
        return drawn_tables(self.model, self._features)


def picture_of(
    model: Model,
    *,
    what: What | None = None,
    features: Sequence[str] | None = None,
    data: Any = None,
    evidence: Evidence | None = None,
) -> ModelPicture:
    """What a scorecard or a rule set does, to be drawn or read.

    Parameters
    ----------
    what : of a scorecard: how much each characteristic matters, the main effects, or both; or the attributes with what
        was seen of them.
    features : of a scorecard, the characteristics whose effects are drawn; all if none is named.
    data : of a rule set, a frame of applicants to count its coverage on.
    evidence : of a scorecard, to draw intervals of its points.

    Raises
    ------
    InputError : an option of another kind of model; evidence that says nothing of the points that the model has.

    Examples
    --------
    >>> from scrutable.testing.cards import card
    >>> picture = picture_of(card(), what="effects")
    >>> picture.frame()["feature"].unique().tolist() == list(picture.to_dict()["effects"])
    True
    """
    if isinstance(model, RuleSet):
        for option, given in (("--what", what), ("--feature", features), ("--evidence", evidence)):
            if given:
                raise InputError("a rule set has no characteristics", where=option, got=given, fix="leave it out")
        return ModelPicture(model=model, applicants=data, kind=kind_of(data))
    if data is not None:
        raise InputError("only the coverage of rules is counted on applicants", where="--data", fix="leave it out")
    intervals = None if evidence is None else _intervals(evidence, model)
    return ModelPicture(
        model=model, what=what or "both", features=features or None, intervals=intervals, kind=kind_of(None)
    )


def _intervals(evidence: Evidence, model: Model) -> PointIntervals:
    known = PointIntervals.of(evidence, scorecard_to_draw(model))
    if known is None:
        raise InputError(
            "the evidence has no intervals of the model's points",
            where="--evidence",
            got=f"evidence of {', '.join(evidence.metrics) or 'no figures'}",
            allowed="evidence of a learner that tells them, and of a model that still has these points",
            fix="leave it out",
        )
    return known


def _table(table: Interaction) -> tuple[str, dict[str, Any]]:
    """An interaction by its name: what its rows and columns are, and the points row by row."""
    rows, columns = ({"feature": axis.feature, "attributes": list(axis.titles)} for axis in table.axes)
    return table.name, {"rows": rows, "columns": columns, "points": [list(row) for row in table.points]}


def _plain(effect: Effect) -> list[dict[str, Any]]:
    return [
        {
            "condition": encode(step.condition, tagged=True),
            "title": step.title,
            **{name: getattr(step, name) for name in _FIGURES},
            "interval": None if step.interval is None else list(step.interval),
        }
        for step in effect.steps
    ]
