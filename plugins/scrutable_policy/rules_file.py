"""The file of a policy: its rules as TOML."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from scrutable.errors import InputError, did_you_mean
from scrutable.plugins import coerce
from scrutable.writing import AnyPath, read_toml
from scrutable_policy.stated import AdjustmentRule, KnockOutRule, OverrideRule, StatedRule

#: The rule that a table of each name states.
_TABLES: Mapping[str, type[StatedRule]] = {
    "knock_out": KnockOutRule,
    "adjustment": AdjustmentRule,
    "override": OverrideRule,
}
#: What a file may say once for all of its rules.
_COMMON = ("who", "why")


def read_rules(path: AnyPath) -> tuple[StatedRule, ...]:
    """The rules of a TOML file, those of each kind in their order.

    Raises
    ------
    InputError : no TOML, or as in `rules_of`.
    """
    return rules_of(read_toml(path), f"rules {str(path)!r}")


def rules_of(said: Mapping[str, Any], where: str = "rules") -> tuple[StatedRule, ...]:
    """The rules that a mapping of the file's form states.

    Parameters
    ----------
    said : lists of rules, `knock_out`, `adjustment` and `override`; `who` and `why` hold for each rule without them.
    where : how errors name it.

    Raises
    ------
    InputError : a key that is none, a value of another type, a rule that lacks something, or no rule at all; the
        message counts the rules of each kind from 1.

    Examples
    --------
    >>> [rule] = rules_of({"knock_out": [{"code": "K1", "reason": "Applicant is under age", "when": "age < 18"}]})
    >>> rule.where
    "knock-out 'K1'"
    """
    for key in said:
        if key not in (*_TABLES, *_COMMON):
            fix = did_you_mean(key, (*_TABLES, *_COMMON))
            allowed = "[[knock_out]], [[adjustment]], [[override]], who, why"
            raise InputError("unknown key", where=where, got=key, allowed=allowed, fix=fix)
    common = {key: coerce(said[key], str, f"{where}, {key}") for key in _COMMON if key in said}
    rules = tuple(rule for name in _TABLES for rule in _read(said.get(name, []), name, common, where))
    if not rules:
        fix = 'for example [[knock_out]], code = "K1", reason = "Applicant is under age", when = "age < 18"'
        raise InputError("there is no rule", where=where, fix=fix)
    return rules


def _read(tables: Any, name: str, common: Mapping[str, str], where: str) -> Iterator[StatedRule]:
    if not isinstance(tables, list | tuple) or not all(isinstance(each, Mapping) for each in tables):
        fix = f"begin each rule with [[{name}]], in double brackets"
        raise InputError("expected a list of rules", where=f"{where}, {name}", got=tables, fix=fix)
    for position, table in enumerate(tables, 1):
        rule: StatedRule = coerce({**common, **table}, _TABLES[name], f"{where}, {name} {position}")
        yield rule
