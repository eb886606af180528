"""Features that conditions read and no model does, as options state them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from scrutable.errors import InputError
from scrutable.plugins.reading_values import read_value

if TYPE_CHECKING:
    from scrutable.model import Feature


def parse_features(texts: Sequence[str] | None) -> list[Feature]:
    """The features that the option `--feature` states: NAME=KIND, and after commas special codes.

    Raises
    ------
    InputError : no name, or a kind that is neither numeric nor categorical.

    Examples
    --------
    >>> [feature] = parse_features(["accounts=numeric,-9"])
    >>> feature.name, feature.special_codes
    ('accounts', (-9.0,))
    """
    return [_feature(text) for text in texts or ()]


def _feature(text: str) -> Feature:
    from scrutable.model import Feature

    name, _, rest = text.partition("=")
    kind, *codes = (part.strip() for part in rest.split(","))
    if not name or kind not in ("numeric", "categorical"):
        raise InputError(
            "not a feature",
            where="--feature",
            got=text,
            allowed="NAME=numeric or NAME=categorical, then special codes",
            fix="for example --feature accounts=numeric,-9",
        )
    values = [read_value(code) if kind == "numeric" else code for code in codes]
    return Feature(name=name, kind="numeric" if kind == "numeric" else "categorical", special_codes=tuple(values))
