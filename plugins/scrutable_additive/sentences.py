"""What fit and show say of a card's path, from the evidence."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from scrutable.errors import InputError
from scrutable.model import Evidence
from scrutable.plugins import CARD_FIGURES
from scrutable_additive.whole_sentences import about_whole, size_in_words, ways

#: Names that are said in one sentence.
_NAMES = 10
#: How points move as a value rises.
_MOVES = {
    "ascending": "never loses points as it rises",
    "descending": "never gains points as it rises",
    "convex": "gains no less from one step to the next than before it",
    "concave": "gains no more from one step to the next than before it",
}
#: What clearly fewer steps are, as a share.
_CLEARLY = 0.8
#: The least loss of AUC or R² that is not 0 as it is written.
_TOLD = 0.00005
#: The smallest share of the variance that is said as a number.
_SAID = 0.0001


def about_path(evidence: Evidence) -> Iterator[str]:
    """The chosen card, what fewer steps would cost, shapes that are not monotone, and what was left out.

    Of a scorecard that was improved the whole card comes first, and then what was added.
    """
    story: Any = evidence.metrics.get("additive")
    if not isinstance(story, Mapping):
        return
    chosen = story["chosen"]
    pairs = sum(each["on_card"] for each in story.get("pairs", {"told": {}})["told"].values())
    size = size_in_words(chosen["characteristics"] - pairs, pairs)
    if "improves" in story:
        yield from about_whole(story["improves"], evidence.metrics)
        yield from _added(story, size)
    else:
        yield (
            f"Scorecard of {size} with {chosen['steps']:,} steps (different points), which keeps "
            f"{chosen['kept']:.1%} of the variance of the scores by {story['dense']['bins']:,} fine bins"
        )
    yield from _rounded(story.get("rounding"), chosen)
    yield from _pairs(story.get("pairs"), chosen)
    yield from _weighed(story.get("class_weights"))
    yield from _beside(chosen, story["path"], improves="improves" in story)
    yield from _free(story["shapes"])
    yield from _unused(story.get("nothing_added", {}), "Nothing added to characteristics")
    yield from _unused(story["left_out"], "Left out")


def about_each(evidence: Evidence) -> dict[str, str]:
    """By feature, its shape or why it left, without a full stop; categories that stay have neither.

    Raises
    ------
    InputError : an entry that this learner does not write.
    """
    story: Any = evidence.metrics.get("additive")
    if story is None:
        return {}
    try:
        shapes = {name: _shape_in_words(shape) for name, shape in story["shapes"].items()}
        left = {name: _why_left(each, "left out") for name, each in story["left_out"].items()}
        return shapes | _of_sums(story) | left
    except (AttributeError, KeyError, TypeError, ValueError):
        fix = "give the evidence as it was written, or fit again"
        raise InputError("this is not what the learner writes", where="metrics, additive", fix=fix) from None


def _added(story: Mapping[str, Any], size: str) -> Iterator[str]:
    """What was added to a scorecard that was improved; of it all that follows is said."""
    chosen = story["chosen"]
    if not chosen["steps"]:
        yield "Nothing is added to its points: no characteristic tells clearly more than chance would beside it"
        return
    yield (
        f"Added are {chosen['steps']:,} steps in {size}, which keep {chosen['kept']:.1%} of the variance of what "
        f"{story['dense']['bins']:,} fine bins would add; with 0 steps it is the scorecard that was improved"
    )


def _shape_in_words(shape: Mapping[str, Any]) -> str:
    lost = shape["monotone_costs"]
    cost = f"{f'{lost:.2%}' if lost >= _SAID else 'less than 0.01%'} of the variance"
    if "broken_by" in shape:
        return _broken(shape["broken_by"])
    if shape["trend"] is None:
        if _cost(shape) is None:
            return "moves in one direction, and nothing asks it to"
        return f"{ways(shape['turns'])}; {_one_direction(shape)}" if shape["turns"] else _one_direction(shape)
    why = ", as asked" if shape["asked"] else ""
    moves = " and ".join(_MOVES[word] for word in shape["trend"].split())
    straight = shape["trend"] in ("ascending", "descending")
    return f"{moves}{why}" + (f"; this loses {cost}" if lost and straight else "")


def _one_direction(shape: Mapping[str, Any]) -> str:
    return (
        f"in one direction alone it would cost {_cost(shape)} on the training rows, and "
        f"{shape['monotone_costs']:.2%} of the variance"
    )


def _cost(shape: Mapping[str, Any]) -> str | None:
    """What one direction alone would cost of the figure by which cards are compared; None where it is one."""
    for figure in CARD_FIGURES:
        lost = shape.get(f"monotone_costs_{figure.name}")
        if lost is not None:
            return f"{lost:.4f} of the {figure.title}" if lost >= _TOLD else f"no {figure.title}"
    return None


def _broken(pairs: Sequence[str]) -> str:
    return f"gains and loses points as it rises, by {', '.join(map(repr, pairs))}"


def _of_sums(story: Mapping[str, Any]) -> dict[str, str]:
    """By feature of a scorecard that was improved, how its points move, and why nothing was added to them."""
    turns = story.get("improves", {}).get("turns", {})
    moves = {name: ways(each) for name, each in turns.items() if each}
    unchanged = {name: _why_left(each, "nothing added") for name, each in story.get("nothing_added", {}).items()}
    return {
        name: "; ".join(filter(None, (moves.get(name), unchanged.get(name))))
        for name in dict.fromkeys([*moves, *unchanged])
    }


def _why_left(left: Mapping[str, Any], what: str) -> str:
    """Why a feature is not on the card, or nothing was added to it, as `what` says."""
    if left["why"] == "copy":
        return f"{what}, since it parts the applicants as {left['of']!r} does"
    if left["why"] == "chance":
        return (
            f"{what}, since it tells no more than chance would: its {left['parameters']:.1f} parameters gain "
            f"{left['gain']:.1f} of twice the log-likelihood"
        )
    if left["why"] == "nothing":
        return f"{what}, since it tells nothing on these rows, though `must` names it"
    last = f"; the smallest card with it has {left['last_steps']:,} steps" if left["last_steps"] else ""
    gone = "left the card with its last step" if what == "left out" else f"{what} in the end"
    return f"{gone}{last}"


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


def _pairs(pairs: Mapping[str, Any] | None, chosen: Mapping[str, Any]) -> Iterator[str]:
    """What pairs of features are worth, and what the nearest of the others would have been."""
    if pairs is None:
        return
    looked = f"{pairs['looked_at']:,} looked at, the price is {pairs['price']:.1f}"
    on_card = {name: each for name, each in pairs["told"].items() if each["on_card"]}
    if on_card:
        gained = chosen["auc"] - pairs["without"]["auc"]
        words = ", ".join(f"{name!r} gains {each['gain']:.1f}" for name, each in on_card.items())
        yield f"Pairs: {words} ({looked}); they add {gained:.4f} to the AUC on the training rows"
    else:
        best = max(pairs["told"].items(), key=lambda each: each[1]["gain"], default=None)
        nearest = f", {best[0]!r} gains {best[1]['gain']:.1f}" if best else ""
        yield f"No pair of features is on the card: {looked}{nearest}"


def _beside(chosen: Mapping[str, Any], path: Sequence[Mapping[str, Any]], *, improves: bool) -> Iterator[str]:
    """What a card of clearly fewer steps would lose on the training rows."""
    smaller = next((card for card in path if 0 < card["steps"] <= _CLEARLY * chosen["steps"]), None)
    if smaller is not None:
        fewer, lost = chosen["steps"] - smaller["steps"], _lost(chosen, smaller)
        steps = "added steps" if improves else "steps"
        yield f"{fewer:,} fewer {steps} would cost {lost} on the training rows: --option max_steps={smaller['steps']}"


def _lost(card: Mapping[str, Any], other: Mapping[str, Any]) -> str:
    """By how much another card is worse, by the first of the figures."""
    first = next(figure for figure in CARD_FIGURES if figure.name in card)
    lost = card[first.name] - other[first.name]
    return f"{lost:.4f} of the {first.title}" if lost >= _TOLD else f"no {first.title}"


def _free(shapes: Mapping[str, Mapping[str, Any]]) -> Iterator[str]:
    """Shapes that turn, and what those cost that were asked for."""
    for name, shape in shapes.items():
        if "broken_by" in shape:
            yield f"{name!r} {_broken(shape['broken_by'])}"
        elif shape["asked"] and shape["trend"] is not None and shape["monotone_costs"] >= _SAID:
            yield f"{name!r} {_shape_in_words(shape)}"
        elif len(shape["turns"]) > 1 and _cost(shape) is not None:
            yield f"{name!r} {ways(shape['turns'])}; {_one_direction(shape)}"


def _unused(left: Mapping[str, Mapping[str, Any]], what: str) -> Iterator[str]:
    """Features that are not on the card, or to which nothing was added, as `what` says."""
    reasons = {
        "chance": "tell no more than chance would",
        "copy": "part the applicants as another column does",
        "steps": "left the card with their last step",
        "nothing": "tell nothing on these rows, though `must` names them",
    }
    for why, words in reasons.items():
        names = [name for name, each in left.items() if each["why"] == why]
        if names:
            more = f" and {len(names) - _NAMES} more" if len(names) > _NAMES else ""
            yield f"{what}, since they {words}: {', '.join(map(repr, names[:_NAMES]))}{more}"
