"""The sources of an R package around the function, with rows and their results as tests."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scrutable.model import Model, features_read, fingerprint
from scrutable.model.evaluator import evaluate, read_inputs
from scrutable.plugins import heading_lines, one_line
from scrutable.proof import edge_rows
from scrutable_r.options import ROptions
from scrutable_r.quoting import literal, quoted
from scrutable_r.render import arguments, template

#: As many edge rows as the tests of a package check at most.
_ROWS = 500


def files(model: Model, names: Sequence[str], text: str, options: ROptions) -> dict[str, str | bytes]:
    """Files of the package by path; those of `R CMD build` and nothing else. The function's results have the names."""
    words = {
        "options": options,
        "fingerprint": fingerprint(model),
        "outcome": _documented(heading_lines(model)[0]),
        "features": [(_documented(feature.name), _documented(feature.title)) for feature in features_read(model)],
        "arguments": arguments(names),
        **_examples(model),
    }
    written = {path: template(f"package/{name}").render(words) for path, name in _templates(options).items()}
    return {"R/score.R": text, **written}


def _templates(options: ROptions) -> dict[str, str]:
    return {
        "DESCRIPTION": "DESCRIPTION.jinja",
        "LICENSE": "LICENSE.jinja",
        "NAMESPACE": "NAMESPACE.jinja",
        f"man/{options.function_name}.Rd": "function.Rd.jinja",
        "tests/score.R": "tests.R.jinja",
    }


def _examples(model: Model) -> dict[str, Any]:
    """Rows and what the evaluator says of them, as R."""
    if not model.features:
        return {"n_rows": 0, "inputs": [], "results": []}
    rows = edge_rows(model, n_random=50).head(_ROWS)
    columns, n_rows = read_inputs(model, rows)
    results = evaluate(model, rows).frame()
    return {
        "n_rows": n_rows,
        "inputs": [(quoted(name), _values(column.values)) for name, column in columns.items()],
        "results": [(quoted(name), _values(values)) for name, values in results.items()],
    }


def _values(values: NDArray[Any]) -> str:
    """A column as a vector of R, ten values a line."""
    if values.dtype == object:
        literals = ["NA_character_" if value is None else quoted(value) for value in values]
    elif values.dtype == np.int64:
        literals = [f"{value}L" for value in values.tolist()]
    else:
        literals = ["NA_real_" if np.isnan(value) else _double(value) for value in values.tolist()]
    lines = [", ".join(literals[start : start + 10]) for start in range(0, len(literals), 10)]
    return f"c(\n      {(',' + chr(10) + '      ').join(lines)}\n    )"


def _double(value: float) -> str:
    return "-0" if value == 0 and np.signbit(value) else literal(value)


def _documented(text: str) -> str:
    """Words that R's documentation shows as they are."""
    return "".join(f"\\{c}" if c in "\\%{}" else c for c in one_line(text))
