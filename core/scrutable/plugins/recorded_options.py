"""Options as files record them: names of components, however deep inside, are those that mean the same one day."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from scrutable.errors import PluginError
from scrutable.plugins.component import KINDS, Kind
from scrutable.plugins.registry import registry


def lasting(options: Mapping[str, Any]) -> dict[str, Any]:
    """Options, in which a third party's component is named with its distribution.

    Parameters
    ----------
    options : by name. One that is called as a kind, such as "binner", names a component of it, or one by segment; a
        text there that names none, to which the component gives a meaning of its own, stays as it is.

    Examples
    --------
    >>> lasting({"binner": "quantile", "segment_options": {"thin": {"explainer": "reason-codes", "k": 3}}})
    {'binner': 'quantile', 'segment_options': {'thin': {'explainer': 'reason-codes', 'k': 3}}}
    """
    return {key: _lasting(value, next((kind for kind in KINDS if kind == key), None)) for key, value in options.items()}


def _lasting(value: Any, kind: Kind | None) -> Any:
    if isinstance(value, Mapping):
        return lasting(value) if kind is None else {name: _lasting(each, kind) for name, each in value.items()}
    if isinstance(value, list | tuple):
        return [_lasting(each, kind) for each in value]
    if kind is None or not isinstance(value, str):
        return value
    try:
        return registry().recorded(kind, value)
    except PluginError:
        return value
