"""FairGBM: plain LightGBM, the authors' fork, fairlearn's methods, and the exactness of the handover.

Run: SCRUTABLE_DATA=... [SCRUTABLE_FORK_PYTHON=...] python benchmarks/fairgbm.py [--quick] [--json FILE]

The authors' fork is built on an old LightGBM and needs old libraries, so it runs in an environment of its own, with
Python 3.10 or 3.11:

    python3.10 -m venv fork-env
    fork-env/bin/pip install numpy==1.23.5 scipy==1.10.1 scikit-learn==1.2.2 joblib threadpoolctl
    fork-env/bin/pip install --no-deps fairgbm==0.9.14
    export SCRUTABLE_FORK_PYTHON=fork-env/bin/python

Without it, figures against the fork are absent, and the table of methods says so. All methods are on one thread but
where a row says otherwise. All of it takes about half an hour of CPU time; `--quick` takes fewer configurations, splits
and rows, as its notes say.
"""

from __future__ import annotations

from collections.abc import Iterator

from boosting import data, rare, speed, steady, stumps, tradeoff
from boosting.data import Parts, Problem
from boosting.draws import draws
from boosting.mid_size import rows_of_mid_size
from boosting.routing import rows_of_routing
from boosting.speed import Case
from boosting.targets import TARGETS
from report import Row, lines, options, show
from threadpoolctl import threadpool_limits

#: What the notes of a quick run say of the larger set.
SAMPLE = "; the bound is that of 500,000 rows, of which a tenth is taken"


def main() -> None:
    """Print the tables of methods, then every figure beside its bound."""
    chosen = options(__doc__ or "")
    quick = chosen.quick
    rows = list(
        speed.rows_of_speed(timed_fits(quick))
    )  # before anything limits threads, which one of the cases has two of
    with threadpool_limits(1):
        rows += [*rows_of_methods(quick), *rows_of_adult(quick), *rows_of_frauds(quick)]
        rows += rows_of_routing(5000 if quick else 100_000)
        rows += rows_of_mid_size_data(quick)
    show("FairGBM", rows, chosen.json)


def timed_fits(quick: bool) -> list[Case]:
    """One thread on many rows, two on few."""
    bounds = TARGETS["speed"]
    many, few = data.large(50_000 if quick else 500_000), data.large(32_000)
    pairs = 1 if quick else 5
    return [
        Case(problem=many, threads=1, bound=bounds["one_thread"], pairs=pairs, note=SAMPLE if quick else ""),
        Case(problem=few, threads=2, bound=bounds["two_threads"], pairs=pairs),
    ]


def rows_of_methods(quick: bool) -> Iterator[Row]:
    """Every method on adult, whose figures have bounds; COMPAS and Taiwan are only shown."""
    for name in ["adult"] if quick else ["adult", "compas", "taiwan"]:
        compared = tradeoff.compare(name, draws(2 if quick else 20), 1 if quick else 3)
        lines(f"{name}, equal opportunity: means over test rows", tradeoff.COLUMNS, tradeoff.lines_of(compared))
    # Three splits tell no more than that two methods are close, so those with bounds run on more.
    bounded = tradeoff.compare("adult", draws(2 if quick else 20), 1 if quick else 10, tradeoff.BOUNDED)
    yield from tradeoff.rows_of(bounded)


def rows_of_adult(quick: bool) -> Iterator[Row]:
    """Scores that stay small, and stumps, whose bound is on the mean of three splits in a quick run, too."""
    whole = data.adult()
    parts = [Parts.of(whole, seed) for seed in range(3)]
    rates = [1e-3, 0.5] if quick else [1e-3, 0.01, 0.1, 0.25, 0.5]
    yield from steady.rows_of_divergence(parts[0], rates, [0.0] if quick else [0.0, 0.01, 0.05])
    yield from stumps.rows_of_stumps(parts, 200 if quick else 5000)


def rows_of_mid_size_data(quick: bool) -> Iterator[Row]:
    """A bound on the ratio of approval rates where trees know their rows well, with rows held out and without."""
    sizes = [3000] if quick else [1500, 3000, 6000]
    yield from rows_of_mid_size(data.simucredit(), sizes, 3 if quick else 10)
    if not quick:
        yield from rows_of_mid_size(data.adult(), sizes, 10)


def rows_of_frauds(quick: bool) -> Iterator[Row]:
    """The simulated set whose bounds are stated, on means of three draws, and one that is harder and only shown."""

    def harder(seed: int) -> Problem:
        return data.rare(seed=seed, told=False)

    def simulated(seed: int) -> Problem:
        return data.rare(100_000 if quick else 500_000, seed)

    if not quick:
        lines("Frauds that tell less of age", rare.COLUMNS, rare.lines_of(rare.of_sets(harder, 1, rare.DRAWS)))
    yield from rare.rows_of_rare(simulated, 3, rare.DRAWS[:1] if quick else rare.DRAWS)


if __name__ == "__main__":
    main()
