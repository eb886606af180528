"""What an engine returned, beside what the evaluator says of the same rows."""

from __future__ import annotations

from typing import Any

import numpy as np

from scrutable.model import Model
from scrutable.model.evaluator import OutputFrame, differences, evaluate


def check_same(model: Model, rows: Any, theirs: OutputFrame, *, told: str = "") -> OutputFrame:
    """Same columns in the same order and of the same types, same values, and the same signs of zero.

    Parameters
    ----------
    told : what a failure shows besides the model, such as the text that ran.

    Returns
    -------
    what the evaluator says.
    """
    ours = evaluate(model, rows).frame()
    assert list(theirs) == list(ours)
    assert differences(ours, theirs) == {}, told or model
    for name, values in ours.items():
        assert values.dtype == theirs[name].dtype, name
        assert values.dtype == object or (np.signbit(values) == np.signbit(theirs[name])).all(), name
    return ours
