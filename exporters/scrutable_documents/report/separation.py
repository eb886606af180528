"""Pictures of how well a model separates: ROC, CAP, lift by tenths and KS, on the applicants and in development."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from scrutable.measures import SeparationCurve, separation_curve
from scrutable.model.evaluator import Evaluation
from scrutable_documents.common.evaluated import Evaluated
from scrutable_documents.common.figures import decimals, percent, points
from scrutable_documents.common.sections import Block, Picture
from scrutable_documents.report import pictures

_HERE, _DEVELOPMENT = "these applicants", "development"

Curves = dict[str, SeparationCurve]


def separation_pictures(sample: Evaluated | None, reference: Evaluated | None) -> Iterator[Block]:
    """Four pictures of what ranks applicants; none where outcomes of both classes are not known.

    Parameters
    ----------
    reference : the applicants of the development, drawn beside the others where their outcomes are known.
    """
    measured = {_HERE: _curve(sample), _DEVELOPMENT: _curve(reference)}
    curves = {name: curve for name, curve in measured.items() if curve is not None}
    if _HERE in curves:
        yield from (drawn(curves) for drawn in (_roc, _cap, _lift, _ks))


def _curve(sample: Evaluated | None) -> SeparationCurve | None:
    if sample is None or not isinstance(sample.evaluation, Evaluation):
        return None
    return separation_curve(sample.evaluation.ranking, sample.cohort)


def _roc(curves: Curves) -> Picture:
    lines = [(each.goods[each.shown].tolist(), each.bads[each.shown].tolist()) for each in curves.values()]
    svg = pictures.shares_plot(lines, list(curves), "favourable, below the cutoff", "unfavourable, below")
    said = _of_each(curves, lambda each: f"AUC {decimals(each.auc)}")
    return Picture(svg=svg, caption=f"ROC: shares of either outcome that each cutoff declines; {said}")


def _cap(curves: Curves) -> Picture:
    lines = [(each.everybody[each.shown].tolist(), each.bads[each.shown].tolist()) for each in curves.values()]
    svg = pictures.shares_plot(lines, list(curves), "all, below the cutoff", "unfavourable, below")
    said = _of_each(curves, lambda each: f"accuracy ratio (Gini) {decimals(each.accuracy_ratio)}")
    return Picture(svg=svg, caption=f"CAP: unfavourable outcomes among the riskiest of all applicants; {said}")


def _lift(curves: Curves) -> Picture:
    tenths = [each.tenths for each in curves.values()]
    samples = [([each.share for each in parts], [each.lift for each in parts]) for parts in tenths]
    first = _of_each(
        curves, lambda each: f"{percent(each.tenths[0].bads)} in the first {percent(each.tenths[0].share)}"
    )
    caption = f"Lift by tenths: rate of the unfavourable outcome over that of all; of these outcomes {first}"
    return Picture(svg=pictures.lift_plot(samples, list(curves)), caption=caption)


def _ks(curves: Curves) -> Picture:
    samples, marks = [], []
    for each in curves.values():
        shown = each.shown[:-1]  # nothing is at infinity
        scores = each.cutoff[shown].tolist()
        samples.append(((scores, each.goods[shown].tolist()), (scores, each.bads[shown].tolist())))
        if (widest := each.widest_shown) is not None:
            marks.append((each.ks_at, float(each.goods[widest]), float(each.bads[widest])))
    said = _of_each(curves, lambda each: f"KS {percent(each.ks)} at {points(each.ks_at)}")
    return Picture(
        svg=pictures.distance_plot(samples, list(curves), marks),
        caption=f"Shares of either outcome below each score, and their largest distance; {said}",
    )


def _of_each(curves: Curves, told: Callable[[SeparationCurve], str]) -> str:
    """A figure of each sample; of one alone it needs no name."""
    return ", ".join(f"{told(each)}{_name(name, curves)}" for name, each in curves.items())


def _name(name: str, curves: Curves) -> str:
    return f" ({name})" if len(curves) > 1 else ""
