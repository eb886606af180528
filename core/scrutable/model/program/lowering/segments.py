"""Segmented models as programs: each output is that of the segment that the row belongs to."""

from __future__ import annotations

from collections.abc import Callable

from scrutable.model.contents import results_of_segments
from scrutable.model.program.lowering.asking import Asking
from scrutable.model.program.nodes import Choice, First, Ref, Text
from scrutable.model.program.program import Builder, Output
from scrutable.model.segments import SegmentedModel, SingleModel


def segmented_model(
    model: SegmentedModel, builder: Builder, lower: Callable[[SingleModel, Builder], list[Output]]
) -> list[Output]:
    """The outputs of the first segment whose clauses hold; None where its model has no such output.

    Parameters
    ----------
    lower : writes down a model of one segment.
    """
    asking = Asking.of(builder, model.routing)
    *before, _ = model.segments
    names = tuple(segment.name for segment in model.segments)
    which = builder.add(First(tuple(asking.conjunction(segment.when) for segment in before), names))
    lowered = [lower(segment.model, builder) for segment in model.segments]
    own = [{output.name: output.of for output in outputs} for outputs in lowered]
    results = results_of_segments([[output.name for output in outputs if output.is_result] for outputs in lowered])
    outputs = [Output("segment", builder.add(Text(which, names)))]
    for name in (*results[1:], *(["unfavourable"] if model.outcome.binary else [])):
        refs: tuple[Ref | None, ...] = tuple(each.get(name) for each in own)
        outputs.append(Output(name, builder.add(Choice(which, refs))))
    return outputs
