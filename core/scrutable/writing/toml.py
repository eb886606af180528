"""Values and keys as TOML."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from scrutable.errors import InputError


def toml_value(value: Any) -> str:
    """A value as TOML, on one line; JSON's texts are TOML's too, but for the DEL character.

    >>> print(toml_value({"k": [1, 'two "lines"\\n', True]}))
    { k = [1, "two \\"lines\\"\\n", true] }
    """
    if isinstance(value, str) and _is_utf8(value):
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
    if isinstance(value, float):
        return float.__repr__(value)  # TOML says inf and nan as Python does, and JSON does not
    if isinstance(value, bool | int):
        return json.dumps(value)
    if isinstance(value, Mapping):
        return "{ " + ", ".join(f"{toml_key(key)} = {toml_value(item)}" for key, item in value.items()) + " }"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(toml_value, value)) + "]"
    raise InputError("a TOML file cannot hold the value", got=value, fix="do without it, or without the file")


def toml_key(text: str) -> str:
    """A key as TOML, bare where it can be."""
    return text if re.fullmatch(r"[A-Za-z0-9_-]+", text) else toml_value(text)


def _is_utf8(text: str) -> bool:
    return not any("\ud800" <= each <= "\udfff" for each in text)
