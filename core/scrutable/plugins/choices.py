"""Components chosen by name, with options, as a command line or a config file states them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from scrutable.errors import InputError
from scrutable.plugins.component import NAME_PATTERN, Kind
from scrutable.plugins.reading_values import checked_options, read_value
from scrutable.plugins.recorded_options import lasting
from scrutable.plugins.registry import registry

#: A comma that ends an option: one that the next option's name and = follow.
_BETWEEN = re.compile(r",(?=\s*[A-Za-z_]\w*\s*=)")


@dataclass(frozen=True, kw_only=True)
class Choice:
    """A component's name and options; options named in `none` are None, which TOML cannot write."""

    name: str
    options: dict[str, Any] = field(default_factory=dict)
    none: tuple[str, ...] = ()

    @classmethod
    def of(cls, name: str, pairs: Iterable[str], where: str) -> Choice:
        """A choice from `key=value` texts."""
        options = parse_pairs(pairs, where)
        none = tuple(key for key, value in options.items() if value is None)
        return cls(name=name, options={key: value for key, value in options.items() if key not in none}, none=none)

    @classmethod
    def parse(cls, text: str, where: str) -> Choice:
        """A choice from one text, `name` or `name:key=value,key=value`; the name may be a qualified one.

        Raises
        ------
        InputError : options that do not follow a colon, or are no options.

        Examples
        --------
        >>> Choice.parse("fairness-information-value:bound=0.1,rows=events", "--constraint").options
        {'bound': 0.1, 'rows': 'events'}
        >>> Choice.parse("opportunity:attributes=sex,race,slack=0.1", "--constraint").options
        {'attributes': 'sex,race', 'slack': 0.1}
        >>> Choice.parse("scrutable:opportunity:slack=0.1", "--constraint")
        Choice(name='scrutable:opportunity', options={'slack': 0.1}, none=())
        """
        before, _, options = text.partition(":")
        name, (short, _, further) = before.strip(), options.partition(":")
        if NAME_PATTERN.fullmatch(short.strip()):  # no option, which has =; so a component of a distribution
            name, options = f"{name}:{short.strip()}", further
        if "=" in name or " " in name:
            raise InputError(
                "options follow a colon",
                where=where,
                got=text,
                allowed="name or name:key=value,key=value",
                fix=f"for example {where} NAME:slack=0.05,attributes=sex",
            )
        return cls.of(name, _BETWEEN.split(options) if options else (), where)

    def create(self, kind: Kind, **further: Any) -> Any:
        """The component, its options checked; `further` are given by the caller and win.

        Raises
        ------
        PluginError : no such component, or something that it needs is not installed.
        InputError : an option that it does not have, or a value of another type.
        """
        cls = registry().load(kind, self.name)
        given = checked_options(cls, self.all_options, f"{kind} {self.name!r}")
        return registry().create(kind, self.name, **given | further)

    def recorded(self, kind: Kind) -> Choice:
        """The choice by the names that files record, which mean the same one day, whatever is installed then."""
        return replace(self, name=registry().recorded(kind, self.name), options=lasting(self.options))

    @property
    def all_options(self) -> dict[str, Any]:
        """Options by name, None included."""
        return {**self.options, **dict.fromkeys(self.none)}


def parse_pairs(pairs: Iterable[str], where: str) -> dict[str, Any]:
    """Options from `key=value` texts. A value is JSON if it reads as JSON, else a text.

    Raises
    ------
    InputError : no `key=value`, a key twice, or a value with the brackets of JSON that does not read as JSON.

    Examples
    --------
    >>> parse_pairs(["max_bins=5", "encoding=one-hot", 'trends={"age": "ascending"}'], "--option")
    {'max_bins': 5, 'encoding': 'one-hot', 'trends': {'age': 'ascending'}}
    """
    options: dict[str, Any] = {}
    for pair in pairs:
        key, equals, value = (part.strip() for part in pair.partition("="))
        if not equals or not key:
            raise InputError("not an option", where=where, got=pair, allowed="key=value", fix="for example max_bins=5")
        if key in options:
            raise InputError("the option is given twice", where=where, got=key, fix="give it once")
        options[key] = _value(value, f"{where} {key}")
    return options


def parse_names(pairs: Iterable[str], where: str, form: str = "feature=column", *, once: str) -> Mapping[str, str]:
    """Texts by name from `name=text` texts; nothing is read as JSON.

    Parameters
    ----------
    form : what errors say of a pair.
    once : what a name is, such as "the model", which may be given once only.

    Raises
    ------
    InputError : no `name=text`, or a name twice.

    Examples
    --------
    >>> parse_names(["sex=male", "race=a=b"], "--reference", once="the attribute")
    {'sex': 'male', 'race': 'a=b'}
    """
    texts: dict[str, str] = {}
    for pair in pairs:
        key, equals, value = pair.partition("=")
        if not equals or not key or not value:
            raise InputError("not a pair of names", where=where, got=pair, allowed=form, fix="give both names")
        if key in texts:
            raise InputError(f"{once} is given twice", where=where, got=key, fix="give it once")
        texts[key] = value
    return texts


def _value(text: str, where: str) -> Any:
    """What a text stands for; in brackets it can only be meant as JSON."""
    value = read_value(text)
    if value == text and (text.startswith("{") or (text.startswith("[") and text.endswith("]"))):
        fix = """texts in double quotes, and for the shell single ones around all: 'actions={"age": "up"}'"""
        raise InputError("the value is not valid JSON", where=where, got=text, fix=fix)
    return value
