"""What fit and show say of a card's path, from the evidence."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from scrutable.model import Evidence
from scrutable_additive.figures import figures_of, titles

#: Names that are said in one sentence.
_NAMES = 10
#: What clearly fewer steps are, as a share.
_CLEARLY = 0.8


def about_path(evidence: Evidence) -> Iterator[str]:
    """The chosen card, what fewer steps would cost, shapes that are not monotone, and what was left out."""
    story: Any = evidence.metrics.get("additive")
    if not isinstance(story, Mapping):
        return
    chosen = story["chosen"]
    yield (
        f"Card: {chosen['steps']:,} steps in {chosen['characteristics']:,} characteristics keep {chosen['kept']:.1%} "
        f"of the variance of the scores by {story['dense']['bins']:,} fine bins"
    )
    if "improves" in story:
        yield "They are added to the points of the scorecard that was improved; a card of 0 steps is that one"
    yield from _rounded(story.get("rounding"), chosen)
    yield from _weighed(story.get("class_weights"))
    yield from _beside(chosen, story["path"])
    yield from _free(story["shapes"])
    yield from _left_out(story["left_out"])


def _rounded(rounding: Mapping[str, Any] | None, chosen: Mapping[str, Any]) -> Iterator[str]:
    """What rounding costs a card whose points are rounded."""
    if rounding is not None:
        worth = f"; a point is worth {rounding['point']:.3g} of log-odds" if "auc" in chosen else ""
        yield (
            f"Rounding loses {rounding['lost']:.2%} of the variance and {_lost(chosen, rounding)} on the training rows"
            f"{worth}"
        )


def _weighed(weights: Mapping[str, float] | None) -> Iterator[str]:
    """What rows of either class weigh in the fit, where that was asked for."""
    if weights is not None:
        yield (
            f"In the fit a row with an unfavourable outcome counts {weights['unfavourable']:.3g} times, one with a "
            f"favourable {weights['favourable']:.3g} times; probabilities are those of the rows as they are"
        )


def _beside(chosen: Mapping[str, Any], path: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """What a card of clearly fewer steps would lose on the training rows."""
    smaller = next((card for card in path if 0 < card["steps"] <= _CLEARLY * chosen["steps"]), None)
    if smaller is not None:
        fewer, lost = chosen["steps"] - smaller["steps"], _lost(chosen, smaller)
        yield f"{fewer:,} fewer steps would cost {lost} on the training rows; --option max_steps=…"


def _lost(card: Mapping[str, Any], other: Mapping[str, Any]) -> str:
    """By how much another card is worse, by the first of the figures."""
    name = next(iter(figures_of(card)))
    [title] = titles([name])
    return f"{card[name] - other[name]:.4f} of the {title}"


def _free(shapes: Mapping[str, Mapping[str, Any]]) -> Iterator[str]:
    for name, shape in shapes.items():
        if shape["trend"] is None and shape["monotone_costs"] > 0:
            yield (
                f"{name!r} gains and loses points as it rises; in one direction alone it would lose "
                f"{shape['monotone_costs']:.2%} of the variance"
            )


def _left_out(left: Mapping[str, Mapping[str, Any]]) -> Iterator[str]:
    reasons = {
        "chance": "tell no more than chance would",
        "copy": "part the applicants as another column does",
        "steps": "left the card with their last step",
    }
    for why, words in reasons.items():
        names = [name for name, each in left.items() if each["why"] == why]
        if names:
            more = f" and {len(names) - _NAMES} more" if len(names) > _NAMES else ""
            yield f"Left out, since they {words}: {', '.join(map(repr, names[:_NAMES]))}{more}"
