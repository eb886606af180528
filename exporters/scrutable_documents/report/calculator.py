"""The model's script in a page: what the exporter `javascript` writes, so that the page runs what servers run."""

from __future__ import annotations

from scrutable import registry
from scrutable.model import Model, SegmentedModel

#: The exporter that writes what the page runs.
EXPORTER = "javascript"
#: How its functions are called in the page, with a number behind.
_FUNCTION = "scored_"


def has_calculator() -> bool:
    """Whether the exporter that a calculator needs is here, which a site may have blocked."""
    return EXPORTER in registry().names("exporter")


def modules(model: Model) -> list[str]:
    """Scripts that define `scored_0`, the model, and of segments `scored_1` and so on, the model of each.

    A segmented model gives no points, since those of its segments may be on scales of their own. The model of the
    segment that a row belongs to says what its score is made of.

    >>> from scrutable.testing import card
    >>> [script] = modules(card())
    >>> script.rstrip().rpartition(chr(10))[2]
    'globalThis.scored_0 = scored_0;'
    """
    segments = model.segments if isinstance(model, SegmentedModel) else ()
    return [_module(each, f"{_FUNCTION}{place}") for place, each in enumerate([model, *(s.model for s in segments)])]


def _module(model: Model, function: str) -> str:
    exporter = registry().create("exporter", EXPORTER, function=function, details=True)
    return f"{exporter.export(model).text}\nglobalThis.{function} = {function};\n"
