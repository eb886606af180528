"""Protected groups of the rows of a file: from columns of labels, and from columns of membership probabilities."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from scrutable.data.grouped import FLAG
from scrutable.errors import InputError, did_you_mean
from scrutable.plugins.choices import parse_names

CUTS, CUTS_FORM = "--group-cuts", "ATTRIBUTE=NUMBER,NUMBER…"
FORM = "ATTRIBUTE:GROUP=COLUMN,GROUP=COLUMN…"


def parse_probabilities(texts: Sequence[str] | None) -> dict[str, dict[str, str]]:
    """What the option says: by attribute and group, a column.

    A group whose name has a comma or an equals sign in it can be named in a config.

    Raises
    ------
    InputError : no colon, no `GROUP=COLUMN`, one group alone, or an attribute, a group or a column twice.

    Examples
    --------
    >>> parse_probabilities(["race:black=p_black,white=p_white"])
    {'race': {'black': 'p_black', 'white': 'p_white'}}
    """
    probabilities: dict[str, dict[str, str]] = {}
    for text in texts or ():
        name, colon, rest = text.partition(":")
        if not name or not colon:
            fix = f"for example {FLAG} race:black=p_black,white=p_white"
            raise InputError("an attribute and its groups are needed", where=FLAG, got=text, allowed=FORM, fix=fix)
        groups = dict(parse_names(rest.split(","), FLAG, FORM, once=f"a group of {name!r}"))
        if name in probabilities:
            fix = "name each attribute once, with all of its groups"
            raise InputError("the attribute is given twice", where=FLAG, got=text, fix=fix)
        _check_groups(text, groups)
        probabilities[name] = groups
    return probabilities


def parse_references(texts: Sequence[str] | None, option: str = "--reference") -> dict[str, str]:
    """What the option says: by attribute, the group that the others are compared with.

    Raises
    ------
    InputError : no `ATTRIBUTE=GROUP`, or an attribute twice.

    Examples
    --------
    >>> parse_references(["sex=male"])
    {'sex': 'male'}
    """
    return dict(parse_names(texts or (), option, "ATTRIBUTE=GROUP", once="the attribute"))


def parse_cuts(texts: Sequence[str] | None) -> dict[str, tuple[float, ...]]:
    """What the option says: by attribute of numbers, where its groups begin, but the first.

    Raises
    ------
    InputError : no `ATTRIBUTE=NUMBER,…`, numbers that do not grow, or an attribute twice.

    Examples
    --------
    >>> parse_cuts(["age=26,40"])
    {'age': (26.0, 40.0)}
    """
    cuts = {}
    for name, numbers in parse_names(texts or (), CUTS, CUTS_FORM, once="the attribute").items():
        try:
            cuts[name] = tuple(map(float, numbers.split(",")))
        except ValueError:
            cuts[name] = ()
        if not cuts[name] or not all(map(math.isfinite, cuts[name])) or list(cuts[name]) != sorted({*cuts[name]}):
            fix = f"for example {CUTS} age=26,40 for '< 26', '26 to 39' and '>= 40'"
            raise InputError("groups begin at numbers that grow", where=CUTS, got=numbers, allowed=CUTS_FORM, fix=fix)
    return cuts


def check_cuts(cuts: Mapping[str, Sequence[float]], protected: Sequence[str]) -> None:
    """Refuse cuts of what is no protected attribute.

    Raises
    ------
    InputError : names the closest one.
    """
    for name in cuts:
        if name not in protected:
            fix, allowed = did_you_mean(name, protected), ", ".join(map(repr, protected)) or "those of --protected"
            raise InputError("there is no such protected attribute", where=CUTS, got=name, allowed=allowed, fix=fix)


def check_reference(
    reference: Sequence[str] | None, protected: Sequence[str] | None, probabilities: Sequence[str] | None, option: str
) -> None:
    """Refuse a reference group where no attribute is named.

    Raises
    ------
    InputError : names the option.
    """
    if reference and not protected and not probabilities:
        raise InputError(
            "there is no protected attribute to compare the groups of",
            where=option,
            got=", ".join(reference),
            allowed=f"{option} beside --protected or {FLAG}",
            fix="name the attribute, too, or leave the reference out",
        )


def _check_groups(text: str, groups: Mapping[str, str]) -> None:
    """Refuse one group alone, and a column that stands for two groups."""
    if len(groups) == 1:
        [(group, column)] = groups.items()
        raise InputError(
            "an attribute needs two groups or more, each with a column of its own",
            where=FLAG,
            got=text,
            allowed=FORM,
            fix=f"name the other group's column, too: {text},OTHER=COLUMN, which holds 1 minus {column!r} if there are "
            f"two groups, {group!r} and one other",
        )
    columns = list(groups.values())
    twice = next((name for name in columns if columns.count(name) > 1), None)
    if twice is not None:
        raise InputError(
            "a column is the probability of two groups",
            where=FLAG,
            got=twice,
            allowed=FORM,
            fix="give each group a column of its own",
        )
