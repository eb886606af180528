"""One fit in a process of its own: prints CPU seconds, the most memory that was held, and what was learned.

Run: python -m sourcing.fit_once memory|duckdb LEARNER PATTERN [THREADS]
"""

from __future__ import annotations

import json
import resource
import sys
import time
import warnings
from typing import Any

from scrutable import create
from scrutable.model import fingerprint
from scrutable.plugins import opened_source
from sourcing.rows import PROTECTED, TARGET

_CODES = {"bureau_score": [-9.0]}
#: What DuckDB may take beside what the fit takes.
_MEMORY = "500MB"


def learner_of(name: str) -> Any:
    """A learner with the options that the figures are of: `additive`, `lda-xgb1`, or a scorecard by its binner."""
    if name == "additive":
        return create("learner", name, special_codes=_CODES, favourable=0)
    binner = create("binner", "xgb1" if name == "lda-xgb1" else name, special_codes=_CODES)
    return create("learner", name if name == "lda-xgb1" else "scorecard", binner=binner, favourable=0)


def fit(place: str, name: str, pattern: str, threads: str = "1") -> dict[str, Any]:
    """The figures of one fit."""
    learner = learner_of(name)
    given: tuple[tuple[Any, Any], dict[str, Any]]
    if place == "memory":
        import pandas as pd

        frame = pd.read_parquet(pattern.rpartition("/")[0])
        inputs = frame.drop(columns=[TARGET, *PROTECTED])
        given = (inputs, frame[TARGET]), {"sensitive_features": frame[list(PROTECTED)]}
    else:
        source = opened_source(f"duckdb:threads={threads},memory_limit={_MEMORY}", pattern)
        given = (source, TARGET), {"sensitive_features": list(PROTECTED)}
    before = time.process_time()
    learner.fit(*given[0], **given[1])
    return {
        "seconds": time.process_time() - before,
        "megabytes": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
        "model": fingerprint(learner.model_),
    }


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    print(json.dumps(fit(*sys.argv[1:])))
