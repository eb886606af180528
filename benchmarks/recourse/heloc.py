"""HELOC with twelve characteristics: OptBinning's scorecard, and ours with the same attributes and coefficients."""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
import optbinning
import pandas as pd
from optbinning import BinningProcess
from sklearn.linear_model import LogisticRegression

from recourse.reading import card_of
from scrutable.model import Scorecard
from scrutable.model.evaluator import evaluate

#: Column of the file, and name, of the features.
FEATURES = {
    1: "ExternalRiskEstimate",
    2: "MSinceOldestTradeOpen",
    4: "AverageMInFile",
    5: "NumSatisfactoryTrades",
    8: "PercentTradesNeverDelq",
    9: "MSinceMostRecentDelq",
    10: "MaxDelq2PublicRecLast12M",
    12: "NumTotalTrades",
    14: "PercentInstallTrades",
    15: "MSinceMostRecentInqexcl7days",
    18: "NetFractionRevolvingBurden",
    22: "NumBank2NatlTradesWHighUtilization",
}
SPECIAL = (-9.0, -8.0, -7.0)

#: Whose values in the paper's tables 2 to 6 these are; one row of the file has them.
PAPERS_APPLICANT = {
    "AverageMInFile": 65,
    "PercentTradesNeverDelq": 83,
    "MSinceMostRecentInqexcl7days": 0,
    "NetFractionRevolvingBurden": 28,
    "NumBank2NatlTradesWHighUtilization": 2,
}


@dataclass(frozen=True, kw_only=True, eq=False)
class Heloc:
    """Rows, OptBinning's scorecard of them, and the same as ours.

    Parameters
    ----------
    bad : (n,) 1 where the loan went bad.
    declined : positions of the rows that the scorecard declines.
    """

    X: pd.DataFrame
    bad: np.ndarray
    peer: optbinning.Scorecard
    card: Scorecard
    declined: np.ndarray

    def drawn(self, count: int, seed: int = 0) -> pd.DataFrame:
        """Declined applicants drawn at random."""
        return self.X.iloc[np.random.default_rng(seed).permutation(self.declined)[:count]]

    def papers_applicant(self) -> pd.DataFrame:
        """The row of the paper's applicant."""
        return self.X[(self.X[list(PAPERS_APPLICANT)] == pd.Series(PAPERS_APPLICANT)).all(axis=1)]


@cache
def heloc() -> Heloc:
    """The data, and one fit."""
    frame = pd.read_csv(folder() / "heloc.csv.gz", sep=r"\s+", header=None)
    X = frame[list(FEATURES)].set_axis(list(FEATURES.values()), axis=1).astype(float)
    bad = (frame[0] == 1).to_numpy(int)
    process = BinningProcess(list(X), special_codes=list(SPECIAL))
    peer = optbinning.Scorecard(binning_process=process, estimator=LogisticRegression(max_iter=1000)).fit(X, bad)
    card = card_of(peer, SPECIAL)
    return Heloc(X=X, bad=bad, peer=peer, card=card, declined=np.flatnonzero(~evaluate(card, X).approved))


def folder() -> Path:
    """Where the data sets are."""
    named = os.environ.get("SCRUTABLE_DATA")
    if not named:
        sys.exit("Name the folder of data sets: SCRUTABLE_DATA=... (see CONTRIBUTING.md)")
    return Path(named)
