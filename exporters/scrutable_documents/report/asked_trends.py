"""Which trends were asked for, as the model's provenance and its evidence tell it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from scrutable.model import Provenance

#: What stands where nothing was asked for, and where nobody recorded whether something was.
FREE, UNKNOWN = "free", "not recorded"


def asked_trends(origin: Provenance, tables: Mapping[str, Any]) -> Mapping[str, str] | None:
    """The trend that was asked for by feature; None where neither the model nor its evidence says what was asked.

    Parameters
    ----------
    origin : of the model; the options of its learner, and those of a binner among them, may have trends and edits.
    tables : binning tables of the evidence by feature; empty where there are none.

    Examples
    --------
    >>> asked_trends(Provenance(parameters={"trends": {"age": "ascending"}}), {})
    {'age': 'ascending'}
    >>> asked_trends(Provenance(), {"age": {"trend": "descending"}, "sum": {"trend": None}})
    {'age': 'descending'}
    >>> asked_trends(Provenance(), {}) is None
    True
    """
    options = list(_options(origin.parameters))
    if not options and not tables:
        return None
    asked: dict[str, str] = {}
    for each in options:
        asked |= _entries(each.get("trends"))
        for edit in _edits(each.get("edits")):
            asked.pop(edit["feature"], None)
            if edit.get("trend") not in (None, FREE):
                asked[edit["feature"]] = str(edit["trend"])
    return asked | {name: table["trend"] for name, table in tables.items() if table.get("trend")}


def _options(parameters: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """Options that may ask for trends: the learner's, and after them those of its binner, whose edits come last."""
    if "trends" in parameters:
        yield parameters
    binner = parameters.get("binner")
    if isinstance(binner, Mapping) and isinstance(binner.get("parameters"), Mapping):
        yield binner["parameters"]
    elif isinstance(binner, str):  # by its name, with the options that it has by default
        yield {}


def _entries(trends: Any) -> dict[str, str]:
    return {name: str(trend) for name, trend in trends.items()} if isinstance(trends, Mapping) else {}


def _edits(edits: Any) -> Iterator[Mapping[str, Any]]:
    """Edits that say a trend, or that begin a feature anew."""
    for edit in edits if isinstance(edits, Sequence) and not isinstance(edits, str) else ():
        if isinstance(edit, Mapping) and "feature" in edit and (edit.get("trend") or edit.get("action") == "start"):
            yield edit
