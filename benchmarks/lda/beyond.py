"""Beyond the paper: the whole search beside the paper's own frontier, at equal approval rates."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from report import Row

from lda.data import Case
from lda.reading import Scored, at_rate, scored
from lda.table import BOUNDS, papers_method
from scrutable import create
from scrutable.model.evaluator import differences, evaluate
from scrutable_lifecycle.search import LDASearch

#: Smallest share of applicants in a bin of ours; the paper sets none.
MIN_SHARE = 0.02
#: The paper's bounds with others between them, so that its frontier is not judged by its gaps.
FINE = sorted({*BOUNDS, *np.geomspace(0.02, 5.0, 30).round(4).tolist()}, reverse=True)


@dataclass(frozen=True, kw_only=True)
class Compared:
    """One split: AUC and bad rate of either frontier at each ratio of a grid; NaN where a frontier does not reach."""

    rate: float
    grid: np.ndarray
    ours: np.ndarray  # (ratios, 2)
    papers: np.ndarray


@dataclass(frozen=True, kw_only=True)
class Means:
    """Means over splits: AUC and bad rate of either side at each ratio, and how many splits count."""

    name: str
    grid: np.ndarray
    papers: np.ndarray  # (ratios, 2)
    ours: np.ndarray
    reached: np.ndarray  # (ratios,)
    splits: int

    @property
    def gain(self) -> np.ndarray:
        """(ratios, 2) AUC gained, and bad rate added."""
        gained: np.ndarray = self.ours - self.papers
        return gained


def best(models: Sequence[Scored], rate: float, case: Case) -> np.ndarray:
    """(k, 3) ratio, AUC and bad rate of the models that no other beats in ratio and AUC both on the test rows."""
    read = [(at_rate(each.score, rate, case), each.auc) for each in models]
    points = np.array(sorted((ratio, auc, bad) for (ratio, bad), auc in read))
    best_after = np.maximum.accumulate(points[::-1, 1])[::-1]
    return points[points[:, 1] >= best_after]


def along(points: np.ndarray, grid: np.ndarray) -> np.ndarray:
    """(ratios, 2) AUC and bad rate on the line from point to point.

    Below the lowest ratio it is the first point, which has more of both than is asked; above the highest, NaN.
    """
    columns = [np.interp(grid, points[:, 0], points[:, i], right=np.nan) for i in (1, 2)]
    return np.stack(columns, axis=1)


def compared(case: Case, grid: np.ndarray) -> list[Compared]:
    """Both at 50 % approved, and at what the paper's model of bound 1 (else its median) approves.

    About forty models stand on either side; of both, those count that no other of its side beats on the test rows.
    """
    papers = papers_method(case, FINE)
    first, groups = case.fitting()
    made = create("learner", "lda-xgb1", min_share=MIN_SHARE, **case.options).alternatives(*first, **groups)
    ours = [scored(each.name, each.model, case) for each in made]
    of_one = [each.own_rate for each in papers if each.name == "1"] or [papers[len(papers) // 2].own_rate]
    return [
        Compared(
            rate=rate,
            grid=grid,
            ours=along(best(ours, rate, case), grid),
            papers=along(best(papers, rate, case), grid),
        )
        for rate in (0.5, of_one[0])
    ]


def means(name: str, splits: Sequence[Compared]) -> Means:
    """Means over the splits in which the paper's models reach a ratio.

    Where they do and ours do not, ours count as telling nothing.
    """
    papers, ours = np.array([each.papers for each in splits]), np.array([each.ours for each in splits])
    reached = ~np.isnan(papers).any(axis=2, keepdims=True)
    ours = np.where(np.isnan(ours), [0.5, 1.0], ours)
    count = np.maximum(reached.sum(axis=0), 1)
    sums = [np.where(reached, each, 0.0).sum(axis=0) / count for each in (papers, ours)]
    return Means(
        name=name,
        grid=splits[0].grid,
        papers=sums[0],
        ours=sums[1],
        reached=reached.sum(axis=(0, 2)),
        splits=len(splits),
    )


def pick(case: Case, rate: float, required: float = 0.8) -> Scored:
    """What a search with its defaults picks; the test rows play no part."""
    first, groups = case.fitting()
    learner = create("learner", "lda-xgb1", min_share=MIN_SHARE, **case.options)
    search = LDASearch(learner, required_ratio=required, approval_rate=rate).fit(*first, **groups)
    return scored("pick", search.model_, case)


def side_by_side(cases: Sequence[Case], grid: np.ndarray) -> list[Means]:
    """Both frontiers at 50 % approved, and at what the paper's own cutoff approves; means over the splits."""
    both = [compared(case, grid) for case in cases]
    names = ("50 % approved", "approved as by the paper")
    return [means(name, [found[i] for found in both]) for i, name in enumerate(names)]


def rows_beyond(found: Sequence[Means]) -> list[Row]:
    """The least that the search gains over the grid, and the most that it costs in bad loans."""
    rows = []
    for each in found:
        gain = each.gain[each.reached > 0]
        first, last = each.grid[each.reached > 0][[0, -1]]
        note = f"worst ratio of {first:.2f} to {last:.2f}; means of the splits of {each.splits} that the paper's reach"
        rows += [
            Row(
                name=f"AUC gained, {each.name}", value=gain[:, 0].min(), unit="", relation=">=", bound=0.015, note=note
            ),
            Row(
                name=f"bad rate added, {each.name}",
                value=gain[:, 1].max(),
                unit="",
                relation="<=",
                bound=0.0,
                note=note,
            ),
        ]
    return rows


def lines_beyond(found: Sequence[Means]) -> list[list[str]]:
    """The same, ratio by ratio; in how many splits the paper's models reach it."""
    return [
        [
            f"{each.name} ({each.reached[at]} of {each.splits})",
            f"{ratio:.3f}",
            *(f"{value:.4f}" for value in (*each.papers[at], *each.ours[at])),
            *(f"{value:+.4f}" for value in each.gain[at]),
        ]
        for each in found
        for at, ratio in enumerate(each.grid)
        if each.reached[at]
    ]


def row_of_picks(cases: Sequence[Case]) -> Row:
    """The ratio, on test rows, of what the search picks for 0.80."""
    ratios = np.array([pick(case, 0.5).own_ratio for case in cases])
    each = ", ".join(f"{ratio:.3f}" for ratio in ratios)
    note = f"50 % approved, test rows, mean of {len(cases)} splits: {each}"
    return Row(name="ratio of the pick for 0.80", value=ratios.mean(), unit="", relation=">=", bound=0.8, note=note)


def rows_in_sql(case: Case) -> Row:
    """Every candidate of the search in DuckDB: rows of which any column differs from Python's."""
    first, groups = case.fitting()
    learner = create("learner", "lda-xgb1", min_share=MIN_SHARE, **case.options)
    table = case.test[case.inputs]
    differing = count = 0
    for each in learner.alternatives(*first, **groups):
        exporter = create("exporter", "sql", dialect="duckdb", table="applicants")
        output = exporter.run(exporter.export(each.model), table)
        differing += sum(len(found) for found in differences(evaluate(each.model, table).frame(), output).values())
        count += 1
    note = f"{count} models, {len(table)} rows each, DuckDB"
    return Row(name="values that differ in SQL", value=differing, unit="", relation="<=", bound=0, note=note)
