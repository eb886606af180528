"""What runs in the environment of fasterrisk: binary steps of the inputs, and one risk score of them.

Run: PYTHON binary_steps_worker.py FOLDER K THRESHOLDS. The folder has `learned.csv`, the outcome in the last column,
and gets `binary.npy`, the (n, p) steps, and `fasterrisk.json`: CPU seconds of the fit, mean log-loss on these rows, and
the number of coefficients that are not 0.
"""

import contextlib
import io
import json
import sys
import time
import warnings
from pathlib import Path

import numpy as np
import pandas as pd
from fasterrisk.binarization_util import convert_continuous_df_to_binary_df
from fasterrisk.fasterrisk import RiskScoreClassifier, RiskScoreOptimizer


def main() -> None:
    """One fit."""
    warnings.simplefilter("ignore")
    folder, k, thresholds = Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
    learned = pd.read_csv(folder / "learned.csv", float_precision="round_trip")
    good = learned.iloc[:, -1].to_numpy()
    with contextlib.redirect_stdout(io.StringIO()):
        numeric = pd.get_dummies(learned.iloc[:, :-1]).astype(float)
        binary = convert_continuous_df_to_binary_df(numeric, max_num_thresholds_per_feature=thresholds)
        varying = binary.loc[:, binary.nunique() > 1]
        X, y = varying.to_numpy(dtype=float), 2.0 * good - 1
        started = time.process_time()
        optimizer = RiskScoreOptimizer(X=X, y=y, k=k, lb=-5, ub=5)
        optimizer.optimize()
        multiplier, intercept, points = optimizer.get_models(0)
        seconds = time.process_time() - started
        loss = RiskScoreClassifier(multiplier, intercept, points).compute_logisticLoss(X, y) / len(y)
    np.save(folder / "binary.npy", X.astype(np.int8))
    told = {"seconds": seconds, "loss": float(loss), "size": int(np.count_nonzero(points))}
    (folder / "fasterrisk.json").write_text(json.dumps(told))


if __name__ == "__main__":
    main()
