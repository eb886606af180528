"""CPU time of counterfactuals on HELOC: beside OptBinning's program, in batch, and several at once."""

from __future__ import annotations

import statistics
from collections import Counter
from collections.abc import Iterator
from functools import cache
from typing import Any

import numpy as np
from clock import timed, yardstick
from report import Row

from recourse.heloc import heloc
from recourse.peers import BOTH, VERSIONS, in_peers_units, peer
from scrutable import create
from scrutable_counterfactual.goal import Wanted
from scrutable_counterfactual.joint import Diversity
from scrutable_counterfactual.measuring import Measure, Objective
from scrutable_counterfactual.reading import Applicants, actions_of
from scrutable_counterfactual.search import Clock, Found
from scrutable_counterfactual.solving import Task, solve

#: How many applicants of a batch are answered while the peer answers one, by the most features that may change: where
#: these were set, 1,000 and 400 a second, and 314 ms.
_BATCH = {4: 314, 6: 126}
#: Applicants whom the peer is asked about for that.
_ASKED = 15
_MOST = 50.0


def rows_of_single(count: int, runs: int) -> Iterator[Row]:
    """One answer for each of some applicants, with the peer's objective, and how much longer the peer takes."""
    data, applicants = heloc(), heloc().drawn(count)
    options = in_peers_units()
    together, found = _explained(applicants, runs, **options)
    seconds = together / count
    theirs = _asked_peer(count)
    taken = statistics.mean(each.seconds for each in theirs)
    alone, _ = _explained(applicants.iloc[[0]], runs, **options)
    fitted, _ = timed(lambda: peer().fitted.fit(data.X))
    note = (
        f"CPU, mean of {count} applicants in one call, median of {runs} calls, which read {len(data.X):,} rows of "
        f"reference each ({1000 * alone:.0f} ms for a call with one applicant; the peer's fit takes "
        f"{1000 * fitted:.0f} ms, which is not in its figure); sorting a million doubles takes "
        f"{1000 * yardstick(runs):.0f} ms; peer: {VERSIONS}, the same card, objective and applicants"
    )
    name = "one applicant, up to 4 changes"
    yield Row(name=name, value=1000 * seconds, unit="ms", relation="<=", bound=5, peer=1000 * taken, note=note)
    note = f"mean of {count} applicants: {1000 * taken:.0f} ms for one, model made and solved"
    yield Row(name="OptBinning / ours", value=taken / seconds, unit="x", relation=">=", bound=100, note=note)
    ours = np.array([np.nan if each.cost is None else each.cost for each in found])
    worst = float(np.abs(ours - np.array([each.objective for each in theirs])).max())
    note = f"{count} applicants, {_statuses(each.status for each in found)}; peer {_statuses(a.status for a in theirs)}"
    yield Row(name="objective less the peer's", value=worst, unit="", relation="<=", bound=1e-5, note=note)


def rows_of_batch(count: int, runs: int) -> Iterator[Row]:
    """Applicants at once, reading and scoring included, beside the peer with up to four changes."""
    applicants = heloc().drawn(count)
    taken = statistics.mean(each.seconds for each in _asked_peer(_ASKED))
    for most, bound in _BATCH.items():
        for anchor in ("mean", "applicant"):
            seconds, found = _explained(applicants, runs, max_changes=most, closeness_from=anchor)
            note = (
                f"{len(found) / seconds:,.0f} applicants/s of {len(found)} declined at once, median of {runs}; "
                f"{_statuses(each.status for each in found)}; OptBinning {1000 * taken:.0f} ms for one"
            )
            yield Row(
                name=f"OptBinning / ours in a batch, up to {most} changes, closeness from the {anchor}",
                value=taken * len(found) / seconds,
                unit="x",
                relation=">=",
                bound=bound,
                note=note,
            )


def rows_of_several(count: int) -> Iterator[Row]:
    """The share of applicants whose three different answers are found and proven best in 50 ms of CPU time."""
    data = heloc()
    measure, nothing = Measure(closeness_from="mean"), actions_of((), {}, (), ())
    applicants = Applicants(
        data.card,
        data.drawn(count),
        wanted=Wanted(),
        actions=nothing,
        measure=measure,
        max_changes=4,
        needed=False,
        reference=data.X,
    )
    for name in ("both", "features", "values"):
        diversity = Diversity(features=name in ("features", "both"), values=name in ("values", "both"))
        task = Task(objective=Objective(weights=BOTH), number=3, diversity=diversity)
        _solved(task, applicants, 0)  # compiles
        taken, found = zip(*(_solved(task, applicants, row) for row in range(count)), strict=True)
        milliseconds = 1000 * np.array(taken)
        best = np.array([each.complete and len(each.cells) > 0 for each in found])
        none = sum(each.complete and not len(each.cells) for each in found)
        yield Row(
            name=f"three answers, different {name}: proven best within {_MOST:g} ms",
            value=float((best & (milliseconds <= _MOST)).mean()),
            unit="of 1",
            relation=">=",
            bound=0.9,
            note=f"up to 4 changes; CPU of the search for each of {count} applicants: median "
            f"{np.median(milliseconds):.1f}, mean {milliseconds.mean():.1f}, most {milliseconds.max():.0f} ms; however "
            f"long it took, {best.sum()} are proven best, {none} proven to have no three, {count - best.sum() - none} "
            "neither",
        )


@cache
def _asked_peer(count: int) -> list[Any]:
    """The peer's answers for the first so many applicants, one by one."""
    applicants = heloc().drawn(count)
    return [peer().ask(applicants.iloc[[i]]) for i in range(count)]


def _solved(task: Task, applicants: Applicants, row: int) -> tuple[float, Found]:
    return timed(lambda: solve(task, applicants.problem(row), applicants.terms(row), Clock()))


def _explained(applicants: Any, runs: int, **options: Any) -> tuple[float, list[Any]]:
    """Median CPU time of `explain`, compiled before, and the explanations."""
    data = heloc()
    explainer = create("explainer", "counterfactual", **{"max_changes": 4, "needed": False} | options)
    explainer.explain(data.card, applicants.iloc[:1], reference=data.X)
    taken, found = zip(
        *(timed(lambda: explainer.explain(data.card, applicants, reference=data.X)) for _ in range(runs)), strict=True
    )
    return statistics.median(taken), list(found[0])


def _statuses(found: Any) -> str:
    return ", ".join(f"{count} {status.lower()}" for status, count in sorted(Counter(found).items()))
