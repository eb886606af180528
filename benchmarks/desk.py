"""Learner `scorecard` with its own selection beside OptBinning's scorecard with a floor of the information value.

Run: SCRUTABLE_DATA=... OMP_NUM_THREADS=1 python benchmarks/desk.py [--quick] [--json FILE]

Data sets are without protected columns; 30 % of the rows are held out in ten random splits, and the same rows are given
to both. OptBinning has its own defaults and `selection_criteria` of an information value of at least .02, so that it
chooses too. The simulated set has 10,000 rows and 200 columns, of which 180 are noise; it is held to `scorecard` on the
20 others. CPU is that of one thread. `--quick` takes three splits of the two smaller sets, and fewer fits.
"""

from __future__ import annotations

import argparse
import statistics
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from importlib.metadata import version
from typing import Any

import numpy as np
import pandas as pd
from cards import data, models
from cards.data import Rows, Split, noisy
from cards.figures import Difference, auc
from clock import yardstick
from optbinning import BinningProcess, Scorecard
from report import Row, lines, parser, show
from sklearn.linear_model import LogisticRegression
from threadpoolctl import threadpool_limits

from scrutable import create
from scrutable.plugins import Selection

#: Data of people, the smaller sets first, and the simulated set.
FEW = ("german", "heloc")
PEOPLE = (*FEW, "bank_mkt", "taiwan_default", "adult")
SIMULATED = "simulated"
_ROWS, _COLUMNS, _TRUE = 10_000, 200, 20
_MANY_ROWS, _MANY_COLUMNS = 100_000, 30
_FLOOR = 0.02


@dataclass(frozen=True, slots=True, kw_only=True)
class Fit:
    """What one fit came to on one split.

    Parameters
    ----------
    auc : of rows held out.
    kept : number of characteristics that were selected.
    seconds : CPU time of the fit.
    """

    auc: float
    kept: int
    seconds: float


#: Fits by who fitted, set, and split.
Fits = Mapping[str, Mapping[str, Sequence[Fit]]]
OURS, THEIRS, TRUE = "scorecard", "OptBinning", "scorecard on the true columns"
#: The best that as few characteristics as OptBinning keeps could do, by a card that is told which columns are true.
BEST = "scorecard on the best of the true columns"


def ours(parts: Split, **options: Any) -> Fit:
    """The learner `scorecard` by default settings, or with options."""
    binner = create("binner", "optimal", special_codes=parts.learned.special or None)
    made = create("learner", "scorecard", binner=binner, favourable=1, explainer=None, **options)
    seconds, _ = models.quietly(partial(made.fit, parts.learned.X, parts.learned.y))
    _, probability = models.quietly(partial(made.predict_proba, parts.held.X))
    selection = Selection.of(made.evidence_)
    kept = len(parts.learned.X.columns) if selection is None else len(selection.kept)
    return Fit(auc=auc(parts.held.y, probability[:, 1]), kept=kept, seconds=seconds)


def theirs(parts: Split) -> Fit:
    """OptBinning's scorecard."""
    rows = parts.learned
    process = BinningProcess(
        [str(name) for name in rows.X],
        categorical_variables=rows.texts,
        special_codes=list(rows.special) or None,
        selection_criteria={"iv": {"min": _FLOOR}},
    )
    made = Scorecard(process, LogisticRegression())
    seconds, _ = models.quietly(partial(made.fit, rows.X, rows.y))
    _, probability = models.quietly(partial(made.predict_proba, parts.held.X))
    kept = int(made.binning_process_.get_support().sum())
    return Fit(auc=auc(parts.held.y, probability[:, 1]), kept=kept, seconds=seconds)


def measured(names: Sequence[str], seeds: int) -> Fits:
    """Both fits of each set and split, and of the simulated set that on its true columns, too."""
    fits: dict[str, dict[str, list[Fit]]] = {OURS: {}, THEIRS: {}, TRUE: {}, BEST: {}}
    ours(data.split(FEW[0], 0))  # what the first call imports is no part of a fit
    for name in names:
        each: dict[str, list[Fit]] = {OURS: [], THEIRS: [], TRUE: [], BEST: []}
        for seed in range(seeds):
            parts = _simulated(seed) if name == SIMULATED else data.split(name, seed)
            each[OURS].append(ours(parts))
            each[THEIRS].append(theirs(parts))
            if name == SIMULATED:
                true = _simulated(seed, true=True)
                each[TRUE].append(ours(true, select=None))
                each[BEST].append(ours(true, select=f"best-subset:most={each[THEIRS][-1].kept}"))
        for who, of_set in each.items():
            if of_set:
                fits[who][name] = of_set
    return fits


def _simulated(seed: int, *, true: bool = False) -> Split:
    """As many rows to learn from as are held out; of the true columns alone if asked."""
    drawn = noisy(2 * _ROWS, _COLUMNS, _TRUE, seed)
    rows = Rows(X=drawn.X.iloc[:, :_TRUE], y=drawn.y) if true else drawn
    return Split(learned=rows.take(np.arange(_ROWS)), held=rows.take(np.arange(_ROWS, 2 * _ROWS)))


def rows_of_auc(fits: Fits) -> Iterator[Row]:
    """AUC less OptBinning's on each set, and on the mean."""
    names = [*fits[OURS]]
    for name in names:
        own = _difference(fits, [name])
        yield Row(
            name=f"{name}: AUC less OptBinning's",
            value=own.in_errors,
            unit="s.e.",
            relation=">=",
            bound=-1.0,
            note=f"{_mean(fits, OURS, name, 'auc'):.4f}: {own}",
        )
    mean = _difference(fits, names)
    note = f"standard error {mean.error:.4f}"
    yield Row(name="all sets: AUC less OptBinning's", value=mean.mean, unit="", relation=">=", bound=0.0, note=note)


