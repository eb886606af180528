"""What runs in the environment of the authors' fork: fits of its constrained and of its plain LightGBM.

Run: PYTHON fork_worker.py REQUEST.json

The request names an .npz file of arrays, the fits, and where the scores (.npz) and CPU seconds (.json) go. It imports
nothing of this project.
"""

import json
import sys
import time
import warnings
from importlib import import_module

import numpy as np


def main() -> None:
    """Do the fits of a request, one after another."""
    warnings.filterwarnings("ignore")
    with open(sys.argv[1]) as file:
        request = json.load(file)
    with np.load(request["arrays"]) as found:
        arrays = dict(found)
    package = import_module("fairgbm")  # the fork, not the benchmark of that name
    seconds, scores = [], {}
    for place, fit in enumerate(request["fits"]):
        learner = package.FairGBMClassifier if fit["constrained"] else package.LGBMClassifier
        model = learner(**fit["options"])
        groups = {"constraint_group": arrays["groups"]} if fit["constrained"] else {}
        columns = fit["categorical"] or "auto"
        before = time.process_time()
        model.fit(arrays["X"], arrays["y"], categorical_feature=columns, **groups)
        seconds.append(time.process_time() - before)
        for name in request["scored"]:
            scores[f"{place}_{name}"] = model.predict(arrays[name], raw_score=True)
    np.savez(request["scores"], **scores)
    with open(request["seconds"], "w") as file:
        json.dump(seconds, file)


main()
