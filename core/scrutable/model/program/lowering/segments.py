"""Segmented models as programs: each output is that of the segment that the row belongs to."""

from __future__ import annotations

from collections.abc import Callable

from scrutable.model.contents import results_of_segments
from scrutable.model.policy_words import exception_in_words
from scrutable.model.program.lowering.asking import Asking
from scrutable.model.program.nodes import Choice, First, Text
from scrutable.model.program.program import Builder, Output
from scrutable.model.segments import SegmentedModel, SingleModel

_APPROVED = "1 if the score is at least the cutoff of the segment, no knock-out; else 0"


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
    titles = tuple(f"{segment.name}: {segment.describe(asking.features)}" for segment in model.segments)
    which = builder.add(First(tuple(asking.conjunction(segment.when) for segment in before), titles))
    lowered = [lower(segment.model, builder) for segment in model.segments]
    own = [{output.name: output for output in outputs} for outputs in lowered]
    results = results_of_segments([[output.name for output in outputs if output.is_result] for outputs in lowered])
    exception = next(filter(None, (exception_in_words(segment.model) for segment in model.segments)), "")
    outputs = [Output("segment", builder.add(Text(which, names)), "the segment")]
    for name in (*results[1:], *(["unfavourable"] if model.outcome.binary else [])):
        having = [each.get(name) for each in own]
        about = (
            f"{_APPROVED}{exception}" if name == "approved" else next(each.about for each in having if each is not None)
        )
        refs = tuple(None if each is None else each.of for each in having)
        outputs.append(Output(name, builder.add(Choice(which, refs)), about))
    return outputs
