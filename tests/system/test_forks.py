"""A process that is forked after a fit can fit, too: no library waits there for threads that stayed with the parent."""

from __future__ import annotations

import importlib
import subprocess
import sys

#: In one process: each fit with as many threads as the machine has, so that libraries start them; then each in a fork.
FITS = """
import faulthandler, os, sys, warnings
os.environ["OMP_NUM_THREADS"] = "2"
from scrutable import create
from scrutable.data.datasets import load_german_credit

german = load_german_credit()
X, y = german.X[["checking_status", "duration_months"]].head(200), german.y.head(200)
FITS = {
    "lda-xgb1": {},
    "fairgbm": {"n_estimators": 5, "n_jobs": 2},
    "fairgbm by XGBoost": {"n_estimators": 5, "n_jobs": 2, "backend": "xgboost"},
    "scorecard": {},
}

def fitted(name):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return create("learner", name.split()[0], **FITS[name]).fit(X, y).model_

models = {name: fitted(name) for name in FITS}
children = {}
for name, model in models.items():
    children[name] = os.fork()
    if children[name] == 0:
        faulthandler.dump_traceback_later(60, exit=True)
        os._exit(0 if fitted(name) == model else 2)
for name, child in children.items():
    print(name, {0: "the same", 512: "another model"}.get(os.waitpid(child, 0)[1], "hangs"))
"""


def test_every_learner_fits_in_a_fork_of_a_process_that_has_fitted() -> None:
    importlib.import_module("lightgbm")  # which names what a machine lacks, where it cannot be imported
    done = subprocess.run([sys.executable, "-c", FITS], capture_output=True, text=True, check=True)
    assert [line for line in done.stdout.splitlines() if not line.endswith(" the same")] == []
    assert len(done.stdout.splitlines()) == 4
