"""What a rule may not do: read protected attributes unseen, apply to nobody, or be told in words that say nothing."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

from scrutable.errors import InputError, ModelError, did_you_mean, under
from scrutable.model import Clause, Conjunction, Feature, Kind, SingleModel, refuse_generic
from scrutable.plugins import DataDictionary, sounds_protected
from scrutable_policy.logic import impossible_feature
from scrutable_policy.stated import StatedRule


def refuse_protected_columns(
    rules: Iterable[tuple[str, Conjunction]],
    protected: Collection[str],
    allowed: Collection[str],
    *,
    by_name: bool = True,
) -> None:
    """Refuse rules that read a protected attribute, or a column whose name says that it is one.

    Parameters
    ----------
    rules : how errors name each rule, and its clauses.
    protected : columns that are protected attributes.
    allowed : columns that rules may read all the same.
    by_name : whether names say what is protected, too, as where nobody has named all such columns.

    Raises
    ------
    InputError : names the rule and the column.

    Examples
    --------
    >>> from scrutable.model import read_conditions
    >>> refuse_protected_columns([("knock-out 'K1'", read_conditions("sex = 'f'"))], [], ["sex"])
    """
    for where, when in rules:
        for clause in when:
            name = clause.feature
            if name in allowed or not (name in protected or (by_name and sounds_protected(name))):
                continue
            named = "is a protected attribute" if name in protected else "is one by its name"
            raise InputError(
                f"a rule reads a column that {named}",
                where=f"{where}, column {name!r}",
                allowed="columns that are no protected attributes",
                fix=f"leave the column out, or allow it by name: --allow-protected {name}",
            )


def check_allowed(allowed: Iterable[str], read: Collection[str]) -> None:
    """Refuse to allow a column that no rule reads: the name may be misspelt.

    Raises
    ------
    InputError : names the closest column that is read.
    """
    for name in allowed:
        if name not in read:
            fix = "correct the name, or leave it out"
            raise InputError(
                "no rule reads the column", where="allow_protected", got=name, allowed=did_you_mean(name, read), fix=fix
            )


def check_rule(rule: StatedRule, when: Conjunction, model: SingleModel, features: Mapping[str, Feature]) -> None:
    """Refuse a rule that does not fit a model.

    Parameters
    ----------
    features : by name, all that rules may read.

    Raises
    ------
    InputError : a column that nobody knows; clauses that no applicant satisfies; a code that is taken; a reason that
        lacks a language of the model, or says nothing.
    ModelError : values of another kind than the column has.
    """
    for clause in when:
        if clause.feature not in features:
            raise InputError(
                "the rule reads a column that the model does not know",
                where=rule.where,
                got=clause.feature,
                allowed=did_you_mean(clause.feature, features),
                fix=f"correct the name; or say what the column is: --feature {clause.feature}=numeric, or a data "
                "dictionary",
            )
        _check_kinds(rule, clause, features)
    impossible = impossible_feature(when, features)
    if impossible is not None:
        raise InputError(
            "no applicant satisfies the conditions",
            where=f"{rule.where}, column {impossible!r}",
            got=rule.when,
            fix="let one of them go, or join them with `or`",
        )
    _check_code(rule, model)
    _check_words(rule, model)


def known_features(
    model: SingleModel, others: Iterable[Feature], dictionary: DataDictionary | None
) -> dict[str, Feature]:
    """Features that rules of a model may read, by name: its own, else those given, else those of a data dictionary.

    Examples
    --------
    >>> from scrutable.testing.contract.examples.models import models_named
    >>> said = DataDictionary.of({"columns": {"debts": {"type": "number", "special": [-9]}}})
    >>> sorted(known_features(models_named()["stumps"], (), said))
    ['age', 'debts', 'income']
    """
    told = {} if dictionary is None else {name: _feature(name, dictionary) for name in dictionary.columns}
    known = {name: feature for name, feature in told.items() if feature is not None}
    return known | {each.name: each for each in others} | {each.name: each for each in model.features}


def _feature(name: str, dictionary: DataDictionary) -> Feature | None:
    """What a dictionary says of a column; None of one whose type it does not tell, or that is a date."""
    column = dictionary.columns[name]
    if column.type not in ("number", "text"):
        return None
    kinds: dict[str, Kind] = {"number": "numeric", "text": "categorical"}
    return Feature(name=name, kind=kinds[column.type], special_codes=column.special, label=column.title)


def _check_kinds(rule: StatedRule, clause: Clause, features: Mapping[str, Feature]) -> None:
    try:
        clause.check(dict(features), rule.where)
    except ModelError as error:
        raise under(error, f"{rule.where}, ") from None


def _check_code(rule: StatedRule, model: SingleModel) -> None:
    taken = {each.code: f"a {each.kind}" for each in model.policy.rules}
    if model.reasons is not None:
        taken |= dict.fromkeys(model.reasons.order, "a reason of the score") | taken
    if rule.code in taken:
        raise InputError(
            f"{taken[rule.code]} of the model has this code already",
            where=rule.where,
            got=rule.code,
            fix="give the rule a code of its own, or remove the other rule first",
        )


def _check_words(rule: StatedRule, model: SingleModel) -> None:
    if not rule.made().is_reason:
        return
    languages = () if model.reasons is None else model.reasons.languages
    for language in languages:
        if language not in rule.translations:
            raise InputError(
                "the reason has no text in a language that the model's reasons have",
                where=rule.where,
                got=language,
                fix=f'add translations = {{ {language} = "…" }}, or --translation {language}=…',
            )
    for words in (rule.reason, *rule.translations.values()):
        try:
            refuse_generic(words, f"reason of {rule.where}")
        except ModelError as error:
            raise InputError(error.what, where=error.where, got=words, allowed=error.allowed, fix=error.fix) from None