def rows_of_kept(fits: Fits) -> Iterator[Row]:
    """Characteristics on each set of people; where nearly all is noise a floor keeps few by losing what tells."""
    for name in fits[OURS]:
        kept, other = (_mean(fits, who, name, "kept") for who in (OURS, THEIRS))
        note = _loss_of_few(fits) if name == SIMULATED else ""
        yield Row(
            name=f"{name}: characteristics", value=kept, unit="", relation="<=", bound=other, peer=other, note=note
        )


def _loss_of_few(fits: Fits) -> str:
    """What as few characteristics lose even where nobody has to look for them."""
    pairs = zip(fits[BEST][SIMULATED], fits[TRUE][SIMULATED], strict=True)
    lost = Difference.of({"": [few.auc - true.auc for few, true in pairs]})
    kept = _mean(fits, BEST, SIMULATED, "kept")
    return f"the {kept:.1f} of the true columns that tell most: AUC {lost} less than all of these"


def rows_of_noise(fits: Fits) -> Iterator[Row]:
    """AUC beside that of the true columns of the simulated set."""
    if SIMULATED not in fits[TRUE]:
        return
    pairs = zip(fits[OURS][SIMULATED], fits[TRUE][SIMULATED], strict=True)
    lost = Difference.of({"": [each.auc - true.auc for each, true in pairs]})
    peer = _mean(fits, THEIRS, SIMULATED, "auc") - _mean(fits, TRUE, SIMULATED, "auc")
    yield Row(
        name=f"{_ROWS:,} x {_COLUMNS}, {_COLUMNS - _TRUE} of noise: AUC less that on the true columns",
        value=lost.mean,
        unit="",
        relation=">=",
        bound=-0.018,
        peer=peer,
        note=f"standard error {lost.error:.4f}; the peer is OptBinning",
    )


def rows_of_seconds(runs: int, size: int) -> Iterator[Row]:
    """CPU of a fit with its selection beside OptBinning's, pair by pair."""
    draw = np.random.default_rng(0)
    values = draw.normal(size=(size, _MANY_COLUMNS))
    y = (draw.random(size) < 1 / (1 + np.exp(-0.4 * values[:, :12].sum(axis=1)))).astype(np.intp)
    drawn = Rows(X=pd.DataFrame(values, columns=[f"x{at}" for at in range(_MANY_COLUMNS)]), y=y)
    parts = Split(learned=drawn, held=drawn.take(np.arange(1_000)))
    pairs = [(ours(parts), theirs(parts)) for _ in range(runs)]
    ratio = statistics.median(own.seconds / other.seconds for own, other in pairs)
    own, other = (statistics.median(each[at].seconds for each in pairs) for at in (0, 1))
    yield Row(
        name=f"{size:,} x {_MANY_COLUMNS}: CPU of a fit with its selection",
        value=ratio,
        unit="of OptBinning's",
        relation="<=",
        bound=1 / 3,
        note=f"{own:.2f} s and {other:.2f} s; a sort of a million doubles takes {yardstick(5):.2g} s",
    )


def _mean(fits: Fits, who: str, name: str, figure: str) -> float:
    return float(np.mean([getattr(each, figure) for each in fits[who][name]]))


def _difference(fits: Fits, names: Sequence[str]) -> Difference:
    pairs = {name: zip(fits[OURS][name], fits[THEIRS][name], strict=True) for name in names}
    return Difference.of({name: [own.auc - other.auc for own, other in of_set] for name, of_set in pairs.items()})


def _cells(fits: Fits) -> Iterator[list[str]]:
    figures = {"auc": ".4f", "kept": ".1f", "seconds": ".2f"}
    for name in fits[OURS]:
        for who in fits:
            if name in fits[who]:
                yield [name, who, *(f"{_mean(fits, who, name, figure):{form}}" for figure, form in figures.items())]


def main() -> None:
    """Print AUC and characteristics by set, then every figure beside its bound."""
    chosen = asked()
    names = tuple(chosen.set or (FEW if chosen.quick else (*PEOPLE, SIMULATED)))
    seeds = chosen.splits or (3 if chosen.quick else 10)
    print(f"OptBinning {version('optbinning')}")
    with threadpool_limits(1):
        fits = measured(names, seeds)
        headers = ("data set", "", "AUC", "characteristics", "CPU s")
        lines(f"Rows held out, {seeds} splits", headers, [*_cells(fits)])
        rows = [*rows_of_auc(fits), *rows_of_kept(fits), *rows_of_noise(fits)]
        rows += rows_of_seconds(1 if chosen.quick else 5, _MANY_ROWS)
    show("The modeller's desk", rows, chosen.json)


def asked() -> argparse.Namespace:
    """The options."""
    given = parser(__doc__ or "")
    given.add_argument("--set", action="append", choices=(*PEOPLE, SIMULATED), help="take this data set; repeatable")
    given.add_argument("--splits", type=int, metavar="N", help="random splits, two at least")
    chosen = given.parse_args()
    if chosen.splits is not None and chosen.splits < 2:
        given.error("--splits: a standard error takes two at least")
    return chosen


if __name__ == "__main__":
    main()
