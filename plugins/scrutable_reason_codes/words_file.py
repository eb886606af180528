"""The words of a model's reason policies as a TOML file, to be edited and given back."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from scrutable.model import DecisionModel, ReasonPolicy
from scrutable.writing import toml_key, toml_value


def dictionary_text(model: DecisionModel) -> str:
    """The words of a model's policies as TOML.

    Segments share the words. A feature has the code of the first segment that has it, and where segments give
    different numbers of reasons, the number is left out.
    """
    policies = policies_of(model)
    numbers = {policy.k for policy in policies}
    inquiries = dict.fromkeys(name for policy in policies for name in policy.inquiries)
    codes = _first(policy.codes for policy in policies)
    languages = dict.fromkeys(language for policy in policies for language in policy.translations)
    tables = {
        "codes": codes,
        "texts": _first(policy.texts for policy in policies),
        **{
            f"translations.{toml_key(each)}": _first(policy.translations.get(each, {}) for policy in policies)
            for each in languages
        },
    }
    lines = [f"k = {number}" for number in numbers if len(numbers) == 1] + [
        f"inquiries = {toml_value(list(inquiries))}"
    ]
    for name, values in tables.items():
        lines += ["", f"[{name}]", *(f"{toml_key(key)} = {toml_value(value)}" for key, value in values.items())]
    return "\n".join(lines) + "\n"


def policies_of(model: DecisionModel) -> list[ReasonPolicy]:
    """The policies of a model, in the order of its segments."""
    return [each.reasons for each in model.parts if each.reasons is not None]


def _first(mappings: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    """All keys, with the value of the first mapping that has them."""
    first: dict[str, Any] = {}
    for each in mappings:
        first |= {key: value for key, value in each.items() if key not in first}
    return first
