"""The learner `segmented`: other learners, each on the rows of a segment, and their models as one."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from scrutable.data import SpecialCodes, TrainingData
from scrutable.errors import InputError, ScrutableError, did_you_mean
from scrutable.errors.checks import check_mapping, check_whole
from scrutable.model import Conjunction, Evidence, Feature, FrozenMapping, SegmentedModel
from scrutable.model.evaluator import ClauseMasks
from scrutable.plugins.bases import Alternative, Learner, estimator
from scrutable_segmented.combining import When, combine, read_when
from scrutable_segmented.segment_learner import learner_within
from scrutable_segmented.segment_rows import FittedSegment, SegmentRows

T = TypeVar("T")

#: The name of the one segment where none is named, and what stands for the condition of the last one.
_ALL, EVERYBODY_ELSE = "all", "else"


@estimator
class SegmentedClassifier(Learner):
    """A model for each segment of applicants, for thin and thick files for example, as one exportable whole.

    An applicant belongs to the first segment whose condition holds. Its model learns from the rows of the segment alone
    and has a cutoff, a policy and reasons of its own. Where two models call different reasons by one code, all codes
    are numbered anew. A column that is missing on all rows of a segment is left out there.

    Parameters
    ----------
    segments : conditions by name, in the order in which they are tried: texts such as "accounts < 3", see
        `scrutable.model.read_conditions`, clauses, or conditions by feature. The last one is "else": it takes
        everybody else. None makes one segment of all.
    learner : what learns within the segments: the name of a registered learner or a `Learner` with options, or either
        by segment.
    options : options of every learner.
    segment_options : further options by segment, such as {"thin file": {"approval_rate": 0.4}}.
    inputs : the columns that a segment's model may read, by segment; all where a segment is not named.
    min_rows : fewer rows than this in one of several segments are refused.
    special_codes : values by feature that are no measurement: conditions on numbers do not hold for them. Learners that
        have this option get it, too, and so do the binners of those that leave it to a binner.
    categorical, favourable, allow_protected, reference_groups : as in `Learner`; learners that have these options, or
        a binner that has, get them, unless they have values of their own.

    References
    ----------
    Siddiqi, N. (2006). Credit Risk Scorecards. Wiley. Chapter 4: segmentation.

    Examples
    --------
    >>> from scrutable.data.datasets import make_credit
    >>> data = make_credit(800, seed=1)
    >>> learner = SegmentedClassifier(
    ...     segments={"new in job": "employment_months < 24", "others": "else"},
    ...     options={"binner": "quantile"}, segment_options={"new in job": {"approval_rate": 0.4}}, favourable=0)
    >>> [segment.name for segment in learner.fit(data.X, data.y).model_.segments]
    ['new in job', 'others']
    """

    segments: Mapping[str, When] | None = None
    learner: str | Learner | Mapping[str, str | Learner] = "scorecard"
    options: Mapping[str, Any] | None = None
    segment_options: Mapping[str, Mapping[str, Any]] | None = None
    inputs: Mapping[str, Sequence[str]] | None = None
    min_rows: int = 50
    special_codes: SpecialCodes | None = None
    categorical: Sequence[str] = ()
    favourable: Any = None
    allow_protected: Sequence[str] = ()
    reference_groups: dict[str, str] | None = None

    def learn(self, data: TrainingData) -> tuple[SegmentedModel, Evidence]:
        learned = self._by_segment(data, lambda own, learner: own.learned(learner))
        return self._combined(list(learned.values()), data)

    def vary(self, data: TrainingData) -> Iterator[Alternative]:
        """The whole of the segments' first alternatives, then of those by each recipe that a segment's learner has.

        A segment whose learner has not made a model by a recipe keeps its first one, and the recipe says which have.
        """
        made = self._by_segment(data, lambda own, learner: list(own.alternatives(learner)))
        recipes = {each.name: each for alternatives in made.values() for each, _ in alternatives}
        by_name = {name: {each.name: part for each, part in alternatives} for name, alternatives in made.items()}
        for name, alternative in recipes.items():
            parts = [own.get(name, next(iter(own.values()))) for own in by_name.values()]
            having = [segment for segment, own in by_name.items() if name in own]
            only = {} if len(having) == len(by_name) else {"segments": tuple(having)}
            model, evidence = self._combined(parts, data)
            yield Alternative(
                method=alternative.method,
                parameters=FrozenMapping({**alternative.parameters, **only}),
                model=model,
                evidence=evidence,
            )

    def _by_segment(self, data: TrainingData, make: Callable[[SegmentRows, Learner], T]) -> dict[str, T]:
        """What is made of the rows of each segment."""
        check_whole(self.min_rows, "min_rows", 1)
        routes = self._routes()
        self._check_options(list(routes), data)
        rows = _rows(routes, _routing(routes, data), data)
        return {name: self._part(name, own, data, make) for name, own in rows.items()}

    def _combined(self, parts: Sequence[FittedSegment], data: TrainingData) -> tuple[SegmentedModel, Evidence]:
        """The models of the segments as one, and what is known of it."""
        routes = self._routes()
        model = combine(
            {part.name: part.model for part in parts},
            {name: when for name, when in routes.items() if when},
            features=_routing(routes, data).values(),
        )
        entry = {part.name: part.told(segment) for part, segment in zip(parts, model.segments, strict=True)}
        binning = {part.name: part.evidence.binning for part in parts if part.evidence.binning}
        return model, Evidence(
            model_sha256="",
            metrics=FrozenMapping({"segments": FrozenMapping(entry)}),
            binning=FrozenMapping({"segments": FrozenMapping(binning)} if binning else {}),
        )

    def versions(self) -> dict[str, str]:
        versions: dict[str, str] = {}
        for name in self._routes():
            versions |= self._learner(name, ()).versions()
        return versions

    def _routes(self) -> dict[str, Conjunction]:
        """The clauses of each segment; none of the last."""
        if self.segments is not None:
            check_mapping(
                self.segments, "segments", f"{{'thin file': 'accounts < 3', 'thick file': {EVERYBODY_ELSE!r}}}"
            )
        given = dict(self.segments or {_ALL: EVERYBODY_ELSE})
        names = list(given)
        for name, when in given.items():
            if (isinstance(when, str) and when == EVERYBODY_ELSE) != (name == names[-1]):
                raise InputError(
                    f"the last segment, and no other, is {EVERYBODY_ELSE!r}: everybody else",
                    where=f"segments, {name!r}",
                    got=when,
                    allowed=f"a condition, and {EVERYBODY_ELSE!r} for the last one",
                    fix=f"for example segments={{'thin file': 'accounts < 3', 'thick file': {EVERYBODY_ELSE!r}}}",
                )
        return {name: () if name == names[-1] else read_when(name, when) for name, when in given.items()}

    def _check_options(self, names: list[str], data: TrainingData) -> None:
        by_segment = {"segment_options": self.segment_options, "inputs": self.inputs}
        by_segment["learner"] = self.learner if isinstance(self.learner, Mapping) else None
        for option, given in by_segment.items():
            if given is not None:
                check_mapping(given, option, f"a mapping with {names[0]!r} as a key")
            for name in given or ():
                if name not in names:
                    raise InputError("unknown segment", where=option, got=name, fix=did_you_mean(name, names))
        if self.options is not None:
            check_mapping(self.options, "options", "{'binner': 'quantile'}")
        for name, own in (self.segment_options or {}).items():
            if own is not None:
                check_mapping(own, f"segment_options, segment {name!r}", "{'approval_rate': 0.4}")
        for name, columns in (self.inputs or {}).items():
            for column in columns:
                if column not in data.columns:
                    fix = did_you_mean(column, data.columns)
                    raise InputError("unknown column", where=f"inputs, segment {name!r}", got=column, fix=fix)

    def _learner(self, name: str, inputs: Sequence[str]) -> Learner:
        """The learner of a segment, which gets what the whole says of the columns that it is going to be fitted on."""
        chosen = self.learner.get(name) if isinstance(self.learner, Mapping) else self.learner
        options = {**(self.options or {}), **((self.segment_options or {}).get(name) or {})}
        return learner_within(chosen, options, self._shared(inputs))

    def _shared(self, inputs: Sequence[str]) -> dict[str, Any]:
        """Options that learners within segments have from the whole, where they have none of their own."""
        codes = self.special_codes
        if isinstance(codes, Mapping):
            codes = {name: values for name, values in codes.items() if name in inputs}
        return {
            "favourable": self.favourable,
            "allow_protected": [name for name in self.allow_protected if name in inputs],
            "special_codes": codes,
            "categorical": [name for name in self.categorical if name in inputs],
        }

    def _part(
        self, name: str, rows: NDArray[np.bool_], data: TrainingData, make: Callable[[SegmentRows, Learner], T]
    ) -> T:
        """What is made of the rows of a segment."""
        _refuse_few(name, rows, data, 1 if rows.all() else self.min_rows)
        own = SegmentRows.of(name, np.flatnonzero(rows), data, (self.inputs or {}).get(name, tuple(data.columns)))
        try:
            return make(own, self._learner(name, own.inputs))
        except ScrutableError as error:
            error.where = f"segment {name!r}, {error.where}" if error.where else f"segment {name!r}"
            raise


def _routing(routes: Mapping[str, Conjunction], data: TrainingData) -> dict[str, Feature]:
    """The features that conditions read, by name."""
    known = {feature.name: feature for feature in data.features}
    for name, when in routes.items():
        for clause in when:
            if clause.feature not in known:
                raise InputError(
                    "the condition reads a column that is not there",
                    where=f"segment {name!r}",
                    got=clause.feature,
                    fix=did_you_mean(clause.feature, known),
                )
            clause.check(known, f"segment {name!r}")
    return {clause.feature: known[clause.feature] for when in routes.values() for clause in when}


def _rows(
    routes: Mapping[str, Conjunction], features: Mapping[str, Feature], data: TrainingData
) -> dict[str, NDArray[np.bool_]]:
    """(n,) rows of each segment."""
    masks = ClauseMasks(tuple(features.values()), data.columns, len(data.weight))
    left = np.ones(len(data.weight), dtype=bool)
    by_segment = {}
    for name, when in routes.items():
        by_segment[name] = left & masks.conjunction(when)
        left &= ~by_segment[name]
    return by_segment


def _refuse_few(name: str, rows: NDArray[np.bool_], data: TrainingData, least: int) -> None:
    counted = rows & (data.weight > 0)
    if counted.sum() < least:
        raise InputError(
            "too few rows to learn from",
            where=f"segment {name!r}",
            got=int(counted.sum()),
            allowed=f"at least {least}",
            fix="join it with another segment, or lower min_rows",
        )
    classes = data.classes[np.unique(data.label[counted])].tolist()
    if len(classes) < len(data.classes):
        raise InputError(
            "all rows have the same outcome",
            where=f"segment {name!r}",
            got=classes,
            allowed=str(data.classes.tolist()),
            fix="join it with another segment",
        )
