"""Several models put together as one: a segment each, with its own cutoff, policy and reasons."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from scrutable.errors import InputError, did_you_mean
from scrutable.model import (
    Clause,
    ClauseCondition,
    Conjunction,
    Feature,
    FrozenMapping,
    Model,
    Provenance,
    RuleSet,
    Scorecard,
    Segment,
    SegmentedModel,
    SingleModel,
    TreeEnsemble,
    describe_all,
    fingerprint,
    freeze,
    read_conditions,
)
from scrutable.model.segmented import agreeing

#: Who belongs to a segment: a text, clauses, or conditions by feature, all of which have to hold.
When = str | Sequence[Clause] | Mapping[str, ClauseCondition | Sequence[ClauseCondition]]


def combine(
    models: Mapping[str, Model],
    when: Mapping[str, When],
    *,
    features: Iterable[Feature] = (),
    provenance: Provenance | None = None,
) -> SegmentedModel:
    """One model out of several: an applicant gets the first whose condition holds, and else the last.

    Features that conditions read are of the kind that they have in the models, with the special codes of all of them.
    Where two models call different reasons by one code, all codes are numbered anew, R01, R02 and so on: the same text
    has the same code in every segment. So are M01, M02 and so on of knock-outs of missing values.

    Parameters
    ----------
    models : by the name of their segment, in the order in which conditions are tried.
    when : the condition of each segment but the last: a text as `scrutable.model.read_conditions` reads it,
        clauses, or a condition or several alternative ones by feature.
    features : what the conditions read and no model does, or what is to have other special codes there.
    provenance : of the whole; if not given it tells the fingerprints of the models that were put together.

    Raises
    ------
    InputError : conditions that are missing, cannot be read, or name a feature that nobody knows; features that no
        condition reads; models that have segments themselves, or predict a quantity; two knock-outs of one code.
    ModelError : models that decide about different outcomes or read a column as different kinds.

    Examples
    --------
    >>> from scrutable import create, evaluate
    >>> from scrutable.data.datasets import make_credit
    >>> data = make_credit(600, seed=1)
    >>> new = data.X["employment_months"] < 24
    >>> learner = create("learner", "scorecard", binner="quantile", favourable=0, select=None)
    >>> thin, rest = (learner.fit(data.X[rows], data.y[rows]).model_ for rows in (new, ~new))
    >>> model = combine({"new": thin, "others": rest}, {"new": "employment_months < 24"})
    >>> (evaluate(model, data.X).segment == "new").tolist() == new.tolist()
    True
    """
    _check_mapping(models, "models", "models")
    _check_mapping(when, "when", "conditions")
    read = {name: read_when(name, condition) for name, condition in when.items()}
    _check_names(models, read)
    singles = {name: _single(name, model) for name, model in models.items()}
    agreed = agreeing(singles)
    _check_rules(agreed)
    segments = tuple(Segment(name=name, model=model, when=read.get(name, ())) for name, model in agreed.items())
    routing = _routing(segments, _by_name(features))
    return SegmentedModel(
        segments=segments,
        routing=routing,
        provenance=_provenance(segments, models) if provenance is None else provenance,
    )


def read_when(name: str, when: When) -> Conjunction:
    """The clauses of a segment's condition.

    Raises
    ------
    InputError : no condition, or one that cannot be read; the message names the segment.
    """
    try:
        clauses = _clauses(when)
    except InputError as error:
        error.where = f"segment {name!r}, {error.where}"
        raise
    if not clauses:
        raise InputError(
            "a condition that always holds leaves nobody for the segments that follow",
            where=f"segment {name!r}",
            got=when,
            fix="give the condition, and none to the last segment",
        )
    return clauses


def _clauses(when: When) -> Conjunction:
    if isinstance(when, str):
        return read_conditions(when)
    if isinstance(when, Mapping):
        by_feature = {name: given if isinstance(given, list | tuple) else (given,) for name, given in when.items()}
        if all(tests and all(isinstance(each, ClauseCondition) for each in tests) for tests in by_feature.values()):
            return tuple(Clause(feature, tuple(tests)) for feature, tests in by_feature.items())
    elif isinstance(when, list | tuple) and all(isinstance(clause, Clause) for clause in when):
        return tuple(when)
    raise InputError(
        "not a condition", where="condition", got=when, allowed="a text, clauses, or conditions by feature"
    )


def _check_mapping(given: object, where: str, what: str) -> None:
    if not isinstance(given, Mapping):
        raise InputError("expected a mapping", where=where, got=given, allowed=f"{what} by the name of their segment")


def _check_names(models: Mapping[str, Model], when: Mapping[str, Conjunction]) -> None:
    names = list(models)
    if not names:
        raise InputError("no model to combine", where="models", fix="give a model for each segment")
    for name in when:
        if name not in models:
            raise InputError("unknown segment", where="when", got=name, fix=did_you_mean(name, names))
    if names[-1] in when:
        raise InputError(
            "the last segment takes everybody else, so it has no condition",
            where=f"segment {names[-1]!r}",
            got=describe_all(when[names[-1]]),
            fix="leave its condition out, or add a segment without one",
        )
    lacking = [name for name in names[:-1] if name not in when]
    if lacking:
        raise InputError(
            "no condition says who belongs to the segment",
            where=f"segment {lacking[0]!r}",
            allowed="a condition for every segment but the last",
            fix=f"for example when={{{lacking[0]!r}: 'accounts < 3'}}",
        )


def _check_rules(models: Mapping[str, SingleModel]) -> None:
    """Refuse a code of two rules: unlike codes of features, those of knock-outs and other rules were chosen."""
    known: dict[str, str] = {}
    for name, model in models.items():
        for rule in model.policy.rules:
            if known.setdefault(rule.code, rule.reason) != rule.reason:
                raise InputError(
                    f"another segment's {rule.kind} has this code and another reason",
                    where=f"segment {name!r}, {rule.kind} {rule.code!r}",
                    got=rule.reason,
                    allowed=repr(known[rule.code]),
                    fix="give each its own code in the policies of the models",
                )


def _by_name(features: Iterable[Feature]) -> dict[str, Feature]:
    by_name: dict[str, Feature] = {}
    for feature in features:
        if by_name.setdefault(feature.name, feature) != feature:
            raise InputError("the feature is given twice", where="features", got=feature.name, fix="give it once")
    return by_name


def _single(name: str, model: Model) -> SingleModel:
    if isinstance(model, Scorecard | RuleSet | TreeEnsemble):
        return model
    raise InputError(
        "a segment has a single model that decides",
        where=f"segment {name!r}",
        got=repr(model),
        allowed="a scorecard, a rule set or trees",
        fix="combine the segments' own models" if isinstance(model, SegmentedModel) else None,
    )


def _routing(segments: Sequence[Segment], given: Mapping[str, Feature]) -> tuple[Feature, ...]:
    """The features that the conditions read, as given, or of the kind and with all the codes that the models know."""
    known: dict[str, Feature] = {}
    for feature in (feature for segment in segments for feature in segment.model.features):
        first = known.setdefault(feature.name, feature)
        codes = tuple(dict.fromkeys((*first.special_codes, *feature.special_codes)))
        known[feature.name] = Feature(
            name=first.name,
            kind=first.kind,
            special_codes=codes if first.kind == feature.kind else (),
            label=first.label,
        )
    known |= given
    read = dict.fromkeys(clause.feature for segment in segments for clause in segment.when)
    for name in read:
        if name not in known:
            raise InputError(
                "the condition reads a feature that no model reads",
                where="when",
                got=name,
                allowed=did_you_mean(name, known),
                fix=f"say what it is: features=[Feature(name={name!r}, kind='numeric')]",
            )
    for name in given:
        if name not in read:
            fix = did_you_mean(name, read)
            raise InputError("no condition reads the feature", where="features", got=name, fix=fix)
    return tuple(known[name] for name in read)


def _provenance(segments: Sequence[Segment], models: Mapping[str, Model]) -> Provenance:
    parts = [
        {"name": each.name, "when": each.describe(), "model_sha256": fingerprint(models[each.name])}
        for each in segments
    ]
    return Provenance(learner="combine", parameters=FrozenMapping({"segments": freeze(parts, "segments")}))
