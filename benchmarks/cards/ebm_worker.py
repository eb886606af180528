"""What runs in the environment of interpret-core: one EBM of main effects.

Run: PYTHON ebm_worker.py FOLDER. The folder has `learned.parquet` and `held.parquet`, the outcome in the last column,
and gets `ebm.json`: CPU seconds of the fit, number of different values of all terms, and probabilities of the held
rows.
"""

import json
import sys
import time
import warnings
from pathlib import Path

import numpy as np
import pandas as pd
from interpret.glassbox import ExplainableBoostingClassifier


def main() -> None:
    """One fit."""
    warnings.simplefilter("ignore")
    folder = Path(sys.argv[1])
    learned, held = (pd.read_parquet(folder / f"{part}.parquet") for part in ("learned", "held"))
    started = time.process_time()
    # One job is one thread, which changes nothing of the model.
    model = ExplainableBoostingClassifier(interactions=0, n_jobs=1).fit(learned.iloc[:, :-1], learned.iloc[:, -1])
    seconds = time.process_time() - started
    probability = model.predict_proba(held.iloc[:, :-1])[:, 1]
    told = {"seconds": seconds, "steps": _steps(model), "probability": probability.tolist()}
    partial = folder / "partial.json"
    partial.write_text(json.dumps(told))
    partial.replace(folder / "ebm.json")


def _steps(model: ExplainableBoostingClassifier) -> int:
    """Different values that the terms have where there are rows, summed over the terms."""
    each = zip(model.term_scores_, model.bin_weights_, strict=True)
    return sum(len(np.unique(scores[weights > 0])) for scores, weights in each)


if __name__ == "__main__":
    main()
