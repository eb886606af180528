"""What was found, in sentences and as plain values for JSON."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import fields, is_dataclass
from typing import TYPE_CHECKING, Any

from scrutable.plugins import one_line
from scrutable.writing import decimal, decimals_apart, number
from scrutable_counterfactual.goal import Wanted

if TYPE_CHECKING:
    from scrutable_counterfactual.answers import Answer, Answers, Change, Obstacle

#: What stands in the way, by the name of the limit.
_LIMITS = {
    "max_changes": "how many features may change",
    "actions": "what may become of each feature",
    "rules": "the rules between features",
    "knock_outs": "the model's knock-outs",
}
#: Doubles from a short decimal up to which a number is said to lie just beside it.
_NEAR = 4
_APPROVAL, _DECLINE = (Wanted(kind=kind).describe() for kind in ("approval", "decline"))


def describe(explanation: Answers) -> str:
    """A line for the decision, then one for each answer, or for the proof that there is none.

    What stands in it is what the model would have decided; it says nothing of causes, nor of what changes bring about.

    Examples
    --------
    >>> from scrutable_counterfactual.answers import Answer, Change, Answers
    >>> change = Change(feature="savings", title="Savings", value="< 100 DM", required="'>= 1000 DM'",
    ...                 nearest=">= 1000 DM", in_data=True, points_before=10.0, points_after=42.2)
    >>> answer = Answer(changes=(change,), score=603.4, probability=None, approved=True, costs={}, values={})
    >>> explanation = Answers(
    ...     row=0, score=571.2, cutoff=600.0, probability=None, approved=False, wanted="an approval", low=600.0,
    ...     high=float("inf"), status="optimal", objective="proximity", answers=(answer,), cost=0.2)
    >>> print(describe(explanation))
    Declined with 571.2 points; 600 are needed for an approval.
    The model would have approved (score 603.4) with: Savings from '< 100 DM' to '>= 1000 DM', +32.2 points.
    Proven: another answer within the limits would not cost less (proximity).
    """
    words = _Words(explanation)
    return "\n".join([words.decision(), *words.answers(), words.proof()])


def to_dict(explanation: Answers) -> dict[str, Any]:
    """JSON values. An infinite score, cost or gap is None, an infinite value of a feature the text "inf" or "-inf"."""
    plain: dict[str, Any] = _plain(explanation)
    for own, answer in zip(plain["answers"], explanation.answers, strict=True):
        own["values"] = _values(answer.values)
        for each, change in zip(own["changes"], answer.changes, strict=True):
            each.update(_values({"value": change.value, "nearest": change.nearest}))
            each["points_gained"] = change.points_gained
    return plain | {"values": _values(explanation.values)}


def value_words(value: float | str | None) -> str:
    """A value of the data, on one line; a double beside a number that people write is said to be that.

    >>> value_words(None), value_words("none"), value_words(9.0), value_words(math.nextafter(9.0, 0.0))
    ('missing', "'none'", '9', 'just below 9')
    """
    if value is None:
        return "missing"
    if isinstance(value, str):
        return one_line(repr(value), ascii_only=False)
    written = float(f"{value:.12g}")
    if value == written or not abs(value - written) <= _NEAR * math.ulp(written):
        return number(value)
    return f"just {'below' if value < written else 'above'} {number(written)}"


class _Words:
    """Sentences whose numbers have as many decimals as it takes to tell them apart."""

    def __init__(self, explanation: Answers) -> None:
        self.explanation = explanation
        self.decided = explanation.wanted in (_APPROVAL, _DECLINE)
        self.unit = "" if explanation.cutoff is None else " points"
        ends = () if self.decided else (explanation.low, explanation.high)
        scores = [explanation.score, explanation.cutoff, *ends, *(answer.score for answer in explanation.answers)]
        if explanation.obstacle is not None:
            scores += [explanation.obstacle.best_score, explanation.obstacle.unlimited_score]
        self.decimals = decimals_apart(score for score in scores if score is not None)

    def decision(self) -> str:
        """What was decided, and what is needed or wanted."""
        explanation, score = self.explanation, self._score(self.explanation.score)
        if explanation.cutoff is None:
            return f"Predicted {score}; wanted is {explanation.wanted}."
        probability = (
            ""
            if self.decided or explanation.probability is None
            else f" and a probability of {explanation.probability:.4g}"
        )
        cutoff = self._score(explanation.cutoff)
        if explanation.approved or explanation.score < explanation.cutoff:
            decision = _decision(explanation.approved)
            line = f"{decision} with {score} points{probability}; {cutoff} are needed for an approval."
        else:
            line = (
                f"Declined by a knock-out, with {score} points{probability} where {cutoff} are needed for an approval."
            )
        return line if explanation.wanted == _APPROVAL else f"{line} Wanted is {explanation.wanted}{self._window()}."

    def answers(self) -> Iterable[str]:
        """A sentence for each answer, numbered if there are several."""
        many = len(self.explanation.answers) > 1
        for place, answer in enumerate(self.explanation.answers, 1):
            yield f"{f'{place}. ' if many else ''}{self._outcome(answer)}: {self._changes(answer.changes)}."

    def proof(self) -> str:
        """What is known, and what is not."""
        explanation = self.explanation
        if explanation.status == "met":
            return "Nothing has to change."
        if explanation.status == "unknown":
            return "The search was stopped before an answer was found; that there is one is not excluded."
        if explanation.status == "infeasible":
            return self._impossible(explanation.obstacle)
        other = "other answers" if len(explanation.answers) > 1 else "another answer"
        if explanation.status == "optimal":
            return f"Proven: {other} within the limits would not cost less ({explanation.objective})."
        if explanation.cost is None:
            return "The search was stopped: there may be more answers, and some that cost less."
        by = "by how much is not known" if math.isinf(explanation.gap) else f"by {explanation.gap:.3g} at most"
        cost, objective = f"{explanation.cost:.3g}", explanation.objective
        return f"The search was stopped: {other} may cost less than {cost}, {by} ({objective})."

    def _impossible(self, obstacle: Obstacle | None) -> str:
        """Why there is no answer, as far as that is proven."""
        if obstacle is not None and obstacle.limits == ("diversity",):
            return "There are not as many answers as were asked for that differ as asked; this is proven."
        text = f"No change within the limits gives {self.explanation.wanted}; this is proven."
        if obstacle is None:
            return text
        text += f" The nearest score in reach is {self._score(obstacle.best_score)}."
        if not obstacle.limits:
            return f"{text} {self._beyond(obstacle)}"
        one_of = ", where lifting one would do" if len(obstacle.limits) > 1 else ""
        text += f" What stands in the way{one_of}: {'; '.join(_LIMITS[limit] for limit in obstacle.limits)}."
        if obstacle.features:
            text += f" Of the limits of single features, that of any of these: {', '.join(obstacle.features)}."
        return (
            text
            if obstacle.changes_needed is None
            else f"{text} With {obstacle.changes_needed} changes there is an answer."
        )

    def _beyond(self, obstacle: Obstacle) -> str:
        """What no limit alone explains: several together do, or the scorecard itself."""
        best, explanation = obstacle.unlimited_score, self.explanation
        if best is None or explanation.low <= best <= explanation.high:
            return "No limit alone stands in the way; several together do."
        return f"Without any limit the nearest score would be {self._score(best)}."

    def _outcome(self, answer: Answer) -> str:
        score = self._score(answer.score)
        if answer.approved is None:
            return f"The model would have predicted {score} with"
        more = "" if self.decided or answer.probability is None else f", probability {answer.probability:.4g}"
        return f"The model would have {_decision(answer.approved).lower()} (score {score}{more}) with"

    def _changes(self, changes: Iterable[Change]) -> str:
        told = [
            f"{self._change(change)}, {self._gain(change.points_gained)}"
            + ("" if change.turns is None else f" (points {change.turns})")
            for change in changes
        ]
        return "; ".join(told) or "nothing changed"

    def _change(self, change: Change) -> str:
        required, nearest = one_line(change.required, ascii_only=False), value_words(change.nearest)
        where = "nearest in the data" if change.in_data else "nearest"
        beside = "" if nearest == required else f" ({where}: {nearest})"
        return f"{one_line(change.title, ascii_only=False)} from {value_words(change.value)} to {required}{beside}"

    def _gain(self, gain: float) -> str:
        shown = decimal(gain, decimals_apart([0.0, gain], self.decimals), sign=True)
        return f"{shown}{self.unit}" if gain else f"no{self.unit or ' difference'}"

    def _window(self) -> str:
        """The scores that will do, where a probability is wanted."""
        explanation = self.explanation
        if self.decided or explanation.wanted.startswith("a score"):
            return ""
        low = "" if math.isinf(explanation.low) else f"from {self._score(explanation.low)}"
        high = "" if math.isinf(explanation.high) else f"up to {self._score(explanation.high)}"
        return f", a score {' '.join(filter(None, (low, high)))}" if low or high else ""

    def _score(self, score: float) -> str:
        return decimal(score, self.decimals)


def _decision(approved: bool | None) -> str:
    return "Approved" if approved else "Declined"


def _values(values: Mapping[str, float | str | None]) -> dict[str, float | str | None]:
    return {
        name: str(value) if isinstance(value, float) and math.isinf(value) else value for name, value in values.items()
    }


def _plain(value: Any) -> Any:
    if is_dataclass(value):
        return {each.name: _plain(getattr(value, each.name)) for each in fields(value)}
    if isinstance(value, Mapping):
        return {name: _plain(each) for name, each in value.items()}
    if isinstance(value, tuple):
        return [_plain(each) for each in value]
    return value if not isinstance(value, float) or math.isfinite(value) else None
