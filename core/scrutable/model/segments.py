"""Segments: a model of its own for each kind of applicant, for example thin and thick files."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from scrutable.data.features import Feature, index_features, refuse_unused
from scrutable.data.outcome import Outcome
from scrutable.data.values import name, unique
from scrutable.errors import ModelError
from scrutable.model.codec import tag
from scrutable.model.conditions import Conjunction, describe_all
from scrutable.model.provenance import Provenance
from scrutable.model.regression import RegressionScorecard
from scrutable.model.rules import RuleSet
from scrutable.model.scorecard import Scorecard
from scrutable.model.scorer_types import Scorer
from scrutable.model.trees import TreeEnsemble
from scrutable.writing.facades import named
from scrutable.writing.notebooks import NotebookTable, ShownInNotebooks

SingleModel = Scorecard | RuleSet | TreeEnsemble


@dataclass(frozen=True, slots=True, kw_only=True)
class Segment:
    """A model, with cutoff and policy of its own, for the applicants that satisfy all clauses."""

    name: str
    model: SingleModel
    when: Conjunction = ()

    def __post_init__(self) -> None:
        name(self.name, "segment name")

    def describe(self, features: dict[str, Feature] | None = None) -> str:
        """Who belongs to it, where nobody belongs to a segment before it.

        Parameters
        ----------
        features : by name, whose titles to use.
        """
        return describe_all(self.when, features) if self.when else "everybody else"


@dataclass(frozen=True, slots=True, kw_only=True)
class SegmentedModel(ShownInNotebooks):
    """Segments in order: an applicant belongs to the first whose clauses hold; the last one takes everybody else."""

    segments: tuple[Segment, ...]
    #: Features that the clauses of the segments read.
    routing: tuple[Feature, ...] = ()
    provenance: Provenance = field(default_factory=Provenance)

    def __post_init__(self) -> None:
        unique(tuple(segment.name for segment in self.segments), "segments")
        if not self.segments or self.segments[-1].when:
            raise ModelError(
                "nobody may be left without a model", where="segments", fix="give the last segment no conditions"
            )
        routed = index_features(self.routing)
        refuse_unused(routed, {clause.feature for segment in self.segments for clause in segment.when})
        for segment in self.segments:
            where = f"segment {segment.name!r}"
            for clause in segment.when:
                clause.check(routed, where)
            if segment.model.outcome != self.outcome:
                raise ModelError("segments must decide about one outcome", where=where)
        self._check_agreement()

    def notebook_tables(self) -> Iterator[NotebookTable]:
        """The segments, and the tables of each one's model."""
        titles = {feature.name: feature for feature in self.routing}
        rows = [[each.name, each.describe(titles), repr(each.model)] for each in self.segments]
        yield NotebookTable(headers=("segment", "who", "model"), rows=rows)
        for each in self.segments:
            for table in each.model.notebook_tables():
                yield replace(table, caption=each.name)

    def __repr__(self) -> str:
        return f"SegmentedModel({len(self.segments)} segments, {len(self.features)} features)"

    @property
    def kind(self) -> str:
        """The word for it in a model file."""
        return tag(type(self))

    @property
    def parts(self) -> tuple[SingleModel, ...]:
        """The models that score: those of the segments, in their order."""
        return tuple(segment.model for segment in self.segments)

    @property
    def outcome(self) -> Outcome:
        """The outcome that all segments share."""
        return self.segments[0].model.outcome

    def scorer(self, columns: Sequence[str] | None = None, *, reasons: bool = True) -> Scorer:
        """A function from one applicant to the score, the decision and the reasons; see `scrutable.model.scorer_of`."""
        score: Scorer = named("scrutable.model.scoring", "scorer_of")(self, columns, reasons=reasons)
        return score

    def _check_agreement(self) -> None:
        """One column has one kind, and one reason code one text, in whichever segment; special codes may differ."""
        texts: dict[str, str] = {}
        for segment in self.segments:
            for code, words in (segment.model.reasons.texts if segment.model.reasons else {}).items():
                if texts.setdefault(code, words) != words:
                    raise ModelError(
                        "segments disagree on the text of a reason code",
                        where=f"segment {segment.name!r}, code {code!r}",
                        got=words,
                        allowed=repr(texts[code]),
                        fix="give codes of their own to the segments' features",
                    )
        kinds: dict[str, str] = {}
        for feature in self.features:
            if kinds.setdefault(feature.name, feature.kind) != feature.kind:
                raise ModelError("segments disagree on the kind of a feature", where=f"feature {feature.name!r}")

    @property
    def features(self) -> tuple[Feature, ...]:
        """Every feature that routing or any segment's model reads, in order of first use."""
        every = self.routing + tuple(f for segment in self.segments for f in segment.model.features)
        return tuple(dict.fromkeys(every))


#: Models that decide between classes.
DecisionModel = Scorecard | RuleSet | TreeEnsemble | SegmentedModel
Model = DecisionModel | RegressionScorecard
