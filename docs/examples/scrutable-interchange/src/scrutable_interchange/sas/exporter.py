"""The exporter `sas`."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scrutable.errors import InputError
from scrutable.model import Evidence, Model
from scrutable.plugins.bases import Export, Exporter

from scrutable_interchange.sas.program import program
from scrutable_interchange.sas.supported import EXCLUDED, held, results, supported

FILE = "score.sas"

_TABLE = re.compile(r"([A-Za-z_]\w{0,7}\.)?[A-Za-z_]\w{0,31}", re.ASCII)


@dataclass(frozen=True, kw_only=True)
class SASExporter(Exporter):
    """A scorecard as a DATA step that adds all that the evaluator tells, from the score to the shortfalls, to a table.

    There is no SAS to run it in here, so nothing is claimed of it but this: its text, read by the rules that SAS
    documents for the few statements it uses, gives the evaluator's results.

    Parameters
    ----------
    input_table, output_table : names of data sets, with or without a libref.

    Raises
    ------
    InputError : no name of a data set.

    Examples
    --------
    >>> from scrutable.model import *
    >>> age = Characteristic(feature="age", attributes=(
    ...     Attribute(condition=Interval(upper=25), points=10), Attribute(condition=Interval(lower=25), points=40),
    ...     Attribute(condition=Missing(), points=20)))
    >>> card = Scorecard(outcome=Outcome(classes=("bad", "good"), favourable="good"),
    ...     features=(Feature(name="age", kind="numeric"),), characteristics=(age,), base_points=500, cutoff=530,
    ...     calibration=Calibration(slope=0.03, intercept=-16))
    >>> text = SASExporter().export(card).text
    >>> print(text[text.index("  /* Age"):text.index("  score =")].rstrip())
      /* Age */
      if missing(age) then do;
        points_1 = 20; /* missing */
      end;
      else if age < 25 then do;
        points_1 = 10; /* < 25 */
      end;
      else do;
        points_1 = 40; /* >= 25 */
      end;
    """

    input_table: str = "applicants"
    output_table: str = "scored"

    def __post_init__(self) -> None:
        for option in ("input_table", "output_table"):
            value = getattr(self, option)
            if not isinstance(value, str) or not _TABLE.fullmatch(value):
                raise InputError(
                    "not the name of a data set",
                    where=f"option {option}",
                    got=value,
                    allowed="letters, digits and underscores, at most 32; before it a libref of at most 8 and a dot",
                )

    def export(self, model: Model, *, evidence: Evidence | None = None) -> Export:
        """The scorecard as the file `score.sas`.

        Raises
        ------
        UnsupportedModel : no scorecard, or names, texts and numbers that SAS cannot hold as they are.
        """
        scorecard = supported(model)
        content = program(scorecard, self.input_table, self.output_table)
        return Export(model=model, files={FILE: content}, excluded=EXCLUDED, results=results(scorecard))

    def holds(self, export: Export, X: Any) -> NDArray[np.bool_]:
        """(n,) rows that a SAS table can hold, as `Export.excluded` says."""
        return held(export.model, X)
