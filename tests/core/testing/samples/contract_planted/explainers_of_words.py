"""Explainers whose words say something else than their values."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from contract_samples.healthy import TinyExplanation

from contract_planted.fault import patched, planted
from contract_planted.faulty_explainer import ANSWERS, POINTS, REASONS, Changed, OneChange, Reasoned


@patched(Changed, "told", check="explanations-tell-applicants-apart", **POINTS)
def constant_words(self: Any, model: Any, found: TinyExplanation) -> Any:
    """Values differ, and words do not."""
    return _Silent(**vars(found))


class _Silent(TinyExplanation):
    def describe(self) -> str:
        return "Approved" if self.approved else "Declined"


@patched(Changed, "told", check="words-name-what-counts-most", **POINTS)
def swapped_words(self: Any, model: Any, found: TinyExplanation) -> Any:
    """The words name another feature than the one that counts most."""
    return _Misnaming(**vars(found))


class _Misnaming(TinyExplanation):
    def describe(self) -> str:
        decision = "Approved" if self.approved else "Declined"
        names = sorted(self.contributions, key=lambda name: abs(self.contributions[name]))
        return f"{decision}: most of all {names[0] if names else 'nothing'} {sum(self.contributions.values()):.2f}"


@patched(Reasoned, "told", check="words-name-the-reasons-in-order", **REASONS)
def words_turned(self: Any, found: Any) -> Any:
    """The words name the reasons from the last to the first."""
    turned = replace(found, reasons=found.reasons[::-1]).describe()
    return _Told(found, turned)


class _Told:
    def __init__(self, found: Any, words: str) -> None:
        self._found, self._words = found, words

    def __getattr__(self, name: str) -> Any:
        return getattr(self._found, name)

    def describe(self) -> str:
        return self._words


@planted("explainer", check="words-name-what-is-to-change", **ANSWERS)
class UnsaidChange(OneChange):
    """The words do not name what is to change."""
