"""Rules added to a model and taken out of it, with who wants it and why."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from scrutable.data.frames import rows_like
from scrutable.errors import InputError, did_you_mean
from scrutable.model import (
    Adjustment,
    DecisionModel,
    Evidence,
    Feature,
    KnockOut,
    Model,
    Override,
    Policy,
    RegressionScorecard,
    SingleModel,
    carried_over,
    fingerprint,
    policy_in_words,
)
from scrutable.plugins import DataDictionary
from scrutable_policy.record import PolicyEdit, recorded
from scrutable_policy.refusing import check_allowed, check_rule, known_features, refuse_protected_columns
from scrutable_policy.single_models import only_rules, parts_of, with_parts, with_policy
from scrutable_policy.stated import StatedRule

R = TypeVar("R", KnockOut, Adjustment, Override)


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class ChangedPolicy:
    """A model whose rules were changed, and what was changed.

    Parameters
    ----------
    model : the new model; its provenance has the edits, and those before them.
    edits : what was added or removed now.
    """

    model: DecisionModel
    edits: tuple[PolicyEdit, ...]

    def frame(self) -> Any:
        """A row for each rule that was added or removed, with who and why, as a pandas frame."""
        shown = ("action", "code", "rule", "who", "why")
        return rows_like({name: getattr(each, name) for name in shown} for each in self.edits)

    def evidence(self, old: Evidence) -> Evidence:
        """Evidence of the new model, from that of the old one: without what was measured of decisions before the rules.

        Bins, intervals of points, the path, selection and coefficients are of the score, which rules leave as it is.

        Raises
        ------
        InputError : the evidence is about another model than the one that was changed.

        Examples
        --------
        >>> from scrutable.testing.contract.examples.models import models_named
        >>> from scrutable_policy import KnockOutRule
        >>> model = models_named()["stumps"]
        >>> old = Evidence(model_sha256=fingerprint(model), metrics={"decision": {"cutoff": 0.1}, "steps": 4})
        >>> changed = remove_rules(model, ["K1"], who="Ana Ruiz", why="Replaced by a limit of debts")
        >>> sorted(changed.evidence(old).metrics), changed.evidence(old).model_sha256 == fingerprint(changed.model)
        (['steps'], True)
        """
        before = self.edits[0].model_sha256
        if old.model_sha256 != before:
            fix = "give the evidence that was written with the model before this change"
            raise InputError(
                "the evidence is about another model", where="evidence", got=old.model_sha256, allowed=before, fix=fix
            )
        return carried_over(old, self.model, {})

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
        edits = [each.to_dict() for each in self.edits]
        return {"model_sha256": fingerprint(self.model), "edits": edits}

    def __repr__(self) -> str:
        return f"ChangedPolicy({'; '.join(f'{each.action} {each.code}' for each in self.edits)})"


def add_rules(
    model: Model,
    rules: Sequence[StatedRule],
    *,
    who: str = "",
    why: str = "",
    features: Iterable[Feature] = (),
    dictionary: DataDictionary | None = None,
    protected: Collection[str] = (),
    allow_protected: Collection[str] = (),
) -> ChangedPolicy:
    """The model with further rules around its score; what it was is not changed.

    Parameters
    ----------
    rules : as `read_rules` reads them of a file, or `KnockOutRule`, `AdjustmentRule` and `OverrideRule`.
    who, why : of rules that do not say so themselves.
    features : columns that rules read and the model does not yet.
    dictionary : says what further columns are, and which of them are protected attributes.
    protected : columns that are protected attributes: no rule may read them.
    allow_protected : columns that rules may read although they are protected attributes, or are so by their names.

    Raises
    ------
    InputError : a model that decides nothing; a rule without who or why, or with a code that is taken; conditions that
        cannot be read, or hold for nobody; a column that nobody knows, or that is protected.
    ModelError : values of another kind than the column has, points too large, a rule that the kind of model has no
        place for.

    Examples
    --------
    >>> from scrutable.testing.contract.examples.models import models_named
    >>> from scrutable_policy import KnockOutRule
    >>> rule = KnockOutRule(code="K7", reason="Applicant is under age", when="age < 18")
    >>> changed = add_rules(models_named()["stumps"], [rule], who="Ana Ruiz", why="Civil code, section 2")
    >>> changed, changed.edits[0].rule
    (ChangedPolicy(added K7), 'Knock-out K7: Applicant is under age, where Age < 18')
    """
    decides = deciding(model)
    stated = _stated(rules, who, why)
    guarded = [*protected, *(() if dictionary is None else dictionary.having("protected"))]
    read = {clause.feature for rule in stated for clause in rule.clauses}
    check_allowed(allow_protected, read)
    refuse_protected_columns([(rule.where, rule.clauses) for rule in stated], guarded, allow_protected)
    _check_segments(decides, [(rule.where, rule.segments) for rule in stated])
    _check_codes(decides, stated)
    others = (*(each for part in parts_of(decides).values() for each in _unobserved(part.features)), *features)
    made = {
        name: _extended(part, [rule for rule in stated if rule.is_for(name)], others, dictionary)
        for name, part in parts_of(decides).items()
    }
    edits = tuple(_added(decides, made, rule, allow_protected) for rule in stated)
    return ChangedPolicy(model=recorded(with_parts(decides, made), edits), edits=edits)


def remove_rules(
    model: Model, codes: Sequence[str], *, who: str, why: str, segments: Sequence[str] = ()
) -> ChangedPolicy:
    """The model without some of its rules; columns that nothing else reads are no longer its inputs.

    Parameters
    ----------
    codes : of the rules.
    who, why : for the record that the model keeps.
    segments : of a model of segments, those that lose the rules; all of them if none is named.

    Raises
    ------
    InputError : a model that decides nothing, a code that no rule has, nobody or nothing said for who or why.

    Examples
    --------
    >>> from scrutable.testing.contract.examples.models import models_named
    >>> changed = remove_rules(models_named()["stumps"], ["K1"], who="Ana Ruiz", why="Replaced by a limit of debts")
    >>> changed, changed.model.policy.rules
    (ChangedPolicy(removed K1), ())
    """
    decides = deciding(model)
    _check_signed("remove_rules", who, why)
    _check_segments(decides, [("remove_rules", segments)])
    parts = {name: part for name, part in parts_of(decides).items() if not segments or name in segments}
    known = {rule.code: name for name, part in parts.items() for rule in part.policy.rules}
    for code in codes:
        if code not in known:
            allowed = did_you_mean(code, known) if known else "none: the model has no rules"
            raise InputError("no rule has this code", where="policy", got=code, allowed=allowed, fix="correct the code")
    kept = {name: with_policy(part, _without(part.policy, codes)) for name, part in parts.items()}
    edits = tuple(
        PolicyEdit(
            action="removed",
            code=code,
            rule=in_words(parts[known[code]], code),
            who=who,
            why=why,
            model_sha256=fingerprint(model),
            segments=_named(decides, [name for name, part in parts.items() if _has(part, code)]),
        )
        for code in dict.fromkeys(codes)
    )
    return ChangedPolicy(model=recorded(with_parts(decides, kept), edits), edits=edits)


def in_words(model: SingleModel, code: str) -> str:
    """A rule of a model in words.

    >>> from scrutable.testing.contract.examples.models import models_named
    >>> in_words(models_named()["stumps"], "K1")
    'Knock-out K1: income below zero, where Income < 0'
    """
    codes = [rule.code for rule in model.policy.rules]
    return policy_in_words(model)[codes.index(code)]


def deciding(model: Model) -> DecisionModel:
    """The model, if rules can stand around its score.

    Raises
    ------
    InputError : it predicts a quantity, or knows more than two classes.
    """
    if isinstance(model, RegressionScorecard) or not model.outcome.binary:
        raise InputError(
            "rules around a score need a model that decides between two classes",
            where="model",
            got=repr(model),
            fix="give a scorecard, trees, a rule set of two classes, or segments of these",
        )
    return model


def _stated(rules: Sequence[StatedRule], who: str, why: str) -> list[StatedRule]:
    """The rules, each with who and why."""
    if not rules or not all(isinstance(rule, StatedRule) for rule in rules):
        fix = "give a list, such as [KnockOutRule(code=…, reason=…, when=…)], or what read_rules returns"
        raise InputError("expected rules", where="rules", got=rules, fix=fix)
    stated = [replace(rule, who=rule.who or who, why=rule.why or why) for rule in rules]
    for rule in stated:
        _check_signed(rule.where, rule.who, rule.why)
    return stated


def _check_signed(where: str, who: str, why: str) -> None:
    blank = [name for name, text in (("who", who), ("why", why)) if not text.strip()]
    if blank:
        missing = " and ".join(blank)
        fix = f"add {missing} to the rule, or give {' and '.join(f'--{name}' for name in blank)}"
        raise InputError("a change of the policy says who wants it, and why", where=where, got=f"no {missing}", fix=fix)


def _check_segments(model: DecisionModel, named: Iterable[tuple[str, Sequence[str]]]) -> None:
    known = [name for name in parts_of(model) if name is not None]
    for where, segments in named:
        for name in segments:
            if name not in known:
                allowed = did_you_mean(name, known) if known else "none: the model has no segments"
                raise InputError("unknown segment", where=where, got=name, allowed=allowed, fix="correct the name")


def _check_codes(model: DecisionModel, rules: Sequence[StatedRule]) -> None:
    """One code is one rule, in whichever segments: results and reasons tell rules by their codes."""
    codes = [rule.code for rule in rules]
    taken = {rule.code: name for name, part in parts_of(model).items() for rule in part.policy.rules}
    for rule in rules:
        if codes.count(rule.code) > 1:
            raise InputError("two rules have one code", where=rule.where, got=rule.code, fix="give each its own")
        if taken.get(rule.code) is not None:
            raise InputError(
                "a rule of a segment has this code already",
                where=f"{rule.where}, segment {taken[rule.code]!r}",
                got=rule.code,
                fix="give the rule a code of its own, or remove the other rule first",
            )


def _unobserved(features: Iterable[Feature]) -> list[Feature]:
    """Features as another segment may read them: what was observed was so among their own applicants."""
    return [replace(feature, observed=()) for feature in features]


def _extended(
    part: SingleModel, rules: Sequence[StatedRule], others: Iterable[Feature], dictionary: DataDictionary | None
) -> SingleModel:
    """The model with the rules in its policy."""
    features = known_features(part, others, dictionary)
    policy = part.policy
    words: dict[str, dict[str, str]] = {}
    for rule in rules:
        check_rule(rule, rule.clauses, part, features)
        policy = _with_rule(policy, rule)
        for language, text in rule.translations.items():
            words.setdefault(language, {})[rule.code] = text
    return with_policy(part, policy, further=features.values(), words=words)


def _with_rule(policy: Policy, rule: StatedRule) -> Policy:
    match rule.made():
        case KnockOut() as made:
            return replace(policy, knock_outs=_inserted(policy.knock_outs, made, rule))
        case Adjustment() as made:
            return replace(policy, adjustments=_inserted(policy.adjustments, made, rule))
        case made:
            return replace(policy, overrides=_inserted(policy.overrides, made, rule))


def _inserted(there: Sequence[R], made: R, rule: StatedRule) -> tuple[R, ...]:
    """The rules of a kind with another one, at the place that it states."""
    codes = [each.code for each in there]
    if rule.before and rule.before not in codes:
        raise InputError(
            f"no {rule.kind} has the code that it comes before",
            where=rule.where,
            got=rule.before,
            allowed=did_you_mean(rule.before, codes) if codes else f"none: there is no {rule.kind}",
            fix="correct the code, or leave it out",
        )
    following = list(there)
    following.insert(codes.index(rule.before) if rule.before else len(codes), made)
    return tuple(following)


def _without(policy: Policy, codes: Collection[str]) -> Policy:
    return only_rules(policy, [rule.code for rule in policy.rules if rule.code not in codes])


def _added(
    model: DecisionModel, made: Mapping[str | None, SingleModel], rule: StatedRule, allowed: Collection[str]
) -> PolicyEdit:
    having = [name for name, part in made.items() if _has(part, rule.code)]
    read = {clause.feature for clause in rule.clauses}
    return PolicyEdit(
        action="added",
        code=rule.code,
        rule=in_words(made[having[0]], rule.code),
        who=rule.who,
        why=rule.why,
        model_sha256=fingerprint(model),
        segments=_named(model, having),
        allowed_protected=tuple(name for name in allowed if name in read),
    )


def _has(part: SingleModel, code: str) -> bool:
    return code in [rule.code for rule in part.policy.rules]


def _named(model: DecisionModel, segments: Iterable[str | None]) -> tuple[str, ...]:
    """The segments that an edit is about; none where it is about all of them."""
    names = tuple(name for name in segments if name is not None)
    return () if len(names) == len(parts_of(model)) else names
